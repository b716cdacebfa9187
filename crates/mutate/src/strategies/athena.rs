//! Athena: statements are taken out of and put into code that does not run, by a Markov chain that prefers programs
//! far from the seed (OOPSLA 2015). Its parts are in [`crate::athena`].

use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::Edit;
use crate::seed::Seed;

/// The strategy.
pub struct Athena;

impl Strategy for Athena {
    fn name(&self) -> &'static str {
        "athena"
    }

    fn about(&self) -> &'static str {
        "takes out and puts in statements that do not run, towards distant programs"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        crate::athena::walk(seed, settings, draw)
    }

    fn needs_database(&self) -> bool {
        true
    }
}
