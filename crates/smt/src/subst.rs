//! Substitution: a term with some of its parts replaced, normalised again.

use crate::{Bv, Node, Pool, Sort, TermId};
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

    /// What an equation of words says its newest variable is: a constant or a term of older variables.
    pub fn solved(&mut self, equation: TermId) -> Option<(TermId, TermId)> {
        let Node::Eq(a, b) = *self.node(equation) else { return None };
        let Sort::Bv(w) = self.sort(a) else { return None };
        let d = self.sub(a, b);
        let view = self.linear_view(d);
        let unit = |c: &Bv| c.is_one() || c.is_ones();
        let variable = |t: &TermId| matches!(self.node(*t), Node::Var(_));
        let (v, c) =
            view.terms.iter().filter(|(t, c)| variable(t) && unit(c)).max_by_key(|(t, _)| *t)?.clone();
        let rest: Vec<TermId> = view.terms.iter().map(|(t, _)| *t).filter(|t| *t != v).collect();
        let older = self.postorder(&rest).into_iter().all(|t| t < v || !matches!(self.node(t), Node::Var(_)));
        if !older {
            return None;
        }
        // v = -c times everything else
        let m = c.neg();
        let parts: Vec<(TermId, Bv)> =
            view.terms.iter().filter(|(t, _)| *t != v).map(|(t, c)| (*t, c.mul(&m))).collect();
        let value = self.linear(&parts, view.k.mul(&m));
        debug_assert_eq!(self.width(value), w);
        Some((v, value))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equation_tells_its_newest_variable() {
        let mut p = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| p.var(n, Sort::Bv(32)));
        let next = p.add_num(y, 1);
        let e = p.eq(x, next);
        let before = p.add_num(x, -1);
        assert_eq!(p.solved(e), Some((y, before)));
        // Twice the newest one tells nothing of it; the other is not told by a newer one.
        let twice = p.add(y, y);
        let e = p.eq(x, twice);
        assert_eq!(p.solved(e), None);
        let sum = p.add(x, z);
        let e = p.eq(sum, y);
        let apart = p.sub(y, x);
        assert_eq!(p.solved(e), Some((z, apart)));
        // Nor is one told by itself.
        let product = p.mul(z, x);
        let e = p.eq(z, product);
        assert_eq!(p.solved(e), None);
        let (low, k) = (p.trunc(z, 8), p.num(8, 3));
        let e = p.eq(low, k);
        assert_eq!(p.solved(e), None);
    }
}
