//! Parameters that may be called `restrict` (C11 6.7.3.1): which could be by their text, and of which the machine finds
//! it true on the inputs of the seed.
//!
//! A promise must hold in any company. So functions that promise call nothing that edits could give other accesses, and
//! are closed to edits that touch objects otherwise than the function itself does; every second one that could be is.
//! A parameter is used for nothing but reading and writing through it, so that the machine follows every use.

use crate::places::{Life, Places, Promise};
use crate::purity::Effects;
use crate::seed::Seed;
use csyntax::ast::{Ast, ExprId, ExprKind, FnId, Item, Params, Quals, StmtKind, TypeKind, UnOp};
use csyntax::intern::Symbol;
use csyntax::tree::{self, Unit};
use csyntax::types::{QTy, TyKind};
use csyntax::visit::{self, Node};
use rustc_hash::FxHashMap;

/// What is put in front of the name; in any version of C.
pub const WORD: &str = "__restrict ";
/// Functions that are tried one by one where all together do not hold.
const TRIED: usize = 8;

/// Finds the functions that could promise, and closes every second of them.
pub fn mark(ast: &Ast, unit: &Unit, typed: &FxHashMap<ExprId, u32>, text: &str, places: &mut Places) {
    if places.restricted || places.long_jumps {
        return;
    }
    let mut promises = false;
    for item in &ast.items {
        let Item::Function(id) = item else { continue };
        let Some(index) = places.functions.iter().position(|f| f.name == ast[*id].name) else { continue };
        if !quiet(ast, unit, typed, *id, places) || !places.functions[index].live_edits {
            continue;
        }
        let found = candidates(ast, unit, *id, text);
        if !found.is_empty() {
            promises = !promises;
            if promises {
                places.functions[index].promises = found;
            }
        }
    }
}

/// Does a function neither call what could touch memory nor jump by address, nor take addresses?
fn quiet(ast: &Ast, unit: &Unit, typed: &FxHashMap<ExprId, u32>, id: FnId, places: &Places) -> bool {
    let harmless = |callee: &ExprId| {
        let Some(tree::ExprKind::Function(called)) = typed.get(callee).map(|k| &unit.exprs[*k as usize].kind)
        else {
            return false;
        };
        let name = unit.names.name(unit[*called].name);
        let known = places.functions.iter().find(|f| ast.names.name(f.name) == name);
        known.is_some_and(|f| f.effects == Effects::None && !f.live_edits)
    };
    visit::nodes(ast, Node::Stmt(ast[id].body)).iter().all(|node| match node {
        Node::Stmt(s) => !matches!(
            ast[*s].kind,
            StmtKind::Asm(_) | StmtKind::GotoPtr(_) | StmtKind::NestedFn(_) | StmtKind::Error
        ),
        Node::Expr(e) => match &ast[*e].kind {
            ExprKind::Call(callee, _) => harmless(callee),
            ExprKind::Unary(UnOp::AddrOf, _)
            | ExprKind::StmtExpr(_)
            | ExprKind::CompoundLit(..)
            | ExprKind::VaArg(..)
            | ExprKind::LabelAddr(_) => false,
            _ => true,
        },
        Node::Type(_)
        | Node::Init(_)
        | Node::Decl(_)
        | Node::Function(_)
        | Node::Record(_)
        | Node::Enum(_) => true,
    })
}

/// The pointers to numbers among the parameters that are used in no other way than through `*`, `[]`.
fn candidates(ast: &Ast, unit: &Unit, id: FnId, text: &str) -> Vec<Promise> {
    let TypeKind::Function { params: Params::Prototype { params, .. }, .. } = &ast[ast[id].ty].kind else {
        return Vec::new();
    };
    let (mut mentioned, mut reached) = (FxHashMap::default(), FxHashMap::default());
    let direct = |e: ExprId| if let ExprKind::Ident(name) = ast[e].kind { Some(name) } else { None };
    for e in visit::exprs(ast, Node::Stmt(ast[id].body)) {
        let through = match &ast[e].kind {
            ExprKind::Ident(name) => {
                *mentioned.entry(*name).or_insert(0u32) += 1;
                continue;
            }
            ExprKind::Unary(UnOp::Deref, of) => direct(*of),
            ExprKind::Index(of, _) => direct(*of),
            _ => None,
        };
        if let Some(name) = through {
            *reached.entry(name).or_insert(0u32) += 1;
        }
    }
    let plain = |ty: QTy| {
        let TyKind::Pointer(to) = unit.types.kind(ty.ty) else { return false };
        let number = matches!(unit.types.kind(to.ty), TyKind::Int(_) | TyKind::Float(_));
        number && ty.quals == Quals::NONE && !to.quals.has(Quals::VOLATILE) && !to.quals.has(Quals::ATOMIC)
    };
    let mut found = Vec::new();
    for param in params {
        let (Some(name), TypeKind::Pointer(_)) = (param.name, &ast[param.ty].kind) else { continue };
        let Some(number) = reached.get(&name) else { continue };
        let object = unit.objects.iter().find(|o| o.name == Some(name) && o.span == param.span);
        if object.is_none_or(|o| !plain(o.ty)) || mentioned.get(&name) != Some(number) {
            continue;
        }
        found.extend(before_name(ast, text, name, param.span).map(|at| Promise { at }));
    }
    found
}

/// Where the name of a parameter begins that ends with it, behind a `*`.
fn before_name(ast: &Ast, text: &str, name: Symbol, span: csyntax::source::Span) -> Option<u32> {
    let word = ast.names.name(name);
    let at = (span.hi as usize).checked_sub(word.len())?;
    let front = text.get(..at)?.trim_end();
    (text.get(at..span.hi as usize)? == word && front.ends_with('*')).then_some(at as u32)
}

/// Of each function, whether its promises hold on all inputs of the seed.
pub fn proved(seed: &Seed) -> Vec<bool> {
    let functions = &seed.places.functions;
    let mut holds = vec![false; functions.len()];
    let mut runs = vec![false; functions.len()];
    for place in seed.places.all.iter().filter(|p| p.life == Life::Live) {
        runs[place.function as usize] = true;
    }
    let able: Vec<usize> =
        (0..functions.len()).filter(|&k| runs[k] && !functions[k].promises.is_empty()).collect();
    if able.is_empty() {
        return holds;
    }
    if hold(seed, &able) {
        able.iter().for_each(|&k| holds[k] = true);
    } else {
        able.iter().take(TRIED).filter(|k| hold(seed, &[**k])).for_each(|&k| holds[k] = true);
    }
    holds
}

/// Does the machine find the program as it was with the promises of these functions?
fn hold(seed: &Seed, functions: &[usize]) -> bool {
    let mut places: Vec<u32> =
        functions.iter().flat_map(|&k| &seed.places.functions[k].promises).map(|p| p.at).collect();
    places.sort_unstable();
    let mut text = seed.text.clone();
    for at in places.into_iter().rev() {
        text.insert_str(at as usize, WORD);
    }
    crate::check(seed, &text, &[]).is_ok()
}
