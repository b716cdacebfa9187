//! Queries of the proof: is this implied, can this happen? Most close by normalisation; the rest go
//! to a solver within limits, and every one is accounted for.

use crate::cores::Cores;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::clock::Instant;
use smt::{Answer, Apart, Model, Node, Pool, Promises, Solver, Symbolic, TermId, Why};
use std::time::Duration;

/// The outcome of asking whether something holds.
#[derive(Clone, Debug)]
pub(crate) enum Holds {
    Yes,
    No(Box<Model>),
    Unknown(Why),
}

/// What the queries cost.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Queries that normalisation decided.
    pub trivial: u64,
    /// Queries with all the facts of one refuted before, or with a model found before.
    pub repeated: u64,
    /// Queries that went to the solver.
    pub solver: u64,
    /// Time in the solver.
    pub time: Duration,
    /// The costliest query: what it asked, and how long it took.
    pub costliest: Option<(String, Duration)>,
    /// The first queries that took long: what they asked, how long they took, and what came of them.
    pub slow: Vec<(String, Duration, &'static str)>,
}

/// What a query takes that counts as long.
const SLOW: Duration = Duration::from_millis(60);

/// Most of them that are told.
const TOLD: usize = 256;

impl Stats {
    /// The cost of both together.
    pub fn add(&mut self, other: &Stats) {
        self.trivial += other.trivial;
        self.repeated += other.repeated;
        self.solver += other.solver;
        let room = TOLD.saturating_sub(self.slow.len());
        self.slow.extend(other.slow.iter().take(room).cloned());
        self.time += other.time;
        if let Some((what, time)) = &other.costliest
            && self.costliest.as_ref().is_none_or(|(_, t)| t < time)
        {
            self.costliest = Some((what.clone(), *time));
        }
    }
}

pub(crate) struct Prover {
    pub d: Symbolic,
    pub solver: Box<dyn Solver>,
    pub stats: Stats,
    pub deadline: Instant,
    pub memory: u64,
    /// What was refuted before.
    pub cores: Cores,
    /// Goals of several parts that took too long as a whole, and were proved part by part.
    pub apart: FxHashSet<TermId>,
    /// The models found last: the next query may have one of them too.
    pub models: Vec<Model>,
    /// What the facts of the last queries say: the next often has the same.
    pub known: Vec<Known>,
}

impl Prover {
    /// Do the facts imply the goal by normalisation alone?
    pub fn follows(&mut self, facts: &[TermId], goal: TermId) -> bool {
        let settled = self.settled(facts, goal);
        let yes = self.d.pool.as_bool(settled) == Some(true);
        self.stats.trivial += u64::from(yes);
        yes
    }

    /// Do the facts contradict each other by normalisation alone?
    pub fn contradict(&mut self, facts: &[TermId]) -> bool {
        let no = self.d.pool.bool(false);
        self.follows(facts, no)
    }

    /// A goal as it is where the facts hold.
    fn settled(&mut self, facts: &[TermId], goal: TermId) -> TermId {
        let mut known = match self.known.iter().position(|k| k.about(facts)) {
            Some(n) => self.known.remove(n),
            None => Known::of(&mut self.d.pool, facts),
        };
        let settled = known.settle(&mut self.d.pool, goal);
        self.known.truncate(KNOWN - 1);
        self.known.insert(0, known);
        settled
    }

    /// Do the facts imply the goal?
    pub fn implied(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        time: Duration,
        what: &dyn Fn() -> String,
    ) -> Holds {
        let pool = &mut self.d.pool;
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let goal = self.settled(facts, goal);
        let pool = &mut self.d.pool;
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let parts = match pool.node(goal) {
            Node::And(xs) if xs.len() <= PARTS => xs.to_vec(),
            _ => Vec::new(),
        };
        let start = Instant::now();
        if parts.is_empty() || !self.apart.contains(&goal) {
            let whole = if parts.is_empty() { time } else { WHOLE.min(time.mul_f64(0.5)) };
            let holds = self.implied_whole(facts, goal, whole, what);
            if parts.is_empty() || !matches!(holds, Holds::Unknown(Why::Time | Why::Incomplete(_))) {
                return holds;
            }
        }
        // One part after the other.
        for part in parts {
            let left = time.saturating_sub(start.elapsed());
            let holds = self.implied_whole(facts, part, left, what);
            if !matches!(holds, Holds::Yes) {
                return holds;
            }
        }
        self.apart.insert(goal);
        Holds::Yes
    }

