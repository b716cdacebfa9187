//! Every choice is needed: the pair that it names is proved with all choices, and not without that one.

mod pairs;

use equiv::{Options, Programs, Verdict, prove};
use langs::choice::{Allowed, CHOICES, Choice};
use langs::pairs::{IselFile, PairOptions, isel_functions, isel_pair_with};
use std::path::Path;
use std::time::Duration;

/// How many functions of a file are proved, and how many there are.
fn proved(path: &Path, allowed: Allowed) -> (usize, usize) {
    let text = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let m = IselFile::parse(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
    let names = isel_functions(&m).0;
    let one = |name: &&String| {
        let options = PairOptions { allowed, ..PairOptions::PLAIN };
        let Ok(pair) = isel_pair_with(&m, name, options) else { return false };
        let programs = Programs::new(&pair.left, &pair.right, &pair.relation);
        let report = prove(&programs, &Options { time: Duration::from_secs(5), ..Options::default() });
        matches!(report.verdict, Verdict::Proved(_) | Verdict::Conditional { .. })
    };
    (names.iter().filter(one).count(), names.len())
}

/// Whether a file is proved as a whole, and not without a choice.
fn needs(path: &Path, choice: &Choice) -> bool {
    let (with, all) = proved(path, Allowed::ALL);
    with == all && proved(path, Allowed::without(choice)).0 < all
}

#[test]
fn every_choice_is_needed_by_its_pair() {
    let mut wrong = Vec::new();
    for choice in CHOICES {
        if !needs(&pairs::directory(choice.pair), choice) {
            let machine = |p: &std::path::PathBuf| p.extension().is_some_and(|e| e == "mir");
            let others = pairs::files("equivalent").into_iter().filter(machine).filter(|p| needs(p, choice));
            let names: Vec<String> = others.map(|p| p.display().to_string()).collect();
            wrong.push(format!("{} is not needed by {}, but by {names:?}", choice.name, choice.pair));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
