//! The statements of a seed: where they stand, whether they ran, what may be done to them.

use crate::edit::Site;
use crate::seed::Point;
use csyntax::ast::{Ast, StmtId, StmtKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::tree::ObjId;
use rustc_hash::FxHashMap;

/// Did a statement run?
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Life {
    /// It, or something in it, ran.
    Live,
    /// Neither it nor anything in it ran.
    Dead,
    /// It leaves no trace of its own (`;`, `{}`): as what is around it.
    Silent,
}

/// A statement of a function body of the user's.
#[derive(Clone, Debug)]
pub struct Place {
    /// The statement.
    pub stmt: StmtId,
    /// The statement around it; `None` for a function's body.
    pub parent: Option<StmtId>,
    /// Directly in a block?
    pub in_block: bool,
    /// Is it inside a loop, and inside a loop or switch (where `continue` and `break` may stand)?
    pub in_loop: bool,
    /// See `in_loop`.
    pub in_breakable: bool,
    /// Inside a statement expression: left alone but for the whole.
    pub in_expression: bool,
    /// Its function.
    pub function: u32,
    /// The names visible where it begins, as an index into [`Places::scopes`].
    pub scope: u32,
    /// Filled in by the profile.
    pub life: Life,
    /// May it be taken out (labels and declarations it holds are of no use elsewhere)?
    pub removable: bool,
}

/// One visible name, and those visible before it.
#[derive(Copy, Clone, Debug)]
pub struct Scope {
    /// The names visible before.
    pub outer: Option<u32>,
    /// The name.
    pub name: Symbol,
    /// The object it means, if it means one that no edit can take away.
    pub object: Option<ObjId>,
    /// The statement that declares it, in a block.
    pub(crate) declared: Option<StmtId>,
}

/// A parameter that may be called `restrict`.
#[derive(Copy, Clone, Debug)]
pub struct Promise {
    /// Where its name stands.
    pub at: u32,
}

/// A function of the user's.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Where its definition begins.
    pub start: u32,
    /// The scope around it.
    pub outer: u32,
    /// Labels that no edit takes away.
    pub labels: Vec<Symbol>,
    /// May live code be added (not in `const`/`pure` functions, whose callers rely on them)?
    pub live_edits: bool,
    /// What it does beside giving a value.
    pub effects: crate::purity::Effects,
    /// Parameters that may be called `restrict`: then only edits that touch no object with an address are open to it.
    pub promises: Vec<Promise>,
    /// Does it hold variable-length arrays or statement expressions, into whose scope no jump may lead?
    pub jump_barriers: bool,
}

/// All statements of the user's functions in pre-order.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The statements.
    pub all: Vec<Place>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Chains of visible names; scope 0 is the empty one.
    pub scopes: Vec<Scope>,
    /// Objects of file scope: the scope from which on each is visible, unless hidden.
    pub file_scope: FxHashMap<ObjId, u32>,
    /// Does any function use `restrict`, so that touching objects with addresses could be undefined?
    pub restricted: bool,
    /// Does the program jump out of functions, so that changed locals would be indeterminate?
    pub long_jumps: bool,
    pub(crate) by_stmt: FxHashMap<StmtId, u32>,
    pub(crate) spans: Vec<Span>,
}

impl Places {
    /// The place of a statement, if it is one of the user's.
    pub fn get(&self, stmt: StmtId) -> Option<&Place> {
        self.by_stmt.get(&stmt).map(|&index| &self.all[index as usize])
    }

    /// The index of a statement's place.
    pub fn index(&self, stmt: StmtId) -> Option<usize> {
        self.by_stmt.get(&stmt).map(|&index| index as usize)
    }

    /// The bodies of the functions, in their order; of those left alone there is none.
    pub fn bodies(&self) -> Vec<Option<StmtId>> {
        let mut bodies = vec![None; self.functions.len()];
        for place in self.all.iter().rev().filter(|p| p.parent.is_none()) {
            bodies[place.function as usize] = Some(place.stmt);
        }
        bodies
    }

    /// Could touching an object with an address at a place break what a `restrict` says?
    pub fn guarded(&self, place: &Place) -> bool {
        self.restricted || !self.functions[place.function as usize].promises.is_empty()
    }

