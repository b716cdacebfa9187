//! The type checker: from the syntactic [`Ast`] to the typed [`Unit`], as gcc 12 with `-std=gnu17` reads C, and as
//! gcc 15 does where C17 has an error and C23 a meaning.
//!
//! One pass in source order. Names are resolved through per-symbol binding chains ([`scope`]), constants are
//! folded bottom-up while nodes are built ([`fold`]), so nothing here looks at a subtree twice. What gcc only
//! warns about is a [`Severity::Warning`]; what it rejects is a [`Severity::Error`] or
//! [`Severity::Unsupported`], and then there is no unit.

mod asm;
mod attr;
mod bit_width;
mod builtin;
mod builtin_atomic;
mod builtin_table;
mod call;
mod compat;
mod convert;
mod decl;
pub mod dump;
mod entity;
mod expr;
mod float;
mod fold;
mod function;
mod generic;
mod init;
mod init_store;
mod labels;
mod layout;
mod literal;
mod operators;
pub(crate) mod partial;
mod record;
mod scope;
mod static_init;
mod stmt;
mod tgmath;
mod ty;
mod unary;
pub mod verify;

use crate::ast::{self, Ast};
use crate::source::{Diagnostic, Severity, Span};
use crate::target::Target;
use crate::tree::{Expr, ExprId, ExprKind, FnId, ObjId, Stmt, StmtId, StmtKind, Unit};
use crate::types::{QTy, RecordId, Ty, Types};
use fold::Fact;
use rustc_hash::FxHashMap;

/// What checking gives: the tree, unless there were errors, and everything there is to say about the text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The typed unit; `None` only if `diagnostics` holds an error.
    pub unit: Option<Unit>,
    /// Findings in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// How deep expressions, statements and initialisers may nest.
const MAX_DEPTH: u32 = 200_000;
/// After so many findings the rest is not reported.
const MAX_DIAGNOSTICS: usize = 500;

/// Checks a parsed unit for a data model.
pub fn check(ast: &Ast, target: &Target) -> Checked {
    let mut checker = Checker::new(ast, target);
    checker.items_from(0);
    checker.finish()
}

