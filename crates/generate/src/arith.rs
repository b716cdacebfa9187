//! Integer arithmetic that cannot go wrong: bare where the operands' ranges prove it, guarded where they don't.

use crate::builder::{Ex, Gen};
use crate::flow::{Flow, Node, NodeId};
use crate::model::{IntTy, Range, TyDef, TyId};
use crate::options::{SafeMath, Switch};
use crate::rewrite::Guard;
use crate::wrappers::SafeOp;
use csyntax::ast::{BinOp, ExprKind, UnOp};

/// The value range of an operation on ranges, over the mathematical integers.
pub(crate) fn exact(op: BinOp, a: Range, b: Range) -> Option<Range> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a.lo, b.lo)?, f(a.lo, b.hi)?, f(a.hi, b.lo)?, f(a.hi, b.hi)?];
        Some(Range { lo: all.into_iter().min()?, hi: all.into_iter().max()? })
    };
    match op {
        BinOp::Add => Some(Range { lo: a.lo + b.lo, hi: a.hi + b.hi }),
        BinOp::Sub => Some(Range { lo: a.lo - b.hi, hi: a.hi - b.lo }),
        BinOp::Mul => corners(i128::checked_mul),
        BinOp::Div if b.lo > 0 || b.hi < 0 => corners(i128::checked_div),
        BinOp::Rem if b.lo > 0 => Some(Range {
            lo: if a.lo < 0 { -(b.hi - 1) } else { 0 },
            hi: if a.hi > 0 { b.hi - 1 } else { 0 },
        }),
        BinOp::Shl if a.lo >= 0 && b.lo >= 0 && b.hi < 64 => {
            Some(Range { lo: a.lo << b.lo, hi: a.hi << b.hi })
        }
        BinOp::Shr if a.lo >= 0 && b.lo >= 0 && b.hi < 64 => {
            Some(Range { lo: a.lo >> b.hi, hi: a.hi >> b.lo })
        }
        BinOp::And if a.lo >= 0 && b.lo >= 0 => Some(Range { lo: 0, hi: a.hi.min(b.hi) }),
        BinOp::And if b.lo >= 0 => Some(Range { lo: 0, hi: b.hi }),
        BinOp::And if a.lo >= 0 => Some(Range { lo: 0, hi: a.hi }),
        BinOp::Or | BinOp::Xor if a.lo >= 0 && b.lo >= 0 => {
            let bits = 128 - a.hi.max(b.hi).leading_zeros();
            Some(Range { lo: 0, hi: (1i128 << bits) - 1 })
        }
        BinOp::Lt
        | BinOp::Gt
        | BinOp::Le
        | BinOp::Ge
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::LogAnd
        | BinOp::LogOr => Some(Range { lo: 0, hi: 1 }),
        BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::And | BinOp::Or | BinOp::Xor => None,
    }
}

fn safe_op(op: BinOp) -> Option<SafeOp> {
    match op {
        BinOp::Add => Some(SafeOp::Add),
        BinOp::Sub => Some(SafeOp::Sub),
        BinOp::Mul => Some(SafeOp::Mul),
        BinOp::Div => Some(SafeOp::Div),
        BinOp::Rem => Some(SafeOp::Rem),
        BinOp::Shl => Some(SafeOp::Shl),
        BinOp::Shr => Some(SafeOp::Shr),
        BinOp::Lt
        | BinOp::Gt
        | BinOp::Le
        | BinOp::Ge
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::And
        | BinOp::Xor
        | BinOp::Or
        | BinOp::LogAnd
        | BinOp::LogOr => None,
    }
}

