//! External declarations.

use crate::Hint;
use crate::passes::c::view::View;
use crate::tokens::directives;
use csyntax::ast::Item;
use csyntax::print::print;
use csyntax::source::Span;

c_pass!(Items, "items", "Removes functions, declarations and pragmas at file scope.", items, Coarse);
c_pass!(
    Format,
    "format",
    "Writes the whole file anew, without comments, line markers and needless parentheses.",
    format
);

/// Where an item stands.
pub fn item_span(view: View<'_>, item: &Item) -> Span {
    match item {
        Item::Function(id) => view.ast[*id].span,
        Item::Decl(id) => view.ast[*id].span,
        Item::StaticAssert(_, _, span) | Item::Asm(_, span) | Item::Pragma(_, span) => *span,
    }
}

fn items(view: View<'_>, hints: &mut Vec<Hint>) {
    for item in &view.ast.items {
        hints.extend(view.one(view.cut(item_span(view, item))));
    }
}

fn format(view: View<'_>, hints: &mut Vec<Hint>) {
    // What stands in directives is not of the syntax; line markers may go.
    let marker = |line: std::ops::Range<usize>| {
        view.text[line]
            .get(1..)
            .is_some_and(|rest| rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
    };
    if directives(view.text).into_iter().all(marker) {
        let all = Span::new(0, view.text.len() as u32);
        hints.extend(view.one(view.put(all, print(view.ast))));
    }
}
