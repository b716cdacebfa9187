//! Programs and their typed trees: `check/tree/*.c` check to `*.tree`. `UPDATE_GOLDEN=1` writes them anew; a
//! missing one is a failure.

mod check_support;

use check_support::unit;
use csyntax::check::dump;
use csyntax::target::Target;

#[test]
fn typed_trees() {
    let directory = format!("{}/tests/check/tree", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(&directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let found = format!("{}\n", dump::unit_text(&unit(&text, &Target::LP64)).trim_start());
        let golden = path.with_extension("tree");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &found).expect("writable");
        }
        match std::fs::read_to_string(&golden) {
            Ok(expected) if expected == found => {}
            Ok(_) => wrong.push(format!("{} differs; found:\n{found}", golden.display())),
            Err(error) => wrong.push(format!("{}: {error}", golden.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
