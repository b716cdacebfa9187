//! `plumb diff`: its lines, its exit codes, and what it says of files that cannot be compared.

mod common;

use common::{Plumb, lines};

const PROGRAM: &str =
    "extern int ext(int);\nint f(int x) { return ext(x) + 3; }\nint g(int x) { return x * VALUE; }\n";

#[test]
fn the_same_program_has_a_line_a_function_and_ends_well() {
    let plumb = Plumb::new();
    plumb.file("p.c", PROGRAM);
    let done = plumb.run(&[
        "diff",
        "--json",
        "--no-cache",
        "--cc",
        "gcc -O2",
        "--cc",
        "gcc -O2 -fno-align-functions",
        "-DVALUE=7",
        "p.c",
    ]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let lines = lines(&done.stdout);
    let functions: Vec<&str> = lines.iter().filter_map(|line| line["function"].as_str()).collect();
    assert_eq!(functions, ["f", "g"]);
    for line in &lines[..2] {
        assert_eq!((&line["type"], &line["verdict"]), (&"function".into(), &"proved".into()), "{line}");
        assert_eq!((&line["by"], &line["how"]), (&"symbol".into(), &"identical".into()), "{line}");
    }
    let summary = lines.last().expect("a summary");
    assert_eq!(
        (&summary["type"], &summary["verdicts"]["proved"]),
        (&"summary".into(), &2.into()),
        "{summary}"
    );
}

#[test]
fn a_difference_is_shown_and_is_no_success() {
    let plumb = Plumb::new();
    plumb.file("p.c", PROGRAM);
    let words = ["diff", "--cc", "gcc -O1 -DVALUE=1007", "--cc", "gcc -O1 -DVALUE=1009", "--no-cache", "p.c"];
    let done = plumb.run(&words);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("p.c: g: different (constant): returned rax 0x"), "{}", done.stdout);
    // The inputs, and both traces side by side.
    let inputs = done.stdout.lines().any(|line| line.trim_start().starts_with("rdi = "));
    let traces = done.stdout.lines().any(|line| line.matches("return rax = 0x").count() == 2);
    assert!(inputs && traces, "{}", done.stdout);
    assert!(!done.stdout.contains("p.c: f:"), "{}", done.stdout);
    let done = plumb.run(&[&words[..], &["--json"]].concat());
    let told = lines(&done.stdout);
    let line = told.iter().find(|line| line["function"] == "g").expect("a line");
    assert_eq!((&line["verdict"], &line["bucket"]), (&"different".into(), &"constant".into()));
    assert_eq!(line["replay"]["finding"]["finding"], "differ");
    // What is known already is told, and does not count.
    plumb.file("known.jsonl", &done.stdout);
    let done = plumb.run(&[&words[..], &["--baseline", "known.jsonl"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("p.c: g: different"), "{}", done.stdout);
    plumb.file(
        "other.jsonl",
        told.iter().map(|line| line.to_string().replace("constant", "operand") + "\n").collect::<String>(),
    );
    let done = plumb.run(&[&words[..], &["--baseline", "other.jsonl"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
}

#[test]
fn differences_are_written_for_code_hosts_and_browsers() {
    let plumb = Plumb::new();
    let more = "#if VALUE == 1007\nint gone(int *p) { return *p / 3; }\n#endif\n";
    plumb.file("p.c", [PROGRAM, more].concat());
    plumb.file("wrong.c", "int f( { return 0; }\n");
    let words = ["diff", "--cc", "gcc -O1 -DVALUE=1007", "--cc", "gcc -O1 -DVALUE=1009", "--no-cache"];
    let out = ["--sarif", "d.sarif", "--markdown", "d.md", "--html", "d.html"];
    let done = plumb.run(&[&words[..], &out, &["p.c", "wrong.c"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let read = |name: &str| std::fs::read_to_string(plumb.dir().join(name)).expect("a report");
    let log: serde_json::Value = serde_json::from_str(&read("d.sarif")).expect("JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|r| r["ruleId"].as_str()).collect();
    assert_eq!(rules, ["different", "only-one-side", "not-compared"], "{log:#}");
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let place = &results[0]["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "p.c");
    assert_eq!(
        (&place["logicalLocations"][0]["name"], &results[0]["properties"]["bucket"]),
        (&"g".into(), &"constant".into())
    );
    let text = read("d.md");
    for part in [
        "| different | 1 |",
        "| constant | a number in the code is another | 1: `g` |",
        "```diff\n",
        "+ return rax = 0x",
    ] {
        assert!(text.contains(part), "no `{part}`: {text}");
    }
    let page = read("d.html");
    for part in ["<!DOCTYPE html>", "<style>", "constant", "return rax = 0x", "wrong.c"] {
        assert!(page.contains(part), "no `{part}`: {page}");
    }
    assert!(!page.contains("<script") && !page.contains("href=\"/"), "a page that needs others: {page}");
}

#[test]
fn files_of_data_alone_are_compared_well() {
    let plumb = Plumb::new();
    plumb.file("d.c", "int table[2] = {1, 2};\n");
    let done = plumb.run(&["diff", "--cc", "gcc -O1", "--cc", "gcc -O2", "--no-cache", "d.c"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("no functions to compare"), "{}", done.stdout);
}

#[test]
fn what_was_compared_is_remembered() {
    let plumb = Plumb::new();
    plumb.file("p.c", PROGRAM);
    let words = ["diff", "--json", "--cc", "gcc -O2", "--cc", "gcc -O1", "-DVALUE=7", "p.c"];
    let (first, second) = (plumb.run(&words), plumb.run(&words));
    assert_eq!(first.code, second.code);
    let (mut first, mut second) = (lines(&first.stdout), lines(&second.stdout));
    for summary in [first.last_mut(), second.last_mut()].into_iter().flatten() {
        summary["seconds"] = 0.into();
    }
    assert_eq!(first, second);
    // Also how long a proof took, then.
    assert!(first.iter().any(|line| line["ms"].is_number()), "{first:?}");
}

#[test]
fn open_pairs_are_proved_in_workers_within_limits() {
    let plumb = Plumb::new();
    plumb.file("p.c", PROGRAM);
    let words = ["diff", "--json", "--no-cache", "--cc", "gcc -O2", "--cc", "gcc -O1", "-DVALUE=7", "p.c"];
    let done = plumb.run(&[&words[..], &["--jobs", "2"]].concat());
    let told = lines(&done.stdout);
    assert!(told.iter().any(|line| line["how"] == "proof"), "{}", done.stdout);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    // Less time than a proof takes: no verdict, and not the exit code of one.
    let done = plumb.run(&[&words[..], &["--timeout", "0.000001s"]].concat());
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    // What is not in a sample is counted as such.
    let done = plumb.run(&[&words[..], &["--sample", "1000000"]].concat());
    let told = lines(&done.stdout);
    let summary = told.last().expect("a summary");
    assert!(summary["skipped"].as_u64() > Some(0), "{summary}");
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
}

#[test]
fn projects_come_from_lists_of_commands() {
    let plumb = Plumb::new();
    plumb.file("p.c", PROGRAM);
    let dir = plumb.dir().display().to_string();
    let entry =
        serde_json::json!([{ "directory": dir, "file": "p.c", "command": "cc -O1 -DVALUE=3 -c p.c -o p.o" }]);
    plumb.file("compile_commands.json", entry.to_string());
    let done = plumb.run(&["diff", "--cc", "gcc", "--cc", "gcc", "--no-cache", "--project", "."]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("2 function pairs: 2 proved"), "{}", done.stdout);
}

#[test]
fn bad_input_is_named() {
    let plumb = Plumb::new();
    plumb.file("empty.o", "");
    plumb.file("text.o", "no object\n");
    plumb.file("short.o", b"\x7fELF\x02\x01\x01".as_slice());
    plumb.file("wrong.c", "int f( { return 0; }\n");
    let cases: &[(&[&str], &[&str])] = &[
        (&["diff", "nowhere.o", "text.o"], &["nowhere.o"]),
        (&["diff", "empty.o", "empty.o"], &["empty.o", "empty"]),
        (&["diff", "text.o", "text.o"], &["text.o", "expected an ELF object"]),
        (&["diff", "short.o", "short.o"], &["short.o", "damaged"]),
        (&["diff", "text.o"], &["two files"]),
        (&["diff", "--cc", "gcc", "wrong.c"], &["two compilers"]),
        (&["diff", "--cc", "gcc", "--cc", "gcc"], &["nothing to compile"]),
        (&["diff", "--cc", "gcc", "--cc", "gcc", "wrong.c"], &["wrong.c", "error"]),
        (&["diff", "--cc", "nosuchcc", "--cc", "gcc", "wrong.c"], &["nosuchcc", "no such program"]),
    ];
    for (words, expected) in cases {
        let done = plumb.run(words);
        assert_eq!(done.code, 2, "{words:?}: {}{}", done.stdout, done.stderr);
        for word in *expected {
            assert!(done.stderr.contains(word), "{words:?}: no `{word}` in: {}", done.stderr);
        }
        assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    }
}
