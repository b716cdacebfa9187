//! `plumb triage`

use super::tools::Own;
use crate::args::Triage as Arguments;
use crate::output;
use campaign::store::{Decision, FindingRow, Store};
use campaign::triage::{self, Observer, Options, Report, Triage};
use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use toolchain::process::Limits;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// What is said of a finding; the bugs to look at first first, of each the finding that stands for it first.
    Triage(Box<Triage>),
    /// The last line.
    Summary(Summary),
}

/// Counts.
#[derive(Serialize, JsonSchema)]
pub struct Summary {
    /// Findings that are grouped.
    findings: u64,
    /// Distinct bugs, known ones included.
    distinct: u64,
    /// Groups that are left: each may be any of several of these, since it is gone without the pass of either.
    undecided: u64,
    /// Known bugs among them.
    known: u64,
    /// Findings analysed in this run.
    analysed: u64,
    /// Findings that are not analysed yet: the same command goes on with them.
    left: u64,
    /// Findings that were neither reduced nor found to be a bug known already, since the time ran out: the same.
    unsettled: u64,
}

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    if decide(args)? {
        // Groups change at once; nothing is analysed for it.
        return list(args, &triage::regroup(&options(args))?);
    }
    list(args, &triage::run(&options(args), &Own { prove: args.prove_time }, &View)?)
}

fn options(args: &Arguments) -> Options {
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |jobs| usize::from(jobs.get()),
    );
    let limits = Limits {
        wall: Some(args.compile_time * 4),
        cpu: Some(args.compile_time),
        processes: Some(256),
        ..Limits::default()
    };
    Options {
        store: args.store.clone(),
        again: args.again,
        only: args.ids.clone(),
        known: args.known.clone(),
        jobs,
        time: args.time,
        limits,
        whole: !args.quick,
        reduce: !args.no_reduce,
    }
}

/// Remembers merges and splits; were there any?
fn decide(args: &Arguments) -> Result<bool, Error> {
    if args.merge.is_empty() && args.split.is_empty() {
        return Ok(false);
    }
    let store = Store::annotate(&args.store)?;
    let id = |start: &str| store.named(start).map(|row| row.id);
    for pair in args.merge.chunks(2) {
        if let [one, other] = pair {
            store.decide(&Decision::Merge(id(one)?, id(other)?))?;
        }
    }
    for one in &args.split {
        store.decide(&Decision::Split(id(one)?))?;
    }
    Ok(true)
}

fn list(args: &Arguments, report: &Report) -> Result<u8, Error> {
    let leads: Vec<&Triage> = report.findings.iter().filter(|triage| triage.is_representative()).collect();
    let known = leads.iter().filter(|triage| triage.known.is_some()).count() as u64;
    if args.json {
        for triage in &report.findings {
            output::json(&Line::Triage(Box::new(triage.clone())));
        }
        let findings = report.findings.len() as u64;
        let Report { distinct, undecided, analysed, left, unsettled, .. } = *report;
        let summary = Summary { findings, distinct, undecided, known, analysed, left, unsettled };
        output::json(&Line::Summary(summary));
    } else {
        print(args, report, &leads)?;
    }
    Ok(if report.findings.is_empty() { exit::OK } else { exit::ALARM })
}

fn print(args: &Arguments, report: &Report, leads: &[&Triage]) -> Result<(), Error> {
    let rows: BTreeMap<String, FindingRow> =
        Store::read(&args.store)?.findings()?.into_iter().map(|row| (row.id.clone(), row)).collect();
    for triage in leads {
        let row = rows.get(&triage.finding);
        let at = row.map_or("", |row| row.configuration.as_str());
        let known = triage.known.as_ref().map(|name| format!("  known: {name}")).unwrap_or_default();
        let times = if triage.members == 1 { String::new() } else { format!("  {} alarms", triage.members) };
        output::line(&format!("{:3}. {}  {at}{times}{known}", triage.rank, triage.finding));
        let analysis = &triage.analysis;
        output::line(&format!("     {}", analysis.signature));
        if let Some(culprit) = &analysis.culprit {
            let trust = analysis.confidence;
            let sure = if trust.runs == 0 {
                String::new()
            } else {
                format!(" ({} of {} runs agree)", trust.agreed, trust.runs)
            };
            output::line(&format!("     culprit: {culprit}{sure}"));
        }
        if let Some(source) = &analysis.reduced {
            output::line(&format!("     reduced: {} lines, {} bytes", source.lines, source.bytes));
        }
        for note in &analysis.notes {
            output::line(&format!("     note: {}", one_line(note)));
        }
    }
    let mut left = String::new();
    if report.undecided > 0 {
        left.push_str(&format!(", {} groups that may be any of several", report.undecided));
    }
    if report.left > 0 {
        left.push_str(&format!(", {} not analysed yet", report.left));
    }
    if report.unsettled > 0 {
        left.push_str(&format!(
            ", {} left without a look at what bug they are (out of time)",
            report.unsettled
        ));
    }
    output::line(&format!(
        "{} distinct bugs in {} findings{left}; write one up with `plumb report ID --store {}`",
        report.distinct,
        report.findings.len(),
        args.store.display()
    ));
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Progress on stderr.
struct View;

impl Observer for View {
    fn settled(&self, finding: &str, signature: &str, done: usize, of: usize) {
        eprintln!("{done}/{of} {finding}: {signature}");
    }

    fn reducing(&self, finding: &str) {
        eprintln!("reducing {finding}");
    }

    fn not_reduced(&self, finding: &str, why: &str) {
        eprintln!("{finding} is not reduced: {}", one_line(why));
    }
}
