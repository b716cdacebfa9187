//! Macros that are computed where they stand: `__LINE__`, `__COUNTER__`, `__has_include` and their kin.

use crate::error::Trouble;
use crate::names::{Builtin, Meaning, Symbol};
use crate::state::{Run, shifted};
use crate::token::{Kind, Tok};

const NAMES: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__FILE_NAME__", Builtin::FileName),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("_Pragma", Builtin::Pragma),
    ("__has_include", Builtin::HasInclude),
    ("__has_include_next", Builtin::HasIncludeNext),
];

impl Run<'_> {
    /// Gives the computed macros their meaning.
    pub fn define_builtins(&mut self) {
        for (name, builtin) in NAMES {
            let name = self.names.intern(name.as_bytes());
            self.names.set_meaning(name, Meaning::Builtin(*builtin));
        }
        for (index, operator) in self.compiler.operators.iter().enumerate() {
            let name = self.names.intern(operator.name.as_bytes());
            self.names.set_meaning(name, Meaning::Builtin(Builtin::Has(index as u8)));
        }
    }

    /// Is it an operator like `__has_include`, which cannot be defined?
    pub fn is_operator(&self, name: Symbol) -> bool {
        matches!(
            self.names.meaning(name),
            Meaning::Builtin(Builtin::HasInclude | Builtin::HasIncludeNext | Builtin::Has(_))
        )
    }

    /// Pushes the value of a computed macro. False if the name stays as it is.
    pub fn enter_builtin(&mut self, tok: Tok, builtin: Builtin) -> Result<bool, Trouble> {
        let shift = self.files.last().map_or(0, |file| file.line_shift);
        let name = |file: Option<&crate::include::File>| quoted(file.map_or(b"", |file| &file.name));
        let (kind, text) = match builtin {
            Builtin::Line => (Kind::Number, shifted(tok.line, shift).to_string().into_bytes()),
            Builtin::File => (Kind::Str, name(self.files.last())),
            Builtin::FileName => {
                let path = self.files.last().map_or(&b""[..], |file| &file.name);
                let start = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
                (Kind::Str, quoted(&path[start..]))
            }
            Builtin::BaseFile => (Kind::Str, quoted(self.options.name.as_bytes())),
            Builtin::IncludeLevel => (Kind::Number, (self.files.len().max(1) - 1).to_string().into_bytes()),
            Builtin::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string().into_bytes())
            }
            Builtin::Date => (Kind::Str, date(self.options.time).into_bytes()),
            Builtin::Time => (Kind::Str, time(self.options.time).into_bytes()),
            Builtin::Timestamp => return Err(self.unhandled("__TIMESTAMP__")),
            Builtin::Pragma => {
                if self.in_directive {
                    return Ok(false);
                }
                self.pragma_operator(tok)?;
                return Ok(true);
            }
            Builtin::HasInclude | Builtin::HasIncludeNext => {
                if !self.in_directive {
                    return Err(
                        self.reject_at(tok, "`__has_include` used outside of preprocessing directive")
                    );
                }
                let found = self.has_include(tok, builtin == Builtin::HasIncludeNext)?;
                (Kind::Number, vec![b'0' + u8::from(found)])
            }
            Builtin::Has(index) => (Kind::Number, self.has(tok, index)?.into_bytes()),
        };
        let sym = self.names.intern(&text);
        self.push_one(Tok::new(kind, 0, sym, tok.line, tok.column))?;
        Ok(true)
    }

    /// `__has_attribute ( name )` and its kin: as the compiler answered when it was asked.
    fn has(&mut self, tok: Tok, index: u8) -> Result<String, Trouble> {
        let compiler = self.compiler;
        let operator = &compiler.operators[usize::from(index)];
        self.prevent_expansion += 1;
        let open = self.get_solid()?;
        let mut name = Vec::new();
        if open.kind == Kind::LParen {
            loop {
                let tok = self.get_solid()?;
                if matches!(tok.kind, Kind::RParen | Kind::Eof) || name.len() > 1000 {
                    break;
                }
                if tok.kind == Kind::Name && self.names.meaning(tok.sym) != Meaning::Plain {
                    return Err(self.unhandled(format!("a macro in the operand of {}", operator.name)));
                }
                name.extend_from_slice(tok.spelling(&self.names));
            }
        }
        self.prevent_expansion -= 1;
        let name = String::from_utf8_lossy(&name).into_owned();
        match operator.answer(&name) {
            Some(answer) => Ok(answer.to_string()),
            None => Err(self.reject_at(tok, format!("{}({name})", operator.name)).unhandled()),
        }
    }
}

/// A string literal.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut literal = vec![b'"'];
    for &b in text {
        if matches!(b, b'"' | b'\\') {
            literal.push(b'\\');
        }
        literal.push(b);
    }
    literal.push(b'"');
    literal
}

/// `"Jan  1 1970"`, in UTC.
fn date(seconds: u64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // Days since 1 March of year 0, in cycles of 400 years; years begin in March, so that leap days come last.
    let days = (seconds / 86_400).min(100_000_000) + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let year = cycle * 400 + year + u64::from(month >= 10);
    format!("\"{} {day_of_month:2} {year:4}\"", MONTHS[(month as usize + 2) % 12])
}

/// `"00:00:00"`, in UTC.
fn time(seconds: u64) -> String {
    format!("\"{:02}:{:02}:{:02}\"", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "\"Jan  1 1970\"");
        assert_eq!(date(951_782_400), "\"Feb 29 2000\"");
        assert_eq!(date(1_000_000_000), "\"Sep  9 2001\"");
        assert_eq!(time(1_000_000_000), "\"01:46:40\"");
        assert_eq!(date(u64::MAX).len(), 15);
    }
}
