//! Which numbers a value of a function may be, by the text of its module: intervals without sign, followed through
//! arithmetic that does not overflow, through the branches ahead of a place, and from the callers of local functions.

use super::sites::{Sites, is_called_here_alone};
use crate::llvm_ir::ast::{BinOp, CastOp, ConstId, Function, IntPred, LocalId, Module, Op, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use std::cell::{Cell, RefCell};

/// The most values that are looked at for one answer.
const MOST: u32 = 2_000;

/// Numbers of so many bits, the least and the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) bits: u32,
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Interval {
    fn all(bits: u32) -> Self {
        Interval { bits, low: 0, high: u64::MAX >> (64 - bits) }
    }

    fn of(bits: u32, low: u64, high: u64) -> Self {
        Interval { bits, low, high }
    }

    /// Whether every number of so many bits is one.
    pub(super) fn is_all(self) -> bool {
        self == Self::all(self.bits)
    }

    fn hull(self, other: Self) -> Self {
        Self::of(self.bits, self.low.min(other.low), self.high.max(other.high))
    }

    /// The numbers from one to another, where they are numbers of so many bits.
    fn fitting(bits: u32, low: u128, high: u128) -> Self {
        let all = Self::all(bits);
        if high > u128::from(all.high) { all } else { Self::of(bits, low as u64, high as u64) }
    }

    fn narrowed(self, low: u64, high: u64) -> Self {
        let (low, high) = (self.low.max(low), self.high.min(high));
        // Where none is left the place is never reached.
        if low > high { self } else { Self::of(self.bits, low, high) }
    }

    /// The numbers that compare so with another one.
    fn that(self, pred: IntPred, n: u64) -> Self {
        let half = (u64::MAX >> (64 - self.bits)) >> 1;
        match pred {
            IntPred::Eq => self.narrowed(n, n),
            IntPred::Ne if n == self.low && n < self.high => Self::of(self.bits, n + 1, self.high),
            IntPred::Ne if n == self.high && n > self.low => Self::of(self.bits, self.low, n - 1),
            IntPred::Ult if n > 0 => self.narrowed(0, n - 1),
            IntPred::Ule => self.narrowed(0, n),
            IntPred::Ugt if n < u64::MAX => self.narrowed(n + 1, u64::MAX),
            IntPred::Uge => self.narrowed(n, u64::MAX),
            IntPred::Sgt if n < half => self.narrowed(n + 1, half),
            IntPred::Sgt if n == Self::all(self.bits).high => self.narrowed(0, half),
            IntPred::Sge if n <= half => self.narrowed(n, half),
            IntPred::Slt if (1..=half).contains(&n) && self.high <= half => self.narrowed(0, n - 1),
            IntPred::Sle if n <= half && self.high <= half => self.narrowed(0, n),
            _ => self,
        }
    }
}

/// The intervals of a module's values.
pub(super) struct Ranges<'a, 'm> {
    m: &'m Module,
    sites: &'a Sites<'m>,
    /// How many values may still be looked at.
    left: Cell<u32>,
    /// Values, with the number of their function, whose interval is being found.
    open: RefCell<Vec<(usize, u32)>>,
}

impl<'a, 'm> Ranges<'a, 'm> {
    pub(super) fn of(sites: &'a Sites<'m>) -> Self {
        Ranges { m: sites.m, sites, left: Cell::new(MOST), open: RefCell::default() }
    }

    /// What calls pass for a parameter of a function all of whose calls are here.
    pub(super) fn passed(&self, f: &Function, param: usize) -> Option<Interval> {
        let ty = f.params[param].ty;
        let own = Operand::Local(f.params[param].local);
        let mut all: Option<Interval> = None;
        for (value, caller, at) in self.sites.arguments(f, param)? {
            if value == own && self.m.functions[caller].name == f.name {
                continue;
            }
            let here = self.value(caller, value, ty, at)?;
            all = Some(all.map_or(here, |a| a.hull(here)));
        }
        all.filter(|a| !a.is_all())
    }

    /// What a value may be where an instruction stands.
    fn value(&self, n: usize, value: Operand, ty: TypeId, at: usize) -> Option<Interval> {
        let Type::Int(bits @ 1..=64) = *self.m.types.resolve(ty) else { return None };
        let all = Interval::all(bits);
        let local = match value {
            Operand::Const(c) => {
                return Some(self.m.number(Operand::Const(c)).map_or(all, |n| Interval::of(bits, n, n)));
            }
            Operand::Local(local) => local,
        };
        if self.left.get() == 0 || self.open.borrow().contains(&(n, local.0)) {
            return Some(all);
        }
        self.left.set(self.left.get() - 1);
        self.open.borrow_mut().push((n, local.0));
        let known = self.defined(n, local, bits).unwrap_or(all);
        self.open.borrow_mut().pop();
        Some(self.branched(n, value, ty, at, known))
    }

    fn defined(&self, n: usize, local: LocalId, bits: u32) -> Option<Interval> {
        let f = &self.m.functions[n];
        if let Some(param) = f.params.iter().position(|p| p.local == local) {
            return is_called_here_alone(self.m, f).then(|| self.passed(f, param)).flatten();
        }
        let at = f.locals.get(local.0 as usize)?.def? as usize;
        let of = |o: Operand, ty: TypeId| self.value(n, o, ty, at);
        match &f.insts.get(at)?.op {
            Op::Cast { op: CastOp::ZExt, from, value, .. } => {
                of(*value, *from).map(|r| Interval::of(bits, r.low, r.high))
            }
            Op::Cast { op: CastOp::Trunc, from, value, .. } => {
                of(*value, *from).map(|r| Interval::fitting(bits, r.low.into(), r.high.into()))
            }
            Op::Cast { op: CastOp::BitCast, from, value, to, .. } if from == to => of(*value, *from),
            Op::Select { ty, then, other, .. } => Some(of(*then, *ty)?.hull(of(*other, *ty)?)),
            Op::Phi { ty, incoming, .. } => {
                let ends = incoming.iter().map(|(value, from)| {
                    let end = f.blocks.get(from.0 as usize)?.end as usize;
                    self.value(n, *value, *ty, end.checked_sub(1)?)
                });
                ends.reduce(|a, b| Some(a?.hull(b?)))?
            }
            Op::Binary { op, ty, lhs, rhs, .. } => {
                let (a, b) = (of(*lhs, *ty)?, of(*rhs, *ty)?);
                let wide = |x: u64, y: u64| (u128::from(x), u128::from(y));
                Some(match op {
                    BinOp::Add => {
                        let ((a, b), (c, d)) = (wide(a.low, b.low), wide(a.high, b.high));
                        Interval::fitting(bits, a + b, c + d)
                    }
                    BinOp::Sub if a.low >= b.high => Interval::of(bits, a.low - b.high, a.high - b.low),
                    BinOp::Mul => {
                        let ((a, b), (c, d)) = (wide(a.low, b.low), wide(a.high, b.high));
                        Interval::fitting(bits, a * b, c * d)
                    }
                    BinOp::And => Interval::of(bits, 0, a.high.min(b.high)),
                    BinOp::Or | BinOp::Xor => {
                        let ones = u64::MAX.checked_shr((a.high | b.high).leading_zeros()).unwrap_or(0);
                        Interval::of(bits, 0, ones)
                    }
                    BinOp::LShr if b.low == b.high && b.low < u64::from(bits) => {
                        Interval::of(bits, a.low >> b.low, a.high >> b.low)
                    }
                    BinOp::Shl if b.low == b.high && b.low < u64::from(bits) => {
                        Interval::fitting(bits, u128::from(a.low) << b.low, u128::from(a.high) << b.low)
                    }
                    BinOp::UDiv if b.low > 0 => Interval::of(bits, a.low / b.high, a.high / b.low),
                    BinOp::URem if b.low > 0 => Interval::of(bits, 0, a.high.min(b.high - 1)),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// A value's numbers behind the branches that every way to an instruction takes.
    fn branched(&self, n: usize, value: Operand, ty: TypeId, at: usize, known: Interval) -> Interval {
        let tests = self.sites.compared_ahead(n, value, at);
        let number = |(pred, of, c): &(IntPred, TypeId, ConstId)| {
            Some((*pred, self.m.number(Operand::Const(*c)).filter(|_| *of == ty)?))
        };
        // Once more for what one bound says of another.
        let bounds = tests.iter().chain(&tests).filter_map(number);
        bounds.fold(known, |known, (pred, k)| known.that(pred, k))
    }
}
