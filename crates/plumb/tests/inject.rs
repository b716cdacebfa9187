//! `plumb inject`: faults are the same again, those that matter are not called equivalent, those that do not are run.

mod common;

use common::{Plumb, lines};
use std::collections::BTreeSet;
use std::process::Command;

const PROGRAM: &str = "int add(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }\n\
    void put(long *p, int a, char b) { p[1] = a; ((char *)p)[3] = b; p[2] = a > 7 ? a * 5 : 3; }\n";

fn object(plumb: &Plumb, compiler: &str, options: &[&str], source: (&str, &str)) {
    plumb.file(source.0, source.1);
    let mut command = Command::new(compiler);
    command.args(options).args(["-c", source.0, "-o", "p.o"]).current_dir(plumb.dir());
    let status = command.status().expect("a compiler");
    assert!(status.success(), "{compiler} does not compile {}", source.0);
}

#[test]
fn faults_are_caught_or_do_not_matter() {
    let plumb = Plumb::new();
    object(&plumb, "gcc", &["-O2", "-fno-tree-vectorize"], ("p.c", PROGRAM));
    let words = [
        "inject",
        "p.o",
        "--count",
        "14",
        "--seed",
        "3",
        "--diff",
        "--states",
        "40",
        "--timeout",
        "5s",
        "--json",
    ];
    let done = plumb.run(&words);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let told = lines(&done.stdout);
    let summary = told.last().expect("a summary");
    assert_eq!((&summary["type"], &summary["faults"]), (&"summary".into(), &14.into()), "{summary}");
    assert_eq!(summary["outcomes"]["missed"], serde_json::Value::Null, "{summary}");
    assert!(summary["outcomes"]["different"].as_u64() >= Some(5), "{summary}");
    for line in &told[..told.len() - 1] {
        let bad = matches!(line["verdict"].as_str(), Some("different")) != (line["outcome"] == "different");
        assert!(!bad && line["fault"]["before"] != line["fault"]["after"], "{line}");
    }
}

#[test]
fn the_same_seed_makes_the_same_faults_and_neighbours_make_others() {
    let plumb = Plumb::new();
    object(&plumb, "gcc", &["-O2"], ("p.c", PROGRAM));
    let faults = |jobs: &str, seed: &str| -> Vec<String> {
        let done = plumb.run(&["inject", "p.o", "-n", "40", "--seed", seed, "--jobs", jobs, "--json"]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        lines(&done.stdout).iter().map(|line| line["fault"].to_string()).collect()
    };
    let first = faults("1", "1");
    assert_eq!(first, faults("2", "1"));
    assert_ne!(first, faults("1", "2"));
    let distinct: BTreeSet<&String> = first.iter().collect();
    assert!(distinct.len() > 20, "{} distinct faults of 40: {first:#?}", distinct.len());
}

#[test]
fn faulty_objects_are_kept_and_differ_from_the_sound_one() {
    let plumb = Plumb::new();
    object(&plumb, "gcc", &["-O2"], ("p.c", PROGRAM));
    let done =
        plumb.run(&["inject", "p.o", "-n", "6", "-o", "faulty", "--kinds", "opcode,constant,store,symbol"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let sound = std::fs::read(plumb.dir().join("p.o")).expect("an object");
    for n in 0..6 {
        let faulty = std::fs::read(plumb.dir().join(format!("faulty/fault.{n}.o"))).expect("a faulty object");
        let changed = sound.iter().zip(&faulty).filter(|(a, b)| a != b).count();
        assert!(sound.len() == faulty.len() && (1..=15).contains(&changed), "{n}: {changed} bytes");
    }
}

#[test]
fn landing_pads_that_move_are_no_equivalence() {
    let plumb = Plumb::new();
    let text = "void f(); int g(int x) { try { f(); } catch (int n) { return n + x; } catch (...) { return 2; } return 3; }\n";
    object(&plumb, "g++", &["-O2"], ("p.cc", text));
    let done = plumb.run(&["inject", "p.o", "-n", "2", "--kinds", "landing-pad", "--diff", "--json"]);
    let told = lines(&done.stdout);
    assert_eq!((done.code, told.len()), (0, 3), "{}{}", done.stdout, done.stderr);
    for line in &told[..2] {
        assert_eq!(
            (&line["fault"]["kind"], &line["outcome"]),
            (&"landing-pad".into(), &"open".into()),
            "{line}"
        );
    }
}

#[test]
fn bad_input_is_named() {
    let plumb = Plumb::new();
    plumb.file("text.o", "no object\n");
    object(&plumb, "gcc", &["-O2"], ("p.c", PROGRAM));
    let cases: &[(&[&str], u8, &str)] = &[
        (&["inject", "nowhere.o"], 2, "nowhere.o"),
        (&["inject", "text.o"], 2, "expected an ELF object"),
        (&["inject", "p.o", "--kinds", "opcodes"], 2, "expected opcode, register"),
        (&["inject", "p.o", "--old", "p.o"], 2, "--diff"),
        (&["inject", "p.o", "--kinds", "landing-pad", "-n", "1"], 4, "no fault"),
    ];
    for (words, code, expected) in cases {
        let done = plumb.run(words);
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(done.code == i32::from(*code) && said.contains(expected), "{words:?}: {} {said}", done.code);
    }
}

/// `benches/inject.sh` goes on after each exit code that leaves something to count: also where a fault could not be run.
#[test]
fn the_bench_goes_on_after_faults_that_were_not_run() {
    let ends = |code: u8| {
        let script =
            format!("set -eu; . benches/sources.sh; ending_with '0 1 5' sh -c 'exit {code}'; echo went on");
        let done = Command::new("sh").args(["-c", &script]).current_dir(common::repository()).output();
        String::from_utf8_lossy(&done.expect("a shell").stdout).into_owned()
    };
    for (code, told) in [(0, "went on\n"), (1, "went on\n"), (5, "went on\n"), (2, ""), (4, ""), (139, "")] {
        assert_eq!(ends(code), told, "exit code {code}");
    }
    let bench = std::fs::read_to_string(common::repository().join("benches/inject.sh")).expect("the bench");
    assert!(bench.contains("ending_with '0 1 5' \"$plumb\" inject"), "{bench}");
}
