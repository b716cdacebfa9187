//! Searches for a bit (`bsf`, `bsr`) that leave, where there is none, what was in their register. C leaves open what becomes
//! of `__builtin_clz (0)`, so compilers have whatever lies there; unless they put something there for just that.

use super::super::facts::Facts;
use super::super::function::Function;
use super::track::gpr64;
use super::uses::uses;
use iced_x86::Mnemonic;

/// The instructions that search for a bit into a register that nothing was put into for them.
pub(in super::super) fn scans(f: &Function, facts: &Facts) -> Vec<usize> {
    let searches = |i: &usize| matches!(f.insns[*i].x86().mnemonic(), Mnemonic::Bsf | Mnemonic::Bsr);
    let reached = f.blocks.iter().flat_map(|b| (b.first..b.end).map(move |i| (b.first, i)));
    let open = reached.filter(|(first, i)| facts.reached(*i) && searches(i) && !is_filled(f, *first, *i));
    open.map(|(_, i)| i).collect()
}

/// Whether the register that an instruction writes was written before in the block, and not read since: that would serve
/// nothing else.
fn is_filled(f: &Function, first: usize, i: usize) -> bool {
    let Some(register) = gpr64(f.insns[i].x86().op0_register().full_register()) else { return true };
    // What is searched was put there to be searched.
    if gpr64(f.insns[i].x86().op1_register().full_register()) == Some(register) {
        return false;
    }
    for k in (first..i).rev() {
        let uses = uses(&f.insns[k]);
        if uses.reads >> register & 1 == 1 {
            return false;
        }
        if uses.writes >> register & 1 == 1 {
            return true;
        }
    }
    false
}
