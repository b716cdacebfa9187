//! The ways through a function, and what goes along them: which instructions use an address that one puts into a register, which
//! registers hold an address in the frame whichever way it came there, whose turn it is of variables that share a place.

use super::convert::Converted;
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use langs::machine_code::{Decoded, Facts, MOST_MOVED as MOST, Target, successors};
use std::collections::{BTreeMap, BTreeSet};

/// The ways through a function.
pub(super) struct Flow<'g> {
    /// The function.
    pub cut: &'g Converted,
    /// What is known of it.
    pub facts: &'g Facts,
}

impl Flow<'_> {
    /// By instruction: where it copies a register that holds an address in the frame whichever way it came there, how far the stack
    /// pointer is from that of the entry, and the address. Such a copy may as well make the address.
    pub fn held(&self) -> Vec<Option<(i64, i64)>> {
        let f = &self.cut.function;
        let mut factory = InstructionInfoFactory::new();
        let mut at_start: Vec<Option<[Option<i64>; 16]>> = vec![None; f.blocks.len()];
        let mut out = vec![None; f.insns.len()];
        let mut open = vec![0];
        if let Some(first) = at_start.first_mut() {
            *first = Some([None; 16]);
        }
        while let Some(b) = open.pop() {
            let Some(mut now) = at_start.get(b).copied().flatten() else { continue };
            for i in f.blocks[b].first..f.blocks[b].end {
                let Decoded::X86(insn) = &f.insns[i].decoded else { return out };
                let to = (insn.op_count() == 2 && insn.op0_kind() == OpKind::Register)
                    .then(|| insn.op0_register())
                    .filter(|r| r.is_gpr64());
                let made = self.facts.taken_at(i).filter(|_| {
                    let index = insn.memory_index() != Register::None;
                    matches!(insn.mnemonic(), Mnemonic::Lea | Mnemonic::Mov) && to.is_some() && !index
                });
                let copies = insn.mnemonic() == Mnemonic::Mov && insn.op1_kind() == OpKind::Register;
                let from = insn.op1_register();
                let copied =
                    (copies && to.is_some() && from.is_gpr64()).then(|| now[from.number()]).flatten();
                out[i] = copied.zip(self.facts.pointers_at(i).0).map(|(at, stack)| (stack, at));
                for used in factory.info(insn).used_registers() {
                    let register = used.register();
                    if !matches!(used.access(), OpAccess::Read | OpAccess::CondRead) && register.is_gpr() {
                        now[register.full_register().number()] = None;
                    }
                }
                let lost = self.lost(i);
                (0..16).filter(|n| lost >> n & 1 == 1).for_each(|n| now[n] = None);
                if let Some(to) = to {
                    now[to.number()] = made.or(copied);
                }
            }
            for to in successors(f, self.facts, b) {
                let joined = match at_start[to] {
                    None => now,
                    Some(old) => std::array::from_fn(|n| old[n].filter(|at| now[n] == Some(*at))),
                };
                if at_start[to] != Some(joined) {
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        out
    }

    /// The instructions that use an address that one puts into a register, or a copy of it in another register. Copies that a test
    /// chooses count as addresses of their own, and their uses are not followed.
    pub fn uses(
        &self,
        i: usize,
        register: Register,
        copied: &dyn Fn(usize) -> bool,
    ) -> Option<BTreeSet<usize>> {
        let f = &self.cut.function;
        let mut factory = InstructionInfoFactory::new();
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut met: BTreeMap<usize, u32> = BTreeMap::new();
        let mut open: Vec<(usize, u32)> =
            self.behind(i).into_iter().map(|next| (next, 1 << register.full_register().number())).collect();
        while let Some((j, mut held)) = open.pop() {
            let known = met.entry(j).or_default();
            if held & !*known == 0 {
                continue;
            }
            held |= *known;
            *known = held;
            let Some(Decoded::X86(insn)) = f.insns.get(j).map(|insn| &insn.decoded) else { return None };
            let holds = |r: Register| r.is_gpr() && held >> r.full_register().number() & 1 == 1;
            let copies = insn.mnemonic() == Mnemonic::Mov
                && insn.op0_kind() == OpKind::Register
                && insn.op1_kind() == OpKind::Register
                && holds(insn.op1_register())
                && insn.op0_register().is_gpr64();
            let mut uses = (self.calls(j) || self.is_in_place(j)) && held & ARGUMENTS != 0;
            let mut after = held;
            for used in factory.info(insn).used_registers() {
                let access = used.access();
                let unread = matches!(access, OpAccess::None | OpAccess::Write | OpAccess::CondWrite);
                uses |= !unread && access != OpAccess::NoMemAccess && holds(used.register()) && !copies;
                let written = matches!(access, OpAccess::Write | OpAccess::ReadWrite);
                if written && used.register().is_gpr() {
                    after &= !(1 << used.register().full_register().number());
                }
            }
            if copies && !copied(j) {
                after |= 1 << insn.op0_register().number();
            }
            after &= !self.lost(j);
            found.extend(uses.then_some(j));
            if after != 0 {
                open.extend(self.behind(j).into_iter().map(|next| (next, after)));
            }
        }
        Some(found)
    }

    /// Whether an instruction is a call of a function whose body was not put in the place of the call.
    pub fn calls(&self, i: usize) -> bool {
        let insn = &self.cut.function.insns[i];
        let call =
            insn.x86().mnemonic() == Mnemonic::Call || matches!(insn.target, Some(Target::Function(_)));
        call && !self.is_in_place(i)
    }

    /// Whether an instruction was a call and is a jump to the callee's body, which was put in its place.
    fn is_in_place(&self, i: usize) -> bool {
        self.cut.origins[i].as_ref().is_some_and(|o| o.calls.is_some())
    }

    /// The registers that an instruction loses by calling a function, as bits.
    fn lost(&self, i: usize) -> u32 {
        if self.calls(i) { CLOBBERED & !(self.cut.function.insns[i].keeps as u32) } else { 0 }
    }

    /// The instructions that may run behind one.
    fn behind(&self, i: usize) -> Vec<usize> {
        let blocks = &self.cut.function.blocks;
        match blocks.iter().position(|b| (b.first..b.end).contains(&i)) {
            Some(b) if blocks[b].end == i + 1 => {
                successors(&self.cut.function, self.facts, b).into_iter().map(|b| blocks[b].first).collect()
            }
            _ => vec![i + 1],
        }
    }

    /// Where scopes begin: at turns of a variable that come behind what may be the turn of another, or of none, as at the entry and
    /// at an instruction that starts anew.
    pub fn begins(&self, turns: &BTreeMap<usize, usize>, anew: Option<usize>) -> Vec<(usize, usize)> {
        let blocks = &self.cut.function.blocks;
        // A bit for each variable whose turn it may be, and one for none's.
        let nobody = 1u128 << MOST;
        let mut out = Vec::new();
        let mut through = |b: usize, mut now: u128, tell: bool| {
            for i in blocks[b].first..blocks[b].end {
                if anew == Some(i) {
                    now = nobody;
                }
                let Some(v) = turns.get(&i) else { continue };
                if tell && now & !(1 << v) != 0 {
                    out.push((i, *v));
                }
                now = 1 << v;
            }
            now
        };
        let mut before = vec![0u128; blocks.len()];
        if let Some(first) = before.first_mut() {
            // Ahead of its block a variable that has its place alone may be any.
            *first = if anew.is_some() { 1 } else { nobody };
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let after = through(b, before[b], false);
            for to in successors(&self.cut.function, self.facts, b) {
                if after & !before[to] != 0 {
                    before[to] |= after;
                    open.push(to);
                }
            }
        }
        for (b, now) in before.into_iter().enumerate() {
            through(b, now, true);
        }
        out
    }
}

/// The registers that a call passes arguments in, and those that it does not keep, as bits.
const ARGUMENTS: u32 = 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9;
const CLOBBERED: u32 = ARGUMENTS | 1 | 1 << 10 | 1 << 11;
