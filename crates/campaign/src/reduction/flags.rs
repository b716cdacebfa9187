//! The fewest options of the compiler that still show a finding.

use super::session::Session;
use crate::error::Error;
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

    /// Takes away options while the finding shows: all, then one after the other, then lower levels of optimisation.
    pub fn fewer_flags(&mut self) -> Result<(), Error> {
        let (begun, tests) = (Instant::now(), self.tests);
        let mut left = options(&self.subject.configuration.level);
        // Two configurations that are compared stay as they are: less optimisation misses more.
        if left.is_empty() || self.opened.against.is_some() {
            return Ok(());
        }
        if self.shows_with(&[])? {
            left.clear();
        }
        let mut at = left.len();
        while at > 0 {
            at -= 1;
            let mut fewer = left.clone();
            fewer.remove(at);
            if !left.is_empty() && self.shows_with(&fewer)? {
                left = fewer;
            }
        }
        for index in 0..left.len() {
            let Some(rank) = LEVELS.iter().position(|level| *level == left[index]) else { continue };
            for lower in &LEVELS[..rank] {
                let mut words = left.clone();
                words[index] = (*lower).to_owned();
                if self.shows_with(&words)? {
                    left = words;
                    break;
                }
            }
        }
        self.subject.configuration.level = left.join(" ");
        self.note("options", begun, tests);
        Ok(())
    }

    /// Does the program as it stands show the finding with these options?
    fn shows_with(&mut self, words: &[String]) -> Result<bool, Error> {
        let level = words.join(" ");
        if level == self.subject.configuration.level {
            return Ok(true);
        }
        let before = std::mem::replace(&mut self.subject.configuration.level, level);
        let case = self.text.clone();
        let held = self.ask(&[case]);
        self.subject.configuration.level = before;
        Ok(held? == [true])
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
