//! The passes over C's syntax: what each does to a small text, and what holds of all of them on random programs.
//!
//! `tests/reduce/c/NAME.before.c` becomes `NAME.after.c` when all hints of the pass NAME that go together are applied.
//! `BLESS=1` writes the latter.

use csyntax::parse::parse;
use generate::{Options, generate};
use reduce::passes::{PASSES, Pass};
use reduce::patches::{merge, patched};
use reduce::{Case, File, Hint};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reduce/c")
}

fn case(text: &str) -> Case {
    Case::new([("a.c".to_string(), text.as_bytes().to_vec())])
}

/// The text after those of the hints that go together.
fn applied<'h>(text: &str, hints: impl IntoIterator<Item = &'h Hint>) -> String {
    String::from_utf8(patched(text.as_bytes(), &merge(hints))).expect("hints are made of ASCII here")
}

/// The names of goldens, which are those of the passes over C.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(directory()).expect("tests/reduce/c is there");
    let name =
        |file: std::io::Result<std::fs::DirEntry>| file.expect("readable").file_name().into_string().ok();
    let before = |name: String| name.strip_suffix(".before.c").map(str::to_string);
    let mut names: Vec<String> = files.filter_map(name).filter_map(before).collect();
    names.sort();
    names
}

fn passes() -> Vec<&'static dyn Pass> {
    let names = names();
    PASSES.iter().copied().filter(|pass| names.iter().any(|name| name == pass.name())).collect()
}

#[test]
fn goldens() {
    let update = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for pass in passes() {
        let path = |what: &str| directory().join(format!("{}.{what}.c", pass.name()));
        let before = std::fs::read_to_string(path("before")).expect("the text before");
        let hints = pass.hints(&case(&before));
        assert!(!hints.is_empty(), "{} proposes nothing for its own example", pass.name());
        let after = applied(&before, &hints);
        if update {
            std::fs::write(path("after"), &after).expect("goldens can be written");
        } else if std::fs::read_to_string(path("after")).ok() != Some(after) {
            wrong.push(pass.name());
        }
    }
    assert!(wrong.is_empty(), "passes that do not give their goldens: {wrong:?}");
}

#[test]
fn every_golden_is_of_a_pass_and_every_c_pass_has_one() {
    for name in names() {
        assert!(PASSES.iter().any(|pass| pass.name() == name), "{name} is no pass");
    }
    let source = include_str!("../src/passes/mod.rs");
    let registered = source.lines().filter(|line| line.trim_start().starts_with("&c::")).count();
    assert_eq!(registered, names().len(), "a line of the registry each");
}

/// Programs to try passes on.
fn programs() -> impl Iterator<Item = String> {
    (1..=4).map(|seed| generate(seed, &Options::default()).text())
}

/// At most so many hints of a pass are looked at in one program.
const SAMPLES: usize = 60;

fn sample(hints: &[Hint]) -> impl Iterator<Item = &Hint> {
    hints.iter().step_by(hints.len().div_ceil(SAMPLES).max(1))
}

#[test]
fn patches_of_a_hint_are_in_order_and_apart() {
    for text in programs() {
        let case = case(&text);
        for pass in passes() {
            for hint in pass.hints(&case) {
                let apart = hint.patches.windows(2).all(|two| two[0].span.end <= two[1].span.start);
                let inside = hint.patches.iter().all(|patch| text.get(patch.span.clone()).is_some());
                assert!(apart && inside && !hint.patches.is_empty(), "{}: {hint:?}", pass.name());
            }
        }
    }
}

/// Passes that may take away a typedef, without which the rest cannot be read.
const UNPARSED: &[&str] = &["items"];

#[test]
fn single_hints_leave_a_text_that_parses() {
    let mut refused: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for text in programs() {
        let case = case(&text);
        for pass in passes().into_iter().filter(|pass| !UNPARSED.contains(&pass.name())) {
            for hint in sample(&pass.hints(&case)) {
                let parsed = parse(applied(&text, [hint]).as_bytes(), "a.c");
                if let Some(first) = parsed.diagnostics.iter().find(|d| d.severity.refuses()) {
                    refused.entry(pass.name()).or_default().push(parsed.render(first));
                }
            }
        }
    }
    let counts: Vec<_> = refused.iter().map(|(pass, all)| (*pass, all.len(), &all[0])).collect();
    assert!(refused.is_empty(), "refused: {counts:#?}");
}

