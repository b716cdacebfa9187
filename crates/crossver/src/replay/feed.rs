//! A plan as the words that the driver takes. What a function may not look at differs from run to run: what the stack
//! holds, where it lies, registers that hold nothing, what a callee leaves behind. What the caller keeps in registers is what
//! the input says in one run alone.

use super::make::SAVED;
use super::plan::{PAGE, Plan, STACK, SidePlan};
use std::collections::BTreeMap;

/// Flags of pages.
const WATCHED: u64 = 1;
const READ_ONLY: u64 = 2;

/// Most pages that the driver keeps.
const PAGES: usize = 8192;

/// What is not given, in one run and in another.
#[derive(Debug, Clone, Copy)]
pub struct Junk {
    /// The stack pointer at the entry.
    pub stack_pointer: u64,
    /// What the stack holds.
    fill: u8,
    /// What registers hold.
    registers: u64,
    /// Whether those that calls keep hold what the input says.
    kept: bool,
}

/// The two runs of a side.
pub const JUNK: [Junk; 2] = [
    Junk { stack_pointer: STACK.end - 0x1_0008, fill: 0xa6, registers: 0xa5b6_c7d8_e9fa_0b1d, kept: true },
    Junk { stack_pointer: STACK.end - 0x1_3458, fill: 0x59, registers: 0x5a49_3827_1605_f4e3, kept: false },
];

impl Junk {
    fn register(self, n: usize) -> u64 {
        self.registers.wrapping_mul(2 * n as u64 + 1)
    }
}

/// The words for one run of a side, of which so many instructions are told one by one.
///
/// # Errors
/// Where there is too much memory, in words.
pub fn words(plan: &Plan, side: &SidePlan, (junk, steps): (Junk, u64)) -> Result<Vec<u8>, String> {
    let mut out: Vec<u64> = Vec::new();
    pages(plan, side, &mut out)?;
    out.extend([STACK.start, STACK.end - STACK.start, u64::from(junk.fill)]);
    memory(plan, side, junk, &mut out);
    out.push(plan.stubs.len() as u64);
    for (n, stub) in plan.stubs.iter().enumerate() {
        out.extend([stub.at, side.keeps.get(n).copied().unwrap_or(0)]);
    }
    out.push(side.objects.len() as u64);
    out.extend(
        side.objects.iter().flat_map(|(_, at, size)| [junk.stack_pointer.wrapping_add_signed(*at), *size]),
    );
    for (n, (value, given)) in plan.registers.iter().enumerate() {
        let stack = if n == 4 { Some(junk.stack_pointer) } else { None };
        // No byte the same, so that none counts that is made of it.
        let value = if SAVED.contains(&n) && !junk.kept { !value } else { *value };
        out.push(stack.unwrap_or(value & given | junk.register(n) & !given));
    }
    out.extend([side.entry, junk.registers, plan.thread, steps, plan.answers.len() as u64]);
    for (n, answer) in plan.answers.iter().enumerate() {
        for (k, (value, known)) in answer.registers.iter().zip(&answer.known).enumerate() {
            out.push(value & known | junk.register(64 + 8 * n + k) & !known);
        }
        out.push(answer.changes.len() as u64);
        out.extend(answer.changes.iter().flat_map(|(at, value)| [*at, u64::from(*value)]));
    }
    Ok(out.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn pages(plan: &Plan, side: &SidePlan, out: &mut Vec<u64>) -> Result<(), String> {
    let mut pages: BTreeMap<u64, u64> = BTreeMap::new();
    let of = |at: u64, bytes: u64| at / PAGE..=(at + bytes.max(1) - 1) / PAGE;
    for (at, bytes) in &plan.constants {
        pages.extend(of(*at, bytes.len() as u64).map(|page| (page, READ_ONLY)));
    }
    for (at, bytes) in &side.code {
        pages.extend(of(*at, bytes.len() as u64).map(|page| (page, READ_ONLY)));
    }
    for stub in &plan.stubs {
        pages.extend(of(stub.at, 19).map(|page| (page, 0)));
    }
    pages.extend(plan.pages.iter().map(|at| (at / PAGE, WATCHED)));
    if pages.len() > PAGES {
        return Err("too many pages of memory".to_owned());
    }
    out.extend([pages.len() as u64, u64::from(plan.fill)]);
    out.extend(pages.into_iter().flat_map(|(page, flags)| [page * PAGE, flags]));
    Ok(())
}

fn memory(plan: &Plan, side: &SidePlan, junk: Junk, out: &mut Vec<u64>) {
    let above = junk.stack_pointer + 8;
    let stack = plan.stack.iter().map(|(at, byte)| (above + at, vec![*byte]));
    let all: Vec<(u64, Vec<u8>)> =
        plan.bytes.iter().chain(&plan.constants).chain(&side.code).cloned().chain(stack).collect();
    out.push(all.len() as u64);
    for (at, bytes) in all {
        out.extend([at, bytes.len() as u64]);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            out.push(u64::from_le_bytes(word));
        }
    }
}
