//! Binary operators, assignment, `?:`.

use super::convert::Purpose;
use super::{At, Checker};
use crate::ast::{self, BinOp, Quals};
use crate::tree::{ExprId, ExprKind, Op, Rel};
use crate::types::{IntKind, QTy, Ty, TyKind};

/// The two families of binary operators besides `&&` and `||`.
enum Family {
    Arithmetic(Op),
    Relation(Rel),
}

fn family(op: BinOp) -> Option<Family> {
    Some(match op {
        BinOp::Mul => Family::Arithmetic(Op::Mul),
        BinOp::Div => Family::Arithmetic(Op::Div),
        BinOp::Rem => Family::Arithmetic(Op::Rem),
        BinOp::Add => Family::Arithmetic(Op::Add),
        BinOp::Sub => Family::Arithmetic(Op::Sub),
        BinOp::Shl => Family::Arithmetic(Op::Shl),
        BinOp::Shr => Family::Arithmetic(Op::Shr),
        BinOp::And => Family::Arithmetic(Op::And),
        BinOp::Xor => Family::Arithmetic(Op::Xor),
        BinOp::Or => Family::Arithmetic(Op::Or),
        BinOp::Lt => Family::Relation(Rel::Lt),
        BinOp::Gt => Family::Relation(Rel::Gt),
        BinOp::Le => Family::Relation(Rel::Le),
        BinOp::Ge => Family::Relation(Rel::Ge),
        BinOp::Eq => Family::Relation(Rel::Eq),
        BinOp::Ne => Family::Relation(Rel::Ne),
        BinOp::LogAnd | BinOp::LogOr => return None,
    })
}

