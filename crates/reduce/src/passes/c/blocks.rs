//! Control flow unwrapped: a statement becomes what it governs.

use crate::Hint;
use crate::passes::c::outline::{Place, outline};
use crate::passes::c::view::View;
use csyntax::ast::{ExprId, ForInit, StmtId, StmtKind};
use csyntax::source::Span;

c_pass!(Branches, "branches", "Replaces `if`, loops and `switch` by a branch or body.", unwrap);
c_pass!(
    RunOnce,
    "run-once",
    "Replaces `if` and loops by their condition and one pass through the body.",
    run_once
);
c_pass!(Flatten, "flatten", "Removes the braces of a block in a block or around one statement.", flatten);
c_pass!(OneCase, "one-case", "Replaces a `switch` by the statements of one of its cases.", one_case);
c_pass!(SwitchToIf, "switch-to-if", "Replaces a `switch` by an `if` for each of its cases.", switch_to_if);
c_pass!(Loops, "loops", "Replaces loops by `if`, and `do` by `while`.", loops);

/// The statements of a block as text, or the statement.
pub fn contents<'a>(view: View<'a>, id: StmtId) -> &'a [u8] {
    let span = view.ast[id].span;
    match &view.ast[id].kind {
        StmtKind::Compound(_) => view.source(Span::new(span.lo + 1, span.hi.saturating_sub(1))),
        _ => view.source(span),
    }
}

/// Text of statements to stand in the place of one.
fn settle(view: View<'_>, place: &Place<StmtId>, text: Vec<u8>) -> Vec<u8> {
    if place.in_block(view.ast) { text } else { [b"{ ", &text[..], b" }"].concat() }
}

fn replace(view: View<'_>, place: &Place<StmtId>, text: Vec<u8>, hints: &mut Vec<Hint>) {
    hints.extend(view.one(view.put(view.ast[place.id].span, settle(view, place, text))));
}

fn by_depth(view: View<'_>) -> Vec<Place<StmtId>> {
    let mut places = outline(view.ast).stmts;
    places.sort_by_key(|place| place.depth);
    places
}

fn unwrap(view: View<'_>, hints: &mut Vec<Hint>) {
    let places = by_depth(view);
    for place in &places {
        let inner = match &view.ast[place.id].kind {
            StmtKind::If(_, then, _) => then,
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::Switch(_, body) => body,
            StmtKind::For { body, .. } => body,
            _ => continue,
        };
        replace(view, place, contents(view, *inner).to_vec(), hints);
    }
    for place in &places {
        if let StmtKind::If(_, _, Some(other)) = &view.ast[place.id].kind {
            replace(view, place, contents(view, *other).to_vec(), hints);
        }
    }
}

fn statement(view: View<'_>, expr: Option<ExprId>) -> Vec<u8> {
    expr.map_or(Vec::new(), |id| [view.source(view.ast[id].span), b"; "].concat())
}

/// The first clause of a `for` as a statement.
fn opening(view: View<'_>, init: &ForInit) -> Vec<u8> {
    match init {
        ForInit::None => Vec::new(),
        ForInit::Expr(id) => statement(view, Some(*id)),
        ForInit::Decl(id) => [view.source(view.ast[*id].span), b" "].concat(),
    }
}

fn run_once(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in by_depth(view) {
        let body = |id: &StmtId| [contents(view, *id), b" "].concat();
        let text = match &view.ast[place.id].kind {
            StmtKind::If(condition, then, other) => {
                if let Some(other) = other {
                    let text = [statement(view, Some(*condition)), body(then), body(other)].concat();
                    replace(view, &place, text, hints);
                    replace(view, &place, [statement(view, Some(*condition)), body(other)].concat(), hints);
                }
                [statement(view, Some(*condition)), body(then)].concat()
            }
            StmtKind::While(condition, inner) => [statement(view, Some(*condition)), body(inner)].concat(),
            StmtKind::Switch(value, _) => statement(view, Some(*value)),
            StmtKind::DoWhile(inner, condition) => [body(inner), statement(view, Some(*condition))].concat(),
            StmtKind::For { init, body: inner, step, .. } => {
                let once = [opening(view, init), body(inner)].concat();
                let text = [&once[..], &statement(view, *step)].concat();
                if step.is_some() {
                    replace(view, &place, in_block(init, text), hints);
                }
                in_block(init, once)
            }
            _ => continue,
        };
        replace(view, &place, text, hints);
    }
}

