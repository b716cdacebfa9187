//! Markers of dead code: a call to an undefined function at the start of each block that does not run although what
//! decides about it does. The calls that a compiler leaves in its assembly say which of these blocks it did not see
//! to be dead (Theodoridis, Rigger and Su, ASPLOS 2022).
//!
//! Blocks inside dead blocks get none: what decides about them is never evaluated, so nothing is known of it, and a
//! compiler that removes the outer block removes them with it.

mod guard;

use crate::edit::{Change, Edit};
use crate::places::{Life, Place};
use crate::seed::Seed;
use csyntax::ast::{ExprKind, Stmt, StmtId, StmtKind};

/// What the names of all markers begin with.
pub const PREFIX: &str = "plumb_dead_";

/// The name of a marker by its number.
pub fn name(number: usize) -> String {
    format!("{PREFIX}{number}")
}

/// A program with markers.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Its text.
    pub text: String,
    /// The edits that put the markers there, by their number.
    pub edits: Vec<Edit>,
    /// Of each marker, by its number: what decides about its block, without names and numbers of this program, so that
    /// blocks that compilers miss for the same reason have the same as a rule.
    pub guards: Vec<String>,
}

/// Marks the dead blocks of a seed, the first `most` of them. `None` where there are none.
pub fn mark(seed: &Seed, most: usize) -> Option<Marked> {
    if seed.text.contains(PREFIX) {
        return None;
    }
    let marked = seed.places.all.iter().filter_map(|place| Some((place, decider(seed, place)?)));
    let (mut edits, mut guards) = (Vec::new(), Vec::new());
    for (place, decider) in marked.filter(|(place, decider)| begins_block(seed, place, decider)).take(most) {
        let marker = name(edits.len());
        edits.push(Edit {
            strategy: "marker".to_owned(),
            at: place.stmt.0,
            change: Change::Define {
                definitions: format!("extern void {marker}(void);"),
                code: format!("{marker}();"),
            },
        });
        guards.push(guard::text(seed, place, decider));
    }
    let text = seed.replay(&edits).ok().filter(|_| !edits.is_empty())?;
    Some(Marked { text, edits, guards })
}

/// What decides about the block of a program's marker, if it is where a marker belongs: called in one place, which does not
/// run, and decided about by a statement that does.
pub fn decided_by(seed: &Seed, marker: &str) -> Option<String> {
    let symbol = seed.ast.names.lookup(marker)?;
    let calls = |place: &&Place| match &seed.ast[place.stmt].kind {
        StmtKind::Expr(call) => match &seed.ast[*call].kind {
            ExprKind::Call(callee, _) => {
                matches!(seed.ast[*callee].kind, ExprKind::Ident(name) if name == symbol)
            }
            _ => false,
        },
        _ => false,
    };
    // A use anywhere else would be one whose fate says nothing of the block's.
    let uses = seed.ast.exprs.iter().filter(|e| matches!(e.kind, ExprKind::Ident(name) if name == symbol));
    let mut found = seed.places.all.iter().filter(calls);
    let one = found.next().filter(|_| found.next().is_none() && uses.count() == 1);
    let place = one?;
    Some(guard::text(seed, place, decider(seed, place)?))
}

/// The statement that ran and decided that a dead place should not: the innermost around it, behind labels and plain
/// blocks. `None` for places that are not dead, in functions that were not called, or decided about in dead code.
fn decider<'a>(seed: &'a Seed, place: &Place) -> Option<&'a Place> {
    if place.life != Life::Dead || place.in_expression {
        return None;
    }
    let mut around = seed.places.get(place.parent?)?;
    while around.life == Life::Dead && is_transparent(&seed.ast[around.stmt]) {
        around = seed.places.get(around.parent?)?;
    }
    (around.life == Life::Live).then_some(around)
}

fn is_label(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_))
}

fn is_transparent(stmt: &Stmt) -> bool {
    is_label(stmt) || matches!(stmt.kind, StmtKind::Compound(_))
}

/// Is a dead place where its block begins? Not behind another dead statement, and inside of labels, not in front.
fn begins_block(seed: &Seed, place: &Place, decider: &Place) -> bool {
    let is_switch = |stmt: StmtId| matches!(seed.ast[stmt].kind, StmtKind::Switch(..));
    let kind = &seed.ast[place.stmt];
    let Some(mut parent) = place.parent else { return false };
    if is_label(kind) || is_switch(parent) {
        return false;
    }
    let labelled = is_label(&seed.ast[parent]);
    while is_label(&seed.ast[parent]) {
        match seed.places.get(parent).and_then(|label| label.parent) {
            Some(around) => parent = around,
            None => return false,
        }
    }
    let around = seed.places.get(parent);
    let is_body = |place: &Place| place.parent == Some(decider.stmt) && is_switch(decider.stmt);
    match around {
        Some(around) if labelled => around.life == Life::Live || is_body(around),
        Some(around) => around.life == Life::Live && !follows_dead(seed, around, place),
        None => false,
    }
}

/// Does a statement of a block stand behind one that is dead?
fn follows_dead(seed: &Seed, block: &Place, place: &Place) -> bool {
    before(seed, block, place).is_some_and(|before| before.life == Life::Dead)
}

/// The last statement in front of a place in a block that leaves a trace.
fn before<'a>(seed: &'a Seed, block: &Place, place: &Place) -> Option<&'a Place> {
    let StmtKind::Compound(all) = &seed.ast[block.stmt].kind else { return None };
    let end = all.iter().position(|stmt| *stmt == place.stmt)?;
    let before = all[..end].iter().filter_map(|stmt| seed.places.get(*stmt));
    before.rev().find(|before| before.life != Life::Silent)
}
