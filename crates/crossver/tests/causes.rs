//! The instructions to blame for differences: those that a person would name, and those that were changed on purpose.

mod common;

use common::{image, object, report};
use crossver::cause::{Cause, CauseKind};
use crossver::equality::verdict::VerdictKind;
use crossver::inject::{FaultKind, inject};
use crossver::report::compare_images;
use std::time::Duration;

/// The cause of the one difference of two texts, compiled with these options.
fn cause(options: (&str, &str), old: &str, new: &str) -> Cause {
    let command = |options: &str| format!("gcc -g {options}");
    let report = report((&command(options.0), old), (&command(options.1), new));
    let mut different = report.functions.into_iter().filter(|f| f.verdict == VerdictKind::Different);
    let found = different.next().and_then(|f| f.cause).expect("a difference with a cause");
    assert!(different.next().is_none(), "one difference");
    found
}

/// Whether both sides are blamed at these lines, for instructions with these words.
fn blames(cause: &Cause, old: (&str, &str), new: (&str, &str)) -> bool {
    [(&cause.old, old), (&cause.new, new)].into_iter().all(|(side, (line, word))| {
        side.as_ref()
            .is_some_and(|side| side.line.as_deref() == Some(line) && side.instruction.contains(word))
    })
}

#[test]
fn an_extension_is_to_blame() {
    let text = |how: &str| {
        format!(
            "int clip(const short *from, int n) {{\n  if (n < 0)\n    return 0;\n  return {how}from[n & 7];\n}}\n"
        )
    };
    let found = cause(("-O2", "-O2"), &text(""), &text("(unsigned short)"));
    assert!(blames(&found, ("old.c:4", "movsx"), ("new.c:4", "movzx")), "{found:?}");
    assert_eq!(found.kind, CauseKind::Value);
}

#[test]
fn a_constant_far_from_the_result_is_to_blame() {
    let text = |k: u32| {
        format!(
            "unsigned f(unsigned a, unsigned b) {{\n  a ^= b >> 3;\n  b = a * {k}u;\n  a += b << 7;\n  return a ^ a >> 9;\n}}\n"
        )
    };
    let found = cause(("-O2", "-O2"), &text(1_000_003), &text(1_000_007));
    assert!(blames(&found, ("old.c:3", "imul"), ("new.c:3", "imul")), "{found:?}");
    // Other instructions and registers make the same values before and behind it.
    let found = cause(("-O0", "-O2"), &text(1_000_003), &text(1_000_007));
    assert!(blames(&found, ("old.c:3", "imul"), ("new.c:3", "imul")), "{found:?}");
}

#[test]
fn a_condition_is_to_blame_for_what_is_called() {
    let text = |how: &str| {
        format!(
            "void go(int);\nvoid f(int *p, int n) {{\n  p[1] = n;\n  if (p[0] {how} n)\n    go(p[2]);\n  p[3] = 7;\n}}\n"
        )
    };
    let found = cause(("-O2", "-O2"), &text("<"), &text("<="));
    assert!(blames(&found, ("old.c:4", "j"), ("new.c:4", "j")), "{found:?}");
    assert_eq!(found.kind, CauseKind::Path);
}

#[test]
fn a_store_that_is_missing_is_to_blame() {
    let text = |how: &str| format!("void f(int *p, int n) {{\n  p[1] = n * 3;\n{how}\n  p[3] = n + 7;\n}}\n");
    let found = cause(("-O2", "-O2"), &text("  p[2] = n - 5;"), &text(""));
    let old = found.old.as_ref().expect("the store");
    assert_eq!((old.line.as_deref(), found.new), (Some("old.c:3"), None));
}

#[test]
fn four_in_five_faults_are_to_blame() {
    let text = "int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] ^ i; return s; }\n\
        long mix(long a, long b, short *p) { a += b * 7; p[1] = a; if (a > b) a -= 3; return a ^ p[2]; }\n\
        int out(int, long);\n\
        int call(int *p, int n) { int k = out(n + 1, p[2]); if (k > n) k = out(k & 15, p[1]); return k * p[3]; }\n\
        void put(long *p, int a, char b) { p[1] = a; ((char *)p)[3] = b; p[2] = a > 7 ? a * 5 : 3; }\n";
    let dir = tempfile::tempdir().expect("a directory");
    let old = image("old", &object(&dir, "old", "gcc -O2 -g -fno-tree-vectorize", text));
    let (mut all, mut right) = (0, 0);
    for seed in 0..40 {
        let Some(faulty) = inject(&old, seed, FaultKind::ALL) else { continue };
        let Some((section, at)) = faulty.place else { continue };
        let report = compare_images(&old, &faulty.image, 1, Duration::from_secs(2)).expect("one machine");
        for f in report.functions.iter().filter(|f| f.verdict == VerdictKind::Different) {
            all += 1;
            let blamed = f.cause.as_ref().and_then(|cause| cause.new.as_ref());
            let section = &faulty.image.sections[section].name;
            right += usize::from(blamed.is_some_and(|new| new.section == *section && new.at == at));
        }
    }
    assert!(all >= 20 && right * 5 >= all * 4, "{right} of {all}");
}