    fn implied_whole(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        time: Duration,
        what: &dyn Fn() -> String,
    ) -> Holds {
        let not = self.d.pool.not(goal);
        let mut all = facts.to_vec();
        all.push(not);
        match self.possible(&all, time, what) {
            Answer::Sat(m) => Holds::No(Box::new(m)),
            Answer::Unsat => Holds::Yes,
            Answer::Unknown(w) => Holds::Unknown(w),
        }
    }

    /// Can all of these be true at once?
    pub fn possible(&mut self, facts: &[TermId], time: Duration, what: &dyn Fn() -> String) -> Answer {
        let Some(all) = simplify(&mut self.d.pool, facts) else {
            self.stats.trivial += 1;
            return Answer::Unsat;
        };
        if self.cores.refute(&all) {
            self.stats.repeated += 1;
            return Answer::Unsat;
        }
        if let Some(n) = self.models.iter().position(|m| fits(&self.d.pool, &all, m)) {
            self.stats.repeated += 1;
            let model = self.models.remove(n);
            self.models.insert(0, model.clone());
            return Answer::Sat(model);
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Answer::Unknown(Why::Time);
        }
        let start = Instant::now();
        let answer = self.search(&all, start + time.min(left), SPLITS);
        if let Answer::Sat(m) = &answer {
            self.models.truncate(MODELS - 1);
            self.models.insert(0, m.clone());
        }
        let took = start.elapsed();
        if matches!(answer, Answer::Unsat) && !self.cores.refute(&all) {
            self.cores.learn(&all);
        }
        self.stats.solver += 1;
        self.stats.time += took;
        if took >= SLOW && self.stats.slow.len() < TOLD {
            let came = match &answer {
                Answer::Sat(_) => "satisfiable",
                Answer::Unsat => "refuted",
                Answer::Unknown(_) => "unknown",
            };
            self.stats.slow.push((what(), took, came));
        }
        if self.stats.costliest.as_ref().is_none_or(|(_, t)| *t < took) {
            self.stats.costliest = Some((what(), took));
        }
        answer
    }
}

/// How many models are kept in mind.
const MODELS: usize = 12;

/// How many sets of facts are kept in mind.
const KNOWN: usize = 4;

/// Most parts of a goal that are proved one by one.
const PARTS: usize = 64;

/// What a goal of several parts has as a whole.
const WHOLE: Duration = Duration::from_millis(120);

/// What the search as a whole has before anything else is tried.
const FIRST: Duration = Duration::from_millis(300);

/// What a query has whose parts were put together, before it is cut into cases.
const SECOND: Duration = Duration::from_millis(500);

/// What each case has before it is cut further.
const SLICE: Duration = Duration::from_millis(120);

/// Most pairs of addresses that are taken for equal and for different before anything else.
const SPLITS: u32 = 3;

/// Most conditions fixed one after the other.
const DEEPEST: u32 = 24;

