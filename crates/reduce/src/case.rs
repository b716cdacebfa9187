//! What is reduced: one or several text files, with their syntax where it can be had.

use csyntax::ast::Ast;
use csyntax::check::check;
use csyntax::parse::{Parsed, parse};
use csyntax::target::Target;
use csyntax::tree::Unit;
use std::sync::{Arc, OnceLock};

/// A text of the input.
#[derive(Debug)]
pub struct File {
    /// The name under which the test finds it, relative to its directory.
    pub name: String,
    /// The text.
    pub text: Arc<[u8]>,
    parsed: OnceLock<Option<Box<Parsed>>>,
    checked: OnceLock<Option<Box<Unit>>>,
}

impl File {
    /// A file of this text.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> File {
        File { name: name.into(), text: text.into(), parsed: OnceLock::new(), checked: OnceLock::new() }
    }

    /// Its syntax as C, if the parser can take it whole; found once. The spans of its nodes are byte ranges of the text.
    pub fn syntax(&self) -> Option<&Ast> {
        let parsed = self.parsed.get_or_init(|| {
            let parsed = parse(&self.text, &self.name);
            let refused = parsed.diagnostics.iter().any(|d| d.severity.refuses());
            (!refused).then(|| Box::new(parsed))
        });
        parsed.as_ref().map(|parsed| &parsed.ast)
    }

    /// Its typed tree, if the checker can take it; found once. Types are those of the data model LP64.
    pub fn checked(&self) -> Option<&Unit> {
        let checked = self.checked.get_or_init(|| {
            let ast = self.syntax()?;
            check(ast, &Target::LP64).unit.map(Box::new)
        });
        checked.as_deref()
    }
}

/// All files of the input. Never changed: an edit makes another case.
#[derive(Clone, Debug)]
pub struct Case {
    /// In a fixed order; patches name files by their place here.
    pub files: Vec<Arc<File>>,
}

impl Case {
    /// Bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }
}
