//! Labels: ordinary ones belong to their function, `__label__` ones to their block.

use super::{At, Checker};
use crate::intern::Symbol;
use crate::source::Span;
use crate::tree::{ExprId, ExprKind, LabelId, StmtKind};
use crate::types::Ty;
use rustc_hash::FxHashMap;

#[derive(Debug)]
struct Label {
    name: Symbol,
    defined: bool,
    used: Span,
}

/// The labels of one function.
#[derive(Debug, Default)]
pub(super) struct Labels {
    all: Vec<Label>,
    plain: FxHashMap<Symbol, LabelId>,
    /// Block-local labels, the innermost block last.
    local: Vec<(Symbol, LabelId)>,
}

impl Labels {
    fn new_label(&mut self, name: Symbol, used: Span) -> LabelId {
        self.all.push(Label { name, defined: false, used });
        LabelId(self.all.len() as u32 - 1)
    }

    fn find_local(&self, name: Symbol) -> Option<LabelId> {
        self.local.iter().rev().find(|l| l.0 == name).map(|l| l.1)
    }

    fn get(&mut self, name: Symbol, used: Span) -> LabelId {
        if let Some(id) = self.find_local(name) {
            return id;
        }
        if let Some(&id) = self.plain.get(&name) {
            return id;
        }
        let id = self.new_label(name, used);
        self.plain.insert(name, id);
        id
    }

    /// A mark to give back to [`Labels::leave`].
    pub(super) fn mark(&self) -> usize {
        self.local.len()
    }

    /// Ends a block's local labels.
    pub(super) fn leave(&mut self, mark: usize) {
        self.local.truncate(mark);
    }

    /// `__label__ name;`
    pub(super) fn declare_local(&mut self, name: Symbol, span: Span) {
        let id = self.new_label(name, span);
        self.local.push((name, id));
    }
}

impl Checker<'_> {
    /// `name:`
    pub(super) fn define_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let Some(state) = self.functions.last_mut() else { return LabelId(0) };
        let id = state.labels.get(name, span);
        let label = &mut state.labels.all[id.index()];
        if std::mem::replace(&mut label.defined, true) {
            let text = self.name(name).to_string();
            self.error(span, format!("the label '{text}' is defined twice"));
        }
        id
    }

    /// `goto name;`
    pub(super) fn goto(&mut self, name: Symbol, span: Span) -> StmtKind {
        let mut functions = self.functions.iter().rev();
        let known = functions.next().is_some_and(|f| f.labels.find_local(name).is_some());
        if !known {
            for outer in functions {
                if let Some(label) = outer.labels.find_local(name) {
                    return StmtKind::GotoOuter(outer.id, label);
                }
            }
        }
        match self.functions.last_mut() {
            Some(state) => StmtKind::Goto(state.labels.get(name, span)),
            None => StmtKind::Nop,
        }
    }

    /// `&&name`
    pub(super) fn label_address(&mut self, name: Symbol, at: At) -> ExprId {
        let pointer = self.tree.types.pointer(Ty::VOID);
        let Some(state) = self.functions.last_mut() else {
            return self.error_expr(at, "the address of a label outside of a function");
        };
        let label = state.labels.get(name, at.span);
        self.push(ExprKind::LabelAddr(label), pointer, at)
    }

    /// Reports labels that are used and never defined; gives their names in order.
    pub(super) fn finish_labels(&mut self, labels: Labels) -> Vec<Symbol> {
        for label in &labels.all {
            let is_local = !labels.plain.contains_key(&label.name);
            if !label.defined && !is_local {
                let text = self.name(label.name).to_string();
                self.error(label.used, format!("the label '{text}' is used but not defined"));
            }
        }
        labels.all.into_iter().map(|l| l.name).collect()
    }
}
