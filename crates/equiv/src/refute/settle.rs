//! Moves the inputs of a counterexample to addresses that a process may have, so that compiled code can be run on
//! them. The moved inputs count only if both sides, run on them, still differ.

use super::on_model::Start;
use crate::model::{Acceptability, PairStates, Seen, Semantics, Val, term_of};
use crate::prove::ProofSearch;
use crate::run::{CoRun, Outcome, answer_name};
use smt::{ArrayVal, Bv, Concrete, Model, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A run that ends in a difference at addresses that a process may have.
pub(crate) struct Settled {
    /// The run.
    pub run: CoRun,
    /// The states it began in.
    pub start: Start,
    /// The domain before it.
    pub before: Concrete,
    /// The domain after it: accesses, and the objects met.
    pub after: Concrete,
}

/// What came of looking for addresses.
pub(crate) enum Found {
    /// There are such.
    Settled(Box<Settled>),
    /// At those tried both sides do the same.
    Gone,
    /// Not all could be moved.
    Stuck,
}

/// Pages are moved as a whole.
const PAGE: u64 = 4096;

/// Where named objects may lie: code reaches them with 32 bits.
const LOW: std::ops::Range<u64> = 0x1_0000..0x6000_0000;

/// Where memory behind pointers may lie besides.
const HIGH: std::ops::Range<u64> = 0x1_0000_0000..0x7000_0000_0000;

/// Where moved pages begin.
const FIRST: u64 = 0x2000_0000;

/// How often addresses are looked for anew.
const ROUNDS: u32 = 4;

/// Larger objects stay where they are.
const LARGEST: u64 = 1 << 24;

/// Where pages go.
struct Moves {
    pages: BTreeMap<u64, u64>,
}

impl Moves {
    /// Those that a run calls for; none where it met too much.
    fn of(d: &Concrete, seen: &[Seen]) -> Option<Moves> {
        let (mut bad, mut good) = (BTreeSet::new(), BTreeSet::new());
        let mut note = |at: u64, bytes: u64, fine: bool| {
            let pages = at / PAGE..=at.saturating_add(bytes.max(1) - 1) / PAGE;
            if fine { good.extend(pages) } else { bad.extend(pages) }
        };
        for (at, bytes) in d.accesses.iter().flatten() {
            note(*at, u64::from(*bytes), LOW.contains(at) || HIGH.contains(at));
        }
        for ((name, width), value) in &d.symbols {
            let (64, Some(at)) = (*width, value.to_u64()) else { continue };
            let size = d.objects.get(&(name.clone(), *width)).copied().unwrap_or(1);
            if size > LARGEST {
                return None;
            }
            note(at, size, LOW.contains(&at));
        }
        // Events may go where their first number says.
        for event in seen.iter().filter(|e| e.event.is_some()) {
            let first = event.args.iter().find_map(|v| match v {
                Val::Bv(v) => Some(v),
                Val::Mem(_) => None,
            });
            if let Some(v) = first
                && let (64, Some(at)) = (v.width(), v.to_u64())
            {
                note(at, 1, at == 0 || LOW.contains(&at) || HIGH.contains(&at));
            }
        }
        if bad.len() > 1 << 14 {
            return None;
        }
        let (mut next, mut last) = (FIRST / PAGE, None);
        let mut pages = BTreeMap::new();
        for page in bad {
            // Neighbours stay neighbours; others get a gap.
            if last.is_none_or(|l: u64| l.checked_add(1) != Some(page)) {
                next += 1;
            }
            while good.contains(&next) {
                next += 2;
            }
            pages.insert(page, next);
            last = Some(page);
            next += 1;
        }
        (next < LOW.end / PAGE).then_some(Moves { pages })
    }

    fn address(&self, at: u64) -> Option<u64> {
        self.pages.get(&(at / PAGE)).map(|page| page * PAGE + at % PAGE)
    }

    fn bv(&self, v: &Bv) -> Option<Bv> {
        let at = (v.width() == 64).then(|| v.to_u64()).flatten()?;
        Some(Bv::new(64, u128::from(self.address(at)?)))
    }

    /// A memory with its pages moved, and the addresses that were read from it.
    fn memory(&self, m: &ArrayVal, accesses: &BTreeSet<(u64, u32)>) -> ArrayVal {
        let mut out = ArrayVal::new(m.index_width(), m.default_elem().clone());
        for (at, v) in m.entries() {
            out.set(self.bv(&at).unwrap_or(at), v);
        }
        for (at, bytes) in accesses {
            for k in 0..u64::from(*bytes) / 8 {
                let from = Bv::new(64, u128::from(at.wrapping_add(8 * k)));
                if let Some(moved) = self.bv(&m.load(&from, 8)) {
                    out.store(&self.bv(&from).unwrap_or(from), &moved);
                }
            }
        }
        out
    }
}

/// Looks for addresses that a process may have at which both sides still differ.
pub(crate) fn settle<L: Semantics, R: Semantics, A: Acceptability>(
    search: &ProofSearch<'_, L, R, A>,
    states: &PairStates,
    m: &Model,
    seed: u64,
) -> Found {
    let mut m = m.clone();
    let mut base = search.domain(&m, seed);
    base.accesses = Some(BTreeSet::new());
    for _ in 0..ROUNDS {
        let mut d = base.clone();
        let Some((found, start)) = search.run_in(states, &m, &mut d) else { return Found::Stuck };
        if found.outcome != Outcome::Differ || found.unmodelled {
            return Found::Gone;
        }
        let Some(moves) = Moves::of(&d, &found.seen) else { return Found::Stuck };
        if moves.pages.is_empty() {
            return Found::Settled(Box::new(Settled { run: found, start, before: base, after: d }));
        }
        let pool = search.pool();
        let mut terms: Vec<_> = states.left.vals.iter().chain(&states.right.vals).map(term_of).collect();
        terms.extend(&states.assume);
        let accesses = d.accesses.take().unwrap_or_default();
        for s in pool.free_symbols(&terms) {
            let value = m.eval_all(pool, &[pool.symbol_term(s)]).swap_remove(0);
            match value {
                Value::Bv(v) => {
                    if let Some(v) = moves.bv(&v) {
                        m.symbols.insert(s, Value::Bv(v));
                    }
                }
                Value::Array(a) if a.index_width() == 64 && a.default_elem().width() == 8 => {
                    m.symbols.insert(s, Value::Array(moves.memory(&a, &accesses)));
                }
                Value::Array(_) | Value::Bool(_) => {}
            }
        }
        for m in base.memories.values_mut() {
            *m = moves.memory(m, &accesses);
        }
        base.symbols = d.symbols;
        base.objects = d.objects;
        for v in base.symbols.values_mut() {
            if let Some(moved) = moves.bv(v) {
                *v = moved;
            }
        }
        for (n, event) in found.seen.iter().enumerate() {
            let bits = event.results.iter().enumerate().filter_map(|(k, v)| match v {
                Val::Bv(v) => Some((k, moves.bv(v)?)),
                Val::Mem(_) => None,
            });
            for (k, v) in bits {
                base.points.insert((answer_name(n + 1, k + 1, &event.label), Vec::new()), v);
            }
        }
    }
    Found::Stuck
}
