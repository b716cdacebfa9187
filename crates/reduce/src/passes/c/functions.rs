//! Whole functions: removed with their calls, emptied, returning less.

use crate::passes::c::calls::{Calls, calls};
use crate::passes::c::names::{Entity, Names, Site, resolve};
use crate::passes::c::outline::{Outline, outline};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::unused::{is_main, remove_declarations};
use crate::passes::c::view::{View, each};
use crate::{Case, Hint, Patch};
use csyntax::ast::{Basic, ExprId, FnId, StmtKind, Storage, TypeKind};
use csyntax::visit::{Node, stmts};
use std::ops::Range;

file_pass!(Functions, "functions", "Removes functions with all their calls, in all files.", Coarse, |case| {
    removals(case).into_iter().map(|removal| removal.hint).collect()
});
c_pass!(Bodies, "bodies", "Empties the bodies of functions.", bodies, Coarse);
c_pass!(
    Definitions,
    "definitions",
    "Replaces definitions of functions by declarations.",
    definitions,
    Coarse
);
c_pass!(ReturnVoid, "return-void", "Makes functions return nothing.", return_void);
c_pass!(
    FirstReturn,
    "first-return",
    "Replaces a function's body by one of its `return` statements.",
    first_return
);

/// A file and what its names mean.
struct Named<'a> {
    view: View<'a>,
    names: Names,
    outline: Outline,
}

impl Named<'_> {
    /// What takes a function away with its calls; `None` if that is not possible.
    fn without(&self, entity: &Entity) -> Option<Vec<Patch>> {
        let Named { view, outline, .. } = self;
        let mut patches = remove_declarations(*view, entity)?;
        let Calls { calls, others } = calls(*view, outline, &entity.uses);
        for call in &calls {
            match call.statement {
                Some(stmt) if call.in_block => patches.push(view.cut(view.ast[stmt].span)),
                Some(stmt) => patches.push(view.put(view.ast[stmt].span, ";")),
                None => patches.push(view.put(view.ast[call.id].span, "0")),
            }
        }
        patches.extend(others.iter().map(|&id: &ExprId| view.put(view.ast[id].span, "0")));
        Some(view.hint(patches)?.patches)
    }

    /// Is a definition's name one that other files have, too?
    fn is_shared(&self, id: FnId) -> bool {
        !self.view.ast[id].storage.has(Storage::STATIC)
    }

    /// What this file calls by the name of another's function.
    fn declared(&self, name: &str) -> Option<&Entity> {
        let ast = self.view.ast;
        let name = ast.names.lookup(name)?;
        let plain = |site: &Site| match site {
            Site::Declarator(decl, _) => !ast[*decl].storage.has(Storage::STATIC),
            Site::Function(_) | Site::Parameter(..) | Site::Enumerator(..) => false,
        };
        let found = |entity: &&Entity| entity.name == name && entity.owner.is_none();
        self.names.entities.iter().find(found).filter(|entity| entity.sites.iter().all(plain))
    }
}

/// A function that can be taken out of a case.
pub struct Removal {
    /// Its name.
    pub name: String,
    /// The file that defines it, and where.
    pub place: (usize, Range<usize>),
    /// What takes it away with its calls, in whatever file.
    pub hint: Hint,
}

impl Removal {
    /// Is another function called in this one, or its address taken?
    pub fn uses(&self, other: &Removal) -> bool {
        let (file, span) = &self.place;
        let inside = |p: &Patch| p.file == *file && span.start <= p.span.start && p.span.end <= span.end;
        self.place != other.place && other.hint.patches.iter().any(inside)
    }
}

