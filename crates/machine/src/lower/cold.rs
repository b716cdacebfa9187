//! Statements that are not expected to run are left out of the bytecode ([`crate::Options::cold`]): of a program most
//! of whose code is dead, lowering would take longer than the run. Where one begins, the code stops.

use super::func::FnLower;
use csyntax::tree::{ExprKind, StmtId, StmtKind, Unit};

/// May anything be left out? Not where code is reached in ways that statements do not show.
pub(super) fn possible(unit: &Unit) -> bool {
    let odd = |kind: &ExprKind| matches!(kind, ExprKind::LabelAddr(_) | ExprKind::LabelAddrOuter(..));
    !unit.functions.iter().any(|f| f.parent.is_some()) && !unit.exprs.iter().any(|e| odd(&e.kind))
}

impl FnLower<'_, '_> {
    /// Is a statement left out? Only if no jump from outside leads into it.
    pub(super) fn is_cold(&self, s: StmtId) -> bool {
        let unit = self.lw.unit;
        let Some(cold) = &self.lw.cold else { return false };
        let lo = unit[s].span.lo;
        let next = cold.partition_point(|range| range.1 <= lo);
        cold.get(next).is_some_and(|range| range.0 <= lo) && closed(unit, s)
    }
}

/// Holds a statement no label, no case of a switch around it, and no declaration with a cleanup?
fn closed(unit: &Unit, s: StmtId) -> bool {
    /// Statements looked at.
    const MOST: usize = 20_000;
    let mut stack = vec![(s, false)];
    for _ in 0..MOST {
        let Some((s, in_switch)) = stack.pop() else { return true };
        match &unit[s].kind {
            StmtKind::Nop
            | StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
            StmtKind::Decl(id) if unit[*id].cleanup.is_none() => {}
            StmtKind::Block { body, .. } => stack.extend(body.iter().map(|s| (*s, in_switch))),
            StmtKind::If(_, yes, no) => {
                stack.push((*yes, in_switch));
                stack.extend(no.map(|no| (no, in_switch)));
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
                stack.push((*body, in_switch));
            }
            StmtKind::Switch { body, .. } => stack.push((*body, true)),
            StmtKind::Case(_, inner) | StmtKind::Default(inner) if in_switch => stack.push((*inner, true)),
            StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Decl(_)
            | StmtKind::Label(..)
            | StmtKind::VlaEval(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::GotoPtr(_)
            | StmtKind::Asm(_) => return false,
        }
    }
    false
}
