//! Concrete co-execution: both sides run on related inputs in lockstep from event to event. It finds
//! differences outright, replays models, and shows which values agree where.

use crate::relate::{PairStates, term_of};
use crate::trace;
use crate::{Acceptability, Event, Next, PointId, Semantics, Shape, State, Val, VarSort};
use rustc_hash::FxHashMap;
use smt::effort::{Deadline, Work, count};
use smt::{ArrayVal, Bv, Concrete, FuncVal, Model, Pool, Rng, Sort, Symbolic, Value};

/// The lowest of the addresses that random values mostly are.
const LOW: u64 = 0x4000;

/// Pieces of memory, from the lowest address on, that random addresses mostly lie in, and the bytes of each.
const PIECES: (u64, u64) = (64, 16);

/// Small numbers mostly, so that loops end; edges sometimes; anything now and then.
pub(crate) fn likely_bv(rng: &mut Rng, w: u32) -> Bv {
    match rng.below(16) {
        0 => Bv::ones(w),
        1 => Bv::smin(w),
        2 => Bv::smax(w),
        3 => Bv::zero(w),
        4 => Bv::from_i128(w, -(i128::from(rng.below(8)) + 1)),
        5 | 6 => Bv::new(w, u128::from(rng.next()) << 64 | u128::from(rng.next())),
        7 => Bv::new(w, u128::from(rng.below(256))),
        // Addresses are mostly even ones, and not near zero.
        _ if w == 64 && rng.below(2) == 0 => Bv::new(w, u128::from(LOW + rng.below(PIECES.0) * PIECES.1)),
        _ => Bv::new(w, u128::from(rng.below(10))),
    }
}

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Both did the same and exited.
    Same,
    /// The left ran into an error that permits what the right does.
    LeftError,
    /// They differ, observably.
    Differ,
    /// Steps ran out, or something is not modelled.
    Open,
}

/// A run of both sides.
pub(crate) struct CoRun {
    pub outcome: Outcome,
    pub visits: [Vec<Visit>; 2],
    /// What was seen of each side.
    pub traces: [Vec<String>; 2],
    /// What differs at the end of the traces.
    pub differences: Vec<String>,
    /// Events in common.
    pub events: usize,
    /// Did either run rest on an operation not modelled?
    pub unmodelled: bool,
    /// The left's events, with what came back of those in common; only where accesses are noted.
    pub seen: Vec<Seen>,
}

/// How the end of a run is called among events.
pub const EXIT: &str = "exit";

/// An event as a run met it, or its end.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What it is; [`EXIT`] is the end.
    pub label: String,
    /// What the left handed over.
    pub args: Vec<Val<Concrete>>,
    /// What came back; nothing of an event that the right did not have.
    pub results: Vec<Val<Concrete>>,
}

/// The name of the value that an event gives: which event, and which of its values.
pub(crate) fn answer_name(event: usize, value: usize, label: &str) -> String {
    format!("event {event}.{value} {label}")
}

enum Halt {
    Exit(Vec<Val<Concrete>>),
    Event(Event<Concrete>, State<Concrete>),
    Error(String),
    Open(String),
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
                Next::Error(k, p) => return Halt::Error(format!("{k} at {p}")),
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
    let mut run = lockstep(left, right, accept, d, start, limit, &mut logs);
    run.visits = logs.map(|l| l.visits);
    run
}

