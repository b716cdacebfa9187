//! How GCC reports its own failures: `internal compiler error`, with the pass and the backtrace around it.

use super::normal::{bare_function, normalise, pattern, shorten};
use super::{Crash, CrashKind, Recogniser};
use regex_lite::Regex;
use std::sync::LazyLock;

/// GCC's drivers and compilers proper.
pub(super) struct Gcc;

static ICE: LazyLock<Regex> = LazyLock::new(|| pattern(r"internal compiler error:\s*(.+)"));
static PASS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^during (GIMPLE|RTL|IPA|SIMPLE_IPA) pass:\s*(\S+)"));
static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^in (\S+?),? at ([^\s:]+)(?::\d+)?"));
static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^0x[0-9a-f]+ (.+)$"));
static CAUSE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"error: (unrecognizable insn|insn does not satisfy its constraints|unable to find a register to spill|unable to generate reloads)",
    )
});
/// What verification between passes complains of, before it fails as a whole.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:[^\s:]+(?::\d+)*: )?error: (.+)$"));
static VERIFICATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^verify_\w+ failed"));
static CHILD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:fatal|internal compiler) error: (.+?) signal terminated program (\S+)"));

/// Frames of the reporting itself, which every crash has.
const REPORTING: &[&str] = &[
    "crash_signal",
    "internal_error",
    "fancy_abort",
    "diagnostic_impl",
    "diagnostic_context",
    "tree_check_failed",
    "tree_class_check_failed",
    "gimple_check_failed",
    "rtl_check_failed_code1",
    "rtl_check_failed_bounds",
    "verify_gimple_in_cfg",
    "???",
];

impl Recogniser for Gcc {
    fn name(&self) -> &'static str {
        "gcc"
    }

    fn marks(&self) -> &'static str {
        "internal compiler error|signal terminated program"
    }

    fn recognise(&self, text: &str) -> Option<Crash> {
        let line_with =
            |words: &str| text.lines().find(|line| line.contains(words)).unwrap_or(words).trim().to_owned();
        if let Some(found) = CHILD.captures(text) {
            // Killed from outside or for its consumption: not a failure of the compiler.
            const OUTSIDE: &[&str] =
                &["Killed", "Terminated", "CPU time limit exceeded", "File size limit exceeded"];
            if OUTSIDE.contains(&&found[1]) {
                return None;
            }
            let signature = format!("gcc: {} in {}", normalise(&found[1]), &found[2]);
            return Some(Crash { kind: CrashKind::Signal, signature, line: line_with(&found[0]) });
        }
        let found = ICE.captures(text)?;
        let message = found[1].trim();
        Some(Crash {
            kind: kind_of(message),
            signature: signature(message, text),
            line: line_with(&found[0]),
        })
    }
}

fn kind_of(message: &str) -> CrashKind {
    const SIGNALS: &[&str] =
        &["Segmentation fault", "Aborted", "Illegal instruction", "Floating point exception", "Bus error"];
    if SIGNALS.iter().any(|signal| message.starts_with(signal)) {
        CrashKind::Signal
    } else if message.contains("check: expected") {
        CrashKind::Assertion
    } else {
        CrashKind::InternalError
    }
}

fn signature(message: &str, text: &str) -> String {
    let mut parts = vec!["gcc:".to_owned()];
    if let Some(pass) = PASS.captures(text) {
        parts.push(format!("{} pass {}:", pass[1].to_lowercase(), &pass[2]));
    }
    if let Some(cause) = CAUSE.captures(text) {
        parts.push(format!("{}:", &cause[1]));
    }
    if VERIFICATION.is_match(message)
        && let Some(complaint) = COMPLAINT.captures(text)
    {
        parts.push(format!("{}:", normalise(&complaint[1])));
    }
    match PLACE.captures(message) {
        Some(place) => parts.push(format!("in {}, at {}", &place[1], normalise(&place[2]))),
        None => {
            parts.push(normalise(message));
            // Without a place of its own the message is shared by many defects: the backtrace tells them apart.
            let frames = frames(text);
            if !frames.is_empty() {
                parts.push(format!("[{}]", frames.join(" < ")));
            }
        }
    }
    shorten(&parts.join(" "))
}

fn frames(text: &str) -> Vec<String> {
    let names = FRAME.captures_iter(text).map(|frame| bare_function(&frame[1]));
    names.filter(|name| !name.is_empty() && !REPORTING.contains(&name.as_str())).take(3).collect()
}
