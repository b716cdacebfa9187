//! Identity functions over zero and one: `e` becomes `e + z`, `e ^ z`, `e * n` and the like, where `z` is zero and `n`
//! one in every observed state and the compiler cannot know (section 6.1 of the Hermes paper).

use super::live::{points, pure_value};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::seed::Seed;
use crate::synth::arith::{constant, promote};
use crate::synth::env::Env;
use crate::synth::{expression, predicate};
use csyntax::types::Types;

/// The strategy.
pub struct Zero;

/// Operator, and whether its right side is one rather than zero.
const FORMS: [(&str, bool); 7] =
    [("+", false), ("-", false), ("|", false), ("^", false), ("<<", false), ("*", true), ("/", true)];

impl Strategy for Zero {
    fn name(&self) -> &'static str {
        "zero"
    }

    fn about(&self) -> &'static str {
        "adds zeros to and multiplies ones with values that are assigned or returned"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (place, env) in points(seed, settings, draw) {
            let Some((value, kind)) = pure_value(seed, place) else { continue };
            let types = &seed.unit.types;
            let (mut op, mut one) = FORMS[draw.below(FORMS.len())];
            if op == "<<" && types.int_signed(kind) {
                // A negative value must not be shifted.
                (op, one) = ("+", false);
            }
            let exact = if draw.coin() { exact(types, env, one, draw) } else { None };
            let known = exact
                .unwrap_or_else(|| predicate::synthesize(types, env, one, settings.predicate_depth, draw));
            let span = seed.ast[value].span;
            let (before, after) = ("(".to_string(), format!(") {op} ({known})"));
            let change = Change::Expression { lo: span.lo, hi: span.hi, before, after };
            edits.push(Edit { strategy: self.name().to_string(), at: place.stmt.0, change });
        }
        edits
    }
}

/// Draws of an expression that has one value in all states.
const ATTEMPTS: usize = 4;

/// `e == c` or `e != c` of an expression that has the one value `c` in all states: one wrong bit of it shows.
fn exact(types: &Types, env: &Env, one: bool, draw: &mut Choices) -> Option<String> {
    if !env.exact || env.operands.is_empty() {
        return None;
    }
    (0..ATTEMPTS).find_map(|_| {
        let found = expression::rich(types, env, draw);
        let value = *found.values.first()?;
        let kind = promote(types, found.kind);
        let same = found.values.iter().all(|v| *v == value);
        let op = if one { "==" } else { "!=" };
        same.then(|| format!("{} {op} {}", found.text, constant(types, kind, value)))
    })
}
