//! Complex values (pairs of registers) and GNU vectors (in memory, element by element).

use super::func::{FnLower, Same, deep};
use super::place::Place;
use crate::bytecode::{Insn, Reg};
use crate::class::Scalar;
use crate::vm::vector::{VecDesc, VecOp};
use csyntax::tree::{Builtin, Conversion, ExprId, ExprKind, Op};
use csyntax::types::{QTy, Ty, TyKind};

impl FnLower<'_, '_> {
    /// Element type of a complex type.
    pub fn complex_elem(&self, ty: Ty) -> Ty {
        match self.lw.unit.types.kind(ty) {
            TyKind::Complex(elem) => *elem,
            _ => Ty::DOUBLE,
        }
    }

    /// Loads both parts of a complex place.
    fn load_parts(&mut self, place: Place) -> (Reg, Reg) {
        let elem = QTy { ty: self.complex_elem(place.ty.ty), quals: place.ty.quals };
        let size = self.size(elem.ty) as i64;
        let place = self.settle(place);
        let re = self.load(Place { ty: elem, ..place }, None);
        let im = self.load(Place { ty: elem, off: place.off + size, ..place }, None);
        (re, im)
    }

    /// Stores both parts of a complex place.
    pub fn store_parts(&mut self, place: Place, re: Reg, im: Reg, initial: bool) {
        let elem = QTy { ty: self.complex_elem(place.ty.ty), quals: place.ty.quals };
        let size = self.size(elem.ty) as i64;
        let place = self.settle(place);
        self.store(Place { ty: elem, ..place }, re, initial);
        self.store(Place { ty: elem, off: place.off + size, ..place }, im, initial);
    }

    fn op(&mut self, op: Op, scalar: Scalar, a: Reg, b: Reg) -> Reg {
        let d = self.temp();
        match super::ops::binary(op, scalar, d, a, b) {
            Some(insn) => {
                self.emit(insn);
                d
            }
            None => self.unsupported("complex arithmetic on this type"),
        }
    }

    /// Evaluates a complex rvalue into its parts.
    pub fn complex(&mut self, e: ExprId) -> (Reg, Reg) {
        deep(|| self.complex_kind(e))
    }

    fn complex_kind(&mut self, e: ExprId) -> (Reg, Reg) {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let elem = self.complex_elem(expr.ty.ty);
        let Some(scalar) = self.scalar(elem) else {
            let reg = self.unsupported("a complex type");
            return (reg, reg);
        };
        match &expr.kind {
            ExprKind::Load(lv) => {
                let place = self.place(*lv);
                self.load_parts(place)
            }
            ExprKind::Complex(re, im) => {
                let re = self.value(*re, None);
                let im = self.value(*im, None);
                (re, im)
            }
            ExprKind::Neg(a) => {
                let (re, im) = self.complex(*a);
                let zero = self.zero(scalar);
                let (nre, nim) = if scalar.is_float() {
                    (self.negated(re, scalar), self.negated(im, scalar))
                } else {
                    (self.op(Op::Sub, scalar, zero, re), self.op(Op::Sub, scalar, zero, im))
                };
                (nre, nim)
            }
            ExprKind::BitNot(a) => {
                let (re, im) = self.complex(*a);
                let zero = self.zero(scalar);
                let im = if scalar.is_float() {
                    self.negated(im, scalar)
                } else {
                    self.op(Op::Sub, scalar, zero, im)
                };
                (re, im)
            }
            ExprKind::Binary(op, a, b) if scalar.is_float() && (self.real(*a) || self.real(*b)) => {
                self.mixed(*op, *a, *b, scalar)
            }
            ExprKind::Binary(op @ (Op::Mul | Op::Div), a, b) if scalar.is_float() => {
                let (are, aim) = self.complex(*a);
                let (bre, bim) = self.complex(*b);
                self.complex_op(*op, scalar, [are, aim, bre, bim])
            }
            ExprKind::Binary(op @ (Op::Add | Op::Sub), a, b) => {
                let (are, aim) = self.complex(*a);
                let (bre, bim) = self.complex(*b);
                (self.op(*op, scalar, are, bre), self.op(*op, scalar, aim, bim))
            }
            ExprKind::Binary(Op::Mul, a, b) => {
                let (are, aim) = self.complex(*a);
                let (bre, bim) = self.complex(*b);
                let (x, y) = (self.op(Op::Mul, scalar, are, bre), self.op(Op::Mul, scalar, aim, bim));
                let (u, v) = (self.op(Op::Mul, scalar, are, bim), self.op(Op::Mul, scalar, aim, bre));
                (self.op(Op::Sub, scalar, x, y), self.op(Op::Add, scalar, u, v))
            }
            ExprKind::Binary(Op::Div, a, b) => {
                let (are, aim) = self.complex(*a);
                let (bre, bim) = self.complex(*b);
                let (x, y) = (self.op(Op::Mul, scalar, bre, bre), self.op(Op::Mul, scalar, bim, bim));
                let norm = self.op(Op::Add, scalar, x, y);
                let (p, q) = (self.op(Op::Mul, scalar, are, bre), self.op(Op::Mul, scalar, aim, bim));
                let (r, s) = (self.op(Op::Mul, scalar, aim, bre), self.op(Op::Mul, scalar, are, bim));
                let re = self.op(Op::Add, scalar, p, q);
                let im = self.op(Op::Sub, scalar, r, s);
                (self.op(Op::Div, scalar, re, norm), self.op(Op::Div, scalar, im, norm))
            }
            ExprKind::Convert { kind: Conversion::RealToComplex, value, .. } => {
                let from = self.scalar(unit[*value].ty.ty);
                let re = self.value(*value, None);
                let re = match from {
                    Some(from) => self.convert_reg(re, from, scalar, None),
                    None => re,
                };
                let im = self.zero(scalar);
                (re, im)
            }
            ExprKind::Convert { kind: Conversion::ComplexToComplex, value, .. } => {
                let from = self.scalar(self.complex_elem(unit[*value].ty.ty));
                let (re, im) = self.complex(*value);
                match from {
                    Some(from) => {
                        (self.convert_reg(re, from, scalar, None), self.convert_reg(im, from, scalar, None))
                    }
                    None => (re, im),
                }
            }
            ExprKind::Same => match self.same.last() {
                Some(&Same::Place(place)) => self.load_parts(place),
                Some(Same::Reg(_)) | None => {
                    let reg = self.unsupported("this compound assignment");
                    (reg, reg)
                }
            },
            ExprKind::Binary(..) => {
                let reg = self.unsupported("this operator on complex values");
                (reg, reg)
            }
            _ => {
                let place = self.aggregate(e);
                self.load_parts(place)
            }
        }
    }

