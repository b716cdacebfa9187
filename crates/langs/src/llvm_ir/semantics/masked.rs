//! Loads and stores of those lanes of a vector that a mask chooses: LLVM's `masked` intrinsics and those of AVX.
//!
//! Only against machine programs: between IR programs what a lane of the mask that is poison means is not settled here. The
//! source takes such a lane to be one way or the other, which it may.

use super::{Effect, Ir, Res, Scalar, State, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Call, Inst, Operand};
use crate::llvm_ir::types::TypeId;
use crate::memory::access::Asked;
use crate::memory::masked::{Chosen, load_chosen, place_of_lane, store_chosen};

impl Ir<'_> {
    /// A load; of AVX's the mask is the second argument, chosen by signs, and other lanes are zero.
    pub(super) fn masked_load<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        (signs, args): (bool, &[Value<D>]),
    ) -> Res<Effect<D>> {
        let bytes = self.bytes_of_lanes(call.ret)?;
        let (mask, others) = match args {
            [_, mask] if signs => (mask, None),
            [_, mask, others] | [_, _, mask, others] if !signs => (mask, Some(others)),
            _ => return self.unsupported("masked load of this form"),
        };
        let chosen = self.chosen_lanes(d, mask)?;
        let zero = d.num(8 * bytes, 0);
        let others: Vec<Scalar<D>> = match others {
            Some(others) => others.scalars().into_iter().cloned().collect(),
            None => chosen.iter().map(|_| Scalar::plain(d, zero.clone())).collect(),
        };
        if others.len() != chosen.len() {
            return self.unsupported("masked load of this form");
        }
        let operand = call.args[0].value;
        let at = self.check_lanes(d, st, operand, (&chosen, bytes), false)?;
        let lanes: Vec<Chosen<D>> =
            chosen.iter().cloned().zip(others.iter().map(|s| s.bits.clone())).collect();
        let whole = u64::from(bytes) * lanes.len() as u64;
        let mem = self.memory_with_constant(d, &st.mem, &at, whole);
        let mut items = Vec::new();
        for ((bits, chosen), other) in load_chosen(d, &mem, &at, &lanes).into_iter().zip(&chosen).zip(&others)
        {
            let not = d.not(chosen);
            let (poison, undef) = (d.and(&not, &other.poison), d.and(&not, &other.undef));
            items.push(Value::Scalar(Scalar { bits, poison, undef }));
        }
        self.set_result(st, inst, Value::Aggregate(items.into()));
        Ok(Effect::Next)
    }

    /// A store; AVX's has the mask before the value.
    pub(super) fn masked_store<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        (signs, args): (bool, &[Value<D>]),
    ) -> Res<Effect<D>> {
        let (value, place, mask) = match args {
            [_, mask, value] if signs => (value, 0, mask),
            [value, _, mask] | [value, _, _, mask] if !signs => (value, 1, mask),
            _ => return self.unsupported("masked store of this form"),
        };
        let bytes = self.bytes_of_lanes(call.args[if signs { 2 } else { 0 }].ty)?;
        let chosen = self.chosen_lanes(d, mask)?;
        let at = self.check_lanes(d, st, call.args[place].value, (&chosen, bytes), true)?;
        let mut lanes: Vec<Chosen<D>> = Vec::new();
        for (chosen, value) in chosen.into_iter().zip(value.scalars()) {
            self.refuse_concrete(d, value)?;
            lanes.push((chosen, value.bits.clone()));
        }
        st.mem = store_chosen(d, &st.mem, &at, &lanes);
        Ok(Effect::Next)
    }

    /// Bytes of each lane of a vector.
    fn bytes_of_lanes(&self, ty: TypeId) -> Res<u32> {
        if self.checks.exact {
            return self.unsupported("masked access");
        }
        match self.scalar_bits(self.elem_type(ty))? {
            bits @ (8 | 16 | 32 | 64) => Ok(bits / 8),
            _ => self.unsupported("masked access to lanes of an odd size"),
        }
    }

    /// Which lanes a mask chooses: by its bits, or by the signs of numbers.
    fn chosen_lanes<D: Domain>(&self, d: &mut D, mask: &Value<D>) -> Res<Vec<D::Bool>> {
        let mut out = Vec::new();
        for s in mask.scalars() {
            self.refuse_concrete(d, s)?;
            let top = d.width(&s.bits) - 1;
            let bit = d.extract(top, top, &s.bits);
            out.push(d.is_set(&bit));
        }
        Ok(out)
    }

    /// The address, with undefined behaviour noted where a chosen lane may not be accessed.
    fn check_lanes<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        operand: Operand,
        (chosen, bytes): (&[D::Bool], u32),
        write: bool,
    ) -> Res<D::Bv> {
        if self.promoted_place(operand).is_some() {
            return self.unsupported("masked access of a promoted object");
        }
        let start = self.place(d, st, operand)?;
        if self.inside_object(operand, u64::from(bytes) * chosen.len() as u64, write) {
            return Ok(start.bits);
        }
        for (i, chosen) in chosen.iter().enumerate() {
            let bits = place_of_lane(d, &start.bits, i, bytes);
            let fine =
                self.checks.access.permits(d, &st.perm, &bits, (u64::from(bytes), write), Asked::Words);
            let (bad, fault) = (start.anything(d), d.not(&fine));
            let bad = d.or(&bad, &fault);
            let bad = d.and(chosen, &bad);
            self.note_ub(d, st, &bad);
        }
        Ok(start.bits)
    }
}
