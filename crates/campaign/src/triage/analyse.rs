//! One finding: its signature, and with more time what is to blame for it.

use super::Tools;
use super::blame::{self, Blame};
use super::distance::shape;
use super::model::{Analysis, Broken, CompilerStage, Culprit, Pass, PassKind, Seen, Source, parts};
use super::same;
use super::subject::{Subject, Variation};
use crate::configurations::{INPUT, Tested};
use crate::error::Error;
use crate::findings::Facts;
use crate::reduction::REDUCED;
use crate::verdict::{FindingKind, Named, Stage};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use toolchain::compiler::Family;

/// How much is to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// What findings are grouped by.
    Signature,
    /// Also levels, versions and a proof.
    Whole,
}

/// Analyses a finding. `compilers` are those of this machine.
pub fn analyse(
    subject: &Subject<'_>,
    depth: Depth,
    compilers: &[Arc<Tested>],
    tools: &dyn Tools,
) -> Result<Analysis, Error> {
    let mut analysis =
        Analysis { reduced: reduced(subject), complete: depth == Depth::Whole, ..Analysis::default() };
    let facts = &subject.facts;
    if let Err(why) = blame::still_shows(subject)? {
        analysis.notes.push(why);
        analysis.signature = signature(facts, None, None);
        return Ok(analysis);
    }
    // A crash names itself; what pass it is in is for the report.
    let named = names_itself(facts);
    let mut found = Blame::default();
    if facts.against.is_none() && (!named || depth == Depth::Whole) {
        found = blame::blame(subject, depth == Depth::Whole)?;
    }
    analysis.confidence = found.confidence;
    analysis.stage = found.stage;
    analysis.notes.extend(found.notes);
    let mut culprit = found.culprit;
    if depth == Depth::Whole {
        analysis.levels = blame::table(subject, compilers)?;
        culprit.level = blame::levels(subject, &analysis.levels);
        (analysis.versions_affected, culprit.version) = blame::affected(subject, &analysis.levels, compilers);
        analysis.stage = analysis.stage.or(stage(subject)?);
        analysis.proof = proof(&blame::in_blame(subject, culprit.unit.as_deref()), &culprit, tools)?;
    }
    let by = if key(&culprit).is_none() { around(subject)? } else { None };
    analysis.signature = signature(facts, Some(&culprit), by);
    analysis.culprit = (culprit != Culprit::default()).then_some(culprit);
    Ok(analysis)
}

/// What a reduced program without culprit is known by: the detour that takes its failure away, else its shape.
fn around(subject: &Subject<'_>) -> Result<Option<String>, Error> {
    if !subject.reduced {
        return Ok(None);
    }
    let detour = same::detour(subject)?.map(|detour| detour.name().to_owned());
    Ok(Some(detour.unwrap_or_else(|| format!("shape {}", shape(&String::from_utf8_lossy(&subject.text))))))
}

/// The family of a finding's compiler, for signatures.
pub fn family(facts: &Facts) -> String {
    let words = facts.compiler.name.split_whitespace().next().unwrap_or_default();
    let name = words.rsplit('/').next().unwrap_or_default();
    let known = [Family::Clang, Family::Gcc, Family::Tcc, Family::Pcc];
    let banner = facts.compiler.version.to_lowercase();
    let named = known.iter().find(|family| name.contains(family.name()) || banner.contains(family.name()));
    named.map_or_else(|| name.to_owned(), |family| family.name().to_owned())
}

/// Kind and compiler: findings in which they differ are never the same bug.
pub fn class(facts: &Facts) -> String {
    let stage = match (facts.kind, facts.stage) {
        (FindingKind::Hang | FindingKind::WrongCode | FindingKind::FalseReport, Stage::Compile) => {
            " of the compiler"
        }
        (
            FindingKind::Crash
            | FindingKind::Refusal
            | FindingKind::MissedOptimisation
            | FindingKind::SlowCompilation
            | FindingKind::DebugInfo
            | FindingKind::Volatile,
            _,
        )
        | (_, Stage::Run) => "",
    };
    let compared = facts.against.as_ref().map(|against| format!(" {}", against.relation.name()));
    format!("{}{stage} {}{}", facts.kind.name(), family(facts), compared.unwrap_or_default())
}

