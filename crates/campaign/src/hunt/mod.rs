//! The hunt: programs from a source, through the machine and every configuration, past the oracles, into the store.
//!
//! Workers lease ranges of seeds from the [`Store`]; each program is one transaction. Whatever looks like an
//! alarm is repeated alone on the machine before it is believed ([`judge`]). Nothing here decides what is a bug:
//! that is [`crate::oracles`]' part.

mod attempts;
mod beside;
mod context;
mod deadline;
mod elsewhere;
mod judge;
mod meaning;
mod observe;
mod opaque;
mod pins;
mod plan;
pub mod progress;
mod raise;
mod reproduce;
mod shown;
mod test;
mod variant;
mod worker;

pub use elsewhere::COMPILER;
pub use plan::{Observer, Options, Plan, Summary};

use crate::configurations::{self, Configuration, Tested};
use crate::error::{Error, exit};
use crate::findings;
use crate::fingerprint::Fingerprint;
use crate::sources::{self, Source};
use crate::store::{CampaignKey, ConfigurationKey, Needs, Store, Totals};
use crate::variants::Mutator;
use crate::verdict::{FindingKind, Limit, Named, RejectionKind};
use crate::yields::Yields;
use context::{Hunt, Parts, held};
use deadline::Deadline;
use std::collections::BTreeSet;
use std::time::Instant;
use toolchain::scratch::ScratchRoot;

/// Runs or resumes a hunt.
pub fn run(options: &Options, observer: &dyn Observer) -> Result<Summary, Error> {
    let begun = Instant::now();
    let deadline = Deadline::start(options.time);
    sources::exists(&options.from)?;
    let scratch = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let found = compilers(options, &scratch);
    if deadline.expired() {
        let why = "the time was over before the compilers had answered; give more with --for";
        return Err(Error::Resource(why.to_owned()));
    }
    let (mut compilers, mut left_out) = found?;
    let yields = Yields::of(&options.learn_from)?;
    if options.drawn > 0 {
        std::thread::scope(|scope| {
            for tested in &mut compilers {
                scope.spawn(|| tested.read_menu(&yields.configurations, &scratch));
            }
        });
    }
    let (configurations, models) = configurations::cross(compilers, &options.levels);
    if configurations.is_empty() {
        return Err(Error::Usage("nothing to test: no compiler at any level".to_owned()));
    }
    let context = sources::Context {
        words: &options.generator,
        configurations: &configurations,
        models: &models,
        compile: &options.compile_limits(),
        scratch: &scratch,
    };
    let source = sources::open(&options.from, &context)?;
    left_out.extend_from_slice(source.notes());
    let watchable =
        if options.also.contains(&FindingKind::Volatile) { toolchain::accesses::available() } else { Ok(()) };
    let unwatchable = watchable.err();
    left_out
        .extend(unwatchable.iter().map(|why| format!("--also volatile, which cannot be asked here: {why}")));
    let store = Store::open_for(&options.store, options.lease)?;
    let known = store.findings()?;
    if !store.is_shared() {
        findings::sweep(&store.findings_dir(), &known.iter().map(|row| row.id.clone()).collect());
    }
    let mutator = if options.strategies.is_empty() {
        None
    } else {
        let (settings, generator) = (options.settings.clone(), source.generator());
        let made = Mutator::new(&options.strategies, options.variants, settings, &options.levels, generator)?;
        Some(made.chaining(options.chain).favouring(&yields.strategies))
    };
    let mut key = key(options, source.as_ref(), mutator.as_ref(), &configurations);
    key.key.extend(yields.identity().map(|learnt| format!("\n{learnt}")));
    let available = source.count().map(|count| mutator.as_ref().map_or(count, |m| m.count(count)));
    let total = [options.programs, available].into_iter().flatten().min();
    if store.is_shared() {
        pins::hash(&configurations, &scratch, &mut key)?;
        key.words = words(options, &configurations);
        key.total = total;
        expected(options, &key)?;
    }
    let campaign = store.campaign(&key)?;
    let before = store.totals(campaign)?;
    let plan = Plan {
        campaign,
        configurations,
        models,
        source: source.identity(),
        programs: total,
        before: before.clone(),
        left_out,
        unwatchable,
        begun,
        time: options.time,
    };
    observer.begin(&plan);
    let parts = Parts { options, plan: &plan, source: source.as_ref(), mutator: mutator.as_ref() };
    let hunt = Hunt::new(parts, &store, campaign, &key.key, &scratch, observer).remember(known);
    let mut totals = worker::go(&hunt)?;
    if store.is_shared() {
        // With what others did.
        totals = store.totals(campaign)?;
    }
    let mut summary = summarise(&totals, &plan, &store);
    summary.volatile = options.also.contains(&FindingKind::Volatile).then(|| held(&hunt.volatile).clone());
    summary.stopped &= !deadline.expired();
    observer.end(&summary);
    Ok(summary)
}

fn compilers(options: &Options, scratch: &ScratchRoot) -> Result<(Vec<Tested>, Vec<String>), Error> {
    if options.compilers.is_empty() {
        return configurations::found(scratch);
    }
    let named: Result<Vec<Tested>, Error> =
        options.compilers.iter().map(|command| configurations::open(command, scratch)).collect();
    Ok((named?, Vec::new()))
}

