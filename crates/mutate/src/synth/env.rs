//! Environments: the variables visible at a point with the values they had there (definition 4.1 of the Hermes paper):
//! members of structs and elements of arrays are variables too.
//!
//! Where the states are few, one row a distinct state: rows keep what belonged together, sets would forget it. Where
//! they are many, each variable has an exact range, as the two rows of its least and greatest value.

use super::expression::Value;
use crate::places::Place;
use crate::seed::{Point, Seed};
use csyntax::ast::Quals;
use csyntax::intern::Symbol;
use csyntax::tree::{ObjId, Unit};
use csyntax::types::{ArrayLen, FloatKind, IntKind, QTy, TyKind};
use machine::profile::Seen;

/// An integer that may be read by a text.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The text: a name, a member or element, or `*p` for a pointer that always points to one visible integer.
    pub text: String,
    /// Its kind.
    pub kind: IntKind,
    /// Its value in each row.
    pub values: Vec<i128>,
    /// May it be assigned to?
    pub writable: bool,
    /// The object and where in it.
    pub object: Option<(ObjId, u64)>,
}

/// A `float` or `double`; only where all rows are known.
#[derive(Clone, Debug)]
pub struct Float {
    /// Its text.
    pub text: String,
    /// Its kind.
    pub kind: FloatKind,
    /// Its value in each row.
    pub values: Vec<f64>,
}

/// A pointer whose being null or not is known.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Its name.
    pub text: String,
    /// Always null, or never?
    pub null: bool,
}

/// What is known at a point.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// How many rows.
    pub rows: usize,
    /// Is each row a state? Else they are the bounds of ranges.
    pub exact: bool,
    /// Integers.
    pub operands: Vec<Operand>,
    /// Floating variables.
    pub floats: Vec<Float>,
    /// Pointers.
    pub pointers: Vec<Pointer>,
}

impl Env {
    /// The environment of a live statement; `None` where nothing is known for sure.
    pub fn of(seed: &Seed, place: &Place) -> Option<Env> {
        let point = seed.points.get(&place.stmt)?;
        if point.count == 0 || point.rows.is_empty() || !point.complete && point.ranges.is_none() {
            return None;
        }
        let unit = &seed.unit;
        let rows = if point.complete { point.rows.len() } else { 2 };
        let mut env = Env { rows, exact: point.complete, ..Env::default() };
        let sight = Sight::of(seed, place);
        let mut pointing = Vec::new();
        for (column, &(object, offset)) in point.variables.iter().enumerate() {
            let Some(name) = sight.name(object) else { continue };
            let Some((suffix, ty)) = part(unit, unit[object].ty, offset) else { continue };
            // What a `jmp_buf` holds is its library's business; it may have any type that holds others.
            if seed.places.long_jumps && !suffix.is_empty() {
                continue;
            }
            let text = format!("{name}{suffix}");
            match unit.types.kind(ty.ty) {
                TyKind::Int(_) | TyKind::Enum(_) => {
                    let Some(kind) = unit.types.int_kind(ty.ty).filter(|k| *k < IntKind::Int128) else {
                        continue;
                    };
                    let Some(values) = integers(point, column) else { continue };
                    // An argument without prototype may have passed what the parameter's type does not hold.
                    let (least, most) = super::arith::limits(&unit.types, kind);
                    if values.iter().any(|v| !(least..=most).contains(v)) {
                        continue;
                    }
                    let plain = !matches!(unit.types.kind(ty.ty), TyKind::Enum(_));
                    let writable = plain && !ty.quals.has(Quals::CONST) && !ty.quals.has(Quals::ATOMIC);
                    env.operands.push(Operand {
                        text,
                        kind,
                        values,
                        writable,
                        object: Some((object, offset)),
                    });
                }
                TyKind::Float(kind @ (FloatKind::Float | FloatKind::Double)) if env.exact => {
                    let value = |row: &Vec<Seen>| match row[column] {
                        Seen::Float(bits) => Some(f64::from_bits(bits)),
                        Seen::Int(_) | Seen::Indeterminate | Seen::Null | Seen::Object(..) | Seen::Other => {
                            None
                        }
                    };
                    if let Some(values) = point.rows.iter().map(value).collect() {
                        env.floats.push(Float { text, kind: *kind, values });
                    }
                }
                TyKind::Pointer(_) => {
                    if let Some(null) = nullness(point, column) {
                        env.pointers.push(Pointer { text: text.clone(), null });
                    }
                    pointing.push((column, text, ty));
                }
                TyKind::Void
                | TyKind::Float(_)
                | TyKind::Complex(_)
                | TyKind::Array(..)
                | TyKind::Vector(..)
                | TyKind::Function(_)
                | TyKind::Record(_)
                | TyKind::VaList => {}
            }
        }
        if env.exact && !seed.places.guarded(place) {
            env.dereferences(seed, place, point, &pointing);
        }
        Some(env)
    }

