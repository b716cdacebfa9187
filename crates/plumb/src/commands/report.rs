//! `plumb report`

use super::tools::Own;
use crate::args::Report as Arguments;
use crate::output;
use campaign::configurations::{self, Tested};
use campaign::report::{self, Form};
use campaign::store::{FindingRow, Store};
use campaign::triage::{self, Observer, Options, Triage, Workshop};
use campaign::{Error, exit, findings};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use toolchain::process::Limits;
use toolchain::scratch::ScratchRoot;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A report.
    Report(ReportLine),
}

/// A report.
#[derive(Serialize, JsonSchema)]
pub struct ReportLine {
    /// The finding's identity.
    id: String,
    /// For whom.
    form: Form,
    /// One line.
    title: String,
    /// The text.
    text: String,
    /// The files that were written; none without `--output`.
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    let Some(id) = &args.id else { return super::report_campaign::run(args) };
    let store = Store::read(&args.store)?;
    let row = store.named(id)?;
    let limits = Limits {
        wall: Some(args.compile_time * 4),
        cpu: Some(args.compile_time),
        processes: Some(256),
        ..Limits::default()
    };
    let triage = triaged(args, &store, &row, &limits)?;
    store.fetch(&row.id)?;
    let dir = store.findings_dir();
    let form = match args.form {
        Some(form) => form,
        None => Form::of(&findings::read(&dir.join(&row.id))?),
    };
    let scratch = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let compilers: Vec<Arc<Tested>> = configurations::found(&scratch)?.0.into_iter().map(Arc::new).collect();
    let workshop = Workshop::new(&scratch, &limits);
    let facts = report::gather(&dir, (&row, &triage), form, &compilers, &workshop)?;
    let text = report::render(form, &facts)?;
    let files = match &args.output {
        Some(output) => report::write(output, form, &facts, &text)?,
        None => Vec::new(),
    };
    if args.json {
        let (id, title) = (facts.id.clone(), facts.title.clone());
        output::json(&Line::Report(ReportLine { id, form, title, text, files }));
    } else if files.is_empty() {
        output::bytes(text.as_bytes());
    } else {
        for file in files {
            output::line(&file.display().to_string());
        }
    }
    Ok(exit::ALARM)
}

/// What triage says of the finding; where it has not looked at it whole, it does so now.
fn triaged(args: &Arguments, store: &Store, row: &FindingRow, limits: &Limits) -> Result<Triage, Error> {
    let known = |all: Vec<Triage>| all.into_iter().find(|triage| triage.finding == row.id);
    match known(triage::load(store)?) {
        Some(triage) if triage.analysis.complete => return Ok(triage),
        Some(_) | None => {}
    }
    let options = Options {
        store: args.store.clone(),
        again: false,
        only: vec![row.id.clone()],
        known: None,
        jobs: 1,
        time: None,
        limits: limits.clone(),
        whole: true,
        reduce: true,
    };
    let report = triage::run(&options, &Own { prove: args.compile_time }, &View)?;
    let why = || Error::Internal(format!("triage says nothing of `{}`", row.id));
    known(report.findings).ok_or_else(why)
}

/// Progress on stderr.
struct View;

impl Observer for View {
    fn settled(&self, finding: &str, signature: &str, _done: usize, _of: usize) {
        eprintln!("triage of {finding}: {signature}");
    }

    fn reducing(&self, finding: &str) {
        eprintln!("reducing {finding}");
    }

    fn not_reduced(&self, finding: &str, why: &str) {
        eprintln!("{finding} is not reduced: {why}");
    }
}
