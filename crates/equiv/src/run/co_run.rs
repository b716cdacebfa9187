//! Concrete co-execution: both sides run on related inputs in lockstep from event to event. It finds
//! differences outright, replays models, and shows which values agree where.

use super::trace::{self, Differences};
use crate::model::{Acceptability, Event, Label, Next, Place, PointId, Seen, Semantics, State, Val, VarSort};
use rustc_hash::FxHashMap;
use smt::effort::{Deadline, Work, count};
use smt::{ArrayVal, Bv, Concrete};

/// A visit of a point.
#[derive(Clone)]
pub(crate) struct Visit {
    pub at: PointId,
    /// The values; only of the first visits of a point.
    pub vals: Option<Vec<Val<Concrete>>>,
    /// How many events came before.
    pub events: usize,
}

/// How a run of both sides ended.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Outcome {
    /// Both did the same and exited.
    Same,
    /// The left ran into an error that permits what the right does.
    LeftError,
    /// They differ, observably.
    Differ,
    /// Steps ran out, or something is not modelled.
    #[default]
    Open,
}

/// A run of both sides.
#[derive(Default)]
pub(crate) struct CoRun {
    pub outcome: Outcome,
    pub visits: [Vec<Visit>; 2],
    /// What was seen of each side.
    pub traces: [Vec<String>; 2],
    /// What differs at the end of the traces.
    pub differences: Differences,
    /// The right ran into an error.
    pub right_errs: bool,
    /// Events in common.
    pub events: usize,
    /// Did either run rest on an operation not modelled?
    pub unmodelled: bool,
    /// The left's events, with what came back of those in common; only where accesses are noted.
    pub seen: Vec<Seen>,
}

/// The name of the value that an event gives: which event, and which of its values.
pub(crate) fn answer_name(event: usize, value: usize, label: &Label) -> String {
    format!("event {event}.{value} {label}")
}

enum Halt {
    Exit(Vec<Val<Concrete>>),
    Event(Event<Concrete>, State<Concrete>),
    /// An error, and where.
    Error {
        kind: String,
        place: Place,
    },
    Open(String),
}

impl Halt {
    /// In words, as traces have it.
    fn told<A: Acceptability>(&self, accept: &A) -> String {
        match self {
            Halt::Exit(v) => format!("exit {}", show(accept, v)).trim_end().to_owned(),
            Halt::Event(e, _) => format!("{}({})", e.label, show(accept, &e.args)),
            Halt::Error { kind, place } => format!("error {kind} at {place}"),
            Halt::Open(w) => w.clone(),
        }
    }

    /// The event, or the exit, as it was met.
    fn seen(&self) -> Option<Seen> {
        let seen = |event, label: &Label, args: &[Val<Concrete>]| {
            Some(Seen { event, label: label.clone(), args: args.to_vec(), results: Vec::new() })
        };
        match self {
            Halt::Exit(v) => seen(None, &"exit".into(), v),
            Halt::Event(e, _) => seen(Some(e.kind), &e.label, &e.args),
            Halt::Error { .. } | Halt::Open(_) => None,
        }
    }
}

/// Most visits of a point whose values are kept.
const MAX_VISITS: u32 = 24;

/// The visits of one side, and how many there were of each point.
#[derive(Default)]
struct Log {
    visits: Vec<Visit>,
    count: FxHashMap<PointId, u32>,
}

impl Log {
    fn add(&mut self, s: &State<Concrete>, events: usize) {
        let n = self.count.entry(s.at).or_default();
        *n += 1;
        let vals = (*n <= MAX_VISITS).then(|| s.vals.clone());
        self.visits.push(Visit { at: s.at, vals, events });
    }
}

/// How many events in a row are passed when it is asked whether the left is bound to err behind them, in proofs and runs.
pub(crate) const GONE_PAST: u32 = 6;

/// What a run of one side may take.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub left: u32,
    /// Steps differ in work: some are a block of machine code.
    pub until: Deadline,
}

impl Steps {
    fn take(&mut self) -> bool {
        count(Work::Step, 1);
        let late = self.left.is_multiple_of(16) && self.until.passed().is_some();
        self.left = if late { 0 } else { self.left.saturating_sub(1) };
        self.left > 0
    }
}

fn advance<S: Semantics>(
    sem: &S,
    d: &mut Concrete,
    mut s: State<Concrete>,
    steps: &mut Steps,
    events: usize,
    log: &mut Log,
) -> Halt {
    loop {
        log.add(&s, events);
        if !steps.take() {
            return Halt::Open("out of steps".into());
        }
        match sem.step(d, &s).into_iter().find(|x| x.cond) {
            None => return Halt::Open("no successor".into()),
            Some(x) => match x.next {
                Next::Go(to) => s = to,
                Next::Exit(v) => return Halt::Exit(v),
                Next::Event(e, after) => return Halt::Event(e, after),
                Next::Error(kind, place) => return Halt::Error { kind, place },
                Next::Unsupported(k, p) => return Halt::Open(format!("unsupported {k} at {p}")),
            },
        }
    }
}

