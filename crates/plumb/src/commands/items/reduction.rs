//! Findings to reduce, each a job of one item: with the files of the finding, and the compilers that it shows with, down to their
//! bytes. It comes to the files of the reduced finding, or to the reason why there are none.

use super::desk::Answered;
use super::share::collect;
use super::{ANSWER, damaged};
use campaign::Error;
use campaign::reduction::{JOURNAL, Options, REDUCED, Reduced, Shared, Watch, pins, reduce_in};
use campaign::store::{
    FileRow, Item, Job, JobId, Needs, Outcome, Store, is_of_campaign, read_files, write_files,
};
use campaign::toolchain::scratch::ScratchRoot;
use campaign::toolchain::stop;
use reduce::engine::Figures;
use reduce::passes::{PASSES, Pass};
use reduce::{Event, Observer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How such jobs are called.
pub const KIND: &str = "reduce";
/// Bytes of memory that a reduction needs: compilers, and programs on the machine.
const MEMORY: u64 = 2 << 30;

/// What is asked.
#[derive(Serialize, Deserialize)]
pub struct Asked {
    pub finding: String,
    /// Tells it from the job of an earlier reduction of the same finding.
    again: bool,
    /// Names of passes.
    passes: Vec<String>,
    references: Vec<String>,
    /// Command lines of compilers, and hashes of their executables.
    compilers: Vec<(String, String)>,
}

impl Asked {
    /// How the finding is reduced.
    pub fn options(&self) -> Options {
        let named = |pass: &&&dyn Pass| self.passes.iter().any(|name| name == pass.name());
        Options {
            jobs: 1,
            time: None,
            references: self.references.clone(),
            // What is there is of the same reduction.
            again: false,
            avoid: Vec::new(),
            passes: PASSES.iter().filter(named).copied().collect(),
            compilers: Arc::default(),
        }
    }

    /// Whether this machine has the compilers; why not. The finding's files are in a directory.
    pub fn fits(&self, dir: &Path, options: &Options) -> Result<(), String> {
        match pins(dir, options) {
            Ok(pins) if pins == self.compilers => Ok(()),
            Ok(_) => Err(format!("{}: its compilers are others here, or not here", self.finding)),
            Err(error) => Err(format!("{}: {error}", self.finding)),
        }
    }
}

/// Brings the files of a job's finding to this machine.
pub fn bring(store: &Store, job: JobId, root: &ScratchRoot) -> Result<PathBuf, Error> {
    write_files(root.path(), &store.job_files(job, "finding/")?)?;
    Ok(root.path().join("finding"))
}

/// Nobody watches.
struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: &Event<'_>, _: &Figures) {}
}

/// Answers one here.
pub fn answer(store: &Store, item: &Item) -> Result<Answered, Error> {
    let asked: Asked = serde_json::from_str(&item.input).map_err(|error| damaged(&error))?;
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let dir = bring(store, item.job, &root)?;
    let options = asked.options();
    if let Err(why) = asked.fits(&dir, &options) {
        return Ok(Answered::NotHere(why));
    }
    // How far it was when its worker was killed.
    if let Some(state) = store.state(item)? {
        let path = dir.join(JOURNAL);
        std::fs::write(&path, state).map_err(|error| Error::file("write", &path, &error))?;
    }
    let skip = AtomicBool::new(false);
    let shared = Some(Shared { store, item });
    let mut watch = Watch { stop: &stop::requested, skip: &skip, observer: &mut Silent, shared };
    let done = reduce_in(&dir, &asked.finding, &options, &mut watch);
    if stop::requested() {
        return Ok(Answered::Again("stopped".to_owned()));
    }
    Ok(match done {
        Ok(_) => {
            let beneath = |file: FileRow| FileRow { name: format!("{REDUCED}/{}", file.name), ..file };
            Answered::Done(read_files(&dir.join(REDUCED))?.into_iter().map(beneath).collect())
        }
        // What only now and then shows, or found no room, may do better elsewhere.
        Err(error @ (Error::Resource(_) | Error::File { .. })) => Answered::Again(error.to_string()),
        Err(error) => {
            let bytes = error.to_string().into_bytes();
            Answered::Done(vec![FileRow { name: ANSWER.to_owned(), executable: false, bytes }])
        }
    })
}

/// Has findings reduced by whoever works on the store, keeps what comes of each, and tells of it.
pub fn share(
    store: &Store,
    ids: &[String],
    options: &Options,
    mut told: impl FnMut(&str, Result<Reduced, String>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut findings: BTreeMap<JobId, &str> = BTreeMap::new();
    for id in ids {
        match job(store, id, options) {
            Ok(job) => findings.insert(store.begin_job(&job)?, id),
            // Its compiler is not here, to say which it is.
            Err(error @ (Error::Usage(_) | Error::Tool { .. })) => {
                told(id, Err(error.to_string()))?;
                None
            }
            Err(error) => return Err(error),
        };
    }
    let wanted: BTreeSet<(JobId, u64)> = findings.keys().map(|job| (*job, 0)).collect();
    collect(store, options.jobs, wanted, |(job, _), outcome| {
        let Some(id) = findings.get(&job) else { return Ok(()) };
        let done = match outcome {
            Outcome::GivenUp => Err("every worker that began it ended before it was done".to_owned()),
            Outcome::Done(files) => match files.iter().find(|file| file.name == ANSWER) {
                Some(why) => Err(String::from_utf8_lossy(&why.bytes).into_owned()),
                None => Ok(keep(store, id, &files)?),
            },
        };
        told(id, done)
    })
}

/// Puts a reduced finding beside the finding.
fn keep(store: &Store, id: &str, files: &[FileRow]) -> Result<Reduced, Error> {
    let dir = store.fetch(id)?;
    let old = dir.join(REDUCED);
    if old.exists() {
        std::fs::remove_dir_all(&old).map_err(|error| Error::file("remove", &old, &error))?;
    }
    // A worker brings what is reduced, and nothing else of the finding.
    let brought = |file: &&FileRow| Path::new(&file.name).starts_with(REDUCED) && !is_of_campaign(file);
    write_files(&dir, &files.iter().filter(brought).cloned().collect::<Vec<_>>())?;
    store.keep_files(id)?;
    let lacks = || Error::Internal(format!("the reduction of {id} has no figures"));
    campaign::reduction::result(&dir)?.ok_or_else(lacks)
}

fn job(store: &Store, id: &str, options: &Options) -> Result<Job, Error> {
    let dir = store.fetch(id)?;
    let asked = Asked {
        finding: id.to_owned(),
        again: options.again,
        passes: options.passes.iter().map(|pass| pass.name().to_owned()).collect(),
        references: options.references.clone(),
        compilers: pins(&dir, options)?,
    };
    let input = serde_json::to_string(&asked).map_err(|error| damaged(&error))?;
    let of_before = |name: &str| name.starts_with(REDUCED) || name == JOURNAL;
    let files = read_files(&dir)?.into_iter().filter(|file| !options.again || !of_before(&file.name));
    let files = files.map(|file| FileRow { name: format!("finding/{}", file.name), ..file });
    Ok(Job {
        kind: KIND.to_owned(),
        title: id.to_owned(),
        spec: String::new(),
        needs: Needs { architecture: std::env::consts::ARCH.to_owned(), memory: MEMORY },
        files: files.collect(),
        inputs: vec![input],
    })
}
