//! Fast-math flags: `nnan` and `ninf` make results poison, the others leave the program a choice.
//!
//! A source that may choose may as well do without, which is what a proof takes, or do as the target
//! ([`super::math_choices`]); a run on numbers would have to go through all that it may do, and ends.

use super::math_choices::leave;
use super::{Ir, Res, Scalar, Side, Value};
use crate::domain::Domain;
use crate::llvm_ir::ast::{Call, Flags};
use crate::llvm_ir::types::{Type, TypeId};
use crate::operation::Format;

/// Classes of numbers as `llvm.is.fpclass` counts them: both kinds of NaN, both infinities.
const NAN: u64 = 3;
const INFINITE: u64 = 1 << 2 | 1 << 9;

impl Ir<'_> {
    /// Refuses flags that leave choices in runs on numbers, which follow one of them only.
    pub(super) fn math_freedoms<D: Domain>(&self, d: &mut D, flags: Flags) -> Res<()> {
        let probe = d.nondet("probe", 1);
        if leave(flags) != 0 && d.as_const(&probe).is_some() {
            return self.unsupported("fast-math flags");
        }
        Ok(())
    }

    /// Refuses choices of the target too.
    pub(super) fn math_of_source<D: Domain>(&self, d: &mut D, flags: Flags) -> Res<()> {
        if leave(flags) != 0 && self.side == Side::Target {
            return self.unsupported("fast-math flags");
        }
        self.math_freedoms(d, flags)
    }

    /// Whether one of these numbers is what the flags say that none is.
    pub(super) fn math_poison<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        format: Format,
        numbers: &[&D::Bv],
    ) -> Res<D::Bool> {
        let mut classes = 0;
        if flags.has(Flags::NNAN) || flags.has(Flags::FAST) {
            classes |= NAN;
        }
        if flags.has(Flags::NINF) || flags.has(Flags::FAST) {
            classes |= INFINITE;
        }
        let mut any = d.bool(false);
        if classes == 0 {
            return Ok(any);
        }
        let Some(mantissa) = format.mantissa() else { return self.unsupported("fast-math flags") };
        for n in numbers {
            let one = super::floats::of_class(d, n, mantissa, classes);
            any = d.or(&any, &one);
        }
        Ok(any)
    }

    /// A value that is poison where the flags say so of it; of the target, also of what it was chosen from.
    pub(super) fn math_chosen<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        ty: TypeId,
        value: Value<D>,
        from: &[&Value<D>],
    ) -> Res<Value<D>> {
        if !flags.any_math() {
            return Ok(value);
        }
        self.math_freedoms(d, flags)?;
        let others = if self.side == Side::Target { from } else { &[] };
        self.math_lanes(d, flags, self.elem_type(ty), value, others)
    }

    /// What an intrinsic with flags computed, poison where an operand or it is what they say that none is.
    pub(super) fn math_call<D: Domain>(
        &self,
        d: &mut D,
        call: &Call,
        args: &[Value<D>],
        value: Value<D>,
    ) -> Res<Value<D>> {
        if !call.flags.any_math() {
            return Ok(value);
        }
        let float = |ty: TypeId| matches!(self.m.types.resolve(self.elem_type(ty)), Type::Float(_));
        let numbers = call.args.iter().zip(args).filter(|(a, _)| float(a.ty)).map(|(_, v)| v);
        let numbers: Vec<&Value<D>> = numbers.collect();
        let same = call.args.iter().filter(|a| float(a.ty)).all(|a| a.ty == call.ret);
        if !float(call.ret) || !same {
            return self.unsupported("fast-math flags");
        }
        self.math_lanes(d, call.flags, self.elem_type(call.ret), value, &numbers)
    }

    pub(super) fn math_lanes<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        elem: TypeId,
        value: Value<D>,
        others: &[&Value<D>],
    ) -> Res<Value<D>> {
        let Type::Float(kind) = self.m.types.resolve(elem) else {
            return self.unsupported("fast-math flags");
        };
        let format: Format = (*kind).into();
        let mut out = value;
        for other in [&out.clone()].into_iter().chain(others.iter().copied()) {
            out = self.lanes(d, &out, other, &mut |d, x, y| {
                let bad = self.math_poison(d, flags, format, &[&y.bits])?;
                let poison = d.or(&x.poison, &bad);
                Ok(Scalar { bits: x.bits.clone(), poison, undef: x.undef.clone() })
            })?;
        }
        Ok(out)
    }
}
