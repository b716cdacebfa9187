//! Interned names: identifiers are compared and hashed as `u32`.

/// An interned string. Equal symbols of one [`Interner`] are equal strings.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// Owns the strings behind [`Symbol`]s, in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    /// All names, one after the other.
    buffer: String,
    /// Of each name: where it ends in `buffer` (it starts where the one before ends), and its hash.
    names: Vec<(u32, u32)>,
    /// Open addressing with linear probing: symbol + 1, or 0 for a free slot. Length a power of two.
    table: Vec<u32>,
}

impl Interner {
    /// An empty interner.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// The symbol of `name`, made on first use.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash(name.as_bytes());
        match self.place(name.as_bytes(), hash) {
            Ok(known) => known,
            Err(slot) => self.add(name, hash, slot),
        }
    }

    /// As [`Interner::intern`], for bytes; `None` if they are no UTF-8. Names that are known are not looked at again.
    pub fn intern_bytes(&mut self, name: &[u8]) -> Option<Symbol> {
        let hash = hash(name);
        match self.place(name, hash) {
            Ok(known) => Some(known),
            Err(slot) => Some(self.add(std::str::from_utf8(name).ok()?, hash, slot)),
        }
    }

    /// Finds a name, or a free slot for it.
    fn place(&mut self, name: &[u8], hash: u32) -> Result<Symbol, usize> {
        if self.table.len() < (self.names.len() + 1) * 2 {
            self.grow();
        }
        self.probe(name, hash)
    }

    fn add(&mut self, name: &str, hash: u32, slot: usize) -> Symbol {
        let symbol = Symbol(self.names.len() as u32);
        self.buffer.push_str(name);
        self.names.push((self.buffer.len() as u32, hash));
        self.table[slot] = symbol.0 + 1;
        symbol
    }

    /// The symbol of `name` if it was interned before.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        if self.table.is_empty() {
            return None;
        }
        self.probe(name.as_bytes(), hash(name.as_bytes())).ok()
    }

    /// The string of a symbol of this interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.buffer[self.range(symbol)]
    }

    /// All strings, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.names.len() as u32).map(|n| self.name(Symbol(n)))
    }

    fn bytes(&self, symbol: Symbol) -> &[u8] {
        &self.buffer.as_bytes()[self.range(symbol)]
    }

    fn range(&self, symbol: Symbol) -> std::ops::Range<usize> {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.names[index - 1].0 as usize };
        start..self.names[index].0 as usize
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Finds a name, or the free slot where it belongs.
    fn probe(&self, name: &[u8], hash: u32) -> Result<Symbol, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Some(index) = self.table[slot].checked_sub(1) else {
                return Err(slot);
            };
            if self.names[index as usize].1 == hash && self.bytes(Symbol(index)) == name {
                return Ok(Symbol(index));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(256);
        self.table.clear();
        self.table.resize(size, 0);
        for (index, &(_, hash)) in self.names.iter().enumerate() {
            let mut slot = hash as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }
}

/// A multiplicative hash, eight bytes a step.
fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
        state = (state.rotate_left(5) ^ word).wrapping_mul(K);
    }
    let word = chunks.remainder().iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    state = (state.rotate_left(5) ^ word).wrapping_mul(K);
    (state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_and_are_equal_only_to_themselves() {
        let mut interner = Interner::new();
        assert_eq!(interner.lookup("x"), None);
        // Miri takes a thousand times as long.
        let count = if cfg!(miri) { 300 } else { 5000 };
        let names: Vec<String> = (0..count).map(|n| format!("name_{}", n * 7919)).collect();
        let symbols: Vec<Symbol> = names.iter().map(|n| interner.intern(n)).collect();
        for (name, symbol) in names.iter().zip(&symbols) {
            assert_eq!(interner.intern(name), *symbol);
            assert_eq!(interner.lookup(name), Some(*symbol));
            assert_eq!(interner.name(*symbol), name);
        }
        assert_eq!(interner.len(), names.len());
        assert_eq!(interner.intern_bytes(b"name_0"), interner.lookup("name_0"));
        assert_eq!(interner.intern_bytes(b"na\xffme"), None);
        assert_eq!(interner.len(), names.len());
        let empty = interner.intern("");
        assert_eq!(interner.name(empty), "");
        assert_eq!(interner.intern(""), empty);
    }
}
