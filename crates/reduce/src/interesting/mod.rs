//! The test of interestingness: what a candidate must still show.

pub mod compilers;
pub mod gate;
pub mod script;

use crate::Case;
use toolchain::Cancel;

/// What a test says of a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It still shows what the original shows.
    Interesting,
    /// It does not, and why; a time-out is one of the reasons.
    Not(String),
    /// The test itself failed or was stopped: asked again, it may answer.
    Unresolved(String),
}

impl Answer {
    /// Is it [`Answer::Interesting`]?
    pub fn holds(&self) -> bool {
        match self {
            Answer::Interesting => true,
            Answer::Not(_) | Answer::Unresolved(_) => false,
        }
    }
}

/// A test of candidates. It is asked from several threads at once, and must give the same answer to the same candidate
/// whenever it is asked.
pub trait Interesting: Sync {
    /// Asks. `worker` is the number of the asking thread, below the number of jobs: no two calls with the same number
    /// overlap, so that what a test keeps for a worker needs no lock beyond a formal one. Once `cancel` is raised nobody
    /// waits for the answer any more.
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer;
}

/// All of several tests, asked in order; the cheap ones go first.
pub struct All<'t>(pub Vec<&'t dyn Interesting>);

impl Interesting for All<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        for test in &self.0 {
            match test.ask(worker, case, cancel) {
                Answer::Interesting => {}
                answer @ (Answer::Not(_) | Answer::Unresolved(_)) => return answer,
            }
        }
        Answer::Interesting
    }
}
