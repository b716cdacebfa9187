//! Calls of functions that return integers.

use super::ExpressionConstruct;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "call",
    doc: "`f(a, b)`, of a function that exists or of one made for it",
    weight: 9,
    allowed: |gen_| !gen_.cx.pure,
    build: |gen_, ops| {
        let int = gen_.random_int();
        let ty = gen_.int_ty(int);
        gen_.call_returning(ty, true, ops)
    },
};
