//! How clang and the LLVM tools report their own failures: assertions, unreachable places, back-end errors, and the
//! stack dump that follows a signal.

use super::normal::{bare_function, normalise, pattern, shorten};
use super::{Crash, CrashKind, Recogniser};
use regex_lite::Regex;
use std::sync::LazyLock;

/// Clang, `zig cc` and the tools built on LLVM.
pub(super) struct Clang;

static ASSERTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^.*?([^\s/:]+\.(?:cpp|h|c|cc|hpp|inc|def)):\d+: .*?Assertion `(.*?)' failed\.?")
});
static UNREACHABLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)(?:^(.*)\n)?^UNREACHABLE executed(?: at (\S+?):\d+)?!"));
static BACKEND: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)(?:fatal error: error in backend|^LLVM ERROR): (.*)$"));
/// What the machine verifier and the verifier of IR complain of, before they end the compiler.
static BAD_MACHINE_CODE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^\*\*\* Bad machine code: (.+?) \*\*\*"));
static BROKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^([A-Z][^\n]*)\n(?:[^\n]*\n)*?[^\n]*(?:error in backend|LLVM ERROR): Broken (?:function|module) found",
    )
});
static DUMP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)PLEASE submit a bug report|^Stack dump:|frontend command failed (?:due to signal|with exit code 1[23]\d)|unable to execute command: (?:Aborted|Segmentation fault|Illegal instruction|Bus error|Floating point exception|Trace/breakpoint trap)",
    )
});
static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*#\d+ 0x[0-9a-f]+ ([^\s(/].*)$"));
static PASS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?m)^\d+\.\s+Running pass ['"]([A-Za-z0-9 _/&+-]+)"#));
static SIGNAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"unable to execute command: ([A-Za-z/ ]+?)(?: \(core dumped\))?$"));

/// Frames of the reporting and of the C library, which every crash has.
const REPORTING: &[&str] = &[
    "llvm::sys::PrintStackTrace",
    "llvm::sys::RunSignalHandlers",
    "llvm::sys::CleanupOnSignal",
    "llvm::llvm_unreachable_internal",
    "llvm::report_fatal_error",
    "PrintStackTraceSignalHandler",
    "CrashRecoverySignalHandler",
    "SignalHandler",
    "__restore_rt",
    "__pthread_kill_implementation",
    "__pthread_kill_internal",
    "pthread_kill",
    "gsignal",
    "raise",
    "abort",
    "__assert_fail_base",
    "__assert_fail",
    "__assert_perror_fail",
];

impl Recogniser for Clang {
    fn name(&self) -> &'static str {
        "clang"
    }

    fn marks(&self) -> &'static str {
        "Assertion .* failed|UNREACHABLE executed|error in backend|LLVM ERROR|Bad machine code|PLEASE submit a bug report|Stack dump:|frontend command failed|unable to execute command"
    }

    fn recognise(&self, text: &str) -> Option<Crash> {
        let crash = |kind, signature: String, line: &str| {
            let signature = shorten(&format!("clang: {signature}"));
            Some(Crash { kind, signature, line: line.trim().to_owned() })
        };
        if let Some(found) = ASSERTION.captures(text) {
            let condition = normalise_keeping_quotes(&found[2]);
            return crash(
                CrashKind::Assertion,
                format!("assertion in {}: {condition}", &found[1]),
                &found[0],
            );
        }
        if let Some(found) = UNREACHABLE.captures(text) {
            let file = found.get(2).map_or(String::new(), |file| format!(" at {}", normalise(file.as_str())));
            let message = found.get(1).map_or(String::new(), |m| format!(": {}", normalise(m.as_str())));
            return crash(
                CrashKind::Unreachable,
                format!("unreachable{file}{message}"),
                last_line(&found[0]),
            );
        }
        if let Some(found) = BAD_MACHINE_CODE.captures(text) {
            let complaint = format!("machine verifier: {}", normalise(&found[1]));
            return crash(CrashKind::Backend, complaint, &found[0]);
        }
        if let Some(found) = BROKEN.captures(text) {
            let complaint = format!("verifier: {}", normalise(&found[1]));
            return crash(CrashKind::Backend, complaint, last_line(&found[0]));
        }
        if let Some(found) = BACKEND.captures(text)
            && !found[1].contains("out of memory")
        {
            return crash(CrashKind::Backend, format!("backend: {}", normalise(&found[1])), &found[0]);
        }
        let found = DUMP.find(text)?;
        let line = text[found.start()..].lines().next().unwrap_or_default();
        crash(CrashKind::Signal, stack(text), line)
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// Conditions are source text: their quotes are C++ strings and stay.
fn normalise_keeping_quotes(condition: &str) -> String {
    condition.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the stack dump tells: the pass, and the innermost frames that are the compiler's own.
fn stack(text: &str) -> String {
    let names = FRAME.captures_iter(text).map(|frame| bare_function(&frame[1]));
    let own = |name: &String| {
        !name.is_empty() && !REPORTING.iter().any(|known| name == known) && !name.starts_with("__GI_")
    };
    let frames: Vec<String> = names.filter(own).take(3).collect();
    // The innermost pass is listed last.
    let pass = PASS.captures_iter(text).last().map(|pass| format!("pass {}", pass[1].trim()));
    let frames = (!frames.is_empty()).then(|| format!("[{}]", frames.join(" < ")));
    let signal = SIGNAL.captures(text).map(|signal| signal[1].trim().to_owned());
    let parts: Vec<String> = ["crash".to_owned()].into_iter().chain(pass).chain(frames.or(signal)).collect();
    parts.join(" ")
}
