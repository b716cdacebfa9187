//! The ways in: prove a pair of programs, check a certificate again, or only run both.
//!
//! In: two programs, their acceptability, hints, options. Out: a report. How points are chosen, attempt by attempt and
//! round by round, is in `rounds.rs`.

mod directed;
mod rounds;

use crate::model::{Acceptability, Certificate, Options, Report, Semantics, SyncPoint, Verdict};
use crate::prove::ProofSearch;
use directed::Directed;
use smt::clock::Instant;
use smt::effort::Ceiling;

/// The two programs and how they are to be compared.
pub struct Programs<'a, L, R, A> {
    /// The source (input) program.
    pub left: &'a L,
    /// The target (output) program.
    pub right: &'a R,
    /// When their states are compatible.
    pub accept: &'a A,
    /// Synchronisation points to use instead of inferring them; constraints that are not inductive
    /// are dropped all the same.
    pub hints: Vec<SyncPoint>,
}

/// What a question comes to within the ceiling on time. Where the clock was asked and found at its end, the verdict is
/// that, whatever else came of it: with more time it might have been another.
fn within<'a, L: Semantics, R: Semantics, A: Acceptability>(
    search: &mut ProofSearch<'a, L, R, A>,
    start: Instant,
    ask: impl FnOnce(&mut ProofSearch<'a, L, R, A>) -> Verdict,
) -> Report {
    let ceiling = Ceiling::start(search.checker.opts.time);
    let verdict = ask(search);
    let verdict = if ceiling.reached() { search.out_of_time() } else { verdict };
    Report { verdict, stats: search.checker.prover.stats.clone(), time: start.elapsed() }
}

/// Proves or refutes that the right program refines (or equals) the left one.
pub fn prove<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    opts: &Options,
) -> Report {
    let start = Instant::now();
    let accept = Directed { inner: p.accept, bisimulation: opts.bisimulation };
    let solver = opts.solver();
    let mut search = ProofSearch::new(p.left, p.right, &accept, opts, solver, opts.bisimulation);
    within(&mut search, start, |search| search.all(&p.hints))
}

/// Verifies a certificate again, without search: every obligation of its points as they stand.
pub fn recheck<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    certificate: &Certificate,
    opts: &Options,
) -> Report {
    let start = Instant::now();
    let accept = Directed { inner: p.accept, bisimulation: certificate.bisimulation };
    let solver = opts.solver();
    let mut search = ProofSearch::new(p.left, p.right, &accept, opts, solver, certificate.bisimulation);
    within(&mut search, start, |search| search.recheck(certificate))
}

/// Runs both programs on so many random inputs that both may have, without any proof: refuted, or not known, with
/// how many of the runs came to an end on both sides.
pub fn compare<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    runs: u32,
    opts: &Options,
) -> Report {
    let start = Instant::now();
    let accept = Directed { inner: p.accept, bisimulation: opts.bisimulation };
    let mut search = ProofSearch::new(p.left, p.right, &accept, opts, opts.solver(), opts.bisimulation);
    within(&mut search, start, |search| search.compare(runs))
}
