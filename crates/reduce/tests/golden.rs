//! Every pass that knows no language on a text of its own: `tests/reduce/NAME.before` and what comes of it in `NAME.after`, which is the text with
//! all hints applied; for a pass of alternatives, the text with each hint by itself. `BLESS=1` writes the latter.

use reduce::passes::PASSES;
use reduce::{Case, Hint, patches};
use std::fs;
use std::path::{Path, PathBuf};

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reduce")
}

fn apply(case: &Case, hints: &[Hint]) -> String {
    let after = case.patched(&patches::merge(hints));
    String::from_utf8_lossy(&after.files[0].text).into_owned()
}

#[test]
fn every_pass_does_what_its_golden_says() {
    let mut wrong = Vec::new();
    for pass in PASSES {
        let before = dir().join(format!("{}.before", pass.name()));
        // Those over the syntax of C and over LLVM IR are in directories of their own, with tests of their own.
        let beside = |language: &str| dir().join(language).join(format!("{}.before.{language}", pass.name()));
        if !before.exists() && (beside("c").exists() || beside("ll").exists()) {
            continue;
        }
        let text = fs::read(&before).unwrap_or_else(|e| panic!("{}: {e}", before.display()));
        // Text for languages unlike C says so in its first line.
        let name = if text.starts_with(b";") { "case.scm" } else { "case.c" };
        let case = Case::new([(name.to_owned(), text)]);
        let proposed = pass.hints(&case);
        let hints = patches::sound(&case, proposed.clone());
        assert_eq!(
            hints.len(),
            proposed.len(),
            "{}: hints that change nothing or cannot be applied",
            pass.name()
        );
        let got = if pass.alternatives() {
            let each = hints.iter().map(|hint| apply(&case, std::slice::from_ref(hint)));
            each.map(|text| format!("{}\n----\n", text.trim_end())).collect()
        } else {
            apply(&case, &hints)
        };
        let after = dir().join(format!("{}.after", pass.name()));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&after, &got).expect("writable");
        }
        let expected = fs::read_to_string(&after).unwrap_or_else(|e| panic!("{}: {e}", after.display()));
        if got != expected {
            wrong.push(format!("{}: got\n{got}", pass.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_golden_has_its_pass() {
    for entry in fs::read_dir(dir()).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            continue;
        }
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        assert!(PASSES.iter().any(|pass| pass.name() == stem), "{}: no pass of this name", path.display());
    }
}

#[test]
fn names_are_words_and_different() {
    let mut names: Vec<&str> = PASSES.iter().map(|pass| pass.name()).collect();
    assert!(
        names
            .iter()
            .all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit()))
    );
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