/// Values as people read them.
fn show<A: Acceptability>(accept: &A, vals: &[Val<Concrete>]) -> String {
    let one = |v: Option<String>| v.unwrap_or_else(|| "anything".to_owned());
    accept.describe(vals).into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Runs both sides from two states.
pub(crate) fn co_run<L: Semantics, R: Semantics, A: Acceptability>(
    left: &L,
    right: &R,
    accept: &A,
    d: &mut Concrete,
    start: (State<Concrete>, State<Concrete>),
    limit: Steps,
) -> CoRun {
    let mut logs = [Log::default(), Log::default()];
    let mut run = lockstep((left, right, accept), d, start, limit, &mut logs);
    run.visits = logs.map(|l| l.visits);
    run
}

/// What the world answers to an event, by the answer's name: what is said beforehand, or else something made up. A memory
/// is handed back as it was handed over.
fn answer(d: &Concrete, name: &str, sort: VarSort, args: &[Val<Concrete>]) -> Val<Concrete> {
    match sort {
        VarSort::Bv(w) => {
            let known = d.points.get(&(name.to_owned(), Vec::new())).filter(|v| v.width() == w);
            Val::Bv(known.cloned().unwrap_or_else(|| {
                let v = d.made_up(name, &[], w);
                // Small more often than not.
                let small = !v.bit(0) || w < 4;
                if small { v } else { v.and(&Bv::low_ones(w, 3)) }
            }))
        }
        VarSort::Mem { address } => {
            let known = d.memories.get(name).filter(|m| m.index_width() == address);
            let given = || {
                args.iter().find_map(|v| match v {
                    Val::Mem(m) => Some(m),
                    Val::Bv(_) => None,
                })
            };
            let memory = known.or_else(given).cloned();
            Val::Mem(memory.unwrap_or_else(|| ArrayVal::new(address, Bv::zero(8))))
        }
    }
}

fn lockstep<L: Semantics, R: Semantics, A: Acceptability>(
    (left, right, accept): (&L, &R, &A),
    d: &mut Concrete,
    start: (State<Concrete>, State<Concrete>),
    limit: Steps,
    logs: &mut [Log; 2],
) -> CoRun {
    let mut run = CoRun::default();
    let (mut l, mut r) = start;
    let (mut steps_l, mut steps_r) = (limit, Steps { left: limit.left.saturating_mul(4), ..limit });
    loop {
        let [vl, vr] = &mut *logs;
        let a = advance(left, d, l, &mut steps_l, run.events, vl);
        let b = advance(right, d, r, &mut steps_r, run.events, vr);
        for (trace, h) in run.traces.iter_mut().zip([&a, &b]) {
            trace.push(h.told(accept));
        }
        run.right_errs = matches!(b, Halt::Error { .. });
        run.unmodelled = !d.unmodelled.is_empty();
        if d.accesses.is_some() {
            run.seen.extend(a.seen());
        }
        match (a, b) {
            (Halt::Error { kind, .. }, b) => {
                run.outcome = match &b {
                    Halt::Error { kind: other, .. } if accept.left_error(&kind, Some(other)) => {
                        Outcome::LeftError
                    }
                    Halt::Exit(_) | Halt::Event(..) | Halt::Open(_) if accept.left_error(&kind, None) => {
                        Outcome::LeftError
                    }
                    Halt::Open(_) => Outcome::Open,
                    Halt::Error { .. } | Halt::Exit(_) | Halt::Event(..) => Outcome::Differ,
                };
                return run;
            }
            (Halt::Open(_), _) | (_, Halt::Open(_)) => return run,
            (Halt::Exit(x), Halt::Exit(y)) => {
                run.outcome = if accept.exit(d, &x, &y) { Outcome::Same } else { Outcome::Differ };
                run.differences = trace::differences(accept, d, &x, &y);
                return run;
            }
            (Halt::Event(e, sl), Halt::Event(f, sr)) => {
                if accept.event(d, &e, &f) != Some(true) {
                    run.outcome = Outcome::Differ;
                    if e.label == f.label {
                        run.differences = trace::differences(accept, d, &e.args, &f.args);
                    }
                    return run;
                }
                run.events += 1;
                let n = run.events;
                let mut count = 0;
                let mut fresh = |d: &mut Concrete, s: VarSort| {
                    count += 1;
                    answer(d, &answer_name(n, count, &e.label), s, &e.args)
                };
                let (x, y) = accept.results(d, &e, &f, &mut fresh);
                if let Some(seen) = run.seen.last_mut() {
                    seen.results.clone_from(&x);
                }
                l = left.resume(d, sl, &x);
                r = right.resume(d, sr, &y);
            }
            (Halt::Event(e, after), Halt::Error { kind: other, .. }) => {
                let errs = errs_behind(left, accept, d, (e, after), &mut steps_l, &other);
                run.outcome = if errs { Outcome::LeftError } else { Outcome::Differ };
                return run;
            }
            (Halt::Exit(_), Halt::Event(..) | Halt::Error { .. }) | (Halt::Event(..), Halt::Exit(_)) => {
                run.outcome = Outcome::Differ;
                return run;
            }
        }
    }
}

/// Whether the left, behind events that execution goes on behind, errs in a way that permits the right's error.
fn errs_behind<L: Semantics, A: Acceptability>(
    left: &L,
    accept: &A,
    d: &mut Concrete,
    (mut event, mut after): (Event<Concrete>, State<Concrete>),
    steps: &mut Steps,
    other: &str,
) -> bool {
    let mut log = Log::default();
    for n in 0..GONE_PAST {
        if !accept.goes_on(&event) {
            return false;
        }
        let mut results = Vec::new();
        for (i, sort) in event.results.iter().enumerate() {
            results.push(match sort {
                VarSort::Bv(w) => Val::Bv(d.made_up(&format!("behind {n}.{i} {}", event.label), &[], *w)),
                VarSort::Mem { address } => Val::Mem(ArrayVal::new(*address, Bv::zero(8))),
            });
        }
        let s = left.resume(d, after, &results);
        match advance(left, d, s, steps, 0, &mut log) {
            Halt::Error { kind, .. } => return accept.left_error(&kind, Some(other)),
            Halt::Event(e, s) => (event, after) = (e, s),
            Halt::Exit(_) | Halt::Open(_) => return false,
        }
    }
    false
}
