//! Arithmetic in a rounding mode (`llvm.experimental.constrained.*`), and arithmetic that changes no number, between IR
//! programs.
//!
//! The mode that a function runs in is an input, the same on both sides: functions that call others, which may change it,
//! are not followed. An operation that names a mode is undefined in others. Flags and traps are no result here.

use super::floats::of_class;
use super::{Effect, Ir, Res, Scalar, Side, State, Value};
use crate::assumption::Assumption;
use crate::domain::{BitOp, Domain, Ext};
use crate::floats::ROUNDING_MODE;
use crate::llvm_ir::ast::{Call, ConstKind, Flags, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::TypeId;
use crate::operation::{Arithmetic, Format, Operation};

/// Rounding modes that an instruction names, by their numbers here.
const MODES: [(&str, u128); 4] =
    [("round.tonearest", NEAREST), ("round.upward", 1), ("round.downward", DOWN), ("round.towardzero", 3)];
const NEAREST: u128 = 0;
/// Classes of NaNs as `llvm.is.fpclass` counts them.
const NAN: u64 = 3;
const DOWN: u128 = 2;

/// What arithmetic with a known operand comes to that changes no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unchanged {
    /// The other operand, and negative zero downwards where both that and the sum of both are zero: `x - 0`, `x + -0`.
    Itself,
    /// The other operand with its sign changed: `-0 - x`, `x * -1`.
    Negated,
    /// The product or quotient with one: the other operand in every mode.
    Exactly,
}

