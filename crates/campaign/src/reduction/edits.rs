//! A variant made small by way of the edits that made it: any subset of them is a variant again.

use super::session::{Session, case_of, machine_options};
use crate::error::Error;
use crate::variants::same;
use mutate::{Edit, Input, Seed};
use std::time::Instant;

/// Subsets tried; the hunt has cut the list down before.
const TRIES: usize = 200;

impl Session {
    /// Takes away edits of a variant while the finding shows. `true` if the seed itself shows it.
    pub fn fewer_edits(&mut self, stop: &dyn Fn() -> bool) -> Result<bool, Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let (Some(text), Some(edits)) = (&self.opened.seed, &self.opened.facts.edits) else {
            return Ok(false);
        };
        let edits = edits.clone();
        let options = machine_options(&self.opened);
        let input = Input { args: options.args.clone(), stdin: options.stdin.clone() };
        let Ok(Ok(seed)) = frontend::guarded(|| Seed::new(text, "seed.c", &options, &[input])) else {
            return Ok(false);
        };
        let mut failed = None;
        let mut shows = |kept: &[Edit]| {
            if stop() || failed.is_some() {
                return false;
            }
            let Ok(text) = seed.replay(kept) else { return false };
            let case = case_of(text.as_bytes());
            let keeps = || self.gate.meaning(&case).is_ok_and(|(meant, _)| same(&seed.truth[0].1, &meant));
            if !keeps() {
                return false;
            }
            match self.ask(std::slice::from_ref(&case)) {
                Ok(held) if held == [true] => {
                    self.text = case;
                    true
                }
                Ok(_) => false,
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        };
        let bare = shows(&[]);
        // A list that does not show what the finding's text shows was made by another version.
        if !bare && edits.len() > 1 && shows(&edits) {
            mutate::minimize(&edits, TRIES, shows);
        }
        if let Some(error) = failed {
            return Err(error);
        }
        self.note("edits", begun, tests);
        Ok(bare)
    }
}
