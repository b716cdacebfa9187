//! The parser: C11 and GNU C as gcc and clang accept it, by hand-written recursive descent.
//!
//! Input is preprocessed text with line markers. Typedef names are tracked with block scopes, since C cannot be
//! parsed without them. Chains (`a + b + …`, `else if`, `case 1: case 2:`, `c ? x : d ? y : …`, initialiser
//! lists) are parsed by iteration; true nesting recurses up to [`MAX_NESTING`] and then gives one diagnostic, so
//! no input exhausts the stack. After an error the parser goes on behind the next `;` or `}`.

mod asm;
mod attr;
mod decl;
mod declarator;
mod expr;
mod init;
pub(crate) mod partial;
mod record;
mod scope;
mod specifiers;
mod stmt;

use crate::ast::{Ast, Item};
use crate::intern::Symbol;
use crate::lex::token::{Tok, Token};
use crate::lex::{Lexer, directive_name, names_with_keywords};
use crate::source::{Diagnostic, Severity, SourceMap, Span};
use scope::Scopes;

/// How deep brackets, blocks, declarators and prefix operators may nest (a block in an `if` counts twice).
/// Twice what clang takes by default, and little enough for a thread's usual 2 MiB of stack.
pub const MAX_NESTING: u32 = 640;

/// After so many errors the parser gives up.
pub const MAX_ERRORS: usize = 20;

/// What [`parse`] gives: always a tree, whole where there are no errors.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; error nodes stand where the text could not be read.
    pub ast: Ast,
    /// Maps spans to places.
    pub source: SourceMap,
    /// Errors and warnings in the order they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Were there errors (not only warnings)?
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity.refuses())
    }

    /// A diagnostic as `file:line:column: error: message`.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let kind = match diagnostic.severity {
            Severity::Error | Severity::Unsupported => "error",
            Severity::Warning => "warning",
        };
        format!("{}: {kind}: {}", self.source.place(diagnostic.span.lo), diagnostic.message)
    }
}

/// Parses one preprocessed translation unit. Never panics; text of 4 GiB and more is refused.
pub fn parse(text: &[u8], file_name: &str) -> Parsed {
    if let Some(diagnostic) = unreadable(text) {
        let known = if text.len() < LONGEST { text } else { b"" };
        let source = SourceMap::new(file_name, known);
        return Parsed { ast: Ast::default(), source, diagnostics: vec![diagnostic] };
    }
    let mut parser = Parser::new(text);
    parser.unit();
    let diagnostics = parser.diagnostics();
    Parsed { ast: parser.ast, source: SourceMap::new(file_name, text), diagnostics }
}

/// Bytes of the longest text, and one.
const LONGEST: usize = u32::MAX as usize - 16;

/// What keeps a text from being read at all.
fn unreadable(text: &[u8]) -> Option<Diagnostic> {
    if text.len() >= LONGEST {
        let message = format!("the text has {} bytes, expected less than 4 GiB", text.len());
        return Some(Diagnostic { severity: Severity::Error, span: Span::NONE, message });
    }
    let at = looks_binary(text)?;
    let message = format!("expected the text of a C program, found binary data (byte \\x{:02x})", text[at]);
    Some(Diagnostic { severity: Severity::Error, span: Span::new(at as u32, at as u32 + 1), message })
}

/// The first control byte of a text whose beginning is full of them.
fn looks_binary(text: &[u8]) -> Option<usize> {
    let head = &text[..text.len().min(1024)];
    let control = |b: &u8| matches!(b, 0..=8 | 0x0e..=0x1f | 0x7f);
    let count = head.iter().filter(|&b| control(b)).count();
    if count > 4 && count * 16 > head.len() { head.iter().position(control) } else { None }
}

/// Does the text still hold directives (`#include`, `#define`, ...), so that `cc -E` must run first?
pub fn needs_preprocessing(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let start = line.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(line.len());
        let line = &line[start..];
        if !line.starts_with(b"#") {
            return false;
        }
        match directive_name(line) {
            b"" | b"line" | b"pragma" | b"ident" | b"sccs" => false,
            name => name[0].is_ascii_alphabetic(),
        }
    })
}

/// The error is in the diagnostics already; the caller returns to where parsing can go on.
struct Failed;

type P<T> = Result<T, Failed>;

