//! Identity rewriting of live expressions: the value stays, the shape changes (Hermes, section 6.1, identity
//! functions). Conditions of `if` become `true && c` or `false || c`; assigned integers become `p ? e : dead`.
//!
//! The predicates read only what the profile knows when the statement begins, and stand in front of a sequence point.

use super::live::{assigned_integer, open, profiled_probability};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::seed::Seed;
use crate::synth::predicate;
use csyntax::ast::StmtKind;

/// The strategy.
pub struct Identity;

impl Strategy for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn about(&self) -> &'static str {
        "rewrites conditions and assigned values that run to others of the same value"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        let probability = profiled_probability(seed, settings);
        for place in &seed.places.all {
            if !draw.chance(probability) || !open(seed, place, settings) {
                continue;
            }
            let condition = match &seed.ast[place.stmt].kind {
                StmtKind::If(condition, ..) => Some(*condition),
                _ => None,
            };
            let assigned = match &seed.ast[place.stmt].kind {
                StmtKind::Expr(e) => assigned_integer(seed, *e),
                _ => None,
            };
            let Some(target) = condition.or(assigned) else { continue };
            let Some(env) = seed.env(place).filter(|env| !env.is_empty()) else { continue };
            let types = &seed.unit.types;
            let depth = settings.predicate_depth;
            let (before, after) = if condition.is_some() {
                if draw.coin() {
                    (
                        format!("({}) && (", predicate::synthesize(types, env, true, depth, draw)),
                        ")".to_string(),
                    )
                } else {
                    (
                        format!("({}) || (", predicate::synthesize(types, env, false, depth, draw)),
                        ")".to_string(),
                    )
                }
            } else {
                // Converted to the type of both arms: the dead one is an `int` constant or narrower.
                let wanted = draw.coin();
                let test = predicate::synthesize(types, env, wanted, depth, draw);
                let other = draw.below(100);
                if wanted {
                    (format!("({test}) ? ("), format!(") : {other}"))
                } else {
                    (format!("({test}) ? {other} : ("), ")".to_string())
                }
            };
            let span = seed.ast[target].span;
            let change = Change::Expression { lo: span.lo, hi: span.hi, before, after };
            edits.push(Edit { strategy: self.name().to_string(), at: place.stmt.0, change });
        }
        edits
    }
}
