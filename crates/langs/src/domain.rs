//! What the semantics here need of a value domain beyond [`smt::Domain`], made of it; and their common error.

use crate::arithmetic::evaluate;
use crate::operation::{Arithmetic, Conversion, Format, Operation};
pub use smt::{BinOp as BitOp, CmpOp, Domain};

/// Derived operations on any domain.
pub trait Ext: Domain {
    /// Zero extension or truncation.
    fn zfit(&mut self, a: &Self::Bv, width: u32) -> Self::Bv {
        match self.width(a) {
            w if w == width => a.clone(),
            w if w > width => self.trunc(a, width),
            _ => self.zext(a, width),
        }
    }
    /// Sign extension or truncation.
    fn sfit(&mut self, a: &Self::Bv, width: u32) -> Self::Bv {
        match self.width(a) {
            w if w == width => a.clone(),
            w if w > width => self.trunc(a, width),
            _ => self.sext(a, width),
        }
    }
    /// The result of an operation known by name alone, except on numbers that it is known for.
    fn operation(&mut self, operation: &Operation, args: &[Self::Bv], width: u32) -> Self::Bv {
        let numbers: Option<Vec<smt::Bv>> = args.iter().map(|a| self.as_const(a)).collect();
        if let Some(known) = numbers.and_then(|numbers| evaluate(operation, &numbers, width)) {
            return self.constant(known);
        }
        if let (Operation::Convert(Conversion::FromInt { signed: true, bits: 32, to }), [half]) =
            (operation, args)
        {
            // It is the number that counts, not what it was extended to.
            let wide = Operation::Convert(Conversion::FromInt { signed: true, bits: 64, to: *to });
            let whole = self.sext(half, 64);
            return self.operation(&wide, &[whole], width);
        }
        if let Some(chosen) = self.operation_on_choice(operation, args, width) {
            return chosen;
        }
        let all = self.uninterpreted(&operation.symbol(), args, width);
        if let (Operation::Convert(Conversion::FromInt { signed, to, .. }), [number]) = (operation, args)
            && to.mantissa().is_some()
            && (!signed || self.is_nonnegative(number))
        {
            // What comes from an integer without a sign has none.
            let magnitude = self.trunc(&all, width - 1);
            return self.zext(&magnitude, width);
        }
        all
    }
    /// Whether the sign of a number is clear by its text.
    fn is_nonnegative(&mut self, number: &Self::Bv) -> bool {
        let top = self.width(number) - 1;
        let sign = self.extract(top, top, number);
        self.as_const(&sign).is_some_and(|sign| sign.is_zero())
    }
    /// The result of an operation that is known for both values of one argument, the others being numbers: a truth value
    /// made a number, a choice of constants.
    fn operation_on_choice(
        &mut self,
        operation: &Operation,
        args: &[Self::Bv],
        width: u32,
    ) -> Option<Self::Bv> {
        let mut open = args.iter().enumerate().filter(|(_, a)| self.as_const(a).is_none());
        let (Some((at, _)), None) = (open.next(), open.next()) else { return None };
        let (condition, yes, no) = self.two_values(&args[at])?;
        let mut known = [None, None];
        for (known, value) in known.iter_mut().zip([yes, no]) {
            let numbers: Option<Vec<smt::Bv>> = (0..args.len())
                .map(|i| if i == at { Some(value.clone()) } else { self.as_const(&args[i]) })
                .collect();
            *known = evaluate(operation, &numbers?, width);
        }
        let [Some(yes), Some(no)] = known else { return None };
        let (yes, no) = (self.constant(yes), self.constant(no));
        Some(self.ite(&condition, &yes, &no))
    }
    /// A value that is one of two, by the text: a choice of constants, or a bit with zeros above.
    fn two_values(&mut self, a: &Self::Bv) -> Option<(Self::Bool, smt::Bv, smt::Bv)> {
        if let Some((condition, yes, no)) = self.as_either(a)
            && let (Some(yes), Some(no)) = (self.as_const(&yes), self.as_const(&no))
        {
            return Some((condition, yes, no));
        }
        let width = self.width(a);
        if width > 1 {
            let above = self.extract(width - 1, 1, a);
            self.as_const(&above).filter(smt::Bv::is_zero)?;
        }
        let set = self.is_set(a);
        Some((set, smt::Bv::one(width), smt::Bv::zero(width)))
    }
    /// A predicate known by name alone.
    fn predicate(&mut self, operation: &Operation, args: &[Self::Bv]) -> Self::Bool {
        let bit = self.operation(operation, args, 1);
        self.bv_to_bool(&bit)
    }
    /// Whether two addresses lie in (or one past) the same allocated object: objects are told apart by an unknown
    /// function of the address, which a run on numbers cannot know, so that it rests on a guess there. Where no object
    /// lies at null, none lies at null alone either.
    fn same_object(&mut self, a: &Self::Bv, b: &Self::Bv, null_is_none: bool) -> Self::Bool {
        let equal = self.eq(a, b);
        if self.as_bool(&equal) == Some(true) {
            return equal;
        }
        let one = std::slice::from_ref;
        let object = Operation::ObjectOfAnAddress;
        let (x, y) = (self.operation(&object, one(a), 64), self.operation(&object, one(b), 64));
        let (m, n) = (self.is_zero(a), self.is_zero(b));
        let alike = if null_is_none { self.iff(&m, &n) } else { self.bool(true) };
        let probe = self.nondet("probe", 1);
        if self.as_const(&probe).is_some() {
            // Near each other is one object, for all that the numbers tell.
            let up = self.sub(a, b);
            let down = self.sub(b, a);
            let far = self.num(self.width(a), 1 << 24);
            let (p, q) = (self.ult(&up, &far), self.ult(&down, &far));
            let near = self.or(&p, &q);
            return self.and(&near, &alike);
        }
        let same = self.eq(&x, &y);
        self.and(&same, &alike)
    }
    /// Whether both hold or neither.
    fn iff(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool {
        let not = self.not(b);
        self.ite_bool(a, b, &not)
    }
    /// Arithmetic of two floating-point numbers, known by name alone, except that sums and products do not mind which
    /// operand comes first, and that signs go where IEEE arithmetic that rounds to nearest has them: a product or quotient has both
    /// operands' signs, and a difference is the sum with the other sign. (Of a result that is no number the sign is open.) A
    /// quotient by a power of two is the product with its reciprocal: the same number before it is rounded. Twice a number is its
    /// sum with itself.
    fn float_arithmetic(&mut self, op: Arithmetic, format: Format, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        if op == Arithmetic::Div
            && let Some(inverse) = self.as_const(b).and_then(|b| reciprocal(&b, format))
        {
            let inverse = self.constant(inverse);
            return self.float_arithmetic(Arithmetic::Mul, format, a, &inverse);
        }
        if op == Arithmetic::Mul
            && let Some((x, negated)) = self.doubled((a, b), format).or_else(|| self.doubled((b, a), format))
        {
            let sum = self.float_arithmetic(Arithmetic::Add, format, &x, &x);
            return if negated { self.negated(&sum) } else { sum };
        }
        let ((p, x), (q, y)) = match op {
            Arithmetic::Rem => return self.named_arithmetic(op, format, a, b),
            _ => (self.without_sign(a), self.without_sign(b)),
        };
        let subtracted = match op {
            Arithmetic::Sub => !q,
            _ => q,
        };
        match (op, p, subtracted) {
            (Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem, ..) => {
                let positive = self.named_arithmetic(op, format, &x, &y);
                if p == q { positive } else { self.negated(&positive) }
            }
            (_, false, false) => self.named_arithmetic(Arithmetic::Add, format, &x, &y),
            (_, false, true) => self.named_arithmetic(Arithmetic::Sub, format, &x, &y),
            (_, true, false) => self.named_arithmetic(Arithmetic::Sub, format, &y, &x),
            (_, true, true) => {
                let (x, y) = self.in_order(&x, &y);
                let x = self.negated(&x);
                self.named_arithmetic(Arithmetic::Sub, format, &x, &y)
            }
        }
    }
    /// The first factor where the second is two, or minus two, and whether it is that.
    fn doubled(&self, (a, b): (&Self::Bv, &Self::Bv), format: Format) -> Option<(Self::Bv, bool)> {
        let (number, width) = (self.as_const(b)?, self.width(b));
        format.mantissa()?;
        let two = smt::Bv::new(width - 1, 1).shl_by(width - 2);
        (number.trunc(width - 1) == two).then(|| (a.clone(), number.bit(width - 1)))
    }
    /// A floating-point number with the other sign.
    fn negated(&mut self, a: &Self::Bv) -> Self::Bv {
        let sign = self.constant(smt::Bv::smin(self.width(a)));
        self.bv_xor(a, &sign)
    }
    /// Of a number and the one with the other sign that which was there first, and whether it is the other: so both have
    /// one form, whatever they are made of.
    fn without_sign(&mut self, a: &Self::Bv) -> (bool, Self::Bv) {
        let other = self.negated(a);
        if other < *a { (true, other) } else { (false, a.clone()) }
    }
    /// Arithmetic of two floating-point numbers, known by name alone, except that sums and products commute.
    fn named_arithmetic(&mut self, op: Arithmetic, format: Format, a: &Self::Bv, b: &Self::Bv) -> Self::Bv {
        let width = self.width(a);
        let (a, b) = if op.commutes() { self.in_order(a, b) } else { (a.clone(), b.clone()) };
        self.operation(&Operation::Arithmetic(op, format), &[a, b], width)
    }
    /// The operands of an operation that does not mind their order, in one order: constants last. (Other terms are in the
    /// order in which they were made, which tells nothing of the operands of the other side's operation.)
    fn in_order(&self, a: &Self::Bv, b: &Self::Bv) -> (Self::Bv, Self::Bv) {
        let [known_a, known_b] = [a, b].map(|v| self.as_const(v).is_some());
        if (known_b, b) < (known_a, a) { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) }
    }
    /// Whether the lowest bit is set.
    fn is_set(&mut self, a: &Self::Bv) -> Self::Bool {
        let low = self.zfit(a, 1);
        self.bv_to_bool(&low)
    }
    /// Whether all bits are clear.
    fn is_zero(&mut self, a: &Self::Bv) -> Self::Bool {
        let zero = self.num(self.width(a), 0);
        self.eq(a, &zero)
    }
    /// Sum with a small number.
    fn add_num(&mut self, a: &Self::Bv, n: i128) -> Self::Bv {
        if n == 0 {
            return a.clone();
        }
        let n = self.signed(self.width(a), n);
        self.add(a, &n)
    }
    /// Choice of truth values.
    fn ite_bool(&mut self, c: &Self::Bool, a: &Self::Bool, b: &Self::Bool) -> Self::Bool {
        match (self.as_bool(c), self.as_bool(a), self.as_bool(b)) {
            (Some(true), ..) => return a.clone(),
            (Some(false), ..) => return b.clone(),
            (_, Some(x), Some(y)) if x == y => return a.clone(),
            _ => {}
        }
        let nc = self.not(c);
        let (x, y) = (self.and(c, a), self.and(&nc, b));
        self.or(&x, &y)
    }
    /// The address of an object by its name, the same in both programs of a pair. Objects of a known size are
    /// disjoint from one another.
    fn address(&mut self, name: &str, size: Option<u64>) -> Self::Bv {
        if let Some(size) = size {
            self.declare_object(name, 64, size);
        }
        self.symbol(name, 64)
    }
}

