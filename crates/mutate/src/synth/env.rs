//! Environments: the variables visible at a point with the values they had there, one row a distinct state
//! (definition 4.1 of the Hermes paper; rows keep what belonged together, sets would forget it).

use crate::places::Place;
use crate::seed::Seed;
use csyntax::ast::Quals;
use csyntax::intern::Symbol;
use csyntax::tree::ObjId;
use csyntax::types::{IntKind, TyKind};
use machine::profile::Seen;

/// An integer that may be read by a text.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The text: a name, or `*p` for a pointer that always points to one visible integer.
    pub text: String,
    /// Its kind.
    pub kind: IntKind,
    /// Its value in each row.
    pub values: Vec<i128>,
    /// May it be assigned to?
    pub writable: bool,
    /// The object.
    pub object: Option<ObjId>,
}

/// A pointer whose being null or not is known.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Its name.
    pub text: String,
    /// Null in each row?
    pub null: Vec<bool>,
}

/// What is known at a point.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// How many rows.
    pub rows: usize,
    /// Integers.
    pub operands: Vec<Operand>,
    /// Pointers.
    pub pointers: Vec<Pointer>,
}

impl Env {
    /// The environment of a live statement; `None` where nothing is known for sure.
    pub fn of(seed: &Seed, place: &Place) -> Option<Env> {
        let point = seed.points.get(&place.stmt)?;
        if point.count == 0 || !point.complete || point.rows.is_empty() {
            return None;
        }
        let unit = &seed.unit;
        let mut env = Env { rows: point.rows.len(), ..Env::default() };
        for (column, &object) in point.variables.iter().enumerate() {
            let Some(text) = name_of(seed, place, object) else { continue };
            let ty = unit[object].ty;
            let seen = || point.rows.iter().map(|row| row[column]);
            if let Some(kind) = unit.types.int_kind(ty.ty) {
                let value = |s: Seen| if let Seen::Int(v) = s { Some(v) } else { None };
                let Some(values) = seen().map(value).collect::<Option<Vec<i128>>>() else { continue };
                if kind >= IntKind::Int128 {
                    continue;
                }
                let plain = !matches!(unit.types.kind(ty.ty), TyKind::Enum(_));
                let writable = plain && !ty.quals.has(Quals::CONST) && !ty.quals.has(Quals::ATOMIC);
                env.operands.push(Operand { text, kind, values, writable, object: Some(object) });
            } else if let TyKind::Pointer(_) = unit.types.kind(ty.ty) {
                if seen().any(|s| matches!(s, Seen::Indeterminate)) {
                    continue;
                }
                let null = seen().map(|s| s == Seen::Null).collect();
                env.pointers.push(Pointer { text, null });
            }
        }
        env.dereferences(seed, place, point);
        Some(env)
    }

    /// `*p` where `p` points to a visible integer of the very type, in every row.
    fn dereferences(&mut self, seed: &Seed, place: &Place, point: &crate::seed::Point) {
        let unit = &seed.unit;
        for (column, &object) in point.variables.iter().enumerate() {
            let TyKind::Pointer(to) = unit.types.kind(unit[object].ty.ty) else { continue };
            if to.quals.has(Quals::VOLATILE) || to.quals.has(Quals::ATOMIC) || seed.places.restricted {
                continue;
            }
            let Some(text) = name_of(seed, place, object) else { continue };
            let mut values = Vec::with_capacity(self.rows);
            let mut kind = None;
            for (row, seen) in point.rows.iter().map(|row| row[column]).enumerate() {
                let Seen::Object(target, 0) = seen else { break };
                let known = self.operands.iter().find(|o| o.object == Some(target));
                let Some(operand) = known.filter(|_| unit[target].ty.ty == to.ty) else { break };
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
        self.operands.is_empty() && self.pointers.is_empty()
    }
}

/// The name by which an object can be reached at a place, if it means that object there and touching it is safe.
pub fn name_of(seed: &Seed, place: &Place, object: ObjId) -> Option<String> {
    let entity = &seed.unit[object];
    let name: Symbol = entity.name?;
    if seed.places.resolve(place.scope, name) != Some(Some(object)) {
        return None;
    }
    if seed.places.restricted && (entity.addressed || entity.owner.is_none()) {
        return None;
    }
    Some(seed.ast.names.name(name).to_string())
}
