//! Definite assignment: which reads of register variables need a check that they were given a value.
//!
//! Lowering brackets every tracked variable with [`Insn::MarkUninit`], [`Insn::SetInit`] and [`Insn::CkInit`].
//! A forward must-analysis over the control-flow graph removes the checks it can prove; variables with checks left
//! get a flag register that is set and tested at run time.

use crate::bytecode::{Code, Insn, Reg};
use rustc_hash::FxHashMap;

/// The variables that are checked somewhere, each with a bit of the state.
struct Vars {
    /// By registers.
    bits: Vec<u32>,
    count: u32,
}

/// Stands for no bit.
const NO_BIT: u32 = u32::MAX;

/// Settles all three pseudo-instructions of a function. `jumps` are the positions of its jumps, `entries` are targets of switches and computed gotos. With
/// `all`, every variable that is ever indeterminate gets a flag (profiles want to know). Gives the flag registers.
pub(super) fn settle(
    code: &mut Code,
    tracked: &[bool],
    jumps: &[u32],
    entries: &[u32],
    all: bool,
) -> FxHashMap<Reg, Reg> {
    let mut vars = Vars { bits: vec![NO_BIT; tracked.len()], count: 0 };
    for insn in &code.insns {
        if let Insn::CkInit { v } = insn {
            let bit = vars.bits.get_mut(usize::from(*v));
            debug_assert!(bit.is_some() && tracked[usize::from(*v)]);
            if let Some(bit) = bit.filter(|bit| **bit == NO_BIT) {
                *bit = vars.count;
                vars.count += 1;
            }
        }
    }
    let unproved = if vars.count == 0 { Vec::new() } else { unproved(code, &vars, jumps, entries) };
    let mut needed: FxHashMap<Reg, Reg> = FxHashMap::default();
    let marks = (0..code.insns.len()).filter(|pc| all && matches!(code.insns[*pc], Insn::MarkUninit { .. }));
    let wanted: Vec<usize> = unproved.iter().copied().chain(marks).collect();
    for pc in wanted {
        if let Insn::CkInit { v } | Insn::MarkUninit { v } = code.insns[pc]
            && let std::collections::hash_map::Entry::Vacant(e) = needed.entry(v)
        {
            // See `FnLower::allocate`: the register after a variable is kept for its flag.
            e.insert(v + 1);
        }
    }
    let mut keep = vec![false; code.insns.len()];
    unproved.iter().for_each(|pc| keep[*pc] = true);
    for (pc, insn) in code.insns.iter_mut().enumerate() {
        *insn = match *insn {
            Insn::MarkUninit { v } => match needed.get(&v) {
                Some(&d) => Insn::K { d, k: 0 },
                None => Insn::Nop {},
            },
            Insn::SetInit { v } => match needed.get(&v) {
                Some(&d) => Insn::K { d, k: 1 },
                None => Insn::Nop {},
            },
            Insn::CkInit { v } => match needed.get(&v) {
                Some(&f) if keep[pc] => Insn::CkFlag { f },
                Some(_) | None => Insn::Nop {},
            },
            other => other,
        };
    }
    needed
}

/// Positions of the checks that the analysis cannot prove.
fn unproved(code: &Code, vars: &Vars, jumps: &[u32], entries: &[u32]) -> Vec<usize> {
    let n = code.insns.len();
    let mut leader = vec![false; n + 1];
    leader[0] = true;
    for &pc in jumps {
        let mut copy = code.insns[pc as usize];
        if let Some(t) = copy.target_mut() {
            leader[*t as usize] = true;
            leader[pc as usize + 1] = true;
        }
    }
    for (pc, insn) in code.insns.iter().enumerate() {
        leader[pc + 1] |= ends_block(insn);
    }
    entries.iter().for_each(|e| leader[*e as usize] = true);
    let starts: Vec<usize> = (0..n).filter(|pc| leader[*pc]).collect();
    let mut block_at = vec![u32::MAX; n + 1];
    starts.iter().enumerate().for_each(|(b, pc)| block_at[*pc] = b as u32);
    let words = (vars.count as usize).div_ceil(64);
    let blocks = starts.len();
    // Must-analysis: everything is "set" until proved otherwise; the entry block starts with nothing set.
    let mut state = vec![u64::MAX; blocks * words];
    let mut reached = vec![false; blocks];
    let mut work = vec![0usize];
    state[..words].fill(0);
    reached[0] = true;
    let mut here = vec![0u64; words];
    while let Some(block) = work.pop() {
        here.copy_from_slice(&state[block * words..(block + 1) * words]);
        let end = starts.get(block + 1).copied().unwrap_or(n);
        for insn in &code.insns[starts[block]..end] {
            step(insn, vars, &mut here);
        }
        let last = &code.insns[end - 1];
        let mut flow = |to: usize, work: &mut Vec<usize>| {
            if to >= blocks {
                return;
            }
            let mut changed = !reached[to];
            reached[to] = true;
            for w in 0..words {
                let old = state[to * words + w];
                let new = old & here[w];
                changed |= new != old;
                state[to * words + w] = new;
            }
            if changed {
                work.push(to);
            }
        };
        let mut copy = *last;
        if let Some(t) = copy.target_mut() {
            flow(block_at[*t as usize] as usize, &mut work);
        }
        if matches!(last, Insn::Switch { .. } | Insn::JmpPtr { .. }) {
            for entry in entries {
                flow(block_at[*entry as usize] as usize, &mut work);
            }
        }
        if !ends_block(last) && end < n {
            flow(block_at[end] as usize, &mut work);
        }
    }
    let mut found = Vec::new();
    for block in 0..blocks {
        if !reached[block] {
            continue;
        }
        here.copy_from_slice(&state[block * words..(block + 1) * words]);
        let end = starts.get(block + 1).copied().unwrap_or(n);
        for pc in starts[block]..end {
            if let Insn::CkInit { v } = code.insns[pc] {
                let bit = vars.bits.get(usize::from(v)).copied().unwrap_or(NO_BIT);
                let word = here.get(bit as usize / 64).copied().unwrap_or(0);
                if word >> (bit % 64) & 1 == 0 {
                    found.push(pc);
                }
            }
            step(&code.insns[pc], vars, &mut here);
        }
    }
    found
}

fn step(insn: &Insn, vars: &Vars, state: &mut [u64]) {
    let mut put = |v: &Reg, set: bool| {
        let bit = vars.bits.get(usize::from(*v)).copied();
        if let Some(bit) = bit.filter(|bit| *bit != NO_BIT) {
            let word = &mut state[bit as usize / 64];
            if set { *word |= 1 << (bit % 64) } else { *word &= !(1 << (bit % 64)) }
        }
    };
    match insn {
        Insn::SetInit { v } | Insn::CkInit { v } => put(v, true),
        Insn::MarkUninit { v } => put(v, false),
        _ => {}
    }
}

fn ends_block(insn: &Insn) -> bool {
    matches!(
        insn,
        Insn::Jmp { .. }
            | Insn::JmpPtr { .. }
            | Insn::Switch { .. }
            | Insn::Ret {}
            | Insn::RetV { .. }
            | Insn::RetMissing {}
            | Insn::RetDangling {}
            | Insn::Stop { .. }
    )
}
