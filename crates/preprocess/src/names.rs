//! Interned spellings and what each name means to the preprocessor.

/// An interned spelling.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Symbol(pub u32);

impl Symbol {
    /// The empty spelling.
    pub const EMPTY: Symbol = Symbol(0);
}

/// What a name means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// It is no macro.
    Plain,
    /// A macro, by its index.
    Macro(u32),
    /// A macro the preprocessor computes.
    Builtin(Builtin),
    /// Must not be used: `#pragma GCC poison`.
    Poisoned,
}

/// Macros whose value is computed where they stand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Line,
    File,
    FileName,
    BaseFile,
    IncludeLevel,
    Counter,
    Date,
    Time,
    Timestamp,
    Pragma,
    HasInclude,
    HasIncludeNext,
    /// `__has_attribute` and its kin: the index into the compiler's operators.
    Has(u8),
}

#[derive(Copy, Clone)]
struct Entry {
    /// Where the spelling starts.
    start: u32,
    hash: u32,
    meaning: Meaning,
    /// Macros being expanded do not expand again.
    disabled: bool,
}

/// Owns the spellings.
pub(crate) struct Names {
    buffer: Vec<u8>,
    entries: Vec<Entry>,
    /// Open addressing with linear probing: symbol + 1, or 0 for a free slot. Length a power of two.
    table: Vec<u32>,
    /// One bit for each low half of a hash that some macro has: most names are known at once not to be macros.
    filter: Vec<u64>,
}

impl Names {
    /// Only the empty spelling.
    pub fn new() -> Names {
        let mut names = Names {
            buffer: Vec::with_capacity(1 << 16),
            entries: Vec::with_capacity(1 << 12),
            table: vec![0; 1 << 13],
            filter: vec![0; 1 << 10],
        };
        names.intern(b"");
        names
    }

    /// How many bytes all spellings take.
    pub fn size(&self) -> usize {
        self.buffer.len()
    }

    /// The symbol of a spelling, made on first use.
    pub fn intern(&mut self, text: &[u8]) -> Symbol {
        self.intern_hashed(text, hash(text))
    }

    /// The same, its hash known.
    pub fn intern_hashed(&mut self, text: &[u8], hash: u32) -> Symbol {
        match self.probe(text, hash) {
            Ok(known) => known,
            Err(slot) => {
                let symbol = Symbol(self.entries.len() as u32);
                let start = self.buffer.len() as u32;
                self.buffer.extend_from_slice(text);
                self.entries.push(Entry { start, hash, meaning: Meaning::Plain, disabled: false });
                self.table[slot] = symbol.0 + 1;
                if self.table.len() < self.entries.len() * 2 {
                    self.grow();
                }
                symbol
            }
        }
    }

    /// Whether a name with this hash may be a macro; a cheap first look.
    pub fn maybe_macro(&self, hash: u32) -> bool {
        self.filter[(hash as usize & 0xffff) >> 6] >> (hash & 63) & 1 != 0
    }

    /// The meaning of a name that may not be interned.
    pub fn meaning_of(&self, text: &[u8], hash: u32) -> Meaning {
        self.probe(text, hash).map_or(Meaning::Plain, |symbol| self.meaning(symbol))
    }

    /// The spelling of a symbol.
    pub fn text(&self, symbol: Symbol) -> &[u8] {
        let index = symbol.0 as usize;
        let end = self.entries.get(index + 1).map_or(self.buffer.len(), |next| next.start as usize);
        &self.buffer[self.entries[index].start as usize..end]
    }

    /// The spelling for messages.
    pub fn show(&self, symbol: Symbol) -> String {
        String::from_utf8_lossy(self.text(symbol)).into_owned()
    }

    /// What it means.
    pub fn meaning(&self, symbol: Symbol) -> Meaning {
        self.entries[symbol.0 as usize].meaning
    }

    /// Gives it a meaning.
    pub fn set_meaning(&mut self, symbol: Symbol, meaning: Meaning) {
        let entry = &mut self.entries[symbol.0 as usize];
        entry.meaning = meaning;
        if meaning != Meaning::Plain {
            self.filter[(entry.hash as usize & 0xffff) >> 6] |= 1 << (entry.hash & 63);
        }
    }

    /// Is the macro being expanded?
    pub fn disabled(&self, symbol: Symbol) -> bool {
        self.entries[symbol.0 as usize].disabled
    }

    /// Says that it is, or no longer is.
    pub fn set_disabled(&mut self, symbol: Symbol, disabled: bool) {
        self.entries[symbol.0 as usize].disabled = disabled;
    }

    /// Finds a spelling, or the free slot where it belongs.
    fn probe(&self, text: &[u8], hash: u32) -> Result<Symbol, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Some(index) = self.table[slot].checked_sub(1) else { return Err(slot) };
            if self.entries[index as usize].hash == hash && self.text(Symbol(index)) == text {
                return Ok(Symbol(index));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.clear();
        self.table.resize(size, 0);
        for (index, entry) in self.entries.iter().enumerate() {
            let mut slot = entry.hash as usize & (size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = index as u32 + 1;
        }
    }
}

/// A multiplicative hash, eight bytes a step; the last step may take bytes a second time.
pub(crate) fn hash(text: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| (state.rotate_left(5) ^ word).wrapping_mul(K);
    let word = |at: usize| u64::from_le_bytes(text[at..at + 8].try_into().unwrap_or_default());
    let half = |at: usize| u64::from(u32::from_le_bytes(text[at..at + 4].try_into().unwrap_or_default()));
    let length = text.len();
    let mut state = length as u64;
    if length >= 8 {
        let mut at = 0;
        while at + 8 < length {
            state = mix(state, word(at));
            at += 8;
        }
        state = mix(state, word(length - 8));
    } else if length >= 4 {
        state = mix(state, half(0) << 32 | half(length - 4));
    } else {
        state = mix(state, text.iter().fold(0, |word, &b| word << 8 | u64::from(b)));
    }
    (state ^ state >> 29) as u32 ^ (state >> 32) as u32
}
