//! Conditions that choose a value or skip statements, written as what they are.

use crate::Hint;
use crate::passes::c::outline::outline;
use crate::passes::c::precedence::{CONDITIONAL, UNARY};
use crate::passes::c::view::View;
use csyntax::ast::{ExprId, ExprKind, StmtId, StmtKind};
use csyntax::source::Span;

c_pass!(
    IfToValue,
    "if-to-value",
    "Turns `if (c) x = a; else x = b;` into `x = c ? a : b;`, `if (c) x = a;` into `x = c;`, and the like of `return`.",
    if_to_value
);
c_pass!(Gotos, "gotos", "Turns `goto` within a block into `if` and `do`.", gotos);

/// The only statement of a block, or the statement.
fn only(view: View<'_>, id: StmtId) -> StmtId {
    match &view.ast[id].kind {
        StmtKind::Compound(items) => match items[..] {
            [item] => only(view, item),
            _ => id,
        },
        _ => id,
    }
}

/// Target and value of a statement that is a plain assignment.
fn assigned(view: View<'_>, id: StmtId) -> Option<(ExprId, ExprId)> {
    let StmtKind::Expr(expr) = view.ast[only(view, id)].kind else { return None };
    match view.ast[expr].kind {
        ExprKind::Assign(None, target, value) => Some((target, value)),
        _ => None,
    }
}

fn returned(view: View<'_>, id: StmtId) -> Option<ExprId> {
    match view.ast[only(view, id)].kind {
        StmtKind::Return(value) => value,
        _ => None,
    }
}

/// An expression in parentheses unless it binds at least so tightly.
fn operand(view: View<'_>, id: ExprId, least: u8) -> Vec<u8> {
    let text = view.source(view.ast[id].span);
    if view.binding(id) >= least { text.to_vec() } else { [b"(", text, b")"].concat() }
}

/// `c ? a : b`
fn choice(view: View<'_>, condition: ExprId, first: ExprId, second: ExprId) -> Vec<u8> {
    let [condition, first] = [condition, first].map(|id| operand(view, id, CONDITIONAL + 1));
    [&condition[..], b" ? ", &first[..], b" : ", &operand(view, second, CONDITIONAL)[..]].concat()
}

fn if_to_value(view: View<'_>, hints: &mut Vec<Hint>) {
    let places = outline(view.ast).stmts;
    for place in &places {
        let span = view.ast[place.id].span;
        let StmtKind::If(condition, then, other) = view.ast[place.id].kind else { continue };
        let source = |id: ExprId| view.source(view.ast[id].span);
        if let Some((target, value)) = assigned(view, then) {
            let head = [source(target), b" = "].concat();
            match other {
                None => {
                    let text = [&head[..], &operand(view, condition, CONDITIONAL)[..], b";"].concat();
                    hints.extend(view.one(view.put(span, text)));
                }
                Some(other) => {
                    if let Some((also, second)) = assigned(view, other)
                        && source(also) == source(target)
                    {
                        let text = [&head[..], &choice(view, condition, value, second)[..], b";"].concat();
                        hints.extend(view.one(view.put(span, text)));
                    }
                }
            }
        }
        if let (Some(first), Some(second)) = (returned(view, then), other.and_then(|o| returned(view, o))) {
            let text = [b"return ", &choice(view, condition, first, second)[..], b";"].concat();
            hints.extend(view.one(view.put(span, text)));
        }
    }
    for place in &places {
        let StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        for pair in items.windows(2) {
            if let StmtKind::If(condition, then, None) = view.ast[pair[0]].kind
                && let (Some(first), Some(second)) = (returned(view, then), returned(view, pair[1]))
            {
                let text = [b"return ", &choice(view, condition, first, second)[..], b";"].concat();
                let span = Span::new(view.ast[pair[0]].span.lo, view.ast[pair[1]].span.hi);
                hints.extend(view.one(view.put(span, text)));
            }
        }
    }
}

fn gotos(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outline(view.ast).stmts {
        let StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        for (from, &jump) in items.iter().enumerate() {
            let (condition, name) = match view.ast[jump].kind {
                StmtKind::Goto(name) => (None, name),
                StmtKind::If(condition, then, None) => match view.ast[only(view, then)].kind {
                    StmtKind::Goto(name) => (Some(condition), name),
                    _ => continue,
                },
                _ => continue,
            };
            let labelled = items.iter().enumerate().find_map(|(at, id)| match view.ast[*id].kind {
                StmtKind::Label(label, _, inner) if label == name => Some((at, *id, inner)),
                _ => None,
            });
            let Some((at, label, inner)) = labelled else { continue };
            hints.extend(if at > from {
                forward(view, jump, label, condition)
            } else {
                backward(view, jump, (label, inner), condition)
            });
        }
    }
}

/// What is between a jump and the label behind it runs if the jump is not taken.
fn forward(view: View<'_>, jump: StmtId, label: StmtId, condition: Option<ExprId>) -> Option<Hint> {
    let (jump, label) = (view.ast[jump].span, view.ast[label].span);
    let between = view.source(Span::new(jump.hi, label.lo)).trim_ascii();
    let text = match condition {
        None => Vec::new(),
        Some(c) => [b"if (!", &operand(view, c, UNARY)[..], b") { ", between, b" } "].concat(),
    };
    view.one(view.put(Span::new(jump.lo, label.lo), text))
}

/// What is between a label and the jump back to it runs again while the jump is taken.
fn backward(
    view: View<'_>,
    jump: StmtId,
    (label, inner): (StmtId, StmtId),
    condition: Option<ExprId>,
) -> Option<Hint> {
    let (jump, label) = (view.ast[jump].span, view.ast[label].span);
    let between = view.source(Span::new(view.ast[inner].span.lo, jump.lo)).trim_ascii();
    let condition = condition.map_or(&b"1"[..], |c| view.source(view.ast[c].span));
    let text = [b"do { ", between, b" } while (", condition, b");"].concat();
    view.one(view.put(Span::new(label.lo, jump.hi), text))
}
