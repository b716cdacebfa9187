//! What instructions mean: pairs that the cheap way leaves open, proved or refuted by the semantics of machine code
//! (section 2 of the paper; x86-64 objects so far).
//!
//! * `convert`: a function of an image as the program that `langs::machine_code` takes;
//! * `names`: one name for what both files mean by a reference;
//! * `types`: how functions are called, from debug information.

mod convert;
mod names;
mod types;

use crate::equality::Answer;
use crate::equality::side::Side;
use crate::equality::verdict::{Assumption, Difference, How, Lack, OpenProof, Verdict, Why};
use crate::objects::Arch;
use crate::pairing::Pairing;
use equiv::{Options, VerdictKind};
use langs::machine_code::x86::{Convention, Piece};
use langs::memory::access::AccessCheck;
use langs::pairs::{MachineSide, prove_machine};
use std::collections::BTreeSet;
use std::time::Duration;
pub use types::Types;

/// What is known of both files beside their code.
#[derive(Debug)]
pub struct Knowledge {
    /// How the functions of both files are called.
    pub types: (Types, Types),
    /// Processor time for one pair of functions.
    pub time: Duration,
}

/// Tries to prove what the cheap way left open. None where nothing is modelled of these files.
#[must_use]
pub fn answer(
    (old, new): (&Side, &Side),
    pairing: &Pairing,
    pair: (usize, usize),
    known: &Knowledge,
    first: &Difference,
) -> Option<Answer> {
    if old.image.arch != Arch::X86_64 || old.image.linked || new.image.linked {
        return None;
    }
    // Where exceptions land is not modelled.
    if matches!(first, Difference::LandingPads) {
        return None;
    }
    let mut names = names::Names::new(old, new, pairing, pair);
    let sides = convert::function(&mut names, true, pair.0)
        .and_then(|a| Ok((a, convert::function(&mut names, false, pair.1)?)));
    let (a, b) = match sides {
        Ok(both) => both,
        Err(lack) => return Some(Answer { verdict: Verdict::Unsupported(lack), callees: BTreeSet::new() }),
    };
    let mut assumptions = names.assumptions;
    let callees = names.callees;
    let name = |side: &Side, n: usize| side.image.functions[n].name.clone();
    let declared =
        known.types.1.of_name(&name(new, pair.1)).or_else(|| known.types.0.of_name(&name(old, pair.0)));
    let own = declared.unwrap_or_else(|| {
        assumptions.insert(Assumption::ResultByRegisters);
        guessed(&a, &b)
    });
    if known.types.0.volatile || known.types.1.volatile {
        assumptions.insert(Assumption::NothingVolatile);
    }
    let of = |name: &str| known.types.1.of_label(name).or_else(|| known.types.0.of_label(name));
    let sides = [&a, &b].map(|function| MachineSide { function, objects: &[], types: &of });
    let options = Options { time: known.time, ..Options::default() };
    let mut report = prove_machine(&sides[0], &sides[1], &own, AccessCheck::Mapped, &options);
    if report.verdict.kind() == VerdictKind::Unknown {
        let second = prove_machine(&sides[0], &sides[1], &own, AccessCheck::Off, &options);
        if second.verdict.certificate().is_some() {
            assumptions.insert(Assumption::NoNewFault);
            report = second;
        }
    }
    Some(Answer { verdict: verdict(report.verdict, assumptions, first), callees })
}

/// Results of a function of unknown types: the first general register, and the first vector where vectors are used.
fn guessed(a: &langs::machine_code::x86::Function, b: &langs::machine_code::x86::Function) -> Convention {
    let vectors = |f: &langs::machine_code::x86::Function| {
        f.insns.iter().any(|i| i.decoded.op_count() > 0 && i.decoded.op0_register().is_xmm())
    };
    let mut results = vec![Piece { register: 0, bits: 64 }];
    if vectors(a) && vectors(b) {
        results.push(Piece { register: 16, bits: 128 });
    }
    Convention::unknown(results)
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
        equiv::Verdict::Refuted(found) => open("difference-not-replayed", found.differences.join("; ")),
        equiv::Verdict::Unknown(why) => {
            let kind = if why.limit.is_some() { "out-of-budget" } else { "no-proof" };
            open(kind, why.to_string())
        }
        equiv::Verdict::Unsupported { what, place } => Verdict::Unsupported(Lack { what, place }),
    }
}
