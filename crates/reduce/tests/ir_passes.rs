//! The passes over LLVM IR: `tests/reduce/ll/NAME.before.ll` becomes `NAME.after.ll`, which lists the text with each hint of
//! the pass NAME by itself, then with all that go together. `BLESS=1` writes the latter.

use reduce::passes::PASSES;
use reduce::patches::{merge, patched, sound};
use reduce::{Case, Hint};
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reduce/ll")
}

fn applied<'h>(text: &str, hints: impl IntoIterator<Item = &'h Hint>) -> String {
    String::from_utf8(patched(text.as_bytes(), &merge(hints))).expect("hints are made of ASCII here")
}

#[test]
fn goldens() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for pass in PASSES.iter().filter(|pass| pass.name().starts_with("ir-")) {
        let path = |what: &str| directory().join(format!("{}.{what}.ll", pass.name()));
        let before =
            std::fs::read_to_string(path("before")).unwrap_or_else(|e| panic!("{}: {e}", pass.name()));
        let case = Case::new([("a.ll".to_owned(), before.clone().into_bytes())]);
        let proposed = pass.hints(&case);
        let hints = sound(&case, proposed.clone());
        assert!(!hints.is_empty(), "{} proposes nothing for its own example", pass.name());
        assert_eq!(hints.len(), proposed.len(), "{}: hints that change nothing or overlap", pass.name());
        let mut after = String::new();
        for hint in &hints {
            after.push_str(&format!("{}\n; ----\n", applied(&before, [hint]).trim_end()));
        }
        after.push_str(&format!("; all that go together\n{}", applied(&before, &hints)));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path("after"), &after).expect("goldens can be written");
        } else if std::fs::read_to_string(path("after")).ok() != Some(after) {
            wrong.push(pass.name());
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "passes that do not give their goldens: {wrong:?}");
    let files = std::fs::read_dir(directory()).expect("readable").count();
    assert_eq!(files, 2 * seen, "a text before and one after for each pass");
}

#[test]
fn other_files_are_left_alone() {
    let case = Case::new([("a.c".to_owned(), b"define void @f() {\n  ret void\n}\n".to_vec())]);
    for pass in PASSES.iter().filter(|pass| pass.name().starts_with("ir-")) {
        assert!(pass.hints(&case).is_empty(), "{}", pass.name());
    }
}
