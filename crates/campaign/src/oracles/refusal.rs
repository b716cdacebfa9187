//! The compiler refuses a defined program at one level that it takes at another. What C is does not depend on levels, so
//! that such a message is about the compiler's own doing: an instruction it cannot encode, registers that do not
//! suffice, an object file that the linker does not take. (What the assembler refuses is a crash: see `toolchain`.)

use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Judgement, OracleName, Stage};
use std::sync::Arc;
use toolchain::compiler::{CompileOutcome, Family};
use toolchain::crash::normalise;

/// What messages hold that are about the program although they depend on the level: what is called nowhere need not be
/// defined where its caller is removed, and inlining on demand can fail.
const OF_THE_PROGRAM: &[&str] =
    &["undefined reference", "undefined symbol", "unresolved external", "always_inline", "always inline"];

/// See the module.
pub struct Refusal;

impl Oracle for Refusal {
    fn name(&self) -> OracleName {
        OracleName::Refusal
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        let CompileOutcome::Rejected { line } = &seen.compile.outcome else { return Judgement::Silent };
        if !matches!(case.truth(seen), Truth::Known { .. }) || is_of_the_program(&seen.compile.stderr) {
            return Judgement::Silent;
        }
        let mine = case.configuration(seen);
        let takes = |other: &&Observation| {
            other.compile.outcome == CompileOutcome::Ok
                && (other.drawn.is_empty() || other.drawn == seen.drawn)
                && Arc::ptr_eq(&case.configuration(other).tested, &mine.tested)
        };
        let Some(other) = case.observations.iter().find(takes) else { return Judgement::Silent };
        let level = &case.configuration(other).level;
        Judgement::Alarm(Alarm {
            kind: FindingKind::Refusal,
            oracle: self.name(),
            stage: Stage::Compile,
            signature: signature(mine.family(), &normalise(line)),
            summary: format!("refused here and taken at {level}: {line}"),
            doubt: None,
        })
    }
}

/// What refusals of one cause have in common: whose compiler it is, and its message without names and numbers.
pub fn signature(family: Family, message: &str) -> String {
    format!("{} {message}", family.name())
}

fn is_of_the_program(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    OF_THE_PROGRAM.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_defined_is_the_programs_fault() {
        assert!(is_of_the_program(b"/usr/bin/ld: program.o: undefined reference to `link_error'\n"));
        assert!(!is_of_the_program(b"/usr/bin/ld: program.o: relocation truncated to fit: R_X86_64_PC32\n"));
    }
}
