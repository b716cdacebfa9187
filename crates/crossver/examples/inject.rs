//! Puts faults into the new side's machine code, and says what the validator makes of them. What it calls equivalent is run
//! from random states: a fault that changes what a run does and is called equivalent was missed.
//! `cargo run --release -p plumb-crossver --example inject -- OLD NEW SEED COUNT [MILLISECONDS [STATES]]`, where OLD and NEW
//! are objects, or directories with objects of the same names.

use crossver::buckets::Rules;
use crossver::equality::verdict::VerdictKind;
use crossver::inject::inject;
use crossver::objects::{Image, map, parse};
use crossver::replay::Replayer;
use crossver::report::Comparison;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Memory of a proof.
const MEMORY: u64 = 2 << 30;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, default: u64| match words.get(n) {
        Some(word) => word.parse().map_err(|error| format!("{word}: {error}")),
        None => Ok(default),
    };
    let (Some(old), Some(new)) = (words.first(), words.get(1)) else {
        return Err("OLD NEW SEED COUNT [MILLISECONDS [STATES]]".to_owned());
    };
    let (seed, count) = (number(2, 1)?, number(3, 100)?);
    let (time, states) = (Duration::from_millis(number(4, 5000)?), number(5, 200)?);
    let files = files(Path::new(old), Path::new(new))?;
    let mut told: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let (replayer, rules) = (Replayer::default(), Rules::default());
    let mut missed = 0;
    for n in 0..count {
        let (old, new) = &files[(seed.wrapping_add(n) % files.len() as u64) as usize];
        let (Some(a), Some(b)) = (image(old), image(new)) else { continue };
        let Some(faulty) = inject(b, seed.wrapping_mul(1 << 20).wrapping_add(n)) else { continue };
        let comparison = Comparison::new(&a, &faulty.image, 1).map_err(|error| error.to_string())?;
        let Some(pair) = comparison.of_new(faulty.function) else { continue };
        let Some(mut found) = comparison.prove(pair, (time, MEMORY)) else { continue };
        found.replay(&replayer, &rules);
        let f = &found.function;
        let verdict = match f.verdict {
            VerdictKind::Proved | VerdictKind::Conditional => {
                match comparison.random(pair, states, &replayer) {
                    Ok(None) => "equivalent, and in all runs".to_owned(),
                    Ok(Some(how)) => {
                        missed += 1;
                        println!(
                            "MISSED in {}: {:?}: {how}; {:?}",
                            new.display(),
                            faulty.fault,
                            f.assumptions
                        );
                        "MISSED".to_owned()
                    }
                    Err(_) => "equivalent, no run says".to_owned(),
                }
            }
            VerdictKind::Different => "different".to_owned(),
            VerdictKind::Unknown => format!("unknown: {}", f.why.as_deref().unwrap_or("?")),
            VerdictKind::Unsupported => "unsupported".to_owned(),
        };
        *told.entry(faulty.fault.kind.name().to_owned()).or_default().entry(verdict.clone()).or_default() +=
            1;
        *told.entry("all".to_owned()).or_default().entry(verdict).or_default() += 1;
    }
    for (kind, counts) in &told {
        let all: u64 = counts.values().sum();
        let counts: Vec<String> = counts.iter().map(|(verdict, n)| format!("{n} {verdict}")).collect();
        println!("{kind:10} {all:5}: {}", counts.join(", "));
    }
    if missed > 0 { Err(format!("{missed} faults are called equivalent")) } else { Ok(()) }
}

fn image(path: &Path) -> Option<Image> {
    let mut loaded = parse(&path.display().to_string(), &map(path).ok()?).ok()?;
    loaded.images.pop().map(|(_, image)| image)
}

/// Pairs of objects.
fn files(old: &Path, new: &Path) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    if old.is_file() {
        return Ok(vec![(old.to_owned(), new.to_owned())]);
    }
    let listed = std::fs::read_dir(old).map_err(|error| format!("{}: {error}", old.display()))?;
    let mut out: Vec<(PathBuf, PathBuf)> = listed
        .flatten()
        .map(|entry| (entry.path(), new.join(entry.file_name())))
        .filter(|(_, new)| new.is_file())
        .collect();
    out.sort();
    if out.is_empty() { Err("no objects of the same names".to_owned()) } else { Ok(out) }
}
