//! Names of types replaced by the types.

use crate::Hint;
use crate::passes::c::names::resolve;
use crate::passes::c::unused::remove_declarator;
use crate::passes::c::view::View;
use crate::passes::c::words::tokens;
use csyntax::ast::{Storage, TypeKind};
use csyntax::lex::token::Tok;
use csyntax::source::Span;

c_pass!(Typedefs, "typedefs", "Replaces typedef names by what they stand for.", typedefs);
c_pass!(TypedefsToInts, "typedefs-to-ints", "Replaces typedef names by `int`.", to_ints);

/// The words of a typedef's specifiers, tags without members.
fn specifiers(view: View<'_>, base: csyntax::ast::TypeId) -> Option<String> {
    let tagged = |word: &str, tag: Option<_>| Some(format!("{word} {}", view.ast.names.name(tag?)));
    match &view.ast[base].kind {
        TypeKind::Record(id) => {
            let record = &view.ast[*id];
            tagged(if record.is_union { "union" } else { "struct" }, record.tag)
        }
        TypeKind::Enum(id) => tagged("enum", view.ast[*id].tag),
        TypeKind::Basic(_) | TypeKind::Typedef(_) => Some(csyntax::print::print_type(view.ast, base)),
        _ => None,
    }
}

fn replace(
    view: View<'_>,
    with: impl Fn(csyntax::ast::DeclId, usize) -> Option<String>,
    hints: &mut Vec<Hint>,
) {
    let tokens = tokens(view.text);
    for entity in &resolve(view.ast).entities {
        let Some((decl, index)) = entity.only_declarator() else { continue };
        if !view.ast[decl].storage.has(Storage::TYPEDEF) {
            continue;
        }
        let Some(text) = with(decl, index) else { continue };
        let mut patches = Vec::new();
        for &id in &entity.types {
            let span = view.ast[id].span;
            let from = tokens.partition_point(|token| token.lo < span.lo);
            let inside = tokens[from..].iter().take_while(|token| token.hi <= span.hi);
            let name = view.ast.names.name(entity.name).as_bytes();
            let found = inside.into_iter().find(|t| t.kind == Tok::Ident && view.source(t.span()) == name);
            patches.extend(found.map(|token| view.put(Span::new(token.lo, token.hi), &text[..])));
        }
        // A struct defined in its typedef has to stay.
        let defines = match &view.ast[view.ast[decl].base].kind {
            TypeKind::Record(id) => view.ast[*id].fields.is_some(),
            TypeKind::Enum(id) => view.ast[*id].enumerators.is_some(),
            _ => false,
        };
        if !defines {
            patches.push(remove_declarator(view, decl, index));
        }
        hints.extend(view.hint(patches));
    }
}

fn typedefs(view: View<'_>, hints: &mut Vec<Hint>) {
    let plain = |decl: csyntax::ast::DeclId, index: usize| {
        let declarator = &view.ast[decl].declarators[index];
        let base = view.ast[decl].base;
        let words = specifiers(view, base)?;
        match view.ast[declarator.ty].kind {
            _ if declarator.ty == base => Some(words),
            // Right where one declarator follows, as is mostly so.
            TypeKind::Pointer(inner) if inner == base => Some(format!("{words} *")),
            _ => None,
        }
    };
    replace(view, plain, hints);
}

fn to_ints(view: View<'_>, hints: &mut Vec<Hint>) {
    replace(view, |_, _| Some("int".to_string()), hints);
}
