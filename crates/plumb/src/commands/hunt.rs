//! `plumb hunt`

use crate::args::Hunt;
use crate::output;
use campaign::Error;
use campaign::hunt::progress::{Progress, human};
use campaign::hunt::{self, Observer, Options, Plan, Summary};
use campaign::store::{ProgramRow, Totals};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Runs the command.
pub fn run(args: Hunt, generator: &[String]) -> Result<u8, Error> {
    let generator = generate::Options::parse(generator).map_err(|error| Error::Usage(error.to_string()))?;
    let memory = args.compile_memory.checked_mul(1 << 20).filter(|bytes| *bytes > 0);
    let defaults = Options::default();
    let athena = args.strategy.iter().any(|name| matches!(name.trim(), "all" | "athena"));
    if !args.corpus.is_empty() && !athena {
        let why = "--corpus: its statements are for Athena to insert; ask for it, as with --strategy athena";
        return Err(Error::Usage(why.to_owned()));
    }
    let reading = frontend::Options { preprocessor: args.preprocessor, ..frontend::Options::default() };
    let mut settings = super::emi::settings(&args.set)?;
    settings.database = super::emi::corpus(&args.corpus, &reading, athena)?;
    let options = Options {
        from: args.from,
        generator,
        compilers: args.cc,
        levels: args.levels,
        seed: args.seed,
        programs: args.programs,
        time: args.time,
        jobs: args.jobs.map_or(defaults.jobs, usize::from),
        store: args.store,
        compile_time: args.compile_time,
        compile_memory: memory
            .ok_or_else(|| Error::Usage("--compile-memory: not a usable size".to_owned()))?,
        run_time: args.run_time,
        max_steps: args.machine_steps,
        differential: args.differential,
        strategies: args.strategy,
        variants: args.variants,
        settings,
        stop_after: args.alarms,
        preprocessor: args.preprocessor,
    };
    let view = View { progress: Progress::new(false), json: args.json };
    let summary = hunt::run(&options, &view)?;
    if args.json {
        let mut line = serde_json::to_value(&summary).unwrap_or_default();
        line["type"] = "summary".into();
        output::json(&line);
    } else {
        print(&summary, &options.store);
    }
    Ok(summary.exit_code)
}

/// Progress on stderr and, if wanted, JSON lines on stdout.
struct View {
    progress: Progress,
    json: bool,
}

impl Observer for View {
    fn begin(&self, plan: &Plan) {
        self.progress.begin(plan);
    }

    fn program(&self, row: &ProgramRow, totals: &Totals) {
        self.progress.program(row, totals);
        if self.json {
            output::json(&line(row));
        }
    }

    fn tick(&self, totals: &Totals) {
        self.progress.tick(totals);
    }

    fn end(&self, summary: &Summary) {
        self.progress.end(summary);
    }
}

fn line(row: &ProgramRow) -> Value {
    let has = |verdict: &str| row.results.iter().any(|result| result.verdict == verdict);
    let verdict = match () {
        () if row.rejected.is_some() => "rejected",
        () if has("alarm") => "alarm",
        () if has("inconclusive") => "inconclusive",
        () => "pass",
    };
    let results = row.results.iter().filter(|result| result.verdict != "pass");
    let notable: Vec<Value> = results
        .map(|r| json!({ "configuration": r.configuration, "verdict": r.verdict, "why": r.why }))
        .collect();
    json!({
        "type": "program", "seed": row.seed, "name": row.name, "verdict": verdict, "reason": row.rejected,
        "detail": row.detail, "findings": row.findings, "strategies": row.strategies, "not_passed": notable,
        "compilers_cpu_seconds": row.compilers_us as f64 / 1e6,
    })
}

fn print(summary: &Summary, store: &Path) {
    let results: u64 = summary.results.values().sum();
    output::line(&format!(
        "{} programs tested in {} configurations ({results} results) in {}",
        summary.tested,
        summary.configurations,
        human(Duration::from_secs_f64(summary.seconds.max(0.0)))
    ));
    let list = |title: &str, counts: &std::collections::BTreeMap<String, u64>| {
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), (*reason).clone()));
        for (reason, count) in counts {
            output::line(&format!("  {title} {count}: {reason}"));
        }
    };
    list("rejected", &summary.rejected);
    list("inconclusive", &summary.inconclusive);
    list("variants", &summary.variants);
    list("ALARMS", &summary.alarms);
    list("ALARMS by", &summary.alarms_by_strategy);
    output::line(&format!(
        "CPU: compilers and their programs {:.1} s, plumb itself {:.1} s ({:.1} %)",
        summary.compilers_cpu_seconds, summary.plumb_cpu_seconds, summary.plumb_cpu_percent
    ));
    if summary.alarms.is_empty() {
        output::line("no alarms");
    } else {
        output::line(&format!(
            "findings are in {}; list them with `plumb findings --store {}`",
            summary.findings.display(),
            store.display()
        ));
    }
}
