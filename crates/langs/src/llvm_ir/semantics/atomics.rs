//! Atomic accesses: loads and stores that order others, `atomicrmw`, `cmpxchg`. Each is an event.

use super::{Callee, Effect, Ir, Res, Scalar, Side, State};
use crate::domain::{BitOp, Domain, Ext};
use crate::llvm_ir::ast::{self, Access, Call, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::{Intrinsic, Locked};
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::atomic::{atomic_label, is_relaxed};
use crate::x86::alu::Alu;
use crate::x86::bits::BitTest;
use crate::x86::flags::Flags;

/// What a call of the processor's own does to memory in one step, if it does.
pub(crate) fn locked(call: &Call) -> Option<Locked> {
    match call.intrinsic {
        Some((Intrinsic::Locked(update), _)) => Some(update),
        _ => None,
    }
}

impl Ir<'_> {
    /// The order of an access that orders others beside it; none of plain, volatile and relaxed ones.
    pub(super) fn ordering(&self, access: &Access) -> Option<&str> {
        access.ordering.map(|o| self.m.names.text(o)).filter(|o| !is_relaxed(o))
    }

    /// Whether an instruction is an atomic event, not a volatile one.
    pub(crate) fn is_atomic(&self, inst: &Inst) -> bool {
        match &inst.op {
            Op::Load { access, .. } | Op::Store { access, .. } => self.ordering(access).is_some(),
            Op::CmpXchg { .. } | Op::AtomicRmw { .. } => true,
            Op::Call(call) => locked(call).is_some(),
            _ => false,
        }
    }

    /// Whether a fence of an order is an event. Weaker ones than of all order nothing that one thread could see, and this
    /// processor needs no code for them: against machine programs they are none.
    pub(crate) fn is_seen(&self, order: crate::names::Name) -> bool {
        self.checks.exact || self.m.names.text(order) == "seq_cst"
    }

    /// The type of what an atomic event gives; none where it gives nothing.
    pub(crate) fn atomic_result(&self, inst: &Inst) -> Option<TypeId> {
        match &inst.op {
            Op::Load { ty, .. } | Op::CmpXchg { ty, .. } | Op::AtomicRmw { ty, .. } => Some(*ty),
            Op::Call(call) => match locked(call)? {
                Locked::Bit(_) => Some(call.ret),
                Locked::Flags(_) | Locked::FarBit(_) => Some(call.args[1].ty),
            },
            _ => None,
        }
    }

    /// Whether an instruction is a `cmpxchg` that may fail though it finds what it expects.
    pub(crate) fn may_fail_anyway(&self, inst: &Inst) -> bool {
        let weak = matches!(&inst.op, Op::CmpXchg { flags, .. } if flags.0 & ast::Flags::WEAK.0 != 0);
        weak && self.checks.exact
    }

    /// The value that `cmpxchg` compares with what it finds, or that a flag depends on, to be known when that is.
    pub(crate) fn compared_operand(&self, inst: &Inst) -> Option<(TypeId, Operand)> {
        match &inst.op {
            Op::CmpXchg { ty, expected, .. } => Some((*ty, *expected)),
            Op::Call(call) if locked(call).is_some() => Some((call.args[1].ty, call.args[1].value)),
            _ => None,
        }
    }

    /// The event of an atomic load.
    pub(super) fn atomic_load<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, ptr): (TypeId, Operand),
        access: &Access,
    ) -> Res<Effect<D>> {
        let orders = self.ordering(access).unwrap_or_default();
        self.atomic_event(d, st, ("load", orders, access.volatile), (ty, ptr, access.align), &[])
    }

    /// The event of an atomic store.
    pub(super) fn atomic_store<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, value): (TypeId, Operand),
        ptr: Operand,
        access: &Access,
    ) -> Res<Effect<D>> {
        let orders = self.ordering(access).unwrap_or_default();
        self.atomic_event(d, st, ("store", orders, access.volatile), (ty, ptr, access.align), &[value])
    }

    /// The event of an operation on memory in one step.
    pub(super) fn atomic_update<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
    ) -> Res<Effect<D>> {
        match &inst.op {
            Op::AtomicRmw { flags, op, ptr, ty, value, ordering, align } => {
                let (op, orders) = (self.m.names.text(*op), self.m.names.text(*ordering));
                let volatile = flags.0 & ast::Flags::VOLATILE.0 != 0;
                let negated = op == "sub";
                let op = if negated { "add" } else { op };
                let what = (op, orders, volatile);
                let effect = self.atomic_event(d, st, what, (*ty, *ptr, *align), &[*value])?;
                Ok(if negated { negated_operand(d, effect) } else { effect })
            }
            Op::CmpXchg { flags, ptr, ty, expected, new, orderings, align } => {
                // Against a processor, which never does, that it may fail where it need not is settled so.
                let name = if self.may_fail_anyway(inst) { "weak cmpxchg" } else { "cmpxchg" };
                let orders = [orderings.0, orderings.1].map(|o| self.m.names.text(o)).join(" ");
                let volatile = flags.0 & ast::Flags::VOLATILE.0 != 0;
                let what = (name, orders.as_str(), volatile);
                self.atomic_event(d, st, what, (*ty, *ptr, *align), &[*expected, *new])
            }
            _ => self.unsupported("atomic instruction"),
        }
    }

    /// The event of an update by the processor of which a flag is looked at. Its memory operand is volatile, and has no order
    /// besides.
    pub(super) fn locked_update<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        update: Locked,
    ) -> Res<Effect<D>> {
        let ty = self.atomic_result(inst).unwrap_or(call.ret);
        let (ptr, second) = (call.args[0].value, &call.args[1]);
        let (test, far) = match update {
            Locked::Flags(alu) => {
                let what = match alu {
                    Alu::Add | Alu::Sub => "add",
                    Alu::And => "and",
                    Alu::Or => "or",
                    Alu::Xor => "xor",
                    Alu::Adc | Alu::Sbb | Alu::OrDisjoint | Alu::Imul => {
                        return self.unsupported("locked operation");
                    }
                };
                let event =
                    self.atomic_event(d, st, (what, "", true), (ty, ptr, Some(1)), &[second.value])?;
                return Ok(if alu == Alu::Sub { negated_operand(d, event) } else { event });
            }
            Locked::Bit(test) => (test, false),
            Locked::FarBit(test) => (test, true),
        };
        let width = self.scalar_bits(ty)?;
        let mut at = self.place(d, st, ptr)?;
        let number = self.scalar(d, st, second.value, second.ty)?;
        if far {
            let bytes = BitTest::far(d, width, &number.bits);
            at.bits = d.add(&at.bits, &bytes);
            at.poison = d.or(&at.poison, &number.poison);
        }
        let n = d.zfit(&number.bits, width);
        let (what, bits) = test.update(d, width, &n);
        let operand = Scalar { bits, ..number };
        self.event_at(d, st, (what, "", true), (ty, (at, ptr), Some(1)), vec![operand])
    }

    /// What such an update gives, by what it found in memory and its second argument.
    pub(crate) fn locked_result<D: Domain>(
        &self,
        d: &mut D,
        call: &Call,
        (found, value): (&D::Bv, &D::Bv),
    ) -> Option<D::Bv> {
        let width = d.width(found);
        match locked(call)? {
            Locked::Flags(alu) => {
                let (_, flags) = alu.value(d, &Flags::Unknown, (found, value), true)?;
                let code = call.args.get(2)?;
                let code = u32::try_from(self.small_constant(code.value)?).ok()?;
                let holds = flags.condition(d, code)?;
                let bit = d.bool_to_bv(&holds);
                Some(d.zfit(&bit, 8))
            }
            Locked::Bit(test) | Locked::FarBit(test) => {
                let n = d.zfit(value, width);
                let (set, _) = test.value(d, found, &n);
                let bit = d.bool_to_bv(&set);
                if let Locked::FarBit(_) = locked(call)? {
                    return Some(d.zfit(&bit, 8));
                }
                let bit = d.zfit(&bit, width);
                Some(d.bin(BitOp::Shl, &bit, &n))
            }
        }
    }

    fn atomic_event<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        what: (&str, &str, bool),
        (ty, ptr, align): (TypeId, Operand, Option<u64>),
        values: &[Operand],
    ) -> Res<Effect<D>> {
        let at = self.place(d, st, ptr)?;
        let mut scalars = Vec::with_capacity(values.len());
        for value in values {
            scalars.push(self.scalar(d, st, *value, ty)?);
        }
        self.event_at(d, st, what, (ty, (at, ptr), align), scalars)
    }

    /// The event of an operation on what lies at an address, which came of an operand, with values.
    fn event_at<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (what, orders, volatile): (&str, &str, bool),
        (ty, (at, ptr), align): (TypeId, (Scalar<D>, Operand), Option<u64>),
        values: Vec<Scalar<D>>,
    ) -> Res<Effect<D>> {
        let whole = matches!(self.m.types.resolve(ty), Type::Int(_) | Type::Float(_) | Type::Ptr(_));
        let size =
            self.m.layout.store_size(&self.m.types, ty).filter(|n| whole && matches!(n, 1 | 2 | 4 | 8));
        let Some(size) = size.filter(|n| self.scalar_bits(ty).is_ok_and(|bits| u64::from(bits) == 8 * n))
        else {
            return self.unsupported("atomic access of this type");
        };
        if self.promoted_place(ptr).is_some() {
            return self.unsupported("atomic access of a promoted object");
        }
        let align = align.unwrap_or(size);
        self.check_access(d, st, (&at, ptr), (size, align), what != "load");
        let mut args = vec![super::Value::Scalar(at)];
        for (number, value) in values.into_iter().enumerate() {
            self.refuse_concrete(d, &value)?;
            // What is only compared with memory the source may have open: the target may not.
            let compared = what.ends_with("cmpxchg") && number == 0;
            if self.side == Side::Target || !compared {
                self.reaches_memory(d, st, &value);
            }
            args.push(super::Value::Scalar(value));
        }
        let label = atomic_label(what, size as u32, orders, volatile);
        Ok(Effect::Call { callee: Callee::Direct(label), args })
    }
}

/// The event with the negative of its operand: a difference is the sum with it.
fn negated_operand<D: Domain>(d: &mut D, effect: Effect<D>) -> Effect<D> {
    let Effect::Call { callee, args } = effect else { return effect };
    let negate = |(n, value): (usize, super::Value<D>)| {
        if n == 0 {
            return value;
        }
        value.map(d, &mut |d, s| {
            let zero = d.num(d.width(&s.bits), 0);
            super::Scalar { bits: d.sub(&zero, &s.bits), poison: s.poison.clone(), undef: s.undef.clone() }
        })
    };
    Effect::Call { callee, args: args.into_iter().enumerate().map(negate).collect() }
}
