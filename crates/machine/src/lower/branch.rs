//! Conditions as jumps.

use super::arith::WIDE_BITS;
use super::func::{FnLower, Label, deep};
use super::ops;
use crate::bytecode::Insn;
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId, ExprKind, Rel};

impl FnLower<'_, '_> {
    /// Jumps to `target` if the scalar `e` compares (un)equal to 0 as `when` says; falls through otherwise.
    pub fn branch(&mut self, e: ExprId, target: Label, when: bool) {
        deep(|| self.branch_kind(e, target, when));
    }

    fn branch_kind(&mut self, e: ExprId, target: Label, when: bool) {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let next = self.next;
        match &expr.kind {
            ExprKind::Int(value) => {
                if (*value != 0) == when {
                    self.jump(target);
                }
            }
            ExprKind::Not(a) if self.scalar(unit[*a].ty.ty).is_some() => self.branch(*a, target, !when),
            ExprKind::Convert { kind: Conversion::ToBool, value, .. }
                if self.scalar(unit[*value].ty.ty).is_some() =>
            {
                self.branch(*value, target, when)
            }
            ExprKind::Convert { kind: Conversion::IntToInt, value, .. }
                if matches!(
                    unit[*value].kind,
                    ExprKind::Compare(..) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Not(_)
                ) =>
            {
                self.branch(*value, target, when)
            }
            ExprKind::LogAnd(a, b) => {
                if when {
                    let skip = self.label();
                    self.branch(*a, skip, false);
                    self.branch(*b, target, true);
                    self.place_label(skip);
                } else {
                    self.branch(*a, target, false);
                    self.branch(*b, target, false);
                }
            }
            ExprKind::LogOr(a, b) => {
                if when {
                    self.branch(*a, target, true);
                    self.branch(*b, target, true);
                } else {
                    let skip = self.label();
                    self.branch(*a, skip, true);
                    self.branch(*b, target, false);
                    self.place_label(skip);
                }
            }
            ExprKind::Comma(a, b) => {
                self.discard(*a);
                self.branch(*b, target, when);
            }
            ExprKind::Compare(rel, a, b) => {
                let scalar = self.scalar(unit[*a].ty.ty);
                let pointer_order = scalar == Some(Scalar::Ptr) && !matches!(rel, Rel::Eq | Rel::Ne);
                match scalar {
                    Some(s) if !s.is_wide() && !s.is_float() && !pointer_order => {
                        self.compare_jump(*rel, *a, *b, s, target, when)
                    }
                    _ => self.plain_branch(e, target, when),
                }
            }
            _ => self.plain_branch(e, target, when),
        }
        self.release(next);
    }

    pub(super) fn plain_branch(&mut self, e: ExprId, target: Label, when: bool) {
        let a = self.truth(e);
        let t = target.0;
        self.emit(if when { Insn::JNz { a, t } } else { Insn::JZ { a, t } });
    }

    pub(super) fn compare_jump(
        &mut self,
        rel: Rel,
        a: ExprId,
        b: ExprId,
        scalar: Scalar,
        target: Label,
        when: bool,
    ) {
        let flip = |rel: Rel| match rel {
            Rel::Lt => Rel::Ge,
            Rel::Gt => Rel::Le,
            Rel::Le => Rel::Gt,
            Rel::Ge => Rel::Lt,
            Rel::Eq => Rel::Ne,
            Rel::Ne => Rel::Eq,
        };
        let mirror = |rel: Rel| match rel {
            Rel::Lt => Rel::Gt,
            Rel::Gt => Rel::Lt,
            Rel::Le => Rel::Ge,
            Rel::Ge => Rel::Le,
            Rel::Eq | Rel::Ne => rel,
        };
        let rel = if when { rel } else { flip(rel) };
        if self.width_matters(a, b, false) {
            self.unsupported(WIDE_BITS);
            return;
        }
        let t = target.0;
        if self.asks_identity(rel, a, b) {
            let (ra, rb) = self.operands(a, b);
            self.restrict_meet(rel, true, ra, rb);
            let d = self.temp();
            self.emit(Insn::PEq { d, a: ra, b: rb });
            self.emit(if rel == Rel::Eq { Insn::JNz { a: d, t } } else { Insn::JZ { a: d, t } });
            return;
        }
        let signed = scalar.signed();
        let (rel, var, k) = match (self.small_const(a), self.small_const(b)) {
            (_, Some(k)) => (rel, a, Some(k)),
            (Some(k), None) => (mirror(rel), b, Some(k)),
            (None, None) => (rel, a, None),
        };
        // Unsigned comparisons with small non-negative constants only pay for equality.
        if let Some(k) = k.filter(|_| signed || matches!(rel, Rel::Eq | Rel::Ne)) {
            let a = self.value(var, None);
            self.alive(var, a);
            self.emit(match rel {
                Rel::Lt => Insn::JLtSK { a, k, t },
                Rel::Gt => Insn::JGtSK { a, k, t },
                Rel::Le => Insn::JLeSK { a, k, t },
                Rel::Ge => Insn::JGeSK { a, k, t },
                Rel::Eq => Insn::JEqK { a, k, t },
                Rel::Ne => Insn::JNeK { a, k, t },
            });
            return;
        }
        let rel = match (self.small_const(a), self.small_const(b)) {
            (Some(_), None) => mirror(rel),
            _ => rel,
        };
        let (ra, rb) = self.operands(a, b);
        self.alive(a, ra);
        self.alive(b, rb);
        self.restrict_meet(rel, scalar == Scalar::Ptr, ra, rb);
        let (rel, swap) = ops::normal(rel);
        let (a, b) = if swap { (rb, ra) } else { (ra, rb) };
        self.emit(match (rel, signed) {
            (Rel::Eq, _) => Insn::JEq { a, b, t },
            (Rel::Ne, _) => Insn::JNe { a, b, t },
            (Rel::Lt | Rel::Gt, true) => Insn::JLtS { a, b, t },
            (Rel::Lt | Rel::Gt, false) => Insn::JLtU { a, b, t },
            (Rel::Le | Rel::Ge, true) => Insn::JLeS { a, b, t },
            (Rel::Le | Rel::Ge, false) => Insn::JLeU { a, b, t },
        });
    }
}
