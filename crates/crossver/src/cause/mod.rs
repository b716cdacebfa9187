//! Root causes of differences ("Will you still compile me tomorrow?", sections 3 and 4.5): both functions are run again,
//! one instruction at a time, and what they differ in is followed backwards through what flowed where.
//!
//! * `flow`: a run as a graph of what instructions read from which others; `token`: what an instruction did, comparable
//!   between versions;
//! * `detail`: how closely both are compared;
//! * `align`: both runs side by side: instructions that did the same;
//! * `start`: where a run does what the other does not;
//! * `walk`: from there backwards, through what has no partner on the other side only, to the first such instruction.
//!
//! The paper collapses runs of interpreted operations to sets and matches these by value; and its MAX-SAT takes two values to
//! be equal only where the same producer made them. Both come together here: instructions are partners where they made the
//! same value at the same place in the order of both runs, whatever the instructions in between, and what has a partner is no cause.

mod align;
mod detail;
mod flow;
mod start;
mod token;
mod walk;

use crate::replay::plan::{Placed, Plan};
use crate::replay::{Observed, Replayer};
use flow::Flow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of cause it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// From what is the same on both sides, the instructions make other values.
    Value,
    /// The instructions go on elsewhere.
    Path,
}

impl CauseKind {
    /// The kind's stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CauseKind::Value => "value",
            CauseKind::Path => "path",
        }
    }
}

/// The instructions to blame for a difference. A side has none where the other does something that it does not do, and
/// nothing lies in that place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// Its kind.
    pub kind: CauseKind,
    /// On the old side.
    pub old: Option<Placed>,
    /// On the new side.
    pub new: Option<Placed>,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told =
            |side: &Option<Placed>| side.as_ref().map_or_else(|| "nothing".to_owned(), Placed::to_string);
        write!(f, "{} | {}", told(&self.old), told(&self.new))
    }
}

/// The cause of what both runs of a plan differ in. None where a run cannot be followed, or where following it leads to
/// nothing.
#[must_use]
pub fn of(plan: &Plan, observed: &Observed, replayer: &Replayer) -> Option<Cause> {
    // The difference may show with the second run's junk alone.
    [false, true].into_iter().find_map(|second| {
        let steps = replayer.steps(plan, second).ok()?;
        let detail = detail::detail(plan);
        let [old, new] = steps.each_ref();
        let old = Flow::of(plan, &plan.sides[0], old, detail);
        let new = Flow::of(plan, &plan.sides[1], new, detail);
        let starts = start::starts(plan, observed, [&old, &new], second)?;
        let found = walk::Walk::new([&old, &new]).cause(starts)?;
        let placed = |n: usize, flow: &Flow| {
            let at = flow.nodes.get(found.blamed[n]?)?.at;
            plan.sides[n].text.get(&at).cloned()
        };
        let mut cause = Cause { kind: found.kind, old: placed(0, &old), new: placed(1, &new) };
        // What seems to be missing may stand there and have done what something else did, too.
        match (&cause.old, &cause.new) {
            (Some(there), None) => cause.new = like(plan, 1, there),
            (None, Some(there)) => cause.old = like(plan, 0, there),
            _ => {}
        }
        (cause.old.is_some() || cause.new.is_some()).then_some(cause)
    })
}

/// The only instruction of a side that does the same as one of the other side, but for registers and numbers, for the same line.
fn like(plan: &Plan, side: usize, there: &Placed) -> Option<Placed> {
    let shape = |placed: &Placed| {
        let words = placed.instruction.split(|c: char| !c.is_ascii_lowercase() && c != '[');
        words
            .take(1)
            .map(str::to_owned)
            .chain([placed.instruction.contains('[').to_string()])
            .collect::<Vec<_>>()
    };
    let line = |placed: &Placed| placed.line.clone();
    let alike =
        |other: &&Placed| other.line.is_some() && line(other) == line(there) && shape(other) == shape(there);
    let mut found = plan.sides[side].text.values().filter(alike);
    let only = found.next()?;
    found.next().is_none().then(|| only.clone())
}
