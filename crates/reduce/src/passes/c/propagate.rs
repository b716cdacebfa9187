//! Variables replaced by what they hold.

use crate::passes::c::names::{Entity, resolve};
use crate::passes::c::outline::outline;
use crate::passes::c::precedence::UNARY;
use crate::passes::c::types::{Class, ExprTypes};
use crate::passes::c::unused::remove_declarator;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, ExprKind, InitKind, StmtKind, UnOp};
use csyntax::visit::{Node, exprs};
use rustc_hash::FxHashSet;

c_pass!(CopyPropagation, "copy-propagation", "Replaces variables by their initialisers.", propagate);
c_pass!(
    LastStore,
    "last-store",
    "Replaces uses of a variable by what was assigned in the statement before.",
    last_store
);
c_pass!(
    PromotedStore,
    "promoted-store",
    "Does as last-store, with a unary `+` that promotes what was assigned, as the variable might.",
    promoted_store,
    Fine
);
c_pass!(
    KnownPointers,
    "known-pointers",
    "Replaces what a pointer points to by the object whose address it is given.",
    known_pointers
);

/// The initialiser of a variable, if it is an expression.
fn initial(view: View<'_>, entity: &Entity) -> Option<ExprId> {
    let (decl, index) = entity.only_declarator()?;
    match view.ast[view.ast[decl].declarators[index].init?].kind {
        InitKind::Expr(value) => Some(value),
        InitKind::List(_) => None,
    }
}

fn propagate(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    let lvalues: FxHashSet<ExprId> =
        outline.exprs.iter().filter(|place| place.wants_lvalue(view.ast)).map(|place| place.id).collect();
    for entity in &names.entities {
        let Some(value) = initial(view, entity) else { continue };
        let Some((decl, index)) = entity.only_declarator() else { continue };
        let put = |&id: &ExprId| view.put(view.ast[id].span, view.fit(id, value));
        let readable: Vec<&ExprId> = entity.uses.iter().filter(|id| !lvalues.contains(id)).collect();
        if readable.is_empty() {
            continue;
        }
        if readable.len() == entity.uses.len() {
            let mut patches: Vec<Patch> = entity.uses.iter().map(put).collect();
            patches.push(remove_declarator(view, decl, index));
            hints.extend(view.hint(patches));
        }
        hints.extend(readable.into_iter().filter_map(|id| view.one(put(id))));
    }
}

fn last_store(view: View<'_>, hints: &mut Vec<Hint>) {
    replace_use(view, hints, |only, value| Some(view.fit(only, value)));
}

fn promoted_store(view: View<'_>, hints: &mut Vec<Hint>) {
    let types = ExprTypes::new(view);
    replace_use(view, hints, |only, value| {
        let source = view.source(view.ast[value].span);
        let text = if view.binding(value) < UNARY {
            [b"+(", source, b")"].concat()
        } else {
            [b"+", source].concat()
        };
        let arithmetic = types.class(value).is_none_or(|class| class == Class::Arithmetic);
        (arithmetic && !source.starts_with(b"+")).then(|| view.fit_text(only, &text, UNARY))
    });
}

/// Takes away an assignment to a variable that the next statement uses once, and puts there what `text` makes of the use
/// and the value assigned.
fn replace_use(view: View<'_>, hints: &mut Vec<Hint>, text: impl Fn(ExprId, ExprId) -> Option<Vec<u8>>) {
    let names = resolve(view.ast);
    for place in &outline(view.ast).stmts {
        let StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        for pair in items.windows(2) {
            let [first, second] = pair else { continue };
            let StmtKind::Expr(store) = view.ast[*first].kind else { continue };
            let ExprKind::Assign(None, target, value) = view.ast[store].kind else { continue };
            let Some(&entity) = names.meaning.get(&target) else { continue };
            let uses: Vec<ExprId> = exprs(view.ast, Node::Stmt(*second))
                .into_iter()
                .filter(|id| names.meaning.get(id) == Some(&entity))
                .collect();
            if let [only] = uses[..]
                && let Some(text) = text(only, value)
            {
                hints.extend(
                    view.hint(vec![view.cut(view.ast[*first].span), view.put(view.ast[only].span, text)]),
                );
            }
        }
    }
}

fn known_pointers(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    for entity in &names.entities {
        let Some(value) = initial(view, entity) else { continue };
        let ExprKind::Unary(UnOp::AddrOf, object) = view.ast[value].kind else { continue };
        let used: FxHashSet<ExprId> = entity.uses.iter().copied().collect();
        let mut patches = Vec::new();
        for place in &outline.exprs {
            if let ExprKind::Unary(UnOp::Deref, inner) = view.ast[place.id].kind
                && used.contains(&inner)
            {
                patches.push(view.put(view.ast[place.id].span, view.fit(place.id, object)));
            }
        }
        hints.extend(view.hint(patches));
    }
}