impl Ir<'_> {
    /// What the source may make of numbers that arithmetic leaves as they are, NaNs among them: those it may give unchanged
    /// and with either sign. Only where the target does no arithmetic, whose NaNs would have to be the same; a run on
    /// numbers shows one NaN of many, and does without.
    pub(super) fn unchanged<D: Domain>(
        &self,
        d: &mut D,
        op: Arithmetic,
        format: Format,
        (x, y): (&D::Bv, &D::Bv),
    ) -> Option<D::Bv> {
        let numbers = d.as_const(x).is_some() && d.as_const(y).is_some();
        if self.side == Side::Target || numbers || d.follows_choices() || !self.leaves_numbers(format) {
            return None;
        }
        changed_at_most_in_sign(d, op, format, (x, y))
    }

    /// `a * b + c` where a factor of each lane is one or minus one; none where it is not. The product is exact, so that
    /// only the sum is rounded, and a NaN among the factors goes into the sum, which makes the same of it.
    pub(super) fn sum_with_unit_factor<D: Domain>(
        &self,
        d: &mut D,
        elem: TypeId,
        (a, b): (&Value<D>, &Value<D>),
        c: &Value<D>,
    ) -> Res<Option<Value<D>>> {
        let format = self.float_format(elem)?;
        let mut known = true;
        let product = self.lanes(d, a, b, &mut |d, x, y| {
            let bits = changed_at_most_in_sign(d, Arithmetic::Mul, format, (&x.bits, &y.bits));
            known &= bits.is_some();
            let poison = d.or(&x.poison, &y.poison);
            Ok(Scalar::with_poison(d, bits.unwrap_or_else(|| x.bits.clone()), poison))
        })?;
        if !known {
            return Ok(None);
        }
        let sum = (Arithmetic::Add, Flags(0));
        self.lanes(d, &product, c, &mut |d, x, y| self.float_binary(d, sum, elem, x, y)).map(Some)
    }

    /// The result of an operation on numbers; where that is invalid and neither is NaN, a quiet NaN, whichever it is.
    pub(super) fn quiet<D: Domain>(
        &self,
        d: &mut D,
        (op, format): (Arithmetic, Format),
        (x, y): (&D::Bv, &D::Bv),
        bits: D::Bv,
    ) -> D::Bv {
        let Some(mantissa) = format.mantissa().filter(|_| self.checks.exact) else { return bits };
        let (Some(a), Some(b)) = (d.as_const(x), d.as_const(y)) else { return bits };
        let width = a.width();
        let infinite = smt::Bv::new(width, ((1u128 << (width - 1 - mantissa)) - 1) << mantissa);
        let sizes = [&a, &b].map(|v| v.and(&smt::Bv::low_ones(width, width - 1)));
        let (all, one) = (|what: &smt::Bv| sizes.iter().all(|v| v == what), sizes.contains(&infinite));
        let zero = smt::Bv::zero(width);
        let invalid = match op {
            Arithmetic::Div => all(&zero) || all(&infinite),
            Arithmetic::Mul => one && sizes.contains(&zero),
            Arithmetic::Add => all(&infinite) && a != b,
            Arithmetic::Sub => all(&infinite) && a == b,
            Arithmetic::Rem => false,
        };
        if !invalid {
            return bits;
        }
        let mark = smt::Bv::bit_at(width, mantissa - 1).or(&infinite);
        let mark = d.constant(mark);
        d.bin(BitOp::Or, &bits, &mark)
    }

    /// `llvm.experimental.constrained.fadd` and the like.
    pub(super) fn constrained<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        op: Arithmetic,
    ) -> Res<Effect<D>> {
        let calls = |i: &Inst| match &i.op {
            Op::Call(c) => c.intrinsic.is_none(),
            Op::CallBranch { .. } => true,
            _ => false,
        };
        if !self.checks.exact || call.flags.any_math() || self.f.insts.iter().any(calls) {
            return self.unsupported("constrained floating point in a function that calls others");
        }
        let (named, exceptions) = (self.word(call, 2), self.word(call, 3));
        let current = d.symbol(ROUNDING_MODE, 2);
        let mode = match MODES.iter().find(|m| named == Some(m.0)) {
            Some((_, number)) => {
                let mode = d.num(2, *number);
                let other = d.ne(&mode, &current);
                self.note_ub(d, st, &other);
                mode
            }
            None if named == Some("round.dynamic") => current,
            None => return self.unsupported("a rounding mode of this name"),
        };
        if exceptions != Some("fpexcept.ignore") {
            self.assume(Assumption::ExceptionFlags);
        }
        let format = self.float_format(self.elem_type(call.ret))?;
        let x = self.settled(d, st, call.args[0].value, call.args[0].ty)?;
        let y = self.settled(d, st, call.args[1].value, call.args[1].ty)?;
        let value = self.lanes(d, &x, &y, &mut |d, x, y| {
            let bits = self.rounded(d, (op, format), &mode, (&x.bits, &y.bits));
            let poison = d.or(&x.poison, &y.poison);
            Ok(Scalar::with_poison(d, bits, poison))
        })?;
        self.set_result(st, inst, value);
        Ok(Effect::Next)
    }

    fn rounded<D: Domain>(
        &self,
        d: &mut D,
        (op, format): (Arithmetic, Format),
        mode: &D::Bv,
        (x, y): (&D::Bv, &D::Bv),
    ) -> D::Bv {
        let width = d.width(x);
        let beside = self.beside.as_ref().is_none_or(|other| other.rounds());
        if self.side == Side::Source
            && !beside
            && !d.follows_choices()
            && self.leaves_numbers(format)
            && let Some((Unchanged::Itself, operand)) = unchanged_by(d, op, format, x, y)
            && !is_some_nan(d, format, &operand)
        {
            // Zeros of unlike signs have a sum that the mode decides.
            let (down, zero) = (d.num(2, DOWN), d.num(width, 0));
            let least = d.constant(smt::Bv::bit_at(width, width - 1));
            let (down, positive) = (d.eq(mode, &down), d.eq(&operand, &zero));
            let turned = d.and(&down, &positive);
            return d.ite(&turned, &least, &operand);
        }
        self.assume(Assumption::FloatsByName);
        let nearest = d.num(2, NEAREST);
        let nearest = d.eq(mode, &nearest);
        let plain = |d: &mut D| match self.of_numbers(d, op, format, (x, y)) {
            Some(bits) => bits,
            None => d.float_arithmetic(op, format, x, y),
        };
        if d.as_bool(&nearest) == Some(true) {
            return plain(d);
        }
        let operation = Operation::Library(format!("rounded {op:?}").to_lowercase(), format);
        let other = d.operation(&operation, &[mode.clone(), x.clone(), y.clone()], width);
        if d.as_bool(&nearest) == Some(false) {
            return other;
        }
        let plain = plain(d);
        d.ite(&nearest, &plain, &other)
    }

    /// Whether a function has an operation that names its rounding mode.
    fn rounds(&self) -> bool {
        let constrained = |i: &Inst| match &i.op {
            Op::Call(c) => matches!(c.intrinsic, Some((Intrinsic::Constrained(_), _))),
            _ => false,
        };
        self.f.insts.iter().any(constrained)
    }

    /// A word that a call is given.
    fn word(&self, call: &Call, n: usize) -> Option<&str> {
        let Operand::Const(c) = call.args.get(n)?.value else { return None };
        match &self.m.consts.get(c.0 as usize)?.kind {
            ConstKind::Metadata(text) => Some(text.trim_start_matches('!').trim_matches('"')),
            _ => None,
        }
    }
}

