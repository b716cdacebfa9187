//! Puts a statement of the database into a place: its variables and functions are bound to visible ones of the same
//! type, or declared; its labels get new names or become those of the function.

use super::database::{Fragment, Hole, Part, Returns};
use crate::choices::Choices;
use crate::ctype::declare;
use crate::places::Place;
use crate::seed::Seed;
use csyntax::ast::{Attribute, Item};
use csyntax::intern::Symbol;
use csyntax::types::{QTy, TyKind};
use rustc_hash::FxHashSet;

/// The text of a statement at a place; `None` where it has no meaning there.
pub fn bind(
    seed: &Seed,
    place: &Place,
    fragment: &Fragment,
    serial: u32,
    draw: &mut Choices,
) -> Option<String> {
    let function = &seed.places.functions[place.function as usize];
    if fragment.breaks && !place.in_breakable || fragment.continues && !place.in_loop {
        return None;
    }
    if fragment.outer > 0 && (function.labels.is_empty() || function.jump_barriers) {
        return None;
    }
    if !returns_fit(seed, function.name, fragment.returns) {
        return None;
    }
    let table = seed.type_table();
    let here = seed.ast[place.stmt].span.lo;
    let missing: Vec<&(String, String)> =
        fragment.types.iter().filter(|(name, text)| table.definition(name, here) != Some(text)).collect();
    // With definitions of its own, types of the same name are others.
    let shared = missing.is_empty();
    let candidates = Candidates::of(seed, place, fragment);
    let mut head = String::new();
    for (_, text) in &missing {
        head.push_str(text);
        head.push('\n');
    }
    let mut names = Vec::with_capacity(fragment.holes.len());
    for (number, hole) in fragment.holes.iter().enumerate() {
        let nominal = ["struct ", "union ", "enum "].iter().any(|word| hole.declaration.contains(word));
        let known = if shared || !nominal { candidates.fitting(hole) } else { Vec::new() };
        let name = match draw.pick(&known) {
            Some(name) if draw.below(8) > 0 => (*name).to_string(),
            Some(_) | None => {
                let name = format!("athena_{serial}_{number}");
                let text = hole.pointer.as_ref().unwrap_or(&hole.declaration).replace('$', &name);
                let scalar = !text.contains('[') && !nominal;
                let init = if scalar && draw.coin() { " = 0" } else { "" };
                head.push_str(&format!("{text}{init};\n"));
                name
            }
        };
        names.push(name);
    }
    let labels: Vec<&str> = (0..fragment.outer)
        .filter_map(|_| draw.pick(&function.labels).map(|label| seed.ast.names.name(*label)))
        .collect();
    let mut text = format!("{{\n{head}");
    for part in &fragment.parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Hole(hole) => text.push_str(&names[*hole]),
            Part::Outer(label) => text.push_str(labels.get(*label)?),
            Part::Own(label) => text.push_str(&format!("athena_{serial}_l{label}")),
        }
    }
    text.push_str("\n}");
    Some(text)
}

/// May the function return what the statement does?
fn returns_fit(seed: &Seed, name: Symbol, returns: Returns) -> bool {
    let wanted = match returns {
        Returns::Never => return true,
        Returns::Nothing => false,
        Returns::Number => true,
    };
    let spelled = seed.ast.names.name(name);
    let found =
        seed.unit.functions.iter().find(|f| f.body.is_some() && seed.unit.names.name(f.name) == spelled);
    let Some(TyKind::Function(ty)) = found.map(|f| seed.unit.types.kind(f.ty)) else { return false };
    match seed.unit.types.kind(ty.ret.ty) {
        TyKind::Void => !wanted,
        TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_) => wanted,
        TyKind::Complex(_)
        | TyKind::Pointer(_)
        | TyKind::Array(..)
        | TyKind::Vector(..)
        | TyKind::Function(_)
        | TyKind::Record(_)
        | TyKind::VaList => false,
    }
}

/// What is visible, by declaration.
struct Candidates<'a> {
    objects: Vec<(&'a str, String, bool)>,
    functions: Vec<(&'a str, String)>,
}

impl<'a> Candidates<'a> {
    fn of(seed: &'a Seed, place: &Place, fragment: &Fragment) -> Candidates<'a> {
        let unit = &seed.unit;
        let mut hidden: FxHashSet<Symbol> = FxHashSet::default();
        let mut found = Candidates { objects: Vec::new(), functions: Vec::new() };
        let callable = seed.callable();
        for scope in seed.places.visible(place.scope) {
            if !hidden.insert(scope.name) {
                continue;
            }
            let name = seed.ast.names.name(scope.name);
            let taken = fragment.declares.iter().any(|own| own == name)
                || fragment.types.iter().any(|(own, text)| own == name || text.contains(name));
            if taken {
                continue;
            }
            match scope.object {
                Some(id) => {
                    let object = &unit[id];
                    let wanted = fragment.holes.iter().any(|hole| hole.pointer.is_none());
                    if wanted && let Some(text) = declare(unit, object.ty, "$") {
                        found.objects.push((name, text, object.addressed || object.owner.is_none()));
                    }
                }
                None => {
                    if fragment.holes.iter().any(|hole| hole.pointer.is_some())
                        && let Some(ty) = callable.get(&scope.name)
                        && let Some(text) = declare(unit, QTy::from(*ty), "$")
                    {
                        found.functions.push((name, text));
                    }
                }
            }
        }
        found
    }

    fn fitting(&self, hole: &Hole) -> Vec<&'a str> {
        if hole.pointer.is_some() {
            return self
                .functions
                .iter()
                .filter(|(_, text)| *text == hole.declaration)
                .map(|f| f.0)
                .collect();
        }
        let fits = |o: &&(&str, String, bool)| o.1 == hole.declaration && (o.2 || !hole.addressed);
        self.objects.iter().filter(fits).map(|o| o.0).collect()
    }
}

/// Functions that dead code may call: those with a body or a plain declaration and no attribute that forbids a call.
pub fn callable(seed: &Seed) -> rustc_hash::FxHashMap<Symbol, csyntax::types::Ty> {
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
    let mut found = rustc_hash::FxHashMap::default();
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
