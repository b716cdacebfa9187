//! What statements of the database can be bound to: the objects and functions of a seed, by the text of their
//! declarations, so that a hole finds its candidates without looking at the others.

use crate::ctype::declare;
use crate::places::Place;
use crate::seed::Seed;
use csyntax::ast::{Attribute, Item};
use csyntax::intern::Symbol;
use csyntax::tree::ObjId;
use csyntax::types::QTy;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of no declaration.
const NONE: u32 = u32::MAX;

/// A name of file scope, visible from a scope on.
struct Global {
    from: u32,
    name: Symbol,
    /// None for functions.
    object: Option<ObjId>,
}

/// The objects and functions of a seed by declaration.
pub struct Names {
    numbers: FxHashMap<String, u32>,
    /// By objects.
    objects: Vec<u32>,
    /// By declarations.
    globals: Vec<Vec<Global>>,
}

impl Names {
    /// Those of a seed.
    pub fn of(seed: &Seed) -> Names {
        let mut names = Names { numbers: FxHashMap::default(), objects: Vec::new(), globals: Vec::new() };
        let mut known: FxHashMap<QTy, u32> = FxHashMap::default();
        for object in &seed.unit.objects {
            let number = object.name.map_or(NONE, |_| {
                let mut text = |ty| declare(&seed.unit, ty, "$").map_or(NONE, |text| names.number(text));
                *known.entry(object.ty).or_insert_with_key(|ty| text(*ty))
            });
            names.objects.push(number);
        }
        let mut scopes: Vec<(u32, Symbol, Option<ObjId>)> =
            seed.places.file_names().map(|(from, scope)| (from, scope.name, scope.object)).collect();
        scopes.sort_by_key(|(from, ..)| *from);
        let callable = callable(seed);
        let mut met = FxHashSet::default();
        for (from, name, object) in scopes {
            if !met.insert(name) {
                continue;
            }
            let number = match object {
                Some(id) => names.objects.get(id.0 as usize).copied().unwrap_or(NONE),
                None => {
                    let text = callable.get(&name).and_then(|ty| declare(&seed.unit, QTy::from(*ty), "$"));
                    text.map_or(NONE, |text| names.number(text))
                }
            };
            if number != NONE {
                names.globals[number as usize].push(Global { from, name, object });
            }
        }
        names
    }

    fn number(&mut self, text: String) -> u32 {
        let next = self.globals.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.globals.push(Vec::new());
        }
        number
    }
}

/// The names that a statement at a place sees.
pub struct View<'a> {
    seed: &'a Seed,
    names: &'a Names,
    /// Those of the function, innermost first.
    locals: Vec<(Symbol, Option<ObjId>)>,
    outer: u32,
}

impl<'a> View<'a> {
    /// From a place.
    pub fn of(seed: &'a Seed, place: &Place) -> View<'a> {
        let outer = seed.places.functions[place.function as usize].outer;
        let mut locals: Vec<(Symbol, Option<ObjId>)> = Vec::new();
        let mut at = place.scope;
        while at != outer {
            let Some(scope) = seed.places.scopes.get(at as usize) else { break };
            if locals.iter().all(|(name, _)| *name != scope.name) {
                locals.push((scope.name, scope.object));
            }
            let Some(next) = scope.outer else { break };
            at = next;
        }
        View { seed, names: seed.names(), locals, outer }
    }

    /// The visible names with a declaration: of functions, or of objects. `addressed` asks for objects whose address
    /// is taken anyway.
    pub fn fitting(&self, declaration: &str, function: bool, addressed: bool) -> Vec<&'a str> {
        let Some(&number) = self.names.numbers.get(declaration) else { return Vec::new() };
        let unit = &self.seed.unit;
        let fits = |id: ObjId| !addressed || unit[id].addressed || unit[id].owner.is_none();
        let own = self.locals.iter().filter_map(|(name, object)| {
            let id = (*object).filter(|id| !function && self.names.objects[id.0 as usize] == number)?;
            fits(id).then_some(*name)
        });
        let others = self.names.globals[number as usize].iter().filter_map(|global| {
            let right = match global.object {
                Some(id) => !function && fits(id),
                None => function,
            };
            let seen = global.from <= self.outer && self.locals.iter().all(|(name, _)| *name != global.name);
            (right && seen).then_some(global.name)
        });
        own.chain(others).map(|name| self.seed.ast.names.name(name)).collect()
    }
}

/// Functions that dead code may call: those with a body or a plain declaration and no attribute that forbids a call.
fn callable(seed: &Seed) -> FxHashMap<Symbol, csyntax::types::Ty> {
    let ast = &seed.ast;
    let forbids = |attrs: &[Attribute]| {
        let names = ["always_inline", "error", "warning", "gnu_inline", "artificial", "naked", "interrupt"];
        attrs.iter().any(|a| names.contains(&ast.names.name(a.name)))
    };
    let mut barred: FxHashSet<Symbol> = FxHashSet::default();
    for item in &ast.items {
        match item {
            Item::Function(id) if forbids(&ast[*id].attrs) => {
                barred.insert(ast[*id].name);
            }
            Item::Decl(id) => {
                let decl = &ast[*id];
                let bad = decl.declarators.iter().filter(|d| forbids(&decl.attrs) || forbids(&d.attrs));
                barred.extend(bad.map(|d| d.name));
            }
            Item::Function(_) | Item::StaticAssert(..) | Item::Asm(..) | Item::Pragma(..) => {}
        }
    }
    let mut found = FxHashMap::default();
    for function in &seed.unit.functions {
        let name = ast.names.lookup(seed.unit.names.name(function.name));
        if let Some(name) = name.filter(|name| !barred.contains(name))
            && function.body.is_some()
            && function.parent.is_none()
        {
            found.insert(name, function.ty);
        }
    }
    found
}
