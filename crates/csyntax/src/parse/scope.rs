//! Which names are typedef names at this place: block scopes with shadowing (C11 6.2.1).

use crate::intern::Symbol;

/// For each symbol whether it is a typedef name now, and how to undo the open scopes.
#[derive(Clone, Default, Debug)]
pub(super) struct Scopes {
    is_typedef: Vec<bool>,
    /// Symbols whose standing changed in an open scope, with what they were before.
    undo: Vec<(Symbol, bool)>,
    /// Where each open scope begins in `undo`.
    marks: Vec<usize>,
}

impl Scopes {
    /// Is the name a typedef name here?
    pub(super) fn is_typedef(&self, name: Symbol) -> bool {
        self.is_typedef.get(name.0 as usize).copied().unwrap_or(false)
    }

    /// Declares an ordinary identifier in the innermost scope.
    pub(super) fn declare(&mut self, name: Symbol, typedef: bool) {
        let before = self.is_typedef(name);
        if before == typedef {
            return;
        }
        if self.is_typedef.len() <= name.0 as usize {
            self.is_typedef.resize(name.0 as usize + 64, false);
        }
        if !self.marks.is_empty() {
            self.undo.push((name, before));
        }
        self.is_typedef[name.0 as usize] = typedef;
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
                self.is_typedef[name.0 as usize] = before;
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
