//! Reader of textual LLVM IR, versions 14 to 22. An error inside one function leaves the rest readable.

mod attrs;
mod body;
mod consts;
mod floats;
mod insts;
mod types;

pub(crate) use body::is_calling_convention;

use super::ast::{Alias, ConstId, Global, Module};
use super::layout::DataLayout;
use super::lexer::{Lexer, Tok};
use crate::error::ParseError;
use crate::names::Name;
use crate::names::canonical;

/// Nesting of types, constants and brackets that is still read.
const MAX_DEPTH: u32 = 200;

pub(super) type Res<T> = Result<T, ParseError>;

/// Reads a module. An error outside function bodies is fatal; bodies that cannot be read are listed in
/// [`Module::damaged`].
pub fn parse(source: &[u8]) -> Result<Module, ParseError> {
    if u32::try_from(source.len()).is_err() {
        return Err(ParseError::at(source, 0, "files above 4 GiB are not read"));
    }
    let mut parser = Parser::new(source)?;
    parser.module()?;
    super::unwritten::mark(&mut parser.m);
    Ok(parser.m)
}

pub(super) struct Parser<'a> {
    lex: Lexer<'a>,
    tok: Tok<'a>,
    at: usize,
    /// Offset just past the previous token.
    before: usize,
    depth: u32,
    pub(super) m: Module,
    numbers: Vec<Name>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a [u8]) -> Res<Self> {
        let mut lex = Lexer::new(source);
        let (tok, at) = lex.token()?;
        Ok(Self { lex, tok, at, before: 0, depth: 0, m: Module::default(), numbers: Vec::new() })
    }

    fn bump(&mut self) -> Res<Tok<'a>> {
        let old = self.tok;
        self.before = self.lex.pos();
        (self.tok, self.at) = self.lex.token()?;
        Ok(old)
    }

    fn error<T>(&self, message: impl Into<String>) -> Res<T> {
        Err(ParseError::at(self.lex.source(), self.at, message))
    }

    fn expected<T>(&self, what: &str) -> Res<T> {
        let found = describe(self.tok);
        self.error(format!("expected {what}, found {found}"))
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("nesting too deep");
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn is(&self, punct: u8) -> bool {
        self.tok == Tok::Punct(punct)
    }

    fn eat(&mut self, punct: u8) -> Res<bool> {
        let found = self.is(punct);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn want(&mut self, punct: u8) -> Res<()> {
        if self.eat(punct)? { Ok(()) } else { self.expected(&format!("`{}`", punct as char)) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.tok, Tok::Word(w) if w == word.as_bytes())
    }

    fn eat_word(&mut self, word: &str) -> Res<bool> {
        let found = self.is_word(word);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn want_word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word)? { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn intern(&mut self, raw: &[u8]) -> Name {
        self.m.names.intern(&canonical(raw))
    }

    fn number_name(&mut self, n: u32) -> Name {
        if n as usize == self.numbers.len() {
            let name = self.m.names.intern(&n.to_string());
            self.numbers.push(name);
        }
        match self.numbers.get(n as usize) {
            Some(&name) => name,
            None => self.m.names.intern(&n.to_string()),
        }
    }

    /// A decimal number that fits 64 bits.
    fn uint(&mut self) -> Res<u64> {
        if let Tok::Int(text) = self.tok
            && let Some(n) = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok())
        {
            self.bump()?;
            return Ok(n);
        }
        self.expected("a number")
    }

    fn string(&mut self) -> Res<String> {
        if let Tok::Str(text) = self.tok {
            self.bump()?;
            return Ok(canonical(text).into_owned());
        }
        self.expected("a string")
    }

    fn global_name(&mut self) -> Res<Name> {
        let name = match self.tok {
            Tok::Global(raw) => self.intern(raw),
            Tok::GlobalNum(n) => self.number_name(n),
            _ => return self.expected("a global name"),
        };
        self.bump()?;
        Ok(name)
    }

    /// Skips from just after an opening bracket to just after its closing one; returns the text between.
    fn skip_brackets(&mut self) -> Res<&'a [u8]> {
        // The current token is the opening bracket; the lexer stands just behind it.
        let start = self.lex.pos();
        self.lex.skip_balanced()?;
        let end = self.lex.pos() - 1;
        self.bump()?;
        self.before = end + 1;
        Ok(&self.lex.source()[start..end])
    }

    fn module(&mut self) -> Res<()> {
        loop {
            match self.tok {
                Tok::Eof => return Ok(()),
                Tok::Word(b"define") => self.definition()?,
                Tok::Word(b"declare") => self.declaration()?,
                Tok::Word(b"target") => self.target()?,
                Tok::Word(b"source_filename") => {
                    self.bump()?;
                    self.want(b'=')?;
                    self.m.source_name = self.string()?;
                }
                Tok::Word(b"attributes") => self.attribute_group()?,
                Tok::Word(b"module") => {
                    self.bump()?;
                    self.want_word("asm")?;
                    self.string()?;
                }
                Tok::Word(b"uselistorder" | b"uselistorder_bb") => self.skip_line()?,
                Tok::Local(_) | Tok::LocalNum(_) => self.named_type()?,
                Tok::Global(_) | Tok::GlobalNum(_) => self.global()?,
                Tok::MetaNum(n) => self.metadata(Some(n))?,
                Tok::Meta(_) => self.metadata(None)?,
                Tok::Comdat(_) => {
                    self.bump()?;
                    self.want(b'=')?;
                    self.want_word("comdat")?;
                    self.bump()?;
                }
                Tok::Summary => self.summary()?,
                _ => return self.expected("a definition"),
            }
        }
    }

    /// Moves to the first token of the next line.
    fn skip_line(&mut self) -> Res<()> {
        let source = self.lex.source();
        let end = source[self.at..].iter().position(|b| *b == b'\n').map_or(source.len(), |p| self.at + p);
        while self.at < end {
            self.bump()?;
            if self.tok == Tok::Eof {
                break;
            }
        }
        Ok(())
    }

    fn target(&mut self) -> Res<()> {
        self.bump()?;
        let which = self.bump()?;
        self.want(b'=')?;
        let text = self.string()?;
        match which {
            Tok::Word(b"datalayout") => self.m.layout = DataLayout::parse(&text),
            Tok::Word(b"triple") => self.m.triple = text,
            _ => return self.error("expected `datalayout` or `triple` after `target`"),
        }
        Ok(())
    }

    fn named_type(&mut self) -> Res<()> {
        let name = match self.tok {
            Tok::Local(raw) => self.intern(raw),
            Tok::LocalNum(n) => self.number_name(n),
            _ => return self.expected("a type name"),
        };
        self.bump()?;
        self.want(b'=')?;
        self.want_word("type")?;
        let index = self.m.types.named(name);
        if self.eat_word("opaque")? {
            return Ok(());
        }
        let body = self.ty()?;
        self.m.types.named[index as usize].body = Some(body);
        Ok(())
    }

    fn metadata(&mut self, number: Option<u32>) -> Res<()> {
        self.bump()?;
        let start = self.lex.pos();
        if !self.is(b'=') {
            return self.expected("`=`");
        }
        self.bump()?;
        let mut end = start;
        // Words and sigils up to the bracketed operands, then the brackets.
        while !matches!(self.tok, Tok::Eof) {
            match self.tok {
                Tok::Punct(b'{' | b'(') => {
                    self.skip_brackets()?;
                    end = self.before;
                    break;
                }
                Tok::Word(_) | Tok::Bang | Tok::Meta(_) | Tok::Str(_) => {
                    self.bump()?;
                    end = self.before;
                }
                _ => break,
            }
        }
        if let Some(n) = number {
            let text = String::from_utf8_lossy(&self.lex.source()[start..end]).trim().into();
            self.m.metadata.push((n, text));
        }
        Ok(())
    }

    fn summary(&mut self) -> Res<()> {
        while !matches!(self.tok, Tok::Punct(b'(') | Tok::Eof) {
            if matches!(self.tok, Tok::Int(_)) {
                // `^1 = flags: 8`, `^2 = blockcount: 5`
                self.bump()?;
                return Ok(());
            }
            self.bump()?;
        }
        if self.is(b'(') {
            self.skip_brackets()?;
        }
        Ok(())
    }

    fn attribute_group(&mut self) -> Res<()> {
        self.bump()?;
        let Tok::AttrGroup(n) = self.tok else { return self.expected("an attribute group number") };
        self.bump()?;
        self.want(b'=')?;
        self.want(b'{')?;
        let mut attrs = Vec::new();
        while !self.eat(b'}')? {
            match self.attr()? {
                Some(attr) => attrs.push(attr),
                None => return self.expected("an attribute"),
            }
        }
        self.m.attr_groups.push((n, attrs));
        Ok(())
    }

    fn global(&mut self) -> Res<()> {
        let at = self.at as u32;
        let name = self.global_name()?;
        self.want(b'=')?;
        let mut words = Vec::new();
        let mut space = 0;
        loop {
            match self.tok {
                Tok::Word(b"global" | b"constant" | b"alias" | b"ifunc") => break,
                Tok::Word(b"addrspace") => {
                    self.bump()?;
                    self.want(b'(')?;
                    space = self.small()?;
                    self.want(b')')?;
                }
                Tok::Word(w) => {
                    self.bump()?;
                    if self.is(b'(') {
                        self.skip_brackets()?;
                    }
                    words.push(self.intern(w));
                }
                _ => return self.expected("`global`, `constant`, `alias` or `ifunc`"),
            }
        }
        let kind = self.bump()?;
        let ty = self.ty()?;
        let words = words.into_boxed_slice();
        if let Tok::Word(b"alias" | b"ifunc") = kind {
            self.want(b',')?;
            let target = self.typed_const()?;
            let ifunc = kind == Tok::Word(b"ifunc");
            self.m.aliases.push(Alias { name, words, ifunc, ty, target });
            return self.global_suffix().map(drop);
        }
        let external = words.iter().any(|w| matches!(self.m.names.text(*w), "external" | "extern_weak"));
        let starts = !matches!(self.tok, Tok::Punct(b',') | Tok::Eof | Tok::AttrGroup(_));
        let init = if !external && starts { Some(self.constant(ty)?) } else { None };
        let align = self.global_suffix()?;
        let constant = kind == Tok::Word(b"constant");
        self.m.globals.push(Global { name, words, space, constant, ty, init, align, at });
        Ok(())
    }

    /// `, section "…", align 4, comdat($x), !dbg !0 #1`; returns the alignment.
    fn global_suffix(&mut self) -> Res<Option<u64>> {
        let mut align = None;
        loop {
            if matches!(self.tok, Tok::AttrGroup(_)) {
                self.bump()?;
                continue;
            }
            if !self.eat(b',')? {
                return Ok(align);
            }
            match self.tok {
                Tok::Word(b"align") => {
                    self.bump()?;
                    align = Some(self.uint()?);
                }
                Tok::Word(b"section" | b"partition" | b"code_model") => {
                    self.bump()?;
                    self.string()?;
                }
                Tok::Word(b"comdat") => {
                    self.bump()?;
                    if self.is(b'(') {
                        self.skip_brackets()?;
                    }
                }
                Tok::Meta(_) => {
                    self.bump()?;
                    self.node()?;
                }
                Tok::Word(_) => {
                    self.bump()?;
                }
                _ => return self.expected("a property of a global"),
            }
        }
    }

    /// A metadata node reference; its number if it is one.
    fn node(&mut self) -> Res<Option<u32>> {
        match self.tok {
            Tok::MetaNum(n) => {
                self.bump()?;
                Ok(Some(n))
            }
            Tok::Bang | Tok::Meta(_) => {
                self.bump()?;
                if self.is(b'{') || self.is(b'(') {
                    self.skip_brackets()?;
                } else if matches!(self.tok, Tok::Str(_)) {
                    self.bump()?;
                }
                Ok(None)
            }
            _ => self.expected("metadata"),
        }
    }

    fn small(&mut self) -> Res<u32> {
        let n = self.uint()?;
        u32::try_from(n).or_else(|_| self.error("number too large"))
    }

    /// A constant with its type before it.
    fn typed_const(&mut self) -> Res<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }
}

