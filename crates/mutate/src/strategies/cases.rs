//! Selections change their form: an `if` becomes a `switch`, a `switch` whose groups end in `break` a chain of `if`s, and
//! a statement is guarded by the `case`s of all values that a variable was seen to have.

use super::live::{jumps, open, probability, text, wrappable};
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::{Life, Place};
use crate::seed::Seed;
use crate::synth::arith::{constant, keyword, promote};
use csyntax::ast::{ExprId, StmtId, StmtKind};

/// The strategy.
pub struct Cases;

/// Most cases of one guard.
const MOST: usize = 8;

impl Strategy for Cases {
    fn name(&self) -> &'static str {
        "cases"
    }

    fn about(&self) -> &'static str {
        "turns if into switch and switch into if, and guards statements by cases"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        let probability = probability(seed, settings);
        for place in &seed.places.all {
            let usable = place.life == Life::Live && place.parent.is_some() && !place.in_expression;
            if !usable || !draw.chance(probability) {
                continue;
            }
            let replaced = match &seed.ast[place.stmt].kind {
                StmtKind::If(test, then, otherwise) => {
                    to_switch(seed, *test, *then, *otherwise).map(|with| ("cases/switch", with))
                }
                StmtKind::Switch(value, body) => {
                    to_ifs(seed, place, *value, *body).map(|with| ("cases/if", with))
                }
                _ => None,
            };
            if let Some((strategy, with)) = replaced {
                let change = Change::Replace { with };
                edits.push(Edit { strategy: strategy.to_string(), at: place.stmt.0, change });
            } else if let Some(head) = guard(seed, place, settings, draw) {
                let change = Change::Wrap { head };
                edits.push(Edit { strategy: "cases/guard".to_string(), at: place.stmt.0, change });
            }
        }
        edits
    }
}

/// `if (c) A else B` to `switch (c ? 1 : 0) { case 0: B break; default: A }`.
fn to_switch(seed: &Seed, test: ExprId, then: StmtId, otherwise: Option<StmtId>) -> Option<String> {
    for part in [Some(then), otherwise].into_iter().flatten() {
        let jumps = jumps(seed, part);
        if jumps.breaks || jumps.cases {
            return None;
        }
    }
    let spelled = |s: StmtId| text(seed, seed.ast[s].span);
    let otherwise = match otherwise {
        Some(otherwise) => spelled(otherwise)?,
        None => ";",
    };
    let (test, then) = (text(seed, seed.ast[test].span)?, spelled(then)?);
    Some(format!("switch (({test}) ? 1 : 0) {{ case 0: {{ {otherwise} }} break; default: {{ {then} }} }}"))
}

/// A group of a switch: the conditions of its cases, whether `default` is among them, and its statements.
struct Group {
    tests: Vec<String>,
    default: bool,
    body: String,
}

/// A switch to a chain of `if`s.
fn to_ifs(seed: &Seed, place: &Place, value: ExprId, body: StmtId) -> Option<String> {
    let ast = &seed.ast;
    let kind = promote(&seed.unit.types, super::live::integer(seed, value)?);
    let StmtKind::Compound(items) = &ast[body].kind else { return None };
    let name = super::live::fresh(seed, "chosen", place, 0);
    let mut groups: Vec<Group> = Vec::new();
    let mut closed = true;
    for item in items {
        let mut at = *item;
        let mut labels = Vec::new();
        let mut default = false;
        loop {
            match &ast[at].kind {
                StmtKind::Case(low, high, inner) => {
                    let low = text(seed, ast[*low].span)?;
                    labels.push(match high {
                        Some(high) => {
                            let high = text(seed, ast[*high].span)?;
                            format!(
                                "({name} >= ({kind})({low}) && {name} <= ({kind})({high}))",
                                kind = keyword(kind)
                            )
                        }
                        None => format!("{name} == ({})({low})", keyword(kind)),
                    });
                    at = *inner;
                }
                StmtKind::Default(inner) => {
                    default = true;
                    at = *inner;
                }
                _ => break,
            }
        }
        if default || !labels.is_empty() {
            if !closed {
                return None;
            }
            closed = false;
            groups.push(Group { tests: labels, default, body: String::new() });
        }
        if closed || matches!(ast[at].kind, StmtKind::Decl(_) | StmtKind::Pragma(_) | StmtKind::Attr(_)) {
            return None;
        }
        if let StmtKind::Break = ast[at].kind {
            closed = true;
            continue;
        }
        let jumps = jumps(seed, at);
        if jumps.breaks || jumps.cases {
            return None;
        }
        let group = groups.last_mut()?;
        group.body.push_str(text(seed, ast[at].span)?);
        group.body.push('\n');
        closed |= matches!(ast[at].kind, StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Continue);
    }
    let mut chain = String::new();
    for group in groups.iter().filter(|g| !g.default) {
        chain.push_str(&format!("if ({}) {{ {} }} else ", group.tests.join(" || "), group.body));
    }
    match groups.iter().find(|g| g.default) {
        Some(group) => chain.push_str(&format!("{{ {} }}", group.body)),
        None => chain.push_str("{ }"),
    }
    let value = text(seed, ast[value].span)?;
    // A comma in it would begin another declaration.
    let value = if value.contains(',') { format!("({value})") } else { value.to_owned() };
    Some(format!("{{ {} {name} = {value};\n{chain} }}", keyword(kind)))
}

/// `switch (x) case 1: case 4:` where `x` was 1 or 4.
fn guard(seed: &Seed, place: &Place, settings: &Settings, draw: &mut Choices) -> Option<String> {
    if !open(seed, place, settings) || !wrappable(seed, place) {
        return None;
    }
    let jumps = jumps(seed, place.stmt);
    if jumps.breaks || jumps.cases {
        return None;
    }
    let env = seed.env(place).filter(|env| env.exact)?;
    let few: Vec<(usize, Vec<i128>)> = (0..env.operands.len())
        .filter_map(|k| {
            let mut values = env.operands[k].values.clone();
            values.sort_unstable();
            values.dedup();
            (values.len() <= MOST).then_some((k, values))
        })
        .collect();
    let (operand, values) = draw.pick(&few)?;
    let operand = &env.operands[*operand];
    let types = &seed.unit.types;
    let kind = promote(types, operand.kind);
    let cases: String = values.iter().map(|v| format!(" case {}:", constant(types, kind, *v))).collect();
    // Converted, though a switch would promote it itself: Clang 14 takes no atomic object there (C11 6.8.4.2p1, 6.3.2.1p2).
    Some(format!("switch (({})({})){cases}", keyword(kind), operand.text))
}
