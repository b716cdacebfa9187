//! Which configurations may be compared: levels by how much they optimise, compilers by version.

use super::Configuration;
use toolchain::compiler::Version;

/// A level of optimisation by its last `-O` option.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `-O0`, or none.
    None,
    /// `-O1`, `-Og`.
    Some,
    /// `-Os`, `-Oz`.
    Size,
    /// `-O2`.
    More,
    /// `-O3`, `-Ofast`.
    Most,
}

impl Level {
    /// The level that options ask for.
    pub fn of(options: &str) -> Level {
        let last = options.split_whitespace().rfind(|word| word.starts_with("-O"));
        match last.map_or("", |word| &word[2..]) {
            "" | "1" | "g" if last.is_some() => Level::Some,
            "" | "0" => Level::None,
            "s" | "z" => Level::Size,
            "2" => Level::More,
            // Compilers take any larger number for the largest they know.
            _ => Level::Most,
        }
    }

    /// Does this level do no more than another, so that what it removes the other should remove? For size less is inlined
    /// and duplicated than at `-O1` here and there, so that these two are not compared.
    pub fn at_most(self, other: Level) -> bool {
        self <= other && (self, other) != (Level::Some, Level::Size)
    }
}

/// Compilers that differ in nothing but their version: options and target are the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Line {
    family: &'static str,
    options: Vec<String>,
    /// The compiler, where it does not say of what version it is.
    unknown: Option<String>,
}

impl Line {
    /// For people: the family, with the options that are part of the command.
    pub fn name(&self) -> String {
        let words = std::iter::once(self.unknown.as_deref().unwrap_or(self.family));
        words.chain(self.options.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }
}

impl Configuration {
    /// The level.
    pub fn rank(&self) -> Level {
        Level::of(&self.level)
    }

    /// What it is a version of.
    pub(crate) fn line(&self) -> Line {
        let compiler = &self.tested.compiler;
        let options = compiler.command.get(1..).unwrap_or_default().to_vec();
        let unknown = compiler.version.is_none().then(|| self.tested.name.clone());
        Line { family: compiler.family.name(), options, unknown }
    }

    /// The version for people.
    pub(crate) fn version_text(&self) -> String {
        self.version().map_or_else(String::new, |version| version.to_string())
    }

    /// Of which version.
    pub(crate) fn version(&self) -> Option<Version> {
        self.tested.compiler.version
    }

    /// Does it make code for the same processors in the same data model?
    pub(crate) fn compares(&self, other: &Configuration) -> bool {
        let processor = |of: &Configuration| {
            let triple = &of.tested.compiler.target.triple;
            triple.split('-').next().unwrap_or_default().to_owned()
        };
        self.model == other.model && processor(self) == processor(other)
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_read_from_options() {
        for (options, level) in [
            ("", Level::None),
            ("-O0 -g", Level::None),
            ("-O", Level::Some),
            ("-O1 -fwrapv", Level::Some),
            ("-O1 -Os", Level::Size),
            ("-O2", Level::More),
            ("-O3 -march=native", Level::Most),
            ("-Ofast", Level::Most),
        ] {
            assert_eq!(Level::of(options), level, "{options}");
        }
        assert!(Level::Some.at_most(Level::More) && Level::Size.at_most(Level::More));
        assert!(!Level::Some.at_most(Level::Size) && !Level::Most.at_most(Level::More));
    }
}
