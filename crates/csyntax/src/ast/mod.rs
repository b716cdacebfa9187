//! The C abstract syntax tree that parser, printer, generator, mutators and reducer share.
//!
//! Nodes live in arenas of one [`Ast`] and are named by dense `u32` ids, so side tables are plain vectors.
//! The tree is syntactic: names are unresolved symbols, parentheses are not kept (the printer puts back what
//! precedence needs), declarators are turned inside out into [`TypeNode`] chains that end in the shared
//! specifier type (`base`) of their declaration.

mod decl;
mod expr;
mod stmt;
mod types;

pub use decl::*;
pub use expr::*;
pub use stmt::*;
pub use types::*;

use crate::intern::{Interner, Symbol};
use crate::source::Span;

crate::id::ids! {
    /// Names an [`Expr`].
    ExprId,
    /// Names a [`Stmt`].
    StmtId,
    /// Names a [`TypeNode`].
    TypeId,
    /// Names an [`Init`].
    InitId,
    /// Names a [`Declaration`].
    DeclId,
    /// Names a [`Function`].
    FnId,
    /// Names a [`RecordSpec`].
    RecordId,
    /// Names an [`EnumSpec`].
    EnumId,
}

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The names used in it.
    pub names: Interner,
    /// Expressions, by [`ExprId`].
    pub exprs: Vec<Expr>,
    /// Statements, by [`StmtId`].
    pub stmts: Vec<Stmt>,
    /// Type nodes, by [`TypeId`].
    pub types: Vec<TypeNode>,
    /// Initialisers, by [`InitId`].
    pub inits: Vec<Init>,
    /// Declarations, by [`DeclId`].
    pub decls: Vec<Declaration>,
    /// Function definitions, by [`FnId`].
    pub functions: Vec<Function>,
    /// Struct and union specifiers, by [`RecordId`].
    pub records: Vec<RecordSpec>,
    /// Enum specifiers, by [`EnumId`].
    pub enums: Vec<EnumSpec>,
    /// External declarations in order.
    pub items: Vec<Item>,
    /// Has the text what every compiler refuses as C17, and takes as C23?
    pub c23: bool,
}

macro_rules! arena {
    ($($push:ident $field:ident $id:ident $node:ident),* $(,)?) => {
        impl Ast { $(
            /// Adds a node to its arena.
            pub fn $push(&mut self, node: $node) -> $id {
                self.$field.push(node);
                $id(self.$field.len() as u32 - 1)
            }
        )* }
        $(
            impl std::ops::Index<$id> for Ast {
                type Output = $node;
                fn index(&self, id: $id) -> &$node { &self.$field[id.index()] }
            }
            impl std::ops::IndexMut<$id> for Ast {
                fn index_mut(&mut self, id: $id) -> &mut $node { &mut self.$field[id.index()] }
            }
        )*
    };
}

arena! {
    push_expr exprs ExprId Expr,
    push_stmt stmts StmtId Stmt,
    push_type types TypeId TypeNode,
    push_init inits InitId Init,
    push_decl decls DeclId Declaration,
    push_function functions FnId Function,
    push_record records RecordId RecordSpec,
    push_enum enums EnumId EnumSpec,
}

impl Ast {
    /// An expression without a source place.
    pub fn expr(&mut self, kind: ExprKind) -> ExprId {
        self.push_expr(Expr { kind, span: Span::NONE })
    }

    /// A statement without a source place.
    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.push_stmt(Stmt { kind, span: Span::NONE })
    }

    /// A declaration of one name without attributes, initialiser or source place. `base` is what its specifiers say, `ty`
    /// the type that the declarator makes of it.
    pub fn declaration(&mut self, storage: Storage, (base, ty): (TypeId, TypeId), name: Symbol) -> DeclId {
        let declarator =
            Declarator { name, ty, asm_label: None, attrs: Vec::new(), init: None, span: Span::NONE };
        self.push_decl(Declaration {
            storage,
            alignas: Vec::new(),
            base,
            attrs: Vec::new(),
            declarators: vec![declarator],
            span: Span::NONE,
        })
    }

    /// An unqualified type node without attributes or source place.
    pub fn ty(&mut self, kind: TypeKind) -> TypeId {
        self.push_type(TypeNode { kind, quals: Quals::NONE, attrs: Vec::new(), span: Span::NONE })
    }
}

/// A top-level declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A function definition.
    Function(FnId),
    /// Any other declaration.
    Decl(DeclId),
    /// `_Static_assert(e, "message");`
    StaticAssert(ExprId, Option<Box<[u8]>>, Span),
    /// `asm("...");`
    Asm(Box<[u8]>, Span),
    /// A pragma that stands between declarations, without `#pragma`. `pack` pragmas also act on records.
    Pragma(Box<str>, Span),
}
