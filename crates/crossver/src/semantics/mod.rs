//! What instructions mean: pairs that the cheap way leaves open, proved or refuted by the semantics of machine code
//! (section 2 of the paper; x86-64 objects so far).
//!
//! * `convert`: a function of an image as the program that `langs::machine_code` takes;
//! * `kept`: what callees leave in registers;
//! * `locals`, `frames`: which objects of both frames are the same one;
//! * `names`: one name for what both files mean by a reference;
//! * `types`: how functions are called, from debug information.

mod convert;
mod frames;
pub mod kept;
mod locals;
mod names;
mod types;

use crate::equality::Answer;
use crate::equality::side::Side;
use crate::equality::verdict::{Assumption, Difference, How, Lack, OpenProof, Verdict, Why};
use crate::objects::{Arch, Image};
use crate::pairing::Pairing;
use equiv::{Options, VerdictKind};
use langs::machine_code::x86::{Convention, Function, Piece};
use langs::memory::access::AccessCheck;
use langs::pairs::{MachineSide, prove_machine};
use std::collections::BTreeSet;
use std::time::Duration;
pub use types::Types;

/// What is known of both files beside their code.
#[derive(Debug)]
pub struct Knowledge<'a> {
    /// How the functions of both files are called.
    pub types: &'a (Types, Types),
    /// Which registers the functions of both files keep.
    pub kept: &'a (Vec<u32>, Vec<u32>),
    /// Processor time for one pair of functions.
    pub time: Duration,
    /// Memory that a proof may take, in bytes.
    pub memory: u64,
}

/// Whether what the instructions of a file mean is modelled.
#[must_use]
pub fn models(image: &Image) -> bool {
    image.arch == Arch::X86_64 && !image.linked
}

/// Tries to prove what the cheap way left open. None where nothing is modelled of these files.
#[must_use]
pub fn answer(
    (old, new): (&Side, &Side),
    pairing: &Pairing,
    pair: (usize, usize),
    known: &Knowledge<'_>,
    first: &Difference,
) -> Option<Answer> {
    if !models(old.image) || !models(new.image) {
        return None;
    }
    // Where exceptions land is not modelled.
    if matches!(first, Difference::LandingPads) {
        return None;
    }
    let mut names = names::Names::new(old, new, pairing, pair);
    let sides = convert::function(&mut names, true, pair.0, &known.kept.0)
        .and_then(|a| Ok((a, convert::function(&mut names, false, pair.1, &known.kept.1)?)));
    let (a, b) = match sides {
        Ok(both) => both,
        Err(lack) => return Some(Answer { verdict: Verdict::Unsupported(lack), callees: BTreeSet::new() }),
    };
    let mut assumptions = names.assumptions;
    let callees = names.callees;
    let name = |side: &Side, n: usize| side.image.functions[n].name.clone();
    let declared =
        known.types.1.of_own(&name(new, pair.1)).or_else(|| known.types.0.of_own(&name(old, pair.0)));
    let own = declared.unwrap_or_else(|| {
        assumptions.insert(Assumption::ResultByRegisters);
        let origin = |types: &Types| types.of_origin(&name(new, pair.1));
        origin(&known.types.1).or_else(|| origin(&known.types.0)).unwrap_or_else(|| guessed(&a, &b))
    });
    if known.types.0.volatile || known.types.1.volatile {
        assumptions.insert(Assumption::NothingVolatile);
    }
    let locals = |side: &Side, types: &'_ Types, n: usize| {
        let f = &side.image.functions[n];
        types.locals.get(&(f.section, f.start)).cloned().unwrap_or_default()
    };
    let (of_old, of_new) = (locals(old, &known.types.0, pair.0), locals(new, &known.types.1, pair.1));
    let frames = match frames::pair((&a, &of_old), (&b, &of_new)) {
        Ok(frames) => frames,
        Err(what) => {
            let lack = Lack { what, place: name(new, pair.1) };
            return Some(Answer { verdict: Verdict::Unsupported(lack), callees: BTreeSet::new() });
        }
    };
    if !frames.old.list.is_empty() {
        assumptions.extend([Assumption::FrameObjects, Assumption::FrameContents]);
    }
    if [&a, &b].into_iter().any(Function::has_frame) {
        assumptions.insert(Assumption::FrameApart);
    }
    if a.may_pass_vectors() || b.may_pass_vectors() {
        assumptions.insert(Assumption::UnnamedDoubles);
    }
    let of = |name: &str| known.types.1.of_label(name).or_else(|| known.types.0.of_label(name));
    let sides = [(&a, &frames.old), (&b, &frames.new)].map(|(function, objects)| MachineSide {
        function,
        objects,
        types: &of,
    });
    let options = Options { time: known.time, memory: known.memory / 2, ..Options::default() };
    let mut report = prove_machine(&sides[0], &sides[1], &own, AccessCheck::Mapped, &options);
    if report.verdict.kind() == VerdictKind::Unknown {
        // Both attempts share the time.
        let options = Options { time: known.time.saturating_sub(report.time), ..options };
        let second = prove_machine(&sides[0], &sides[1], &own, AccessCheck::Off, &options);
        if second.verdict.certificate().is_some() {
            assumptions.insert(Assumption::NoNewFault);
            report = second;
        }
    }
    Some(Answer { verdict: verdict(report.verdict, assumptions, first), callees })
}

