//! Findings that rest on a comparison: what the better configuration is, and in what it does better.

use super::CompilerFacts;
use crate::configurations::Configuration;
use crate::verdict::{Measure, Named, Relation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The configuration that does better than a finding's.
#[derive(Clone, Debug)]
pub struct Against {
    /// It.
    pub configuration: Configuration,
    /// What it is to the finding's.
    pub relation: Relation,
    /// In what it does better.
    pub what: Contrast,
}

/// In what one configuration does better than another.
#[derive(Clone, PartialEq, Debug)]
pub enum Contrast {
    /// It removes the call of this function, which the other leaves in.
    Marker(String),
    /// It compiles at a fraction of the cost.
    Cost(CostFacts),
    /// It makes other code, though they differ in debug information alone.
    Code,
}

/// What compiling a program costs in two configurations, in seconds of CPU time or bytes of memory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CostFacts {
    /// What was measured.
    pub measure: Measure,
    /// In the finding's configuration.
    pub worse: f64,
    /// In the better one.
    pub better: f64,
    /// So many times the cost of the better one is out of line: eight times the usual factor between the two.
    pub factor: f64,
}

/// What a finding's configuration was compared with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AgainstFacts {
    /// What the better configuration is to the finding's.
    pub relation: Relation,
    /// Its compiler's command line and level.
    pub configuration: String,
    /// Its command.
    pub command: Vec<String>,
    /// Its compiler.
    pub compiler: CompilerFacts,
    /// Of a missed optimisation: the undefined function whose call it removes.
    pub marker: Option<String>,
    /// Of a slow compilation: the costs.
    pub cost: Option<CostFacts>,
}

/// What the assembly of the better configuration is called, in a reproducer and in facts.
pub(super) const BETTER: &str = "better";

impl Against {
    /// A missed optimisation in one line: the marker, who removes it, and what decides about its block.
    pub(crate) fn missed(&self, marker: &str, guard: &str) -> String {
        format!("the call of {marker} is never reached; {} removes it: {guard}", self.configuration.label())
    }

    /// As facts.
    pub(super) fn facts(&self) -> AgainstFacts {
        let (marker, cost) = match &self.what {
            Contrast::Marker(name) => (Some(name.clone()), None),
            Contrast::Cost(cost) => (None, Some(cost.clone())),
            Contrast::Code => (None, None),
        };
        AgainstFacts {
            relation: self.relation,
            configuration: self.configuration.label(),
            command: self.configuration.assembly_command(BETTER),
            compiler: CompilerFacts::of(&self.configuration.tested),
            marker,
            cost,
        }
    }

    /// What tells it from other comparisons of the same program and configuration.
    pub(super) fn identity(&self) -> String {
        let what = match &self.what {
            Contrast::Marker(name) => name.as_str(),
            Contrast::Cost(cost) => cost.measure.name(),
            Contrast::Code => "code",
        };
        format!("{} {what}", self.relation.name())
    }
}
