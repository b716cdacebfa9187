//! Programs and what is made of them: `accepted/*.c` print as `*.printed`, `rejected/*.c` give the diagnostics in
//! `*.diagnostics`. `UPDATE_GOLDEN=1` writes the files anew; a missing one is a failure.

use csyntax::equal::first_difference;
use csyntax::parse::parse;
use csyntax::print::print;
use std::path::{Path, PathBuf};

fn cases(directory: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&directory)
        .unwrap_or_else(|e| panic!("{}: {e}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds no case", directory.display());
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn compare(golden: &Path, found: &str, failures: &mut Vec<String>) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(golden, found).unwrap();
        return;
    }
    match std::fs::read_to_string(golden) {
        Ok(expected) if expected == found => {}
        Ok(_) => failures.push(format!("{} differs; found:\n{found}", golden.display())),
        Err(error) => failures.push(format!("{}: {error}", golden.display())),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn accepted_programs_print_as_expected_and_parse_to_the_same() {
    let mut failures = Vec::new();
    for (path, text) in cases("accepted") {
        let parsed = parse(&text, &name(&path));
        for diagnostic in parsed.diagnostics.iter().filter(|d| d.severity.refuses()) {
            failures.push(parsed.render(diagnostic));
        }
        let printed = print(&parsed.ast);
        compare(&path.with_extension("printed"), &printed, &mut failures);
        let again = parse(printed.as_bytes(), "printed");
        for diagnostic in &again.diagnostics {
            failures.push(format!("{}: printed text: {}", name(&path), again.render(diagnostic)));
        }
        if let Some(difference) = first_difference(&parsed.ast, &again.ast) {
            failures.push(format!("{}: printed text parses differently: {difference:?}", name(&path)));
        }
        assert_eq!(print(&again.ast), printed, "{}", name(&path));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn rejected_programs_give_the_expected_diagnostics() {
    let mut failures = Vec::new();
    for (path, text) in cases("rejected") {
        let parsed = parse(&text, &name(&path));
        assert!(parsed.has_errors(), "{} was accepted", name(&path));
        let mut found: String = parsed.diagnostics.iter().map(|d| parsed.render(d) + "\n").collect();
        found.push_str(&format!("{} items read\n", parsed.ast.items.len()));
        compare(&path.with_extension("diagnostics"), &found, &mut failures);
        print(&parsed.ast);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
