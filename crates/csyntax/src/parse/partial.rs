//! Parsing that goes on behind declarations read before: the state in between.

use super::scope::Scopes;
use super::{Parser, unreadable};
use crate::ast::Ast;
use crate::intern::Symbol;
use crate::lex::Lexer;
use crate::lex::token::{Tok, Token};
use crate::source::SourceMap;

/// The parser behind the last declaration of a text in which it found nothing to say.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub(crate) ast: Ast,
    scopes: Scopes,
    pack: Option<u8>,
    pack_stack: Vec<(Option<Symbol>, Option<u8>)>,
    prev_hi: u32,
    length: usize,
}

/// Parses whole declarations; `None` if there is anything wrong with them.
pub(crate) fn begin(text: &[u8]) -> Option<Begun> {
    if unreadable(text).is_some() {
        return None;
    }
    let mut parser = Parser::new(text);
    parser.unit();
    if !parser.diagnostics().is_empty() || parser.stopped || !parser.pragmas.is_empty() {
        return None;
    }
    let Parser { ast, scopes, pack, pack_stack, prev_hi, .. } = parser;
    Some(Begun { ast, scopes, pack, pack_stack, prev_hi, length: text.len() })
}

/// Parses a text that begins with the one that was begun.
pub(crate) fn go_on(begun: &Begun, text: &[u8], file_name: &str) -> super::Parsed {
    if unreadable(text).is_some() {
        return super::parse(text, file_name);
    }
    let last = Token { kind: Tok::Eof, lo: begun.prev_hi, hi: begun.prev_hi, sym: Symbol(0) };
    let mut parser = Parser {
        lexer: Lexer::from(text, begun.length),
        tok: last,
        ast: roomy(&begun.ast, text.len()),
        scopes: begun.scopes.clone(),
        pack: begun.pack,
        pack_stack: begun.pack_stack.clone(),
        ..Parser::empty(text)
    };
    parser.advance();
    parser.unit();
    let diagnostics = parser.diagnostics();
    super::Parsed { ast: parser.ast, source: SourceMap::new(file_name, text), diagnostics }
}

/// A copy with room for what a text of this length adds.
fn roomy(ast: &Ast, length: usize) -> Ast {
    Ast {
        names: ast.names.clone(),
        exprs: copy(&ast.exprs, length / 8),
        stmts: copy(&ast.stmts, length / 64),
        types: copy(&ast.types, length / 32),
        inits: copy(&ast.inits, length / 32),
        decls: copy(&ast.decls, length / 64),
        functions: ast.functions.clone(),
        records: ast.records.clone(),
        enums: ast.enums.clone(),
        items: ast.items.clone(),
        c23: ast.c23,
    }
}

fn copy<T: Clone>(nodes: &[T], room: usize) -> Vec<T> {
    let mut all = Vec::with_capacity(nodes.len().max(room));
    all.extend_from_slice(nodes);
    all
}
