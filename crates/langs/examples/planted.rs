//! Plants faults in the functions of `.mir` files: `planted [--count N] [--seed N] [--time S] [--runs N] [--size N]
//! [--keep DIR] FILE...`. Exits with 1 when one that was proved is told apart by running both sides; its file is
//! then kept.

#[path = "common/campaign.rs"]
mod campaign;
#[path = "../tests/planted/mod.rs"]
mod planted;

use campaign::Campaign;
use planted::{Corpus, KINDS, Numbers, Outcome, attempt, is_proved, options};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() -> std::process::ExitCode {
    let more = vec![("--keep", "planted-faults".to_owned())];
    let campaign = Campaign { count: 200, seed: 1, time: 3.0, runs: 200, size: 400, more, files: Vec::new() };
    campaign.read().run(|c| run(&c))
}

fn run(c: &Campaign) -> u8 {
    let Campaign { files, count, seed, runs, size, .. } = c;
    let (count, seed, runs, size, keep) = (*count, *seed, *runs, *size, c.more[0].1.as_str());
    let opts = options(c.limit());
    let mut numbers = Numbers(seed);
    let mut corpora = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let corpus = Corpus::read(file, &text);
        let insts = |f: &str| {
            corpus.module.machine.functions.iter().find(|g| g.name == f).map_or(0, |g| g.insts.len())
        };
        let functions: Vec<String> = corpus.functions().into_iter().filter(|f| insts(f) <= size).collect();
        corpora.push((corpus, functions));
    }
    let mut places: Vec<(usize, String)> =
        corpora.iter().enumerate().flat_map(|(i, (_, fs))| fs.iter().map(move |f| (i, f.clone()))).collect();
    let mut tally: BTreeMap<String, BTreeMap<&'static str, u32>> = BTreeMap::new();
    let (mut planted, mut unsound, mut ended, mut proved) = (0, 0, 0u64, 0u64);
    let mut sound: BTreeMap<(usize, String), bool> = BTreeMap::new();
    let mut said = Instant::now();
    while planted < count && !places.is_empty() {
        let at = numbers.below(places.len());
        let (c, function) = places[at].clone();
        let corpus = &mut corpora[c].0;
        let fine = *sound.entry((c, function.clone())).or_insert_with(|| is_proved(corpus, &function, &opts));
        let tried = if fine { attempt(corpus, &function, &mut numbers, &opts, runs) } else { None };
        let Some((fault, outcome)) = tried else {
            places.swap_remove(at);
            continue;
        };
        planted += 1;
        let name = match &outcome {
            Outcome::Refuted => "refuted",
            Outcome::Unknown => "unknown",
            Outcome::Unsupported => "unsupported",
            Outcome::Proved(n) => {
                ended += u64::from(*n);
                proved += 1;
                println!("proved: {} {function}: {} ({n} of {runs} runs ended)", corpus.name, fault.change);
                "proved"
            }
            Outcome::Unsound(trace) => {
                unsound += 1;
                let path = format!("{keep}/{unsound}.mir");
                let _ = std::fs::create_dir_all(keep);
                let _ = std::fs::write(&path, corpus.whole(&function, &fault.text));
                println!("UNSOUND: {} {function}: {}\n{trace}kept in {path}", corpus.name, fault.change);
                "unsound"
            }
            Outcome::Panicked => {
                println!("PANIC: {} {function}: {}", corpus.name, fault.change);
                "panic"
            }
        };
        *tally.entry(format!("{:?}", fault.kind)).or_default().entry(name).or_default() += 1;
        if said.elapsed() > Duration::from_secs(10) {
            said = Instant::now();
            eprintln!("{planted} of {count} planted, {proved} proved, {unsound} unsound");
        }
    }
    println!(
        "\n{planted} faults planted in {} functions; {proved} proved, on which {ended} runs ended alike; {unsound} unsound",
        sound.len()
    );
    for kind in KINDS {
        println!("{kind:?}: {:?}", tally.get(&format!("{kind:?}")).cloned().unwrap_or_default());
    }
    u8::from(unsound > 0)
}
