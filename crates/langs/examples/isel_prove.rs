//! Proves the instruction selection of every function of `.mir` files: `isel_prove [--time S] [--only NAME,NAME] [--every N] [--first N] [--seed N] FILE...`.
use equiv::{Options, Verdict};
use langs::pairs::{IselFile, isel_functions, prove_isel};
use std::collections::BTreeMap;
use std::time::Duration;

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut time, mut only, mut verbose, mut every) = (60u64, None, false, 1usize);
    let (mut seed, mut first) = (1u64, 0usize);
    let mut files = Vec::new();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--time" => time = args.next().and_then(|t| t.parse().ok()).unwrap_or(60),
            "--only" => only = args.next(),
            "--every" => every = args.next().and_then(|t| t.parse().ok()).unwrap_or(1),
            "--seed" => seed = args.next().and_then(|t| t.parse().ok()).unwrap_or(1),
            "--first" => first = args.next().and_then(|t| t.parse().ok()).unwrap_or(0),
            "--verbose" => verbose = true,
            _ => files.push(arg),
        }
    }
    let (mut counts, mut whats, mut times) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for file in files {
        let Ok(text) = std::fs::read(&file) else { continue };
        let m = match IselFile::parse(&text) {
            Ok(m) => m,
            Err(e) => {
                println!("{file}:{e}");
                continue;
            }
        };
        let (names, lacking) = isel_functions(&m);
        for (name, why) in lacking {
            println!("{file} {name}: unsupported: {why}");
            *counts.entry("unsupported").or_insert(0u32) += 1;
        }
        for name in names.into_iter().skip(first).step_by(every.max(1)) {
            if only.as_ref().is_some_and(|o: &String| !o.split(',').any(|o| o == name)) {
                continue;
            }
            let opts = Options { time: Duration::from_secs(time), seed, ..Options::default() };
            let report = prove_isel(&m, &name, &opts);
            if verbose {
                println!("{report:#?}");
            }
            let verdict = report.verdict.kind().name();
            let detail = match &report.verdict {
                Verdict::Proved(_) => String::new(),
                Verdict::Conditional { .. } => report.headline(),
                Verdict::Bounded { why, .. } => why.to_string(),
                Verdict::Refuted(c) => c.to_string(),
                Verdict::Unknown(why) => why.to_string(),
                Verdict::Unsupported { what, place } => {
                    *whats.entry(what.clone()).or_insert(0u32) += 1;
                    format!("{what} at {place}")
                }
            };
            let (took, asked) = (report.time, &report.stats);
            times.push(took);
            *counts.entry(verdict).or_insert(0) += 1;
            let mut detail = detail.replace('\n', " ; ");
            if !verbose {
                detail.truncate(detail.char_indices().nth(600).map_or(detail.len(), |(i, _)| i));
            }
            let (ms, closed) = (took.as_secs_f64() * 1e3, asked.trivial + asked.repeated);
            println!("{name}: {verdict} {ms:.0} ms, {} queries, {closed} closed {detail}", asked.solver);
        }
    }
    times.sort();
    println!("{counts:?}");
    if !times.is_empty() {
        let total: Duration = times.iter().sum();
        println!(
            "mean {:.0} ms, median {:.0} ms, total {:.1} s",
            total.as_secs_f64() * 1e3 / times.len() as f64,
            times[times.len() / 2].as_secs_f64() * 1e3,
            total.as_secs_f64()
        );
    }
    let mut whats: Vec<_> = whats.into_iter().collect();
    whats.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (what, n) in whats.iter().take(60) {
        println!("{n:6} {what}");
    }
}
