//! Proves that the functions of one `.ll` file refine those of another: `opt_prove [--time S] [--every N] [--only NAME] [--verbose] SOURCE TARGET`;
//! `opt_prove --alone FILE` prints a file with its functions made to stand alone.
use equiv::{Options, Verdict};
use langs::pairs::{opt_functions, prove_opt};
use std::collections::BTreeMap;
use std::time::Duration;

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut time, mut only, mut every) = (60u64, None, 1usize);
    let mut files = Vec::new();
    let mut verbose = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--time" => time = args.next().and_then(|t| t.parse().ok()).unwrap_or(60),
            "--only" => only = args.next(),
            "--verbose" => verbose = true,
            "--alone" => return print_alone(args.next()),
            "--every" => every = args.next().and_then(|t| t.parse().ok()).unwrap_or(1),
            _ => files.push(arg),
        }
    }
    let mut modules = Vec::new();
    for file in &files {
        match std::fs::read(file)
            .map_err(|e| e.to_string())
            .and_then(|t| langs::llvm_ir::parse(&t).map_err(|e| e.to_string()))
        {
            Ok(m) => modules.push(m),
            Err(e) => println!("{file}: {e}"),
        }
    }
    let [left, right] = &modules[..] else {
        println!("two files are needed");
        return;
    };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut total = Duration::ZERO;
    for name in opt_functions(left, right).into_iter().step_by(every.max(1)) {
        if only.as_ref().is_some_and(|o| *o != name) {
            continue;
        }
        let opts = Options { time: Duration::from_secs(time), ..Options::default() };
        let report = prove_opt(left, right, &name, &opts);
        if verbose {
            println!("{report:#?}");
        }
        let detail = match &report.verdict {
            Verdict::Proved(_) => String::new(),
            Verdict::Conditional { .. } => report.headline(),
            Verdict::Bounded { why, .. } | Verdict::Unknown(why) => why.to_string(),
            Verdict::Refuted(c) => {
                let text = c.to_string();
                let short = |l: &&str| !l.starts_with("input mem") && !l.starts_with("input perm");
                text.lines().filter(short).collect::<Vec<_>>().join("\n")
            }
            Verdict::Unsupported { what, place } => format!("{what} at {place}"),
        };
        let mut detail = detail.replace('\n', " ; ");
        detail.truncate(detail.char_indices().nth(400).map_or(detail.len(), |(i, _)| i));
        *counts.entry(report.verdict.kind().name()).or_insert(0) += 1;
        total += report.time;
        println!("{name}: {} {} ms {detail}", report.verdict.kind().name(), report.time.as_millis());
    }
    println!("{counts:?}, {:.1} s", total.as_secs_f64());
}

fn print_alone(file: Option<String>) {
    match file.as_ref().map(std::fs::read_to_string) {
        Some(Ok(text)) => print!("{}", langs::llvm_ir::alone(&text)),
        Some(Err(e)) => println!("{}: {e}", file.unwrap_or_default()),
        None => println!("a file is needed"),
    }
}
