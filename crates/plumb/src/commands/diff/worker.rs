//! The process that proves pairs of functions: it reads both files once, then answers one pair after the other.

use crate::commands::workers::{self, Allowance, Work};
use crossver::equality::verdict::WhyKind;
use crossver::objects::{Image, map, parse};
use crossver::report::{Compared, Comparison};
use equiv::{Ending, Limit};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use toolchain::stop;

/// A process that proves.
pub type Worker = workers::Worker<Pairs>;

/// The hidden command of the process that proves.
pub fn run() -> u8 {
    workers::run::<Pairs>()
}

/// Two objects.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The old file.
    pub old: PathBuf,
    /// The new file.
    pub new: PathBuf,
    /// The member, where they are archives.
    pub member: Option<String>,
    /// Processor time for one pair.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// What came of a pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// What was found; none where the worker ended instead.
    found: Option<Compared>,
    ending: Option<Ending>,
    peak: u64,
    size: u64,
}

/// The pairs of two files. Both are kept for as long as the process lives.
pub struct Pairs(Comparison<'static>);

fn image(path: &Path, member: Option<&str>) -> Result<&'static Image, String> {
    let bytes = map(path).map_err(|error| error.to_string())?;
    let loaded = parse(&path.display().to_string(), &bytes).map_err(|error| error.to_string())?;
    let single = loaded.images.len() == 1;
    let mut found = loaded.images.into_iter();
    let found = found.find(|(name, _)| member.is_none() && single || name.as_deref() == member);
    let (_, image) = found.ok_or_else(|| format!("{} holds no such object any more", path.display()))?;
    Ok(Box::leak(Box::new(image)))
}

impl Work for Pairs {
    const COMMAND: &'static str = "diff-worker";
    type Job = Job;
    type Listing = Result<usize, String>;
    type Task = usize;
    type Answer = Answer;

    fn allowance(job: &Job) -> Allowance {
        Allowance { time: job.time, memory: job.memory }
    }

    fn name(job: &Job) -> String {
        job.new.display().to_string()
    }

    fn read(job: &Job) -> Result<(Pairs, Self::Listing), String> {
        let (old, new) = (image(&job.old, job.member.as_deref())?, image(&job.new, job.member.as_deref())?);
        let comparison = Comparison::new(old, new, 1).map_err(|error| error.to_string())?;
        let pairs = comparison.pairs();
        Ok((Pairs(comparison), Ok(pairs)))
    }

    fn unreadable(why: String) -> Self::Listing {
        Err(why)
    }

    fn answer(&self, job: &Job, task: &usize) -> Answer {
        Answer { found: self.0.prove(*task, (job.time, job.memory)), ending: None, peak: 0, size: 0 }
    }

    fn ended(ending: Ending, _time: Option<Duration>) -> Answer {
        Answer { found: None, ending: Some(ending), peak: 0, size: 0 }
    }

    fn files(job: &mut Job) -> Vec<&mut PathBuf> {
        vec![&mut job.old, &mut job.new]
    }

    fn ending(answer: &Answer) -> Option<&Ending> {
        answer.ending.as_ref().filter(|_| answer.found.is_none())
    }

    fn memory(answer: &mut Answer) -> (&mut u64, &mut u64) {
        (&mut answer.peak, &mut answer.size)
    }
}

/// Asks a worker of those kept, or a new one, about a pair of which the cheap comparison said this.
pub fn ask(kept: &Mutex<Vec<Worker>>, job: &Job, pair: usize, cheap: &Compared) -> Compared {
    if stop::requested() {
        return ended(cheap, &Ending::Stopped);
    }
    let free = kept.lock().ok().and_then(|mut kept| kept.pop());
    let worker = match free.map_or_else(|| Worker::start(job), |worker| Ok((worker, Ok(0)))) {
        Ok((worker, Ok(_))) => worker,
        Ok((_, Err(why))) => return ended(cheap, &Ending::NotStarted { why }),
        Err(error) => return ended(cheap, &Ending::NotStarted { why: error.to_string() }),
    };
    let (answer, worker) = worker.answer(&pair);
    if let (Some(worker), Ok(mut kept)) = (worker, kept.lock()) {
        kept.push(worker);
    }
    told(Some(answer), cheap)
}

/// The record of a pair of which a worker said this, or nothing before this process was stopped.
pub fn told(answer: Option<Answer>, cheap: &Compared) -> Compared {
    let Some(answer) = answer else { return ended(cheap, &Ending::Stopped) };
    let lost = || Ending::NotStarted { why: "it does not know the pair".to_owned() };
    match (answer.found, answer.ending) {
        (Some(found), _) => found,
        (None, ending) => ended(cheap, &ending.unwrap_or_else(lost)),
    }
}

/// The record of a pair whose worker ended.
fn ended(cheap: &Compared, ending: &Ending) -> Compared {
    let mut out = cheap.clone();
    let why = match (ending.limit(), ending) {
        (Some(Limit::Time), _) => WhyKind::OutOfTime,
        (Some(Limit::Memory), _) => WhyKind::OutOfMemory,
        (_, Ending::Stopped) => WhyKind::Stopped,
        _ => WhyKind::WorkerEnded,
    };
    out.open = false;
    out.function.why = Some(why);
    let first = out.function.text.take().unwrap_or_default();
    out.function.text = Some(format!("{first}: {ending}"));
    out
}

/// Whether a function is in a sample of one in `every`, by its name alone (FNV-1a).
pub fn chosen(function: &str, every: u32) -> bool {
    let hash = function
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 20) % u64::from(every) == 0
}
