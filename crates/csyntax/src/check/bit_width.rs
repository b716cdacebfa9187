//! Types of expressions that compilers do not agree on: GNU C gives arithmetic on a bit-field wider than `int` the
//! field's own width, other compilers its declared type. Where a program asks for such a type, nothing can be said.

use super::Checker;
use crate::source::Span;
use crate::tree::{Conversion, ExprId, ExprKind, Op};

/// What is said of them.
const TEXT: &str = "the type of arithmetic on a bit-field wider than int, where gcc and clang differ";

impl Checker<'_> {
    /// The program asks for the type of an expression.
    pub(super) fn type_is_asked(&mut self, e: ExprId, span: Span) {
        if self.has_own_width(e) {
            self.unsupported(span, TEXT);
        }
    }

    /// Has the expression a type of a bit-field's own width in GNU C?
    fn has_own_width(&self, e: ExprId) -> bool {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match *self.kind(e) {
            ExprKind::Load(place) => u32::from(self.place_width(place)) > self.width(crate::types::Ty::INT),
            ExprKind::Convert { kind: Conversion::IntToInt | Conversion::NoOp, value, explicit: false } => {
                self.has_own_width(value)
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Comma(_, a) => self.has_own_width(a),
            ExprKind::Binary(Op::Shl | Op::Shr, a, _) => self.has_own_width(a),
            ExprKind::Binary(_, a, b) | ExprKind::Cond(_, a, b) => {
                let (own, other) = (self.has_own_width(a), self.has_own_width(b));
                own && (other || self.is_narrower(b, e)) || other && self.is_narrower(a, e)
            }
            _ => false,
        })
    }

    /// Had an operand a narrower type than its operator before the conversions that nobody wrote?
    fn is_narrower(&self, operand: ExprId, operator: ExprId) -> bool {
        let mut e = operand;
        while let ExprKind::Convert { kind: Conversion::IntToInt, value, explicit: false } = *self.kind(e) {
            e = value;
        }
        let (ty, common) = (self.ty(e), self.ty(operator));
        self.types().int_kind(ty).is_some()
            && self.types().int_kind(common).is_some()
            && self.width(ty) < self.width(common)
    }
}
