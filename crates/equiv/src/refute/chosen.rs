//! Refutations of a source that has choices too many to go through: inputs, and one choice of the target, for which no
//! choice of the source does what the target does.
//!
//! In turn (counterexample-guided): inputs and a choice of the target that differ from the source for each of the source's
//! choices tried so far; then whether some other choice of the source agrees with the target there, which is tried too from
//! then on. Where none does, that is shown for all of them. Only programs that come to their end without events, as which
//! choices matter behind one is not followed. Both sides are run on what was found besides, and have to differ.

use crate::model::budget::QUERY_SHARE;
use crate::model::{Acceptability, Counterexample, PairStates, Semantics, State, term_of};
use crate::prove::{ProofSearch, RegionLimits, Stop, StopKind, ranks, run_region};
use crate::run::{Outcome, Steps, co_run, concretise};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::effort::{Deadline, Effort};
use smt::{Answer, Bv, Choices, Domain, Model, Sort, Symbolic, TermId};

/// How many choices of the source are tried besides the first.
const TRIED: usize = 12;

/// Both sides' ways to the end.
struct Ends {
    /// When they agree, by inputs and choices.
    agree: TermId,
    choices: Choices,
}

/// Choices that tell most comparisons apart: the same number for each.
fn first_choices() -> [fn(u32) -> Bv; 5] {
    [Bv::zero, Bv::ones, Bv::smin, Bv::smax, Bv::one]
}

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// A difference that is there whatever the source chooses.
    pub(crate) fn whatever_is_chosen(
        &mut self,
        states: &PairStates,
        round: Effort,
    ) -> Option<Counterexample> {
        self.checker.prover.d.choices = Some(Choices::default());
        let ends = self.ends(states, round);
        self.checker.prover.d.choices = None;
        let ends = ends.filter(|ends| !ends.choices.of_source.is_empty())?;
        let pool = &mut self.checker.prover.d.pool;
        let differ = pool.not(ends.agree);
        let of_source = &ends.choices.of_source;
        let mut facts = states.assume.clone();
        for number in first_choices() {
            let made = of_source.iter().map(|t| (*t, pool.constant(number(pool.width(*t))))).collect();
            facts.push(pool.substitute(differ, &made));
        }
        let (query, end) = (round.percent(QUERY_SHARE), Deadline::after(round));
        for _ in 0..TRIED {
            if end.passed().is_some() {
                return None;
            }
            let what = || "inputs on which tried choices differ".to_owned();
            let Answer::Sat(m) = self.checker.prover.possible(&facts, query, &what) else { return None };
            let pinned = self.pinned(states, &ends.choices, &m);
            let pool = &mut self.checker.prover.d.pool;
            let mut there = states.assume.clone();
            there.push(ends.agree);
            let there = pool.substitute_all(&there, &pinned);
            let what = || "a choice that agrees".to_owned();
            match self.checker.prover.possible(&there, query, &what) {
                Answer::Unsat => return self.shown(states, &m, &ends.choices),
                Answer::Unknown(_) => return None,
                Answer::Sat(other) => {
                    let pool = &mut self.checker.prover.d.pool;
                    let values = other.eval_all(pool, of_source);
                    let made = of_source.iter().zip(values);
                    let made = made.map(|(t, v)| (*t, pool.constant(v.as_bv().clone()))).collect();
                    facts.push(pool.substitute(differ, &made));
                }
            }
        }
        None
    }

    /// When both sides' ways to the end agree; none where they do not come to an end.
    fn ends(&mut self, states: &PairStates, round: Effort) -> Option<Ends> {
        let c = &mut self.checker;
        let limits = RegionLimits {
            passes: c.opts.passes,
            bounded: false,
            deadline: Deadline::after(round.percent(QUERY_SHARE)),
            terms: c.prover.d.pool.len() + c.opts.max_terms,
        };
        let d = &mut c.prover.d;
        let left = stops(d, c.left, &states.left, &limits)?;
        if d.choices.as_ref().is_some_and(|made| made.of_source.is_empty()) {
            return None;
        }
        let right = stops(d, c.right, &states.right, &limits)?;
        // One way for all choices: what both sides are run on besides shows what is not followed on it.
        let choices = d.choices.clone().unwrap_or_default();
        let ways: Vec<TermId> = left.iter().map(|stop| stop.when.path).collect();
        let of_source: FxHashSet<TermId> = choices.of_source.iter().copied().collect();
        if d.pool.postorder(&ways).iter().any(|t| of_source.contains(t)) {
            return None;
        }
        let mut agree = d.pool.bool(false);
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            let fine = match (&a.kind, &b.kind) {
                (StopKind::Error(e, ..), StopKind::Error(f, ..)) => {
                    d.bool(c.accept.left_error(e, Some(f.as_str())))
                }
                (StopKind::Error(e, ..), _) => d.bool(c.accept.left_error(e, None)),
                (StopKind::Exit(l), StopKind::Exit(r)) => c.accept.exit(d, l, r),
                _ => d.bool(false),
            };
            let both = [a.when.path, a.when.fine, b.when.path, b.when.fine, fine];
            let here = d.pool.and_all(&both);
            agree = d.pool.or(agree, here);
        }
        Some(Ends { agree, choices })
    }

    /// The inputs and the target's choices as a model has them. What else is unknown, memory above all, may be anything.
    fn pinned(&mut self, states: &PairStates, choices: &Choices, m: &Model) -> FxHashMap<TermId, TermId> {
        let pool = &mut self.checker.prover.d.pool;
        let mut terms: Vec<TermId> = states.left.vals.iter().chain(&states.right.vals).map(term_of).collect();
        terms.extend(&states.assume);
        let symbols = pool.free_symbols(&terms);
        let mut known: Vec<TermId> = symbols.into_iter().map(|s| pool.symbol_term(s)).collect();
        known.extend(choices.of_target.values());
        known.retain(|t| matches!(pool.sort(*t), Sort::Bv(_)));
        let values = m.eval_all(pool, &known);
        known.into_iter().zip(values).map(|(t, v)| (t, pool.constant(v.as_bv().clone()))).collect()
    }

    /// Both sides run on what was found.
    fn shown(&mut self, states: &PairStates, m: &Model, choices: &Choices) -> Option<Counterexample> {
        let seed = self.checker.opts.seed;
        let mut d = self.domain(m, seed);
        d.picks_all = true;
        for (name, t) in &choices.of_target {
            let value = m.eval_all(self.pool(), &[*t]).swap_remove(0);
            d.picks_of_target.insert(name.clone(), value.as_bv().clone());
        }
        let before = d.clone();
        let c = &self.checker;
        let start = concretise(self.pool(), m, states);
        let limit = Steps { left: c.opts.steps, until: Deadline::after(c.opts.one_run()) };
        let run = co_run(c.left, c.right, c.accept, &mut d, start.clone(), limit);
        if run.outcome != Outcome::Differ || run.unmodelled {
            return None;
        }
        self.told((run, start), before, Some(d))
    }
}

/// Where one side stops; none where it does anything but come to its end or err.
fn stops<S: Semantics>(
    d: &mut Symbolic,
    side: &S,
    start: &State<Symbolic>,
    limits: &RegionLimits,
) -> Option<Vec<Stop>> {
    let none = FxHashSet::default();
    let order = ranks(side.shape(), &none);
    let found = run_region(d, side, start, (&none, &order), limits).ok()?;
    let ends = |stop: &Stop| matches!(stop.kind, StopKind::Exit(_) | StopKind::Error(..));
    found.iter().all(ends).then_some(found)
}
