//! Preprocessing by plumb itself: the same answers as with `cc -E`, the cache, and who takes over when.

mod common;

use common::{Done, Plumb, finish};
use std::process::Command;

/// plumb with a cache directory of its own.
fn cached(plumb: &Plumb, args: &[&str]) -> Command {
    let mut command = plumb.command(args);
    command.env("XDG_CACHE_HOME", plumb.dir().join("cache"));
    command
}

fn answers(plumb: &Plumb) -> Vec<std::path::PathBuf> {
    let dir = plumb.dir().join("cache/plumb/compilers");
    std::fs::read_dir(dir).map_or(Vec::new(), |dir| dir.flatten().map(|entry| entry.path()).collect())
}

const PROGRAM: &str = "#include <stdio.h>\n#include <limits.h>\n#include \"own.h\"\n\
    int main(void) { printf(\"%d %s %d %d\\n\", INT_MAX, __FILE__, __LINE__, OWN); return 0; }\n";

fn program(plumb: &Plumb) {
    plumb.file("own.h", "#ifdef N\n#define OWN N\n#else\n#define OWN 0\n#endif\n");
    plumb.file("p.c", PROGRAM);
}

fn right(done: &Done, own: &str) {
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (0, format!("2147483647 p.c 4 {own}\n").as_str()),
        "{}",
        done.stderr
    );
}

#[test]
fn both_preprocessors_give_the_same() {
    let plumb = Plumb::new();
    program(&plumb);
    plumb.file("force.h", "#define N 8\n");
    for (options, own) in
        [(&[][..], "0"), (&["-DN=7"], "7"), (&["-std=c11", "-UN"], "0"), (&["-include", "force.h"], "8")]
    {
        for who in ["builtin", "cc"] {
            let args = [&["run", "--preprocessor", who][..], options, &["p.c"]].concat();
            right(&plumb.run(&args), own);
        }
    }
    // The system may have no headers for another word size; the compiler's own do.
    plumb.file(
        "p.c",
        "#include <stddef.h>\n#include \"own.h\"\nint printf(const char *, ...);\n\
         int main(void) { printf(\"%d %s %d %d\\n\", __INT_MAX__, __FILE__, __LINE__, OWN); return sizeof(size_t) != 4; }\n",
    );
    for who in ["builtin", "cc"] {
        right(&plumb.run(&["run", "--preprocessor", who, "-m32", "-DN=3", "p.c"]), "3");
    }
}

#[test]
fn the_compiler_is_asked_once() {
    let plumb = Plumb::new();
    program(&plumb);
    plumb.script("cc", "#!/bin/sh\necho asked >> log\nexec /usr/bin/gcc \"$@\"\n");
    let path = format!("{}:{}", plumb.dir().display(), std::env::var("PATH").expect("there is one"));
    let run = |options: &[&str]| {
        let args = [&["run"][..], options, &["p.c"]].concat();
        right(&finish(cached(&plumb, &args).env("PATH", &path)), "0");
        std::fs::read_to_string(plumb.dir().join("log")).map_or(0, |log| log.lines().count())
    };
    assert_eq!(run(&[]), 1);
    assert_eq!(run(&[]), 1, "the answer is in the cache");
    assert_eq!(run(&["-std=c99"]), 2, "other options, another answer");
    assert_eq!(answers(&plumb).len(), 2);
    plumb.script("cc", "#!/bin/sh\n# changed\necho asked >> log\nexec /usr/bin/gcc \"$@\"\n");
    assert_eq!(run(&[]), 3, "another compiler");
}

#[test]
fn a_broken_cache_is_no_error() {
    let plumb = Plumb::new();
    program(&plumb);
    right(&finish(&mut cached(&plumb, &["run", "p.c"])), "0");
    let file = answers(&plumb).pop().expect("an answer is kept");
    let whole = std::fs::read(&file).expect("readable");
    for damaged in [&b""[..], b"nonsense\n", &whole[..whole.len() / 2], &whole[..whole.len() - 1]] {
        std::fs::write(&file, damaged).expect("writable");
        right(&finish(&mut cached(&plumb, &["run", "p.c"])), "0");
        assert_eq!(std::fs::read(&file).expect("readable"), whole, "it is made anew");
    }
    for nowhere in ["/proc/nowhere", "relative", "", "/dev/null"] {
        right(
            &finish(plumb.command(&["run", "p.c"]).env("XDG_CACHE_HOME", nowhere).env("HOME", "/dev/null")),
            "0",
        );
    }
}

#[test]
fn what_plumb_leaves_to_the_compiler_works_too() {
    let plumb = Plumb::new();
    plumb.file(
        "t.c",
        "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", sizeof(__TIMESTAMP__) == 25); return 0; }\n",
    );
    let done = plumb.run(&["run", "t.c"]);
    assert_eq!((done.code, done.stdout.as_str()), (0, "1\n"), "{}", done.stderr);
}

#[test]
fn dates_can_be_fixed() {
    let plumb = Plumb::new();
    plumb.file(
        "d.c",
        "int puts(const char *);\nint main(void) { puts(__DATE__ \" \" __TIME__); return 0; }\n",
    );
    let done = finish(plumb.command(&["run", "d.c"]).env("SOURCE_DATE_EPOCH", "1000000000"));
    assert_eq!((done.code, done.stdout.as_str()), (0, "Sep  9 2001 01:46:40\n"), "{}", done.stderr);
}

#[test]
fn without_a_compiler_there_is_a_note() {
    let plumb = Plumb::new();
    program(&plumb);
    let done = finish(cached(&plumb, &["run", "p.c"]).env("PATH", "/nonexistent"));
    right(&done, "0");
    assert!(done.stderr.contains("no C compiler found"), "{}", done.stderr);
    let done = finish(cached(&plumb, &["run", "-m32", "p.c"]).env("PATH", "/nonexistent"));
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(done.stderr.contains("install gcc"), "{}", done.stderr);
}

#[test]
fn errors_point_at_their_line() {
    let plumb = Plumb::new();
    plumb.file("e.c", "#define f(x) x\n\nint main(void) { return f(1, 2); }\n");
    plumb.file("i.c", "int x;\n#include \"absent.h\"\n");
    for (file, place) in [
        ("e.c", "e.c:3:"),
        (
            "i.c",
            "i.c:2:10: error: absent.h: No such file or directory\n | #include \"absent.h\"\n |          ^",
        ),
    ] {
        let done = plumb.run(&["run", file]);
        assert!(done.code == 2 && done.stderr.contains(place), "{}", done.stderr);
    }
}
