//! Values: rvalues into registers, conditions into jumps, aggregates into places.

use super::func::{FnLower, Same, deep};
use super::place::{Place, canonical};
use crate::bytecode::{Constant, Insn, Reg, WideOp};
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId, ExprKind, FnId, LabelId};
use csyntax::types::{FloatKind, Ty, TyKind};

impl FnLower<'_, '_> {
    /// Evaluates a scalar rvalue, into `want` if given. Without, the register may be a variable's own: it is valid
    /// until the next sequence point.
    pub fn value(&mut self, e: ExprId, want: Option<Reg>) -> Reg {
        if let Some(&reg) = self.ahead.get(&e) {
            return self.mov(want, reg);
        }
        let old = std::mem::replace(&mut self.span, self.lw.unit[e].span);
        let reg = deep(|| self.value_kind(e, want));
        self.span = old;
        reg
    }

    fn value_kind(&mut self, e: ExprId, want: Option<Reg>) -> Reg {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Int(value) => {
                let Some(scalar) = self.scalar(ty) else { return self.unsupported("this constant") };
                let (lo, hi) = canonical(scalar, *value);
                self.konst(want, lo, hi)
            }
            ExprKind::Float(bits) => self.float_constant(bits.kind, bits.bits, want),
            ExprKind::VlaLen(vla) => match self.vlas.get(&vla.0) {
                Some(&reg) => self.mov(want, reg),
                None => self.unsupported("a variable length used before its declaration"),
            },
            ExprKind::LabelAddr(label) => self.label_address(*label, want),
            ExprKind::LabelAddrOuter(owner, label) => self.label_of(*owner, *label, want),
            ExprKind::Function(id) => self.constant(want, Constant::Function(id.0)),
            ExprKind::Load(lv) => {
                let place = self.place(*lv);
                self.load(place, want)
            }
            ExprKind::Decay(lv) => {
                let fresh = self.next;
                let reg = match self.computed(*lv) {
                    // The arithmetic has to stay in its object, though nothing is read there.
                    Some(ptr) => self.value(ptr, None),
                    None => {
                        let place = self.place(*lv);
                        self.address(place, false)
                    }
                };
                let reg = self.narrowed(*lv, reg);
                self.mov_last(want, reg, fresh)
            }
            ExprKind::AddrOf(lv) => {
                let fresh = self.next;
                let reg = self.address_of(*lv);
                self.mov_last(want, reg, fresh)
            }
            ExprKind::Convert { kind, value, .. } => self.convert(*kind, *value, ty, want),
            ExprKind::Neg(a) => self.negate(*a, ty, want),
            ExprKind::BitNot(a) => self.complement(*a, ty, want),
            ExprKind::Not(a) => {
                let a = self.truth(*a);
                let d = self.dst(want);
                self.emit(Insn::LogNot { d, a });
                d
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, ty, want),
            ExprKind::Compare(rel, a, b) => self.compare(*rel, *a, *b, want),
            ExprKind::PtrAdd { ptr, index, negative, scale } => {
                self.ptr_add((*ptr, *index), *negative, *scale, want)
            }
            ExprKind::PtrDiff(a, b, scale) => self.ptr_difference(*a, *b, *scale, want),
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.logic(e, want),
            ExprKind::Cond(c, t, f) => self.conditional([*c, *t, *f], ty, want),
            ExprKind::CondElvis { cond, value, other } => {
                self.conditional_elvis([*cond, *value, *other], ty, want)
            }
            ExprKind::Same => match self.same.last() {
                Some(&Same::Reg(reg)) => self.mov(want, reg),
                Some(Same::Place(_)) | None => self.unsupported("this compound assignment"),
            },
            ExprKind::Comma(a, b) => {
                let mark = self.seq_mark();
                self.discard(*a);
                self.seq_point(mark);
                self.value(*b, want)
            }
            ExprKind::Assign(lv, rv) => {
                let s = self.assign(*lv, *rv);
                self.mov(want, s)
            }
            ExprKind::CompoundAssign { place, compute } => {
                let (_, new) = self.update(*place, *compute, false);
                self.mov(want, new)
            }
            ExprKind::IncDec { place, compute, post } => {
                let (old, new) = self.update(*place, *compute, *post);
                self.mov(want, if *post { old } else { new })
            }
            ExprKind::Call(callee, args) => self.call(*callee, args, want, true),
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, want),
            ExprKind::StmtExpr { block, value } => self.statement_value(*block, *value, want),
            ExprKind::VaArg(list) => self.next_argument(*list, ty, want),
            ExprKind::PartOf(value, imag) => {
                let (re, im) = self.complex(*value);
                self.mov(want, if *imag { im } else { re })
            }
            ExprKind::VlaEval(vlas, inner) => {
                vlas.iter().for_each(|v| self.vla_eval(*v));
                self.value(*inner, want)
            }
            ExprKind::Complex(..)
            | ExprKind::Object(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(_)
            | ExprKind::Materialize(..)
            | ExprKind::VectorElem(..)
            | ExprKind::ComplexPart { .. } => {
                debug_assert!(false, "an lvalue where a value belongs: {:?}", expr.kind);
                self.unsupported("this expression")
            }
        }
    }

    fn float_constant(&mut self, kind: FloatKind, bits: u128, want: Option<Reg>) -> Reg {
        let high = match kind {
            FloatKind::Float16 | FloatKind::Float | FloatKind::Double => 0,
            FloatKind::LongDouble | FloatKind::Float128 => (bits >> 64) as u64,
        };
        self.konst(want, bits as u64, high)
    }

    /// `&&label` of the function at hand, or of the one whose static object is initialised.
    fn label_address(&mut self, label: LabelId, want: Option<Reg>) -> Reg {
        match (self.function, self.init_owner) {
            (None, Some(owner)) => self.label_of(owner, label, want),
            _ => {
                let c = self.label_constant(label);
                let d = self.dst(want);
                self.emit(Insn::Const { d, c });
                d
            }
        }
    }

    fn label_of(&mut self, owner: FnId, label: LabelId, want: Option<Reg>) -> Reg {
        let Some(&c) = self.lw.labels.get(&(owner, label)) else {
            return self.unsupported("the address of this label");
        };
        let d = self.dst(want);
        self.emit(Insn::Const { d, c });
        d
    }

    /// `a && b`, `a || b` as a number.
    fn logic(&mut self, e: ExprId, want: Option<Reg>) -> Reg {
        let mark = self.seq_mark();
        let (no, end) = (self.label(), self.label());
        self.branch(e, no, false);
        let d = self.dst(want);
        self.emit(Insn::K { d, k: 1 });
        self.jump(end);
        self.place_label(no);
        self.emit(Insn::K { d, k: 0 });
        self.place_label(end);
        // Coarse: the right operand counts as complete too.
        self.seq_point(mark);
        d
    }

    /// `c ? t : f`.
    fn conditional(&mut self, [c, t, f]: [ExprId; 3], ty: Ty, want: Option<Reg>) -> Reg {
        let (no, end) = (self.label(), self.label());
        let mark = self.seq_mark();
        self.branch(c, no, false);
        self.seq_point(mark);
        if self.scalar(ty).is_none() {
            self.discard(t);
            self.jump(end);
            self.place_label(no);
            self.discard(f);
            self.place_label(end);
            return want.unwrap_or(0);
        }
        let d = self.dst(want);
        let next = self.next;
        self.value(t, Some(d));
        self.alive(t, d);
        self.release(next);
        self.jump(end);
        self.place_label(no);
        self.value(f, Some(d));
        self.alive(f, d);
        self.release(next);
        self.place_label(end);
        d
    }

    /// GNU C's `a ?: b`.
    fn conditional_elvis(&mut self, operands: [ExprId; 3], ty: Ty, want: Option<Reg>) -> Reg {
        if self.scalar(ty).is_none() {
            self.elvis(operands, |fl, arm| fl.discard(arm));
            return want.unwrap_or(0);
        }
        let d = self.dst(want);
        self.elvis(operands, |fl, arm| {
            let next = fl.next;
            fl.value(arm, Some(d));
            fl.release(next);
        });
        d
    }

    /// `va_arg(list, ty)`.
    fn next_argument(&mut self, list: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let p = self.value(list, None);
        let scalar = self.scalar(ty);
        self.lw.program.va_args.push((ty, scalar, 0));
        let v = self.lw.program.va_args.len() as u32 - 1;
        let d = self.dst(want);
        self.emit(Insn::VaArg { d, p, v, passed: self.is_passed(list) });
        d
    }

    /// Is a `va_list` one that was passed to this function, and not through a pointer to it?
    pub(super) fn is_passed(&self, list: ExprId) -> bool {
        let ExprKind::Load(lv) = self.lw.unit[list].kind else { return false };
        matches!(self.lw.unit[lv].kind, ExprKind::Object(id) if self.lw.unit[id].list)
    }

    /// Element size of pointer steps: 1 for `void` and functions.
    pub fn step_size(&self, ty: Ty) -> u64 {
        match self.lw.unit.types.kind(ty) {
            TyKind::Void | TyKind::Function(_) => 1,
            _ => self.size(ty),
        }
    }

    /// The pointer arithmetic that leads to this lvalue, if it is not the index of an array that has its own check.
    fn computed(&self, lv: ExprId) -> Option<ExprId> {
        let ExprKind::Deref(ptr) = self.lw.unit[lv].kind else { return None };
        let ExprKind::PtrAdd { ptr: base, .. } = self.lw.unit[ptr].kind else { return None };
        (!matches!(self.lw.unit[base].kind, ExprKind::Decay(_))).then_some(ptr)
    }

    fn address_of(&mut self, lv: ExprId) -> Reg {
        let unit = self.lw.unit;
        match &unit[lv].kind {
            ExprKind::Function(id) if unit[*id].parent.is_some() => {
                let d = self.temp();
                self.emit(Insn::FnPtr { d, f: id.0 });
                d
            }
            ExprKind::Function(id) => self.constant(None, Constant::Function(id.0)),
            ExprKind::Deref(ptr) => {
                if let ExprKind::PtrAdd { ptr: base, scale: None, negative: false, .. } = &unit[*ptr].kind
                    && let ExprKind::Decay(array) = unit[*base].kind
                    && self.row_length(array).is_none()
                    && !self.of_member(array)
                {
                    let place = self.place(lv);
                    return self.end_address(place);
                }
                self.value(*ptr, None)
            }
            _ => {
                let place = self.place(lv);
                let p = self.end_address(place);
                self.narrowed(lv, p)
            }
        }
    }

    /// `&place`, which may point one past the last element of a named array.
    fn end_address(&mut self, place: Place) -> Reg {
        self.address(place, true)
    }

    /// A scalar as a register that is zero exactly when the scalar compares equal to 0.
    pub fn truth_of(&mut self, reg: Reg, ty: Ty) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("a condition of this type") };
        if scalar.is_wide() {
            let d = self.temp();
            self.emit(Insn::Wide { d, a: reg, b: reg, op: WideOp::Bool, signed: false });
            d
        } else if scalar.is_float() {
            let d = self.temp();
            self.emit(Insn::Conv { d, a: reg, from: scalar, to: Scalar::Bool });
            d
        } else {
            reg
        }
    }

    /// 1 if a complex value compares unequal to 0.
    pub(super) fn complex_truth(&mut self, e: ExprId) -> Reg {
        let (re, im) = self.complex(e);
        self.parts_truth(self.lw.unit[e].ty.ty, re, im)
    }

    /// 1 if a complex value of type `ty` with these parts compares unequal to 0.
    pub(super) fn parts_truth(&mut self, ty: Ty, re: Reg, im: Reg) -> Reg {
        let elem = self.complex_elem(ty);
        let (re, im) = (self.truth_of(re, elem), self.truth_of(im, elem));
        let (a, b, d) = (self.temp(), self.temp(), self.temp());
        self.emit(Insn::ToBool { d: a, a: re });
        self.emit(Insn::ToBool { d: b, a: im });
        self.emit(Insn::Or { d, a, b });
        d
    }

    pub(super) fn truth(&mut self, e: ExprId) -> Reg {
        let ty = self.lw.unit[e].ty.ty;
        if matches!(self.lw.unit.types.kind(ty), TyKind::Complex(_)) {
            return self.complex_truth(e);
        }
        let reg = self.value(e, None);
        self.alive(e, reg);
        self.truth_of(reg, ty)
    }

    /// Evaluates for side effects only.
    pub fn discard(&mut self, e: ExprId) {
        deep(|| self.discard_kind(e));
    }

    fn discard_kind(&mut self, e: ExprId) {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let old = std::mem::replace(&mut self.span, expr.span);
        let next = self.next;
        match &expr.kind {
            ExprKind::Call(callee, args) => {
                if self.in_memory(expr.ty.ty) {
                    self.aggregate(e);
                } else {
                    self.call(*callee, args, None, false);
                }
            }
            ExprKind::Convert { kind: Conversion::ToVoid, value, .. } => self.discard(*value),
            ExprKind::Comma(a, b) => {
                self.discard(*a);
                self.discard(*b);
            }
            ExprKind::Cond(c, t, f) => {
                let (no, end) = (self.label(), self.label());
                self.branch(*c, no, false);
                self.discard(*t);
                self.jump(end);
                self.place_label(no);
                self.discard(*f);
                self.place_label(end);
            }
            ExprKind::IncDec { place, compute, .. } if self.scalar(expr.ty.ty).is_some() => {
                self.update(*place, *compute, false);
            }
            ExprKind::StmtExpr { block, value } => {
                if value.is_some_and(|v| self.in_memory(unit[v].ty.ty)) {
                    self.aggregate(e);
                } else {
                    self.statement_value(*block, *value, None);
                }
            }
            _ if self.scalar(expr.ty.ty).is_some() => {
                let value = self.value(e, None);
                self.alive(e, value);
            }
            _ if self.in_memory(expr.ty.ty) && self.is_rvalue(e) => {
                self.aggregate(e);
            }
            _ if matches!(unit.types.kind(expr.ty.ty), TyKind::Void) => match &expr.kind {
                ExprKind::Builtin(..) | ExprKind::VlaEval(..) => {
                    self.value(e, None);
                }
                // `*p` of a pointer to void, evaluated for nothing.
                ExprKind::Deref(ptr) => self.discard(*ptr),
                ExprKind::Load(lv) => {
                    if let ExprKind::Deref(ptr) = unit[*lv].kind {
                        self.discard(ptr);
                    }
                }
                _ => {
                    self.value(e, None);
                }
            },
            _ if matches!(unit.types.kind(expr.ty.ty), TyKind::Function(_)) => {
                if let ExprKind::Deref(ptr) = expr.kind {
                    self.discard(ptr)
                }
            }
            _ => {
                self.place(e);
            }
        }
        self.release(next);
        self.span = old;
    }

    fn is_rvalue(&self, e: ExprId) -> bool {
        let kind = &self.lw.unit[e].kind;
        !kind.is_place() && !matches!(kind, ExprKind::Function(_))
    }
}
