//! Declarations moved, merged and made of simpler types.

use crate::passes::c::names::{Entity, Names, resolve};
use crate::passes::c::outline::{Outline, outline};
use crate::passes::c::scratch::Scratch;
use crate::passes::c::unused::remove_declarator;
use crate::passes::c::view::View;
use crate::{Hint, Patch};
use csyntax::ast::{DeclId, ExprId, ExprKind, InitId, InitKind, Storage, TypeKind, UnOp};
use csyntax::source::Span;
use rustc_hash::FxHashMap;

c_pass!(LocalsToGlobals, "locals-to-globals", "Moves local variables to file scope.", to_globals);
c_pass!(GlobalsToLocals, "globals-to-locals", "Moves global variables into the only function that names them.", to_locals);
c_pass!(ArrayDimensions, "array-dimensions", "Removes the outer dimension of arrays.", dimensions);
c_pass!(PointerLevels, "pointer-levels", "Removes a level of pointers.", pointer_levels);
c_pass!(CombineVariables, "combine-variables", "Uses one variable for two of the same type.", combine, Fine);
c_pass!(MergeDeclarations, "merge-declarations", "Joins declarations with the same specifiers.", merge, Polish);

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
        let function = matches!(view.ast[view.ast[decl].declarators[index].ty].kind, TypeKind::Function { .. });
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

fn initializer(view: View<'_>, variable: &Variable<'_>) -> Option<InitId> {
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
        hints.extend(view.hint(vec![view.insert(start, global), view.put(view.ast[variable.decl].span, store)]));
    }
}

fn to_locals(view: View<'_>, hints: &mut Vec<Hint>) {
    let (names, outline) = (resolve(view.ast), outline(view.ast));
    let function_of: FxHashMap<ExprId, _> = outline.exprs.iter().map(|place| (place.id, place.function)).collect();
    for variable in variables(view, &names) {
        let mut owners = variable.entity.uses.iter().map(|id| function_of.get(id).copied().flatten());
        let Some(Some(owner)) = owners.next() else { continue };
        if variable.entity.owner.is_some() || !owners.all(|other| other == Some(owner)) {
            continue;
        }
        let mut scratch = Scratch::new(view.ast);
        let head = scratch.head(variable.decl, variable.index, |_, decl| decl.storage = Storage::NONE);
        let value = initializer(view, &variable).map(|init| [b" = ", view.source(view.ast[init].span)].concat());
        let start = view.ast[view.ast[owner].body].span.lo + 1;
        let local = [b" ", head.as_bytes(), &value.unwrap_or_default(), b";"].concat();
        let patches = vec![remove_declarator(view, variable.decl, variable.index), view.insert(start, local)];
        hints.extend(view.hint(patches));
    }
}

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
            InitKind::List(items) => items.first().map_or(b"0".to_vec(), |i| view.source(view.ast[i.init].span).to_vec()),
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
fn use_as_value(view: View<'_>, id: ExprId, uses: &[ExprId]) -> Option<Patch> {
    let put = |inner: ExprId| view.put(view.ast[id].span, view.fit(id, inner));
    match view.ast[id].kind {
        ExprKind::Unary(UnOp::Deref, inner) | ExprKind::Index(inner, _) => uses.contains(&inner).then(|| put(inner)),
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
    let mut specifiers = |id: DeclId| {
        scratch.decl(id, |_, decl| decl.declarators.clear())
    };
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
