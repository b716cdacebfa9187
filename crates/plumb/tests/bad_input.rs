//! Bad input: each case gets one clear message saying what, where and what to do, and the documented exit code.

mod common;

use common::{Done, Plumb, lines};

/// The message must name the thing and carry no sign of a panic.
fn clear(done: &Done, code: i32, words: &[&str]) {
    assert_eq!(done.code, code, "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "no `{word}` in: {}", done.stderr);
    }
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    assert_eq!(done.stdout, "", "stdout is for answers");
}

#[test]
fn files_that_are_no_c_program() {
    let plumb = Plumb::new();
    plumb.file("empty.c", "");
    plumb.file("blank.c", "\n \t\n");
    plumb.file("binary.c", b"\x7fELF\x00\x01\x02");
    plumb.file("latin.c", b"int main(void) { return \xe9; }\n");
    plumb.file("prose.c", "This is a letter, not a program.\n");
    plumb.file("missing-brace.c", "int main(void) {\n  return 0\n");
    plumb.file("include.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    std::fs::create_dir(plumb.dir().join("dir.c")).expect("writable");
    let cases: &[(&str, &[&str])] = &[
        ("nowhere.c", &["nowhere.c", "no such file"]),
        ("empty.c", &["empty.c", "empty"]),
        ("blank.c", &["blank.c", "empty"]),
        ("binary.c", &["binary.c", "binary"]),
        ("latin.c", &["latin.c:1:25: error:"]),
        ("prose.c", &["prose.c:1:", "error:"]),
        ("missing-brace.c", &["missing-brace.c:", "error:", "expected", "^"]),
        ("include.c", &["include.c", "nowhere.h"]),
        ("dir.c", &["dir.c", "directory"]),
    ];
    for (name, words) in cases {
        clear(&plumb.run(&["run", name]), 2, words);
    }
}

#[test]
fn unreadable_files_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let plumb = Plumb::new();
    let path = plumb.file("secret.c", "int main(void) { return 0; }\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0)).expect("its owner's");
    if std::fs::read(&path).is_ok() {
        eprintln!("this user may read everything: nothing to test");
        return;
    }
    clear(&plumb.run(&["run", "secret.c"]), 2, &["secret.c", "permission denied"]);
}

#[test]
fn a_hundred_megabytes_of_parentheses() {
    let plumb = Plumb::new();
    plumb.file("deep.c", vec![b'('; 100 << 20]);
    let done = plumb.run(&["run", "deep.c"]);
    clear(&done, 2, &["deep.c", "error:"]);
    assert!(done.stderr.len() < 20_000, "{} bytes of messages", done.stderr.len());
}

#[test]
fn verdicts_have_their_exit_codes() {
    let plumb = Plumb::new();
    plumb.file("defined.c", "int main(void) { return 7; }\n");
    plumb.file("undefined.c", "int main(int n, char **v) {\n  int x = 2147483647;\n  return x + n;\n}\n");
    plumb.file("endless.c", "int main(void) { volatile int x = 1; while (x) {} return 0; }\n");
    assert_eq!(plumb.run(&["run", "defined.c"]).code, 0);
    assert_eq!(plumb.run(&["run", "--propagate-exit", "defined.c"]).code, 7);
    let place = ["undefined.c:3:", "signed-overflow", "return x + n;", "^"];
    clear(&plumb.run(&["run", "undefined.c"]), 3, &place);
    clear(&plumb.run(&["run", "--max-steps", "10000", "endless.c"]), 5, &["steps", "--max-steps"]);
    let json =
        |file: &str| lines(&plumb.run(&["run", "--json", "--max-steps", "10000", file]).stdout).remove(0);
    assert_eq!(json("defined.c")["verdict"], "defined");
    assert_eq!(json("defined.c")["exit"], 7);
    assert_eq!(json("undefined.c")["ub"]["name"], "signed-overflow");
    assert_eq!(json("undefined.c")["ub"]["at"]["line"], 3);
    assert_eq!(json("endless.c")["verdict"], "exhausted");
}

#[test]
fn bad_usage() {
    let plumb = Plumb::new();
    let cases: &[(&[&str], &[&str])] = &[
        (&["hunt", "--for", "soon"], &["soon", "10m"]),
        (&["hunt", "--jobs", "0"], &["--jobs"]),
        (&["hunt", "--max-funcs", "0"], &["max-funcs"]),
        (&["hunt", "--from", "nowhere"], &["nowhere", "no such directory"]),
        (&["gen", "--max-funcs", "many"], &["max-funcs", "many"]),
        (&["gen", "--frobnicate"], &["--frobnicate"]),
        (&["frobnicate"], &["frobnicate"]),
        (&["findings"], &["plumb-store", "plumb hunt"]),
        (&["show", "x"], &["plumb-store"]),
        (&["findings", "--kind", "x"], &["wrong-code"]),
    ];
    for (args, words) in cases {
        clear(&plumb.run(args), 2, words);
    }
}

#[test]
fn compilers_that_are_none() {
    let plumb = Plumb::new();
    let script = |name: &str, text: &str| plumb.script(name, text).display().to_string();
    let garbage = script("garbage", "#!/bin/sh\nhead -c 300 /dev/urandom\nexit 3\n");
    let silent = script("silent", "#!/bin/sh\nexit 0\n");
    let loud = script("loud", "#!/bin/sh\nwhile :; do echo flood; done\n");
    let odd =
        script("odd", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo x >\"$2\"; shift; done\n");
    let cases = ["/nowhere/cc", "nowhere-cc", "", "'open quote", "/", &garbage, &silent, &loud, &odd];
    for compiler in cases {
        let done = plumb.run(&["hunt", "--cc", compiler, "--programs", "1"]);
        clear(&done, 2, &["--cc", compiler]);
        assert!(done.stderr.lines().count() <= 3, "{}", done.stderr);
    }
}

#[test]
fn a_compiler_that_eats_memory_or_time_is_inconclusive_or_hangs() {
    let plumb = Plumb::new();
    // Well-behaved until it meets the first program of the hunt.
    let wrapper = |name: &str, body: &str| {
        let text = format!(
            "#!/bin/sh\nfor a; do case $a in *.c) if grep -q ' crc = 0xffffffffU;$' \"$a\"; then {body}; fi;; esac\n\
             done\nexec gcc \"$@\"\n"
        );
        plumb.script(name, &text).display().to_string()
    };
    let hungry = wrapper("hungry", "awk 'BEGIN { s = \"xxxxxxxx\"; while (1) s = s s }'; exit");
    let done = plumb.run(&[
        "hunt",
        "--json",
        "--cc",
        &hungry,
        "--levels",
        "-O0",
        "--programs",
        "1",
        "--compile-memory",
        "256",
    ]);
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["results"]["inconclusive"], 1, "{summary}");
    assert_eq!(summary["alarms"].as_object().map(serde_json::Map::len), Some(0), "{summary}");

    let sleepy = wrapper("sleepy", "sleep 1000; exit");
    let done = plumb.run(&[
        "hunt",
        "--json",
        "--cc",
        &sleepy,
        "--levels",
        "-O0",
        "--programs",
        "1",
        "--compile-time",
        "1s",
    ]);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    assert_eq!(lines(&done.stdout).pop().expect("a summary")["alarms"]["hang"], 1);
}

