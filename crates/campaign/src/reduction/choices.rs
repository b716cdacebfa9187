//! A generated program made small by way of the choices that made it (Seq-Reduce, thesis section 7.2.1): a sequence cut
//! short or set to zeros anywhere gives another valid program, with all that is declared where it is used.

use super::session::{Session, case_of, machine_options};
use crate::error::Error;
use crate::sources::known;
use generate::{Options, Program, SafeMath};
use reduce::Case;
use std::time::Instant;

/// Candidates judged before the smallest of those that hold is taken.
const BATCH: usize = 4;
/// Candidates without success after which finer cuts are left to the syntax.
const PATIENCE: usize = 96;
/// Stretches are not made shorter than one in so many of the sequence.
const FINEST: usize = 128;

/// A program with the choices that made it.
struct Made {
    choices: Vec<u32>,
    case: Case,
}

impl Session {
    /// Shrinks what the finding came from: the edits of a variant, then the choices of a generated program.
    pub fn shrink_origin(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Error> {
        // What a split program came from is in one piece.
        if self.subject.units.is_some() {
            return Ok(());
        }
        let is_variant = self.opened.facts.edits.is_some();
        if is_variant && !self.fewer_edits(stop)? {
            return Ok(());
        }
        let Some((seed, options)) = self.generated() else { return Ok(()) };
        let machine = machine_options(&self.opened);
        let first = known::of_seed(seed, &options, &machine);
        let made = Made { case: case_of(first.text().as_bytes()), choices: first.choices };
        // Another version of the generator makes another program, which may show it all the same.
        if self.ask(std::slice::from_ref(&made.case))? == [true] && made.case.size() <= self.text.size() {
            self.text = made.case.clone();
            self.fewer_choices(made, &options, &machine, stop)?;
        }
        Ok(())
    }

    /// The seed and options of the generator, if the program is its.
    fn generated(&self) -> Option<(u64, Options)> {
        let words = shell_words::split(self.opened.facts.source_command.as_deref()?).ok()?;
        let [plumb, gen_, seed, number, rest @ ..] = &words[..] else { return None };
        let is_ours = plumb == "plumb" && gen_ == "gen" && seed == "--seed";
        let options = Options::parse(rest).ok()?;
        Some((number.parse().ok().filter(|_| is_ours)?, options))
    }

    /// Delta debugging over the choices, from long stretches to short ones: each is cut out, or set to zeros.
    fn fewer_choices(
        &mut self,
        mut made: Made,
        options: &Options,
        machine: &machine::Options,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let finest = (made.choices.len() / FINEST).max(4);
        let mut length = made.choices.len() / 2;
        let mut vain = 0;
        while length >= finest && vain < PATIENCE {
            let mut at = 0;
            while at < made.choices.len() && vain < PATIENCE && !stop() {
                let ends =
                    (0..BATCH / 2).map(|n| at + n * length).filter(|start| *start < made.choices.len());
                let shorter = ends.flat_map(|start| {
                    [cut(&made.choices, start, length), zeroed(&made.choices, start, length)]
                });
                let tried: Vec<Made> = shorter
                    .map(|choices| program(&choices, options, machine))
                    .filter(|new| new.case.is_below(&made.case))
                    .collect();
                let cases: Vec<Case> = tried.iter().map(|new| new.case.clone()).collect();
                let held = self.ask(&cases)?;
                let best = tried.into_iter().zip(held).filter(|(_, held)| *held).map(|(new, _)| new);
                match best.min_by_key(|new| new.case.size()) {
                    Some(new) => {
                        vain = 0;
                        self.text = new.case.clone();
                        made = new;
                    }
                    None => {
                        vain += BATCH;
                        at += length * (BATCH / 2);
                    }
                }
            }
            length = length.min(made.choices.len()) / 2;
        }
        self.note("choices", begun, tests);
        Ok(())
    }
}

fn cut(choices: &[u32], start: usize, length: usize) -> Vec<u32> {
    let end = (start + length).min(choices.len());
    [&choices[..start], &choices[end..]].concat()
}

fn zeroed(choices: &[u32], start: usize, length: usize) -> Vec<u32> {
    let mut all = choices.to_vec();
    all.iter_mut().skip(start).take(length).for_each(|choice| *choice = 0);
    all
}

/// The program of a sequence, its guards elided as those of a hunt are.
fn program(choices: &[u32], options: &Options, machine: &machine::Options) -> Made {
    let made: Program = generate::replay(choices, options);
    let mut bare = made.clone();
    let elided = options.guarding() == SafeMath::Elided && known::elide(&mut bare, machine).is_ok();
    let text = if elided { bare.text() } else { made.text() };
    // What was drawn past the end of the sequence is no part of it.
    let choices = made.choices[..made.choices.len().min(choices.len())].to_vec();
    Made { choices, case: case_of(text.as_bytes()) }
}
