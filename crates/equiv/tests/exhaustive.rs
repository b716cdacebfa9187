//! Small random programs over a few bits, and changed copies of them: all their inputs can be tried. No pair may be
//! proved that some input, and some world, tells apart, and none refuted that nothing does. The engine makes no runs
//! of its own here, so that what it says rests on the proof alone.

mod toy;

use equiv::*;
use smt::Domain;
use smt::effort::Effort;
use std::time::Duration;
use toy::guarded;

/// The bits that a program begins with.
const INPUTS: usize = 4;
/// As many events are answered; what comes behind the next is not looked at.
const WORLD: usize = 6;
/// No run that ends has more steps: as many as there are states of the largest program.
const STEPS: usize = 16 * 256 * 12;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// An error where one or both of two bits are set.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Check {
    bits: [usize; 2],
    when: When,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    Either,
    Both,
    One,
}

impl Check {
    fn random(rng: &mut Rng) -> Check {
        let when = [When::Either, When::Both, When::One][rng.below(3)];
        Check { bits: [rng.below(INPUTS), rng.below(INPUTS)], when }
    }

    fn fails(&self, bits: &[bool]) -> bool {
        let [a, b] = self.bits.map(|i| bits[i]);
        match self.when {
            When::Either => a || b,
            When::Both => a && b,
            When::One => a != b,
        }
    }
}

/// What one point does: an error if a check fails; then, as it may be, an event whose answer becomes a bit; then a sum
/// and a bit flipped; then on by a bit.
#[derive(Clone, PartialEq)]
struct Row {
    error: Option<Check>,
    event: Option<usize>,
    add: u8,
    flip: Option<usize>,
    choice: usize,
    to: [usize; 2],
}

#[derive(Clone)]
struct Program {
    rows: Vec<Row>,
}

impl Program {
    fn row(rng: &mut Rng, i: usize, n: usize) -> Row {
        let target =
            |rng: &mut Rng| if rng.one_in(6) { rng.below(i + 1) } else { i + 1 + rng.below((n - i).min(3)) };
        Row {
            error: rng.one_in(3).then(|| Check::random(rng)),
            event: rng.one_in(5).then(|| rng.below(INPUTS)),
            add: rng.below(4) as u8,
            flip: rng.one_in(3).then(|| rng.below(INPUTS)),
            choice: rng.below(INPUTS),
            to: [target(rng), target(rng)],
        }
    }

    fn random(rng: &mut Rng) -> Program {
        let n = 2 + rng.below(5);
        Program { rows: (0..n).map(|i| Program::row(rng, i, n)).collect() }
    }

    /// A copy with some changes, many of which change nothing that can be seen.
    fn changed(&self, rng: &mut Rng) -> Program {
        let mut p = self.clone();
        for _ in 0..1 + rng.below(3) {
            let (n, i) = (p.rows.len(), rng.below(p.rows.len()));
            let other = Program::row(rng, i, n);
            let row = &mut p.rows[i];
            match rng.below(11) {
                0 => row.error = other.error,
                1 => row.error = None,
                2 => row.event = other.event,
                3 => row.add = other.add,
                4 => row.flip = other.flip,
                5 => row.choice = other.choice,
                6 => row.to = other.to,
                // The checks of a point go to one ahead of it.
                7 => {
                    let ahead = Row { event: None, add: 0, flip: None, ..row.clone() };
                    row.error = None;
                    p.insert(i, ahead);
                }
                // Of what it checks one bit is checked after the other: as before only for `Either`.
                8 | 9 => {
                    let Some(check) = row.error else { continue };
                    let one = |i: usize| Some(Check { bits: [check.bits[i]; 2], when: When::Either });
                    let ahead = Row { error: one(0), event: None, add: 0, flip: None, ..row.clone() };
                    row.error = one(1);
                    p.insert(i, ahead);
                }
                // What it adds comes before its checks.
                _ => {
                    let ahead = Row { error: None, event: None, flip: None, ..row.clone() };
                    row.add = 0;
                    p.insert(i, ahead);
                }
            }
        }
        p
    }

    /// Puts a row where all ways to another led, and lets it lead there.
    fn insert(&mut self, i: usize, row: Row) {
        let n = self.rows.len();
        // The exit is the number of rows, one more now.
        for to in self.rows.iter_mut().flat_map(|row| &mut row.to).filter(|to| **to >= n) {
            *to += 1;
        }
        let moved = std::mem::replace(&mut self.rows[i], Row { to: [n; 2], ..row });
        self.rows.push(moved);
    }

