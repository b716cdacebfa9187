//! GNU vectors: assignments, elements read and written.

use super::{ExpressionConstruct, StatementConstruct};
use crate::builder::{Built, Ex, Gen, Item};
use crate::flow::{Flow, Node};
use crate::lvalue::{Lv, Use, Want};
use crate::model::{Lane, TyDef};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, StmtKind};

fn allowed(gen_: &Gen) -> bool {
    gen_.on(Switch::Gnu) && gen_.on(Switch::Vectors) && !gen_.cx.pure
}

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "vector assignment",
    doc: "`v = a * b + c;`, `v ^= e;`, `v[i] = e;` of GNU vectors, with comparisons, shuffles and conversions",
    weight: 5,
    allowed,
    build,
};

pub(super) const ELEMENT: ExpressionConstruct = ExpressionConstruct {
    name: "vector element",
    doc: "`v[i]` of a GNU vector",
    weight: 2,
    allowed,
    build: |gen_, _| {
        let lv = gen_.find(Want::Vector, Use::Read)?;
        let ex = element(gen_, &lv)?;
        match gen_.model.def(ex.ty) {
            TyDef::Float(_) => Some(gen_.int_from(ex)),
            TyDef::Int(_)
            | TyDef::Void
            | TyDef::Wide(_)
            | TyDef::Vector(..)
            | TyDef::Pointer(_)
            | TyDef::Record(_)
            | TyDef::Enum(_) => Some(ex),
        }
    },
};

/// `v[i]`, as a value.
fn element(gen_: &mut Gen, lv: &Lv) -> Option<Ex> {
    let TyDef::Vector(lane, count) = gen_.model.def(lv.ty.ty) else { return None };
    let (index, at) = gen_.index(count.into());
    let load = gen_.flow.node(Node::Load(lv.place));
    let node = gen_.flow.unseq(&[lv.node, at, load]);
    let id = gen_.e(ExprKind::Index(lv.id, index));
    let (ty, range) = match lane {
        Lane::Int(int) => (gen_.int_ty(int), int.range()),
        Lane::Float(float) => (gen_.model.intern(TyDef::Float(float)), crate::floats::HELD),
    };
    Some(Ex { id, ty, range, node, val: Flow::NUMBER, bits: false })
}

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let target = gen_.find(Want::Vector, Use::Write)?;
    gen_.cx.effects.clear();
    let TyDef::Vector(lane, _) = gen_.model.def(target.ty.ty) else { return None };
    let ops = gen_.complexity().max(1);
    let (id, kids) = match (gen_.choices.weighted(&[65, 20, 15]).unwrap_or(0), lane) {
        (1, Lane::Int(int)) if gen_.on(Switch::CompoundAssignment) => {
            let value = gen_.vector_expr(target.ty.ty, ops);
            let all = [BinOp::Xor, BinOp::And, BinOp::Or, BinOp::Add, BinOp::Sub, BinOp::Mul];
            let op = gen_.choices.pick(&all[..if int.signed() { 3 } else { 6 }]);
            let held = gen_.flow.node(Node::Load(target.place));
            let kids = gen_.flow.kids(&[target.node, held, value.node]);
            (gen_.e(ExprKind::Assign(Some(op), target.id, value.id)), kids)
        }
        (2, Lane::Int(_)) => {
            let to = element(gen_, &target)?;
            let value = gen_.int_expr(ops.min(4));
            let kids = gen_.flow.kids(&[to.node, value.node]);
            (gen_.e(ExprKind::Assign(None, to.id, value.id)), kids)
        }
        _ => {
            let value = gen_.vector_expr(target.ty.ty, ops);
            let kids = gen_.flow.kids(&[target.node, value.node]);
            (gen_.e(ExprKind::Assign(None, target.id, value.id)), kids)
        }
    };
    let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
    let stmt = gen_.s(StmtKind::Expr(id));
    let node = gen_.flow.node(Node::Full(node));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
