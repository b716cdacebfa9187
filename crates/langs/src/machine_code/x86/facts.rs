//! What holds at each instruction whatever the inputs are: how far the stack pointer (and a frame pointer) is from where
//! it was at the entry, which addresses in the frame become data, and which jump goes by which table.

use super::function::{Function, Insn, Reference, Target};
use crate::domain::{Res, Unsupported};
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use rustc_hash::FxHashMap;

/// The hardware number of the stack pointer.
pub(crate) const RSP: usize = 4;
/// The hardware number of the frame pointer.
pub(crate) const RBP: usize = 5;

/// What is known of a general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Nothing.
    Top,
    /// The stack pointer of the entry plus this.
    Frame(i64),
    /// The address of a jump table.
    Table(usize),
    /// An entry of a jump table of distances.
    Entry(usize),
    /// A place in the code that a jump table leads to.
    Code(usize),
}

impl Known {
    /// Whether it comes from a jump table: the number that a run has for it is no data.
    pub(crate) fn is_code(self) -> bool {
        match self {
            Known::Table(_) | Known::Entry(_) | Known::Code(_) => true,
            Known::Top | Known::Frame(_) => false,
        }
    }
}

type Registers = [Known; 16];

/// An address in the frame that becomes data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Taken {
    /// From the stack pointer of the entry.
    pub offset: i64,
    /// Whether it is the constant part of an address with an index, which may lie outside of what is accessed.
    pub indexed: bool,
    /// The first instruction that takes it.
    pub insn: usize,
}

/// The facts of a function.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Before each instruction; none where it is never reached.
    before: Vec<Option<Registers>>,
    /// Addresses in the frame that become data.
    pub taken: Vec<Taken>,
    /// The tables of indirect jumps.
    jumps: FxHashMap<usize, usize>,
}

