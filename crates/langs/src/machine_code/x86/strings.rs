//! The string instructions; the direction flag is clear, as the convention says. What is repeated a number of times that stands
//! in the code is so many stores; any other number makes an event of it, which gives back memory: where both sides have the
//! same memory, addresses and length, they have the same memory afterwards.

use super::super::effect::Effect;
use super::super::function::Function;
use super::super::spelled::LONGEST;
use super::super::state::{Code, Machine};
use super::super::uses::{Control, control, uses};
use super::table::{Op, op};
use super::track::gpr64;
use crate::domain::{Domain, Ext, Res};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Bytes that a destination is aligned to.
pub(crate) const ALIGNED: u64 = 8;

/// The hardware number of the register that counts.
const COUNTER: usize = 1;

/// Bytes of an element, and whether it is copied.
fn shape(d: &Instruction) -> Option<(u64, bool)> {
    match op(d.mnemonic()) {
        Some(Op::Stos(n)) => Some((u64::from(n), false)),
        Some(Op::Movs(n)) => Some((u64::from(n), true)),
        Some(Op::MovLane(64)) if d.is_string_instruction() => Some((4, true)),
        _ => None,
    }
}

/// How often an instruction is repeated, where that stands in its block.
fn times(f: &Function, i: usize) -> Option<u64> {
    let block = f.blocks.iter().find(|b| (b.first..b.end).contains(&i))?;
    let sets = |n: &usize| uses(f, *n).writes >> COUNTER & 1 == 1 || control(f, *n) == Control::Call;
    let setter = (block.first..i).rev().find(sets)?;
    let d = f.insns[setter].x86();
    let moves = d.mnemonic() == Mnemonic::Mov && f.insns[setter].immediate.is_none();
    let whole = matches!(d.op0_register(), Register::ECX | Register::RCX) && d.op1_kind() != OpKind::Register;
    (moves && whole).then(|| d.try_immediate(1).ok()).flatten()
}

/// Whether an instruction goes over memory for a length that its block does not tell, or one too long for single stores, or lets
/// other threads see and change it.
pub(crate) fn repeats(f: &Function, i: usize) -> bool {
    let d = f.insns[i].x86();
    if super::atomic::is_event(d) {
        return true;
    }
    let Some((unit, _)) = shape(d).filter(|_| d.has_rep_prefix()) else { return false };
    times(f, i).is_none_or(|n| n.saturating_mul(unit) > LONGEST)
}

/// Where the destination of a string instruction is aligned whose length follows from that: `and R, -8`, and behind it `sub` of
/// that from something and `shr` by 3. Compilers fill and copy so what they know the length of, but not the alignment: the
/// first and the last word whatever that is, and the words between.
pub(crate) fn aligned(f: &Function, i: usize) -> Option<usize> {
    let d = f.insns[i].x86();
    shape(d).filter(|(unit, _)| *unit == ALIGNED && d.has_rep_prefix())?;
    let block = f.blocks.iter().find(|b| (b.first..b.end).contains(&i))?;
    let immediate = |n: usize, value: u64| {
        f.insns[n].immediate.is_none() && f.insns[n].x86().try_immediate(1).is_ok_and(|v| v == value)
    };
    let is = |n: usize, mnemonic: Mnemonic| f.insns[n].x86().mnemonic() == mnemonic;
    let aligns = |n: &usize| aligned_register(f, *n).is_some() && immediate(*n, ALIGNED.wrapping_neg());
    let to = (block.first..i).rev().find(aligns)?;
    let register = f.insns[to].x86().op0_register();
    let less = |n: usize| is(n, Mnemonic::Sub) && f.insns[n].x86().op1_register().full_register() == register;
    let calls = (to..i).any(|n| control(f, n) == Control::Call);
    let follows = (to..i).any(less) && (to..i).any(|n| is(n, Mnemonic::Shr) && immediate(n, 3));
    (follows && !calls).then_some(to)
}

