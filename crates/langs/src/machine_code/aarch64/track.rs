//! What is known of registers before and behind an instruction of AArch64: where stack and frame pointer are, and pages.

use super::super::facts::{Known, Registers, Taken, forget};
use super::super::function::Function;
use super::insn::{Index, Insn, Op, Operand, SP, Writeback, ZERO};
use super::uses::{accessed, data};
use crate::domain::Res;

/// The frame pointer.
const FRAME: u8 = 29;

fn frame(known: &Registers, register: u8) -> Option<i64> {
    match known.get(usize::from(register)) {
        Some(Known::Frame(at)) => Some(*at),
        _ => None,
    }
}

/// A sum of an address in the frame and a number: result and sum.
fn sum(insn: &Insn, known: &Registers) -> Option<(u8, i64)> {
    match insn.op? {
        Op::AddSub { wide: true, sub, flags: false, to, a, b: Operand::Number(n) } => {
            let (at, n) = (frame(known, a)?, i64::try_from(n).ok()?);
            Some((to, if sub { at.checked_sub(n)? } else { at.checked_add(n)? }))
        }
        _ => None,
    }
}

/// Whether an instruction only moves the stack or frame pointer by what is known.
pub(crate) fn is_bookkeeping(insn: &Insn, known: &Registers) -> bool {
    sum(insn, known).is_some_and(|(to, _)| matches!(to, SP | FRAME))
}

/// What the instruction makes of what is known.
pub(crate) fn transfer(f: &Function, (i, insn): (usize, &Insn), known: &mut Registers) -> Res<()> {
    let before = *known;
    let Some(op) = &insn.op else {
        // Running it is refused; until then nothing is known.
        forget(known, !(1 << SP));
        return Ok(());
    };
    let (_, mut writes) = data(op);
    if matches!(op, Op::Call | Op::CallRegister(_)) {
        writes |= f.abi.clobbered;
    }
    forget(known, writes);
    // Addresses in the frame are followed in these registers alone: elsewhere they are data.
    if let Some((to, at)) = sum(insn, &before).filter(|(to, _)| matches!(*to, SP | FRAME)) {
        known[usize::from(to)] = Known::Frame(at);
    } else if writes >> SP & 1 == 1 {
        return Err(f.unsupported(i, "a stack pointer that is not constant"));
    }
    if let (Op::Address { page: true, to }, true) = (op, f.insns[i].immediate.is_some())
        && *to != ZERO
    {
        known[usize::from(*to)] = Known::Page(i);
    }
    if let Some((address, ..)) = accessed(op)
        && address.writeback != Writeback::None
    {
        let base = usize::from(address.base);
        known[base] = match (before[base], address.index) {
            (Known::Frame(at), Index::Number(n)) if matches!(address.base, SP | FRAME) => {
                Known::Frame(at.wrapping_add(n))
            }
            _ => Known::Top,
        };
        if address.base == SP && known[base] == Known::Top {
            return Err(f.unsupported(i, "a stack pointer that is not constant"));
        }
    }
    Ok(())
}

/// The addresses in the frame that an instruction makes data of.
pub(crate) fn takes(
    f: &Function,
    (i, insn): (usize, &Insn),
    known: &Registers,
    taken: &mut Vec<Taken>,
) -> Res<()> {
    let Some(op) = &insn.op else { return Ok(()) };
    if is_bookkeeping(insn, known) {
        return Ok(());
    }
    if let Some((_, offset)) = sum(insn, known) {
        taken.push(Taken { offset, indexed: false, insn: i });
        return Ok(());
    }
    if let Some((address, ..)) = accessed(op)
        && let (Some(offset), Index::Register(_)) = (frame(known, address.base), address.index)
    {
        taken.push(Taken { offset, indexed: true, insn: i });
    }
    let (reads, _) = data(op);
    // An address and a register: what is accessed may lie elsewhere than the address.
    let indexed = matches!(op, Op::AddSub { .. });
    for register in (0..=SP).filter(|n| reads >> n & 1 == 1) {
        let Some(offset) = frame(known, register) else { continue };
        if accessed(op).is_some_and(|(address, ..)| {
            matches!(address.index, Index::Register(extended) if extended.register == register)
        }) {
            return Err(f.unsupported(i, "an address in the frame as an index"));
        }
        taken.push(Taken { offset, indexed, insn: i });
    }
    Ok(())
}
