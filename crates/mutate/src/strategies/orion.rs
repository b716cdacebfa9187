//! Orion: unexecuted statements are taken out at random (review of the PLDI 2014 paper, "EMI in Practice").
//!
//! Walks each function; a dead statement goes with a probability, else its parts are visited. The two probabilities,
//! one for statements that hold others and one for the rest, are drawn anew for each variant.

use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::{Life, Place};
use crate::seed::Seed;
use csyntax::ast::StmtKind;
use csyntax::visit::substatements_mut;

/// The strategy.
pub struct Orion;

impl Strategy for Orion {
    fn name(&self) -> &'static str {
        "orion"
    }

    fn about(&self) -> &'static str {
        "takes out statements that do not run"
    }

    fn needs_coverage_only(&self) -> bool {
        true
    }

    fn edits(&self, seed: &Seed, _: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let (compound, simple) = (draw.unit(), draw.unit());
        let mut edits = Vec::new();
        let mut gone: Option<u32> = None;
        for place in &seed.places.all {
            let span = seed.ast[place.stmt].span;
            if gone.is_some_and(|end| span.lo < end) {
                continue;
            }
            gone = None;
            if !prunable(seed, place) {
                continue;
            }
            let mut kind = seed.ast[place.stmt].kind.clone();
            let probability = if substatements_mut(&mut kind).is_empty() { simple } else { compound };
            if draw.chance(probability) {
                gone = Some(span.hi);
                let change = Change::Replace { with: ";".to_string() };
                edits.push(Edit { strategy: self.name().to_string(), at: place.stmt.0, change });
            }
        }
        edits
    }
}

/// Is it dead, and compiles the rest without it?
pub fn prunable(seed: &Seed, place: &Place) -> bool {
    place.life == Life::Dead
        && place.removable
        && !matches!(seed.ast[place.stmt].kind, StmtKind::Null | StmtKind::Pragma(_) | StmtKind::Attr(_))
}
