//! The compiled program does not do what the abstract machine says it means: other output, other exit status,
//! another signal, or no program at all from a compiler that reported success.
//!
//! The expected answer is the machine's, so one compiler is enough. With several of them the machine is put to
//! the test as well: when different compilers agree with each other and none with the machine, the alarm says so.

use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, InconclusiveKind, Judgement, OracleName, Stage};
use machine::{Exit, Outcome as Meaning};
use toolchain::compiler::CompileOutcome;
use toolchain::crash::signal_name;
use toolchain::process::{Finished, Outcome, Stream};

/// See the module.
pub struct WrongCode;

impl Oracle for WrongCode {
    fn name(&self) -> OracleName {
        OracleName::WrongCode
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        let Truth::Known { outcome: meaning, .. } = case.truth(seen) else { return Judgement::Silent };
        if seen.compile.outcome == CompileOutcome::NoOutput {
            let summary = "the compiler reported success but wrote no program".to_owned();
            return Judgement::Alarm(self.alarm(Stage::Compile, summary, None));
        }
        let Some(run) = &seen.run else { return Judgement::Silent };
        match compare(meaning, run, case.configuration(seen).is_x86()) {
            Compared::Same => Judgement::Pass,
            Compared::Unknown(why) => Judgement::undecided(why),
            Compared::Differs(summary) => {
                Judgement::Alarm(self.alarm(Stage::Run, summary, doubt(case, seen, run)))
            }
        }
    }
}

impl WrongCode {
    fn alarm(&self, stage: Stage, summary: String, doubt: Option<String>) -> Alarm {
        Alarm {
            kind: FindingKind::WrongCode,
            oracle: self.name(),
            stage,
            signature: String::new(),
            summary,
            doubt,
        }
    }
}

/// What a compiled program did, compared with what it means.
pub enum Compared {
    /// It does what it means.
    Same,
    /// That cannot be told.
    Unknown(InconclusiveKind),
    /// It does not; how.
    Differs(String),
}

/// Compares what a compiled program did with what it means; `x86` where it ran on one.
pub fn compare(meaning: &Meaning, run: &Finished, x86: bool) -> Compared {
    let wanted = wanted(meaning.exit);
    match &run.outcome {
        Outcome::TimedOut(_) => Compared::Unknown(InconclusiveKind::RunTime),
        Outcome::Cancelled => Compared::Unknown(InconclusiveKind::Cancelled),
        Outcome::SpawnFailed(error) => Compared::Differs(format!("the program does not start: {error}")),
        Outcome::OutputLimit(Stream::Stdout) => {
            Compared::Differs(format!("expected {} bytes of output, got far more", meaning.stdout.len()))
        }
        Outcome::OutputLimit(_) => Compared::Unknown(InconclusiveKind::RunOutput),
        Outcome::ProcessLimit => Compared::Unknown(InconclusiveKind::RunProcesses),
        Outcome::Exited(code) if meaning.exit != Exit::Code(*code as u8) => {
            Compared::Differs(format!("expected {wanted}, got exit status {code}"))
        }
        Outcome::Signaled(signal) if !same_signal(meaning.exit, *signal, x86) => {
            Compared::Differs(format!("expected {wanted}, got signal {signal} ({})", signal_name(*signal)))
        }
        Outcome::Exited(_) | Outcome::Signaled(_) => match first_difference(&meaning.stdout, &run.stdout) {
            None => Compared::Same,
            Some(text) => Compared::Differs(text),
        },
    }
}

fn wanted(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(signal) => format!("signal {signal} ({})", signal_name(signal)),
    }
}

/// A trap instruction raises SIGILL on x86 and one of three signals elsewhere.
pub(crate) fn same_signal(expected: Exit, seen: i32, x86: bool) -> bool {
    match expected {
        Exit::Code(_) => false,
        Exit::Signal(signal) => signal == seen || (!x86 && signal == 4 && [5, 6].contains(&seen)),
    }
}

/// The first line in which two outputs differ, in words.
pub(crate) fn first_difference(expected: &[u8], seen: &[u8]) -> Option<String> {
    if expected == seen {
        return None;
    }
    let (mut left, mut right) = (expected.split(|b| *b == b'\n'), seen.split(|b| *b == b'\n'));
    for line in 1.. {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => {}
            (None, None) => break,
            (a, b) => {
                return Some(format!("line {line} of the output: expected {}, got {}", quoted(a), quoted(b)));
            }
        }
    }
    Some("the outputs differ".to_owned())
}

fn quoted(line: Option<&[u8]>) -> String {
    const LONGEST: usize = 80;
    match line {
        None => "nothing".to_owned(),
        Some(line) if line.len() > LONGEST => {
            format!("`{}`...", String::from_utf8_lossy(&line[..LONGEST]).escape_debug())
        }
        Some(line) => format!("`{}`", String::from_utf8_lossy(line).escape_debug()),
    }
}

/// Do all configurations of this data model agree with this one, across different compilers? Then the machine may
/// be the one that is wrong.
fn doubt(case: &Case<'_>, seen: &Observation, run: &Finished) -> Option<String> {
    let mine = case.configuration(seen);
    let mut others = 0;
    for other in case.observations {
        let theirs = case.configuration(other);
        if theirs.model != mine.model || other.configuration == seen.configuration {
            continue;
        }
        let Some(their_run) = &other.run else { continue };
        if their_run.outcome != run.outcome || their_run.stdout != run.stdout {
            return None;
        }
        if theirs.family() != mine.family() {
            others += 1;
        }
    }
    (others > 0).then(|| {
        "compilers of different make agree with each other against the abstract machine: suspect plumb first"
            .to_owned()
    })
}
