//! The ways in: prove a pair of programs, or check a certificate again; and the options.

use crate::run::Run;
use crate::verdict::{Certificate, Report, Verdict};
use crate::{Acceptability, Semantics, Shape, SyncPoint};
use smt::clock::Instant;
use smt::effort::{Ceiling, Effort};
use smt::{Cached, Embedded, Portfolio, Solver};
use std::time::Duration;

/// How hard to try. The defaults suit one function of a compiled program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Show equivalence in both directions: undefined behaviour on the left then permits only the
    /// same on the right. Otherwise the right must refine the left.
    pub bisimulation: bool,
    /// CPU time for the whole proof: a ceiling, which makes a verdict "out of time" and none into another.
    pub time: Duration,
    /// The work of the first round of attempts; where there is none, as much as the functions' size calls for.
    pub first_round: Option<Effort>,
    /// Most rounds, each with a multiple of the work of the one before, while only work is lacking.
    pub rounds: u32,
    /// Memory of the solver, in bytes.
    pub memory: u64,
    /// How often a point may be passed between two cuts (loops of constant count unroll).
    pub passes: u32,
    /// Most new terms between two cuts.
    pub max_terms: usize,
    /// Most pairs of states followed from one synchronisation point.
    pub max_pairs: u32,
    /// Concrete runs.
    pub runs: u32,
    /// Steps of each.
    pub steps: u32,
    /// Seed of the runs' inputs.
    pub seed: u64,
    /// Ask the external solvers found on this machine where the embedded one gives up. What they answer in time hangs on
    /// the machine: the verdict is then no function of the programs alone.
    pub external: bool,
    /// When no proof is found, check all runs that pass no point more often than this.
    pub bound: Option<u32>,
    /// Give up where the first way of cutting both programs leaves something open: another form of the proof follows.
    pub hurried: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bisimulation: false,
            time: Duration::from_secs(60),
            first_round: None,
            rounds: crate::budget::ROUNDS,
            memory: 1 << 30,
            passes: 40,
            max_terms: 2_000_000,
            max_pairs: 5_000,
            runs: 24,
            steps: 3_000,
            seed: 1,
            external: false,
            bound: None,
            hurried: false,
        }
    }
}

impl Options {
    fn solver(&self) -> Box<dyn Solver> {
        let inner: Box<dyn Solver> =
            if self.external { Box::new(Portfolio::of_machine()) } else { Box::new(Embedded::new()) };
        Box::new(Cached::new(inner))
    }
}

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

/// Acceptability with the direction of the proof put in.
struct Directed<'a, A> {
    inner: &'a A,
    bisimulation: bool,
}

impl<A: Acceptability> Acceptability for Directed<'_, A> {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<crate::Constraint> {
        self.inner.entry(left, right)
    }
    fn entry_condition<D: smt::Domain>(
        &self,
        d: &mut D,
        left: &crate::State<D>,
        right: &crate::State<D>,
    ) -> D::Bool {
        self.inner.entry_condition(d, left, right)
    }
    fn exit<D: smt::Domain>(&self, d: &mut D, left: &[crate::Val<D>], right: &[crate::Val<D>]) -> D::Bool {
        self.inner.exit(d, left, right)
    }
    fn event<D: smt::Domain>(
        &self,
        d: &mut D,
        left: &crate::Event<D>,
        right: &crate::Event<D>,
    ) -> Option<D::Bool> {
        self.inner.event(d, left, right)
    }
    fn results<D: smt::Domain>(
        &self,
        d: &mut D,
        left: &crate::Event<D>,
        right: &crate::Event<D>,
        fresh: &mut dyn FnMut(&mut D, crate::VarSort) -> crate::Val<D>,
    ) -> (Vec<crate::Val<D>>, Vec<crate::Val<D>>) {
        self.inner.results(d, left, right, fresh)
    }
    fn goes_on<D: smt::Domain>(&self, event: &crate::Event<D>) -> bool {
        !self.bisimulation && self.inner.goes_on(event)
    }
    fn addresses_tell(&self) -> bool {
        self.inner.addresses_tell()
    }
    fn describe(&self, vals: &[crate::Val<smt::Concrete>]) -> Vec<Option<String>> {
        self.inner.describe(vals)
    }
    fn left_error(&self, left: &str, right: Option<&str>) -> bool {
        (!self.bisimulation || right.is_some()) && self.inner.left_error(left, right)
    }
    fn candidates(
        &self,
        left: (&Shape, crate::PointId),
        right: (&Shape, crate::PointId),
    ) -> Vec<crate::Constraint> {
        self.inner.candidates(left, right)
    }
}

/// What a question comes to within the ceiling on time. Where the clock was asked and found at its end, the verdict is
/// that, whatever else came of it: with more time it might have been another.
fn within<'a, L: Semantics, R: Semantics, A: Acceptability>(
    run: &mut Run<'a, L, R, A>,
    start: Instant,
    ask: impl FnOnce(&mut Run<'a, L, R, A>) -> Verdict,
) -> Report {
    let ceiling = Ceiling::start(run.checker.opts.time);
    let verdict = ask(run);
    let verdict = if ceiling.reached() { run.out_of_time() } else { verdict };
    Report { verdict, stats: run.checker.prover.stats.clone(), time: start.elapsed() }
}

/// Proves or refutes that the right program refines (or equals) the left one.
pub fn prove<L: Semantics, R: Semantics, A: Acceptability>(
    p: &Programs<'_, L, R, A>,
    opts: &Options,
) -> Report {
    let start = Instant::now();
    let accept = Directed { inner: p.accept, bisimulation: opts.bisimulation };
    let solver = opts.solver();
    let mut run = Run::new(p.left, p.right, &accept, opts, solver, opts.bisimulation);
    within(&mut run, start, |run| run.all(&p.hints))
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
    let mut run = Run::new(p.left, p.right, &accept, opts, solver, certificate.bisimulation);
    within(&mut run, start, |run| run.recheck(certificate))
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
    let mut run = Run::new(p.left, p.right, &accept, opts, opts.solver(), opts.bisimulation);
    within(&mut run, start, |run| run.compare(runs))
}
