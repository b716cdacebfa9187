//! Variables moved, merged and used for each other.

use crate::passes::c::names::{Entity, Names, resolve};
use crate::passes::c::outline::{Outline, outline};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::unused::remove_declarator;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{DeclId, ExprId, InitId, InitKind, Storage, TypeKind};
use csyntax::source::Span;
use rustc_hash::FxHashMap;

c_pass!(LocalsToGlobals, "locals-to-globals", "Moves local variables to file scope.", to_globals);
c_pass!(
    GlobalsToLocals,
    "globals-to-locals",
    "Moves global variables into the only function that names them.",
    to_locals
);
c_pass!(CombineVariables, "combine-variables", "Uses one variable for two of the same type.", combine, Fine);
c_pass!(
    MergeDeclarations,
    "merge-declarations",
    "Joins declarations with the same specifiers.",
    merge,
    Polish
);

/// A variable with one declarator.
pub struct Variable<'a> {
    /// What names it.
    pub entity: &'a Entity,
    /// Its declaration.
    pub decl: DeclId,
    /// Its declarator there.
    pub index: usize,
}

/// The variables of a unit.
pub fn variables<'a>(view: View<'_>, names: &'a Names) -> Vec<Variable<'a>> {
    let is_typedef = |decl: DeclId| view.ast[decl].storage.has(Storage::TYPEDEF);
    let found = names.entities.iter().filter_map(|entity| {
        let (decl, index) = entity.only_declarator()?;
        let function =
            matches!(view.ast[view.ast[decl].declarators[index].ty].kind, TypeKind::Function { .. });
        (!is_typedef(decl) && !function).then_some(Variable { entity, decl, index })
    });
    found.collect()
}

/// Whether a declaration is a statement of a block, not a clause of a `for` or a member of an old-style list.
fn statements_of(view: View<'_>, outline: &Outline) -> FxHashMap<DeclId, bool> {
    let mut found = FxHashMap::default();
    for place in &outline.stmts {
        if let csyntax::ast::StmtKind::Decl(id) = view.ast[place.id].kind {
            found.insert(id, place.in_block(view.ast));
        }
    }
    found
}

/// The initialiser of a variable.
pub fn initializer(view: View<'_>, variable: &Variable<'_>) -> Option<InitId> {
    view.ast[variable.decl].declarators[variable.index].init
}

fn to_globals(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let statements = statements_of(view, &outline);
    let mut scratch = Scratch::new(view.ast);
    for variable in variables(view, &names) {
        let Some(owner) = variable.entity.owner else { continue };
        if statements.get(&variable.decl) != Some(&true) || view.ast[variable.decl].declarators.len() > 1 {
            continue;
        }
        let head = scratch.head(variable.decl, variable.index, |_, decl| decl.storage = Storage::NONE);
        let name = view.ast.names.name(variable.entity.name).as_bytes();
        let (mut value, mut store) = (Vec::new(), Vec::new());
        if let Some(init) = initializer(view, &variable) {
            let text = view.source(view.ast[init].span);
            match view.ast[init].kind {
                InitKind::Expr(_) => store = [name, b" = ", text, b";"].concat(),
                InitKind::List(_) => value = [b" = ", text].concat(),
            }
        }
        let global = [head.as_bytes(), &value, b";\n"].concat();
        let start = view.ast[owner].span.lo;
        hints.extend(
            view.hint(vec![view.insert(start, global), view.put(view.ast[variable.decl].span, store)]),
        );
    }
}

fn to_locals(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let function_of: FxHashMap<ExprId, _> =
        outline.exprs.iter().map(|place| (place.id, place.function)).collect();
    let mut scratch = Scratch::new(view.ast);
    for variable in variables(view, &names) {
        let mut owners = variable.entity.uses.iter().map(|id| function_of.get(id).copied().flatten());
        let Some(Some(owner)) = owners.next() else { continue };
        if variable.entity.owner.is_some() || !owners.all(|other| other == Some(owner)) {
            continue;
        }
        let head = scratch.head(variable.decl, variable.index, |_, decl| decl.storage = Storage::NONE);
        let value =
            initializer(view, &variable).map(|init| [b" = ", view.source(view.ast[init].span)].concat());
        let start = view.ast[view.ast[owner].body].span.lo + 1;
        let local = [b" ", head.as_bytes(), &value.unwrap_or_default(), b";"].concat();
        let patches = vec![remove_declarator(view, variable.decl, variable.index), view.insert(start, local)];
        hints.extend(view.hint(patches));
    }
}

