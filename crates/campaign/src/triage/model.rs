//! What triage says of a finding, as types: kept in the store as JSON, printed, and read by reports and pages.

use crate::detours::Detour;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// What triage says of one finding: where it stands among the others, and what was found of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Triage {
    /// The finding's identity.
    pub finding: String,
    /// The group of findings that are the same bug: the identity of the finding that stands for it.
    pub group: String,
    /// Findings of the group, those that a hunt only counted included.
    pub members: u64,
    /// The group's place in the list of bugs to look at, from 1: most unlike those before it first, known bugs last.
    pub rank: u64,
    /// The name of the known bug that it is.
    pub known: Option<String>,
    /// What was found of the finding itself.
    #[serde(flatten)]
    pub analysis: Analysis,
}

impl Triage {
    /// Does it stand for its group?
    pub fn is_representative(&self) -> bool {
        self.finding == self.group
    }

    /// May it be the bug of another group, whose pass left out ends it, too?
    pub fn is_undecided(&self) -> bool {
        self.analysis.culprit.as_ref().is_some_and(|culprit| !culprit.rivals.is_empty())
    }
}

/// What was found of a finding by itself, without looking at others.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// What findings of the same bug have in common, as text without names and places of one program; part of the
    /// identity by which findings are grouped and by which known bugs are recognised.
    pub signature: String,
    /// What in the compiler is to blame; null where nothing could be blamed.
    pub culprit: Option<Culprit>,
    /// How often the runs that the culprit rests on were repeated, and how many of them agreed.
    pub confidence: Confidence,
    /// The part of the compiler that goes wrong.
    pub stage: Option<CompilerStage>,
    /// What every compiler looked at did at every level.
    pub levels: Vec<Cell>,
    /// Versions of this compiler that show the bug, oldest first.
    pub versions_affected: Vec<String>,
    /// The reduced program.
    pub reduced: Option<Source>,
    /// What proving the blamed pass said.
    pub proof: Option<Broken>,
    /// What could not be found out, and why.
    pub notes: Vec<String>,
    /// The passes to blame for other findings of which it is known whether this bug is gone without them.
    #[serde(default)]
    pub asked: Vec<String>,
    /// Was all looked at: levels, versions and proof, beside what findings are grouped by?
    pub complete: bool,
}

impl Analysis {
    /// The construct by which the bug is known: the bug is gone where that is computed another way.
    pub fn construct(&self) -> Option<Detour> {
        Detour::named(parts(&self.signature)?.1)
    }
}

/// What a signature is made of: the class of the bug, and what it is known by.
pub fn parts(signature: &str) -> Option<(&str, &str)> {
    signature.split_once(": ")
}

/// What in the compiler is to blame, as exactly as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Culprit {
    /// The pass without which, and without those behind it, the bug is gone.
    pub pass: Option<Pass>,
    /// The file of the unit whose compilation goes wrong, of a program of several.
    #[serde(default)]
    pub unit: Option<String>,
    /// Passes in front of it that other findings are blamed on, and without which alone this bug is gone, too: it may be
    /// theirs.
    #[serde(default)]
    pub rivals: Vec<Pass>,
    /// The transformation of that pass with which the bug begins.
    pub transformation: Option<Transformation>,
    /// The option that alone makes the bug go away, as `-fno-tree-ter`.
    pub flag: Option<String>,
    /// The step between levels with which the bug begins.
    pub level: Option<Step>,
    /// The step between versions with which the bug begins or ends.
    pub version: Option<Step>,
}

impl Culprit {
    /// The most exact name, by which findings are grouped; `None` where only levels or versions are known.
    pub fn name(&self) -> Option<String> {
        match (&self.pass, &self.flag) {
            (Some(pass), _) => Some(pass.to_string()),
            (None, Some(flag)) => Some(flag.clone()),
            (None, None) => None,
        }
    }
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        if let Some(pass) = &self.pass {
            let at = pass.function.as_ref().map(|name| format!(" on `{name}`")).unwrap_or_default();
            parts.push(format!("pass {pass}{at}"));
        }
        if let Some(unit) = &self.unit {
            parts.push(format!("in the compilation of {unit}"));
        }
        if !self.rivals.is_empty() {
            let names: Vec<String> = self.rivals.iter().map(Pass::to_string).collect();
            parts.push(format!("gone without {} alone, too", names.join(" or ")));
        }
        if let Some(Transformation { counter, number }) = &self.transformation {
            parts.push(format!("transformation {number} of counter {counter}"));
        }
        if let Some(flag) = &self.flag {
            parts.push(format!("gone with {flag}"));
        }
        if let Some(Step { right, wrong }) = &self.level {
            parts.push(format!("right at {right}, wrong at {wrong}"));
        }
        if let Some(Step { right, wrong }) = &self.version {
            parts.push(format!("right in {right}, wrong in {wrong}"));
        }
        f.write_str(&parts.join("; "))
    }
}

