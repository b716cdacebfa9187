//! Which names are typedef names at this place: block scopes with shadowing (C11 6.2.1).

use crate::intern::Symbol;
use crate::lex::token::{KEYWORDS, SOFT_KEYWORDS, Soft, soft_keyword};

/// What a name is here.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Standing {
    /// No type name.
    Other,
    Typedef,
    /// A keyword of C23 that no declaration has made another thing.
    Soft,
}

/// For each symbol what it is now, and how to undo the open scopes.
#[derive(Clone, Default, Debug)]
pub(super) struct Scopes {
    standing: Vec<Standing>,
    /// Symbols whose standing changed in an open scope, with what they were before.
    undo: Vec<(Symbol, Standing)>,
    /// Where each open scope begins in `undo`.
    marks: Vec<usize>,
}

impl Scopes {
    /// The scopes of a text in whose names the keywords come first.
    pub(super) fn with_soft_keywords() -> Scopes {
        let mut standing = vec![Standing::Other; KEYWORDS.len()];
        standing.resize(KEYWORDS.len() + SOFT_KEYWORDS.len(), Standing::Soft);
        Scopes { standing, ..Scopes::default() }
    }

    fn standing(&self, name: Symbol) -> Standing {
        self.standing.get(name.0 as usize).copied().unwrap_or(Standing::Other)
    }

    /// Is the name a typedef name here?
    pub(super) fn is_typedef(&self, name: Symbol) -> bool {
        self.standing(name) == Standing::Typedef
    }

    /// The keyword of C23 that the name is here.
    pub(super) fn soft(&self, name: Symbol) -> Option<Soft> {
        if self.standing(name) == Standing::Soft { soft_keyword(name) } else { None }
    }

    /// Declares an ordinary identifier in the innermost scope.
    pub(super) fn declare(&mut self, name: Symbol, typedef: bool) {
        let before = self.standing(name);
        let now = if typedef { Standing::Typedef } else { Standing::Other };
        if before == now {
            return;
        }
        if self.standing.len() <= name.0 as usize {
            self.standing.resize(name.0 as usize + 64, Standing::Other);
        }
        if !self.marks.is_empty() {
            self.undo.push((name, before));
        }
        self.standing[name.0 as usize] = now;
    }

    /// Opens a block, prototype or function scope.
    pub(super) fn open(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Closes the innermost scope.
    pub(super) fn close(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.undo.len() > mark {
            if let Some((name, before)) = self.undo.pop() {
                self.standing[name.0 as usize] = before;
            }
        }
    }

    /// Back to file scope, after an error.
    pub(super) fn close_all(&mut self) {
        while !self.marks.is_empty() {
            self.close();
        }
    }
}
