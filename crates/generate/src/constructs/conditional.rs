//! `c ? a : b`.

use super::ExpressionConstruct;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "conditional",
    doc: "`c ? a : b`",
    weight: 7,
    allowed: |_| true,
    build: |gen_, ops| {
        let (of_cond, rest) = gen_.split(ops);
        let (of_yes, of_no) = gen_.split(rest);
        let cond = gen_.int_expr(of_cond);
        let yes = gen_.int_expr(of_yes);
        let no = gen_.int_expr(of_no);
        Some(gen_.conditional(cond, yes, no))
    },
};
