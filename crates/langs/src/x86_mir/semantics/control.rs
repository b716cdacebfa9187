//! Jumps, calls and returns.

use super::table::{Form, Opcode, Sem};
use super::{Callee, Effect, Res, State, X86};
use crate::abi::Loc;
use crate::abi::sysv::SYSTEM_V;
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::memory::access::{AccessCheck, Asked};
use crate::memory::blocks::{SPELLED_OUT, block_memory};
use crate::memory::objects::NamedObjects;
use crate::operation::{Arithmetic, Format, Operation};
use crate::x86::flags::Flags;
use crate::x86::float::multiply_add;
use crate::x86::regs::{PhysReg, Unit};
use crate::x86_mir::ast::Operand;

const fn reg(n: u8) -> PhysReg {
    PhysReg::gpr(n, 64)
}

impl<O: NamedObjects> X86<'_, O> {
    pub(super) fn control<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
        index: usize,
    ) -> Res<Effect<D>> {
        match op.sem {
            // The caller would find its stack pointer moved.
            Sem::Return if matches!(ex.first(), Some(Operand::Imm(n)) if *n != 0) => {
                self.unsupported("return that pops arguments")
            }
            Sem::Return => Ok(Effect::Return),
            Sem::Trap => Ok(Effect::Trap),
            Sem::Jump => match self.at(ex, 0)? {
                Operand::Block(b) => Ok(Effect::Jump(*b)),
                _ => self.unsupported("jump to this operand"),
            },
            Sem::JumpIf => {
                let Operand::Block(to) = self.at(ex, 0)? else {
                    return self.unsupported("jump to this operand");
                };
                let cond = self.jump_condition(d, st, self.at(ex, 1)?)?;
                Ok(Effect::JumpIf(cond, *to))
            }
            Sem::JumpIndirect => {
                let target = match op.form {
                    Form::M => self.load(d, st, ex, 64)?,
                    _ => self.read(d, st, self.at(ex, 0)?, 64)?,
                };
                if let Some(ways) = self.labels(d, index, &target) {
                    return Ok(Effect::JumpAmong(ways));
                }
                let mut blocks: Vec<u32> = self.f.jump_tables.iter().flatten().copied().collect();
                blocks.sort_unstable();
                blocks.dedup();
                if blocks.is_empty() {
                    return self.unsupported("indirect jump without a jump table");
                }
                let mut ways = Vec::new();
                for block in blocks {
                    let address = self.block_address(d, block);
                    let here = d.eq(&target, &address);
                    if d.as_bool(&here) != Some(false) {
                        ways.push((here, block));
                    }
                }
                Ok(Effect::JumpAmong(ways))
            }
            Sem::Call | Sem::TailCall => self.call(d, st, op, ex, index),
            _ => self.unsupported("control instruction"),
        }
    }

    /// The ways of a jump to blocks whose addresses the source takes: those are the source's.
    fn labels<D: Domain>(&self, d: &mut D, index: usize, target: &D::Bv) -> Option<Vec<(D::Bool, u32)>> {
        let block = self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&index))?;
        let mut ways = Vec::new();
        for number in &block.successors {
            let to = self.f.blocks.get(self.f.block_index(*number)?)?;
            let label = to.ir_block.as_deref().filter(|_| to.special)?;
            let address = self.objects.label(d, &self.f.name, label)?;
            ways.push((d.eq(target, &address), *number));
        }
        (!ways.is_empty()).then_some(ways)
    }

    fn call<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
        index: usize,
    ) -> Res<Effect<D>> {
        let tail = op.sem == Sem::TailCall;
        self.check_kept(index)?;
        // The callee would find its arguments and the way back elsewhere.
        let moved = ex.iter().rev().find(|o| !matches!(o, Operand::Mask(_)));
        if tail && !matches!(moved, Some(Operand::Imm(0))) {
            return self.unsupported("tail call that moves the stack pointer");
        }
        if op.form == Form::M {
            let target = self.load(d, st, ex, 64)?;
            return Ok(Effect::Call { callee: Callee::Indirect(target), tail });
        }
        let callee = match self.at(ex, 0)? {
            Operand::Global(name, 0, _) => Callee::Direct(self.m.names.text(*name).to_owned()),
            Operand::External(name, 0) => {
                let name = self.m.names.text(*name);
                if self.block_call(d, st, index, name)? || self.math_call(d, st, index, name)? {
                    return Ok(if tail { Effect::Return } else { Effect::Next });
                }
                Callee::Library(name.to_owned())
            }
            Operand::Symbol(name) => {
                let name = self.m.names.text(*name);
                if self.block_call(d, st, index, name)? || self.math_call(d, st, index, name)? {
                    return Ok(if tail { Effect::Return } else { Effect::Next });
                }
                Callee::Library(name.to_owned())
            }
            target @ Operand::Reg { .. } => Callee::Indirect(self.read(d, st, target, 64)?),
            _ => return self.unsupported("call of this operand"),
        };
        Ok(Effect::Call { callee, tail })
    }

    /// A call the compiler made for a block operation of a small constant length is the operation itself.
    fn block_call<D: Domain>(&self, d: &mut D, st: &mut State<D>, index: usize, name: &str) -> Res<bool> {
        if !matches!(name, "memcpy" | "memmove" | "memset") {
            return Ok(false);
        }
        let length = self.read_phys(d, st, reg(2))?;
        let Some(n) = d.as_const(&length).and_then(|n| n.to_u64()).filter(|n| *n <= SPELLED_OUT) else {
            return Ok(false);
        };
        self.check_block_read(index, name)?;
        let (to, second) = (self.read_phys(d, st, reg(7))?, self.read_phys(d, st, reg(6))?);
        if self.env.access != AccessCheck::Off {
            for (at, write) in [(&to, true), (&second, false)] {
                if write || name != "memset" {
                    self.check_range(d, st, at, n, write);
                }
            }
        }
        let source = match name {
            "memset" => st.mem.clone(),
            _ => self.objects.memory_with_constant(d, &st.mem, &second, n),
        };
        st.mem = block_memory(d, (&st.mem, &source), name, &to, &second, n);
        self.clobber(st);
        st.gpr[0] = Some(to);
        Ok(true)
    }

    /// A call the compiler made for an operation of the mathematical library or a wide division.
    fn math_call<D: Domain>(&self, d: &mut D, st: &mut State<D>, index: usize, name: &str) -> Res<bool> {
        use crate::domain::BitOp;
        let wide = match name {
            "__divti3" => Some(BitOp::SDiv),
            "__udivti3" => Some(BitOp::UDiv),
            "__modti3" => Some(BitOp::SRem),
            "__umodti3" => Some(BitOp::URem),
            _ => None,
        };
        if let Some(op) = wide {
            let mut parts = Vec::new();
            self.check_read(index, [7, 6, 2, 1].map(|n| (Loc::Gpr(n), 64)))?;
            for n in [7, 6, 2, 1] {
                parts.push(self.read_phys(d, st, reg(n))?);
            }
            let (a, b) = (d.concat(&parts[1], &parts[0]), d.concat(&parts[3], &parts[2]));
            let value = d.bin(op, &a, &b);
            self.clobber(st);
            st.gpr[0] = Some(d.extract(63, 0, &value));
            st.gpr[2] = Some(d.extract(127, 64, &value));
            return Ok(true);
        }
        let (stem, width, kind) = match name.strip_suffix('f') {
            Some(stem) => (stem, 32, Format::F32),
            None => (name, 64, Format::F64),
        };
        let (operation, arity) = match stem {
            "fmod" => (Operation::Arithmetic(Arithmetic::Rem, kind), 2),
            "pow" => (Operation::Library(stem.to_owned(), kind), 2),
            "fma" => (Operation::Fused(kind), 3),
            _ if crate::floats::LIBRARY_MATH.contains(&stem) => {
                (Operation::Library(stem.to_owned(), kind), 1)
            }
            _ => return Ok(false),
        };
        self.check_read(index, (0..arity).map(|n| (Loc::Xmm(n), width)))?;
        let mut args = Vec::new();
        for n in 0..arity {
            let whole = self.read_phys(d, st, PhysReg { unit: Unit::Xmm(n), lo: 0, width: 128 })?;
            args.push(d.zfit(&whole, width));
        }
        self.assume(Assumption::FloatsByName);
        let value = match (&operation, &args[..]) {
            (Operation::Fused(_), [a, b, c]) => multiply_add(d, a, b, c),
            _ => d.operation(&operation, &args, width),
        };
        self.clobber(st);
        let upper = d.nondet("upper", 128 - width);
        st.xmm[0] = Some(d.concat(&upper, &value));
        Ok(true)
    }

    pub(super) fn check_range<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        at: &D::Bv,
        bytes: u64,
        write: bool,
    ) {
        // Frame objects and known globals are always there.
        let mut known: Vec<(String, u64)> = self.env.stack.iter().flatten().cloned().collect();
        known.extend(self.env.fixed.iter().flatten().map(|slot| (slot.object.clone(), slot.size)));
        known.extend(self.objects.sized().into_iter().map(|(name, size)| (format!("@{name}"), size)));
        for (name, size) in known {
            let base = d.address(&name, Some(size));
            let offset = d.sub(at, &base);
            let offset = d.as_const(&offset).and_then(|o| o.to_u64());
            if offset.and_then(|o| o.checked_add(bytes)).is_some_and(|end| end <= size) {
                return;
            }
        }
        let fine = self.env.access.permits(d, &st.perm, at, (bytes, write), Asked::Words);
        let bad = d.not(&fine);
        self.note_fault(d, st, &bad);
    }

    /// What a call destroys: every register that the convention does not save.
    pub(crate) fn clobber<D: Domain>(&self, st: &mut State<D>) {
        for n in SYSTEM_V.destroyed() {
            st.gpr[usize::from(n)] = None;
        }
        st.xmm.iter_mut().for_each(|x| *x = None);
        st.flags = Flags::Unknown;
    }
}
