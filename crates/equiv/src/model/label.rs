//! What an event does, by which the events of two programs are told to be the same.

use std::fmt;

/// What an event does. `Display` gives it in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The deed and all that makes it another one: widths, the convention, the kind of access. Both sides spell the same
    /// deed alike.
    pub deed: String,
    /// The function called, where the program names it and its address does not tell which it is.
    pub callee: Option<String>,
    /// What is promised of it, sorted.
    pub promises: Vec<Promise>,
}

/// Something that a call promises.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promise {
    /// Of what.
    pub of: Promised,
    /// The attribute, with what stands in its brackets.
    pub word: String,
}

/// What a promise is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promised {
    /// An argument, counted from 0.
    Argument(usize),
    /// What the function does.
    Call,
    /// What comes back.
    Result,
}

impl Label {
    /// A call of a function by its name.
    pub fn call(callee: Option<String>) -> Label {
        Label { deed: "call".to_owned(), callee, promises: Vec::new() }
    }
}

impl From<String> for Label {
    fn from(deed: String) -> Label {
        Label { deed, ..Label::default() }
    }
}

impl From<&str> for Label {
    fn from(deed: &str) -> Label {
        deed.to_owned().into()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.deed)?;
        if let Some(callee) = &self.callee {
            write!(f, " {callee}")?;
        }
        for (n, promise) in self.promises.iter().enumerate() {
            write!(f, "{}{promise}", if n == 0 { " promising " } else { ";" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Promised::Argument(n) => write!(f, "{n} {}", self.word),
            Promised::Call => f.write_str(&self.word),
            Promised::Result => write!(f, "result {}", self.word),
        }
    }
}
