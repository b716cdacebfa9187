//! Bugs that are known already: a file with a signature a line, as `plumb triage` prints them, each with a name before it.

use crate::error::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// What the file of a store is called.
pub const FILE: &str = "known-bugs";

/// Names by signature. A line is `NAME: SIGNATURE`, where the name has no blank; empty lines and those that begin with `#`
/// say nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known(BTreeMap<String, String>);

impl Known {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Known, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
        Known::parse(&text).map_err(|(line, text)| {
            let why = format!("line {line}: expected `NAME: SIGNATURE`, found `{text}`");
            Error::File { action: "read", path: path.to_owned(), why }
        })
    }

    fn parse(text: &str) -> Result<Known, (usize, String)> {
        let mut known = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parts = line.split_once(": ").filter(|(name, _)| !name.is_empty() && !name.contains(' '));
            let (name, signature) = parts.ok_or_else(|| (number + 1, line.to_owned()))?;
            known.insert(signature.trim().to_owned(), name.to_owned());
        }
        Ok(Known(known))
    }

    /// The signatures.
    pub fn signatures(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The name of the known bug with a signature.
    pub fn name(&self, signature: &str) -> Option<String> {
        self.0.get(signature).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_names_and_signatures() {
        let known = Known::parse("# ours\n\nPR123: wrong-code gcc: rtl-combine\n").expect("well-formed");
        assert_eq!(known.name("wrong-code gcc: rtl-combine").as_deref(), Some("PR123"));
        assert_eq!(known.name("rtl-combine"), None);
        assert_eq!(Known::parse("x\n"), Err((1, "x".to_owned())));
    }
}