impl Checker<'_> {
    /// Any binary operator but `&&` and `||`.
    pub(super) fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, at: At) -> ExprId {
        let (a, b) = (self.value(a), self.value(b));
        if self.is_poison(a) || self.is_poison(b) {
            return self.poison(at);
        }
        match family(op) {
            Some(Family::Arithmetic(op)) => self.arithmetic(op, a, b, at),
            Some(Family::Relation(rel)) => self.relation(rel, a, b, at),
            None => self.poison(at),
        }
    }

    fn bad_operands(&mut self, a: ExprId, b: ExprId, at: At) -> ExprId {
        if self.is_poison(a) || self.is_poison(b) {
            return self.poison(at);
        }
        let (a, b) = (self.show(self.ty(a)), self.show(self.ty(b)));
        self.error_expr(at, format!("the operator does not take '{a}' and '{b}'"))
    }

    /// Arithmetic on two values.
    pub(super) fn arithmetic(&mut self, op: Op, a: ExprId, b: ExprId, at: At) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_vector(ta) || self.is_vector(tb) {
            return self.vector_arithmetic(op, a, b, at);
        }
        let (pa, pb) = (self.is_pointer(ta), self.is_pointer(tb));
        match op {
            Op::Add if pa && self.is_integer(tb) => return self.pointer_add(a, b, false, at),
            Op::Add if pb && self.is_integer(ta) => return self.pointer_add(b, a, false, at),
            Op::Sub if pa && self.is_integer(tb) => return self.pointer_add(a, b, true, at),
            Op::Sub if pa && pb => return self.pointer_diff(a, b, at),
            Op::Shl | Op::Shr => return self.shift(op, a, b, at),
            _ => {}
        }
        let integer_only = matches!(op, Op::Rem | Op::And | Op::Xor | Op::Or);
        let fits = |c: &Self, ty: Ty| if integer_only { c.is_integer(ty) } else { c.is_arithmetic(ty) };
        if !fits(self, ta) || !fits(self, tb) {
            return self.bad_operands(a, b, at);
        }
        let (a, b, ty) = self.usual(a, b);
        let id = self.push(ExprKind::Binary(op, a, b), ty, at);
        self.fold_binary(id, op, a, b);
        id
    }

    fn shift(&mut self, op: Op, a: ExprId, b: ExprId, at: At) -> ExprId {
        if !self.is_integer(self.ty(a)) || !self.is_integer(self.ty(b)) {
            return self.bad_operands(a, b, at);
        }
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.ty(a);
        let id = self.push(ExprKind::Binary(op, a, b), ty, at);
        self.fold_binary(id, op, a, b);
        id
    }

    // ----- pointers

    /// The scale of pointer arithmetic: `Ok(None)` for constant sizes.
    fn pointer_scale(&mut self, pointer: Ty, at: At) -> Result<Option<ExprId>, ()> {
        let Some(to) = self.pointee(pointer) else { return Err(()) };
        if self.is_void(to.ty) || self.is_function(to.ty) || self.types().layout(to.ty).is_some() {
            return Ok(None);
        }
        match self.size_expr(to.ty, at) {
            Some(size) => Ok(Some(size)),
            None => {
                let text = self.show(to);
                self.error(at.span, format!("arithmetic on a pointer to the incomplete type '{text}'"));
                Err(())
            }
        }
    }

    pub(super) fn pointer_add(&mut self, ptr: ExprId, index: ExprId, negative: bool, at: At) -> ExprId {
        let ty = self.plain(self.ty(ptr));
        let Ok(scale) = self.pointer_scale(ty, at) else { return self.poison(at) };
        let index = self.promote(index);
        let id = self.push(ExprKind::PtrAdd { ptr, index, negative, scale }, ty, at);
        if let (Some(base), Some(count), None) = (self.int_of(ptr), self.signed_of(index), scale) {
            let size = self.pointee(ty).and_then(|to| self.types().layout(to.ty)).map_or(1, |l| l.size);
            let step = (count as u128).wrapping_mul(u128::from(size));
            let step = if negative { step.wrapping_neg() } else { step };
            let value = self.truncate(base.wrapping_add(step), ty);
            self.set_const(id, super::fold::Const::Int(value));
        }
        id
    }

    fn pointer_diff(&mut self, a: ExprId, b: ExprId, at: At) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if let (Some(x), Some(y)) = (self.pointee(ta), self.pointee(tb))
            && !self.compatible(x.ty, y.ty)
            && !(self.is_void(x.ty) || self.is_void(y.ty))
        {
            return self.bad_operands(a, b, at);
        }
        let Ok(scale) = self.pointer_scale(ta, at) else { return self.poison(at) };
        let ty = self.types().ptrdiff_t();
        let id = self.push(ExprKind::PtrDiff(a, b, scale), ty, at);
        if let (Some(x), Some(y), None) = (self.int_of(a), self.int_of(b), scale) {
            let size =
                self.pointee(ta).and_then(|to| self.types().layout(to.ty)).map_or(1, |l| l.size.max(1));
            let value = (x as i128 - y as i128) / i128::from(size);
            let value = self.truncate(value as u128, ty);
            self.set_const(id, super::fold::Const::Int(value));
        }
        id
    }

    // ----- vectors

    /// The type of comparison results: signed elements of the same width.
    pub(super) fn mask_ty(&mut self, vector: Ty) -> Ty {
        let TyKind::Vector(elem, n) = *self.tykind(vector) else { return vector };
        let wanted = self.types().layout(elem).map_or(4, |l| l.size);
        let kinds =
            [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LLong, IntKind::Int128];
        let kind = kinds.into_iter().find(|&k| self.types().int_bytes(k) == wanted).unwrap_or(IntKind::Int);
        let elem = self.int_ty(kind);
        self.tree.types.intern(TyKind::Vector(elem, n))
    }

    /// Brings both operands to one vector type; a scalar is copied to every element.
    fn vector_operands(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId, Ty)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        match (self.is_vector(ta), self.is_vector(tb)) {
            (true, true) => {
                let ty = self.plain(ta);
                let at = self.at_of(b);
                let (TyKind::Vector(x, m), TyKind::Vector(y, n)) = (self.tykind(ta), self.tykind(tb)) else {
                    return None;
                };
                let alike = m == n && self.is_integer(*x) == self.is_integer(*y);
                let b = if alike { self.convert_to(b, ty, false, at)? } else { return None };
                let a = self.convert_to(a, ty, false, at)?;
                Some((a, b, ty))
            }
            (true, false) => {
                let ty = self.plain(ta);
                Some((a, self.splat(b, ty)?, ty))
            }
            (false, true) => {
                let ty = self.plain(tb);
                Some((self.splat(a, ty)?, b, ty))
            }
            (false, false) => None,
        }
    }

    pub(super) fn splat(&mut self, scalar: ExprId, vector: Ty) -> Option<ExprId> {
        let TyKind::Vector(elem, _) = *self.tykind(vector) else { return None };
        if !self.is_real(self.ty(scalar)) || self.is_float(self.ty(scalar)) && self.is_integer(elem) {
            return None;
        }
        let value = self.coerce(scalar, elem);
        Some(self.node_convert(value, vector, crate::tree::Conversion::Splat, false))
    }

    fn vector_arithmetic(&mut self, op: Op, a: ExprId, b: ExprId, at: At) -> ExprId {
        let shift = matches!(op, Op::Shl | Op::Shr);
        let operands = if shift { self.vector_shift(a, b) } else { self.vector_operands(a, b) };
        let Some((a, b, ty)) = operands else { return self.bad_operands(a, b, at) };
        let TyKind::Vector(elem, _) = *self.tykind(ty) else { return self.bad_operands(a, b, at) };
        let integer_only = shift || matches!(op, Op::Rem | Op::And | Op::Xor | Op::Or);
        if integer_only && !self.is_integer(elem) {
            return self.bad_operands(a, b, at);
        }
        self.push(ExprKind::Binary(op, a, b), ty, at)
    }

    fn vector_shift(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId, Ty)> {
        match (self.tykind(self.ty(a)).clone(), self.tykind(self.ty(b)).clone()) {
            (TyKind::Vector(_, m), TyKind::Vector(_, n)) => (m == n).then(|| (a, b, self.ty(a))),
            (TyKind::Vector(..), _) => Some((a, self.splat(b, self.ty(a))?, self.ty(a))),
            _ => self.vector_operands(a, b),
        }
    }

    // ----- comparisons, logic

    fn relation(&mut self, rel: Rel, a: ExprId, b: ExprId, at: At) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_vector(ta) || self.is_vector(tb) {
            let Some((a, b, ty)) = self.vector_operands(a, b) else { return self.bad_operands(a, b, at) };
            let mask = self.mask_ty(ty);
            return self.push(ExprKind::Compare(rel, a, b), mask, at);
        }
        let (a, b) = if self.is_pointer(ta) || self.is_pointer(tb) {
            match self.pointer_operands(a, b, at) {
                Some(pair) => pair,
                None => return self.bad_operands(a, b, at),
            }
        } else {
            let orders = !matches!(rel, Rel::Eq | Rel::Ne);
            let fits = |c: &Self, ty: Ty| if orders { c.is_real(ty) } else { c.is_arithmetic(ty) };
            if !fits(self, ta) || !fits(self, tb) {
                return self.bad_operands(a, b, at);
            }
            let (a, b, _) = self.usual(a, b);
            (a, b)
        };
        let id = self.push(ExprKind::Compare(rel, a, b), Ty::INT, at);
        self.fold_compare(id, rel, a, b);
        id
    }

    fn pointer_operands(&mut self, a: ExprId, b: ExprId, at: At) -> Option<(ExprId, ExprId)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        match (self.pointee(ta), self.pointee(tb)) {
            (Some(x), Some(y)) => {
                let void = self.is_void(x.ty) || self.is_void(y.ty);
                if !void && !self.compatible(x.ty, y.ty) {
                    self.warn(at.span, "comparison of pointers to different types");
                }
                let common = if self.is_void(x.ty) {
                    ta
                } else if self.is_void(y.ty) {
                    tb
                } else {
                    ta
                };
                let common = self.plain(common);
                Some((self.coerce(a, common), self.coerce(b, common)))
            }
            (Some(_), None) if self.is_integer(tb) => {
                if !self.is_null_constant(b) {
                    self.warn(at.span, "comparison between a pointer and an integer");
                }
                let ty = self.plain(ta);
                Some((self.coerce(a, ty), self.coerce(b, ty)))
            }
            (None, Some(_)) if self.is_integer(ta) => {
                if !self.is_null_constant(a) {
                    self.warn(at.span, "comparison between a pointer and an integer");
                }
                let ty = self.plain(tb);
                Some((self.coerce(a, ty), self.coerce(b, ty)))
            }
            _ => None,
        }
    }

    /// `a && b`, `a || b`.
    pub(super) fn logical(&mut self, and: bool, a: ExprId, b: ast::ExprId, at: At) -> ExprId {
        let a = self.condition(a);
        let b = self.expr(b);
        let b = self.condition(b);
        let kind = if and { ExprKind::LogAnd(a, b) } else { ExprKind::LogOr(a, b) };
        let id = self.push(kind, Ty::INT, at);
        let value = match (self.truth(a), self.truth(b)) {
            (Some(a), _) if a != and => Some(a),
            (Some(_), Some(b)) => Some(b),
            _ => None,
        };
        if let Some(value) = value {
            self.set_const(id, super::fold::Const::Int(u128::from(value)));
        }
        id
    }

    // ----- assignment

    pub(super) fn assign(
        &mut self,
        op: Option<BinOp>,
        place: ast::ExprId,
        value: ast::ExprId,
        at: At,
    ) -> ExprId {
        let place = self.expr(place);
        let right = self.expr(value);
        let right = self.value(right);
        if !self.modifiable(place) {
            return self.poison(at);
        }
        let qty = self.qty(place);
        let ty = self.plain(qty.ty);
        let narrow = self.place_width(place);
        let id = match op.and_then(family) {
            Some(Family::Arithmetic(op)) => {
                if self.is_poison(right) {
                    return self.poison(at);
                }
                let same = self.same(ty, narrow, at);
                let result = self.arithmetic(op, same, right, at);
                let compute = self.assign_convert(result, ty.into(), Purpose::Assign, at);
                self.push(ExprKind::CompoundAssign { place, compute }, ty, at)
            }
            Some(Family::Relation(_)) | None => {
                let value = self.assign_convert(right, qty, Purpose::Assign, at);
                self.push(ExprKind::Assign(place, value), ty, at)
            }
        };
        self.facts[id.index()].narrow = narrow;
        id
    }

    // ----- ?:

    pub(super) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        other: ast::ExprId,
        at: At,
    ) -> ExprId {
        let cond = self.expr(cond);
        let cond = self.condition(cond);
        let Some(then) = then else { return self.elvis(cond, other, at) };
        let a = self.rvalue(then);
        let b = self.rvalue(other);
        if self.is_poison(cond) || self.is_poison(a) || self.is_poison(b) {
            return self.poison(at);
        }
        let Some((a, b, ty)) = self.branches(a, b, at) else { return self.bad_operands(a, b, at) };
        let id = self.push(ExprKind::Cond(cond, a, b), ty, at);
        if let Some(truth) = self.truth(cond) {
            self.copy_const(id, if truth { a } else { b });
        }
        id
    }

    fn elvis(&mut self, cond: ExprId, other: ast::ExprId, at: At) -> ExprId {
        let (ty, narrow) = (self.ty(cond), self.facts[cond.index()].narrow);
        let same = self.same(ty, narrow, at);
        if let Some(value) = self.const_of(cond) {
            self.set_const(same, value);
        }
        let other = self.rvalue(other);
        if self.is_poison(cond) || self.is_poison(other) {
            return self.poison(at);
        }
        let Some((value, other, ty)) = self.branches(same, other, at) else {
            return self.bad_operands(cond, other, at);
        };
        let id = self.push(ExprKind::CondElvis { cond, value, other }, ty, at);
        if let Some(truth) = self.truth(cond) {
            self.copy_const(id, if truth { value } else { other });
        }
        id
    }

    /// Brings both branches of a conditional to the type of the whole (6.5.15).
    fn branches(&mut self, a: ExprId, b: ExprId, at: At) -> Option<(ExprId, ExprId, Ty)> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_arithmetic(ta) && self.is_arithmetic(tb) {
            return Some(
                if self.compatible(ta, tb) && self.promoted_ty(ta, 0) == ta && self.promoted_ty(tb, 0) == tb {
                    (a, b, ta)
                } else {
                    self.usual(a, b)
                },
            );
        }
        if self.is_void(ta) || self.is_void(tb) {
            return Some((self.voided(a), self.voided(b), Ty::VOID));
        }
        if self.is_pointer(ta) || self.is_pointer(tb) {
            let ty = self.common_pointer(a, b, at)?;
            return Some((self.coerce(a, ty), self.coerce(b, ty), ty));
        }
        if self.compatible(ta, tb) {
            let ty = self.plain(ta);
            return Some((self.coerce(a, ty), self.coerce(b, ty), ty));
        }
        None
    }

    fn common_pointer(&mut self, a: ExprId, b: ExprId, at: At) -> Option<Ty> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        match (self.pointee(ta), self.pointee(tb)) {
            (Some(_), Some(_)) if self.is_null_constant(b) => Some(self.plain(ta)),
            (Some(_), Some(_)) if self.is_null_constant(a) => Some(self.plain(tb)),
            (Some(x), Some(y)) => {
                let quals = x.quals.with(y.quals).without(Quals::RESTRICT);
                let to = if self.compatible(x.ty, y.ty) {
                    self.composite(x.ty, y.ty)
                } else {
                    if !self.is_void(x.ty) && !self.is_void(y.ty) {
                        self.warn(at.span, "the branches of '?:' are pointers to different types");
                    }
                    Ty::VOID
                };
                let to = if self.is_function(to) { QTy::from(to) } else { self.qualify(to.into(), quals) };
                Some(self.tree.types.pointer(to))
            }
            (Some(_), None) if self.is_integer(tb) => {
                if !self.is_null_constant(b) {
                    self.warn(at.span, "the branches of '?:' are a pointer and an integer");
                }
                Some(self.plain(ta))
            }
            (None, Some(_)) if self.is_integer(ta) => {
                if !self.is_null_constant(a) {
                    self.warn(at.span, "the branches of '?:' are an integer and a pointer");
                }
                Some(self.plain(tb))
            }
            _ => None,
        }
    }
}
