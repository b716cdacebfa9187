//! Operations that tell ranges apart ([`crate::Operation::of_ranges`]): what holds of every such function is added to a
//! query only where a model of it breaks it. Most queries never need it: what lies in one range is said step by step.

use super::Prover;
use super::facts::simplify;
use crate::effort::Deadline;
use crate::{Answer, Bv, Model, Node, Pool, TermId};
use std::cmp::Ordering;

/// Rounds of lemmas about ranges for one query.
const ROUNDS: u32 = 12;

/// Most applications of one function that are compared.
const APPLICATIONS: usize = 48;

/// Two applications of one function, the argument of the first not above that of the second in the model.
type Pair = (TermId, TermId);

impl Prover {
    /// A search for a model in which functions that tell ranges apart do.
    pub(super) fn search_in_ranges(&mut self, goals: &[TermId], deadline: Deadline) -> Answer {
        let mut all = goals.to_vec();
        for _ in 0..ROUNDS {
            let answer = self.search(&all, deadline);
            let Answer::Sat(model) = &answer else { return answer };
            let broken = broken(&self.d.pool, &all, model);
            if broken.is_empty() {
                return answer;
            }
            for pair in broken {
                let lemmas = self.d.pool.lemmas(pair);
                all.extend(lemmas);
            }
            match simplify(&mut self.d.pool, &all) {
                Some(simpler) => all = simpler,
                None => return Answer::Unsat,
            }
        }
        self.search(&all, deadline)
    }
}

/// Whether functions that tell ranges apart do so in a model.
pub(super) fn hold(pool: &Pool, facts: &[TermId], model: &Model) -> bool {
    broken(pool, facts, model).is_empty()
}

/// Applications that no function of ranges gives together what a model says.
fn broken(pool: &Pool, facts: &[TermId], model: &Model) -> Vec<Pair> {
    let mut found: Vec<(u32, TermId, TermId)> = Vec::new();
    for t in pool.postorder(facts) {
        if let Node::Apply(f, args) = pool.node(t)
            && let [arg] = args[..]
            && pool.func_decl(*f).operation.as_ref().is_some_and(|o| o.of_ranges)
        {
            found.push((f.0, arg, t));
        }
    }
    found.sort_unstable();
    let mut out = Vec::new();
    for group in found.chunk_by(|x, y| x.0 == y.0) {
        let group = &group[..group.len().min(APPLICATIONS)];
        let args: Vec<TermId> = group.iter().map(|g| g.1).collect();
        let results: Vec<TermId> = group.iter().map(|g| g.2).collect();
        let numbers = |terms: &[TermId]| model.eval_all(pool, terms).into_iter().map(|v| v.as_bv().clone());
        let values = numbers(&args).zip(numbers(&results));
        let mut rows: Vec<(Bv, Bv, TermId)> = values.zip(&results).map(|((a, b), t)| (a, b, *t)).collect();
        rows.sort_by(|x, y| x.0.ucmp(&y.0).then(x.2.cmp(&y.2)));
        // What descends anywhere does so between neighbours.
        let descends = rows.windows(2).filter(|w| w[1].1.ucmp(&w[0].1) == Ordering::Less);
        out.extend(descends.map(|w| (w[0].2, w[1].2)));
        for alike in rows.chunk_by(|x, y| x.1 == y.1) {
            if let (Some(first), Some(last)) = (alike.first(), alike.last())
                && last.0.sub(&first.0).ucmp(&Bv::smin(last.0.width())) != Ordering::Less
            {
                out.push((first.2, last.2));
            }
        }
    }
    out
}

impl Pool {
    /// What holds of two applications of a function that tells ranges apart: it ascends, and where both lie in one range, they lie
    /// less than half of all numbers apart.
    fn lemmas(&mut self, (s, t): Pair) -> Vec<TermId> {
        let (a, b) = (self.children(s)[0], self.children(t)[0]);
        let half = self.constant(Bv::smin(self.width(a)));
        let (after, descends) = (self.ult(b, a), self.ult(t, s));
        let ascends = self.not(descends);
        let first = self.or(after, ascends);
        let (same, apart) = (self.eq(s, t), self.sub(b, a));
        let (near, differ) = (self.ult(apart, half), self.not(same));
        let second = self.or_all(&[after, differ, near]);
        vec![first, second]
    }
}

#[cfg(test)]
mod tests {
    use crate::effort::Effort;
    use crate::tactic::{Holds, Prover};
    use crate::{Embedded, Operation, OperationClass, Sort, TermId};

    /// Of `x`, `x + 8`, `x + 8 + 4 i` and `x + 10`: where the ranges begin that they lie in.
    fn steps(p: &mut Prover, of_ranges: bool) -> [TermId; 4] {
        let operation =
            Operation { class: OperationClass(0), name: "range".into(), of_ranges, commutes: false };
        let pool = &mut p.d.pool;
        let f = pool.operation(&operation, &[Sort::Bv(64)], 64);
        let (x, i) = (pool.var("x", Sort::Bv(64)), pool.var("i", Sort::Bv(8)));
        let (wide, four) = (pool.zext(i, 64), pool.num(64, 4));
        let (y, scaled) = (pool.add_num(x, 8), pool.mul(wide, four));
        let far = pool.add(y, scaled);
        let (end, middle) = (pool.add_num(far, 2), pool.add_num(x, 10));
        [x, y, end, middle].map(|t| pool.apply(f, &[t]))
    }

    fn holds(p: &mut Prover, facts: &[TermId], goal: TermId) -> bool {
        matches!(p.implied(facts, goal, Effort::mega(1_000), &String::new), Holds::Yes)
    }

    #[test]
    fn what_lies_between_two_of_a_range_is_of_it() {
        for of_ranges in [true, false] {
            let mut p = Prover::new(Box::new(Embedded::new()), 1 << 30);
            let [a, b, c, d] = steps(&mut p, of_ranges);
            let facts = [p.d.pool.eq(a, b), p.d.pool.eq(b, c)];
            let between = p.d.pool.eq(a, d);
            assert_eq!(holds(&mut p, &facts, between), of_ranges);
        }
    }

    #[test]
    fn what_lies_beyond_need_not_be() {
        let mut p = Prover::new(Box::new(Embedded::new()), 1 << 30);
        let [a, b, c, d] = steps(&mut p, true);
        let facts = [p.d.pool.eq(a, b)];
        let (end, middle) = (p.d.pool.eq(a, c), p.d.pool.eq(a, d));
        assert!(!holds(&mut p, &facts, end));
        assert!(!holds(&mut p, &facts, middle));
    }
}
