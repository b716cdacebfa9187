//! Programs of several translation units, and how each is compiled.

/// How a split program is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Units {
    /// The texts.
    pub texts: Vec<String>,
    /// The level of each but the first; the first, and those without one here, have the configuration's.
    pub levels: Vec<String>,
    /// Link-time optimisation, where the compiler has it.
    pub lto: bool,
}

impl Units {
    /// The level of a unit in a configuration of this level.
    pub fn level<'a>(&'a self, unit: usize, configuration: &'a str) -> &'a str {
        unit.checked_sub(1).and_then(|n| self.levels.get(n)).map_or(configuration, String::as_str)
    }
}
