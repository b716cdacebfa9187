//! A few planted faults: none that is proved may be told apart by running both sides. `examples/planted.rs` plants
//! thousands.

mod planted;

use planted::{Corpus, Numbers, Outcome, attempt, is_proved, options};
use std::path::Path;
use std::time::Duration;

#[test]
fn no_planted_fault_is_proved_that_runs_tell_apart() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv/equivalent");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let opts = options(Duration::from_secs(4));
    let mut numbers = Numbers(1);
    let (mut planted, mut refuted) = (0, 0);
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "mir")) {
        let text = std::fs::read_to_string(path).unwrap();
        let mut corpus = Corpus::read(&path.display().to_string(), &text);
        for function in corpus.functions() {
            assert!(is_proved(&mut corpus, &function, &opts), "{} {function}", corpus.name);
            for _ in 0..8 {
                let Some((fault, outcome)) = attempt(&mut corpus, &function, &mut numbers, &opts, 50) else {
                    continue;
                };
                // What misleads the passes behind is refused, not refuted.
                planted += u32::from(fault.kind.is_seen_by_runs());
                refuted += u32::from(outcome == Outcome::Refuted && fault.kind.is_seen_by_runs());
                assert!(
                    !matches!(outcome, Outcome::Unsound(_) | Outcome::Panicked),
                    "{} {function}: {}: {outcome:?}",
                    corpus.name,
                    fault.change
                );
            }
        }
    }
    assert!(planted >= 30, "only {planted} faults found a place");
    // Many faults change nothing that can be seen, or only what memory held before.
    assert!(3 * refuted > planted, "only {refuted} of {planted} refuted");
}
