//! Moves, extensions, subregisters and copies.

use super::ints::Current;
use super::table::{Form, Sem};
use super::{Res, State, X86};
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::flags::Flags;
use crate::x86::regs::Unit;
use crate::x86_mir::ast::{MachineInst, Operand, Reg};

impl<O: NamedObjects> X86<'_, O> {
    pub(super) fn moves<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        match c.op.sem {
            Sem::Mov => self.mov(d, st, c),
            Sem::MovZextImm(from) => {
                let source = self.at(ex, 1)?;
                // An address that the instruction has in fewer bits lies below: linkers refuse another.
                let width = if matches!(source, Operand::Imm(_)) { from } else { w };
                let value = self.read(d, st, source, width)?;
                let value = d.zfit(&value, w);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::MovFit(from) | Sem::Movzx(from) | Sem::Movsx(from) => {
                let value = match c.op.form {
                    Form::RM => self.load(d, st, self.tail(ex, 1)?, from)?,
                    _ => self.read(d, st, self.at(ex, 1)?, from)?,
                };
                let value = match c.op.sem {
                    Sem::Movsx(_) => d.sfit(&value, w),
                    _ => d.zfit(&value, w),
                };
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Constant(n) => {
                if self.flags_live(c.inst) {
                    // Zero is an exclusive or of a register with itself; the others go by several instructions.
                    let zero = d.num(w, 0);
                    st.flags = if n == 0 { Flags::Logic(zero) } else { Flags::Unknown };
                }
                let value = d.signed(w, i128::from(n));
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Lea(_) => {
                let at = self.address(d, st, self.tail(ex, 1)?, w)?;
                self.write(d, st, self.at(ex, 0)?, &at)
            }
            Sem::Copy => self.copy(d, st, c.inst),
            Sem::Undefined => match ex.first() {
                Some(target) => {
                    let width = self.operand_width(target)?;
                    let value = self.undefined(d, c.inst, width);
                    self.write(d, st, target, &value)
                }
                None => Ok(()),
            },
            Sem::SubregToReg | Sem::InsertSubreg | Sem::ExtractSubreg => self.subregister(d, st, c),
            _ => self.unsupported("REG_SEQUENCE"),
        }
    }

    /// Whether a move faults where its memory is not aligned.
    pub(super) fn is_aligned_move(&self, inst: &MachineInst) -> bool {
        let name = self.m.names.text(inst.opcode);
        let plain = name.strip_prefix('V').unwrap_or(name);
        plain.starts_with("MOVAP") || plain.starts_with("MOVDQA")
    }

    fn mov<D: Domain>(&self, d: &mut D, st: &mut State<D>, Current { inst, op, ex }: Current<'_>) -> Res<()> {
        let aligned = self.is_aligned_move(inst);
        let bytes = u64::from(op.width / 8);
        match op.form {
            Form::MR | Form::MI => {
                if aligned {
                    self.check_aligned(d, st, ex, bytes)?;
                }
                let value = self.read(d, st, self.at(ex, 5)?, op.width)?;
                self.store(d, st, ex, &value)
            }
            Form::RM => {
                if aligned {
                    self.check_aligned(d, st, self.tail(ex, 1)?, bytes)?;
                }
                let value = self.load(d, st, self.tail(ex, 1)?, op.width)?;
                self.write_fit(d, st, self.at(ex, 0)?, &value)
            }
            _ => {
                let value = self.read(d, st, self.at(ex, 1)?, op.width)?;
                self.write_fit(d, st, self.at(ex, 0)?, &value)
            }
        }
    }

    fn subregister<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let ex = c.ex;
        let value = match c.op.sem {
            Sem::SubregToReg => {
                // The operation that made the value has cleared the rest of the register. Versions before LLVM 22 say
                // so by a zero before the value.
                let first = if matches!(self.at(ex, 1)?, Operand::Imm(0)) { 2 } else { 1 };
                let width = self.operand_width(self.at(ex, 0)?)?;
                let Operand::SubReg(0, w) = self.at(ex, first + 1)? else {
                    return self.unsupported("SUBREG_TO_REG of this form");
                };
                let source = self.at(ex, first)?;
                let value = self.read(d, st, source, u32::from(*w))?;
                // The claim is true of instructions that write 32 bits or are AVX's, not of copies.
                let have = u32::from(*w);
                let cleared = match (have, width) {
                    (32, 64) => !self.leaves_upper(source),
                    (128, 256 | 512) | (256, 512) => self.clears_vector(source),
                    _ => false,
                };
                if cleared || have >= width {
                    d.zfit(&value, width)
                } else {
                    let upper = d.nondet("upper", width - have);
                    d.concat(&upper, &value)
                }
            }
            Sem::InsertSubreg => {
                let Operand::SubReg(lo, w) = self.at(ex, 3)? else {
                    return self.unsupported("INSERT_SUBREG of this form");
                };
                let width = self.operand_width(self.at(ex, 0)?)?;
                let old = self.read(d, st, self.at(ex, 1)?, width)?;
                let value = self.read(d, st, self.at(ex, 2)?, u32::from(*w))?;
                replace_bits(d, &old, &value, u32::from(*lo))
            }
            _ => {
                let Operand::SubReg(lo, w) = self.at(ex, 2)? else {
                    return self.unsupported("EXTRACT_SUBREG of this form");
                };
                let width = self.operand_width(self.at(ex, 1)?)?;
                let value = self.read(d, st, self.at(ex, 1)?, width)?;
                let (lo, w) = (u32::from(*lo), u32::from(*w));
                d.extract(lo + w - 1, lo, &value)
            }
        };
        self.write(d, st, self.at(ex, 0)?, &value)
    }

    /// Whether the instruction that made a register's value may leave bits above it.
    fn leaves_upper(&self, operand: &Operand) -> bool {
        let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = operand else {
            return true;
        };
        let Some(def) = self.definitions.get(*n as usize).copied().flatten() else { return true };
        if self.copies_zeroed(def as usize) {
            return false;
        }
        matches!(
            self.opcodes.get(def as usize).copied().flatten().map(|o| o.sem),
            None | Some(
                Sem::Copy
                    | Sem::Phi
                    | Sem::Undefined
                    | Sem::InsertSubreg
                    | Sem::ExtractSubreg
                    | Sem::SubregToReg
                    | Sem::RegSequence
            )
        )
    }

    /// Whether the instruction that made a vector leaves zeros above it. (The zero vector is made by AVX's instruction where
    /// registers of 256 bits are used.)
    fn clears_vector(&self, operand: &Operand) -> bool {
        let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = operand else {
            return false;
        };
        let def = self.definitions.get(*n as usize).copied().flatten();
        let op = def.and_then(|def| self.opcodes.get(def as usize).copied().flatten());
        op.is_some_and(|op| op.vex || matches!(op.sem, Sem::Constant(_)) && op.vector == 128)
    }

    /// Whether an instruction copies a physical register that the last instruction to write it wrote 32 bits of.
    fn copies_zeroed(&self, index: usize) -> bool {
        let Some(inst) = self.f.insts.get(index) else { return false };
        let (true, [_, Operand::Reg { reg: Reg::Physical(p), sub: None, .. }, ..]) =
            (self.m.names.text(inst.opcode) == "COPY", self.f.operands_of(inst))
        else {
            return false;
        };
        let first = self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&index));
        let first = first.map_or(index, |b| b.first as usize);
        for i in (first..index).rev() {
            let writes = self.f.operands_of(&self.f.insts[i]).iter().any(|o| {
                matches!(o, Operand::Reg { reg: Reg::Physical(q), flags, .. } if flags.def && q.unit == p.unit)
            });
            let op = self.opcodes[i];
            let call = !matches!(op, Some(o) if !matches!(o.sem, Sem::Call | Sem::TailCall));
            if call {
                return false;
            }
            if writes {
                return matches!(op, Some(o) if o.width == 32 && matches!(o.sem, Sem::Divide(_) | Sem::MulWide(_) | Sem::SignUpper));
            }
        }
        false
    }

    /// The width of a register operand, its subregister considered.
    pub(super) fn operand_width(&self, operand: &Operand) -> Res<u32> {
        match operand {
            Operand::Reg { sub: Some((_, w)), .. } => Ok(u32::from(*w)),
            Operand::Reg { reg: Reg::Virtual(n), .. } => self.vreg_width(*n),
            Operand::Reg { reg: Reg::Physical(p), .. } => Ok(u32::from(p.width)),
            _ => self.unsupported("operand without a width"),
        }
    }

    /// Writes a value, in a vector register below bits that are unspecified.
    pub(super) fn write_fit<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        target: &Operand,
        value: &D::Bv,
    ) -> Res<()> {
        let (have, want) = (d.width(value), self.operand_width(target)?);
        if have < want && want >= 128 {
            let upper = d.nondet("upper", want - have);
            let value = d.concat(&upper, value);
            return self.write(d, st, target, &value);
        }
        self.write(d, st, target, value)
    }

    /// `COPY` between registers of one width; between vector registers and scalars in them, of the low bits.
    fn copy<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &MachineInst) -> Res<()> {
        let operands = self.f.operands_of(inst);
        let [target, source, ..] = operands else { return self.unsupported("COPY of this form") };
        if !matches!(target, Operand::Reg { flags, .. } if flags.def) {
            // A KILL without a result only marks.
            return Ok(());
        }
        if let Operand::Reg { reg: Reg::Physical(p), .. } = source
            && p.unit == Unit::Flags
        {
            return self.unsupported("copy of the flags");
        }
        let (want, have) = (self.operand_width(target)?, self.operand_width(source)?);
        let killed = self.m.names.text(inst.opcode) == "KILL";
        if killed && want < have {
            // `$cl = KILL $rcx`: the same register, narrower.
            let value = self.read(d, st, source, have)?;
            let value = d.zfit(&value, want);
            return self.write(d, st, target, &value);
        }
        if want == have {
            let value = self.read(d, st, source, have)?;
            return self.write_copied(d, st, target, &value);
        }
        if let Some(bits) = self.mask_bits(target).or(self.mask_bits(source)) {
            // What is above the mask may be copied, or become zero.
            let value = self.read(d, st, source, have)?;
            let value = d.zfit(&value, bits.min(have));
            let upper = d.nondet("above a mask", want.max(bits) - bits.min(have));
            let value = if bits >= want { d.zfit(&value, want) } else { d.concat(&upper, &value) };
            return self.write(d, st, target, &value);
        }
        let vector = matches!(want.max(have), 128 | 256 | 512) && want.min(have) >= 32;
        if !vector {
            return self.unsupported(format!("copy from {have} to {want} bits"));
        }
        let value = self.read(d, st, source, have.min(want))?;
        self.write_fit(d, st, target, &value)
    }
}