    /// Is a complex operand a real one that was only converted for its operator?
    fn real(&self, e: ExprId) -> bool {
        matches!(
            self.lw.unit[e].kind,
            ExprKind::Convert { kind: Conversion::RealToComplex, explicit: false, .. }
        )
    }

    /// An operator on a complex and a real value: the imaginary part that the real one does not have stays out of it
    /// (C11 G.5).
    fn mixed(&mut self, op: Op, a: ExprId, b: ExprId, scalar: Scalar) -> (Reg, Reg) {
        let (are, aim) = self.complex(a);
        let (bre, bim) = self.complex(b);
        let first = !self.real(a);
        match op {
            Op::Add => (self.op(op, scalar, are, bre), if first { aim } else { bim }),
            Op::Sub => (self.op(op, scalar, are, bre), if first { aim } else { self.negated(bim, scalar) }),
            Op::Mul if first => (self.op(op, scalar, are, bre), self.op(op, scalar, aim, bre)),
            Op::Mul => (self.op(op, scalar, are, bre), self.op(op, scalar, are, bim)),
            Op::Div if first => (self.op(op, scalar, are, bre), self.op(op, scalar, aim, bre)),
            _ => self.complex_op(op, scalar, [are, aim, bre, bim]),
        }
    }

    /// Multiplication and division of floating complex values.
    fn complex_op(&mut self, op: Op, scalar: Scalar, parts: [Reg; 4]) -> (Reg, Reg) {
        let divide = op == Op::Div;
        if !divide && op != Op::Mul {
            let reg = self.unsupported("this operator on complex values");
            return (reg, reg);
        }
        let (d, im) = (self.temp(), self.temp());
        let end = self.label();
        if !divide {
            // The formula is right unless both parts are NaNs.
            let [a, b, c, e] = parts;
            let (x, y) = (self.op(Op::Mul, scalar, a, c), self.op(Op::Mul, scalar, b, e));
            let (u, v) = (self.op(Op::Mul, scalar, a, e), self.op(Op::Mul, scalar, b, c));
            let (re, sum) = (self.op(Op::Sub, scalar, x, y), self.op(Op::Add, scalar, u, v));
            self.emit(Insn::Mov { d, a: re });
            self.emit(Insn::Mov { d: im, a: sum });
            for part in [re, sum] {
                let t = self.temp();
                self.emit(super::ops::compare(csyntax::tree::Rel::Eq, scalar, t, part, part));
                self.emit(Insn::JNz { a: t, t: end.0 });
            }
        }
        let a = self.temp();
        for (index, part) in parts.into_iter().enumerate() {
            let d = if index == 0 { a } else { self.temp() };
            debug_assert_eq!(d, a + index as Reg);
            self.emit(Insn::Mov { d, a: part });
        }
        self.emit(Insn::Complex { d, a, divide, kind: scalar });
        self.place_label(end);
        (d, im)
    }

