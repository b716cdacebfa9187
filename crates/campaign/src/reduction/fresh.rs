//! The test for findings that must not become a bug that is known already: a candidate shows the symptom, and shows it
//! still where the detours around the known bugs are taken (anti-slippage between bugs: a program that has two is reduced
//! to the one that nobody has seen).

use super::session::case_of;
use crate::detours::{self, Detour};
use csyntax::target::Target;
use reduce::{Answer, Case, Interesting};
use toolchain::Cancel;

/// Another test, and the detours.
pub(super) struct Fresh<'s> {
    pub test: Box<dyn Interesting + 's>,
    pub avoid: &'s [Detour],
    pub target: &'s Target,
}

impl Interesting for Fresh<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        match self.test.ask(worker, case, cancel) {
            Answer::Interesting => {}
            answer @ (Answer::Not(_) | Answer::Unresolved(_)) => return answer,
        }
        // Detours are taken in programs of one file.
        let [file] = &case.files[..] else { return Answer::Interesting };
        match detours::take(&String::from_utf8_lossy(&file.text), self.target, self.avoid) {
            // No place for any of them: it is none of the known bugs.
            None => Answer::Interesting,
            Some(around) => match self.test.ask(worker, &case_of(around.as_bytes()), cancel) {
                Answer::Interesting => Answer::Interesting,
                Answer::Not(_) => Answer::Not("it is a known bug".to_owned()),
                answer @ Answer::Unresolved(_) => answer,
            },
        }
    }
}
