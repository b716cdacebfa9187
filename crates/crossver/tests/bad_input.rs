//! Damaged objects: a report or an error with the file's name, never a panic.

mod common;

use common::{image, object};
use crossver::objects::{Bytes, Problem, parse};
use crossver::report::compare_images;

const PROGRAM: &str = r#"
extern int ext(int);
static const char *const names[] = { "one", "two", "three" };
int f(int x) { switch (x) { case 0: return ext(2); case 1: return ext(4); case 2: return ext(8);
    case 3: return ext(1); case 4: return 7; } return 0; }
const char *g(int i) { static int n; n += i; return names[(n + i) % 3]; }
double h(double x) { return x * 1.5 + 0.25; }
"#;

/// Deterministic: the same damage on every machine.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn damage_gives_a_report_or_an_error() {
    let dir = tempfile::tempdir().expect("a directory");
    for command in ["gcc -O2 -g", "gcc -O2 -ffunction-sections"] {
        let whole = object(&dir, "whole", command, PROGRAM);
        let good = image("good", &whole);
        let mut state = 0x9e37_79b9_7f4a_7c15;
        let (mut read, mut refused) = (0, 0);
        for _ in 0..1500 {
            let mut bytes = whole.get().to_vec();
            for _ in 0..=random(&mut state) % 8 {
                let at = random(&mut state) as usize % bytes.len();
                bytes[at] = random(&mut state) as u8;
            }
            match parse("damaged.o", &Bytes::owned(bytes)) {
                Ok(loaded) => {
                    read += 1;
                    for (_, image) in &loaded.images {
                        let _ = compare_images(&good, image, 1, std::time::Duration::from_secs(10));
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("damaged.o"), "{error}");
                }
            }
        }
        assert!(read > 100 && refused > 20, "{read} read, {refused} refused: the damage tests nothing");
    }
}

#[test]
fn truncation_at_any_length_is_told() {
    let dir = tempfile::tempdir().expect("a directory");
    let whole = object(&dir, "whole", "gcc -O2", PROGRAM);
    for length in (1..whole.get().len()).step_by(7) {
        let bytes = Bytes::owned(whole.get()[..length].to_vec());
        let error = parse("short.o", &bytes).expect_err("the section headers are at the end");
        assert!(error.to_string().contains("short.o"), "{error}");
    }
}

#[test]
fn foreign_files_are_named() {
    let problem = |bytes: &[u8]| parse("x", &Bytes::owned(bytes.to_vec())).expect_err("no object").problem;
    assert_eq!(problem(b"int main(void) { return 0; }\n"), Problem::Foreign("text"));
    assert_eq!(problem(b"BC\xc0\xde\x35\x14"), Problem::Foreign("LLVM bitcode, as -flto makes it"));
    assert!(matches!(problem(b"!<thin>\nx"), Problem::Foreign(_)));
    let mut mips = b"\x7fELF\x01\x01\x01".to_vec();
    mips.resize(52, 0);
    (mips[16], mips[18], mips[20], mips[40]) = (1, 8, 1, 52);
    assert!(matches!(problem(&mips), Problem::Machine(_)));
    mips[5] = 2;
    assert!(matches!(problem(&mips), Problem::Machine(_) | Problem::Corrupt(_)));
}

#[test]
fn an_object_of_data_alone_has_no_pairs() {
    let dir = tempfile::tempdir().expect("a directory");
    let data = image("data", &object(&dir, "data", "gcc -O2", "int x = 4;"));
    let other = image("other", &object(&dir, "other", "gcc -O2", "int x = 5;"));
    let time = std::time::Duration::from_secs(10);
    let report = compare_images(&data, &data, 1, time).expect("two objects");
    assert_eq!((report.functions.len(), report.same_objects), (0, 1));
    let report = compare_images(&data, &other, 1, time).expect("two objects");
    assert_eq!((report.functions.len(), report.objects.len()), (0, 1));
}

#[test]
fn code_without_functions_says_so() {
    let dir = tempfile::tempdir().expect("a directory");
    let code = object(&dir, "code", "gcc -O2", "__asm__(\".text\\nhere: ret\");");
    assert_eq!(parse("code.o", &code).expect_err("no functions").problem, Problem::NoFunctions);
}

#[test]
fn stripped_files_say_so() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut bytes = object(&dir, "whole", "gcc -O2", PROGRAM).get().to_vec();
    // The table of symbols becomes a section of another type: what `strip` leaves.
    let word = |bytes: &[u8], at: usize, n: usize| {
        bytes[at..at + n].iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte)) as usize
    };
    let (table, entry, count) = (word(&bytes, 40, 8), word(&bytes, 58, 2), word(&bytes, 60, 2));
    for at in (0..count).map(|n| table + n * entry) {
        let kind = word(&bytes, at + 4, 4);
        if kind == 2 || kind == 4 {
            bytes[at + 4] = 0;
        }
    }
    let error = parse("stripped.o", &Bytes::owned(bytes)).expect_err("no symbols");
    assert_eq!(error.problem, Problem::Stripped);
}
