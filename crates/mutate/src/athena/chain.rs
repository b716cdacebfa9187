//! The Markov chain: deletions and insertions in dead regions are proposed, and accepted by the rule of Metropolis
//! and Hastings for a density that grows with the distance from the seed.
//!
//! Each variant walks from the seed, so that it depends on its own number alone. Which statement of the database an
//! insertion takes is drawn from a fixed distribution that the density is relative to; it cancels in the rule.

use super::bind::bind;
use super::database::{Database, Fragment};
use super::distance::Distance;
use super::flow::{Overlay, Shape};
use super::names::View;
use crate::choices::Choices;
use crate::edit::{Change, Edit};
use crate::places::{Life, Place};
use crate::seed::Seed;
use crate::strategies::Settings;
use crate::strategies::prunable;
use csyntax::ast::StmtId;
use csyntax::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands where a statement was taken out: a place where another can come in.
pub const LEFT_BEHIND: &str = "while (0);";
/// Draws of a statement until one fits the place.
const ATTEMPTS: usize = 8;

/// An inserted statement.
struct Inserted<'a> {
    serial: u32,
    at: StmtId,
    code: String,
    shape: &'a Shape,
}

/// A variant in the making.
struct State<'a> {
    removed: FxHashSet<StmtId>,
    cuts: Cuts,
    inserted: Vec<Inserted<'a>>,
}

/// A change of it.
enum Move {
    Remove(StmtId),
    Restore(StmtId),
    Insert(usize),
    TakeOut(usize),
}

struct Changed<'s, 'a> {
    state: &'s State<'a>,
    change: &'s Move,
    by_stmt: &'s FxHashMap<StmtId, Vec<usize>>,
}

impl Overlay for Changed<'_, '_> {
    fn removed(&self, stmt: StmtId) -> bool {
        match self.change {
            Move::Remove(s) if *s == stmt => true,
            Move::Restore(s) if *s == stmt => false,
            Move::Remove(_) | Move::Restore(_) | Move::Insert(_) | Move::TakeOut(_) => {
                self.state.removed.contains(&stmt)
            }
        }
    }

    fn before(&self, stmt: StmtId) -> Vec<(u32, &Shape)> {
        let Some(list) = self.by_stmt.get(&stmt) else { return Vec::new() };
        let gone = |k: &&usize| !matches!(self.change, Move::TakeOut(out) if out == *k);
        list.iter()
            .filter(gone)
            .map(|k| (self.state.inserted[*k].serial, self.state.inserted[*k].shape))
            .collect()
    }
}

/// The edits of one variant.
pub fn walk(seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
    let own = seed.own_statements();
    let size = |fragment: &&Fragment| fragment.shape.nodes as usize <= settings.fragment_size;
    let corpus: Vec<&Fragment> = settings
        .database
        .iter()
        .flat_map(|db: &std::sync::Arc<Database>| &db.fragments)
        .filter(size)
        .collect();
    let own: Vec<&Fragment> = own.fragments.iter().filter(size).collect();
    let candidate =
        |place| Candidate { place, span: span(seed, place.stmt), removable: prunable(seed, place) };
    let dead: Vec<Candidate> = seed.places.all.iter().filter(|p| open(p)).map(candidate).collect();
    if dead.is_empty() {
        return Vec::new();
    }
    let mut distance = Distance::new(&seed.ast, seed.graphs());
    let mut state = State { removed: FxHashSet::default(), cuts: Cuts::default(), inserted: Vec::new() };
    let (mut now, mut serial) = (0.0, 0u32);
    let mut lists = Lists::of(seed, &state, &dead);
    for _ in 0..settings.steps {
        let Lists { standing, holes, removable } = &lists;
        let visible: Vec<usize> = (0..state.inserted.len())
            .filter(|k| !state.cuts.covers(span(seed, state.inserted[*k].at)))
            .collect();
        let (slots, victims) = (standing.len() + holes.len(), removable.len() + visible.len());
        let (change, ratio) = if draw.coin() {
            if slots == 0 {
                continue;
            }
            let at = draw.below(slots);
            let change = if at < standing.len() {
                let place = standing[at];
                let view = View::of(seed, place);
                let fitting = (0..ATTEMPTS).find_map(|_| {
                    let from =
                        if corpus.is_empty() || !own.is_empty() && draw.coin() { &own } else { &corpus };
                    let fragment = *draw.pick(from)?;
                    Some((fragment, bind(seed, place, &view, fragment, serial, draw)?))
                });
                let Some((fragment, code)) = fitting else { continue };
                state.inserted.push(Inserted { serial, at: place.stmt, code, shape: &fragment.shape });
                serial += 1;
                Move::Insert(state.inserted.len() - 1)
            } else {
                Move::Restore(holes[at - standing.len()])
            };
            (change, slots as f64 / (victims as f64 + 1.0))
        } else {
            if victims == 0 {
                continue;
            }
            let at = draw.below(victims);
            let change = match removable.get(at) {
                Some(place) => Move::Remove(place.stmt),
                None => Move::TakeOut(visible[at - removable.len()]),
            };
            (change, victims as f64 / slots.max(1) as f64)
        };
        let stmt = match &change {
            Move::Remove(s) | Move::Restore(s) => *s,
            Move::Insert(k) | Move::TakeOut(k) => state.inserted[*k].at,
        };
        let function = seed.places.get(stmt).map_or(0, |p| p.function as usize);
        let mut by_stmt: FxHashMap<StmtId, Vec<usize>> = FxHashMap::default();
        for (k, inserted) in state.inserted.iter().enumerate() {
            by_stmt.entry(inserted.at).or_default().push(k);
        }
        let changed = Changed { state: &state, change: &change, by_stmt: &by_stmt };
        let mut touched = FxHashSet::default();
        let inserted = state.inserted.iter().map(|inserted| inserted.at);
        for at in state.removed.iter().copied().chain(inserted).chain([stmt]) {
            touch(seed, function, at, &mut touched);
        }
        let (then, proposal) = distance.propose(function, &changed, &touched, settings);
        let accepted = draw.unit() < ((settings.sigma * (then - now)).exp() * ratio).min(1.0);
        if accepted {
            distance.accept(proposal);
            now = then;
        }
        match change {
            Move::Remove(s) if accepted => {
                state.removed.insert(s);
                state.cuts = Cuts::of(seed, &state.removed);
                lists = Lists::of(seed, &state, &dead);
            }
            Move::Restore(s) if accepted => {
                state.removed.remove(&s);
                state.cuts = Cuts::of(seed, &state.removed);
                lists = Lists::of(seed, &state, &dead);
            }
            Move::TakeOut(k) if accepted => {
                state.inserted.remove(k);
            }
            Move::Insert(_) if !accepted => {
                state.inserted.pop();
            }
            Move::Remove(_) | Move::Restore(_) | Move::TakeOut(_) | Move::Insert(_) => {}
        }
    }
    edits(seed, state)
}

