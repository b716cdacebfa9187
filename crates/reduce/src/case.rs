//! What is reduced: one or several text files, with their syntax where it can be had.

use crate::Patch;
use crate::patches;
use crate::size::Size;
use crate::tokens::{self, Token};
use csyntax::ast::Ast;
use csyntax::check::check;
use csyntax::parse::{Parsed, parse};
use csyntax::target::Target;
use csyntax::tree::Unit;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
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
    tokens: OnceLock<Vec<Token>>,
}

impl File {
    /// A file of this text.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> File {
        File {
            name: name.into(),
            text: text.into(),
            parsed: OnceLock::new(),
            checked: OnceLock::new(),
            tokens: OnceLock::new(),
        }
    }

    /// Its syntax as C, if the parser can take it whole; found once. The spans of its nodes are byte ranges of the text.
    /// Lines with directives count as blanks: where the rest cannot be read without them, there is no syntax.
    pub fn syntax(&self) -> Option<&Ast> {
        let parsed = self.parsed.get_or_init(|| {
            let parsed = parse(&without_directives(&self.text), &self.name);
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

    /// Its tokens, comments left out; found once.
    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| tokens::tokens(&self.text, tokens::is_c_like(&self.name)))
    }
}

/// The text with every directive but pragmas and line markers blanked, byte for byte.
fn without_directives(text: &[u8]) -> Cow<'_, [u8]> {
    let mut blanked: Option<Vec<u8>> = None;
    for line in tokens::directives(text) {
        if tokens::is_of_syntax(&text[line.clone()]) {
            continue;
        }
        let copy = blanked.get_or_insert_with(|| text.to_vec());
        copy[line].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    blanked.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The first 128 bits of a SHA-256: what a case is known by.
pub type Key = [u8; 16];

/// All files of the input. Never changed: an edit makes another case.
#[derive(Clone, Debug)]
pub struct Case {
    /// In a fixed order; patches name files by their place here.
    pub files: Vec<Arc<File>>,
}

impl Case {
    /// A case of these names and texts.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Case {
        Case { files: files.into_iter().map(|(name, text)| Arc::new(File::new(name, text))).collect() }
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }

    /// Tokens, then bytes.
    pub fn size(&self) -> Size {
        let tokens = self.files.iter().map(|file| file.tokens().len()).sum();
        Size { tokens, bytes: self.bytes() }
    }

    /// What tells it from every other case: a hash of names and texts.
    pub fn key(&self) -> Key {
        let mut hash = Sha256::new();
        for file in &self.files {
            hash.update((file.name.len() as u64).to_le_bytes());
            hash.update(&file.name);
            hash.update((file.text.len() as u64).to_le_bytes());
            hash.update(&file.text);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize()[..16]);
        key
    }

    /// Is it smaller than another: in tokens, then bytes, then, so that no two edits undo each other for ever, in the
    /// order of its text?
    pub fn is_below(&self, other: &Case) -> bool {
        let texts = |case: &Case| case.files.iter().map(|file| Arc::clone(&file.text)).collect::<Vec<_>>();
        self.size().cmp(&other.size()).then_with(|| texts(self).cmp(&texts(other))).is_lt()
    }

    /// With these patches, which are sorted and apart from each other (as [`patches::merge`] makes them). Files without a
    /// patch are shared.
    pub fn patched(&self, all: &[Patch]) -> Case {
        let mut files = self.files.clone();
        for group in all.chunk_by(|a, b| a.file == b.file) {
            let old = &self.files[group[0].file];
            files[group[0].file] = Arc::new(File::new(old.name.clone(), patches::patched(&old.text, group)));
        }
        Case { files }
    }
}
