//! The facts of a finding as one type: `finding.json` is written from it and read back into it.

use super::{AgainstFacts, Evidence};
use crate::configurations::Tested;
use crate::oracles::volatile::AccessFacts;
use crate::truth::Truth;
use crate::verdict::{FindingKind, OracleName, Stage};
use mutate::Edit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolchain::process::{Finished, Outcome};

/// All that is known of a finding, for programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// The stable identity: kind and a hash of campaign, seed, configuration and oracle.
    pub id: String,
    /// What kind of bug.
    pub kind: FindingKind,
    /// Who raised the alarm.
    pub oracle: OracleName,
    /// The step in which it shows.
    pub stage: Stage,
    /// One line for people.
    pub summary: String,
    /// What tells the bug from others of its kind; may be empty.
    pub signature: String,
    /// What makes it doubtful.
    pub doubt: Option<String>,
    /// The compiler's command line and level.
    pub configuration: String,
    /// The last command: the one that makes the program.
    pub command: Vec<String>,
    /// All commands, in order; several where the program has several units.
    pub commands: Vec<Vec<String>>,
    /// The command of plumb that writes the program, or the seed of the variant; null for programs read from files.
    pub source_command: Option<String>,
    /// Of a variant: the strategies whose edits it needs, separated by commas; `seed` where it needs none.
    pub strategies: Option<String>,
    /// Of a variant: the edits that the alarm needs.
    #[schemars(with = "Option<Vec<serde_json::Value>>")]
    pub edits: Option<Vec<Edit>>,
    /// Of a variant: how many edits it had.
    pub edits_before: Option<usize>,
    /// Of a variant: the name of its seed.
    pub variant_of: Option<String>,
    /// The compiler.
    pub compiler: CompilerFacts,
    /// Of a missed optimisation or a slow compilation: what does better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<AgainstFacts>,
    /// Of an alarm about a volatile object: what is done to it and what should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accesses: Option<AccessFacts>,
    /// The name of the data model.
    pub data_model: String,
    /// What the program is given as arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The program's name.
    pub program: String,
    /// The program's number.
    pub seed: u64,
    /// The key of the campaign.
    pub campaign: String,
    /// The version of plumb.
    pub plumb: String,
    /// What the program means; null where the compilers were compared with each other.
    pub expected: Option<Expected>,
    /// What the compiled program did; null where there was none.
    pub actual: Option<Actual>,
    /// What the compiler wrote to standard error, cut where it is long.
    pub compiler_stderr: String,
}

/// A compiler.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CompilerFacts {
    /// Its command line.
    pub name: String,
    /// What it says of itself.
    pub version: String,
    /// The target's triple.
    pub target: String,
}

impl CompilerFacts {
    /// Of a compiler.
    pub(super) fn of(tested: &Tested) -> CompilerFacts {
        CompilerFacts {
            name: tested.compiler.name(),
            version: tested.compiler.banner.clone(),
            target: tested.compiler.target.triple.clone(),
        }
    }
}

/// What a program means.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Expected {
    /// Its exit status, where it exits.
    pub exit: Option<u8>,
    /// The signal that ends it otherwise.
    pub signal: Option<i32>,
    /// What it prints, cut where it is long.
    pub stdout: String,
    /// Steps of the abstract machine.
    pub steps: u64,
}

/// What a compiled program did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Actual {
    /// How it ended.
    pub ended: Ended,
    /// Its exit status, where it exited.
    pub exit: Option<i32>,
    /// The signal that ended it otherwise.
    pub signal: Option<i32>,
    /// What it printed, cut where it is long.
    pub stdout: String,
    /// The CPU time it took.
    pub cpu_seconds: f64,
}

/// How a process ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It exited.
    Exited,
    /// A signal ended it.
    Signaled,
    /// It ran out of time.
    OutOfTime,
    /// It wrote too much.
    OutputLimit,
    /// It started too many processes.
    ProcessLimit,
    /// plumb was stopped.
    Cancelled,
    /// It did not start.
    NotStarted,
}

impl Ended {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Ended::Exited => "it exited",
            Ended::Signaled => "a signal ended it",
            Ended::OutOfTime => "it ran out of time",
            Ended::OutputLimit => "it wrote too much",
            Ended::ProcessLimit => "it started too many processes",
            Ended::Cancelled => "plumb was stopped",
            Ended::NotStarted => "it did not start",
        }
    }
}

