//! What holds at each instruction whatever the inputs are: how far the stack pointer (and a frame pointer) is from where
//! it was at the entry, which addresses in the frame become data, and which jump goes by which table.

use super::function::{Decoded, Function, Insn, Target};
use super::uses::{Control, control};
use super::{aarch64, riscv, x86};
use crate::domain::{Res, Unsupported};
use rustc_hash::FxHashMap;

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
    /// The same, not yet extended to the length of an address.
    Half(usize),
    /// A place in the code that a jump table leads to.
    Code(usize),
    /// The address of an entry of a jump table.
    Inside(usize),
    /// The page of the address that the linker fills into this instruction.
    Page(usize),
    /// This number.
    Number(i64),
}

impl Known {
    /// Whether it comes from a jump table: the number that a run has for it is no data.
    pub(crate) fn is_code(self) -> bool {
        match self {
            Known::Table(_) | Known::Entry(_) | Known::Half(_) | Known::Code(_) | Known::Inside(_) => true,
            Known::Top | Known::Frame(_) | Known::Page(_) | Known::Number(_) => false,
        }
    }
}

/// What is known of general registers.
pub(super) type Registers = [Known; MOST];

/// Places in the frame at which what comes from jump tables is saved, as from before the body of another function that
/// stands for its call: an offset each, and what is there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Saved(Vec<(i64, Known)>);

impl Saved {
    /// A register of 8 bytes is pushed here.
    pub fn push(&mut self, offset: i64, known: Known) {
        self.write(offset, 8);
        if known.is_code() {
            self.0.push((offset, known));
        }
    }

    /// What a register that is popped from here becomes.
    pub fn pop(&self, offset: i64) -> Option<Known> {
        self.0.iter().find(|(at, _)| *at == offset).map(|(_, known)| *known)
    }

    /// So many bytes are written here.
    pub fn write(&mut self, offset: i64, bytes: i64) {
        self.0.retain(|(at, _)| *at >= offset.saturating_add(bytes) || at.saturating_add(8) <= offset);
    }

    /// The stack ends here.
    pub fn end_at(&mut self, offset: i64) {
        self.0.retain(|(at, _)| *at >= offset);
    }

    fn in_both(&self, other: &Saved) -> Saved {
        Saved(self.0.iter().filter(|slot| other.0.contains(slot)).copied().collect())
    }
}

/// Forgets what is known of registers that are written: a bit each.
pub(super) fn forget(known: &mut Registers, writes: u64) {
    for (n, value) in known.iter_mut().enumerate() {
        if writes >> n & 1 == 1 {
            *value = Known::Top;
        }
    }
}

/// Most general registers that a machine has.
const MOST: usize = 32;

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
    /// By instruction, one of them that it takes.
    made: FxHashMap<usize, i64>,
    /// The tables of indirect jumps.
    jumps: FxHashMap<usize, usize>,
    /// The stack pointer and the frame pointer.
    pointers: (usize, usize),
}

impl Facts {
    /// Looks through a function.
    ///
    /// # Errors
    /// Where the stack pointer is not at a known place, or a jump goes to unknown ones.
    pub fn of(f: &Function) -> Result<Facts, Unsupported> {
        let mut facts = Facts {
            before: vec![None; f.insns.len()],
            pointers: (f.abi.stack, f.abi.frame),
            ..Facts::default()
        };
        let mut entry = [Known::Top; MOST];
        entry[f.abi.stack] = Known::Frame(0);
        let mut at_start: Vec<Option<(Registers, Saved)>> = vec![None; f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = Some((entry, Saved::default()));
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some((mut known, mut saved)) = at_start.get(b).cloned().flatten() else { continue };
            let mut next = Vec::new();
            for i in f.blocks[b].first..f.blocks[b].end {
                facts.before[i] = Some(known);
                facts.jump(f, i, &known, &mut next)?;
                transfer(f, i, &mut known)?;
                if let (Decoded::X86(_), false, Some(before)) =
                    (&f.insns[i].decoded, f.tables.is_empty(), facts.before[i])
                {
                    x86::track::save(&f.insns[i], &before, &mut known, &mut saved);
                }
            }
            if let Some(to) = f.blocks[b].falls {
                next.push(to);
            }
            for to in next {
                let Some(old) = at_start.get_mut(to) else { continue };
                let joined = match old {
                    Some((registers, slots)) => (join(registers, &known), slots.in_both(&saved)),
                    None => (known, saved.clone()),
                };
                if old.as_ref() != Some(&joined) {
                    if joined.0[f.abi.stack] == Known::Top {
                        return Err(f.unsupported(f.blocks[to].first, "a stack pointer that is not constant"));
                    }
                    *old = Some(joined);
                    open.push(to);
                }
            }
        }
        for i in 0..f.insns.len() {
            if let Some(known) = facts.before[i] {
                takes(f, i, &known, &mut facts.taken)?;
            }
        }
        if let Some(Decoded::X86(_)) = f.insns.first().map(|insn| &insn.decoded)
            && let Some(i) = x86::track::apart(f, &|i| facts.before[i])
        {
            return Err(f.unsupported(i, "a place in the frame beyond where the stack pointer is aligned"));
        }
        facts.made = facts.taken.iter().map(|t| (t.insn, t.offset)).collect();
        facts.taken.sort_unstable();
        facts.taken.dedup_by_key(|t| (t.offset, t.indexed));
        Ok(facts)
    }