/// The state of one run.
struct Checker<'a> {
    ast: &'a Ast,
    tree: Unit,
    /// Constant value and bit-field width of each expression of the tree.
    facts: Vec<Fact>,
    consts: Vec<fold::Const>,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    depth: u32,
    scope: scope::Scopes,
    /// Functions being checked, the innermost last.
    functions: Vec<function::FnState>,
    /// Above zero inside `sizeof`, `typeof` and the like.
    unevaluated: u32,
    /// Objects whose address operands of `sizeof` and `typeof` take: it counts if they are evaluated after all.
    unevaluated_addresses: Vec<ObjId>,
    /// Variable lengths met in type names and not yet evaluated by any node.
    pending_vlas: Vec<crate::types::VlaId>,
    /// Records by the AST specifier that defined or named them.
    record_specs: Vec<Option<RecordId>>,
    /// The values of `constexpr` objects of scalar type.
    constexprs: FxHashMap<ObjId, fold::Const>,
    /// Members by name, for records with many of them.
    member_maps: FxHashMap<RecordId, FxHashMap<crate::intern::Symbol, Vec<u32>>>,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, target: &Target) -> Checker<'a> {
        let tree = Unit {
            names: ast.names.clone(),
            types: Types::new(target.clone()),
            objects: Vec::new(),
            functions: Vec::new(),
            strings: Vec::new(),
            vlas: Vec::new(),
            exprs: Vec::with_capacity(ast.exprs.len() * 2),
            stmts: Vec::with_capacity(ast.stmts.len()),
        };
        Checker {
            ast,
            tree,
            facts: Vec::with_capacity(ast.exprs.len() * 2),
            consts: Vec::new(),
            diagnostics: Vec::new(),
            errors: 0,
            depth: 0,
            scope: scope::Scopes::new(ast.names.len()),
            functions: Vec::new(),
            unevaluated: 0,
            unevaluated_addresses: Vec::new(),
            pending_vlas: Vec::new(),
            record_specs: vec![None; ast.records.len()],
            constexprs: FxHashMap::default(),
            member_maps: FxHashMap::default(),
        }
    }

    /// Checks the items from one on.
    fn items_from(&mut self, first: usize) {
        for item in &self.ast.items[first..] {
            match item {
                ast::Item::Function(id) => self.function_definition(*id),
                ast::Item::Decl(id) => {
                    self.declaration(*id, None);
                }
                ast::Item::StaticAssert(cond, message, span) => {
                    self.static_assert(*cond, message.as_deref(), *span)
                }
                ast::Item::Asm(..) | ast::Item::Pragma(..) => {}
            }
        }
    }

    /// What is checked once all items are known; gives the result.
    fn finish(mut self) -> Checked {
        self.finish_tentative();
        let failed = self.errors > 0;
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|d| d.span.lo);
        Checked { unit: (!failed).then_some(self.tree), diagnostics }
    }

    // ----- findings

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors += 1;
        self.report(Severity::Error, span, message.into());
    }

    /// Reports what compilers accept and plumb gives no meaning.
    fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        self.errors += 1;
        self.report(Severity::Unsupported, span, what.into());
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.report(Severity::Warning, span, message.into());
    }

    fn report(&mut self, severity: Severity, span: Span, message: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS || (severity.refuses() && self.errors == 1) {
            self.diagnostics.push(Diagnostic { severity, span, message });
        }
    }

    /// Reports an error and gives a stand-in expression that silences errors about itself.
    fn error_expr(&mut self, at: At, message: impl Into<String>) -> ExprId {
        self.error(at.span, message);
        self.poison(at)
    }

    // ----- nodes

    fn push(&mut self, kind: ExprKind, ty: impl Into<QTy>, at: At) -> ExprId {
        self.tree.exprs.push(Expr { kind, ty: ty.into(), span: at.span, origin: at.origin });
        self.facts.push(Fact::NONE);
        ExprId(self.tree.exprs.len() as u32 - 1)
    }

    fn push_stmt(&mut self, kind: StmtKind, span: Span, origin: ast::StmtId) -> StmtId {
        self.tree.stmts.push(Stmt { kind, span, origin });
        StmtId(self.tree.stmts.len() as u32 - 1)
    }

    /// The place of an AST expression.
    fn at(&self, id: ast::ExprId) -> At {
        At { span: self.ast[id].span, origin: id }
    }

    /// The place of a tree expression.
    fn at_of(&self, id: ExprId) -> At {
        let expr = &self.tree[id];
        At { span: expr.span, origin: expr.origin }
    }

    fn kind(&self, id: ExprId) -> &ExprKind {
        &self.tree.exprs[id.index()].kind
    }

    fn ty(&self, id: ExprId) -> Ty {
        self.tree.exprs[id.index()].ty.ty
    }

    fn qty(&self, id: ExprId) -> QTy {
        self.tree.exprs[id.index()].ty
    }

    fn types(&self) -> &Types {
        &self.tree.types
    }

    fn name(&self, symbol: crate::intern::Symbol) -> &str {
        self.tree.names.name(symbol)
    }

    /// The function being checked.
    fn current(&self) -> Option<FnId> {
        self.functions.last().map(|f| f.id)
    }

    fn object(&mut self, id: ObjId) -> &mut crate::tree::Object {
        &mut self.tree.objects[id.index()]
    }

    /// Runs `f` on a stack that grows, unless the text nests absurdly deep.
    fn deeper<R>(
        &mut self,
        span: Span,
        f: impl FnOnce(&mut Self) -> R,
        too_deep: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.depth >= MAX_DEPTH {
            self.error(span, format!("nested more than {MAX_DEPTH} levels deep; split it up"));
            return too_deep(self);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || f(self));
        self.depth -= 1;
        result
    }
}

/// Where a new expression comes from.
#[derive(Copy, Clone, Debug)]
struct At {
    span: Span,
    origin: ast::ExprId,
}
