//! Worker threads: lease, test, commit; and the end of a hunt by number, time, alarm, error or signal.

use super::{Observer, Options, Plan, test};
use crate::emi::Mutator;
use crate::error::Error;
use crate::sources::Source;
use crate::store::{CampaignId, Lease, ProgramRow, Store, Totals};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};
use toolchain::scratch::ScratchRoot;

/// Programs in one lease: what a kill may lose for each worker.
const LEASE: u64 = 4;
/// Parsing and running nest as deep as the program does.
const STACK: usize = 256 << 20;

/// What is hunted, and how.
pub(super) struct Parts<'a> {
    pub options: &'a Options,
    pub plan: &'a Plan,
    pub source: &'a dyn Source,
    pub mutator: Option<&'a Mutator>,
}

/// A hunt in progress.
pub(super) struct Hunt<'a> {
    pub options: &'a Options,
    pub plan: &'a Plan,
    pub source: &'a dyn Source,
    pub mutator: Option<&'a Mutator>,
    pub store: &'a Store,
    pub campaign: CampaignId,
    pub key: &'a str,
    pub scratch: &'a ScratchRoot,
    pub observer: &'a dyn Observer,
    /// Held for reading by every job, and for writing by one that must be alone.
    pub quiet: RwLock<()>,
    totals: Mutex<Totals>,
    /// plumb's CPU time that is accounted for already, in microseconds.
    accounted: AtomicU64,
    failed: Mutex<Option<Error>>,
    over: AtomicBool,
    idle: (Mutex<usize>, Condvar),
}

impl<'a> Hunt<'a> {
    pub fn new(
        parts: Parts<'a>,
        store: &'a Store,
        campaign: CampaignId,
        key: &'a str,
        scratch: &'a ScratchRoot,
        observer: &'a dyn Observer,
    ) -> Hunt<'a> {
        let Parts { options, plan, source, mutator } = parts;
        Hunt {
            options,
            plan,
            source,
            mutator,
            store,
            campaign,
            key,
            scratch,
            observer,
            quiet: RwLock::new(()),
            totals: Mutex::new(plan.before.clone()),
            accounted: AtomicU64::new(0),
            failed: Mutex::new(None),
            over: AtomicBool::new(false),
            idle: (Mutex::new(0), Condvar::new()),
        }
    }

    /// Runs all workers to the end of the hunt.
    pub fn go(&self) -> Result<Totals, Error> {
        let jobs = self.options.jobs.max(1);
        *held(&self.idle.0) = jobs;
        std::thread::scope(|scope| {
            for number in 0..jobs {
                let work = || {
                    self.work();
                    *held(&self.idle.0) -= 1;
                    self.idle.1.notify_all();
                };
                let builder = std::thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
                if let Err(error) = builder.spawn_scoped(scope, work) {
                    self.fail(Error::Resource(format!(
                        "cannot start worker {number}: {error}; use fewer --jobs"
                    )));
                    *held(&self.idle.0) -= 1;
                }
            }
            self.watch();
        });
        match held(&self.failed).take() {
            Some(error) => Err(error),
            None => Ok(held(&self.totals).clone()),
        }
    }

    /// Ticks until the last worker has ended.
    fn watch(&self) {
        let mut working = held(&self.idle.0);
        while *working > 0 {
            let waited = self.idle.1.wait_timeout(working, Duration::from_secs(1));
            working = waited.unwrap_or_else(PoisonError::into_inner).0;
            if *working > 0 {
                drop(working);
                self.observer.tick(&held(&self.totals).clone());
                working = held(&self.idle.0);
            }
        }
    }

    fn work(&self) {
        while !self.is_over() {
            let total = self.plan.programs;
            let lease = match self.store.lease(self.campaign, self.base(), total, LEASE) {
                Ok(Some(lease)) => lease,
                Ok(None) => return,
                Err(error) => return self.fail(error),
            };
            match self.all_of(&lease) {
                Ok(true) => {
                    if let Err(error) = self.store.finish(self.campaign, &lease) {
                        return self.fail(error);
                    }
                }
                Ok(false) => {
                    // What is not given back is void for the next run anyway.
                    let _ = self.store.give_back(self.campaign, &lease);
                    return;
                }
                Err(error) => {
                    let _ = self.store.give_back(self.campaign, &lease);
                    return self.fail(error);
                }
            }
        }
    }

    /// Tests a lease; false when the hunt ended before it was through.
    fn all_of(&self, lease: &Lease) -> Result<bool, Error> {
        for &seed in &lease.seeds {
            if self.is_over() {
                return Ok(false);
            }
            let Some(mut row) = test::program(self, seed)? else { return Ok(false) };
            row.plumb_us = self.own_time();
            self.store.commit(self.campaign, &row)?;
            let totals = self.count(&row);
            self.observer.program(&row, &totals);
        }
        Ok(true)
    }

    fn count(&self, row: &ProgramRow) -> Totals {
        let mut totals = held(&self.totals);
        totals.add(row);
        if self.options.stop_after.is_some_and(|most| totals.all_alarms() >= most) {
            self.over.store(true, Ordering::SeqCst);
        }
        totals.clone()
    }

    /// plumb's CPU time since the last call from any worker, in microseconds.
    fn own_time(&self) -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let now = time.tv_sec.unsigned_abs() * 1_000_000 + time.tv_nsec.unsigned_abs() / 1_000;
        now.saturating_sub(self.accounted.fetch_max(now, Ordering::SeqCst))
    }

    /// The first number of the campaign.
    pub fn base(&self) -> u64 {
        if self.source.count().is_some() { 0 } else { self.options.seed }
    }

    fn fail(&self, error: Error) {
        held(&self.failed).get_or_insert(error);
        self.over.store(true, Ordering::SeqCst);
    }

    fn is_over(&self) -> bool {
        let late = self.plan.time.is_some_and(|time| Instant::now() >= self.plan.begun + time);
        late || self.over.load(Ordering::SeqCst) || toolchain::stop::requested()
    }

    /// Where findings go.
    pub fn findings(&self) -> PathBuf {
        self.store.findings_dir()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
