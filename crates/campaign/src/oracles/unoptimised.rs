//! A program whose meaning the machine cannot give (inline assembly, builtins it does not know), or a variant of one,
//! does something else than unoptimised programs made of the seed: the oracle of Orion (PLDI 2014, section 3), a
//! compiler against itself.
//!
//! What is expected is the compilers' answer, not C's, so each alarm carries that as its doubt. A seed gets here only if
//! what it does is the same every time, in most compilers, and to the liking of sanitizers (see `hunt/opaque.rs`).

use super::wrong_code::{Compared, compare};
use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Judgement, OracleName, Stage};

/// See the module.
pub struct Unoptimised;

impl Oracle for Unoptimised {
    fn name(&self) -> OracleName {
        OracleName::Unoptimised
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        let Truth::Opaque { outcome, why } = case.truth(seen) else { return Judgement::Silent };
        let Some(run) = &seen.run else { return Judgement::Silent };
        match compare(outcome, run, case.configuration(seen).is_x86()) {
            Compared::Same => Judgement::Pass,
            Compared::Unknown(why) => Judgement::undecided(why),
            Compared::Differs(summary) => Judgement::Alarm(Alarm {
                kind: FindingKind::WrongCode,
                oracle: self.name(),
                stage: Stage::Run,
                signature: String::new(),
                summary,
                doubt: Some(format!(
                    "the expected answer is that of unoptimised programs; the machine has none ({})",
                    why.reason()
                )),
            }),
        }
    }
}
