//! Specifiers, qualifiers and attributes, as they stand in the text.

use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::lex::token::{Tok, Token};
use csyntax::lex::{Lexer, names_with_keywords};
use csyntax::source::Span;

c_pass!(Specifiers, "specifiers", "Removes qualifiers, storage classes and the like.", specifiers);
c_pass!(Attributes, "attributes", "Removes attributes and assembler names.", attributes);
c_pass!(BasicTypes, "basic-types", "Replaces arithmetic types by `int`.", basic_types, Fine);
c_pass!(UnionsToStructs, "unions-to-structs", "Replaces unions by structs.", unions);
c_pass!(TagsToInts, "tags-to-ints", "Replaces structs, unions and enums named by their tags by `int`.", tags);
c_pass!(VoidParameters, "void-parameters", "Writes `()` for `(void)`.", void_parameters, Polish);

/// The tokens of a text.
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer::new(text);
    let mut names = names_with_keywords();
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next(&mut names);
        if token.kind == Tok::Eof {
            return tokens;
        }
        tokens.push(token);
    }
}

/// Words that may go without harm to the syntax.
const NEEDLESS: &[Tok] = &[
    Tok::Volatile,
    Tok::Const,
    Tok::Restrict,
    Tok::Inline,
    Tok::Register,
    Tok::Noreturn,
    Tok::Extension,
    Tok::ThreadLocal,
    Tok::Auto,
    Tok::Static,
    Tok::Extern,
    Tok::Atomic,
];

/// All together, then one by one.
fn together(view: View<'_>, patches: Vec<Patch>, hints: &mut Vec<Hint>) {
    if patches.len() > 1 {
        hints.extend(view.hint(patches.clone()));
    }
    hints.extend(patches.into_iter().filter_map(|patch| view.one(patch)));
}

fn specifiers(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    for kind in NEEDLESS {
        let found = tokens.iter().filter(|token| token.kind == *kind);
        together(view, found.map(|token| view.cut(token.span())).collect(), hints);
    }
}

/// The token after the bracket that closes the one at `open`.
fn behind_brackets(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Tok::LParen => depth += 1,
            Tok::RParen => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn attributes(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    let mut patches = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Tok::Attribute | Tok::Asm)
            && let Some(end) = behind_brackets(&tokens, index + 1)
            && let Some(last) = tokens.get(end - 1)
        {
            patches.push(view.cut(Span::new(token.lo, last.hi)));
        }
    }
    together(view, patches, hints);
}

fn is_arithmetic(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Short
            | Tok::KwChar
            | Tok::Int
            | Tok::Long
            | Tok::Signed
            | Tok::Unsigned
            | Tok::Float
            | Tok::Double
            | Tok::Bool
            | Tok::Int128
    )
}

fn basic_types(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    let mut runs: Vec<(Vec<Tok>, Span)> = Vec::new();
    let mut last_in_run = false;
    for token in &tokens {
        let inside = is_arithmetic(token.kind);
        match runs.last_mut() {
            Some((kinds, span)) if inside && last_in_run => {
                kinds.push(token.kind);
                span.hi = token.hi;
            }
            Some(_) | None if inside => runs.push((vec![token.kind], token.span())),
            Some(_) | None => {}
        }
        last_in_run = inside;
    }
    let mut kinds: Vec<Vec<Tok>> = Vec::new();
    for (kind, _) in &runs {
        if !kinds.contains(kind) && kind[..] != [Tok::Int] {
            kinds.push(kind.clone());
        }
    }
    for kind in kinds {
        let same = runs.iter().filter(|(other, _)| *other == kind);
        together(view, same.map(|(_, span)| view.put(*span, "int")).collect(), hints);
    }
    // A word less where `int` does not do: `unsigned long long` to `unsigned long`, `short int` to `short`.
    for (kinds, span) in runs.iter().filter(|(kinds, _)| kinds.len() > 1) {
        let words = tokens.iter().filter(|token| span.lo <= token.lo && token.hi <= span.hi);
        for (index, token) in words.enumerate() {
            if index == 0 || kinds[index] == Tok::Int || kinds[index] == Tok::Long {
                hints.extend(view.one(view.cut(token.span())));
            }
        }
    }
}

fn unions(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    let found = tokens.iter().filter(|token| token.kind == Tok::Union);
    together(view, found.map(|token| view.put(token.span(), "struct")).collect(), hints);
}

fn tags(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    let mut named: Vec<(&[u8], Vec<Patch>)> = Vec::new();
    for window in tokens.windows(3) {
        let [word, tag, next] = window else { continue };
        let tagged = matches!(word.kind, Tok::Enum | Tok::Struct | Tok::Union);
        if tagged && tag.kind == Tok::Ident && next.kind != Tok::LBrace {
            let patch = view.put(Span::new(word.lo, tag.hi), "int");
            let name = view.source(tag.span());
            match named.iter_mut().find(|(other, _)| *other == name) {
                Some((_, patches)) => patches.push(patch),
                None => named.push((name, vec![patch])),
            }
        }
    }
    named.into_iter().for_each(|(_, patches)| together(view, patches, hints));
}

fn void_parameters(view: View<'_>, hints: &mut Vec<Hint>) {
    let tokens = tokens(view.text);
    let mut patches = Vec::new();
    for window in tokens.windows(4) {
        if let [name, open, void, close] = window
            && (name.kind, open.kind) == (Tok::Ident, Tok::LParen)
            && (void.kind, close.kind) == (Tok::Void, Tok::RParen)
        {
            patches.push(view.cut(void.span()));
        }
    }
    together(view, patches, hints);
}
