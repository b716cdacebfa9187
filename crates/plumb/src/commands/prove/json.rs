//! The lines of `plumb prove --json` as types: what they hold is what `docs/schema/prove.json` says, which is generated
//! from here. Words are made here and in `equiv::report`, of verdicts that are types up to this point.

use super::answer::Answer;
use equiv::{Assumed, Certificate, Counterexample, Verdict};
use equiv::{Ending, Limit, Reason, ReasonKind, Replay, VerdictKind};
use langs::assumption::Assumption;
use langs::native::Finding;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of `plumb prove --json`.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A function's verdict.
    Function(Box<FunctionLine>),
    /// A file that cannot be read.
    File(FileLine),
    /// Counts over all functions: the last line.
    Summary(SummaryLine),
}

/// A function's verdict.
#[derive(Serialize, JsonSchema)]
pub struct FunctionLine {
    /// Its name.
    pub function: String,
    /// The file as it was given.
    pub file: String,
    /// `file:line` where it begins in the target.
    pub place: String,
    /// The verdict.
    pub verdict: VerdictKind,
    /// Milliseconds; none where nothing was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What was asked of the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueriesLine>,
    /// Most memory that was resident at once, in bytes.
    pub peak_memory: u64,
    /// How an unknown came about, where it was no obligation that stayed open in good time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// proved, conditional: the synchronisation points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<PointLine>>,
    /// conditional: what is assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<Vec<AssumptionLine>>,
    /// bounded: how often each point is passed at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// unknown, bounded: why there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonLine>,
    /// refuted: inputs on which both sides differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<CounterexampleLine>,
    /// unsupported: what is not modelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<UnsupportedLine>,
}

/// What an unknown ran out of, or how its worker ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Out of time.
    Time,
    /// Out of memory.
    Memory,
    /// The worker failed.
    Crash,
    /// The user stopped it.
    Stopped,
}

impl Ended {
    /// That of a reason, if it is one.
    pub fn of(reason: &Reason) -> Option<Ended> {
        match (reason.limit, &reason.kind) {
            (Some(Limit::Time), _) => Some(Ended::Time),
            (Some(Limit::Memory), _) => Some(Ended::Memory),
            (_, ReasonKind::Ended { ending: Ending::Stopped }) => Some(Ended::Stopped),
            (_, ReasonKind::Ended { .. }) => Some(Ended::Crash),
            (
                Some(Limit::Effort | Limit::Terms | Limit::Pairs | Limit::Joins | Limit::Rounds) | None,
                ReasonKind::Open { .. }
                | ReasonKind::Vacuous
                | ReasonKind::Entry { .. }
                | ReasonKind::Ran { .. }
                | ReasonKind::NotNatively { .. }
                | ReasonKind::Certificate { .. },
            ) => None,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Ended::Time => "out of time",
            Ended::Memory => "out of memory",
            Ended::Crash => "crashed",
            Ended::Stopped => "stopped",
        }
    }
}

/// What was asked of the solver.
#[derive(Serialize, JsonSchema)]
pub struct QueriesLine {
    /// Queries that normalisation decided.
    pub normalised: u64,
    /// Queries that went to the solver.
    pub solver: u64,
    /// Milliseconds in the solver.
    pub solver_ms: f64,
    /// The costliest.
    pub costliest: Option<CostliestLine>,
}

/// A query and what it cost.
#[derive(Serialize, JsonSchema)]
pub struct CostliestLine {
    /// What was asked.
    pub query: String,
    /// Milliseconds.
    pub ms: f64,
}

/// A synchronisation point.
#[derive(Serialize, JsonSchema)]
pub struct PointLine {
    /// The source's point.
    pub left: String,
    /// The target's.
    pub right: String,
    /// The relations there.
    pub relations: Vec<String>,
}

/// Something a proof rests on.
#[derive(Serialize, JsonSchema)]
pub struct AssumptionLine {
    /// Its stable name.
    pub name: Assumption,
    /// One sentence.
    pub what: String,
    /// What it is assumed of in particular, where that has names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
}

/// Two points.
#[derive(Serialize, JsonSchema)]
pub struct AtLine {
    /// The source's point.
    pub left: String,
    /// The target's.
    pub right: String,
}

/// Why there is no proof.
#[derive(Serialize, JsonSchema)]
pub struct ReasonLine {
    /// What stayed open, by kind.
    #[serde(flatten)]
    pub kind: ReasonKind,
    /// The same in words.
    pub what: String,
    /// From which synchronisation point.
    pub at: Option<AtLine>,
    /// The relation assumed there.
    pub relation: Vec<String>,
    /// Relations that seemed to hold there but are not preserved.
    pub dropped: Vec<String>,
    /// What the solver said, if it gave up.
    pub solver: Option<String>,
    /// The limit that was reached, where one was.
    pub limit: Option<Limit>,
    /// The costliest query.
    pub costliest: Option<CostliestLine>,
}

/// Inputs on which both sides differ.
#[derive(Serialize, JsonSchema)]
pub struct CounterexampleLine {
    /// The inputs by name.
    pub inputs: BTreeMap<String, String>,
    /// What the source did.
    pub left: Vec<String>,
    /// What the target did.
    pub right: Vec<String>,
    /// The points the source passed before each.
    pub left_path: Vec<Vec<String>>,
    /// The points the target passed before each.
    pub right_path: Vec<Vec<String>>,
    /// Where they first differ.
    pub first_difference: usize,
    /// What differs there.
    pub differences: Vec<String>,
    /// How it was confirmed.
    pub replayed: Replay,
    /// What came of running compiled code on the inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub natively: Option<Finding>,
}

