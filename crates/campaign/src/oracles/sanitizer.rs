//! A program that the abstract machine finds defined was built with a sanitizer, and the sanitizer objects: what it looks
//! for (bad accesses, overflows, bad shifts) is undefined behaviour, so that either it is wrong or the machine is.

use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Judgement, OracleName, Stage};
use toolchain::crash::normalise;

/// What a line of a report holds, and whose it is.
const REPORTS: &[(&str, &str)] = &[
    ("runtime error: ", "UndefinedBehaviorSanitizer"),
    ("ERROR: AddressSanitizer: ", "AddressSanitizer"),
    ("ERROR: UndefinedBehaviorSanitizer: ", "UndefinedBehaviorSanitizer"),
];

/// See the module.
pub struct Sanitizer;

impl Oracle for Sanitizer {
    fn name(&self) -> OracleName {
        OracleName::Sanitizer
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        let Truth::Known { outcome, .. } = case.truth(seen) else { return Judgement::Silent };
        let Some(run) = &seen.run else { return Judgement::Silent };
        if !case.configuration(seen).with(&seen.drawn).is_sanitized() {
            return Judgement::Silent;
        }
        let Some(report) = report(&run.stderr, &outcome.stderr) else { return Judgement::Silent };
        let compiler = case.configuration(seen).family().name();
        Judgement::Alarm(Alarm {
            kind: FindingKind::FalseReport,
            oracle: self.name(),
            stage: Stage::Run,
            signature: format!("{compiler} {}", normalise(&report)),
            summary: format!("a defined program is said to be undefined: {report}"),
            doubt: None,
        })
    }
}

/// The first line of a report on standard error, as `UndefinedBehaviorSanitizer: signed integer overflow: ...`. What
/// the program writes there by itself is none.
fn report(stderr: &[u8], own: &[u8]) -> Option<String> {
    let (text, own) = (String::from_utf8_lossy(stderr), String::from_utf8_lossy(own));
    let of = |line: &str| {
        let (mark, by) = REPORTS.iter().find(|(mark, _)| line.contains(mark))?;
        Some(format!("{by}: {}", line.split_once(mark)?.1))
    };
    text.lines().filter(|line| !own.contains(line)).find_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_and_other_lines_are_not() {
        let read = |text: &str| report(text.as_bytes(), b"runtime error: mine\n");
        assert_eq!(
            read("p.c:3:5: runtime error: signed integer overflow: 1 + 2\n").as_deref(),
            Some("UndefinedBehaviorSanitizer: signed integer overflow: 1 + 2")
        );
        let bad = "=====\n==7==ERROR: AddressSanitizer: stack-use-after-scope on address 0x7f at pc 0x5\n";
        assert!(read(bad).is_some_and(|line| line.starts_with("AddressSanitizer: stack-use-after-scope")));
        assert_eq!(read("runtime error: mine\n"), None);
        assert_eq!(read("hello\n"), None);
    }
}
