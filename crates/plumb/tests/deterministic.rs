//! A proof is a function of its input: what `plumb prove` reports is the same on a busy machine as on an idle one, with
//! one worker or two, and whatever a worker answered before. The same on whole projects: `benches/deterministic.sh`.

mod common;

use common::{Plumb, lines, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Figures of a run, not of the input.
const MEASURED: [&str; 4] = ["ms", "solver_ms", "peak_memory", "seconds"];

/// A report without them.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(k, _)| !MEASURED.contains(&k.as_str()));
            Value::Object(kept.map(|(k, v)| (k.clone(), plain(v))).collect())
        }
        Value::Array(list) => list.iter().map(plain).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// The reports on the functions of a call, by name.
fn reports(arguments: &[&str]) -> BTreeMap<String, String> {
    let done = Plumb::new().run(&[&["prove", "--json", "--timeout", "600s"], arguments].concat());
    let name = |r: &Value| format!("{} {}", r["place"], r["function"]);
    let functions: BTreeMap<String, String> = lines(&done.stdout)
        .iter()
        .filter(|r| r["type"] != "summary")
        .map(|r| (name(r), plain(r).to_string()))
        .collect();
    assert!(!functions.is_empty(), "{}{}", done.stdout, done.stderr);
    functions
}

/// Pairs that take every kind of verdict, and some of the prover's longer searches.
fn files() -> Vec<PathBuf> {
    let named = [
        "broken/arithm_seq_sum_condition.mir",
        "equivalent/arithm_seq_sum.mir",
        "equivalent/loop_ends_by_equality.src.ll",
        "open/values_of_phis.mir",
        "unproved/address_made_inbounds.src.ll",
        "unproved/flags_over_a_zero.mir",
    ];
    let root = repository().join("tests/equiv");
    let mut out: Vec<PathBuf> = named.iter().map(|n| root.join(n)).collect();
    out.push(repository().join("crates/plumb/tests/prove/three.mir"));
    out
}

/// The arguments that name a pair.
fn pair(path: &std::path::Path) -> Vec<String> {
    let text = path.to_str().expect("UTF-8").to_owned();
    match text.strip_suffix(".src.ll") {
        Some(stem) => vec![text.clone(), format!("{stem}.tgt.ll")],
        None => vec![text],
    }
}

fn all(jobs: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for path in files() {
        let words = pair(&path);
        let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        arguments.extend(["--jobs", jobs]);
        out.extend(reports(&arguments));
    }
    out
}

#[test]
fn reports_are_the_same_under_load_and_with_two_workers() {
    let idle = all("1");
    let stop = AtomicBool::new(false);
    let busy = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let busy = [all("1"), all("2")];
        stop.store(true, Ordering::Relaxed);
        busy
    });
    assert!(idle.len() > 5, "{} functions", idle.len());
    for busy in busy {
        for (name, report) in &idle {
            assert_eq!(Some(report), busy.get(name), "{name}");
        }
        assert_eq!(idle.len(), busy.len());
    }
}

#[test]
fn what_a_worker_answered_before_changes_nothing() {
    let three = repository().join("crates/plumb/tests/prove/three.mir");
    let path = three.to_str().expect("UTF-8");
    let together = reports(&[path, "--jobs", "1"]);
    let mut alone = BTreeMap::new();
    for report in together.values() {
        let report: Value = serde_json::from_str(report).expect("JSON");
        let function = report["function"].as_str().expect("a name");
        alone.extend(reports(&[path, "--jobs", "1", "--function", function]));
    }
    assert!(together.len() > 2);
    assert_eq!(together, alone);
}
