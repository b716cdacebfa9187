//! Programs of several translation units, and how each is compiled.

use reduce::Case;
use reduce::case::File;
use std::sync::Arc;

/// How a split program is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Units {
    /// The texts.
    pub texts: Vec<String>,
    /// The level of each but the first; the first, and those without one here, have the configuration's.
    pub levels: Vec<String>,
    /// Link-time optimisation, where the compiler has it.
    pub lto: bool,
}

impl Units {
    /// How they are compiled alone.
    pub fn without_texts(&self) -> Units {
        Units { texts: Vec::new(), ..self.clone() }
    }

    /// Units of these texts, compiled in the same way.
    pub fn with_texts(&self, case: &Case) -> Units {
        let text = |file: &Arc<File>| String::from_utf8_lossy(&file.text).into_owned();
        Units { texts: case.files.iter().map(text).collect(), ..self.clone() }
    }

    /// How they are compiled, in words without zero bytes: `lto` or `apart`, then the levels.
    pub fn to_words(&self) -> Vec<String> {
        let first = if self.lto { "lto" } else { "apart" };
        std::iter::once(first.to_owned()).chain(self.levels.iter().cloned()).collect()
    }

    /// What [`Units::to_words`] wrote; `None` where there are no words.
    pub fn of_words(mut words: impl Iterator<Item = String>) -> Option<Units> {
        let lto = words.next()? == "lto";
        Some(Units { texts: Vec::new(), levels: words.collect(), lto })
    }

    /// The level of a unit in a configuration of this level.
    pub fn level<'a>(&'a self, unit: usize, configuration: &'a str) -> &'a str {
        unit.checked_sub(1).and_then(|n| self.levels.get(n)).map_or(configuration, String::as_str)
    }
}
