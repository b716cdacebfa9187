//! Many texts that begin alike: what they share is parsed and checked once.
//!
//! What [`Prefix::read`] gives is what [`parse::parse`] and [`check::check`] give of the whole text, to the last id.

use crate::check::{self, Checked};
use crate::parse::{self, Parsed};
use crate::target::Target;

/// Declarations that texts begin with.
#[derive(Debug)]
pub struct Prefix {
    text: Box<[u8]>,
    target: Target,
    parser: parse::partial::Begun,
    checker: check::partial::Begun,
}

impl Prefix {
    /// Of a text of whole lines that ends where the next declaration begins. `None` if it is not right as it is.
    pub fn new(text: &[u8], target: &Target) -> Option<Prefix> {
        // A comment or a directive could go on behind what is no whole line.
        let lines = text.strip_suffix(b"\n")?;
        if lines.trim_ascii_end().ends_with(b"\\") {
            return None;
        }
        let parser = parse::partial::begin(text)?;
        let checker = check::partial::begin(&parser.ast, target)?;
        Some(Prefix { text: text.into(), target: target.clone(), parser, checker })
    }

    /// Parses a text, and checks it if it parses without errors. One that begins otherwise is read as a whole.
    pub fn read(&self, text: &[u8], file_name: &str) -> (Parsed, Option<Checked>) {
        let alike = text.starts_with(&self.text);
        let parsed = if alike {
            parse::partial::go_on(&self.parser, text, file_name)
        } else {
            parse::parse(text, file_name)
        };
        let checked = match (parsed.has_errors(), alike) {
            (true, _) => None,
            (false, true) => Some(check::partial::go_on(&self.checker, &parsed.ast)),
            (false, false) => Some(check::check(&parsed.ast, &self.target)),
        };
        (parsed, checked)
    }
}