/// Results of a function of unknown types: the first general register, and the first vector where vectors are used.
fn guessed(a: &Function, b: &Function) -> Convention {
    let vectors =
        |f: &Function| f.insns.iter().any(|i| i.decoded.op_count() > 0 && i.decoded.op0_register().is_xmm());
    let mut results = vec![Piece { register: 0, bits: 64 }];
    if vectors(a) && vectors(b) {
        results.push(Piece { register: 16, bits: 128 });
    }
    Convention::unknown(results)
}

/// Most characters of what is told of a difference: inputs may hold long memories.
const LONGEST: usize = 1000;

/// What differs in a refutation; where no value does, what both did last.
fn told(found: &equiv::Counterexample) -> String {
    if !found.differences.is_empty() {
        return found.differences.join("; ");
    }
    let last = |trace: &[String]| trace.get(found.first_difference).cloned().unwrap_or_default();
    let inputs: Vec<String> = found.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let all = format!("{} | {} with {}", last(&found.left), last(&found.right), inputs.join(", "));
    all.chars().take(LONGEST).collect()
}

fn verdict(
    found: equiv::Verdict<langs::assumption::Assumption>,
    mut taken: BTreeSet<Assumption>,
    first: &Difference,
) -> Verdict {
    let open =
        |kind, text: String| Verdict::Unknown(Why::Open(OpenProof { kind, text, difference: first.clone() }));
    match found {
        equiv::Verdict::Proved(_) | equiv::Verdict::Conditional { .. } => {
            if let equiv::Verdict::Conditional { assumptions, .. } = &found {
                taken.extend(assumptions.keys().map(|a| Assumption::Semantics(a.entry().what)));
            }
            match taken.is_empty() {
                true => Verdict::Proved(How::Proof),
                false => Verdict::Conditional(How::Proof, taken.into_iter().collect()),
            }
        }
        equiv::Verdict::Bounded { why, .. } => open("no-proof", why.to_string()),
        // A difference counts only when both functions have been run: the semantics alone proposes it.
        equiv::Verdict::Refuted(found) => open("difference-not-replayed", told(&found)),
        equiv::Verdict::Unknown(why) => {
            let kind = if why.limit.is_some() { "out-of-budget" } else { "no-proof" };
            open(kind, why.to_string())
        }
        equiv::Verdict::Unsupported { what, place } => Verdict::Unsupported(Lack { what, place }),
    }
}
