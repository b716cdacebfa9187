//! Interned names: identifiers of a module compared and stored as small integers.

use rustc_hash::FxHashMap;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(u32);

/// The table behind [`Name`].
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: FxHashMap<Box<str>, Name>,
    texts: Vec<Box<str>>,
}

impl Names {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name for `text`, made if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.ids.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.into());
        self.ids.insert(text.into(), name);
        name
    }

    /// The name for `text` if it was ever interned.
    pub fn get(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    /// The text of a name made by this table.
    pub fn text(&self, name: Name) -> &str {
        self.texts.get(name.0 as usize).map_or("", |t| t)
    }
}
