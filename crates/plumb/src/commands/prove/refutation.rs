//! The prover as an oracle for reduction: is this function of this pair refuted, and how?

use super::Worker;
use super::input::{Unit, optimise};
use super::native;
use super::worker::{Job, Listing, Task};
use campaign::Error;
use campaign::toolchain::process::{Limits, Outcome, Spec, run};
use equiv::Verdict;
use langs::native::Finding;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use super::worker::PairKind;

/// A pair of files, and how hard to try.
#[derive(Clone)]
pub struct Pair {
    /// What the files hold.
    pub kind: PairKind,
    /// The source; none where the target's file holds it too.
    pub left: Option<PathBuf>,
    /// The target.
    pub right: PathBuf,
    /// CPU time for a function.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// How a refutation differs from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The two sides end differently; otherwise they differ before: in what they call, read or write.
    pub at_the_end: bool,
    /// What a compiler makes of both sides differs too, where that was looked at.
    pub natively: bool,
}

fn unit(pair: &Pair) -> Unit {
    let job = Job {
        kind: pair.kind,
        left: pair.left.clone(),
        right: pair.right.clone(),
        time: pair.time,
        memory: pair.memory,
        bound: None,
    };
    Unit { label: pair.right.display().to_string(), stem: "pair".to_owned(), job, temporary: true }
}

/// The functions that both sides have; or why the files cannot be read.
pub fn functions(pair: &Pair) -> Result<Vec<String>, String> {
    match Worker::start(&unit(pair).job).map_err(|error| error.to_string())? {
        (_, Listing::Unreadable(why)) => Err(why),
        (_, Listing::Functions(all)) => {
            Ok(all.into_iter().filter(|f| f.lacks.is_none()).map(|f| f.name).collect())
        }
    }
}

/// The refutation of a function, if it is refuted, and the CPU time that took. Run natively where that is asked for.
pub fn refutation(
    pair: &Pair,
    function: &str,
    natively: bool,
) -> Result<Option<(Refutation, Duration)>, String> {
    let unit = unit(pair);
    let (worker, listing) = Worker::start(&unit.job).map_err(|error| error.to_string())?;
    match listing {
        Listing::Unreadable(_) => return Ok(None),
        Listing::Functions(all) if !all.iter().any(|f| f.name == function && f.lacks.is_none()) => {
            return Ok(None);
        }
        Listing::Functions(_) => {}
    }
    let task = Task { function: function.to_owned(), certificate: None, check: false };
    let (mut answer, _) = worker.answer(&task);
    let Verdict::Refuted(found) = &answer.report.verdict else { return Ok(None) };
    let last = found.left.len().max(found.right.len()).saturating_sub(1);
    let at_the_end = found.first_difference >= last;
    let time = answer.report.time;
    let natively = natively
        && match answer.native.take() {
            Some(Ok(plan)) => matches!(native::confirm(&unit, function, &plan), Finding::Confirmed(_)),
            Some(Err(_)) | None => false,
        };
    Ok(Some((Refutation { at_the_end, natively }, time)))
}

/// Runs passes of the optimiser.
pub fn optimised(opt: &Path, passes: &str, input: &Path, output: &Path) -> Result<(), String> {
    optimise(opt, passes, input, output).map_err(|error: Error| error.to_string())
}

/// Runs instruction selection.
pub fn selected(llc: &[String], input: &Path, output: &Path) -> Result<(), String> {
    let spec = Spec::from_argv(llc)
        .arg("-stop-after=finalize-isel")
        .args([input.as_os_str(), "-o".as_ref(), output.as_os_str()])
        .limits(Limits::within(Duration::from_secs(60)));
    let done = run(&spec);
    match done.outcome {
        Outcome::Exited(0) => Ok(()),
        outcome => {
            let said = String::from_utf8_lossy(&done.stderr);
            Err(said.lines().next().map_or_else(|| outcome.describe(), str::to_owned))
        }
    }
}
