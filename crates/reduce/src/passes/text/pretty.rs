//! The last edit: a text that a person likes to read.

use crate::passes::{Pass, Stage};
use crate::tokens::{Token, TokenKind, directives, is_of_syntax, tokens};
use crate::{Case, File, Hint};
use csyntax::print::print;

/// Writes C anew, as plumb's printer does.
pub struct Pretty;

impl Pass for Pretty {
    fn name(&self) -> &'static str {
        "pretty"
    }

    fn about(&self) -> &'static str {
        "Writes C anew with the usual indentation, at the end."
    }

    fn stage(&self) -> Stage {
        Stage::Finish
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let files = case.files.iter().enumerate();
        files.filter_map(|(index, file)| Some(Hint::put(index, 0..file.text.len(), printed(file)?))).collect()
    }
}

/// The file as the printer writes it, in no more tokens. Directives but pragmas are not of the syntax: they can be kept where
/// nothing stands before them.
fn printed(file: &File) -> Option<Vec<u8>> {
    let ast = file.syntax()?;
    let mut directives = directives(&file.text);
    directives.retain(|line| !is_of_syntax(&file.text[line.clone()]));
    let first = file.tokens().iter().find(|t| t.kind != TokenKind::Directive);
    let ahead = |span: &std::ops::Range<usize>| first.is_none_or(|token| span.end <= token.span.start);
    if !directives.iter().all(ahead) {
        return None;
    }
    let mut text = Vec::new();
    for span in directives {
        text.extend_from_slice(&file.text[span]);
        text.push(b'\n');
    }
    let code = print(ast).into_bytes();
    text.extend(if says_unsigned_int(&file.text, file.tokens()) { code } else { terse(&code) });
    Some(text)
}

/// The second word of `unsigned int`, wherever it stands.
fn ints_after_unsigned<'t>(text: &'t [u8], tokens: &'t [Token]) -> impl Iterator<Item = &'t Token> {
    let is = |token: &Token, word: &[u8]| &text[token.span.clone()] == word;
    tokens
        .windows(2)
        .filter(move |pair| is(&pair[0], b"unsigned") && is(&pair[1], b"int"))
        .map(|pair| &pair[1])
}

fn says_unsigned_int(text: &[u8], tokens: &[Token]) -> bool {
    ints_after_unsigned(text, tokens).next().is_some()
}

/// `unsigned` for each `unsigned int`: the printer has one way to write a type, and it is not the shortest.
fn terse(code: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(code.len());
    let mut from = 0;
    for int in ints_after_unsigned(code, &tokens(code, true)) {
        text.extend_from_slice(code[from..int.span.start].trim_ascii_end());
        from = int.span.end;
    }
    text.extend_from_slice(&code[from..]);
    text
}