#[test]
fn stores_of_another_kind_or_version() {
    let plumb = Plumb::new();
    let store = plumb.dir().join("plumb-store");
    let hunt = ["hunt", "--cc", "gcc", "--levels", "-O0", "--programs", "1"];
    std::fs::create_dir(&store).expect("writable");
    std::fs::write(store.join("plumb.sqlite"), "this is no database, but a text that is long enough")
        .expect("written");
    clear(&plumb.run(&hunt), 2, &["plumb.sqlite", "not a plumb store"]);
    clear(&plumb.run(&["findings"]), 2, &["plumb.sqlite", "not a plumb store"]);
    let other = |sql: &str| {
        std::fs::remove_file(store.join("plumb.sqlite")).expect("there");
        let db = rusqlite::Connection::open(store.join("plumb.sqlite")).expect("opens");
        db.execute_batch(sql).expect("made");
    };
    other("CREATE TABLE birds (name TEXT)");
    clear(&plumb.run(&hunt), 2, &["another program's database"]);
    other("PRAGMA application_id = 0x706c6d62; PRAGMA user_version = 99; CREATE TABLE campaign (id INTEGER)");
    clear(&plumb.run(&hunt), 2, &["version 99", "newer"]);
    clear(&plumb.run(&["findings"]), 2, &["version 99"]);
}

#[test]
fn a_full_disk_loses_nothing() {
    // A limit on the size of files stands in for a full disk: writing fails in the same places.
    let plumb = Plumb::new();
    let exe = env!("CARGO_BIN_EXE_plumb");
    let hunt = "hunt --cc gcc --levels -O0 --programs 40 --jobs 1 --seed 5";
    let limited = |blocks: u32| {
        let script = format!("cd {} && ulimit -f {blocks} && exec {exe} {hunt}", plumb.dir().display());
        common::shell(&["sh", "-c", &script])
    };
    let done = limited(64);
    assert!(done.code == 5 || done.code == 2, "exit {}: {}{}", done.code, done.stdout, done.stderr);
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    let words: Vec<&str> = hunt.split(' ').collect();
    let done = plumb.run(&words);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("40 programs tested in 1 configuration (40 results)"), "{}", done.stdout);
}
