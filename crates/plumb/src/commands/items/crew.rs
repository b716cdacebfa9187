//! Threads that take items and bring what comes of them.

use super::desk::{Answered, Desk};
use super::part::Shelf;
use campaign::Error;
use campaign::store::{Has, JobId, Store};
use campaign::toolchain::stop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a thread that has nothing to do waits until it looks again, unless the store tells of something; and one that has just
/// done something, of which there is often more: first so often, then as the others.
const PAUSE: Duration = Duration::from_millis(300);
const SHORT: (Duration, u32) = (Duration::from_millis(25), 20);
/// Reductions and programs nest deeply.
const STACK: usize = 256 << 20;

/// When threads go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// When nothing is free.
    WhenIdle,
    /// When they are told to.
    WhenTold,
}

/// Those who work on items together.
pub struct Crew<'c> {
    store: &'c Store,
    has: Has,
    /// The jobs that they work on; all, where none is named.
    only: Vec<JobId>,
    lease: Duration,
    leave: Leave,
    shelf: Option<&'c Shelf>,
    over: AtomicBool,
    /// Threads that have an item. Of a reduction there may be parts for the others at any time.
    busy: AtomicUsize,
    /// Jobs that are not for this machine.
    refused: Mutex<Vec<JobId>>,
    failed: Mutex<Option<Error>>,
    working: (Mutex<usize>, Condvar),
}

impl<'c> Crew<'c> {
    /// Nobody yet.
    pub fn new(store: &'c Store, has: Has, only: Vec<JobId>, lease: Duration, leave: Leave) -> Crew<'c> {
        Crew {
            store,
            has,
            only,
            lease,
            leave,
            shelf: None,
            over: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
            refused: Mutex::default(),
            failed: Mutex::default(),
            working: (Mutex::new(0), Condvar::new()),
        }
    }

    /// Without jobs that are not for this machine.
    pub fn without(mut self, refused: &[JobId]) -> Crew<'c> {
        self.refused = Mutex::new(refused.to_vec());
        self
    }

    /// What they have at hand goes back where others find it.
    pub fn with(mut self, shelf: &'c Shelf) -> Crew<'c> {
        self.shelf = Some(shelf);
        self
    }

    /// Works off with so many threads, while `beside` goes on; when that returns, they go, too.
    pub fn work<T>(
        &self,
        jobs: usize,
        beside: impl FnOnce(&Crew<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        *held(&self.working.0) = jobs;
        let value = std::thread::scope(|scope| {
            for number in 0..jobs {
                let one = || {
                    if let Err(error) = self.take_turns() {
                        held(&self.failed).get_or_insert(error);
                        self.over.store(true, Ordering::SeqCst);
                    }
                    *held(&self.working.0) -= 1;
                    self.working.1.notify_all();
                };
                let builder = std::thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
                if let Err(error) = builder.spawn_scoped(scope, one) {
                    let why = format!("cannot start worker {number}: {error}; use fewer --jobs");
                    held(&self.failed).get_or_insert(Error::Resource(why));
                    *held(&self.working.0) -= 1;
                }
            }
            scope.spawn(|| self.keep_alive());
            let value = beside(self);
            self.over.store(true, Ordering::SeqCst);
            value
        });
        match held(&self.failed).take() {
            Some(error) => Err(error),
            None => value,
        }
    }

    /// Waits until all threads have gone.
    pub fn wait(&self) {
        let mut working = held(&self.working.0);
        while *working > 0 {
            working = self.working.1.wait(working).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether they are to go, or something failed.
    pub fn is_over(&self) -> bool {
        stop::requested() || self.over.load(Ordering::SeqCst)
    }

    /// The jobs that are not for this machine, with those that were known not to be.
    pub fn refused(&self) -> Vec<JobId> {
        held(&self.refused).clone()
    }

    fn take_turns(&self) -> Result<(), Error> {
        let mut desk = Desk::new(self.store, self.shelf.map(Shelf::take).unwrap_or_default());
        let done = self.take_turns_at(&mut desk);
        if let Some(shelf) = self.shelf {
            shelf.put(desk.tests);
        }
        done
    }

    fn take_turns_at(&self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let mut idle = SHORT.1;
        while !self.is_over() {
            let Some(item) = self.store.take_item(&self.has, &self.only, &self.refused())? else {
                if self.leave == Leave::WhenIdle && idle >= SHORT.1 && self.busy.load(Ordering::SeqCst) == 0 {
                    return Ok(());
                }
                self.store.wait(if idle < SHORT.1 { SHORT.0 } else { PAUSE });
                idle = idle.saturating_add(1);
                continue;
            };
            idle = 0;
            self.busy.fetch_add(1, Ordering::SeqCst);
            let answered = desk.answer(&item).inspect_err(|_| {
                let _ = self.store.give_back_item(&item, true);
            });
            self.busy.fetch_sub(1, Ordering::SeqCst);
            let answered = answered?;
            match answered {
                // One that another has by now comes to the same there.
                Answered::Done(files) => self.store.keep_item(&item, &files).map(|_| ())?,
                Answered::NotHere(why) => {
                    self.store.give_back_item(&item, false)?;
                    let mut refused = held(&self.refused);
                    if !refused.contains(&item.job) {
                        eprintln!("plumb: a job is not for this machine: {why}");
                        refused.push(item.job);
                    }
                }
                Answered::Unwanted => {}
                Answered::Again(why) => {
                    self.store.give_back_item(&item, !stop::requested())?;
                    eprintln!("plumb: an item is to be done again: {why}");
                }
            }
        }
        Ok(())
    }

    /// Renews what is held, until all have gone.
    fn keep_alive(&self) {
        let mut renewed = Instant::now();
        let mut working = held(&self.working.0);
        while *working > 0 {
            let waited = self.working.1.wait_timeout(working, Duration::from_millis(500));
            working = waited.unwrap_or_else(PoisonError::into_inner).0;
            if renewed.elapsed() >= self.lease / 3 {
                drop(working);
                // A store that is away is the threads' trouble, who have something to lose by it.
                let _ = self.store.renew_items();
                renewed = Instant::now();
                working = held(&self.working.0);
            }
        }
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
