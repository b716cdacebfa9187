//! Statements removed, by the tree: those of outer blocks before those inside (hierarchical delta debugging).

use crate::passes::c::outline::outline;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ForInit, StmtId, StmtKind};
use csyntax::source::Span;
use csyntax::visit::{Node, stmts};

c_pass!(Statements, "statements", "Removes statements, outer ones first.", statements, Coarse);
c_pass!(Clauses, "clauses", "Removes `else` branches and the clauses of `for`.", clauses);
c_pass!(Unreachable, "unreachable", "Removes what follows a jump in its block.", unreachable);
c_pass!(Labels, "labels", "Removes labels, cases and the statements `goto` that lead to a label.", labels);

fn statements(view: View<'_>, hints: &mut Vec<Hint>) {
    let mut places = outline(view.ast).stmts;
    places.sort_by_key(|place| place.depth);
    for place in places {
        let span = view.ast[place.id].span;
        let governed = match place.parent {
            Some(Node::Stmt(parent)) => {
                !place.in_block(view.ast) && !matches!(view.ast[parent].kind, StmtKind::Error)
            }
            Some(_) | None => continue,
        };
        let patch = if governed { view.put(span, ";") } else { view.cut(span) };
        hints.extend(view.one(patch));
    }
}

fn clauses(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outline(view.ast).stmts {
        match &view.ast[place.id].kind {
            StmtKind::If(condition, then, Some(other)) => {
                let (then, other) = (view.ast[*then].span, view.ast[*other].span);
                hints.extend(view.one(view.cut(Span::new(then.hi, other.hi))));
                let mut negated = b"!".to_vec();
                negated.extend(operand(view, *condition));
                let keep = view.put(Span::new(then.lo, other.lo), "");
                hints.extend(view.hint(vec![view.put(view.ast[*condition].span, negated), keep]));
            }
            StmtKind::For { init, cond, step, .. } => {
                let init = match init {
                    ForInit::None => None,
                    ForInit::Expr(id) => Some(view.cut(view.ast[*id].span)),
                    ForInit::Decl(id) => Some(view.put(view.ast[*id].span, ";")),
                };
                let clause = |id: &csyntax::ast::ExprId| view.cut(view.ast[*id].span);
                for patch in init.into_iter().chain(step.iter().map(clause)).chain(cond.iter().map(clause)) {
                    hints.extend(view.one(patch));
                }
            }
            _ => {}
        }
    }
}

/// An expression as the operand of a prefix operator.
fn operand(view: View<'_>, id: csyntax::ast::ExprId) -> Vec<u8> {
    let text = view.source(view.ast[id].span);
    if view.binding(id) >= crate::passes::c::precedence::UNARY {
        text.to_vec()
    } else {
        [b"(", text, b")"].concat()
    }
}

/// Is it one of the statements that control never passes?
fn jumps(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoPtr(_) | StmtKind::Break | StmtKind::Continue
    )
}

/// Can control come into a statement from elsewhere than its beginning?
fn is_target(view: View<'_>, id: StmtId) -> bool {
    stmts(view.ast, Node::Stmt(id)).into_iter().any(|inner| {
        matches!(view.ast[inner].kind, StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::Label(..))
    })
}

fn unreachable(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in outline(view.ast).stmts {
        let StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        let mut dead: Vec<Patch> = Vec::new();
        let mut after_jump = false;
        for &item in items {
            if after_jump && !is_target(view, item) {
                dead.push(view.cut(view.ast[item].span));
                continue;
            }
            after_jump = jumps(innermost(view, item));
        }
        hints.extend(view.hint(dead));
    }
}

/// What stands behind labels.
fn innermost(view: View<'_>, mut id: StmtId) -> &StmtKind {
    loop {
        match &view.ast[id].kind {
            StmtKind::Case(_, _, inner) | StmtKind::Default(inner) | StmtKind::Label(_, _, inner) => {
                id = *inner
            }
            other => return other,
        }
    }
}

fn labels(view: View<'_>, hints: &mut Vec<Hint>) {
    let places = outline(view.ast).stmts;
    for place in &places {
        let stmt = &view.ast[place.id];
        let (inner, name) = match &stmt.kind {
            StmtKind::Case(_, _, inner) | StmtKind::Default(inner) => (*inner, None),
            StmtKind::Label(name, _, inner) => (*inner, Some(*name)),
            _ => continue,
        };
        let mut patches = vec![view.cut(Span::new(stmt.span.lo, view.ast[inner].span.lo))];
        for other in places.iter().filter(|other| other.function == place.function) {
            if let StmtKind::Goto(target) = view.ast[other.id].kind
                && Some(target) == name
            {
                patches.push(view.put(view.ast[other.id].span, ";"));
            }
        }
        hints.extend(view.hint(patches));
    }
}
