//! The test for findings about volatile objects: a candidate is a defined program that does what it should, except that it
//! accesses a volatile object otherwise than it must, in the way of the finding. Without optimisation it is right, if the
//! finding is: what a compiler takes for an access is not to become the bug.

use super::subject::Tried;
use crate::accesses::{Meant, Watched, with_traps};
use crate::configurations::{INPUT, OUTPUT};
use crate::oracles::volatile::{AccessFacts, Difference};
use crate::oracles::{Compared, compare};
use machine::Outcome;
use reduce::interesting::gate::Gate;
use reduce::{Answer, Case, Interesting};
use std::fs;
use toolchain::Cancel;
use toolchain::compiler::CompileOutcome;
use toolchain::process::run;

/// The test.
pub(super) struct Counted<'s> {
    /// The gate.
    pub gate: &'s Gate<'static>,
    /// The finding's configuration.
    pub subject: &'s Tried,
    /// Configurations that must do it right.
    pub references: &'s [Tried],
    /// How the machine runs candidates.
    pub machine: machine::Options,
    /// In what accesses differ.
    pub difference: Difference,
}

impl Counted<'_> {
    /// What a configuration makes of a text that means this. `Err` is why it is not interesting, or that the test failed.
    pub fn watched(
        &self,
        tried: &Tried,
        (text, meant, outcome): (&[u8], &Meant, &Outcome),
        cancel: &Cancel,
    ) -> Result<Watched, Answer> {
        let failed = |error: std::io::Error| Answer::Unresolved(format!("no directory: {error}"));
        let (dir, cwd) = (tried.scratch.dir().map_err(failed)?, tried.scratch.dir().map_err(failed)?);
        fs::write(dir.file(INPUT), text).map_err(failed)?;
        let configuration = &tried.configuration;
        let job = configuration.compilation(dir.path(), &tried.compile).cancel(cancel);
        match configuration.tested.compiler.compile(&job).outcome {
            CompileOutcome::Ok => {}
            outcome @ (CompileOutcome::DiskFull { .. }
            | CompileOutcome::Cancelled
            | CompileOutcome::NotStarted(_)) => return Err(Answer::Unresolved(outcome.describe())),
            outcome @ (CompileOutcome::Rejected { .. }
            | CompileOutcome::Crashed(_)
            | CompileOutcome::TimedOut(_)
            | CompileOutcome::OutOfMemory { .. }
            | CompileOutcome::OutputLimit(_)
            | CompileOutcome::ProcessLimit
            | CompileOutcome::NoOutput) => return Err(Answer::Not(outcome.describe())),
        }
        let start = |limits| configuration.execute(dir.path(), cwd.path(), limits, &tried.input);
        let (Some(plain), Some(traced)) = (start(&tried.run), start(&with_traps(tried.run.clone()))) else {
            return Err(Answer::Unresolved("its programs cannot be run here".to_owned()));
        };
        let done = run(&plain.cancel(cancel));
        if !matches!(compare(outcome, &done, configuration.is_x86()), Compared::Same) {
            return Err(Answer::Not("the program does something else".to_owned()));
        }
        let watched = meant.watch(&dir.file(OUTPUT), &traced.cancel(cancel));
        watched.map_err(|why| why.map_or_else(|| Answer::Unresolved("stopped".to_owned()), Answer::Not))
    }

    /// What a candidate does to a volatile object otherwise than it must.
    pub fn facts(&self, case: &Case, cancel: &Cancel) -> Result<AccessFacts, Answer> {
        let not = |why: &str| Answer::Not(why.to_owned());
        let text = &case.files.first().ok_or_else(|| not("no file"))?.text;
        let (outcome, _) = self.gate.meaning(case).map_err(|why| Answer::Not(why.to_string()))?;
        let meant = Meant::of(text, &self.machine);
        if meant.is_empty() {
            return Err(not("it accesses no volatile object that can be watched"));
        }
        let program = (&text[..], &meant, &outcome);
        let watched = self.watched(self.subject, program, cancel)?;
        let facts = watched.differing(self.difference);
        let facts = facts.cloned().ok_or_else(|| not("volatile objects are accessed as they must be"))?;
        for reference in self.references {
            if !self.watched(reference, program, cancel)?.clears(&facts) {
                return Err(not("a reference accesses volatile objects otherwise than it must"));
            }
        }
        Ok(facts)
    }
}

impl Interesting for Counted<'_> {
    fn ask(&self, _worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        match self.facts(case, cancel) {
            Ok(_) => Answer::Interesting,
            Err(answer) => answer,
        }
    }
}
