//! Names and words in the texts of programs: interned identifiers, escapes, keywords.

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

/// The canonical text of a name or string: plain ASCII kept, everything else as `\XX`.
pub fn canonical(raw: &[u8]) -> std::borrow::Cow<'_, str> {
    let plain = |b: u8| (0x20..0x7f).contains(&b) && b != b'\\' && b != b'"';
    if raw.iter().all(|b| plain(*b)) {
        return String::from_utf8_lossy(raw);
    }
    let mut out = String::with_capacity(raw.len() + 8);
    for b in unescape(raw) {
        if plain(b) {
            out.push(b as char);
        } else {
            out.push_str(&format!("\\{b:02X}"));
        }
    }
    out.into()
}

/// The bytes that `\XX` and `\\` escapes stand for.
pub fn unescape(raw: &[u8]) -> Vec<u8> {
    let hex = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let mut out = Vec::with_capacity(raw.len());
    let mut i = 0;
    while i < raw.len() {
        if raw[i] == b'\\' {
            if let (Some(h), Some(l)) =
                (raw.get(i + 1).and_then(|b| hex(*b)), raw.get(i + 2).and_then(|b| hex(*b)))
            {
                out.push(h * 16 + l);
                i += 3;
                continue;
            }
            if raw.get(i + 1) == Some(&b'\\') {
                out.push(b'\\');
                i += 2;
                continue;
            }
        }
        out.push(raw[i]);
        i += 1;
    }
    out
}

/// Defines an enum of which each variant is written as a keyword.
macro_rules! keyword_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $(#[doc = concat!("`", $word, "`.")] $variant),* }
        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The keyword.
            pub fn keyword(self) -> &'static str { match self { $($name::$variant => $word),* } }
            /// By keyword.
            pub fn from_keyword(word: &[u8]) -> Option<Self> {
                match std::str::from_utf8(word).ok()? { $($word => Some($name::$variant),)* _ => None }
            }
        }
    };
}
pub(crate) use keyword_enum;
