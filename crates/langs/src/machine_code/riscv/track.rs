//! What is known of registers before and behind an instruction of RISC-V: where stack and frame pointer are, numbers (frames
//! that are too large for one instruction), upper parts of addresses, and what comes from jump tables.

use super::super::facts::{Known, Registers, Taken, forget};
use super::super::function::{Function, Reference};
use super::super::pages::same;
use super::insn::{Binary, FRAME, Insn, Op, Operand, SP, ZERO};
use super::uses::{accessed, data};
use crate::domain::Res;

fn of(known: &Registers, register: u8) -> Known {
    match register {
        ZERO => Known::Number(0),
        _ => known.get(usize::from(register)).copied().unwrap_or(Known::Top),
    }
}

fn frame(known: &Registers, register: u8) -> Option<i64> {
    match of(known, register) {
        Known::Frame(at) => Some(at),
        _ => None,
    }
}

/// What an instruction makes of what is known, and where to.
fn made(f: &Function, (i, insn): (usize, &Insn), known: &Registers) -> Option<(u8, Known)> {
    let immediate = f.insns[i].immediate.as_ref();
    match insn.op? {
        Op::Upper { to, .. } if immediate.is_some() => Some((to, Known::Page(i))),
        Op::Upper { to, counter: false, number } => Some((to, Known::Number(number))),
        Op::Binary { binary: Binary::Add, half: false, to, a, b: Operand::Number(_) }
            if immediate.is_some() =>
        {
            let Known::Page(maker) = of(known, a) else { return None };
            let page = f.insns.get(maker)?.immediate.as_ref()?;
            match immediate {
                Some(low @ Reference::Table(table)) if same(page, low) => Some((to, Known::Table(*table))),
                _ => None,
            }
        }
        Op::Binary { binary, half, to, a, b } if immediate.is_none() => {
            let b = match b {
                Operand::Number(n) => Known::Number(n),
                Operand::Register(b) => of(known, b),
            };
            Some((to, operation(binary, half, of(known, a), b)?))
        }
        Op::Load { to, address, bytes, signed } if f.insns[i].memory.is_none() && address.offset == 0 => {
            let Known::Inside(table) = of(known, address.base) else { return None };
            match (f.tables.get(table)?.width, bytes, signed) {
                (4, 4, true) => Some((to, Known::Entry(table))),
                (8, 8, _) => Some((to, Known::Code(table))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What is known of the result of an operation.
fn operation(binary: Binary, half: bool, a: Known, b: Known) -> Option<Known> {
    match (binary, half, a, b) {
        (Binary::Add, false, known, Known::Number(0)) | (Binary::Add, false, Known::Number(0), known) => {
            Some(known)
        }
        (Binary::Add, false, Known::Frame(at), Known::Number(n))
        | (Binary::Add, false, Known::Number(n), Known::Frame(at)) => Some(Known::Frame(at.wrapping_add(n))),
        (Binary::Sub, false, Known::Frame(at), Known::Number(n)) => Some(Known::Frame(at.wrapping_sub(n))),
        (Binary::Add, false, Known::Entry(t), Known::Table(u))
        | (Binary::Add, false, Known::Table(u), Known::Entry(t)) => (t == u).then_some(Known::Code(t)),
        (Binary::Add, false, Known::Table(table), Known::Top)
        | (Binary::Add, false, Known::Top, Known::Table(table)) => Some(Known::Inside(table)),
        (_, _, Known::Number(a), Known::Number(b)) => {
            let value = match binary {
                Binary::Add => a.wrapping_add(b),
                Binary::Sub => a.wrapping_sub(b),
                Binary::Left if !half => a.wrapping_shl(b as u32),
                _ => return None,
            };
            Some(Known::Number(if half { i64::from(value as i32) } else { value }))
        }
        _ => None,
    }
}

/// The table that an indirect jump goes by.
pub(crate) fn table_of_jump(insn: &Insn, known: &Registers) -> Option<usize> {
    match insn.op? {
        Op::JumpRegister(a) => match of(known, a) {
            Known::Code(table) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

/// A sum of an address in the frame and a number: result and sum.
pub(super) fn sum(f: &Function, insn: (usize, &Insn), known: &Registers) -> Option<(u8, i64)> {
    match made(f, insn, known)? {
        (to, Known::Frame(at)) if to != ZERO => Some((to, at)),
        _ => None,
    }
}

/// Whether an instruction only moves the stack or frame pointer by what is known.
pub(crate) fn is_bookkeeping(f: &Function, insn: (usize, &Insn), known: &Registers) -> bool {
    sum(f, insn, known).is_some_and(|(to, _)| matches!(to, SP | FRAME))
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
    match made(f, (i, insn), &before) {
        Some((ZERO, _)) => {}
        // Addresses in the frame are followed in these registers alone: elsewhere they are data.
        Some((to @ (SP | FRAME), value @ Known::Frame(_))) => known[usize::from(to)] = value,
        Some((_, Known::Frame(_))) => {}
        Some((to, value)) if to != SP => known[usize::from(to)] = value,
        Some(_) | None => {}
    }
    if writes >> SP & 1 == 1 && known[usize::from(SP)] == Known::Top {
        return Err(f.unsupported(i, "a stack pointer that is not constant"));
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
    match sum(f, (i, insn), known) {
        Some((SP | FRAME, _)) => return Ok(()),
        Some((_, offset)) => {
            taken.push(Taken { offset, indexed: false, insn: i });
            return Ok(());
        }
        None => {}
    }
    let (reads, _) = data(op);
    // An address and a register: what is accessed may lie elsewhere than the address.
    let indexed = accessed(op).is_none() && matches!(op, Op::Binary { binary: Binary::Add, .. });
    for register in (0..32).filter(|n| reads >> n & 1 == 1) {
        if let Some(offset) = frame(known, register) {
            taken.push(Taken { offset, indexed, insn: i });
        }
    }
    Ok(())
}

/// What is known of the register that a load writes, behind it.
pub(super) fn loaded(f: &Function, facts: &super::super::facts::Facts, i: usize) -> Known {
    let known = super::super::facts::registers(facts, i);
    let insn = match &f.insns[i].decoded {
        super::super::function::Decoded::RiscV(insn) => insn,
        _ => return Known::Top,
    };
    known.and_then(|known| made(f, (i, insn), &known)).map_or(Known::Top, |(_, known)| known)
}
