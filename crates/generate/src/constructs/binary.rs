//! Binary operators on integers.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::options::Switch;
use csyntax::ast::BinOp;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "binary",
    doc: "`a op b`, guarded where the ranges of the operands do not prove it safe",
    weight: 60,
    allowed: |_| true,
    build,
};

const OPERATORS: [(BinOp, u32); 18] = [
    (BinOp::Add, 12),
    (BinOp::Sub, 10),
    (BinOp::Mul, 9),
    (BinOp::And, 8),
    (BinOp::Or, 7),
    (BinOp::Xor, 8),
    (BinOp::Shl, 5),
    (BinOp::Shr, 6),
    (BinOp::Div, 5),
    (BinOp::Rem, 5),
    (BinOp::Lt, 4),
    (BinOp::Gt, 3),
    (BinOp::Le, 3),
    (BinOp::Ge, 3),
    (BinOp::Eq, 4),
    (BinOp::Ne, 4),
    (BinOp::LogAnd, 4),
    (BinOp::LogOr, 4),
];

/// The sum of the weights.
const TOTAL: usize = {
    let (mut sum, mut n) = (0, 0);
    while n < OPERATORS.len() {
        sum += OPERATORS[n].1 as usize;
        n += 1;
    }
    sum
};

/// Every operator as often as it weighs.
const DRAWN: [BinOp; TOTAL] = {
    let mut all = [BinOp::Add; TOTAL];
    let (mut at, mut n) = (0, 0);
    while n < OPERATORS.len() {
        let mut times = 0;
        while times < OPERATORS[n].1 {
            all[at] = OPERATORS[n].0;
            at += 1;
            times += 1;
        }
        n += 1;
    }
    all
};

/// An operator that the options allow.
pub(super) fn operator(gen_: &mut Gen) -> BinOp {
    if gen_.on(Switch::Muls) && gen_.on(Switch::Divs) {
        return gen_.choices.pick(&DRAWN);
    }
    let weights = OPERATORS.map(|(op, weight)| match op {
        BinOp::Mul if !gen_.on(Switch::Muls) => 0,
        BinOp::Div | BinOp::Rem if !gen_.on(Switch::Divs) => 0,
        _ => weight,
    });
    OPERATORS[gen_.choices.weighted(&weights).unwrap_or(0)].0
}

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let op = operator(gen_);
    let (left, right) = gen_.split(ops);
    let a = gen_.int_expr(left);
    let b = gen_.int_expr(right);
    Some(gen_.binary(op, a, b))
}
