//! Real text: csmith programs and system headers, preprocessed by gcc. Both tools must be installed.
//!
//! `cargo test -p plumb-csyntax --test real -- --ignored` also reads every file of gcc's C torture tests, from the
//! Debian package `gcc-12-source`.

use csyntax::equal::first_difference;
use csyntax::parse::{needs_preprocessing, parse};
use csyntax::print::print;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command writes to its standard output, given this input. Fails loudly where the command is missing.
fn output(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = command
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}; this test needs it installed"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    assert!(output.status.success(), "{command:?}: {}", output.status);
    output.stdout
}

/// A program of csmith, which reads and writes a file where it runs: two at a time need two directories.
fn csmith(seed: u32, directory: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    std::fs::create_dir_all(&directory).expect("a directory can be made");
    let run = "cd \"$1\" && exec csmith --seed \"$2\"";
    output(Command::new("sh").args(["-c", run, "sh"]).arg(&directory).arg(seed.to_string()), b"")
}

fn preprocess(text: &[u8], options: &[&str]) -> Vec<u8> {
    output(Command::new("gcc").args(["-E", "-std=gnu17", "-xc", "-"]).args(options), text)
}

/// Reads, prints, reads again and compares.
fn check(name: &str, text: &[u8]) {
    let parsed = parse(text, name);
    let told: Vec<String> = parsed.diagnostics.iter().map(|d| parsed.render(d)).collect();
    assert!(!parsed.has_errors(), "{}", told.join("\n"));
    let printed = print(&parsed.ast);
    let again = parse(printed.as_bytes(), "printed");
    let told: Vec<String> = again.diagnostics.iter().map(|d| again.render(d)).collect();
    assert!(!again.has_errors(), "{name}, printed: {}", told.join("\n"));
    let difference = first_difference(&parsed.ast, &again.ast);
    assert!(difference.is_none(), "{name}: {difference:?}");
}

#[test]
fn csmith_programs() {
    for seed in 1..=8 {
        let program = csmith(seed, "csmith_programs");
        assert!(needs_preprocessing(&program));
        let text = preprocess(&program, &["-I/usr/include/csmith"]);
        assert!(!needs_preprocessing(&text));
        check(&format!("csmith {seed}"), &text);
    }
}

#[test]
fn standard_headers() {
    let names = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign \
                 stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar \
                 wchar wctype pthread unistd fcntl sys/types sys/stat sys/socket netinet/in poll dlfcn immintrin";
    let includes: String = names.split_whitespace().map(|n| format!("#include <{n}.h>\n")).collect();
    check("headers", &preprocess(includes.as_bytes(), &[]));
    check("headers, GNU", &preprocess(includes.as_bytes(), &["-D_GNU_SOURCE", "-O2"]));
    // Without a 32-bit libc only those of the compiler's own headers can be read that include none of the library's.
    let own = b"#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <float.h>\n#include <iso646.h>\n\
        #include <stdalign.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n#include <stdnoreturn.h>\n";
    check("headers, 32 bits", &preprocess(own, &["-m32", "-ffreestanding"]));
}

/// What this crate prints, gcc must read as the same program: the objects are equal byte for byte.
#[test]
fn gcc_makes_the_same_object_of_printed_text() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let object = |name: &str, text: &[u8]| {
        let file = directory.join(name);
        let out = file.with_extension("o");
        std::fs::write(&file, text).unwrap();
        let flags = ["-std=gnu17", "-w", "-O1", "-fno-ident", "-x", "cpp-output", "-c"];
        output(Command::new("gcc").args(flags).arg(&file).arg("-o").arg(&out), b"");
        // Without the name of the source file.
        output(
            Command::new("objdump")
                .args(["-d", "-r", "-s", "-j", ".text", "-j", ".data", "-j", ".rodata"])
                .arg(&out),
            b"",
        )
        .split(|&b| b == b'\n')
        .skip(2)
        .collect::<Vec<_>>()
        .join(&b'\n')
    };
    for seed in [3, 5, 11, 14] {
        let program = csmith(seed, "csmith_objects");
        let text = preprocess(&program, &["-P", "-I/usr/include/csmith"]);
        let printed = print(&parse(&text, "csmith").ast);
        let (before, after) = (object("before.i", &text), object("after.i", printed.as_bytes()));
        assert!(before.len() > 1000 && before == after, "csmith {seed}");
    }
}

#[test]
#[ignore = "unpacks gcc-12-source and preprocesses 1,592 files: half a minute"]
fn gcc_torture_tests() {
    let archive = std::fs::read_dir("/usr/src/gcc-12")
        .expect("the Debian package gcc-12-source must be installed")
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("gcc-12")))
        .expect("/usr/src/gcc-12 holds no archive");
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("torture");
    std::fs::create_dir_all(&directory).unwrap();
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(archive).arg("-C").arg(&directory);
    tar.args(["--strip-components=4", "--wildcards", "*/gcc/testsuite/gcc.c-torture/execute/*"]);
    output(&mut tar, b"");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory.join("execute"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() > 1500, "only {} files", files.len());
    for file in files {
        let mut gcc = Command::new("gcc");
        gcc.args(["-E", "-std=gnu17"]).arg(&file);
        check(&file.to_string_lossy(), &output(&mut gcc, b""));
    }
}
