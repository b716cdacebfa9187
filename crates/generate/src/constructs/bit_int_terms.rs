//! Expressions of bit-precise integers (C23 6.3.1.1, 6.3.1.8): no promotion, ranks by width, values as intervals. What could
//! overflow is computed in a wider type, or without sign, where it wraps.

use crate::builder::Gen;
use crate::model::{IntTy, Range};
use crate::options::Switch;
use csyntax::ast::{
    BinOp, ExprId, ExprKind, FloatSuffix, FloatSuffixKind, IntBase, IntSuffix, Quals, TypeId, TypeKind, UnOp,
};
use csyntax::intern::Symbol;

/// No bit-precise type is wider: clang before version 15 and plumb have none.
pub(super) const WIDEST: u32 = 128;

/// The type of an operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// A standard one.
    Std(IntTy),
    /// `_BitInt(width)`
    Bits { width: u32, signed: bool },
}

impl Ty {
    pub(super) const INT: Ty = Ty::Std(IntTy::I32);

    pub(super) fn width(self) -> u32 {
        match self {
            Ty::Std(int) => int.bits(),
            Ty::Bits { width, .. } => width,
        }
    }

    pub(super) fn signed(self) -> bool {
        match self {
            Ty::Std(int) => int.signed(),
            Ty::Bits { signed, .. } => signed,
        }
    }

    /// All values; the upper half of 128 bits is beyond these numbers, so that its end stands for all above.
    pub(super) fn range(self) -> Range {
        match self {
            Ty::Std(int) => int.range(),
            Ty::Bits { width: WIDEST, signed } => {
                Range { lo: if signed { i128::MIN } else { 0 }, hi: i128::MAX }
            }
            Ty::Bits { width, signed: true } => Range { lo: -(1 << (width - 1)), hi: (1 << (width - 1)) - 1 },
            // Two to the 127th is no such number, one less is.
            Ty::Bits { width, signed: false } => Range { lo: 0, hi: i128::MAX >> (WIDEST - 1 - width) },
        }
    }

    pub(super) fn unsigned(self) -> Ty {
        match self {
            Ty::Std(int) => Ty::Std(int.unsigned()),
            Ty::Bits { width, .. } => Ty::Bits { width, signed: false },
        }
    }

    fn promoted(self) -> Ty {
        match self {
            Ty::Std(int) => Ty::Std(int.promoted()),
            Ty::Bits { .. } => self,
        }
    }

    fn rank(self) -> (u32, bool) {
        (self.width(), matches!(self, Ty::Std(_)))
    }

    /// The type of arithmetic between two (6.3.1.8).
    pub(super) fn arith(self, other: Ty) -> Ty {
        let (a, b) = (self.promoted(), other.promoted());
        if a.signed() == b.signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (u, s) = if a.signed() { (b, a) } else { (a, b) };
        if u.rank() >= s.rank() {
            u
        } else if s.width() > u.width() {
            s
        } else {
            s.unsigned()
        }
    }
}

/// An expression.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Term {
    pub id: ExprId,
    pub ty: Ty,
    pub range: Range,
}

impl Term {
    /// Its values after a conversion.
    pub(super) fn within(self, to: Ty) -> Range {
        let beyond = self.ty.width() == WIDEST && !self.ty.signed() && self.range.hi == i128::MAX;
        let all = to.range();
        if to == Ty::Std(IntTy::Bool) || !self.range.within(all) || beyond { all } else { self.range }
    }
}

/// `a op b` in whole numbers, if these do.
fn exact(op: BinOp, a: Range, b: Range) -> Option<Range> {
    let each = |x: i128, y: i128| match op {
        BinOp::Add => x.checked_add(y),
        BinOp::Sub => x.checked_sub(y),
        BinOp::Mul => x.checked_mul(y),
        _ => None,
    };
    let all = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
    let first = each(a.lo, b.lo)?;
    all.into_iter().try_fold(Range::one(first), |range, (x, y)| Some(range.union(Range::one(each(x, y)?))))
}

