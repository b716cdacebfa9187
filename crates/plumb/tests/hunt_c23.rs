//! Hunts with programs in C23: a compiler that takes it only when asked is asked at once, and loses no program; what a
//! compiler does not take is for the others.

mod common;

use common::{Plumb, lines};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const COMPILER: &str = "clang-19";

/// A compiler that copies the options it gets for programs with `constexpr`, `typeof` and `_BitInt` to a file.
fn told(plumb: &Plumb) -> Option<(PathBuf, PathBuf)> {
    let here = std::process::Command::new(COMPILER).arg("--version").output().is_ok();
    if !here {
        eprintln!("{COMPILER} is not here: no hunt in C23");
        return None;
    }
    let (script, log) = (plumb.dir().join("cc"), plumb.dir().join("told"));
    let text = format!(
        "#!/bin/sh\nfor word; do case $word in *.c)\n  grep -q constexpr \"$word\" && grep -q typeof \"$word\" && \
         grep -q _BitInt \"$word\" && echo \"$*\" >>'{}';; esac; done\nexec {COMPILER} \"$@\"\n",
        log.display()
    );
    std::fs::write(&script, text).expect("writable");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("ours");
    std::fs::write(&log, "").expect("writable");
    Some((script, log))
}

#[test]
fn c23_is_asked_for_and_nothing_is_rejected() {
    let plumb = Plumb::new();
    let Some((script, log)) = told(&plumb) else { return };
    let script = script.to_str().expect("UTF-8");
    // Large and full enough that each has all of it.
    let size = ["--tokens", "4000", "--weight", "c23-call=80", "--weight", "bit-precise-call=40"];
    let args = [
        "hunt",
        "--json",
        "--cc",
        script,
        "--levels",
        "-O0,-O2",
        "--drawn",
        "0",
        "--seed",
        "1",
        "--programs",
        "4",
    ];
    let args: Vec<&str> = args.into_iter().chain(["--c23", "--bit-int"]).chain(size).collect();
    let done = plumb.run(&args);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["tested"], 4, "{summary}");
    assert_eq!(summary["results"]["pass"], 8, "{summary}");
    assert_eq!(summary["rejected"].as_object().map(serde_json::Map::len), Some(0), "{summary}");
    let told = std::fs::read_to_string(log).expect("written");
    let (asked, plain): (Vec<&str>, Vec<&str>) = told.lines().partition(|line| line.contains("-std=gnu2x"));
    assert!(asked.len() >= 8, "{told}");
    // Whether it takes C23 unasked is found out once, with a program of its own.
    assert_eq!(plain.len(), 1, "{told}");
}

#[test]
fn programs_are_for_the_compilers_that_take_what_they_have() {
    let plumb = Plumb::new();
    let Some((script, log)) = told(&plumb) else { return };
    let script = script.to_str().expect("UTF-8");
    let programs = 16;
    let count = programs.to_string();
    // No size is given, so that constructs of newer compilers are drawn. tcc has none of them.
    let hunt = |store: &str, compilers: &[&str]| {
        std::fs::write(&log, "").expect("writable");
        let mut args = vec!["hunt", "--json", "--store", store, "--levels", "-O1", "--drawn", "0"];
        args.extend(["--seed", "1", "--programs", &count]);
        compilers.iter().for_each(|cc| args.extend(["--cc", cc]));
        let done = plumb.run(&args);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        let summary = lines(&done.stdout).pop().expect("a summary");
        assert_eq!(summary["tested"], programs, "{summary}");
        let results = summary["results"].as_object().expect("counts").clone();
        assert!(results.iter().all(|(verdict, count)| verdict == "pass" || *count == 0), "{summary}");
        let passed = results["pass"].as_u64().expect("a number");
        // The programs that the compiler was asked about have other levels.
        let full =
            std::fs::read_to_string(&log).expect("written").lines().filter(|l| l.contains("-O1")).count();
        (passed, full, done.stderr)
    };
    let (passed, full, _) = hunt("alone", &[script]);
    assert_eq!(passed, programs);
    assert!(full > 0, "none has C23 and `_BitInt`");
    if std::process::Command::new("tcc").arg("-v").output().is_err() {
        eprintln!("tcc is not here: no hunt beside a compiler without these");
        return;
    }
    let (passed, full, said) = hunt("beside", &[script, "tcc"]);
    assert!(full > 0, "none for the one compiler alone");
    assert!(passed > programs && passed < 2 * programs, "{passed}");
    assert!(said.contains("programs that tcc does not take, with: bit-int, c23, assume"), "{said}");
}

/// A compiler that fails itself on all that it is asked with has not said that it takes it.
#[test]
fn who_crashes_on_every_question_is_given_no_newer_constructs() {
    let plumb = Plumb::new();
    let canary = common::repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let done = plumb.run(&[
        "hunt",
        "--json",
        "--cc",
        &canary,
        "--levels",
        "-O0",
        "--drawn",
        "0",
        "--programs",
        "12",
    ]);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["tested"], 12, "{summary}");
    assert_eq!(summary["inconclusive"].as_object().map(serde_json::Map::len), Some(0), "{summary}");
}
