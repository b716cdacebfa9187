//! Triage of a store: blames findings one by one, groups them, reduces and blames again what stands for each group.
//!
//! Each analysis is kept as soon as it is there: stopped and started again, triage goes on with what is missing.

use super::analyse::{Depth, analyse, class, group_key};
use super::distance::Features;
use super::group::{Member, groups};
use super::known::{self, Known};
use super::model::Analysis;
use super::rivals;
use super::settle::settle;
use super::subject::{Subject, Workshop};
use super::{Tools, Triage};
use crate::configurations::{self, INPUT, Tested};
use crate::error::Error;
use crate::findings::{self, FACTS, Facts};
use crate::reduction::{self, REDUCED};
use crate::store::{FindingRow, Store, TriageRow};
use crate::verdict::Named;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use toolchain::process::Limits;
use toolchain::scratch::ScratchRoot;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The store's directory.
    pub store: PathBuf,
    /// Analyse again what was analysed.
    pub again: bool,
    /// Only findings whose identity begins with one of these; all where there is none.
    pub only: Vec<String>,
    /// Known bugs; without it the file of the store, if there is one.
    pub known: Option<PathBuf>,
    /// Findings worked on at once.
    pub jobs: usize,
    /// How long this run lasts; what it does not come to is left for the next.
    pub time: Option<Duration>,
    /// Limits of one compilation.
    pub limits: Limits,
    /// Look at levels, versions and targets, too.
    pub whole: bool,
    /// Reduce what stands for a group first.
    pub reduce: bool,
}

/// Follows triage.
pub trait Observer: Sync {
    /// What a finding is grouped by was found; of so many, so many are settled.
    fn settled(&self, finding: &str, signature: &str, done: usize, of: usize);
    /// A finding is being reduced.
    fn reducing(&self, finding: &str);
    /// A finding cannot be reduced.
    fn not_reduced(&self, finding: &str, why: &str);
}

/// What triage came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// All findings, ordered as [`super::load`] does.
    pub findings: Vec<Triage>,
    /// How many groups there are that are bugs of their own.
    pub distinct: u64,
    /// How many groups are left, each of which may be any of several of these.
    pub undecided: u64,
    /// How many findings were analysed in this run.
    pub analysed: u64,
    /// How many are not analysed yet.
    pub left: u64,
    /// How many were neither reduced nor found to be a known bug, since the time ran out.
    pub unsettled: u64,
}

pub(super) struct Job<'a> {
    pub options: &'a Options,
    tools: &'a dyn Tools,
    pub observer: &'a dyn Observer,
    pub store: &'a Store,
    scratch: &'a ScratchRoot,
    pub workshop: Workshop<'a>,
    compilers: OnceLock<Vec<Arc<Tested>>>,
    begun: Instant,
}

/// Triages a store.
pub fn run(options: &Options, tools: &dyn Tools, observer: &dyn Observer) -> Result<Report, Error> {
    let store = Store::annotate(&options.store)?;
    let scratch = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let known = known(options)?;
    let (compilers, begun) = (OnceLock::new(), Instant::now());
    let workshop = Workshop::new(&scratch, &options.limits);
    let job = Job { options, tools, observer, store: &store, scratch: &scratch, workshop, compilers, begun };
    let rows = with_directories(&store)?;
    let wanted = |row: &&FindingRow| {
        options.only.is_empty() || options.only.iter().any(|start| row.id.starts_with(start.as_str()))
    };
    let chosen: Vec<&FindingRow> = rows.iter().filter(wanted).collect();
    if chosen.is_empty() && !options.only.is_empty() {
        let why =
            format!("no finding of `{}` begins so: {}", options.store.display(), options.only.join(", "));
        return Err(Error::Usage(why));
    }
    let first: Vec<&FindingRow> =
        chosen.iter().copied().filter(|row| job.is_missing(row, Depth::Signature)).collect();
    let mut analysed = job.all(&first, Depth::Signature)?;
    rivals::ask(&job, &chosen)?;
    keep_groups(&store, &rows, &known)?;
    let mut unsettled = 0;
    if options.whole {
        let settled = settle(&job, &chosen, &known)?;
        keep_groups(&store, &rows, &known)?;
        analysed += settled.analysed + job.finish(&job.leads(&chosen)?)?;
        unsettled = settled.left;
        keep_groups(&store, &rows, &known)?;
    }
    Ok(Report { unsettled, ..report(&store, &rows, analysed)? })
}

/// Groups and orders again what is analysed, as after a decision of a person.
pub fn regroup(options: &Options) -> Result<Report, Error> {
    let store = Store::annotate(&options.store)?;
    let rows = with_directories(&store)?;
    keep_groups(&store, &rows, &known(options)?)?;
    report(&store, &rows, 0)
}

fn with_directories(store: &Store) -> Result<Vec<FindingRow>, Error> {
    let rows: Vec<FindingRow> =
        store.findings()?.into_iter().filter(|row| row.evidence_of.is_empty()).collect();
    for row in &rows {
        store.fetch(&row.id)?;
    }
    Ok(rows)
}