/// The least signed type with all of these values, if there is one.
fn holding(range: Range) -> Option<Ty> {
    let bits = |value: i128| 129 - (if value < 0 { !value } else { value }).leading_zeros();
    let width = bits(range.lo).max(bits(range.hi)).max(2);
    (width <= WIDEST).then_some(Ty::Bits { width, signed: true })
}

/// Where a value lies.
#[derive(Copy, Clone, Debug)]
pub(super) enum Place {
    Name(Symbol),
    /// An element, of a power of two.
    Element(Symbol, u32),
    Member(Symbol, Symbol),
}

/// An object.
#[derive(Copy, Clone, Debug)]
pub(super) struct Object {
    pub place: Place,
    pub ty: Ty,
    /// Its values: those of the type, of a bit-field or of a counter.
    pub range: Range,
    /// Can it be assigned to?
    pub free: bool,
}

/// A function under construction.
pub(super) struct Terms<'g, 'o> {
    pub gen_: &'g mut Gen<'o>,
    pub objects: Vec<Object>,
}

impl Terms<'_, '_> {
    fn binary_id(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.gen_.e(ExprKind::Binary(op, a, b))
    }

    /// The type as written.
    pub(super) fn node(&mut self, ty: Ty, quals: Quals) -> TypeId {
        match ty {
            Ty::Std(int) => {
                let ty = self.gen_.int_ty(int);
                self.gen_.written(crate::model::Qualified { ty, quals }).1
            }
            Ty::Bits { width, signed } => {
                let width = self.gen_.number(width);
                self.gen_.type_node(TypeKind::BitInt(width, !signed), quals)
            }
        }
    }

    /// A bit-precise type, often at an edge of what compilers do alike.
    pub(super) fn random_bits(&mut self) -> Ty {
        let choices = &mut self.gen_.choices;
        let signed = choices.percent(40);
        let width = match choices.below(5) {
            0 => choices.pick(&[3, 7, 8, 9, 15, 16, 17, 31, 32, 33]),
            1 => choices.pick(&[63, 64, 65, 66, 95, 96, 97, 127, 128]),
            2 => choices.range(2, 32),
            _ => choices.range(2, WIDEST),
        };
        Ty::Bits { width: if self.gen_.on(Switch::LongLong) { width } else { width.min(31) }, signed }
    }

    fn random_ty(&mut self) -> Ty {
        if self.gen_.choices.percent(30) { Ty::Std(self.gen_.random_int()) } else { self.random_bits() }
    }

    pub(super) fn cast(&mut self, a: Term, ty: Ty) -> Term {
        if a.ty == ty {
            return a;
        }
        let node = self.node(ty, Quals::NONE);
        Term { id: self.gen_.e(ExprKind::Cast(node, a.id)), ty, range: a.within(ty) }
    }

    /// A small constant of type `int`.
    pub(super) fn number(&mut self, value: i128) -> Term {
        Term { id: self.gen_.literal(value, IntTy::I32), ty: Ty::INT, range: Range::one(value) }
    }

    /// `12345wb`, of the narrowest type that holds it (6.4.4.1).
    fn bit_literal(&mut self, value: i128, unsigned: bool) -> Term {
        let width = (128 - value.leading_zeros() + u32::from(!unsigned)).max(if unsigned { 1 } else { 2 });
        let suffix = IntSuffix { unsigned, long: 0, imaginary: false, bits: true };
        let base = self.gen_.choices.pick(&[IntBase::Dec, IntBase::Hex, IntBase::Bin]);
        let id = self.gen_.e(ExprKind::Int { value: value as u128, suffix, base });
        Term { id, ty: Ty::Bits { width, signed: !unsigned }, range: Range::one(value) }
    }