/// What C makes of `a op b`: the type, and the range where the operation is sure to be defined.
pub(crate) fn typed(op: BinOp, a: (IntTy, Range), b: (IntTy, Range)) -> (IntTy, Option<Range>) {
    match op {
        BinOp::LogAnd | BinOp::LogOr => (IntTy::I32, Some(Range { lo: 0, hi: 1 })),
        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
            (IntTy::I32, Some(Range { lo: 0, hi: 1 }))
        }
        BinOp::Shl | BinOp::Shr => {
            let ty = a.0.promoted();
            if b.1.lo < 0 || b.1.hi >= ty.bits().into() {
                return (ty, None);
            }
            if !ty.signed() {
                let range = exact(op, a.1, b.1).filter(|r| r.within(ty.range()));
                return (ty, Some(range.unwrap_or(ty.range())));
            }
            (ty, exact(op, a.1, b.1).filter(|r| r.within(ty.range())))
        }
        BinOp::Div | BinOp::Rem => {
            let ty = a.0.arith(b.0);
            let (x, y) = (a.1.converted(ty), b.1.converted(ty));
            if y.lo <= 0 && y.hi >= 0 {
                return (ty, None);
            }
            if ty.signed() && x.lo == ty.range().lo && y.lo <= -1 && y.hi >= -1 {
                return (ty, None);
            }
            (ty, Some(exact(op, x, y).unwrap_or(ty.range()).converted(ty)))
        }
        BinOp::And | BinOp::Or | BinOp::Xor => {
            let ty = a.0.arith(b.0);
            let range = exact(op, a.1.converted(ty), b.1.converted(ty)).unwrap_or(ty.range());
            (ty, Some(range.converted(ty)))
        }
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            let ty = a.0.arith(b.0);
            let range = exact(op, a.1.converted(ty), b.1.converted(ty));
            match range.filter(|r| r.within(ty.range())) {
                Some(range) => (ty, Some(range)),
                None if ty.signed() => (ty, None),
                None => (ty, Some(ty.range())),
            }
        }
    }
}

