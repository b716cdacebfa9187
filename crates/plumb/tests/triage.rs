//! Triage and reports: planted bugs are blamed on their pass, grouped, decided about and written up.

mod common;

use common::{Done, Plumb, lines, repository};
use serde_json::Value;
use std::path::Path;

/// Two programs that need a negation, two that need an unsigned comparison.
const PROGRAMS: [(&str, &str); 4] = [
    ("negate-1.c", "volatile int x = 21;\nint main(void) { return -x & 63; }\n"),
    (
        "negate-2.c",
        "int printf(const char *, ...);\nvolatile int a = 5, b = 9;\nstatic int f(int n) { return -n; }\n\
         int main(void) { printf(\"%d\\n\", f(a) + f(b)); return 0; }\n",
    ),
    ("above-1.c", "volatile unsigned x = 7;\nint main(void) { return x > 7u; }\n"),
    (
        "above-2.c",
        "int printf(const char *, ...);\nvolatile unsigned x = 7;\n\
         int main(void) { unsigned n = x; printf(\"%d\\n\", n > 7u); return 0; }\n",
    ),
];

/// A compiler with faults, each in a pass: `[pass, fault, ...]`.
fn compiler(faults: &[&str]) -> String {
    format!("{} {}", repository().join("tests/hunt/faulty-pass").display(), faults.join(" "))
}

