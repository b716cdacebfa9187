//! `plumb emi`

use crate::args::Emi;
use crate::output;
use campaign::file;
use campaign::machine::Options;
use campaign::toolchain::process;
use campaign::{Error, data_model, exit};
use mutate::{Edit, Input, Refusal, Seed, Settings, Strategy, Variant, to_log};
use serde_json::json;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The strategies, for the help text.
pub fn help() -> String {
    let line = |s: &&dyn Strategy| format!("  {:<10} {}\n", s.name(), s.about());
    let all: String = mutate::STRATEGIES.iter().map(line).collect();
    format!(
        "Strategies:\n{all}\nExit codes: 0 all variants written, 1 a variant was wrong (a bug of plumb), 3 the program is undefined,\n4 unsupported, 5 out of budget."
    )
}

/// Runs the command.
pub fn run(args: &Emi) -> Result<u8, Error> {
    let strategies = chosen(&args.strategy)?;
    let text = file::read(&args.file, &args.cc.words(), args.cc.preprocessor)?;
    if let Some(note) = &text.note {
        output::error_bytes(format!("plumb: note: {note}\n").as_bytes());
    }
    let mut options = Options {
        target: if args.cc.m32 { data_model::ILP32 } else { data_model::LP64 },
        ..Options::default()
    };
    options.max_steps = args.max_steps;
    let seed = match Seed::new(&text.bytes, &text.name, &options, &inputs(args)?) {
        Ok(seed) => seed,
        Err(refusal) => return refuse(args, &refusal),
    };
    std::fs::create_dir_all(&args.output).map_err(|error| Error::file("make", &args.output, &error))?;
    let settings = Settings { point_probability: args.probability, ..Settings::default() };
    let stem = args.file.file_stem().map_or("stdin".into(), |s| s.to_string_lossy().into_owned());
    let (mut written, mut wrong, mut unchanged) = (0u64, 0u64, 0u64);
    for index in 0..args.number {
        let made = mutate::variant(&seed, &strategies, &settings, args.seed, index)
            .map_err(|misfit| Error::Internal(misfit.to_string()))?;
        unchanged += u64::from(made.edits.is_empty());
        let path = args.output.join(format!("{stem}-{index}.c"));
        if let Err(why) = mutate::check(&seed, &made.text, &made.edits) {
            wrong += u64::from(!why.exhausted);
            let log = path.with_extension("wrong.jsonl");
            write(&log, &to_log(&made.edits))?;
            write(&path.with_extension("wrong.c"), &made.text)?;
            eprintln!(
                "plumb: variant {index} not written: {}; its edits are in `{}`",
                why.why,
                log.display()
            );
            if args.json {
                output::json(
                    &json!({ "type": "variant", "variant": index, "verdict": "wrong", "why": why.why, "edits": log }),
                );
            }
            continue;
        }
        let made = match &args.minimize {
            Some(test) => smallest(&seed, made, test, &path)?,
            None => made,
        };
        let log = path.with_extension("edits.jsonl");
        write(&path, &made.text)?;
        write(&log, &to_log(&made.edits))?;
        written += 1;
        if args.json {
            output::json(&json!({
                "type": "variant", "variant": index, "verdict": "ok", "file": path, "log": log,
                "edits": made.edits.len(), "by": by_strategy(&made.edits),
            }));
        }
    }
    if args.json {
        output::json(&json!({
            "type": "summary", "variants": written, "wrong": wrong, "unchanged": unchanged, "seed_steps": seed.steps,
        }));
    } else {
        let same = if unchanged > 0 {
            format!("; {unchanged} equal the seed: nothing in it suits these strategies")
        } else {
            String::new()
        };
        eprintln!("{written} variants of {} in {}{same}", text.name, args.output.display());
    }
    Ok(if wrong > 0 {
        exit::ALARM
    } else if written < args.number {
        exit::UNKNOWN
    } else {
        exit::OK
    })
}

fn chosen(names: &[String]) -> Result<Vec<&'static dyn Strategy>, Error> {
    if names.is_empty() {
        return Ok(mutate::STRATEGIES.to_vec());
    }
    let known = || mutate::STRATEGIES.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ");
    let of = |name: &String| {
        let found = mutate::strategy(name);
        found.ok_or_else(|| Error::Usage(format!("`{name}` is no strategy; there are {}", known())))
    };
    names.iter().map(of).collect()
}

fn inputs(args: &Emi) -> Result<Vec<Input>, Error> {
    let words: Vec<Vec<u8>> = args.args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let read =
        |path: &std::path::PathBuf| std::fs::read(path).map_err(|error| Error::file("read", path, &error));
    let of = |path| read(path).map(|stdin| Input { args: words.clone(), stdin });
    if args.stdin.is_empty() {
        return Ok(vec![Input { args: words, stdin: Vec::new() }]);
    }
    args.stdin.iter().map(of).collect()
}

fn refuse(args: &Emi, refusal: &Refusal) -> Result<u8, Error> {
    let (verdict, code) = match refusal {
        Refusal::NotC(text) => return Err(Error::NotC(text.clone())),
        Refusal::Internal(text) => return Err(Error::Internal(text.clone())),
        Refusal::Undefined { .. } => ("undefined", exit::UNDEFINED),
        Refusal::Unsupported(_) => ("unsupported", exit::UNSUPPORTED),
        Refusal::Exhausted(_) => ("exhausted", exit::UNKNOWN),
    };
    eprintln!("{refusal}");
    if args.json {
        output::json(
            &json!({ "type": "summary", "variants": 0, "verdict": verdict, "why": refusal.to_string() }),
        );
    }
    Ok(code)
}

/// The variant with the fewest edits for which the test still exits with 0; it is given the file as its argument.
fn smallest(seed: &Seed, made: Variant, test: &Path, path: &Path) -> Result<Variant, Error> {
    let holds = |edits: &[Edit]| -> bool {
        let Ok(text) = seed.replay(edits) else { return false };
        if std::fs::write(path, text).is_err() {
            return false;
        }
        let finished = process::run(&process::Spec::new(test).args([path]));
        matches!(finished.outcome, process::Outcome::Exited(0))
    };
    if !holds(&made.edits) {
        return Ok(made);
    }
    let edits = mutate::minimize(&made.edits, 10_000, holds);
    let text = seed.replay(&edits).map_err(|misfit| Error::Internal(misfit.to_string()))?;
    Ok(Variant { text, edits })
}

/// How many edits each strategy made.
fn by_strategy(edits: &[Edit]) -> serde_json::Value {
    let mut counts = std::collections::BTreeMap::new();
    for edit in edits {
        *counts.entry(edit.strategy.as_str()).or_insert(0u64) += 1;
    }
    json!(counts)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
