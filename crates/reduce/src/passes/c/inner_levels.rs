//! A level taken off parameters and members that are arrays or pointers.

use crate::passes::c::calls::arguments;
use crate::passes::c::fields::{each_member, uses};
use crate::passes::c::levels::use_as_value;
use crate::passes::c::names::{Site, resolve};
use crate::passes::c::outline::outline;
use crate::passes::c::parameters::{editable, listed};
use crate::passes::c::precedence::UNARY;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, ExprKind, TypeKind, UnOp};
use csyntax::source::Span;

c_pass!(
    ParameterLevels,
    "parameter-levels",
    "Removes a level of pointers or arrays of parameters, and `&` of what is passed.",
    parameter_levels
);
c_pass!(MemberLevels, "member-levels", "Removes a level of pointers or arrays of members.", member_levels);

/// A declarator's text without its outermost `*` or dimension; none if it has neither.
fn without_level(view: View<'_>, span: Span, array: bool) -> Option<Patch> {
    let text = view.source(span);
    let (from, to) = if array {
        let open = text.iter().position(|b| *b == b'[')?;
        (open, open + text[open..].iter().position(|b| *b == b']')? + 1)
    } else {
        let star = text.iter().rposition(|b| *b == b'*')?;
        (star, star + 1)
    };
    Some(view.cut(Span::new(span.lo + from as u32, span.lo + to as u32)))
}

/// What is passed in place of a pointer: what it points to.
fn pointed_to(view: View<'_>, argument: ExprId) -> Patch {
    let span = view.ast[argument].span;
    match view.ast[argument].kind {
        ExprKind::Unary(UnOp::AddrOf, object) => view.put(span, view.fit(argument, object)),
        _ if view.binding(argument) >= UNARY => view.put(span, [b"*", view.source(span)].concat()),
        _ => view.put(span, [b"*(", view.source(span), b")"].concat()),
    }
}

fn parameter_levels(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    for function in editable(view, &names, &outline) {
        let own = listed(view, view.ast[function.id].ty);
        for (index, param) in own.iter().enumerate() {
            let array = match view.ast[param.ty].kind {
                TypeKind::Pointer(_) => false,
                TypeKind::Array { .. } => true,
                _ => continue,
            };
            let site = Site::Parameter(function.id, index);
            let Some(entity) = names.entities.iter().find(|e| e.sites.contains(&site)) else { continue };
            let declared = function.entity.sites.iter().filter_map(|site| match site {
                Site::Function(id) => Some(view.ast[*id].ty),
                Site::Declarator(decl, at) => Some(view.ast[*decl].declarators[*at].ty),
                Site::Parameter(..) | Site::Enumerator(..) => None,
            });
            let spans = declared.filter_map(|ty| listed(view, ty).get(index).map(|param| param.span));
            let mut patches: Vec<Patch> = spans.filter_map(|span| without_level(view, span, array)).collect();
            if patches.is_empty() || param.ty == param.base {
                continue;
            }
            let passed = function.calls.calls.iter().filter_map(|c| arguments(view, c.id).get(index));
            patches.extend(passed.map(|argument| pointed_to(view, *argument)));
            for place in &outline.exprs {
                patches.extend(use_as_value(view, place.id, &entity.uses));
            }
            hints.extend(view.hint(patches));
        }
    }
}

fn member_levels(view: View<'_>, hints: &mut Vec<Hint>) {
    let Some(uses) = uses(view) else { return };
    let places = outline(view.ast).exprs;
    each_member(view, |_, _, member| {
        let array = match view.ast[member.ty].kind {
            TypeKind::Pointer(_) => false,
            TypeKind::Array { .. } => true,
            _ => return,
        };
        let Some(declared) = without_level(view, member.span, array) else { return };
        let used = uses.get(&member.span).map_or(&[][..], |uses| uses);
        let mut patches = vec![declared];
        for place in &places {
            patches.extend(use_as_value(view, place.id, used));
        }
        hints.extend(view.hint(patches));
    });
}
