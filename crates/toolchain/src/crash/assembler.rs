//! What the GNU assembler says when it refuses the compiler's own output.
//!
//! Errors in a function's inline assembly name the C file, since GCC and clang mark where it comes from; those are
//! the program's and are left alone here. Assembly outside of functions carries no such mark: a program that has
//! any can be the cause of what this recognises.

use super::normal::{normalise, pattern, shorten};
use super::{Crash, CrashKind, Recogniser};
use regex_lite::Regex;
use std::sync::LazyLock;

/// The GNU assembler run by a compiler driver on a temporary file.
pub(super) struct Assembler;

static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^[^\n:]*\.s: Assembler messages:\n(?:[^\n]*\n)*?[^\n:]*\.s:\d+: Error: ([^\n]*)")
});

impl Recogniser for Assembler {
    fn name(&self) -> &'static str {
        "assembler"
    }

    fn marks(&self) -> &'static str {
        "Assembler messages"
    }

    fn recognise(&self, text: &str) -> Option<Crash> {
        let found = REFUSED.captures(text)?;
        let line = found[0].lines().last().unwrap_or_default().trim().to_owned();
        let signature = shorten(&format!("assembler: {}", normalise(&found[1])));
        Some(Crash { kind: CrashKind::BadAssembly, signature, line })
    }
}