/// Everything that results depend on. Another plumb, compiler version, limit or seed is another campaign.
fn key(
    options: &Options,
    source: &dyn Source,
    mutator: Option<&Mutator>,
    configurations: &[Configuration],
) -> CampaignKey {
    let columns: Vec<String> =
        configurations.iter().map(|c| format!("{} [{}]", c.label(), c.tested.compiler.banner)).collect();
    let base = if source.count().is_some() { 0 } else { options.seed };
    let limits = format!(
        "compile {:?} {} B, run {:?}, {} steps, differential {}, drawn {} %",
        options.compile_time,
        options.compile_memory,
        options.run_time,
        options.max_steps,
        options.differential,
        options.drawn
    );
    let mut identity = source.identity();
    let words = options.reading.headers_and_macros();
    if !words.is_empty() {
        identity.push_str(&format!("\nread with {words:?}"));
    }
    if !(options.input.args.is_empty() && options.input.stdin.is_empty()) {
        let stdin = Fingerprint::default().add(&options.input.stdin).value();
        let args: Vec<_> = options.input.args.iter().map(|arg| arg.escape_ascii().to_string()).collect();
        identity.push_str(&format!("\nrun with {args:?}, input {stdin:016x}"));
    }
    if !options.also.is_empty() {
        let also: Vec<&str> = options.also.iter().map(|kind| kind.name()).collect();
        identity.push_str(&format!("\nalso {}", also.join(",")));
    }
    if let Some(mutator) = mutator {
        identity = format!("{identity}\n{}", mutator.identity());
    }
    CampaignKey {
        key: format!(
            "plumb {}\n{identity}\nseed {base}\n{limits}\n{}",
            env!("CARGO_PKG_VERSION"),
            columns.join("\n")
        ),
        title: format!(
            "{} from seed {base}, {}",
            options.from,
            progress::counted(configurations.len() as u64, "configuration")
        ),
        configurations: configurations.iter().map(configuration_key).collect(),
        words: Vec::new(),
        total: None,
        needs: Needs { architecture: std::env::consts::ARCH.to_owned(), memory: options.worker_memory },
    }
}

/// The command line by which another machine can do the same, with the compilers that were found named.
fn words(options: &Options, configurations: &[Configuration]) -> Vec<String> {
    let mut words = options.words.clone();
    if options.compilers.is_empty() && !words.is_empty() {
        let names: BTreeSet<&str> = configurations.iter().map(|one| one.tested.name.as_str()).collect();
        words.extend(names.iter().flat_map(|name| ["--cc".to_owned(), (*name).to_owned()]));
    }
    words
}

/// Refuses another campaign than the one that is to be worked on, with the first line in which they differ.
fn expected(options: &Options, key: &CampaignKey) -> Result<(), Error> {
    let Some(expected) = &options.expected else { return Ok(()) };
    if expected.key == key.key {
        let pinned = |row: &&ConfigurationKey| {
            expected.compilers.iter().any(|(name, hash)| (name, hash) == (&row.compiler, &row.hash))
        };
        return match key.configurations.iter().find(|row| !pinned(row)) {
            None => Ok(()),
            Some(row) => Err(Error::Usage(format!(
                "the executables of `{}` are others here than those that the campaign began with",
                row.compiler
            ))),
        };
    }
    let (mut theirs, mut ours) = (expected.key.lines(), key.key.lines());
    loop {
        let (their, our) = (theirs.next(), ours.next());
        if their != our || their.is_none() {
            let say = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
            let why = format!("the campaign has `{}`, this machine `{}`", say(their), say(our));
            return Err(Error::Usage(why));
        }
    }
}

fn configuration_key(configuration: &Configuration) -> ConfigurationKey {
    let tested = &configuration.tested;
    ConfigurationKey {
        label: configuration.label(),
        compiler: tested.name.clone(),
        level: configuration.level.clone(),
        version: tested.compiler.banner.clone(),
        hash: String::new(),
    }
}

fn summarise(totals: &Totals, plan: &Plan, store: &Store) -> Summary {
    Summary {
        programs: totals.programs,
        tested: totals.tested,
        rejected: totals.rejected.clone(),
        configurations: plan.configurations.len(),
        results: totals.results.clone(),
        inconclusive: totals.inconclusive.clone(),
        alarms: totals.alarms.clone(),
        distinct: totals.distinct(),
        variants: totals.variants.clone(),
        alarms_by_strategy: totals.alarms_by_strategy.clone(),
        seconds: plan.begun.elapsed().as_secs_f64(),
        compilers_cpu_seconds: totals.compilers.as_secs_f64(),
        plumb_cpu_seconds: totals.plumb.as_secs_f64(),
        plumb_cpu_percent: totals.own_share(),
        findings: if store.is_shared() { store.dir().to_owned() } else { store.findings_dir() },
        volatile: None,
        stopped: toolchain::stop::requested(),
        exit_code: exit_code(totals),
    }
}

/// An alarm outweighs a doubt, and a hunt that tested nothing has shown nothing.
fn exit_code(totals: &Totals) -> u8 {
    if totals.all_alarms() > 0 {
        exit::ALARM
    } else if totals.all_inconclusive() > 0 {
        exit::UNKNOWN
    } else if totals.tested > 0 {
        exit::OK
    } else {
        totals.rejected.keys().map(|reason| untested(reason.kind)).max().unwrap_or(exit::UNKNOWN)
    }
}

/// The exit code of a hunt in which no program was tested, all for such reasons.
fn untested(why: RejectionKind) -> u8 {
    match why.limit() {
        Limit::Unsupported => exit::UNSUPPORTED,
        Limit::Program | Limit::Budget => exit::UNKNOWN,
    }
}