    fn zero(&mut self, _scalar: Scalar) -> Reg {
        self.konst(None, 0, 0)
    }

    fn negated(&mut self, a: Reg, scalar: Scalar) -> Reg {
        let d = self.temp();
        self.emit(match scalar {
            Scalar::F32 => Insn::NegF32 { d, a },
            Scalar::F64 => Insn::NegF64 { d, a },
            _ => Insn::Soft { d, a, b: a, op: crate::bytecode::SoftOp::Neg, kind: scalar },
        });
        d
    }

    /// Equality of complex values.
    pub fn complex_equal(&mut self, a: ExprId, b: ExprId, scalar: Scalar) -> Reg {
        let (are, aim) = self.complex(a);
        let (bre, bim) = self.complex(b);
        let (x, y, d) = (self.temp(), self.temp(), self.temp());
        self.emit(super::ops::compare(csyntax::tree::Rel::Eq, scalar, x, are, bre));
        self.emit(super::ops::compare(csyntax::tree::Rel::Eq, scalar, y, aim, bim));
        self.emit(Insn::And { d, a: x, b: y });
        d
    }

    fn vec_shape(&self, ty: Ty) -> Option<(Scalar, u8, u32)> {
        let types = &self.lw.unit.types;
        match types.kind(ty) {
            TyKind::Vector(elem, n) => {
                Some((self.scalar(*elem)?, crate::class::class_of(types, *elem) as u8, *n))
            }
            _ => None,
        }
    }

