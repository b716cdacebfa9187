//! Parameters: removed at definitions, declarations and calls, or made variables.

use crate::passes::c::calls::{Call, Calls, arguments, calls};
use crate::passes::c::names::{Entity, Names, Site, parameters, resolve};
use crate::passes::c::outline::{Outline, outline};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{ExprId, ExprKind, FnId, Param, Params, Storage, TypeId, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use std::collections::BTreeMap;

c_pass!(
    UnusedParameters,
    "unused-parameters",
    "Removes parameters that the body does not name.",
    unused_parameters
);
c_pass!(ParametersToLocals, "parameters-to-locals", "Makes parameters local variables.", to_locals);
c_pass!(ParametersToGlobals, "parameters-to-globals", "Makes parameters global variables.", to_globals);
c_pass!(
    ParametersToConstants,
    "parameters-to-constants",
    "Replaces parameters by a constant passed for them.",
    to_constants
);
c_pass!(Arguments, "arguments", "Removes arguments of functions that are only declared.", declared_only);
c_pass!(Variadic, "variadic", "Removes `...` and the arguments for it.", variadic);

/// A function whose parameters can be edited.
pub(super) struct Editable<'a> {
    pub id: FnId,
    pub entity: &'a Entity,
    pub calls: Calls,
}

/// The functions with definitions whose parameters are in prototypes.
pub(super) fn editable<'a>(view: View<'_>, names: &'a Names, outline: &Outline) -> Vec<Editable<'a>> {
    let mut found = Vec::new();
    for entity in &names.entities {
        let Some(id) = entity.definition() else { continue };
        let calls = calls(view, outline, &entity.uses);
        if view.ast[id].kr_decls.is_empty() {
            found.push(Editable { id, entity, calls });
        }
    }
    found
}

/// The parameters of a function type.
pub(super) fn listed(view: View<'_>, ty: TypeId) -> &[Param] {
    match &view.ast[ty].kind {
        TypeKind::Function { params: Params::Prototype { params, .. }, .. } => params,
        _ => &[],
    }
}

fn is_variadic(view: View<'_>, ty: TypeId) -> bool {
    matches!(&view.ast[ty].kind, TypeKind::Function { params: Params::Prototype { variadic: true, .. }, .. })
}

/// The patch that takes one out of a list of parameters.
fn drop_parameter(view: View<'_>, ty: TypeId, index: usize) -> Option<Patch> {
    let spans: Vec<Span> = listed(view, ty).iter().map(|param| param.span).collect();
    let span = *view.list_cuts(&spans).get(index)?;
    if spans.len() == 1 {
        return (!is_variadic(view, ty)).then(|| view.put(span, "void"));
    }
    Some(view.cut(span))
}

/// The patches that take a parameter away everywhere.
fn drop_everywhere(view: View<'_>, function: &Editable<'_>, index: usize) -> Option<Vec<Patch>> {
    let mut patches = Vec::new();
    for site in &function.entity.sites {
        let ty = match site {
            Site::Function(id) => view.ast[*id].ty,
            Site::Declarator(decl, at) => view.ast[*decl].declarators[*at].ty,
            Site::Parameter(..) | Site::Enumerator(..) => return None,
        };
        if !listed(view, ty).is_empty() {
            patches.push(drop_parameter(view, ty, index)?);
        }
    }
    patches.extend(drop_arguments(view, &function.calls.calls, index));
    Some(patches)
}

/// The patches that take one argument out of each call.
fn drop_arguments(view: View<'_>, calls: &[Call], index: usize) -> Vec<Patch> {
    let cut = |call: &Call| {
        let spans: Vec<Span> = arguments(view, call.id).iter().map(|&id| view.ast[id].span).collect();
        view.list_cuts(&spans).get(index).map(|span| view.cut(*span))
    };
    calls.iter().filter_map(cut).collect()
}

/// The types of an entity that is a function without a definition.
fn declared_types(view: View<'_>, entity: &Entity) -> Option<Vec<TypeId>> {
    let ty = |site: &Site| match site {
        Site::Declarator(decl, at) => Some(view.ast[*decl].declarators[*at].ty),
        Site::Function(_) | Site::Parameter(..) | Site::Enumerator(..) => None,
    };
    let types: Vec<TypeId> = entity.sites.iter().map(ty).collect::<Option<_>>()?;
    let functions = types.iter().all(|&ty| matches!(view.ast[ty].kind, TypeKind::Function { .. }));
    functions.then_some(types)
}

fn declared_only(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let declared = names.entities.iter().filter_map(|e| Some((declared_types(view, e)?, e.uses.clone())));
    let mut functions: Vec<(Vec<TypeId>, Vec<ExprId>)> = declared.collect();
    let mut undeclared: BTreeMap<Symbol, Vec<ExprId>> = BTreeMap::new();
    for &id in &names.unknown {
        if let ExprKind::Ident(name) = view.ast[id].kind {
            undeclared.entry(name).or_default().push(id);
        }
    }
    functions.extend(undeclared.into_values().map(|uses| (Vec::new(), uses)));
    for (types, uses) in functions {
        let calls = calls(view, &outline, &uses).calls;
        let most = calls.iter().map(|call| arguments(view, call.id).len()).max().unwrap_or(0);
        for index in (0..most).rev() {
            let mut patches = drop_arguments(view, &calls, index);
            let listed = types.iter().filter(|&&ty| index < listed(view, ty).len());
            patches.extend(listed.filter_map(|&ty| drop_parameter(view, ty, index)));
            hints.extend(view.hint(patches));
        }
    }
}

