//! What users ran into: each test is a thing that went wrong once.

mod common;

use common::{Plumb, finish, lines, repository};
use std::fs::{self, File, OpenOptions};
use std::process::Command;
use std::time::{Duration, Instant};

/// A compiler whose programs return one more than they should, those that hold the word `victim`; by its full path.
fn wrong_compiler(plumb: &Plumb, victim: &str) -> String {
    let plant = "sed -i -E 's/\\bmain\\b/inner_main/' \"$t.s\"; printf '%s\\n' .text '.globl main' 'main:' 'sub $8, %rsp' \
                 'call inner_main' 'inc %eax' 'add $8, %rsp' 'ret' '.section .note.GNU-stack' >>\"$t.s\"";
    // Its probe must work: only programs that hold the word are made wrong.
    let script = format!(
        "#!/bin/sh\nfor word; do case $word in *program.c) file=$word ;; esac; done\n\
         if [ -z \"$file\" ] || ! grep -q {victim} \"$file\"; then exec gcc \"$@\"; fi\n\
         t=$(mktemp -d)/x\ngcc -S -w -o \"$t.s\" \"$file\" || exit 1\n{plant}\n\
         while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n\
         gcc -o \"$out\" \"$t.s\" -lm; code=$?; rm -r \"${{t%/x}}\"; exit $code\n"
    );
    plumb.script("wrong-cc", &script).display().to_string()
}

/// A store with a finding.
fn hunted(plumb: &Plumb) -> Vec<serde_json::Value> {
    fs::create_dir_all(plumb.dir().join("programs")).expect("writable");
    plumb.file("programs/a.c", "int victim = 3;\nint main(void) { return victim; }\n");
    let compiler = wrong_compiler(plumb, "victim");
    let done = plumb.run(&["hunt", "--json", "--from", "programs", "--cc", &compiler, "--levels", "-O0"]);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    lines(&done.stdout)
}

#[test]
fn findings_of_a_read_only_store_can_be_listed() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let shell = |text: &str| {
        let done = finish(Command::new("sh").args(["-c", text]).current_dir(plumb.dir()));
        assert_eq!(done.code, 0, "{text}: {}", done.stderr);
        done.stdout
    };
    shell("chmod -R a-w,a+rX plumb-store && chmod a+rx .");
    // Root may write anywhere: be somebody else for a moment.
    let plain = plumb.command(&["findings", "--json"]);
    let mut command = if shell("id -u").trim() == "0" {
        let mut other = Command::new("setpriv");
        other.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]);
        other.arg(plain.get_program()).args(plain.get_args()).current_dir(plumb.dir());
        other
    } else {
        plain
    };
    let done = finish(&mut command);
    shell("chmod -R u+w plumb-store");
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    assert_eq!(lines(&done.stdout).len(), 2, "{}", done.stdout);
}

