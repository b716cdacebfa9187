//! Verdicts and what comes with them: certificates, counterexamples, reasons.

use crate::premise::{Premise, Stated, state};
use crate::reason::Reason;
use crate::{Shape, SyncPoint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::tactic::Stats;
use std::fmt;

/// The answer about a pair of programs. Never a Boolean. `A` is what an assumption is: the engine's own
/// [`Premise`], until the languages say what it means to people.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    bound(serialize = "A: Ord + Serialize", deserialize = "A: Ord + Deserialize<'de>")
)]
pub enum Verdict<A = Premise> {
    /// Related for all inputs.
    Proved(Certificate),
    /// Related for all inputs, if what is assumed holds.
    Conditional {
        /// What that is.
        assumptions: Stated<A>,
        /// The proof.
        certificate: Certificate,
    },
    /// Related on all runs that pass no point more often than this.
    Bounded {
        /// The bound.
        passes: u32,
        /// Why there is no proof.
        why: Box<Reason>,
    },
    /// Different.
    Refuted(Box<Counterexample>),
    /// Neither proved nor refuted.
    Unknown(Box<Reason>),
    /// A program does something that its semantics does not model.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: String,
    },
}

/// The verdicts without what comes with them: stable names, in the order in which they are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// [`Verdict::Proved`]
    Proved,
    /// [`Verdict::Conditional`]
    Conditional,
    /// [`Verdict::Bounded`]
    Bounded,
    /// [`Verdict::Refuted`]
    Refuted,
    /// [`Verdict::Unknown`]
    Unknown,
    /// [`Verdict::Unsupported`]
    Unsupported,
}

impl VerdictKind {
    /// Every verdict.
    pub const ALL: [VerdictKind; 6] = [
        VerdictKind::Proved,
        VerdictKind::Conditional,
        VerdictKind::Bounded,
        VerdictKind::Refuted,
        VerdictKind::Unknown,
        VerdictKind::Unsupported,
    ];

    /// The verdict's stable name.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Proved => "proved",
            VerdictKind::Conditional => "conditional",
            VerdictKind::Bounded => "bounded",
            VerdictKind::Refuted => "refuted",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Unsupported => "unsupported",
        }
    }
}

impl<A: Ord> Verdict<A> {
    /// Which verdict it is.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Proved(_) => VerdictKind::Proved,
            Verdict::Conditional { .. } => VerdictKind::Conditional,
            Verdict::Bounded { .. } => VerdictKind::Bounded,
            Verdict::Refuted(_) => VerdictKind::Refuted,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::Unsupported { .. } => VerdictKind::Unsupported,
        }
    }

    /// The proof, where there is one.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Verdict::Proved(certificate) | Verdict::Conditional { certificate, .. } => Some(certificate),
            Verdict::Bounded { .. }
            | Verdict::Refuted(_)
            | Verdict::Unknown(_)
            | Verdict::Unsupported { .. } => None,
        }
    }

    /// The same with other words for what is assumed, and with further assumptions: a proof that rests on any is a
    /// conditional one.
    pub fn resting_on<B: Ord>(self, words: impl Fn(A) -> B, more: Stated<B>) -> Verdict<B> {
        let (mut assumptions, certificate) = match self {
            Verdict::Proved(certificate) => (Stated::new(), certificate),
            Verdict::Conditional { assumptions, certificate } => {
                let mut all = Stated::new();
                state(&mut all, assumptions.into_iter().map(|(a, of)| (words(a), of)));
                (all, certificate)
            }
            Verdict::Bounded { passes, why } => return Verdict::Bounded { passes, why },
            Verdict::Refuted(found) => return Verdict::Refuted(found),
            Verdict::Unknown(why) => return Verdict::Unknown(why),
            Verdict::Unsupported { what, place } => return Verdict::Unsupported { what, place },
        };
        state(&mut assumptions, more);
        if assumptions.is_empty() {
            Verdict::Proved(certificate)
        } else {
            Verdict::Conditional { assumptions, certificate }
        }
    }
}

/// What was run to see a difference with one's own eyes. A solver's model alone is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Replay {
    /// Both programs were run again in the semantics, from the inputs as reported, and did the same things as before.
    InModel,
    /// What a compiler makes of both sides was run on the inputs too, and differs.
    Natively,
    /// As [`Replay::InModel`], but what a compiler makes of both sides did not differ on the inputs.
    NotNatively,
}

/// Inputs on which the two programs differ.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The left entry's variables and their values.
    pub inputs: Vec<(String, String)>,
    /// What the left did: events, then how it ended.
    pub left: Vec<String>,
    /// What the right did.
    pub right: Vec<String>,
    /// The points each side passed before each entry of its trace.
    pub paths: [Vec<Vec<String>>; 2],
    /// The first entry at which the traces differ; the last of both.
    pub first_difference: usize,
    /// What differs there, piece by piece.
    pub differences: Vec<String>,
    /// What confirmed it.
    pub replayed: Replay,
    /// The inputs as numbers, where all addresses are such that a process may have them; not sent to other processes.
    #[serde(skip)]
    pub numbers: Option<Box<crate::Inputs>>,
}

/// Most characters of an input that are shown.
const WIDE: usize = 160;

/// Most points of a path that are shown.
const SHOWN: usize = 4;

