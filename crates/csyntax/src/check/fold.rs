//! Constants: every node gets its value when it is built, if its operands have theirs.
//!
//! A value is truncated to the width of its type. For lvalues the value is their address, where that is a known
//! number (`((struct s *)0)->member`), which makes hand-written `offsetof` a constant.

use super::{At, Checker, float};
use crate::tree::{Conversion, ExprId, ExprKind, FloatBits, Op, Rel};
use crate::types::{Ty, TyKind};

/// What is known about an expression besides its node.
#[derive(Copy, Clone, Debug)]
pub(super) struct Fact {
    /// Index into the constants, or [`Fact::NO_CONST`] or [`Fact::POISON`].
    value: u32,
    /// Width in bits where the value comes from a bit-field narrower than its type; else 0.
    pub(super) narrow: u8,
}

impl Fact {
    const NO_CONST: u32 = u32::MAX;
    const POISON: u32 = u32::MAX - 1;
    pub(super) const NONE: Fact = Fact { value: Fact::NO_CONST, narrow: 0 };
}

/// A constant.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Const {
    /// Integers, enums, pointers, addresses.
    Int(u128),
    /// Floating.
    Float(FloatBits),
}

impl Checker<'_> {
    /// The stand-in for an expression with an error.
    pub(super) fn poison(&mut self, at: At) -> ExprId {
        let id = self.push(ExprKind::Int(0), Ty::INT, at);
        self.facts[id.index()].value = Fact::POISON;
        id
    }

    pub(super) fn is_poison(&self, id: ExprId) -> bool {
        self.facts[id.index()].value == Fact::POISON
    }

    pub(super) fn const_of(&self, id: ExprId) -> Option<Const> {
        self.consts.get(self.facts[id.index()].value as usize).copied()
    }

    /// The value of an integer (or pointer) constant, truncated to its width.
    pub(super) fn int_of(&self, id: ExprId) -> Option<u128> {
        match self.const_of(id)? {
            Const::Int(value) => Some(value),
            Const::Float(_) => None,
        }
    }

    /// The value of an integer constant, sign-extended if its type is signed. Unsigned 128-bit values wrap.
    pub(super) fn signed_of(&self, id: ExprId) -> Option<i128> {
        Some(self.extend(self.int_of(id)?, self.ty(id)))
    }

    pub(super) fn set_const(&mut self, id: ExprId, value: Const) {
        self.facts[id.index()].value = self.consts.len() as u32;
        self.consts.push(value);
    }

    fn set_int(&mut self, id: ExprId, value: u128) {
        let value = self.truncate(value, self.ty(id));
        self.set_const(id, Const::Int(value));
    }

    /// An integer constant node; `value` is truncated to the type.
    pub(super) fn int_const(&mut self, value: u128, ty: Ty, at: At) -> ExprId {
        let value = self.truncate(value, ty);
        let id = self.push(ExprKind::Int(value), ty, at);
        self.set_const(id, Const::Int(value));
        id
    }

    /// Width of an integer, enum or pointer type in bits.
    pub(super) fn width(&self, ty: Ty) -> u32 {
        match self.types().int_kind(ty) {
            Some(kind) => self.types().int_width(kind),
            None => u32::from(self.types().target.pointer_bytes) * 8,
        }
    }

    pub(super) fn is_signed(&self, ty: Ty) -> bool {
        self.types().int_kind(ty).is_some_and(|kind| self.types().int_signed(kind))
    }

    pub(super) fn truncate(&self, value: u128, ty: Ty) -> u128 {
        let width = self.width(ty);
        if width >= 128 { value } else { value & ((1u128 << width) - 1) }
    }

    /// The number a truncated value stands for.
    pub(super) fn extend(&self, value: u128, ty: Ty) -> i128 {
        let width = self.width(ty);
        if width < 128 && self.is_signed(ty) {
            ((value << (128 - width)) as i128) >> (128 - width)
        } else {
            value as i128
        }
    }

    /// Gives a conversion its value.
    pub(super) fn fold_conversion(&mut self, id: ExprId, kind: Conversion, from: ExprId) {
        let Some(value) = self.const_of(from) else { return };
        let (to, from_ty) = (self.ty(id), self.ty(from));
        let target = &self.tree.types.target;
        match (kind, value) {
            (
                Conversion::IntToInt
                | Conversion::IntToPtr
                | Conversion::PtrToInt
                | Conversion::PtrToPtr
                | Conversion::NoOp,
                Const::Int(value),
            ) => {
                let value = self.extend(value, from_ty) as u128;
                self.set_int(id, value);
            }
            (Conversion::ToBool, Const::Int(value)) => self.set_int(id, u128::from(value != 0)),
            (Conversion::ToBool, Const::Float(value)) => {
                let zero = float::is_zero(value, target);
                self.set_int(id, u128::from(!zero));
            }
            (Conversion::IntToFloat, Const::Int(value)) => {
                if let TyKind::Float(kind) = *self.types().kind(to) {
                    let signed = self.is_signed(from_ty);
                    let value = self.extend(value, from_ty) as u128;
                    let value = float::from_int(value, signed, kind, &self.tree.types.target);
                    self.set_const(id, Const::Float(value));
                }
            }
            (Conversion::FloatToInt, Const::Float(value)) => {
                if let Some(value) = float::to_int(value, self.is_signed(to), self.width(to), target) {
                    self.set_int(id, value);
                }
            }
            (Conversion::FloatToFloat | Conversion::NoOp, Const::Float(value)) => {
                if let TyKind::Float(kind) = *self.types().kind(to) {
                    let value = float::convert(value, kind, target);
                    self.set_const(id, Const::Float(value));
                }
            }
            (
                Conversion::IntToInt
                | Conversion::IntToPtr
                | Conversion::PtrToInt
                | Conversion::PtrToPtr
                | Conversion::IntToFloat
                | Conversion::FloatToInt
                | Conversion::FloatToFloat
                | Conversion::ToVoid
                | Conversion::RealToComplex
                | Conversion::ComplexToComplex
                | Conversion::ComplexToReal
                | Conversion::Bitcast
                | Conversion::Splat
                | Conversion::ToUnion(_),
                _,
            ) => {}
        }
    }

    /// Gives `-a`, `~a`, `!a` their values.
    pub(super) fn fold_unary(&mut self, id: ExprId) {
        match *self.kind(id) {
            ExprKind::Neg(a) => match self.const_of(a) {
                Some(Const::Int(value)) => self.set_int(id, value.wrapping_neg()),
                Some(Const::Float(value)) => {
                    let value = float::neg(value, &self.tree.types.target);
                    self.set_const(id, Const::Float(value));
                }
                None => {}
            },
            ExprKind::BitNot(a) => {
                if let Some(value) = self.int_of(a) {
                    self.set_int(id, !value);
                }
            }
            ExprKind::Not(a) => {
                if let Some(truth) = self.truth(a) {
                    self.set_int(id, u128::from(!truth));
                }
            }
            _ => {}
        }
    }

    /// Is a constant scalar non-zero?
    pub(super) fn truth(&self, id: ExprId) -> Option<bool> {
        match self.const_of(id)? {
            Const::Int(value) => Some(value != 0),
            Const::Float(value) => Some(!float::is_zero(value, &self.types().target)),
        }
    }

    /// Gives `a op b` its value.
    pub(super) fn fold_binary(&mut self, id: ExprId, op: Op, a: ExprId, b: ExprId) {
        match (self.const_of(a), self.const_of(b)) {
            (Some(Const::Float(a)), Some(Const::Float(b))) => {
                if let Some(value) = float::binary(op, a, b, &self.tree.types.target) {
                    self.set_const(id, Const::Float(value));
                }
            }
            (Some(Const::Int(_)), Some(Const::Int(_))) => {
                if let Some(value) = self.fold_int(op, a, b) {
                    self.set_int(id, value);
                }
            }
            _ => {}
        }
    }

    fn fold_int(&self, op: Op, a: ExprId, b: ExprId) -> Option<u128> {
        let ty = self.ty(a);
        let signed = self.is_signed(ty);
        let width = self.width(ty);
        let (x, y) = (self.extend(self.int_of(a)?, ty), self.extend(self.int_of(b)?, self.ty(b)));
        let (ux, uy) = (x as u128, y as u128);
        Some(match op {
            Op::Mul => ux.wrapping_mul(uy),
            Op::Add => ux.wrapping_add(uy),
            Op::Sub => ux.wrapping_sub(uy),
            Op::And => ux & uy,
            Op::Xor => ux ^ uy,
            Op::Or => ux | uy,
            Op::Div if y == 0 => return None,
            Op::Rem if y == 0 => return None,
            Op::Div if signed => x.checked_div(y)? as u128,
            Op::Div => ux / uy,
            Op::Rem if signed => x.checked_rem(y)? as u128,
            Op::Rem => ux % uy,
            Op::Shl if (0..i128::from(width)).contains(&y) => ux << y,
            Op::Shr if (0..i128::from(width)).contains(&y) => {
                if signed {
                    (x >> y) as u128
                } else {
                    ux >> y
                }
            }
            Op::Shl | Op::Shr => return None,
        })
    }

    /// Gives a comparison its value.
    pub(super) fn fold_compare(&mut self, id: ExprId, rel: Rel, a: ExprId, b: ExprId) {
        let truth = match (self.const_of(a), self.const_of(b)) {
            (Some(Const::Float(a)), Some(Const::Float(b))) => {
                float::compare(rel, a, b, &self.tree.types.target)
            }
            (Some(Const::Int(x)), Some(Const::Int(y))) => {
                let order = if self.is_signed(self.ty(a)) {
                    self.extend(x, self.ty(a)).cmp(&self.extend(y, self.ty(b)))
                } else {
                    x.cmp(&y)
                };
                match rel {
                    Rel::Lt => order.is_lt(),
                    Rel::Gt => order.is_gt(),
                    Rel::Le => order.is_le(),
                    Rel::Ge => order.is_ge(),
                    Rel::Eq => order.is_eq(),
                    Rel::Ne => order.is_ne(),
                }
            }
            _ => return,
        };
        self.set_int(id, u128::from(truth));
    }

    /// Gives a node the value of another of the same type.
    pub(super) fn copy_const(&mut self, id: ExprId, from: ExprId) {
        if let Some(value) = self.const_of(from) {
            self.set_const(id, value);
        }
    }

    /// Adds `offset` to a known address.
    pub(super) fn fold_address(&mut self, id: ExprId, base: ExprId, offset: u64) {
        if let Some(value) = self.int_of(base) {
            let bits = u32::from(self.types().target.pointer_bytes) * 8;
            let value = value.wrapping_add(u128::from(offset)) & ((1u128 << bits) - 1);
            self.set_const(id, Const::Int(value));
        }
    }
}
