//! Shares tasks out: an item each, answered here and by every worker of the store, told in the order in which they come.

use super::{ANSWER, Crew, Leave, damaged, has};
use crate::commands::workers::Work;
use campaign::Error;
use campaign::store::{FileRow, Job, JobId, LEASE, Needs, Outcome, Outcomes, Store, is_address};
use campaign::toolchain::stop;
use equiv::Ending;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// How long to wait for word of the store before looking all the same.
const LOOK: Duration = Duration::from_secs(1);

/// Opens the store whose workers are to take part, making its tables where there are none.
pub fn open(store: Option<&Path>) -> Result<Option<Store>, Error> {
    let Some(store) = store else { return Ok(None) };
    if !is_address(store) {
        let why = "a directory has no workers; name a database, as postgres://USER@HOST/DATABASE";
        return Err(Error::Usage(format!("--store: {why}")));
    }
    Store::open(store).map(Some)
}

/// A job and its tasks.
pub type Tasks<'t, W> = (&'t <W as Work>::Job, Vec<<W as Work>::Task>);

/// Has the tasks of jobs answered, and hands each answer to `told` with the place of its job, and its own among the tasks. Those
/// that have none when this process is stopped get none.
pub fn share<W: Work>(
    store: &Store,
    jobs: usize,
    all: &[Tasks<'_, W>],
    mut told: impl FnMut(usize, usize, W::Answer),
) -> Result<(), Error> {
    let mut wanted = BTreeSet::new();
    let mut places: BTreeMap<JobId, Vec<usize>> = BTreeMap::new();
    for (place, (job, tasks)) in all.iter().enumerate().filter(|(_, (_, tasks))| !tasks.is_empty()) {
        let id = store.begin_job(&shared::<W>(job, tasks)?)?;
        wanted.extend((0..).take(tasks.len()).map(|number| (id, number)));
        places.entry(id).or_default().push(place);
    }
    collect(store, jobs, wanted, |(job, number), outcome| {
        // Files that are the same are one job.
        for place in places.get(&job).into_iter().flatten() {
            let answer = match &outcome {
                Outcome::Done(files) => {
                    let file = files.iter().find(|file| file.name == ANSWER);
                    let bytes = file.map_or(&[][..], |file| &file.bytes);
                    serde_json::from_slice(bytes).map_err(|error| damaged(&error))?
                }
                Outcome::GivenUp => {
                    let why = "every worker that began it ended before it was done".to_owned();
                    W::ended(Ending::NotStarted { why }, None)
                }
            };
            told(*place, number as usize, answer);
        }
        Ok(())
    })
}

/// Works on items beside others, and tells what comes of each.
pub fn collect(
    store: &Store,
    jobs: usize,
    mut wanted: BTreeSet<(JobId, u64)>,
    mut told: impl FnMut((JobId, u64), Outcome) -> Result<(), Error>,
) -> Result<(), Error> {
    if wanted.is_empty() {
        return Ok(());
    }
    let only: BTreeSet<JobId> = wanted.iter().map(|(job, _)| *job).collect();
    // Who asks has said what an item may take.
    let here = has(1, Some(u64::MAX >> 1));
    let crew = Crew::new(store, here, only.into_iter().collect(), LEASE, Leave::WhenTold);
    crew.work(jobs, |crew| {
        while !wanted.is_empty() && !crew.is_over() {
            let asked: Vec<(JobId, u64)> = wanted.iter().copied().collect();
            let outcomes: Outcomes = store.outcomes(&asked)?;
            for (item, outcome) in outcomes {
                wanted.remove(&item);
                told(item, outcome)?;
            }
            if !wanted.is_empty() && !stop::requested() {
                store.wait(LOOK);
            }
        }
        Ok(())
    })
}

/// Tasks as a job of the store, with its files under names that say nothing of this machine.
fn shared<W: Work>(job: &W::Job, tasks: &[W::Task]) -> Result<Job, Error> {
    let mut spec = job.clone();
    let mut files = Vec::new();
    for (number, path) in W::files(&mut spec).into_iter().enumerate() {
        let bytes = std::fs::read(&*path).map_err(|error| Error::file("read", &*path, &error))?;
        let base = path.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
        let name = format!("{number}/{base}");
        *path = name.clone().into();
        files.push(FileRow { name, executable: false, bytes });
    }
    let json = |error: serde_json::Error| damaged(&error);
    let inputs: Result<Vec<String>, serde_json::Error> = tasks.iter().map(serde_json::to_string).collect();
    Ok(Job {
        kind: W::COMMAND.to_owned(),
        title: W::name(job),
        spec: serde_json::to_string(&spec).map_err(json)?,
        needs: Needs { architecture: String::new(), memory: W::allowance(job).memory },
        files,
        inputs: inputs.map_err(json)?,
    })
}
