//! Blame for compilers built on LLVM: `-opt-bisect-limit=N` runs the first N passes only, those of code generation too, and
//! names each; newer ones also leave out passes by name (`-opt-disable`).

use super::search::first_that_shows;
use super::{Blame, Error};
use crate::triage::model::{CompilerStage, Pass, PassKind, Seen};
use crate::triage::subject::{Subject, Variation};
use regex_lite::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^BISECT: (?:NOT )?running pass \((\d+)\) (.+?) on (.+)$").ok());

/// A pass as the compiler numbers it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Numbered {
    number: u64,
    name: String,
    function: Option<String>,
}

fn option(text: String) -> [String; 2] {
    ["-mllvm".to_owned(), text]
}

fn limit(number: u64) -> Variation {
    Variation::with(option(format!("-opt-bisect-limit={number}")))
}

/// Blames the pass with which the bug begins.
pub fn blame(subject: &Subject<'_>) -> Result<Blame, Error> {
    let all = Variation::with(option("-opt-bisect-limit=-1".to_owned()));
    let tried = subject.ask(&all)?;
    let passes = numbered(&tried.messages);
    let Some(most) = passes.iter().map(|pass| pass.number).max() else {
        return Ok(Blame::nothing("the compiler does not number its passes (`-opt-bisect-limit`)"));
    };
    let ask = |number| subject.ask(&limit(number)).map(|tried| tried.seen);
    if ask(most)? != Seen::Shows {
        return Ok(Blame::nothing("with its passes numbered the compiler does not show the bug"));
    }
    match ask(0)? {
        Seen::Right => {}
        Seen::Shows => {
            let mut blame = Blame::nothing("the bug shows without any pass that can be left out");
            blame.stage = unoptimised(subject)?;
            return Ok(blame);
        }
        Seen::Unknown { why } => {
            return Ok(Blame::nothing(&format!("without passes that can be left out: {why}")));
        }
    }
    let mut found = first_that_shows(most, ask)?;
    let Some(pass) = passes.into_iter().find(|pass| pass.number == found.first) else {
        return Ok(Blame::nothing(&format!("the pass with number {} has no name", found.first)));
    };
    let kind = if pass.number <= in_ir(subject)? { PassKind::Ir } else { PassKind::Machine };
    let mut blame = Blame::nothing("");
    blame.notes.clear();
    // Only newer compilers take it, and only by this name: silence says nothing against the pass.
    let without = Variation::with(option(format!("-opt-disable={}", pass.name)));
    let cured = subject.ask(&without)?;
    let left_out = format!("NOT running pass ({}) {}", pass.number, pass.name);
    if cured.messages.contains(&left_out) {
        match cured.seen {
            Seen::Right => found.confidence.add(true),
            Seen::Shows => blame.notes.push(format!("another pass does the same without {}", pass.name)),
            Seen::Unknown { .. } => {}
        }
    }
    blame.culprit.pass =
        Some(Pass { kind, name: pass.name, number: Some(pass.number), function: pass.function });
    blame.confidence = found.confidence;
    blame.stage = Some(kind.stage());
    Ok(blame)
}

/// How many of the numbered passes work on IR: those that run where only IR is made.
fn in_ir(subject: &Subject<'_>) -> Result<u64, Error> {
    let mut options = option("-opt-bisect-limit=-1".to_owned()).to_vec();
    options.push("-emit-llvm".to_owned());
    let (compiled, _) = subject.assembly(&Variation::with(options))?;
    let passes = numbered(&String::from_utf8_lossy(&compiled.stderr));
    Ok(passes.iter().map(|pass| pass.number).max().unwrap_or(0))
}

/// The part of the compiler in which a bug arises that no pass can be blamed for: the back end if another level of code
/// generation makes the front end's IR right, else undecided.
fn unoptimised(subject: &Subject<'_>) -> Result<Option<CompilerStage>, Error> {
    let mut stage = None;
    for other in ["-fast-isel=0", "-fast-isel=1", "-global-isel=1"] {
        if subject.ask(&Variation::with(option(other.to_owned())))?.seen == Seen::Right {
            stage = Some(CompilerStage::Back);
        }
    }
    Ok(stage)
}

/// The IR on both sides of a pass: with everything before it, and with it.
pub fn around(subject: &Subject<'_>, number: u64) -> Result<[Vec<u8>; 2], Error> {
    let text = |number: u64| {
        let mut variation = limit(number);
        variation.options.push("-emit-llvm".to_owned());
        subject.assembly(&variation).map(|(_, text)| text)
    };
    Ok([text(number.saturating_sub(1))?, text(number)?])
}

fn numbered(messages: &str) -> Vec<Numbered> {
    let lines = LINE.iter().flat_map(|line| line.captures_iter(messages));
    lines
        .filter_map(|found| {
            let number = found[1].parse().ok()?;
            Some(Numbered { number, name: found[2].to_owned(), function: function(&found[3]) })
        })
        .collect()
}

/// The function of `main`, `function (main)`, `(main)`, `loop %x in function main`; `[module]` has none.
fn function(unit: &str) -> Option<String> {
    let unit = unit.trim();
    if let Some((_, name)) = unit.rsplit_once(" in function ") {
        return Some(name.to_owned());
    }
    let name = unit.strip_prefix("function ").unwrap_or(unit).trim_matches(['(', ')']);
    let plain = !name.is_empty() && !name.contains([' ', '[', ',', '%']);
    plain.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_and_their_functions_are_read() {
        let text = "x\nBISECT: running pass (1) Annotation2MetadataPass on [module]\n\
            BISECT: running pass (7) SROAPass on main\n\
            BISECT: running pass (9) LoopRotatePass on loop %for.cond in function f\n\
            BISECT: NOT running pass (12) InlinerPass on (g)\n\
            BISECT: running pass (136) X86 LEA Fixup on function (main)\n";
        let seen: Vec<(u64, String, Option<String>)> =
            numbered(text).into_iter().map(|p| (p.number, p.name, p.function)).collect();
        let wanted = [
            (1, "Annotation2MetadataPass", None),
            (7, "SROAPass", Some("main")),
            (9, "LoopRotatePass", Some("f")),
            (12, "InlinerPass", Some("g")),
            (136, "X86 LEA Fixup", Some("main")),
        ];
        let wanted: Vec<_> =
            wanted.iter().map(|(n, p, f)| (*n, (*p).to_owned(), f.map(str::to_owned))).collect();
        assert_eq!(seen, wanted);
    }
}
