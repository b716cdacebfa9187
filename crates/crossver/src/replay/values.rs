//! Inputs that hold no value of their type: a truth value that is neither 0 nor 1, a narrow argument that its caller has not
//! extended. Compilers rely on both in other ways; the same input is tried with the value that its low bits make.

use super::follow::Followed;
use super::plan::Plan;
use crate::semantics::kinds::{Kind, Kinds};
use std::collections::BTreeSet;

/// The same input with arguments and results of callees as their types have them; none where they are.
pub(super) fn extended(plan: &Plan, kinds: &Kinds) -> Option<Plan> {
    let mut out = plan.clone();
    for (register, bits, sign) in &kinds.narrow {
        if let Some((held, _)) = out.registers.get_mut(*register) {
            *held = *held >> 32 << 32 | u64::from(narrow(*held, *bits, *sign));
        }
    }
    (out != *plan).then_some(out)
}

/// The low bits of a value as a number of 32.
fn narrow(value: u64, bits: u32, sign: bool) -> u32 {
    let above = 64 - bits;
    if sign { (((value << above) as i64) >> above) as u32 } else { (value << above >> above) as u32 }
}

/// The same input with 0 or 1 in the bytes that hold truth values, before the function runs and behind each call, and in what
/// callees give; none where it is so.
pub(super) fn true_or_false(
    plan: &Plan,
    kinds: &Kinds,
    calls: &[usize],
    sides: &[Followed; 2],
) -> Option<Plan> {
    let truths: BTreeSet<u64> = sides.iter().flat_map(|side| side.truths(kinds)).collect();
    let mut out = plan.clone();
    for at in &truths {
        if let Some(byte) = out.byte(*at).filter(|byte| *byte > 1) {
            out.set_byte(*at, byte & 1);
        }
    }
    for (answer, stub) in out.answers.iter_mut().zip(calls) {
        answer.changes.iter_mut().filter(|(at, _)| truths.contains(at)).for_each(|(_, byte)| *byte &= 1);
        let result = plan.stubs.get(*stub).and_then(|stub| kinds.result(&stub.name));
        if result.is_some_and(|n| matches!(kinds.types.get(n), Some(Kind::Truth))) {
            answer.registers[0] &= !0xfe;
        }
    }
    (out != *plan).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_bits_make_the_value() {
        assert_eq!(narrow(0x1_0000_01ff, 8, true), u32::MAX);
        assert_eq!(narrow(0x1ff, 8, false), 0xff);
        assert_eq!(narrow(0x102, 1, false), 0);
    }
}
