//! Loads of named objects whose value a register holds already, within a run of instructions that nothing leads into: what
//! reads the load's register reads that one. Checks of the load were made by the access that the value came from.

use crate::bytecode::{Insn, Mem, Program, Reg};
use crate::class::Class;
use crate::verify::operands::operands;
use crate::verify::ranges::bytes;
use csyntax::tree::Unit;

/// How many instructions behind a load its readers are looked for.
const REACH: usize = 64;

/// How many objects are remembered at once.
const MOST: usize = 16;

/// A named object, as far as an access reaches: whether it lies in the frame, where, and as what it is accessed.
#[derive(Copy, Clone, PartialEq)]
struct Place {
    local: bool,
    at: u32,
    kind: Mem,
    cls: u8,
}

impl Place {
    fn overlaps(&self, other: &Place, unit: &Unit) -> bool {
        let end = |place: &Place| u64::from(place.at) + bytes(place.kind, unit);
        self.local == other.local && u64::from(self.at) < end(other) && u64::from(other.at) < end(self)
    }
}

/// What an instruction does to what is remembered.
enum Effect {
    /// It reads a named object into a register.
    Loads(Reg, Place),
    /// It writes a register to a named object.
    Stores(Reg, Place),
    /// It changes registers alone.
    Computes,
    /// Anything else.
    Other,
}

/// What an instruction does.
fn effect(insn: &Insn) -> Effect {
    let place = |local, at, kind, cls| Place { local, at, kind, cls };
    match *insn {
        Insn::LdL { d, kind, cls, off } => Effect::Loads(d, place(true, off, kind, cls)),
        Insn::LdG { d, kind, cls, at } => Effect::Loads(d, place(false, at, kind, cls)),
        Insn::StL { s, kind, cls, off } => Effect::Stores(s, place(true, off, kind, cls)),
        Insn::StG { s, kind, cls, at } => Effect::Stores(s, place(false, at, kind, cls)),
        Insn::LdLX { .. } | Insn::LdGX { .. } | Insn::LdP { .. } | Insn::LdX { .. } => Effect::Computes,
        Insn::K { .. } | Insn::Const { .. } | Insn::IdxOff { .. } => Effect::Computes,
        ref other if other.is_arithmetic() => Effect::Computes,
        _ => Effect::Other,
    }
}

/// Takes away loads whose value a register holds; they become [`Insn::Nop`]. `targets` are the positions that jumps, switches
/// or computed gotos lead to.
pub(super) fn forward(unit: &Unit, program: &Program, insns: &mut [Insn], targets: &[bool]) {
    let mut held: Vec<(Place, Reg)> = Vec::new();
    for pc in 0..insns.len() {
        if targets[pc] {
            held.clear();
        }
        match effect(&insns[pc]) {
            Effect::Loads(d, place) => {
                let known = held.iter().find(|(other, _)| *other == place).map(|(_, r)| *r);
                if known == Some(d) && place.cls != Class::Any as u8 {
                    insns[pc] = Insn::Nop {};
                    continue;
                }
                if let Some(r) = known
                    && place.kind != Mem::Ptr
                    && place.cls != Class::Any as u8
                    && let Some(readers) = readers(program, insns, targets, (pc, d, r))
                {
                    for reader in readers {
                        insns[reader].read_instead(d, r);
                    }
                    insns[pc] = Insn::Nop {};
                    continue;
                }
                held.retain(|(other, r)| *r != d && *other != place);
                held.push((place, d));
            }
            Effect::Stores(s, place) => {
                held.retain(|(other, _)| !other.overlaps(&place, unit));
                held.push((place, s));
            }
            Effect::Computes => {
                for (d, _) in operands(program, &insns[pc]).writes() {
                    held.retain(|(_, r)| *r != d);
                }
            }
            Effect::Other if matches!(insns[pc], Insn::Nop {}) => {}
            Effect::Other => held.clear(),
        }
        if held.len() > MOST {
            held.remove(0);
        }
    }
}

/// All that reads what the load at `pc` puts into `d`, up to where `d` is written again, if each can read `r`, which holds the
/// same, instead.
fn readers(
    program: &Program,
    insns: &[Insn],
    targets: &[bool],
    (pc, d, r): (usize, Reg, Reg),
) -> Option<Vec<usize>> {
    let (mut out, mut same) = (Vec::new(), true);
    for at in pc + 1..insns.len().min(pc + REACH) {
        if targets[at] {
            return None;
        }
        let insn = &insns[at];
        if matches!(insn, Insn::Nop {}) {
            continue;
        }
        if matches!(effect(insn), Effect::Other) {
            return None;
        }
        let all = operands(program, insn);
        if all.reads().any(|(reg, _)| reg == d) {
            let mut tried = *insn;
            if !same || !tried.read_instead(d, r) {
                return None;
            }
            out.push(at);
        }
        let writes = |reg: Reg| all.writes().any(|(written, _)| written == reg);
        if writes(d) {
            return Some(out);
        }
        same &= !writes(r);
    }
    None
}
