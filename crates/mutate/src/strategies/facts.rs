//! Facts: what the profile proved true on these inputs is told to the compiler, which may rely on it: guards with
//! `__builtin_unreachable` or `__builtin_assume`, ranges of values, alignment, arguments that are never null, parameters
//! that are `restrict`, functions without effects.

use super::live::points;
use super::{Settings, Strategy};
use crate::choices::Choices;
use crate::ctype::declare;
use crate::edit::{Change, Edit};
use crate::places::Place;
use crate::promise::WORD;
use crate::seed::Seed;
use crate::synth::arith::{constant, promote};
use crate::synth::env::{Env, Sight};
use crate::synth::predicate;
use csyntax::ast::Quals;
use csyntax::intern::Symbol;
use csyntax::tree::FnId;
use csyntax::types::{QTy, TyKind};
use machine::profile::Seen;

/// The strategy.
pub struct Facts;

impl Strategy for Facts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn about(&self) -> &'static str {
        "tells the compiler what is true on these inputs: unreachable, ranges, alignment, nonnull, const, pure, restrict"
    }

    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (place, env) in points(seed, settings, draw) {
            let made = match draw.below(4) {
                0 => aligned(seed, place, draw).map(|code| ("facts/aligned", code)),
                1 => attribute(seed, place, draw),
                2 => range(seed, settings, env, draw).map(|code| ("facts/range", code)),
                _ => None,
            };
            let (strategy, code) = made.unwrap_or_else(|| {
                let types = &seed.unit.types;
                let yes = predicate::synthesize(types, env, true, settings.predicate_depth, draw);
                ("facts/guard", assume(settings, &yes))
            });
            let change = Change::Before { code };
            edits.push(Edit { strategy: strategy.to_string(), at: place.stmt.0, change });
        }
        for (function, body) in seed.places.bodies().into_iter().enumerate() {
            let Some(body) = body.filter(|_| !seed.places.functions[function].promises.is_empty()) else {
                continue;
            };
            if !draw.coin() || !seed.promises().get(function).is_some_and(|proved| *proved) {
                continue;
            }
            for promise in &seed.places.functions[function].promises {
                if draw.below(4) > 0 {
                    let change = Change::Parameter { lo: promise.at, before: WORD.to_string() };
                    edits.push(Edit { strategy: "facts/restrict".to_string(), at: body.0, change });
                }
            }
        }
        edits
    }
}

fn assume(settings: &Settings, yes: &str) -> String {
    if settings.assume {
        format!("__builtin_assume({yes});")
    } else {
        format!("if (!({yes})) __builtin_unreachable();")
    }
}

/// The exact bounds of a variable.
fn range(seed: &Seed, settings: &Settings, env: &Env, draw: &mut Choices) -> Option<String> {
    let operand = draw.pick(&env.operands)?;
    let (least, most) = (operand.values.iter().min()?, operand.values.iter().max()?);
    let types = &seed.unit.types;
    let kind = promote(types, operand.kind);
    let name = &operand.text;
    let (least, most) = (constant(types, kind, *least), constant(types, kind, *most));
    Some(assume(settings, &format!("{name} >= {least} && {name} <= {most}")))
}

