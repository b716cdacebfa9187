//! What is known of registers before and behind an instruction: where stack and frame pointer are, and what comes from
//! jump tables.

use super::super::facts::{Known, Registers, Saved, Taken};
use super::super::function::{Function, Insn, Reference};
use crate::domain::Res;
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// The hardware number of the stack pointer.
pub(crate) const RSP: usize = 4;
/// The hardware number of the frame pointer.
pub(crate) const RBP: usize = 5;

/// Where the stack pointer is taken to be behind an instruction that aligns it to more than the convention says: how far below
/// the place before it that is, nobody knows. It lies far below all that is found from there, which nothing is that is found
/// from here (see [`apart`]), and 8 bytes below a multiple of 64, as the entry's stack pointer is of 16.
const ALIGNED: i64 = -(1 << 22) - 8;

/// The bytes that such an instruction may align to.
const ALIGNMENTS: [i64; 2] = [32, 64];

/// Whether a place in the frame is found from where the stack pointer was aligned.
pub(super) fn is_aligned(at: i64) -> bool {
    at < ALIGNED / 2
}

/// An instruction that finds a place in the frame on the other side of where the stack pointer was aligned, if one does.
pub(crate) fn apart(f: &Function, before: &dyn Fn(usize) -> Option<Registers>) -> Option<usize> {
    let frame = |i: usize, register: Register| match before(i)?[gpr64(register)?] {
        Known::Frame(at) => Some(at),
        _ => None,
    };
    let aligns = |i: &usize| {
        let d = f.insns[*i].x86();
        let from = frame(*i, Register::RSP).filter(|at| !is_aligned(*at))?;
        let to = arithmetic(&f.insns[*i], &before(*i)?, RSP);
        (writes_operand(&f.insns[*i], Register::RSP)
            && d.op_count() == 2
            && to == Some(Known::Frame(ALIGNED)))
        .then_some(from)
    };
    let lowest = (0..f.insns.len()).filter_map(|i| aligns(&i)).max()?;
    (0..f.insns.len()).find(|i| {
        let d = f.insns[*i].x86();
        let names = (0..d.op_count()).any(|op| d.op_kind(op) == OpKind::Memory);
        let Some(at) = frame(*i, d.memory_base()).filter(|_| names) else { return false };
        let at = at.wrapping_add(d.memory_displacement64() as i64);
        // What `lea` makes an address of is one byte at least.
        let bytes = (d.memory_size().size() as i64).max(1);
        if is_aligned(at) { at + bytes > ALIGNED } else { at < lowest }
    })
}

/// The number of a general register of 64 bits.
pub(crate) fn gpr64(register: Register) -> Option<usize> {
    register.is_gpr64().then(|| register.number())
}

pub(crate) fn table_of_jump(insn: &Insn, known: &Registers) -> Option<usize> {
    match insn.x86().op0_kind() {
        OpKind::Register => match known[gpr64(insn.x86().op0_register())?] {
            Known::Code(table) => Some(table),
            Known::Top
            | Known::Frame(_)
            | Known::Table(_)
            | Known::Entry(_)
            | Known::Half(_)
            | Known::Inside(_)
            | Known::Page(_)
            | Known::Number(_) => None,
        },
        OpKind::Memory => table_of_operand(insn, known),
        _ => None,
    }
}

/// The table that a memory operand is an entry of: `[table + index * width]`.
pub(crate) fn table_of_operand(insn: &Insn, known: &Registers) -> Option<usize> {
    table_read(insn, &|n| known[n])
}

