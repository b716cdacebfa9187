//! Substitution: a term with some of its parts replaced, normalised again.

use crate::{Pool, TermId};
use rustc_hash::FxHashMap;

impl Pool {
    /// `t` with every occurrence of a key replaced by its value, all at once (values are not
    /// substituted into). Terms that contain no key stay as they are.
    pub fn substitute(&mut self, t: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        self.substitute_all(&[t], map).pop().expect("one term in, one out")
    }

    /// [`Pool::substitute`] for several terms, shared parts replaced once.
    pub fn substitute_all(&mut self, ts: &[TermId], map: &FxHashMap<TermId, TermId>) -> Vec<TermId> {
        self.substitute_on(ts, map, &mut FxHashMap::default())
    }

    /// [`Pool::substitute_all`] with what was done before by the same map.
    pub fn substitute_on(
        &mut self,
        ts: &[TermId],
        map: &FxHashMap<TermId, TermId>,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        if map.is_empty() {
            return ts.to_vec();
        }
        let mut stack: Vec<TermId> = ts.to_vec();
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            if !map.contains_key(&t) {
                let before = stack.len();
                self.for_children(t, |c| {
                    if !done.contains_key(&c) {
                        stack.push(c);
                    }
                });
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let new = match map.get(&t) {
                Some(v) => {
                    assert_eq!(self.sort(t), self.sort(*v), "substitution by another sort");
                    *v
                }
                None => {
                    let old = self.children(t);
                    let args: Vec<TermId> = old.iter().map(|c| done[c]).collect();
                    if args == old { t } else { self.rebuild(t, &args) }
                }
            };
            done.insert(t, new);
        }
        ts.iter().map(|t| done[t]).collect()
    }

    /// The variables that occur in the terms, in order of declaration.
    pub fn free_symbols(&self, ts: &[TermId]) -> Vec<crate::SymId> {
        let mut out: Vec<_> = self
            .postorder(ts)
            .into_iter()
            .filter_map(|t| match self.node(t) {
                crate::Node::Var(s) => Some(*s),
                _ => None,
            })
            .collect();
        out.sort_unstable();
        out
    }
}
