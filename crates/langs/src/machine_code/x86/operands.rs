//! Operands: registers, immediates, memory by address, by stack slot, or by a constant that the object file holds.

use super::facts::gpr64;
use super::frame::Where;
use super::function::{Insn, Place, Reference};
use super::state::{Code, Machine};
use crate::domain::{Domain, Ext, Res};
use crate::memory::access::AccessCheck;
use iced_x86::{Mnemonic, OpKind, Register};
use smt::Bv;

/// Where a memory operand lies.
pub(crate) enum Location<D: Domain> {
    /// In stack slots, at this offset.
    Frame(i64),
    /// In memory; whether the access is known to be allowed.
    At(D::Bv, bool),
    /// A constant.
    Holds(Vec<u8>),
    /// A word that the linker fills.
    Word(D::Bv),
}

/// The name that a place goes by among the domain's symbols.
pub(crate) fn address<D: Domain>(d: &mut D, place: &Place) -> D::Bv {
    let base = Ext::address(d, &place.name, place.size);
    d.add_num(&base, i128::from(place.offset))
}

impl Code<'_> {
    /// The address of the memory operand; its displacement may be a name.
    pub(crate) fn effective<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize) -> Res<D::Bv> {
        let insn = &self.f.insns[i];
        let ins = &insn.decoded;
        if ins.memory_base().size() == 4
            || ins.memory_index().size() == 4 && ins.memory_index() != Register::None
        {
            return Err(self.f.unsupported(i, "an address of 32 bits"));
        }
        let base = match ins.memory_base() {
            Register::None | Register::RIP => None,
            base => match gpr64(base).and_then(|n| self.facts.frame(i, n)) {
                // The displacement belongs to it, so that the object is found that is meant.
                Some(at) => {
                    let at = at.wrapping_add(ins.memory_displacement64() as i64);
                    Some((self.frame_address(d, i, at)?, true))
                }
                None => Some((self.read(d, m, i, base)?, false)),
            },
        };
        let mut sum = match &base {
            Some((base, _)) => base.clone(),
            None => d.num(64, 0),
        };
        if ins.memory_index() != Register::None {
            let index = self.read(d, m, i, ins.memory_index())?;
            let scale = d.num(64, u128::from(ins.memory_index_scale()));
            let scaled = d.mul(&index, &scale);
            sum = d.add(&sum, &scaled);
        }
        match &insn.memory {
            Some(reference) => {
                let named = self.named(d, i, reference)?;
                Ok(d.add(&sum, &named))
            }
            None if base.as_ref().is_some_and(|(_, frame)| *frame) => Ok(sum),
            None if ins.is_ip_rel_memory_operand() => Err(self.f.unsupported(i, "an address without a name")),
            None => Ok(d.add_num(&sum, i128::from(ins.memory_displacement64() as i64))),
        }
    }

    /// What the linker fills in, as a number.
    pub(crate) fn named<D: Domain>(&self, d: &mut D, i: usize, reference: &Reference) -> Res<D::Bv> {
        match reference {
            Reference::Place(place) => Ok(address(d, place)),
            Reference::ThreadOffset(place) => {
                let name =
                    Place { name: format!("thread offset of {}", place.name), size: None, ..place.clone() };
                Ok(address(d, &name))
            }
            Reference::Table(_) if !matches!(self.f.insns[i].decoded.mnemonic(), Mnemonic::Lea) => {
                Err(self.f.unsupported(i, "a jump table that is read otherwise than by entries"))
            }
            Reference::Table(n) => Ok(d.symbol(&format!("{} jump table {n}", self.f.name), 64)),
            Reference::Indirect(_) | Reference::IndirectThreadOffset(_) => {
                Err(self.f.unsupported(i, "the address of a word of the global offset table"))
            }
        }
    }

    /// Where the memory operand lies.
    pub(crate) fn locate<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        bytes: u64,
    ) -> Res<Location<D>> {
        let insn = &self.f.insns[i];
        let ins = &insn.decoded;
        let plain = ins.memory_index() == Register::None;
        if let (Some(at), true) = (gpr64(ins.memory_base()).and_then(|n| self.facts.frame(i, n)), plain) {
            return Ok(Location::Frame(at.wrapping_add(ins.memory_displacement64() as i64)));
        }
        let unbased = plain && matches!(ins.memory_base(), Register::None | Register::RIP);
        match (&insn.memory, unbased) {
            (Some(Reference::Indirect(place)), true) => return Ok(Location::Word(address(d, place))),
            (Some(Reference::IndirectThreadOffset(place)), true) => {
                let offset = Reference::ThreadOffset(place.clone());
                return Ok(Location::Word(self.named(d, i, &offset)?));
            }
            (Some(Reference::Place(Place { holds: Some(holds), .. })), true)
                if holds.len() as u64 >= bytes =>
            {
                return Ok(Location::Holds(holds[..bytes as usize].to_vec()));
            }
            _ => {}
        }
        let inside = match (&insn.memory, unbased) {
            (Some(Reference::Place(Place { offset, size: Some(size), .. })), true) => {
                *offset >= 0 && *offset as u64 + bytes <= *size
            }
            _ => false,
        };
        let mut at = self.effective(d, m, i)?;
        match ins.segment_prefix() {
            Register::None | Register::DS | Register::SS | Register::CS | Register::ES => {}
            Register::FS => {
                let thread = d.symbol("thread pointer", 64);
                at = d.add(&thread, &at);
                // What lies there is the thread's own.
                return Ok(Location::At(at, unbased));
            }
            other => return Err(self.f.unsupported(i, &format!("segment {other:?}"))),
        }
        if !unbased {
            self.keep_apart(d, m, (i, &at), bytes);
        }
        Ok(Location::At(at, inside))
    }

    /// An access by a pointer that is not made from the address of an object of the frame, before that went out, fails
    /// where it touches the object.
    fn keep_apart<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, at): (usize, &D::Bv), bytes: u64) {
        let Some(escapes) = self.apart else { return };
        let ins = &self.f.insns[i].decoded;
        let parts = [ins.memory_base(), ins.memory_index()];
        if parts.iter().any(|r| gpr64(*r).is_some_and(|n| self.facts.frame(i, n).is_some())) {
            return;
        }
        let used = parts.iter().filter_map(|r| gpr64(*r)).fold(0u32, |set, n| set | 1 << n);
        for (n, object) in self.frame.objects.list.iter().enumerate().filter(|(_, o)| o.own) {
            if escapes.hidden(i, n, used) {
                // It begins less than its length before the object, or inside.
                let first = self.frame.address(d, n, 1 - bytes as i64);
                let from = d.sub(at, &first);
                let room = d.num(64, u128::from(object.size + bytes - 1));
                let touches = d.ult(&from, &room);
                m.fault_if(d, &touches);
            }
        }
    }

    /// Notes that an access of memory may fail: where the word that its first byte or its last one lies in may not be
    /// accessed. The processor decides by the page, so that bytes of a word, which no page parts, have one answer, however
    /// they are accessed; and no access is as long as a page.
    fn check<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, at: &D::Bv, bytes: u64, write: bool) {
        if self.access == AccessCheck::Off {
            return;
        }
        let Some(perm) = m.perm.clone() else { return };
        let mut ends = vec![0];
        ends.extend((bytes > 1).then(|| bytes - 1));
        for end in ends {
            let byte = d.add_num(at, i128::from(end));
            let number = d.extract(63, 3, &byte);
            let low = d.num(3, 0);
            let word = d.concat(&number, &low);
            let fine = self.access.permits(d, &perm, &word, (1, write), false);
            let fails = d.not(&fine);
            m.fault_if(d, &fails);
        }
    }

    /// Loads from an address.
    pub(crate) fn load_at<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        at: &D::Bv,
        bytes: u64,
        known: bool,
    ) -> D::Bv {
        if !known {
            self.check(d, m, at, bytes, false);
        }
        d.load(&m.mem, at, bytes as u32)
    }

    /// Stores to an address.
    pub(crate) fn store_at<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        at: &D::Bv,
        value: &D::Bv,
        known: bool,
    ) {
        if !known {
            let bytes = u64::from(d.width(value) / 8);
            self.check(d, m, at, bytes, true);
        }
        m.mem = d.store(&m.mem, at, value);
    }

    /// Loads from the frame.
    pub(crate) fn load_frame<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, i64),
        bytes: u64,
    ) -> Res<D::Bv> {
        match self.frame.place(at, bytes) {
            Where::Slots(object, lo) => Ok(self.frame.slots.load(d, &m.slots, object, lo, bytes)),
            Where::Object(n, delta) => {
                let address = self.frame.address(d, n, delta);
                Ok(self.load_at(d, m, &address, bytes, true))
            }
            Where::Nowhere(why) => Err(self.f.unsupported(i, why)),
        }
    }

    /// Stores to the frame.
    pub(crate) fn store_frame<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, i64),
        value: &D::Bv,
    ) -> Res<()> {
        let bytes = u64::from(d.width(value) / 8);
        match self.frame.place(at, bytes) {
            Where::Slots(object, lo) => self.frame.slots.store(d, &mut m.slots, object, lo, value),
            Where::Object(n, delta) => {
                let address = self.frame.address(d, n, delta);
                self.store_at(d, m, &address, value, true);
            }
            Where::Nowhere(why) => return Err(self.f.unsupported(i, why)),
        }
        Ok(())
    }

    /// Loads the memory operand.
    pub(crate) fn load<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, bits: u32) -> Res<D::Bv> {
        let bytes = u64::from(bits / 8);
        match self.locate(d, m, i, bytes)? {
            Location::Frame(at) => self.load_frame(d, m, (i, at), bytes),
            Location::At(at, known) => Ok(self.load_at(d, m, &at, bytes, known)),
            Location::Word(value) if bits == 64 => Ok(value),
            Location::Word(_) => Err(self.f.unsupported(i, "a part of a word of the global offset table")),
            Location::Holds(holds) => {
                let low = u128::from_le_bytes(std::array::from_fn(|n| holds.get(n).copied().unwrap_or(0)));
                Ok(d.constant(Bv::new(bits, low)))
            }
        }
    }

    /// Stores to the memory operand.
    pub(crate) fn store<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, value: &D::Bv) -> Res<()> {
        let bytes = u64::from(d.width(value) / 8);
        match self.locate(d, m, i, bytes)? {
            Location::Frame(at) => self.store_frame(d, m, (i, at), value),
            Location::At(at, known) => {
                self.store_at(d, m, &at, value, known);
                Ok(())
            }
            Location::Word(_) | Location::Holds(_) => {
                Err(self.f.unsupported(i, "a store to constant memory"))
            }
        }
    }

    /// The width of an operand in bits.
    pub(crate) fn bits(&self, insn: &Insn, op: u32) -> u32 {
        let d = &insn.decoded;
        match d.op_kind(op) {
            OpKind::Register => d.op_register(op).size() as u32 * 8,
            OpKind::Memory => d.memory_size().size() as u32 * 8,
            _ => 0,
        }
    }

    /// The value of an operand in a width: of vectors the low bits, immediates as the instruction extends them.
    pub(crate) fn operand<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, op): (usize, u32),
        bits: u32,
    ) -> Res<D::Bv> {
        let insn = &self.f.insns[i];
        let ins = &insn.decoded;
        match ins.op_kind(op) {
            OpKind::Register => {
                let value = self.read(d, m, i, ins.op_register(op))?;
                Ok(d.zfit(&value, bits))
            }
            OpKind::Memory => self.load(d, m, i, bits),
            _ => match (&insn.immediate, ins.try_immediate(op)) {
                (Some(reference), _) => {
                    let value = self.named(d, i, reference)?;
                    Ok(d.zfit(&value, bits))
                }
                (None, Ok(number)) => Ok(d.num(bits, u128::from(number))),
                (None, Err(_)) => Err(self.f.unsupported(i, "an operand")),
            },
        }
    }

    /// Writes an operand.
    pub(crate) fn put<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, op): (usize, u32),
        value: &D::Bv,
    ) -> Res<()> {
        let ins = &self.f.insns[i].decoded;
        match ins.op_kind(op) {
            OpKind::Register => self.write(d, m, (i, ins.op_register(op)), value),
            OpKind::Memory => self.store(d, m, i, value),
            _ => Err(self.f.unsupported(i, "a result in an immediate")),
        }
    }
}
