//! What is guessed of a synchronisation point where it is first reached, and what speaks against it.

use super::check::{Checker, Task};
use super::plan::Plan;
use super::problem::PointResult;
use super::region::{Stop, StopKind, conjuncts};
use crate::guess::{Observed, again, postponed, states};
use crate::model::budget::REACHED;
use crate::model::{Acceptability, Constraint, Semantics, Side, State, SyncPoint, Val, eval_expr};
use rustc_hash::FxHashSet;
use smt::{Answer, Bv, Symbolic, TermId, Value};

/// Most comparisons that one point hands on to the next.
const PASSED: usize = 12;

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// Finds the relations of the synchronisation point that both sides reach, if they do and it has none yet;
    /// false where they can't.
    pub(crate) fn explore(
        &mut self,
        (i, points): (usize, &mut [SyncPoint]),
        found: &mut [bool],
        (facts, together): (&[TermId], bool),
        (a, b): (&Stop, &Stop),
        task: &Task<'_>,
    ) -> bool {
        let (StopKind::Cut(l), StopKind::Cut(r)) = (&a.kind, &b.kind) else { return true };
        let Some(j) = points.iter().position(|p| p.left == l.at && p.right == r.at) else { return true };
        if found[j] {
            return true;
        }
        let what = || "a synchronisation point is reached".to_owned();
        // Most are; one that is not costs its relations, which hold there for want of any state. Between blocks that
        // have a partner each it is not worth asking.
        let reached = together
            || task.plan.by_blocks()
            || !matches!(
                self.prover.possible(facts, task.plan.allow(REACHED.min(task.plan.budget.candidate)), &what),
                Answer::Unsat
            );
        if !reached {
            return false;
        }
        found[j] = true;
        let shapes = (self.left.shape(), self.right.shape());
        let (sure, mut settled) = if task.plan.by_blocks() { self.settled(l, r) } else { Default::default() };
        let made = match (self.opts.compose, task.plan.guesses.made) {
            (true, _) => states::Made::Loads,
            (false, true) => states::Made::Values,
            (false, false) => states::Made::Unasked,
        };
        let guesses = (task.plan.guesses.bounds, made);
        let known = (&sure[..], &settled, &points[j].constraints[..]);
        let mut all = states::relations(&mut self.prover.d, shapes, l, r, guesses, known);
        let seen: FxHashSet<Constraint> = all.iter().cloned().collect();
        all.extend(sure.iter().filter(|c| !seen.contains(c)).cloned());
        if task.plan.by_blocks() {
            settled.extend(
                seen.iter().filter(|c| c.across() && c.of_variables()).flat_map(Constraint::variables),
            );
            settled.retain(|v| self.unsure(v, l, r));
        }
        let unsettled = |c: &Constraint| !c.across() || !c.variables().iter().any(|v| settled.contains(v));
        let more = points[j].constraints.drain(..);
        all.extend(more.filter(|c| !seen.contains(c) && !sure.contains(c) && unsettled(c)));
        if task.plan.by_blocks() {
            let path = a.when.path;
            all.extend(self.passed(&points[i], l, path, task.plan));
        }
        if self.composes(task.plan) {
            let more = self.composed(i, facts, ((l, r), (a.when.path, b.when.path)), &all);
            all.extend(more);
        }
        if let Some(barred) = task.barred.get(&(l.at, r.at)) {
            all.retain(|c| !barred.contains(c));
        }
        points[j].constraints = all;
        true
    }

    /// Whether a plan guesses what one side keeps of what the other computes again.
    pub(super) fn composes(&self, plan: &Plan) -> bool {
        self.opts.compose || plan.guesses.made
    }

    /// What else may hold where a point is first reached, between programs that keep what the other one computes again.
    fn composed(
        &mut self,
        from: usize,
        facts: &[TermId],
        ((l, r), paths): (again::Both<'_>, (TermId, TermId)),
        known: &[Constraint],
    ) -> Vec<Constraint> {
        self.first.insert((l.at, r.at), (l.clone(), r.clone()));
        let mut out = self.sampled(from, facts, (l, r), known);
        let simulated = self.simulated(from, facts, (l, r), known);
        out.extend(simulated.into_iter().filter(|c| !out.contains(c)).collect::<Vec<_>>());
        // What one side alone asked on the way here may be what it has a loop of its own for.
        let shapes = (self.left.shape(), self.right.shape());
        let d = &mut self.prover.d;
        let conditions = (conjuncts(&d.pool, paths.0), conjuncts(&d.pool, paths.1));
        out.extend(again::comparisons(d, shapes, ((l, r), (l, r)), (&conditions.0, &conditions.1)));
        out
    }

    /// What is equal in some states that fit the facts, of what nothing relates so far: the same number, computed otherwise.
    fn sampled(
        &mut self,
        from: usize,
        facts: &[TermId],
        (l, r): (&State<Symbolic>, &State<Symbolic>),
        known: &[Constraint],
    ) -> Vec<Constraint> {
        let shapes = (self.left.shape(), self.right.shape());
        let open = states::unrelated(&mut self.prover.d, shapes, (l, r), known);
        if open[1].is_empty() {
            return Vec::new();
        }
        let pool = &self.prover.d.pool;
        let terms: Vec<TermId> = open.iter().flatten().map(|(_, _, t)| *t).collect();
        let mut values: Vec<Vec<Bv>> = vec![Vec::new(); terms.len()];
        for m in self.witnesses.models(pool, from, facts, &terms) {
            for (list, value) in values.iter_mut().zip(m.eval_all(pool, &terms)) {
                if let Value::Bv(v) = value {
                    list.push(v);
                }
            }
        }
        let of_right = values.split_off(open[0].len());
        states::alike(&open, &[values, of_right])
    }

    /// Where a point is reached from itself: what may hold there that was not seen where it was first reached.
    pub(crate) fn again(
        &mut self,
        out: &mut PointResult,
        (i, points): (usize, &[SyncPoint]),
        from: again::Both<'_>,
        (a, b): (&Stop, &Stop),
    ) {
        let (StopKind::Cut(l), StopKind::Cut(r)) = (&a.kind, &b.kind) else { return };
        if (points[i].left, points[i].right) != (l.at, r.at) {
            return;
        }
        let Some((x, y)) = self.first.get(&(l.at, r.at)) else { return };
        let shapes = (self.left.shape(), self.right.shape());
        let d = &mut self.prover.d;
        let conditions = (conjuncts(&d.pool, a.when.path), conjuncts(&d.pool, b.when.path));
        let mut more = again::comparisons(d, shapes, (from, (l, r)), (&conditions.0, &conditions.1));
        let mut related: FxHashSet<&str> = FxHashSet::default();
        for c in points[i].constraints.iter().filter(|c| c.across()) {
            for e in [&c.a, &c.b] {
                e.each_variable(&mut |side, name| {
                    if side == Side::Right {
                        related.insert(name);
                    }
                });
            }
        }
        more.extend(again::inductions(d, shapes, ((x, y), from, (l, r)), &related));
        out.again.extend(more.into_iter().map(|c| (i, c)));
    }

    /// Where a point is reached from itself: the stores that the right leaves to the end of the loop.
    pub(crate) fn postponed(
        &mut self,
        out: &mut PointResult,
        (i, points): (usize, &[SyncPoint]),
        from: again::Both<'_>,
        (a, b): (&Stop, &Stop),
    ) {
        let (StopKind::Cut(l), StopKind::Cut(r)) = (&a.kind, &b.kind) else { return };
        if (points[i].left, points[i].right) == (l.at, r.at) {
            let shapes = (self.left.shape(), self.right.shape());
            let found = postponed::stores(&mut self.prover.d, shapes, (from, (l, r)));
            out.again.extend(found.into_iter().map(|c| (i, c)));
        }
    }

    /// The relations that the language pair expects and that hold where a pair of points is first reached, with the
    /// variables that they are about: nothing else is guessed of those.
    fn settled(
        &mut self,
        l: &State<Symbolic>,
        r: &State<Symbolic>,
    ) -> (Vec<Constraint>, FxHashSet<(Side, String)>) {
        let shapes = (self.left.shape(), self.right.shape());
        let unseen = Observed::of(shapes, (l.at, r.at), &[], &[]);
        let mut sure: Vec<Constraint> = self.guesses.iter().flat_map(|g| g.relations(&(), &unseen)).collect();
        sure.retain(|c| {
            let d = &mut self.prover.d;
            if !c.across() {
                return false;
            }
            match (eval_expr(d, &c.a, shapes, l, r), eval_expr(d, &c.b, shapes, l, r)) {
                (Some(Val::Bv(x)), Some(Val::Bv(y))) => x == y,
                _ => false,
            }
        });
        let mut vars: FxHashSet<(Side, String)> = sure.iter().flat_map(Constraint::variables).collect();
        vars.retain(|v| self.unsure(v, l, r));
        (sure, vars)
    }

    /// Whether a variable's value may be anything here. What is equal to a number may be so by accident.
    fn unsure(&self, (side, name): &(Side, String), l: &State<Symbolic>, r: &State<Symbolic>) -> bool {
        let (shape, state) = match side {
            Side::Left => (self.left.shape(), l),
            Side::Right => (self.right.shape(), r),
        };
        let value = shape.var(state.at, name).and_then(|i| state.vals.get(i));
        matches!(value, Some(Val::Bv(t)) if self.prover.d.pool.as_const(*t).is_none())
    }

    /// What the branches on the only way to a point say of the left's variables there, and, where that was not enough,
    /// what they said at the point before: nothing where several ways meet.
    fn passed(
        &mut self,
        from: &SyncPoint,
        l: &State<Symbolic>,
        path: TermId,
        plan: &Plan,
    ) -> Vec<Constraint> {
        let shape = self.left.shape();
        if shape.points.iter().filter(|p| p.succs.contains(&l.at)).count() != 1 {
            return Vec::new();
        }
        let pool = &self.prover.d.pool;
        let mut out = states::comparisons(pool, shape, l, &conjuncts(pool, path));
        if !plan.guesses.branches {
            return out;
        }
        let here = |(_, name): &(Side, String)| shape.var(l.at, name).is_some();
        let still = from
            .constraints
            .iter()
            .filter(|c| c.comparison() && c.variables().iter().all(|v| v.0 == Side::Left && here(v)));
        out.extend(still.take(PASSED).cloned());
        out
    }

    /// Refutes what is guessed of the next point by states met or made up.
    pub(crate) fn witness(
        &mut self,
        from: usize,
        facts: &[TermId],
        goals: &[(usize, TermId, bool)],
        refuted: &mut FxHashSet<usize>,
        plan: &Plan,
    ) {
        let pool = &self.prover.d.pool;
        // Memory is no mere guess where blocks are cut.
        let open: Vec<(usize, TermId)> = goals
            .iter()
            .filter(|(k, goal, memory)| {
                pool.as_bool(*goal) != Some(true) && !refuted.contains(k) && !(*memory && plan.by_blocks())
            })
            .map(|(k, goal, _)| (*k, *goal))
            .collect();
        if open.is_empty() {
            return;
        }
        let terms: Vec<TermId> = open.iter().map(|o| o.1).collect();
        let broken = self.witnesses.against(pool, from, facts, &terms);
        refuted.extend(open.iter().zip(broken).filter(|(_, yes)| *yes).map(|((k, _), _)| *k));
    }
}