/// What is not modelled.
#[derive(Serialize, JsonSchema)]
pub struct UnsupportedLine {
    /// What.
    pub what: String,
    /// Where.
    pub place: String,
}

/// A file that cannot be read.
#[derive(Serialize, JsonSchema)]
pub struct FileLine {
    /// As it was given.
    pub file: String,
    /// Always the same.
    pub verdict: FileVerdict,
    /// What is wrong.
    pub why: String,
}

/// What can be said of a file as a whole.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileVerdict {
    /// It cannot be read.
    Unreadable,
}

/// Counts over all functions.
#[derive(Serialize, JsonSchema)]
pub struct SummaryLine {
    /// Functions asked for.
    pub functions: usize,
    /// Functions with a verdict.
    pub answered: usize,
    /// How many of each.
    pub verdicts: BTreeMap<VerdictKind, u64>,
    /// Unknown for want of time.
    pub timed_out: u64,
    /// Unknown for want of memory.
    pub out_of_memory: u64,
    /// Unknown because the worker failed.
    pub crashed: u64,
    /// Mean time of those tried, in milliseconds.
    pub mean_ms: f64,
    /// Their median time.
    pub median_ms: f64,
    /// The longest.
    pub longest_ms: f64,
    /// Most memory of a function, in bytes.
    pub peak_memory: u64,
    /// How often the files were read again for a new worker.
    pub workers_replaced: u64,
    /// Wall-clock time of the whole.
    pub seconds: f64,
    /// What is unsupported, the most frequent first.
    pub unsupported: Vec<RankedLine>,
}

/// Something unsupported.
#[derive(Serialize, JsonSchema)]
pub struct RankedLine {
    /// What.
    pub what: String,
    /// In how many functions.
    pub functions: u64,
    /// The first of them.
    pub first: String,
}

fn ms(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn points(c: &Certificate) -> Vec<PointLine> {
    let point = |(p, (l, r)): (&equiv::SyncPoint, &(String, String))| PointLine {
        left: l.clone(),
        right: r.clone(),
        relations: p.constraints.iter().map(ToString::to_string).collect(),
    };
    c.points.iter().zip(&c.point_names).map(point).collect()
}

fn reason(r: &Reason) -> ReasonLine {
    ReasonLine {
        kind: r.kind.clone(),
        what: r.kind.to_string(),
        at: r.at.clone().map(|(left, right)| AtLine { left, right }),
        relation: r.relation.clone(),
        dropped: r.dropped.clone(),
        solver: r.solver.as_ref().map(ToString::to_string),
        limit: r.limit,
        costliest: r.costliest.clone().map(|(query, ms)| CostliestLine { query, ms: ms as f64 }),
    }
}

fn counterexample(c: &Counterexample, natively: Option<&Finding>) -> CounterexampleLine {
    let [left_path, right_path] = c.paths.clone();
    CounterexampleLine {
        inputs: c.inputs.iter().cloned().collect(),
        left: c.left.clone(),
        right: c.right.clone(),
        left_path,
        right_path,
        first_difference: c.first_difference,
        differences: c.differences.clone(),
        replayed: c.replayed,
        natively: natively.cloned(),
    }
}

impl FunctionLine {
    /// The line of a function that begins at `place` in `file`.
    pub fn of(function: &str, file: &str, place: &str, answer: &Answer) -> FunctionLine {
        let report = &answer.report;
        let stats = &report.stats;
        let costliest = stats.costliest.clone().map(|(query, t)| CostliestLine { query, ms: ms(t) });
        let queries = QueriesLine {
            normalised: stats.trivial,
            solver: stats.solver,
            solver_ms: ms(stats.time),
            costliest,
        };
        let mut line = FunctionLine {
            function: function.to_owned(),
            file: file.to_owned(),
            place: place.to_owned(),
            verdict: report.verdict.kind(),
            ms: answer.tried.then(|| ms(report.time)),
            queries: answer.tried.then_some(queries),
            peak_memory: answer.peak,
            ended: answer.ended(),
            points: report.verdict.certificate().map(points),
            assumptions: None,
            passes: None,
            reason: None,
            counterexample: None,
            unsupported: None,
        };
        match &report.verdict {
            Verdict::Proved(_) => {}
            Verdict::Conditional { assumptions, .. } => {
                let stated = |(name, of): (&Assumption, &std::collections::BTreeSet<String>)| {
                    AssumptionLine { name: *name, what: name.what(), of: of.iter().cloned().collect() }
                };
                line.assumptions = Some(assumptions.iter().map(stated).collect());
            }
            Verdict::Bounded { passes, why } => {
                line.passes = Some(*passes);
                line.reason = Some(reason(why));
            }
            Verdict::Refuted(found) => {
                line.counterexample = Some(counterexample(found, answer.natively.as_ref()));
            }
            Verdict::Unknown(why) => line.reason = Some(reason(why)),
            Verdict::Unsupported { what, place } => {
                line.unsupported = Some(UnsupportedLine { what: what.clone(), place: place.clone() });
            }
        }
        line
    }
}
