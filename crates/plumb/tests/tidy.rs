//! House rules as a test: what the crates may depend on, where processes start, and what every file begins with.

mod common;

use common::repository;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Direct dependencies of each of our crates on our crates, without the `plumb-` of package names: (normal, dev).
fn edges() -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let cargo = env!("CARGO");
    let manifest = repository().join("Cargo.toml").display().to_string();
    let words = [cargo, "metadata", "--no-deps", "--format-version", "1", "--manifest-path", &manifest];
    let done = common::shell(&words);
    let metadata: Value = serde_json::from_str(&done.stdout).expect("cargo metadata");
    let short = |name: &Value| name.as_str().expect("a name").trim_start_matches("plumb-").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let of = |package: &Value, dev: bool| {
        let wanted = |d: &&Value| (d["kind"] == "dev") == dev && ours.iter().any(|name| d["name"] == *name);
        package["dependencies"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(wanted)
            .map(|d| short(&d["name"]))
            .collect()
    };
    packages.iter().map(|p| (short(&p["name"]), (of(p, false), of(p, true)))).collect()
}

fn reaches(edges: &BTreeMap<String, (Vec<String>, Vec<String>)>, from: &str, to: &str) -> bool {
    let direct = &edges[from].0;
    direct.iter().any(|next| next == to || reaches(edges, next, to))
}

/// What each crate may depend on outside dev-dependencies: the house of the design.
const ALLOWED: &[(&str, &[&str])] = &[
    ("csyntax", &[]),
    ("machine", &["csyntax"]),
    ("generate", &["csyntax"]),
    ("mutate", &["csyntax", "machine"]),
    ("reduce", &["csyntax", "machine", "toolchain"]),
    ("nursery", &[]),
    ("toolchain", &[]),
    ("preprocess", &[]),
    ("frontend", &["csyntax", "preprocess", "toolchain"]),
    ("campaign", &["csyntax", "machine", "generate", "mutate", "frontend", "reduce", "toolchain"]),
    ("remote", &["campaign", "toolchain"]),
    ("serve", &["campaign"]),
    ("smt", &["toolchain"]),
    ("equiv", &["smt"]),
    ("langs", &["equiv", "smt"]),
    ("crossver", &["langs", "equiv", "smt", "toolchain"]),
    (
        "plumb",
        &[
            "campaign",
            "remote",
            "serve",
            "frontend",
            "csyntax",
            "machine",
            "generate",
            "mutate",
            "reduce",
            "toolchain",
            "equiv",
            "langs",
            "nursery",
            "crossver",
        ],
    ),
];

