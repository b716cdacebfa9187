//! A configuration under suspicion, or one that must stay right: compiles a candidate and runs the result.

use crate::configurations::{Configuration, INPUT, Objects};
use crate::oracles::same_signal;
use crate::units::Units;
use crate::verdict::Stage;
use machine::Exit;
use mutate::Input;
use reduce::Case;
use reduce::interesting::compilers::{Ran, Subject};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toolchain::Cancel;
use toolchain::compiler::{Compilation, CompileOutcome, Compiled};
use toolchain::crash::normalise;
use toolchain::process::{Finished, Limits, Outcome, Stream, Usage, run};
use toolchain::scratch::ScratchRoot;

/// Time for what is not yet known to be quick.
const FIRST: Duration = Duration::from_secs(60);
/// The least limit of CPU time that is chosen for candidates, and how often the original's time it is; and how much longer
/// than that it may take by the clock, which a busy machine slows down.
const LEAST: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;
const WAITING: u32 = 10;
/// Bytes that a candidate may print.
const OUTPUT: usize = 1 << 20;

/// A configuration with what its programs are given and how long they may take.
#[derive(Clone)]
pub(super) struct Tried {
    pub configuration: Configuration,
    /// How programs of several units are compiled, without their texts; `None` where programs are one text.
    pub units: Option<Units>,
    pub input: Arc<Input>,
    pub scratch: ScratchRoot,
    pub compile: Limits,
    pub run: Limits,
    /// Units that were compiled before.
    objects: Arc<Objects>,
}

/// What one trial came to.
pub(super) struct Trial {
    pub compiled: Compiled,
    pub ran: Option<Finished>,
}

impl Tried {
    /// With generous limits.
    pub fn new(configuration: Configuration, input: &Arc<Input>, scratch: &ScratchRoot) -> Tried {
        let (input, scratch) = (Arc::clone(input), scratch.clone());
        let compile = Limits { address_space: Some(4 << 30), ..Limits::within(FIRST) };
        let run = Limits {
            stack: Some(512 << 20),
            stdout: OUTPUT,
            file_size: Some(16 << 20),
            processes: Some(8),
            ..Limits::within(FIRST)
        };
        Tried { configuration, units: None, input, scratch, compile, run, objects: Arc::default() }
    }

    /// Limits for candidates, by what a first trial took.
    pub fn tighten(&mut self, trial: &Trial) {
        let tighten = |limits: &mut Limits, usage: &Usage| {
            limits.cpu = Some(LEAST + usage.cpu() * TIMES);
            limits.wall = Some((LEAST + usage.wall * TIMES) * WAITING);
        };
        tighten(&mut self.compile, &trial.compiled.usage);
        tighten(&mut self.run, &trial.ran.as_ref().map_or_else(Usage::default, |ran| ran.usage));
    }

    /// The time limit of a stage, be it of CPU time or by the clock.
    pub fn limit(&self, stage: Stage) -> Duration {
        let limits = match stage {
            Stage::Compile => &self.compile,
            Stage::Run => &self.run,
        };
        [limits.cpu, limits.wall].into_iter().flatten().min().unwrap_or(FIRST)
    }

    /// Compiles and runs a program. `Err` says why that was not possible.
    pub fn try_case(&self, case: &Case, cancel: Option<&Cancel>) -> Result<Trial, String> {
        let no_dir = |error: std::io::Error| format!("no directory for the compiler: {error}");
        let (dir, cwd) = (self.scratch.dir().map_err(no_dir)?, self.scratch.dir().map_err(no_dir)?);
        let start = |configuration: &Configuration, cwd: &Path| {
            let spec = configuration.execute(dir.path(), cwd, &self.run, &self.input)?;
            Some(run(&match cancel {
                Some(cancel) => spec.cancel(cancel),
                None => spec,
            }))
        };
        let train = |trainer: &Configuration| start(trainer, dir.path());
        let cancelled = |job: Compilation| match cancel {
            Some(cancel) => job.cancel(cancel),
            None => job,
        };
        let compile = |configuration: &Configuration| match (&self.units, &case.files[..]) {
            (Some(units), _) => {
                let units = units.with_texts(case);
                let known = Some(&*self.objects);
                let built = configuration.compile_units(&units, dir.path(), &self.compile, known, &cancelled);
                built.map_err(|error| error.to_string())
            }
            (None, [file]) => {
                fs::write(dir.file(INPUT), &file.text).map_err(no_dir)?;
                let job = configuration.compilation(dir.path(), &self.compile);
                Ok(configuration.tested.compiler.compile(&cancelled(job)))
            }
            (None, files) => Err(format!("a program of one file has {}", files.len())),
        };
        let compiled = self.configuration.build(&compile, &train)?.compiled;
        if compiled.outcome != CompileOutcome::Ok {
            return Ok(Trial { compiled, ran: None });
        }
        let ran = start(&self.configuration, cwd.path());
        Ok(Trial { compiled, ran: Some(ran.ok_or_else(|| "its programs cannot be run here".to_owned())?) })
    }
}

/// What a trial says, as the reducer's test takes it.
pub(super) fn ran(trial: Trial) -> Ran {
    match trial.compiled.outcome {
        CompileOutcome::Ok => trial.ran.map_or(Ran::NoProgram, finished),
        CompileOutcome::Crashed(crash) => Ran::Crashed(crash.signature),
        CompileOutcome::TimedOut(_) => Ran::CompilerHung,
        CompileOutcome::NoOutput => Ran::NoProgram,
        CompileOutcome::Rejected { line } => Ran::Refused(normalise(&line)),
        outcome @ (CompileOutcome::OutOfMemory { .. }
        | CompileOutcome::OutputLimit(_)
        | CompileOutcome::ProcessLimit) => Ran::Refused(outcome.describe()),
        outcome @ (CompileOutcome::DiskFull { .. }
        | CompileOutcome::Cancelled
        | CompileOutcome::NotStarted(_)) => Ran::Failed(outcome.describe()),
    }
}

fn finished(done: Finished) -> Ran {
    match done.outcome {
        Outcome::Exited(code) => Ran::Exited(code, done.stdout),
        Outcome::Signaled(signal) => Ran::Signaled(signal, done.stdout),
        Outcome::TimedOut(_) => Ran::Endless,
        Outcome::OutputLimit(Stream::Stdout) => Ran::Chatty,
        outcome @ (Outcome::OutputLimit(_)
        | Outcome::ProcessLimit
        | Outcome::Cancelled
        | Outcome::SpawnFailed(_)) => Ran::Failed(outcome.describe()),
    }
}

impl Subject for Tried {
    fn run(&self, _worker: usize, case: &Case, cancel: &Cancel) -> Ran {
        match self.try_case(case, Some(cancel)) {
            Ok(trial) => ran(trial),
            Err(why) => Ran::Failed(why),
        }
    }

    fn same_signal(&self, meant: i32, seen: i32) -> bool {
        same_signal(Exit::Signal(meant), seen, self.configuration.is_x86())
    }
}
