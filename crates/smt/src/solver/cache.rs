//! A content-addressed cache of answers in front of a solver. The key is the SHA-256 of the query's text, which depends
//! on its structure alone. Models are evaluated again before they count. No answer because of a limit is kept, and
//! nothing outlives the cache: an answer left by another proof would change what the backend has learnt, and with it
//! later answers.

use super::{Answer, Limits, Solver, all_goals};
use crate::{FuncVal, Model, Pool, TermId, Value};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

type Key = [u8; 32];

/// A model with symbols and functions by their number in the query's text.
struct Numbered {
    symbols: Vec<Option<Value>>,
    funcs: Vec<Option<FuncVal>>,
}

enum Kept {
    Unsat,
    Sat(Numbered),
}

/// A solver behind a cache.
pub struct Cached {
    inner: Box<dyn Solver>,
    memory: FxHashMap<Key, Kept>,
    hits: u64,
    misses: u64,
    /// Was the last answer the solver's own?
    asked: bool,
}

/// Most answers kept in memory.
const MAX_KEPT: usize = 100_000;

impl Cached {
    /// An empty cache.
    pub fn new(inner: Box<dyn Solver>) -> Cached {
        Cached { inner, memory: FxHashMap::default(), hits: 0, misses: 0, asked: false }
    }

    /// Queries answered from the cache, and not.
    pub fn counts(&self) -> (u64, u64) {
        (self.hits, self.misses)
    }
}

impl Solver for Cached {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn core(&self) -> Option<&[TermId]> {
        if self.asked { self.inner.core() } else { None }
    }

    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer {
        self.asked = false;
        let goals = all_goals(pool, asked);
        if goals.iter().any(|g| pool.as_bool(*g) == Some(false)) {
            return Answer::Unsat;
        }
        let script = pool.script(&goals);
        let key: Key = Sha256::new().chain_update(&script.text).finalize().into();
        match self.memory.get(&key) {
            Some(Kept::Unsat) => {
                self.hits += 1;
                return Answer::Unsat;
            }
            Some(Kept::Sat(n)) => {
                let mut m = Model::new();
                m.symbols = script
                    .symbols
                    .iter()
                    .zip(&n.symbols)
                    .filter_map(|(s, v)| Some((*s, v.clone()?)))
                    .collect();
                m.funcs =
                    script.funcs.iter().zip(&n.funcs).filter_map(|(f, v)| Some((*f, v.clone()?))).collect();
                if m.eval_all(pool, &goals).iter().all(Value::as_bool) {
                    self.hits += 1;
                    return Answer::Sat(m);
                }
            }
            None => {}
        }
        self.misses += 1;
        self.asked = true;
        let answer = self.inner.check(pool, &goals, limits);
        if self.memory.len() >= MAX_KEPT {
            self.memory.clear();
        }
        match &answer {
            Answer::Unsat => {
                self.memory.insert(key, Kept::Unsat);
            }
            Answer::Sat(m) => {
                let symbols = script.symbols.iter().map(|s| m.symbols.get(s).cloned()).collect();
                let funcs = script.funcs.iter().map(|f| m.funcs.get(f).cloned()).collect();
                self.memory.insert(key, Kept::Sat(Numbered { symbols, funcs }));
            }
            Answer::Unknown(_) => {}
        }
        answer
    }
}