    /// Where the statements begin that did not run, in order.
    pub fn dead(&self) -> Vec<u32> {
        let dead = self.all.iter().zip(&self.spans).filter(|(place, _)| place.life == Life::Dead);
        let mut starts: Vec<u32> = dead.map(|(_, span)| span.lo).collect();
        starts.sort_unstable();
        starts
    }

    /// What the splicer needs.
    pub fn site(&self, stmt: StmtId) -> Option<Site> {
        let index = *self.by_stmt.get(&stmt)? as usize;
        let place = &self.all[index];
        let function = self.functions[place.function as usize].start;
        Some(Site { span: self.spans[index], in_block: place.in_block, function })
    }

    /// The object that `name` means in a scope: `None` if nothing, `Some(None)` if something that is no object.
    pub fn resolve(&self, scope: u32, name: Symbol) -> Option<Option<ObjId>> {
        self.visible(scope).find(|s| s.name == name).map(|s| s.object)
    }

    /// The visible names of a scope, innermost first; hidden ones come too.
    pub fn visible(&self, scope: u32) -> impl Iterator<Item = &Scope> {
        let mut at = self.scopes.get(scope as usize);
        std::iter::from_fn(move || {
            let this = at?;
            at = this.outer.and_then(|outer| self.scopes.get(outer as usize));
            Some(this)
        })
        .filter(|s| s.name.0 != u32::MAX)
    }

    /// The names of file scope and where each enters, in no order; of one declared again, each time.
    pub fn file_names(&self) -> impl Iterator<Item = (u32, &Scope)> {
        let last = self.functions.iter().map(|f| f.outer).max();
        let mut at = last;
        std::iter::from_fn(move || {
            let here = at?;
            let scope = self.scopes.get(here as usize)?;
            at = scope.outer;
            Some((here, scope))
        })
        .filter(|(_, s)| s.name.0 != u32::MAX)
    }

    /// Decides which statements ran (bottom-up: children come after their parents).
    pub fn mark_dead(&mut self, ast: &Ast, points: &FxHashMap<StmtId, Point>) {
        for place in &mut self.all {
            place.life = match points.get(&place.stmt).map(|p| p.count > 0) {
                Some(true) => Life::Live,
                Some(false) => Life::Dead,
                None => Life::Silent,
            };
        }
        for index in (0..self.all.len()).rev() {
            let below = self.all[index].life;
            let Some(parent) = self.all[index].parent.and_then(|parent| self.index(parent)) else { continue };
            let parent = &mut self.all[parent];
            let labelled = matches!(
                ast[parent.stmt].kind,
                StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_)
            );
            parent.life = match (parent.life, below) {
                (Life::Live, _) | (_, Life::Live) => Life::Live,
                // A jump to a label in front of nothing leaves no trace.
                (_, Life::Silent) if labelled => Life::Live,
                (Life::Silent, below) => below,
                (Life::Dead, Life::Dead | Life::Silent) => Life::Dead,
            };
        }
        self.keep_lasting_labels(ast);
        // What a removable declaration declares is not used elsewhere, and must not be by added code.
        for index in 0..self.scopes.len() {
            let declared = self.scopes[index].declared.and_then(|stmt| self.get(stmt));
            if declared.is_some_and(|place| place.life == Life::Dead && place.removable) {
                self.scopes[index].object = None;
            }
        }
    }

    /// Labels that some variant may lose with the dead statement around them are no targets for added jumps.
    fn keep_lasting_labels(&mut self, ast: &Ast) {
        let mut lasting: Vec<Vec<Symbol>> = vec![Vec::new(); self.functions.len()];
        let mut lost = 0;
        for (place, span) in self.all.iter().zip(&self.spans) {
            if place.life == Life::Dead && place.removable {
                lost = lost.max(span.hi);
            }
            if let StmtKind::Label(name, ..) = &ast[place.stmt].kind
                && span.lo >= lost
            {
                lasting[place.function as usize].push(*name);
            }
        }
        for (function, labels) in self.functions.iter_mut().zip(lasting) {
            function.labels = labels;
        }
    }
}
