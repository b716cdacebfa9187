//! Hermes: live code is mutated with the values seen at run time (OOPSLA 2016, sections 4.2 to 4.5).
//!
//! Each profiled point gets, with equal chance: a false conditional block (FCB: an `if`, `while` or `for` that is not
//! entered), a true guard (TG: an `if` around the statement), or a true conditional block (TCB: a block that changes
//! variables and puts them back). The points are drawn with the profiling probability, and each drawn one is mutated
//! (section 4.5.1); since profiling happens in process and covers all points, the draw is made anew for each variant.

use super::live::{fresh, open, profiled_probability, wrappable};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::seed::Seed;
use crate::synth::arith::keyword;
use crate::synth::dead::Vocabulary;
use crate::synth::env::{Env, Operand};
use crate::synth::{expression, predicate};

/// The label, in edit logs, of edits that insert a false block: one that is never entered.
pub(crate) const FALSE_BLOCK: &str = "hermes/fcb";

/// The strategy.
pub struct Hermes;

impl Strategy for Hermes {
    fn name(&self) -> &'static str {
        "hermes"
    }

    fn about(&self) -> &'static str {
        "adds false blocks, true guards and true blocks to code that runs"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        let probability = profiled_probability(seed, settings);
        for place in &seed.places.all {
            if !draw.chance(probability) || !open(seed, place, settings) {
                continue;
            }
            let Some(env) = seed.env(place).filter(|env| !env.is_empty()) else { continue };
            let guardable = wrappable(seed, place);
            let writable = env.operands.iter().any(|o| o.writable) && !seed.places.long_jumps;
            let made = match draw.below(3) {
                0 if guardable => ("hermes/tg", tg(seed, settings, env, draw)),
                1 if writable => ("hermes/tcb", tcb(seed, settings, place, env.clone(), draw)),
                _ => (FALSE_BLOCK, fcb(seed, settings, place, env, draw)),
            };
            edits.push(Edit { strategy: made.0.to_string(), at: place.stmt.0, change: made.1 });
        }
        edits
    }
}

fn tg(seed: &Seed, settings: &Settings, env: &Env, draw: &mut Choices) -> Change {
    let types = &seed.unit.types;
    let wanted = predicate::synthesize(types, env, true, settings.predicate_depth, draw);
    Change::Wrap { head: format!("if ({wanted})") }
}

fn fcb(seed: &Seed, settings: &Settings, place: &Place, env: &Env, draw: &mut Choices) -> Change {
    let types = &seed.unit.types;
    let no = predicate::synthesize(types, env, false, settings.predicate_depth, draw);
    let head = match draw.below(4) {
        0 | 1 => format!("if ({no})"),
        2 => format!("while ({no})"),
        _ => format!("for (; {no};)"),
    };
    let words = Vocabulary::of(seed, place, draw);
    let body = words.statement(settings.dead_depth, draw);
    Change::Before { code: format!("{head} {{ {body} }}") }
}

/// Figures 4 and 6, for one to three variables.
fn tcb(seed: &Seed, settings: &Settings, place: &Place, mut env: Env, draw: &mut Choices) -> Change {
    let types = &seed.unit.types;
    let writable: Vec<usize> = (0..env.operands.len()).filter(|&k| env.operands[k].writable).collect();
    let count = draw.range(1, 3).min(writable.len());
    let mut order = writable;
    draw.shuffle(&mut order);
    order.truncate(count);
    let mut code = String::from("{\n");
    let mut backups = Vec::new();
    for (number, &index) in order.iter().enumerate() {
        let kind = env.operands[index].kind;
        let name = fresh(seed, "backup", place, number);
        let init = expression::synthesize(types, &env, settings.expression_leaves, draw);
        code.push_str(&format!("{} {name} = {};\n", keyword(kind), predicate::strip(&init.text)));
        let values = init.assigned(types, kind);
        env.operands.push(Operand { text: name, kind, values, writable: false, object: None });
        backups.push(env.operands.len() - 1);
    }
    let yes = predicate::synthesize(types, &env, true, settings.predicate_depth, draw);
    code.push_str(&format!("if ({yes}) {{\n"));
    for (&backup, &index) in backups.iter().zip(&order) {
        let variable = env.operands[index].text.clone();
        code.push_str(&format!("{} = {variable};\n", env.operands[backup].text));
        env.operands[backup].values = env.operands[index].values.clone();
        let value = expression::synthesize(types, &env, settings.expression_leaves, draw);
        code.push_str(&format!("{variable} = {};\n", predicate::strip(&value.text)));
        let kind = env.operands[index].kind;
        let values = value.assigned(types, kind);
        forget_aliases(seed, &mut env, index);
        env.operands[index].values = values;
    }
    let no = predicate::synthesize(types, &env, false, settings.predicate_depth, draw);
    let head = if draw.coin() { "if" } else { "while" };
    let used: Vec<&str> = order.iter().map(|&k| env.operands[k].text.as_str()).collect();
    let printed = draw.pick(&used).copied().unwrap_or("0");
    code.push_str(&format!("{head} ({no}) {{ __builtin_printf(\"%lld\", (long long){printed}); }}\n}}\n"));
    for (&backup, &index) in backups.iter().zip(&order) {
        code.push_str(&format!("{} = {};\n", env.operands[index].text, env.operands[backup].text));
    }
    code.push('}');
    Change::Before { code }
}

/// Once a variable changed, `*p` to it has a value that the rows do not have: such operands no longer offer theirs.
fn forget_aliases(seed: &Seed, env: &mut Env, index: usize) {
    let object = env.operands[index].object;
    let aliased = object.is_some_and(|(o, _)| seed.unit[o].addressed || seed.unit[o].owner.is_none());
    if !aliased {
        return;
    }
    // Kept in place, because indices are in use, as the constant 1.
    for operand in env.operands.iter_mut().filter(|o| o.object.is_none() && o.text.starts_with('*')) {
        operand.text = "1".to_string();
        operand.kind = csyntax::types::IntKind::Int;
        operand.values.fill(1);
    }
}