#[test]
fn crates_depend_on_what_the_design_allows() {
    let edges = edges();
    for (name, (normal, _)) in &edges {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| known == name) else {
            panic!("{name}: say in this test what it may depend on");
        };
        for dependency in normal {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn generator_and_oracle_stay_independent() {
    let edges = edges();
    assert!(!reaches(&edges, "generate", "machine"));
    assert!(!reaches(&edges, "machine", "generate"));
}

/// All files beneath our crates and tests with this ending.
fn sources(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![repository().join("crates")];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).expect("readable").flatten() {
            let path = entry.path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 50, "only {} files", found.len());
    found
}

/// Library code: not tests, examples or benchmarks.
fn is_library(path: &Path) -> bool {
    let shown = path.display().to_string();
    !["/tests/", "/examples/", "/benches/"].iter().any(|part| shown.contains(part))
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in sources("rs") {
        let text = std::fs::read_to_string(&path).expect("text");
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! ") && first.len() > 8, "{}: begins with `{first}`", path.display());
    }
}

#[test]
fn only_toolchain_starts_processes() {
    for path in sources("rs").iter().filter(|path| is_library(path)) {
        if path.starts_with(repository().join("crates/toolchain")) {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("text");
        for word in
            ["std::process::Command", "process::{Command", "Command::new(", "libc::fork", "libc::exec"]
        {
            assert!(!text.contains(word), "{}: `{word}`; use toolchain::process", path.display());
        }
    }
}

#[test]
fn equivalence_knows_no_language_and_only_smt_a_solver() {
    let in_crate = |path: &Path, name: &str| path.starts_with(repository().join("crates").join(name));
    for path in sources("rs").iter().filter(|path| is_library(path)) {
        let text = std::fs::read_to_string(path).expect("text").to_lowercase();
        if in_crate(path, "equiv") {
            for word in ["llvm", "x86", "aarch64", "riscv"] {
                assert!(!text.contains(word), "{}: names `{word}`", path.display());
            }
        }
        if ["equiv", "langs", "crossver"].iter().any(|name| in_crate(path, name)) {
            for word in ["z3", "cvc5", "bitwuzla", "boolector", "cadical"] {
                assert!(!text.contains(word), "{}: names the solver `{word}`", path.display());
            }
        }
    }
}

/// Where verdicts are made, and the files there that read words of others: each with whose.
const JUDGES: [&str; 9] = [
    "equiv/src",
    "smt/src",
    "langs/src/pairs",
    "plumb/src/commands/prove",
    "plumb/src/commands/diff",
    "campaign/src/hunt",
    "crossver/src/equality",
    "crossver/src/replay",
    "crossver/src/proof.rs",
];
const READERS: [(&str, &str); 15] = [
    ("equiv/src/guess/hints.rs", "hints"),
    ("smt/src/bv.rs", "numbers of certificates"),
    ("smt/src/print.rs", "SMT-LIB"),
    ("smt/src/solver/external.rs", "SMT-LIB and what solvers say on standard error"),
    ("langs/src/pairs/accesses.rs", "names of Machine IR"),
    ("langs/src/pairs/beyond.rs", "names of intrinsics"),
    ("langs/src/pairs/frame.rs", "names of Machine IR"),
    ("langs/src/pairs/objects.rs", "names of intrinsics"),
    ("langs/src/pairs/promised.rs", "attributes of LLVM IR"),
    ("langs/src/pairs/results.rs", "linkage of LLVM IR"),
    ("plumb/src/commands/prove/input.rs", "compilers' options and the first lines of files"),
    ("plumb/src/commands/prove/native.rs", "what a linker says, to show it"),
    ("campaign/src/hunt/elsewhere.rs", "what a driver of programs says"),
    ("crossver/src/equality", "names of sections and producers"),
    ("crossver/src/replay/steps.rs", "what a driver of functions says"),
];

#[test]
fn verdicts_are_not_read_out_of_words() {
    let is_in = |path: &Path, part: &str| path.starts_with(repository().join("crates").join(part));
    let asks = [
        "starts_with(\"",
        "ends_with(\"",
        "contains(\"",
        "strip_prefix(\"",
        "strip_suffix(\"",
        "split_once(\"",
    ];
    let (mut judges, mut readers) = (0, 0);
    for path in sources("rs").iter().filter(|path| JUDGES.iter().any(|part| is_in(path, part))) {
        let text = std::fs::read_to_string(path).expect("text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let found = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let found: Vec<&str> = found.filter(|line| asks.iter().any(|ask| line.contains(ask))).collect();
        let reads = READERS.iter().any(|(part, _)| is_in(path, part));
        assert!(reads || found.is_empty() || is_test(path), "{}: {found:?}", path.display());
        judges += 1;
        readers += usize::from(reads && !found.is_empty());
    }
    println!("{judges} files that judge, {readers} of which read words of others, none its own");
    assert!(judges > 150 && readers >= READERS.len(), "{judges} files, {readers} readers");
}

/// A file of tests beside the code.
fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "tests")
        || path.components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn nothing_is_left_to_do() {
    // Put together here, so that this file does not hold what it looks for.
    let marks =
        [["to", "do!("], ["unimple", "mented!("], ["FIX", "ME"], ["X", "XX"]].map(|parts| parts.concat());
    for path in sources("rs") {
        let text = std::fs::read_to_string(&path).expect("text");
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{}: `{mark}`", path.display());
        }
    }
}

/// Reading a crate to find no example in its documentation takes seconds: those without any say so in their manifest.
#[test]
fn examples_of_documentation_are_run() {
    let crates = repository().join("crates");
    let mut all = BTreeMap::new();
    for path in sources("rs").into_iter().filter(|path| is_library(path)) {
        let text = std::fs::read_to_string(&path).expect("text");
        let fence = |line: &str| {
            let words = line.trim_start().strip_prefix("//")?.strip_prefix(['/', '!'])?;
            words.trim_start().strip_prefix("```").map(|info| !info.starts_with("text"))
        };
        // Every second fence ends what the one before began.
        let runs = text.lines().filter_map(fence).step_by(2).any(|runs| runs);
        let inside = path.strip_prefix(&crates).expect("below the crates");
        *all.entry(inside.iter().next().expect("a crate").to_owned()).or_insert(false) |= runs;
    }
    assert!(all.values().any(|runs| *runs), "no crate has an example in its documentation");
    for (name, runs) in all {
        let manifest = std::fs::read_to_string(crates.join(&name).join("Cargo.toml")).expect("a manifest");
        if manifest.contains("[lib]") {
            let left_out = manifest.contains("doctest = false");
            assert_eq!(left_out, !runs, "{}: `doctest = false` and examples do not agree", name.display());
        }
    }
}

#[test]
fn registries_are_const_slices() {
    let registries = [
        ("crates/campaign/src/sources/mod.rs", "pub const SOURCES: &["),
        ("crates/campaign/src/oracles/mod.rs", "pub const ORACLES: &["),
        ("crates/toolchain/src/crash/mod.rs", "pub const RECOGNISERS: &["),
        ("crates/equiv/src/guess/mod.rs", "pub(crate) const GUESSES: &["),
        ("crates/langs/src/assumption.rs", "pub const ALL: &["),
        ("crates/machine/src/ub.rs", "pub const ALL: &["),
        ("crates/reduce/src/passes/mod.rs", "pub const PASSES: &["),
        ("crates/generate/src/options.rs", "pub const SWITCHES: &["),
        ("crates/generate/src/constructs/mod.rs", "const STATEMENTS: &["),
        ("crates/generate/src/constructs/mod.rs", "const EXPRESSIONS: &["),
    ];
    for (file, declaration) in registries {
        let text = std::fs::read_to_string(repository().join(file)).expect(file);
        assert!(text.contains(declaration), "{file}: no `{declaration}`");
    }
}
