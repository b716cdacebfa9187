//! A level taken off arrays and pointers.

use crate::passes::c::declarations::{Variable, initializer, variables};
use crate::passes::c::names::resolve;
use crate::passes::c::outline::outline;
use crate::passes::c::scratch::Scratch;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, ExprKind, InitId, InitKind, TypeKind, UnOp};

c_pass!(ArrayDimensions, "array-dimensions", "Removes the outer dimension of arrays.", dimensions);
c_pass!(PointerLevels, "pointer-levels", "Removes a level of pointers.", pointer_levels);

/// The declaration with the declarator's type changed at its outermost node, as one patch up to the initialiser's end.
fn without_outer(
    view: View<'_>,
    scratch: &mut Scratch,
    variable: &Variable<'_>,
    value: Option<Vec<u8>>,
) -> Option<Patch> {
    let decl = &view.ast[variable.decl];
    let declarator = &decl.declarators[variable.index];
    let outer = declarator.ty;
    if decl.declarators.len() > 1 || outer == decl.base {
        return None;
    }
    let inner = csyntax::visit::inner_type(&view.ast[outer].kind)?;
    let head = scratch.head(variable.decl, variable.index, |_, decl| decl.declarators[0].ty = inner);
    let value = value.map_or(Vec::new(), |value| [b" = ", &value[..]].concat());
    Some(view.put(decl.span, [head.as_bytes(), &value, b";"].concat()))
}

fn dimensions(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let mut scratch = Scratch::new(view.ast);
    for variable in variables(view, &names) {
        let ty = view.ast[variable.decl].declarators[variable.index].ty;
        if ty == view.ast[variable.decl].base || !matches!(view.ast[ty].kind, TypeKind::Array { .. }) {
            continue;
        }
        let value = initializer(view, &variable).map(|init| match &view.ast[init].kind {
            InitKind::List(items) => {
                items.first().map_or(b"0".to_vec(), |i| view.source(view.ast[i.init].span).to_vec())
            }
            InitKind::Expr(_) => b"0".to_vec(),
        });
        let Some(declaration) = without_outer(view, &mut scratch, &variable, value) else { continue };
        let mut patches = vec![declaration];
        for place in &outline.exprs {
            let id = match view.ast[place.id].kind {
                ExprKind::Index(base, _) => base,
                ExprKind::Unary(UnOp::Deref, base) => base,
                _ => continue,
            };
            if variable.entity.uses.contains(&id) {
                patches.push(view.put(view.ast[place.id].span, view.source(view.ast[id].span)));
            }
        }
        hints.extend(view.hint(patches));
    }
}

fn pointer_levels(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let mut scratch = Scratch::new(view.ast);
    for variable in variables(view, &names) {
        let ty = view.ast[variable.decl].declarators[variable.index].ty;
        if ty == view.ast[variable.decl].base || !matches!(view.ast[ty].kind, TypeKind::Pointer(_)) {
            continue;
        }
        let value = initializer(view, &variable).map(|init| pointee(view, init));
        let Some(declaration) = without_outer(view, &mut scratch, &variable, value) else { continue };
        let mut patches = vec![declaration];
        for place in &outline.exprs {
            patches.extend(use_as_value(view, place.id, &variable.entity.uses));
        }
        hints.extend(view.hint(patches));
    }
}

/// The initialiser of what a pointer points to.
fn pointee(view: View<'_>, init: InitId) -> Vec<u8> {
    match &view.ast[init].kind {
        InitKind::Expr(value) => match view.ast[*value].kind {
            ExprKind::Unary(UnOp::AddrOf, object) => view.source(view.ast[object].span).to_vec(),
            _ => b"0".to_vec(),
        },
        InitKind::List(_) => b"0".to_vec(),
    }
}

/// The patch of an expression that uses a pointer that is one no more.
pub(super) fn use_as_value(view: View<'_>, id: ExprId, uses: &[ExprId]) -> Option<Patch> {
    let put = |inner: ExprId| view.put(view.ast[id].span, view.fit(id, inner));
    match view.ast[id].kind {
        ExprKind::Unary(UnOp::Deref, inner) | ExprKind::Index(inner, _) => {
            uses.contains(&inner).then(|| put(inner))
        }
        ExprKind::Member { base, arrow: true, field } if uses.contains(&base) => {
            let field = view.ast.names.name(field).as_bytes();
            Some(view.put(view.ast[id].span, [view.source(view.ast[base].span), b".", field].concat()))
        }
        ExprKind::Assign(None, target, value) if uses.contains(&target) => match view.ast[value].kind {
            ExprKind::Unary(UnOp::AddrOf, object) => {
                Some(view.put(view.ast[value].span, view.fit(value, object)))
            }
            _ => None,
        },
        _ => None,
    }
}
