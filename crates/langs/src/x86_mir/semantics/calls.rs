//! Arguments and results at calls and returns, read from and written to where the calling convention has them.

use super::table::Sem;
use super::{Res, State, X86};
use crate::abi::{AREA, Loc, Piece, Slot};
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::regs::{PhysReg, Unit};
use crate::x86_mir::ast::{Operand, Reg};

impl<O: NamedObjects> X86<'_, O> {
    /// The value that a piece has at a call or return.
    pub fn read_piece<D: Domain>(&self, d: &mut D, st: &State<D>, piece: &Piece) -> Res<D::Bv> {
        let width = piece.width;
        match piece.loc {
            Loc::Gpr(n) => {
                let whole = self.read_phys(d, st, PhysReg { unit: Unit::Gpr(n), lo: 0, width: 64 })?;
                Ok(d.zfit(&whole, width))
            }
            Loc::Xmm(n) => {
                // Wider registers hold the lanes of a vector beyond the first 128 bits.
                let needed = (piece.shift + width).max(128).next_power_of_two();
                let register = PhysReg { unit: Unit::Xmm(n), lo: 0, width: needed as u16 };
                let whole = self.read_phys(d, st, register)?;
                Ok(d.extract(piece.shift + width - 1, piece.shift, &whole))
            }
            Loc::Stack(offset) => {
                let bits = width.next_multiple_of(8);
                let whole = self.read_outgoing(d, st, i64::from(offset), bits)?;
                Ok(d.zfit(&whole, width))
            }
        }
    }

    /// Whether an instruction names a register as one that it reads, or writes: later passes drop a value that no
    /// instruction is said to read, and keep others in what none is said to write.
    fn names_register(&self, inst: usize, loc: Loc, bits: u32, written: bool) -> bool {
        let unit = match loc {
            Loc::Gpr(n) => Unit::Gpr(n),
            Loc::Xmm(n) => Unit::Xmm(n),
            Loc::Stack(_) => return true,
        };
        let operands = self.f.insts.get(inst).map_or(&[][..], |i| self.f.operands_of(i));
        operands.iter().any(|o| {
            matches!(o, Operand::Reg { reg: Reg::Physical(p), flags, .. }
                if p.unit == unit && p.lo == 0 && u32::from(p.width) >= bits && flags.def == written)
        })
    }

    /// Whether the instruction that ends the function, or calls another, is said to read all that is handed on in
    /// registers.
    pub fn check_read(&self, inst: usize, places: impl IntoIterator<Item = (Loc, u32)>) -> Res<()> {
        match places.into_iter().all(|(loc, bits)| self.names_register(inst, loc, bits, false)) {
            true => Ok(()),
            false => {
                self.unsupported("register of an argument or result that the instruction is not said to read")
            }
        }
    }

    /// The same of a copy or a fill by the library.
    pub fn check_block_read(&self, inst: usize, name: &str) -> Res<()> {
        let second = if name == "memset" { 8 } else { 64 };
        self.check_read(inst, [(Loc::Gpr(7), 64), (Loc::Gpr(6), second), (Loc::Gpr(2), 64)])
    }

    /// Whether a call is said to leave a piece of its result in its register. A tail call leaves it to the caller.
    pub fn is_written(&self, inst: usize, piece: &Piece) -> bool {
        self.names_register(inst, piece.loc, piece.shift + piece.bits, true)
            || matches!(self.opcodes.get(inst), Some(Some(op)) if op.sem == Sem::TailCall)
    }

    /// Whether a call is said to keep no more registers than the convention does: others hold values across it.
    pub fn check_kept(&self, inst: usize) -> Res<()> {
        let masks = self.f.insts.get(inst).map_or(&[][..], |i| self.f.operands_of(i)).iter();
        let mut masks = masks.filter_map(|o| match o {
            Operand::Mask(name) => Some(self.m.names.text(*name)),
            _ => None,
        });
        match (masks.next(), masks.next()) {
            (Some("csr_64"), None) => Ok(()),
            (None, _) => self.unsupported("call that is not said to destroy registers"),
            _ => self.unsupported("call that is said to keep other registers"),
        }
    }

    /// Whether the stack has room for the arguments of a call, and is back behind it where it was: what lies beyond is
    /// another object's. Said by the instructions around the call, where its block has them.
    pub fn check_room(&self, call: usize, bytes: u32) -> Res<()> {
        let amount = |i: usize, name: &str| {
            let inst = self.f.insts.get(i).filter(|inst| self.m.names.text(inst.opcode) == name)?;
            match self.f.operands_of(inst).first() {
                Some(Operand::Imm(n)) => Some(*n),
                _ => None,
            }
        };
        let Some(block) = self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&call))
        else {
            return Ok(());
        };
        let down = (block.first as usize..call).rev().find_map(|i| amount(i, "ADJCALLSTACKDOWN64"));
        let up = (call..block.end as usize).find_map(|i| amount(i, "ADJCALLSTACKUP64"));
        match (down, up) {
            (Some(down), _) if down < bytes.into() => {
                self.unsupported("call without room for its stack arguments")
            }
            (Some(down), Some(up)) if down != up => {
                self.unsupported("stack not back where it was behind a call")
            }
            _ => Ok(()),
        }
    }

    /// The value that a piece has at a tail call, whose stack arguments take the place of this function's own.
    pub fn read_tail_piece<D: Domain>(&self, d: &mut D, st: &State<D>, piece: &Piece) -> Res<D::Bv> {
        let Loc::Stack(offset) = piece.loc else { return self.read_piece(d, st, piece) };
        let area = self.env.signature.as_ref().map_or(0, |s| u64::from(s.stack_bytes));
        let bytes = piece.width.div_ceil(8);
        if u64::from(offset) + u64::from(bytes) > area {
            return self.unsupported("tail call with more stack arguments than its caller's");
        }
        let slot = Slot { object: AREA.to_owned(), size: area, offset: u64::from(offset) };
        let at = slot.address(d);
        let whole = d.load(&st.mem, &at, bytes);
        Ok(d.zfit(&whole, piece.width))
    }

    /// Puts a value where a piece lies in registers; bits the convention leaves open are unknown.
    pub fn write_piece<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        piece: &Piece,
        value: &D::Bv,
    ) -> Res<()> {
        let fill = |d: &mut D, width: u32| {
            let have = d.width(value);
            if have >= width {
                return value.clone();
            }
            let upper = d.nondet("upper", width - have);
            d.concat(&upper, value)
        };
        match piece.loc {
            Loc::Gpr(n) => {
                let whole = fill(d, 64);
                st.gpr[n as usize] = Some(whole);
                Ok(())
            }
            Loc::Xmm(n) => {
                let whole = match &st.xmm[n as usize] {
                    Some(lower) if piece.shift > 0 => {
                        let (have, end) = (d.width(lower), piece.shift + d.width(value));
                        let lower = if have < end {
                            let upper = d.nondet("upper", end.next_power_of_two() - have);
                            d.concat(&upper, lower)
                        } else {
                            lower.clone()
                        };
                        replace_bits(d, &lower, value, piece.shift)
                    }
                    _ => fill(d, 128),
                };
                st.xmm[n as usize] = Some(whole);
                Ok(())
            }
            Loc::Stack(_) => self.unsupported("result on the stack"),
        }
    }
}
