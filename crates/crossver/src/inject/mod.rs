//! Faults in machine code ("Will you still compile me tomorrow?", section 4.3): what a validator says of them shows how
//! many it misses. Beside the paper's kinds (operation, register, low bits of a constant, symbol or offset, condition,
//! branch target) there are those that its validator missed: loads and stores that are not there, partial overlaps, loads
//! of another width, where loops go on and exceptions land.

mod edit;
mod landing;
mod patch;

use crate::code::{Code, Insn, bytes_of, decoder};
use crate::objects::{Arch, Bytes, Image};
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
    /// Bytes from the function's start, or from that of its cold part; of a landing pad, from the start of the section that
    /// has the function's table.
    pub at: u64,
    /// The instruction as it was.
    pub before: String,
    /// The instruction as it is.
    pub after: String,
}

/// A file with a fault in it.
#[derive(Debug)]
pub struct Faulty {
    /// The file, with its bytes.
    pub image: Image,
    /// The function's index.
    pub function: usize,
    /// What was done.
    pub fault: Fault,
    /// Section and offset of the changed instruction; none of a change in a table.
    pub place: Option<(usize, u64)>,
}

/// Puts a fault that a seed chooses, of one of these kinds, into an x86-64 object. None where no fault was found in many
/// tries, or where the file is of another machine or linked.
#[must_use]
pub fn inject(image: &Image, seed: u64, kinds: &[FaultKind]) -> Option<Faulty> {
    // Mixed: the generators of neighbouring seeds must not be the same one, a draw apart.
    let mut rng = Rng(Rng(seed).draw());
    if image.arch != Arch::X86_64
        || !crate::semantics::models(image)
        || image.functions.is_empty()
        || kinds.is_empty()
    {
        return None;
    }
    (0..TRIES).find_map(|_| {
        let function = rng.below(image.functions.len() as u64) as usize;
        let kind = kinds[rng.below(kinds.len() as u64) as usize];
        match kind {
            FaultKind::LandingPad => in_table(image, function, &mut rng),
            FaultKind::Opcode
            | FaultKind::Register
            | FaultKind::Constant
            | FaultKind::Offset
            | FaultKind::Symbol
            | FaultKind::Condition
            | FaultKind::Target
            | FaultKind::Store
            | FaultKind::Load
            | FaultKind::Overlap
            | FaultKind::Loop
            | FaultKind::Extension
            | FaultKind::Width => in_code(image, function, kind, &mut rng),
        }
    })
}

fn in_code(image: &Image, function: usize, kind: FaultKind, rng: &mut Rng) -> Option<Faulty> {
    let code = Code::of(image, function);
    let stretches = code.stretches.iter();
    let all: Vec<(usize, Insn)> = stretches
        .flat_map(|s| s.insns.iter().map(|insn| (s.section, *insn)))
        .filter(|(_, insn)| !insn.nop && insn.known())
        .collect();
    let (section, insn) = *all.get(rng.below(all.len().max(1) as u64) as usize)?;
    let bounds: Vec<u64> = all.iter().filter(|(s, _)| *s == section).map(|(_, insn)| insn.at).collect();
    let patch = patch::patch(image, (section, &insn), kind, &bounds, rng)?;
    let text = |bytes: &[u8]| decoder(image.arch).text(bytes, &insn);
    let before = text(&bytes_of(image, section, &insn));
    let after = match &patch {
        patch::Patch::Bytes(bytes) => text(bytes),
        patch::Patch::Addend(_, by) => format!("{before}, reference moved by {by}"),
    };
    let f = &image.functions[function];
    let at = if f.section == section { insn.at.wrapping_sub(f.start) } else { insn.at };
    let fault = Fault { kind, function: f.name.clone(), at, before, after };
    let place = Some((section, insn.at));
    made(image, (section, insn.at), &patch, Made { function, fault, place })
}

fn in_table(image: &Image, function: usize, rng: &mut Rng) -> Option<Faulty> {
    let pad = landing::other(image, function, rng)?;
    let text = |byte: u8| format!("a landing pad {:#x} bytes on", byte & 0x7f);
    let fault = Fault {
        kind: FaultKind::LandingPad,
        function: image.functions[function].name.clone(),
        at: pad.at,
        before: text(pad.before),
        after: text(pad.after),
    };
    let patch = patch::Patch::Bytes(vec![pad.after]);
    made(image, (pad.section, pad.at), &patch, Made { function, fault, place: None })
}

/// A fault before its file is made.
struct Made {
    function: usize,
    fault: Fault,
    place: Option<(usize, u64)>,
}

fn made(image: &Image, at: (usize, u64), patch: &patch::Patch, what: Made) -> Option<Faulty> {
    let bytes = edit::edited(image, at, patch)?;
    let image = Image::parse(&image.label, Bytes::owned(bytes)).ok()?;
    Some(Faulty { image, function: what.function, fault: what.fault, place: what.place })
}
