//! Functions for x86-64 against those for AArch64 and RISC-V: what one source becomes on both is proved, what differs never is.

mod common;

use common::report;
use crossver::equality::verdict::{How, VerdictKind};
use std::path::Path;

/// Compilers for other machines, with options under which what C leaves to the machine is the same on all.
const OTHERS: [&str; 2] = [
    "aarch64-linux-gnu-gcc -O2 -g -fsigned-char -fno-section-anchors -ffp-contract=off",
    "riscv64-linux-gnu-gcc -O2 -g -fsigned-char -fno-section-anchors -ffp-contract=off",
];
const X86: &str = "gcc -O2 -g -ffp-contract=off";

fn source(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/diff/across").join(name);
    std::fs::read_to_string(file).expect("readable")
}

/// The compilers that are here; where one is missing, that is said aloud.
fn others() -> impl Iterator<Item = &'static str> {
    OTHERS.into_iter().filter(|command| {
        let compiler = command.split(' ').next().unwrap_or_default();
        let here = std::process::Command::new(compiler).arg("--version").output().is_ok();
        if !here {
            eprintln!("SKIPPED: no `{compiler}` here");
        }
        here
    })
}

#[test]
fn what_one_source_becomes_is_proved() {
    let text = source("equivalent.c");
    for other in others() {
        let found = report((X86, &text), (other, &text));
        assert!(found.functions.len() >= 24, "{other}: {} functions", found.functions.len());
        for f in &found.functions {
            let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
            assert!(proved && f.how == Some(How::Proof), "{other}: {}: {f:?}", f.function);
        }
    }
}

#[test]
fn what_differs_is_never_proved() {
    let text = source("broken.c");
    for other in others() {
        let mut refuted = 0;
        for (old, new) in [(X86, other), (other, X86)] {
            let found = report((old, &text), (new, &text));
            assert!(found.functions.len() >= 32, "{other}: {} functions", found.functions.len());
            for f in &found.functions {
                let proved = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
                assert!(!proved, "{other}: {}: {f:#?}", f.function);
                refuted += usize::from(f.why.as_deref() == Some("difference-not-replayed"));
            }
        }
        assert!(refuted >= 40, "{other}: {refuted} differences were found");
    }
}
