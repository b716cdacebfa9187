//! Profile-guided optimisation: a configuration with [`USE`] compiles a program twice, first so that it counts its own
//! branches, which it does in a run on the input of the test, then with these counts. GCC names the file of the counts
//! after the program it links, so that both commands are the same but for one word.

use super::Configuration;
use toolchain::compiler::{CompileOutcome, Compiled};
use toolchain::process::{Finished, Usage};

/// Optimise by the profile of a run before.
pub const USE: &str = "-fprofile-use";
/// Make a program that writes its profile.
pub const GENERATE: &str = "-fprofile-generate";

/// An option, or the one that writes the profile which it uses.
pub fn training(word: &str) -> &str {
    if word == USE { GENERATE } else { word }
}

/// Do these words use a profile?
pub fn is_trained<'w>(words: impl IntoIterator<Item = &'w str>) -> bool {
    words.into_iter().any(|word| word == USE)
}

/// What jobs cost one after the other.
pub fn together(a: Usage, b: Usage) -> Usage {
    Usage {
        user: a.user + b.user,
        system: a.system + b.system,
        wall: a.wall + b.wall,
        max_rss: a.max_rss.max(b.max_rss),
    }
}

impl Configuration {
    /// The configuration that writes the profile which this one uses; `None` where it uses none.
    pub fn trainer(&self) -> Option<Configuration> {
        let trained = is_trained(self.level.split_whitespace());
        let level = self.level.split_whitespace().map(training).collect::<Vec<_>>().join(" ");
        trained.then(|| Configuration { level, ..self.clone() })
    }

    /// Compiles a program as `compile` does. Where a profile is asked for, that is done twice, and `train` runs in between
    /// what was compiled to write the profile. A compiler that fails before has failed.
    pub fn build<E>(
        &self,
        compile: &dyn Fn(&Configuration) -> Result<Compiled, E>,
        train: &dyn Fn(&Configuration) -> Option<Finished>,
    ) -> Result<Built, E> {
        let Some(trainer) = self.trainer() else {
            return Ok(Built { compiled: compile(self)?, training: None });
        };
        let first = compile(&trainer)?;
        if first.outcome != CompileOutcome::Ok {
            return Ok(Built { compiled: first, training: None });
        }
        let training = train(&trainer);
        let trained = training.as_ref().map_or_else(Usage::default, |run| run.usage);
        let mut compiled = compile(self)?;
        compiled.usage = together(together(first.usage, trained), compiled.usage);
        Ok(Built { compiled, training })
    }
}

/// What became of a compilation.
pub struct Built {
    /// The compiler's answer, with what all of it cost.
    pub compiled: Compiled,
    /// The run that was to write a profile.
    pub training: Option<Finished>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_training_differs_in_one_word() {
        assert_eq!(["-O2", USE, "-fno-gcse"].map(training), ["-O2", GENERATE, "-fno-gcse"]);
        assert!(is_trained(["-O2", USE]) && !is_trained(["-O2", GENERATE]));
    }
}
