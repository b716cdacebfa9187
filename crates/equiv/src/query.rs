//! Queries of the proof: is this implied, can this happen? Most close by normalisation; the rest go
//! to a solver within limits, and every one is accounted for.

use rustc_hash::FxHashMap;
use smt::{Answer, Limits, Model, Node, Pool, Solver, Symbolic, TermId, Why};
use std::time::{Duration, Instant};

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
    /// Queries that went to the solver.
    pub solver: u64,
    /// Time in the solver.
    pub time: Duration,
    /// The costliest query: what it asked, and how long it took.
    pub costliest: Option<(String, Duration)>,
}

pub(crate) struct Prover {
    pub d: Symbolic,
    pub solver: Box<dyn Solver>,
    pub stats: Stats,
    pub deadline: Instant,
    pub memory: u64,
}

impl Prover {
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
        let not = pool.not(goal);
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
        let Some(all) = propagate(&mut self.d.pool, facts) else {
            self.stats.trivial += 1;
            return Answer::Unsat;
        };
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Answer::Unknown(Why::Time);
        }
        let limits = Limits { time: Some(time.min(left)), memory: self.memory, cancel: Vec::new() };
        let start = Instant::now();
        let answer = self.solver.check_assuming(&mut self.d.pool, &all, &limits);
        let took = start.elapsed();
        if let Ok(v) = std::env::var("PLUMB_DUMP")
            && took.as_millis() >= v.parse().unwrap_or(100)
        {
            eprintln!(
                "QUERY {} took {} ms: {}",
                what(),
                took.as_millis(),
                match &answer {
                    Answer::Sat(_) => "sat",
                    Answer::Unsat => "unsat",
                    Answer::Unknown(_) => "unknown",
                }
            );
            if std::env::var("PLUMB_TREE").is_ok() {
                if let Some(f) = facts.last() {
                    eprint!("{}", tree(&self.d.pool, *f, 0));
                }
            } else if std::env::var("PLUMB_FACTS").is_ok() {
                for f in &all {
                    eprintln!("  {}", self.d.pool.show(*f));
                }
            }
        }
        self.stats.solver += 1;
        self.stats.time += took;
        if self.stats.costliest.as_ref().is_none_or(|(_, t)| *t < took) {
            self.stats.costliest = Some((what(), took));
        }
        answer
    }
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
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        let (mut simple, mut compound) = (Vec::new(), Vec::new());
        for &f in &parts {
            let (atom, value) = match *pool.node(f) {
                Node::Not(x) => (x, no),
                _ => (f, yes),
            };
            match *pool.node(atom) {
                Node::And(_) | Node::Ite(..) => compound.push(f),
                Node::Eq(a, _) if pool.sort(a) == smt::Sort::Bool => compound.push(f),
                Node::Eq(a, b) => {
                    map.insert(atom, value);
                    if value == yes {
                        match (pool.as_const(a).is_some(), pool.as_const(b).is_some()) {
                            (true, false) => drop(map.insert(b, a)),
                            (false, true) => drop(map.insert(a, b)),
                            (true, true) | (false, false) => {}
                        }
                    }
                    simple.push(f);
                }
                _ => {
                    map.insert(atom, value);
                    simple.push(f);
                }
            }
        }
        if compound.is_empty() || map.is_empty() {
            break;
        }
        let new = pool.substitute_all(&compound, &map);
        if new == compound {
            break;
        }
        simple.extend(new);
        let all = pool.and_all(&simple);
        parts = match pool.node(all) {
            Node::Bool(false) => return None,
            Node::Bool(true) => return Some(Vec::new()),
            Node::And(xs) => xs.to_vec(),
            _ => vec![all],
        };
    }
    Some(parts)
}

fn tree(p: &Pool, t: TermId, depth: usize) -> String {
    let pad = " ".repeat(depth);
    if depth > 14 {
        return format!("{pad}..{t:?}\n");
    }
    match p.node(t) {
        Node::Var(s) => format!("{pad}{}\n", p.symbol(*s).name),
        Node::Const(v) => format!("{pad}{v}\n"),
        Node::Store(b, ws) => {
            let mut o = format!("{pad}Store {t:?}\n");
            for (a, v) in ws.iter() {
                o += &format!("{pad} @\n{}{pad} =\n{}", tree(p, *a, depth + 2), tree(p, *v, depth + 2));
            }
            o + &tree(p, *b, depth + 1)
        }
        n => {
            let k = format!("{n:?}");
            let k: String = k.chars().take_while(|c| c.is_alphanumeric()).collect();
            let mut o = format!("{pad}{k} {t:?}\n");
            for c in p.children(t) {
                o += &tree(p, c, depth + 1);
            }
            o
        }
    }
}
