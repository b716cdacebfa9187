//! Accesses of memory, and the addresses of places that the linker fills in.
//!
//! Such an address comes about in two steps: its page (`adrp`), and what an addition or an access adds within the page.

use super::super::access::{Location, address};
use super::super::function::Reference;
use super::super::state::{Code, Machine};
use super::insn::{Access, Address, Index, Op, VECTOR, Writeback, ZERO};
use crate::domain::{Domain, Ext, Res};

impl Code<'_> {
    /// An address, or the page that it lies in.
    fn place_of<D: Domain>(&self, d: &mut D, i: usize, page: bool) -> Res<D::Bv> {
        let place = match &self.f.insns[i].immediate {
            Some(Reference::Place(place)) => place,
            // The page of a word of the global offset table.
            Some(Reference::Indirect(place)) if page => {
                return Ok(d.symbol(&format!("page of the word of {}+{}", place.name, place.offset), 64));
            }
            _ => return Err(self.f.unsupported(i, "an address without a name")),
        };
        let whole = address(d, place);
        if !page {
            return Ok(whole);
        }
        let zeros = d.num(12, 0);
        let upper = d.extract(63, 12, &whole);
        Ok(d.concat(&upper, &zeros))
    }

    /// Where an access of so many bytes lies, so many bytes behind the address of the instruction.
    fn located<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, &Address),
        (bytes, behind): (u64, i64),
    ) -> Res<Location<D>> {
        if let Some(reference) = &self.f.insns[i].memory {
            if behind != 0 || at.writeback != Writeback::None {
                return Err(self.f.unsupported(i, "a part of an address without its page"));
            }
            return self.location_of(d, i, (usize::from(at.base), reference), bytes);
        }
        let number = match at.index {
            Index::Number(_) if at.writeback == Writeback::After => Some(behind),
            Index::Number(n) => Some(n + behind),
            Index::Register(_) => None,
        };
        if let (Some(frame), Some(number)) = (self.facts.frame(i, usize::from(at.base)), number) {
            return Ok(Location::Frame(frame.wrapping_add(number)));
        }
        let base = self.general(d, m, (i, at.base), true)?;
        let (sum, index) = match (at.index, number) {
            (Index::Register(extended), _) => {
                let index = self.extended(d, m, (i, extended), 64)?;
                let sum = d.add(&base, &index);
                let used = if extended.register == ZERO { 0 } else { 1u64 << extended.register };
                (d.add_num(&sum, i128::from(behind)), used)
            }
            (Index::Number(_), number) => (d.add_num(&base, i128::from(number.unwrap_or_default())), 0),
        };
        self.keep_apart(d, m, (i, &sum), (bytes, index | 1 << at.base));
        self.keep_from_fresh(d, m, (i, &sum), (bytes, index | 1 << at.base));
        Ok(Location::At(sum, false))
    }

    pub(super) fn memory<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        match *op {
            Op::Address { page, to } => {
                let value = self.place_of(d, i, page)?;
                self.give(d, m, (i, to), &value)
            }
            Op::Memory { access, bytes, register, address } => {
                self.access(d, m, i, (access, bytes, address), &[register])
            }
            Op::Pair { access, bytes, registers, address } => {
                self.access(d, m, i, (access, bytes, address), &[registers.0, registers.1])
            }
            _ => Ok(()),
        }
    }

    fn access<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (access, bytes, address): (Access, u32, Address),
        registers: &[u8],
    ) -> Res<()> {
        let mut loaded = Vec::new();
        let mut stored = Vec::new();
        if access == Access::Store {
            for register in registers {
                stored.push(self.low_bits(d, m, (i, *register), bytes * 8)?);
            }
        }
        for (n, register) in registers.iter().enumerate() {
            let behind = (n as u32 * bytes).into();
            let location = self.located(d, m, (i, &address), (u64::from(bytes), behind))?;
            match stored.get(n) {
                Some(value) => self.store_location(d, m, (i, location), value)?,
                None => {
                    let value = self.load_location(d, m, (i, location), bytes * 8)?;
                    let value = match access {
                        Access::LoadSigned(bits) => d.sfit(&value, bits),
                        Access::Load | Access::Store => value,
                    };
                    loaded.push((*register, value));
                }
            }
        }
        if address.writeback != Writeback::None && self.facts.frame(i, usize::from(address.base)).is_none() {
            let base = self.general(d, m, (i, address.base), true)?;
            let Index::Number(number) = address.index else {
                return Err(self.f.unsupported(i, "this form of the instruction"));
            };
            let moved = d.add_num(&base, i128::from(number));
            self.give(d, m, (i, address.base), &moved)?;
        }
        for (register, value) in loaded {
            self.give(d, m, (i, register), &value)?;
        }
        Ok(())
    }

    /// The low bits of a general register or a vector.
    pub(super) fn low_bits<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, register): (usize, u8),
        bits: u32,
    ) -> Res<D::Bv> {
        if register != ZERO && register >= VECTOR {
            let n = usize::from(register);
            return match m.registers.get(n).cloned().flatten() {
                Some(whole) => Ok(d.zfit(&whole, bits)),
                None => Err(self.f.unsupported(
                    i,
                    &format!("register {} before anything is known of it", self.f.abi.name(n)),
                )),
            };
        }
        let whole = self.general(d, m, (i, register), true)?;
        Ok(d.zfit(&whole, bits))
    }
}
