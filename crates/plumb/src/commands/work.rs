//! `plumb work`

use crate::args::{Args, Command, Work as Arguments};
use crate::flags;
use crate::output;
use campaign::executor::Executor;
use campaign::hunt::{self, Observer, Options, Plan, Summary};
use campaign::store::{ProgramRow, Store, Totals, Work, is_address};
use campaign::{Error, exit};
use clap::Parser;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

/// How long one campaign is worked on while others wait.
const SLICE: Duration = Duration::from_secs(300);
/// How often an idle worker asks for something to do, and how often it looks whether it is to stop.
const IDLE: (Duration, Duration) = (Duration::from_secs(2), Duration::from_millis(100));

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    if !is_address(&args.store) {
        let why =
            "--store: a directory has room for one hunt; name a database, as postgres://USER@HOST/DATABASE";
        return Err(Error::Usage(why.to_owned()));
    }
    let store = Store::read(&args.store)?;
    let mut refused = BTreeSet::new();
    // Where workers begin differs, so that no campaign has them all.
    let mut turn = std::process::id() as usize;
    while !campaign::toolchain::stop::requested() {
        let all = store.work()?;
        let open: Vec<&Work> =
            all.iter().filter(|work| work.free && !refused.contains(&work.id.number())).collect();
        let left = all.iter().any(|work| (work.free || work.held) && !refused.contains(&work.id.number()));
        if let Some(work) = open.get(turn % open.len().max(1)) {
            let time = (open.len() > 1).then_some(SLICE);
            match one(args, work, time) {
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
        } else if args.drain && !left {
            return Ok(if refused.is_empty() { exit::OK } else { exit::UNKNOWN });
        } else {
            wait();
        }
    }
    Ok(exit::OK)
}

/// Works on one campaign until nothing in it is free, or the time is over.
fn one(args: &Arguments, work: &Work, time: Option<Duration>) -> Result<(), Error> {
    let words = std::iter::once("plumb".into()).chain(work.words.iter().map(Into::into)).collect();
    let words = flags::rewrite(words);
    let nonsense = |why: String| Error::Usage(format!("its command line is not one of this plumb: {why}"));
    let parsed = Args::try_parse_from(&words.rest).map_err(|error| nonsense(error.to_string()))?;
    let Command::Hunt(hunt) = parsed.command else { return Err(nonsense("it is no hunt".to_owned())) };
    // The campaign's own, unless this machine was given another.
    let farm = if args.farm.executor.is_some() { &args.farm } else { &hunt.farm };
    let farm = super::hunt::open(farm)?;
    let options = Options {
        executor: farm.map(|farm| farm as Arc<dyn Executor>),
        store: args.store.clone(),
        lease: args.lease,
        jobs: args.jobs.map_or(Options::default().jobs, usize::from),
        time,
        expected: Some(work.clone()),
        ..super::hunt::options(hunt, &words.generator)?
    };
    eprintln!("plumb: works on campaign {} ({})", work.id.number(), work.title);
    hunt::run(&options, &Quiet).map(|_| ())
}

fn wait() {
    let mut waited = Duration::ZERO;
    while waited < IDLE.0 && !campaign::toolchain::stop::requested() {
        sleep(IDLE.1);
        waited += IDLE.1;
    }
}

/// Says what was found, and how a campaign stands when it is left.
struct Quiet;

impl Observer for Quiet {
    fn begin(&self, _plan: &Plan) {}

    fn program(&self, row: &ProgramRow, _totals: &Totals) -> Result<(), Error> {
        for finding in &row.findings {
            eprintln!("plumb: {}  {}  {}", finding.id, finding.configuration, finding.summary);
        }
        output::check()
    }

    fn tick(&self, _totals: &Totals) {}

    fn end(&self, summary: &Summary) {
        let alarms: u64 = summary.alarms.values().sum();
        eprintln!("plumb: the campaign has {} programs and {alarms} alarms", summary.programs);
    }
}
