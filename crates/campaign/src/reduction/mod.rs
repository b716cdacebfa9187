//! A finding made small (thesis 5.2.4, 7.2.1): its program, and the options of the compiler that show it.
//!
//! [`reduce_finding`] opens the compiler again, sees that the finding still shows, and shrinks what it came from before what
//! it is: the edits of a variant, the choices of a generated program, then the syntax, then the text. Every candidate is
//! judged by the abstract machine before a compiler sees it, and must show the symptom of the finding and no other, or, of a
//! missed optimisation or a slow compilation, the same difference between the same two configurations, or wrong accesses to a
//! volatile object in the same way. The
//! result is kept beside the finding, in the form of a finding.

mod choices;
mod compared;
mod counted;
mod edits;
mod flags;
mod fresh;
mod keep;
mod named;
mod others;
mod reopen;
mod result;
mod session;
mod subject;
mod units;

pub use keep::{JOURNAL, REDUCED, result};
pub use others::{Shared, Tester};
pub use result::{Reduced, Step};

use crate::configurations::Opened;
use crate::detours::Detour;
use crate::error::Error;
use crate::findings;
use crate::store::Store;
use others::Others;
use reduce::engine::{Elsewhere, Figures};
use reduce::journal::Journal;
use reduce::passes::{PASSES, Pass};
use reduce::{Engine, Event, Observer};
use reopen::Reopened;
use session::Session;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use toolchain::scratch::ScratchRoot;

/// How to reduce findings.
#[derive(Clone)]
pub struct Options {
    /// Candidates tested at once.
    pub jobs: usize,
    /// Ends a reduction that takes longer; what was reached is kept, and the next call goes on from there.
    pub time: Option<Duration>,
    /// Command lines of compilers that must go on to be right, beside the suspect's own at `-O0`; each is dropped where it
    /// is wrong to begin with, cannot be run, or has another data model.
    pub references: Vec<String>,
    /// Whether to begin anew where a finding was reduced before.
    pub again: bool,
    /// Detours around known bugs: what is left must fail with them taken, too, unless the finding itself does not.
    pub avoid: Vec<Detour>,
    /// The passes over syntax and text.
    pub passes: Vec<&'static dyn Pass>,
    /// Compilers that were opened before.
    pub compilers: Arc<Opened>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            time: None,
            references: vec!["cc".to_owned()],
            again: false,
            avoid: Vec::new(),
            passes: PASSES.to_vec(),
            compilers: Arc::default(),
        }
    }
}

/// Follows and steers a reduction.
pub struct Watch<'w> {
    /// Stops it when it says so.
    pub stop: &'w (dyn Fn() -> bool + Sync),
    /// Ends the present pass when raised; it is lowered then.
    pub skip: &'w AtomicBool,
    /// Is told how it goes.
    pub observer: &'w mut dyn Observer,
    /// The item of a store that it is, so that others test candidates, too.
    pub shared: Option<Shared<'w>>,
}

/// An observer that says nothing.
struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: &Event<'_>, _: &Figures) {}
}

/// Reduces a finding of the store and keeps the result beside it. One that was reduced before is not reduced again, unless
/// it is asked for. An error of [`Error::Usage`] says that the finding cannot be reduced here, and why: it does not show any
/// more, the compiler is not there, its meaning is not known.
pub fn reduce_finding(store: &Store, id: &str, options: &Options) -> Result<Reduced, Error> {
    let skip = AtomicBool::new(false);
    let mut watch =
        Watch { stop: &toolchain::stop::requested, skip: &skip, observer: &mut Silent, shared: None };
    reduce_watched(store, id, options, &mut watch)
}

