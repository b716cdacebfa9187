//! Unary operators, `++`, `--`.

use super::{At, Checker};
use crate::ast::{self, Quals, UnOp};
use crate::tree::{ExprId, ExprKind, Op};
use crate::types::{QTy, Ty, TyKind};

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnOp, operand: ast::ExprId, at: At) -> ExprId {
        match op {
            UnOp::Plus => self.sign(operand, None, at),
            UnOp::Minus => self.sign(operand, Some(ExprKind::Neg), at),
            UnOp::BitNot => self.sign(operand, Some(ExprKind::BitNot), at),
            UnOp::Not => self.not(operand, at),
            UnOp::Deref => {
                let pointer = self.rvalue(operand);
                self.deref(pointer, at)
            }
            UnOp::AddrOf => self.address_of(operand, at),
            UnOp::PreInc => self.inc_dec(operand, Op::Add, false, at),
            UnOp::PreDec => self.inc_dec(operand, Op::Sub, false, at),
            UnOp::PostInc => self.inc_dec(operand, Op::Add, true, at),
            UnOp::PostDec => self.inc_dec(operand, Op::Sub, true, at),
            UnOp::Real => self.complex_part(operand, false, at),
            UnOp::Imag => self.complex_part(operand, true, at),
            UnOp::Extension => self.expr(operand),
        }
    }

    fn sign(&mut self, operand: ast::ExprId, make: Option<fn(ExprId) -> ExprKind>, at: At) -> ExprId {
        let value = self.rvalue(operand);
        if self.is_poison(value) {
            return value;
        }
        let value = self.promote(value);
        let ty = self.plain(self.ty(value));
        let value = self.coerce(value, ty);
        let elem = match *self.tykind(ty) {
            TyKind::Vector(elem, _) => elem,
            _ => ty,
        };
        let integer_only = matches!(make.map(|m| m(value)), Some(ExprKind::BitNot(_)));
        let right = if integer_only {
            self.is_integer(elem) || self.is_complex(elem)
        } else {
            self.is_arithmetic(elem)
        };
        if !right {
            let text = self.show(ty);
            return self.error_expr(at, format!("a unary operator does not take '{text}'"));
        }
        let Some(make) = make else {
            return self.node_convert(value, ty, crate::tree::Conversion::NoOp, false);
        };
        let id = self.push(make(value), ty, at);
        self.fold_unary(id);
        id
    }

    fn not(&mut self, operand: ast::ExprId, at: At) -> ExprId {
        let value = self.rvalue(operand);
        if self.is_poison(value) {
            return value;
        }
        if self.is_vector(self.ty(value)) {
            let ty = self.mask_ty(self.ty(value));
            return self.push(ExprKind::Not(value), ty, at);
        }
        let value = self.condition(value);
        let id = self.push(ExprKind::Not(value), Ty::INT, at);
        self.fold_unary(id);
        id
    }

    fn address_of(&mut self, operand: ast::ExprId, at: At) -> ExprId {
        let place = self.expr(operand);
        if self.is_poison(place) {
            return place;
        }
        if self.is_function(self.ty(place)) {
            return self.value(place);
        }
        if !self.is_lvalue(place) || self.is_temporary(place) && !self.is_array(self.ty(place)) {
            let text = self.show(self.ty(place));
            return self.error_expr(at, format!("'&' needs an object, found a value of type '{text}'"));
        }
        if let ExprKind::Member { record, field, .. } = *self.kind(place)
            && self.field(record, field).is_some_and(|f| f.bits.is_some())
        {
            return self.error_expr(at, "a bit-field has no address");
        }
        self.address(place, at)
    }

    /// Part of a value that is not an object (`f().a`).
    pub(super) fn is_temporary(&self, mut id: ExprId) -> bool {
        loop {
            match *self.kind(id) {
                ExprKind::Materialize(..) => return true,
                ExprKind::Member { base, .. } | ExprKind::ComplexPart { base, .. } => id = base,
                ExprKind::VectorElem(base, _) => id = base,
                _ => return false,
            }
        }
    }

    /// Reports why an expression is no modifiable lvalue, if so.
    pub(super) fn modifiable(&mut self, place: ExprId) -> bool {
        if self.is_poison(place) {
            return false;
        }
        let qty = self.qty(place);
        let at = self.at_of(place);
        let problem = if !self.is_lvalue(place) || self.is_temporary(place) {
            "this is a value, not an object to be changed"
        } else if self.is_array(qty.ty) || self.is_function(qty.ty) {
            "an array or function cannot be assigned to"
        } else if self.is_void(qty.ty) || !self.is_complete(qty.ty) {
            "an object of incomplete type cannot be changed"
        } else if qty.quals.has(Quals::CONST) {
            "this object is read-only"
        } else if self.is_record(qty.ty) && self.has_const_member(qty.ty) {
            "this object has read-only members"
        } else {
            return true;
        };
        self.error(at.span, problem);
        false
    }

    fn inc_dec(&mut self, operand: ast::ExprId, op: Op, post: bool, at: At) -> ExprId {
        let place = self.expr(operand);
        if !self.modifiable(place) {
            return self.poison(at);
        }
        let ty = self.plain(self.ty(place));
        if !self.is_scalar(ty) && !self.is_vector(ty) {
            let text = self.show(ty);
            return self.error_expr(at, format!("'++' and '--' do not take '{text}'"));
        }
        let narrow = self.place_width(place);
        let same = self.same(ty, narrow, at);
        // By the letter 1 is an `int`, in which a narrow `_BitInt` does not overflow; clang steps in the type itself.
        let bits = self.types().int_kind(ty).is_some_and(|kind| kind.bit_precise().is_some());
        let one = self.int_const(1, if bits { ty } else { Ty::INT }, at);
        let sum = self.arithmetic(op, same, one, at);
        let compute = self.coerce(sum, ty);
        let id = self.push(ExprKind::IncDec { place, compute, post }, ty, at);
        self.facts[id.index()].narrow = narrow;
        id
    }

    /// The old value of the place of a compound assignment.
    pub(super) fn same(&mut self, ty: Ty, narrow: u8, at: At) -> ExprId {
        let id = self.push(ExprKind::Same, ty, at);
        self.facts[id.index()].narrow = narrow;
        id
    }

    fn complex_part(&mut self, operand: ast::ExprId, imag: bool, at: At) -> ExprId {
        let place = self.expr(operand);
        if self.is_poison(place) {
            return place;
        }
        let qty = self.qty(place);
        if let TyKind::Complex(elem) = *self.tykind(qty.ty) {
            return if self.is_lvalue(place) {
                let ty = QTy { ty: elem, quals: qty.quals };
                self.push(ExprKind::ComplexPart { base: place, imag }, ty, at)
            } else {
                self.push(ExprKind::PartOf(place, imag), elem, at)
            };
        }
        if !self.is_arithmetic(qty.ty) {
            let text = self.show(qty);
            return self.error_expr(at, format!("'{text}' has no real and imaginary part"));
        }
        if !imag {
            return place;
        }
        let value = self.value(place);
        let ty = self.ty(value);
        let zero = self.zero(ty, at);
        self.push(ExprKind::Comma(value, zero), ty, at)
    }
}