/// The register that an instruction aligns.
pub(crate) fn aligned_register(f: &Function, i: usize) -> Option<usize> {
    let d = f.insns[i].x86();
    if d.mnemonic() == Mnemonic::And { gpr64(d.op0_register()) } else { None }
}

impl Code<'_> {
    pub(super) fn string<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) -> Res<Effect<D>> {
        let ins = self.f.insns[i].x86();
        let Some((unit, copies)) = shape(ins) else {
            return Err(self.f.unsupported(i, "this string instruction"));
        };
        if ins.has_repne_prefix() || ins.segment_prefix() == Register::FS {
            return Err(self.f.unsupported(i, "this form of a string instruction"));
        }
        let spelled = self.spelling.is_some_and(|list| list.contains_key(&i));
        if repeats(self.f, i) && !spelled {
            return self.repeat(d, m, i, (unit, copies));
        }
        let repeated = ins.has_rep_prefix();
        let times = match (repeated, spelled) {
            (false, _) => 1,
            (true, false) => times(self.f, i).unwrap_or(0),
            (true, true) => {
                let count = self.read(d, m, i, Register::RCX)?;
                let known = d.as_const(&count).and_then(|n| n.to_u64());
                let short = known.filter(|n| n.saturating_mul(unit) <= LONGEST);
                short.ok_or_else(|| {
                    self.f.unsupported(i, "a length that does not follow from the alignment")
                })?
            }
        };
        let to = self.read(d, m, i, Register::RDI)?;
        let from = if copies { Some(self.read(d, m, i, Register::RSI)?) } else { None };
        let fill = if copies { None } else { Some(self.read(d, m, i, Register::RAX)?) };
        for n in 0..times {
            let value = match (&from, &fill) {
                (Some(from), _) => {
                    let at = d.add_num(from, i128::from(n * unit));
                    self.load_at(d, m, &at, unit, false)
                }
                (None, Some(fill)) => d.zfit(fill, unit as u32 * 8),
                (None, None) => continue,
            };
            let at = d.add_num(&to, i128::from(n * unit));
            // Of an aligned address it is the word itself that may be accessed, and no word is left to find.
            let word = match m.aligned.clone().filter(|_| spelled) {
                Some((below, form)) => {
                    let offset = d.sub(&at, &below);
                    d.add(&form, &offset)
                }
                None => at.clone(),
            };
            self.check(d, m, &word, unit, true);
            self.store_at(d, m, &at, &value, true);
        }
        let end = d.add_num(&to, i128::from(times * unit));
        self.write(d, m, (i, Register::RDI), &end)?;
        if let Some(from) = &from {
            let end = d.add_num(from, i128::from(times * unit));
            self.write(d, m, (i, Register::RSI), &end)?;
        }
        if repeated {
            let zero = d.num(64, 0);
            self.write(d, m, (i, Register::RCX), &zero)?;
        }
        Ok(Effect::Next)
    }

    /// An event of addresses, length and what is filled in; registers are moved on.
    fn repeat<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (unit, copies): (u64, bool),
    ) -> Res<Effect<D>> {
        let (to, count) = (self.read(d, m, i, Register::RDI)?, self.read(d, m, i, Register::RCX)?);
        let source = if copies { Register::RSI } else { Register::RAX };
        let source = self.read_any(d, m, i, source)?;
        let width = if copies { 64 } else { unit as u32 * 8 };
        let what = d.zfit(&source, width);
        let operands = d.concat(&to, &count);
        let operands = d.concat(&operands, &what);
        let factor = d.num(64, u128::from(unit));
        let length = d.mul(&count, &factor);
        let end = d.add(&to, &length);
        self.write(d, m, (i, Register::RDI), &end)?;
        if copies {
            let end = d.add(&source, &length);
            self.write(d, m, (i, Register::RSI), &end)?;
        }
        let zero = d.num(64, 0);
        self.write(d, m, (i, Register::RCX), &zero)?;
        let verb = if copies { "copy" } else { "fill" };
        Ok(Effect::Event(format!("{verb} {unit}"), operands))
    }
}
