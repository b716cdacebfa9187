//! The fewest options of the compiler that still show a finding.

use super::others::{Others, with_options};
use super::session::Session;
use crate::error::Error;
use reduce::Case;
use std::time::Instant;

/// Options that take the next word as their argument.
const PAIRED: &[&str] =
    &["--param", "-Xclang", "-mllvm", "-Xassembler", "-Xlinker", "-target", "-arch", "-include"];

/// Levels, from the least optimisation to the most.
const LEVELS: &[&str] = &["-O1", "-Og", "-Os", "-O2", "-O3", "-Ofast"];

/// The words with each option and its argument together.
fn options(level: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for word in level.split_whitespace() {
        match all.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
                open = false;
            }
            Some(_) | None => {
                all.push(word.to_owned());
                open = PAIRED.contains(&word);
            }
        }
    }
    all
}

impl Session {
    /// Are these options the finding's, or fewer, or less optimisation? Nothing else is handed to a compiler for who says so.
    pub fn may_have(&self, level: &str) -> bool {
        let own = options(&self.opened.configuration.level);
        let known = |option: &String| own.contains(option) || LEVELS.contains(&option.as_str());
        options(level).iter().all(known)
    }

    /// Takes away options while the finding shows: all, then one after the other, then lower levels of optimisation. What is kept
    /// is the first of each that shows, however many are asked about at once.
    pub fn fewer_flags(&mut self, others: Option<&Others<'_>>) -> Result<(), Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let mut left = options(&self.subject.configuration.level);
        // Two configurations that are compared stay as they are: less optimisation misses more.
        if left.is_empty() || self.opened.against.is_some() {
            return Ok(());
        }
        // The first is none at all.
        let mut first = vec![Vec::new()];
        let mut end = left.len();
        loop {
            let without = |at: usize| [&left[..at], &left[at + 1..]].concat();
            let fewer: Vec<Vec<String>> =
                first.iter().cloned().chain((0..end).rev().filter(|_| left.len() > 1).map(without)).collect();
            let Some(at) = self.first_that_shows(&fewer, others) else { break };
            end -= (at + 1).saturating_sub(first.len()).min(end);
            left.clone_from(&fewer[at]);
            if left.is_empty() {
                break;
            }
            first.clear();
        }
        for index in 0..left.len() {
            let Some(rank) = LEVELS.iter().position(|level| *level == left[index]) else { continue };
            let lower = |level: &&str| {
                let mut words = left.clone();
                words[index] = (*level).to_owned();
                words
            };
            let lower: Vec<Vec<String>> = LEVELS[..rank].iter().map(lower).collect();
            if let Some(at) = self.first_that_shows(&lower, others) {
                left.clone_from(&lower[at]);
            }
        }
        self.subject.configuration.level = left.join(" ");
        self.note("options", begun, tests);
        Ok(())
    }

    /// The first of some lists of options with which the program as it stands shows the finding.
    fn first_that_shows(&mut self, lists: &[Vec<String>], others: Option<&Others<'_>>) -> Option<usize> {
        let cases: Vec<Case> = lists.iter().map(|words| with_options(&self.text, &words.join(" "))).collect();
        let (mut at, mut shows) = (0, false);
        self.ask_while(others, &cases, |holds| {
            shows = holds;
            at += usize::from(!holds);
            !holds
        });
        shows.then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::options;

    #[test]
    fn arguments_stay_with_their_options() {
        assert_eq!(options("-O3 --param x=1 -mllvm -foo -g"), ["-O3", "--param x=1", "-mllvm -foo", "-g"]);
        assert!(options("").is_empty());
    }
}