#[test]
fn a_full_disk_is_told() {
    let plumb = Plumb::new();
    plumb.file("a.c", "int main(void) { return 0; }\n");
    let pair = repository().join("tests/equiv/equivalent/arithm_seq_sum.mir");
    fs::copy(pair, plumb.dir().join("pair.mir")).expect("readable");
    hunted(&plumb);
    let commands: &[&[&str]] = &[
        &["gen"],
        &["gen", "--seed", "3", "--count", "3", "-o", "many", "--json"],
        &["run", "--json", "a.c"],
        &["emi", "a.c", "-n", "2", "-o", "variants", "--json"],
        &["findings"],
        &["prove", "--json", "pair.mir"],
        &["completions", "bash"],
        &["man", "hunt"],
        &["hunt", "--json", "--cc", "gcc", "--levels", "-O0", "--programs", "2", "--store", "other"],
    ];
    for words in commands {
        let mut command = plumb.command(words);
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let out = command.stdout(full).output().expect("it starts");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(5), "{words:?}: {said}");
        assert!(said.contains("standard output") && said.contains("full"), "{words:?}: {said}");
    }
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let plumb = Plumb::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let out = plumb.command(&["gen"]).stdout(writer).output().expect("it starts");
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_directory_is_known_by_its_contents() {
    let plumb = Plumb::new();
    for dir in ["one", "two"] {
        fs::create_dir(plumb.dir().join(dir)).expect("writable");
        plumb.file(&format!("{dir}/a.c"), "int main(void) { return 1; }\n");
        plumb.file(&format!("{dir}/b.c"), "int main(void) { return 2; }\n");
    }
    let hunt = |dir: &str| {
        let done = plumb.run(&["hunt", "--json", "--from", dir, "--cc", "gcc", "--levels", "-O0"]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        lines(&done.stdout).len() - 1
    };
    assert_eq!(hunt("one"), 2);
    assert_eq!(hunt("two"), 0, "the same programs elsewhere are the same campaign");
    plumb.file("two/b.c", "int main(void) { return 3; }\n");
    assert_eq!(hunt("two"), 2, "other programs are another campaign");
}

#[test]
fn generator_options_are_passed_on_or_refused() {
    let plumb = Plumb::new();
    fs::create_dir(plumb.dir().join("programs")).expect("writable");
    plumb.file("programs/a.c", "int main(void) { return 1; }\n");
    let done = plumb.run(&["hunt", "--from", "programs", "--no-unions", "--cc", "gcc"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(done.stderr.contains("--no-unions"), "{}", done.stderr);
    let log = plumb.dir().join("log");
    let script = format!(
        "#!/bin/sh\ncase $1 in --version) echo 'csmith 9'; exit ;; esac\necho \"$*\" >>{}\n\
         case \" $* \" in *\" --frob \"*|*\" --klee \"*) echo 'unknown option' >&2; exit 255 ;; esac\n\
         echo '/* made */'; echo 'int main(void) {{ return 0; }}'\n",
        log.display()
    );
    fs::create_dir(plumb.dir().join("bin")).expect("writable");
    plumb.script("bin/csmith", &script);
    plumb.file("csmith.h", "");
    let path = format!("{}:{}", plumb.dir().join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let hunt = |words: &[&str]| {
        let plain =
            ["hunt", "--json", "--from", "csmith", "--cc", "gcc", "--levels", "-O0", "--programs", "2"];
        let mut command = plumb.command(&[plain.as_slice(), words].concat());
        finish(command.env("PATH", &path).env("CSMITH_INCLUDE", plumb.dir()))
    };
    let done = hunt(&["--no-unions", "--max-funcs", "3"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let asked = fs::read_to_string(&log).expect("csmith ran");
    assert!(asked.lines().all(|line| line.starts_with("--no-unions --max-funcs 3 --seed ")), "{asked}");
    assert!(asked.lines().count() >= 3, "{asked}");
    let refused = hunt(&["--klee"]);
    assert_eq!(refused.code, 2, "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains("unknown option"), "{}", refused.stderr);
}

const SEED: &str = "#include <stdio.h>\nstatic int g, h = 3;\nstatic int f(int x) { return x + h; }\n\
    int main(void) {\n  if (g) { h = 4; g = h; }\n  for (int i = 0; i < 3; i++) h += f(i);\n  printf(\"%d\\n\", h);\n\
      return 0;\n}\n";

#[test]
fn all_strategies_split_too() {
    let plumb = Plumb::new();
    plumb.file("a.c", SEED);
    let done = plumb.run(&["emi", "a.c", "-n", "6", "-o", "out", "--strategy", "all", "--json"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let split = |line: &serde_json::Value| line["units"].as_array().is_some_and(|units| units.len() > 1);
    assert!(lines(&done.stdout).iter().any(split), "{}", done.stdout);
}

#[test]
fn a_test_that_is_missing_or_never_holds_is_told() {
    let plumb = Plumb::new();
    plumb.file("a.c", SEED);
    let emi = |test: &str| plumb.run(&["emi", "a.c", "-n", "2", "-o", "out", "--minimize", test]);
    let missing = emi("./no-such-test.sh");
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    assert!(missing.stderr.contains("no-such-test.sh"), "{}", missing.stderr);
    plumb.script("never.sh", "#!/bin/sh\nexit 1\n");
    let never = emi("never.sh");
    assert_eq!(never.code, 0, "{}", never.stderr);
    assert!(never.stderr.contains("for no variant"), "{}", never.stderr);
    plumb.script("always.sh", "#!/bin/sh\nexit 0\n");
    assert!(emi("always.sh").stderr.contains("interesting by seed"));
}

#[test]
fn a_generated_program_says_how_to_write_it_again() {
    let plumb = Plumb::new();
    let made = plumb.run(&["gen", "--seed", "7", "--max-funcs", "3", "--no-unions", "--safe-math", "elided"]);
    let first = made.stdout.lines().next().expect("a line");
    let words = first.strip_prefix("/* plumb ").and_then(|l| l.strip_suffix(" */")).expect("a comment");
    let (version, command) = words.split_once(": plumb ").expect("version and command");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let again = plumb.run(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(again.stdout, made.stdout, "{command}");
    let bare = plumb.run(&["gen", "--seed", "7", "--max-funcs", "3", "--no-unions", "--concise"]);
    assert!(!bare.stdout.starts_with("/* plumb"), "{}", bare.stdout);
    plumb.file("a.c", &made.stdout);
    assert_eq!(plumb.run(&["run", "a.c"]).code, 0);
}

#[test]
fn a_finding_names_the_command_of_its_program() {
    let plumb = Plumb::new();
    let wrong = wrong_compiler(&plumb, "checksum");
    let hunt = ["hunt", "--json", "--levels", "-O0", "--programs", "1", "--seed", "5", "--cc", &wrong];
    let done = plumb.run(&hunt);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let id = lines(&done.stdout)[0]["findings"][0]["id"].as_str().expect("an id").to_owned();
    let facts = lines(&plumb.run(&["show", &id, "--json"]).stdout).remove(0);
    let command = facts["source_command"].as_str().expect("a command");
    assert!(command.starts_with("plumb gen --seed 5 "), "{command}");
    let shown = plumb.run(&["show", &id]).stdout;
    assert!(shown.contains(command), "{shown}");
    // The command gives the very program of the finding.
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--concise"]).collect();
    let kept = fs::read_to_string(plumb.store().join("findings").join(&id).join("program.c")).expect("kept");
    // What is kept has been preprocessed: where it has directives, line markers were put above it.
    let text: Vec<&str> = kept.lines().filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(plumb.run(&words).stdout.lines().collect::<Vec<_>>(), text);
}

#[test]
fn what_its_own_reproducer_denies_is_no_alarm() {
    let plumb = Plumb::new();
    fs::create_dir(plumb.dir().join("programs")).expect("writable");
    plumb.file("programs/a.c", "int victim;\nint main(void) { return victim; }\n");
    // It crashes only on files named by a full path, which reproducers do not use.
    let compiler = plumb.script(
        "moody-cc",
        "#!/bin/sh\nfor word; do case $word in /*/program.c) grep -q victim \"$word\" && \
         { echo 'program.c:1: internal compiler error: Segmentation fault' >&2; exit 4; } ;; esac; done\n\
         exec gcc \"$@\"\n",
    );
    let compiler = compiler.display().to_string();
    let done = plumb.run(&["hunt", "--json", "--from", "programs", "--cc", &compiler, "--levels", "-O0"]);
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["inconclusive"]["reproducer-denies: crash"], 1, "{summary}");
    let left = fs::read_dir(plumb.store().join("findings")).expect("there").count();
    assert_eq!(left, 0, "the directory of the alarm is gone");
}

#[test]
fn a_hunt_ends_when_its_time_is_over() {
    let plumb = Plumb::new();
    let sleeper = plumb.script("sleepy-cc", "#!/bin/sh\nexec sleep 60\n").display().to_string();
    // It answers, and then never compiles anything that a program calls itself.
    let half = plumb.script(
        "slow-cc",
        "#!/bin/sh\nfor word; do case $word in *program.c) \
         grep -q 'victim' \"$word\" && exec sleep 60 ;; esac; done\nexec gcc \"$@\"\n",
    );
    let half = half.display().to_string();
    fs::create_dir(plumb.dir().join("programs")).expect("writable");
    plumb.file("programs/a.c", "int victim;\nint main(void) { return victim; }\n");
    for compiler in [&sleeper, &half] {
        let begun = Instant::now();
        let done = plumb.run(&[
            "hunt", "--json", "--for", "2s", "--from", "programs", "--cc", compiler, "--levels", "-O0",
        ]);
        let spent = begun.elapsed();
        assert!(spent < Duration::from_secs(15), "{compiler}: {spent:?}");
        assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    }
}

#[test]
fn a_hunt_reads_and_runs_programs_as_it_is_told() {
    let plumb = Plumb::new();
    for dir in ["programs", "headers"] {
        fs::create_dir(plumb.dir().join(dir)).expect("writable");
    }
    plumb.file("headers/base.h", "enum { BASE = 7 };\n");
    let text = "#include <stdio.h>\n#include \"base.h\"\n#ifndef PLUS\n#error no PLUS\n#endif\n\
        int main(int n, char **v) { int c = getchar(); printf(\"%d %s %c\\n\", n, n > 1 ? v[1] : \"-\", c);\n\
        return BASE + PLUS; }\n";
    plumb.file("programs/a.c", text);
    plumb.file("input", "xyz");
    let plain = ["hunt", "--json", "--from", "programs", "--cc", "gcc", "--levels", "-O0"];
    let without = plumb.run(&plain);
    assert_eq!(lines(&without.stdout)[0]["verdict"], "rejected", "{}", without.stdout);
    let options = ["-I", "headers", "-D", "PLUS=2", "--stdin", "input", "--argv", "one two"];
    let with = plumb.run(&[plain.as_slice(), &options].concat());
    assert_eq!(with.code, 0, "{}{}", with.stdout, with.stderr);
    assert_eq!(lines(&with.stdout)[0]["verdict"], "pass", "{}", with.stdout);
    // They belong to the campaign.
    let other = plumb.run(&[plain.as_slice(), &options[..6], &["--argv", "two"]].concat());
    assert_eq!(lines(&other.stdout).len(), 2, "{}", other.stdout);
    // The reproducer gives the program the same.
    let wrong = wrong_compiler(&plumb, "victim");
    plumb.file("programs/a.c", text.replace("int main", "int victim;\nint main"));
    let done = plumb.run(&[&plain[..4], &["--cc", &wrong, "--levels", "-O0"], &options[..]].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let id = lines(&done.stdout)[0]["findings"][0]["id"].as_str().expect("an id").to_owned();
    let script = plumb.store().join("findings").join(&id).join("repro.sh");
    let ran = finish(Command::new("sh").arg(script));
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("3 one x"), "{}", ran.stdout);
}

#[test]
fn reasons_take_ten_lines_at_most() {
    let plumb = Plumb::new();
    fs::create_dir(plumb.dir().join("programs")).expect("writable");
    let undefined = [
        "int x; return x;",
        "int x = 2147483647; return (x + n) != 0;",
        "return 1 / (n - 1);",
        "return 1 << (n + 40);",
        "int *p = 0; return *p;",
        "int a[2] = {0}; return a[n + 1];",
        "int a[2] = {0}; int *p = a + n + 2; return p == a;",
        "int k = n; k = k++ + k++; return k;",
        "float f = 1; return *(int *)&f;",
        "const int k = 1; *(int *)&k = 2; return k;",
        "double d = 1e30 * n; return (int)d;",
        "char *s = \"x\"; *s = 'y'; return 0;",
        "int a, b; return &a < &b;",
    ];
    for (number, body) in undefined.iter().enumerate() {
        plumb.file(&format!("programs/{number}.c"), format!("int main(int n, char **v) {{ {body} }}\n"));
    }
    let hunt = ["hunt", "--from", "programs", "--cc", "gcc", "--levels", "-O0"];
    let done = plumb.run(&hunt);
    let lines = done.stdout.lines().filter(|line| line.starts_with("  rejected ")).count();
    assert_eq!(lines, 10, "{}", done.stdout);
    assert!(done.stdout.contains("other reasons"), "{}", done.stdout);
}

#[test]
fn bad_usage_is_an_object_with_json() {
    let plumb = Plumb::new();
    let file = plumb.file("empty.c", "");
    let file = file.display().to_string();
    let commands: &[&[&str]] = &[
        &["run", "--json", "--frobnicate"],
        &["run", "--json", "no-such-file.c"],
        &["run", "--json", &file],
        &["hunt", "--json", "--strategy", "frob"],
        &["gen", "--json", "--max-funcs", "many"],
        &["emi", "--json", "no-such-file.c", "-o", "out"],
        &["findings", "--json", "--kind", "frob"],
        &["show", "--json", "x"],
    ];
    for words in commands {
        let done = plumb.run(words);
        assert_eq!(done.code, 2, "{words:?}: {}", done.stderr);
        let said = lines(&done.stdout);
        assert_eq!(said.len(), 1, "{words:?}: {}", done.stdout);
        assert_eq!((&said[0]["type"], &said[0]["exit"]), (&"error".into(), &2.into()), "{words:?}");
        assert!(said[0]["message"].as_str().is_some_and(|m| !m.is_empty()), "{words:?}");
    }
}

#[test]
fn an_older_store_is_refused_in_a_line() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let database = plumb.store().join("plumb.sqlite");
    let db = rusqlite::Connection::open(&database).expect("a database");
    db.pragma_update(None, "user_version", 2).expect("writable");
    drop(db);
    let done = plumb.run(&["findings"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(done.stderr.contains("version 2") && done.stderr.lines().count() == 1, "{}", done.stderr);
    assert!(File::open(&database).is_ok());
}

#[test]
fn every_command_shows_errors_with_carets() {
    let plumb = Plumb::new();
    plumb.file("a.c", "int main(void) { return missing; }\n");
    for words in [&["run", "a.c"][..], &["emi", "a.c", "-o", "out"]] {
        let done = plumb.run(words);
        assert_eq!(done.code, 2, "{}", done.stderr);
        assert!(done.stderr.starts_with("a.c:1:25: error: "), "{}", done.stderr);
        assert!(
            done.stderr.contains("return missing; }\n |") && done.stderr.contains("^~~~~~~"),
            "{}",
            done.stderr
        );
    }
}
