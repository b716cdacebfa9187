//! The engine: takes hints of passes, decides which to try together, and keeps what the test calls interesting
//! (hierarchical and probabilistic delta debugging come as sets of hints, from big to small).

mod ask;
mod cache;
pub mod filter;
mod others;
mod plan;
mod pool;
mod schedule;
mod scout;
mod sweep;
mod work;

pub use ask::Judges;
pub use others::{Elsewhere, Standing};
pub use pool::Counters;
pub use schedule::{PassRecord, Schedule};
pub use work::Goal;
pub(crate) use work::{Halt, Work};

use crate::interesting::Interesting;
use crate::journal::{Journal, State};
use crate::passes::{Pass, Stage};
use crate::{Case, Size};
use filter::{Evidence, FILTERS, Filters};
use plan::Found;
use pool::Pool;
use scout::{At, Trail, scout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use sweep::{End, Sweep};
use work::Role;

/// What a reduction may use.
#[derive(Clone)]
pub struct Options {
    /// Tests run at once.
    pub jobs: usize,
    /// The passes.
    pub passes: Vec<&'static dyn Pass>,
    /// Whether candidates that plumb itself has something against may be skipped, given evidence.
    pub filter: bool,
}

/// Figures of a reduction under way.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// The size at the beginning.
    pub before: Size,
    /// The size now.
    pub now: Size,
    /// Tests run by this process.
    pub tests: u64,
    /// Of these, such that were stopped since another success made them pointless.
    pub abandoned: u64,
    /// Of the tests, those that others ran.
    pub elsewhere: u64,
    /// Answers known from before.
    pub hits: u64,
    /// What each early filter saw.
    pub evidence: [Evidence; FILTERS],
    /// Candidates without an answer: the test failed.
    pub unresolved: u64,
    /// Since this process began.
    pub elapsed: Duration,
    /// Spent in tests, all workers together.
    pub testing: Duration,
}

/// What an observer is told. All of it comes from the thread that called [`Engine::reduce`].
pub enum Event<'a> {
    /// A pass begins with so many hints.
    Pass {
        /// Its name.
        name: &'static str,
        /// Hints.
        hints: usize,
    },
    /// The case became smaller.
    Better {
        /// The new case.
        case: &'a Case,
        /// The pass that did it.
        pass: &'static str,
    },
    /// Some time has passed.
    Tick,
}

/// Watches a reduction.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>, figures: &Figures);
}

/// What a finished or stopped reduction has to say.
#[derive(Debug)]
pub struct Report {
    /// The smallest case.
    pub case: Case,
    /// Figures at the end.
    pub figures: Figures,
    /// What each pass did.
    pub passes: Vec<(&'static str, PassRecord)>,
    /// Whether it ended before all was tried.
    pub stopped: bool,
}

/// A reduction to run.
pub struct Engine<'e> {
    /// What it may use.
    pub options: Options,
    /// The test.
    pub test: &'e dyn Interesting,
    /// Stops the reduction when raised.
    pub stop: &'e (dyn Fn() -> bool + Sync),
    /// Ends the present pass when raised; the engine lowers it.
    pub skip: &'e AtomicBool,
    /// Where it writes down what it knows, to be taken up again.
    pub journal: Option<&'e Journal>,
    /// Others that test candidates beside the workers of this process.
    pub others: Option<&'e dyn Elsewhere>,
}

