//! `plumb show`

use crate::args::Show;
use crate::output;
use campaign::findings::{self, Actual, Expected, Facts, REPRO};
use campaign::store::Store;
use campaign::verdict::Named;
use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// All that is known of a finding.
    Finding(Box<Facts>),
}

/// Runs the command.
pub fn run(args: &Show) -> Result<u8, Error> {
    let store = Store::read(&args.store)?;
    let row = store.named(&args.id)?;
    let dir = store.bring(&row.id, &cache())?;
    let facts = findings::read(&dir)?;
    if args.json {
        output::json(&Line::Finding(Box::new(facts)));
    } else {
        print(&facts, &dir);
    }
    Ok(exit::ALARM)
}

/// Where findings of a shared store are brought to: beneath the user's cache, else the working directory.
fn cache() -> PathBuf {
    let of = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_default().join("plumb").join("findings")
}

fn print(facts: &Facts, dir: &Path) {
    output::line(&format!("{}: {}", output::alarm(&facts.id), facts.summary));
    if let Some(names) = &facts.strategies {
        let left = facts.edits.as_ref().map_or(0, Vec::len);
        let (of, before) = (facts.variant_of.as_deref().unwrap_or("-"), facts.edits_before.unwrap_or(left));
        output::line(&format!("variant:   of {of}, {left} of {before} edits needed ({names})"));
    }
    if let Some(doubt) = &facts.doubt {
        output::line(&format!("doubtful: {doubt}"));
    }
    output::line(&format!("program:   {}", facts.program));
    if let Some(command) = &facts.source_command {
        let what = if facts.variant_of.is_some() { "seed:     " } else { "made by:  " };
        output::line(&format!("{what} {command}"));
    }
    output::line(&format!("compiler:  {} ({})", facts.configuration, facts.compiler.version));
    output::line(&format!("command:   {}", facts.command.join(" ")));
    if let Some(against) = &facts.against {
        let (relation, version) = (against.relation.text(), &against.compiler.version);
        output::line(&format!("better:    {} ({version}): {relation}", against.configuration));
        output::line(&format!("           {}", against.command.join(" ")));
    }
    if !facts.signature.is_empty() {
        output::line(&format!("signature: {}", facts.signature));
    }
    if let Some(Expected { exit, signal, stdout, .. }) = &facts.expected {
        answer("expected", &ended(exit.map(i32::from), *signal, "it ends"), stdout);
    }
    if let Some(Actual { ended: how, exit, signal, stdout, .. }) = &facts.actual {
        answer("actual", &ended(*exit, *signal, how.text()), stdout);
    }
    output::line(&format!("reproduce: {}", dir.join(REPRO).display()));
}

fn ended(exit: Option<i32>, signal: Option<i32>, otherwise: &str) -> String {
    match (exit, signal) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => otherwise.to_owned(),
    }
}

fn answer(title: &str, ended: &str, stdout: &str) {
    output::line(&format!("{title}: {ended}, and this output"));
    for line in stdout.lines() {
        output::line(&format!("    {line}"));
    }
}