impl Facts {
    /// The facts of an alarm.
    pub(super) fn of(evidence: &Evidence<'_>) -> Facts {
        let (alarm, tested) = (evidence.alarm, &evidence.configuration.tested);
        let commands = evidence.commands("program");
        let variant = evidence.variant;
        Facts {
            id: evidence.id(),
            kind: alarm.kind,
            oracle: alarm.oracle,
            stage: alarm.stage,
            summary: alarm.summary.clone(),
            signature: alarm.signature.clone(),
            doubt: alarm.doubt.clone(),
            configuration: evidence.configuration.label(),
            command: commands.last().cloned().unwrap_or_default(),
            commands,
            source_command: evidence.source_command.map(str::to_owned),
            strategies: variant.map(|v| v.strategies()),
            edits: variant.map(|v| v.variant.edits.clone()),
            edits_before: variant.map(|v| v.edits_before),
            variant_of: variant.map(|v| v.seed.clone()),
            compiler: CompilerFacts::of(tested),
            against: evidence.against.map(super::Against::facts),
            accesses: evidence.accesses.cloned(),
            data_model: tested.target.name.to_owned(),
            arguments: evidence
                .input
                .args
                .iter()
                .map(|arg| String::from_utf8_lossy(arg).into_owned())
                .collect(),
            program: evidence.program.to_owned(),
            seed: evidence.seed,
            campaign: evidence.campaign.to_owned(),
            plumb: env!("CARGO_PKG_VERSION").to_owned(),
            expected: expected(evidence.truth),
            actual: evidence.run.map(actual),
            compiler_stderr: said(evidence.compiler_stderr),
        }
    }
}

/// What a compiler said, with the files of its scratch directory named as in every other process.
fn said(stderr: &[u8]) -> String {
    let text = toolchain::scratch::inside(&String::from_utf8_lossy(stderr));
    let here = std::env::current_dir().ok();
    clip(without(&text, here.as_deref().and_then(std::path::Path::to_str)).as_bytes())
}

/// The text without the directory that plumb was started in, where an option has it as its value: clang tells it of itself as
/// it crashes, and it is nobody's business.
fn without(text: &str, here: Option<&str>) -> String {
    let Some(here) = here.filter(|here| here.len() > 1) else { return text.to_owned() };
    let value = format!("={here}");
    let mut parts = text.split(&value);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = part.chars().next().is_none_or(|c| c.is_whitespace() || "'\"".contains(c));
        out += if ends { "=." } else { "=" };
        out += if ends { "" } else { here };
        out += part;
    }
    out
}

fn expected(truth: &Truth) -> Option<Expected> {
    match truth {
        Truth::Known { outcome, steps } => {
            let (exit, signal) = match outcome.exit {
                machine::Exit::Code(code) => (Some(code), None),
                machine::Exit::Signal(signal) => (None, Some(signal)),
            };
            Some(Expected { exit, signal, stdout: clip(&outcome.stdout), steps: *steps })
        }
        Truth::Opaque { .. } | Truth::Rejected(_) => None,
    }
}

fn actual(run: &Finished) -> Actual {
    let (ended, exit, signal) = match run.outcome {
        Outcome::Exited(code) => (Ended::Exited, Some(code), None),
        Outcome::Signaled(signal) => (Ended::Signaled, None, Some(signal)),
        Outcome::TimedOut(_) => (Ended::OutOfTime, None, None),
        Outcome::OutputLimit(_) => (Ended::OutputLimit, None, None),
        Outcome::ProcessLimit => (Ended::ProcessLimit, None, None),
        Outcome::Cancelled => (Ended::Cancelled, None, None),
        Outcome::SpawnFailed(_) => (Ended::NotStarted, None, None),
    };
    Actual { ended, exit, signal, stdout: clip(&run.stdout), cpu_seconds: run.usage.cpu().as_secs_f64() }
}

/// Text for the facts; the whole of a long output is what the reproducer prints.
pub fn clip(bytes: &[u8]) -> String {
    const LONGEST: usize = 4096;
    let mut text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned();
    if bytes.len() > LONGEST {
        text.push_str(&format!("... ({} bytes in all)", bytes.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn where_plumb_was_started_is_not_told() {
        let said = "clang -cc1 -fdebug-compilation-dir=/home/a/b -o x \"-fcoverage=/home/a/b\" -I=/home/a/bc -J=/home/a/b/c /home/a/b";
        let told = "clang -cc1 -fdebug-compilation-dir=. -o x \"-fcoverage=.\" -I=/home/a/bc -J=/home/a/b/c /home/a/b";
        assert_eq!(without(said, Some("/home/a/b")), told);
        assert_eq!(without(said, Some("/")), said);
    }
}