    /// What can be seen of a run, and how it ends.
    fn run(&self, inputs: usize, world: usize) -> (Vec<u8>, End) {
        let mut bits: Vec<bool> = (0..INPUTS).map(|i| inputs >> i & 1 == 1).collect();
        let (mut at, mut sum, mut events) = (0, 0u8, Vec::new());
        for _ in 0..STEPS {
            let row = &self.rows[at];
            if row.error.is_some_and(|check| check.fails(&bits)) {
                return (events, End::Error);
            }
            if let Some(i) = row.event {
                bits[i] = world >> events.len() & 1 == 1;
                events.push(sum);
                if events.len() > WORLD {
                    return (events, End::Never);
                }
            }
            sum = sum.wrapping_add(row.add);
            if let Some(i) = row.flip {
                bits[i] = !bits[i];
            }
            at = row.to[usize::from(!bits[row.choice])];
            if at >= self.rows.len() {
                return (events, End::Exit(sum));
            }
        }
        (events, End::Never)
    }

    /// As the engine sees it.
    fn coded(&self) -> Code {
        let bits = |more: bool| {
            let mut vars: Vec<VarDecl> =
                (0..INPUTS).map(|i| VarDecl { name: format!("b{i}"), sort: VarSort::Bv(1) }).collect();
            if more {
                vars.push(VarDecl { name: "sum".into(), sort: VarSort::Bv(8) });
            }
            vars
        };
        let n = self.rows.len();
        let id = |row: usize| PointId(row as u32 + 1);
        let mut points = vec![Point {
            name: "entry".into(),
            aliases: Vec::new(),
            kind: PointKind::Entry,
            vars: bits(false),
            succs: vec![id(0)],
        }];
        let next = |row: &Row| row.to.iter().filter(|t| **t < n).map(|t| id(*t)).collect::<Vec<_>>();
        for (i, row) in self.rows.iter().enumerate() {
            let succs = if row.event.is_some() { vec![id(n + i)] } else { next(row) };
            let name = format!("row{i}");
            points.push(Point { name, aliases: Vec::new(), kind: PointKind::Block, vars: bits(true), succs });
        }
        for (i, row) in self.rows.iter().enumerate() {
            let (name, succs) = (format!("after{i}"), next(row));
            let kind = PointKind::AfterEvent;
            points.push(Point { name, aliases: Vec::new(), kind, vars: bits(true), succs });
        }
        Code { rows: self.rows.clone(), shape: Shape { name: "f".into(), points } }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (i, r) in self.rows.iter().enumerate() {
            out += &format!(
                "  {i}: {:?}, event into {:?}, add {}, flip {:?}, if bit {} then {} else {}\n",
                r.error, r.event, r.add, r.flip, r.choice, r.to[0], r.to[1]
            );
        }
        out
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    Exit(u8),
    Error,
    /// Also that more events were met than have an answer: what comes then is not looked at.
    Never,
}

/// Inputs and a world that tell the programs apart: the left is not undefined there, and the right does otherwise, or
/// does otherwise before the left is.
fn difference(l: &Program, r: &Program) -> Option<(usize, usize)> {
    let pairs = (0..1 << INPUTS).flat_map(|i| (0..1 << WORLD).map(move |w| (i, w)));
    pairs.into_iter().find(|(inputs, world)| {
        let ((le, lend), (re, rend)) = (l.run(*inputs, *world), r.run(*inputs, *world));
        match lend {
            End::Error => !re.starts_with(&le),
            End::Exit(_) | End::Never => le != re || lend != rend,
        }
    })
}

struct Code {
    rows: Vec<Row>,
    shape: Shape,
}

impl Code {
    /// Behind the event, if any.
    fn rest<D: Domain>(&self, d: &mut D, row: &Row, mut vals: Vec<Val<D>>) -> Vec<(D::Bool, Next<D>)> {
        let add = d.num(8, u128::from(row.add));
        let sum = d.add(vals[INPUTS].bv(), &add);
        vals[INPUTS] = Val::Bv(sum);
        if let Some(i) = row.flip {
            let set = d.bv_to_bool(vals[i].bv());
            let clear = d.not(&set);
            vals[i] = Val::Bv(d.bool_to_bv(&clear));
        }
        let yes = d.bv_to_bool(vals[row.choice].bv());
        let no = d.not(&yes);
        [(yes, row.to[0]), (no, row.to[1])]
            .into_iter()
            .map(|(c, to)| {
                let next = match to < self.rows.len() {
                    true => Next::Go(State { at: PointId(to as u32 + 1), vals: vals.clone() }),
                    false => Next::Exit(vec![vals[INPUTS].clone()]),
                };
                (c, next)
            })
            .collect()
    }
}

impl Semantics for Code {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Successor<D>> {
        let (n, at) = (self.rows.len(), s.at.index());
        if at == 0 {
            let mut vals = s.vals.clone();
            vals.push(Val::Bv(d.num(8, 0)));
            let next = Next::Go(State { at: PointId(1), vals });
            return vec![Successor { cond: d.bool(true), next }];
        }
        if at > n {
            let nexts = self.rest(d, &self.rows[at - n - 1], s.vals.clone());
            return nexts.into_iter().map(|(cond, next)| Successor { cond, next }).collect();
        }
        let row = &self.rows[at - 1];
        let bad = match row.error {
            Some(check) => {
                let [a, b] = check.bits.map(|i| d.bv_to_bool(s.vals[i].bv()));
                match check.when {
                    When::Either => d.or(&a, &b),
                    When::Both => d.and(&a, &b),
                    When::One => d.xor(&a, &b),
                }
            }
            None => d.bool(false),
        };
        let nexts = match row.event {
            Some(_) => {
                let event = Event {
                    kind: EventKind::Other,
                    label: "event".into(),
                    args: vec![s.vals[INPUTS].clone()],
                    results: vec![VarSort::Bv(1)],
                };
                let after = State { at: PointId((at + n) as u32), vals: s.vals.clone() };
                vec![(d.bool(true), Next::Event(event, after))]
            }
            None => self.rest(d, row, s.vals.clone()),
        };
        guarded(d, bad, nexts, &format!("row {}", at - 1))
    }

