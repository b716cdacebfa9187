//! Expressions replaced by something simpler: an operand, an argument, a constant.

use crate::Hint;
use crate::passes::c::outline::{Place, is_lvalue, outline};
use crate::passes::c::precedence::UNARY;
use crate::passes::c::types::ExprTypes;
use crate::passes::c::view::View;
use csyntax::ast::{BinOp, ExprId, ExprKind, StmtId, StmtKind, UnOp};
use csyntax::visit::{Node, children};

c_pass!(
    Subexpressions,
    "subexpressions",
    "Replaces expressions by one of their operands, arguments or branches.",
    operands,
    Fine
);
c_pass!(Zeros, "zeros", "Replaces expressions by 0.", zeros, Fine);
c_pass!(Ones, "ones", "Replaces expressions by 1.", ones, Fine);
c_pass!(Casts, "casts", "Removes casts.", casts);
c_pass!(
    Assignments,
    "assignments",
    "Turns `a op= b` into `a = b`, and `a++` whose value is used into `a`.",
    assignments
);
c_pass!(Effects, "effects", "Keeps of an expression whose value is unused what calls or stores.", effects);
c_pass!(
    Indirection,
    "indirection",
    "Replaces `*&a` by `a`, `(&a)->f` by `a.f`, `*(a + b)` by `a[b]`.",
    indirection
);

/// Expressions, those of outer statements and larger ones first.
fn outer_first(view: View<'_>) -> Vec<Place<ExprId>> {
    let mut places = outline(view.ast).exprs;
    places.sort_by_key(|place| {
        let span = view.ast[place.id].span;
        std::cmp::Reverse(span.hi - span.lo)
    });
    places
}

/// The operands of an expression, not what is inside types.
fn direct(view: View<'_>, id: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    if matches!(
        view.ast[id].kind,
        ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_) | ExprKind::Offsetof(..) | ExprKind::SizeofType(_)
    ) {
        return found;
    }
    children(view.ast, Node::Expr(id), |child| {
        if let Node::Expr(child) = child {
            found.push(child);
        }
    });
    match view.ast[id].kind {
        ExprKind::Call(..) => {
            found.remove(0);
        }
        ExprKind::StmtExpr(block) => found.extend(last_value(view, block)),
        _ => {}
    }
    found
}

/// The value of a statement expression.
fn last_value(view: View<'_>, block: StmtId) -> Option<ExprId> {
    let StmtKind::Compound(items) = &view.ast[block].kind else { return None };
    match view.ast[*items.last()?].kind {
        StmtKind::Expr(value) => Some(value),
        _ => None,
    }
}

fn operands(view: View<'_>, hints: &mut Vec<Hint>) {
    let types = ExprTypes::new(view);
    let places = outer_first(view);
    let most = places.iter().map(|place| direct(view, place.id).len()).max().unwrap_or(0).min(8);
    // The last operand of all, then the one before it, and so on: hints next to each other can go together.
    for nth in 0..most {
        for place in &places {
            let operands = direct(view, place.id);
            let Some(&operand) = operands.iter().rev().nth(nth) else { continue };
            let lvalue = !place.wants_lvalue(view.ast) || is_lvalue(&view.ast[operand].kind);
            if lvalue
                && (types.can_replace(place.id, operand) || place.is_statement(view.ast))
                && !place.is_callee(view.ast)
            {
                hints.extend(view.one(view.put(view.ast[place.id].span, view.fit(place.id, operand))));
            }
        }
    }
}

/// Is there nothing in it to make simpler?
fn is_constant(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Int { .. } | ExprKind::Char { .. } | ExprKind::Error)
}

fn constants(view: View<'_>, text: &str, hints: &mut Vec<Hint>) {
    let types = ExprTypes::new(view);
    for place in outer_first(view) {
        let kind = &view.ast[place.id].kind;
        let stays = is_constant(kind) || place.wants_lvalue(view.ast) || place.is_followed(view.ast);
        let is_text = matches!(kind, ExprKind::Str(_)) && text == "1";
        if stays || is_text || place.is_statement(view.ast) || !types.can_be_zero(place.id) {
            continue;
        }
        let span = view.ast[place.id].span;
        hints.extend(view.one(view.put(span, view.fit_text(place.id, text.as_bytes(), u8::MAX))));
    }
}

