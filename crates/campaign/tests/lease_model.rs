//! The protocol of leases as a model, checked in every order of its steps: workers that die, stop in good order or pause
//! past their lease, requests that arrive late, twice or never, answers that are lost, and a server that crashes and forgets
//! the last of its commits: any number of them, as it writes its log to the disk in the order of commits and when it likes.
//!
//! Each step of the model's server is one transaction of `campaign/src/store/postgres` (`leases.rs`: take, give back;
//! `commit.rs`: commit) with the same conditions. A commit brings any of the first programs that are left together, and with the
//! last of them says that the range is through: the network holds each request that a worker might send, and so more than one
//! worker sends. Time is not in the model: that a lease ends may happen at any
//! moment, which is every speed of every clock, so that renewing adds nothing to what can happen.

use stateright::{Checker, HasDiscoveries, Model, Property};
use std::collections::BTreeSet;

/// Ranges, programs in each, workers, how often a range may be handed out, and crashes of the server.
#[derive(Clone, Debug)]
struct Bounds {
    ranges: usize,
    seeds: u8,
    workers: usize,
    epochs: u8,
    crashes: u8,
    /// The program of a range that shows a bug, if one does, as a bit: its commit waits for the disk, others do not.
    alarming: u8,
}

/// What is left out of the protocol, to see that the check would notice.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// Results are not unique on their key.
    Key,
    /// The server does not compare epochs.
    Epoch,
    /// A range is finished on a worker's word, without a look at whether its programs are there.
    Count,
    /// A finding's commit does not wait for the disk.
    Finding,
    /// That nothing is left is said without waiting for the disk.
    Told,
}

#[derive(Clone, Debug)]
struct Protocol {
    bounds: Bounds,
    fault: Fault,
}

/// A row of the table of leases.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct Row {
    epoch: u8,
    held: bool,
    done: bool,
}

/// What a worker asks of the server. The network keeps each for ever and may deliver it at any time, any number of times.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Verb {
    /// Programs, a bit each, and whether the range is through with them.
    Commit {
        programs: u8,
        last: bool,
    },
    GiveBack,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Request {
    worker: usize,
    range: usize,
    epoch: u8,
    verb: Verb,
}

/// What a worker knows: nothing, or what it holds and which of its programs (a bit each) it has yet to bring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Worker {
    Idle,
    Holding { range: usize, epoch: u8, left: u8 },
}

/// What the server knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Tables {
    leases: Vec<Row>,
    /// How often each program's result was written.
    results: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    now: Tables,
    /// What is on the server's disk: the tables as they were after some earlier commit.
    disk: Tables,
    workers: Vec<Worker>,
    network: BTreeSet<Request>,
    crashes: u8,
    /// A result was kept that came under another epoch than the range's.
    stale: bool,
    /// What users were told: the findings of these ranges, and that nothing is left.
    printed: Vec<bool>,
    told: bool,
    /// What has happened, for what must be possible.
    refused: bool,
    known: bool,
    missing: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Take {
        worker: usize,
        range: usize,
        answered: bool,
    },
    Deliver {
        request: Request,
        answered: bool,
    },
    Expire(usize),
    Stop(usize),
    Die(usize),
    /// A worker asks for work when all is done.
    Ask,
    /// The server writes its log to the disk.
    Flush,
    Crash,
}

/// What the server says to a request.
enum Answer {
    Kept,
    Late,
}

impl Tables {
    fn all_done(&self) -> bool {
        self.leases.iter().all(|row| row.done)
    }

    /// Are all programs of a range there?
    fn whole(&self, range: usize) -> bool {
        self.results[range].iter().all(|written| *written > 0)
    }

    /// Is there a range that counts as done and is not?
    fn lost(&self) -> bool {
        self.leases.iter().enumerate().any(|(range, row)| row.done && !self.whole(range))
    }
}

impl State {
    /// The server's side of a request.
    fn serve(&mut self, request: Request, (fault, alarming): (Fault, u8)) -> Answer {
        let row = &mut self.now.leases[request.range];
        let current = fault == Fault::Epoch || row.epoch == request.epoch;
        let (programs, last) = match request.verb {
            Verb::Commit { .. } if !current || row.done => {
                self.refused = true;
                return Answer::Late;
            }
            Verb::Commit { programs, last } => (programs, last),
            Verb::GiveBack => {
                row.held &= !current || row.done;
                return Answer::Kept;
            }
        };
        let stale = row.epoch != request.epoch;
        for (seed, written) in self.now.results[request.range].iter_mut().enumerate() {
            match programs & 1 << seed != 0 {
                true if *written > 0 && fault != Fault::Key => self.known = true,
                true => {
                    *written += 1;
                    self.stale |= stale;
                }
                false => {}
            }
        }
        if last {
            let whole = fault == Fault::Count || self.now.whole(request.range);
            let row = &mut self.now.leases[request.range];
            (row.done, row.held) = (whole, whole && row.held);
            self.missing |= !whole;
        }
        if programs & alarming != 0 && fault != Fault::Finding {
            self.disk = self.now.clone();
        }
        Answer::Kept
    }

