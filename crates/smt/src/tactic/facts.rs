//! What the facts of a query say of each other, and of a goal: values of terms, sums, bounds, bits, and which
//! addresses are apart, put in by rewriting until nothing changes. Most queries close here, before any search.

use crate::{Apart, Node, Pool, Promises, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts with reads and writes put in order by what some of them say about addresses: those that say so stay as
/// they are, so that together they say the same as before. That two terms differ may say something of addresses and
/// may be a goal: those facts are put in order by the others of them. What is left of a promise once one of its
/// cases is ruled out may say more of addresses: then once more.
fn settle_places(pool: &mut Pool, facts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut facts = facts;
    let mut known = pool.apart(&facts);
    for _ in 0..ROUNDS {
        if known.is_empty() {
            return Some(facts);
        }
        let before = known.len();
        facts = settle_by(pool, facts, known)?;
        known = pool.apart(&facts);
        if known.len() <= before {
            return Some(facts);
        }
        facts = propagate(pool, &facts)?;
        known = pool.apart(&facts);
    }
    Some(facts)
}

/// As [`settle_places`], once, by what the facts are known to say.
fn settle_by(pool: &mut Pool, facts: Vec<TermId>, apart: Apart) -> Option<Vec<TermId>> {
    let (about, mut rest): (Vec<TermId>, Vec<TermId>) = facts.into_iter().partition(|f| apart.says(*f));
    let (differ, bounds): (Vec<TermId>, Vec<TermId>) = about
        .into_iter()
        .partition(|f| matches!(pool.node(*f), Node::Not(_)) && !bounds_from_below(pool, *f));
    let placed = in_order(pool, &bounds);
    // As they stood the bounds say something of what stands as it did.
    let mut all = bounds;
    let apart = if placed == all {
        apart
    } else {
        all.extend(&placed);
        pool.apart(&[&all[..], &differ].concat())
    };
    rest = pool.settle(&rest, apart);
    let apart = pool.apart(&all);
    rest.extend(if apart.is_empty() { differ } else { pool.settle(&differ, apart) });
    rest.extend(placed);
    if rest.iter().any(|f| pool.as_bool(*f) == Some(false)) {
        return None;
    }
    rest.retain(|f| pool.as_bool(*f) != Some(true));
    Some(rest)
}

/// Bounds of differences of addresses, of which some were read from memory: each put in order by those that came before it
/// and stay as they are, so that together they say the same. Those that look through no store are first.
fn in_order(pool: &mut Pool, bounds: &[TermId]) -> Vec<TermId> {
    let (mut placed, mut open) = (Vec::new(), bounds.to_vec());
    for _ in 0..ROUNDS {
        let through = through_stores(pool, &open);
        let (still, done): (Vec<TermId>, Vec<TermId>) = open.iter().partition(|f| through.contains(f));
        let stays = done.is_empty();
        placed.extend(done);
        open = still;
        let apart = pool.apart(&placed);
        if stays || open.is_empty() || apart.is_empty() {
            break;
        }
        open = pool.settle(&open, apart);
    }
    placed.extend(open);
    placed
}

/// The terms that some others are made of, themselves included, in which a store is looked through.
fn through_stores(pool: &Pool, ts: &[TermId]) -> FxHashSet<TermId> {
    let mut out = FxHashSet::default();
    for t in pool.postorder(ts) {
        if matches!(pool.node(t), Node::Store(..)) || pool.children(t).iter().any(|c| out.contains(c)) {
            out.insert(t);
        }
    }
    out
}

/// Whether a fact is that some upper bit is set: then a term is not below a power of two, which is a bound as others are,
/// and no goal of two terms that differ.
fn bounds_from_below(pool: &Pool, fact: TermId) -> bool {
    let Node::Not(equal) = *pool.node(fact) else { return false };
    let Node::Eq(a, b) = *pool.node(equal) else { return false };
    let zero = |t: TermId| pool.as_const(t).is_some_and(crate::Bv::is_zero);
    let upper =
        |t: TermId| matches!(*pool.node(t), Node::Extract(hi, lo, x) if lo > 0 && hi + 1 == pool.width(x));
    (zero(a) && upper(b)) || (zero(b) && upper(a))
}

/// What a set of facts says, kept so that one goal after the other can be rewritten by it.
pub(super) struct FactContext {
    facts: Vec<TermId>,
    contradict: bool,
    /// What terms are, by the facts; and what was built with that.
    values: FxHashMap<TermId, TermId>,
    done: FxHashMap<TermId, TermId>,
    promises: Promises,
}

impl FactContext {
    /// What these facts say.
    pub fn of(pool: &mut Pool, facts: &[TermId]) -> FactContext {
        let mut known = FactContext {
            facts: facts.to_vec(),
            contradict: false,
            values: FxHashMap::default(),
            done: FxHashMap::default(),
            promises: Promises::default(),
        };
        let Some(all) = simplify(pool, facts) else {
            known.contradict = true;
            return known;
        };
        let (yes, no) = (pool.bool(true), pool.bool(false));
        // Facts that say what addresses are apart were left as they stood, and say nothing of what is built again.
        for &f in &all {
            let (atom, value) = match *pool.node(f) {
                Node::Not(x) => (x, no),
                _ => (f, yes),
            };
            known.values.insert(atom, value);
            if let Some((t, v)) = value_of(pool, f) {
                known.values.insert(t, v);
            }
        }
        let promises = pool.promises(&all);
        known.promises = pool.bounds(promises, &all);
        known.contradict = known.promises.contradict();
        known
    }

    /// Is it about these facts?
    pub fn about(&self, facts: &[TermId]) -> bool {
        self.facts == facts
    }

    /// A term as it is where the facts hold.
    pub fn settle(&mut self, pool: &mut Pool, t: TermId) -> TermId {
        if self.contradict {
            return pool.bool(true);
        }
        let mut now = t;
        for _ in 0..ROUNDS {
            let before = now;
            let (kept, promises) = pool.keep(&[now], std::mem::take(&mut self.promises));
            self.promises = promises;
            now = pool.substitute_on(&kept, &self.values, &mut self.done)[0];
            if now == before {
                break;
            }
        }
        now
    }
}

/// The facts with what they say of each other put in; `None` when they contradict each other.
pub(super) fn simplify(pool: &mut Pool, facts: &[TermId]) -> Option<Vec<TermId>> {
    let mut all = propagate(pool, facts)?;
    for _ in 0..ROUNDS {
        let before = all.clone();
        // What sums and variables are first: the bounds of other terms are about what those become.
        let mut promises = pool.promises(&all);
        for bounds in [false, true] {
            if bounds {
                promises = pool.bounds(promises, &all);
            }
            if promises.contradict() {
                return None;
            }
            let (about, rest): (Vec<TermId>, Vec<TermId>) = all.into_iter().partition(|f| promises.says(*f));
            let (rest, back) = pool.keep(&rest, promises);
            promises = back;
            // Facts that promises are made of say what they do whatever else holds.
            all = pool.keep(&about, Promises::default()).0;
            all.extend(rest);
        }
        if all == before {
            break;
        }
        let next = propagate(pool, &all)?;
        let same = next.len() == before.len() && next.iter().all(|f| before.contains(f));
        all = next;
        if same {
            break;
        }
    }
    settle_places(pool, all)
}

/// What a fact says a term is: a constant, or a term of older variables.
fn value_of(pool: &mut Pool, fact: TermId) -> Option<(TermId, TermId)> {
    let Node::Eq(a, b) = *pool.node(fact) else { return None };
    match (pool.as_const(a).is_some(), pool.as_const(b).is_some()) {
        (true, false) => Some((b, a)),
        (false, true) => Some((a, b)),
        (true, true) => None,
        (false, false) => pool.solved(fact).or_else(|| part_of(pool, a, b)).or_else(|| part_of(pool, b, a)),
    }
}

/// Bits of a newer variable that an older one has.
fn part_of(pool: &Pool, part: TermId, variable: TermId) -> Option<(TermId, TermId)> {
    let bits = matches!(*pool.node(part), Node::Extract(_, _, x) if matches!(pool.node(x), Node::Var(_)));
    (bits && matches!(pool.node(variable), Node::Var(_))).then_some((part, variable))
}

/// Rounds of propagation.
const ROUNDS: u32 = 6;

/// The facts with what the simple ones say put into the others: an atom that holds is true there, a
/// term that equals a constant is that constant. Together they say the same as before; `None` when
/// they contradict each other.
pub(super) fn propagate(pool: &mut Pool, facts: &[TermId]) -> Option<Vec<TermId>> {
    let all = pool.and_all(facts);
    let mut parts = match pool.node(all) {
        Node::Bool(false) => return None,
        Node::Bool(true) => return Some(Vec::new()),
        Node::And(xs) => xs.to_vec(),
        _ => vec![all],
    };
    let (yes, no) = (pool.bool(true), pool.bool(false));
    for _ in 0..ROUNDS {
        // What holds is put into compound facts; what a term is, into all but the facts that say so.
        let mut truths: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut values: FxHashMap<TermId, TermId> = FxHashMap::default();
        let (mut simple, mut compound) = (Vec::new(), Vec::new());
        // Facts that say what a variable is; and what another term is, of variables whose values are known.
        let (mut defining, mut terms) = (Vec::new(), Vec::new());
        let mut others: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &f in &parts {
            let (atom, value) = match *pool.node(f) {
                Node::Not(x) => (x, no),
                _ => (f, yes),
            };
            match *pool.node(atom) {
                Node::And(_) | Node::Ite(..) => compound.push(f),
                Node::Eq(a, _) if pool.sort(a) == Sort::Bool => compound.push(f),
                _ => {
                    truths.insert(atom, value);
                    match value_of(pool, f) {
                        Some((t, v)) if matches!(pool.node(t), Node::Var(_)) && !values.contains_key(&t) => {
                            values.insert(t, v);
                            defining.push(f);
                        }
                        Some((t, v)) if !others.contains_key(&t) && !values.contains_key(&t) => {
                            others.insert(t, v);
                            terms.push(f);
                        }
                        Some(_) | None => simple.push(f),
                    }
                }
            }
        }
        if truths.is_empty() {
            break;
        }
        let mut new = pool.substitute_all(&terms, &values);
        values.extend(others);
        new.extend(pool.substitute_all(&simple, &values));
        truths.extend(values);
        new.extend(pool.substitute_all(&compound, &truths));
        if new.iter().eq(terms.iter().chain(&simple).chain(&compound)) {
            break;
        }
        new.extend(defining);
        let all = pool.and_all(&new);
        parts = match pool.node(all) {
            Node::Bool(false) => return None,
            Node::Bool(true) => return Some(Vec::new()),
            Node::And(xs) => xs.to_vec(),
            _ => vec![all],
        };
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    /// A copy of twelve bytes between areas that lie apart, in two parts: the goal says that terms differ, as facts
    /// about addresses do, and is none of them.
    #[test]
    fn what_lies_apart_settles_a_goal_of_difference() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let (to, from) = (p.var("to", Sort::Bv(64)), p.var("from", Sort::Bv(64)));
        let (up, down) = (p.sub(from, to), p.sub(to, from));
        let eleven = p.num(64, 11);
        let apart = [p.ult(eleven, up), p.ult(eleven, down)];
        let (to_8, from_8) = (p.add_num(to, 8), p.add_num(from, 8));
        let high = p.load(mem, from_8, 4);
        let half = p.store(mem, to_8, high);
        let low = p.load(half, from, 8);
        let parts = p.concat(high, low);
        let whole = p.load(mem, from, 12);
        let differ = p.ne(whole, parts);
        assert_eq!(settle_places(&mut p, vec![apart[0], apart[1], differ]), None);
        // What is written last lies above what it was read from: it is the one distance that counts.
        assert_eq!(settle_places(&mut p, vec![apart[0], differ]), None);
        assert!(settle_places(&mut p, vec![apart[1], differ]).is_some());
    }

    /// A pointer that is read behind a store which lies apart from it is what it was before: what is said of that one is
    /// said of this one, too, whichever of them a bound names.
    #[test]
    fn bounds_of_what_was_read_are_put_in_order_by_others() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let (table, cell, v) =
            (p.var("table", Sort::Bv(64)), p.var("cell", Sort::Bv(64)), p.var("v", Sort::Bv(64)));
        let seven = p.num(64, 7);
        let apart = |p: &mut Pool, a: TermId, b: TermId| {
            let (up, down) = (p.sub(b, a), p.sub(a, b));
            [p.ult(seven, up), p.ult(seven, down)]
        };
        let first = apart(&mut p, cell, table);
        let stored = p.store(mem, cell, v);
        let (plain, read) = (p.load(mem, table, 8), p.load(stored, table, 8));
        // The second store goes where the pointer leads that was read behind the first.
        let second = apart(&mut p, read, table);
        let twice = p.store(stored, plain, v);
        let last = p.load(twice, table, 8);
        let differ = p.ne(last, plain);
        let facts = [&first[..], &second[..], &[differ]].concat();
        assert_eq!(settle_places(&mut p, facts), None);
        // Without the first bounds the pointers may differ.
        let open = [&first[..1], &second[..], &[differ]].concat();
        assert!(settle_places(&mut p, open).is_some());
    }

    /// Of as many bytes as a power of two the facts say that upper bits are set: bounds all the same, and no goals.
    #[test]
    fn areas_as_long_as_a_power_of_two_lie_apart_too() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let (to, from) = (p.var("to", Sort::Bv(64)), p.var("from", Sort::Bv(64)));
        let (up, down, fifteen) = (p.sub(from, to), p.sub(to, from), p.num(64, 15));
        let apart = [p.ult(fifteen, up), p.ult(fifteen, down)];
        let low = p.load(mem, from, 8);
        let half = p.store(mem, to, low);
        let from_8 = p.add_num(from, 8);
        let high = p.load(half, from_8, 8);
        let parts = p.concat(high, low);
        let whole = p.load(mem, from, 16);
        let differ = p.ne(whole, parts);
        assert_eq!(settle_places(&mut p, vec![apart[0], apart[1], differ]), None);
        assert!(settle_places(&mut p, vec![differ]).is_some());
    }

    /// A promise that two areas are the same or apart, where other facts say that they are not the same: what is left
    /// of it resolves a read past a write.
    #[test]
    fn a_promise_that_lost_a_case_tells_addresses_apart() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let (to, from, v) =
            (p.var("to", Sort::Bv(64)), p.var("from", Sort::Bv(64)), p.var("v", Sort::Bv(96)));
        let (up, down, eleven) = (p.sub(from, to), p.sub(to, from), p.num(64, 11));
        let (above, below) = (p.ult(eleven, up), p.ult(eleven, down));
        let same = p.eq(to, from);
        let promise = p.or(same, above);
        let stored = p.store(mem, to, v);
        let (read, plain) = (p.load(stored, from, 12), p.load(mem, from, 12));
        let differ = p.ne(read, plain);
        assert_eq!(settle_places(&mut p, vec![promise, below, differ]), None);
        assert!(settle_places(&mut p, vec![promise, differ]).is_some());
        assert!(settle_places(&mut p, vec![below, differ]).is_some());
    }
}