/// The entity of a parameter.
fn entity_of(names: &Names, id: FnId, index: usize) -> Option<&Entity> {
    names.entities.iter().find(|entity| entity.sites.contains(&Site::Parameter(id, index)))
}

fn each_parameter(
    view: View<'_>,
    hints: &mut Vec<Hint>,
    mut more: impl FnMut(&Editable<'_>, usize, Option<&Entity>) -> Option<Vec<Patch>>,
) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    for function in editable(view, &names, &outline) {
        for index in (0..parameters(view.ast, function.id).len()).rev() {
            let Some(more) = more(&function, index, entity_of(&names, function.id, index)) else { continue };
            if let Some(mut patches) = drop_everywhere(view, &function, index) {
                patches.extend(more);
                hints.extend(view.hint(patches));
            }
        }
    }
}

fn unused_parameters(view: View<'_>, hints: &mut Vec<Hint>) {
    each_parameter(view, hints, |_, _, entity| entity.is_none_or(Entity::is_unused).then(Vec::new));
}

/// The constant that the calls pass for a parameter: that of the first call that passes one.
fn constant(view: View<'_>, function: &Editable<'_>, index: usize) -> Option<String> {
    function.calls.calls.iter().find_map(|call| {
        let id = *arguments(view, call.id).get(index)?;
        let inner = match view.ast[id].kind {
            ExprKind::Unary(csyntax::ast::UnOp::Minus, inner) => inner,
            _ => id,
        };
        let constant = matches!(
            view.ast[inner].kind,
            ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Char { .. }
        );
        constant.then(|| String::from_utf8_lossy(view.source(view.ast[id].span)).into_owned())
    })
}

/// A declaration of a parameter as a variable, without `;`.
fn declaration(scratch: &mut Scratch, param: &Param) -> Option<String> {
    Some(scratch.variable(param.name?, Storage::NONE, param.base, param.ty))
}

fn body_start(view: View<'_>, id: FnId) -> u32 {
    view.ast[view.ast[id].body].span.lo + 1
}

fn to_locals(view: View<'_>, hints: &mut Vec<Hint>) {
    let mut scratch = Scratch::new(view.ast);
    each_parameter(view, hints, |function, index, entity| {
        if entity.is_none_or(Entity::is_unused) {
            return None;
        }
        let head = declaration(&mut scratch, &parameters(view.ast, function.id)[index])?;
        let value = match constant(view, function, index) {
            Some(value) => format!(" = {value}"),
            None => " = 0".to_string(),
        };
        Some(vec![view.insert(body_start(view, function.id), format!(" {head}{value};"))])
    });
}

fn to_globals(view: View<'_>, hints: &mut Vec<Hint>) {
    let mut scratch = Scratch::new(view.ast);
    each_parameter(view, hints, |function, index, entity| {
        if entity.is_none_or(Entity::is_unused) {
            return None;
        }
        let head = declaration(&mut scratch, &parameters(view.ast, function.id)[index])?;
        let value = constant(view, function, index).map_or(String::new(), |value| format!(" = {value}"));
        Some(vec![view.insert(view.ast[function.id].span.lo, format!("{head}{value};\n"))])
    });
}

fn to_constants(view: View<'_>, hints: &mut Vec<Hint>) {
    each_parameter(view, hints, |function, index, entity| {
        let value = constant(view, function, index)?;
        let binding = if value.starts_with('-') { crate::passes::c::precedence::UNARY } else { u8::MAX };
        let uses = &entity?.uses;
        let put = |id: &csyntax::ast::ExprId| {
            view.put(view.ast[*id].span, view.fit_text(*id, value.as_bytes(), binding))
        };
        Some(uses.iter().map(put).collect())
    });
}

fn variadic(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let outline = outline(view.ast);
    for function in editable(view, &names, &outline) {
        let ty = view.ast[function.id].ty;
        let named = listed(view, ty);
        let Some(last) = named.last().filter(|_| is_variadic(view, ty)) else { continue };
        let rest = Span::new(last.span.hi, view.ast[ty].span.hi.saturating_sub(1));
        let mut patches = vec![view.cut(rest)];
        for call in &function.calls.calls {
            let arguments = arguments(view, call.id);
            if let (Some(kept), Some(end)) = (arguments.get(named.len() - 1), arguments.last()) {
                patches.push(view.cut(Span::new(view.ast[*kept].span.hi, view.ast[*end].span.hi)));
            }
        }
        hints.extend(view.hint(patches));
    }
}
