//! Proteus: the program in several translation units, for bugs of linking and of optimisation at link time (ISSTA
//! 2015). How it is taken apart is in [`crate::proteus`].

use super::{Settings, Splitter, Strategy};
use crate::choices::Choices;
use crate::edit::Edit;
use crate::seed::Seed;

/// The strategy.
pub struct Proteus;

impl Strategy for Proteus {
    fn name(&self) -> &'static str {
        "proteus"
    }

    fn about(&self) -> &'static str {
        "splits the variant into several files, as --split 4 does"
    }

    fn edits(&self, _: &Seed, _: &Settings, _: &mut Choices) -> Vec<Edit> {
        Vec::new()
    }

    fn splitter(&self) -> Option<Splitter> {
        Some(crate::proteus::split)
    }
}