/// All functions but `main` that can be taken out, the largest first.
pub fn removals(case: &Case) -> Vec<Removal> {
    let mut files: Vec<Named<'_>> = Vec::new();
    each(case, |view, _| files.push(Named { view, names: resolve(view.ast), outline: outline(view.ast) }));
    let mut found = Vec::new();
    for file in &files {
        let ast = file.view.ast;
        for entity in &file.names.entities {
            let Some(id) = entity.definition().filter(|_| !is_main(ast, entity.name)) else { continue };
            let name = ast.names.name(entity.name);
            let uses = files.iter().filter_map(|other| match other.view.index == file.view.index {
                true => Some((other, entity)),
                false => Some((other, other.declared(name).filter(|_| file.is_shared(id))?)),
            });
            let patches: Option<Vec<Vec<Patch>>> = uses.map(|(file, entity)| file.without(entity)).collect();
            let Some(patches) = patches else { continue };
            let span = ast[id].span;
            let place = (file.view.index, span.lo as usize..span.hi as usize);
            found.push(Removal { name: name.to_owned(), place, hint: Hint { patches: patches.concat() } });
        }
    }
    found.sort_by_key(|removal| std::cmp::Reverse(removal.place.1.len()));
    found
}

fn ids(view: View<'_>) -> impl Iterator<Item = FnId> {
    let mut ids: Vec<FnId> = (0..view.ast.functions.len() as u32).map(FnId).collect();
    ids.sort_by_key(|&id| {
        let span = view.ast[id].span;
        std::cmp::Reverse(span.hi - span.lo)
    });
    ids.into_iter()
}

fn bodies(view: View<'_>, hints: &mut Vec<Hint>) {
    for id in ids(view) {
        let body = &view.ast[view.ast[id].body];
        if matches!(&body.kind, StmtKind::Compound(items) if !items.is_empty()) {
            hints.extend(view.one(view.put(body.span, "{}")));
        }
    }
}

fn definitions(view: View<'_>, hints: &mut Vec<Hint>) {
    for id in ids(view) {
        let function = &view.ast[id];
        if function.kr_decls.is_empty() && !is_main(view.ast, function.name) {
            hints.extend(view.one(view.put(view.ast[function.body].span, ";")));
        }
    }
}

/// The `return` statements of a function that return something.
fn returns(view: View<'_>, id: FnId) -> Vec<(csyntax::ast::StmtId, ExprId)> {
    let all = stmts(view.ast, Node::Stmt(view.ast[id].body)).into_iter();
    all.filter_map(|stmt| match view.ast[stmt].kind {
        StmtKind::Return(Some(value)) => Some((stmt, value)),
        _ => None,
    })
    .collect()
}

fn return_void(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    let mut scratch = Scratch::new(view.ast);
    for entity in &names.entities {
        let Some(id) = entity.definition() else { continue };
        let function = &view.ast[id];
        let is_void = matches!(view.ast[function.base].kind, TypeKind::Basic(Basic::Void));
        let plain = crate::passes::c::names::is_plain_function(view.ast, id);
        let calls = calls(view, &outline, &entity.uses);
        let value_used = calls.calls.iter().any(|call| call.statement.is_none()) || !calls.others.is_empty();
        if is_void || !plain || entity.sites.len() > 1 || value_used || is_main(view.ast, entity.name) {
            continue;
        }
        let header = scratch.header(id, |ast, function| {
            let void = ast.ty(TypeKind::Basic(Basic::Void));
            function.ty =
                crate::passes::c::scratch::rebuild(ast, function.ty, function.base, void, &mut |node| {
                    Some(node.clone())
                });
            function.base = void;
        });
        let head = csyntax::source::Span::new(function.span.lo, view.ast[function.body].span.lo);
        let mut patches: Vec<Patch> = vec![view.put(head, header + " ")];
        for (stmt, value) in returns(view, id) {
            let value = view.source(view.ast[value].span);
            let span = view.ast[stmt].span;
            patches.push(view.put(span, [b"{ ", value, b"; return; }"].concat()));
        }
        hints.extend(view.hint(patches));
    }
}

fn first_return(view: View<'_>, hints: &mut Vec<Hint>) {
    for id in ids(view) {
        let body = &view.ast[view.ast[id].body];
        let short = matches!(&body.kind, StmtKind::Compound(items) if items.len() < 2);
        if short {
            continue;
        }
        for (stmt, _) in returns(view, id) {
            let text = [b"{ ", view.source(view.ast[stmt].span), b" }"].concat();
            hints.extend(view.one(view.put(body.span, text)));
        }
    }
}
