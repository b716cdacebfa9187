//! A generated program made small by way of the choices that made it (Seq-Reduce, thesis section 7.2.1): a sequence cut
//! short or set to zeros anywhere gives another valid program, with all that is declared where it is used.

use super::others::Others;
use super::session::{Session, case_of, machine_options};
use crate::error::Error;
use crate::sources::known;
use generate::{Options, Program, SafeMath};
use reduce::Case;
use std::time::Instant;

/// Candidates judged before the smallest of those that hold is taken.
const BATCH: usize = 4;
/// Batches that others are asked about at once.
const AHEAD: usize = 4;
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
    pub fn shrink_origin(
        &mut self,
        others: Option<&Others<'_>>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
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
            self.fewer_choices(made, (&options, &machine), others, stop);
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

    /// Delta debugging over the choices, from long stretches to short ones: each is cut out, or set to zeros. Others test the next
    /// candidates meanwhile, as if all before them were in vain.
    fn fewer_choices(
        &mut self,
        mut made: Made,
        how: (&Options, &machine::Options),
        others: Option<&Others<'_>>,
        stop: &dyn Fn() -> bool,
    ) {
        let (begun, tests) = (Instant::now(), self.tests);
        let ahead = if others.is_some() { AHEAD } else { 1 };
        let finest = (made.choices.len() / FINEST).max(4);
        let mut length = made.choices.len() / 2;
        let mut vain = 0;
        while length >= finest && vain < PATIENCE {
            let (mut at, step) = (0, length * (BATCH / 2));
            while at < made.choices.len() && vain < PATIENCE && !stop() {
                let starts = (0..ahead).map(|n| (at + n * step, vain + n * BATCH));
                let starts = starts.filter(|(at, vain)| *at < made.choices.len() && *vain < PATIENCE);
                let mut batches: Vec<Vec<Made>> =
                    starts.map(|(at, _)| shorter(&made, at, length, how)).collect();
                let cases: Vec<Case> = batches.iter().flatten().map(|new| new.case.clone()).collect();
                let ends: Vec<usize> = batches
                    .iter()
                    .scan(0, |end, batch| {
                        *end += batch.len();
                        Some(*end)
                    })
                    .collect();
                let mut held: Vec<bool> = Vec::new();
                self.ask_while(others, &cases, |holds| {
                    held.push(holds);
                    // A batch is judged as a whole.
                    !(ends.contains(&held.len()) && held.contains(&true))
                });
                let Some(first) = held.iter().position(|holds| *holds) else {
                    vain += BATCH * batches.len();
                    at += step * batches.len();
                    continue;
                };
                let batch = ends.iter().position(|end| first < *end).unwrap_or_default();
                let from = ends[batch] - batches[batch].len();
                let best = batches.swap_remove(batch).into_iter().zip(&held[from..]);
                let best = best.filter(|(_, held)| **held).map(|(new, _)| new);
                if let Some(new) = best.min_by_key(|new| new.case.size()) {
                    self.text = new.case.clone();
                    made = new;
                }
                vain = 0;
                at += step * batch;
            }
            length = length.min(made.choices.len()) / 2;
        }
        self.note("choices", begun, tests);
    }
}

/// What a batch tries from a place on: stretches of this length cut out or set to zeros, where that makes less.
fn shorter(
    made: &Made,
    at: usize,
    length: usize,
    (options, machine): (&Options, &machine::Options),
) -> Vec<Made> {
    let starts = (0..BATCH / 2).map(|n| at + n * length).filter(|start| *start < made.choices.len());
    let shorter = starts
        .flat_map(|start| [cut(&made.choices, start, length), zeroed(&made.choices, start, length)])
        .map(|choices| program(&choices, options, machine));
    shorter.filter(|new| new.case.is_below(&made.case)).collect()
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
