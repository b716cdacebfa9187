//! Assignment statements: integers, pointers and whole records, simple and compound.

use super::{StatementConstruct, binary};
use crate::arith::typed;
use crate::builder::{Built, Ex, Gen, Item};
use crate::flow::{Flow, Node, NodeId};
use crate::lvalue::{Lv, Use, Want};
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "assignment",
    doc: "`x = e;`, `x op= e;`, `x++;`, of integers, pointers, structs and unions",
    weight: 40,
    allowed: |_| true,
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let (id, node) = match gen_.choices.weighted(&[70, 18, 6]).unwrap_or(0) {
        1 => pointer(gen_).or_else(|| integer(gen_))?,
        2 => record(gen_).or_else(|| integer(gen_))?,
        _ => integer(gen_)?,
    };
    let stmt = gen_.s(StmtKind::Expr(id));
    let node = gen_.flow.node(Node::Full(node));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}

/// The target is chosen after the value, so that the value can read what it overwrites.
fn integer(gen_: &mut Gen) -> Option<(ExprId, NodeId)> {
    let ops = gen_.complexity();
    let increment = gen_.choices.percent(8);
    if let Some(ex) = increment.then(|| super::increment::statement(gen_)).flatten() {
        return Some((ex.id, ex.node));
    }
    let value = gen_.int_expr(ops);
    let saved = std::mem::take(&mut gen_.cx.effects);
    let target = gen_.find(Want::Int, Use::Write);
    gen_.cx.effects.extend(saved);
    let target = target?;
    let ex = assign(gen_, &target, value);
    Some((ex.id, ex.node))
}

/// `target = value` or `target op= value`.
pub(super) fn assign(gen_: &mut Gen, target: &Lv, value: Ex) -> Ex {
    let int = gen_.model.int(target.ty.ty).unwrap_or(IntTy::I32);
    if gen_.on(Switch::CompoundAssignment) && gen_.choices.percent(35) {
        let op = match binary::operator(gen_) {
            BinOp::Lt | BinOp::Gt | BinOp::Le => BinOp::Xor,
            BinOp::Ge | BinOp::Eq | BinOp::Ne => BinOp::Or,
            BinOp::LogAnd | BinOp::LogOr => BinOp::And,
            op => op,
        };
        let held = gen_.loaded(target);
        let operand = (gen_.int_of(&held), held.range);
        let (_, safe) = typed(op, operand, (gen_.int_of(&value), value.range));
        if let Some(range) = safe {
            let kids = gen_.flow.kids(&[target.node, held.node, value.node]);
            return store(gen_, target, ExprKind::Assign(Some(op), target.id, value.id), kids, range, int);
        }
    }
    plain(gen_, target, value)
}

/// `target = value`
pub(super) fn plain(gen_: &mut Gen, target: &Lv, value: Ex) -> Ex {
    let int = gen_.model.int(target.ty.ty).unwrap_or(IntTy::I32);
    let kids = gen_.flow.kids(&[target.node, value.node]);
    store(gen_, target, ExprKind::Assign(None, target.id, value.id), kids, value.range, int)
}

fn store(
    gen_: &mut Gen,
    target: &Lv,
    kind: ExprKind,
    kids: crate::flow::Kids,
    range: Range,
    int: IntTy,
) -> Ex {
    let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
    let mut ex = gen_.int_ex(kind, int, range.converted(int), node);
    ex.bits = target.bits.is_some();
    ex
}

fn pointer(gen_: &mut Gen) -> Option<(ExprId, NodeId)> {
    let target = gen_.find(Want::Pointer, Use::Write)?;
    gen_.cx.effects.clear();
    let ops = gen_.choices.below(3);
    let value = gen_.pointer_expr(target.ty.ty, ops);
    Some(store_value(gen_, &target, value))
}

fn record(gen_: &mut Gen) -> Option<(ExprId, NodeId)> {
    let target = gen_.find(Want::Record, Use::Write)?;
    gen_.cx.effects.clear();
    let ops = gen_.complexity();
    let value = gen_.record_expr(target.ty.ty, ops);
    Some(store_value(gen_, &target, value))
}

fn store_value(gen_: &mut Gen, target: &Lv, value: Ex) -> (ExprId, NodeId) {
    let kids = gen_.flow.kids(&[target.node, value.node]);
    let node = gen_.flow.node(Node::Store { kids, place: target.place, val: value.val });
    (gen_.e(ExprKind::Assign(None, target.id, value.id)), node)
}
