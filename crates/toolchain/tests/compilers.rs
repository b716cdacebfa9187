//! Compilers found, named and run: gcc and clang of this machine, and scripts that play broken ones.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use toolchain::compiler::{
    Compilation, CompileOutcome, Compiler, CompilerError, Family, PreprocessError, Preprocessor, Problem,
    Product, Runner, Source, discover,
};
use toolchain::process::{Clock, Limits, Outcome, run};
use toolchain::scratch::{Scratch, ScratchRoot};

fn scratch() -> (ScratchRoot, Scratch) {
    let root = ScratchRoot::new().expect("scratch");
    let dir = root.dir().expect("scratch");
    (root, dir)
}

fn gcc(root: &ScratchRoot) -> Compiler {
    Compiler::identify("gcc", root)
        .unwrap_or_else(|e| panic!("these tests need a working gcc (apt install gcc): {e}"))
}

/// clang, or `None` with a loud note where it is not installed.
fn clang(root: &ScratchRoot) -> Option<Compiler> {
    let found = ["clang-19", "clang"].iter().find_map(|name| Compiler::identify(name, root).ok());
    if found.is_none() {
        eprintln!("NOT TESTED: no clang on PATH (apt install clang)");
    }
    found
}

fn write(dir: &Scratch, name: &str, text: &str) -> std::path::PathBuf {
    let path = dir.file(name);
    std::fs::write(&path, text).expect("scratch is writable");
    path
}

/// A script that plays a compiler.
fn script(dir: &Scratch, name: &str, body: &str) -> String {
    let path = write(dir, name, &format!("#!/bin/sh\n{body}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("own file");
    path.to_str().expect("scratch paths are text").to_owned()
}

#[test]
fn gcc_tells_who_it_is() {
    let (root, _dir) = scratch();
    let gcc = gcc(&root);
    assert_eq!(gcc.family, Family::Gcc);
    assert!(gcc.version.is_some_and(|version| version.0 >= 4), "{gcc:?}");
    assert!(gcc.target.triple.starts_with(std::env::consts::ARCH), "{gcc:?}");
    assert!(gcc.target.data.stated, "gcc states its data model: {gcc:?}");
    assert_eq!(usize::from(gcc.target.data.pointer), size_of::<usize>());
    assert_eq!(gcc.target.data.big_endian, cfg!(target_endian = "big"));
    assert_eq!(gcc.runner, Runner::Native);
}

#[test]
fn clang_tells_who_it_is_and_options_change_its_target() {
    let (root, _dir) = scratch();
    let Some(clang) = clang(&root) else { return };
    assert_eq!(clang.family, Family::Clang);
    assert!(clang.version.is_some_and(|version| version.0 >= 3), "{clang:?}");
    if std::env::consts::ARCH != "x86_64" {
        return;
    }
    let narrow = Compiler::identify(&format!("{} -m32", clang.name()), &root);
    match narrow {
        Ok(narrow) => {
            assert_eq!((narrow.target.data.pointer, narrow.target.data.long), (4, 4), "{narrow:?}");
            assert!(narrow.target.triple.starts_with("i386"), "{narrow:?}");
        }
        Err(CompilerError { problem, .. }) => {
            assert!(matches!(problem, Problem::Refuses { .. }), "{problem}")
        }
    }
}

#[test]
fn a_foreign_target_that_cannot_link_is_kept_for_compiling() {
    let (root, dir) = scratch();
    let Some(clang) = clang(&root) else { return };
    let command = format!("{} --target=s390x-linux-gnu -nostdinc", clang.name());
    let s390 = Compiler::identify(&command, &root).unwrap_or_else(|e| panic!("{e}"));
    let data = s390.target.data;
    assert_eq!((data.pointer, data.big_endian, data.char_signed), (8, true, false));
    let source = write(&dir, "f.c", "int f(int x) { return x + 1; }\n");
    let job = Compilation::new(&source, dir.file("f.s")).arg("-O2").product(Product::Assembly);
    assert_eq!(s390.compile(&job).outcome, CompileOutcome::Ok);
    if let Runner::Unavailable(why) = &s390.runner {
        assert!(!why.is_empty());
        assert!(s390.run_spec(&dir.file("f"), dir.path(), &Limits::default()).is_none());
    }
}

#[test]
fn discovery_finds_gcc_once_and_in_a_fixed_order() {
    let (root, _dir) = scratch();
    let found = discover(&root);
    let mine = gcc(&root);
    let file = |c: &Compiler| std::fs::canonicalize(&c.program).expect("it was run");
    let same: Vec<String> =
        found.compilers.iter().filter(|c| file(c) == file(&mine)).map(Compiler::name).collect();
    assert_eq!(same.len(), 1, "gcc must be found, once: {same:?}, broken: {:?}", found.broken);
    let names = |d: &toolchain::compiler::Discovery| d.compilers.iter().map(Compiler::id).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&discover(&root)));
    if let Some(clang) = clang(&root) {
        assert!(found.compilers.iter().any(|c| file(c) == file(&clang)), "{:?}", names(&found));
    }
}

