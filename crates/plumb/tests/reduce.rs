//! `plumb reduce` as a user runs it: scripts, in place and not, several files, the gate, kills, bad usage.
//!
//! `PLUMB_KILLS` sets how often a reduction is killed (`benches/kill-9` uses 20).

mod common;

use common::{Plumb, lines, shell};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const PROGRAM: &str = "#include <stdio.h>
static int unused(int x) { return x * 2; }
static int add(int a, int b) { return a + b; }
/* The wanted line is in here. */
int main(void) {
    int i, sum = 0;
    for (i = 0; i < 10; i++) { sum = add(sum, i); }
    printf(\"%d\\n\", sum);
    puts(\"wanted\");
    return 0;
}
";

/// Interesting while a C compiler takes it and it prints the wanted line.
const WANTED: &str = "#!/bin/sh
cc -w -O0 a.c -o a.out 2>/dev/null || exit 1
timeout 5 ./a.out | grep -q wanted
";

fn read(path: impl AsRef<Path>) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned()
}

/// Everything in a directory, by name.
fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .expect("readable")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_program_is_reduced_in_place_and_the_original_kept() {
    let plumb = Plumb::new();
    plumb.file("a.c", PROGRAM);
    plumb.script("test.sh", WANTED);
    let done = plumb.run(&["reduce", "a.c", "--test", "test.sh", "--json"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(read(plumb.dir().join("a.c.orig")), PROGRAM);
    let left = read(plumb.dir().join("a.c"));
    assert!(left.contains("wanted") && !left.contains("unused") && left.len() < 60, "{left}");
    assert_eq!(listing(plumb.dir()), ["a.c", "a.c.orig", "test.sh"]);
    let lines = lines(&done.stdout);
    let summary = lines.last().expect("a summary");
    assert_eq!(summary["type"], "summary");
    assert_eq!(summary["bytes"], left.len());
    assert_eq!(summary["bytes_before"], PROGRAM.len());
    let sizes: Vec<u64> =
        lines.iter().filter(|l| l["type"] == "progress").filter_map(|l| l["tokens"].as_u64()).collect();
    assert!(sizes.len() > 2 && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
}

#[test]
fn the_result_is_the_same_with_any_number_of_jobs() {
    let plumb = Plumb::new();
    plumb.file("a.c", PROGRAM);
    plumb.script("test.sh", WANTED);
    let mut results = Vec::new();
    for jobs in ["1", "3"] {
        let done = plumb.run(&["reduce", "a.c", "--test", "./test.sh", "-o", "out/r.c", "--jobs", jobs]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        results.push(read(plumb.dir().join("out/r.c")));
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(read(plumb.dir().join("a.c")), PROGRAM, "with -o the input stays");
    assert_eq!(listing(&plumb.dir().join("out")), ["r.c"]);
}

#[test]
fn several_files_are_one_case() {
    let plumb = Plumb::new();
    std::fs::create_dir(plumb.dir().join("sub")).expect("writable");
    plumb.file("a.c", "int one;\nint wanted_a;\nint two;\n");
    plumb.file("sub/b.h", "int three;\nint wanted_b;\n");
    plumb.script(
        "test.sh",
        "#!/bin/sh\ntouch left-over; mkdir -p x/y\ngrep -q wanted_a a.c && grep -q wanted_b sub/b.h\n",
    );
    let done = plumb.run(&["reduce", "a.c", "sub/b.h", "--test", "test.sh", "-o", "out"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(read(plumb.dir().join("out/a.c")).trim(), "wanted_a");
    assert_eq!(read(plumb.dir().join("out/sub/b.h")).trim(), "wanted_b");
}

/// The gate runs units as one program: the read of the other's object stays a read inside of it.
#[test]
fn units_pass_the_gate_together() {
    let plumb = Plumb::new();
    plumb.file(
        "a.c",
        "extern int a[3]; int n = 2; int main(void) { int unused = 3; return a[n] + unused - 3; }\n",
    );
    plumb.file("b.c", "static int n = 5; int a[3] = { 0, 0, 0 }; int f(void) { return n; }\n");
    plumb.script("test.sh", "#!/bin/sh\ngrep -q 'return a' a.c && grep -q 'a\\[' b.c\n");
    let done = plumb.run(&["reduce", "a.c", "b.c", "--test", "test.sh", "--gate", "-o", "out"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let out = ["out/a.c", "out/b.c"].map(|file| plumb.dir().join(file).display().to_string());
    let run = plumb.run(&["run", &out[0], &out[1]]);
    assert_eq!(run.code, 0, "{}{}", read(plumb.dir().join("out/a.c")), read(plumb.dir().join("out/b.c")));
    assert!(!read(plumb.dir().join("out/a.c")).contains("unused"));
    plumb.file("c.h", "int x;\n");
    let done = plumb.run(&["reduce", "a.c", "c.h", "--test", "test.sh", "--gate", "-o", "other"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("`c.h` is no `.c`"), "{}", done.stderr);
}

#[test]
fn a_script_that_refuses_the_original_is_bad_usage() {
    let plumb = Plumb::new();
    plumb.file("a.c", PROGRAM);
    plumb.script("test.sh", "#!/bin/sh\necho here is why; echo and more >&2; exit 7\n");
    let done = plumb.run(&["reduce", "a.c", "--test", "test.sh"]);
    assert_eq!(done.code, 2);
    for said in ["does not accept the original", "exits with 7", "here is why", "and more"] {
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
    assert_eq!(listing(plumb.dir()), ["a.c", "test.sh"]);
    plumb.file("plain.sh", "exit 0\n");
    for (args, said) in [
        (vec!["reduce", "a.c", "--test", "plain.sh"], "cannot be run"),
        (vec!["reduce", "a.c", "--test", "missing.sh"], "missing.sh"),
        (vec!["reduce", "missing.c", "--test", "test.sh"], "missing.c"),
        (vec!["reduce", "a.c", "--test", "test.sh", "--passes", "nonsense"], "nonsense"),
        (vec!["reduce", "a.c"], "--test"),
    ] {
        let done = plumb.run(&args);
        assert_eq!(done.code, 2, "{args:?}");
        assert!(done.stderr.contains(said), "{args:?}: {}", done.stderr);
    }
}

#[test]
fn a_test_that_does_not_end_is_not_interesting() {
    let plumb = Plumb::new();
    plumb.file("a.txt", "one\ntwo\nthree\n");
    plumb.script("test.sh", "#!/bin/sh\ngrep -q two a.txt || sleep 1000\n");
    let begun = Instant::now();
    let done = plumb.run(&["reduce", "a.txt", "--test", "test.sh", "--timeout", "0.3s"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(read(plumb.dir().join("a.txt")).trim(), "two");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn the_gate_keeps_undefined_programs_out() {
    // Without the gate the initialiser goes, and what is left reads an indeterminate value.
    let text = "int main(void) { int x = 5; int y = x + 1; return y > 0 ? 1 : 2; }\n";
    let test = "#!/bin/sh\ngrep -q 'return' a.c && grep -q x a.c && grep -q 'int' a.c\n";
    let plumb = Plumb::new();
    plumb.file("a.c", text);
    plumb.script("test.sh", test);
    let done = plumb.run(&["reduce", "a.c", "--test", "test.sh", "--gate"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let run = plumb.run(&["run", "a.c"]);
    assert_eq!(run.code, 0, "{}\n{}", read(plumb.dir().join("a.c")), run.stderr);
    plumb.file("b.c", "int main(void) { int x; return x; }\n");
    let done = plumb.run(&["reduce", "b.c", "--test", "test.sh", "--gate"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("not defined"), "{}", done.stderr);
}

/// A larger file and a test that takes a while, to be interrupted.
fn slow(plumb: &Plumb) {
    let mut text = String::new();
    for n in 0..120 {
        text += &format!("int variable_{n} = {n};\nint function_{n}(int x) {{ return x + variable_{n}; }}\n");
    }
    plumb.file("a.c", &text);
    plumb.script(
        "test.sh",
        "#!/bin/sh\nt=$(mktemp); sleep 0.01\ngrep -q variable_17 a.c && grep -q 'x +' a.c && grep -q function_99 a.c\n",
    );
}

/// Waits until no process has the marker in its environment, and nothing lies in a scratch directory of such a process.
fn nothing_runs(marker: &str) {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let alive = shell(&["sh", "-c", &format!("grep -lza '{marker}' /proc/[0-9]*/environ 2>/dev/null")]);
        let myself = format!("/proc/{}/", std::process::id());
        let left: Vec<&str> = alive.stdout.lines().filter(|line| !line.starts_with(&myself)).collect();
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < end, "left: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn killed_reductions_go_on_where_they_stood() {
    let kills: u64 = std::env::var("PLUMB_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let whole = Plumb::new();
    slow(&whole);
    let begun = Instant::now();
    let done = whole.run(&["reduce", "a.c", "--test", "test.sh", "--json"]);
    let time = begun.elapsed();
    assert_eq!(done.code, 0, "{}", done.stderr);
    let tests = lines(&done.stdout).last().and_then(|l| l["tests"].as_u64()).expect("a summary");

    let plumb = Plumb::new();
    slow(&plumb);
    let marker = format!("{}-{}", std::process::id(), plumb.dir().display());
    let start = || {
        let mut command = plumb.command(&["reduce", "a.c", "--test", "test.sh", "--json"]);
        command.env("PLUMB_TEST_MARK", &marker);
        command
    };
    // Moments spread over the whole of it, none of them round.
    let mut seed = 88_172_645_463_325_252u64;
    let mut ended = None;
    for _ in 0..kills {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let share = 0.2 + 0.8 * (seed % 1000) as f64 / 1000.0;
        let said = whole.dir().join("said");
        let output = std::fs::File::create(&said).expect("writable");
        let mut child = start().stdout(output).stderr(Stdio::null()).spawn().expect("it starts");
        let before = std::fs::metadata(plumb.dir().join("a.c")).expect("there").len();
        std::thread::sleep(time.mul_f64(share / kills as f64) + Duration::from_millis(150));
        // It may have been faster than that, with little left to do.
        let _ = child.kill();
        if child.wait().expect("ours").success() {
            ended = Some(read(&said));
            break;
        }
        nothing_runs(&format!("PLUMB_TEST_MARK={marker}"));
        let after = std::fs::metadata(plumb.dir().join("a.c")).expect("there").len();
        assert!(after <= before, "the file grew from {before} to {after} bytes");
    }
    let said = ended.unwrap_or_else(|| {
        let done = common::finish(&mut start());
        assert_eq!(done.code, 0, "{}", done.stderr);
        done.stdout
    });
    assert_eq!(read(plumb.dir().join("a.c")), read(whole.dir().join("a.c")));
    assert_eq!(listing(plumb.dir()), ["a.c", "a.c.orig", "test.sh"]);
    let last = lines(&said).last().and_then(|l| l["tests"].as_u64()).expect("a summary");
    assert!(last < tests, "the last part ran {last} tests, all of it {tests}");
}

#[test]
fn an_interrupt_leaves_the_best_in_place() {
    let plumb = Plumb::new();
    slow(&plumb);
    let size = || std::fs::metadata(plumb.dir().join("a.c")).expect("there").len();
    let before = size();
    let mut command = plumb.command(&["reduce", "a.c", "--test", "test.sh"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let end = Instant::now() + Duration::from_secs(60);
    while size() == before && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert_eq!(shell(&["kill", "-INT", &pid]).code, 0);
    let done = child.wait_with_output().expect("ours");
    assert_eq!(done.status.code(), Some(5), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(size() < before);
    assert_eq!(listing(plumb.dir()), ["a.c", "a.c.journal", "a.c.orig", "test.sh"]);
    // Somebody else's edit is not taken for plumb's.
    plumb.file("a.c", "variable_17 x + function_99 and more\n");
    let done = plumb.run(&["reduce", "a.c", "--test", "test.sh"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("the files have changed"), "{}", done.stderr);
    assert!(plumb.dir().join("a.c.orig.1").exists());
}
