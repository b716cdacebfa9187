//! The C library of the machine against the host's: each program of `libc/defined` prints the same under both, each
//! of `libc/undefined` is stopped with the behaviour its first line names, and random formats agree.

use machine::{Exit, Options, Verdict};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libc").join(name)
}

fn programs(name: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder(name))
        .expect("the folder of programs")
        .map(|e| e.expect("a folder entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no programs in {name}");
    found
}

/// A scratch file that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(tag: &str, suffix: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("plumb-libc-{}-{tag}{suffix}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Runs a program under the machine after preprocessing it with the host's headers.
fn machine(path: &Path, stdin: &[u8], flags: &[&str]) -> Verdict {
    let out = Command::new("gcc").args(flags).arg("-E").arg(path).output().expect("gcc runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let parsed = csyntax::parse::parse(&out.stdout, &path.to_string_lossy());
    let errors: Vec<_> = parsed.diagnostics.iter().filter(|d| d.severity.refuses()).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    let m32 = flags.contains(&"-m32");
    let target = if m32 { csyntax::target::Target::ILP32 } else { csyntax::target::Target::LP64 };
    let checked = csyntax::check::check(&parsed.ast, &target);
    let Some(unit) = checked.unit else { panic!("{}: {:?}", path.display(), checked.diagnostics) };
    let options = Options { target, stdin: stdin.to_vec(), ..Options::default() };
    machine::run(&unit, &options).verdict
}

/// Compiles and runs a program on the host: status (code or signal) and standard output.
fn host(path: &Path, stdin: &[u8], tag: &str) -> (Exit, Vec<u8>) {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    let binary = Scratch::new(tag, ".out");
    let made = Command::new("gcc")
        .args(["-w", "-O0", "-fno-builtin", "-o"])
        .arg(&binary.0)
        .arg(path)
        .arg("-lm")
        .output()
        .expect("gcc runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut child = Command::new(&binary.0)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .env_clear()
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("its input");
    let _ = pipe.write_all(stdin);
    drop(pipe);
    let out = child.wait_with_output().expect("the program ends");
    let exit = match out.status.signal() {
        Some(signal) => Exit::Signal(signal),
        None => Exit::Code(out.status.code().expect("a status") as u8),
    };
    (exit, out.stdout)
}

/// The first line that differs.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let (ours, theirs) = (String::from_utf8_lossy(ours), String::from_utf8_lossy(theirs));
    let (mut a, mut b) = (ours.lines(), theirs.lines());
    for line in 1.. {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (None, None) => break,
            (x, y) => return format!("line {line}: machine {x:?}, host {y:?}"),
        }
    }
    "only in line ends".to_string()
}

fn compare(path: &Path, tag: &str) -> Option<String> {
    let stdin = std::fs::read(path.with_extension("in")).unwrap_or_default();
    match machine(path, &stdin, &[]) {
        Verdict::Defined(ours) => {
            let (exit, stdout) = host(path, &stdin, tag);
            if ours.stdout != stdout {
                return Some(format!("{}: {}", path.display(), difference(&ours.stdout, &stdout)));
            }
            (ours.exit != exit).then(|| format!("{}: machine {:?}, host {exit:?}", path.display(), ours.exit))
        }
        other => Some(format!("{}: {other:?}", path.display())),
    }
}