#[test]
fn a_program_is_compiled_and_runs_confined() {
    let (root, dir) = scratch();
    let text = "#include <stdio.h>\nint main(void){FILE*f=fopen(\"mine\",\"w\");fputs(\"x\",f);fclose(f);\
                puts(fopen(\"/var/tmp/plumb-escaped\",\"w\")?\"escaped\":\"confined\");return 5;}\n";
    let source = write(&dir, "p.c", text);
    for level in ["-O0", "-O3"] {
        let made = gcc(&root).compile(&Compilation::new(&source, dir.file("p")).arg(level));
        assert_eq!(made.outcome, CompileOutcome::Ok, "{}", String::from_utf8_lossy(&made.stderr));
        assert!(made.usage.cpu() > Duration::ZERO);
        let cage = root.dir().expect("scratch");
        let spec = gcc(&root).run_spec(&dir.file("p"), cage.path(), &Limits::default()).expect("native");
        let done = run(&spec);
        assert_eq!(done.outcome, Outcome::Exited(5), "{done:?}");
        assert!(cage.file("mine").exists());
        if done.sandbox != Some(toolchain::sandbox::Enforcement::Unavailable) {
            assert_eq!(done.stdout, b"confined\n");
        } else {
            let _ = std::fs::remove_file("/var/tmp/plumb-escaped");
        }
    }
}

#[test]
fn a_sanitised_program_gets_the_address_space_it_reserves() {
    let (root, dir) = scratch();
    let command = format!("{} -fsanitize=address,undefined", gcc(&root).name());
    let Ok(sanitised) = Compiler::identify(&command, &root) else {
        eprintln!("NOT TESTED: this gcc has no sanitizer runtime");
        return;
    };
    assert_eq!(sanitised.runner, Runner::Native);
    let text = "int main(int n, char **v) { (void)v; int a[2] = {1, 2}; return a[n + 1]; }\n";
    let source = write(&dir, "over.c", text);
    assert_eq!(sanitised.compile(&Compilation::new(&source, dir.file("over"))).outcome, CompileOutcome::Ok);
    let done = run(&sanitised.run_spec(&dir.file("over"), dir.path(), &Limits::default()).expect("native"));
    assert!(
        !done.outcome.success() && String::from_utf8_lossy(&done.stderr).contains("over.c:1"),
        "{done:?}"
    );
}