    fn resume<D: Domain>(&self, _: &mut D, mut after: State<D>, results: &[Val<D>]) -> State<D> {
        let row = &self.rows[after.at.index() - self.rows.len() - 1];
        if let Some(i) = row.event {
            after.vals[i] = results[0].clone();
        }
        after
    }
}

#[test]
fn verdicts_are_those_of_all_inputs() {
    let opts = Options {
        time: Duration::from_secs(60),
        first_round: Some(Effort::mega(1_000)),
        rounds: 1,
        runs: 0,
        ..Options::default()
    };
    let pairs: u64 = std::env::var("EXHAUSTIVE_PAIRS").ok().and_then(|s| s.parse().ok()).unwrap_or(600);
    let seed: u64 = std::env::var("EXHAUSTIVE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(20_261_122);
    let accept = SameNames::default();
    let (mut proved, mut refuted, mut open, mut same) = (0, 0, 0, 0);
    for i in 0..pairs {
        let mut rng = Rng(seed.wrapping_add(i).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let left = Program::random(&mut rng);
        let right = left.changed(&mut rng);
        let (l, r) = (left.coded(), right.coded());
        let verdict = prove(&Programs::new(&l, &r, &accept), &opts).verdict;
        let apart = difference(&left, &right);
        let both = || format!("pair {i}, {apart:?}\nleft\n{}right\n{}{verdict:?}", left.text(), right.text());
        same += u32::from(apart.is_none());
        match &verdict {
            Verdict::Proved(_) | Verdict::Conditional { .. } => {
                assert!(apart.is_none(), "proved, but not so: {}", both());
                proved += 1;
            }
            Verdict::Refuted(_) => {
                assert!(apart.is_some(), "refuted, but so: {}", both());
                refuted += 1;
            }
            Verdict::Bounded { .. } | Verdict::Unknown(_) | Verdict::Unsupported { .. } => {
                if std::env::var_os("EXHAUSTIVE_OPEN").is_some() {
                    eprintln!("{}", both());
                }
                open += 1;
            }
        }
    }
    eprintln!("{pairs} pairs, {same} alike: {proved} proved, {refuted} refuted, {open} open");
    assert!(proved * 2 > same, "{proved} proved of {same}");
}
