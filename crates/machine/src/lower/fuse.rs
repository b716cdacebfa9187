//! Pairs of instructions that often follow each other, joined into one: those that hashes and ciphers are made of. Going
//! from one instruction to the next costs the interpreter more than what either does.

use super::peephole::follower;
use crate::bytecode::{Insn, Mem};

/// Joins pairs of instructions in place; the second becomes [`Insn::Nop`]. `targets` are the positions that jumps, switches or
/// computed gotos lead to.
pub(super) fn fuse(insns: &mut [Insn], targets: &[bool]) {
    for pc in 0..insns.len() {
        let next = follower(insns, targets, pc);
        if let (Some(&second), false) = (insns.get(next), targets[next])
            && let Some(both) = joined(insns[pc], second)
        {
            insns[pc] = both;
            insns[next] = Insn::Nop {};
        }
    }
}

/// The one instruction that does what these two do; it writes the register between them as well.
fn joined(first: Insn, second: Insn) -> Option<Insn> {
    match (first, second) {
        (Insn::AddU32 { d: sum, a, b }, Insn::RotU32K { d, a: turned, k }) if turned == sum => {
            Some(Insn::AddRotU32 { d, sum, a, b, k: u8::try_from(k).ok()? })
        }
        (Insn::Xor { d, a, b }, Insn::StL { s, kind: Mem::U32, cls, off }) if s == d => {
            Some(Insn::XorStLU32 { d, a, b, cls, off })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_joined_but_not_over_a_target_and_not_where_the_first_is_not_read() {
        let add = Insn::AddU32 { d: 6, a: 4, b: 5 };
        let turn = |a| Insn::RotU32K { d: 7, a, k: 9 };
        let both = Insn::AddRotU32 { d: 7, sum: 6, a: 4, b: 5, k: 9 };
        let after = |mut insns: Vec<Insn>, target: Option<usize>| {
            let targets: Vec<bool> = (0..=insns.len()).map(|pc| Some(pc) == target).collect();
            fuse(&mut insns, &targets);
            insns
        };
        assert_eq!(after(vec![add, Insn::Nop {}, turn(6)], None), [both, Insn::Nop {}, Insn::Nop {}]);
        assert_eq!(after(vec![add, turn(6)], Some(1)), [add, turn(6)]);
        assert_eq!(after(vec![add, Insn::Nop {}, turn(6)], Some(1)), [add, Insn::Nop {}, turn(6)]);
        assert_eq!(after(vec![add, turn(5)], None), [add, turn(5)]);
        let (xor, store) = (Insn::Xor { d: 6, a: 4, b: 5 }, |s, kind| Insn::StL { s, kind, cls: 3, off: 8 });
        let both = Insn::XorStLU32 { d: 6, a: 4, b: 5, cls: 3, off: 8 };
        assert_eq!(after(vec![xor, store(6, Mem::U32)], None), [both, Insn::Nop {}]);
        assert_eq!(after(vec![xor, store(6, Mem::W64)], None), [xor, store(6, Mem::W64)]);
        assert_eq!(after(vec![xor, store(5, Mem::U32)], None), [xor, store(5, Mem::U32)]);
    }
}
