//! What nothing refers to.

use crate::passes::c::names::{Entity, Names, Site, resolve};
use crate::passes::c::outline::outline;
use crate::passes::c::view::{View, each};
use crate::{Case, Hint, Patch};
use csyntax::ast::{Ast, DeclId, EnumId, ExprKind, RecordId, StmtKind, Storage, TypeKind};
use csyntax::intern::Symbol;
use csyntax::source::Span;
use csyntax::visit::{Flow, Node, Visit, walk_unit};
use rustc_hash::FxHashSet;

file_pass!(Unused, "unused", "Removes functions, objects and typedefs that nothing names.", Coarse, |case| {
    unused(case)
});
c_pass!(
    UnusedTypes,
    "unused-types",
    "Removes structs, unions and enums whose tag nothing names.",
    unused_types,
    Coarse
);
c_pass!(UnusedLabels, "unused-labels", "Removes labels to which nothing jumps.", unused_labels);
c_pass!(EnumeratorValues, "enumerator-values", "Removes the values of enumerators.", enumerator_values);
c_pass!(Declarators, "declarators", "Removes one of several declarators of a declaration.", declarators);

/// The patch that takes a declarator out of its declaration, or the whole declaration if it is the only one.
pub fn remove_declarator(view: View<'_>, decl: DeclId, index: usize) -> Patch {
    let declaration = &view.ast[decl];
    if declaration.declarators.len() < 2 {
        return view.cut(declaration.span);
    }
    let spans: Vec<Span> = declaration.declarators.iter().map(|d| d.span).collect();
    view.cut(view.list_cuts(&spans)[index])
}

/// The patches that take all of an entity's declarations away; none if that is not possible.
pub fn remove_declarations(view: View<'_>, entity: &Entity) -> Option<Vec<Patch>> {
    entity.sites.iter().map(|site| remove_site(view, *site)).collect()
}

fn remove_site(view: View<'_>, site: Site) -> Option<Patch> {
    match site {
        Site::Declarator(decl, index) => Some(remove_declarator(view, decl, index)),
        Site::Function(id) => Some(view.cut(view.ast[id].span)),
        Site::Parameter(..) => None,
        Site::Enumerator(id, index) => remove_enumerator(view, id, index),
    }
}

fn remove_enumerator(view: View<'_>, id: EnumId, index: usize) -> Option<Patch> {
    let spans: Vec<Span> = view.ast[id].enumerators.as_ref()?.iter().map(|e| e.span).collect();
    (spans.len() > 1).then(|| view.cut(view.list_cuts(&spans)[index]))
}

/// Is the name the program's beginning?
pub fn is_main(ast: &Ast, name: Symbol) -> bool {
    ast.names.name(name) == "main"
}

fn unused(case: &Case) -> Vec<Hint> {
    let mut named: Vec<(usize, FxHashSet<String>)> = Vec::new();
    if case.files.len() > 1 {
        each(case, |view, _| named.push((view.index, used_outside(view))));
    }
    each(case, |view, hints| {
        let elsewhere =
            |name: &str| named.iter().any(|(file, names)| *file != view.index && names.contains(name));
        unused_in(view, &elsewhere, hints);
    })
}

/// The names of file scope that a file uses.
fn used_outside(view: View<'_>) -> FxHashSet<String> {
    let names = resolve(view.ast);
    let used = names.entities.iter().filter(|entity| entity.owner.is_none() && !entity.uses.is_empty());
    used.map(|entity| view.ast.names.name(entity.name).to_owned()).collect()
}

/// Is an entity one of this file alone?
fn is_internal(ast: &Ast, entity: &Entity) -> bool {
    entity.owner.is_some()
        || entity.sites.iter().any(|site| match site {
            Site::Declarator(decl, _) => {
                ast[*decl].storage.has(Storage::STATIC) || ast[*decl].storage.has(Storage::TYPEDEF)
            }
            Site::Function(id) => ast[*id].storage.has(Storage::STATIC),
            Site::Parameter(..) | Site::Enumerator(..) => true,
        })
}

fn unused_in(view: View<'_>, elsewhere: &dyn Fn(&str) -> bool, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let only_self = |entity: &Entity| uses_are_inside(view, &names, entity);
    for entity in &names.entities {
        let declared = |entity: &Entity| entity.sites.iter().all(|site| !defines(view.ast, *site));
        let for_others = || {
            !is_internal(view.ast, entity) && !declared(entity) && elsewhere(view.ast.names.name(entity.name))
        };
        if entity.types.is_empty()
            && !is_main(view.ast, entity.name)
            && only_self(entity)
            && !for_others()
            && let Some(patches) = remove_declarations(view, entity)
        {
            hints.extend(view.hint(patches));
        }
    }
    prototypes(view, &names, hints);
}

