//! Assignments, and what is stored: plain, compound, and into bit-fields.

use super::func::{FnLower, Same};
use super::place::{Base, Dyn, Place};
use crate::bytecode::{Insn, Reg, WideOp};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::tree::{Conversion, ExprId, ExprKind};
use csyntax::types::QTy;

impl FnLower<'_, '_> {
    /// `lv = rv` of scalars; gives the stored value.
    pub(super) fn assign(&mut self, lv: ExprId, rv: ExprId) -> Reg {
        let open = self.open_store(lv, rv);
        // A register variable as destination takes the value directly.
        if let ExprKind::Object(id) = self.lw.unit[lv].kind {
            let place = self.object_place(id);
            if let Base::Reg(d) = place.base {
                self.next_store(open);
                let s = if open == 0 { self.value(rv, Some(d)) } else { self.value(rv, None) };
                self.alive(rv, s);
                self.check_store(open, place);
                self.close_store(open);
                self.store(place, s, false);
                return d;
            }
            self.next_store(open);
            let s = self.stored_value(&place, rv);
            self.alive(rv, s);
            let s = self.bit_value(&place, s, rv);
            let place = self.check_store(open, place);
            self.close_store(open);
            self.store(place, s, false);
            return s;
        }
        let (place, s) = if self.right_first(lv, rv) {
            let s = self.value(rv, None);
            self.next_store(open);
            (self.place(lv), s)
        } else {
            let place = self.place(lv);
            let place = if self.calls(rv) { self.pin(place) } else { place };
            self.next_store(open);
            (place, self.stored_value(&place, rv))
        };
        self.alive(rv, s);
        let s = self.bit_value(&place, s, rv);
        let place = self.check_store(open, place);
        self.close_store(open);
        self.store(place, s, false);
        s
    }

    /// Computes pending address parts now, before a call on the other side can change what they depend on.
    pub fn pin(&mut self, place: Place) -> Place {
        match place.base {
            Base::Reg(_) => place,
            Base::Local(_) | Base::Static(_) if matches!(place.dynamic, Dyn::None) => place,
            Base::Local(_) | Base::Static(_) | Base::Ptr(_) => {
                let place = self.settle(place);
                let p = match place.base {
                    Base::Ptr(p) => p,
                    Base::Reg(_) | Base::Local(_) | Base::Static(_) => return place,
                };
                let d = self.temp();
                self.emit(Insn::Mov { d, a: p });
                Place { base: Base::Ptr(d), ..place }
            }
        }
    }

    /// The value an assignment of `rv` to a bit-field yields: truncated to its width. A floating value that the width
    /// does not have is converted to no value (C11 6.3.1.4p1).
    fn bit_value(&mut self, place: &Place, s: Reg, rv: ExprId) -> Reg {
        let (Some(bits), Some(scalar)) = (place.bits, self.scalar(place.ty.ty)) else { return s };
        let width = u32::from(bits.width);
        if scalar == Scalar::Bool || width >= 64 && !scalar.is_wide() {
            return s;
        }
        let (d, k) = (self.temp(), 64 - width as i32);
        if scalar.is_wide() {
            // Both halves follow from the bits that are stored.
            let stored = Scalar::Bits(bits.width, scalar.signed());
            self.emit(Insn::Conv { d, a: s, from: scalar.register(), to: stored });
            self.emit(Insn::Conv { d, a: d, from: stored, to: scalar });
        } else {
            self.emit(Insn::ShlU64K { d, a: s, k });
            self.emit(if scalar.signed() { Insn::ShrSK { d, a: d, k } } else { Insn::ShrUK { d, a: d, k } });
        }
        let kind = &self.lw.unit[rv].kind;
        if let ExprKind::Convert { kind: Conversion::FloatToInt, explicit: false, .. } = kind {
            let fits = self.label();
            if scalar.is_wide() {
                let same = self.temp();
                self.emit(Insn::Wide { d: same, a: s, b: d, op: WideOp::Eq, signed: false });
                self.emit(Insn::JNz { a: same, t: fits.0 });
            } else {
                self.emit(Insn::JEq { a: s, b: d, t: fits.0 });
            }
            self.undefined(Ub::FloatToIntRange, "the value does not fit the bit-field");
            self.place_label(fits);
        }
        d
    }

