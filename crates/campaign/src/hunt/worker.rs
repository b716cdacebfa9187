//! Worker threads: lease, test, bring to the store; and the end of a hunt by number, time, alarm, error or signal.

use super::context::{Hunt, held};
use super::test;
use crate::error::Error;
use crate::store::{Batch, Brought, Kept, Lease, Offer, Totals};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Programs in one lease: what a kill may lose for each worker.
const LEASE: u64 = 4;
/// How long a worker waits for what others may give back.
const PAUSE: Duration = Duration::from_millis(500);
/// Parsing and running nest as deep as the program does.
const STACK: usize = 256 << 20;

/// Runs all workers to the end of the hunt.
pub(super) fn go(hunt: &Hunt<'_>) -> Result<Totals, Error> {
    let jobs = hunt.options.jobs.max(1);
    *held(&hunt.idle.0) = jobs;
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let one = || {
                work(hunt);
                *held(&hunt.idle.0) -= 1;
                hunt.idle.1.notify_all();
            };
            let builder = std::thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
            if let Err(error) = builder.spawn_scoped(scope, one) {
                hunt.fail(Error::Resource(format!(
                    "cannot start worker {number}: {error}; use fewer --jobs"
                )));
                *held(&hunt.idle.0) -= 1;
            }
        }
        watch(hunt);
    });
    match held(&hunt.failed).take() {
        Some(error) => Err(error),
        None => Ok(totals(hunt)),
    }
}

/// The counts at the end. Those of a shared store are its own: what a crash of its server took was counted here twice. Where
/// it is away, as when a hunt is stopped for that, they are what this process did.
fn totals(hunt: &Hunt<'_>) -> Totals {
    let own = held(&hunt.totals).clone();
    if hunt.store.is_shared() { hunt.store.totals(hunt.campaign).unwrap_or(own) } else { own }
}

/// Ticks until the last worker has ended.
fn watch(hunt: &Hunt<'_>) {
    let mut renewed = Instant::now();
    let mut working = held(&hunt.idle.0);
    while *working > 0 {
        let waited = hunt.idle.1.wait_timeout(working, Duration::from_secs(1));
        working = waited.unwrap_or_else(PoisonError::into_inner).0;
        if *working > 0 {
            drop(working);
            hunt.observer.tick(&held(&hunt.totals).clone());
            if hunt.store.is_shared() && renewed.elapsed() >= hunt.options.lease / 3 {
                // A store that is away is the workers' trouble, who have something to lose by it.
                let _ = hunt.store.renew(hunt.campaign);
                renewed = Instant::now();
            }
            working = held(&hunt.idle.0);
        }
    }
}

fn work(hunt: &Hunt<'_>) {
    while !hunt.is_over() {
        let total = hunt.plan.programs;
        let lease = match hunt.store.lease(hunt.campaign, hunt.base(), total, LEASE) {
            Ok(Offer::Lease(lease)) => lease,
            Ok(Offer::Wait) => {
                std::thread::sleep(PAUSE);
                continue;
            }
            Ok(Offer::Done) => return,
            Err(error) => return hunt.fail(error),
        };
        match all_of(hunt, &lease) {
            Ok(Through::Taken | Through::Whole) => {}
            Ok(Through::Over) => {
                // What is not given back is void for the next run anyway.
                let _ = hunt.store.give_back(hunt.campaign, &lease);
                return;
            }
            Err(error) => {
                let _ = hunt.store.give_back(hunt.campaign, &lease);
                return hunt.fail(error);
            }
        }
    }
}

/// How a lease ended.
enum Through {
    /// All of it is tested.
    Whole,
    /// The hunt ended before it was through.
    Over,
    /// This process was silent for so long that another has it now.
    Taken,
}

/// Tests a lease.
fn all_of(hunt: &Hunt<'_>, lease: &Lease) -> Result<Through, Error> {
    let mut batch = Batch::new(hunt.store, hunt.campaign, lease);
    let mut whole = true;
    for &seed in &lease.seeds {
        let row = if hunt.is_over() { None } else { test::program(hunt, seed)? };
        let Some(mut row) = row else {
            whole = false;
            break;
        };
        hunt.pins.check()?;
        row.plumb_us = hunt.own_time();
        if told(hunt, batch.add(row)?)? == Kept::Late {
            return Ok(Through::Taken);
        }
    }
    Ok(match (told(hunt, batch.end(whole)?)?, whole) {
        (Kept::Late, _) => Through::Taken,
        (Kept::New | Kept::Known, true) => Through::Whole,
        (Kept::New | Kept::Known, false) => Through::Over,
    })
}

/// Counts programs that are in the store now, and tells of them.
fn told(hunt: &Hunt<'_>, (kept, rows): Brought) -> Result<Kept, Error> {
    if kept != Kept::Late {
        for row in rows {
            let totals = hunt.count(&row);
            hunt.observer.program(&row, &totals)?;
        }
    }
    Ok(kept)
}