    /// The worker's side of an answer, if it still waits for it.
    fn hear(&mut self, request: Request, answer: &Answer, alarming: u8) {
        if !self.asks(request.worker).contains(&request) {
            return;
        }
        let Worker::Holding { left, .. } = &mut self.workers[request.worker] else { return };
        match (answer, request.verb) {
            (Answer::Kept, Verb::Commit { programs, last }) => {
                *left &= !programs;
                self.printed[request.range] |= programs & alarming != 0;
                if last {
                    self.workers[request.worker] = Worker::Idle;
                }
            }
            (Answer::Late, Verb::Commit { .. }) | (_, Verb::GiveBack) => {
                self.workers[request.worker] = Worker::Idle;
            }
        }
        self.send(request.worker);
    }

    /// The requests that a worker may send, and wait for the answer: with any of the first programs that are left.
    fn asks(&self, worker: usize) -> Vec<Request> {
        let Worker::Holding { range, epoch, left } = self.workers[worker] else { return Vec::new() };
        let bits = (0..u8::BITS).filter(|bit| left & 1 << bit != 0);
        let prefix = |bit: u32| left & (u8::MAX >> (u8::BITS - 1 - bit));
        let mut first: Vec<u8> = bits.map(prefix).collect();
        if first.is_empty() {
            first.push(0);
        }
        let verb = |programs| Verb::Commit { programs, last: programs == left };
        first.into_iter().map(|programs| Request { worker, range, epoch, verb: verb(programs) }).collect()
    }

    fn send(&mut self, worker: usize) {
        self.network.extend(self.asks(worker));
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let tables = Tables {
            leases: vec![Row::default(); self.bounds.ranges],
            results: vec![vec![0; usize::from(self.bounds.seeds)]; self.bounds.ranges],
        };
        vec![State {
            disk: tables.clone(),
            now: tables,
            workers: vec![Worker::Idle; self.bounds.workers],
            network: BTreeSet::new(),
            crashes: 0,
            stale: false,
            printed: vec![false; self.bounds.ranges],
            told: false,
            refused: false,
            known: false,
            missing: false,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (range, row) in state.now.leases.iter().enumerate() {
            if row.held && !row.done {
                actions.push(Action::Expire(range));
            }
        }
        for (worker, is) in state.workers.iter().enumerate() {
            if *is != Worker::Idle {
                actions.extend([Action::Stop(worker), Action::Die(worker)]);
                continue;
            }
            for (range, row) in state.now.leases.iter().enumerate() {
                if !row.held && !row.done && row.epoch < self.bounds.epochs {
                    actions.extend([true, false].map(|answered| Action::Take { worker, range, answered }));
                }
            }
        }
        for &request in &state.network {
            actions.push(Action::Deliver { request, answered: false });
            if state.asks(request.worker).contains(&request) {
                actions.push(Action::Deliver { request, answered: true });
            }
        }
        if state.now.all_done() {
            actions.push(Action::Ask);
        }
        if state.crashes < self.bounds.crashes {
            actions.extend([Action::Flush, Action::Crash]);
        }
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Take { worker, range, answered } => {
                let row = &mut state.now.leases[range];
                (row.epoch, row.held) = (row.epoch + 1, true);
                let epoch = row.epoch;
                let untested =
                    state.now.results[range].iter().enumerate().filter(|(_, written)| **written == 0);
                let left = untested.fold(0, |bits, (seed, _)| bits | 1 << seed);
                if answered {
                    state.workers[worker] = Worker::Holding { range, epoch, left };
                    state.send(worker);
                }
            }
            Action::Deliver { request, answered } => {
                let answer = state.serve(request, (self.fault, self.bounds.alarming));
                if answered {
                    state.hear(request, &answer, self.bounds.alarming);
                }
            }
            Action::Expire(range) => state.now.leases[range].held = false,
            Action::Stop(worker) => {
                let asked = *state.asks(worker).first()?;
                state.network.insert(Request { verb: Verb::GiveBack, ..asked });
                state.workers[worker] = Worker::Idle;
            }
            Action::Die(worker) => state.workers[worker] = Worker::Idle,
            Action::Ask => {
                if self.fault != Fault::Told {
                    state.disk = state.now.clone();
                }
                state.told = true;
            }
            Action::Flush => state.disk = state.now.clone(),
            Action::Crash => {
                state.now = state.disk.clone();
                state.crashes += 1;
            }
        }
        if state.crashes == self.bounds.crashes {
            // What is on the disk no longer matters.
            state.disk = state.now.clone();
        }
        (state != *before).then_some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no result twice", |_, state: &State| {
                state.now.results.iter().flatten().all(|written| *written <= 1)
            }),
            Property::always("no result lost", |_, state: &State| !state.now.lost() && !state.disk.lost()),
            Property::always("a finding that was printed is kept", |model: &Protocol, state: &State| {
                let mut both = state.printed.iter().zip(&state.disk.results);
                let at = model.bounds.alarming.trailing_zeros() as usize;
                both.all(|(printed, results)| !printed || results[at] > 0)
            }),
            Property::always("what was said to be done is", |_, state: &State| {
                !state.told || state.disk.all_done()
            }),
            Property::always("no late result kept", |_, state: &State| !state.stale),
            Property::sometimes("all is done", |_, state: &State| state.now.all_done()),
            Property::sometimes("a late result comes", |_, state: &State| state.refused),
            Property::sometimes("a result comes again", |_, state: &State| state.known),
            Property::sometimes("a range said to be through lacks a program", |_, state: &State| {
                state.missing
            }),
            Property::sometimes("a crash makes two hold one epoch", |_, state: &State| {
                let held = |worker: &Worker| match worker {
                    Worker::Holding { range, epoch, .. } => Some((*range, *epoch)),
                    Worker::Idle => None,
                };
                let mut seen = BTreeSet::new();
                !state.workers.iter().filter_map(held).all(|lease| seen.insert(lease))
            }),
        ]
    }
}

