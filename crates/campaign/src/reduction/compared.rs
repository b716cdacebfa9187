//! The test for findings that rest on a comparison: a candidate is a defined program on which the finding's configuration
//! still does worse than the other, in the same way.
//!
//! Of a missed optimisation that is: the one leaves the marker in, the other removes it, and the machine still says that
//! the marked block does not run although what decides about it does.

use super::subject::Tried;
use crate::configurations::{INPUT, OUTPUT};
use crate::findings::{Against, Contrast, CostFacts};
use crate::oracles::debug_info::difference;
use crate::oracles::missed_optimisation::survivors;
use mutate::markers::{self, PREFIX};
use mutate::{Input, Seed};
use reduce::interesting::gate::Gate;
use reduce::{Answer, Case, Interesting};
use std::fs;
use toolchain::Cancel;
use toolchain::compiler::CompileOutcome;
use toolchain::process::Usage;

/// A candidate must be out of line by so much more than the finding must, so that noise does not end what it began.
const MARGIN: f64 = 1.25;

/// The comparison.
pub(super) struct Compared<'s> {
    /// The gate.
    pub gate: &'s Gate<'static>,
    /// The finding's configuration.
    pub worse: &'s Tried,
    /// What it is compared with.
    pub against: &'s Against,
    /// How the machine runs candidates.
    pub machine: machine::Options,
}

/// An assembly and what it cost, or why there is none.
type Assembled = Result<(String, Usage), Answer>;

impl Compared<'_> {
    fn assembly(&self, text: &[u8], better: bool, cancel: &Cancel) -> Assembled {
        let failed =
            |error: std::io::Error| Answer::Unresolved(format!("no directory for the compiler: {error}"));
        let configuration = if better { &self.against.configuration } else { &self.worse.configuration };
        let dir = self.worse.scratch.dir().map_err(failed)?;
        fs::write(dir.file(INPUT), text).map_err(failed)?;
        let job = configuration.assembly(dir.path(), &self.worse.compile).cancel(cancel);
        let compiled = configuration.tested.compiler.compile(&job);
        match compiled.outcome {
            CompileOutcome::Ok => {
                let text = fs::read(dir.file(OUTPUT)).map_err(failed)?;
                Ok((String::from_utf8_lossy(&text).into_owned(), compiled.usage))
            }
            outcome @ (CompileOutcome::DiskFull { .. }
            | CompileOutcome::Cancelled
            | CompileOutcome::NotStarted(_)) => Err(Answer::Unresolved(outcome.describe())),
            outcome @ (CompileOutcome::Rejected { .. }
            | CompileOutcome::Crashed(_)
            | CompileOutcome::TimedOut(_)
            | CompileOutcome::OutOfMemory { .. }
            | CompileOutcome::OutputLimit(_)
            | CompileOutcome::ProcessLimit
            | CompileOutcome::NoOutput) => Err(Answer::Not(outcome.describe())),
        }
    }

    /// `Err` is why a candidate is not interesting, or that the test failed.
    fn try_marker(&self, text: &[u8], name: &str, cancel: &Cancel) -> Result<(), Answer> {
        let not = |why: &str| Err(Answer::Not(why.to_owned()));
        let number = name.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        let Some(number) = number else { return not("the marker has no number") };
        if !survivors(&self.assembly(text, false, cancel)?.0).contains(&number) {
            return not("the marker is gone");
        }
        if survivors(&self.assembly(text, true, cancel)?.0).contains(&number) {
            return not("the better configuration leaves the marker in");
        }
        match self.decided_by(text, name) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => not("what decides about the block does not run"),
            Err(why) => Err(Answer::Not(why)),
        }
    }

    /// What decides about the marked block. `Err` is why the text has no profile.
    fn decided_by(&self, text: &[u8], name: &str) -> Result<Option<String>, String> {
        let input = Input { args: self.machine.args.clone(), stdin: self.machine.stdin.clone() };
        let seed = frontend::guarded(|| Seed::new(text, INPUT, &self.machine, &[input]))?;
        seed.map(|seed| markers::decided_by(&seed, name)).map_err(|refusal| refusal.to_string())
    }

    /// What a smaller program shows, in one line, where that is not what the larger one did.
    pub fn summary(&self, text: &[u8]) -> Option<String> {
        match &self.against.what {
            Contrast::Marker(name) => {
                let guard = self.decided_by(text, name).ok()??;
                Some(self.against.missed(name, &guard))
            }
            Contrast::Code | Contrast::Cost(_) => None,
        }
    }

    fn try_code(&self, text: &[u8], cancel: &Cancel) -> Result<(), Answer> {
        let (with, without) = (self.assembly(text, false, cancel)?.0, self.assembly(text, true, cancel)?.0);
        match difference(&with, &without) {
            Some(_) => Ok(()),
            None => Err(Answer::Not("the code is the same".to_owned())),
        }
    }

    fn try_cost(&self, text: &[u8], costs: &CostFacts, cancel: &Cancel) -> Result<(), Answer> {
        let amount = |better| Ok(costs.measure.of(&self.assembly(text, better, cancel)?.1));
        let (worse, better): (f64, f64) = (amount(false)?, amount(true)?);
        if worse >= MARGIN * costs.measure.least() && worse >= MARGIN * costs.factor * better {
            return Ok(());
        }
        let (worse, better) = (costs.measure.amount(worse), costs.measure.amount(better));
        Err(Answer::Not(format!("it takes {worse}, and {better} with the better configuration")))
    }
}

impl Interesting for Compared<'_> {
    fn ask(&self, _worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        let Some(file) = case.files.first() else { return Answer::Not("no file".to_owned()) };
        if let Err(why) = self.gate.meaning(case) {
            return Answer::Not(why.to_string());
        }
        let tried = match &self.against.what {
            Contrast::Marker(name) => self.try_marker(&file.text, name, cancel),
            Contrast::Cost(costs) => self.try_cost(&file.text, costs, cancel),
            Contrast::Code => self.try_code(&file.text, cancel),
        };
        match tried {
            Ok(()) => Answer::Interesting,
            Err(answer) => answer,
        }
    }
}
