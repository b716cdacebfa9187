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
            c.replayed = match &found {
                Finding::Confirmed(_) => Replay::Natively,
                Finding::NotReproduced(_) => Replay::NotNatively,
                Finding::NotPossible(_) => c.replayed,
            };
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