/// What findings of the same bug have in common. It begins with the class; behind `: ` stands what the bug is known by.
fn signature(facts: &Facts, culprit: Option<&Culprit>, around: Option<String>) -> String {
    let class = class(facts);
    let known_by = match culprit.and_then(key).or(around) {
        _ if names_itself(facts) => facts.signature.clone(),
        Some(name) => name,
        // Without a smaller program, by what decides about the dead block.
        None if facts.against.is_some() => facts.signature.clone(),
        None => return class,
    };
    format!("{class}: {known_by}")
}

/// Does the compiler say itself what is wrong?
fn names_itself(facts: &Facts) -> bool {
    matches!(facts.kind, FindingKind::Crash | FindingKind::Refusal) && !facts.signature.is_empty()
}

/// The culprit without the number of a pass's instance.
fn key(culprit: &Culprit) -> Option<String> {
    Some(culprit.pass.as_ref().map_or(culprit.name()?, stem))
}

/// A pass without the number of its instance.
pub fn stem(pass: &Pass) -> String {
    pass.to_string().trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// What of a signature two findings must share to be one bug; `None` where only the shape is known.
pub fn group_key(signature: &str) -> Option<String> {
    let (_, known_by) = parts(signature)?;
    (!known_by.starts_with("shape ")).then(|| known_by.to_owned())
}

fn reduced(subject: &Subject<'_>) -> Option<Source> {
    let text = String::from_utf8_lossy(&subject.text);
    subject.reduced.then(|| Source {
        file: PathBuf::from(REDUCED).join(INPUT),
        lines: text.lines().filter(|line| !line.trim().is_empty()).count() as u64,
        bytes: subject.text.len() as u64,
    })
}

/// Without a pass to blame: a compiler with no more than one level goes wrong where it reads or where it writes, which only
/// other compilers' IR could tell.
fn stage(subject: &Subject<'_>) -> Result<Option<CompilerStage>, Error> {
    let refuses = matches!(subject.facts.stage, Stage::Compile) && subject.facts.kind == FindingKind::Crash;
    if !refuses || !subject.is_single() {
        return Ok(None);
    }
    // A crash that shows when the compiler only checks the program is the front end's.
    let mut syntax = Variation::with(["-fsyntax-only".to_owned()]);
    syntax.options.push("-w".to_owned());
    let (compiled, _) = subject.assembly(&syntax)?;
    let crashes = matches!(&compiled.outcome, toolchain::compiler::CompileOutcome::Crashed(crash)
        if crash.signature == subject.facts.signature);
    let checks = matches!(subject.configuration.family(), Family::Gcc | Family::Clang | Family::ZigCc);
    Ok((crashes && checks).then_some(CompilerStage::Front))
}

/// Proves the blamed pass of LLVM, where there is a prover for it.
fn proof(subject: &Subject<'_>, culprit: &Culprit, tools: &dyn Tools) -> Result<Option<Broken>, Error> {
    let Some(pass) = culprit.pass.as_ref().filter(|pass| pass.kind == PassKind::Ir) else { return Ok(None) };
    let Some(number) = pass.number else { return Ok(None) };
    if subject.facts.kind != FindingKind::WrongCode || subject.ask(&Variation::default())?.seen != Seen::Shows
    {
        return Ok(None);
    }
    let [before, after] = blame::around(subject, number, pass.function.as_deref())?;
    let dir = subject.scratch()?;
    let put = |name: &str, text: &str| {
        let path = dir.file(name);
        fs::write(&path, text).map_err(|error| Error::file("write", &path, &error)).map(|()| path)
    };
    tools.prove(&put("before.ll", &before)?, &put("after.ll", &after)?, pass.function.as_deref())
}