    /// Compound assignment and steps: gives the old and the new value. `keep`: the old value is asked for, and must
    /// outlive the store.
    pub(super) fn update(&mut self, lv: ExprId, compute: ExprId, keep: bool) -> (Reg, Reg) {
        let open = self.open_store(lv, compute);
        let place = self.place(lv);
        let place = self.settle_twice(place);
        let ahead = self.right_operand(compute);
        self.next_store(open);
        if let Some(right) = ahead {
            let reg = self.value(right, None);
            // The operand may be a variable's own register; the store below cannot come between.
            self.ahead.insert(right, reg);
        }
        let raw = self.load(place, None);
        let old = if keep && matches!(place.base, Base::Reg(_)) {
            let d = self.temp();
            self.emit(Insn::Mov { d, a: raw });
            d
        } else {
            raw
        };
        self.same.push(Same::Reg(raw));
        let want = match place.base {
            Base::Reg(d) if open == 0 => Some(d),
            Base::Reg(_) | Base::Local(_) | Base::Static(_) | Base::Ptr(_) => None,
        };
        let new = self.value(compute, want);
        self.same.pop();
        if let Some(right) = ahead {
            self.ahead.remove(&right);
        }
        let new = self.bit_value(&place, new, compute);
        let place = self.check_store(open, place);
        self.close_store(open);
        self.store(place, new, false);
        let new = match place.base {
            Base::Reg(d) => d,
            Base::Local(_) | Base::Static(_) | Base::Ptr(_) => new,
        };
        (old, new)
    }

    /// A place that is loaded and stored: pending steps with checks are done once.
    pub(super) fn settle_twice(&mut self, place: Place) -> Place {
        match (place.base, place.dynamic) {
            (Base::Ptr(_), Dyn::Scaled(..)) | (_, Dyn::Arr(..)) => self.settle(place),
            _ => place,
        }
    }

    /// The right operand inside a compound assignment's computation, if it needs evaluating ahead of the load.
    fn right_operand(&self, compute: ExprId) -> Option<ExprId> {
        let unit = self.lw.unit;
        let mut e = compute;
        loop {
            match &unit[e].kind {
                ExprKind::Convert { value, .. } => e = *value,
                ExprKind::Binary(_, _, right) if self.scalar(unit[*right].ty.ty).is_some() => {
                    let simple = self.constant_int(*right).is_some()
                        || matches!(unit[*right].kind, ExprKind::Float(_));
                    return (!simple).then_some(*right);
                }
                ExprKind::PtrAdd { index, .. } => {
                    let simple = matches!(unit[*index].kind, ExprKind::Int(_));
                    return (!simple).then_some(*index);
                }
                _ => return None,
            }
        }
    }

    /// The place of a temporary local.
    pub fn local_place(&mut self, local: u16, ty: QTy) -> Place {
        let reg = Base::Local(local);
        let align = self.align(ty.ty);
        Place {
            base: reg,
            off: 0,
            dynamic: Dyn::None,
            ty: QTy { ty: ty.ty, quals: csyntax::ast::Quals::NONE },
            align,
            bits: None,
            union: None,
            path: None,
            any: false,
            var: false,
        }
    }

    /// Evaluates `value` and stores it; any type.
    pub fn store_value(&mut self, place: Place, value: ExprId, initial: bool) {
        if self.scalar(place.ty.ty).is_some() {
            let want = match place.base {
                Base::Reg(d) => Some(d),
                Base::Local(_) | Base::Static(_) | Base::Ptr(_) => None,
            };
            let s = self.value(value, want);
            self.alive(value, s);
            if place.bits.is_some() {
                self.bit_value(&place, s, value);
            }
            self.store(place, s, initial);
        } else if let (true, ExprKind::Call(callee, args)) = (initial, &self.lw.unit[value].kind) {
            // A fresh object takes the result directly.
            let (callee, args) = (*callee, args.clone());
            let p = self.address(place, false);
            self.call_into(callee, &args, p);
        } else {
            let src = self.aggregate(value);
            self.copy(place, src, initial);
        }
    }
}
