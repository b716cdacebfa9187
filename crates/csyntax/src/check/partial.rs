//! Checking that goes on behind declarations checked before: the state in between.

use super::{Checked, Checker, fold, scope};
use crate::ast::Ast;
use crate::intern::Symbol;
use crate::source::Diagnostic;
use crate::target::Target;
use crate::tree::{ObjId, Unit};
use crate::types::RecordId;
use rustc_hash::FxHashMap;

/// The checker behind the last declaration of a tree in which nothing is wrong.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    tree: Unit,
    facts: Vec<fold::Fact>,
    consts: Vec<fold::Const>,
    diagnostics: Vec<Diagnostic>,
    scope: scope::Scopes,
    unevaluated_addresses: Vec<ObjId>,
    record_specs: Vec<Option<RecordId>>,
    member_maps: FxHashMap<RecordId, FxHashMap<Symbol, Vec<u32>>>,
    constexprs: FxHashMap<ObjId, fold::Const>,
    items: usize,
}

/// Checks the declarations of a tree, not yet as a whole; `None` if there is anything wrong with them, or if names were
/// made that the tree has not.
pub(crate) fn begin(ast: &Ast, target: &Target) -> Option<Begun> {
    let mut checker = Checker::new(ast, target);
    checker.items_from(0);
    let plain = checker.errors == 0
        && checker.functions.is_empty()
        && checker.pending_vlas.is_empty()
        && checker.unevaluated == 0
        && checker.scope.level() == 0
        && checker.tree.names.len() == ast.names.len();
    plain.then_some(Begun {
        tree: checker.tree,
        facts: checker.facts,
        consts: checker.consts,
        diagnostics: checker.diagnostics,
        scope: checker.scope,
        unevaluated_addresses: checker.unevaluated_addresses,
        record_specs: checker.record_specs,
        member_maps: checker.member_maps,
        constexprs: checker.constexprs,
        items: ast.items.len(),
    })
}

/// Checks a tree that begins with the one that was begun.
pub(crate) fn go_on(begun: &Begun, ast: &Ast) -> Checked {
    let tree = Unit {
        names: ast.names.clone(),
        types: begun.tree.types.clone(),
        objects: begun.tree.objects.clone(),
        functions: begun.tree.functions.clone(),
        strings: begun.tree.strings.clone(),
        vlas: begun.tree.vlas.clone(),
        exprs: roomy(&begun.tree.exprs, ast.exprs.len() * 2),
        stmts: roomy(&begun.tree.stmts, ast.stmts.len()),
    };
    let mut record_specs = begun.record_specs.clone();
    record_specs.resize(ast.records.len(), None);
    let mut checker = Checker {
        ast,
        tree,
        facts: roomy(&begun.facts, ast.exprs.len() * 2),
        consts: begun.consts.clone(),
        diagnostics: begun.diagnostics.clone(),
        errors: 0,
        depth: 0,
        scope: begun.scope.clone(),
        functions: Vec::new(),
        unevaluated: 0,
        unevaluated_addresses: begun.unevaluated_addresses.clone(),
        pending_vlas: Vec::new(),
        record_specs,
        member_maps: begun.member_maps.clone(),
        constexprs: begun.constexprs.clone(),
    };
    checker.items_from(begun.items);
    checker.finish()
}

fn roomy<T: Clone>(from: &[T], room: usize) -> Vec<T> {
    let mut all = Vec::with_capacity(room.max(from.len()));
    all.extend_from_slice(from);
    all
}
