//! Takes detours: replaces nodes of the syntax by calls of helpers, and writes the program with the helpers before it.

use super::helpers::Helper;
use super::places::{Action, Place, of_expressions};
use csyntax::ast::{Ast, Expr, ExprId, ExprKind, IntBase, IntSuffix};
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
    let places: Vec<Place> = of_expressions(&unit).into_iter().filter(|place| wanted(&place.key)).collect();
    for place in &places {
        match place.action {
            Action::Constant(value) => {
                let (suffix, base) = (IntSuffix::default(), IntBase::Dec);
                ast[place.node].kind = ExprKind::Int { value, suffix, base };
            }
            Action::Wrap(helper) => {
                helpers.insert(helper.name(), helper);
                let value = ast[place.node].clone();
                let value = ast.push_expr(value);
                call(&mut ast, place.node, helper, vec![value]);
            }
            Action::Instead(helper) => {
                helpers.insert(helper.name(), helper);
                let operands = operands(&mut ast, place.node);
                call(&mut ast, place.node, helper, operands);
            }
        }
    }
    if places.is_empty() {
        return None;
    }
    let definitions: String = helpers.values().map(|helper| helper.definition()).collect();
    Some(definitions + &print(&ast))
}

/// What a cast or an operator works on. A node that another detour has replaced already is a call: its value.
fn operands(ast: &mut Ast, node: ExprId) -> Vec<ExprId> {
    match ast[node].kind {
        ExprKind::Cast(_, value) | ExprKind::Unary(_, value) => vec![value],
        ExprKind::Binary(_, a, b) => vec![a, b],
        _ => {
            let value = ast[node].clone();
            vec![ast.push_expr(value)]
        }
    }
}

/// Makes a node the call of a helper.
fn call(ast: &mut Ast, node: ExprId, helper: Helper, arguments: Vec<ExprId>) {
    let name = ast.names.intern(&helper.name());
    let callee = ast.expr(ExprKind::Ident(name));
    ast[node] = Expr { kind: ExprKind::Call(callee, arguments), span: Span::NONE };
}