impl<D: Domain> Ext for D {}

/// The reciprocal of a power of two, where neither is too great or too small to have all bits of the mantissa.
fn reciprocal(number: &smt::Bv, format: Format) -> Option<smt::Bv> {
    let (mantissa, width) = (format.mantissa()?, number.width());
    let exponent = number.lshr(&smt::Bv::new(width, u128::from(mantissa))).trunc(width - 1 - mantissa);
    let (exponent, most) = (exponent.to_u64()?, (1u64 << (width - 1 - mantissa)) - 1);
    // Twice the bias is the greatest exponent of a number.
    let other = (most - 1).checked_sub(exponent)?;
    let fits = number.trunc(mantissa).is_zero() && exponent > 0 && other > 0;
    let sign = if number.bit(width - 1) { smt::Bv::smin(width) } else { smt::Bv::zero(width) };
    fits.then(|| sign.or(&smt::Bv::new(width, u128::from(other)).shl_by(mantissa)))
}

/// A result, or what is not covered.
pub(crate) type Res<T> = Result<T, Unsupported>;

/// What a semantics does not cover, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The construct.
    pub what: String,
}

impl Unsupported {
    /// An unsupported construct.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unsupported: {}", self.what)
    }
}

impl std::error::Error for Unsupported {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_have_exact_reciprocals() {
        let of = |x: f64| reciprocal(&smt::Bv::new(64, u128::from(x.to_bits())), Format::F64);
        for (x, y) in
            [(128.0, 0.0078125), (-0.5, -2.0), (1.0, 1.0), (f64::MIN_POSITIVE, 1.0 / f64::MIN_POSITIVE)]
        {
            assert_eq!(of(x), Some(smt::Bv::new(64, u128::from(f64::to_bits(y)))), "{x}");
        }
        for x in [0.0, 3.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE / 2.0, f64::powi(2.0, 1023)] {
            assert_eq!(of(x), None, "{x}");
        }
    }
}