#[test]
fn the_first_error_of_a_refused_program_comes_back() {
    let (root, dir) = scratch();
    let source = write(&dir, "bad.c", "int f(void) { return missing; }\nint main(void) { return f(); }\n");
    let made = gcc(&root).compile(&Compilation::new(&source, dir.file("bad")));
    match made.outcome {
        CompileOutcome::Rejected { line } => {
            assert!(line.contains("bad.c:1") && line.contains("missing"), "{line}")
        }
        other => panic!("{other:?}"),
    }
    let unlinked = write(&dir, "u.c", "int missing(void);\nint main(void) { return missing(); }\n");
    match gcc(&root).compile(&Compilation::new(&unlinked, dir.file("u"))).outcome {
        CompileOutcome::Rejected { line } => assert!(line.contains("undefined reference"), "{line}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_error_in_inline_assembly_is_the_programs() {
    let (root, dir) = scratch();
    let source = write(&dir, "asm.c", "int main(void) { __asm__(\"no_such_instruction\"); return 0; }\n");
    match gcc(&root).compile(&Compilation::new(&source, dir.file("asm"))).outcome {
        CompileOutcome::Rejected { line } => assert!(line.contains("no_such_instruction"), "{line}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_temporary_file_of_a_killed_compiler_stays_outside_its_directory() {
    let (root, dir) = scratch();
    // Macros that double forty times: the compiler cannot finish.
    let mut text = "#define A0 1+1\n".to_owned();
    for n in 0..40 {
        text.push_str(&format!("#define A{} A{n}+A{n}\n", n + 1));
    }
    text.push_str("int x = A40;\n");
    let source = write(&dir, "long.c", &text);
    let limits = Limits::within(Duration::from_millis(700));
    let made = gcc(&root).compile(&Compilation::new(&source, dir.file("long")).limits(limits));
    assert!(matches!(made.outcome, CompileOutcome::TimedOut(Clock::Wall | Clock::Cpu)), "{:?}", made.outcome);
    let small = Limits { address_space: Some(200 << 20), ..Limits::within(Duration::from_secs(60)) };
    let made = gcc(&root).compile(&Compilation::new(&source, dir.file("long")).limits(small));
    assert!(matches!(made.outcome, CompileOutcome::OutOfMemory { .. }), "{:?}", made.outcome);
}

#[test]
fn a_real_crash_of_clang_is_recognised() {
    let (root, dir) = scratch();
    let Some(clang) = clang(&root) else { return };
    let source = write(&dir, "crash.c", "int main(void) {\n#pragma clang __debug crash\nreturn 0; }\n");
    let made = clang.compile(&Compilation::new(&source, dir.file("crash")));
    match made.outcome {
        CompileOutcome::Crashed(crash) => {
            assert!(crash.signature.starts_with("clang: crash"), "{crash:?}");
            assert!(!crash.signature.contains("0x"), "{crash:?}");
        }
        other => panic!("{other:?}\n{}", String::from_utf8_lossy(&made.stderr)),
    }
}

#[test]
fn compilers_that_are_none_are_told_so() {
    let (root, dir) = scratch();
    let problem = |command: &str| match Compiler::identify(command, &root) {
        Ok(compiler) => panic!("{command} passed for a compiler: {compiler:?}"),
        Err(error) => error,
    };
    let missing = problem("no-such-cc -O2");
    assert_eq!(missing.to_string(), "compiler `no-such-cc -O2`: `no-such-cc`: no such program on PATH");
    assert!(matches!(problem("gcc 'unclosed").problem, Problem::Quoting(_)));
    assert!(matches!(problem("").problem, Problem::Start(_)));
    assert!(matches!(problem("true").problem, Problem::WritesNothing));
    assert!(matches!(problem("false").problem, Problem::Refuses { .. }));
    let floods = script(&dir, "floods", "exec yes garbage");
    assert!(matches!(problem(&floods).problem, Problem::Floods { .. }));
    let crashes = script(&dir, "crashes", "case $1 in --version) echo cc 1.0;; *) kill -SEGV $$;; esac");
    assert!(matches!(problem(&crashes).problem, Problem::Crashes { .. }));
    let garbage = script(
        &dir,
        "garbage",
        "for a; do case $p in -o) echo garbage > \"$a\"; chmod +x \"$a\";; esac; p=$a; done",
    );
    match problem(&garbage).problem {
        Problem::Misbehaves { found } => assert!(!found.is_empty()),
        other => panic!("{other:?}"),
    }
    let eats = script(
        &dir,
        "eats",
        "case $1 in --version) echo cc 1;; *) echo 'cc1: out of memory' >&2; exit 1;; esac",
    );
    assert!(matches!(problem(&eats).problem, Problem::Exhausts { what: "memory", .. }));
}

#[test]
fn a_compiler_that_never_ends_is_given_up() {
    let (root, dir) = scratch();
    let mut hangs = gcc(&root);
    hangs.command = vec![script(&dir, "hangs", "exec sleep 1000")];
    let source = write(&dir, "h.c", "int main(void) { return 0; }\n");
    let short = Limits { wall: Some(Duration::from_millis(200)), ..Limits::default() };
    let made = hangs.compile(&Compilation::new(&source, dir.file("h")).limits(short));
    assert_eq!(made.outcome, CompileOutcome::TimedOut(Clock::Wall));
}

#[test]
fn a_full_disk_is_not_blamed_on_the_program() {
    let (root, dir) = scratch();
    let mut full = gcc(&root);
    // What gcc says when the device that it writes to is full, said by gcc itself.
    let body = "for a; do case $p in -o) a=/dev/full;; esac; set -- \"$@\" \"$a\"; shift; p=$a; done; exec gcc \"$@\"";
    full.command = vec![script(&dir, "full", body)];
    let source = write(&dir, "d.c", "int x = 1;\n");
    let made = full.compile(&Compilation::new(&source, dir.file("d.s")).product(Product::Assembly));
    assert!(matches!(made.outcome, CompileOutcome::DiskFull { .. }), "{:?}", made);
}

#[test]
fn an_old_output_file_is_not_taken_for_a_new_one() {
    let (root, dir) = scratch();
    let mut idle = gcc(&root);
    idle.command = vec!["true".to_owned()];
    let source = write(&dir, "i.c", "int x;\n");
    let old = write(&dir, "i.o", "old");
    let made = idle.compile(&Compilation::new(&source, &old).product(Product::Object));
    assert_eq!((made.outcome, old.exists()), (CompileOutcome::NoOutput, false));
}

#[test]
fn programs_for_another_processor_run_through_an_emulator() {
    let (root, dir) = scratch();
    let found = discover(&root);
    let Some(cross) = found.compilers.iter().find(|c| matches!(c.runner, Runner::Emulator(_))) else {
        eprintln!("NOT TESTED: no cross compiler with qemu-user (apt install gcc-s390x-linux-gnu qemu-user)");
        return;
    };
    let text = "int printf(const char *, ...);\nint main(void) { int one = 1; return printf(\"%d\\n\", *(char *)&one); }\n";
    let source = write(&dir, "e.c", text);
    assert_eq!(cross.compile(&Compilation::new(&source, dir.file("e"))).outcome, CompileOutcome::Ok);
    let done = run(&cross.run_spec(&dir.file("e"), dir.path(), &Limits::default()).expect("an emulator"));
    let expected: &[u8] = if cross.target.data.big_endian { b"0\n" } else { b"1\n" };
    assert_eq!((done.outcome, done.stdout.as_slice()), (Outcome::Exited(2), expected), "{}", cross.id());
}

#[test]
fn a_compiler_that_miscompiles_the_trivial_program_is_not_taken() {
    let (root, dir) = scratch();
    let liar = script(&dir, "liar", "exec gcc -Dtwice=thrice '-Dprintf(a,b)=0' \"$@\"");
    match Compiler::identify(&liar, &root) {
        Err(CompilerError { problem: Problem::Misbehaves { .. } | Problem::Refuses { .. }, .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrapper_of_a_compiler_is_a_compiler() {
    let (root, dir) = scratch();
    let wrapper = script(&dir, "wrapper", "exec gcc \"$@\"");
    let found = Compiler::identify(&wrapper, &root).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((found.family, found.program.as_path()), (Family::Gcc, Path::new(&wrapper)));
}

#[test]
fn preprocessing_keeps_line_markers_and_takes_options() {
    let (root, dir) = scratch();
    let _ = gcc(&root);
    write(&dir, "h.h", "int from_header;\n");
    let source = write(&dir, "p.c", "#include \"h.h\"\n#ifdef WIDE\nlong x = WIDE;\n#endif\nint y;\n");
    let text = |preprocessor: Preprocessor, source: &Source| {
        String::from_utf8(preprocessor.run(source).unwrap_or_else(|e| panic!("{e}"))).expect("text")
    };
    let usual = || Preprocessor::usual().unwrap_or_else(|e| panic!("{e}"));
    let kept = text(usual().args(["-DWIDE=7"]), &Source::File(source.clone()));
    assert!(kept.contains("long x = 7;") && kept.contains("int from_header;"), "{kept}");
    assert!(kept.lines().any(|l| l.starts_with("# 1 ") && l.contains("h.h")), "{kept}");
    let bare = text(usual().line_markers(false), &Source::File(source));
    assert!(!bare.contains('#') && !bare.contains("long"), "{bare}");
    let bytes = b"#include \"h.h\"\nint z;\n"[..].into();
    let piped = text(usual(), &Source::Text { bytes, dir: dir.path().to_owned() });
    assert!(piped.contains("int from_header;") && piped.contains("int z;"), "{piped}");
}

#[test]
fn preprocessing_fails_with_the_reason() {
    let (_root, dir) = scratch();
    let usual = || Preprocessor::usual().unwrap_or_else(|e| panic!("{e}"));
    let source = write(&dir, "bad.c", "#include \"nowhere.h\"\n");
    match usual().run(&Source::File(source)) {
        Err(PreprocessError::Rejected(line)) => assert!(line.contains("nowhere.h"), "{line}"),
        other => panic!("{other:?}"),
    }
    match usual().run(&Source::File(dir.file("absent.c"))) {
        Err(PreprocessError::Rejected(line)) => assert!(line.contains("absent.c"), "{line}"),
        other => panic!("{other:?}"),
    }
    let small = Limits { stdout: 100, ..Limits::default() };
    let long = write(&dir, "long.c", &"int x;\n".repeat(100));
    let outcome = usual().limits(small).run(&Source::File(long));
    assert_eq!(outcome, Err(PreprocessError::TooLarge { limit: 100 }));
    let missing =
        Preprocessor::named("no-such-cpp").expect("well quoted").run(&Source::File(dir.file("x.c")));
    assert!(matches!(missing, Err(PreprocessError::Start(_))), "{missing:?}");
}