    /// `*p` where `p` points to a visible integer of the very type, in every row.
    fn dereferences(&mut self, seed: &Seed, place: &Place, point: &Point, pointing: &[(usize, String, QTy)]) {
        let unit = &seed.unit;
        let known = self.operands.len();
        let in_main = seed.ast.names.name(seed.places.functions[place.function as usize].name) == "main";
        for (column, text, ty) in pointing {
            let TyKind::Pointer(to) = unit.types.kind(ty.ty) else { continue };
            if to.quals.has(Quals::VOLATILE) || to.quals.has(Quals::ATOMIC) {
                continue;
            }
            let mut values = Vec::with_capacity(self.rows);
            let mut kind = None;
            for (row, seen) in point.rows.iter().map(|row| row[*column]).enumerate() {
                let Seen::Object(target, offset) = seen else { break };
                // The object of a function that calls itself may be that of another activation.
                if unit[target].storage != csyntax::tree::Storage::Static && !in_main {
                    break;
                }
                let found = self.operands[..known].iter().find(|o| o.object == Some((target, offset)));
                let same = |o: &&Operand| {
                    o.object
                        .and_then(|(object, offset)| part(unit, unit[object].ty, offset))
                        .is_some_and(|p| p.1.ty == to.ty)
                };
                // Members of packed records may lie where no pointer of their type may point.
                let align = unit.types.layout(to.ty).map_or(u64::MAX, |l| l.align);
                let aligned = unit[target].align >= align && offset % align == 0;
                let Some(operand) = found.filter(same).filter(|_| aligned) else { break };
                values.push(operand.values[row]);
                kind = Some(operand.kind);
            }
            if let Some(kind) = kind.filter(|_| values.len() == self.rows) {
                let text = format!("*{text}");
                self.operands.push(Operand { text, kind, values, writable: false, object: None });
            }
        }
    }

    /// Is there nothing to build from?
    pub fn is_empty(&self) -> bool {
        self.operands.is_empty() && self.pointers.is_empty() && self.floats.is_empty()
    }

    /// An operand as an expression.
    pub fn value(&self, index: usize) -> Value {
        let operand = &self.operands[index];
        Value {
            text: operand.text.clone(),
            kind: operand.kind,
            values: operand.values.clone(),
            exact: self.exact,
        }
    }

    /// A constant as an expression.
    pub fn constant(&self, text: String, kind: IntKind, value: i128) -> Value {
        Value { text, kind, values: vec![value; self.rows], exact: self.exact }
    }
}

fn integers(point: &Point, column: usize) -> Option<Vec<i128>> {
    let integer = |row: &Vec<Seen>| if let Seen::Int(value) = row[column] { Some(value) } else { None };
    if point.complete {
        return point.rows.iter().map(integer).collect();
    }
    let range = point.ranges.as_ref()?[column];
    let plain = !range.null && !range.pointer && !range.other;
    range.ints.filter(|_| plain).map(|(least, most)| vec![least, most])
}

/// Is a pointer always null, or never? `None` where it is neither, or not known.
fn nullness(point: &Point, column: usize) -> Option<bool> {
    let mut seen = machine::profile::Range::default();
    match &point.ranges {
        Some(ranges) if !point.complete => seen = ranges[column],
        Some(_) | None => point.rows.iter().for_each(|row| seen.add(row[column])),
    }
    (!seen.other && seen.null != seen.pointer).then_some(seen.null)
}

/// The names by which objects can be reached at a place, where they mean them and touching them is safe.
pub struct Sight<'a> {
    seed: &'a Seed,
    /// What is visible of the function, innermost first.
    locals: Vec<(Symbol, Option<ObjId>)>,
    outer: u32,
    guarded: bool,
}

impl<'a> Sight<'a> {
    /// What can be seen from a place.
    pub fn of(seed: &'a Seed, place: &Place) -> Sight<'a> {
        let outer = seed.places.functions[place.function as usize].outer;
        let mut locals = Vec::new();
        let mut at = place.scope;
        while at != outer {
            let Some(scope) = seed.places.scopes.get(at as usize) else { break };
            locals.push((scope.name, scope.object));
            let Some(next) = scope.outer else { break };
            at = next;
        }
        Sight { seed, locals, outer, guarded: seed.places.guarded(place) }
    }

    /// The name of an object here.
    pub fn name(&self, object: ObjId) -> Option<&'a str> {
        let entity = &self.seed.unit[object];
        let name = entity.name?;
        if self.guarded && (entity.addressed || entity.owner.is_none()) {
            return None;
        }
        // Writing one of two names of an object changes the other.
        if entity.alias.is_some() || self.seed.aliased.contains(&name) && entity.owner.is_none() {
            return None;
        }
        let meant = match self.locals.iter().find(|(local, _)| *local == name) {
            Some((_, found)) => *found == Some(object),
            None => self.seed.places.file_scope.get(&object).is_some_and(|from| *from <= self.outer),
        };
        meant.then(|| self.seed.ast.names.name(name))
    }
}

/// The member or element of a type at an offset: what is written behind the object's name, and its type with all
/// qualifiers on the way. `None` in unions and bit-fields.
pub fn part(unit: &Unit, ty: QTy, offset: u64) -> Option<(String, QTy)> {
    let (mut ty, mut offset, mut text) = (ty, offset, String::new());
    loop {
        match unit.types.kind(ty.ty) {
            TyKind::Array(elem, ArrayLen::Fixed(_)) => {
                let size = unit.types.layout(elem.ty)?.size.max(1);
                text.push_str(&format!("[{}]", offset / size));
                offset %= size;
                ty = QTy { ty: elem.ty, quals: elem.quals.with(ty.quals) };
            }
            TyKind::Record(id) => {
                let record = &unit.types.records[id.0 as usize];
                let holds = |f: &&csyntax::types::Field| {
                    let size = unit.types.layout(f.ty.ty).map_or(0, |l| l.size);
                    f.bits.is_none() && f.offset <= offset && offset < f.offset + size
                };
                let field = record.fields.as_ref()?.iter().find(holds).filter(|_| !record.is_union)?;
                if let Some(name) = field.name {
                    text.push_str(&format!(".{}", unit.names.name(name)));
                }
                offset -= field.offset;
                ty = QTy { ty: field.ty.ty, quals: field.ty.quals.with(ty.quals) };
            }
            _ => return (offset == 0).then_some((text, ty)),
        }
    }
}
