//! `plumb hunt`

use crate::args::{Farm, Hunt};
use crate::output;
use crate::screen::{self, Screen};
use campaign::Error;
use campaign::executor::Executor;
use campaign::hunt::progress::{Progress, counted, human};
use campaign::hunt::{self, Observer, Options, Plan, Summary};
use campaign::store::{CampaignId, FindingRow, ProgramRow, Store, Totals, VerdictColumns, is_address};
use campaign::verdict::{Answer, Named, Reason};
use campaign::view;
use mutate::{Chosen, Input};
use remote::Counts;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Runs the command.
pub fn run(args: Hunt, generator: &[String]) -> Result<u8, Error> {
    let plain = args.plain || args.json || !screen::possible();
    let json = args.json;
    let farm = open(&args.farm)?;
    let mut options = options(args, generator)?;
    options.executor = farm.clone().map(|farm| farm as Arc<dyn Executor>);
    if is_address(&options.store) {
        options.words = std::env::args().skip(1).collect();
    }
    let view = View {
        progress: plain.then(Progress::default),
        screen: (!plain).then(|| Screen::new(options.store.clone())),
        campaign: OnceLock::new(),
        json,
    };
    let summary = hunt::run(&options, &view)?;
    let code = summary.exit_code;
    if json {
        output::json(&Line::Summary(Box::new(summary)));
    } else {
        print(&summary, &options.store);
        if let Some(farm) = farm {
            output::line(&asked(farm.counts()));
        }
        warn(&options.store, view.campaign.get().copied())?;
    }
    Ok(code)
}

/// Connects to the farm that a command line names.
pub fn open(args: &Farm) -> Result<Option<Arc<remote::Farm>>, Error> {
    let Some(address) = &args.executor else { return Ok(None) };
    let mut settings = remote::Settings {
        properties: args.executor_property.iter().cloned().collect(),
        ..Default::default()
    };
    settings.wait = args.executor_wait.unwrap_or(settings.wait);
    if let Some(file) = &args.executor_token {
        settings.bearer = remote::Bearer::read(file)?;
    }
    Ok(Some(Arc::new(remote::Farm::open(address, settings)?)))
}

/// What a farm was asked, for people.
fn asked(Counts { actions, cached, unknown, again, sent, cancelled }: Counts) -> String {
    let mut text = format!(
        "farm: {} asked, {cached} of them known to it, {:.1} MB sent",
        counted(actions, "action"),
        sent as f64 / 1e6
    );
    if unknown > 0 {
        text.push_str(&format!(", {unknown} without an answer"));
    }
    if again > 0 {
        text.push_str(&format!(", {} asked again", counted(again, "time")));
    }
    if cancelled > 0 {
        text.push_str(&format!(", {cancelled} cancelled"));
    }
    text
}

/// What a command line asks for, but for its farm.
pub fn options(args: Hunt, generator: &[String]) -> Result<Options, Error> {
    let memory = args.compile_memory.checked_mul(1 << 20).filter(|bytes| *bytes > 0);
    let defaults = Options::default();
    let chosen = Chosen::of(&args.strategy).map_err(|error| Error::Usage(format!("--strategy: {error}")))?;
    if !args.corpus.is_empty() && !chosen.needs_database() {
        let why = "--corpus: its statements are for Athena to insert; ask for it, as with --strategy athena";
        return Err(Error::Usage(why.to_owned()));
    }
    let reading = frontend::Options {
        include: args.include,
        define: args.define,
        undefine: args.undefine,
        preprocessor: args.preprocessor,
        ..frontend::Options::default()
    };
    let input = Input {
        args: args.argv.iter().flat_map(|line| super::emi::words(line)).collect(),
        stdin: args.stdin.as_deref().map(super::input).transpose()?.unwrap_or_default(),
    };
    let mut settings = super::emi::settings(&args.set)?;
    // Where none is named, the hunt takes statements that its compilers know.
    settings.database = super::emi::corpus(&args.corpus, &reading)?;
    Ok(Options {
        from: args.from,
        generator: generator.to_vec(),
        compilers: args.cc,
        levels: args.levels,
        drawn: args.drawn,
        seed: args.seed,
        programs: args.programs,
        time: args.time,
        jobs: args.jobs.map_or(defaults.jobs, usize::from),
        store: args.store,
        lease: args.lease,
        words: Vec::new(),
        worker_memory: args.worker_memory << 20,
        leave: None,
        expected: None,
        compile_time: args.compile_time,
        compile_memory: memory
            .ok_or_else(|| Error::Usage("--compile-memory: not a usable size".to_owned()))?,
        run_time: args.run_time,
        max_steps: args.machine_steps,
        differential: args.differential,
        also: args.also.into_iter().collect(),
        strategies: args.strategy,
        variants: args.variants,
        chain: usize::from(args.chain),
        learn_from: args.learn_from,
        settings,
        stop_after: args.alarms,
        reading,
        input,
        executor: None,
    })
}

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A program was tested, or was not used.
    Program(ProgramLine),
    /// The last line.
    Summary(Box<Summary>),
}

/// A program.
#[derive(Serialize, JsonSchema)]
pub struct ProgramLine {
    /// Its number.
    seed: u64,
    /// Its name.
    name: String,
    /// The worst of its verdicts.
    verdict: Answer,
    /// Why it was not used, as it is counted.
    reason: Option<String>,
    /// Particulars of that.
    detail: String,
    /// Its alarms.
    findings: Vec<FindingRow>,
    /// The strategies that made it, separated by commas.
    strategies: String,
    /// The configurations in which it did not pass.
    not_passed: Vec<NotPassed>,
    /// CPU seconds of compilers and compiled programs.
    compilers_cpu_seconds: f64,
}

