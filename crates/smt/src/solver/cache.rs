//! A content-addressed cache of answers in front of a solver. The key is the SHA-256 of the query's
//! text, which depends on its structure alone. Unsatisfiable answers are also kept in a directory, if
//! one is given; models stay in memory and are evaluated again before they count. No answer because
//! of a limit is never kept.

use super::{Answer, Limits, Solver, all_goals};
use crate::{FuncVal, Model, Pool, TermId, Value};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::path::PathBuf;

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
    dir: Option<PathBuf>,
    hits: u64,
    misses: u64,
    /// Was the last answer the solver's own?
    asked: bool,
}

/// Format of the files; part of every key.
const VERSION: &str = "plumb-smt 1\n";

/// Most answers kept in memory.
const MAX_KEPT: usize = 100_000;

impl Cached {
    /// A cache in memory, and in a directory if one is given (made on first use; what is damaged or
    /// can't be written is as if absent).
    pub fn new(inner: Box<dyn Solver>, dir: Option<PathBuf>) -> Cached {
        Cached { inner, memory: FxHashMap::default(), dir, hits: 0, misses: 0, asked: false }
    }

    /// Queries answered from the cache, and not.
    pub fn counts(&self) -> (u64, u64) {
        (self.hits, self.misses)
    }

    fn file(&self, key: &Key) -> Option<PathBuf> {
        let hex: String = key.iter().map(|b| format!("{b:02x}")).collect();
        self.dir.as_ref().map(|d| d.join(&hex[..2]).join(&hex[2..]))
    }

    fn known_unsat(&self, key: &Key) -> bool {
        self.file(key).is_some_and(|f| std::fs::read(f).is_ok_and(|c| c == unsat_text(key)))
    }

    fn keep_unsat(&self, key: &Key) {
        let Some(f) = self.file(key) else { return };
        let Some(dir) = f.parent() else { return };
        // Written aside and moved, so that no reader sees half of it.
        let tmp = dir.join(format!(".{}.{:?}", std::process::id(), std::thread::current().id()));
        let done = std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&tmp, unsat_text(key)))
            .and_then(|()| std::fs::rename(&tmp, &f));
        if done.is_err() {
            let _ = std::fs::remove_file(&tmp);
        }
    }
}

/// The content of the file of an unsatisfiable query; it names the key, so that a file in the wrong
/// place counts for nothing.
fn unsat_text(key: &Key) -> Vec<u8> {
    let hex: String = key.iter().map(|b| format!("{b:02x}")).collect();
    format!("{VERSION}unsat {hex}\n").into_bytes()
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
        let key: Key = Sha256::new().chain_update(VERSION).chain_update(&script.text).finalize().into();
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
            None if self.known_unsat(&key) => {
                self.hits += 1;
                self.memory.insert(key, Kept::Unsat);
                return Answer::Unsat;
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
                self.keep_unsat(&key);
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
