//! What choices ask of a machine function.

use super::ast::{MachineInst, Operand, Reg};
use super::semantics::X86;
use super::semantics::table::Sem;
use crate::choice::{Target, TargetExtensions};
use crate::memory::objects::NamedObjects;
use crate::x86::bits::Count;
use rustc_hash::FxHashMap;

/// Most copies between a PHI and what defines its operand.
const COPIES: usize = 4;

impl<O: NamedObjects> Target for X86<'_, O> {
    fn divides(&self) -> bool {
        let name = |i: &MachineInst| self.m.names.text(i.opcode).trim_start_matches('I');
        self.f.insts.iter().any(|i| name(i).starts_with("DIV"))
    }

    fn counts_and_scans(&self) -> (bool, bool) {
        let has = |list: &[Count]| {
            let is = |c: Sem| matches!(c, Sem::Count(c) if list.contains(&c));
            self.opcodes.iter().flatten().any(|o| is(o.sem))
        };
        (has(&[Count::Lzcnt, Count::Tzcnt]), has(&[Count::Bsf, Count::Bsr]))
    }

    fn fuses(&self) -> bool {
        self.opcodes.iter().flatten().any(|o| matches!(o.sem, Sem::Fused(..)))
    }

    fn extensions(&self) -> FxHashMap<&str, TargetExtensions> {
        let mut found: FxHashMap<&str, TargetExtensions> = FxHashMap::default();
        for block in &self.f.blocks {
            let Some(name) = &block.ir_block else { continue };
            let here = found.entry(name).or_default();
            for i in block.first as usize..block.end as usize {
                // Jumps among blocks extend what their table holds.
                if self.f.mem_of(&self.f.insts[i]).iter().any(|m| m.base == "jump-table") {
                    continue;
                }
                let (of, w) = match self.opcodes[i].map(|o| o.sem) {
                    Some(Sem::Movzx(w)) => (&mut here.zero, w),
                    Some(Sem::Movsx(w)) => (&mut here.sign, w),
                    _ => continue,
                };
                *of.entry(w).or_default() += 1;
            }
        }
        found
    }

    fn calls_of(&self, names: &[&str]) -> usize {
        let named = |o: &Operand| match o {
            Operand::Global(name, 0, _) | Operand::External(name, 0) | Operand::Symbol(name) => {
                names.contains(&self.m.names.text(*name))
            }
            _ => false,
        };
        self.f.insts.iter().filter(|i| self.f.operands_of(i).first().is_some_and(named)).count()
    }

    fn undefined_on_edge(&self, register: u32, from: &str) -> Option<(u32, u32, u32)> {
        let (phi, sem) = self.only_definition(register)?;
        if sem != Sem::Phi {
            return None;
        }
        let of_block =
            |n: u32| self.f.blocks.iter().any(|b| b.number == n && b.ir_block.as_deref() == Some(from));
        let mut operand = self.f.operands_of(phi).get(1..)?.chunks(2).find_map(|pair| match pair {
            [source, Operand::Block(b)] if of_block(*b) => Some(source),
            _ => None,
        })?;
        for _ in 0..COPIES {
            let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = operand else { return None };
            let (inst, sem) = self.only_definition(*n)?;
            match sem {
                Sem::Undefined => return Some((inst.line, *n, self.vreg_width(*n).ok()?)),
                Sem::Copy => operand = self.f.operands_of(inst).get(1)?,
                _ => return None,
            }
        }
        None
    }
}

impl<O: NamedObjects> X86<'_, O> {
    /// Whether an operand is a register that nothing defines.
    pub(super) fn is_undefined(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reg { flags, .. } if flags.undef => true,
            Operand::Reg { reg: Reg::Virtual(n), .. } => {
                self.only_definition(*n).is_some_and(|(_, sem)| sem == Sem::Undefined)
            }
            _ => false,
        }
    }

    /// The only instruction that defines a register.
    fn only_definition(&self, register: u32) -> Option<(&MachineInst, Sem)> {
        let index = (*self.definitions.get(register as usize)?)? as usize;
        Some((&self.f.insts[index], self.opcodes[index]?.sem))
    }
}