    /// A constant that a type is likely to make something of.
    pub(super) fn constant(&mut self, of: Ty) -> Term {
        let all = of.range();
        let long = self.gen_.on(Switch::LongLong);
        let value = match self.gen_.choices.below(4) {
            0 => i128::from(self.gen_.choices.below(10)),
            1 => -i128::from(self.gen_.choices.range(1, 9)),
            2 => self.gen_.choices.pick(&[all.hi, all.lo, all.hi / 2, all.hi - 1]),
            _ => {
                let (high, low) = (self.gen_.choices.word(), self.gen_.choices.word());
                i128::from(high) << 32 | i128::from(low)
            }
        };
        let value = value.clamp(all.lo, all.hi);
        if self.gen_.on(Switch::C23) && self.gen_.choices.percent(40) && value >= 0 {
            return self.bit_literal(value, !of.signed());
        }
        let ints = [IntTy::I32, IntTy::U32, IntTy::I64, IntTy::U64];
        let fits =
            ints.into_iter().find(|int| Range::one(value).within(int.range()) && (long || int.bits() < 64));
        match fits {
            Some(int) => {
                Term { id: self.gen_.literal(value, int), ty: Ty::Std(int), range: Range::one(value) }
            }
            None => {
                // (T)word << n, in the bits that the type has.
                let ty = of.unsigned();
                let word = if long { IntTy::U64 } else { IntTy::U32 };
                let low = (value & word.range().hi).max(1);
                let low =
                    Term { id: self.gen_.literal(low, word), ty: Ty::Std(word), range: Range::one(low) };
                let low = self.cast(low, ty);
                let by = self.gen_.choices.below(ty.width());
                let by = self.number(by.into());
                Term { id: self.binary_id(BinOp::Shl, low.id, by.id), ty, range: ty.range() }
            }
        }
    }

    /// The syntax of an object, with an index where it is an element.
    pub(super) fn place(&mut self, object: Object) -> ExprId {
        match object.place {
            Place::Name(name) => self.gen_.ident(name),
            Place::Member(name, field) => {
                let base = self.gen_.ident(name);
                self.gen_.e(ExprKind::Member { base, arrow: false, field })
            }
            Place::Element(name, len) => {
                let array = self.gen_.ident(name);
                let at = self.gen_.choices.below(len);
                let mut index = self.gen_.number(at);
                let names: Vec<Object> =
                    self.objects.iter().filter(|o| matches!(o.place, Place::Name(_))).copied().collect();
                if !names.is_empty() && self.gen_.choices.percent(50) {
                    // x & (len - 1) is below the length, whatever the type and the sign of x.
                    let chosen = self.gen_.choices.pick(&names);
                    let (held, mask) = (self.place(chosen), self.gen_.number(len - 1));
                    index = self.binary_id(BinOp::And, held, mask);
                }
                self.gen_.e(ExprKind::Index(array, index))
            }
        }
    }

    pub(super) fn read(&mut self, object: Object) -> Term {
        Term { id: self.place(object), ty: object.ty, range: object.range }
    }

    fn leaf(&mut self) -> Term {
        if self.objects.is_empty() || self.gen_.choices.percent(20) {
            let ty = self.random_bits();
            return self.constant(ty);
        }
        let at = self.gen_.choices.below(self.objects.len() as u32) as usize;
        self.read(self.objects[at])
    }

    /// An expression with about so many operators.
    pub(super) fn term(&mut self, ops: u32) -> Term {
        if ops == 0 || self.gen_.choices.exhausted() {
            return self.leaf();
        }
        let float = if self.gen_.on(Switch::Float) { 3 } else { 0 };
        let calls = if self.gen_.bit_precise.is_empty() { 0 } else { 8 };
        match self.gen_.choices.weighted(&[60, 8, 10, 7, 8, float, calls]).unwrap_or(0) {
            1 => self.unary(ops - 1),
            2 => {
                let a = self.term(ops - 1);
                let ty = self.random_ty();
                self.cast(a, ty)
            }
            3 => {
                let cond = self.term(0);
                let (yes, no) = (self.term(ops - 1), self.term(ops / 2));
                let ty = yes.ty.arith(no.ty);
                let range = yes.within(ty).union(no.within(ty));
                Term { id: self.gen_.e(ExprKind::Cond(cond.id, Some(yes.id), no.id)), ty, range }
            }
            4 => self.comparison(ops - 1),
            5 => self.through_double(ops - 1),
            6 => self.callee(ops - 1),
            _ => self.binary(ops - 1),
        }
    }

