//! `plumb work`

use super::items::{self, Crew, Leave, Shelf};
use crate::args::{Args, Command, Work as Arguments};
use crate::flags;
use crate::output;
use campaign::executor::Executor;
use campaign::hunt::{self, Observer, Options, Plan, Summary};
use campaign::store::{Has, JobId, Needs, ProgramRow, Store, Totals, Work};
use campaign::toolchain::stop;
use campaign::{Error, exit};
use clap::Parser;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long one campaign is worked on while others wait.
const SLICE: Duration = Duration::from_secs(300);
/// How long an idle worker waits for word of the store before it looks all the same; how often it looks whether it is to stop.
const IDLE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(500));
/// How often a worker that tests programs says that it is there, and looks for items, of which nobody told it.
const SEEN: Duration = Duration::from_secs(20);

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    let store = Store::join(&args.store, args.lease)?;
    let jobs = args.jobs.map_or(Options::default().jobs, usize::from);
    let has = items::has(jobs, args.memory.map(|megabytes| megabytes << 20));
    let ended = Worker { args, store: &store, jobs, has, shelf: Shelf::default() }.work();
    let words = match &ended {
        Ok(_) if stop::requested() => "it was stopped".to_owned(),
        Ok(exit::OK) => "nothing was left to do".to_owned(),
        Ok(_) => "nothing was left that this machine can do".to_owned(),
        Err(error) => error.to_string(),
    };
    // A store that is away hears nothing.
    let _ = store.last_words(&words);
    ended
}

/// A worker of a store.
struct Worker<'w> {
    args: &'w Arguments,
    store: &'w Store,
    jobs: usize,
    has: Has,
    shelf: Shelf,
}

impl Worker<'_> {
    fn work(&self) -> Result<u8, Error> {
        let mut refused = BTreeSet::new();
        let mut jobs_refused: Vec<JobId> = Vec::new();
        // Where workers begin differs, so that of campaigns with as many none has them all.
        let mut turn = std::process::id() as usize;
        while !stop::requested() {
            let (free, held) = self.store.items(&self.has, &jobs_refused)?;
            // Somebody waits for items, and they have an end.
            if free {
                jobs_refused = self.items(&jobs_refused)?;
                continue;
            }
            let mut all = self.store.work()?;
            for work in all.iter().filter(|work| !self.has.fits(&work.needs)) {
                if refused.insert(work.id.number()) {
                    let Needs { architecture, memory } = &work.needs;
                    let why = format!("it needs {} MB a program, and {architecture}", memory >> 20);
                    eprintln!("plumb: campaign {} is not for this machine: {why}", work.id.number());
                }
            }
            all.retain(|work| !refused.contains(&work.id.number()));
            let left = held || all.iter().any(|work| work.free || work.held);
            let open: Vec<&Work> = all.iter().filter(|work| work.free).collect();
            // A fair share: the campaign that the fewest work on.
            let place = |(number, work): &(usize, &&Work)| (work.holders, (number + turn) % open.len());
            if let Some((_, work)) = open.iter().enumerate().min_by_key(place) {
                let time = (open.len() > 1).then_some(SLICE);
                match self.campaign(work, time, &jobs_refused) {
                    Ok(()) => {}
                    Err(error @ (Error::Store { .. } | Error::Resource(_) | Error::Internal(_))) => {
                        return Err(error);
                    }
                    Err(error) => {
                        eprintln!("plumb: campaign {} is not for this machine: {error}", work.id.number());
                        refused.insert(work.id.number());
                    }
                }
                turn = turn.wrapping_add(1);
            } else if self.args.drain && !left {
                let all_done = refused.is_empty() && jobs_refused.is_empty();
                return Ok(if all_done { exit::OK } else { exit::UNKNOWN });
            } else {
                self.idle()?;
            }
        }
        Ok(exit::OK)
    }

    /// Works on items until none is free; the jobs that are not for this machine.
    fn items(&self, refused: &[JobId]) -> Result<Vec<JobId>, Error> {
        self.store.sign_in(&self.has, "items")?;
        let crew = Crew::new(self.store, self.has.clone(), Vec::new(), self.args.lease, Leave::WhenIdle);
        let crew = crew.without(refused).with(&self.shelf);
        crew.work(self.jobs, |crew| {
            crew.wait();
            Ok(())
        })?;
        Ok(crew.refused())
    }

    /// Waits for word of the store.
    fn idle(&self) -> Result<(), Error> {
        self.store.sign_in(&self.has, "")?;
        let begun = Instant::now();
        while begun.elapsed() < IDLE.0 && !stop::requested() {
            if self.store.wait(IDLE.1) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Works on one campaign until nothing in it is free, or the time is over.
    fn campaign(&self, work: &Work, time: Option<Duration>, refused: &[JobId]) -> Result<(), Error> {
        let words = std::iter::once("plumb".into()).chain(work.words.iter().map(Into::into)).collect();
        let words = flags::rewrite(words);
        let nonsense =
            |why: String| Error::Usage(format!("its command line is not one of this plumb: {why}"));
        let parsed = Args::try_parse_from(&words.rest).map_err(|error| nonsense(error.to_string()))?;
        let Command::Hunt(hunt) = parsed.command else { return Err(nonsense("it is no hunt".to_owned())) };
        // The campaign's own, unless this machine was given another.
        let farm = if self.args.farm.executor.is_some() { &self.args.farm } else { &hunt.farm };
        let farm = super::hunt::open(farm)?;
        let leave = Arc::new(AtomicBool::new(false));
        let options = Options {
            executor: farm.map(|farm| farm as Arc<dyn Executor>),
            store: self.args.store.clone(),
            lease: self.args.lease,
            jobs: self.jobs,
            time,
            leave: Some(Arc::clone(&leave)),
            expected: Some(work.clone()),
            ..super::hunt::options(hunt, &words.generator)?
        };
        eprintln!("plumb: works on campaign {} ({})", work.id.number(), work.title);
        let doing = format!("campaign {}", work.id.number());
        self.store.sign_in(&self.has, &doing)?;
        let quiet = Quiet { worker: self, refused, doing, leave, seen: Mutex::new(Instant::now()) };
        hunt::run(&options, &quiet).map(|_| ())
    }
}

/// Says what was found, and how a campaign stands when it is left.
struct Quiet<'q> {
    worker: &'q Worker<'q>,
    /// Jobs that are not for this machine.
    refused: &'q [JobId],
    doing: String,
    /// Raised when there is something that somebody waits for.
    leave: Arc<AtomicBool>,
    seen: Mutex<Instant>,
}

impl Observer for Quiet<'_> {
    fn begin(&self, _plan: &Plan) {}

    fn program(&self, row: &ProgramRow, _totals: &Totals) -> Result<(), Error> {
        for finding in &row.findings {
            eprintln!("plumb: {}  {}  {}", finding.id, finding.configuration, finding.summary);
        }
        output::check()
    }

    fn tick(&self, _totals: &Totals) {
        let Worker { store, has, .. } = self.worker;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let told = store.wait(Duration::ZERO);
        if seen.elapsed() >= SEEN {
            *seen = Instant::now();
            // A store that is away is the hunt's trouble.
            let _ = store.sign_in(has, &self.doing);
        } else if !told {
            return;
        }
        if store.items(has, self.refused).is_ok_and(|(free, _)| free) {
            self.leave.store(true, Ordering::SeqCst);
        }
    }

    fn end(&self, summary: &Summary) {
        let alarms: u64 = summary.alarms.values().sum();
        eprintln!("plumb: the campaign has {} programs and {alarms} alarms", summary.programs);
    }
}
