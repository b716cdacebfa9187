//! Structs, unions and arrays split into variables.

use crate::passes::c::declarations::variables;
use crate::passes::c::names::resolve;
use crate::passes::c::outline::outline;
use crate::passes::c::records::{Shape, Shapes};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{DeclId, ExprId, ExprKind, InitKind, TypeId, TypeKind};
use csyntax::visit::Node;
use rustc_hash::FxHashMap;

c_pass!(
    Scalars,
    "scalars",
    "Splits structs, unions and arrays with constant indices into variables.",
    scalars
);

/// A part of a variable that becomes one by itself.
struct Part {
    /// What is behind the variable's name.
    suffix: String,
    ty: TypeId,
    base: TypeId,
    /// Its place in an initialiser list without designators.
    position: usize,
}

fn scalars(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let shapes = Shapes::new(view);
    let mut scratch = Scratch::new(view.ast);
    let around: FxHashMap<ExprId, ExprId> = outline(view.ast)
        .exprs
        .iter()
        .filter_map(|place| match place.parent {
            Some(Node::Expr(parent)) => Some((place.id, parent)),
            Some(_) | None => None,
        })
        .collect();
    for variable in variables(view, &names) {
        let declarator = &view.ast[variable.decl].declarators[variable.index];
        if view.ast[variable.decl].declarators.len() > 1 || variable.entity.uses.is_empty() {
            continue;
        }
        let base = view.ast[variable.decl].base;
        let part = |id: &ExprId| {
            let outer = *around.get(id)?;
            Some((outer, part_of(&shapes, declarator.ty, base, *id, outer)?))
        };
        let parts: Option<Vec<(ExprId, Part)>> = variable.entity.uses.iter().map(part).collect();
        if let Some(parts) = parts {
            let mut patches = split(view, &mut scratch, variable.decl, &parts);
            let name = view.ast.names.name(declarator.name);
            patches.extend(
                parts.iter().map(|(id, part)| view.put(view.ast[*id].span, format!("{name}{}", part.suffix))),
            );
            hints.extend(view.hint(patches));
        }
    }
}

/// Which part of a variable of this type `outer` is, an access to it.
fn part_of(shapes: &Shapes<'_>, ty: TypeId, base: TypeId, inner: ExprId, outer: ExprId) -> Option<Part> {
    let view = shapes.view;
    match (shapes.of(ty), &view.ast[outer].kind) {
        (Shape::Record(record), ExprKind::Member { arrow: false, field, .. }) => {
            let all = shapes.members(record);
            let position = all.iter().position(|member| member.name == Some(*field))?;
            let suffix = format!("_{}", view.ast.names.name(*field));
            Some(Part { suffix, ty: all[position].ty, base: all[position].base, position })
        }
        (Shape::Array(elem), ExprKind::Index(array, index)) if *array == inner => match view.ast[*index].kind
        {
            ExprKind::Int { value, .. }
                if value < 1 << 16 && matches!(view.ast[ty].kind, TypeKind::Array { .. }) =>
            {
                Some(Part { suffix: format!("_{value}"), ty: elem, base, position: value as usize })
            }
            _ => None,
        },
        (Shape::Record(_) | Shape::Array(_) | Shape::Other, _) => None,
    }
}

/// The declarations of a variable's parts in place of its own.
fn split(view: View<'_>, scratch: &mut Scratch, decl: DeclId, parts: &[(ExprId, Part)]) -> Vec<Patch> {
    let declaration = &view.ast[decl];
    let declarator = &declaration.declarators[0];
    let name = view.ast.names.name(declarator.name);
    let mut done: Vec<&str> = Vec::new();
    let mut text = String::new();
    for (_, part) in parts {
        if done.contains(&&part.suffix[..]) {
            continue;
        }
        done.push(&part.suffix);
        let symbol = scratch.ast.names.intern(&format!("{name}{}", part.suffix));
        text += &scratch.variable(symbol, declaration.storage, part.base, part.ty);
        if let Some(init) = declarator.init {
            let value = match &view.ast[init].kind {
                InitKind::List(items) => {
                    items.get(part.position).map(|item| view.source(view.ast[item.init].span))
                }
                InitKind::Expr(_) => None,
            };
            text += &format!(" = {}", String::from_utf8_lossy(value.unwrap_or(b"0")));
        }
        text += "; ";
    }
    vec![view.put(declaration.span, text)]
}
