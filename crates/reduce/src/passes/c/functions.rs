//! Whole functions: removed with their calls, emptied, returning less.

use crate::passes::c::calls::{Calls, calls};
use crate::passes::c::names::resolve;
use crate::passes::c::outline::outline;
use crate::passes::c::scratch::Scratch;
use crate::passes::c::unused::{is_main, remove_declarations};
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{Basic, ExprId, FnId, StmtKind, TypeKind};
use csyntax::visit::{Node, stmts};

c_pass!(Functions, "functions", "Removes functions with all their calls.", functions, Coarse);
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

fn functions(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    let mut found = Vec::new();
    for entity in &names.entities {
        let Some(id) = entity.definition() else { continue };
        if is_main(view.ast, entity.name) {
            continue;
        }
        let Some(mut patches) = remove_declarations(view, entity) else { continue };
        let Calls { calls, others } = calls(view, &outline, &entity.uses);
        for call in &calls {
            match call.statement {
                Some(stmt) if call.in_block => patches.push(view.cut(view.ast[stmt].span)),
                Some(stmt) => patches.push(view.put(view.ast[stmt].span, ";")),
                None => patches.push(view.put(view.ast[call.id].span, "0")),
            }
        }
        patches.extend(others.iter().map(|&id: &ExprId| view.put(view.ast[id].span, "0")));
        let span = view.ast[id].span;
        found.push((span.hi - span.lo, patches));
    }
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    hints.extend(found.into_iter().filter_map(|(_, patches)| view.hint(patches)));
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
