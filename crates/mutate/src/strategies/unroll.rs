//! Loop unrolling and peeling: the body of a loop, its step and its test are written out once more, at the head of each
//! pass or in front of the whole loop. What it does is the same on every input.

use super::live::{jumps, probability, text};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::{Life, Place};
use crate::seed::Seed;
use csyntax::ast::{ForInit, StmtId, StmtKind};

/// The strategy.
pub struct Unroll;

/// Longest body that is copied, in bytes.
const LONGEST: u32 = 4000;

impl Strategy for Unroll {
    fn name(&self) -> &'static str {
        "unroll"
    }

    fn about(&self) -> &'static str {
        "unrolls and peels loops that run"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        // Loops are few: each is drawn as often as five statements.
        let chance = 1.0 - (1.0 - probability(seed, settings)).powi(5);
        for place in &seed.places.all {
            let usable = place.life == Life::Live && place.parent.is_some() && !place.in_expression;
            if !usable || !draw.chance(chance) {
                continue;
            }
            let peel = draw.coin();
            edits.extend(if peel { peeled(seed, place) } else { None }.or_else(|| unrolled(seed, place)));
        }
        edits
    }
}

/// Is the test free of effects, so that it may be made once more?
fn repeatable(seed: &Seed, place: &Place) -> bool {
    match &seed.ast[place.stmt].kind {
        StmtKind::While(test, _) | StmtKind::For { cond: Some(test), .. } => super::live::pure(seed, *test),
        StmtKind::For { cond: None, .. } => true,
        _ => false,
    }
}

/// The parts of a loop as texts: test, step, body.
fn parts<'a>(seed: &'a Seed, place: &Place) -> Option<(Option<&'a str>, Option<&'a str>, StmtId, &'a str)> {
    let expr = |e: csyntax::ast::ExprId| text(seed, seed.ast[e].span);
    let (test, step, body) = match &seed.ast[place.stmt].kind {
        StmtKind::While(test, body) => (Some(expr(*test)?), None, *body),
        StmtKind::For { cond, step, body, .. } => {
            let test = match cond {
                Some(cond) => Some(expr(*cond)?),
                None => None,
            };
            let step = match step {
                Some(step) => Some(expr(*step)?),
                None => None,
            };
            (test, step, *body)
        }
        _ => return None,
    };
    let span = seed.ast[body].span;
    let jumps = jumps(seed, body);
    let copyable = !jumps.continues && !jumps.cases && !jumps.unique && span.hi - span.lo <= LONGEST;
    let literal = !super::live::wrappable(seed, seed.places.get(body)?);
    (copyable && !literal).then_some((test, step, body, text(seed, span)?))
}

/// `while (c) S` to `while (c) { S if (!c) break; S }`.
fn unrolled(seed: &Seed, place: &Place) -> Option<Edit> {
    let (test, step, body, copy) = parts(seed, place)?;
    let mut code = format!("{{ {copy} }}");
    if let Some(step) = step {
        code.push_str(&format!("\n{step};"));
    }
    if let Some(test) = test {
        code.push_str(&format!("\nif (!({test})) break;"));
    }
    Some(Edit { strategy: "unroll/unroll".to_string(), at: body.0, change: Change::Before { code } })
}

/// `while (c) S` to `if (c) S while (c) S`.
fn peeled(seed: &Seed, place: &Place) -> Option<Edit> {
    let first = match &seed.ast[place.stmt].kind {
        StmtKind::For { init, .. } => matches!(init, ForInit::None),
        _ => true,
    };
    let (test, step, body, copy) = parts(seed, place).filter(|_| first && repeatable(seed, place))?;
    if jumps(seed, body).breaks {
        return None;
    }
    let step = step.map(|step| format!(" {step};")).unwrap_or_default();
    let code = format!("if ({}) {{ {{ {copy} }}{step} }}", test.unwrap_or("1"));
    Some(Edit { strategy: "unroll/peel".to_string(), at: place.stmt.0, change: Change::Next { code } })
}
