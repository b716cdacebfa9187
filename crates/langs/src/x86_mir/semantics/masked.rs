//! Moves of those lanes that a mask chooses, as AVX has it by signs and AVX-512 by bits: other lanes are not accessed.

use super::ints::Current;
use super::table::Form;
use super::{Res, State, X86};
use crate::bits::{join, lanes};
use crate::domain::{Domain, Ext};
use crate::memory::access::{AccessCheck, Asked};
use crate::memory::masked::{Chosen, load_chosen, place_of_lane, store_chosen};
use crate::memory::objects::NamedObjects;
use crate::x86_mir::ast::Operand;

impl<O: NamedObjects> X86<'_, O> {
    /// `vmaskmov` and `vpmaskmov`.
    pub(super) fn masked_move<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, vector, write) = (c.op.width, c.op.vector, c.op.form == Form::MR);
        let mask = self.read(d, st, self.at(c.ex, if write { 5 } else { 1 })?, vector)?;
        let mut chosen = Vec::new();
        for lane in lanes(d, &mask, w) {
            let sign = d.extract(w - 1, w - 1, &lane);
            chosen.push(d.is_set(&sign));
        }
        if write {
            let value = self.read(d, st, self.at(c.ex, 6)?, vector)?;
            return self.store_lanes(d, st, c.ex, (&chosen, w), &value);
        }
        let zeros = d.num(vector, 0);
        let value = self.load_lanes(d, st, self.tail(c.ex, 2)?, (&chosen, w), &zeros)?;
        self.write(d, st, self.at(c.ex, 0)?, &value)
    }

    /// Loads the lanes of so many bits that are chosen; the others are those of another value.
    pub(super) fn load_lanes<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        place: &[&Operand],
        (chosen, w): (&[D::Bool], u32),
        others: &D::Bv,
    ) -> Res<D::Bv> {
        let at = self.place_of_lanes(d, st, place)?;
        self.check_lanes(d, st, (place, &at), (chosen, w / 8), false);
        let all: Vec<Chosen<D>> = chosen.iter().cloned().zip(lanes(d, others, w)).collect();
        let mem = self.objects.memory_with_constant(d, &st.mem, &at, u64::from(w / 8) * all.len() as u64);
        let loaded = load_chosen(d, &mem, &at, &all);
        Ok(join(d, &loaded))
    }

    /// Stores the lanes of so many bits that are chosen.
    pub(super) fn store_lanes<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        place: &[&Operand],
        (chosen, w): (&[D::Bool], u32),
        value: &D::Bv,
    ) -> Res<()> {
        let at = self.place_of_lanes(d, st, place)?;
        self.check_lanes(d, st, (place, &at), (chosen, w / 8), true);
        let all: Vec<Chosen<D>> = chosen.iter().cloned().zip(lanes(d, value, w)).collect();
        st.mem = store_chosen(d, &st.mem, &at, &all);
        Ok(())
    }

    /// The address, where that is one of memory.
    fn place_of_lanes<D: Domain>(&self, d: &mut D, st: &State<D>, place: &[&Operand]) -> Res<D::Bv> {
        let named = matches!(place.get(3), Some(Operand::Pool(..) | Operand::JumpTable(_)));
        let table = self.jump_table(place).is_some() || self.pool_table(place).is_some();
        if named || table || self.promoted_place(place).is_some() {
            return self.unsupported("masked access of what is not in memory");
        }
        let at = self.address(d, st, place, 64)?;
        match self.outgoing_offset(d, &at) {
            Some(_) => self.unsupported("masked access of outgoing arguments"),
            None => Ok(at),
        }
    }

    /// Notes the fault of a chosen lane that may not be accessed.
    fn check_lanes<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (place, at): (&[&Operand], &D::Bv),
        (chosen, bytes): (&[D::Bool], u32),
        write: bool,
    ) {
        let all = u64::from(bytes) * chosen.len() as u64;
        if self.env.access == AccessCheck::Off || self.inside_object(place, all, write) {
            return;
        }
        for (i, chosen) in chosen.iter().enumerate() {
            let lane = place_of_lane(d, at, i, bytes);
            if self.runs_inside_frame(d, &lane, u64::from(bytes)) {
                continue;
            }
            let fine = self.env.access.permits(d, &st.perm, &lane, (u64::from(bytes), write), Asked::Ends);
            let fault = d.not(&fine);
            let bad = d.and(chosen, &fault);
            self.note_fault(d, st, &bad);
        }
    }
}
