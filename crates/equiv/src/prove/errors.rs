//! Errors of the target: each must be an error of the source, or cannot happen, or comes where the source is bound to err.

use super::check::Checker;
use super::plan::{Plan, Shortage};
use super::problem::{PairFacts, PointResult, Problem, cut_point};
use super::region::{self, RegionLimits, Stop, StopKind, When};
use crate::model::budget::{ALL_ERROR_PATHS, ERROR_PATH, WITHOUT_ERRORS};
use crate::model::{
    Acceptability, Event, EventKind, Place, PointId, Premise, ProblemKind, Semantics, Side, State, SyncPoint,
    state, term_sort, val_of,
};
use crate::run::GONE_PAST;
use rustc_hash::FxHashSet;
use smt::effort::{Deadline, Effort};
use smt::{Answer, Symbolic, TermId, Why};
use std::collections::BTreeSet;

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// Whether, wherever the right goes wrong in one of the ways listed, the left does too: by the paths there and the
    /// errors at their ends alone. Behind an error the left may be taken to go on, since it only matters that it erred.
    /// So the question is about one place of each program, not about all that leads to a stop, and asked once for all
    /// stops.
    pub(super) fn errs_too(
        &mut self,
        out: &mut PointResult,
        (from, base, left): (&SyncPoint, &[TermId], &[Stop]),
        (error, ways): (&str, &[(When, Place)]),
        plan: &Plan,
    ) -> bool {
        let mut base = base.to_vec();
        for stop in left {
            if let StopKind::Error(e, _, ways) = &stop.kind
                && self.accept.left_error(e, Some(error))
            {
                for (when, _) in ways {
                    base.push(self.prover.d.pool.not(when.path));
                }
            }
        }
        for (when, place) in ways {
            let what = || format!("the left errs where the right does at {place}");
            let mut facts = base.clone();
            facts.push(when.path);
            match self.short_cut(from, &facts, plan.query_of(ERROR_PATH), &what) {
                Answer::Unsat => {}
                Answer::Sat(_) => return false,
                Answer::Unknown(why) => {
                    out.shortage.add(Shortage::of(Some(&why)));
                    return false;
                }
            }
        }
        true
    }

    /// A question from a point that need not be answered, since others say as much. It is not asked again from there with
    /// no more to spend than it took in vain: by then the point has as many facts, or fewer.
    fn short_cut(
        &mut self,
        from: &SyncPoint,
        facts: &[TermId],
        budget: Effort,
        what: &dyn Fn() -> String,
    ) -> Answer {
        if self.prover.contradict(facts) {
            return Answer::Unsat;
        }
        let key = ((from.left, from.right), what());
        if self.vain.get(&key).is_some_and(|spent| budget <= *spent) {
            return Answer::Unknown(Why::Effort);
        }
        let answer = self.prover.possible(facts, budget, what);
        if matches!(answer, Answer::Unknown(Why::Effort)) {
            self.vain.insert(key, budget);
        }
        answer
    }

    /// Whether the right goes wrong in none of the ways listed, where `base` holds: asked all at once for a moment
    /// (`facts`), then one way after the other. Each way's path decides most of the choices that merged states
    /// left open, so that what the left may access there is often the very condition that the right needs.
    pub(super) fn never_errs(
        &mut self,
        out: &mut PointResult,
        (from, base, facts): (&SyncPoint, &[TermId], &[TermId]),
        (a, ways): (&Stop, &[(When, Place)]),
        plan: &Plan,
    ) -> bool {
        let l = a.kind.describe(self.left.shape());
        let what = || format!("never: left {l} while right errs");
        match self.short_cut(from, facts, plan.query_of(ALL_ERROR_PATHS), &what) {
            Answer::Unsat => return true,
            Answer::Sat(_) => return false,
            Answer::Unknown(_) => {}
        }
        for (when, place) in ways {
            let what = || format!("never: left {l} while right errs at {place}");
            let mut facts = base.to_vec();
            facts.extend([when.path, when.fine]);
            match self.prover.possible(&facts, plan.query(), &what) {
                Answer::Unsat => {}
                Answer::Sat(_) => return false,
                Answer::Unknown(why) => {
                    out.shortage.add(Shortage::of(Some(&why)));
                    return false;
                }
            }
        }
        true
    }

    /// When the left, from a cut, errs before anything of it can be seen, in a way that permits everything: the right
    /// may have erred already, where it computes ahead what the left is about to. None where that is not known.
    ///
    /// Accesses that execution goes on behind, whatever they give, are passed; at most so many in a row.
    fn doomed(
        &mut self,
        points: &[SyncPoint],
        at: &State<Symbolic>,
        passes: u32,
        end: Deadline,
    ) -> Option<TermId> {
        let cuts: FxHashSet<PointId> = points.iter().map(|p| p.left).collect();
        let ranks = region::ranks(self.left.shape(), &cuts);
        let limits = RegionLimits {
            passes: self.opts.passes,
            bounded: false,
            deadline: end,
            terms: self.prover.d.pool.len() + self.opts.max_terms,
        };
        let stops = region::run(&mut self.prover.d, self.left, at, (&cuts, &ranks), &limits).ok()?;
        let mut any = self.prover.d.pool.bool(false);
        for stop in &stops {
            let pool = &mut self.prover.d.pool;
            let mut here = pool.and(stop.when.path, stop.when.fine);
            match &stop.kind {
                StopKind::Error(e, ..) if self.accept.left_error(e, None) => {}
                StopKind::Event(e, after) if passes > 0 && self.accept.goes_on(e) => {
                    let later = self.doomed_behind(points, (e, after), passes - 1, end)?;
                    here = self.prover.d.pool.and(here, later);
                }
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Beyond
                | StopKind::Gap => continue,
            }
            any = self.prover.d.pool.or(any, here);
        }
        Some(any)
    }

    /// As [`Self::doomed`], behind an event of the left with results that may be any.
    fn doomed_behind(
        &mut self,
        points: &[SyncPoint],
        (event, after): (&Event<Symbolic>, &State<Symbolic>),
        passes: u32,
        end: Deadline,
    ) -> Option<TermId> {
        let d = &mut self.prover.d;
        let mut results = Vec::new();
        for sort in &event.results {
            let t = d.unknown(&format!("result:{}", event.label), term_sort(*sort));
            results.push(val_of(*sort, t));
        }
        let state = self.left.resume(d, after.clone(), &results);
        self.doomed(points, &state, passes, end)
    }

    /// When the left is bound to err where it stopped while the right does something else, and what that rests on.
    fn bound_to_err(
        &mut self,
        points: &[SyncPoint],
        (a, b): (&Stop, &Stop),
        end: Deadline,
    ) -> Option<(TermId, Option<Premise>)> {
        match (&a.kind, &b.kind) {
            (_, StopKind::Unsupported(..) | StopKind::Gap) => None,
            (StopKind::Cut(at), _) => Some((self.doomed(points, at, 0, end)?, None)),
            (StopKind::Event(e, after), StopKind::Error(..)) if self.accept.goes_on(e) => {
                // That a call returns is promised, that a volatile access does is taken for granted.
                let premise = (e.kind != EventKind::Call).then_some(Premise::GoesOn);
                Some((self.doomed_behind(points, (e, after), GONE_PAST, end)?, premise))
            }
            (
                StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Beyond
                | StopKind::Gap,
                _,
            ) => None,
        }
    }

    /// The pair must not happen: the positive form. (Or the left is bound to err anyway.)
    pub(super) fn impossible(
        &mut self,
        out: &mut PointResult,
        points: &[SyncPoint],
        facts: &PairFacts,
        (a, b): (&Stop, &Stop),
        plan: &Plan,
    ) {
        let (l, r) = (a.kind.describe(self.left.shape()), b.kind.describe(self.right.shape()));
        let what = || format!("never: left {l} while right {r}");
        if self.prover.contradict(&facts.all) {
            return;
        }
        let first = plan.allow(WITHOUT_ERRORS.min(plan.budget.query.percent(50)));
        if !plan.by_blocks() && matches!(self.prover.possible(facts.light(), first, &what), Answer::Unsat) {
            return;
        }
        let mut facts = facts.all.clone();
        let mut answer = self.prover.possible(&facts, plan.query(), &what);
        if !matches!(answer, Answer::Unsat)
            && let Some((doomed, rests_on)) = self.bound_to_err(points, (a, b), plan.budget.end)
        {
            facts.push(self.prover.d.pool.not(doomed));
            answer = self.prover.possible(&facts, plan.query(), &what);
            state(&mut out.premises, rests_on.map(|premise| (premise, BTreeSet::new())));
        }
        let (model, why) = match answer {
            Answer::Unsat => return,
            Answer::Sat(m) => (Some(Box::new(m)), None),
            Answer::Unknown(w) => (None, Some(w)),
        };
        let unsupported = |side, what: &str, place: &Place| ProblemKind::Unsupported {
            side,
            what: what.to_owned(),
            place: place.to_string(),
        };
        let kind = match (&a.kind, &b.kind) {
            (StopKind::Gap, _) => ProblemKind::NotExhaustive { side: Side::Left },
            (_, StopKind::Gap) => ProblemKind::NotExhaustive { side: Side::Right },
            (StopKind::Unsupported(k, p), _) => unsupported(Side::Left, k, p),
            (_, StopKind::Unsupported(k, p)) => unsupported(Side::Right, k, p),
            (_, StopKind::Error(e, p, _)) => ProblemKind::RightError { error: format!("{e} ({p})") },
            (
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Beyond,
                StopKind::Cut(_) | StopKind::Exit(_) | StopKind::Event(..) | StopKind::Beyond,
            ) => ProblemKind::Mismatch { left: l, right: r },
        };
        let cuts = (cut_point(a), cut_point(b));
        out.problems.push(Problem { model, why, cuts, facts, ..Problem::of(kind) });
    }
}
