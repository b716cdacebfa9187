//! What a compiled program does to places of its memory, as the tracer sees it.

use std::path::{Path, PathBuf};
use toolchain::accesses::{Done, Executable, Found, Log, Seen, available};
use toolchain::process::{Limits, Outcome, Spec, Window, run};
use toolchain::scratch::{Scratch, ScratchRoot};

/// Does this machine let programs be watched? Says so where it does not: then there is nothing to test.
fn watching() -> bool {
    match available() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("not tested: programs cannot be watched here: {why}");
            false
        }
    }
}

fn directory() -> (ScratchRoot, Scratch, PathBuf) {
    let root = ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("a directory");
    let path = dir.path().to_owned();
    (root, dir, path)
}

fn compile(dir: &Path, text: &str, options: &[&str]) -> Executable {
    std::fs::write(dir.join("p.c"), text).expect("a source");
    let done = run(&Spec::new("gcc").args(["p.c", "-o", "p"]).args(options.iter().copied()).cwd(dir));
    assert_eq!(done.outcome, Outcome::Exited(0), "{}", String::from_utf8_lossy(&done.stderr));
    Executable::open(&dir.join("p")).expect("an executable")
}

fn window(executable: &Executable, name: &str) -> Window {
    let Found::At(address, size) = executable.find(name) else { panic!("no {name}") };
    Window { address, size: u8::try_from(size).expect("small") }
}

fn all(accesses: &[(Done, u64)], instructions: usize) -> Seen {
    Seen::All(Log { accesses: accesses.to_vec(), instructions })
}

const TEXT: &str = "#include <stdio.h>\nvolatile int a; volatile char b = 3; volatile double c; static volatile long d; \
    volatile short unused;\nint main(void) { a = 5; a++; int x = a + b; c = 2.5; d; puts(\"out\"); a = x; return a == 8 ? 7 : 0; }\n";

#[test]
fn accesses_are_seen_in_order() {
    if !watching() {
        return;
    }
    let (_root, _dir, dir) = directory();
    for options in [&["-O0"][..], &["-O2"], &["-O2", "-no-pie"], &["-O1", "-static"]] {
        let program = compile(&dir, TEXT, options);
        let places: Vec<_> = ["a", "b", "c", "d", "unused"].map(|name| (window(&program, name), 20)).to_vec();
        let spec = Spec::new(dir.join("p")).limits(Limits::default());
        let seen = program.watch(&spec, &places).expect("a run");
        let a = [Done::Write(5), Done::Read, Done::Write(6), Done::Read, Done::Write(9), Done::Read];
        assert_eq!(seen[0], all(&a.map(|done| (done, 4)), 6), "{options:?}");
        assert_eq!(seen[1], all(&[(Done::Read, 1)], 1), "{options:?}");
        assert_eq!(seen[2], all(&[(Done::Write(2.5f64.to_bits()), 8)], 1), "{options:?}");
        assert_eq!(seen[3], all(&[(Done::Read, 8)], 1), "{options:?}");
        assert_eq!(seen[4], all(&[], 0), "{options:?}");
    }
}

#[test]
fn a_read_and_write_in_one_instruction_are_two_accesses() {
    if !watching() {
        return;
    }
    let (_root, _dir, dir) = directory();
    let text =
        "volatile int a = 1;\nint main(void) { __asm__ volatile (\"addl $4, %0\" : \"+m\"(a)); return 0; }\n";
    let program = compile(&dir, text, &["-O2"]);
    let seen = program.watch(&Spec::new(dir.join("p")), &[(window(&program, "a"), 2)]);
    assert_eq!(seen, Ok(vec![all(&[(Done::Read, 4), (Done::Write(5), 4)], 1)]));
}

#[test]
fn far_more_accesses_than_expected_end_the_run() {
    if !watching() {
        return;
    }
    let (_root, _dir, dir) = directory();
    let program = compile(&dir, "volatile int a;\nint main(void) { for (;;) a++; }\n", &["-O1"]);
    let seen = program.watch(&Spec::new(dir.join("p")), &[(window(&program, "a"), 2)]);
    assert!(matches!(seen.as_deref(), Ok([Seen::TooMany(log)]) if log.instructions > 2), "{seen:?}");
}

#[test]
fn a_watched_program_is_bound_by_its_limits() {
    if !watching() {
        return;
    }
    let (_root, _dir, dir) = directory();
    let program = compile(&dir, "volatile int a;\nint main(void) { for (;;); }\n", &["-O0"]);
    let limits = Limits { wall: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
    let spec = Spec::new(dir.join("p")).limits(limits);
    let seen = program.watch(&spec, &[(window(&program, "a"), 2)]);
    assert_eq!(seen, Err(Some("ran out of time".to_owned())));
    // No process of it is left.
    let left = std::fs::read_dir("/proc")
        .expect("processes")
        .flatten()
        .any(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == dir.join("p")));
    assert!(!left);
}