impl Engine<'_> {
    /// Reduces a case that the caller has found interesting, or goes on from a state that a journal holds. Observers see
    /// every case that is kept; the last one is the smallest.
    pub fn reduce(&self, original: &Case, resumed: Option<State>, observer: &mut dyn Observer) -> Report {
        let heard = |key, holds| {
            if let Some(journal) = self.journal {
                journal.answer(key, holds);
            }
        };
        let jobs = self.options.jobs.max(1);
        let pool = Pool::new(self.test, Filters::new(original), jobs, &heard);
        let (trail, found) = (Trail::default(), Found::default());
        std::thread::scope(|scope| {
            // Deeply nested programs are walked by recursion.
            let builder = || std::thread::Builder::new().stack_size(64 << 20);
            for worker in 0..jobs {
                let pool = &pool;
                // With fewer threads than wished for it takes longer; without any, no test is ever answered.
                let started = builder().spawn_scoped(scope, move || pool.work(worker));
                assert!(started.is_ok() || worker > 0, "no thread can be started");
            }
            if let Some(others) = self.others {
                let pool = &pool;
                // Without it others have nothing to do.
                let _sharing = builder().spawn_scoped(scope, move || others::share(pool, others));
            }
            if jobs > 1 || self.others.is_some() {
                let (passes, filter) = (&self.options.passes, self.options.filter);
                let (pool, trail, found) = (&pool, &trail, &found);
                // Without a scout it takes longer.
                let _scout = builder().spawn_scoped(scope, move || scout(pool, passes, filter, trail, found));
            }
            let report = self.govern(original, resumed, (&pool, &trail, &found), observer);
            pool.close();
            report
        })
    }

    fn govern(
        &self,
        original: &Case,
        resumed: Option<State>,
        (pool, trail, found): (&Pool<'_>, &Trail, &Found),
        observer: &mut dyn Observer,
    ) -> Report {
        let passes = &self.options.passes;
        let resumed =
            resumed.filter(|state| state.schedule.records.len() == passes.len() && state.pass < passes.len());
        let (case, schedule, evidence, first) = match resumed {
            Some(state) => {
                state.answers.iter().for_each(|(key, holds)| pool.remember(*key, *holds));
                let at = At { pass: state.pass, goal: Goal::Smaller, progress: None };
                (state.case(), state.schedule, state.evidence, Some(at))
            }
            None => {
                let schedule = Schedule::new(passes, original.key(), original.size());
                (original.clone(), schedule, [Evidence::default(); FILTERS], None)
            }
        };
        let mut work = Work {
            pool,
            passes,
            case: Arc::new(case),
            schedule,
            evidence,
            figures: Figures { before: original.size(), ..Figures::default() },
            begun: Instant::now(),
            observer,
            stop: self.stop,
            skip: self.skip,
            filter: self.options.filter,
            found,
            role: Role::Engine { journal: self.journal, trail },
        };
        work.tune_filters();
        let stopped = rounds(&mut work, first).is_err();
        work.figure();
        let names = passes.iter().map(|pass| pass.name());
        Report {
            case: (*work.case).clone(),
            figures: work.figures,
            passes: names.zip(work.schedule.records).collect(),
            stopped,
        }
    }
}

/// All passes until nothing helps, then those that only make the text nicer to read; from the beginning or from somewhere.
pub(crate) fn rounds(work: &mut Work<'_, '_>, mut at: Option<At>) -> Result<(), Halt> {
    while at.as_ref().is_none_or(|at| at.goal == Goal::Smaller) {
        let (pass, progress) = match at.take() {
            Some(at) => (at.pass, at.progress),
            None => {
                let (key, size) = (work.case.key(), work.case.size());
                let Some(pass) = work.schedule.next(work.passes, key, size) else { break };
                work.schedule.begin(pass);
                work.keep(pass);
                (pass, None)
            }
        };
        let before = work.case.key();
        match Sweep::new(work, pass, Goal::Smaller, progress).run() {
            Ok(End::Through(false)) => work.schedule.dry(pass, before),
            Ok(End::Through(true) | End::GaveUp) => {}
            // As if it had nothing to offer.
            Err(Halt::Skipped) => {
                let now = work.case.key();
                work.schedule.dry(pass, now);
            }
            Err(Halt::Stopped) => return Err(Halt::Stopped),
        }
    }
    let first = at.as_ref().map_or(0, |at| at.pass);
    for pass in first..work.passes.len() {
        if work.passes[pass].stage() == Stage::Finish {
            let progress = at.take().and_then(|at| at.progress);
            match Sweep::new(work, pass, Goal::NoMoreTokens, progress).run() {
                Ok(_) | Err(Halt::Skipped) => {}
                Err(Halt::Stopped) => return Err(Halt::Stopped),
            }
        }
    }
    Ok(())
}

/// Is a flag raised? Lowers it.
pub(crate) fn lowered(flag: &AtomicBool) -> bool {
    flag.swap(false, Ordering::SeqCst)
}
