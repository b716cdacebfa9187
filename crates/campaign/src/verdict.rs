//! The verdicts of a test: what the oracles say of one program in one configuration.

use serde::{Deserialize, Serialize};

/// What kind of compiler bug an alarm claims.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The compiler died.
    Crash,
    /// The compiler, or the program it made, does not end.
    Hang,
    /// The compiled program does not do what the source says.
    WrongCode,
    /// The compiler left in what it could have removed.
    MissedOptimisation,
}

impl Kind {
    /// All kinds.
    pub const ALL: &[Kind] = &[Kind::Crash, Kind::Hang, Kind::WrongCode, Kind::MissedOptimisation];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::WrongCode => "wrong-code",
            Kind::MissedOptimisation => "missed-optimisation",
        }
    }
}

/// Which step of a test something happened in.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The compiler ran.
    Compile,
    /// The compiled program ran.
    Run,
}

/// A claim that a compiler is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// What kind of bug.
    pub kind: Kind,
    /// The oracle that raised it.
    pub oracle: &'static str,
    /// Where it shows.
    pub stage: Stage,
    /// What tells this bug from another of its kind, as the assertion that failed; empty when nothing does.
    pub signature: String,
    /// One line for people.
    pub summary: String,
    /// Anything that makes the alarm doubtful, in words.
    pub doubt: Option<String>,
}

/// What one oracle says of one configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Not this oracle's business.
    Silent,
    /// Looked at, and right.
    Pass,
    /// Cannot be decided: why.
    Inconclusive(String),
    /// Wrong.
    Alarm(Alarm),
}

impl Judgement {
    /// Joins the answers of all oracles: an alarm outweighs a doubt, a doubt outweighs a pass, and silence of all
    /// is a doubt too, never a pass.
    pub fn join(all: impl IntoIterator<Item = Judgement>) -> Judgement {
        let mut joined = Judgement::Silent;
        for next in all {
            if next.weight() > joined.weight() {
                joined = next;
            }
        }
        match joined {
            Judgement::Silent => Judgement::Inconclusive("no oracle could judge it".to_owned()),
            Judgement::Pass | Judgement::Inconclusive(_) | Judgement::Alarm(_) => joined,
        }
    }

    fn weight(&self) -> u8 {
        match self {
            Judgement::Silent => 0,
            Judgement::Pass => 1,
            Judgement::Inconclusive(_) => 2,
            Judgement::Alarm(_) => 3,
        }
    }

    /// The stable name, as in the store and in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Judgement::Silent => "silent",
            Judgement::Pass => "pass",
            Judgement::Inconclusive(_) => "inconclusive",
            Judgement::Alarm(_) => "alarm",
        }
    }
}

/// Why a program is not used: it has no single meaning, or none that the machine can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// A short stable reason, for counting: `undefined: signed-overflow`.
    pub reason: String,
    /// Place and particulars.
    pub detail: String,
    /// Whether the reason is a limit of the machine rather than a fault of the program.
    pub limit: Limit,
}

/// Whose limit a [`Rejection`] comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The program has no portable meaning.
    Program,
    /// The machine does not support it.
    Unsupported,
    /// The machine's budget ran out.
    Budget,
}
