//! The ways in: prove a pair of programs, check a certificate again, or only run both.
//!
//! In: two programs, their acceptability, hints, options. Out: a report. How points are chosen, attempt by attempt and
//! round by round, is in `rounds.rs`.

mod directed;
mod rounds;

use crate::guess::Guess;
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
    /// What the languages guess of pairs of points.
    pub guesses: &'a [&'a dyn Guess],
}

impl<'a, L, R, A> Programs<'a, L, R, A> {
    /// Two programs, with no hints and no guesses that need their languages.
    pub fn new(left: &'a L, right: &'a R, accept: &'a A) -> Self {
        Programs { left, right, accept, hints: Vec::new(), guesses: &[] }
    }
}

/// What a question about two programs comes to within the ceiling on time. Where the clock was asked and found at its
/// end, the verdict is that, whatever else came of it: with more time it might have been another.
fn within<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    opts: &Options,
    bisimulation: bool,
    ask: impl FnOnce(&mut ProofSearch<'_, L, R, Directed<'_, A>>) -> Verdict,
) -> Report {
    let start = Instant::now();
    let accept = Directed { inner: p.accept, bisimulation };
    let mut search = ProofSearch::new((p.left, p.right), &accept, p.guesses, opts, bisimulation);
    let ceiling = Ceiling::start(opts.time);
    let verdict = ask(&mut search);
    let verdict = if ceiling.reached() { search.out_of_time() } else { verdict };
    Report { verdict, stats: search.checker.prover.stats.clone(), time: start.elapsed() }
}

/// Proves or refutes that the right program refines (or equals) the left one.
pub fn prove<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    opts: &Options,
) -> Report {
    within(p, opts, opts.bisimulation, |search| search.all(&p.hints))
}

/// Verifies a certificate again, without search: every obligation of its points as they stand.
pub fn recheck<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    certificate: &Certificate,
    opts: &Options,
) -> Report {
    within(p, opts, certificate.bisimulation, |search| search.recheck(certificate))
}

/// Runs both programs on so many random inputs that both may have, without any proof: refuted, or not known, with
/// how many of the runs came to an end on both sides.
pub fn compare<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    runs: u32,
    opts: &Options,
) -> Report {
    within(p, opts, opts.bisimulation, |search| search.compare(runs))
}
