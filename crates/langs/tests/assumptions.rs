//! What proofs rest on: `tests/equiv/assumptions.txt` says it of every pair that is proved, and names every assumption
//! there is. `UPDATE_GOLDEN=1` writes the file anew.

mod pairs;

use langs::assumption::{ALL, Assumption};
use std::fmt::Write as _;

#[test]
fn proofs_state_what_they_rest_on() {
    let mut text = String::new();
    for path in ["equivalent", "open"].into_iter().flat_map(pairs::files) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for (function, report) in pairs::reports(&path) {
            let stated: Vec<&str> = pairs::stated(&report).iter().map(|a| a.entry().name).collect();
            if !stated.is_empty() {
                writeln!(text, "{name} {function}: {}", stated.join(" ")).expect("a string grows");
            }
        }
    }
    let golden = pairs::directory("assumptions.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).expect("writable");
    }
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(kept, text, "{} differs; UPDATE_GOLDEN=1 writes it", golden.display());
}

#[test]
fn every_assumption_has_a_pair_that_rests_on_it() {
    let kept = std::fs::read_to_string(pairs::directory("assumptions.txt")).expect("readable");
    let names: Vec<&str> =
        kept.lines().filter_map(|l| l.split_once(": ")).flat_map(|(_, names)| names.split(' ')).collect();
    let without: Vec<Assumption> =
        ALL.iter().filter(|e| !names.contains(&e.name)).map(|e| e.assumption).collect();
    assert!(without.is_empty(), "no pair in tests/equiv rests on {without:?}");
    let unknown: Vec<&&str> = names.iter().filter(|n| !ALL.iter().any(|e| e.name == **n)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
