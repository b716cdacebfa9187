//! What registers hold: a forward data-flow analysis over the control-flow graph of one function.
//!
//! The state of a block is what every way to it agrees on. Two passes: the first finds the states (they only fall, in
//! a lattice of height four but for offsets, which are widened), the second checks every reader against them.
//! Control also comes back from calls: to the instruction behind a `setjmp`, and to labels whose address is taken or
//! that nested functions go to. Such places are reached from every call of the function.

use super::operands::{Gives, Mark, Need, ends, operands};
use super::ranges::{bytes, in_local, in_static};
use super::{Checked, rule};
use crate::bytecode::{CallSite, Callee, Code, Constant, Insn, Program, Reg};
use crate::class::scalar_of;
use csyntax::tree::Unit;
use csyntax::types::Ty;
use rustc_hash::FxHashMap;

/// What is known of a register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Held {
    /// Nothing was put there on any way: a variable before its first assignment, which other checks keep from readers.
    Nothing,
    /// A value in the low half.
    Low,
    /// A value in both halves.
    Whole,
    /// This number.
    Number(i64),
    /// A byte offset from bounds checks, at most this.
    Offset(u64),
    /// The address of an object with at least this many bytes behind it.
    Object(u64),
    /// A mark.
    Mark(Mark),
}

impl Held {
    /// What two ways agree on.
    fn join(self, other: Held) -> Held {
        let both = |h: Held| matches!(h, Held::Whole | Held::Number(_) | Held::Object(_));
        match (self, other) {
            (a, b) if a == b => a,
            (Held::Nothing, known) | (known, Held::Nothing) => known,
            (Held::Object(a), Held::Object(b)) => Held::Object(a.min(b)),
            (Held::Offset(a), Held::Offset(b)) => Held::Offset(a.max(b)),
            (a, b) if both(a) && both(b) => Held::Whole,
            _ => Held::Low,
        }
    }
}

/// Visits of a block after which offsets that still grow are given up.
const MOST_VISITS: u32 = 32;

/// Blocks times registers up to which registers are followed: the states of more would take over 128 MB. Only functions
/// of tens of thousands of values have more; of those, numbers, targets and ranges alone are checked.
const MOST_CELLS: usize = 1 << 23;

/// The analysis of one function.
struct Flow<'p> {
    unit: &'p Unit,
    program: &'p Program,
    code: &'p Code,
    /// Where blocks begin.
    leaders: Vec<bool>,
    /// States at the beginnings of blocks that were reached.
    states: FxHashMap<usize, (Vec<Held>, u32)>,
    work: Vec<usize>,
    /// Where control comes back to from calls, with the register that then holds a value.
    returns: Vec<(usize, Option<Reg>)>,
    /// Labels of this code that computed gotos lead to.
    labels: Vec<usize>,
    /// Which registers say whether the variable in the register before has a value (`FnLower::allocate`).
    flags: Vec<bool>,
}

/// Checks the registers of one function; gives the position of the first fault.
pub(super) fn check(unit: &Unit, program: &Program, index: u32) -> Result<(), (usize, String)> {
    let code = &program.codes[index as usize];
    let label = |c: &Constant| match *c {
        Constant::Label(owner, t) if owner == index => Some(t as usize),
        Constant::Label(..) | Constant::Bits(..) | Constant::Static(..) | Constant::Function(_) => None,
    };
    let labels: Vec<usize> = program.constants.iter().filter_map(label).collect();
    let mut returns: Vec<(usize, Option<Reg>)> = labels.iter().map(|t| (*t, None)).collect();
    for (pc, insn) in code.insns.iter().enumerate() {
        if let Insn::Setjmp { d, .. } = *insn {
            returns.push((pc + 1, Some(d)));
        }
    }
    let mut flags = vec![false; code.regs as usize];
    for insn in &code.insns {
        if let Insn::CkFlag { f } = *insn {
            flags[usize::from(f)] = true;
        }
    }
    let leaders = vec![false; code.insns.len()];
    let states = FxHashMap::default();
    let mut flow = Flow { unit, program, code, leaders, states, work: Vec::new(), returns, labels, flags };
    flow.find_leaders();
    let blocks = flow.leaders.iter().filter(|leader| **leader).count();
    if blocks.saturating_mul(code.regs as usize) > MOST_CELLS {
        return Ok(());
    }
    let mut entry = vec![Held::Nothing; code.regs as usize];
    entry[..code.params as usize].fill(Held::Whole);
    flow.arrive(0, &entry);
    while let Some(block) = flow.work.pop() {
        flow.run(block);
    }
    let mut blocks: Vec<usize> = flow.states.keys().copied().collect();
    blocks.sort_unstable();
    blocks.into_iter().try_for_each(|block| flow.check(block))
}

