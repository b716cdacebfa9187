//! Directives (C11 6.10): which there are, conditional groups, `#line`, `#error` and `#warning`.

use crate::error::{Trouble, Warning};
use crate::lex::{CLASS, DIGIT, START};
use crate::names::{Meaning, Names, Symbol};
use crate::state::{Run, shifted};
use crate::token::{Kind, Tok, WHITE};
use std::sync::Arc;

/// Names with a meaning of their own.
pub(crate) struct Words {
    pub defined: Symbol,
    pub va_args: Symbol,
    pub va_opt: Symbol,
}

impl Words {
    /// Interns them, behind the names of the directives.
    pub fn new(names: &mut Names) -> Words {
        for (name, _) in DIRECTIVES {
            names.intern(name);
        }
        Words {
            defined: names.intern(b"defined"),
            va_args: names.intern(b"__VA_ARGS__"),
            va_opt: names.intern(b"__VA_OPT__"),
        }
    }
}

/// An `#if` whose `#endif` is not yet seen.
#[derive(Debug)]
pub(crate) struct Conditional {
    line: u32,
    column: u32,
    /// All its groups are skipped, because it stands in a group that is.
    dead: bool,
    /// A group was taken.
    taken: bool,
    /// There was an `#else`.
    last: bool,
    /// The macro that, once defined, makes this conditional and with it the whole file empty.
    guard: Option<Symbol>,
}

/// Whether a file is wholly within one `#ifndef`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// Nothing was read yet.
    Start,
    /// Within the conditional.
    Inside,
    /// Nothing was read behind it.
    Behind(Symbol),
    /// It is not.
    No,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Directive {
    Define,
    Undef,
    Include,
    IncludeNext,
    Import,
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Line,
    Error,
    Warning,
    Pragma,
    Ident,
}

/// Directives by name. Their names are interned in this order, before all others.
const DIRECTIVES: &[(&[u8], Directive)] = &[
    (b"define", Directive::Define),
    (b"undef", Directive::Undef),
    (b"include", Directive::Include),
    (b"include_next", Directive::IncludeNext),
    (b"import", Directive::Import),
    (b"if", Directive::If),
    (b"ifdef", Directive::Ifdef),
    (b"ifndef", Directive::Ifndef),
    (b"elif", Directive::Elif),
    (b"elifdef", Directive::Elifdef),
    (b"elifndef", Directive::Elifndef),
    (b"else", Directive::Else),
    (b"endif", Directive::Endif),
    (b"line", Directive::Line),
    (b"error", Directive::Error),
    (b"warning", Directive::Warning),
    (b"pragma", Directive::Pragma),
    (b"ident", Directive::Ident),
    (b"sccs", Directive::Ident),
];

/// The symbol of the first of them: the empty spelling is before it.
const FIRST: u32 = 1;

fn known(name: Symbol) -> Option<Directive> {
    DIRECTIVES.get(name.0.checked_sub(FIRST)? as usize).map(|entry| entry.1)
}

/// A file to be read when the directive's line is done with.
pub(crate) struct Entering {
    pub file: crate::include::File,
    pub source: Arc<crate::source::Source>,
}