    /// Where a jump of the instruction leads.
    fn jump(&mut self, f: &Function, i: usize, known: &Registers, next: &mut Vec<usize>) -> Res<()> {
        let insn = &f.insns[i];
        if let (Some(Target::Block(b)), true) = (&insn.target, control(f, i) != Control::Call) {
            next.push(*b);
        }
        if control(f, i) == Control::IndirectJump {
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
    #[must_use]
    pub fn table(&self, insn: usize) -> Option<usize> {
        self.jumps.get(&insn).copied()
    }

    /// Whether an instruction is reached at all.
    pub(crate) fn reached(&self, insn: usize) -> bool {
        self.before.get(insn).is_some_and(Option::is_some)
    }

    /// What is known of a register before an instruction; of one that none is, as the zero of RISC-V, nothing.
    pub(crate) fn known(&self, insn: usize, register: usize) -> Known {
        self.before.get(insn).copied().flatten().and_then(|r| r.get(register).copied()).unwrap_or(Known::Top)
    }

    /// The registers whose value is not data behind an instruction, or no longer what it was followed as at a later one.
    pub(crate) fn lost(&self, f: &Function, last: usize, next: usize) -> Vec<usize> {
        let Some(mut after) = self.before.get(last).copied().flatten() else { return Vec::new() };
        if transfer(f, last, &mut after).is_err() {
            return (0..MOST).collect();
        }
        let is_data = |known: Known| matches!(known, Known::Top | Known::Page(_) | Known::Number(_));
        (0..MOST).filter(|n| !is_data(after[*n]) && after[*n] != self.known(next, *n)).collect()
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
        (most(self.pointers.0), most(self.pointers.1))
    }

    /// How far the stack pointer and the frame pointer are from the stack pointer of the entry before an instruction.
    #[must_use]
    pub fn pointers_at(&self, insn: usize) -> (Option<i64>, Option<i64>) {
        (self.frame(insn, self.pointers.0), self.frame(insn, self.pointers.1))
    }

    /// How far the stack pointer is from that of the entry.
    pub(crate) fn stack(&self, insn: usize) -> Option<i64> {
        self.frame(insn, self.pointers.0)
    }

    /// The address in the frame that an instruction makes data of.
    #[must_use]
    pub fn taken_at(&self, insn: usize) -> Option<i64> {
        self.made.get(&insn).copied()
    }

    /// The number that a register holds.
    pub(crate) fn number(&self, insn: usize, register: usize) -> Option<u64> {
        match self.known(insn, register) {
            Known::Number(n) => Some(n as u64),
            _ => None,
        }
    }

    /// How far a register is from the stack pointer of the entry.
    pub(crate) fn frame(&self, insn: usize, register: usize) -> Option<i64> {
        match self.known(insn, register) {
            Known::Frame(offset) => Some(offset),
            Known::Top
            | Known::Table(_)
            | Known::Entry(_)
            | Known::Half(_)
            | Known::Code(_)
            | Known::Inside(_)
            | Known::Page(_)
            | Known::Number(_) => None,
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

/// What is known of registers before an instruction.
pub(super) fn registers(facts: &Facts, i: usize) -> Option<Registers> {
    facts.before.get(i).copied().flatten()
}

fn table_of_jump(insn: &Insn, known: &Registers) -> Option<usize> {
    match &insn.decoded {
        Decoded::X86(_) => x86::track::table_of_jump(insn, known),
        Decoded::AArch64(_) => None,
        Decoded::RiscV(insn) => riscv::track::table_of_jump(insn, known),
    }
}

/// What the instruction makes of what is known.
fn transfer(f: &Function, i: usize, known: &mut Registers) -> Res<()> {
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::track::transfer(f, i, known),
        Decoded::AArch64(insn) => aarch64::track::transfer(f, (i, insn), known),
        Decoded::RiscV(insn) => riscv::track::transfer(f, (i, insn), known),
    }
}

/// The addresses in the frame that an instruction makes data of.
fn takes(f: &Function, i: usize, known: &Registers, taken: &mut Vec<Taken>) -> Res<()> {
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::track::takes(f, i, known, taken),
        Decoded::AArch64(insn) => aarch64::track::takes(f, (i, insn), known, taken),
        Decoded::RiscV(insn) => riscv::track::takes(f, (i, insn), known, taken),
    }
}

/// Whether an instruction only moves the stack or frame pointer by what is known.
pub(crate) fn is_bookkeeping(f: &Function, facts: &Facts, i: usize) -> bool {
    let Some(known) = registers(facts, i) else { return false };
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::track::is_bookkeeping(&f.insns[i], &known),
        Decoded::AArch64(decoded) => aarch64::track::is_bookkeeping(decoded, &known),
        Decoded::RiscV(decoded) => riscv::track::is_bookkeeping(f, (i, decoded), &known),
    }
}
