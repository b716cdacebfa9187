//! Unary operators on integers.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::options::Switch;
use csyntax::ast::UnOp;

pub(super) const EXPRESSION: ExpressionConstruct =
    ExpressionConstruct { name: "unary", doc: "`-e`, `~e`, `!e`, `+e`", weight: 8, allowed: |_| true, build };

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let plus = if gen_.on(Switch::UnaryPlus) { 4 } else { 0 };
    let operators = [UnOp::Minus, UnOp::BitNot, UnOp::Not, UnOp::Plus];
    let op = operators[gen_.choices.weighted(&[30, 35, 20, plus]).unwrap_or(0)];
    let a = gen_.int_expr(ops);
    Some(gen_.unary(op, a))
}