fn describe(tok: Tok<'_>) -> String {
    let text = |raw: &[u8]| {
        let mut t = canonical(raw).into_owned();
        t.truncate(t.char_indices().nth(60).map_or(t.len(), |(i, _)| i));
        t
    };
    match tok {
        Tok::Local(n) => format!("`%{}`", text(n)),
        Tok::LocalNum(n) => format!("`%{n}`"),
        Tok::Global(n) => format!("`@{}`", text(n)),
        Tok::GlobalNum(n) => format!("`@{n}`"),
        Tok::AttrGroup(n) => format!("`#{n}`"),
        Tok::HashWord(n) => format!("`#{}`", text(n)),
        Tok::Meta(n) => format!("`!{}`", text(n)),
        Tok::MetaNum(n) => format!("`!{n}`"),
        Tok::Bang => "`!`".into(),
        Tok::Comdat(n) => format!("`${}`", text(n)),
        Tok::Summary => "a summary entry".into(),
        Tok::Label(n) => format!("the label `{}:`", text(n)),
        Tok::LabelNum(n) => format!("the label `{n}:`"),
        Tok::Word(n) | Tok::Int(n) | Tok::Float(n) => format!("`{}`", text(n)),
        Tok::Str(n) => format!("the string \"{}\"", text(n)),
        Tok::CStr(n) => format!("the string c\"{}\"", text(n)),
        Tok::HexFloat(n) => format!("`0x{}`", text(n)),
        Tok::Punct(b) => format!("`{}`", b as char),
        Tok::Dots => "`...`".into(),
        Tok::Eof => "the end of the file".into(),
    }
}
