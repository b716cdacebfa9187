//! Worker processes: started within limits, watched, and replaced when one dies or grows too large.

use super::{OUT_OF_MEMORY, Work};
use campaign::Error;
use campaign::toolchain::process::{Limits, Outcome, Read, Session, Spec, Stdin};
use equiv::{Ending, Limit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// How long reading the files may take.
const READING: Duration = Duration::from_secs(120);

/// The limits of a task are of CPU time. On a busy machine that passes more slowly: so many times as long, and so
/// much longer, a worker may take by the clock on the wall before it counts as hanging.
const BUSY: f64 = 10.0;
const GRACE: Duration = Duration::from_secs(10);

/// SIGKILL.
const KILLED: i32 = 9;

/// A worker that has read its files.
pub struct Worker<W: Work> {
    session: Session,
    job: W::Job,
    pending: Vec<u8>,
    /// It has answered before, and may have kept memory.
    used: bool,
}

/// Why there is no answer.
enum Lost {
    /// It did not answer in time.
    Late,
    /// It ended.
    Died,
}

impl<W: Work> Worker<W> {
    /// Starts a worker and has it read its files.
    pub fn start(job: &W::Job) -> Result<(Worker<W>, W::Listing), Error> {
        let program =
            std::env::current_exe().map_err(|error| Error::file("find", "/proc/self/exe", &error))?;
        let limits = Limits {
            wall: None,
            cpu: None,
            address_space: Some(W::allowance(job).memory),
            stdout: 256 << 20,
            stderr: 1 << 20,
            ..Limits::default()
        };
        let spec = Spec::new(program).arg(W::COMMAND).stdin(Stdin::Piped).limits(limits);
        let session = Session::start(&spec).map_err(|error| Error::Resource(error.to_string()))?;
        let mut worker = Worker { session, job: job.clone(), pending: Vec::new(), used: false };
        let why = match worker.ask::<W::Job, W::Listing>(job, READING) {
            Ok(listing) => return Ok((worker, listing)),
            Err(Lost::Late) => format!("reading took longer than {} s", READING.as_secs()),
            Err(Lost::Died) => worker.end().0.to_string(),
        };
        Err(Error::Resource(format!("`{}`: {why}", W::name(job))))
    }

    /// Answers one task. The worker comes back where it can go on.
    pub fn answer(mut self, task: &W::Task) -> (W::Answer, Option<Worker<W>>) {
        let allowed = W::allowance(&self.job);
        let time = allowed.time.mul_f64(BUSY) + GRACE;
        let begun = Instant::now();
        let (ending, peak) = match self.ask::<W::Task, W::Answer>(task, time) {
            Ok(mut answer) => {
                let crowded = *W::memory(&mut answer).1 > allowed.memory / 10 * 6;
                self.used = true;
                return (answer, (!crowded).then_some(self));
            }
            Err(Lost::Late) => (Ending::Late { seconds: time.as_secs() }, 0),
            Err(Lost::Died) => {
                let (job, used) = (self.job.clone(), self.used);
                let end = self.end();
                // What earlier functions left behind took its room: the verdict must not hang on them.
                if used
                    && end.0.limit() == Some(Limit::Memory)
                    && let Ok((fresh, _)) = Worker::start(&job)
                {
                    return fresh.answer(task);
                }
                end
            }
        };
        let mut answer = W::ended(ending, Some(begun.elapsed()));
        *W::memory(&mut answer).0 = peak;
        (answer, None)
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

    /// How a worker ended that should not have, and its largest resident set in bytes.
    fn end(self) -> (Ending, u64) {
        let allowed = W::allowance(&self.job);
        let limit = allowed.memory;
        let done = self.session.finish();
        let peak = done.usage.max_rss;
        let out_of_memory = Ending::OutOfMemory { megabytes: limit >> 20 };
        let ending = match done.outcome {
            Outcome::Exited(code) if code == i32::from(OUT_OF_MEMORY) => out_of_memory,
            Outcome::Signaled(KILLED) => Ending::Killed,
            Outcome::Signaled(signal) => {
                let said = String::from_utf8_lossy(&done.stderr);
                let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
                Ending::Crashed { signal, said: last.unwrap_or_default().to_owned() }
            }
            Outcome::Cancelled => Ending::Stopped,
            Outcome::Exited(code) => Ending::Exited { code },
            Outcome::TimedOut(_) => Ending::Late { seconds: allowed.time.as_secs() },
            Outcome::OutputLimit(_) => Ending::TooMuchOutput,
            Outcome::ProcessLimit => Ending::TooManyProcesses,
            Outcome::SpawnFailed(error) => Ending::NotStarted { why: error.to_string() },
        };
        (ending, peak)
    }
}
