//! Scopes: per-symbol chains of bindings in two name spaces (ordinary names, tags), so that lookup is one load.

use crate::intern::Symbol;
use crate::tree::{FnId, ObjId};
use crate::types::{EnumId, QTy, RecordId, Ty};

/// What an ordinary name means.
#[derive(Copy, Clone, Debug)]
pub(super) enum Entity {
    /// A typedef.
    Typedef(QTy),
    /// An object.
    Object(ObjId),
    /// A function.
    Function(FnId),
    /// An enumerator: its value, truncated to the width of its type.
    Constant(u128, Ty),
    /// A parameter of a prototype that defines nothing.
    ProtoParam(QTy),
}

/// What a tag means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Copy, Clone, Debug)]
struct Binding<T> {
    what: T,
    symbol: Symbol,
    scope: u32,
    /// The binding it hides, as index + 1.
    hidden: u32,
}

/// One name space.
#[derive(Clone, Debug)]
struct Space<T> {
    heads: Vec<u32>,
    bindings: Vec<Binding<T>>,
}

impl<T: Copy> Space<T> {
    fn head(&self, symbol: Symbol) -> Option<&Binding<T>> {
        let head = *self.heads.get(symbol.0 as usize)?;
        self.bindings.get((head as usize).checked_sub(1)?)
    }

    fn bind(&mut self, symbol: Symbol, what: T, scope: u32) {
        let index = symbol.0 as usize;
        if index >= self.heads.len() {
            self.heads.resize(index + 1, 0);
        }
        let hidden = self.heads[index];
        self.bindings.push(Binding { what, symbol, scope, hidden });
        self.heads[index] = self.bindings.len() as u32;
    }

    fn set(&mut self, symbol: Symbol, what: T) {
        if let Some(&head) = self.heads.get(symbol.0 as usize)
            && let Some(index) = (head as usize).checked_sub(1)
        {
            self.bindings[index].what = what;
        }
    }

    fn truncate(&mut self, len: usize) {
        for binding in self.bindings.drain(len..).rev() {
            self.heads[binding.symbol.0 as usize] = binding.hidden;
        }
    }
}

/// All scopes that are open. Scope 0 is the file.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    ordinary: Space<Entity>,
    tags: Space<Tag>,
    /// For each open scope below the file: how many bindings there were when it was entered.
    marks: Vec<(usize, usize)>,
    /// Names with linkage, whatever scope declared them, by symbol.
    linked: Vec<Option<Entity>>,
}

impl Scopes {
    pub(super) fn new(names: usize) -> Scopes {
        Scopes {
            ordinary: Space { heads: vec![0; names], bindings: Vec::new() },
            tags: Space { heads: vec![0; names], bindings: Vec::new() },
            marks: Vec::new(),
            linked: vec![None; names],
        }
    }

    /// The number of the innermost scope; 0 is the file.
    pub(super) fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.marks.push((self.ordinary.bindings.len(), self.tags.bindings.len()));
    }

    pub(super) fn leave(&mut self) {
        if let Some((ordinary, tags)) = self.marks.pop() {
            self.ordinary.truncate(ordinary);
            self.tags.truncate(tags);
        }
    }

    /// The visible meaning of a name.
    pub(super) fn lookup(&self, symbol: Symbol) -> Option<Entity> {
        self.ordinary.head(symbol).map(|b| b.what)
    }

    /// The meaning of a name if the innermost scope itself declares it.
    pub(super) fn lookup_here(&self, symbol: Symbol) -> Option<Entity> {
        let level = self.level();
        self.ordinary.head(symbol).filter(|b| b.scope == level).map(|b| b.what)
    }

    /// Binds a name in the innermost scope.
    pub(super) fn bind(&mut self, symbol: Symbol, what: Entity) {
        self.ordinary.bind(symbol, what, self.level());
    }

    /// Gives the visible binding of a name a new meaning.
    pub(super) fn rebind(&mut self, symbol: Symbol, what: Entity) {
        self.ordinary.set(symbol, what);
    }

    pub(super) fn tag(&self, symbol: Symbol) -> Option<Tag> {
        self.tags.head(symbol).map(|b| b.what)
    }

    pub(super) fn tag_here(&self, symbol: Symbol) -> Option<Tag> {
        let level = self.level();
        self.tags.head(symbol).filter(|b| b.scope == level).map(|b| b.what)
    }

    pub(super) fn bind_tag(&mut self, symbol: Symbol, what: Tag) {
        self.tags.bind(symbol, what, self.level());
    }

    /// The object or function with linkage of that name, declared in any scope so far.
    pub(super) fn linked(&self, symbol: Symbol) -> Option<Entity> {
        self.linked.get(symbol.0 as usize).copied().flatten()
    }

    pub(super) fn link(&mut self, symbol: Symbol, what: Entity) {
        let index = symbol.0 as usize;
        if index >= self.linked.len() {
            self.linked.resize(index + 1, None);
        }
        self.linked[index] = Some(what);
    }
}
