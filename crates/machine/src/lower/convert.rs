//! Conversions between scalars.

use super::func::FnLower;
use super::place::{Place, UnionSpan, canonical};
use crate::bytecode::{Insn, Reg};
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId};
use csyntax::types::{Ty, TyKind};

impl FnLower<'_, '_> {
    /// Converts between scalars.
    pub fn convert(&mut self, kind: Conversion, value: ExprId, to: Ty, want: Option<Reg>) -> Reg {
        let from_ty = self.lw.unit[value].ty.ty;
        if matches!(self.lw.unit.types.kind(to), TyKind::Void) {
            self.discard(value);
            return want.unwrap_or(0);
        }
        match kind {
            Conversion::ToVoid => return self.unsupported("a conversion to void of this type"),
            Conversion::ComplexToReal => {
                let (re, _) = self.complex(value);
                return self.mov(want, re);
            }
            Conversion::Bitcast if self.in_memory(from_ty) => {
                let place = self.aggregate(value);
                return self
                    .load(Place { ty: to.into(), union: Some(UnionSpan::any(place.off)), ..place }, want);
            }
            Conversion::ToBool if self.in_memory(from_ty) => {
                let d = self.complex_truth(value);
                return self.mov(want, d);
            }
            Conversion::PtrToPtr => return self.converted_pointer(value, to, want),
            Conversion::IntToInt
            | Conversion::IntToFloat
            | Conversion::FloatToInt
            | Conversion::FloatToFloat
            | Conversion::ToBool
            | Conversion::IntToPtr
            | Conversion::PtrToInt
            | Conversion::RealToComplex
            | Conversion::ComplexToComplex
            | Conversion::Bitcast
            | Conversion::Splat
            | Conversion::ToUnion(_)
            | Conversion::NoOp => {}
        }
        let (Some(from), Some(to)) = (self.scalar(from_ty), self.scalar(to)) else {
            return self.unsupported("a conversion between these types");
        };
        self.convert_scalar(value, from, to, want)
    }

    pub(super) fn convert_scalar(
        &mut self,
        value: ExprId,
        from: Scalar,
        to: Scalar,
        want: Option<Reg>,
    ) -> Reg {
        if from == to {
            return self.value(value, want);
        }
        if from.is_int() && to.is_int() && to != Scalar::Bool && self.no_op(from, to) {
            return self.value(value, want);
        }
        if from.is_int()
            && to.is_int()
            && let Some(k) = self.constant_int(value)
        {
            let k = if to == Scalar::Bool { u128::from(k != 0) } else { k };
            let (lo, hi) = canonical(to, k);
            return self.konst(want, lo, hi);
        }
        let fresh = self.next;
        let a = self.value(value, None);
        self.alive(value, a);
        let d = self.convert_reg(a, from, to, want);
        self.fuse_narrowing(fresh);
        d
    }

    /// If the last instruction narrows what the one before it, which nothing else reads, computed into a register
    /// from `fresh` up: makes one of the two.
    pub(super) fn fuse_narrowing(&mut self, fresh: u32) {
        let at = self.code.insns.len();
        let (Some(&narrow), Some(&op)) = (self.code.insns.last(), self.code.insns.get(at.wrapping_sub(2)))
        else {
            return;
        };
        let (Insn::Sext8 { a, .. } | Insn::Sext16 { a, .. } | Insn::Zext8 { a, .. } | Insn::Zext16 { a, .. }) =
            narrow
        else {
            return;
        };
        if u32::from(a) >= fresh
            && self.joined < at as u32 - 1
            && let Some(both) = narrow.narrowed(op)
        {
            self.code.insns.pop();
            self.code.spans.pop();
            self.code.insns[at - 2] = both;
        }
    }

