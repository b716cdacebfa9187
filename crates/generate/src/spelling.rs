//! Spellings that the tree does not keep, since they mean the same: C23's words, digit separators and `[[...]]`, and
//! `musttail` on calls that return statements make. The printed text is rewritten word by word.

/// How a program is spelled.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spelling {
    /// As C23 has it.
    pub c23: bool,
    /// With calls that must be jumps (see [`JUMPS`]).
    pub jumps: bool,
}

/// What the names of functions begin with whose calls by return statements of one another must be jumps.
pub(crate) const JUMPS: &str = "tail_";

/// Words of C23 and what the printer writes for them.
const WORDS: &[(&str, &str)] = &[
    ("_Bool", "bool"),
    ("_Static_assert", "static_assert"),
    ("_Alignas", "alignas"),
    ("_Alignof", "alignof"),
    ("__auto_type", "auto"),
    ("__typeof__", "typeof"),
    ("__typeof_unqual__", "typeof_unqual"),
];

/// Attributes that C23 has, where they stand behind the name that is declared, or alone.
const BEHIND: &[(&str, &str)] = &[
    ("__attribute__((unused))", "[[maybe_unused]]"),
    ("__attribute__((fallthrough))", "[[fallthrough]]"),
    ("__attribute__((assume(", "[[gnu::assume(("),
];

/// Attributes of functions, where they stand behind `static`, and what stands in front of it in C23.
const IN_FRONT: &[(&str, &str)] = &[
    ("static __attribute__((warn_unused_result)) ", "[[nodiscard]] static "),
    ("static __attribute__((noinline)) ", "[[gnu::noinline]] static "),
];

impl Spelling {
    /// The text of a printed program.
    pub(crate) fn of(self, text: String) -> String {
        if self == Spelling::default() {
            return text;
        }
        let mut out = String::with_capacity(text.len() + text.len() / 8);
        let mut jumps = false;
        for line in text.split_inclusive('\n') {
            // Functions are printed from the first column on.
            if line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                jumps = self.jumps && line.contains(&format!(" {JUMPS}"));
            }
            let code = line.trim_start();
            let calls = code.strip_prefix("return ").is_some_and(|called| called.starts_with(JUMPS));
            let indent = &line[..line.len() - code.len()];
            out.push_str(indent);
            if jumps && calls {
                out.push_str("__attribute__((musttail)) ");
            }
            if self.c23 { c23(code, &mut out) } else { out.push_str(code) }
        }
        out
    }
}

/// A line as C23 spells it.
fn c23(line: &str, out: &mut String) {
    let mut rest = line;
    for (old, new) in IN_FRONT {
        if let Some(behind) = rest.strip_prefix(old) {
            out.push_str(new);
            rest = behind;
        }
    }
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' | '\'' => {
                let taken = quoted(rest, first);
                out.push_str(&rest[..taken]);
                taken
            }
            '0'..='9' => {
                let taken =
                    rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
                separated(&rest[..taken], out);
                taken
            }
            _ if first.is_ascii_alphabetic() || first == '_' => word(rest, out),
            _ => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
}

/// A word, or the attribute that begins with it: how many bytes it is.
fn word(text: &str, out: &mut String) -> usize {
    for (old, new) in BEHIND {
        if let Some(rest) = text.strip_prefix(old) {
            out.push_str(new);
            // The condition of an assumption ends in three parentheses; of these `]]` replaces the last.
            return match rest.find("));").filter(|_| old.ends_with("assume(")) {
                Some(_) => old.len() + assumed(rest, out),
                None => old.len(),
            };
        }
    }
    let len = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let word = &text[..len];
    out.push_str(WORDS.iter().find(|(old, _)| *old == word).map_or(word, |(_, new)| new));
    len
}

/// The rest of `assume(e)))` up to the last parenthesis, with `]]` for it: how many bytes it is.
fn assumed(rest: &str, out: &mut String) -> usize {
    let mut open = 1;
    let end = rest.find(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open == 0
    });
    let end = end.unwrap_or(0);
    c23(&rest[..end], out);
    out.push_str("))]]");
    end + ")))".len()
}

/// How long a string or character constant is.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// An integer constant with separators between groups of digits; other numbers as they are.
fn separated(number: &str, out: &mut String) {
    let (prefix, rest, group) = match number.get(..2) {
        Some("0x") => ("0x", &number[2..], 4),
        Some("0b") => ("0b", &number[2..], 8),
        _ => ("", number, 3),
    };
    let digit = |c: char| if prefix == "0x" { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let len = rest.find(|c| !digit(c)).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(len);
    let integer = suffix.chars().all(|c| "uUlLwb".contains(c));
    out.push_str(prefix);
    if !integer || prefix.is_empty() && digits.starts_with('0') {
        return out.push_str(rest);
    }
    for (at, c) in digits.char_indices() {
        if at > 0 && (len - at).is_multiple_of(group) {
            out.push('\'');
        }
        out.push(c);
    }
    out.push_str(suffix);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> String {
        Spelling { c23: true, jumps: true }.of(text.to_string())
    }

    #[test]
    fn words_numbers_and_attributes_are_those_of_c23() {
        let plain = "static __attribute__((noinline)) _Bool f(int x) {\n  __auto_type y = 1234567u + 0xdeadbeefULL;\n}\n";
        let new = "[[gnu::noinline]] static bool f(int x) {\n  auto y = 1'234'567u + 0xdead'beefULL;\n}\n";
        assert_eq!(spelled(plain), new);
        let same = "  printf(\"_Bool 12345 \\\" 67890\"); x = 012345 + 123456.0 + 0x12345p4 + 7;\n";
        assert_eq!(spelled(same), same);
        assert_eq!(
            spelled("  __attribute__((assume(f(x) < 1234)));\n"),
            "  [[gnu::assume((f(x) < 1'234))]];\n"
        );
        assert_eq!(spelled("  int x __attribute__((unused)) = 1;\n"), "  int x [[maybe_unused]] = 1;\n");
        assert_eq!(spelled("0x123456789wb 0b111100001111"), "0x1'2345'6789wb 0b1111'00001111");
    }

    #[test]
    fn calls_among_functions_of_jumps_are_marked() {
        let text = "static int tail_1(int a)\n{\n  return tail_2(a);\n}\nint main(void)\n{\n  return tail_1(2);\n}\n";
        let jumps = Spelling { c23: false, jumps: true }.of(text.to_string());
        assert_eq!(jumps, text.replacen("return", "__attribute__((musttail)) return", 1));
        assert_eq!(Spelling::default().of(text.to_string()), text);
    }
}
