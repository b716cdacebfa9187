//! Proofs with the relations of this module: which forms of the semantics to try, and what a verdict rests on.

use super::file::IselFile;
use super::isel::{Isel, Pair, PairOptions, isel_pair, isel_pair_trusting, isel_pair_with};
use crate::assumption::Assumption;
use crate::domain::Unsupported;
use crate::memory::access::AccessCheck;
use equiv::{
    Acceptability, Certificate, Hints, Knowing, Options, ProblemKind, Programs, Reason, ReasonKind,
    SameNames, Semantics, Stated, Verdict, compare, prove, recheck,
};
use smt::clock::Instant;
use smt::effort::{Ceiling, Effort};
use std::collections::BTreeSet;
use std::time::Duration;

/// A report that the semantics, rather than the engine, gave.
pub(super) fn unsupported<A>(e: Unsupported, start: Instant) -> equiv::Report<A> {
    equiv::Report {
        verdict: Verdict::Unsupported { what: e.what, place: String::new() },
        stats: equiv::Stats::default(),
        time: start.elapsed(),
    }
}

/// Hints that cannot be read: nothing is said of the programs.
fn unusable(why: String) -> equiv::Report {
    equiv::Report {
        verdict: Verdict::Unknown(Box::new(Reason::of(ReasonKind::Certificate { why }))),
        stats: equiv::Stats::default(),
        time: Duration::ZERO,
    }
}

/// The engine's report in terms of these languages, resting on what their semantics took for granted too.
pub(super) fn resting_on(report: equiv::Report, more: Stated<Assumption>) -> Report {
    Report {
        verdict: report.verdict.resting_on(Assumption::of, more),
        stats: report.stats,
        time: report.time,
    }
}

/// Assumptions without anything to name beside them.
pub(super) fn plainly(all: &BTreeSet<Assumption>) -> Stated<Assumption> {
    all.iter().map(|a| (*a, BTreeSet::new())).collect()
}

/// A verdict about a pair of these languages, with what it cost.
pub type Report = equiv::Report<Assumption>;