/// The same; the distance of the entry may be there as a whole, with the table for an index: `[distance + table]`.
pub(crate) fn table_read(insn: &Insn, known: &dyn Fn(usize) -> Known) -> Option<usize> {
    let d = insn.x86();
    let of = |register: Register| gpr64(register).map(known);
    match (&insn.memory, of(d.memory_base())) {
        (Some(Reference::Table(table)), None) => Some(*table),
        (None, Some(Known::Table(table))) if d.memory_displacement64() == 0 => Some(table),
        (None, Some(_)) if d.memory_displacement64() == 0 && d.memory_index_scale() == 1 => {
            match of(d.memory_index()) {
                Some(Known::Table(table)) => Some(table),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The register that holds the distance of an entry from its table, where that is there as a whole.
pub(crate) fn distance(insn: &Insn, known: &dyn Fn(usize) -> Known) -> Option<Register> {
    let d = insn.x86();
    let is_table = |register: Register| gpr64(register).is_some_and(|n| matches!(known(n), Known::Table(_)));
    (!is_table(d.memory_base()) && is_table(d.memory_index())).then(|| d.memory_base())
}

/// The table of which an instruction loads an entry that has to be extended.
pub(crate) fn half_read(insn: &Insn, known: &dyn Fn(usize) -> Known) -> Option<usize> {
    let d = insn.x86();
    let loads = d.mnemonic() == Mnemonic::Mov
        && d.op0_kind() == OpKind::Register
        && d.op1_kind() == OpKind::Memory
        && d.op0_register().is_gpr32();
    loads.then(|| table_read(insn, known)).flatten()
}

/// The register that an instruction extends to the length of an address, and where to.
pub(crate) fn extends(insn: &Insn) -> Option<(usize, usize)> {
    let d = insn.x86();
    match d.mnemonic() {
        Mnemonic::Cdqe => Some((0, 0)),
        Mnemonic::Movsxd if d.op1_kind() == OpKind::Register => {
            Some((gpr64(d.op1_register().full_register())?, gpr64(d.op0_register())?))
        }
        _ => None,
    }
}

/// What the instruction makes of what is known.
pub(crate) fn transfer(f: &Function, i: usize, known: &mut Registers) -> Res<()> {
    let insn = &f.insns[i];
    let d = insn.x86();
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
    if let Some(table) = half_read(insn, &|n| before[n]) {
        known[d.op0_register().full_register().number()] = Known::Half(table);
        return Ok(());
    }
    if let Some((from, to)) = extends(insn)
        && let Known::Half(table) = before[from]
    {
        known[to] = Known::Entry(table);
        return Ok(());
    }
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

/// What the instruction saves in the frame, and what it takes back from there.
pub(crate) fn save(insn: &Insn, before: &Registers, known: &mut Registers, saved: &mut Saved) {
    let d = insn.x86();
    let Known::Frame(at) = before[RSP] else {
        *saved = Saved::default();
        return;
    };
    let register = (d.op_count() > 0 && d.op0_kind() == OpKind::Register).then(|| gpr64(d.op0_register()));
    match (d.mnemonic(), register.flatten()) {
        (Mnemonic::Push, Some(n)) => saved.push(at - 8, before[n]),
        (Mnemonic::Push, None) => saved.write(at - 8, 8),
        (Mnemonic::Pop, Some(n)) if n != RSP => known[n] = saved.pop(at).unwrap_or(known[n]),
        _ if d.op_count() > 0 && d.op0_kind() == OpKind::Memory => {
            if let Some(Known::Frame(base)) = gpr64(d.memory_base()).map(|n| before[n]) {
                let offset = base.wrapping_add(d.memory_displacement64() as i64);
                saved.write(offset, d.memory_size().size() as i64);
            }
        }
        _ => {}
    }
    if let Known::Frame(end) = known[RSP] {
        saved.end_at(end);
    }
}

fn writes_stack_pointer(insn: &Insn) -> bool {
    let d = insn.x86();
    let moves = matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave | Mnemonic::Ret);
    moves || writes_operand(insn, Register::RSP)
}

fn writes_operand(insn: &Insn, register: Register) -> bool {
    let d = insn.x86();
    let reads_only = matches!(d.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Push | Mnemonic::Bt);
    !reads_only
        && d.op_count() > 0
        && d.op0_kind() == OpKind::Register
        && d.op0_register().full_register() == register
}

/// The stack pointer behind an instruction that moves it.
fn stack_pointer(insn: &Insn, known: &Registers) -> Option<Known> {
    let d = insn.x86();
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
    let d = insn.x86();
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
        Known::Top | Known::Inside(_) | Known::Page(_) | Known::Number(_) => None,
        Known::Frame(_) | Known::Table(_) | Known::Entry(_) | Known::Half(_) | Known::Code(_) => {
            Some((to, value))
        }
    }
}

fn lea(insn: &Insn, known: &Registers) -> Option<Known> {
    let d = insn.x86();
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
    let d = insn.x86();
    let number = insn.immediate.is_none().then(|| d.try_immediate(1).ok()).flatten().map(|n| n as i64);
    match (d.mnemonic(), known[to], number) {
        (Mnemonic::Add, Known::Frame(at), Some(n)) => Some(Known::Frame(at.wrapping_add(n))),
        (Mnemonic::Sub, Known::Frame(at), Some(n)) => Some(Known::Frame(at.wrapping_sub(n))),
        // The convention has the stack pointer 8 bytes below a multiple of 16 at the entry.
        (Mnemonic::And, Known::Frame(at), Some(-16)) => Some(Known::Frame(at - (at + 8).rem_euclid(16))),
        (Mnemonic::And, Known::Frame(at), Some(n)) if to == RSP && ALIGNMENTS.contains(&n.wrapping_neg()) => {
            let aligned = if is_aligned(at) { at - (at + 8).rem_euclid(-n) } else { ALIGNED };
            Some(Known::Frame(aligned))
        }
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
pub(crate) fn is_bookkeeping(insn: &Insn, known: &Registers) -> bool {
    matches!(result(insn, known), Some((RSP | RBP, Known::Frame(_))))
}

/// The addresses in the frame that an instruction makes data of.
pub(crate) fn takes(f: &Function, i: usize, known: &Registers, taken: &mut Vec<Taken>) -> Res<()> {
    let insn = &f.insns[i];
    let d = insn.x86();
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
