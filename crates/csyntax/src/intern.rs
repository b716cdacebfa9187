//! Interned names: identifiers are compared and hashed as `u32`.

use rustc_hash::FxHashMap;

/// An interned string. Equal symbols of one [`Interner`] are equal strings.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// Owns the strings behind [`Symbol`]s, in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    map: FxHashMap<Box<str>, Symbol>,
    names: Vec<Box<str>>,
}

impl Interner {
    /// An empty interner.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// The symbol of `name`, made on first use.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.map.get(name) {
            return known;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.map.insert(name.into(), symbol);
        symbol
    }

    /// The symbol of `name` if it was interned before.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.map.get(name).copied()
    }

    /// The string of a symbol of this interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