fn lockstep<L: Semantics, R: Semantics, A: Acceptability>(
    left: &L,
    right: &R,
    accept: &A,
    d: &mut Concrete,
    start: (State<Concrete>, State<Concrete>),
    limit: Steps,
    logs: &mut [Log; 2],
) -> CoRun {
    let mut run = CoRun {
        outcome: Outcome::Open,
        visits: [Vec::new(), Vec::new()],
        traces: [Vec::new(), Vec::new()],
        differences: Vec::new(),
        events: 0,
        unmodelled: false,
        seen: Vec::new(),
    };
    let (mut l, mut r) = start;
    let (mut steps_l, mut steps_r) = (limit, Steps { left: limit.left.saturating_mul(4), ..limit });
    loop {
        let [vl, vr] = &mut *logs;
        let a = advance(left, d, l, &mut steps_l, run.events, vl);
        let b = advance(right, d, r, &mut steps_r, run.events, vr);
        for (trace, h) in run.traces.iter_mut().zip([&a, &b]) {
            trace.push(match h {
                Halt::Exit(v) => format!("exit {}", show(accept, v)).trim_end().to_owned(),
                Halt::Event(e, _) => format!("{}({})", e.label, show(accept, &e.args)),
                Halt::Error(e) => format!("error {e}"),
                Halt::Open(w) => w.clone(),
            });
        }
        run.unmodelled = !d.unmodelled.is_empty();
        if d.accesses.is_some() {
            run.seen.extend(match &a {
                Halt::Exit(v) => Some(Seen { label: EXIT.to_owned(), args: v.clone(), results: Vec::new() }),
                Halt::Event(e, _) => {
                    Some(Seen { label: e.label.clone(), args: e.args.clone(), results: Vec::new() })
                }
                Halt::Error(_) | Halt::Open(_) => None,
            });
        }
        match (a, b) {
            (Halt::Error(e), b) => {
                let kind = e.split(" at ").next().unwrap_or("").to_owned();
                let other = match &b {
                    Halt::Error(f) => Some(f.split(" at ").next().unwrap_or("").to_owned()),
                    Halt::Exit(_) | Halt::Event(..) | Halt::Open(_) => None,
                };
                run.outcome = if accept.left_error(&kind, other.as_deref()) {
                    Outcome::LeftError
                } else if matches!(b, Halt::Open(_)) {
                    Outcome::Open
                } else {
                    Outcome::Differ
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
                let mem = e.args.iter().find_map(|v| match v {
                    Val::Mem(m) => Some(m.clone()),
                    Val::Bv(_) => None,
                });
                let n = run.events;
                let mut count = 0;
                let mut fresh = |d: &mut Concrete, s: VarSort| {
                    count += 1;
                    match s {
                        VarSort::Bv(w) => {
                            let key = (answer_name(n, count, &e.label), Vec::new());
                            if let Some(v) = d.points.get(&key).filter(|v| v.width() == w) {
                                return Val::Bv(v.clone());
                            }
                            let v = d.made_up(&key.0, &[], w);
                            // Small more often than not.
                            let small = !v.bit(0) || w < 4;
                            Val::Bv(if small { v } else { v.and(&Bv::low_ones(w, 3)) })
                        }
                        VarSort::Mem { address } => {
                            let answer = d.memories.get(&answer_name(n, count, &e.label)).cloned();
                            let answer = answer.filter(|m| m.index_width() == address);
                            Val::Mem(
                                answer
                                    .or_else(|| mem.clone())
                                    .unwrap_or_else(|| ArrayVal::new(address, Bv::zero(8))),
                            )
                        }
                    }
                };
                let (x, y) = accept.results(d, &e, &f, &mut fresh);
                if let Some(seen) = run.seen.last_mut() {
                    seen.results.clone_from(&x);
                }
                l = left.resume(d, sl, &x);
                r = right.resume(d, sr, &y);
            }
            (Halt::Event(e, after), Halt::Error(f)) => {
                let other = f.split(" at ").next().unwrap_or("").to_owned();
                let errs = errs_behind(left, accept, d, (e, after), &mut steps_l, &other);
                run.outcome = if errs { Outcome::LeftError } else { Outcome::Differ };
                return run;
            }
            (Halt::Exit(_), Halt::Event(..) | Halt::Error(_)) | (Halt::Event(..), Halt::Exit(_)) => {
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
            Halt::Error(e) => return accept.left_error(e.split(" at ").next().unwrap_or(""), Some(other)),
            Halt::Event(e, s) => (event, after) = (e, s),
            Halt::Exit(_) | Halt::Open(_) => return false,
        }
    }
    false
}

/// The concrete states that a model makes of symbolic ones.
pub(crate) fn concretise(pool: &Pool, m: &Model, pair: &PairStates) -> (State<Concrete>, State<Concrete>) {
    let state = |s: &State<Symbolic>| {
        let terms: Vec<_> = s.vals.iter().map(term_of).collect();
        let vals = m
            .eval_all(pool, &terms)
            .into_iter()
            .map(|v| match v {
                Value::Bv(b) => Val::Bv(b),
                Value::Array(a) => Val::Mem(a),
                Value::Bool(b) => Val::Bv(Bv::new(1, u128::from(b))),
            })
            .collect();
        State { at: s.at, vals }
    };
    (state(&pair.left), state(&pair.right))
}

/// The concrete domain in which a model's symbols and operations have the model's values.
pub(crate) fn domain_of(pool: &Pool, m: &Model, seed: u64) -> Concrete {
    let mut d = Concrete::new(seed);
    for (s, v) in &m.symbols {
        if let (Some((name, w)), Value::Bv(b)) = (pool.symbol(*s).name.rsplit_once(':'), v)
            && w.parse() == Ok(b.width())
        {
            d.symbols.insert((name.to_owned(), b.width()), b.clone());
        }
    }
    for (f, FuncVal { points, .. }) in &m.funcs {
        let declared = pool.func_decl(*f);
        if declared.operation.is_none() {
            continue;
        }
        let name = &declared.name;
        for (args, v) in points {
            let bvs: Option<Vec<Bv>> = args
                .iter()
                .map(|a| match a {
                    Value::Bv(b) => Some(b.clone()),
                    Value::Bool(_) | Value::Array(_) => None,
                })
                .collect();
            if let (Some(bvs), Value::Bv(b)) = (bvs, v) {
                d.points.insert((name.clone(), bvs), b.clone());
            }
        }
    }
    d
}

/// Lets some elements differ from the default.
fn vary(a: &mut ArrayVal, index: u32, elem: u32, rng: &mut Rng) {
    if index < 16 {
        for i in 0..32u128.min(1 << index) {
            a.set(Bv::new(index, i), likely_bv(rng, elem));
        }
        return;
    }
    // A quarter of the pieces, the bytes neither zero nor one: in a memory of permissions, those forbid something.
    for piece in (0..PIECES.0).filter(|_| rng.below(4) == 0).collect::<Vec<_>>() {
        for i in 0..PIECES.1 {
            let v = if elem == 8 { Bv::new(8, u128::from(2 + rng.below(254))) } else { likely_bv(rng, elem) };
            a.set(Bv::new(index, u128::from(LOW + piece * PIECES.1 + i)), v);
        }
    }
}

/// A random model of the unknowns of a pair of states.
pub(crate) fn random_model(pool: &Pool, pair: &PairStates, rng: &mut Rng) -> Model {
    let mut terms: Vec<_> = pair.left.vals.iter().chain(&pair.right.vals).map(term_of).collect();
    terms.extend(&pair.assume);
    let mut m = Model::new();
    for s in pool.free_symbols(&terms) {
        let v = match pool.symbol(s).sort {
            Sort::Bool => Value::Bool(rng.below(2) == 1),
            Sort::Bv(w) => Value::Bv(likely_bv(rng, w)),
            Sort::Array { index, elem } => {
                // Words of the default byte are even addresses half the time.
                let default = likely_bv(rng, elem);
                let even = rng.below(2) == 0 && elem == 8;
                let default = if even { default.and(&Bv::new(8, 0xf8)) } else { default };
                let mut a = ArrayVal::new(index, default);
                vary(&mut a, index, elem, rng);
                Value::Array(a)
            }
        };
        if !pool.is_object(pool.symbol_term(s)) {
            m.symbols.insert(s, v);
        }
    }
    m
}

/// For each array of a model, the model with all elements set that the array has as by default, and with all of them:
/// queries ask for the ends of ranges, and what is inside of one range may lie at the end of another.
pub(crate) fn filled(pool: &Pool, m: &Model) -> Vec<Model> {
    let mut out = Vec::new();
    for (s, v) in &m.symbols {
        let (Sort::Array { index, elem }, Value::Array(old)) = (pool.symbol(*s).sort, v) else { continue };
        let ones = ArrayVal::new(index, Bv::ones(elem));
        let mut kept = ones.clone();
        for (i, e) in old.entries() {
            if e != *old.default_elem() {
                kept.set(i, e);
            }
        }
        for new in [kept, ones] {
            let mut m = m.clone();
            m.symbols.insert(*s, Value::Array(new));
            out.push(m);
        }
    }
    out
}

/// Inputs in words: the left entry's variables.
pub(crate) fn describe_inputs(shape: &Shape, s: &State<Concrete>) -> Vec<(String, String)> {
    let vars = &shape.point(s.at).vars;
    vars.iter().zip(&s.vals).map(|(v, x)| (v.name.clone(), trace::show(x))).collect()
}
