//! Statements, and inline assembly.

use super::{Attribute, DeclId, ExprId, FnId, StmtId};
use crate::intern::Symbol;
use crate::source::Span;

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of statements; declarations in blocks are statements too.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ ... }`
    Compound(Vec<StmtId>),
    /// `e;`
    Expr(ExprId),
    /// `;`
    Null,
    /// A declaration in a block.
    Decl(DeclId),
    /// GNU nested function.
    NestedFn(FnId),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// `_Static_assert`.
    StaticAssert(ExprId, Option<Box<[u8]>>),
    /// `if (c) t else e`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while (c) s`
    While(ExprId, StmtId),
    /// `do s while (c);`
    DoWhile(StmtId, ExprId),
    /// `for (init; cond; step) body`
    For {
        /// First clause.
        init: ForInit,
        /// Second clause.
        cond: Option<ExprId>,
        /// Third clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch (e) s`
    Switch(ExprId, StmtId),
    /// `case lo ... hi: s`
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default: s`
    Default(StmtId),
    /// `name: s`
    Label(Symbol, Vec<Attribute>, StmtId),
    /// `goto name;`
    Goto(Symbol),
    /// `goto *e;`
    GotoPtr(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// Inline assembly.
    Asm(Box<AsmStmt>),
    /// `__attribute__((fallthrough));` and the like.
    Attr(Vec<Attribute>),
    /// A pragma inside a function, without `#pragma`.
    Pragma(Box<str>),
    /// What the parser could not read (only after a reported error).
    Error,
}

/// First clause of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForInit {
    /// Empty.
    None,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Decl(DeclId),
}

/// Inline assembly, carried as written.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmStmt {
    /// `volatile`?
    pub volatile: bool,
    /// `goto`?
    pub goto: bool,
    /// `inline`?
    pub inline: bool,
    /// The template.
    pub template: Box<[u8]>,
    /// Outputs.
    pub outputs: Vec<AsmOperand>,
    /// Inputs.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<Box<[u8]>>,
    /// Labels of `asm goto`.
    pub labels: Vec<Symbol>,
    /// Had it operands at all (`asm("x" : )` is extended, `asm("x")` basic)?
    pub extended: bool,
}

/// `[name] "constraint" (expr)`.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmOperand {
    /// The symbolic name.
    pub name: Option<Symbol>,
    /// The constraint string.
    pub constraint: Box<[u8]>,
    /// The operand.
    pub expr: ExprId,
}
