//! Functions for x86-64 against those for AArch64: what one source becomes on both is proved, what differs never is.

mod common;

use common::report;
use crossver::equality::verdict::{How, VerdictKind};
use std::path::Path;

/// Options under which what C leaves to the machine is the same on both.
const ARM: &str = "aarch64-linux-gnu-gcc -O2 -g -fsigned-char -fno-section-anchors -ffp-contract=off";
const X86: &str = "gcc -O2 -g -ffp-contract=off";

fn source(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/diff/across").join(name);
    std::fs::read_to_string(file).expect("readable")
}

/// Whether the other machine's compiler is here; where it is missing, that is said aloud.
fn both_here() -> bool {
    let here = std::process::Command::new("aarch64-linux-gnu-gcc").arg("--version").output().is_ok();
    if !here {
        eprintln!("SKIPPED: no `aarch64-linux-gnu-gcc` here");
    }
    here
}

#[test]
fn what_one_source_becomes_is_proved() {
    if !both_here() {
        return;
    }
    let text = source("equivalent.c");
    let found = report((X86, &text), (ARM, &text));
    assert!(found.functions.len() >= 24, "{} functions", found.functions.len());
    for f in &found.functions {
        let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
        assert!(proved && f.how == Some(How::Proof), "{}: {f:?}", f.function);
    }
}

#[test]
fn what_differs_is_never_proved() {
    if !both_here() {
        return;
    }
    let text = source("broken.c");
    let mut refuted = 0;
    for (old, new) in [(X86, ARM), (ARM, X86)] {
        let found = report((old, &text), (new, &text));
        assert!(found.functions.len() >= 32, "{} functions", found.functions.len());
        for f in &found.functions {
            let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
            assert!(!proved, "{}: {f:#?}", f.function);
            refuted += usize::from(f.why.as_deref() == Some("difference-not-replayed"));
        }
    }
    assert!(refuted >= 40, "{refuted} differences were found");
}