fn known(options: &Options) -> Result<Known, Error> {
    match &options.known {
        Some(path) => Known::read(path),
        None => {
            let path = options.store.join(known::FILE);
            if path.is_file() { Known::read(&path) } else { Ok(Known::default()) }
        }
    }
}

fn report(store: &Store, rows: &[FindingRow], analysed: u64) -> Result<Report, Error> {
    let findings = super::load(store)?;
    let leads = findings.iter().filter(|triage| triage.is_representative());
    let (undecided, distinct): (Vec<_>, Vec<_>) = leads.partition(|triage| triage.is_undecided());
    let (distinct, undecided) = (distinct.len() as u64, undecided.len() as u64);
    let is_left = |row: &&FindingRow| !findings.iter().any(|triage| triage.finding == row.id);
    let left = rows.iter().filter(is_left).count() as u64;
    Ok(Report { findings, distinct, undecided, analysed, left, unsettled: 0 })
}

impl Job<'_> {
    pub fn is_over(&self) -> bool {
        toolchain::stop::requested() || self.options.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// What is left of the time.
    pub fn time_left(&self) -> Option<Duration> {
        self.options.time.map(|time| time.saturating_sub(self.begun.elapsed()))
    }

    fn dir(&self, id: &str) -> PathBuf {
        self.store.findings_dir().join(id)
    }

    /// Has it a smaller program?
    fn is_reduced(&self, id: &str) -> bool {
        self.dir(id).join(REDUCED).join(FACTS).is_file()
    }

    /// Was everything tried to make it small?
    pub fn is_fully_reduced(&self, id: &str) -> Result<bool, Error> {
        Ok(reduction::result(&self.dir(id))?.is_some_and(|result| !result.stopped))
    }

    pub fn kept(&self, id: &str) -> Option<Analysis> {
        let row = self.store.triage_of(id).ok()??;
        serde_json::from_str(&row.analysis).ok()
    }

    /// Is an analysis of this depth, of the program as it is now, still to be made?
    pub fn is_missing(&self, row: &FindingRow, depth: Depth) -> bool {
        let Some(kept) = self.kept(&row.id) else { return true };
        let shrunk = kept.reduced.is_none() && self.is_reduced(&row.id);
        let again = self.options.again && depth == Depth::Signature;
        again || shrunk || (depth == Depth::Whole && !kept.complete)
    }

    fn compilers(&self) -> &[Arc<Tested>] {
        self.compilers.get_or_init(|| {
            let found = configurations::found(self.scratch).map(|(found, _)| found).unwrap_or_default();
            found.into_iter().map(Arc::new).collect()
        })
    }

    /// Analyses findings, several at once, and keeps each as soon as it is done.
    fn all(&self, rows: &[&FindingRow], depth: Depth) -> Result<u64, Error> {
        let done = AtomicUsize::new(0);
        self.each(rows, &|row: &&FindingRow| {
            let Some(signature) = self.one(row, depth)? else { return Ok(false) };
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            // What is only known later is told later, and nothing twice.
            if depth != Depth::Whole && (group_key(&signature).is_some() || !self.options.whole) {
                self.observer.settled(&row.id, &signature, done, rows.len());
            }
            Ok(true)
        })?;
        Ok(done.into_inner() as u64)
    }

    /// Does something with each of many, several at once, until it fails, says no, or the time is over.
    pub fn each<T: Sync>(
        &self,
        all: &[T],
        work: &(dyn Fn(&T) -> Result<bool, Error> + Sync),
    ) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<Error>> = Mutex::default();
        let fail = |error| *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        let stopped = || failed.lock().unwrap_or_else(PoisonError::into_inner).is_some() || self.is_over();
        std::thread::scope(|scope| {
            for _ in 0..self.options.jobs.clamp(1, all.len().max(1)) {
                let worker = || {
                    while !stopped()
                        && let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        match work(one) {
                            Ok(true) => {}
                            Ok(false) => return,
                            Err(error) => fail(error),
                        }
                    }
                };
                // The machine's parser nests as deep as programs do.
                let builder = std::thread::Builder::new().stack_size(256 << 20);
                if let Err(error) = builder.spawn_scoped(scope, worker) {
                    fail(Error::Resource(format!("cannot start a worker: {error}; use fewer --jobs")));
                }
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Analyses a finding and keeps that; `None` where plumb was stopped meanwhile.
    pub fn one(&self, row: &FindingRow, depth: Depth) -> Result<Option<String>, Error> {
        let compilers = if depth == Depth::Whole { self.compilers() } else { &[] };
        let opened = Subject::open(&self.store.findings_dir(), row, &self.workshop);
        let mut analysis = match opened {
            Ok(subject) => analyse(&subject, depth, compilers, self.tools)?,
            // A compiler that is gone, a damaged directory, or facts that are not believed: said of this finding and not the end of all.
            Err(error @ (Error::Tool { .. } | Error::File { .. } | Error::Usage(_))) => Analysis {
                signature: row.kind.name().to_owned(),
                notes: vec![error.to_string()],
                complete: depth == Depth::Whole,
                ..Analysis::default()
            },
            Err(error) => return Err(error),
        };
        if toolchain::stop::requested() {
            return Ok(None);
        }
        if let Some(kept) = self.kept(&row.id).filter(|_| !self.options.again) {
            rivals::carry_over(kept, &mut analysis);
        }
        self.keep(row, &analysis)?;
        Ok(Some(analysis.signature))
    }

    /// Keeps an analysis; the groups are made later.
    pub fn keep(&self, row: &FindingRow, analysis: &Analysis) -> Result<(), Error> {
        let text = serde_json::to_string(analysis)
            .map_err(|error| Error::Internal(format!("an analysis is not JSON: {error}")))?;
        self.store.keep_triage(&[TriageRow {
            finding: row.id.clone(),
            group: row.id.clone(),
            rank: u64::from(u32::MAX),
            known: None,
            analysis: text,
        }])
    }

    /// What stands for each group.
    fn leads<'r>(&self, chosen: &[&'r FindingRow]) -> Result<Vec<&'r FindingRow>, Error> {
        if !self.options.only.is_empty() {
            return Ok(chosen.to_vec());
        }
        let triaged = super::load(self.store)?;
        let stands = |row: &&&FindingRow| {
            let wanted = |triage: &Triage| triage.known.is_none() && triage.is_representative();
            triaged.iter().any(|triage| triage.finding == row.id && wanted(triage))
        };
        Ok(chosen.iter().filter(stands).copied().collect())
    }

    /// Looks at what stands for each group whole.
    fn finish(&self, rows: &[&FindingRow]) -> Result<u64, Error> {
        let missing: Vec<&FindingRow> =
            rows.iter().copied().filter(|row| self.is_missing(row, Depth::Whole)).collect();
        // Compilers are looked for once, before the workers ask for them.
        if !missing.is_empty() {
            self.compilers();
        }
        self.all(&missing, Depth::Whole)
    }
}

