//! Compilers disagree with each other about a program whose meaning the machine cannot tell.
//!
//! Only on request (`--differential`), only where the machine stopped at a limit of its own (unsupported, out of
//! budget) and never where it found the program undefined. A strict majority of the configurations of one data
//! model is taken as the truth, as in the Csmith thesis (section 3.1); without one nobody is accused.

use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, InconclusiveKind, Judgement, Limit, OracleName, Stage};
use toolchain::process::{Finished, Outcome};

/// See the module.
pub struct Disagreement;

impl Oracle for Disagreement {
    fn name(&self) -> OracleName {
        OracleName::Disagreement
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        let limit = match case.truth(seen) {
            // Others judge these.
            Truth::Known { .. } | Truth::Opaque { .. } => return Judgement::Silent,
            Truth::Rejected(rejection) => rejection.limit(),
        };
        if !case.differential || limit == Limit::Program {
            return Judgement::Silent;
        }
        let Some(mine) = seen.run.as_ref().filter(|run| ended(run)) else { return Judgement::Silent };
        let model = case.configuration(seen).model;
        let runs: Vec<&Finished> = case
            .observations
            .iter()
            .filter(|other| case.configuration(other).model == model)
            .filter_map(|other| other.run.as_ref())
            .filter(|run| ended(run))
            .collect();
        let agreeing = |with: &Finished| runs.iter().filter(|run| same(run, with)).count();
        let majority = runs.iter().find(|run| 2 * agreeing(run) > runs.len());
        match majority {
            _ if runs.len() < 2 => Judgement::undecided(InconclusiveKind::NothingToCompare),
            None => Judgement::undecided(InconclusiveKind::NoMajority),
            Some(reference) if same(reference, mine) => Judgement::Pass,
            Some(reference) => Judgement::Alarm(Alarm {
                kind: FindingKind::WrongCode,
                oracle: self.name(),
                stage: Stage::Run,
                signature: String::new(),
                summary: format!(
                    "differs from {} of {} configurations: {}",
                    agreeing(reference),
                    runs.len(),
                    super::wrong_code::first_difference(&reference.stdout, &mine.stdout).unwrap_or_else(
                        || format!(
                            "it {}, where they {}",
                            mine.outcome.describe(),
                            reference.outcome.describe()
                        )
                    )
                ),
                doubt: Some("the expected answer is only the majority's".to_owned()),
            }),
        }
    }
}

fn ended(run: &Finished) -> bool {
    matches!(run.outcome, Outcome::Exited(_) | Outcome::Signaled(_))
}

fn same(a: &Finished, b: &Finished) -> bool {
    a.outcome == b.outcome && a.stdout == b.stdout
}
