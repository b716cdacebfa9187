//! Rotations, which C writes as two shifts of one value: as one instruction, as compilers take them.

use super::func::FnLower;
use crate::bytecode::{Insn, Reg};
use crate::class::Scalar;
use csyntax::ast::Quals;
use csyntax::tree::{ExprId, ExprKind, Op};
use csyntax::types::Ty;

/// Nesting of expressions that are compared.
const DEPTH: u32 = 8;

impl FnLower<'_, '_> {
    /// `x << k | x >> (width - k)` of an unsigned value that nothing changes by being evaluated: once is enough.
    pub(super) fn rotation(
        &mut self,
        op: Op,
        (a, b): (ExprId, ExprId),
        ty: Ty,
        want: Option<Reg>,
    ) -> Option<Reg> {
        let unit = self.lw.unit;
        let (ExprKind::Binary(Op::Shl, ..) | ExprKind::Binary(Op::Shr, ..)) = unit[a].kind else {
            return None;
        };
        let width = match self.scalar(ty)? {
            Scalar::U32 => 32,
            Scalar::U64 => 64,
            _ => return None,
        };
        let (left, right) = match (&unit[a].kind, &unit[b].kind) {
            (&ExprKind::Binary(Op::Shl, x, n), &ExprKind::Binary(Op::Shr, y, m)) => ((x, n), (y, m)),
            (&ExprKind::Binary(Op::Shr, y, m), &ExprKind::Binary(Op::Shl, x, n)) => ((x, n), (y, m)),
            _ => return None,
        };
        let (n, m) = (self.small_const(left.1)?, self.small_const(right.1)?);
        let fits = matches!(op, Op::Or | Op::Xor | Op::Add) && (1..width).contains(&n) && n + m == width;
        if !fits
            || self.wide_bits(left.0).is_some()
            || unit[left.0].ty.ty != ty
            || !self.same_value(left.0, right.0, DEPTH)
        {
            return None;
        }
        let a = self.value(left.0, None);
        let d = self.dst(want);
        self.emit(if width == 32 { Insn::RotU32K { d, a, k: n } } else { Insn::RotU64K { d, a, k: n } });
        Some(d)
    }

    /// Are two expressions written alike, of operators, constants and objects that are not volatile or atomic? Then
    /// they have the same value, and whatever is undefined in the second is so in the first.
    fn same_value(&self, a: ExprId, b: ExprId, depth: u32) -> bool {
        let unit = self.lw.unit;
        let (x, y) = (&unit[a], &unit[b]);
        if x.ty != y.ty || depth == 0 {
            return false;
        }
        let same = |a: ExprId, b: ExprId| self.same_value(a, b, depth - 1);
        match (&x.kind, &y.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
            (ExprKind::Object(a), ExprKind::Object(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b)) => {
                let quals = unit[*a].ty.quals;
                !quals.has(Quals::VOLATILE) && !quals.has(Quals::ATOMIC) && same(*a, *b)
            }
            (ExprKind::Deref(a), ExprKind::Deref(b)) | (ExprKind::Decay(a), ExprKind::Decay(b)) => {
                same(*a, *b)
            }
            (
                ExprKind::Member { base, record, field },
                ExprKind::Member { base: other, record: r, field: f },
            ) => record == r && field == f && same(*base, *other),
            (ExprKind::Convert { kind, value, .. }, ExprKind::Convert { kind: k, value: v, .. }) => {
                kind == k && same(*value, *v)
            }
            (ExprKind::Binary(op, a, b), ExprKind::Binary(o, c, d)) => {
                op == o && same(*a, *c) && same(*b, *d)
            }
            (
                ExprKind::PtrAdd { ptr, index, negative, scale: None },
                ExprKind::PtrAdd { ptr: p, index: i, negative: n, scale: None },
            ) => negative == n && same(*ptr, *p) && same(*index, *i),
            _ => false,
        }
    }
}