/// A store with findings of two planted bugs.
fn planted() -> Plumb {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    for (name, text) in PROGRAMS {
        std::fs::write(dir.join(name), text).expect("writable");
    }
    for faults in [["rtl-combine", "negation-32"], ["tree-dse1", "set-above"]] {
        let cc = compiler(&faults);
        let done = plumb.run(&[
            "hunt", "--from", "programs", "--cc", &cc, "--levels", "-O2", "--drawn", "0", "--jobs", "1",
        ]);
        assert_eq!(done.code, 1, "{faults:?}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("distinct bugs"), "{}", done.stdout);
    }
    plumb
}

fn triage(plumb: &Plumb, words: &[&str]) -> (Done, Vec<Value>) {
    let done = plumb.run(&[&["triage", "--json", "--no-reduce"][..], words].concat());
    let lines = lines(&done.stdout);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    (done, lines)
}

fn groups(lines: &[Value]) -> Vec<&str> {
    let mut groups: Vec<&str> = lines.iter().filter_map(|line| line["group"].as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

#[test]
fn planted_bugs_are_blamed_on_their_pass_grouped_and_written_up() {
    let plumb = planted();
    let (_, lines) = triage(&plumb, &[]);
    let summary = lines.last().expect("a summary");
    assert_eq!((&summary["findings"], &summary["distinct"]), (&4.into(), &2.into()), "{summary}");
    for line in &lines[..4] {
        let wanted = match line["signature"].as_str().expect("a signature") {
            "wrong-code gcc: rtl-combine" => ("combine", "rtl", "back"),
            "wrong-code gcc: tree-dse" => ("dse1", "gimple", "middle"),
            other => panic!("{other}: {line}"),
        };
        let pass = &line["culprit"]["pass"];
        assert_eq!((&pass["name"], &pass["kind"]), (&wanted.0.into(), &wanted.1.into()), "{line}");
        assert_eq!(line["stage"], wanted.2, "{line}");
        assert_eq!(line["confidence"]["agreed"], line["confidence"]["runs"], "{line}");
        assert_eq!(line["members"], 2, "{line}");
    }
    decided(&plumb, &lines);
    written_up(&plumb, &lines);
}

/// Merges and splits hold at once, and in later runs.
fn decided(plumb: &Plumb, before: &[Value]) {
    let ids: Vec<&str> = before.iter().filter_map(|line| line["finding"].as_str()).collect();
    let other = before[..4].iter().find(|line| line["group"] != before[0]["group"]).expect("two groups");
    let other = other["finding"].as_str().expect("an identity");
    let (_, merged) = triage(plumb, &["--merge", ids[0], other]);
    assert_eq!(groups(&merged).len(), 1, "{merged:?}");
    let (done, split) = triage(plumb, &["--split", other]);
    assert_eq!(groups(&split).len(), 2, "{}", done.stdout);
    let (_, later) = triage(plumb, &[]);
    assert_eq!(groups(&later), groups(&split));
    assert_eq!(later.last().expect("a summary")["analysed"], 0, "nothing is analysed twice");
    plumb.file("known", "ours: wrong-code gcc: tree-dse\n");
    let (_, known) = triage(plumb, &["--known", "known"]);
    assert_eq!(known[3]["known"], "ours", "{known:?}");
    // The one that was split off, and the group with which the other of them was merged.
    assert_eq!(known.last().expect("a summary")["known"], 2);
}

fn written_up(plumb: &Plumb, lines: &[Value]) {
    let line = lines
        .iter()
        .find(|line| line["signature"] == "wrong-code gcc: rtl-combine" && line["levels"][0].is_object());
    let line = line.expect("one of the group is looked at whole");
    let id = line["finding"].as_str().expect("an identity");
    let done = plumb.run(&["report", id, "-o", "out"]);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let dir = plumb.dir().join("out");
    let text = read(&dir, "report.txt");
    for part in [
        "rtl-combine",
        "back end",
        "Configured with",
        "-fwrapv: still wrong",
        "abstract machine: defined",
        "dg-do run",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(!text.contains("{{") && !text.contains("{%"), "{text}");
    let script = dir.join("repro.sh").display().to_string();
    assert_eq!(common::shell(&[&script]).code, 1, "the reproducer shows it");
    for (form, part) in
        [("llvm", "// RUN: %clang -O2"), ("markdown", "Signature: `wrong-code gcc: rtl-combine`")]
    {
        let done = plumb.run(&["report", id, "--form", form]);
        assert!(done.stdout.contains(part), "{form}: no `{part}` in:\n{}", done.stdout);
    }
    // What GCC's own harness would do with the test: its options, exit status 0, the output of its pattern.
    let test = read(&dir, "test.c");
    assert!(test.starts_with("/* { dg-do run } */\n/* { dg-options \"-O2\" } */\n"), "{test}");
    let built = common::shell(&[
        "gcc",
        "-w",
        "-O2",
        &dir.join("test.c").display().to_string(),
        "-o",
        &dir.join("t").display().to_string(),
    ]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert_eq!(common::shell(&[&dir.join("t").display().to_string()]).code, 0, "{test}");
}

fn read(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// A program with a bit-field.
fn field(n: u32) -> String {
    format!("struct s {{\n    int f{n} : {};\n}} x;\nint main(void) {{ return x.f{n}; }}\n", n + 2)
}

#[test]
fn a_crash_is_one_finding_with_a_count() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    for n in 0..3 {
        std::fs::write(dir.join(format!("field-{n}.c")), field(n)).expect("writable");
    }
    let cc = repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let hunt = ["hunt", "--json", "--from", "programs", "--cc", &cc, "--levels", "-O0,-O2", "--jobs", "1"];
    let done = plumb.run(&hunt);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!((&summary["alarms"]["crash"], &summary["distinct"]), (&6.into(), &1.into()), "{summary}");
    let listed = lines(&plumb.run(&["findings", "--json"]).stdout);
    assert_eq!((listed.len(), &listed[0]["count"]), (2, &6.into()), "{listed:?}");
    let kept = std::fs::read_dir(plumb.store().join("findings")).expect("readable").count();
    assert_eq!(kept, 1, "one directory");
    // Again, with more programs of the same: counted to the same finding.
    std::fs::write(dir.join("field-9.c"), field(9)).expect("writable");
    let done = plumb.run(&hunt);
    assert_eq!(lines(&done.stdout).pop().expect("a summary")["distinct"], 1, "{}", done.stderr);
    assert_eq!(lines(&plumb.run(&["findings", "--json"]).stdout).len(), 2);
}

/// Each level is compiled again with and without `-g`.
#[test]
fn levels_of_code_that_debug_information_changes_are_told() {
    let plumb = Plumb::new();
    let cc = repository().join("tests/hunt/canaries/debug-info").display().to_string();
    let hunt = ["hunt", "--cc", &cc, "--levels", "-O2", "--drawn", "0", "--also", "debug-info"];
    let done = plumb.run(&[&hunt[..], &["--programs", "5", "--alarms", "1", "--jobs", "1"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let (_, lines) = triage(&plumb, &[]);
    let levels = lines[0]["levels"].as_array().expect("levels");
    let seen = |level: &str| {
        let cell = levels.iter().find(|cell| cell["compiler"] == *cc && cell["level"] == level);
        cell.map_or(Value::Null, |cell| cell["seen"]["answer"].clone())
    };
    // The canary makes assembly for -O1 whenever there is debug information.
    assert_eq!((seen("-O1"), seen("-O2")), ("right".into(), "shows".into()), "{levels:?}");
}

/// A pass that loses a read whose value nobody needs: no result shows it.
#[test]
fn a_lost_access_to_a_volatile_object_is_blamed_and_reduced() {
    if let Err(why) = toolchain::accesses::available() {
        eprintln!("not tested: programs cannot be watched here: {why}");
        return;
    }
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let text = "int printf(const char *, ...);\nvolatile int dropped = 3;\nvolatile int kept = 4;\n\
        static int twice(int n) { return n * 2; }\n\
        int main(void) { int n = kept; dropped; printf(\"%d\\n\", twice(n)); dropped = n; return 0; }\n";
    std::fs::write(dir.join("dropped.c"), text).expect("writable");
    let cc = compiler(&["InstCombinePass", "dropped-read"]);
    let run = |words: &[&str]| common::finish(plumb.command(words).env("CANARY_CC", "clang-19"));
    let hunt = ["hunt", "--from", "programs", "--cc", &cc, "--levels", "-O2", "--drawn", "0", "--jobs", "1"];
    let done = run(&[&hunt[..], &["--also", "volatile"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let done = run(&["triage", "--json", "--quick"]);
    let line = lines(&done.stdout).remove(0);
    assert_eq!(line["signature"], "volatile clang: InstCombinePass", "{line}{}", done.stderr);
    assert_eq!(line["confidence"]["agreed"], line["confidence"]["runs"], "{line}");
    let id = line["finding"].as_str().expect("an identity");
    let done = run(&["reduce", "--finding", id, "--json", "--jobs", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let reduced = lines(&done.stdout).pop().expect("a last line");
    assert!(reduced["references"].as_array().is_some_and(|all| !all.is_empty()), "{reduced}");
    let small = plumb.dir().join(reduced["directory"].as_str().expect("a directory"));
    let text = read(&small, "program.c");
    assert!(text.contains("dropped") && !text.contains("twice") && !text.contains("kept"), "{text}");
    assert!(text.contains("volatile"), "{text}");
    let facts: Value = serde_json::from_str(&read(&small, "finding.json")).expect("JSON");
    assert_eq!(facts["accesses"]["difference"], "fewer-reads", "{facts}");
    assert_eq!((&facts["accesses"]["reads"], &facts["accesses"]["reads_seen"]), (&1.into(), &0.into()));
    let script = small.join("repro.sh").display().to_string();
    let shown = common::shell(&["env", "CANARY_CC=clang-19", &script]);
    assert_eq!(shown.code, 1, "{}{}", shown.stdout, shown.stderr);
    // A compiler that keeps its reads is not accused.
    let path = plumb.store().join("findings").join(id).join("finding.json");
    let facts = std::fs::read_to_string(&path).expect("readable");
    std::fs::write(&path, facts.replace("dropped-read", "rotate-count")).expect("writable");
    let done = run(&["reduce", "--finding", id, "--again"]);
    assert_eq!(done.code, 2, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("does not show any more"), "{}", done.stderr);
}

#[test]
fn what_cannot_be_triaged_is_said() {
    let plumb = Plumb::new();
    assert_eq!(plumb.run(&["triage"]).code, 2, "no store");
    plumb.file("known", "no colon\n");
    let done = plumb.run(&["hunt", "--cc", "gcc", "--levels", "-O0", "--programs", "1"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let done = plumb.run(&["triage", "--known", "known"]);
    assert_eq!((done.code, done.stderr.contains("line 1")), (2, true), "{}", done.stderr);
    assert_eq!(plumb.run(&["triage", "x"]).code, 2);
    assert_eq!(plumb.run(&["triage"]).code, 0);
    assert_eq!(plumb.run(&["report", "x"]).code, 2);
    assert_eq!(plumb.run(&["report", "x", "--form", "prose"]).code, 2);
}

/// Where two instances of a pass do the same, neither alone ends the bug; and expansion cannot be left out.
#[test]
fn what_no_single_pass_ends_is_blamed() {
    let planted: [(&[&str], &str); 2] = [
        (&["tree-dse1", "negation-32", "tree-dse2", "negation-32"], "dse1"),
        (&["rtl-expand", "negation-32"], "expand"),
    ];
    for (faults, name) in planted {
        let plumb = Plumb::new();
        plumb.file("negate.c", PROGRAMS[0].1);
        let cc = compiler(faults);
        let words = ["hunt", "--from", ".", "--cc", &cc, "--levels", "-O2", "--drawn", "0", "--store", "s"];
        let done = plumb.run(&words);
        assert_eq!(done.code, 1, "{faults:?}: {}{}", done.stdout, done.stderr);
        let done = plumb.run(&["triage", "--json", "--quick", "--store", "s"]);
        let line = lines(&done.stdout).remove(0);
        assert_eq!(line["culprit"]["pass"]["name"], name, "{line}");
    }
}

#[test]
fn a_pass_of_llvm_is_blamed_by_its_number() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    let text = "volatile int x = 2;\nstatic int f(int n) { return n * 101; }\nint main(void) { return f(x) & 127; }\n";
    std::fs::write(dir.join("multiply.c"), text).expect("writable");
    let cc = compiler(&["InstCombinePass", "multiply-constant"]);
    let run = |words: &[&str]| common::finish(plumb.command(words).env("CANARY_CC", "clang-19"));
    let done = run(&["hunt", "--from", "programs", "--cc", &cc, "--levels", "-O2"]);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let done = run(&["triage", "--json", "--quick"]);
    let line = lines(&done.stdout).remove(0);
    assert_eq!(line["signature"], "wrong-code clang: InstCombinePass", "{line}");
    let pass = &line["culprit"]["pass"];
    assert_eq!((&pass["kind"], &line["stage"]), (&"ir".into(), &"middle".into()), "{line}");
    assert!(pass["number"].as_u64().is_some_and(|number| number > 0), "{line}");
    // It worked on it before it was put into `main`.
    assert_eq!(pass["function"], "f", "{line}");
}

/// Of a program of two units the one that is compiled wrongly is named, and the pass that works on it.
#[test]
fn a_unit_and_its_pass_are_blamed() {
    let planted = [
        ("gcc", "rtl-combine", "negation-32", "combine"),
        ("clang-19", "InstCombinePass", "multiply-constant", "InstCombinePass"),
    ];
    for (real, pass, fault, name) in planted {
        let plumb = Plumb::new();
        std::fs::create_dir_all(plumb.dir().join("programs/two")).expect("writable");
        plumb.file(
            "programs/two/main.c",
            "int f(int);\nvolatile int x = 2;\nint main(void) { return f(x) & 127; }\n",
        );
        plumb.file("programs/two/other.c", "int f(int n) { return (-n ^ 8) + n * 101; }\n");
        let cc = compiler(&[pass, fault]);
        let run = |words: &[&str]| common::finish(plumb.command(words).env("CANARY_CC", real));
        let done = run(&["hunt", "--from", "programs", "--cc", &cc, "--levels", "-O2", "--drawn", "0"]);
        assert_eq!(done.code, 1, "{real}: {}{}", done.stdout, done.stderr);
        let done = run(&["triage", "--json", "--quick"]);
        let line = lines(&done.stdout).remove(0);
        let culprit = &line["culprit"];
        assert_eq!(
            (&culprit["pass"]["name"], &culprit["unit"]),
            (&name.into(), &"unit-1.c".into()),
            "{line}"
        );
    }
}

/// A store with a finding of a clang with a fault in its IR, in one part of it, triaged whole.
fn triaged_ir(part: &str, level: &str) -> Value {
    let plumb = Plumb::new();
    std::fs::create_dir(plumb.dir().join("programs")).expect("writable");
    let text = "volatile int x = 2;\nstatic __attribute__((noinline)) int f(int n) { return n * 101; }\n\
        int main(void) { return f(x) & 127; }\n";
    plumb.file("programs/multiply.c", text);
    let script = r"s/ mul (nsw )?i32 (.*), 101$/ mul i32 \2, 102/";
    let cc = format!("{} '{part}' '{script}'", repository().join("tests/hunt/faulty-ir").display());
    let run = |words: &[&str]| common::finish(plumb.command(words).env("CANARY_CC", "clang-19"));
    let done =
        run(&["hunt", "--from", "programs", "--cc", &cc, "--levels", level, "--drawn", "0", "--jobs", "1"]);
    assert_eq!(done.code, 1, "{part}: {}{}", done.stdout, done.stderr);
    let done = run(&["triage", "--json", "--no-reduce"]);
    lines(&done.stdout).remove(0)
}

#[test]
fn a_broken_pass_of_llvm_is_refuted_with_its_function_and_input() {
    let line = triaged_ir("InstCombinePass on f", "-O2");
    assert_eq!(line["signature"], "wrong-code clang: InstCombinePass", "{line}");
    assert_eq!(line["proof"]["function"], "f", "{line}");
    assert!(line["proof"]["input"].as_str().is_some_and(|input| input.contains(" = ")), "{line}");
}

#[test]
fn front_and_back_ends_are_told_by_compiling_the_ir_again() {
    for part in ["front", "back"] {
        let line = triaged_ir(part, "-O0");
        assert_eq!((&line["stage"], &line["culprit"]["pass"]), (&part.into(), &Value::Null), "{line}");
    }
}

/// Programs of one bug of tcc, the narrowing of a negative `char`, in different dress.
const NARROWED: [(&str, &str); 3] = [
    (
        "a.c",
        "int printf(const char *, ...);\nchar c = -1;\nint main(void) { int n = (unsigned short)c; \
         printf(\"%d\\n\", n); return 0; }\n",
    ),
    (
        "b.c",
        "int printf(const char *, ...);\nstatic signed char t[3] = {1, -2, 3};\n\
         int main(void) { long sum = 0; for (int i = 0; i < 3; i++) sum += (unsigned short)t[i]; \
         printf(\"%ld\\n\", sum); return 0; }\n",
    ),
    (
        "c.c",
        "int printf(const char *, ...);\nstruct s { char a; } v[2] = {{1}, {-5}};\n\
         int main(void) { unsigned u = 7; switch (v[1].a) { case -5: u += (unsigned short)v[1].a >> 8; } \
         printf(\"%u\\n\", u); return 0; }\n",
    ),
];

#[test]
fn a_bug_known_by_its_detour_is_reduced_once() {
    let plumb = Plumb::new();
    let dir = plumb.dir().join("programs");
    std::fs::create_dir(&dir).expect("writable");
    for (name, text) in NARROWED {
        std::fs::write(dir.join(name), text).expect("writable");
    }
    let done = plumb.run(&["hunt", "--from", "programs", "--cc", "tcc", "--jobs", "1"]);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let done = plumb.run(&["triage", "--json", "--jobs", "1"]);
    let lines = lines(&done.stdout);
    assert_eq!(done.stderr.matches("reducing ").count(), 1, "{}", done.stderr);
    let of = |line: &&Value| line["type"] == "triage";
    let all: Vec<&Value> = lines.iter().filter(of).collect();
    assert_eq!(all.len(), 3, "{}", done.stdout);
    for line in &all {
        assert_eq!(
            line["signature"], "wrong-code tcc: conversion of narrow signed to narrow unsigned",
            "{line}"
        );
        let id = line["finding"].as_str().expect("an identity");
        assert_eq!(done.stderr.matches(&format!("{id}: ")).count(), 1, "told once: {}", done.stderr);
    }
    let summary = lines.last().expect("a summary");
    assert_eq!(
        (&summary["distinct"], &summary["unsettled"]),
        (&Value::from(1), &Value::from(0)),
        "{summary}"
    );
}