/// As [`reduce_finding`], followed by somebody.
pub fn reduce_watched(
    store: &Store,
    id: &str,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Reduced, Error> {
    let dir = store.fetch(id)?;
    let reduced = reduce_in(&dir, id, options, watch)?;
    store.keep_files(id)?;
    Ok(reduced)
}

/// As [`reduce_watched`], for a finding whose files are in a directory, and without a store.
pub fn reduce_in(dir: &Path, id: &str, options: &Options, watch: &mut Watch<'_>) -> Result<Reduced, Error> {
    if !options.again
        && let Some(known) = keep::result(dir)?.filter(|known| !known.stopped)
    {
        return Ok(known);
    }
    let begun = Instant::now();
    let late = || options.time.is_some_and(|time| begun.elapsed() >= time);
    let stop = || (watch.stop)() || late();
    let opened = Reopened::open(dir, &options.compilers)?;
    let mut session = Session::begin(opened, options, &stop)?;
    let path = dir.join(keep::JOURNAL);
    let others = |session: &Session| {
        // A batch has programs of one file.
        watch.shared.filter(|_| session.subject.units.is_none()).map(|shared| Others {
            shared,
            fingerprint: session.test_fingerprint(),
            level: session.subject.configuration.level.clone(),
        })
    };
    let resumed = if options.again { None } else { session.resume(&path)? };
    if resumed.is_none() {
        session.fewer_units()?;
        let others = others(&session);
        session.shrink_origin(others.as_ref(), &stop)?;
        session.only_named(&stop)?;
        session.fewer_flags(others.as_ref())?;
    }
    let start = session.text.clone();
    let journal = match &resumed {
        Some(state) => Journal::resume(&path, state),
        None => {
            reduce::journal::discard(&path).map_err(|error| Error::file("remove", &path, &error))?;
            Ok(Journal::create(&path, session.fingerprint(), &start))
        }
    };
    let journal = journal.map_err(|error| Error::file("write", &path, &error))?;
    let others = others(&session);
    let report = std::thread::scope(|scope| {
        // Dropped at the end, which the thread is told by.
        let (_going, end) = std::sync::mpsc::channel();
        if let Some(shared) = watch.shared {
            let path = &path;
            scope.spawn(move || shared.keep_journal(path, &end));
        }
        let engine = Engine {
            options: reduce::Options { jobs: options.jobs, passes: options.passes.clone(), filter: false },
            test: &*session.test(),
            stop: &stop,
            skip: watch.skip,
            journal: Some(&journal),
            others: others.as_ref().map(|others| others as &dyn Elsewhere),
        };
        let original = resumed.as_ref().map_or(start, reduce::journal::State::original);
        engine.reduce(&original, resumed, &mut *watch.observer)
    });
    session.engine_done(&report);
    // Nothing can be run any more to see that the result shows; the journal has what was reached.
    if toolchain::stop::requested() {
        let why = "stopped; the same command goes on where it stood";
        return Err(Error::Resource(format!("reduce --finding {id}: {why}")));
    }
    if !report.stopped {
        session.fewer_units()?;
        session.fewer_flags(others.as_ref())?;
    }
    let reduced = session.finish(dir, report.stopped, begun.elapsed())?;
    if !report.stopped {
        journal.finish().map_err(|error| Error::file("remove", &path, &error))?;
    }
    Ok(reduced)
}

/// The compilers that the reduction of a finding depends on, each with a hash of its executables; of a reference that is not
/// here none.
pub fn pins(dir: &Path, options: &Options) -> Result<Vec<(String, String)>, Error> {
    let facts = findings::read(dir)?;
    let scratch = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let against = facts.against.into_iter().map(|against| against.compiler.name);
    let needed: BTreeSet<String> = std::iter::once(facts.compiler.name).chain(against).collect();
    let mut pins = Vec::new();
    for command in &needed {
        pins.push((command.clone(), options.compilers.hash(command, &scratch)?));
    }
    for command in &options.references {
        let hash = match options.compilers.open(command, &scratch) {
            Ok(_) => options.compilers.hash(command, &scratch)?,
            Err(_) => String::new(),
        };
        pins.push((command.clone(), hash));
    }
    Ok(pins)
}
