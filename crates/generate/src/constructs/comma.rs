//! The comma operator.

use super::ExpressionConstruct;
use crate::options::Switch;
use csyntax::ast::ExprKind;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "comma",
    doc: "`(a, b)`",
    weight: 3,
    allowed: |gen_| gen_.on(Switch::CommaOperators),
    build: |gen_, ops| {
        let (left, right) = gen_.split(ops);
        let a = gen_.int_expr(left);
        let b = gen_.int_expr(right);
        if b.bits {
            return Some(b);
        }
        let node = gen_.flow.seq(&[a.node, b.node]);
        let int = gen_.int_of(&b);
        Some(gen_.int_ex(ExprKind::Comma(a.id, b.id), int, b.range, node))
    },
};
