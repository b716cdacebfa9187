//! All programs, one after the other: a depth-first walk over the choices.
//!
//! The first program draws nothing but zeros; each next one changes the last choice that can still be raised. Without
//! small limits there is no end to it in practice.

use crate::choices::Choices;
use crate::{Options, Program};

/// The programs of some options in the order of their choices.
#[derive(Clone, Debug)]
pub struct Exhaustive {
    options: Options,
    next: Option<Vec<u32>>,
}

impl Exhaustive {
    /// All of them.
    pub fn new(options: &Options) -> Exhaustive {
        Exhaustive { options: options.clone(), next: Some(Vec::new()) }
    }
}

impl Iterator for Exhaustive {
    type Item = Program;

    fn next(&mut self) -> Option<Program> {
        let (mut program, choices) = crate::run(Choices::bounded(self.next.take()?), &self.options);
        program.choices = choices.recorded().to_vec();
        self.next = choices.successor();
        Some(program)
    }
}