/// Passes whose hints do not change what a program means, together or alone.
const PRESERVING: &[&str] =
    &["format", "unused-types", "unused-labels", "unused-fields", "unreachable", "folded", "rename"];

fn outcome(text: &str) -> Option<(machine::Exit, Vec<u8>)> {
    let file = File::new("a.c", text.as_bytes().to_vec());
    let options = machine::Options { max_steps: 100_000_000, ..Default::default() };
    match machine::run(file.checked()?, &options).verdict {
        machine::Verdict::Defined(outcome) => Some((outcome.exit, outcome.stdout)),
        machine::Verdict::Undefined { .. }
        | machine::Verdict::Unsupported { .. }
        | machine::Verdict::Exhausted(_) => None,
    }
}

#[test]
fn preserving_passes_keep_the_meaning() {
    let mut seen = 0;
    for text in programs() {
        let Some(before) = outcome(&text) else { continue };
        seen += 1;
        let case = case(&text);
        for pass in passes().into_iter().filter(|pass| PRESERVING.contains(&pass.name())) {
            let hints = pass.hints(&case);
            let after = applied(&text, &hints);
            assert_eq!(
                outcome(&after).as_ref(),
                Some(&before),
                "{} changed a program:\n{after}",
                pass.name()
            );
        }
    }
    assert!(seen > 2, "most programs have a meaning");
}

/// What one file defines another calls: they go together, and what has internal linkage goes alone.
#[test]
fn functions_go_from_all_files() {
    let texts = [
        "int f(int), h(int);\nstatic int g(void) { return 1; }\nint main(void) { f(2); return f(1) + g() + h(3); }\n",
        "static int g(int a) { return a; }\nint f(int a) { return g(a); }\nint h(int a) { return f(a); }\n",
    ];
    let named = |(n, text): (usize, &&str)| (format!("{n}.c"), text.as_bytes().to_vec());
    let case = Case::new(texts.iter().enumerate().map(named));
    let functions = passes().into_iter().find(|pass| pass.name() == "functions").expect("a pass");
    let hints = functions.hints(&case);
    let after = |hint: &Hint| {
        let after = case.patched(&merge([hint]));
        after.files.iter().map(|file| String::from_utf8_lossy(&file.text).into_owned()).collect::<Vec<_>>()
    };
    let all: Vec<Vec<String>> = hints.iter().map(after).collect();
    assert_eq!(all.len(), 4, "{all:#?}");
    let without_f = [
        "int h(int);\nstatic int g(void) { return 1; }\nint main(void) {  return 0 + g() + h(3); }\n",
        "static int g(int a) { return a; }\n\nint h(int a) { return 0; }\n",
    ];
    assert!(all.iter().any(|texts| *texts == without_f), "{all:#?}");
    let without_g = ["int f(int), h(int);\n\nint main(void) { f(2); return f(1) + 0 + h(3); }\n", texts[1]];
    assert!(all.iter().any(|texts| *texts == without_g), "{all:#?}");
}

/// What another file uses is not unused; a declaration that nothing uses is.
#[test]
fn what_other_files_name_is_used() {
    let texts = [
        "int f(int), unused(int);\nextern int a;\nstatic int b;\nint main(void) { return f(2); }\n",
        "int a = 1, b = 2;\nint f(int n) { return n + a; }\nint g(int n) { return n; }\n",
    ];
    let named = |(n, text): (usize, &&str)| (format!("{n}.c"), text.as_bytes().to_vec());
    let case = Case::new(texts.iter().enumerate().map(named));
    let unused = passes().into_iter().find(|pass| pass.name() == "unused").expect("a pass");
    let after = case.patched(&merge(&unused.hints(&case)));
    let after: Vec<_> =
        after.files.iter().map(|file| String::from_utf8_lossy(&file.text).into_owned()).collect();
    let main = "int f(int);\n\n\nint main(void) { return f(2); }\n";
    assert_eq!(after, [main, "int a = 1;\nint f(int n) { return n + a; }\n\n"]);
}
