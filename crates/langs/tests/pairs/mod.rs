//! The pairs in `tests/equiv`, for the tests that prove them.
#![allow(dead_code)] // Each test program uses a part of it.

use equiv::{Options, Verdict};
use langs::assumption::Assumption;
use langs::llvm_ir::ast::Module;
use langs::pairs::{IselFile, Report, isel_functions, opt_functions, prove_isel, prove_opt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file or directory beneath `tests/equiv`.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/equiv").join(name)
}

/// The pairs of a directory: `.mir` files, and the sources of IR programs.
pub fn files(directory: &str) -> Vec<PathBuf> {
    let path = self::directory(directory);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|p| !p.to_string_lossy().ends_with(".tgt.ll"))
        .collect();
    files.sort();
    files
}

/// Options with the time that a test has.
pub fn options() -> Options {
    Options { time: Duration::from_secs(60), rounds: 2, ..Options::default() }
}

/// An IR module.
pub fn module(path: &Path) -> Module {
    let text = std::fs::read(path).unwrap();
    let module = langs::llvm_ir::parse(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
    assert!(module.damaged.is_empty(), "{}: {:?}", path.display(), module.damaged);
    module
}

/// Reports for every function of a file.
pub fn reports(path: &Path) -> Vec<(String, Report)> {
    let name = path.display().to_string();
    if name.ends_with(".mir") {
        let m = IselFile::parse(&std::fs::read(path).unwrap()).unwrap_or_else(|e| panic!("{name}:{e}"));
        let (functions, lacking) = isel_functions(&m);
        assert!(lacking.is_empty() && !functions.is_empty(), "{name}: {lacking:?}");
        return functions.iter().map(|f| (f.clone(), prove_isel(&m, f, &options()))).collect();
    }
    let (l, r) = (module(path), module(Path::new(&name.replace(".src.ll", ".tgt.ll"))));
    let functions = opt_functions(&l, &r);
    assert!(!functions.is_empty(), "{name}: no function on both sides");
    functions.iter().map(|f| (f.clone(), prove_opt(&l, &r, f, &options()))).collect()
}

/// What a proof rests on.
pub fn stated(report: &Report) -> Vec<Assumption> {
    match &report.verdict {
        Verdict::Conditional { assumptions, .. } => assumptions.keys().copied().collect(),
        Verdict::Proved(_)
        | Verdict::Bounded { .. }
        | Verdict::Refuted(_)
        | Verdict::Unknown(_)
        | Verdict::Unsupported { .. } => Vec::new(),
    }
}
