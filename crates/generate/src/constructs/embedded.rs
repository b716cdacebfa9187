//! Assignments within expressions.

use super::{ExpressionConstruct, assign};
use crate::lvalue::{Use, Want};
use crate::options::Switch;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "embedded assignment",
    doc: "`(x = e)`, `(x op= e)` as an operand",
    weight: 5,
    allowed: |gen_| gen_.on(Switch::EmbeddedAssigns) && !gen_.cx.pure,
    build: |gen_, ops| {
        let value = gen_.int_expr(ops);
        let target = gen_.find(Want::Int, Use::Write)?;
        // The value of an assignment to an atomic object has an atomic type in some compilers.
        if target.bits.is_some() || target.ty.quals.has(csyntax::ast::Quals::ATOMIC) {
            return Some(value);
        }
        Some(assign::assign(gen_, &target, value))
    },
};
