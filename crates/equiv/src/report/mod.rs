//! Reports in words: verdicts are types up to here.
//!
//! In: a [`Report`]. Out: its headline and details for people.

use crate::model::{Certificate, Premise, Reason, Report, Stated, Verdict};
use std::collections::BTreeSet;

/// Most relations of a point that are shown as text.
const SHOWN: usize = 12;

/// An assumption as verdicts state it.
pub trait Assumed: Ord {
    /// One sentence for people, without a full stop.
    fn what(&self) -> String;
}

impl Assumed for Premise {
    fn what(&self) -> String {
        match self {
            Premise::Operation(_) => "operations known by name mean the same on both sides".to_owned(),
            Premise::GoesOn => "execution goes on behind some events".to_owned(),
            Premise::LeftErrs => "the left errs whatever it is given".to_owned(),
            Premise::OneValueAName => "a name for an unknown value stands for one value".to_owned(),
        }
    }
}

impl<A: Assumed> Report<A> {
    /// What the verdict rests on, in one line.
    pub fn headline(&self) -> String {
        match &self.verdict {
            Verdict::Proved(c) => at_points(c),
            Verdict::Conditional { assumptions, certificate } => {
                format!("{}; assuming: {}", at_points(certificate), assumed(assumptions))
            }
            Verdict::Bounded { passes, why } => format!("up to {passes} passes of each point; {why}"),
            Verdict::Refuted(c) => match c.differences.first() {
                Some(d) => d.clone(),
                None => {
                    let end = |trace: &[String]| trace.last().cloned().unwrap_or_default();
                    format!("{} | {}", end(&c.left), end(&c.right))
                }
            },
            Verdict::Unknown(why) => why.to_string(),
            Verdict::Unsupported { what, .. } => what.clone(),
        }
    }

    /// What comes below the verdict's line: traces, points with their relations, or why there is no answer.
    pub fn details(&self) -> String {
        match &self.verdict {
            Verdict::Proved(c) | Verdict::Conditional { certificate: c, .. } => relations(c),
            Verdict::Bounded { why, .. } | Verdict::Unknown(why) => explain(why),
            Verdict::Refuted(c) => c.to_string(),
            Verdict::Unsupported { .. } => String::new(),
        }
    }
}

fn at_points(c: &Certificate) -> String {
    let relations: usize = c.points.iter().map(|p| p.constraints.len()).sum();
    let many = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    format!("{}, {}", many(c.points.len(), "point"), many(relations, "relation"))
}

/// What is assumed, and of what.
fn assumed<A: Assumed>(all: &Stated<A>) -> String {
    let one = |(what, of): (&A, &BTreeSet<String>)| match of.len() {
        0 => what.what(),
        _ => format!("{} ({})", what.what(), of.iter().cloned().collect::<Vec<_>>().join(", ")),
    };
    all.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn relations(c: &Certificate) -> String {
    let mut out = String::new();
    for (p, (l, r)) in c.points.iter().zip(&c.point_names) {
        out.push_str(&format!("at {l} / {r}: {}\n", shorten(&p.constraints)));
    }
    out
}

fn explain(r: &Reason) -> String {
    let mut out = format!("open: {}\n", r.kind);
    if let Some((l, right)) = &r.at {
        out.push_str(&format!("from: {l} / {right}\n"));
    }
    if !r.relation.is_empty() {
        out.push_str(&format!("assuming: {}\n", shorten(&r.relation)));
    }
    if !r.dropped.is_empty() {
        out.push_str(&format!("not preserved: {}\n", shorten(&r.dropped)));
    }
    if let Some(s) = &r.solver {
        out.push_str(&format!("solver: {s}\n"));
    }
    if let Some((query, time)) = &r.costliest {
        out.push_str(&format!("costliest query: {query} ({time} ms)\n"));
    }
    out
}

fn shorten<T: ToString>(items: &[T]) -> String {
    let mut out: Vec<String> = items.iter().take(SHOWN).map(ToString::to_string).collect();
    if items.len() > SHOWN {
        out.push(format!("and {} more", items.len() - SHOWN));
    }
    out.join(", ")
}
