//! Worker processes for proofs: started within limits, watched, and replaced when one dies or grows too large.

use super::worker::{Answer, Job, Listing, Task, unknown};
use campaign::Error;
use campaign::toolchain::process::{Limits, Outcome, Read, Session, Spec, Stdin};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// How long reading the files may take.
const READING: Duration = Duration::from_secs(120);

/// The limits of a function are of CPU time. On a busy machine that passes more slowly: so many times as long, and so
/// much longer, a worker may take by the clock on the wall before it counts as hanging.
const BUSY: f64 = 10.0;
const GRACE: Duration = Duration::from_secs(10);

/// A worker that has read its files.
pub struct Worker {
    session: Session,
    job: Job,
    pending: Vec<u8>,
}

/// Why there is no answer.
enum Lost {
    /// It did not answer in time.
    Late,
    /// It ended.
    Died,
}

impl Worker {
    /// Starts a worker and has it read its files.
    pub fn start(job: &Job) -> Result<(Worker, Listing), Error> {
        let program =
            std::env::current_exe().map_err(|error| Error::file("find", "/proc/self/exe", &error))?;
        let limits = Limits {
            wall: None,
            cpu: None,
            address_space: Some(job.memory),
            stdout: 256 << 20,
            stderr: 1 << 20,
            ..Limits::default()
        };
        let spec = Spec::new(program).arg("prove-worker").stdin(Stdin::Piped).limits(limits);
        let session = Session::start(&spec).map_err(|error| Error::Resource(error.to_string()))?;
        let mut worker = Worker { session, job: job.clone(), pending: Vec::new() };
        let why = match worker.ask::<Job, Listing>(job, READING) {
            Ok(listing) => return Ok((worker, listing)),
            Err(Lost::Late) => format!("reading took longer than {} s", READING.as_secs()),
            Err(Lost::Died) => worker.end().1,
        };
        Err(Error::Resource(format!("`{}`: {why}", job.right.display())))
    }

    /// Answers for one function. The worker comes back where it can go on.
    pub fn answer(mut self, task: &Task) -> (Answer, Option<Worker>) {
        let time = self.job.time.mul_f64(BUSY) + GRACE;
        let begun = Instant::now();
        let (ended, what, peak) = match self.ask::<Task, Answer>(task, time) {
            Ok(answer) => {
                let crowded = answer.size > self.job.memory / 10 * 6;
                return (answer, (!crowded).then_some(self));
            }
            Err(Lost::Late) => ("time", format!("killed after {:.0} s", time.as_secs_f64()), 0),
            Err(Lost::Died) => self.end(),
        };
        let mut report = unknown(&what);
        report["ended"] = ended.into();
        report["ms"] = (begun.elapsed().as_secs_f64() * 1e3).into();
        (Answer { report, headline: what, peak, ..Answer::default() }, None)
    }

    fn ask<Q: Serialize, A: DeserializeOwned>(&mut self, question: &Q, time: Duration) -> Result<A, Lost> {
        let deadline = Instant::now() + time;
        let mut line = serde_json::to_vec(question).unwrap_or_default();
        line.push(b'\n');
        if !self.session.write(&line, Some(deadline)) {
            return Err(Lost::Died);
        }
        loop {
            if let Some(end) = self.pending.iter().position(|b| *b == b'\n') {
                let rest = self.pending.split_off(end + 1);
                let line = std::mem::replace(&mut self.pending, rest);
                return serde_json::from_slice(&line).map_err(|_| Lost::Died);
            }
            match self.session.read(Some(deadline)) {
                Read::Data(bytes) => self.pending.extend(bytes),
                Read::TimedOut => return Err(Lost::Late),
                Read::Ended => return Err(Lost::Died),
            }
        }
    }

    /// How a worker ended that should not have: what ran out, words for it, and its largest resident set in bytes.
    fn end(self) -> (&'static str, String, u64) {
        let limit = self.job.memory;
        let megabytes = limit >> 20;
        let done = self.session.finish();
        let peak = done.usage.max_rss;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let memory = ["memory allocation of", "capacity overflow", "Cannot allocate memory"];
        let (ended, what) = match done.outcome {
            // Short of memory it may not come to say so.
            Outcome::Signaled(signal)
                if memory.iter().any(|m| said.contains(m)) || signal == 6 && peak > limit / 2 =>
            {
                ("memory", format!("out of memory: more than {megabytes} MB"))
            }
            Outcome::Signaled(9) => ("memory", "killed by the system, most likely for its memory".to_owned()),
            Outcome::Signaled(_) if said.contains("overflowed its stack") => {
                ("crash", "internal error: stack overflow".to_owned())
            }
            Outcome::Signaled(signal) => ("crash", format!("internal error: ended by signal {signal}")),
            Outcome::Cancelled => ("stopped", "stopped".to_owned()),
            Outcome::Exited(code) => ("crash", format!("internal error: the worker exited with {code}")),
            Outcome::TimedOut(_) => ("time", "out of time".to_owned()),
            Outcome::OutputLimit(_) => ("crash", "internal error: too much output".to_owned()),
            Outcome::ProcessLimit => ("crash", "internal error: too many processes".to_owned()),
            Outcome::SpawnFailed(error) => ("crash", error.to_string()),
        };
        (ended, what, peak)
    }
}