    fn unary(&mut self, ops: u32) -> Term {
        let a = self.term(ops);
        let ty = a.ty.promoted();
        let (op, range) = match self.gen_.choices.below(3) {
            0 => (UnOp::BitNot, ty.range()),
            1 => {
                return Term {
                    id: self.gen_.e(ExprKind::Unary(UnOp::Not, a.id)),
                    ty: Ty::INT,
                    range: Range { lo: 0, hi: 1 },
                };
            }
            _ if !ty.signed() => (UnOp::Minus, ty.range()),
            _ => match exact(BinOp::Sub, Range::one(0), a.range).filter(|range| range.within(ty.range())) {
                Some(range) => (UnOp::Minus, range),
                None => (UnOp::BitNot, ty.range()),
            },
        };
        Term { id: self.gen_.e(ExprKind::Unary(op, a.id)), ty, range }
    }

    fn comparison(&mut self, ops: u32) -> Term {
        let (left, right) = self.gen_.split(ops);
        let (a, b) = (self.term(left), self.term(right));
        let all =
            [BinOp::Lt, BinOp::Gt, BinOp::Le, BinOp::Ge, BinOp::Eq, BinOp::Ne, BinOp::LogAnd, BinOp::LogOr];
        let op = self.gen_.choices.pick(&all);
        Term { id: self.binary_id(op, a.id, b.id), ty: Ty::INT, range: Range { lo: 0, hi: 1 } }
    }

    /// `(T)(double)(e & mask)`: exact there and back.
    fn through_double(&mut self, ops: u32) -> Term {
        let a = self.term(ops);
        let mask = self.gen_.choices.pick(&[0xfi128, 0xff, 0x7fff, 0x7fff_ffff]);
        let mask = self.number(mask);
        let small = self.plain(BinOp::And, a, mask);
        let text = self.gen_.name("0.5");
        let half =
            ExprKind::Float { text, suffix: FloatSuffix { kind: FloatSuffixKind::Double, imaginary: false } };
        let half = self.gen_.e(half);
        let number = self.binary_id(BinOp::Add, small.id, half);
        // What is below zero, a type without sign does not take from a floating value.
        let ty = if small.range.lo < 0 { Ty::Bits { width: 34, signed: true } } else { self.random_bits() };
        if !small.range.within(ty.range()) || small.range.lo < 0 {
            return small;
        }
        let node = self.node(ty, Quals::NONE);
        Term { id: self.gen_.e(ExprKind::Cast(node, number)), ty, range: small.range }
    }

    /// A call of one of the program's functions of bit-precise integers.
    fn callee(&mut self, ops: u32) -> Term {
        let at = self.gen_.choices.below(self.gen_.bit_precise.len() as u32) as usize;
        let callee = self.gen_.bit_precise[at].clone();
        let each = ops / callee.params.len().max(1) as u32;
        let args = callee.params.iter().map(|ty| {
            let a = self.term(each);
            // A conversion nobody wrote does the same.
            if self.gen_.choices.percent(50) { self.cast(a, *ty).id } else { a.id }
        });
        let args = args.collect();
        self.gen_.cost = self.gen_.cost.saturating_add(callee.cost);
        let name = self.gen_.ident(callee.name);
        Term { id: self.gen_.e(ExprKind::Call(name, args)), ty: callee.ret, range: callee.ret.range() }
    }

    /// `a op b`, in which nothing can overflow.
    fn plain(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let ty = a.ty.arith(b.ty);
        // Bits that a value does not have stay unset.
        let below = [a, b].into_iter().map(|t| t.within(ty)).filter(|r| r.lo >= 0).map(|r| r.hi).min();
        let range = match below {
            Some(hi) if op == BinOp::And => Range { lo: 0, hi },
            _ => ty.range(),
        };
        Term { id: self.binary_id(op, a.id, b.id), ty, range }
    }

