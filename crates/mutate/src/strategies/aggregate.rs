//! Scalars travel through aggregates: a live variable goes into an array or a struct and comes back out of it, by an
//! index or a member that the profile knows and the compiler does not.

use super::live::{fresh, points};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::seed::Seed;
use crate::synth::arith::keyword;
use crate::synth::env::{Env, Operand};
use crate::synth::{expression, predicate};

/// The strategy.
pub struct Aggregate;

/// Most elements around the one that counts.
const ROOM: usize = 4;

impl Strategy for Aggregate {
    fn name(&self) -> &'static str {
        "aggregate"
    }

    fn about(&self) -> &'static str {
        "passes live variables through arrays and structs"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (place, env) in points(seed, settings, draw) {
            let writable: Vec<&Operand> = env.operands.iter().filter(|o| o.writable).collect();
            if writable.is_empty() || seed.places.long_jumps {
                continue;
            }
            let (strategy, code) = if draw.coin() {
                ("aggregate/array", array(seed, settings, place, env, &writable, draw))
            } else {
                ("aggregate/struct", record(seed, settings, place, env, &writable, draw))
            };
            let change = Change::Before { code };
            edits.push(Edit { strategy: strategy.to_string(), at: place.stmt.0, change });
        }
        edits
    }
}

/// `{ T a[] = { ..., x, ... }; x = a[index]; }`
fn array(
    seed: &Seed,
    settings: &Settings,
    place: &Place,
    env: &Env,
    writable: &[&Operand],
    draw: &mut Choices,
) -> String {
    let types = &seed.unit.types;
    let variable = writable[draw.below(writable.len())];
    let name = fresh(seed, "row", place, 0);
    let (before, after) = (draw.below(ROOM), draw.below(ROOM));
    let mut elements = Vec::new();
    for k in 0..=before + after {
        if k == before {
            elements.push(variable.text.clone());
        } else {
            let other = expression::synthesize(types, env, settings.expression_leaves, draw);
            elements.push(predicate::strip(&other.text));
        }
    }
    // Truths are 1 and falsehoods 0: a sum of so many of them is the index.
    let mut index: Vec<String> = Vec::new();
    for k in 0..before + after + 1 {
        let known = predicate::synthesize(types, env, k < before, settings.predicate_depth, draw);
        if k < before || draw.below(3) == 0 {
            index.push(format!("({known} ? 1 : 0)"));
        }
    }
    let index = if index.is_empty() { "0".to_string() } else { index.join(" + ") };
    let kind = keyword(variable.kind);
    let length = before + after + 1;
    format!(
        "{{\n{kind} {name}[{length}] = {{{}}};\n{} = {name}[{index}];\n}}",
        elements.join(", "),
        variable.text
    )
}

/// `{ struct { T a; U b; } s = { x, y }, t; t = s; x = t.a; y = t.b; }`
fn record(
    seed: &Seed,
    settings: &Settings,
    place: &Place,
    env: &Env,
    writable: &[&Operand],
    draw: &mut Choices,
) -> String {
    let types = &seed.unit.types;
    let mut chosen: Vec<&Operand> = writable.to_vec();
    draw.shuffle(&mut chosen);
    chosen.truncate(draw.range(1, 3));
    let (from, to) = (fresh(seed, "held", place, 0), fresh(seed, "held", place, 1));
    let members: String =
        chosen.iter().enumerate().map(|(k, o)| format!("{} m{k}; ", keyword(o.kind))).collect();
    let values: Vec<&str> = chosen.iter().map(|o| o.text.as_str()).collect();
    let back: String = chosen.iter().enumerate().map(|(k, o)| format!("{} = {to}.m{k};\n", o.text)).collect();
    let yes = predicate::synthesize(types, env, true, settings.predicate_depth, draw);
    format!(
        "{{\nstruct {{ {members}}} {from} = {{{}}}, {to} = {{0}};\nif ({yes}) {to} = {from};\n{back}}}",
        values.join(", ")
    )
}
