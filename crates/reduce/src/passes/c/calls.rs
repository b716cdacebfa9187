//! The calls of a function.

use crate::passes::c::outline::{Outline, Place};
use crate::passes::c::view::View;
use csyntax::ast::{ExprId, ExprKind, StmtId};
use csyntax::visit::Node;
use rustc_hash::FxHashMap;

/// A call.
#[derive(Copy, Clone, Debug)]
pub struct Call {
    /// The call.
    pub id: ExprId,
    /// The statement that it is all of.
    pub statement: Option<StmtId>,
    /// Is that statement directly in a block?
    pub in_block: bool,
}

/// How a function is used.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Its calls.
    pub calls: Vec<Call>,
    /// Other expressions that name it.
    pub others: Vec<ExprId>,
}

/// Sorts the uses of a function.
pub fn calls(view: View<'_>, outline: &Outline, uses: &[ExprId]) -> Calls {
    let mut found = Calls::default();
    if uses.is_empty() {
        return found;
    }
    let wanted: FxHashMap<ExprId, ()> = uses.iter().map(|&id| (id, ())).collect();
    let mut called: FxHashMap<ExprId, ()> = FxHashMap::default();
    for place in &outline.exprs {
        if let ExprKind::Call(callee, _) = &view.ast[place.id].kind
            && wanted.contains_key(callee)
        {
            called.insert(*callee, ());
            found.calls.push(call(view, outline, place));
        }
    }
    found.others = uses.iter().copied().filter(|id| !called.contains_key(id)).collect();
    found
}

fn call(view: View<'_>, outline: &Outline, place: &Place<ExprId>) -> Call {
    let statement = match place.parent {
        Some(Node::Stmt(stmt)) if place.is_statement(view.ast) => Some(stmt),
        Some(_) | None => None,
    };
    let in_block = statement.is_some_and(|stmt| {
        let at =
            outline.stmts.binary_search_by_key(&view.ast[stmt].span.lo, |place| view.ast[place.id].span.lo);
        let near =
            at.map_or(&[][..], |at| &outline.stmts[at.saturating_sub(4)..(at + 5).min(outline.stmts.len())]);
        near.iter().any(|place| place.id == stmt && place.in_block(view.ast))
    });
    Call { id: place.id, statement, in_block }
}

/// The arguments of a call.
pub fn arguments<'a>(view: View<'a>, call: ExprId) -> &'a [ExprId] {
    match &view.ast[call].kind {
        ExprKind::Call(_, arguments) => arguments,
        _ => &[],
    }
}
