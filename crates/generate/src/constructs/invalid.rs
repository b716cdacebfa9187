//! Invalid references for testing analysers: reads through pointers that are, or may be, null or dangling, each with
//! a label that names it (`--null-ptr-deref-prob`, `--dangling-ptr-deref-prob`). Such programs are undefined.

use super::StatementConstruct;
use crate::analysis::transfer::World;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node, NodeId};
use crate::lvalue::{Use, Want};
use crate::model::{Loc, Model, TyDef, VarId};
use crate::options::Limit;
use csyntax::ast::{ExprKind, Quals, StmtId, StmtKind, UnOp};

pub(super) const NULL: StatementConstruct = StatementConstruct {
    name: "null dereference",
    doc: "`null_deref_1: x = *p;` where `p` may be null: so many of 100 statements as `--null-ptr-deref-prob` says",
    weight: 0,
    allowed: |_| true,
    build: |gen_| build(gen_, Loc::NULL, "null_deref_"),
};

pub(super) const DANGLING: StatementConstruct = StatementConstruct {
    name: "dangling dereference",
    doc: "`dangling_deref_1: x = *p;` where `p` may dangle, for `--dangling-ptr-deref-prob`",
    weight: 0,
    allowed: |_| true,
    build: |gen_| build(gen_, Loc::GARBAGE, "dangling_deref_"),
};

/// The construct that is to come next, if it is time.
pub(super) fn due(gen_: &mut Gen) -> Option<&'static StatementConstruct> {
    for (limit, construct) in [(Limit::NullDeref, &NULL), (Limit::DanglingDeref, &DANGLING)] {
        let percent = gen_.opts.small(limit);
        if percent > 0 && gen_.choices.percent(percent) {
            return Some(construct);
        }
    }
    None
}

/// A pointer to integers in sight.
fn suits(model: &Model, var: VarId) -> bool {
    let v = model.var(var);
    let to_int = model.pointee(v.ty.ty).is_some_and(|to| matches!(model.def(to.ty), TyDef::Int(_)));
    to_int && v.dims.is_empty() && !v.ty.quals.has(Quals::VOLATILE)
}

fn build(gen_: &mut Gen, wanted: Loc, label: &str) -> Option<Built> {
    gen_.cx.effects.clear();
    let mut found = None;
    for _ in 0..8 {
        let var = gen_.pick_var(suits)?;
        let loc = gen_.model.var(var).loc;
        let world = World { model: &gen_.model, flow: &gen_.flow, functions: &gen_.fn_flow };
        if gen_.transfer.points_to(world, loc, &gen_.state).contains(&wanted) {
            found = Some(var);
            break;
        }
    }
    gen_.impure.push(gen_.cx.fx);
    let (var, before, node) = match found {
        Some(var) => (var, Vec::new(), Flow::NOP),
        None => made_invalid(gen_, wanted)?,
    };
    let held = gen_.variable(var);
    let value = gen_.e(ExprKind::Unary(UnOp::Deref, held.id));
    let target = gen_.find(Want::Int, Use::Write)?;
    let read = gen_.assign_stmt_to(target.id, value);
    let name = gen_.fresh(label);
    let read = gen_.s(StmtKind::Label(name, Vec::new(), read));
    // The analysis would reject the read; it goes on with the facts as they are, or with a null pointer.
    let item = if before.is_empty() {
        Item::One(read)
    } else {
        let (held, zero) = (gen_.variable(var), gen_.number(0));
        let reset = gen_.assign_stmt_to(held.id, zero);
        let all = before.into_iter().chain([read, reset]).collect();
        Item::One(gen_.s(StmtKind::Compound(all)))
    };
    Some(Built { item, node, done: false, declares: None })
}

/// `p = 0;`, or `{ int x = 1; p = &x; }`, of a pointer in sight.
fn made_invalid(gen_: &mut Gen, wanted: Loc) -> Option<(VarId, Vec<StmtId>, NodeId)> {
    let var = gen_.pick_var(|m, v| suits(m, v) && m.var(v).ty.quals == Quals::NONE && m.var(v).free)?;
    if gen_.transfer.is_locked(var) {
        return None;
    }
    let to = gen_.model.pointee(gen_.model.var(var).ty.ty)?;
    let int = gen_.model.int(to.ty)?;
    let held = gen_.variable(var);
    let first = if wanted == Loc::NULL {
        let zero = gen_.number(0);
        gen_.assign_stmt_to(held.id, zero)
    } else {
        if to.quals.has(Quals::ATOMIC) {
            return None;
        }
        let (name, one) = (gen_.fresh("l_"), gen_.number(1));
        let decl = gen_.named_decl(name, int, one);
        let object = gen_.ident(name);
        let address = gen_.e(ExprKind::Unary(UnOp::AddrOf, object));
        let point = gen_.assign_stmt_to(held.id, address);
        gen_.s(StmtKind::Compound(vec![decl, point]))
    };
    let place = gen_.variable_place(var);
    let kids = gen_.flow.kids(&[]);
    let store = gen_.flow.node(Node::Store { kids, place, val: Flow::NULL });
    Some((var, vec![first], gen_.flow.node(Node::Full(store))))
}
