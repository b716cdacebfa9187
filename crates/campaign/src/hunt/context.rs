//! A hunt in progress: what all workers share.

use super::pins::Pins;
use super::plan::{Observer, Options, Plan};
use crate::error::Error;
use crate::oracles::slow_compilation::Usual;
use crate::oracles::volatile::VolatileCounts;
use crate::sources::Source;
use crate::store::{CampaignId, FindingRow, ProgramRow, Store, Totals};
use crate::variants::Mutator;
use crate::verdict::FindingKind;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;
use toolchain::scratch::ScratchRoot;

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
    pub totals: Mutex<Totals>,
    /// plumb's CPU time that is accounted for already, in microseconds.
    accounted: AtomicU64,
    pub failed: Mutex<Option<Error>>,
    over: AtomicBool,
    pub idle: (Mutex<usize>, Condvar),
    /// The findings that have a directory, by kind and signature: what shows the same again is only counted.
    pub signatures: Mutex<BTreeMap<(FindingKind, String), String>>,
    /// The compilers as they were when the hunt began.
    pub pins: Pins,
    /// What the oracle of volatile objects looked at.
    pub volatile: Mutex<VolatileCounts>,
    /// What configurations cost compared with each other.
    pub usual: Mutex<Usual>,
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
            signatures: Mutex::default(),
            pins: Pins::of(&plan.configurations, store.is_shared()),
            volatile: Mutex::default(),
            usual: Mutex::default(),
        }
    }

    /// Takes the signatures of what earlier runs found.
    pub fn remember(self, known: Vec<FindingRow>) -> Hunt<'a> {
        for row in known.into_iter().filter(|row| row.evidence_of.is_empty()) {
            if !row.signature.is_empty() {
                held(&self.signatures).entry((row.kind, row.signature)).or_insert(row.id);
            }
        }
        self
    }

    /// Adds a program's row to the counts.
    pub fn count(&self, row: &ProgramRow) -> Totals {
        let mut totals = held(&self.totals);
        totals.add(row);
        if self.options.stop_after.is_some_and(|most| totals.all_alarms() >= most) {
            self.over.store(true, Ordering::SeqCst);
        }
        totals.clone()
    }

    /// plumb's CPU time since the last call from any worker, in microseconds.
    pub fn own_time(&self) -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let now = time.tv_sec.unsigned_abs() * 1_000_000 + time.tv_nsec.unsigned_abs() / 1_000;
        now.saturating_sub(self.accounted.fetch_max(now, Ordering::SeqCst))
    }

    /// The first number of the campaign.
    pub fn base(&self) -> u64 {
        if self.source.count().is_some() { 0 } else { self.options.seed }
    }

    /// Ends the hunt with an error; the first is kept.
    pub fn fail(&self, error: Error) {
        held(&self.failed).get_or_insert(error);
        self.over.store(true, Ordering::SeqCst);
    }

    /// Whether no further program is to be begun.
    pub fn is_over(&self) -> bool {
        let late = self.plan.time.is_some_and(|time| Instant::now() >= self.plan.begun + time);
        let left = self.options.leave.as_ref().is_some_and(|leave| leave.load(Ordering::SeqCst));
        late || left || self.over.load(Ordering::SeqCst) || toolchain::stop::requested()
    }

    /// Where findings go.
    pub fn findings(&self) -> PathBuf {
        self.store.findings_dir()
    }
}

/// What a mutex holds, also after a panic.
pub(super) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
