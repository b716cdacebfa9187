//! Measures variants: `measure [--strategy NAMES] [--variants N] [--first N] [--set NAME=VALUE] [--write DIR]
//! [--corpus DIR] [--max-steps N] FILE.i ...` makes variants of each preprocessed program, checks each on the machine,
//! and prints what that took and came to. `--list` prints the names of the strategies instead. With `--write` the seeds
//! and their variants are written too; `--unchecked` leaves the check out; `--corpus` has Athena insert statements of the
//! C files in a directory too; `--split` checks each variant as Proteus splits it, where it can be split; `--first` is the number of the first variant.
#![allow(clippy::disallowed_methods)]

use machine::Options;
use mutate::{Chosen, STRATEGIES, Seed, Settings, Strategy, check, to_log, variant};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As in the `plumb` command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the command line asks for.
struct Asked {
    strategies: Vec<&'static dyn Strategy>,
    variants: std::ops::Range<u64>,
    settings: Settings,
    write: Option<PathBuf>,
    checked: bool,
    split: bool,
    options: Options,
}

#[derive(Default)]
struct Sum {
    seeds: u32,
    refused: u32,
    variants: u32,
    unchanged: u32,
    wrong: u32,
    exhausted: u32,
    edits: usize,
    split: u32,
    profile: Duration,
    make: Duration,
    check: Duration,
}

fn main() {
    let mut asked = Asked {
        strategies: STRATEGIES.to_vec(),
        variants: 0..10,
        settings: Settings::default(),
        write: None,
        checked: true,
        split: false,
        options: Options { max_steps: 30_000_000, ..Options::default() },
    };
    let (mut first, mut variants) = (0u64, 10u64);
    let mut files: Vec<PathBuf> = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} wants a value"));
        match word.as_str() {
            "--strategy" => {
                asked.strategies = value()
                    .split(',')
                    .map(|name| mutate::strategy(name).unwrap_or_else(|| panic!("no strategy {name}")))
                    .collect();
            }
            "--list" => {
                Chosen::all_editing().names().iter().for_each(|name| println!("{name}"));
                return;
            }
            "--variants" => variants = value().parse().expect("a number"),
            "--first" => first = value().parse().expect("a number"),
            "--set" => {
                let word = value();
                let (name, value) = word.split_once('=').expect("NAME=VALUE");
                asked.settings.set(name, value).expect("a parameter");
            }
            "--max-steps" => asked.options.max_steps = value().parse().expect("a number"),
            "--write" => asked.write = Some(PathBuf::from(value())),
            "--corpus" => {
                let mut database = mutate::athena::Database::default();
                let mut files: Vec<_> = std::fs::read_dir(value()).expect("a directory").flatten().collect();
                files.sort_by_key(std::fs::DirEntry::path);
                for file in files {
                    let text = std::fs::read(file.path()).expect("readable");
                    database.learn(&text, "corpus.c", &asked.options.target);
                }
                asked.settings.database = Some(std::sync::Arc::new(database));
            }
            "--split" => asked.split = true,
            "--unchecked" => asked.checked = false,
            _ => files.push(PathBuf::from(word)),
        }
    }
    asked.variants = first..first + variants;
    let (mut sum, begun) = (Sum::default(), Instant::now());
    let work = move || {
        for (number, file) in files.iter().enumerate() {
            one(file, number as u64, &asked, &mut sum);
        }
        report(&sum, begun);
    };
    // Real programs nest deep.
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(work).expect("a thread");
    if thread.join().is_err() {
        std::process::exit(101);
    }
}

fn one(file: &Path, number: u64, asked: &Asked, sum: &mut Sum) {
    let text = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let name = file.display().to_string();
    let at = cpu();
    let seed = match Seed::new(&text, &name, &asked.options, &[]) {
        Ok(seed) => seed,
        Err(why) => {
            sum.refused += 1;
            let why = why.to_string();
            eprintln!("refused: {}", why.lines().next().unwrap_or_default());
            return;
        }
    };
    sum.profile += cpu().saturating_sub(at);
    sum.seeds += 1;
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(dir) = &asked.write {
        std::fs::write(dir.join(format!("{stem}.seed.c")), &seed.text).expect("writable");
        let out = &seed.truth[0].1.stdout;
        std::fs::write(dir.join(format!("{stem}.out")), out).expect("writable");
    }
    for index in asked.variants.clone() {
        let at = cpu();
        let mut made =
            variant(&seed, &asked.strategies, &asked.settings, number, index).expect("edits that fit");
        let mut draw = mutate::choices::Choices::nth(number, index);
        let parts = draw.range(2, 5);
        if asked.split
            && let Ok(split) = mutate::proteus::split(&made.text, &asked.options.target, parts, &mut draw)
        {
            made.text = split.whole;
            sum.split += 1;
        }
        sum.make += cpu().saturating_sub(at);
        sum.variants += 1;
        sum.unchanged += u32::from(made.edits.is_empty());
        sum.edits += made.edits.len();
        let at = cpu();
        let verdict = if asked.checked { check(&seed, &made.text, &made.edits) } else { Ok(()) };
        sum.check += cpu().saturating_sub(at);
        match verdict {
            Ok(()) => {}
            Err(wrong) if wrong.exhausted => sum.exhausted += 1,
            Err(wrong) => {
                sum.wrong += 1;
                println!("WRONG {name} variant {index}: {}", wrong.why);
                let kept = mutate::minimize(&made.edits, 200, |edits| {
                    let text = seed.replay(edits).unwrap_or_default();
                    check(&seed, &text, edits).is_err_and(|again| !again.exhausted)
                });
                print!("{}", to_log(&kept));
                if let Some(dir) = &asked.write {
                    let text = seed.replay(&kept).unwrap_or_default();
                    std::fs::write(dir.join(format!("{stem}-{index}.wrong.c")), text).expect("writable");
                }
                continue;
            }
        }
        if let Some(dir) = &asked.write {
            std::fs::write(dir.join(format!("{stem}-{index}.c")), &made.text).expect("writable");
        }
    }
}

/// CPU time of this thread: what else the machine does must not count.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn report(sum: &Sum, begun: Instant) {
    let ms = |time: Duration, n: u32| time.as_secs_f64() * 1e3 / f64::from(n.max(1));
    println!(
        "{} seeds ({} refused), {} variants ({} unchanged, {} split), {:.1} edits each, {} wrong, {} out of budget; CPU ms: profile {:.2} a \
         seed; a variant {:.2} made + {:.2} checked; in all {:.1} s elapsed",
        sum.seeds,
        sum.refused,
        sum.variants,
        sum.unchanged,
        sum.split,
        sum.edits as f64 / f64::from(sum.variants.max(1)),
        sum.wrong,
        sum.exhausted,
        ms(sum.profile, sum.seeds),
        ms(sum.make, sum.variants),
        ms(sum.check, sum.variants),
        begun.elapsed().as_secs_f64()
    );
}
