//! `++x`, `x++`, `--x`, `x--`.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{ExprKind, UnOp};

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "increment",
    doc: "`++x`, `x++`, `--x`, `x--` where that cannot overflow",
    weight: 4,
    allowed: |gen_| !gen_.cx.pure && operators(gen_).iter().any(|(_, weight)| *weight > 0),
    build: |gen_, _| increment(gen_, false),
};

fn operators(gen_: &Gen) -> [(UnOp, u32); 4] {
    let on = |switch| u32::from(gen_.on(switch));
    [
        (UnOp::PostInc, on(Switch::PostIncr)),
        (UnOp::PreInc, on(Switch::PreIncr)),
        (UnOp::PostDec, on(Switch::PostDecr)),
        (UnOp::PreDec, on(Switch::PreDecr)),
    ]
}

/// One as a statement.
pub(super) fn statement(gen_: &mut Gen) -> Option<Ex> {
    increment(gen_, true)
}

fn increment(gen_: &mut Gen, statement: bool) -> Option<Ex> {
    let operators = operators(gen_);
    let op = operators[gen_.choices.weighted(&operators.map(|o| o.1))?].0;
    let target = gen_.find(Want::Int, Use::Write)?;
    if !statement && target.ty.quals.has(csyntax::ast::Quals::ATOMIC) {
        return None;
    }
    let held = gen_.loaded(&target);
    let int = gen_.model.int(target.ty.ty)?;
    let down = matches!(op, UnOp::PreDec | UnOp::PostDec);
    let by = Range::one(if down { -1 } else { 1 });
    let sum = Range { lo: held.range.lo + by.lo, hi: held.range.hi + by.hi };
    let arith = gen_.int_of(&held).promoted();
    if arith.signed() && !sum.within(arith.range()) || target.bits.is_some() && !statement {
        return None;
    }
    let kids = gen_.flow.kids(&[held.node]);
    let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
    let range = match op {
        UnOp::PostInc | UnOp::PostDec => held.range,
        _ if int == IntTy::Bool => int.range(),
        _ => sum.converted(int),
    };
    Some(gen_.int_ex(ExprKind::Unary(op, target.id), int, range, node))
}
