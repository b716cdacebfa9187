//! Blame for compilers built on LLVM: `-opt-bisect-limit=N` runs the first N passes only, those of code generation too, and
//! names each; newer ones also leave out passes by name (`-opt-disable`).

use super::search::first_that_shows;
use super::{Blame, Error, recompile};
use crate::triage::model::{Pass, PassKind, Seen};
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

/// Blames the pass with which the bug begins; where there is none, the stage at least.
pub fn blame(subject: &Subject<'_>) -> Result<Blame, Error> {
    let mut blame = pass(subject)?;
    if blame.culprit.pass.is_none() {
        blame.stage = recompile::stage(subject)?;
    }
    Ok(blame)
}

fn pass(subject: &Subject<'_>) -> Result<Blame, Error> {
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
            return Ok(Blame::nothing("the bug shows without any pass that can be left out"));
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

/// The IR on both sides of a pass: with everything before it, and with it. A local function whose body alone the pass changed
/// is made visible to other files in both: a pass of one function asks nobody who calls it, so that its work must hold for
/// all callers, while nothing can be proved of functions that were fitted to theirs.
pub fn around(subject: &Subject<'_>, number: u64, function: Option<&str>) -> Result<[String; 2], Error> {
    let text = |number: u64| {
        let mut variation = limit(number);
        variation.options.push("-emit-llvm".to_owned());
        subject.assembly(&variation).map(|(_, text)| String::from_utf8_lossy(&text).into_owned())
    };
    let both = [text(number.saturating_sub(1))?, text(number)?];
    let cut = |at: usize| function.and_then(|name| cut_out(&both[at], name));
    let visible = match (cut(0), cut(1)) {
        (Some(before), Some(after)) if plain(before) == plain(after) => {
            Some((before.1, before.1.replacen("define internal ", "define ", 1)))
        }
        _ => None,
    };
    Ok(match visible {
        Some((local, visible)) => both.each_ref().map(|text| text.replacen(local, &visible, 1)),
        None => both,
    })
}

/// Without the lines that say where the source was.
fn plain<'t>(parts: (&'t str, &'t str, &'t str)) -> (Vec<&'t str>, &'t str, &'t str) {
    let place = |line: &&str| line.starts_with("; ModuleID") || line.starts_with("source_filename");
    (parts.0.lines().filter(|line| !place(line)).collect(), parts.1, parts.2)
}

/// What stands before a function, its first line, and what stands behind it.
fn cut_out<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let named = format!("@{name}(");
    let start = text.match_indices("define ").map(|(at, _)| at).find(|&at| {
        let line = text[at..].lines().next().unwrap_or_default();
        line.contains(&named) && (at == 0 || text.as_bytes()[at - 1] == b'\n')
    })?;
    let (head, body) = text[start..].split_once('\n')?;
    let (_, behind) = body.split_once("\n}\n")?;
    Some((&text[..start], head, behind))
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
    fn a_function_is_cut_out() {
        let text = "; define i32 @f(\ndefine i32 @main() {\n  call i32 @f(i32 1)\n}\n\ndefine internal i32 @f(i32 %0) #0 {\n  \
            ret i32 %0\n}\n\nattributes #0 = { nounwind }\n";
        let (before, head, behind) = cut_out(text, "f").expect("it is there");
        assert!(before.ends_with("\n}\n\n") && behind.starts_with("\nattributes"), "{before}|{behind}");
        assert_eq!(head, "define internal i32 @f(i32 %0) #0 {");
        assert_eq!(cut_out(text, "g"), None);
    }

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