/// Is this a pragma that changes what the text after it means, in a way that plumb does not know?
fn changes_meaning(text: &str) -> Option<&'static str> {
    let mut words = text.split_whitespace();
    match (words.next()?, words.next()) {
        ("scalar_storage_order", Some(order)) if order != "default" => Some("scalar_storage_order"),
        ("ms_struct", Some("on")) => Some("ms_struct"),
        ("redefine_extname", _) => Some("redefine_extname"),
        _ => None,
    }
}

/// The pragma that a string literal holds (C11 6.10.9): its spelling without prefix and quotes, in which `\"` and `\\` alone
/// are escapes. `None` of raw strings, and of what is not one line.
fn destringized(spelling: &[u8]) -> Option<String> {
    let spelling = String::from_utf8_lossy(spelling);
    let (prefix, rest) = spelling.split_once('"')?;
    let text = rest.strip_suffix('"')?;
    let text = text.replace("\\\"", "\"").replace("\\\\", "\\");
    // A backslash at the end would join the pragma's line with the next.
    let whole = !prefix.contains('R') && !text.contains(['\n', '\r']) && !text.trim_end().ends_with('\\');
    whole.then_some(text)
}

/// A pragma line seen but not yet placed in the tree.
struct Pragma {
    text: Box<str>,
    span: Span,
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    text: &'t [u8],
    tok: Token,
    ahead: Option<Token>,
    /// End of the last token consumed.
    prev_hi: u32,
    ast: Ast,
    scopes: Scopes,
    depth: u32,
    errors: Vec<Diagnostic>,
    last_error: Option<u32>,
    stopped: bool,
    /// Pragmas before `tok`, then those before `ahead`.
    pragmas: Vec<Pragma>,
    /// How many of `pragmas` have acted on `pack`.
    pragmas_applied: usize,
    pack: Option<u8>,
    pack_stack: Vec<(Option<Symbol>, Option<u8>)>,
    /// Operators waiting for their right operand, over all nested expressions.
    operators: Vec<expr::Pending>,
    /// Parts of declarators being read, over all nested declarators.
    chunks: Vec<declarator::Chunk>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t [u8]) -> Parser<'t> {
        let mut parser = Parser { lexer: Lexer::new(text), ..Parser::empty(text) };
        parser.ast.names = names_with_keywords();
        parser.scopes = Scopes::with_soft_keywords();
        parser.ast.exprs.reserve(text.len() / 8);
        parser.ast.types.reserve(text.len() / 32);
        parser.ast.inits.reserve(text.len() / 32);
        parser.ast.stmts.reserve(text.len() / 64);
        parser.ast.decls.reserve(text.len() / 64);
        // Types that compilers know without a declaration and that need no keyword here.
        for name in ["__bf16", "__builtin_ms_va_list"] {
            let name = parser.ast.names.intern(name);
            parser.scopes.declare(name, true);
        }
        parser.advance();
        parser
    }

    /// A parser that has read nothing and knows no name, at the end of the text.
    fn empty(text: &'t [u8]) -> Parser<'t> {
        Parser {
            lexer: Lexer::from(text, text.len()),
            text,
            tok: Token { kind: Tok::Eof, lo: 0, hi: 0, sym: Symbol(0) },
            ahead: None,
            prev_hi: 0,
            ast: Ast::default(),
            scopes: Scopes::default(),
            depth: 0,
            errors: Vec::new(),
            last_error: None,
            stopped: false,
            pragmas: Vec::new(),
            pragmas_applied: 0,
            pack: None,
            pack_stack: Vec::new(),
            operators: Vec::new(),
            chunks: Vec::new(),
        }
    }

    /// All diagnostics, in text order.
    fn diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut all = std::mem::take(&mut self.errors);
        all.append(&mut self.lexer.diagnostics);
        all.sort_by_key(|d| d.span.lo);
        let mut errors = 0;
        let end = all.iter().position(|d| {
            errors += usize::from(d.severity.refuses());
            errors > MAX_ERRORS
        });
        if let Some(end) = end {
            all.truncate(end);
            let span = all.last().map_or(Span::NONE, |d| d.span);
            let message = format!("stopped after {MAX_ERRORS} errors");
            all.push(Diagnostic { severity: Severity::Error, span, message });
        }
        all
    }

    // Tokens.

    fn advance(&mut self) {
        self.prev_hi = self.tok.hi;
        self.tok = match self.ahead.take() {
            Some(token) => token,
            None => self.lex(),
        };
        if self.pragmas_applied < self.pragmas.len() {
            self.apply_pragmas();
        }
    }

    /// The token after the current one.
    fn peek(&mut self) -> Token {
        match self.ahead {
            Some(token) => token,
            None => {
                let token = self.lex();
                self.ahead = Some(token);
                token
            }
        }
    }

    /// The next token that is not a pragma.
    #[inline]
    fn lex(&mut self) -> Token {
        loop {
            let token = self.lexer.next(&mut self.ast.names);
            if !matches!(token.kind, Tok::Pragma | Tok::KwPragma) {
                if self.lexer.diagnostics.len() > MAX_ERRORS {
                    self.lexer.stop();
                }
                return token;
            }
            self.pragma(token);
        }
    }

    #[cold]
    fn pragma(&mut self, token: Token) {
        if token.kind == Tok::KwPragma {
            return self.pragma_operator(token);
        }
        let line = &self.text[token.lo as usize + 1..token.hi as usize];
        let line = String::from_utf8_lossy(line);
        let text = line.trim().strip_prefix("pragma").unwrap_or("").trim();
        self.pragmas.push(Pragma { text: text.into(), span: token.span() });
    }

    /// `_Pragma("text")`, the keyword already read.
    fn pragma_operator(&mut self, keyword: Token) {
        let open = self.lexer.next(&mut self.ast.names);
        let string = self.lexer.next(&mut self.ast.names);
        let close = self.lexer.next(&mut self.ast.names);
        if (open.kind, string.kind, close.kind) != (Tok::LParen, Tok::Str, Tok::RParen) {
            self.error(keyword.span(), "expected `(\"text\")` after `_Pragma`".to_string());
            return;
        }
        let Some(text) = destringized(&self.text[string.lo as usize..string.hi as usize]) else {
            self.error(string.span(), "expected a plain string literal of one line in `_Pragma`".into());
            return;
        };
        let span = Span::new(keyword.lo, close.hi);
        self.pragmas.push(Pragma { text: text.trim().into(), span });
    }

    fn kind(&self) -> Tok {
        self.tok.kind
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.tok.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    /// Consumes `kind` or reports that it was expected `place` (as "after the condition").
    fn expect(&mut self, kind: Tok, place: &str) -> P<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}` {place}", kind.spelling())))
    }

    fn expect_name(&mut self, what: &str) -> P<Symbol> {
        if self.tok.kind == Tok::Ident {
            let name = self.tok.sym;
            self.advance();
            return Ok(name);
        }
        Err(self.expected(what))
    }

    /// The span from `lo` to the last token consumed.
    fn span_from(&self, lo: u32) -> Span {
        Span::new(lo, self.prev_hi.max(lo))
    }

    fn token_text(&self, token: Token) -> &'t [u8] {
        &self.text[token.lo as usize..token.hi as usize]
    }

    // Diagnostics.

    /// Reports that `what` was expected where the current token stands.
    fn expected(&mut self, what: &str) -> Failed {
        let found = self.describe(self.tok);
        self.error(self.tok.span(), format!("expected {what}, found {found}"));
        Failed
    }

    fn error(&mut self, span: Span, message: String) {
        self.refuse(Severity::Error, span, message);
    }

    fn refuse(&mut self, severity: Severity, span: Span, message: String) {
        if self.stopped || self.last_error == Some(span.lo) {
            return;
        }
        self.last_error = Some(span.lo);
        self.errors.push(Diagnostic { severity, span, message });
        // One more than are shown, so that it is known there are more.
        if self.errors.len() > MAX_ERRORS {
            self.stop();
        }
    }

    fn warn(&mut self, span: Span, message: String) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(Diagnostic { severity: Severity::Warning, span, message });
        }
    }

    /// Ends parsing: from here on there is only the end of the file.
    fn stop(&mut self) {
        self.stopped = true;
        self.lexer.stop();
        self.ahead = None;
        let end = self.text.len() as u32;
        self.tok = Token { kind: Tok::Eof, lo: end, hi: end, sym: Symbol(0) };
    }

    fn describe(&self, token: Token) -> String {
        let text = String::from_utf8_lossy(self.token_text(token));
        match token.kind {
            Tok::Eof => "end of file".to_string(),
            Tok::Ident | Tok::Number | Tok::Char | Tok::Str => {
                let shown: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
                format!("{} `{shown}`", token.kind.spelling())
            }
            _ => format!("`{text}`"),
        }
    }

    /// Runs `inner` one level deeper, or gives up on text nested beyond [`MAX_NESTING`].
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> P<T>) -> P<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    #[cold]
    fn too_deep(&mut self) -> Failed {
        let message = format!("nested more than {MAX_NESTING} levels deep: the rest of the text is not read");
        self.error(self.tok.span(), message);
        self.stop();
        Failed
    }

    // Recovery.

    /// Skips to behind the next `;` of this level, or to the `}` that closes it.
    fn skip_statement(&mut self) {
        let mut braces = 0u32;
        loop {
            match self.kind() {
                Tok::Eof => return,
                Tok::LBrace => braces += 1,
                Tok::RBrace if braces == 0 => return,
                Tok::RBrace => {
                    braces -= 1;
                    if braces == 0 {
                        self.advance();
                        return;
                    }
                }
                Tok::Semi if braces == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    // Pragmas.

    /// Pragmas before the current token, to be placed in the tree.
    fn take_pragmas(&mut self) -> Vec<Pragma> {
        let lo = self.tok.lo;
        let count = self.pragmas.iter().take_while(|p| p.span.lo < lo || self.tok.kind == Tok::Eof).count();
        self.pragmas_applied = self.pragmas_applied.saturating_sub(count);
        self.pragmas.drain(..count).collect()
    }

    /// Lets the pragmas before the current token act on record packing.
    fn apply_pragmas(&mut self) {
        while let Some(pragma) = self.pragmas.get(self.pragmas_applied) {
            if pragma.span.lo >= self.tok.lo && self.tok.kind != Tok::Eof {
                break;
            }
            let unknown = changes_meaning(&pragma.text).map(|what| (what, pragma.span));
            if let Some(rest) = pragma.text.strip_prefix("pack") {
                let rest: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
                if let Some(arguments) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
                    let arguments = arguments.0.to_string();
                    let span = pragma.span;
                    self.pack_pragma(&arguments, span);
                }
            }
            if let Some((what, span)) = unknown {
                self.refuse(Severity::Unsupported, span, format!("`#pragma {what}`"));
            }
            self.pragmas_applied += 1;
        }
    }

    /// `pack()`, `pack(n)`, `pack(push)`, `pack(push, name, n)`, `pack(pop)`, `pack(pop, name)`.
    fn pack_pragma(&mut self, arguments: &str, span: Span) {
        let mut parts = arguments.split(',').filter(|p| !p.is_empty());
        let first = parts.next();
        let mut name = None;
        let mut width = None;
        for part in parts {
            match part.parse::<u8>() {
                Ok(n) => width = Some(n),
                Err(_) => name = Some(self.ast.names.intern(part)),
            }
        }
        match first {
            None => self.pack = None,
            Some("push") => {
                self.pack_stack.push((name, self.pack));
                if width.is_some() {
                    self.pack = width.filter(|&n| n > 0);
                }
            }
            Some("pop") => {
                let keep = match name {
                    None => self.pack_stack.len().checked_sub(1),
                    Some(name) => self.pack_stack.iter().rposition(|p| p.0 == Some(name)),
                };
                match keep {
                    Some(keep) => {
                        self.pack = self.pack_stack[keep].1;
                        self.pack_stack.truncate(keep);
                    }
                    None => self.warn(span, "`#pragma pack(pop)` without a push before it".to_string()),
                }
            }
            Some(n) => match n.parse::<u8>() {
                Ok(n @ (0 | 1 | 2 | 4 | 8 | 16)) => self.pack = Some(n).filter(|&n| n > 0),
                Ok(_) | Err(_) => {
                    self.warn(span, format!("expected 1, 2, 4, 8 or 16 in `#pragma pack`, found `{n}`"));
                }
            },
        }
    }

    // The unit.

    fn unit(&mut self) {
        loop {
            for pragma in self.take_pragmas() {
                self.ast.items.push(Item::Pragma(pragma.text, pragma.span));
            }
            if self.tok.kind == Tok::Eof {
                return;
            }
            let before = self.tok.lo;
            self.depth = 0;
            if self.item().is_err() {
                self.operators.clear();
                self.chunks.clear();
                self.scopes.close_all();
                if self.eat(Tok::RBrace) {
                    continue;
                }
                self.skip_statement();
            }
            if self.tok.lo == before && self.tok.kind != Tok::Eof {
                self.expected("a declaration");
                self.advance();
            }
        }
    }
}