/// The specifiers of a declaration with a declarator's shape, as what two variables must share.
fn shape(scratch: &mut Scratch, variable: &Variable<'_>) -> String {
    let nameless = scratch.ast.names.intern("_");
    scratch.head(variable.decl, variable.index, |_, decl| {
        decl.storage = Storage::NONE;
        decl.declarators.iter_mut().for_each(|d| d.name = nameless);
    })
}

fn combine(view: View<'_>, hints: &mut Vec<Hint>) {
    let names = resolve(view.ast);
    let mut scratch = Scratch::new(view.ast);
    let mut last: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let all = variables(view, &names);
    for (at, variable) in all.iter().enumerate() {
        let before = last.entry(shape(&mut scratch, variable)).or_default();
        let usable = |other: &&usize| {
            let owner = all[**other].entity.owner;
            owner.is_none() || owner == variable.entity.owner
        };
        // With the first one of its type, and with the one before.
        let mut others: Vec<usize> = before.iter().filter(usable).copied().take(1).collect();
        others.extend(before.iter().rev().filter(usable).copied().take(1));
        others.dedup();
        for other in others {
            let name = view.ast.names.name(all[other].entity.name);
            let mut patches: Vec<Patch> =
                variable.entity.uses.iter().map(|&id| view.put(view.ast[id].span, name)).collect();
            let in_place = initializer(view, variable).filter(|_| variable.entity.owner.is_some());
            match in_place.map(|init| (&view.ast[init].kind, view.ast[init].span)) {
                Some((InitKind::Expr(_), span)) if view.ast[variable.decl].declarators.len() == 1 => {
                    let store = [name.as_bytes(), b" = ", view.source(span), b";"].concat();
                    patches.push(view.put(view.ast[variable.decl].span, store));
                }
                Some(_) | None => patches.push(remove_declarator(view, variable.decl, variable.index)),
            }
            hints.extend(view.hint(patches));
        }
        before.push(at);
    }
}

/// The declarations of each list of items or block, in runs of neighbours.
fn neighbours(view: View<'_>) -> Vec<Vec<DeclId>> {
    let mut runs = vec![Vec::new()];
    let mut add = |decl: Option<DeclId>| match (decl, runs.last_mut()) {
        (Some(decl), Some(run)) => run.push(decl),
        (Some(_), None) | (None, _) => runs.push(Vec::new()),
    };
    for item in &view.ast.items {
        add(if let csyntax::ast::Item::Decl(id) = item { Some(*id) } else { None });
    }
    for place in outline(view.ast).stmts {
        let csyntax::ast::StmtKind::Compound(items) = &view.ast[place.id].kind else { continue };
        add(None);
        for &item in items {
            add(if let csyntax::ast::StmtKind::Decl(id) = view.ast[item].kind { Some(id) } else { None });
        }
    }
    runs
}

fn merge(view: View<'_>, hints: &mut Vec<Hint>) {
    let mut scratch = Scratch::new(view.ast);
    let mut specifiers = |id: DeclId| scratch.decl(id, |_, decl| decl.declarators.clear());
    for run in neighbours(view) {
        let mut groups: Vec<(String, Vec<DeclId>)> = Vec::new();
        for decl in run {
            let declares = !view.ast[decl].declarators.is_empty();
            let defines = match view.ast[view.ast[decl].base].kind {
                TypeKind::Record(id) => view.ast[id].fields.is_some(),
                TypeKind::Enum(id) => view.ast[id].enumerators.is_some(),
                _ => false,
            };
            if !declares || defines {
                continue;
            }
            let text = specifiers(decl);
            match groups.iter_mut().find(|(other, _)| *other == text) {
                Some((_, group)) => group.push(decl),
                None => groups.push((text, vec![decl])),
            }
        }
        for (_, group) in groups.iter().filter(|(_, group)| group.len() > 1) {
            let (first, rest) = (group[0], &group[1..]);
            for &decl in rest {
                hints.extend(view.hint(joined(view, first, &[decl])));
            }
            hints.extend(view.hint(joined(view, first, rest)));
        }
    }
    hints.reverse();
}

/// The patches that move the declarators of some declarations to the end of one.
fn joined(view: View<'_>, first: DeclId, rest: &[DeclId]) -> Vec<Patch> {
    let mut patches = Vec::new();
    let mut moved = Vec::new();
    for &decl in rest {
        let declarators = &view.ast[decl].declarators;
        if let (Some(from), Some(to)) = (declarators.first(), declarators.last()) {
            moved.extend([b", ", view.source(Span::new(from.span.lo, to.span.hi))].concat());
        }
        patches.push(view.cut(view.ast[decl].span));
    }
    let end = view.ast[first].span.hi - 1;
    patches.push(view.put(Span::new(end, end + 1), [&moved[..], b";"].concat()));
    patches
}