impl Flow<'_> {
    fn find_leaders(&mut self) {
        let code = self.code;
        let mut lead = |pc: usize| {
            if let Some(leader) = self.leaders.get_mut(pc) {
                *leader = true;
            }
        };
        lead(0);
        for (pc, insn) in code.insns.iter().enumerate() {
            if let Some(to) = insn.leads_to(pc) {
                lead(to);
                lead(pc + 1);
            }
            targets(self.program, insn).into_iter().for_each(&mut lead);
        }
        self.returns.iter().for_each(|(pc, _)| lead(*pc));
    }

    /// Control comes to a block with this state.
    fn arrive(&mut self, block: usize, state: &[Held]) {
        let Some((known, visits)) = self.states.get_mut(&block) else {
            self.states.insert(block, (state.to_vec(), 0));
            self.work.push(block);
            return;
        };
        let mut changed = false;
        for (held, new) in known.iter_mut().zip(state) {
            let mut both = held.join(*new);
            if *visits > MOST_VISITS && both != *held && matches!(both, Held::Offset(_)) {
                both = Held::Low;
            }
            changed |= both != *held;
            *held = both;
        }
        if changed {
            *visits += 1;
            self.work.push(block);
        }
    }

    /// Follows a block to its end, and hands its state on.
    fn run(&mut self, block: usize) {
        let mut state = self.states[&block].0.clone();
        let mut pc = block;
        loop {
            let insn = &self.code.insns[pc];
            self.step(insn, &mut state);
            if let Some(base) = call(insn) {
                // The callee's frame has been here.
                state[usize::from(base)..].fill(Held::Nothing);
                for k in 0..self.returns.len() {
                    let (to, result) = self.returns[k];
                    self.come_back(to, result, &state);
                }
                state[usize::from(base)] = Held::Whole;
            } else if matches!(insn, Insn::Longjmp { .. }) {
                for k in 0..self.returns.len() {
                    let (to, result) = self.returns[k];
                    self.come_back(to, result, &state);
                }
            } else if matches!(insn, Insn::JmpPtr { .. }) {
                for k in 0..self.labels.len() {
                    self.arrive(self.labels[k], &state);
                }
            }
            if let Some(to) = insn.leads_to(pc) {
                self.arrive(to, &state);
            }
            for to in targets(self.program, insn) {
                self.arrive(to, &state);
            }
            if ends(insn) {
                return;
            }
            pc += 1;
            if self.leaders[pc] {
                self.arrive(pc, &state);
                return;
            }
        }
    }

    fn come_back(&mut self, to: usize, result: Option<Reg>, state: &[Held]) {
        let Some(result) = result else { return self.arrive(to, state) };
        let mut state = state.to_vec();
        state[usize::from(result)] = Held::Whole;
        self.arrive(to, &state);
    }

    /// What an instruction leaves in the registers it writes.
    fn step(&self, insn: &Insn, state: &mut [Held]) {
        match *insn {
            // From here to its first store the variable has no value, whatever the register held for others.
            Insn::K { d, k: 0 } if self.flags[usize::from(d)] => state[usize::from(d) - 1] = Held::Nothing,
            // Behind the test it has one: no way without a store comes here.
            Insn::CkFlag { f } if state[usize::from(f) - 1] == Held::Nothing => {
                state[usize::from(f) - 1] = Held::Whole;
            }
            _ => {}
        }
        for (reg, gives) in operands(self.program, insn).writes() {
            let held = |reg: Reg| state[usize::from(reg)];
            state[usize::from(reg)] = match gives {
                Gives::Low => Held::Low,
                Gives::Whole => Held::Whole,
                Gives::Copy(from) => held(from),
                Gives::Number(k) => Held::Number(k.into()),
                Gives::Constant(c) => self.constant(c),
                Gives::Local(local, off) => {
                    object(self.code.locals[usize::from(local)].size.into(), off.into())
                }
                Gives::Field(p, k) => further(held(p), k.into()),
                Gives::Plus(p, o) => match held(o) {
                    Held::Number(k) => further(held(p), k),
                    _ => Held::Whole,
                },
                Gives::Element(r, from) => {
                    let array = &self.program.arrays[r as usize];
                    let last = array.count.saturating_sub(1).saturating_mul(array.scale);
                    let last = array.base.saturating_add(last);
                    match from.map(held) {
                        None => Held::Offset(last),
                        Some(Held::Offset(most)) => Held::Offset(most.saturating_add(last)),
                        Some(_) => Held::Low,
                    }
                }
                Gives::Mark(mark) => Held::Mark(mark),
            };
        }
    }

    fn constant(&self, c: u32) -> Held {
        match self.program.constants[c as usize] {
            Constant::Bits(lo, 0) => Held::Number(lo as i64),
            Constant::Static(index, off) => object(self.program.statics[index as usize].size, off),
            Constant::Bits(..) | Constant::Function(_) | Constant::Label(..) => Held::Whole,
        }
    }

    /// Checks the readers of a block against its state.
    fn check(&self, block: usize) -> Result<(), (usize, String)> {
        let mut state = self.states[&block].0.clone();
        let mut pc = block;
        loop {
            let insn = &self.code.insns[pc];
            let fault = |what: String| (pc, format!("{insn:?}: {what}"));
            for (reg, need) in operands(self.program, insn).reads() {
                self.fits(state[usize::from(reg)], need)
                    .map_err(|what| fault(format!("register {reg}: {what}")))?;
            }
            self.arguments(insn, &state).map_err(fault)?;
            self.step(insn, &mut state);
            if let Some(base) = call(insn) {
                state[usize::from(base)..].fill(Held::Nothing);
                state[usize::from(base)] = Held::Whole;
            }
            pc += 1;
            if ends(insn) || self.leaders[pc] {
                return Ok(());
            }
        }
    }

    fn fits(&self, held: Held, need: Need) -> Checked {
        let holds = match (need, held) {
            (Need::Any, _) | (_, Held::Nothing) => true,
            (Need::Low, _) => true,
            (Need::Whole, Held::Whole | Held::Number(_) | Held::Object(_)) => true,
            (Need::Object(size), Held::Object(room)) => u64::from(size) <= room,
            (Need::Mark(wanted), Held::Mark(mark)) => wanted == mark,
            (Need::FrameOffset(off, kind), Held::Offset(most)) => {
                let n = most.saturating_add(bytes(kind, self.unit));
                return in_local(self.code, off.into(), n);
            }
            (Need::ArenaOffset(at, kind), Held::Offset(most)) => {
                let n = most.saturating_add(bytes(kind, self.unit));
                return in_static(self.program, at.into(), n);
            }
            _ => false,
        };
        rule(holds, || format!("{need:?} is read where {held:?} is held"))
    }

    /// Arguments that need both halves of their registers have them.
    fn arguments(&self, insn: &Insn, state: &[Held]) -> Checked {
        let (base, hidden, types): (Reg, u16, Vec<Ty>) = match *insn {
            Insn::Call { base, f, .. } => {
                let code = &self.program.codes[f as usize];
                let is = |c: &Callee| matches!(c, Callee::Code(n) if *n == f);
                let Some(id) = self.program.callees.iter().position(is) else {
                    return Err(format!("no function has code {f}"));
                };
                let params = &self.unit.functions[id].params;
                let hidden = code.params.saturating_sub(params.len() as u32) as u16;
                (base, hidden, params.iter().map(|p| self.unit[*p].ty.ty).collect())
            }
            Insn::CallSite { base, site } | Insn::CallPtr { base, site, .. } => {
                let CallSite { hidden, args, .. } = &self.program.sites[site as usize];
                (base, *hidden, args.clone())
            }
            _ => return Ok(()),
        };
        for (k, ty) in types.into_iter().enumerate() {
            let scalar = scalar_of(&self.unit.types, ty);
            let held = state[usize::from(base) + usize::from(hidden) + k];
            let both = scalar.is_none_or(|s| s == crate::class::Scalar::Ptr || s.is_wide());
            if both {
                self.fits(held, Need::Whole).map_err(|what| format!("argument {}: {what}", k + 1))?;
            }
        }
        Ok(())
    }
}

/// The first register of the frame of a call.
fn call(insn: &Insn) -> Option<Reg> {
    match *insn {
        Insn::Call { base, .. } | Insn::CallSite { base, .. } | Insn::CallPtr { base, .. } => Some(base),
        _ => None,
    }
}

/// Where a switch leads.
fn targets(program: &Program, insn: &Insn) -> Vec<usize> {
    let Insn::Switch { table, .. } = *insn else { return Vec::new() };
    let table = &program.switches[table as usize];
    let dense = table.dense.iter().flat_map(|d| &d.1).copied();
    let mut all: Vec<usize> =
        table.ranges.iter().map(|r| r.2).chain(dense).chain([table.default]).map(|t| t as usize).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The address of an object of this size, `off` bytes on.
fn object(size: u64, off: i64) -> Held {
    match u64::try_from(off).ok().and_then(|off| size.checked_sub(off)) {
        Some(room) => Held::Object(room),
        None => Held::Whole,
    }
}

fn further(held: Held, by: i64) -> Held {
    match held {
        Held::Object(room) => object(room, by),
        _ => Held::Whole,
    }
}
