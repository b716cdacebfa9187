//! What in a compiler is to blame for a finding, found by leaving out parts of it until the bug is gone.
//!
//! To add a family of compilers: a file with a function from a [`Subject`] to a [`Blame`], and its line in [`of_unit`].

mod gcc;
mod llvm;
mod passes;
mod recompile;
mod search;
mod units;
mod versions;

pub use gcc::rivals;
pub use llvm::around;
pub use units::in_blame;
pub use versions::{affected, levels, table, with_options};

use super::model::{CompilerStage, Confidence, Culprit, Seen};
use super::subject::{Subject, Variation};
use crate::error::Error;
use toolchain::compiler::Family;

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Blame {
    /// What is to blame.
    pub culprit: Culprit,
    /// How far that is to be trusted.
    pub confidence: Confidence,
    /// The part of the compiler.
    pub stage: Option<CompilerStage>,
    /// What could not be found out, and why.
    pub notes: Vec<String>,
}

impl Blame {
    /// Nothing can be blamed, for this reason.
    fn nothing(why: &str) -> Blame {
        Blame { notes: vec![why.to_owned()], ..Blame::default() }
    }
}

/// Does the finding still show? It is asked twice.
pub fn still_shows(subject: &Subject<'_>) -> Result<Result<(), String>, Error> {
    for _ in 0..2 {
        match subject.ask(&Variation::default())?.seen {
            Seen::Shows => {}
            Seen::Right => return Ok(Err("the bug does not show any more with this compiler".to_owned())),
            Seen::Unknown { why } => return Ok(Err(format!("the bug does not show any more: {why}"))),
        }
    }
    Ok(Ok(()))
}

/// Blames a pass or an option of the finding's own compiler; `whole` for all that can be said, else only what findings are
/// grouped by.
pub fn blame(subject: &Subject<'_>, whole: bool) -> Result<Blame, Error> {
    if subject.is_single() { of_unit(subject, whole) } else { units::blame(subject, whole) }
}

/// Blames a pass that works on one unit: the program, or what a subject is focused on.
fn of_unit(subject: &Subject<'_>, whole: bool) -> Result<Blame, Error> {
    match subject.configuration.family() {
        Family::Clang | Family::ZigCc => llvm::blame(subject),
        Family::Gcc => gcc::blame(subject, whole),
        // These have no passes that can be left out: what the bug is, a detour around the construct says.
        Family::Tcc | Family::Pcc | Family::Unknown => Ok(Blame::default()),
    }
}