/// Groups and orders all findings that are analysed, and keeps that.
fn keep_groups(store: &Store, rows: &[FindingRow], known: &Known) -> Result<(), Error> {
    let mut kept: BTreeMap<String, TriageRow> =
        store.triaged()?.into_iter().map(|row| (row.finding.clone(), row)).collect();
    let mut members = Vec::new();
    for row in rows {
        let Some(analysis) = kept.get(&row.id).and_then(|kept| serde_json::from_str(&kept.analysis).ok())
        else {
            continue;
        };
        members.push(member(&store.findings_dir().join(&row.id), row, &analysis, known));
    }
    let ordered = groups(&members, &store.decisions()?);
    let mut changed = Vec::new();
    for (rank, group) in ordered.iter().enumerate() {
        let lead = &members[group.members[0]];
        let name = group.members.iter().find_map(|&index| members[index].known.clone());
        for &index in &group.members {
            if let Some(mut row) = kept.remove(&members[index].id) {
                row.group.clone_from(&lead.id);
                row.rank = rank as u64 + 1;
                row.known.clone_from(&name);
                changed.push(row);
            }
        }
    }
    store.keep_triage(&changed)
}

fn member(dir: &Path, row: &FindingRow, analysis: &Analysis, known: &Known) -> Member {
    let text =
        fs::read(dir.join(REDUCED).join(INPUT)).or_else(|_| fs::read(dir.join(INPUT))).unwrap_or_default();
    // A damaged directory was told of when the finding was analysed.
    let facts = findings::read(dir).ok();
    let rivals = rivals::names(analysis);
    let key = |alone: String| [alone].into_iter().chain(rivals.clone()).collect::<Vec<_>>().join(" or ");
    Member {
        id: row.id.clone(),
        key: group_key(&analysis.signature).map(key),
        rivalled: !rivals.is_empty(),
        class: facts.as_ref().map_or_else(|| row.kind.name().to_owned(), class),
        features: Features::of(
            &String::from_utf8_lossy(&text),
            &facts.as_ref().map_or_else(String::new, failure),
        ),
        bytes: text.len() as u64,
        doubtful: row.doubt.is_some(),
        known: known.name(&analysis.signature),
    }
}

/// What went wrong, in words that do not depend on the program.
fn failure(facts: &Facts) -> String {
    let ended = facts.actual.as_ref().map_or_else(String::new, |actual| {
        let expected = facts.expected.as_ref();
        let same_exit =
            expected.is_some_and(|e| e.exit.map(i32::from) == actual.exit && e.signal == actual.signal);
        format!(
            "{:?} {} {}",
            actual.ended,
            if same_exit { "output" } else { "status" },
            actual.signal.unwrap_or(0)
        )
    });
    format!("{} {ended} {}", facts.signature, facts.compiler_stderr.lines().next().unwrap_or_default())
}
