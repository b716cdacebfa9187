//! `INLINEASM`: its operand groups read back, and the same event or operation that the source shows.

use super::table::Sem;
use super::{Effect, Res, State, X86};
use crate::assembly::{Assembly, Item, OperandKind, clobbered};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::names::canonical;
use crate::operation::Operation;
use crate::x86::regs::PhysReg;
use crate::x86_mir::asm_words::{extra, group};
use crate::x86_mir::ast::{MachineInst, Operand, Reg};

/// A group of operands that stand for one of the source.
#[derive(Clone, Debug)]
struct OperandGroup<'o> {
    item: Item,
    operands: &'o [Operand],
}

/// An `INLINEASM` taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'o> {
    assembly: Assembly,
    groups: Vec<OperandGroup<'o>>,
    clobbers: Vec<PhysReg>,
}

impl<O: NamedObjects> X86<'_, O> {
    /// Takes an instruction apart, if it is inline assembly that is modelled.
    pub(crate) fn assembly(&self, inst: &MachineInst) -> Option<Parts<'_>> {
        let operands = self.f.operands_of(inst);
        let (Operand::External(text, 0), Operand::Imm(flags), rest) =
            (operands.first()?, operands.get(1)?, operands.get(2..)?)
        else {
            return None;
        };
        let mut assembly = Assembly {
            template: canonical(self.m.names.text(*text).as_bytes()).into_owned(),
            intel: flags & extra::INTEL != 0,
            side_effects: flags & extra::SIDE_EFFECTS != 0,
            all_memory: flags & extra::STORES != 0,
            items: Vec::new(),
            clobbers: Vec::new(),
        };
        let (mut groups, mut clobbers, mut rest) = (Vec::new(), Vec::new(), rest);
        while let Some((Operand::Imm(flag), after)) = rest.split_first() {
            let count = usize::try_from((flag >> 3) & 0x1fff).ok()?;
            let (operands, tail) = (after.get(..count)?, after.get(count..)?);
            rest = tail;
            let tied = flag & (1 << 31) != 0;
            let (output, early) = (flag & 7 == group::DEF || flag & 7 == group::EARLY_DEF, flag & 7 == 3);
            let kind = match (flag & 7, operands) {
                (group::CLOBBER, registers) => {
                    for r in registers {
                        let Operand::Reg { reg: Reg::Physical(p), .. } = r else { return None };
                        assembly.clobbers.push(clobbered(*p));
                        clobbers.push(*p);
                    }
                    continue;
                }
                (group::USE, [Operand::Reg { .. }]) if tied => {
                    OperandKind::Tied(usize::try_from((flag >> 16) & 0x7fff).ok()?)
                }
                (group::USE | group::DEF | group::EARLY_DEF, [Operand::Reg { reg, .. }]) => match reg {
                    Reg::Virtual(_) => OperandKind::Register,
                    Reg::Physical(p) => OperandKind::Fixed(PhysReg { width: 0, ..*p }),
                    Reg::None => return None,
                },
                (group::IMMEDIATE, [_]) => OperandKind::Immediate,
                (group::MEMORY, [_, _, _, _, _]) => OperandKind::Memory,
                _ => return None,
            };
            let item = Item { output, early, kind };
            assembly.items.push(item.clone());
            groups.push(OperandGroup { item, operands });
        }
        Some(Parts { assembly, groups, clobbers })
    }

    /// Whether an instruction is inline assembly that the world sees.
    pub(crate) fn assembly_event(&self, index: usize) -> bool {
        let sem = self.opcodes.get(index).copied().flatten().map(|o| o.sem);
        sem == Some(Sem::Assembly)
            && self.f.insts.get(index).and_then(|i| self.assembly(i)).is_some_and(|p| p.assembly.is_event())
    }

    /// The registers that inline assembly writes, in order.
    pub(crate) fn assembly_outputs(&self, inst: &MachineInst) -> Vec<&Operand> {
        let Some(parts) = self.assembly(inst) else { return Vec::new() };
        let outputs =
            parts.groups.into_iter().filter(|g| g.item.output && g.item.kind != OperandKind::Memory);
        outputs.filter_map(|g| g.operands.first()).collect()
    }

    /// The width of an output.
    pub(crate) fn output_width(&self, operand: &Operand) -> Res<u32> {
        match operand {
            Operand::Reg { reg: Reg::Virtual(n), .. } => self.vreg_width(*n),
            Operand::Reg { reg: Reg::Physical(p), .. } => Ok(u32::from(p.width)),
            _ => self.unsupported("inline assembly"),
        }
    }

    /// Gives an output of inline assembly its value.
    pub(crate) fn write_output<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        operand: &Operand,
        value: &D::Bv,
    ) -> Res<()> {
        self.write(d, st, operand, value)
    }

    /// Runs inline assembly: as an operation known by name, or as an event.
    pub(super) fn inline_assembly<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
    ) -> Res<Effect<D>> {
        let Some(parts) = self.assembly(inst) else { return self.unsupported("inline assembly") };
        self.assume(Assumption::AssemblyByText);
        let mut args = Vec::new();
        for g in &parts.groups {
            match (&g.item.kind, g.operands.first()) {
                (OperandKind::Memory, _) => {
                    let operands: Vec<&Operand> = g.operands.iter().collect();
                    args.push(self.address(d, st, &operands, 64)?);
                }
                (_, Some(_)) if g.item.output => {}
                (OperandKind::Immediate, Some(o)) => args.push(self.read(d, st, o, 64)?),
                (_, Some(o)) => {
                    let width = self.output_width(o)?;
                    args.push(self.read(d, st, o, width)?);
                }
                (_, None) => return self.unsupported("inline assembly"),
            }
        }
        let label = parts.assembly.label();
        if parts.assembly.is_event() {
            return Ok(Effect::Assembly { label, args });
        }
        let outputs = self.assembly_outputs(inst);
        let mut values = Vec::new();
        for (k, output) in outputs.iter().enumerate() {
            let width = self.output_width(output)?;
            values.push(d.operation(&Operation::Assembly(label.clone(), k), &args, width));
        }
        for p in &parts.clobbers {
            match p.unit {
                crate::x86::regs::Unit::Gpr(n) => st.gpr[n as usize] = None,
                crate::x86::regs::Unit::Xmm(n) => st.xmm[n as usize] = None,
                crate::x86::regs::Unit::Flags
                | crate::x86::regs::Unit::Rip
                | crate::x86::regs::Unit::Other(_) => {}
            }
        }
        st.flags = crate::x86::flags::Flags::Unknown;
        for (output, value) in outputs.iter().zip(values) {
            self.write(d, st, output, &value)?;
        }
        Ok(Effect::Next)
    }
}