/// Adds a statement of a function, and those around it.
fn touch(seed: &Seed, function: usize, stmt: StmtId, touched: &mut FxHashSet<StmtId>) {
    let mut next = seed.places.get(stmt).filter(|place| place.function as usize == function);
    while let Some(place) = next.filter(|place| touched.insert(place.stmt)) {
        next = place.parent.and_then(|parent| seed.places.get(parent));
    }
}

/// May statements be put before it?
fn open(place: &Place) -> bool {
    place.life == Life::Dead && place.parent.is_some() && !place.in_expression
}

fn span(seed: &Seed, stmt: StmtId) -> Span {
    seed.ast[stmt].span
}

/// The outermost removed statements, in order.
#[derive(Default)]
struct Cuts(Vec<Span>);

impl Cuts {
    fn of(seed: &Seed, removed: &FxHashSet<StmtId>) -> Cuts {
        let mut all: Vec<Span> = removed.iter().map(|stmt| span(seed, *stmt)).collect();
        all.sort_by_key(|span| (span.lo, std::cmp::Reverse(span.hi)));
        let mut outer: Vec<Span> = Vec::new();
        for span in all {
            if outer.last().is_none_or(|last| span.lo >= last.hi) {
                outer.push(span);
            }
        }
        Cuts(outer)
    }

    /// Is it inside one of them, or one itself?
    fn covers(&self, span: Span) -> bool {
        let at = self.0.partition_point(|cut| cut.hi < span.hi);
        self.0.get(at).is_some_and(|cut| cut.lo <= span.lo && span.hi <= cut.hi)
    }

    /// Is it inside one of them?
    fn inside(&self, span: Span) -> bool {
        self.covers(span) && !self.0.contains(&span)
    }
}

/// What can be changed next.
struct Lists<'a> {
    /// Statements before which others may be put.
    standing: Vec<&'a Place>,
    /// Places of removed ones.
    holes: Vec<StmtId>,
    /// Statements that may be removed.
    removable: Vec<&'a Place>,
}

/// A dead statement.
struct Candidate<'a> {
    place: &'a Place,
    span: Span,
    /// May it be removed, if it stands?
    removable: bool,
}

impl<'a> Lists<'a> {
    fn of(seed: &Seed, state: &State<'_>, dead: &[Candidate<'a>]) -> Lists<'a> {
        let mut standing = Vec::with_capacity(dead.len());
        let mut removable = Vec::with_capacity(dead.len());
        for candidate in dead {
            if !state.cuts.covers(candidate.span) {
                standing.push(candidate.place);
                if candidate.removable {
                    removable.push(candidate.place);
                }
            }
        }
        let holes = state.removed.iter().copied().filter(|s| !state.cuts.inside(span(seed, *s))).collect();
        Lists { standing, holes: sorted(holes), removable }
    }
}

fn sorted(mut list: Vec<StmtId>) -> Vec<StmtId> {
    list.sort();
    list
}

fn edits(seed: &Seed, state: State<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for stmt in sorted(state.removed.iter().copied().collect()) {
        if !state.cuts.inside(span(seed, stmt)) {
            let change = Change::Replace { with: LEFT_BEHIND.to_string() };
            edits.push(Edit { strategy: "athena/delete".to_string(), at: stmt.0, change });
        }
    }
    for inserted in &state.inserted {
        if !state.cuts.covers(span(seed, inserted.at)) {
            let change = Change::Before { code: inserted.code.clone() };
            edits.push(Edit { strategy: "athena/insert".to_string(), at: inserted.at.0, change });
        }
    }
    edits
}
