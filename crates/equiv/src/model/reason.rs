//! Why there is no answer: what stayed open, and which limit was reached.

use super::Side;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::Why;
use std::fmt;

/// What there was not enough of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The ceiling on time: with a longer one the verdict may become another.
    Time,
    /// The budget of work: it is used up at the same step every time.
    Effort,
    /// Memory.
    Memory,
    /// New terms between two cuts.
    Terms,
    /// Pairs of states followed from one synchronisation point.
    Pairs,
    /// States of one point that could not be joined into one.
    Joins,
    /// Rounds of the search: a point was never looked at.
    Rounds,
}

impl Limit {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Limit::Time => "out of time",
            Limit::Effort => "out of effort",
            Limit::Memory => "out of memory",
            Limit::Terms => "too many terms between two cuts",
            Limit::Pairs => "too many pairs of states from one point",
            Limit::Joins => "states that cannot be joined",
            Limit::Rounds => "a point that was never looked at",
        }
    }

    /// What a solver had not enough of.
    pub fn of(why: &Why) -> Option<Limit> {
        match why {
            Why::Time => Some(Limit::Time),
            Why::Effort => Some(Limit::Effort),
            Why::Memory => Some(Limit::Memory),
            Why::Incomplete(_) | Why::Backend(_) => None,
        }
    }
}

/// What is not shown at a synchronisation point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The two sides can do different things.
    Mismatch {
        /// What the left does.
        left: String,
        /// What the right does.
        right: String,
    },
    /// Both exit, with results that may differ.
    ExitDiffers,
    /// Both do the same kind of event, with arguments that may differ.
    EventDiffers {
        /// The event.
        event: String,
    },
    /// The right can go wrong where the left does not.
    RightError {
        /// What goes wrong, and where.
        error: String,
    },
    /// Something is not modelled.
    Unsupported {
        /// Which side.
        side: Side,
        /// What.
        what: String,
        /// Where.
        place: String,
    },
    /// A cycle that no synchronisation point cuts.
    Uncut {
        /// Which side.
        side: Side,
        /// A point on it.
        point: String,
    },
    /// The ways on from a state don't cover everything: the semantics is at fault.
    NotExhaustive {
        /// Which side.
        side: Side,
    },
    /// A constraint of the successor's synchronisation point is not preserved.
    Constraint {
        /// The constraint.
        constraint: String,
    },
    /// A limit was reached.
    Budget {
        /// Which.
        limit: Limit,
    },
    /// A constraint does not fit its points.
    BadConstraint {
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemKind::Mismatch { left, right } => write!(f, "left {left} while right {right}"),
            ProblemKind::ExitDiffers => f.write_str("results at the exit may differ"),
            ProblemKind::EventDiffers { event } => write!(f, "arguments of {event} may differ"),
            ProblemKind::RightError { error } => write!(f, "right may reach error {error}"),
            ProblemKind::Unsupported { side, what, place } => write!(f, "{side:?}: {what} at {place}"),
            ProblemKind::Uncut { side, point } => write!(f, "{side:?}: no cut on a cycle through {point}"),
            ProblemKind::NotExhaustive { side } => write!(f, "{side:?}: successors don't cover all cases"),
            ProblemKind::Constraint { constraint } => write!(f, "not preserved: {constraint}"),
            ProblemKind::Budget { limit } => write!(f, "out of budget: {}", limit.words()),
            ProblemKind::BadConstraint { why } => f.write_str(why),
        }
    }
}

/// How the process that looks for a proof ended before it answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// It did not answer in time, and was killed.
    Late {
        /// Seconds on the clock.
        seconds: u64,
    },
    /// It asked for more memory than it may have.
    OutOfMemory {
        /// What it may have.
        megabytes: u64,
    },
    /// The system killed it, most likely for its memory.
    Killed,
    /// It crashed.
    Crashed {
        /// The signal that ended it.
        signal: i32,
        /// The last line it wrote to stderr.
        said: String,
    },
    /// A part of it failed; it goes on.
    Panicked {
        /// What the panic said, and where.
        what: String,
    },
    /// It exited.
    Exited {
        /// With this code.
        code: i32,
    },
    /// It wrote more than it may.
    TooMuchOutput,
    /// It started more processes than it may.
    TooManyProcesses,
    /// It could not be started, or could not read the files.
    NotStarted {
        /// Why.
        why: String,
    },
    /// The user asked to stop.
    Stopped,
}

