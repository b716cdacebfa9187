//! Puts faults into the new one of two objects, one after the other, and counts what comes of each in this process: whether
//! one that is called equivalent is told apart by random states.
//! `cargo run --release -p plumb-crossver --example faults -- OLD.o NEW.o COUNT SEED`

use crossver::equality::verdict::VerdictKind;
use crossver::inject::{FaultKind, inject};
use crossver::objects::load;
use crossver::replay::Replayer;
use crossver::report::Comparison;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Time for one proof, and memory in bytes.
const LIMITS: (Duration, u64) = (Duration::from_secs(5), 2 << 30);

/// Random states for a fault that is called equivalent.
const STATES: u64 = 200;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, count, seed] = words.as_slice() else { return Err("OLD NEW COUNT SEED".to_owned()) };
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("`{text}`: {error}"));
    let load = |path: &String| load(Path::new(path)).map_err(|error| error.to_string());
    let (a, b) = (load(old)?, load(new)?);
    let ([(_, a)], [(_, b)]) = (a.images.as_slice(), b.images.as_slice()) else {
        return Err(format!("{old}: not a single object"));
    };
    let replayer = Replayer::default();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in number(seed)?..number(seed)? + number(count)? {
        let Some(faulty) = inject(b, seed, FaultKind::ALL) else { continue };
        let comparison = Comparison::new(a, &faulty.image, 1).map_err(|error| error.to_string())?;
        let Some(found) =
            comparison.of_new(faulty.function).and_then(|n| Some((n, comparison.prove(n, LIMITS)?)))
        else {
            continue;
        };
        let (n, found) = found;
        let verdict = found.function.verdict;
        let outcome = match verdict {
            VerdictKind::Proved | VerdictKind::Conditional => match comparison.random(n, STATES, &replayer) {
                Ok(None) => "equivalent, and runs agree".to_owned(),
                Ok(Some(how)) => {
                    println!("MISSED: {:?}: {how}", faulty.fault);
                    "missed".to_owned()
                }
                Err(_) => "equivalent, not run".to_owned(),
            },
            VerdictKind::Different | VerdictKind::Unknown | VerdictKind::Unsupported => {
                format!("{verdict:?}")
            }
        };
        *counts.entry(outcome).or_default() += 1;
    }
    for (outcome, n) in counts {
        println!("{n:6}  {outcome}");
    }
    Ok(())
}