fn zeros(view: View<'_>, hints: &mut Vec<Hint>) {
    constants(view, "0", hints);
}

fn ones(view: View<'_>, hints: &mut Vec<Hint>) {
    constants(view, "1", hints);
}

fn casts(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outer_first(view) {
        let inner = match view.ast[place.id].kind {
            ExprKind::Cast(_, inner) | ExprKind::ConvertVector(inner, _) => inner,
            ExprKind::Unary(UnOp::Plus | UnOp::Extension, inner) => inner,
            _ => continue,
        };
        hints.extend(view.one(view.put(view.ast[place.id].span, view.fit(place.id, inner))));
    }
}

fn assignments(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outer_first(view) {
        let source = |id: ExprId| view.source(view.ast[id].span);
        let span = view.ast[place.id].span;
        let put = |text: Vec<u8>| view.one(view.put(span, view.fit_text(place.id, &text, 2)));
        match &view.ast[place.id].kind {
            ExprKind::Assign(Some(_), left, right) => {
                hints.extend(put([source(*left), b" = ", source(*right)].concat()));
            }
            ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, inner)
                if !place.is_statement(view.ast) =>
            {
                hints.extend(view.one(view.put(span, view.fit(place.id, *inner))));
            }
            _ => {}
        }
    }
}

/// The calls and stores of an expression that are not inside others.
fn outermost_effects(view: View<'_>, id: ExprId, found: &mut Vec<ExprId>) {
    match view.ast[id].kind {
        ExprKind::Call(..)
        | ExprKind::Assign(..)
        | ExprKind::StmtExpr(_)
        | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, _) => found.push(id),
        _ => direct(view, id).into_iter().for_each(|child| outermost_effects(view, child, found)),
    }
}

fn effects(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outer_first(view) {
        let Some(Node::Stmt(_)) = place.parent else { continue };
        if !place.is_statement(view.ast) {
            continue;
        }
        let mut found = Vec::new();
        match view.ast[place.id].kind {
            // The arguments of a call, the operands of a store.
            ExprKind::Call(..) | ExprKind::Assign(..) => {
                direct(view, place.id)
                    .into_iter()
                    .for_each(|child| outermost_effects(view, child, &mut found));
            }
            _ => outermost_effects(view, place.id, &mut found),
        }
        let sources: Vec<&[u8]> = found.iter().map(|&id| view.source(view.ast[id].span)).collect();
        let text = if sources.is_empty() { b"0".to_vec() } else { sources.join(&b", "[..]) };
        if found != [place.id] {
            hints.extend(view.one(view.put(view.ast[place.id].span, text)));
        }
    }
}

fn indirection(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outer_first(view) {
        let span = view.ast[place.id].span;
        match view.ast[place.id].kind {
            ExprKind::Unary(UnOp::Deref, inner) => match view.ast[inner].kind {
                ExprKind::Unary(UnOp::AddrOf, object) => {
                    hints.extend(view.one(view.put(span, view.fit(place.id, object))));
                }
                ExprKind::Binary(BinOp::Add, base, index) if view.binding(base) >= UNARY => {
                    let text =
                        [view.source(view.ast[base].span), b"[", view.source(view.ast[index].span), b"]"];
                    hints.extend(view.one(view.put(span, text.concat())));
                }
                _ => {}
            },
            ExprKind::Member { base, arrow: true, field } => {
                if let ExprKind::Unary(UnOp::AddrOf, object) = view.ast[base].kind {
                    let object = view.source(view.ast[object].span);
                    let field = view.ast.names.name(field).as_bytes();
                    hints.extend(view.one(view.put(span, [object, b".", field].concat())));
                }
            }
            _ => {}
        }
    }
}