/// What is declared in the head of a loop stays in a block of its own.
fn in_block(init: &ForInit, text: Vec<u8>) -> Vec<u8> {
    if matches!(init, ForInit::Decl(_)) { [b"{ ", &text[..], b"}"].concat() } else { text }
}

fn flatten(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in by_depth(view) {
        let StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        let Some(csyntax::visit::Node::Stmt(parent)) = place.parent else { continue };
        let declares = |id: &StmtId| matches!(view.ast[*id].kind, StmtKind::Decl(_) | StmtKind::NestedFn(_));
        let only = items.len() == 1
            && !items.iter().any(declares)
            && !matches!(view.ast[parent].kind, StmtKind::If(..));
        if place.in_block(view.ast) || only {
            let span = view.ast[place.id].span;
            let (open, close) = (Span::new(span.lo, span.lo + 1), Span::new(span.hi - 1, span.hi));
            hints.extend(view.hint(vec![view.put(open, " "), view.put(close, " ")]));
        }
    }
}

/// The statements of a `switch`'s body from each case on, up to what leaves it: the case's value, and the text.
fn arms(view: View<'_>, body: StmtId) -> Vec<(Option<ExprId>, Vec<u8>)> {
    let StmtKind::Compound(items) = &view.ast[body].kind else { return Vec::new() };
    let mut arms: Vec<(Option<ExprId>, Vec<u8>)> = Vec::new();
    for (index, &item) in items.iter().enumerate() {
        let mut inner = item;
        loop {
            let value = match &view.ast[inner].kind {
                StmtKind::Case(value, _, next) => {
                    inner = *next;
                    Some(*value)
                }
                StmtKind::Default(next) => {
                    inner = *next;
                    None
                }
                _ => break,
            };
            arms.push((value, arm_text(view, inner, &items[index + 1..])));
        }
    }
    // `default` last, where the `else` of a chain stands.
    arms.sort_by_key(|(value, _)| value.is_none());
    arms
}

fn arm_text(view: View<'_>, first: StmtId, rest: &[StmtId]) -> Vec<u8> {
    let mut text = Vec::new();
    for id in std::iter::once(first).chain(rest.iter().copied()) {
        let mut inner = id;
        while let StmtKind::Case(_, _, next) | StmtKind::Default(next) = &view.ast[inner].kind {
            inner = *next;
        }
        if matches!(view.ast[inner].kind, StmtKind::Break) {
            break;
        }
        text.extend_from_slice(view.source(view.ast[inner].span));
        text.push(b' ');
    }
    text
}

fn one_case(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in by_depth(view) {
        if let StmtKind::Switch(_, body) = view.ast[place.id].kind {
            for (_, text) in arms(view, body) {
                replace(view, &place, [b"{ ", &text[..], b"}"].concat(), hints);
            }
        }
    }
}

fn switch_to_if(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in by_depth(view) {
        let StmtKind::Switch(value, body) = view.ast[place.id].kind else { continue };
        let arms = arms(view, body);
        let mut text = Vec::new();
        for (index, (case, arm)) in arms.iter().enumerate() {
            let otherwise: &[u8] = if index == 0 { b"" } else { b" else " };
            text.extend_from_slice(otherwise);
            if let Some(case) = case {
                let (value, case) = (view.source(view.ast[value].span), view.source(view.ast[*case].span));
                text.extend([b"if ((", value, b") == (", case, b")) "].concat());
            }
            text.extend([b"{ ", &arm[..], b"}"].concat());
        }
        if !arms.is_empty() {
            replace(view, &place, text, hints);
        }
    }
}

fn loops(view: View<'_>, hints: &mut Vec<Hint>) {
    for place in by_depth(view) {
        let source = |id: ExprId| view.source(view.ast[id].span);
        match &view.ast[place.id].kind {
            StmtKind::While(condition, body) => {
                let body = view.source(view.ast[*body].span);
                replace(view, &place, [b"if (", source(*condition), b") ", body].concat(), hints);
            }
            StmtKind::DoWhile(body, condition) => {
                let body = view.source(view.ast[*body].span);
                replace(view, &place, [b"while (", source(*condition), b") ", body].concat(), hints);
            }
            StmtKind::For { init, cond: Some(condition), body, .. } => {
                let body = view.source(view.ast[*body].span);
                let text = [&opening(view, init)[..], b"if (", source(*condition), b") ", body].concat();
                replace(view, &place, in_block(init, text), hints);
            }
            _ => {}
        }
    }
}
