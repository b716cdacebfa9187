//! Casts between integer types.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "cast",
    doc: "`(T)e`; to a narrower signed type it wraps, as every compiler here defines it",
    weight: 7,
    allowed: |_| true,
    build: |gen_, ops| {
        let int = gen_.random_int();
        let ex: Ex = gen_.int_expr(ops);
        Some(Gen::convert(gen_, ex, int))
    },
};
