//! How it is known that a program is defined: the abstract machine, warnings, sanitizers, and options that give meaning to
//! what C leaves undefined.

use crate::configurations::Tested;
use crate::error::Error;
use crate::triage::{Seen, Subject, Variation};
use crate::truth::Truth;
use crate::verdict::{FindingKind, Stage};
use serde::Serialize;
use std::sync::Arc;
use toolchain::compiler::{CompileOutcome, Family, Runner};

/// One piece of evidence.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What was asked.
    pub by: String,
    /// What it said.
    pub says: String,
}

/// Most lines of warnings that are quoted.
const QUOTED: usize = 6;

/// All evidence that can be had on this machine.
pub fn checks(subject: &Subject<'_>, truth: &Truth, compilers: &[Arc<Tested>]) -> Result<Vec<Check>, Error> {
    let mut found = vec![machine(truth)];
    for family in [Family::Gcc, Family::Clang] {
        let Some(tested) = newest(family, compilers) else { continue };
        found.push(warnings(subject, &tested)?);
        if subject.facts.stage == Stage::Run {
            found.push(sanitizers(subject, &tested)?);
        }
    }
    let gnu = matches!(subject.configuration.family(), Family::Gcc | Family::Clang | Family::ZigCc);
    if gnu && subject.facts.kind == FindingKind::WrongCode {
        found.push(without_assumptions(subject)?);
    }
    Ok(found)
}

fn machine(truth: &Truth) -> Check {
    let says = match truth {
        Truth::Known { steps, .. } => {
            format!("defined, the same in every order and layout tried ({steps} steps)")
        }
        Truth::Opaque { why, .. } | Truth::Rejected(why) => format!("no verdict: {}", why.reason()),
    };
    Check { by: "plumb's abstract machine".to_owned(), says }
}

/// The newest native compiler of a family.
fn newest(family: Family, compilers: &[Arc<Tested>]) -> Option<Arc<Tested>> {
    let native = compilers.iter().filter(|tested| tested.compiler.runner == Runner::Native);
    native
        .filter(|tested| tested.compiler.family == family)
        .max_by_key(|tested| tested.compiler.version)
        .cloned()
}

fn asked(tested: &Arc<Tested>, level: &str, options: &[&str]) -> Variation {
    Variation {
        compiler: Some(Arc::clone(tested)),
        level: Some(level.to_owned()),
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    }
}

fn warnings(subject: &Subject<'_>, tested: &Arc<Tested>) -> Result<Check, Error> {
    let by = format!("-Wall -Wextra of {}", tested.compiler.banner);
    let (mut text, mut outcome) = (String::new(), CompileOutcome::Ok);
    for unit in subject.each_unit() {
        let (compiled, _) = unit.warned(&asked(tested, "-O2", &["-Wall", "-Wextra"]))?;
        text.push_str(&String::from_utf8_lossy(&compiled.stderr));
        if outcome == CompileOutcome::Ok {
            outcome = compiled.outcome;
        }
    }
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("warning: ")).collect();
    let warning = |line: &&str| line.split_once("warning: ").map_or(*line, |(_, text)| text).to_owned();
    let mut quoted: Vec<String> = lines.iter().take(QUOTED).map(warning).collect();
    if lines.len() > QUOTED {
        quoted.push(format!("and {} more", lines.len() - QUOTED));
    }
    let says = match outcome {
        CompileOutcome::Ok if quoted.is_empty() => "silent".to_owned(),
        CompileOutcome::Ok => quoted.join("; "),
        other => other.describe(),
    };
    Ok(Check { by, says })
}

// Without optimisation: the sanitizers of the compiler in question would otherwise show its bug.
fn sanitizers(subject: &Subject<'_>, tested: &Arc<Tested>) -> Result<Check, Error> {
    let by = format!("-O0 -fsanitize=address,undefined of {}", tested.compiler.banner);
    let options = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];
    let tried = subject.ask(&asked(tested, "-O0", &options))?;
    let says = match tried.seen {
        Seen::Right => "silent, with the expected output".to_owned(),
        Seen::Shows => tried.wrong.unwrap_or_else(|| "not the expected output".to_owned()),
        Seen::Unknown { why } => format!("not to be had: {why}"),
    };
    Ok(Check { by, says })
}

fn without_assumptions(subject: &Subject<'_>) -> Result<Check, Error> {
    let options = ["-fno-strict-aliasing", "-fwrapv"].map(str::to_owned);
    let says = match subject.ask(&Variation::with(options))?.seen {
        Seen::Shows => "still wrong: neither aliasing nor overflow is the reason".to_owned(),
        Seen::Right => "right".to_owned(),
        Seen::Unknown { why } => format!("not to be told: {why}"),
    };
    Ok(Check { by: "the same command with -fno-strict-aliasing -fwrapv".to_owned(), says })
}
