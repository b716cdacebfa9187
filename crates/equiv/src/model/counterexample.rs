//! Counterexamples: inputs on which two programs differ, and what both did on them.

use super::Inputs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

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
    pub numbers: Option<Box<Inputs>>,
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