/// A path in words, its middle left out when it is long.
fn path(points: &[String]) -> String {
    if points.len() <= SHOWN {
        return points.join(" > ");
    }
    let (head, tail) = (&points[..SHOWN / 2], &points[points.len() - SHOWN / 2..]);
    format!("{} > ({} more) > {}", head.join(" > "), points.len() - SHOWN, tail.join(" > "))
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, v) in &self.inputs {
            // A memory may be long; the JSON report has all of it.
            let cut: String = v.chars().take(WIDE).collect();
            writeln!(f, "input {n} = {cut}{}", if cut.len() < v.len() { "..." } else { "" })?;
        }
        let mut rows = vec![["left".to_owned(), "right".to_owned()]];
        for i in 0..=self.first_difference {
            let cell = |trace: &[String], paths: &[Vec<String>]| {
                let passed = paths.get(i).filter(|p| !p.is_empty()).map(|p| format!("{}: ", path(p)));
                let did = trace.get(i).map_or("(ended)", |t| t);
                passed.unwrap_or_default() + did
            };
            rows.push([cell(&self.left, &self.paths[0]), cell(&self.right, &self.paths[1])]);
        }
        let width = rows.iter().map(|r| r[0].chars().count()).max().unwrap_or(0).min(70);
        for (i, [l, r]) in rows.iter().enumerate() {
            let mark = if i == self.first_difference + 1 { "!" } else { " " };
            writeln!(f, "{mark} {l:width$} | {r}")?;
        }
        for d in &self.differences {
            writeln!(f, "differs: {d}")?;
        }
        Ok(())
    }
}

/// What a proof consists of: the synchronisation points with their relations. Checking it again
/// needs no search ([`crate::recheck`]).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// Format version.
    pub version: u32,
    /// The functions' names.
    pub functions: (String, String),
    /// The points' names, to notice that the programs changed.
    pub point_names: Vec<(String, String)>,
    /// Was equivalence shown in both directions (no undefined behaviour used)?
    pub bisimulation: bool,
    /// The synchronisation points, the entries first.
    pub points: Vec<SyncPoint>,
}

/// Points to start a proof from, of which nothing is trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hints {
    /// Those of a certificate of earlier programs.
    Certificate(Certificate),
    /// Written by hand, in the words of reports.
    Text(String),
}

impl Hints {
    /// From text of either kind.
    pub fn from_text(text: &str) -> Result<Hints, String> {
        if text.trim_start().starts_with('{') {
            Certificate::from_text(text).map(Hints::Certificate)
        } else {
            Ok(Hints::Text(text.to_owned()))
        }
    }

    /// The points they name in two programs.
    pub fn points(&self, left: &Shape, right: &Shape) -> Result<Vec<SyncPoint>, String> {
        match self {
            Hints::Certificate(c) => Ok(c.hints(left, right)),
            Hints::Text(text) => crate::hints::parse(text, left, right),
        }
    }
}

impl Certificate {
    pub(crate) fn new(
        left: &Shape,
        right: &Shape,
        bisimulation: bool,
        points: Vec<SyncPoint>,
    ) -> Certificate {
        let name = |p: &SyncPoint| (left.point(p.left).name.clone(), right.point(p.right).name.clone());
        Certificate {
            version: 1,
            functions: (left.name.clone(), right.name.clone()),
            point_names: points.iter().map(name).collect(),
            bisimulation,
            points,
        }
    }

    /// As text (JSON).
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Its points as hints for another proof: found again by their names, so that they also fit programs in which
    /// they moved. Points that are gone are left out.
    pub fn hints(&self, left: &Shape, right: &Shape) -> Vec<SyncPoint> {
        let find = |(p, (l, r)): (&SyncPoint, &(String, String))| {
            Some(SyncPoint { left: left.find(l)?, right: right.find(r)?, constraints: p.constraints.clone() })
        };
        self.points.iter().zip(&self.point_names).filter_map(find).collect()
    }

    /// From text.
    pub fn from_text(text: &str) -> Result<Certificate, String> {
        serde_json::from_str(text).map_err(|e| format!("not a certificate: {e}"))
    }

    /// Does it speak of these programs?
    pub(crate) fn fits(&self, left: &Shape, right: &Shape) -> Result<(), String> {
        if self.version != 1 {
            return Err(format!("certificate of version {}, expected 1", self.version));
        }
        if self.points.len() != self.point_names.len() {
            return Err("as many names as points expected".into());
        }
        for (p, (l, r)) in self.points.iter().zip(&self.point_names) {
            let name = |s: &Shape, i: crate::PointId| s.points.get(i.index()).map(|p| p.name.clone());
            if name(left, p.left).as_ref() != Some(l) || name(right, p.right).as_ref() != Some(r) {
                return Err(format!("the programs have no points {l} / {r} at these places"));
            }
        }
        match self.points.first() {
            Some(p) if p.left == Shape::ENTRY && p.right == Shape::ENTRY => Ok(()),
            Some(_) | None => Err("the first point must be the entries".into()),
        }
    }
}

/// A verdict with what it cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "A: Ord + Serialize", deserialize = "A: Ord + Deserialize<'de>"))]
pub struct Report<A = Premise> {
    /// The answer.
    pub verdict: Verdict<A>,
    /// Solver effort.
    pub stats: Stats,
    /// Wall-clock time.
    pub time: std::time::Duration,
}
