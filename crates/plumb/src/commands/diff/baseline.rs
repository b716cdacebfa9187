//! What is known already: the lines of an earlier `plumb diff --json`. What they have is told and does not count.

use campaign::Error;
use crossver::equality::verdict::VerdictKind;
use crossver::report::{FunctionReport, LoneReport};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The part of a line that says what is known. Buckets and reasons belong to it: what was unknown and is now different,
/// or differs in another way, is new.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Function {
        file: String,
        function: String,
        verdict: String,
        #[serde(default)]
        why: Option<String>,
        #[serde(default)]
        bucket: Option<String>,
    },
    Only {
        file: String,
        function: String,
    },
    Object {
        file: String,
        object: String,
    },
    #[serde(other)]
    Other,
}

/// What is known, by file, name, verdict and bucket or reason.
#[derive(Default)]
pub struct Known(BTreeSet<[String; 4]>);

impl Known {
    /// Reads the lines of a file; nothing is known where none is given.
    pub fn of(file: Option<&Path>) -> Result<Known, Error> {
        let Some(file) = file else { return Ok(Known::default()) };
        let text = std::fs::read_to_string(file).map_err(|error| Error::file("read", file, &error))?;
        let mut known = Known::default();
        for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line).map_err(|error| {
                let what = "expected the lines of an earlier `plumb diff --json`";
                Error::Usage(format!("{}:{}: {error}; {what}", file.display(), n + 1))
            })?;
            match line {
                Line::Function { file, function, verdict, why, bucket } => {
                    known.0.insert([file, function, verdict, bucket.or(why).unwrap_or_default()]);
                }
                Line::Only { file, function } => {
                    known.0.insert([file, function, "only".to_owned(), String::new()]);
                }
                Line::Object { file, object } => {
                    known.0.insert([file, object, "object".to_owned(), String::new()]);
                }
                Line::Other => {}
            }
        }
        Ok(known)
    }

    /// Whether a pair was told of in the same way.
    pub fn function(&self, file: &str, f: &FunctionReport) -> bool {
        let how = f.bucket.clone().or_else(|| f.why.map(|why| why.name().to_owned())).unwrap_or_default();
        let good = matches!(f.verdict, VerdictKind::Proved | VerdictKind::Conditional);
        good || self.0.contains(&[file.to_owned(), f.function.clone(), f.verdict.name().to_owned(), how])
    }

    /// Whether a function of one side alone was told of.
    pub fn lone(&self, file: &str, lone: &LoneReport) -> bool {
        self.0.contains(&[file.to_owned(), lone.function.clone(), "only".to_owned(), String::new()])
    }

    /// Whether an object was told of.
    pub fn object(&self, file: &str, name: &str) -> bool {
        self.0.contains(&[file.to_owned(), name.to_owned(), "object".to_owned(), String::new()])
    }
}
