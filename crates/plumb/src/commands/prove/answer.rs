//! What comes of a function: a typed report, from the worker or about it.

use super::json::Ended;
use equiv::{Ending, Reason, ReasonKind, Replay, Verdict};
use langs::native::{Finding, Plan};
use langs::pairs::Report;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A function's answer, as workers send it and reports show it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict with what it cost.
    pub report: Report,
    /// Whether anything was tried, so that it has a time.
    pub tried: bool,
    /// Most memory that was resident at once, in bytes.
    pub peak: u64,
    /// What is resident now, in bytes; the address space says little, allocators reserve a part of it.
    pub size: u64,
    /// How to run a refutation natively, or why that cannot be.
    pub native: Option<Result<Plan, String>>,
    /// What came of running it natively.
    #[serde(skip)]
    pub natively: Option<Finding>,
    /// Its worker could not go on: the next function costs reading the files again.
    #[serde(skip)]
    pub replaced: bool,
}

impl Answer {
    /// That of the engine.
    pub fn of(report: Report) -> Answer {
        Answer { report, tried: true, peak: 0, size: 0, native: None, natively: None, replaced: false }
    }

    /// One without a proof being looked for.
    fn untried(verdict: Verdict<langs::assumption::Assumption>) -> Answer {
        let report = Report { verdict, stats: equiv::Stats::default(), time: Duration::ZERO };
        Answer { tried: false, ..Answer::of(report) }
    }

    /// The function cannot be looked at.
    pub fn unsupported(what: String, place: String) -> Answer {
        Answer::untried(Verdict::Unsupported { what, place })
    }

    /// The certificate or hints cannot be used.
    pub fn certificate(why: String) -> Answer {
        Answer::untried(Verdict::Unknown(Box::new(Reason::of(ReasonKind::Certificate { why }))))
    }

    /// The worker ended before it answered; after this time, if it had begun.
    pub fn ended_as(ending: Ending, time: Option<Duration>) -> Answer {
        let mut answer =
            Answer::untried(Verdict::Unknown(Box::new(Reason::of(ReasonKind::Ended { ending }))));
        answer.tried = time.is_some();
        answer.report.time = time.unwrap_or_default();
        answer
    }

    /// How an unknown came about, where it was no obligation that stayed open in good time.
    pub fn ended(&self) -> Option<Ended> {
        match &self.report.verdict {
            Verdict::Unknown(why) => Ended::of(why),
            Verdict::Proved(_)
            | Verdict::Conditional { .. }
            | Verdict::Bounded { .. }
            | Verdict::Refuted(_)
            | Verdict::Unsupported { .. } => None,
        }
    }

    /// Takes in what came of running a refutation natively.
    pub fn ran_natively(&mut self, found: Finding) {
        if let Verdict::Refuted(c) = &mut self.report.verdict {
            match &found {
                Finding::Confirmed(_) => c.replayed = Replay::Natively,
                Finding::NotReproduced(_) => c.replayed = Replay::NotNatively,
                // Another word of a call is nothing that a run shows; of another value nothing is left.
                Finding::NoDifference if c.differences.is_empty() => c.replayed = Replay::NotNatively,
                Finding::NoDifference => {
                    let differences = std::mem::take(&mut c.differences);
                    let why = Reason::of(ReasonKind::NotNatively { differences });
                    self.report.verdict = Verdict::Unknown(Box::new(why));
                }
                Finding::NotPossible(_) => {}
            }
        }
        self.natively = Some(found);
    }

    /// What is shown below the verdict's line.
    pub fn details(&self) -> String {
        let mut out = self.report.details();
        if let Some(found) = &self.natively {
            out.push_str(&format!("natively: {}\n", found.text()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use equiv::Counterexample;

    fn refuted(differences: &[&str]) -> Answer {
        let counterexample = Counterexample {
            inputs: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            paths: Default::default(),
            first_difference: 0,
            differences: differences.iter().map(|d| (*d).to_owned()).collect(),
            replayed: Replay::InModel,
            numbers: None,
        };
        Answer::untried(Verdict::Refuted(Box::new(counterexample)))
    }

    #[test]
    fn values_that_compiled_code_does_not_show_refute_nothing() {
        let mut values = refuted(&["value: 0x1 | 0x2"]);
        values.ran_natively(Finding::NoDifference);
        let Verdict::Unknown(why) = &values.report.verdict else { panic!("still refuted") };
        assert_eq!(why.to_string(), "seen to differ, but not in compiled code: value: 0x1 | 0x2");
        let mut promise = refuted(&[]);
        promise.ran_natively(Finding::NoDifference);
        let Verdict::Refuted(c) = &promise.report.verdict else { panic!("no longer refuted") };
        assert_eq!(c.replayed, Replay::NotNatively);
    }
}
