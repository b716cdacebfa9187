//! Generation speed: `cargo run --release -p plumb-generate --example speed -- [COUNT] [OPTION]...`
//!
//! Prints bytes per CPU second and percentiles of the time per program; with `csmith` installed, the same for it in
//! the same call (20 programs).

#![allow(clippy::disallowed_methods)]

use generate::Options;
use std::process::Command;
use std::time::{Duration, Instant};

/// CPU time of this process and of its children that ended, in seconds.
fn cpu() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split_whitespace().map(|f| f.parse().unwrap_or(0.0)).collect();
    let at = |n: usize| fields.get(n).copied().unwrap_or(0.0) / 100.0;
    (at(11) + at(12), at(13) + at(14))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = args.first().and_then(|a| a.parse().ok()).unwrap_or(2000);
    let options = match Options::parse(args.get(1..).unwrap_or(&[])) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let before = cpu().0;
    let mut bytes = 0;
    let mut times: Vec<(Duration, u64)> = Vec::new();
    for seed in 0..count {
        let start = Instant::now();
        bytes += generate::generate(seed, &options).text().len();
        times.push((start.elapsed(), seed));
    }
    let used = cpu().0 - before;
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    println!(
        "plumb: {count} programs, {:.0} bytes mean, {used:.2} s CPU, {:.1} MB per CPU second",
        bytes as f64 / count as f64,
        bytes as f64 / used / 1e6
    );
    let worst = times[times.len() - 1];
    println!("time: median {:?}, 99 % {:?}, worst {:?} (seed {})", at(0.5), at(0.99), worst.0, worst.1);
    if std::env::var_os("NOPEER").is_some() {
        return;
    }
    let before = cpu().1;
    let mut peer = 0;
    for seed in 1..=20 {
        match Command::new("csmith").args(["--seed", &seed.to_string()]).output() {
            Ok(output) => peer += output.stdout.len(),
            Err(_) => return println!("csmith is not installed"),
        }
    }
    let spent = cpu().1 - before;
    println!("csmith: 20 programs, {spent:.2} s CPU, {:.3} MB per CPU second", peer as f64 / spent / 1e6);
    println!("ratio: {:.0}", bytes as f64 / used / (peer as f64 / spent));
}