/// `p = __builtin_assume_aligned(p, n)` where `p` always points into objects that are so aligned.
fn aligned(seed: &Seed, place: &Place, draw: &mut Choices) -> Option<String> {
    let point = seed.points.get(&place.stmt).filter(|p| p.complete)?;
    if seed.places.guarded(place) || seed.places.long_jumps {
        return None;
    }
    let sight = Sight::of(seed, place);
    let unit = &seed.unit;
    let mut known = Vec::new();
    for (column, (object, _)) in point.variables.iter().enumerate() {
        let (Some(name), ty) = (sight.name(*object), unit[*object].ty) else { continue };
        let TyKind::Pointer(to) = unit.types.kind(ty.ty) else { continue };
        let plain = matches!(unit.types.kind(to.ty), TyKind::Int(_) | TyKind::Float(_));
        if ty.quals != Quals::NONE || !plain || to.quals.has(Quals::VOLATILE) {
            continue;
        }
        let alignment = |row: &Vec<Seen>| match row[column] {
            Seen::Object(target, 0) => Some(unit[target].align),
            Seen::Object(target, offset) => Some(unit[target].align.min(1 << offset.trailing_zeros().min(6))),
            Seen::Indeterminate | Seen::Int(_) | Seen::Float(_) | Seen::Null | Seen::Other => None,
        };
        let all: Option<Vec<u64>> = point.rows.iter().map(alignment).collect();
        if let Some(least) = all.and_then(|all| all.into_iter().min()) {
            known.push((name, least.clamp(1, 16)));
        }
    }
    let (name, alignment) = draw.pick(&known)?;
    Some(format!("{name} = __builtin_assume_aligned({name}, {alignment});"))
}

/// A declaration of a visible function with an attribute that its calls, or its body, bear out.
fn attribute(seed: &Seed, place: &Place, draw: &mut Choices) -> Option<(&'static str, String)> {
    let unit = &seed.unit;
    let mut candidates = Vec::new();
    for (index, function) in seed.places.functions.iter().enumerate() {
        let name = seed.ast.names.name(function.name);
        let own = index as u32 == place.function;
        if own || function.start >= seed.ast[place.stmt].span.lo || name == "main" {
            continue;
        }
        if seed.places.resolve(place.scope, function.name) != Some(None) {
            continue;
        }
        let Some(id) =
            unit.functions.iter().position(|f| f.body.is_some() && unit.names.name(f.name) == name)
        else {
            continue;
        };
        candidates.push((index, FnId(id as u32), function.name));
    }
    let (index, id, name) = *draw.pick(&candidates)?;
    let (strategy, words) = match seed.places.functions[index].effects {
        crate::purity::Effects::None if !seed.places.functions[index].live_edits => {
            ("facts/const", "const".to_string())
        }
        crate::purity::Effects::Reads if !seed.places.functions[index].live_edits => {
            ("facts/pure", "pure".to_string())
        }
        crate::purity::Effects::None | crate::purity::Effects::Reads | crate::purity::Effects::Some => {
            ("facts/nonnull", format!("nonnull({})", nonnull(seed, index, id)?))
        }
    };
    let declaration = redeclare(seed, id, name)?;
    Some((strategy, format!("extern {declaration} __attribute__(({words}));")))
}

/// The numbers of the pointer parameters that no call passes null for.
fn nonnull(seed: &Seed, index: usize, id: FnId) -> Option<String> {
    let first = seed
        .places
        .all
        .iter()
        .filter(|p| p.function as usize == index)
        .find_map(|p| seed.points.get(&p.stmt).filter(|point| point.count > 0))?;
    let mut numbers = Vec::new();
    for (number, param) in seed.unit[id].params.iter().enumerate() {
        if !matches!(seed.unit.types.kind(seed.unit[*param].ty.ty), TyKind::Pointer(_)) {
            continue;
        }
        let column = first.variables.iter().position(|(object, _)| object == param)?;
        let points = |row: &Vec<Seen>| matches!(row[column], Seen::Object(..) | Seen::Other);
        if first.complete && !first.rows.is_empty() && first.rows.iter().all(points) {
            numbers.push((number + 1).to_string());
        }
    }
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

/// The declaration of a function with a prototype of types that are visible everywhere.
fn redeclare(seed: &Seed, id: FnId, name: Symbol) -> Option<String> {
    let ty = seed.unit[id].ty;
    let TyKind::Function(function) = seed.unit.types.kind(ty) else { return None };
    let text = declare(&seed.unit, QTy::from(ty), seed.ast.names.name(name))?;
    let nominal = ["struct ", "union ", "enum "].iter().any(|word| text.contains(word));
    (function.prototype && !nominal).then_some(text)
}
