//! Calls replaced by what they do.

use crate::passes::c::calls::{arguments, calls};
use crate::passes::c::names::{Names, Site, parameters, resolve};
use crate::passes::c::outline::{Outline, Place, outline};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, FnId, StmtId, StmtKind, Storage};
use csyntax::source::Span;
use csyntax::visit::{Node, stmts};

c_pass!(
    InlineExpressions,
    "inline-expressions",
    "Replaces calls of functions that only return a value by it.",
    inline_expressions
);
c_pass!(
    InlineBodies,
    "inline-bodies",
    "Puts the body of a function in front of a statement that calls it.",
    inline_bodies
);
c_pass!(
    InlineOnlyCalls,
    "inline-only-calls",
    "Puts the body of a function that is called once in place of the call, its parameters and variables beside the caller's.",
    inline_only_calls
);

/// Text with patches inside a span applied.
fn patched(view: View<'_>, span: Span, patches: &[(Span, Vec<u8>)]) -> Vec<u8> {
    let mut patches: Vec<&(Span, Vec<u8>)> =
        patches.iter().filter(|(at, _)| span.lo <= at.lo && at.hi <= span.hi).collect();
    patches.sort_by_key(|(at, _)| (at.lo, std::cmp::Reverse(at.hi)));
    let (mut text, mut from) = (Vec::new(), span.lo);
    for (at, with) in patches {
        if at.lo >= from {
            text.extend_from_slice(view.source(Span::new(from, at.lo)));
            text.extend_from_slice(with);
            from = at.hi;
        }
    }
    text.extend_from_slice(view.source(Span::new(from, span.hi)));
    text
}

