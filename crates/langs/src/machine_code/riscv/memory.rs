//! Accesses of memory of RISC-V, and the addresses of places that the linker fills in: an upper part first, then what an
//! addition or an access adds to it.

use super::super::access::Location;
use super::super::facts::Known;
use super::super::function::Reference;
use super::super::state::Machine;
use super::exec::Here;
use super::insn::{Address, FLOAT, LAST, Op, ZERO};
use crate::domain::{Domain, Ext, Res};

impl Here<'_> {
    pub(super) fn memory<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<()> {
        match *op {
            Op::Upper { counter, to, number } => {
                let value = match (self.code.f.insns[self.i].immediate.is_some(), counter) {
                    // What it is depends on where the linker puts things: nobody asks for it but by its lower part.
                    (true, _) => d.nondet("upper part of an address", 64),
                    (false, false) => d.signed(64, i128::from(number)),
                    (false, true) => return Err(self.unsupported("an address without a name")),
                };
                self.give(d, m, to, &value)
            }
            Op::Load { to, address, bytes, signed } => {
                if let (Known::Inside(table), Known::Entry(_) | Known::Code(_)) =
                    (self.known(address.base), self.loaded())
                {
                    let from = self.raw(d, m, address.base)?;
                    let width = self.code.f.tables[table].width;
                    let entry = self.code.entry_of(d, (&from, width), table);
                    return self.give(d, m, to, &entry);
                }
                let location = self.located(d, m, (&address, bytes))?;
                let value = self.code.load_location(d, m, (self.i, location), bytes * 8)?;
                let value = match (to, bytes, signed) {
                    (FLOAT..=LAST, 4, _) => boxed(d, &value),
                    (_, _, true) => d.sfit(&value, 64),
                    (_, _, false) => d.zfit(&value, 64),
                };
                self.give(d, m, to, &value)
            }
            Op::Store { from, address, bytes } => {
                let whole = if from < FLOAT { self.general(d, m, from)? } else { self.raw(d, m, from)? };
                let value = d.zfit(&whole, bytes * 8);
                let location = self.located(d, m, (&address, bytes))?;
                self.code.store_location(d, m, (self.i, location), &value)
            }
            _ => Ok(()),
        }
    }

    /// The address that an addition completes.
    pub(super) fn complete<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<()> {
        let (Op::Binary { to, a, .. }, Some(low)) = (*op, &self.code.f.insns[self.i].immediate) else {
            return Ok(());
        };
        match low {
            // Only entries of a table are read.
            Reference::Table(_) if self.holds_upper(a, low) => {
                if to != ZERO {
                    m.registers[usize::from(to)] = None;
                }
                Ok(())
            }
            _ => {
                let value = self.code.low_part(d, self.i, usize::from(a))?;
                self.give(d, m, to, &value)
            }
        }
    }

    fn holds_upper(&self, register: u8, low: &Reference) -> bool {
        self.code.holds_page(self.i, usize::from(register), low)
    }

    /// What is known of the register that a load writes, behind it.
    fn loaded(&self) -> Known {
        super::track::loaded(self.code.f, self.code.facts, self.i)
    }

    /// Where an access of so many bytes lies.
    fn located<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (address, bytes): (&Address, u32),
    ) -> Res<Location<D>> {
        let bytes = u64::from(bytes);
        if let Some(reference) = &self.code.f.insns[self.i].memory {
            return self.code.location_of(d, self.i, (usize::from(address.base), reference), bytes);
        }
        if let Known::Frame(at) = self.known(address.base) {
            return Ok(Location::Frame(at.wrapping_add(address.offset)));
        }
        let base = self.general(d, m, address.base)?;
        let sum = d.add_num(&base, i128::from(address.offset));
        let used = if address.base == ZERO { 0 } else { 1u64 << address.base };
        self.code.keep_apart(d, m, (self.i, &sum), (bytes, used));
        self.code.keep_from_fresh(d, m, (self.i, &sum), (bytes, used));
        Ok(Location::At(sum, false))
    }
}

/// A number of 32 bits as a register of floating-point numbers has it: ones above it.
pub(super) fn boxed<D: Domain>(d: &mut D, value: &D::Bv) -> D::Bv {
    let ones = d.num(32, u128::from(u32::MAX));
    d.concat(&ones, value)
}
