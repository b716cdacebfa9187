//! Plants faults in the functions of `.ll` files and asks whether the faulty text refines the original: `planted_ir
//! [--count N] [--seed N] [--time S] [--runs N] [--size N] FILE...`. Exits with 1 when one that was proved is told apart
//! by running both sides.

#[path = "common/campaign.rs"]
mod campaign;
#[path = "../tests/planted/mod.rs"]
mod planted;

use campaign::Campaign;
use planted::ir::{IrCorpus, attempt_ir};
use planted::{Numbers, Outcome, options};
use std::collections::BTreeMap;
use std::time::Duration;

fn main() -> std::process::ExitCode {
    let (more, files) = (Vec::new(), Vec::new());
    let campaign = Campaign { count: 200, seed: 1, time: 2.0, runs: 100, size: 60, more, files };
    campaign.read().run(|c| u8::from(run(&c.files, c.count, c.seed, c.limit(), c.runs, c.size) > 0))
}

fn run(files: &[String], count: usize, seed: u64, time: Duration, runs: u32, size: usize) -> u32 {
    let opts = options(time);
    let mut numbers = Numbers(seed);
    let read = |f: &String| IrCorpus::read(f, &std::fs::read_to_string(f).ok()?);
    let corpora: Vec<IrCorpus> = files.iter().filter_map(read).collect();
    let places: Vec<(usize, String)> = corpora
        .iter()
        .enumerate()
        .flat_map(|(i, c)| c.functions(size).into_iter().map(move |f| (i, f)))
        .collect();
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut planted, mut unsound, mut ended, mut tries) = (0, 0, 0u64, 0);
    while planted < count && tries < 20 * count && !places.is_empty() {
        tries += 1;
        let (c, function) = &places[numbers.below(places.len())];
        let Some((text, told)) = corpora[*c].plant(function, &mut numbers) else { continue };
        let outcome = attempt_ir(&corpora[*c], function, &text, &opts, runs, numbers.next());
        planted += 1;
        let name = match &outcome {
            Outcome::Refuted => "refuted",
            Outcome::Unknown => "unknown",
            Outcome::Unsupported => "unsupported",
            Outcome::Proved(n) => {
                ended += u64::from(*n);
                println!("proved: {} {function}: {told} ({n} of {runs} runs ended)", corpora[*c].name);
                "proved"
            }
            Outcome::Unsound(trace) => {
                unsound += 1;
                println!("UNSOUND: {} {function}: {told}\n{trace}", corpora[*c].name);
                "unsound"
            }
            Outcome::Panicked => {
                println!("PANIC: {} {function}: {told}", corpora[*c].name);
                "panic"
            }
        };
        *tally.entry(name).or_default() += 1;
    }
    println!(
        "{planted} faults planted: {tally:?}; {ended} runs of proved ones ended alike; {unsound} unsound"
    );
    unsound
}