impl Prover {
    /// The solver for a moment; then what is equal in the query put together; then case by case, for as long as that
    /// helps; then the solver again.
    ///
    /// States merge where paths join, and the two sides may merge theirs in another order. Once the conditions of
    /// the choices are fixed, what each side computed on that path is often the same term again.
    fn search(&mut self, goals: &[TermId], deadline: Instant, splits: u32) -> Answer {
        let left = || deadline.saturating_duration_since(Instant::now());
        if splits > 0
            && let Some(same) = same_place(&self.d.pool, goals)
            && let Some(answer) = self.places(goals, same, deadline, splits - 1)
        {
            return answer;
        }
        let first = self.check(goals, FIRST.min(left().mul_f64(0.5)));
        if !matches!(first, Answer::Unknown(_)) || left().is_zero() {
            if matches!(first, Answer::Unsat)
                && let Some(core) = self.solver.core()
            {
                self.cores.learn(core);
            }
            return first;
        }
        let mut now = goals.to_vec();
        // What is equal everywhere first: that is told apart fastest.
        for facts in [false, true] {
            let until = Instant::now() + left().mul_f64(0.3);
            let Some(swept) = self.sweep(&now, facts, until) else { continue };
            let Some(all) = simplify(&mut self.d.pool, &swept) else { return Answer::Unsat };
            now = all;
            let answer = self.check(&now, left().min(SECOND));
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let half = Instant::now() + left().mul_f64(0.5);
        if let Some(condition) = choice(&self.d.pool, &now) {
            let answer = self.cases(&now, condition, half, DEEPEST);
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let answer = self.check(&now, left());
        self.of_query(goals, answer).unwrap_or(Answer::Unknown(Why::Time))
    }

    /// The goals where two addresses are the same, and where they are not.
    fn places(&mut self, goals: &[TermId], same: TermId, deadline: Instant, splits: u32) -> Option<Answer> {
        let Node::Eq(a, b) = *self.d.pool.node(same) else { return None };
        // The later term cannot be part of the earlier one.
        let map: FxHashMap<TermId, TermId> = [(a.max(b), a.min(b))].into_iter().collect();
        let mut one = self.d.pool.substitute_all(goals, &map);
        one.push(same);
        let mut two = goals.to_vec();
        two.push(self.d.pool.not(same));
        for case in [one, two] {
            let Some(all) = simplify(&mut self.d.pool, &case) else { continue };
            if Instant::now() >= deadline {
                return Some(Answer::Unknown(Why::Time));
            }
            let answer = self.search(&all, deadline, splits);
            match self.of_query(goals, answer) {
                Some(Answer::Unsat) => {}
                answer => return answer,
            }
        }
        Some(Answer::Unsat)
    }

    /// What an answer to a form of the query that follows from it says about the query.
    fn of_query(&self, goals: &[TermId], answer: Answer) -> Option<Answer> {
        match answer {
            Answer::Unsat => Some(Answer::Unsat),
            Answer::Sat(m) => {
                let fits = m.eval_all(&self.d.pool, goals).iter().all(smt::Value::as_bool);
                fits.then_some(Answer::Sat(m))
            }
            Answer::Unknown(_) => None,
        }
    }

    fn cases(&mut self, goals: &[TermId], condition: TermId, deadline: Instant, depth: u32) -> Answer {
        let not = self.d.pool.not(condition);
        for case in [condition, not] {
            let mut all = assume(&mut self.d.pool, goals, condition, case == condition);
            all.push(case);
            let Some(all) = propagate(&mut self.d.pool, &all) else { continue };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Answer::Unknown(Why::Time);
            }
            let next = if depth == 0 { None } else { choice(&self.d.pool, &all) };
            let time = if next.is_some() { SLICE.min(left) } else { left / 2 };
            let answer = match (self.check(&all, time), next) {
                (Answer::Unknown(_), Some(c)) => self.cases(&all, c, deadline, depth - 1),
                (answer, _) => answer,
            };
            if !matches!(answer, Answer::Unsat) {
                return answer;
            }
        }
        Answer::Unsat
    }
}

/// Do all facts hold in a model? The last are the goal's, and the most often false.
fn fits(pool: &Pool, facts: &[TermId], model: &Model) -> bool {
    let mut values = FxHashMap::default();
    facts.iter().rev().all(|f| model.eval_cached(pool, &[*f], &mut values)[0].as_bool())
}

/// Most Boolean terms that are searched for such an equality.
const SEARCHED: usize = 2_000;

/// An equality of addresses that a promise leaves open: two areas are the same, or they lie apart.
fn same_place(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let mut todo = goals.to_vec();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(t) = todo.pop() {
        if seen.len() >= SEARCHED || !seen.insert(t) {
            continue;
        }
        match pool.node(t) {
            Node::Not(x) => todo.push(*x),
            Node::And(xs) => {
                if let Some(e) = same_or_apart(pool, xs) {
                    return Some(e);
                }
                todo.extend(xs.iter());
            }
            Node::Ite(c, a, b) if pool.sort(t) == smt::Sort::Bool => todo.extend([*c, *a, *b]),
            _ => {}
        }
    }
    None
}

/// Among parts that can't all be true: two addresses differ, and their distances are not both large.
fn same_or_apart(pool: &Pool, parts: &[TermId]) -> Option<TermId> {
    let inside = |t: &TermId| match *pool.node(*t) {
        Node::Not(x) => Some(x),
        _ => None,
    };
    let distance = |t: &TermId| matches!(pool.node(*t), Node::Ult(k, _) if pool.as_const(*k).is_some());
    let near = |t: TermId| matches!(pool.node(t), Node::And(ds) if ds.len() == 2 && ds.iter().all(distance));
    if !parts.iter().filter_map(inside).any(near) {
        return None;
    }
    parts.iter().filter_map(inside).find(|e| {
        let Node::Eq(a, b) = *pool.node(*e) else { return false };
        let address = matches!(pool.sort(a), smt::Sort::Bv(64));
        address && pool.as_const(a).is_none() && pool.as_const(b).is_none()
    })
}

/// The goals where a condition is settled.
fn assume(pool: &mut Pool, goals: &[TermId], condition: TermId, holds: bool) -> Vec<TermId> {
    let value = pool.bool(holds);
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    map.insert(condition, value);
    if holds && let Node::Eq(a, b) = *pool.node(condition) {
        match (pool.as_const(a).is_some(), pool.as_const(b).is_some()) {
            (true, false) => drop(map.insert(b, a)),
            (false, true) => drop(map.insert(a, b)),
            (true, true) | (false, false) => {}
        }
    }
    pool.substitute_all(goals, &map)
}

/// The condition that most choices depend on, the earliest of them.
fn choice(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let mut count: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut add = |t: TermId| {
        let atom = match pool.node(t) {
            Node::Not(x) => *x,
            _ => t,
        };
        *count.entry(atom).or_default() += 1;
    };
    for t in pool.postorder(goals) {
        let Node::Ite(c, ..) = pool.node(t) else { continue };
        match pool.node(*c) {
            Node::And(xs) => xs.iter().for_each(|x| add(*x)),
            _ => add(*c),
        }
    }
    count.into_iter().max_by_key(|(t, n)| (*n, std::cmp::Reverse(*t))).map(|(t, _)| t)
}

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
    rest = pool.settle(&rest, apart);
    let (differ, bounds): (Vec<TermId>, Vec<TermId>) =
        about.into_iter().partition(|f| matches!(pool.node(*f), Node::Not(_)));
    let apart = pool.apart(&bounds);
    rest.extend(if apart.is_empty() { differ } else { pool.settle(&differ, apart) });
    if rest.iter().any(|f| pool.as_bool(*f) == Some(false)) {
        return None;
    }
    rest.retain(|f| pool.as_bool(*f) != Some(true));
    rest.extend(bounds);
    Some(rest)
}

/// What facts say, at hand for goals.
pub(crate) struct Known {
    facts: Vec<TermId>,
    contradict: bool,
    /// What terms are, by the facts; and what was built with that.
    values: FxHashMap<TermId, TermId>,
    done: FxHashMap<TermId, TermId>,
    promises: Promises,
}

impl Known {
    /// What these facts say.
    fn of(pool: &mut Pool, facts: &[TermId]) -> Known {
        let mut known = Known {
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
    fn about(&self, facts: &[TermId]) -> bool {
        self.facts == facts
    }

    /// A term as it is where the facts hold.
    fn settle(&mut self, pool: &mut Pool, t: TermId) -> TermId {
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
fn simplify(pool: &mut Pool, facts: &[TermId]) -> Option<Vec<TermId>> {
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
fn propagate(pool: &mut Pool, facts: &[TermId]) -> Option<Vec<TermId>> {
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
                Node::Eq(a, _) if pool.sort(a) == smt::Sort::Bool => compound.push(f),
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
    use smt::Sort;

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
