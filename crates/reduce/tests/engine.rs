//! The engine with tests that need no process: what it reaches, that it is the same with any number of workers, and when it
//! goes on from a journal.

use reduce::case::Key;
use reduce::engine::Figures;
use reduce::interesting::Answer;
use reduce::journal::Journal;
use reduce::passes::{PASSES, Pass};
use reduce::{Case, Engine, Event, Interesting, Observer, Options, Report};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use toolchain::Cancel;

/// Interesting while all of these words are there, in this order.
struct Words(&'static [&'static str], AtomicU64);

impl Interesting for Words {
    fn ask(&self, _: usize, case: &Case, _: &Cancel) -> Answer {
        self.1.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(&case.files[0].text).into_owned();
        let mut rest = &text[..];
        for word in self.0 {
            match rest.find(word) {
                Some(at) => rest = &rest[at + word.len()..],
                None => return Answer::Not(format!("no {word}")),
            }
        }
        Answer::Interesting
    }
}

/// Holds that the case only ever becomes smaller.
#[derive(Default)]
struct Shrinking(Option<Case>);

impl Observer for Shrinking {
    fn event(&mut self, event: &Event<'_>, figures: &Figures) {
        match event {
            Event::Better { case, pass } if *pass != "pretty" => {
                assert!(self.0.as_ref().is_none_or(|before| case.is_below(before)), "{pass}");
                assert_eq!(figures.now, case.size());
                self.0 = Some((*case).clone());
            }
            Event::Better { .. } | Event::Pass { .. } | Event::Tick => {}
        }
    }
}

fn program() -> Case {
    let mut text = String::from("#include <stdio.h>\n/* a program */\n");
    for n in 0..60 {
        text += &format!(
            "static int value_{n} = {n};\nint function_{n}(int x, int y)\n{{\n    if (x > {n}) {{ return x ? y : (value_{n} + {n}); }}\n    return function_{}(x, y) + 1;\n}}\n",
            n / 2
        );
    }
    text += "int main(void) { printf(\"%d\\n\", function_3(1, value_7) + 1234); return 0; }\n";
    Case::new([("a.c".to_owned(), text.into_bytes())])
}

fn passes() -> Vec<&'static dyn Pass> {
    PASSES.to_vec()
}

fn run(case: &Case, test: &dyn Interesting, jobs: usize) -> Report {
    let options = Options { jobs, passes: passes(), filter: true };
    let skip = AtomicBool::new(false);
    let engine = Engine { options, test, stop: &|| false, skip: &skip, journal: None, others: None };
    engine.reduce(case, None, &mut Shrinking::default())
}

fn text(report: &Report) -> String {
    String::from_utf8_lossy(&report.case.files[0].text).into_owned()
}

#[test]
fn only_what_is_needed_is_left() {
    let test = Words(&["function_3", "1234"], AtomicU64::new(0));
    let report = run(&program(), &test, 2);
    let left = text(&report);
    assert!(report.figures.now.tokens <= 8, "{left}");
    assert!(!report.stopped && report.figures.now <= report.figures.before);
}

#[test]
fn any_text_is_reduced() {
    let lines: String = (0..500).map(|n| format!("(line {n} (nested \"{n}\"))\n")).collect();
    let case = Case::new([("a.scm".to_owned(), lines.into_bytes())]);
    let report = run(&case, &Words(&["line 77 ", "nested", "391"], AtomicU64::new(0)), 2);
    assert!(report.figures.now.bytes <= "line 77 \nnested391\n".len() + 4, "{}", text(&report));
}

#[test]
fn the_number_of_workers_does_not_matter() {
    let outcome = |jobs| {
        let report = run(&program(), &Words(&["value_9", "if", "y", "+ 1"], AtomicU64::new(0)), jobs);
        let tests: Vec<u64> = report.passes.iter().map(|(_, record)| record.tests).collect();
        (text(&report), tests, report.figures.evidence)
    };
    let one = outcome(1);
    assert_eq!(one, outcome(2));
    assert_eq!(one, outcome(7));
}