    /// Is the canonical register form of `from` also that of `to`?
    pub(super) fn no_op(&self, from: Scalar, to: Scalar) -> bool {
        if let (Scalar::Bits(..), _) | (_, Scalar::Bits(..)) = (from, to) {
            // A register's width holds every value of it.
            let whole = to == to.register() && from.is_wide() == to.is_wide() && to.width() >= 64;
            let (f, t) = (from.width(), to.width());
            let holds = if from.signed() == to.signed() { f <= t } else { f < t && !from.signed() };
            return whole
                || from.is_wide() == to.is_wide() && (holds || t == 128 || t == 64 && !to.is_wide());
        }
        if to.is_wide() {
            return from.is_wide();
        }
        if from.is_wide() {
            return matches!(to, Scalar::I64 | Scalar::U64);
        }
        let (f, t) = (from.bytes(8), to.bytes(8));
        t == 8
            || (f < t && (from.signed() == to.signed() || !from.signed()))
            || (f == t && from.signed() == to.signed())
    }

    /// Converts a register between scalar representations.
    pub fn convert_reg(&mut self, a: Reg, from: Scalar, to: Scalar, want: Option<Reg>) -> Reg {
        if from == to || (from.is_int() && to.is_int() && to != Scalar::Bool && self.no_op(from, to)) {
            return self.mov(want, a);
        }
        if let Scalar::Bits(..) = to {
            return self.bits_of(a, from, to, want);
        }
        if let Scalar::Bits(..) = from {
            return self.convert_reg(a, from.register(), to, want);
        }
        let d = self.dst(want);
        let conv = Insn::Conv { d, a, from, to };
        let insn = match (from, to) {
            (Scalar::Ptr, Scalar::Bool) => Insn::ToBool { d, a },
            (f, Scalar::Bool) if f.is_int() && !f.is_wide() => Insn::ToBool { d, a },
            (f, Scalar::Bool) if f.is_wide() => conv,
            (Scalar::Ptr, t) if t.is_int() => {
                self.emit(Insn::PtrToInt { d, a });
                return match self.convert_reg(d, Scalar::U64, t, Some(d)) {
                    r if r == d => d,
                    r => r,
                };
            }
            (f, Scalar::Ptr) if f.is_int() => {
                let mut a = a;
                if self.lw.unit.types.target.pointer_bytes == 4 {
                    self.emit(Insn::Zext32 { d, a });
                    a = d;
                }
                Insn::IntToPtr { d, a }
            }
            (f, t) if f.is_int() && t.is_int() => match t {
                Scalar::I8 => Insn::Sext8 { d, a },
                Scalar::I16 => Insn::Sext16 { d, a },
                Scalar::I32 => Insn::Sext32 { d, a },
                Scalar::U8 => Insn::Zext8 { d, a },
                Scalar::U16 => Insn::Zext16 { d, a },
                Scalar::U32 => Insn::Zext32 { d, a },
                Scalar::I128 | Scalar::U128 if f.signed() => Insn::Sext128 { d, a },
                Scalar::I128 | Scalar::U128 => Insn::Zext128 { d, a },
                Scalar::I64
                | Scalar::U64
                | Scalar::Bool
                | Scalar::Ptr
                | Scalar::F16
                | Scalar::F32
                | Scalar::F64
                | Scalar::F80
                | Scalar::F128
                | Scalar::Bits(..) => Insn::Mov { d, a },
            },
            (f, Scalar::F64) if f.is_int() && !f.is_wide() => {
                if f == Scalar::U64 {
                    Insn::SU64F64 { d, a }
                } else {
                    Insn::SI64F64 { d, a }
                }
            }
            (f, Scalar::F32) if f.is_int() && !f.is_wide() => {
                if f == Scalar::U64 {
                    Insn::SU64F32 { d, a }
                } else {
                    Insn::SI64F32 { d, a }
                }
            }
            (Scalar::F32, Scalar::F64) => Insn::F32F64 { d, a },
            (Scalar::F64, Scalar::F32) => Insn::F64F32 { d, a },
            _ => conv,
        };
        self.emit(insn);
        d
    }
}
