//! A copy of the tree to change a declaration in and print it, for edits that reach around declarators.

use csyntax::ast::{
    Ast, DeclId, Declaration, FnId, Function, Item, StmtKind, Storage, TypeId, TypeKind, TypeNode,
};
use csyntax::intern::Symbol;
use csyntax::print::{print_decl, print_item};
use csyntax::source::Span;

/// The copy.
pub struct Scratch {
    /// To look at and to add nodes to; what is there stays as it is.
    pub ast: Ast,
}

impl Scratch {
    /// A copy of a tree.
    pub fn new(ast: &Ast) -> Scratch {
        Scratch { ast: ast.clone() }
    }

    /// The text of a declaration after a change.
    pub fn decl(&mut self, id: DeclId, change: impl FnOnce(&mut Ast, &mut Declaration)) -> String {
        let mut changed = self.ast[id].clone();
        change(&mut self.ast, &mut changed);
        let copy = self.ast.push_decl(changed);
        print_decl(&self.ast, copy)
    }

    /// The text of a declaration of the declarator alone, without initialiser and `;`, after a change.
    pub fn head(
        &mut self,
        id: DeclId,
        index: usize,
        change: impl FnOnce(&mut Ast, &mut Declaration),
    ) -> String {
        let text = self.decl(id, |ast, decl| {
            decl.declarators = decl.declarators.get(index).cloned().into_iter().collect();
            decl.declarators.iter_mut().for_each(|d| d.init = None);
            change(ast, decl);
        });
        text.trim_end_matches(';').to_string()
    }

    /// The text of a declaration of one variable, without `;`.
    pub fn variable(&mut self, name: Symbol, storage: Storage, base: TypeId, ty: TypeId) -> String {
        let id = self.ast.declaration(storage, (base, ty), name);
        print_decl(&self.ast, id).trim_end_matches(';').to_string()
    }

    /// The text of a definition up to its body, after a change.
    pub fn header(&mut self, id: FnId, change: impl FnOnce(&mut Ast, &mut Function)) -> String {
        let mut changed = self.ast[id].clone();
        change(&mut self.ast, &mut changed);
        changed.body = self.ast.stmt(StmtKind::Compound(Vec::new()));
        let copy = self.ast.push_function(changed);
        let text = print_item(&self.ast, &Item::Function(copy));
        text.rfind('{').map_or(text.clone(), |end| text[..end].trim_end().to_string())
    }
}

/// A chain of type nodes like that from `ty` down to `base`, but ending in `end`, and changed by `change` (called for each
/// node; `None` leaves it out).
pub fn rebuild(
    ast: &mut Ast,
    ty: TypeId,
    base: TypeId,
    end: TypeId,
    change: &mut dyn FnMut(&TypeNode) -> Option<TypeNode>,
) -> TypeId {
    let chain: Vec<TypeId> = csyntax::visit::chain(ast, ty, base).collect();
    chain.into_iter().rev().fold(end, |inner, id| match change(&ast[id].clone()) {
        None => inner,
        Some(mut node) => {
            match &mut node.kind {
                TypeKind::Pointer(to) => *to = inner,
                TypeKind::Array { elem, .. } => *elem = inner,
                TypeKind::Function { ret, .. } => *ret = inner,
                TypeKind::Basic(_)
                | TypeKind::Typedef(_)
                | TypeKind::Record(_)
                | TypeKind::Enum(_)
                | TypeKind::TypeofExpr(_)
                | TypeKind::TypeofType(_)
                | TypeKind::Atomic(_)
                | TypeKind::Unqual(_)
                | TypeKind::BitInt(..)
                | TypeKind::Auto
                | TypeKind::Implicit => {}
            }
            node.span = Span::NONE;
            ast.push_type(node)
        }
    })
}
