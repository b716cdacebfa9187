//! No input makes the pipeline parse, check, run panic, hang or eat memory: mutated C programs, from a seed.
//!
//! `PLUMB_FUZZ_SEED` and `PLUMB_FUZZ_ROUNDS` run more or other mutations; `PLUMB_FUZZ_DIR` adds preprocessed C files
//! to mutate. A failure prints its seed and leaves its input in the test's scratch directory.

mod support;

use csyntax::target::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use support::{Random, c_files, programs, scratch};

/// An index below this length, or 0.
fn index(random: &mut Random, n: usize) -> usize {
    random.below(n.max(1) as u64) as usize
}

/// Ends of tokens, roughly: where the kind of character changes.
fn tokens(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let kind = |b: u8| match b {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => 1,
        b' ' | b'\n' | b'\t' => 0,
        other => 2 + u32::from(other),
    };
    let mut found = Vec::new();
    let mut start = 0;
    for at in 1..=text.len() {
        if at == text.len() || kind(text[at]) != kind(text[start]) {
            if kind(text[start]) != 0 {
                found.push(start..at);
            }
            start = at;
        }
    }
    found
}

/// Fragments that are often at the edge of something.
const EDGES: &[&str] = &[
    "0",
    "-1",
    "2147483647",
    "0x7fffffffffffffff",
    "1e400",
    "*",
    "&",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "struct",
    "union",
    "_Bool",
    "volatile",
    "const",
    "sizeof",
    "goto",
    "switch",
    "case 1:",
    "default:",
    "return",
    "long",
    "char",
    "unsigned",
    "double",
    "_Complex",
    "__int128",
    "(void)",
    "0 ?",
    "&&",
    "...",
    "= {}",
    "[0]",
    "[-1]",
    ": 3",
    "enum",
    "static",
    "extern",
    "typedef",
    "__attribute__((vector_size(16)))",
    "__attribute__((packed))",
    "_Alignas(64)",
    "__builtin_va_arg(x, int)",
    "__label__ l;",
    "asm(\"\")",
    "\"\\xff\"",
    "L'a'",
    "va_list",
    "inline",
    "_Atomic",
];

/// One to four changes to a program.
fn mutate(random: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=index(random, 4) {
        let pieces = tokens(&text);
        if pieces.is_empty() {
            break;
        }
        let one = pieces[index(random, pieces.len())].clone();
        let two = pieces[index(random, pieces.len())].clone();
        match index(random, 9) {
            0 => {
                let at = index(random, text.len());
                text[at] = random.next() as u8;
            }
            1 => drop(text.drain(one)),
            2 => {
                let copy = text[one.clone()].to_vec();
                text.splice(one.end..one.end, [&b" "[..], &copy].concat());
            }
            3 => {
                let copy = text[two].to_vec();
                text.splice(one, copy);
            }
            4 | 5 => {
                let edge = EDGES[index(random, EDGES.len())].as_bytes();
                let gap = [b" ", edge, b" "].concat();
                if index(random, 2) == 0 {
                    text.splice(one, gap)
                } else {
                    text.splice(one.end..one.end, gap)
                };
            }
            6 => {
                let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
                let (a, b) = (index(random, lines.len()), index(random, lines.len()));
                lines.swap(a, b);
                text = lines.join(&b'\n');
            }
            7 => {
                let (lo, hi) = (one.start.min(two.start), one.end.max(two.end));
                if hi - lo < 200 {
                    text.drain(lo..hi);
                }
            }
            _ => {
                let lines: Vec<&[u8]> = other.split(|b| *b == b'\n').collect();
                let line = lines[index(random, lines.len())].to_vec();
                text.splice(one.end..one.end, line);
            }
        }
    }
    text
}