#[test]
fn defined_programs_behave_as_on_the_host() {
    let mut wrong = Vec::new();
    for (n, path) in programs("defined").iter().enumerate() {
        wrong.extend(compare(path, &format!("d{n}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each function of a file is a program of its own: `-DCASE=n` chooses it, `// n: name` says how it must stop.
#[test]
fn undefined_calls_are_found() {
    let mut wrong = Vec::new();
    for path in programs("undefined") {
        let text = std::fs::read_to_string(&path).expect("a program");
        let mut cases = 0;
        for line in text.lines() {
            let Some((number, name)) = line.strip_prefix("// ").and_then(|l| l.split_once(": ")) else {
                continue;
            };
            let Ok(number) = number.parse::<u32>() else { continue };
            cases += 1;
            let case = format!("-DCASE={number}");
            match machine(&path, b"", &[&case]) {
                Verdict::Undefined { ub, .. } if ub.name() == name => {}
                other => wrong.push(format!("{} case {number} ({name}): {other:?}", path.display())),
            }
        }
        assert!(cases > 0, "{} names no cases", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A small generator, so that a failure can be had again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A valid specification and an argument for it, as C text.
fn conversion(r: &mut Random) -> (String, String) {
    let flags = |r: &mut Random, from: &str| -> String { from.chars().filter(|_| r.below(4) == 0).collect() };
    let width = if r.below(2) == 0 { r.below(24).to_string() } else { String::new() };
    let width = if width == "0" { String::new() } else { width };
    let precision = match r.below(3) {
        0 => String::new(),
        1 => ".".to_string(),
        _ => {
            let most = if r.below(8) == 0 { 400 } else { 20 };
            format!(".{}", r.below(most))
        }
    };
    match r.below(4) {
        0 => {
            let (length, cast) = r.pick(&[
                ("", "int"),
                ("hh", "int"),
                ("h", "int"),
                ("l", "long"),
                ("ll", "long long"),
                ("j", "long"),
                ("z", "unsigned long"),
                ("t", "long"),
            ]);
            let letter = r.pick(&["d", "i", "u", "o", "x", "X"]);
            let shape = if matches!(letter, "o" | "x" | "X") { "-+ #0" } else { "-+ 0" };
            let value = r.next() >> r.below(64);
            let flags = flags(r, shape);
            (format!("%{flags}{width}{precision}{length}{letter}"), format!("({cast})0x{value:x}ull"))
        }
        1 => {
            let letter = r.pick(&["f", "e", "g", "a", "F", "E", "G", "A"]);
            let bits = match r.below(4) {
                0 => r.next(),
                1 => (r.below(2_000_000) as f64 / r.pick(&[1.0, 8.0, 100.0, 1000.0])).to_bits(),
                2 => (0x3ff - 60 + r.below(120)) << 52 | r.next() >> 12,
                _ => r.pick(&[
                    0,
                    1 << 63,
                    1,
                    0x7ff0 << 48,
                    0xfff0 << 48,
                    0x7ff8 << 48,
                    u64::MAX,
                    0xf_ffff_ffff_ffff,
                ]),
            };
            let flags = flags(r, "-+ #0");
            (format!("%{flags}{width}{precision}{letter}"), format!("d(0x{bits:x}ull)"))
        }
        2 => {
            let letter = r.pick(&["f", "e", "g", "a", "E", "G", "A"]);
            let wild = r.below(6) == 0;
            let exponent = if wild { r.below(0x7fff) } else { 0x3fff - 70 + r.below(140) };
            let mantissa = if exponent == 0 { r.next() >> 1 } else { r.next() | 1 << 63 };
            let mantissa = if r.below(3) == 0 { mantissa & 0xffff << 48 } else { mantissa };
            let sign = r.below(2) << 15;
            let flags = flags(r, "-+ #0");
            (
                format!("%{flags}{width}{precision}L{letter}"),
                format!("ld(0x{mantissa:x}ull, 0x{:x})", exponent | sign),
            )
        }
        _ => {
            let flags = flags(r, "-");
            if r.below(3) == 0 {
                return (format!("%{flags}{width}c"), format!("{}", 33 + r.below(90)));
            }
            let text: String = (0..r.below(12)).map(|_| (b'a' + r.below(26) as u8) as char).collect();
            (format!("%{flags}{width}{precision}s"), format!("\"{text}\""))
        }
    }
}

#[test]
fn random_formats_print_as_on_the_host() {
    let mut r = Random(20_261_121);
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n\
         static double d(unsigned long long b) { double x; memcpy(&x, &b, 8); return x; }\n\
         static long double ld(unsigned long long m, unsigned e) {\n\
           long double x = 0; memcpy(&x, &m, 8); unsigned short s = e; memcpy((char *)&x + 8, &s, 2); return x; }\n\
         int main(void) { int n;\n",
    );
    for _ in 0..3000 {
        let (format, argument) = conversion(&mut r);
        text += &format!(
            "n = printf(\"{format}|\", {argument}); printf(\" %d {}\\n\", n);\n",
            format.replace('%', "%%")
        );
    }
    text += "return 0; }\n";
    let file = Scratch::new("formats", ".c");
    std::fs::write(&file.0, text).expect("a scratch file");
    if let Some(wrong) = compare(&file.0, "formats") {
        panic!("{wrong}");
    }
}