/// Whether a number is known to be NaN, of which arithmetic may make another.
fn is_some_nan<D: Domain>(d: &mut D, format: Format, v: &D::Bv) -> bool {
    let Some(mantissa) = format.mantissa() else { return true };
    let nan = of_class(d, v, mantissa, NAN);
    d.as_bool(&nan) == Some(true)
}

/// The result of arithmetic with a known operand (`x * 1`, `x * -1`, `x - 0`) that is the other operand, perhaps with its
/// sign changed; none of other arithmetic.
fn changed_at_most_in_sign<D: Domain>(
    d: &mut D,
    op: Arithmetic,
    format: Format,
    (x, y): (&D::Bv, &D::Bv),
) -> Option<D::Bv> {
    let (how, operand) = unchanged_by(d, op, format, x, y)?;
    Some(match how {
        Unchanged::Itself | Unchanged::Exactly => operand,
        Unchanged::Negated => d.negated(&operand),
    })
}

/// Whether arithmetic leaves the other of its operands as it is, and which that is.
fn unchanged_by<D: Domain>(
    d: &D,
    op: Arithmetic,
    format: Format,
    x: &D::Bv,
    y: &D::Bv,
) -> Option<(Unchanged, D::Bv)> {
    let mantissa = format.mantissa()?;
    let width = d.width(x);
    let one = smt::Bv::new(width, ((1u128 << (width - 2 - mantissa)) - 1) << mantissa);
    let (zero, sign) = (smt::Bv::zero(width), smt::Bv::bit_at(width, width - 1));
    let minus_one = one.xor(&sign);
    let is = |v: &D::Bv, what: &smt::Bv| d.as_const(v).is_some_and(|v| v == *what);
    let found = match op {
        Arithmetic::Sub if is(y, &zero) => (Unchanged::Itself, x),
        Arithmetic::Sub if is(x, &sign) => (Unchanged::Negated, y),
        Arithmetic::Add if is(y, &sign) => (Unchanged::Itself, x),
        Arithmetic::Add if is(x, &sign) => (Unchanged::Itself, y),
        Arithmetic::Mul | Arithmetic::Div if is(y, &one) => (Unchanged::Exactly, x),
        Arithmetic::Mul | Arithmetic::Div if is(y, &minus_one) => (Unchanged::Negated, x),
        Arithmetic::Mul if is(x, &one) => (Unchanged::Exactly, y),
        Arithmetic::Mul if is(x, &minus_one) => (Unchanged::Negated, y),
        Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => {
            return None;
        }
    };
    Some((found.0, found.1.clone()))
}