/// Runs the pipeline with small budgets; the panic's message, or how long it took if that was too long. Counts in
/// `ran` the programs that reached the machine.
fn complaint(text: &[u8], target: &Target, ran: &mut u64) -> Option<String> {
    let start = Instant::now();
    let run = catch_unwind(AssertUnwindSafe(|| {
        let parsed = csyntax::parse::parse(text, "fuzz.c");
        let checked = csyntax::check::check(&parsed.ast, target);
        if let Some(unit) = checked.unit {
            let options = machine::Options {
                target: target.clone(),
                max_steps: 100_000,
                max_memory: 1 << 24,
                max_output: 1 << 16,
                max_depth: 500,
                ..Default::default()
            };
            *ran += 1;
            machine::run(&unit, &options);
        }
    }));
    match run {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Some(text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
        }
        Ok(()) if start.elapsed() > Duration::from_secs(10) => Some(format!("took {:?}", start.elapsed())),
        Ok(()) => None,
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn no_mutated_program_makes_the_pipeline_panic_or_hang() {
    let mut files: Vec<PathBuf> = ["defined", "undefined", "unsupported", "wrong", "missed"]
        .iter()
        .flat_map(|d| c_files(&programs(d)))
        .collect();
    if let Ok(dir) = std::env::var("PLUMB_FUZZ_DIR") {
        files.extend(c_files(&PathBuf::from(dir)));
    }
    // Preprocessor lines are dropped: what is fuzzed is the pipeline behind the preprocessor.
    let corpus: Vec<Vec<u8>> = files
        .iter()
        .map(|path| {
            let text = std::fs::read(path).expect("a program of the repository");
            let lines: Vec<&[u8]> = text.split(|b| *b == b'\n').filter(|l| !l.starts_with(b"#")).collect();
            lines.join(&b'\n')
        })
        .filter(|text| text.len() < 60_000)
        .collect();
    let first = number("PLUMB_FUZZ_SEED", 1);
    let rounds = number("PLUMB_FUZZ_ROUNDS", 3000);
    let started = Instant::now();
    let mut failures = Vec::new();
    let (mut done, mut ran) = (0, 0);
    for seed in first..first + rounds {
        // The default run is bounded in time too, for slow machines.
        if rounds == 3000 && started.elapsed() > Duration::from_secs(12) {
            break;
        }
        let mut random = Random(seed);
        let other = &corpus[index(&mut random, corpus.len())];
        let text = mutate(&mut random, &corpus[seed as usize % corpus.len()], other);
        let target = if index(&mut random, 4) == 0 { Target::ILP32 } else { Target::LP64 };
        if let Some(what) = complaint(&text, &target, &mut ran) {
            let kept = scratch(&format!("-seed-{seed}.c"));
            std::fs::write(&kept, &text).expect("scratch file");
            failures.push(format!("seed {seed} ({}): {what}; input {}", target.name, kept.display()));
        }
        done += 1;
    }
    assert!(done > 50, "only {done} programs in the time given");
    // Fuzzing that never reaches the machine would prove nothing about it.
    assert!(ran * 20 > done, "only {ran} of {done} programs reached the machine");
    assert!(failures.is_empty(), "{} of {done} programs:\n{}", failures.len(), failures.join("\n"));
}

/// Not among the programs of `tests/machine`: mutated, it has static objects of gigabytes.
#[test]
fn a_first_object_that_no_frame_holds_is_unsupported() {
    let text = b"int main(void) { _Alignas(16) int x[2147483647] = {3}; int *p = x; return *p; }";
    assert_eq!(complaint(text, &Target::LP64, &mut 0), None);
}

/// That a program does not fit is said before memory is taken for its objects.
#[test]
fn static_objects_of_terabytes_cost_no_memory() {
    let objects: String = (0..40).map(|n| format!("short a{n}[{}][1000000000];\n", 17 + n % 5)).collect();
    let text = objects + "int main(void) { return a0[1][2] + \"text\"[1]; }";
    let parsed = csyntax::parse::parse(text.as_bytes(), "big.c");
    let unit = csyntax::check::check(&parsed.ast, &Target::LP64).unit.expect("it is C");
    let verdict = machine::run(&unit, &machine::Options::default()).verdict;
    assert!(matches!(verdict, machine::Verdict::Exhausted(machine::Budget::Memory)), "{verdict:?}");
}
