//! Effects of functions, as their text shows them: which may be called `const` or `pure`.
//!
//! A function that is told to the compiler as such must stay so: every second one that could be is closed to live
//! edits, whose reads and writes of globals would make the attribute a lie.

use crate::places::Places;
use csyntax::ast::{Ast, ExprId, ExprKind, FnId, Quals, StmtKind, UnOp};
use csyntax::tree::{self, Unit};
use csyntax::types::TyKind;
use csyntax::visit::{self, Node};
use rustc_hash::FxHashMap;

/// What a function does beside giving a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Effects {
    /// Nothing, and its value depends on its arguments alone.
    None,
    /// It reads memory.
    Reads,
    /// Anything.
    Some,
}

/// Finds the effects of all functions, and closes every second of those that have none or only read.
pub fn mark(ast: &Ast, unit: &Unit, typed: &FxHashMap<ExprId, u32>, places: &mut Places) {
    let mut closed = false;
    for item in &ast.items {
        let csyntax::ast::Item::Function(id) = item else { continue };
        let Some(function) = places.functions.iter_mut().find(|f| f.name == ast[*id].name) else { continue };
        function.effects = effects(ast, unit, typed, *id);
        if function.effects != Effects::Some && function.live_edits {
            closed = !closed;
            function.live_edits = !closed;
        }
    }
}

fn effects(ast: &Ast, unit: &Unit, typed: &FxHashMap<ExprId, u32>, id: FnId) -> Effects {
    let mut found = Effects::None;
    let object = |e: ExprId| match typed.get(&e).map(|k| &unit.exprs[*k as usize].kind) {
        Some(tree::ExprKind::Object(object)) => Some(*object),
        Some(_) | None => None,
    };
    let value = unit.functions.iter().find(|f| f.origin == Some(id)).map(|f| unit.types.kind(f.ty));
    let arithmetic = match value {
        Some(TyKind::Function(ty)) => {
            matches!(unit.types.kind(ty.ret.ty), TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_))
        }
        Some(_) | None => false,
    };
    if !arithmetic {
        return Effects::Some;
    }
    for node in visit::nodes(ast, Node::Stmt(ast[id].body)) {
        match node {
            // A loop might not end, and a call of such a function may be moved to where it runs.
            Node::Stmt(s) => match ast[s].kind {
                StmtKind::Compound(_)
                | StmtKind::Expr(_)
                | StmtKind::Null
                | StmtKind::Decl(_)
                | StmtKind::If(..)
                | StmtKind::Return(_)
                | StmtKind::Switch(..)
                | StmtKind::Case(..)
                | StmtKind::Default(_)
                | StmtKind::Break => {}
                _ => return Effects::Some,
            },
            Node::Decl(d) if ast[d].storage != csyntax::ast::Storage::NONE => return Effects::Some,
            Node::Expr(e) => match &ast[e].kind {
                ExprKind::Ident(_) => {
                    let Some(object) = object(e) else { return Effects::Some };
                    let entity = &unit[object];
                    if entity.ty.quals.has(Quals::VOLATILE) || entity.ty.quals.has(Quals::ATOMIC) {
                        return Effects::Some;
                    }
                    let plain = matches!(unit.types.kind(entity.ty.ty), TyKind::Int(_) | TyKind::Float(_));
                    if entity.owner.is_none() || !plain {
                        found = Effects::Reads;
                    }
                }
                ExprKind::Assign(_, place, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, place) => {
                    if object(*place).is_none_or(|object| unit[object].owner.is_none()) {
                        return Effects::Some;
                    }
                }
                ExprKind::Int { .. }
                | ExprKind::Float { .. }
                | ExprKind::Char { .. }
                | ExprKind::Binary(..)
                | ExprKind::Cond(..)
                | ExprKind::Comma(..)
                | ExprKind::Cast(..)
                | ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, _) => {}
                _ => return Effects::Some,
            },
            Node::Type(_)
            | Node::Init(_)
            | Node::Decl(_)
            | Node::Function(_)
            | Node::Record(_)
            | Node::Enum(_) => {}
        }
    }
    found
}
