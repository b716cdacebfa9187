//! Values of types kept in memory, as places that hold them.

use super::func::{FnLower, Same, deep};
use super::place::Place;
use crate::bytecode::Insn;
use csyntax::tree::{Conversion, ExprId, ExprKind};
use csyntax::types::TyKind;

impl FnLower<'_, '_> {
    /// A value of a type kept in memory, as a place that holds it.
    pub fn aggregate(&mut self, e: ExprId) -> Place {
        let old = std::mem::replace(&mut self.span, self.lw.unit[e].span);
        let place = deep(|| self.aggregate_kind(e));
        self.span = old;
        place
    }

    pub(super) fn aggregate_kind(&mut self, e: ExprId) -> Place {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Load(lv) => {
                let place = self.place(*lv);
                Place { ty, ..place }
            }
            ExprKind::Assign(lv, rv) => {
                let open = self.open_store(*lv, *rv);
                let dst = self.place(*lv);
                let dst = if self.calls(*rv) { self.pin(dst) } else { dst };
                let dst = self.settle_twice(dst);
                self.next_store(open);
                let src = self.aggregate(*rv);
                let dst = self.check_store(open, dst);
                self.close_store(open);
                self.copy(dst, src, false);
                dst
            }
            ExprKind::Call(callee, args) => {
                let local = self.temp_local(ty);
                let place = self.local_place(local, ty);
                let p = self.address(place, false);
                self.call_into(*callee, args, p);
                place
            }
            ExprKind::Cond(c, t, f) => {
                let local = self.temp_local(ty);
                let place = self.local_place(local, ty);
                let (no, end) = (self.label(), self.label());
                self.branch(*c, no, false);
                let next = self.next;
                let src = self.aggregate(*t);
                self.copy(place, src, true);
                self.release(next);
                self.jump(end);
                self.place_label(no);
                let src = self.aggregate(*f);
                self.copy(place, src, true);
                self.release(next);
                self.place_label(end);
                place
            }
            ExprKind::CondElvis { cond, value, other } => {
                let local = self.temp_local(ty);
                let place = self.local_place(local, ty);
                self.elvis([*cond, *value, *other], |fl, arm| {
                    let next = fl.next;
                    let src = fl.aggregate(arm);
                    fl.copy(place, src, true);
                    fl.release(next);
                });
                place
            }
            ExprKind::Comma(a, b) => {
                self.discard(*a);
                self.aggregate(*b)
            }
            ExprKind::StmtExpr { block, value: Some(value) } => self.statement_aggregate(*block, *value, ty),
            ExprKind::VlaEval(vlas, inner) => {
                vlas.iter().for_each(|v| self.vla_eval(*v));
                self.aggregate(*inner)
            }
            ExprKind::Convert { kind: Conversion::NoOp, value, .. } => {
                let place = self.aggregate(*value);
                Place { ty, ..place }
            }
            ExprKind::Convert { kind: Conversion::ToUnion(field), value, .. } => {
                let local = self.temp_local(ty);
                let place = self.local_place(local, ty);
                if let TyKind::Record(id) = unit.types.kind(ty.ty) {
                    let member_ty = unit[*value].ty;
                    let member = self.member(place, *id, *field, member_ty);
                    self.store_value(member, *value, true);
                }
                place
            }
            ExprKind::VaArg(list) => {
                let p = self.value(*list, None);
                let size = self.size(ty.ty);
                self.lw.program.va_args.push((ty.ty, None, size));
                let v = self.lw.program.va_args.len() as u32 - 1;
                let d = self.temp();
                self.emit(Insn::VaArg { d, p, v, passed: self.is_passed(*list) });
                self.pointee(d, ty)
            }
            ExprKind::Same => match self.same.last() {
                Some(&Same::Place(place)) => place,
                Some(Same::Reg(_)) | None => {
                    let reg = self.unsupported("this compound assignment");
                    self.pointee(reg, ty)
                }
            },
            ExprKind::CompoundAssign { place, compute } => self.update_aggregate(*place, *compute, false),
            ExprKind::IncDec { place, compute, post } => self.update_aggregate(*place, *compute, *post),
            // What is computed in two registers; `complex` asks for a place of anything else.
            ExprKind::Complex(..)
            | ExprKind::Neg(_)
            | ExprKind::BitNot(_)
            | ExprKind::Binary(..)
            | ExprKind::Convert { kind: Conversion::RealToComplex | Conversion::ComplexToComplex, .. }
                if matches!(unit.types.kind(ty.ty), TyKind::Complex(_)) =>
            {
                let (re, im) = self.complex(e);
                let local = self.temp_local(ty);
                let place = self.local_place(local, ty);
                self.store_parts(place, re, im, true);
                place
            }
            _ if matches!(unit.types.kind(ty.ty), TyKind::Vector(..)) => self.vector(e),
            _ => {
                debug_assert!(false, "no aggregate lowering for {:?}", expr.kind);
                let reg = self.unsupported("a value of this type here");
                self.pointee(reg, ty)
            }
        }
    }

    /// Compound assignment on a vector or complex object; gives the place of the result value.
    pub(super) fn update_aggregate(&mut self, lv: ExprId, compute: ExprId, post: bool) -> Place {
        let ty = self.lw.unit[lv].ty;
        let place = self.place(lv);
        let place = self.settle_twice(place);
        let local = self.temp_local(ty);
        let old = self.local_place(local, ty);
        self.copy(old, place, true);
        self.same.push(Same::Place(old));
        let new = self.aggregate(compute);
        self.same.pop();
        self.copy(place, new, false);
        if post { old } else { new }
    }
}