impl Gen<'_> {
    /// The type of an integer type.
    pub(crate) fn int_ty(&mut self, int: IntTy) -> TyId {
        self.model.intern(TyDef::Int(int))
    }

    /// The C type of an integer expression.
    pub(crate) fn int_of(&self, ex: &Ex) -> IntTy {
        self.model.int(ex.ty).unwrap_or(IntTy::I32)
    }

    /// An integer expression.
    pub(crate) fn int_ex(&mut self, kind: ExprKind, int: IntTy, range: Range, node: NodeId) -> Ex {
        let id = self.e(kind);
        let ty = self.int_ty(int);
        Ex { id, ty, range, node, val: Flow::NUMBER, bits: false }
    }

    /// A constant.
    pub(crate) fn int_const(&mut self, value: i128, int: IntTy) -> Ex {
        let int = int.promoted();
        let id = self.literal(value, int);
        let ty = self.int_ty(int);
        Ex { id, ty, range: Range::one(value), node: Flow::NOP, val: Flow::NUMBER, bits: false }
    }

    /// `(T)e`
    pub(crate) fn convert(&mut self, ex: Ex, int: IntTy) -> Ex {
        let ty = self.int_ty(int);
        let id = self.cast(ty, ex.id);
        Ex { id, ty, range: ex.range.converted(int), node: ex.node, val: Flow::NUMBER, bits: false }
    }

    /// `a op b`, made safe.
    pub(crate) fn binary(&mut self, op: BinOp, a: Ex, b: Ex) -> Ex {
        let node = match op {
            BinOp::LogAnd | BinOp::LogOr if b.node != Flow::NOP => {
                self.flow.node(Node::Cond(a.node, b.node, Flow::NOP))
            }
            _ => self.flow.unseq(&[a.node, b.node]),
        };
        let (x, y) = ((self.int_of(&a), a.range), (self.int_of(&b), b.range));
        let (ty, range) = typed(op, x, y);
        let every = self.opts.guarding() == SafeMath::Wrappers && self.on(Switch::SafeMath);
        match (range, safe_op(op)) {
            (_, Some(safe)) if every => self.guarded(op, safe, ty, a, b, node),
            (Some(range), _) => self.int_ex(ExprKind::Binary(op, a.id, b.id), ty, range, node),
            (None, _) if !self.on(Switch::SafeMath) => {
                self.int_ex(ExprKind::Binary(op, a.id, b.id), ty, ty.range(), node)
            }
            (None, Some(safe)) => self.guarded(op, safe, ty, a, b, node),
            (None, None) => a,
        }
    }

    fn guarded(&mut self, op: BinOp, safe: SafeOp, ty: IntTy, a: Ex, b: Ex, node: NodeId) -> Ex {
        let inline = match self.opts.guarding() {
            SafeMath::Wrappers => 0,
            SafeMath::Analysis if self.cx.pure => 92,
            SafeMath::Analysis => 45,
            SafeMath::Elided if self.cx.pure => 60,
            SafeMath::Elided => 20,
        };
        let inline = self.choices.percent(inline);
        if let Some(ex) = inline.then(|| self.guarded_inline(op, ty, a, b, node)).flatten() {
            return ex;
        }
        let wide = self.int_of(&b).bits() > 32;
        let name = self.wrapper(safe, ty);
        let callee = self.ident(name);
        let ex = self.int_ex(ExprKind::Call(callee, vec![a.id, b.id]), ty, ty.range(), node);
        let narrowed = wide && matches!(op, BinOp::Shl | BinOp::Shr);
        self.note_guard(ex.id, Some(op), narrowed);
        ex
    }

    fn note_guard(&mut self, call: csyntax::ast::ExprId, op: Option<BinOp>, narrowed: bool) {
        let number = self.guards.len() as u32 + 1;
        self.guards.push(Guard { call, op, number, narrowed });
    }

    /// Guards without a call: unsigned or wider arithmetic, masked shift counts, divisors that are odd.
    fn guarded_inline(&mut self, op: BinOp, ty: IntTy, a: Ex, b: Ex, node: NodeId) -> Option<Ex> {
        let unsigned = ty.unsigned();
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                if ty.bits() == 32 && self.on(Switch::Math64) && self.choices.percent(30) {
                    let wide = self.convert(a, IntTy::I64);
                    let (ty, range) = typed(op, (IntTy::I64, wide.range), (self.int_of(&b), b.range));
                    return Some(self.int_ex(ExprKind::Binary(op, wide.id, b.id), ty, range?, node));
                }
                let a = self.convert(a, unsigned);
                let sum = self.int_ex(ExprKind::Binary(op, a.id, b.id), unsigned, unsigned.range(), node);
                Some(if self.choices.percent(50) { self.convert(sum, ty) } else { sum })
            }
            BinOp::Shl | BinOp::Shr => {
                let a = if ty.signed() && (op == BinOp::Shl || a.range.lo < 0) {
                    self.convert(a, unsigned)
                } else {
                    a
                };
                let mask = self.number(ty.bits() - 1);
                let count = self.e(ExprKind::Binary(BinOp::And, b.id, mask));
                let int = self.int_of(&a).promoted();
                Some(self.int_ex(ExprKind::Binary(op, a.id, count), int, int.range(), node))
            }
            BinOp::Div | BinOp::Rem => {
                let low = self.choices.pick(&[3u32, 1, 7, 15, 255, 2, 4095]);
                if ty.signed() {
                    // (b & 15) + 1 is positive
                    let mask = self.number(low);
                    let masked = self.e(ExprKind::Binary(BinOp::And, b.id, mask));
                    let one = self.number(1);
                    let by = self.e(ExprKind::Binary(BinOp::Add, masked, one));
                    let range = exact(op, a.range.converted(ty), Range { lo: 1, hi: i128::from(low) + 1 });
                    let range = range.unwrap_or(ty.range()).converted(ty);
                    return Some(self.int_ex(ExprKind::Binary(op, a.id, by), ty, range, node));
                }
                let one = self.number(low);
                let odd = self.e(ExprKind::Binary(BinOp::Or, b.id, one));
                Some(self.int_ex(ExprKind::Binary(op, a.id, odd), ty, ty.range(), node))
            }
            BinOp::Lt
            | BinOp::Gt
            | BinOp::Le
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Xor
            | BinOp::Or
            | BinOp::LogAnd
            | BinOp::LogOr => None,
        }
    }

    /// `op e`, made safe.
    pub(crate) fn unary(&mut self, op: UnOp, a: Ex) -> Ex {
        let int = self.int_of(&a).promoted();
        let kind = ExprKind::Unary(op, a.id);
        match op {
            UnOp::Not => self.int_ex(kind, IntTy::I32, Range { lo: 0, hi: 1 }, a.node),
            UnOp::BitNot => {
                let range = Range { lo: -1 - a.range.hi, hi: -1 - a.range.lo };
                let range = if int.signed() { range } else { int.range() };
                self.int_ex(kind, int, range, a.node)
            }
            UnOp::Minus => {
                let range = Range { lo: -a.range.hi, hi: -a.range.lo };
                if !int.signed() {
                    return self.int_ex(kind, int, int.range(), a.node);
                }
                let every = self.opts.guarding() == SafeMath::Wrappers;
                if range.within(int.range()) && !every || !self.on(Switch::SafeMath) {
                    return self.int_ex(kind, int, range.converted(int), a.node);
                }
                let name = self.wrapper(SafeOp::Neg, int);
                let callee = self.ident(name);
                let ex = self.int_ex(ExprKind::Call(callee, vec![a.id]), int, int.range(), a.node);
                self.note_guard(ex.id, None, false);
                ex
            }
            UnOp::Plus
            | UnOp::Deref
            | UnOp::AddrOf
            | UnOp::PreInc
            | UnOp::PreDec
            | UnOp::PostInc
            | UnOp::PostDec
            | UnOp::Real
            | UnOp::Imag
            | UnOp::Extension => self.int_ex(kind, int, a.range, a.node),
        }
    }

    /// A value worth trying: small, at a boundary, a power of two and its neighbours, or any.
    pub(crate) fn interesting(&mut self, int: IntTy) -> i128 {
        let range = int.range();
        let value = match self.choices.weighted(&[30, 15, 15, 15, 25]).unwrap_or(0) {
            0 => i128::from(self.choices.below(16)),
            1 => -i128::from(self.choices.below(9)),
            2 => self.choices.pick(&[range.hi, range.lo, range.hi - 1, range.lo + 1]),
            3 => {
                let power = 1i128 << self.choices.below(int.bits());
                power + self.choices.pick(&[0, -1, 1])
            }
            _ => {
                let (high, low) = (self.choices.word(), self.choices.word());
                i128::from(high) << 32 | i128::from(low)
            }
        };
        self.wrap(value, int)
    }

    /// A value as a type holds it.
    pub(crate) fn wrap(&self, value: i128, int: IntTy) -> i128 {
        let range = int.range();
        if int == IntTy::Bool {
            return i128::from(value != 0);
        }
        // The number of values is a power of two.
        ((value - range.lo) & (range.hi - range.lo)) + range.lo
    }

    /// An integer type that the options allow.
    pub(crate) fn random_int(&mut self) -> IntTy {
        let long = if self.on(Switch::LongLong) { 12 } else { 0 };
        let weights = [
            22,
            18,
            12,
            12,
            if self.on(Switch::Int8) { 10 } else { 0 },
            if self.on(Switch::Uint8) { 12 } else { 0 },
            long,
            long,
        ];
        IntTy::ALL[self.choices.weighted(&weights).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_make_products_of_shorts_unsafe() {
        let short = (IntTy::U16, IntTy::U16.range());
        assert_eq!(typed(BinOp::Mul, short, short), (IntTy::I32, None));
        assert!(typed(BinOp::Add, short, short).1.is_some());
    }

    #[test]
    fn unsigned_wraps_and_signed_does_not() {
        let (u, i) = ((IntTy::U32, IntTy::U32.range()), (IntTy::I32, IntTy::I32.range()));
        assert_eq!(typed(BinOp::Add, u, i), (IntTy::U32, Some(IntTy::U32.range())));
        assert_eq!(typed(BinOp::Add, i, i), (IntTy::I32, None));
        assert_eq!(typed(BinOp::Sub, (IntTy::I32, Range { lo: 0, hi: 5 }), i), (IntTy::I32, None));
    }

    #[test]
    fn divisors_that_may_be_zero_are_unsafe() {
        let i = (IntTy::I32, IntTy::I32.range());
        assert_eq!(typed(BinOp::Div, i, i).1, None);
        assert_eq!(typed(BinOp::Div, i, (IntTy::I32, Range { lo: -1, hi: -1 })).1, None);
        assert!(typed(BinOp::Div, i, (IntTy::I32, Range { lo: 1, hi: 9 })).1.is_some());
        // a negative divisor becomes a large unsigned one, never 0 here
        assert!(
            typed(BinOp::Div, (IntTy::U32, IntTy::U32.range()), (IntTy::I32, Range::one(-1))).1.is_some()
        );
    }
}