/// A configuration in which a program did not pass.
#[derive(Serialize, JsonSchema)]
pub struct NotPassed {
    /// Its number, from 0.
    configuration: usize,
    /// The verdict.
    verdict: Answer,
    /// The name of the reason.
    why: &'static str,
    /// What the reason is about, without what changes from program to program.
    about: String,
    /// Particulars.
    detail: String,
}

/// What makes the campaign's silence worth less than it seems, last, where it is read.
fn warn(store: &Path, campaign: Option<CampaignId>) -> Result<(), Error> {
    let store = Store::read(store)?;
    let Some(row) = view::find(&store, campaign.map(CampaignId::number))? else { return Ok(()) };
    for warning in view::campaign(&store, &row)?.warnings {
        output::line(&output::alarm(&format!("WARNING: {warning}")));
    }
    Ok(())
}

/// Progress on stderr, as lines or as a screen, and JSON lines on stdout if they are wanted.
struct View {
    progress: Option<Progress>,
    screen: Option<Screen>,
    campaign: OnceLock<CampaignId>,
    json: bool,
}

impl View {
    fn observers(&self) -> impl Iterator<Item = &dyn Observer> {
        let screen = self.screen.iter().map(|screen| screen as &dyn Observer);
        self.progress.iter().map(|progress| progress as &dyn Observer).chain(screen)
    }
}

impl Observer for View {
    fn begin(&self, plan: &Plan) {
        let _ = self.campaign.set(plan.campaign);
        self.observers().for_each(|one| one.begin(plan));
    }

    fn program(&self, row: &ProgramRow, totals: &Totals) -> Result<(), Error> {
        for one in self.observers() {
            one.program(row, totals)?;
        }
        if self.json {
            output::json(&line(row));
        }
        output::check()
    }

    fn tick(&self, totals: &Totals) {
        self.observers().for_each(|one| one.tick(totals));
    }

    fn end(&self, summary: &Summary) {
        self.observers().for_each(|one| one.end(summary));
    }
}

fn line(row: &ProgramRow) -> Line {
    let results = row.results.iter().map(|result| (result.configuration, result.verdict.columns()));
    let not_passed: Vec<NotPassed> = results
        .filter(|(_, columns)| columns.answer != Answer::Pass)
        .map(|(configuration, VerdictColumns { answer, why, about, detail })| NotPassed {
            configuration,
            verdict: answer,
            why,
            about,
            detail,
        })
        .collect();
    let has = |answer| not_passed.iter().any(|result| result.verdict == answer);
    let verdict = match &row.rejected {
        Some(_) => Answer::Rejected,
        None if has(Answer::Alarm) || !row.findings.is_empty() => Answer::Alarm,
        None if has(Answer::Inconclusive) => Answer::Inconclusive,
        None => Answer::Pass,
    };
    Line::Program(ProgramLine {
        seed: row.seed,
        name: row.name.clone(),
        verdict,
        reason: row.rejected.as_ref().map(|rejection| rejection.reason().to_string()),
        detail: row.rejected.as_ref().map_or_else(String::new, |rejection| rejection.detail().to_owned()),
        findings: row.findings.clone(),
        strategies: row.strategies.clone(),
        not_passed,
        compilers_cpu_seconds: row.compilers_us as f64 / 1e6,
    })
}

/// Most lines of reasons; what is left out is summed up.
const MOST: usize = 10;

/// Counted things, the most frequent first, a line each and at most [`MOST`] lines.
fn list<T>(title: &str, counts: &BTreeMap<T, u64>, words: impl Fn(&T) -> String) {
    let mut counts: Vec<(u64, String)> = counts.iter().map(|(thing, count)| (*count, words(thing))).collect();
    counts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let shown = if counts.len() > MOST { MOST - 1 } else { counts.len() };
    for (count, words) in &counts[..shown] {
        output::line(&format!("  {title} {count}: {words}"));
    }
    if let Some(rest @ [_, ..]) = counts.get(shown..) {
        let sum: u64 = rest.iter().map(|(count, _)| count).sum();
        output::line(&format!("  {title} {sum}: for {} other reasons, which --json lists", rest.len()));
    }
}

/// A reason for people.
fn reason<K: Named>(reason: &Reason<K>) -> String {
    match reason.about.as_str() {
        "" => reason.kind.text().to_owned(),
        about => format!("{}: {about}", reason.kind.text()),
    }
}

fn print(summary: &Summary, store: &Path) {
    let results: u64 = summary.results.values().sum();
    output::line(&format!(
        "{} tested in {} ({}) in {}",
        counted(summary.tested, "program"),
        counted(summary.configurations as u64, "configuration"),
        counted(results, "result"),
        human(Duration::from_secs_f64(summary.seconds.max(0.0)))
    ));
    list("rejected", &summary.rejected, reason);
    list("inconclusive", &summary.inconclusive, reason);
    list("variants", &summary.variants, String::clone);
    list(&output::alarm("ALARMS"), &summary.alarms, |kind| kind.name().to_owned());
    list("ALARMS by", &summary.alarms_by_strategy, String::clone);
    output::line(&format!(
        "CPU: compilers and their programs {:.1} s, plumb itself {:.1} s ({:.1} %)",
        summary.compilers_cpu_seconds, summary.plumb_cpu_seconds, summary.plumb_cpu_percent
    ));
    if summary.alarms.is_empty() {
        output::line("no alarms");
    } else {
        let all: u64 = summary.alarms.values().sum();
        output::line(&format!(
            "{} distinct bugs at most in {all} alarms; `plumb triage --store {}` says more",
            summary.distinct,
            store.display()
        ));
        output::line(&format!(
            "findings are in {}; list them with `plumb findings --store {}`",
            summary.findings.display(),
            store.display()
        ));
    }
}
