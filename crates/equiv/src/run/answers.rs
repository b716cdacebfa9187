//! What the world answers to events: in proofs as unknown terms, in runs as the values that a model has for these.

use super::answer_name;
use super::trace;
use crate::model::{Label, Val};
use smt::{ArrayVal, Bv, Model, Pool, TermId, Value};
use std::collections::BTreeMap;

/// An event that both sides have, and what came back.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    /// When.
    pub facts: Vec<TermId>,
    /// What it is.
    pub label: Label,
    /// What came back, in the order in which [`Acceptability::results`] asked for it.
    pub values: Vec<TermId>,
}

/// What the world answers to events, by the names that runs give its answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub bits: BTreeMap<String, Bv>,
    pub memories: BTreeMap<String, ArrayVal>,
}

impl Answers {
    /// In words, as further inputs.
    pub fn describe(&self) -> Vec<(String, String)> {
        let bits = self.bits.iter().map(|(n, v)| (n.clone(), trace::show(&Val::Bv(v.clone()))));
        let memories = self.memories.iter().map(|(n, m)| (n.clone(), trace::show(&Val::Mem(m.clone()))));
        bits.chain(memories).collect()
    }

    /// Those of a model. Memory itself (the first of each event's) stays as it was, since a called function may write
    /// no object that is the caller's own, which facts do not tell.
    pub fn of(pool: &Pool, m: &Model, answered: &[Answered]) -> Answers {
        let mut out = Answers::default();
        let mut event = 0;
        for a in answered {
            if !m.eval_all(pool, &a.facts).iter().all(Value::as_bool) {
                continue;
            }
            event += 1;
            let mut first = true;
            for (k, v) in m.eval_all(pool, &a.values).into_iter().enumerate() {
                let name = answer_name(event, k + 1, &a.label);
                match v {
                    Value::Bv(v) => drop(out.bits.insert(name, v)),
                    Value::Array(_) if std::mem::take(&mut first) => {}
                    Value::Array(v) => drop(out.memories.insert(name, v)),
                    Value::Bool(_) => {}
                }
            }
        }
        out
    }
}
