//! Faults in machine code ("Will you still compile me tomorrow?", section 4.3): what a validator says of them shows how
//! many it misses. Beside the paper's kinds (operation, register, low bits of a constant, symbol or offset, condition,
//! branch target) there are those that its validator missed: lost stores, partial overlaps, loads of another width.

mod patch;

use crate::code::{Code, Insn, bytes_of, decoder};
use crate::objects::{Bytes, Image};
pub use patch::FaultKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::Rng;

/// How often another place is tried where a kind of fault finds nothing to change.
const TRIES: usize = 2000;

/// A fault in a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// The function.
    pub function: String,
    /// Bytes from the function's start, or from that of its cold part.
    pub at: u64,
    /// The instruction as it was.
    pub before: String,
    /// The instruction as it is.
    pub after: String,
}

/// A file with a fault in it.
#[derive(Debug)]
pub struct Faulty {
    /// The file.
    pub image: Image,
    /// The function's index.
    pub function: usize,
    /// What was done.
    pub fault: Fault,
}

/// Puts a fault that a seed chooses into an x86-64 object. None where no fault was found in many tries; the image is lost
/// then.
#[must_use]
pub fn inject(mut image: Image, seed: u64) -> Option<Faulty> {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    if !crate::semantics::models(&image) || image.functions.is_empty() {
        return None;
    }
    for _ in 0..TRIES {
        let function = rng.below(image.functions.len() as u64) as usize;
        let kind = FaultKind::ALL[rng.below(FaultKind::ALL.len() as u64) as usize];
        let code = Code::of(&image, function);
        let all: Vec<(usize, Insn)> = code
            .stretches
            .iter()
            .flat_map(|s| s.insns.iter().map(|insn| (s.section, *insn)))
            .filter(|(_, insn)| !insn.nop && insn.known())
            .collect();
        if all.is_empty() {
            continue;
        }
        let (section, insn) = all[rng.below(all.len() as u64) as usize];
        let bounds: Vec<u64> = all.iter().filter(|(s, _)| *s == section).map(|(_, insn)| insn.at).collect();
        let found = patch::patch(&image, (section, &insn), kind, &bounds, &mut rng);
        let Some(new) = found else { continue };
        let text = |bytes: &[u8]| decoder(image.arch).text(bytes, &insn);
        let before = text(&bytes_of(&image, section, &insn));
        let after = match &new {
            patch::Patch::Bytes(bytes) => text(bytes),
            patch::Patch::Addend(_, by) => format!("{before}, reference moved by {by}"),
        };
        let f = &image.functions[function];
        let at = if f.section == section { insn.at.wrapping_sub(f.start) } else { insn.at };
        let fault = Fault { kind, function: f.name.clone(), at, before, after };
        apply(&mut image, (section, &insn), new)?;
        return Some(Faulty { image, function, fault });
    }
    None
}

fn apply(image: &mut Image, (section, insn): (usize, &Insn), patch: patch::Patch) -> Option<()> {
    let home = &mut image.sections[section];
    match patch {
        patch::Patch::Bytes(new) => {
            let mut bytes = home.bytes.as_ref()?.get().to_vec();
            let at = insn.at as usize;
            bytes.get_mut(at..at + new.len())?.copy_from_slice(&new);
            home.bytes = Some(Bytes::owned(bytes));
        }
        patch::Patch::Addend(n, by) => home.relocs.get_mut(n)?.addend += by,
    }
    Some(())
}