impl Run<'_> {
    /// The next token of the directive's line, nothing expanded.
    pub fn directive_token(&mut self) -> Result<Tok, Trouble> {
        if let Some(tok) = self.lookahead.take() {
            return Ok(tok);
        }
        self.lexer.next(&mut self.names, self.dialect, true)
    }

    /// Carries out a directive whose `#` has been read, to the end of its line.
    pub fn directive(&mut self) -> Result<(), Trouble> {
        let saved = (self.parsing_args, self.prevent_expansion);
        (self.parsing_args, self.prevent_expansion) = (0, 0);
        self.in_directive = true;
        let (line, column) = (self.lexer.line, self.lexer.column().saturating_sub(1));
        let tok = self.directive_token()?;
        let mut entering = None;
        let mut skipping = false;
        match tok.kind {
            Kind::Eof => {}
            Kind::Number => self.line_marker(tok)?,
            Kind::Name => {
                let Some(directive) = known(tok.sym) else {
                    let name = self.names.show(tok.sym);
                    if matches!(name.as_str(), "assert" | "unassert") {
                        return Err(self.unhandled(format!("#{name}")));
                    }
                    return Err(self.reject_at(tok, format!("invalid preprocessing directive #{name}")));
                };
                self.watch_guard(directive);
                match directive {
                    Directive::Define => self.define()?,
                    Directive::Undef => self.undefine()?,
                    Directive::Include => entering = self.include(line, false, false)?,
                    Directive::IncludeNext => entering = self.include(line, true, false)?,
                    Directive::Import => entering = self.include(line, false, true)?,
                    Directive::If | Directive::Ifdef | Directive::Ifndef => {
                        let guard = self.guard_candidate(directive);
                        let taken = self.condition(directive)?;
                        if let Some(file) = self.files.last_mut().filter(|file| file.guard == Guard::Start) {
                            file.guard = if guard.is_some() { Guard::Inside } else { Guard::No };
                        }
                        self.conditionals.push(Conditional {
                            line,
                            column,
                            dead: false,
                            taken,
                            last: false,
                            guard,
                        });
                        skipping = !taken;
                    }
                    Directive::Elif | Directive::Elifdef | Directive::Elifndef | Directive::Else => {
                        self.alternative(directive, tok)?;
                        skipping = true;
                    }
                    Directive::Endif => self.end_conditional(tok)?,
                    Directive::Line => self.line_directive()?,
                    Directive::Error => {
                        let message = format!("#error {}", self.rest_of_line());
                        return Err(self.reject_at(tok, message.trim_end()));
                    }
                    Directive::Warning => {
                        let message = self.rest_of_line();
                        if self.warnings.len() < 100 {
                            let file = self.files.last();
                            let shift = file.map_or(0, |file| file.line_shift);
                            let file = file.map_or_else(String::new, |file| file.shown_name());
                            self.warnings.push(Warning { file, line: shifted(line, shift), message });
                        }
                    }
                    Directive::Pragma => self.pragma_directive(line)?,
                    Directive::Ident => self.ident(tok, line)?,
                }
            }
            _ => {
                let shown = String::from_utf8_lossy(tok.spelling(&self.names)).into_owned();
                return Err(self.reject_at(tok, format!("invalid preprocessing directive #{shown}")));
            }
        }
        self.finish_line()?;
        self.in_directive = false;
        if let Some(Entering { file, source }) = entering {
            self.enter_file(file, source)?;
        }
        if skipping {
            self.skip_groups()?;
        }
        (self.parsing_args, self.prevent_expansion) = saved;
        if self.calls == 0 {
            self.arena.clear();
        }
        Ok(())
    }

    /// Goes to the start of the next line.
    fn finish_line(&mut self) -> Result<(), Trouble> {
        self.lookahead = None;
        while self.leave_context() {}
        self.lexer.skip_line(self.dialect)?;
        if !self.lexer.at_end() {
            self.lexer.next_line();
        }
        Ok(())
    }

    /// Directives outside the outermost conditional mean that a file has no guard.
    fn watch_guard(&mut self, directive: Directive) {
        let dirty = self.dirty;
        let depth = self.conditionals.len();
        let Some(file) = self.files.last_mut() else { return };
        let outside = depth == file.conditionals;
        match file.guard {
            Guard::Start | Guard::Behind(_) if outside => {
                let opens = matches!(directive, Directive::If | Directive::Ifndef);
                if file.guard != Guard::Start || !opens || dirty {
                    file.guard = Guard::No;
                }
            }
            Guard::Inside if depth == file.conditionals + 1 => {
                let splits = matches!(
                    directive,
                    Directive::Else | Directive::Elif | Directive::Elifdef | Directive::Elifndef
                );
                if splits {
                    file.guard = Guard::No;
                }
            }
            Guard::Start | Guard::Inside | Guard::Behind(_) | Guard::No => {}
        }
    }

    /// The macro that guards a file that may begin with this `#ifndef NAME` or `#if !defined NAME`.
    fn guard_candidate(&mut self, directive: Directive) -> Option<Symbol> {
        let outside = self.conditionals.len() == self.files.last()?.conditionals;
        if !outside || self.files.last()?.guard != Guard::Start {
            return None;
        }
        let end = self.lexer.source.text[self.lexer.at..].iter().position(|b| *b == b'\n')?;
        let line = self.lexer.source.text[self.lexer.at..self.lexer.at + end].trim_ascii();
        let name = match directive {
            Directive::Ifndef => line,
            Directive::If => {
                let rest = line.strip_prefix(b"!")?.trim_ascii().strip_prefix(b"defined")?;
                let inner = rest.trim_ascii().strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")"));
                if inner.is_none() && !rest.first()?.is_ascii_whitespace() {
                    return None;
                }
                inner.unwrap_or(rest).trim_ascii()
            }
            _ => return None,
        };
        let word = |b: &u8| *b < 0x80 && CLASS[*b as usize] & (START | DIGIT) != 0;
        if name.is_empty() || name[0].is_ascii_digit() || !name.iter().all(word) {
            return None;
        }
        Some(self.names.intern(name))
    }

    /// The condition of `#if`, `#elif` and their kin.
    fn condition(&mut self, directive: Directive) -> Result<bool, Trouble> {
        match directive {
            Directive::Ifdef | Directive::Elifdef => self.is_defined("ifdef"),
            Directive::Ifndef | Directive::Elifndef => Ok(!self.is_defined("ifndef")?),
            _ => self.evaluate(),
        }
    }

    fn is_defined(&mut self, directive: &str) -> Result<bool, Trouble> {
        let tok = self.macro_name(directive, false)?;
        Ok(self.names.meaning(tok.sym) != Meaning::Plain)
    }

    /// `#else` or `#elif` behind a group that was taken: the rest is skipped.
    fn alternative(&mut self, directive: Directive, tok: Tok) -> Result<(), Trouble> {
        let base = self.files.last().map_or(0, |file| file.conditionals);
        let name = self.names.show(tok.sym);
        match self.conditionals.get_mut(base..).and_then(<[_]>::last_mut) {
            None => Err(self.reject_at(tok, format!("#{name} without #if"))),
            Some(open) if open.last => Err(self.reject_at(tok, format!("#{name} after #else"))),
            Some(open) => {
                open.last = directive == Directive::Else;
                Ok(())
            }
        }
    }

    fn end_conditional(&mut self, tok: Tok) -> Result<(), Trouble> {
        let base = self.files.last().map_or(0, |file| file.conditionals);
        if self.conditionals.len() <= base {
            return Err(self.reject_at(tok, "#endif without #if"));
        }
        self.close();
        Ok(())
    }

    /// Pops a conditional; true if it was not within a skipped group.
    fn close(&mut self) -> bool {
        let Some(closed) = self.conditionals.pop() else { return true };
        if let Some(file) = self.files.last_mut()
            && self.conditionals.len() == file.conditionals
            && file.guard == Guard::Inside
        {
            file.guard = closed.guard.map_or(Guard::No, Guard::Behind);
            self.dirty = false;
        }
        !closed.dead
    }

    /// Skips lines, from the start of a line, until a group is to be read or the conditional is over.
    fn skip_groups(&mut self) -> Result<(), Trouble> {
        loop {
            let Some((tok, directive)) = self.next_skipped()? else { return Ok(()) };
            match directive {
                Directive::If | Directive::Ifdef | Directive::Ifndef => {
                    if self.conditionals.len() > 1 << 20 {
                        return Err(self.limit("conditionals are nested too deeply"));
                    }
                    self.conditionals.push(Conditional {
                        line: tok.line,
                        column: tok.column,
                        dead: true,
                        taken: true,
                        last: false,
                        guard: None,
                    });
                }
                Directive::Endif if self.close() => return self.finish_line(),
                Directive::Endif => {}
                Directive::Elif | Directive::Elifdef | Directive::Elifndef | Directive::Else => {
                    self.watch_guard(directive);
                    let name = self.names.show(tok.sym);
                    let after = self.conditionals.last().is_some_and(|open| open.last);
                    if after {
                        return Err(self.reject_at(tok, format!("#{name} after #else")));
                    }
                    let decide = self.conditionals.last().is_some_and(|open| !open.dead && !open.taken);
                    let mut taken = decide;
                    if decide && directive != Directive::Else {
                        self.in_directive = true;
                        taken = self.condition(directive)?;
                        self.in_directive = false;
                    }
                    if let Some(open) = self.conditionals.last_mut() {
                        open.last = directive == Directive::Else;
                        open.taken |= taken;
                    }
                    if taken {
                        return self.finish_line();
                    }
                }
                _ => {}
            }
            self.finish_line()?;
        }
    }

    /// The next directive of a skipped group, its name read; `None` at the end of the file.
    fn next_skipped(&mut self) -> Result<Option<(Tok, Directive)>, Trouble> {
        loop {
            self.lexer.skip_blanks(self.dialect)?;
            if self.lexer.at_end() {
                return Ok(None);
            }
            let text = &self.lexer.source.text[self.lexer.at..];
            let hash = match text {
                [b'#', ..] => 1,
                [b'%', b':', ..] => 2,
                _ => 0,
            };
            if hash > 0 {
                self.lexer.at += hash;
                self.lexer.skip_blanks(self.dialect)?;
                let text = &self.lexer.source.text[self.lexer.at..];
                if text[0].is_ascii_alphabetic() {
                    let tok = self.lexer.next(&mut self.names, self.dialect, true)?;
                    if let Some(directive) = known(tok.sym) {
                        return Ok(Some((tok, directive)));
                    }
                }
            }
            self.lexer.skip_line(self.dialect)?;
            if self.lexer.at_end() {
                return Ok(None);
            }
            self.lexer.next_line();
        }
    }

    /// An error if a conditional of the current file is still open.
    pub fn all_closed(&self) -> Result<(), Trouble> {
        let base = self.files.last().map_or(0, |file| file.conditionals);
        match self.conditionals.get(base..).and_then(<[_]>::last) {
            Some(open) => {
                Err(Trouble::rejected(open.line, open.column, "unterminated conditional directive"))
            }
            None => Ok(()),
        }
    }

    fn rest_of_line(&self) -> String {
        let text = &self.lexer.source.text[self.lexer.at..];
        let end = text.iter().position(|b| *b == b'\n').unwrap_or(text.len());
        String::from_utf8_lossy(text[..end].trim_ascii()).into_owned()
    }

    /// `#line`
    fn line_directive(&mut self) -> Result<(), Trouble> {
        let tok = self.get_solid()?;
        let number = self.line_number(tok).filter(|_| tok.kind == Kind::Number);
        let Some(number) = number else {
            return Err(self.reject_at(tok, "#line needs a positive number"));
        };
        let name = self.get_solid()?;
        let name = self.file_name(name)?;
        self.renumber(number, name, "");
        Ok(())
    }

    /// `# 12 "file" flags`
    fn line_marker(&mut self, tok: Tok) -> Result<(), Trouble> {
        let Some(number) = self.line_number(tok) else {
            return Err(self.reject_at(tok, "this is no line number"));
        };
        let name = self.directive_token()?;
        let name = self.file_name(name)?;
        let mut flags = "";
        let mut system = false;
        loop {
            let tok = self.directive_token()?;
            match tok.spelling(&self.names) {
                b"1" => flags = " 1",
                b"2" => flags = " 2",
                b"3" => system = true,
                b"4" => {}
                b"" => break,
                _ => return Err(self.reject_at(tok, "this is no flag of a line marker")),
            }
        }
        if name.is_some()
            && let Some(file) = self.files.last_mut()
        {
            file.system = system;
        }
        self.renumber(number, name, flags);
        Ok(())
    }

    fn line_number(&self, tok: Tok) -> Option<u32> {
        std::str::from_utf8(tok.spelling(&self.names)).ok()?.parse().ok()
    }

    fn file_name(&mut self, tok: Tok) -> Result<Option<Vec<u8>>, Trouble> {
        match tok.kind {
            Kind::Eof => Ok(None),
            Kind::Str if self.names.text(tok.sym)[0] == b'"' => {
                let text = self.names.text(tok.sym);
                let mut name = Vec::new();
                let mut bytes = text[1..text.len() - 1].iter();
                while let Some(&b) = bytes.next() {
                    name.push(if b == b'\\' { bytes.next().copied().unwrap_or(b) } else { b });
                }
                Ok(Some(name))
            }
            _ => Err(self.reject_at(tok, "this is no file name")),
        }
    }

    /// The next line gets this number.
    fn renumber(&mut self, number: u32, name: Option<Vec<u8>>, flags: &str) {
        let next = self.lexer.line + 1;
        if let Some(file) = self.files.last_mut() {
            file.line_shift = i64::from(number) - i64::from(next);
            if let Some(name) = name {
                file.name = name;
            }
        }
        self.mark(next, flags);
    }

    /// `#ident "text"`
    fn ident(&mut self, directive: Tok, line: u32) -> Result<(), Trouble> {
        let tok = self.get_solid()?;
        if tok.kind != Kind::Str {
            return Err(self.reject_at(tok, "#ident needs a string"));
        }
        self.go_to_line(line);
        self.printer.out.push(b'#');
        self.printer.out.extend_from_slice(self.names.text(directive.sym));
        self.printer.out.push(b' ');
        self.printer.out.extend_from_slice(self.names.text(tok.sym));
        self.printer.printed = true;
        self.printer.end_line();
        Ok(())
    }

    /// The rest of the directive's line as text, white space as blanks, macros expanded if wanted.
    pub fn line_text(&mut self, first: Tok, expand: bool) -> Result<Vec<u8>, Trouble> {
        let mut text = Vec::new();
        let mut tok = first;
        let mut previous: Option<Tok> = None;
        let mut gap = crate::token::Gap::default();
        while tok.kind != Kind::Eof {
            if tok.kind == Kind::Padding {
                gap.pad(tok);
            } else {
                let white = if gap.seen { gap.white(tok) } else { tok.flags & WHITE != 0 };
                let pastes =
                    previous.is_some_and(|previous| crate::token::would_paste(previous, tok, &self.names));
                if !text.is_empty() && (white || pastes && !self.from_file) {
                    text.push(b' ');
                }
                gap = crate::token::Gap::default();
                text.extend_from_slice(tok.spelling(&self.names));
                previous = Some(tok);
            }
            tok = if expand { self.get()? } else { self.directive_token()? };
        }
        Ok(text)
    }
}
