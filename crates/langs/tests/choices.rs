//! Every choice is needed: the pair that it names is proved with all choices, and not without that one.

use equiv::{Options, Programs, Verdict, prove};
use langs::choice::{Allowed, CHOICES};
use langs::memory::access::AccessCheck;
use langs::pairs::{IselFile, PairOptions, isel_functions, isel_pair_with};
use std::path::Path;
use std::time::Duration;

/// How many functions of a file are proved, and how many there are.
fn proved(m: &IselFile, allowed: Allowed) -> (usize, usize) {
    let names = isel_functions(m).0;
    let one = |name: &&String| {
        let options = PairOptions { access: AccessCheck::Mapped, trusting: false, allowed };
        let pair = isel_pair_with(m, name, options).expect("the pair is supported");
        let programs =
            Programs { left: &pair.left, right: &pair.right, accept: &pair.relation, hints: Vec::new() };
        let report = prove(&programs, &Options { time: Duration::from_secs(5), ..Options::default() });
        matches!(report.verdict, Verdict::Proved(_) | Verdict::Conditional { .. })
    };
    (names.iter().filter(one).count(), names.len())
}

#[test]
fn every_choice_is_needed_by_its_pair() {
    for choice in CHOICES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv").join(choice.pair);
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let m = IselFile::parse(&text).unwrap_or_else(|e| panic!("{}:{e}", choice.pair));
        let (with, all) = proved(&m, Allowed::ALL);
        assert_eq!(with, all, "{}: all of {} are proved with it", choice.name, choice.pair);
        let (without, _) = proved(&m, Allowed::without(choice));
        assert!(without < all, "{}: {} is proved without it", choice.name, choice.pair);
    }
}