#[test]
fn what_the_checker_rejects_is_skipped_when_it_never_was_interesting() {
    struct Parses;
    impl Interesting for Parses {
        fn ask(&self, _: usize, case: &Case, _: &Cancel) -> Answer {
            let file = &case.files[0];
            let holds = file.checked().is_some() && file.text.windows(4).any(|w| w == b"1234");
            if holds { Answer::Interesting } else { Answer::Not("no".to_owned()) }
        }
    }
    let case = Case::new([("a.c".to_owned(), {
        let text = program().files[0].text.to_vec();
        text[b"#include <stdio.h>\n".len()..].to_vec()
    })]);
    let report = run(&case, &Parses, 2);
    let evidence = report.figures.evidence[0];
    assert!(evidence.interesting == 0 && evidence.uninteresting >= 20, "{evidence:?}");
    assert!(evidence.skipped > evidence.uninteresting, "{evidence:?}");
    // Where rejected candidates are interesting, none is skipped.
    let report = run(&case, &Words(&["1234"], AtomicU64::new(0)), 2);
    assert!(report.figures.evidence[0].interesting > 0);
    assert_eq!(text(&report).trim(), "1234");
}

#[test]
fn what_runs_for_long_is_skipped_when_it_never_was_interesting() {
    struct Ends;
    impl Interesting for Ends {
        fn ask(&self, _: usize, case: &Case, _: &Cancel) -> Answer {
            let file = &case.files[0];
            let options = machine::Options { max_steps: 1_000_000, ..machine::Options::default() };
            let ends = file.checked().is_some_and(|unit| {
                matches!(machine::judge(unit, &options).verdict, machine::Verdict::Defined(_))
            });
            let loops = file.text.windows(3).filter(|w| w == b"for").count();
            if ends && loops >= 6 { Answer::Interesting } else { Answer::Not("no".to_owned()) }
        }
    }
    let loops: String = (0..12).map(|n| format!("for (unsigned i = 0; i != {n}; i++) s += i;\n")).collect();
    let text = format!("int main(void) {{ unsigned s = 0; {loops} return s & 1; }}");
    let report = run(&Case::new([("a.c".to_owned(), text.into_bytes())]), &Ends, 2);
    let evidence = report.figures.evidence[2];
    assert!(evidence.interesting == 0 && evidence.uninteresting > 0, "{evidence:?}");
    assert!(evidence.skipped > evidence.uninteresting, "{evidence:?}");
}

/// [`Words`], and what was asked.
struct Noted<'n>(Words, &'n Mutex<HashMap<Key, usize>>);

impl Interesting for Noted<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        *self.1.lock().expect("not poisoned").entry(case.key()).or_default() += 1;
        self.0.ask(worker, case, cancel)
    }
}

#[test]
fn a_journal_leads_to_the_same_result_without_asking_twice() {
    const WORDS: &[&str] = &["value_9", "if", "y", "+ 1"];
    let dir = tempfile::tempdir().expect("a directory");
    let case = program();
    let whole = text(&run(&case, &Words(WORDS, AtomicU64::new(0)), 2));
    for jobs in [1, 2] {
        let path = dir.path().join(format!("journal-{jobs}"));
        let asked = Mutex::default();
        // Stopped again and again after a number of tests.
        let mut rounds = 0;
        loop {
            let state = Journal::read(&path).expect("readable");
            let journal = match &state {
                Some(state) => Journal::resume(&path, state).expect("writable"),
                None => Journal::create(&path, vec![1], &case),
            };
            let test = Noted(Words(WORDS, AtomicU64::new(0)), &asked);
            let stop = || test.0.1.load(Ordering::Relaxed) > 40;
            let skip = AtomicBool::new(false);
            let options = Options { jobs, passes: passes(), filter: true };
            let engine = Engine {
                options,
                test: &test,
                stop: &stop,
                skip: &skip,
                journal: Some(&journal),
                others: None,
            };
            let report = engine.reduce(&case, state, &mut Shrinking::default());
            rounds += 1;
            assert!(rounds < 200, "no end in sight");
            if !report.stopped {
                assert_eq!(text(&report), whole);
                break;
            }
        }
        assert!(rounds > 2, "stopped {rounds} times");
        let asked = asked.into_inner().expect("not poisoned");
        // What a worker is stopped at has no answer; that happens once for each of them a round.
        let again = asked.values().map(|times| times - 1).sum::<usize>();
        assert!(
            again <= rounds * jobs,
            "{again} of {} candidates asked about again in {rounds} rounds",
            asked.len()
        );
    }
}
