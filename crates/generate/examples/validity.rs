//! Validity of generated programs by the abstract machine, in every data model it knows:
//! `cargo run --release -p plumb-generate --example validity -- FIRST COUNT [OPTION]...`
//!
//! Prints a line for each program that is not defined, that prints different things in different models, or that takes
//! more than its bound of steps, and a summary with the share of statements that run. Fails if there was one.

#![allow(clippy::disallowed_methods)]

use csyntax::target::Target;
use generate::{Options, Program};
use machine::Verdict;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// As in `plumb`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TARGETS: [Target; 4] = [Target::LP64, Target::ILP32, Target::LP64_BE, Target::ILP32_BE];

/// What a program did in a run.
struct Ran {
    stdout: Vec<u8>,
    steps: u64,
    /// Statements that ran, of how many.
    executed: (u64, u64),
}

/// What a program prints, and the machine's steps; or why it is not valid.
fn judge(program: &Program, target: &Target, profile: bool) -> Result<Ran, String> {
    let text = program.text();
    let parsed = csyntax::parse::parse(text.as_bytes(), "program.c");
    let place = |span: csyntax::source::Span| parsed.source.place(span.lo).to_string();
    if let Some(error) = parsed.diagnostics.first() {
        return Err(format!("syntax {} {}", place(error.span), error.message));
    }
    let checked = csyntax::check::check(&parsed.ast, target);
    let Some(unit) = checked.unit else {
        let first = checked.diagnostics.first().map(|d| (place(d.span), d.message.clone()));
        return Err(format!("check {first:?}"));
    };
    let options =
        machine::Options { max_steps: 100_000_000, target: target.clone(), ..machine::Options::default() };
    let options = machine::Options { profile, profile_rate: 0, ..options };
    let run = machine::judge(&unit, &options);
    match run.verdict {
        Verdict::Defined(outcome) if outcome.address_dependent => Err("address-dependent".to_string()),
        Verdict::Defined(outcome) if outcome.order_dependent => {
            let reversed = machine::run(&unit, &machine::Options { reverse: true, ..options });
            let how = match reversed.verdict {
                Verdict::Defined(_) => "prints something else".to_string(),
                Verdict::Undefined { ub, span, .. } => format!("is {} {}", ub.name(), place(span)),
                Verdict::Unsupported { .. } | Verdict::Exhausted(_) => "does not end".to_string(),
            };
            Err(format!("order-dependent: reversed it {how}"))
        }
        Verdict::Defined(outcome) => {
            let ran = run.profile.seen.iter().filter(|seen| seen.count > 0).count() as u64;
            let executed = (ran, run.profile.seen.len() as u64);
            Ok(Ran { stdout: outcome.stdout, steps: run.steps, executed })
        }
        Verdict::Undefined { ub, span, detail, .. } => {
            Err(format!("undefined {} {} {detail}", ub.name(), place(span)))
        }
        Verdict::Unsupported { what, span } => Err(format!("unsupported {what} {}", place(span))),
        Verdict::Exhausted(budget) => Err(format!("exhausted {budget:?}")),
    }
}

/// The share of its bound of steps that a program takes, and the statements that ran.
fn check(seed: u64, options: &Options) -> Result<(f64, (u64, u64)), String> {
    let program = generate::generate(seed, options);
    let Ran { stdout, steps, executed } = judge(&program, &TARGETS[0], true)?;
    // `__int128` is for 64-bit targets alone.
    let narrow = options.on(generate::Switch::Int128);
    // `_BitInt` is laid out as x86-64 has it.
    let bits = options.on(generate::Switch::BitInt);
    let known = |t: &&Target| !(bits || narrow && t.name.contains("32"));
    for target in TARGETS[1..].iter().filter(known) {
        let other = judge(&program, target, false).map_err(|e| format!("{}: {e}", target.name))?;
        if other.stdout != stdout {
            return Err(format!("{} prints something else", target.name));
        }
    }
    if steps > program.stats.steps {
        return Err(format!("takes {steps} steps, over its bound of {}", program.stats.steps));
    }
    Ok((steps as f64 / program.stats.steps as f64, executed))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize| args.get(n).and_then(|a| a.parse::<u64>().ok());
    let (Some(first), Some(count)) = (number(0), number(1)) else {
        eprintln!("usage: validity FIRST COUNT [OPTION]...");
        std::process::exit(2);
    };
    let options = Options::parse(&args[2..]).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2);
    });
    let next = AtomicU64::new(first);
    let threads: Vec<_> = std::thread::scope(|scope| {
        let run = || {
            let (mut bad, mut most, mut reasons) = (0u64, 0f64, BTreeMap::<String, u64>::new());
            let mut executed = (0, 0);
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first + count {
                    return (bad, most, reasons, executed);
                }
                match check(seed, &options) {
                    Ok((share, (ran, all))) => {
                        most = most.max(share);
                        executed = (executed.0 + ran, executed.1 + all);
                    }
                    Err(why) => {
                        bad += 1;
                        let kind = why.split(" program.c").next().unwrap_or("").to_string();
                        let seen = reasons.entry(kind).or_default();
                        *seen += 1;
                        if *seen < 4 {
                            println!("{seed}: {why}");
                        }
                    }
                }
            }
        };
        let handles: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
        handles.into_iter().filter_map(|h| h.join().ok()).collect()
    });
    let bad: u64 = threads.iter().map(|t| t.0).sum();
    let most = threads.iter().fold(0f64, |most, t| most.max(t.1));
    println!("{count} programs, {bad} not valid; machine steps at most {most:.2} of the bound");
    let executed = threads.iter().fold((0, 0), |sum, t| (sum.0 + t.3.0, sum.1 + t.3.1));
    println!("{:.1} % of the statements run", 100.0 * executed.0 as f64 / (executed.1 as f64).max(1.0));
    for (_, _, reasons, _) in &threads {
        reasons.iter().for_each(|(why, count)| println!("  {count} {why}"));
    }
    std::process::exit(i32::from(bad > 0));
}