impl Facts {
    /// Looks through a function.
    ///
    /// # Errors
    /// Where the stack pointer is not at a known place, or a jump goes to unknown ones.
    pub fn of(f: &Function) -> Result<Facts, Unsupported> {
        let mut facts = Facts { before: vec![None; f.insns.len()], ..Facts::default() };
        let mut entry = [Known::Top; 16];
        entry[RSP] = Known::Frame(0);
        let mut at_start: Vec<Option<Registers>> = vec![None; f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = Some(entry);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut known) = at_start.get(b).copied().flatten() else { continue };
            let mut next = Vec::new();
            for i in f.blocks[b].first..f.blocks[b].end {
                facts.before[i] = Some(known);
                facts.jump(f, i, &known, &mut next)?;
                transfer(f, i, &mut known)?;
            }
            if let Some(to) = f.blocks[b].falls {
                next.push(to);
            }
            for to in next {
                let Some(old) = at_start.get(to).copied() else { continue };
                let joined = old.map_or(known, |old| join(&old, &known));
                if old != Some(joined) {
                    if joined[RSP] == Known::Top {
                        return Err(f.unsupported(f.blocks[to].first, "a stack pointer that is not constant"));
                    }
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        for i in 0..f.insns.len() {
            if let Some(known) = facts.before[i] {
                takes(f, i, &known, &mut facts.taken)?;
            }
        }
        facts.taken.sort_unstable();
        facts.taken.dedup_by_key(|t| (t.offset, t.indexed));
        Ok(facts)
    }

    /// Where a jump of the instruction leads.
    fn jump(&mut self, f: &Function, i: usize, known: &Registers, next: &mut Vec<usize>) -> Res<()> {
        let insn = &f.insns[i];
        if let (Some(Target::Block(b)), true) = (&insn.target, !insn.decoded.is_call_near()) {
            next.push(*b);
        }
        if insn.decoded.is_jmp_near_indirect() {
            if let Some(table) = table_of_jump(insn, known) {
                self.jumps.insert(i, table);
                next.extend(f.tables[table].entries.iter().copied());
            } else {
                self.jumps.remove(&i);
            }
        }
        Ok(())
    }

    /// The table that an indirect jump goes by; none where it leaves the function.
    pub(crate) fn table(&self, insn: usize) -> Option<usize> {
        self.jumps.get(&insn).copied()
    }

    /// Whether an instruction is reached at all.
    pub(crate) fn reached(&self, insn: usize) -> bool {
        self.before.get(insn).is_some_and(Option::is_some)
    }

    /// What is known of a register before an instruction.
    pub(crate) fn known(&self, insn: usize, register: usize) -> Known {
        self.before.get(insn).copied().flatten().map_or(Known::Top, |r| r[register])
    }

    /// The registers whose value is not data behind an instruction, or no longer what it was followed as at a later one.
    pub(crate) fn lost(&self, f: &Function, last: usize, next: usize) -> Vec<usize> {
        let Some(mut after) = self.before.get(last).copied().flatten() else { return Vec::new() };
        if transfer(f, last, &mut after).is_err() {
            return (0..16).collect();
        }
        (0..16).filter(|n| after[*n] != Known::Top && after[*n] != self.known(next, *n)).collect()
    }

    /// How far the stack pointer and the frame pointer are from the stack pointer of the entry in the function's body:
    /// at most of its instructions.
    #[must_use]
    pub fn body(&self) -> (Option<i64>, Option<i64>) {
        let most = |register: usize| {
            let mut counts: FxHashMap<i64, usize> = FxHashMap::default();
            for at in (0..self.before.len()).filter_map(|i| self.frame(i, register)) {
                *counts.entry(at).or_default() += 1;
            }
            counts.into_iter().max_by_key(|(at, n)| (*n, *at)).map(|(at, _)| at)
        };
        (most(RSP), most(RBP))
    }

    /// How far a register is from the stack pointer of the entry.
    pub(crate) fn frame(&self, insn: usize, register: usize) -> Option<i64> {
        match self.known(insn, register) {
            Known::Frame(offset) => Some(offset),
            Known::Top | Known::Table(_) | Known::Entry(_) | Known::Code(_) => None,
        }
    }
}

fn join(a: &Registers, b: &Registers) -> Registers {
    let mut out = *a;
    for (x, y) in out.iter_mut().zip(b) {
        if *x != *y {
            *x = Known::Top;
        }
    }
    out
}

/// The number of a general register of 64 bits.
pub(crate) fn gpr64(register: Register) -> Option<usize> {
    register.is_gpr64().then(|| register.number())
}

fn table_of_jump(insn: &Insn, known: &Registers) -> Option<usize> {
    match insn.decoded.op0_kind() {
        OpKind::Register => match known[gpr64(insn.decoded.op0_register())?] {
            Known::Code(table) => Some(table),
            Known::Top | Known::Frame(_) | Known::Table(_) | Known::Entry(_) => None,
        },
        OpKind::Memory => table_of_operand(insn, known),
        _ => None,
    }
}

/// The table that a memory operand is an entry of: `[table + index * width]`.
pub(crate) fn table_of_operand(insn: &Insn, known: &Registers) -> Option<usize> {
    let base = gpr64(insn.decoded.memory_base());
    match (&insn.memory, base.map(|b| known[b])) {
        (Some(Reference::Table(table)), None) => Some(*table),
        (None, Some(Known::Table(table))) if insn.decoded.memory_displacement64() == 0 => Some(table),
        _ => None,
    }
}

/// What the instruction makes of what is known.
fn transfer(f: &Function, i: usize, known: &mut Registers) -> Res<()> {
    let insn = &f.insns[i];
    let d = &insn.decoded;
    let before = *known;
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(d).used_registers() {
        let writes = !matches!(
            used.access(),
            OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess
        );
        if let (true, Some(n)) = (writes, gpr64(used.register().full_register())) {
            known[n] = Known::Top;
        }
    }
    if matches!(d.mnemonic(), Mnemonic::Call) {
        for n in [0, 1, 2, 6, 7, 8, 9, 10, 11] {
            known[n] = Known::Top;
        }
        known[RSP] = before[RSP];
        return Ok(());
    }
    known[RSP] = before[RSP];
    if let Some((n, value)) = result(insn, &before) {
        known[n] = value;
    } else if writes_stack_pointer(insn) {
        known[RSP] = stack_pointer(insn, &before)
            .ok_or_else(|| f.unsupported(i, "a stack pointer that is not constant"))?;
        if d.mnemonic() == Mnemonic::Leave {
            known[RBP] = Known::Top;
        }
    }
    Ok(())
}

fn writes_stack_pointer(insn: &Insn) -> bool {
    let d = &insn.decoded;
    let moves = matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave | Mnemonic::Ret);
    moves || writes_operand(insn, Register::RSP)
}

fn writes_operand(insn: &Insn, register: Register) -> bool {
    let d = &insn.decoded;
    let reads_only = matches!(d.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Push | Mnemonic::Bt);
    !reads_only
        && d.op_count() > 0
        && d.op0_kind() == OpKind::Register
        && d.op0_register().full_register() == register
}

/// The stack pointer behind an instruction that moves it.
fn stack_pointer(insn: &Insn, known: &Registers) -> Option<Known> {
    let d = &insn.decoded;
    let Known::Frame(at) = known[RSP] else { return None };
    let size = i64::from(d.stack_pointer_increment());
    match d.mnemonic() {
        Mnemonic::Push | Mnemonic::Ret => Some(Known::Frame(at + size)),
        Mnemonic::Pop if !writes_operand(insn, Register::RSP) => Some(Known::Frame(at + size)),
        Mnemonic::Leave => match known[RBP] {
            Known::Frame(frame) => Some(Known::Frame(frame + 8)),
            _ => None,
        },
        _ => None,
    }
}

/// What an instruction of one of the known forms puts into a register.
fn result(insn: &Insn, known: &Registers) -> Option<(usize, Known)> {
    let d = &insn.decoded;
    if d.op_count() < 2 || d.op0_kind() != OpKind::Register {
        return None;
    }
    let to = gpr64(d.op0_register())?;
    let value = match d.mnemonic() {
        Mnemonic::Mov | Mnemonic::Movsxd if d.op1_kind() == OpKind::Memory => {
            let table = table_of_operand(insn, known)?;
            if d.mnemonic() == Mnemonic::Mov { Known::Code(table) } else { Known::Entry(table) }
        }
        Mnemonic::Mov if d.op1_kind() == OpKind::Register => known[gpr64(d.op1_register())?],
        Mnemonic::Lea => lea(insn, known)?,
        Mnemonic::Add | Mnemonic::Sub | Mnemonic::And => arithmetic(insn, known, to)?,
        _ => return None,
    };
    match value {
        // Addresses in the frame are followed in these registers alone: elsewhere they are data.
        Known::Frame(_) if to != RSP && to != RBP => None,
        Known::Top => None,
        Known::Frame(_) | Known::Table(_) | Known::Entry(_) | Known::Code(_) => Some((to, value)),
    }
}

fn lea(insn: &Insn, known: &Registers) -> Option<Known> {
    let d = &insn.decoded;
    if d.memory_index() != Register::None {
        return None;
    }
    match (&insn.memory, gpr64(d.memory_base())) {
        (Some(Reference::Table(table)), None) => Some(Known::Table(*table)),
        (None, Some(base)) => match known[base] {
            Known::Frame(at) => Some(Known::Frame(at.wrapping_add(d.memory_displacement64() as i64))),
            _ => None,
        },
        _ => None,
    }
}

fn arithmetic(insn: &Insn, known: &Registers, to: usize) -> Option<Known> {
    let d = &insn.decoded;
    let number = insn.immediate.is_none().then(|| d.try_immediate(1).ok()).flatten().map(|n| n as i64);
    match (d.mnemonic(), known[to], number) {
        (Mnemonic::Add, Known::Frame(at), Some(n)) => Some(Known::Frame(at.wrapping_add(n))),
        (Mnemonic::Sub, Known::Frame(at), Some(n)) => Some(Known::Frame(at.wrapping_sub(n))),
        // The convention has the stack pointer 8 bytes below a multiple of 16 at the entry.
        (Mnemonic::And, Known::Frame(at), Some(-16)) => Some(Known::Frame(at - (at + 8).rem_euclid(16))),
        (Mnemonic::Add, x, None) if d.op1_kind() == OpKind::Register => {
            match (x, known[gpr64(d.op1_register())?]) {
                (Known::Entry(t), Known::Table(u)) | (Known::Table(u), Known::Entry(t)) if t == u => {
                    Some(Known::Code(t))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an instruction only moves the stack or frame pointer by what is known.
pub(crate) fn is_bookkeeping(insn: &Insn, facts: &Facts, i: usize) -> bool {
    let before = facts.before.get(i).copied().flatten();
    before.is_some_and(|known| matches!(result(insn, &known), Some((RSP | RBP, Known::Frame(_)))))
}

/// The addresses in the frame that an instruction makes data of.
fn takes(f: &Function, i: usize, known: &Registers, taken: &mut Vec<Taken>) -> Res<()> {
    let insn = &f.insns[i];
    let d = &insn.decoded;
    let frame = |r: Register| match gpr64(r.full_register()).map(|n| known[n]) {
        Some(Known::Frame(at)) => Some(at),
        _ => None,
    };
    let follows =
        matches!(result(insn, known), Some((RSP | RBP, Known::Frame(_)))) || writes_stack_pointer(insn);
    for op in 0..d.op_count() {
        match d.op_kind(op) {
            OpKind::Register if !follows || d.mnemonic() == Mnemonic::Push => {
                let written_only = op == 0
                    && matches!(
                        d.mnemonic(),
                        Mnemonic::Mov | Mnemonic::Lea | Mnemonic::Pop | Mnemonic::Movsxd
                    );
                if let (Some(offset), false) = (frame(d.op_register(op)), written_only) {
                    taken.push(Taken { offset, indexed: false, insn: i });
                }
            }
            OpKind::Memory if !follows => {
                if frame(d.memory_index()).is_some() {
                    return Err(f.unsupported(i, "an address in the frame as an index"));
                }
                let Some(at) = frame(d.memory_base()) else { continue };
                let indexed = d.memory_index() != Register::None;
                if indexed || d.mnemonic() == Mnemonic::Lea {
                    let offset = at.wrapping_add(d.memory_displacement64() as i64);
                    taken.push(Taken { offset, indexed, insn: i });
                }
            }
            _ => {}
        }
    }
    Ok(())
}
