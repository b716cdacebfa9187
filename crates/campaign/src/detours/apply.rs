//! Takes detours: replaces nodes of the syntax by calls of helpers, and writes the program with the helpers before it.

use super::helpers::Helper;
use super::places::{Action, Place, of_expressions};
use csyntax::ast::{Ast, Expr, ExprKind};
use csyntax::check::check;
use csyntax::parse::parse;
use csyntax::print::print;
use csyntax::source::Span;
use csyntax::target::Target;
use csyntax::tree::Unit;
use std::collections::BTreeMap;

/// What the text is called in messages, which nobody sees.
const NAME: &str = "program.c";

/// A program's syntax and tree; `None` if it is not C.
pub fn read(text: &str, target: &Target) -> Option<(Ast, Unit)> {
    frontend::guarded(|| {
        let parsed = parse(text.as_bytes(), NAME);
        if parsed.has_errors() {
            return None;
        }
        let checked = check(&parsed.ast, target);
        if checked.diagnostics.iter().any(|d| d.severity.refuses()) {
            return None;
        }
        Some((parsed.ast, checked.unit?))
    })
    .ok()?
}

/// The keys of a program's places, each once, in their order.
pub fn keys(text: &str, target: &Target, places: &dyn Fn(&Unit) -> Vec<Place>) -> Vec<String> {
    let Some((_, unit)) = read(text, target) else { return Vec::new() };
    let mut keys: Vec<String> = Vec::new();
    for place in places(&unit) {
        if !keys.contains(&place.key) {
            keys.push(place.key);
        }
    }
    keys
}

/// The program with the places of these keys computed by helpers; `None` if there is no such place.
pub fn apply(text: &str, target: &Target, wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    let (mut ast, unit) = read(text, target)?;
    let mut helpers: BTreeMap<String, Helper> = BTreeMap::new();
    for place in of_expressions(&unit).into_iter().filter(|place| wanted(&place.key)) {
        helpers.insert(place.helper.name(), place.helper);
        replace(&mut ast, &place);
    }
    if helpers.is_empty() {
        return None;
    }
    let definitions: String = helpers.values().map(|helper| helper.definition()).collect();
    Some(definitions + &print(&ast))
}

fn replace(ast: &mut Ast, place: &Place) {
    let name = ast.names.intern(&place.helper.name());
    let callee = ast.expr(ExprKind::Ident(name));
    // A node that another detour has replaced already is a call: its value is handed over.
    let operands = match (place.action, &ast[place.node].kind) {
        (Action::Instead, ExprKind::Cast(_, value)) => Some(vec![*value]),
        (Action::Instead, ExprKind::Binary(_, a, b)) => Some(vec![*a, *b]),
        (Action::Instead, ExprKind::Unary(_, value)) => Some(vec![*value]),
        (Action::Instead | Action::Wrap, _) => None,
    };
    let arguments = operands.unwrap_or_else(|| {
        let Expr { kind, span } = ast[place.node].clone();
        vec![ast.push_expr(Expr { kind, span })]
    });
    ast[place.node] = Expr { kind: ExprKind::Call(callee, arguments), span: Span::NONE };
}
