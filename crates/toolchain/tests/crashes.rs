//! Texts in the formats in which compilers report their own failures, each with the signature expected of it.
//!
//! A file of `tests/crashes/` is a header (`kind:`, and unless that is `none`, `signature:` and `line:`), a line
//! `---`, and the text.

use toolchain::crash::{CrashKind, RECOGNISERS, marks, normalise, recognise, signal_name};

fn goldens() -> Vec<(String, String)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crashes");
    let entries = std::fs::read_dir(dir).expect("tests/crashes is part of the source").flatten();
    let mut goldens: Vec<(String, String)> = entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("a golden is a text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    goldens.sort();
    goldens
}

#[test]
fn every_golden_text_gets_its_signature() {
    let goldens = goldens();
    assert!(goldens.len() >= 17, "goldens are missing: {}", goldens.len());
    let mut wrong = String::new();
    for (name, golden) in &goldens {
        let (header, text) = golden.split_once("---\n").unwrap_or_else(|| panic!("{name} has no `---` line"));
        let found = recognise(text.as_bytes(), Some(1), None);
        let marked =
            regex_lite::RegexBuilder::new(&marks()).case_insensitive(true).build().expect("a pattern");
        let found = match found {
            Some(crash) => {
                assert!(text.lines().any(|line| marked.is_match(line)), "{name}: a reproducer would deny it");
                format!("kind: {}\nsignature: {}\nline: {}\n", crash.kind.name(), crash.signature, crash.line)
            }
            None => "kind: none\n".to_owned(),
        };
        if found != header {
            wrong.push_str(&format!("\n{name}: expected\n{header}found\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_recogniser_has_a_golden() {
    let goldens = goldens();
    for recogniser in RECOGNISERS {
        let known = goldens.iter().any(|(_, golden)| {
            golden.split_once("---\n").is_some_and(|(_, text)| recogniser.recognise(text).is_some())
        });
        assert!(known, "{} has no golden in tests/crashes", recogniser.name());
    }
}

#[test]
fn a_signal_without_words_is_a_crash_and_an_exit_code_is_not() {
    let crash = recognise(b"", None, Some(libc::SIGSEGV)).expect("a signal is a crash");
    assert_eq!((crash.kind, crash.signature.as_str()), (CrashKind::Signal, "signal: SIGSEGV"));
    let through_a_shell =
        recognise(b"", Some(128 + libc::SIGABRT), None).expect("a shell's way of saying it");
    assert_eq!(through_a_shell.signature, "signal: SIGABRT");
    assert_eq!(recognise(b"oops", Some(1), None), None);
    assert_eq!(recognise(b"", Some(127), None), None);
    assert_eq!(signal_name(63), "signal 63");
}

#[test]
fn what_changes_from_run_to_run_is_taken_out() {
    let one = "in fold, at /build/one/gcc/fold-const.cc:123 for 0x7ffe1234 and 'x_1' (12 times)";
    let two = "in fold, at ../two/fold-const.cc:99:4 for 0x55aa and 'y_2' (7  times)";
    assert_eq!(normalise(one), normalise(two));
    assert_eq!(normalise(one), "in fold, at fold-const.cc for ADDR and NAME (N times)");
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let garbage: Vec<u8> = (0..60_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_eq!(recognise(&garbage, Some(1), None), None);
    let long = format!("internal compiler error: {}", "é".repeat(100_000));
    let crash = recognise(long.as_bytes(), Some(4), None).expect("a crash");
    assert!(crash.signature.chars().count() <= 200);
}
