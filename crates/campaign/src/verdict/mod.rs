//! The verdicts of a test: what the oracles say of one program in one configuration. Everything here is a type with
//! a stable name; words are made where something is printed.

mod names;
mod reasons;

pub use names::Named;
pub use reasons::{Inconclusive, InconclusiveKind, Limit, Reason, Rejection, RejectionKind};

pub(crate) use names::named;

named! {
    /// What kind of compiler bug an alarm claims.
    FindingKind {
        Crash "crash" "The compiler died.";
        Hang "hang" "The compiler, or the program it made, does not end.";
        WrongCode "wrong-code" "The compiled program does not do what the source says.";
        Refusal "refusal" "The compiler refuses at one level what it takes at another.";
        FalseReport "false-sanitizer-report" "A sanitizer objects to a program that is defined.";
        MissedOptimisation "missed-optimisation" "The compiler left in what it could have removed.";
        DebugInfo "debug-info" "Debug information changes the code.";
        Volatile "volatile" "The compiled program accesses a volatile object otherwise than it must.";
        SlowCompilation "slow-compilation" "The compiler took far more time or memory than others do.";
    }
}

named! {
    /// Which step of a test something happened in.
    Stage {
        Compile "compile" "The compiler ran.";
        Run "run" "The compiled program ran.";
    }
}

named! {
    /// Who raised an alarm.
    OracleName {
        Crash "crash" "The compiler died.";
        Hang "hang" "Something does not end.";
        WrongCode "wrong-code" "The abstract machine says otherwise.";
        Refusal "refusal" "The same compiler takes the program at another level.";
        Sanitizer "sanitizer" "A sanitizer objects, and the abstract machine does not.";
        Disagreement "disagreement" "The majority of the compilers says otherwise.";
        Unoptimised "unoptimised" "Unoptimised programs do otherwise, and the machine cannot tell what is right.";
        MissedOptimisation "missed-optimisation" "Another configuration removes the dead block.";
        DebugInfo "debug-info" "The same configuration makes other code without debug information.";
        Volatile "volatile" "The abstract machine accesses the volatile object otherwise.";
        SlowCompilation "slow-compilation" "Another configuration compiles it at a fraction of the cost.";
    }
}

named! {
    /// What the cost of a compilation is measured in.
    Measure {
        Time "time" "CPU time.";
        Memory "memory" "The largest resident set of one process.";
    }
}

named! {
    /// Which configuration does better, seen from one that does worse.
    Relation {
        Regression "regression" "An older version of the same compiler, at the same level.";
        Level "level" "The same compiler at another level.";
        DebugInfo "debug-info" "The same configuration without debug information.";
        Compiler "compiler" "Another compiler at the same level or a lower one.";
    }
}

named! {
    /// What became of a program in one configuration.
    Answer {
        Pass "pass" "Looked at, and right.";
        Alarm "alarm" "Wrong.";
        Inconclusive "inconclusive" "Cannot be decided.";
        Rejected "rejected" "Not tested: the program has no known meaning there.";
    }
}

/// A claim that a compiler is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// What kind of bug.
    pub kind: FindingKind,
    /// The oracle that raised it.
    pub oracle: OracleName,
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
    Inconclusive(Inconclusive),
    /// Wrong.
    Alarm(Alarm),
}

impl Judgement {
    /// Undecided, with nothing more to say.
    pub fn undecided(kind: InconclusiveKind) -> Judgement {
        Judgement::Inconclusive(Inconclusive::plain(kind))
    }
}

/// What all oracles together say of one configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Right.
    Pass,
    /// Cannot be decided: why.
    Inconclusive(Inconclusive),
    /// Wrong.
    Alarm(Alarm),
}

impl Verdict {
    /// Joins the answers of all oracles: an alarm outweighs a doubt, a doubt outweighs a pass, and silence of all
    /// is a doubt too, never a pass.
    pub fn join(all: impl IntoIterator<Item = Judgement>) -> Verdict {
        let mut joined = Judgement::Silent;
        for next in all {
            if weight(&next) > weight(&joined) {
                joined = next;
            }
        }
        match joined {
            Judgement::Silent => Verdict::Inconclusive(Inconclusive::plain(InconclusiveKind::NoOracle)),
            Judgement::Pass => Verdict::Pass,
            Judgement::Inconclusive(why) => Verdict::Inconclusive(why),
            Judgement::Alarm(alarm) => Verdict::Alarm(alarm),
        }
    }
}

fn weight(judgement: &Judgement) -> u8 {
    match judgement {
        Judgement::Silent => 0,
        Judgement::Pass => 1,
        Judgement::Inconclusive(_) => 2,
        Judgement::Alarm(_) => 3,
    }
}