/// Does what other files use come from here? A declaration of theirs may go.
fn defines(ast: &Ast, site: Site) -> bool {
    match site {
        Site::Function(_) => true,
        Site::Declarator(decl, index) => {
            let is_function = matches!(ast[ast[decl].declarators[index].ty].kind, TypeKind::Function { .. });
            !is_function && !ast[decl].storage.has(Storage::EXTERN)
        }
        Site::Parameter(..) | Site::Enumerator(..) => false,
    }
}

/// Are all uses of an entity in its own declarations: calls of itself?
fn uses_are_inside(view: View<'_>, _names: &Names, entity: &Entity) -> bool {
    let own: Vec<Span> = entity
        .sites
        .iter()
        .map(|site| match site {
            Site::Declarator(decl, index) => view.ast[*decl].declarators[*index].span,
            Site::Function(id) => view.ast[*id].span,
            Site::Parameter(..) | Site::Enumerator(..) => Span::NONE,
        })
        .collect();
    entity.uses.iter().all(|&id| {
        let at = view.ast[id].span;
        own.iter().any(|span| span.lo <= at.lo && at.hi <= span.hi)
    })
}

/// Declarations of what is declared again.
fn prototypes(view: View<'_>, names: &Names, hints: &mut Vec<Hint>) {
    for entity in names.entities.iter().filter(|entity| entity.sites.len() > 1) {
        for &site in &entity.sites {
            if let Site::Declarator(..) = site
                && let Some(patch) = remove_site(view, site)
            {
                hints.extend(view.one(patch));
            }
        }
    }
}

/// The tags that are named somewhere without a definition.
fn named_tags(ast: &Ast) -> FxHashSet<(bool, Symbol)> {
    let mut named = FxHashSet::default();
    walk_unit(ast, |visit| {
        match visit {
            Visit::Enter(Node::Record(id)) if ast[id].fields.is_none() => {
                named.extend(ast[id].tag.map(|t| (true, t)))
            }
            Visit::Enter(Node::Enum(id)) if ast[id].enumerators.is_none() => {
                named.extend(ast[id].tag.map(|t| (false, t)));
            }
            Visit::Enter(_) | Visit::Leave(_) => {}
        }
        Flow::Continue
    });
    named
}

/// The record or enum that a specifier type defines.
enum Defined {
    Record(RecordId),
    Enum(EnumId),
}

fn unused_types(view: View<'_>, hints: &mut Vec<Hint>) {
    let named = named_tags(view.ast);
    let names = resolve(view.ast);
    let used = |name| names.entities.iter().any(|e| e.name == name && !e.is_unused());
    for decl in &view.ast.decls {
        let defined = match view.ast[decl.base].kind {
            TypeKind::Record(id) => Defined::Record(id),
            TypeKind::Enum(id) => Defined::Enum(id),
            _ => continue,
        };
        let unused = match defined {
            Defined::Record(id) => view.ast[id].tag.is_none_or(|tag| !named.contains(&(true, tag))),
            Defined::Enum(id) => {
                let enumerators = view.ast[id].enumerators.iter().flatten();
                view.ast[id].tag.is_none_or(|tag| !named.contains(&(false, tag)))
                    && !enumerators.into_iter().any(|e| used(e.name))
            }
        };
        if unused && decl.declarators.is_empty() {
            hints.extend(view.one(view.cut(decl.span)));
        }
    }
}

fn unused_labels(view: View<'_>, hints: &mut Vec<Hint>) {
    let outline = outline(view.ast);
    let mut used: FxHashSet<Symbol> = FxHashSet::default();
    for place in &outline.stmts {
        if let StmtKind::Goto(name) = view.ast[place.id].kind {
            used.insert(name);
        }
    }
    for place in &outline.exprs {
        if let ExprKind::LabelAddr(name) = view.ast[place.id].kind {
            used.insert(name);
        }
    }
    for place in &outline.stmts {
        if let StmtKind::Label(name, _, inner) = &view.ast[place.id].kind
            && !used.contains(name)
        {
            let span = Span::new(view.ast[place.id].span.lo, view.ast[*inner].span.lo);
            hints.extend(view.one(view.cut(span)));
        }
    }
}

fn declarators(view: View<'_>, hints: &mut Vec<Hint>) {
    for (id, decl) in view.ast.decls.iter().enumerate() {
        let id = DeclId(id as u32);
        for index in 0..decl.declarators.len() {
            if decl.declarators.len() > 1 {
                hints.extend(view.one(remove_declarator(view, id, index)));
            }
        }
    }
}

fn enumerator_values(view: View<'_>, hints: &mut Vec<Hint>) {
    for enumerator in view.ast.enums.iter().filter_map(|e| e.enumerators.as_ref()).flatten() {
        if let Some(value) = enumerator.value {
            let own = view.source(Span::new(enumerator.span.lo, view.ast[value].span.lo));
            let equals = own.iter().rposition(|&b| b == b'=').map(|at| enumerator.span.lo + at as u32);
            hints.extend(equals.and_then(|lo| view.one(view.cut(Span::new(lo, view.ast[value].span.hi)))));
        }
    }
}
