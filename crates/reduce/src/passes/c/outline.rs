//! All statements and expressions of a file in order, each with what is around it.

use csyntax::ast::{Ast, ExprId, ExprKind, FnId, StmtId, StmtKind, UnOp};
use csyntax::visit::{Flow, Node, Visit, walk_unit};

/// A statement or expression in its surroundings.
#[derive(Copy, Clone, Debug)]
pub struct Place<T> {
    /// What stands there.
    pub id: T,
    /// The node around it.
    pub parent: Option<Node>,
    /// The function around it.
    pub function: Option<FnId>,
    /// Statements and functions around it.
    pub depth: u32,
}

/// The statements and expressions of a unit, in the order of their beginnings.
#[derive(Debug, Default)]
pub struct Outline {
    /// Statements.
    pub stmts: Vec<Place<StmtId>>,
    /// Expressions.
    pub exprs: Vec<Place<ExprId>>,
}

/// Walks a unit once.
pub fn outline(ast: &Ast) -> Outline {
    let mut found = Outline::default();
    let mut around: Vec<Node> = Vec::new();
    let mut functions: Vec<FnId> = Vec::new();
    let mut depth = 0;
    walk_unit(ast, |visit| {
        match visit {
            Visit::Enter(node) => {
                let (parent, function) = (around.last().copied(), functions.last().copied());
                match node {
                    Node::Stmt(id) => {
                        found.stmts.push(Place { id, parent, function, depth });
                        depth += 1;
                    }
                    Node::Expr(id) => found.exprs.push(Place { id, parent, function, depth }),
                    Node::Function(id) => functions.push(id),
                    Node::Type(_) | Node::Init(_) | Node::Decl(_) | Node::Record(_) | Node::Enum(_) => {}
                }
                around.push(node);
            }
            Visit::Leave(node) => {
                around.pop();
                match node {
                    Node::Stmt(_) => depth -= 1,
                    Node::Function(_) => {
                        functions.pop();
                    }
                    Node::Expr(_)
                    | Node::Type(_)
                    | Node::Init(_)
                    | Node::Decl(_)
                    | Node::Record(_)
                    | Node::Enum(_) => {}
                }
            }
        }
        Flow::Continue
    });
    found
}

impl Place<StmtId> {
    /// Is it directly in a block, so that it can go without a trace?
    pub fn in_block(&self, ast: &Ast) -> bool {
        matches!(self.parent, Some(Node::Stmt(parent)) if matches!(ast[parent].kind, StmtKind::Compound(_)))
    }
}

impl Place<ExprId> {
    /// Must an lvalue stand here?
    pub fn wants_lvalue(&self, ast: &Ast) -> bool {
        let Some(Node::Expr(parent)) = self.parent else { return false };
        match &ast[parent].kind {
            ExprKind::Assign(_, place, _) => *place == self.id,
            ExprKind::Unary(op, _) => {
                matches!(op, UnOp::AddrOf | UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec)
            }
            ExprKind::Member { arrow, .. } => !arrow,
            _ => false,
        }
    }

    /// Is it a statement by itself, its value unused?
    pub fn is_statement(&self, ast: &Ast) -> bool {
        matches!(self.parent, Some(Node::Stmt(parent)) if matches!(ast[parent].kind, StmtKind::Expr(_)))
    }

    /// Is it a pointer whose object or function is used, so that no constant can stand here?
    pub fn is_followed(&self, ast: &Ast) -> bool {
        let Some(Node::Expr(parent)) = self.parent else { return false };
        match &ast[parent].kind {
            ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. } => true,
            ExprKind::Index(base, _) => *base == self.id,
            ExprKind::Call(callee, _) => *callee == self.id,
            _ => false,
        }
    }

    /// Is it what a call calls?
    pub fn is_callee(&self, ast: &Ast) -> bool {
        matches!(self.parent, Some(Node::Expr(parent))
            if matches!(&ast[parent].kind, ExprKind::Call(callee, _) if *callee == self.id))
    }
}

/// Can it stand left of `=`?
pub fn is_lvalue(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Ident(_)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::CompoundLit(..)
        | ExprKind::Unary(UnOp::Deref | UnOp::Real | UnOp::Imag, _) => true,
        ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Assign(..)
        | ExprKind::Cond(..)
        | ExprKind::Comma(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(..)
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofExpr(_)
        | ExprKind::AlignofType(_)
        | ExprKind::Generic(..)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::VaArg(..)
        | ExprKind::Offsetof(..)
        | ExprKind::TypesCompatible(..)
        | ExprKind::ChooseExpr(..)
        | ExprKind::ConvertVector(..)
        | ExprKind::Error => false,
    }
}
