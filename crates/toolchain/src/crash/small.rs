//! How the small compilers report their own failures: tcc and pcc say `internal compiler error` or `compiler error`
//! without the apparatus of the large ones; sdcc and others say `FATAL Compiler Internal Error`.

use super::normal::{normalise, pattern, shorten};
use super::{Crash, CrashKind, GIVES_UP, Recogniser};
use regex_lite::Regex;
use std::sync::LazyLock;

/// tcc, pcc, sdcc.
pub(super) struct Small;

static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^(?:.*?[:,] )?(?:(tcc): error: internal (?:compiler )?error\b:?|(compiler error):|(FATAL Compiler Internal Error)\b)[ \t]*(.*)$(?:\n[ \t]*(.*))?",
    )
});

impl Recogniser for Small {
    fn name(&self) -> &'static str {
        "small"
    }

    fn marks(&self) -> &'static str {
        "internal (compiler )?error|compiler error:|Compiler Internal Error"
    }

    fn recognise(&self, text: &str) -> Option<Crash> {
        let found = ERROR.captures(text)?;
        let group = |index: usize| found.get(index).map_or("", |m| m.as_str()).trim();
        let family = match (found.get(1), found.get(2)) {
            (Some(_), _) => "tcc",
            (None, Some(_)) => "pcc",
            (None, None) => "sdcc",
        };
        let message = if group(4).is_empty() { group(5) } else { group(4) };
        let line = found[0].lines().next().unwrap_or_default().trim().to_owned();
        if line.contains(GIVES_UP) {
            return None;
        }
        let signature = shorten(&format!("{family}: {}", normalise(message)));
        Some(Crash { kind: CrashKind::InternalError, signature, line })
    }
}