/// What to ask about a pair.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'c> {
    /// Prove or refute it, starting from hints if there are any.
    Prove(Option<&'c Hints>),
    /// Check a certificate again, without search.
    Check(&'c Certificate),
    /// Only run both sides on so many random inputs.
    Run(u32),
}

/// Asks the engine about two programs.
pub(super) fn ask<L: Semantics, R: Semantics, A: Acceptability>(
    mut programs: Programs<'_, L, R, A>,
    opts: &Options,
    what: &Ask<'_>,
) -> equiv::Report {
    if let Ask::Prove(Some(h)) = what {
        match h.points(programs.left.shape(), programs.right.shape()) {
            Ok(points) => programs.hints = points,
            Err(why) => return unusable(why),
        }
    }
    match what {
        Ask::Prove(_) => prove(&programs, opts),
        Ask::Check(c) => recheck(&programs, c, opts),
        Ask::Run(n) => compare(&programs, *n, opts),
    }
}

/// Proves or refutes the instruction selection of one function of a `.mir` file with embedded LLVM IR.
pub fn prove_isel(m: &IselFile, name: &str, opts: &Options) -> Report {
    answer_isel(m, name, opts, &Ask::Prove(None))
}

/// As [`prove_isel`], with hints, or only checking a certificate again.
///
/// Where values stay open, once more with a source that stores, where it stores poison, what the target has there: poison
/// may be anything, and a proof need not follow it where it ends in memory.
pub fn answer_isel(m: &IselFile, name: &str, opts: &Options, what: &Ask<'_>) -> Report {
    let start = Instant::now();
    // One ceiling for all that is tried: once it is reached, what was tried last says "out of time".
    let ceiling = Ceiling::start(opts.time);
    let mut report = answer_form(m, name, opts, what, (start, &ceiling, PairOptions::PLAIN));
    if values_are_open(&report.verdict) && !ceiling.reached() {
        let options = PairOptions { open_stores: true, ..PairOptions::PLAIN };
        let second = answer_form(m, name, opts, what, (start, &ceiling, options));
        report.stats.add(&second.stats);
        if let Verdict::Proved(_) | Verdict::Conditional { .. } = second.verdict {
            report.verdict = second.verdict;
        }
        report.time = start.elapsed();
    }
    report
}

/// Whether a proof fails where both sides do the same, with values that may differ.
fn values_are_open<A>(verdict: &Verdict<A>) -> bool {
    let Verdict::Unknown(why) = verdict else { return false };
    let ReasonKind::Open { problem } = &why.kind else { return false };
    matches!(
        problem,
        ProblemKind::ExitDiffers | ProblemKind::EventDiffers { .. } | ProblemKind::Constraint { .. }
    )
}

/// Where a quick try ends without an answer, the promises of alias metadata are relied on, and stated. Whether the
/// proof found so needs them is then seen from its relations, which are checked again without. A difference counts
/// only if it is there under those promises too: the compiler may rely on them.
fn answer_form(
    m: &IselFile,
    name: &str,
    opts: &Options,
    what: &Ask<'_>,
    (start, ceiling, options): (Instant, &Ceiling, PairOptions),
) -> Report {
    let trusting = match what {
        Ask::Prove(_) | Ask::Check(_) => isel_pair_trusting(m, name, options),
        Ask::Run(_) => None,
    };
    let pair = match isel_pair_with(m, name, options) {
        Ok(pair) => pair,
        Err(e) => return unsupported(e, start),
    };
    let searches = matches!(what, Ask::Prove(_));
    let first = match &trusting {
        Some(_) if searches => {
            let points = pair.left.shape().points.len() as u64;
            let first_round = Some(QUICK + QUICK_POINT.times(points));
            Options { first_round, hurried: true, ..opts.clone() }
        }
        Some(_) | None => opts.clone(),
    };
    let mut report = answer_pair(&pair, &first, what, start);
    if let (Verdict::Unknown(_) | Verdict::Refuted(_), Some(Ok(trusting))) = (&report.verdict, trusting) {
        let begun = Effort::so_far();
        let second = answer_pair(&trusting, opts, what, start);
        let spent = Effort::since(begun);
        report.stats.add(&second.stats);
        report.verdict = match (report.verdict, second.verdict) {
            // The first reason is the plainer one, unless it was a difference or the hurry.
            (Verdict::Unknown(why), Verdict::Unknown(_)) if !searches && !ceiling.reached() => {
                Verdict::Unknown(why)
            }
            (Verdict::Unknown(_), Verdict::Conditional { assumptions, certificate }) if searches => {
                // A proof without alias metadata, from the relations of the one with it.
                let first_round = Some(spent.times(2) + QUICK);
                let third = answer_pair(
                    &pair,
                    &Options { first_round, ..opts.clone() },
                    &Ask::Check(&certificate),
                    start,
                );
                report.stats.add(&third.stats);
                match third.verdict {
                    verdict @ (Verdict::Proved(_) | Verdict::Conditional { .. }) => verdict,
                    late if ceiling.reached() => late,
                    _ => Verdict::Conditional { assumptions, certificate },
                }
            }
            (_, verdict) => verdict,
        };
        report.time = start.elapsed();
    }
    report
}

/// Proves that a machine function refines itself: what says nothing of a compiler, and everything of a prover that
/// cannot.
pub fn prove_machine_function_with_itself(m: &IselFile, name: &str, opts: &Options) -> Report {
    let start = Instant::now();
    match isel_pair(m, name, AccessCheck::Mapped) {
        Ok(pair) => {
            let report =
                ask(Programs::new(&pair.right, &pair.right, &SameNames::default()), opts, &Ask::Prove(None));
            resting_on(report, Stated::new())
        }
        Err(e) => unsupported(e, start),
    }
}

/// The work that a search without alias metadata has at first, where there is some: nearly all that need none end in
/// that. More for each point of the source.
const QUICK: Effort = Effort::mega(200);
const QUICK_POINT: Effort = Effort::mega(5);

/// Runs both sides of a pair on random inputs that keep the promises of alias metadata too.
pub fn run_isel_trusting(m: &IselFile, name: &str, opts: &Options, runs: u32) -> Option<Report> {
    let start = Instant::now();
    let pair = isel_pair_trusting(m, name, PairOptions::PLAIN)?.ok()?;
    Some(answer_pair(&pair, opts, &Ask::Run(runs), start))
}

fn answer_pair(pair: &Pair<'_>, opts: &Options, what: &Ask<'_>, start: Instant) -> Report {
    let guesses = Knowing { known: &pair.relation, registry: Isel::GUESSES };
    let programs = Programs::new(&pair.left, &pair.right, &pair.relation);
    let mut report = ask(Programs { guesses: &[&guesses], ..programs }, opts, what);
    report.time = start.elapsed();
    let (left, right) = (pair.left.ir.assumptions.borrow(), pair.right.x86.assumptions.borrow());
    resting_on(report, plainly(&left.union(&right).copied().collect()))
}