    fn binary(&mut self, ops: u32) -> Term {
        let (left, right) = self.gen_.split(ops);
        let a = self.term(left);
        let muls = if self.gen_.on(Switch::Muls) { 14 } else { 0 };
        let divs = if self.gen_.on(Switch::Divs) { 8 } else { 0 };
        match self.gen_.choices.weighted(&[30, muls, 20, divs, 20]).unwrap_or(0) {
            1 => {
                let b = self.term(right);
                self.overflowing(BinOp::Mul, a, b)
            }
            2 => {
                let op = self.gen_.choices.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
                let b = self.term(right);
                self.plain(op, a, b)
            }
            3 => self.quotient(a, right),
            4 => self.shift(a, right),
            _ => {
                let op = self.gen_.choices.pick(&[BinOp::Add, BinOp::Sub]);
                let b = self.term(right);
                self.overflowing(op, a, b)
            }
        }
    }

    /// A sum, difference or product.
    pub(super) fn overflowing(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let ty = a.ty.arith(b.ty);
        let range = exact(op, a.within(ty), b.within(ty));
        let fits = range.filter(|range| range.within(ty.range()));
        if let Some(range) = fits.or((!ty.signed()).then(|| ty.range())) {
            return Term { id: self.binary_id(op, a.id, b.id), ty, range };
        }
        let wider = range
            .and_then(holding)
            .filter(|wider| wider.arith(a.ty) == *wider && wider.arith(b.ty) == *wider);
        if let (Some(wider), Some(range)) = (wider.filter(|_| self.gen_.choices.percent(70)), range) {
            let a = self.cast(a, wider);
            return Term { id: self.binary_id(op, a.id, b.id), ty: wider, range };
        }
        let ty = Ty::Bits { width: ty.width(), signed: false };
        let (a, b) = (self.cast(a, ty), self.cast(b, ty));
        Term { id: self.binary_id(op, a.id, b.id), ty, range: ty.range() }
    }

    /// A quotient or remainder by what can be neither 0 nor -1.
    fn quotient(&mut self, a: Term, ops: u32) -> Term {
        let b = self.term(ops);
        let one = self.number(1);
        let by = if a.ty.arith(b.ty).arith(Ty::INT).signed() {
            let mask = self.gen_.choices.pick(&[7i128, 0x3f, 0xff]);
            let mask = self.number(mask);
            let low = self.plain(BinOp::And, b, mask);
            self.overflowing(BinOp::Add, low, one)
        } else {
            self.plain(BinOp::Or, b, one)
        };
        let ty = a.ty.arith(by.ty);
        let op = self.gen_.choices.pick(&[BinOp::Div, BinOp::Rem]);
        // A divisor that wrapped in a narrow type would be 0: only what is known to be positive divides.
        if ty.signed() && by.within(ty).lo < 1 {
            return self.plain(BinOp::Xor, a, by);
        }
        Term { id: self.binary_id(op, a.id, by.id), ty, range: ty.range() }
    }

    /// A shift by a count that is below the width.
    fn shift(&mut self, a: Term, ops: u32) -> Term {
        let op = self.gen_.choices.pick(&[BinOp::Shl, BinOp::Shr]);
        let bits = match a.ty.promoted() {
            Ty::Std(int) if op == BinOp::Shl => Ty::Bits { width: int.bits(), signed: false },
            ty if op == BinOp::Shl => ty.unsigned(),
            ty => ty,
        };
        let a = self.cast(a, bits);
        let most = 1u32 << bits.width().ilog2();
        let count = if self.gen_.choices.percent(50) {
            let by = self.gen_.choices.below(bits.width());
            self.number(by.into())
        } else {
            let count = self.term(ops.min(2));
            let mask = self.number(i128::from(most) - 1);
            self.plain(BinOp::And, count, mask)
        };
        Term { id: self.binary_id(op, a.id, count.id), ty: bits, range: bits.range() }
    }
}
