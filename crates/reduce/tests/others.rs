//! The engine with others that test candidates beside it: whoever they are and whatever they do, the result is that of one worker
//! alone.

use reduce::case::Key;
use reduce::engine::{Elsewhere, Figures, Standing};
use reduce::interesting::Answer;
use reduce::passes::PASSES;
use reduce::{Case, Engine, Event, Interesting, Observer, Options, Report};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// Interesting while all of these words are there, in this order; takes its time.
struct Words(Vec<&'static str>, Duration);

impl Words {
    fn holds(&self, case: &Case) -> bool {
        let text = String::from_utf8_lossy(&case.files[0].text).into_owned();
        let mut rest = &text[..];
        self.0.iter().all(|word| match rest.find(word) {
            Some(at) => {
                rest = &rest[at + word.len()..];
                true
            }
            None => false,
        })
    }
}

impl Interesting for Words {
    fn ask(&self, _: usize, case: &Case, cancel: &Cancel) -> Answer {
        let end = Instant::now() + self.1;
        while Instant::now() < end {
            if cancel.is_cancelled() {
                return Answer::Unresolved("stopped".to_owned());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.holds(case) { Answer::Interesting } else { Answer::Not("no".to_owned()) }
    }
}

/// What others do with what they are handed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Manner {
    /// They test it.
    Honest,
    /// They take it and are never heard of again.
    Dead,
    /// Nobody takes it.
    Absent,
    /// Every third batch gets lost, every third has no answers.
    Losing,
    /// After ten batches nobody is there any more.
    Leaving,
}

#[derive(Default)]
struct Desk {
    next: u64,
    free: VecDeque<u64>,
    batches: BTreeMap<u64, (Vec<Arc<Case>>, Standing)>,
    withdrawn: u64,
}

/// So many others.
struct Fleet {
    desk: Mutex<Desk>,
    manner: Manner,
    over: AtomicBool,
}

impl Fleet {
    fn work(&self, test: &Words) {
        while !self.over.load(Ordering::SeqCst) {
            let taken = {
                let mut desk = self.desk.lock().expect("no panic");
                let number = if self.manner == Manner::Absent { None } else { desk.free.pop_front() };
                number.and_then(|number| {
                    let (cases, standing) = desk.batches.get_mut(&number)?;
                    *standing = Standing::Held;
                    Some((number, cases.clone()))
                })
            };
            let Some((number, cases)) = taken else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            if self.manner == Manner::Dead {
                continue;
            }
            let answers: Vec<(Key, bool)> = cases
                .iter()
                .map(|case| {
                    std::thread::sleep(test.1);
                    (case.key(), test.holds(case))
                })
                .collect();
            let mut desk = self.desk.lock().expect("no panic");
            match (self.manner, number % 3) {
                (Manner::Losing, 0) => drop(desk.batches.remove(&number)),
                (Manner::Losing, 1) => {
                    if let Some(batch) = desk.batches.get_mut(&number) {
                        batch.1 = Standing::Answered(Vec::new());
                    }
                }
                _ => {
                    if let Some(batch) = desk.batches.get_mut(&number) {
                        batch.1 = Standing::Answered(answers);
                    }
                }
            }
        }
    }
}

impl Elsewhere for Fleet {
    fn hand_out(&self, batches: &[Vec<Arc<Case>>], _: bool) -> Option<Vec<u64>> {
        let mut desk = self.desk.lock().expect("no panic");
        if self.manner == Manner::Leaving && desk.next >= 10 {
            return None;
        }
        let mut numbers = Vec::new();
        for batch in batches {
            desk.next += 1;
            let number = desk.next;
            desk.free.push_back(number);
            desk.batches.insert(number, (batch.clone(), Standing::Free));
            numbers.push(number);
        }
        Some(numbers)
    }

    fn look(&self, batches: &[u64]) -> Option<Vec<(u64, Standing)>> {
        let desk = self.desk.lock().expect("no panic");
        Some(
            batches
                .iter()
                .filter_map(|number| Some((*number, desk.batches.get(number)?.1.clone())))
                .collect(),
        )
    }

    fn withdraw(&self, batches: &[u64]) -> Option<()> {
        let mut desk = self.desk.lock().expect("no panic");
        for number in batches {
            desk.batches.remove(number);
            desk.free.retain(|free| free != number);
            desk.withdrawn += 1;
        }
        Some(())
    }
}

struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: &Event<'_>, _: &Figures) {}
}

fn program() -> Case {
    let body = |n: u32| format!("int f{n}(int x) {{ int y = x + {n}; return y * {n}; }}\n");
    let text: String = (0..12).map(body).collect();
    Case::new([("a.c".to_owned(), format!("{text}int main(void) {{ return f3(f7(1)); }}\n").into_bytes())])
}

/// Reduces with a test that takes so long, and others of this manner.
fn reduce(time: Duration, manner: Option<Manner>) -> (Report, Duration, Desk) {
    let test = Words(vec!["int y", "* 7", "main", "f7"], time);
    let fleet = Fleet {
        desk: Mutex::default(),
        manner: manner.unwrap_or(Manner::Absent),
        over: AtomicBool::new(false),
    };
    let begun = Instant::now();
    let report = std::thread::scope(|scope| {
        for _ in 0..7 {
            scope.spawn(|| fleet.work(&test));
        }
        let options = Options { jobs: 1, passes: PASSES.to_vec(), filter: false };
        let skip = AtomicBool::new(false);
        let others: Option<&dyn Elsewhere> = if manner.is_some() { Some(&fleet) } else { None };
        let engine = Engine { options, test: &test, stop: &|| false, skip: &skip, journal: None, others };
        let report = engine.reduce(&program(), None, &mut Silent);
        fleet.over.store(true, Ordering::SeqCst);
        report
    });
    (report, begun.elapsed(), fleet.desk.into_inner().expect("no panic"))
}

/// What decides that a result is the same.
fn outcome(report: &Report) -> (Vec<u8>, Vec<u64>) {
    (report.case.files[0].text.to_vec(), report.passes.iter().map(|(_, record)| record.tests).collect())
}

#[test]
fn whatever_others_do_the_result_is_that_of_one_worker() {
    let time = Duration::from_millis(80);
    std::thread::scope(|scope| {
        let alone = scope.spawn(|| reduce(time, None));
        let manners = [Manner::Honest, Manner::Losing, Manner::Leaving, Manner::Dead];
        let all = manners.map(|manner| (manner, scope.spawn(move || reduce(time, Some(manner)))));
        let (alone, longest, _) = alone.join().expect("no panic");
        for (manner, shared) in all {
            let (shared, took, desk) = shared.join().expect("no panic");
            assert_eq!(outcome(&shared), outcome(&alone), "{manner:?}");
            assert!(desk.next > 0, "{manner:?}: nothing was handed out");
            let Figures { tests, elsewhere, .. } = shared.figures;
            match manner {
                Manner::Honest => {
                    assert!(elsewhere * 2 > tests, "others ran {elsewhere} of {tests} tests");
                    assert!(took * 3 < longest * 2, "{took:?} instead of {longest:?}");
                }
                Manner::Dead => assert_eq!(elsewhere, 0),
                Manner::Losing | Manner::Leaving => assert!(elsewhere > 0, "{manner:?}"),
                Manner::Absent => {}
            }
        }
    });
}

#[test]
fn alone_it_takes_no_longer() {
    let time = Duration::from_millis(60);
    let (alone, longest, _) = reduce(time, None);
    let (shared, took, desk) = reduce(time, Some(Manner::Absent));
    assert_eq!(outcome(&shared), outcome(&alone));
    assert!(shared.figures.elsewhere == 0 && desk.withdrawn > 0, "what nobody takes is withdrawn");
    assert!(took < longest.mul_f64(1.3), "{took:?} instead of {longest:?}");
}

#[test]
fn what_takes_no_time_is_not_handed_out() {
    let (_, _, desk) = reduce(Duration::ZERO, Some(Manner::Honest));
    assert_eq!(desk.next, 0);
}
