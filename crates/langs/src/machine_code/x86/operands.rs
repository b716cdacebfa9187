//! Operands: registers, immediates, memory by address, by stack slot, or by a constant that the object file holds.

use super::super::access::{Location, address};
use super::super::function::{Insn, Place, Reference};
use super::super::state::{Code, Machine};
use super::track::{gpr64, is_aligned};
use crate::domain::{Domain, Ext, Res};
use iced_x86::{CodeSize, EncodingKind, Instruction, Mnemonic, OpKind, Register};

/// What the address of so many bytes that an instruction accesses has to be a multiple of, or the processor faults; none of any: of older
/// instructions on 16 bytes nearly all ask for that, of newer ones those alone that say so.
fn alignment(ins: &Instruction, bytes: u64) -> Option<i64> {
    use Mnemonic as M;
    let aligned = if ins.code().encoding() == EncodingKind::Legacy {
        !matches!(
            ins.mnemonic(),
            M::Movups
                | M::Movupd
                | M::Movdqu
                | M::Lddqu
                | M::Pcmpestri
                | M::Pcmpestrm
                | M::Pcmpistri
                | M::Pcmpistrm
        )
    } else {
        matches!(
            ins.mnemonic(),
            M::Vmovaps
                | M::Vmovapd
                | M::Vmovdqa
                | M::Vmovdqa32
                | M::Vmovdqa64
                | M::Vmovntps
                | M::Vmovntpd
                | M::Vmovntdq
                | M::Vmovntdqa
        )
    };
    (aligned && bytes >= 16).then_some(bytes as i64)
}

impl Code<'_> {
    /// The address of the memory operand; its displacement may be a name.
    pub(crate) fn effective<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize) -> Res<D::Bv> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        if ins.memory_base().size() == 4
            || ins.memory_index().size() == 4 && ins.memory_index() != Register::None
        {
            if self.f.abi.word != 32 {
                return Err(self.f.unsupported(i, "an address of 32 bits"));
            }
            return self.effective32(d, m, i);
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

    /// The same of i386: a sum modulo 2^32.
    fn effective32<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize) -> Res<D::Bv> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let mut sum = match &insn.memory {
            Some(reference) => {
                let named = self.named(d, i, reference)?;
                d.zfit(&named, 32)
            }
            None => d.num(32, u128::from(ins.memory_displacement32())),
        };
        // An object of the frame is found by the displacement, which is not told apart here.
        let parts = [ins.memory_base(), ins.memory_index()];
        let frame = |r: &Register| gpr64(r.full_register()).is_some_and(|n| self.facts.frame(i, n).is_some());
        if parts.iter().any(frame) {
            return Err(self.f.unsupported(i, "an address in the frame with an index"));
        }
        if ins.memory_base() != Register::None {
            let base = self.read(d, m, i, ins.memory_base())?;
            sum = d.add(&base, &sum);
        }
        if ins.memory_index() != Register::None {
            let index = self.read(d, m, i, ins.memory_index())?;
            let scale = d.num(32, u128::from(ins.memory_index_scale()));
            let scaled = d.mul(&index, &scale);
            sum = d.add(&sum, &scaled);
        }
        Ok(d.zfit(&sum, 64))
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
            Reference::Table(_) if !matches!(self.f.insns[i].x86().mnemonic(), Mnemonic::Lea) => {
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
        let ins = insn.x86();
        let plain = ins.memory_index() == Register::None;
        if let (Some(at), true) = (gpr64(ins.memory_base()).and_then(|n| self.facts.frame(i, n)), plain) {
            let at = at.wrapping_add(ins.memory_displacement64() as i64);
            // The stack pointer is eight less than a multiple of 16 at the entry.
            let asked = match alignment(ins, bytes) {
                // Where the stack begins says no more, but where it was aligned.
                Some(17..) if !is_aligned(at) => i64::MAX,
                asked => asked.unwrap_or(1),
            };
            if ins.code_size() == CodeSize::Code64 && at.wrapping_add(8) % asked != 0 {
                return Err(self
                    .f
                    .unsupported(i, "an access of the frame that has to be aligned and is not"));
            }
            return Ok(Location::Frame(at));
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
        let parts = [ins.memory_base(), ins.memory_index()];
        let used = parts.iter().filter_map(|r| gpr64(r.full_register())).fold(0u64, |set, n| set | 1 << n);
        if !unbased {
            self.keep_apart(d, m, (i, &at), (bytes, used));
        }
        self.keep_from_fresh(d, m, (i, &at), (bytes, used));
        self.keep_kinds(d, m, (i, &at), bytes);
        Ok(Location::At(at, inside))
    }

    /// Loads the memory operand.
    pub(crate) fn load<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, bits: u32) -> Res<D::Bv> {
        let bytes = u64::from(bits / 8);
        let location = self.locate(d, m, i, bytes)?;
        self.load_location(d, m, (i, location), bits)
    }

    /// Stores to the memory operand.
    pub(crate) fn store<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, value: &D::Bv) -> Res<()> {
        let bytes = u64::from(d.width(value) / 8);
        let location = self.locate(d, m, i, bytes)?;
        self.store_location(d, m, (i, location), value)
    }

    /// The width of an operand in bits.
    pub(crate) fn bits(&self, insn: &Insn, op: u32) -> u32 {
        let d = insn.x86();
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
        let ins = insn.x86();
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
        let ins = self.f.insns[i].x86();
        match ins.op_kind(op) {
            OpKind::Register => self.write(d, m, (i, ins.op_register(op)), value),
            OpKind::Memory => self.store(d, m, i, value),
            _ => Err(self.f.unsupported(i, "a result in an immediate")),
        }
    }
}
