//! The text forms of LLVM's releases: one file for each in `tests/equiv/releases`, in which every function is read and
//! refines itself; and Machine IR with the fields that releases added and dropped.

use equiv::{Options, Verdict};
use langs::pairs::{IselFile, isel_functions, opt_functions, prove_isel, prove_opt};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv").join(name)
}

fn options() -> Options {
    Options { time: Duration::from_secs(30), ..Options::default() }
}

fn proved(v: &Verdict<langs::assumption::Assumption>) -> bool {
    matches!(v, Verdict::Proved(_) | Verdict::Conditional { .. })
}

#[test]
fn every_release_is_read_and_refines_itself() {
    let mut releases = Vec::new();
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(directory("releases")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let m = langs::llvm_ir::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{name}:{e}"));
        let names: Vec<_> = m.damaged.iter().map(|(f, e)| format!("{}: {e}", m.names.text(*f))).collect();
        assert!(names.is_empty(), "{name}: {names:?}");
        let defined = text.lines().filter(|l| l.starts_with("define ")).count();
        let functions = opt_functions(&m, &m);
        assert_eq!(functions.len(), defined, "{name}: {functions:?}");
        for f in functions {
            let report = prove_opt(&m, &m, &f, &options());
            if !proved(&report.verdict) {
                wrong.push(format!("{name} {f}: {:?}", report.verdict));
            }
        }
        releases.push(name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for n in 14..=23 {
        assert!(releases.contains(&format!("llvm{n}")), "nothing of LLVM {n} in {releases:?}");
    }
}

/// A Machine IR file with lines changed, proved.
fn still_proved(what: &str, change: impl Fn(&str) -> Vec<String>) {
    let text = std::fs::read_to_string(directory("equivalent").join("private_slots.mir")).unwrap();
    let changed: String = text.lines().flat_map(change).map(|l| l + "\n").collect();
    assert_ne!(changed, text, "{what}: nothing was changed");
    let m = IselFile::parse(changed.as_bytes()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let (functions, lacking) = isel_functions(&m);
    assert!(lacking.is_empty() && functions.len() == 1, "{what}: {functions:?} {lacking:?}");
    let verdict = prove_isel(&m, &functions[0], &options()).verdict;
    assert!(proved(&verdict), "{what}: {verdict:?}");
}

#[test]
fn fields_of_other_releases_are_no_matter() {
    // What LLVM 14 did not write yet.
    let later =
        ["callsEHReturn", "callsUnwindInit", "hasEH", "isOutlined", "debugInstrRef", "failsVerification"];
    still_proved("fewer fields", |l| {
        let gone = later.iter().any(|f| l.starts_with(f));
        if gone { Vec::new() } else { vec![l.to_owned()] }
    });
    // What came since.
    let more = [
        "noPhis:          false",
        "isSSA:           true",
        "noVRegs:         false",
        "hasFakeUses:     false",
        "debugInstrRef:   true",
        "calledGlobals:   []",
        "debugValueSubstitutions: []",
        "entry_values:    []",
        "fieldToCome:     { a: [ 1, { b: 'c' } ], d: -1 }",
        "listToCome:",
        "  - { id: 0, of: 'x' }",
        "  - bb: 0",
        "    offset: 1",
    ];
    still_proved("more fields", |l| {
        let mut lines = vec![l.to_owned()];
        if l.starts_with("tracksRegLiveness:") {
            lines.extend(more.map(str::to_owned));
        }
        lines
    });
    // Flags of registers, empty lists in place of empty strings.
    still_proved("other forms", |l| {
        let l = l.replace("preferred-register: '' }", "preferred-register: '', flags: [  ] }");
        let l = l.replace("savePoint:       ''", "savePoint:       []");
        vec![l.replace("restorePoint:    ''", "restorePoint:    []")]
    });
}
