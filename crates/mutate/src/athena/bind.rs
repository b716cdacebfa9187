//! Puts a statement of the database into a place: its variables and functions are bound to visible ones of the same
//! type, or declared; its labels get new names or become those of the function.

use super::database::{Fragment, Part, Returns};
use super::names::View;
use crate::choices::Choices;
use crate::places::Place;
use crate::seed::Seed;
use csyntax::intern::Symbol;
use csyntax::types::TyKind;

/// The text of a statement at a place; `None` where it has no meaning there.
pub fn bind(
    seed: &Seed,
    place: &Place,
    view: &View,
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
    // All from the first that the seed lacks: each comes after those that it names, and the same text is another type
    // where a type that it names is another.
    let there = |(name, text): &(String, String)| table.definition(name, here) == Some(text);
    let missing: Vec<&(String, String)> = fragment.types.iter().skip_while(|t| there(t)).collect();
    // With definitions of its own, types of the same name are others.
    let shared = missing.is_empty();
    let taken = |name: &str| {
        fragment.declares.iter().any(|own| own == name)
            || fragment.types.iter().any(|(own, text)| own == name || text.contains(name))
    };
    // Variants of variants have the names of the rounds before.
    let own = seed.unused(format!("athena_{serial}"));
    let mut head = String::new();
    for (_, text) in &missing {
        head.push_str(text);
        head.push('\n');
    }
    let mut names = Vec::with_capacity(fragment.holes.len());
    for (number, hole) in fragment.holes.iter().enumerate() {
        let nominal = ["struct ", "union ", "enum "].iter().any(|word| hole.declaration.contains(word));
        let mut known = if shared || !nominal {
            view.fitting(&hole.declaration, hole.pointer.is_some(), hole.addressed)
        } else {
            Vec::new()
        };
        known.retain(|name| !taken(name));
        let name = match draw.pick(&known) {
            Some(name) if draw.below(8) > 0 => (*name).to_string(),
            Some(_) | None => {
                let name = format!("{own}_{number}");
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
            Part::Own(label) => text.push_str(&format!("{own}_l{label}")),
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
