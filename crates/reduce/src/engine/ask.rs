//! Some candidates judged beside the engine, by the same workers and the same others: what a finding came from is made small before
//! its text is.

use super::filter::Filters;
use super::pool::{Candidate, Pool, Verdict};
use super::{Elsewhere, others};
use crate::{Case, Interesting};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long to wait for an answer before waiting on.
const TICK: Duration = Duration::from_millis(100);

/// Who judges.
#[derive(Clone, Default)]
pub struct Judges<'j> {
    /// Tests run at once here.
    pub jobs: usize,
    /// Others that test, too.
    pub others: Option<&'j dyn Elsewhere>,
    /// What a test took of late; zero if nobody knows.
    pub pace: Duration,
    /// Tests that others ran.
    pub elsewhere: u64,
}

impl Judges<'_> {
    /// Asks the test about cases, and tells the answers in order until `more` wants no more of them. A case without an answer is
    /// not interesting.
    pub fn ask(&mut self, test: &dyn Interesting, cases: &[Case], mut more: impl FnMut(bool) -> bool) {
        let jobs = self.jobs.max(1);
        let pool = Pool::new(test, Filters::none(), jobs, &|_, _| ());
        pool.counters.pace.store(u64::try_from(self.pace.as_micros()).unwrap_or(0), Ordering::Relaxed);
        let cases: Vec<Candidate> = cases.iter().cloned().map(Candidate::new).collect();
        std::thread::scope(|scope| {
            let builder = || std::thread::Builder::new().stack_size(64 << 20);
            for worker in 0..jobs.min(cases.len()) {
                let pool = &pool;
                let started = builder().spawn_scoped(scope, move || pool.work(worker));
                assert!(started.is_ok() || worker > 0, "no thread can be started");
            }
            if let Some(others) = self.others.filter(|_| cases.len() > jobs) {
                let pool = &pool;
                let _sharing = builder().spawn_scoped(scope, move || others::share(pool, others));
            }
            cases.iter().for_each(|case| pool.need(case));
            for case in &cases {
                let judged = loop {
                    if let Some((_, judged)) = pool.wait(case, TICK) {
                        break judged;
                    }
                };
                if !more(judged.verdict == Verdict::Answered(true)) {
                    break;
                }
            }
            pool.close();
        });
        self.pace = Duration::from_micros(pool.counters.pace.load(Ordering::Relaxed));
        self.elsewhere += pool.counters.elsewhere.load(Ordering::Relaxed);
    }
}