    /// Evaluates a vector rvalue into memory.
    pub fn vector(&mut self, e: ExprId) -> Place {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let ty = expr.ty;
        let local = self.temp_local(ty);
        let out = self.local_place(local, ty);
        let Some((elem, class, count)) = self.vec_shape(ty.ty) else { return out };
        let desc =
            |op: VecOp| VecDesc { op, elem, class, count, from: elem, from_class: class, from_count: count };
        match &expr.kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.vector_operand(*a), self.vector_operand(*b));
                self.vec(out, a, b, desc(VecOp::Binary(*op)));
            }
            ExprKind::Compare(rel, a, b) => {
                let shape = self.vec_shape(unit[*a].ty.ty);
                let (a, b) = (self.vector_operand(*a), self.vector_operand(*b));
                if let Some((from, from_class, from_count)) = shape {
                    self.vec(
                        out,
                        a,
                        b,
                        VecDesc { from, from_class, from_count, ..desc(VecOp::Compare(*rel)) },
                    );
                }
            }
            ExprKind::Neg(a) => {
                let a = self.vector_operand(*a);
                self.vec(out, a, a, desc(VecOp::Neg));
            }
            ExprKind::BitNot(a) => {
                let a = self.vector_operand(*a);
                self.vec(out, a, a, desc(VecOp::Not));
            }
            ExprKind::Not(a) => {
                let shape = self.vec_shape(unit[*a].ty.ty);
                let a = self.vector_operand(*a);
                if let Some((from, from_class, from_count)) = shape {
                    self.vec(out, a, a, VecDesc { from, from_class, from_count, ..desc(VecOp::IsZero) });
                }
            }
            ExprKind::Convert { kind: Conversion::Splat, value, .. } => {
                let s = self.value(*value, None);
                let from = self.scalar(unit[*value].ty.ty).unwrap_or(elem);
                let s = self.convert_reg(s, from, elem, None);
                let elem_ty = match unit.types.kind(ty.ty) {
                    TyKind::Vector(t, _) => *t,
                    _ => ty.ty,
                };
                let size = self.size(elem_ty) as i64;
                for k in 0..i64::from(count) {
                    self.store(Place { ty: elem_ty.into(), off: out.off + k * size, ..out }, s, true);
                }
            }
            ExprKind::Convert { kind: Conversion::Bitcast, value, .. } => {
                let from = unit[*value].ty;
                if self.scalar(from.ty).is_some() {
                    let s = self.value(*value, None);
                    let temp = self.temp_local(from);
                    let place = self.local_place(temp, from);
                    self.store(place, s, true);
                    self.copy(out, Place { ty, ..place }, true);
                } else {
                    let place = self.aggregate(*value);
                    self.copy(out, Place { ty, ..place }, true);
                }
            }
            ExprKind::Builtin(Builtin::ConvertVector, args) => {
                if let Some(&a) = args.first() {
                    let shape = self.vec_shape(unit[a].ty.ty);
                    let a = self.vector_operand(a);
                    if let Some((from, from_class, from_count)) = shape {
                        self.vec(out, a, a, VecDesc { from, from_class, from_count, ..desc(VecOp::Convert) });
                    }
                }
            }
            ExprKind::Builtin(Builtin::Shuffle, args) => self.shuffle(out, args, desc(VecOp::Neg)),
            ExprKind::Builtin(Builtin::ShuffleVector, args) => self.shuffle_constant(out, args, ty),
            _ => {
                self.unsupported("this vector operation");
            }
        }
        out
    }

    fn vector_operand(&mut self, e: ExprId) -> Reg {
        let place = self.aggregate(e);
        self.address(place, false)
    }

    fn vec(&mut self, out: Place, a: Reg, b: Reg, desc: VecDesc) {
        let d = self.address(out, false);
        self.lw.program.vectors.push(desc);
        let v = self.lw.program.vectors.len() as u32 - 1;
        self.emit(Insn::Vec { d, a, b, v });
    }

    /// `__builtin_shuffle(a, mask)` and `(a, b, mask)`: through a joined temporary of both sources.
    fn shuffle(&mut self, out: Place, args: &[ExprId], desc: VecDesc) {
        let (sources, mask) = match args {
            [a, mask] => (vec![*a], *mask),
            [a, b, mask] => (vec![*a, *b], *mask),
            _ => {
                self.unsupported("this shuffle");
                return;
            }
        };
        let Some((index, index_class, _)) = self.vec_shape(self.lw.unit[mask].ty.ty) else { return };
        let joined = self.joined(&sources);
        let mask = self.vector_operand(mask);
        let total = desc.count * sources.len() as u32;
        self.vec(
            out,
            joined,
            mask,
            VecDesc { op: VecOp::Shuffle(total), from: index, from_class: index_class, ..desc },
        );
    }

    /// Copies vectors side by side into a temporary; gives its address.
    fn joined(&mut self, sources: &[ExprId]) -> Reg {
        let ty = self.lw.unit[sources[0]].ty;
        let size = self.size(ty.ty);
        self.laid_out(sources, |k| k as u64 * size)
    }

    /// Copies the sources to where they are said to begin in a new local, and gives its address.
    fn laid_out(&mut self, sources: &[ExprId], begin: impl Fn(usize) -> u64) -> Reg {
        let unit = self.lw.unit;
        let types: Vec<QTy> = sources.iter().map(|&source| unit[source].ty).collect();
        let align = types.iter().map(|ty| self.align(ty.ty)).max().unwrap_or(1);
        let end = begin(sources.len() - 1) + self.size(types[sources.len() - 1].ty);
        let local = self.new_local(QTy::from(types[0].ty), end, align, 0);
        self.emit(Insn::Enter { local });
        let place = self.local_place(local, types[0]);
        for (k, &source) in sources.iter().enumerate() {
            let src = self.aggregate(source);
            let to = Place { ty: types[k], off: place.off + begin(k) as i64, ..place };
            self.copy(to, Place { ty: types[k], ..src }, true);
        }
        self.address(place, false)
    }

    /// `__builtin_shufflevector(a, b, i...)` with constant indices.
    fn shuffle_constant(&mut self, out: Place, args: &[ExprId], ty: QTy) {
        let [a, b, indices @ ..] = args else {
            self.unsupported("this shuffle");
            return;
        };
        let elem_ty = match self.lw.unit.types.kind(ty.ty) {
            TyKind::Vector(t, _) => *t,
            _ => ty.ty,
        };
        let size = self.size(elem_ty) as i64;
        // The two may have different lengths.
        let [first, second] = [*a, *b].map(|source| self.lw.unit[source].ty.ty);
        let behind = self.size(first).next_multiple_of(self.align(second));
        let joined = self.laid_out(&[*a, *b], |k| k as u64 * behind);
        let elements = self.size(first) as i64 / size;
        let source = self.pointee(joined, elem_ty.into());
        for (k, &index) in indices.iter().enumerate() {
            let Some(i) = self.small_const(index) else { continue };
            if i < 0 {
                continue;
            }
            let i = i64::from(i);
            let off = if i < elements { i * size } else { behind as i64 + (i - elements) * size };
            let s = self.load(Place { off, ..source }, None);
            self.store(Place { ty: elem_ty.into(), off: out.off + k as i64 * size, ..out }, s, true);
        }
    }
}
