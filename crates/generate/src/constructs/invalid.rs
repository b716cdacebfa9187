//! Invalid references for testing analysers: reads through pointers that are, or may be, null or dangling, each with
//! a label that names it (`--null-ptr-deref-prob`, `--dangling-ptr-deref-prob`). Such programs are undefined.

use super::StatementConstruct;
use crate::analysis::transfer::World;
use crate::builder::{Built, Gen, Item};
use crate::flow::Flow;
use crate::lvalue::{Use, Want};
use crate::model::{Loc, Model, TyDef, VarId};
use crate::options::Limit;
use csyntax::ast::{ExprKind, Quals, StmtKind, UnOp};

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
    let held = gen_.variable(found?);
    gen_.impure.push(gen_.cx.fx);
    let value = gen_.e(ExprKind::Unary(UnOp::Deref, held.id));
    let target = gen_.find(Want::Int, Use::Write)?;
    let assign = gen_.e(ExprKind::Assign(None, target.id, value));
    let stmt = gen_.s(StmtKind::Expr(assign));
    let name = gen_.fresh(label);
    let stmt = gen_.s(StmtKind::Label(name, Vec::new(), stmt));
    // The analysis would reject it; it goes on with the facts as they are.
    Some(Built { item: Item::One(stmt), node: Flow::NOP, done: false, declares: None })
}