/// What a function returns, if its body does nothing else.
fn only_value(view: View<'_>, id: FnId) -> Option<ExprId> {
    let StmtKind::Compound(items) = &view.ast[view.ast[id].body].kind else { return None };
    match items[..] {
        [only] => match view.ast[only].kind {
            StmtKind::Return(value) => value,
            StmtKind::Expr(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// The text of `value` with each parameter's argument in its place.
fn substituted(view: View<'_>, names: &Names, id: FnId, value: ExprId, call: ExprId) -> Vec<u8> {
    let mut patches = Vec::new();
    for (index, &argument) in arguments(view, call).iter().enumerate() {
        let site = Site::Parameter(id, index);
        let Some(entity) = names.entities.iter().find(|entity| entity.sites.contains(&site)) else {
            continue;
        };
        for &at in &entity.uses {
            patches.push((view.ast[at].span, view.fit(at, argument)));
        }
    }
    patched(view, view.ast[value].span, &patches)
}

fn inline_expressions(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    for entity in &names.entities {
        let Some((id, value)) = entity.definition().and_then(|id| Some((id, only_value(view, id)?))) else {
            continue;
        };
        let calls = calls(view, &outline, &entity.uses).calls;
        let inside = |call: ExprId| {
            let (call, body) = (view.ast[call].span, view.ast[id].span);
            body.lo <= call.lo && call.hi <= body.hi
        };
        let put = |call: ExprId| {
            let text = substituted(view, &names, id, value, call);
            view.put(view.ast[call].span, view.fit_text(call, &text, view.binding(value)))
        };
        let patches: Vec<Patch> = calls.iter().map(|c| c.id).filter(|&call| !inside(call)).map(put).collect();
        if let [only] = &patches[..] {
            // The function is not needed any more.
            let definition = view.cut(view.ast[id].span);
            let sole = calls.len() == 1 && entity.uses.len() == 1 && entity.sites.len() == 1;
            hints.extend(sole.then(|| view.hint(vec![definition, only.clone()])).flatten());
        }
        if patches.len() > 1 {
            hints.extend(view.hint(patches.clone()));
        }
        hints.extend(patches.into_iter().filter_map(|patch| view.one(patch)));
    }
}

/// The only `return` of a function, if it is its last statement, or none.
fn final_return(view: View<'_>, id: FnId) -> Result<Option<(StmtId, ExprId)>, ()> {
    let body = view.ast[id].body;
    let last = match &view.ast[body].kind {
        StmtKind::Compound(items) => items.last().copied(),
        _ => None,
    };
    let mut found = Ok(None);
    for stmt in stmts(view.ast, Node::Stmt(body)) {
        if let StmtKind::Return(value) = view.ast[stmt].kind {
            found = match (found, value) {
                (Ok(None), Some(value)) if Some(stmt) == last => Ok(Some((stmt, value))),
                (Ok(_) | Err(()), _) => Err(()),
            };
        }
    }
    found
}

/// The statement in a block that an expression is in.
fn statement_around(view: View<'_>, outline: &Outline, id: ExprId) -> Option<Place<StmtId>> {
    let at = view.ast[id].span;
    let around = |place: &&Place<StmtId>| {
        let span = view.ast[place.id].span;
        span.lo <= at.lo && at.hi <= span.hi && place.in_block(view.ast)
    };
    outline.stmts.iter().filter(around).max_by_key(|place| place.depth).copied()
}

fn inline_bodies(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    let mut scratch = Scratch::new(view.ast);
    for entity in &names.entities {
        let Some(id) = entity.definition() else { continue };
        let Ok(result) = final_return(view, id) else { continue };
        for call in calls(view, &outline, &entity.uses).calls {
            let Some(place) = statement_around(view, &outline, call.id) else { continue };
            if place.function == Some(id) {
                continue;
            }
            let store = |value: ExprId| {
                let name = format!("{}_result = ", view.ast.names.name(view.ast[id].name));
                [name.as_bytes(), view.source(view.ast[value].span), b";"].concat()
            };
            let Some(text) = body_text(view, &mut scratch, id, call.id, result, store) else { continue };
            let mut patches = Vec::new();
            let whole = call.statement == Some(place.id);
            let at = view.ast[place.id].span;
            let (front, name) = result_variable(view, &mut scratch, id, result.is_some() && !whole);
            let text = [front.as_bytes(), b"{ ", &text[..], b" }\n"].concat();
            let sole = entity.uses.len() == 1 && entity.sites.len() == 1;
            if whole {
                patches.push(view.put(at, text));
            } else if result.is_some() {
                patches.push(view.insert(at.lo, text));
                patches.push(view.put(view.ast[call.id].span, name));
            } else {
                continue;
            }
            if sole {
                patches.push(view.cut(view.ast[id].span));
            }
            hints.extend(view.hint(patches));
        }
    }
}

/// The declaration of the variable that takes a function's result, and its name.
fn result_variable(view: View<'_>, scratch: &mut Scratch, id: FnId, needed: bool) -> (String, String) {
    let name = format!("{}_result", view.ast.names.name(view.ast[id].name));
    if !needed {
        return (String::new(), name);
    }
    let function = &view.ast[id];
    let csyntax::ast::TypeKind::Function { ret, .. } = view.ast[function.ty].kind else {
        return (String::new(), name);
    };
    let symbol = scratch.ast.names.intern(&name);
    (format!("{};\n", scratch.variable(symbol, Storage::NONE, function.base, ret)), name)
}

/// A function's body for one call, its parameters declared, and what is kept of its result in place of `return`.
fn body_text(
    view: View<'_>,
    scratch: &mut Scratch,
    id: FnId,
    call: ExprId,
    result: Option<(StmtId, ExprId)>,
    keep: impl Fn(ExprId) -> Vec<u8>,
) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let params = parameters(view.ast, id);
    let passed = arguments(view, call);
    if params.len() != passed.len() {
        return None;
    }
    for (param, &argument) in params.iter().zip(passed) {
        if let Some(name) = param.name {
            text.extend_from_slice(scratch.variable(name, Storage::NONE, param.base, param.ty).as_bytes());
            text.extend([b" = ", view.source(view.ast[argument].span), b"; "].concat());
        }
    }
    let body = view.ast[view.ast[id].body].span;
    let inside = Span::new(body.lo + 1, body.hi - 1);
    let patches: Vec<(Span, Vec<u8>)> =
        result.into_iter().map(|(stmt, value)| (view.ast[stmt].span, keep(value))).collect();
    text.extend(patched(view, inside, &patches));
    Some(text)
}

fn inline_only_calls(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let mut scratch = Scratch::new(view.ast);
    for entity in &names.entities {
        let Some(id) = entity.definition() else { continue };
        let (Ok(result), [_], [_]) = (final_return(view, id), &entity.uses[..], &entity.sites[..]) else {
            continue;
        };
        for call in calls(view, &outline, &entity.uses).calls {
            let Some(place) = statement_around(view, &outline, call.id) else { continue };
            let whole = call.statement == Some(place.id);
            if place.function == Some(id) || result.is_none() && !whole {
                continue;
            }
            let Some(text) = body_text(view, &mut scratch, id, call.id, result, |_| Vec::new()) else {
                continue;
            };
            let at = view.ast[place.id].span;
            let mut patches = vec![view.cut(view.ast[id].span)];
            match result {
                Some((_, value)) if !whole => {
                    patches.push(view.insert(at.lo, [&text[..], b" "].concat()));
                    patches.push(view.put(view.ast[call.id].span, view.fit(call.id, value)));
                }
                Some(_) | None => patches.push(view.put(at, text)),
            }
            hints.extend(view.hint(patches));
        }
    }
}