/// A pass of a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Pass {
    /// What kind of pass.
    pub kind: PassKind,
    /// The compiler's name for it, as `combine` or `InstCombinePass`.
    pub name: String,
    /// Its number in the run of the compiler, where passes are numbered.
    pub number: Option<u64>,
    /// The function or other unit of the program that it worked on.
    pub function: Option<String>,
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PassKind::Gimple | PassKind::Ipa | PassKind::Rtl => {
                write!(f, "{}-{}", self.kind.name(), self.name)
            }
            PassKind::Ir | PassKind::Machine => f.write_str(&self.name),
        }
    }
}

/// What a pass works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PassKind {
    /// GCC's statements of a function (`-fdisable-tree-`).
    Gimple,
    /// GCC's whole program (`-fdisable-ipa-`).
    Ipa,
    /// GCC's register transfer language (`-fdisable-rtl-`).
    Rtl,
    /// LLVM's intermediate representation.
    Ir,
    /// LLVM's code generation.
    Machine,
}

impl PassKind {
    /// The word for it in options and texts.
    pub fn name(self) -> &'static str {
        match self {
            PassKind::Gimple => "tree",
            PassKind::Ipa => "ipa",
            PassKind::Rtl => "rtl",
            PassKind::Ir => "ir",
            PassKind::Machine => "machine",
        }
    }

    /// The part of the compiler that such passes are.
    pub fn stage(self) -> CompilerStage {
        match self {
            PassKind::Gimple | PassKind::Ipa | PassKind::Ir => CompilerStage::Middle,
            PassKind::Rtl | PassKind::Machine => CompilerStage::Back,
        }
    }
}

/// The one transformation of a pass with which a bug begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Transformation {
    /// The counter of transformations (`-fdbg-cnt=COUNTER:NUMBER`).
    pub counter: String,
    /// How many may be done at least for the bug to show.
    pub number: u64,
}

/// Two neighbours in an order, of which one is right and the other wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The one without the bug.
    pub right: String,
    /// The one with it.
    pub wrong: String,
}

/// A part of a compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CompilerStage {
    /// From text to the first intermediate representation.
    Front,
    /// From intermediate representation to the same.
    Middle,
    /// From intermediate representation to machine code.
    Back,
}

impl CompilerStage {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            CompilerStage::Front => "front end",
            CompilerStage::Middle => "middle end",
            CompilerStage::Back => "back end",
        }
    }
}

/// How far a conclusion is to be trusted: the runs at both sides of the step that it rests on, repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    /// Runs that agree with the conclusion.
    pub agreed: u32,
    /// All runs.
    pub runs: u32,
}

impl Confidence {
    /// The agreeing part, from 0 to 1; 0 where nothing was run.
    pub fn share(self) -> f64 {
        if self.runs == 0 { 0.0 } else { f64::from(self.agreed) / f64::from(self.runs) }
    }
}

/// What a compiler at a level made of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// The compiler's command line.
    pub compiler: String,
    /// What it says of itself.
    pub version: String,
    /// Its target.
    pub target: String,
    /// The level, as `-O2`; a compiler of the finding's family had the finding's further options, too.
    pub level: String,
    /// What became of the program.
    pub seen: Seen,
}

/// What became of the program of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Seen {
    /// The bug shows.
    Shows,
    /// It does not, and nothing else is wrong.
    Right,
    /// Something else happened, or nothing can be said.
    Unknown {
        /// What.
        why: String,
    },
}

/// A file of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// Where it is, from the finding's directory.
    pub file: PathBuf,
    /// Its lines.
    pub lines: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// What proving the blamed pass said: which function it broke, and on what input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Broken {
    /// The function.
    pub function: String,
    /// The inputs on which both sides were run and differ, in words.
    pub input: String,
}