impl Ending {
    /// The limit it ran into, if it was one.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Ending::Late { .. } => Some(Limit::Time),
            Ending::OutOfMemory { .. } | Ending::Killed => Some(Limit::Memory),
            Ending::Crashed { .. }
            | Ending::Panicked { .. }
            | Ending::Exited { .. }
            | Ending::TooMuchOutput
            | Ending::TooManyProcesses
            | Ending::NotStarted { .. }
            | Ending::Stopped => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Late { seconds } => write!(f, "killed after {seconds} s"),
            Ending::OutOfMemory { megabytes } => write!(f, "out of memory: more than {megabytes} MB"),
            Ending::Killed => f.write_str("killed by the system, most likely for its memory"),
            Ending::Crashed { signal, said } if said.is_empty() => {
                write!(f, "internal error: ended by signal {signal}")
            }
            Ending::Crashed { signal, said } => {
                write!(f, "internal error: ended by signal {signal}: {said}")
            }
            Ending::Panicked { what } => write!(f, "internal error: {what}"),
            Ending::Exited { code } => write!(f, "internal error: the worker exited with {code}"),
            Ending::TooMuchOutput => f.write_str("internal error: too much output"),
            Ending::TooManyProcesses => f.write_str("internal error: too many processes"),
            Ending::NotStarted { why } => f.write_str(why),
            Ending::Stopped => f.write_str("stopped"),
        }
    }
}

/// Kinds of reasons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ReasonKind {
    /// An obligation does not close.
    Open {
        /// Which.
        problem: ProblemKind,
    },
    /// Everything closes, but no exit or event can be reached: it says nothing.
    Vacuous,
    /// The entry relation does not fit the programs.
    Entry {
        /// What is wrong.
        why: String,
    },
    /// Both sides were only run (`compare`), and did not differ.
    Ran {
        /// How often.
        runs: u32,
        /// How many runs got to an event or an exit.
        ended: u32,
    },
    /// A difference of values was seen in the semantics that compiled code does not show on the same inputs.
    NotNatively {
        /// What differed, piece by piece.
        differences: Vec<String>,
    },
    /// The certificate or the hints to start from cannot be used.
    Certificate {
        /// What is wrong with them.
        why: String,
    },
    /// No proof was looked for to the end.
    Ended {
        /// How that came.
        ending: Ending,
    },
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReasonKind::Open { problem } => write!(f, "{problem}"),
            ReasonKind::Vacuous => f.write_str("vacuous: no exit or event is reachable"),
            ReasonKind::Entry { why } => write!(f, "entry relation: {why}"),
            ReasonKind::NotNatively { differences } => {
                write!(f, "seen to differ, but not in compiled code: {}", differences.join(", "))
            }
            ReasonKind::Ran { runs, ended } => {
                write!(f, "no difference in {runs} runs, {ended} of which ended")
            }
            ReasonKind::Certificate { why } => f.write_str(why),
            ReasonKind::Ended { ending } => write!(f, "{ending}"),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// What could not be shown.
    pub kind: ReasonKind,
    /// The cut point: the names of the left and right points.
    pub at: Option<(String, String)>,
    /// The relation assumed there.
    pub relation: Vec<String>,
    /// Relations that seemed to hold there but are not preserved.
    pub dropped: Vec<String>,
    /// What the solver said, if it gave up.
    pub solver: Option<Why>,
    /// The limit that was reached, where one was.
    pub limit: Option<Limit>,
    /// The costliest query and its time in milliseconds.
    pub costliest: Option<(String, u64)>,
}

impl Reason {
    /// A reason that nothing more is known of than its kind.
    pub fn of(kind: ReasonKind) -> Reason {
        let limit = match &kind {
            ReasonKind::Open { problem: ProblemKind::Budget { limit } } => Some(*limit),
            ReasonKind::Ended { ending } => ending.limit(),
            ReasonKind::Open { .. }
            | ReasonKind::Vacuous
            | ReasonKind::Entry { .. }
            | ReasonKind::Ran { .. }
            | ReasonKind::NotNatively { .. }
            | ReasonKind::Certificate { .. } => None,
        };
        let (relation, dropped) = (Vec::new(), Vec::new());
        Reason { kind, at: None, relation, dropped, solver: None, limit, costliest: None }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some((l, r)) = &self.at {
            write!(f, " (from {l} / {r})")?;
        }
        if let Some(s) = &self.solver {
            write!(f, "; solver: {s}")?;
        }
        Ok(())
    }
}