/// The names of the properties that a run of the checker refutes or shows to be reachable, and how many states it saw. Of a
/// protocol with a fault it ends with the first refutation.
fn check(bounds: Bounds, fault: Fault) -> (BTreeSet<&'static str>, usize) {
    let end = if fault == Fault::Nothing { HasDiscoveries::All } else { HasDiscoveries::AnyFailures };
    let checker = Protocol { bounds, fault }.checker().threads(2).finish_when(end).spawn_bfs().join();
    let found = checker.discoveries().into_keys().collect();
    assert!(fault != Fault::Nothing || checker.is_done(), "it was not exhaustive");
    (found, checker.unique_state_count())
}

/// One range, as rows of ranges have nothing to do with each other.
const SMALL: Bounds = Bounds { ranges: 1, seeds: 2, workers: 2, epochs: 2, crashes: 1, alarming: FIRST };
const NONE: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;

/// What must be possible, so that what must not happen is looked for where it could.
fn possible(bounds: &Bounds) -> BTreeSet<&'static str> {
    let mut possible = BTreeSet::from(["all is done", "a late result comes"]);
    if bounds.seeds > 1 {
        possible.insert("a result comes again");
    }
    if bounds.crashes > 0 {
        possible.insert("a crash makes two hold one epoch");
        // What is brought before the last of a range, and does not wait for the disk, may be lost.
        if bounds.alarming != FIRST {
            possible.insert("a range said to be through lacks a program");
        }
    }
    possible
}

#[test]
fn nothing_is_lost_and_nothing_is_done_twice() {
    let with = |alarming| Bounds { alarming, ..SMALL };
    let one_seed = Bounds { seeds: 1, crashes: 0, ..SMALL };
    let three_times = Bounds { epochs: 3, ..one_seed.clone() };
    let three_workers = Bounds { workers: 3, ..one_seed };
    for bounds in [with(NONE), with(FIRST), with(SECOND), three_times, three_workers] {
        let (found, states) = check(bounds.clone(), Fault::Nothing);
        assert_eq!(found, possible(&bounds), "{bounds:?}");
        eprintln!("{bounds:?}: {states} states");
        assert!(states > 500, "{bounds:?}: only {states} states");
    }
}

#[test]
fn the_check_notices_what_is_left_out() {
    for (fault, alarming, property) in [
        (Fault::Key, FIRST, "no result twice"),
        (Fault::Epoch, FIRST, "no late result kept"),
        (Fault::Count, SECOND, "no result lost"),
        (Fault::Finding, FIRST, "a finding that was printed is kept"),
        (Fault::Told, FIRST, "what was said to be done is"),
    ] {
        let (found, _) = check(Bounds { alarming, ..SMALL }, fault);
        assert!(found.contains(property), "{fault:?} goes unnoticed: {found:?}");
    }
}
