//! Lowering for record types of bytes ([`crate::kin`]): which records of a unit may meet in the same bytes, and which
//! accesses say so at run time. Only programs in which two can meet pay.
//!
//! Records meet through conversions of pointers and through pointers to members of unions. Where a program has none
//! that could bring two together, nothing is checked.

use super::func::FnLower;
use super::neutral;
use super::place::{Base, Place};
use crate::bytecode::{Insn, Reg, TagDesc};
use crate::class::{Class, RETYPE, class_of};
use crate::kin::{Kin, record_in};
use csyntax::ast::Quals;
use csyntax::tree::{Conversion, ExprId, ExprKind, Unit};
use csyntax::types::{RecordId, Ty, TyKind};
use rustc_hash::FxHashSet;

/// Most records whose pairs are compared. With more, all of them count as meeting.
const MOST: usize = 500;

/// Library functions whose result points to an object without a type.
const ALLOCATORS: &[&str] = &["malloc", "calloc", "realloc", "aligned_alloc", "alloca"];

/// The record through a pointer to which a place is reached.
#[derive(Copy, Clone, Debug)]
pub(super) struct RecordPath {
    pub record: RecordId,
    /// Where the record begins, from the base of the place.
    pub start: i64,
    /// Is the place at a constant offset from there?
    pub exact: bool,
}

impl RecordPath {
    /// The same, seen from a base `by` bytes further.
    pub fn rebased(self, by: i64) -> RecordPath {
        RecordPath { start: self.start - by, ..self }
    }

    /// Beyond a step that is only known at run time.
    pub fn vague(self) -> RecordPath {
        RecordPath { exact: false, ..self }
    }
}

/// The records of a unit that may meet another in the same bytes.
pub(super) fn meeting(unit: &Unit) -> Vec<RecordId> {
    let passed = passed_to_library(unit);
    let (mut targets, mut sources) = (FxHashSet::default(), FxHashSet::default());
    for (index, expr) in unit.exprs.iter().enumerate() {
        match expr.kind {
            ExprKind::Convert { kind, value, .. } => {
                let (from, to) = (pointee(unit, unit[value].ty.ty), pointee(unit, expr.ty.ty));
                if from == to || matches!(kind, Conversion::ToBool) {
                    continue;
                }
                let library = passed.contains(&ExprId(index as u32));
                sources.extend(from.filter(|_| !library));
                targets.extend(to.filter(|_| !is_fresh(unit, value)));
            }
            ExprKind::AddrOf(lv) | ExprKind::Decay(lv) if in_union(unit, lv) => {
                targets.extend(record_in(&unit.types, unit[lv].ty.ty));
            }
            _ => {}
        }
    }
    let kin = Kin::new(unit);
    let mut all: Vec<RecordId> = targets.union(&sources).copied().collect();
    all.sort_by_key(|id| id.0);
    if all.len() > MOST || targets.is_empty() {
        all.truncate(if targets.is_empty() { 0 } else { usize::from(u16::MAX) - 1 });
        return all;
    }
    let meets = |a: &RecordId| {
        let other = |b: &RecordId| (targets.contains(a) || targets.contains(b)) && !kin.related(*a, *b, None);
        all.iter().any(other)
    };
    all.iter().filter(|id| meets(id)).copied().collect()
}

/// The record that a pointer of this type points to.
fn pointee(unit: &Unit, ty: Ty) -> Option<RecordId> {
    match unit.types.kind(ty) {
        TyKind::Pointer(to) => record_in(&unit.types, to.ty),
        _ => None,
    }
}

/// The arguments of direct calls of library functions.
fn passed_to_library(unit: &Unit) -> FxHashSet<ExprId> {
    neutral::direct_calls(unit)
        .filter(|(f, _)| unit[*f].body.is_none())
        .flat_map(|(_, args)| args.iter().copied())
        .collect()
}

/// Does this pointer point to nothing, or to an object that has no type yet?
fn is_fresh(unit: &Unit, value: ExprId) -> bool {
    match &unit[value].kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert { value, .. } => is_fresh(unit, *value),
        ExprKind::Call(callee, _) => unit.called(*callee).is_some_and(|f| {
            let name = unit.names.name(unit[f].name);
            let name = name.strip_prefix("__builtin_").unwrap_or(name);
            unit[f].body.is_none() && ALLOCATORS.contains(&name)
        }),
        _ => false,
    }
}

/// Does the way to this lvalue lead through a union?
fn in_union(unit: &Unit, lv: ExprId) -> bool {
    match unit[lv].kind {
        ExprKind::Member { base, record, .. } => {
            unit.types.records[record.0 as usize].is_union || in_union(unit, base)
        }
        ExprKind::Deref(pointer) => match unit[pointer].kind {
            ExprKind::PtrAdd { ptr, .. } => match unit[ptr].kind {
                ExprKind::Decay(array) => in_union(unit, array),
                _ => false,
            },
            ExprKind::Decay(array) => in_union(unit, array),
            _ => false,
        },
        _ => false,
    }
}

impl FnLower<'_, '_> {
    /// The record through a pointer to which a place is accessed, by its number, and where the place lies in it.
    fn tag_record(&self, place: &Place) -> Option<(u16, Option<u16>)> {
        if place.any || place.ty.quals.has(Quals::VOLATILE) || !matches!(place.base, Base::Ptr(_)) {
            return None;
        }
        let unit = self.lw.unit;
        let path = place.path.or_else(|| match unit.types.kind(place.ty.ty) {
            TyKind::Record(id) if !unit.types.records[id.0 as usize].attrs.may_alias => {
                Some(RecordPath { record: *id, start: place.off, exact: true })
            }
            _ => None,
        })?;
        let number = self.lw.program.meeting.iter().position(|id| *id == path.record)? as u16 + 1;
        let offset = Some(place.off - path.start).filter(|_| path.exact);
        Some((number, offset.and_then(|at| u16::try_from(at).ok()).filter(|at| *at != u16::MAX)))
    }

    fn tagged(&mut self, place: &Place, write: bool) -> Option<u32> {
        if self.lw.program.meeting.is_empty() {
            return None;
        }
        let record = match place.base {
            Base::Reg(_) => return None,
            Base::Ptr(_) => self.tag_record(place),
            Base::Local(local) => {
                let template = self.code.locals[usize::from(local)].template;
                self.is_free(template).then_some(None)?
            }
            Base::Static(index) => {
                let template = self.lw.program.statics[index as usize].template;
                self.is_free(template).then_some(None)?
            }
        };
        if record.is_none() && !write {
            return None;
        }
        let (record, offset) = record.unwrap_or((0, None));
        let size = match place.bits {
            Some(bits) => u32::from(bits.start + bits.width).div_ceil(8),
            None => u32::try_from(self.size(place.ty.ty)).ok()?,
        };
        let character = place.bits.is_none()
            && self.scalar(place.ty.ty).is_some()
            && class_of(&self.lw.unit.types, place.ty.ty) == Class::Char;
        let desc = TagDesc { record, offset, size, write, character };
        let tagged = &mut self.lw.program.tagged;
        // The same few come again and again.
        let recent = tagged.len().saturating_sub(64);
        let known = tagged[recent..].iter().rposition(|known| *known == desc).map(|at| recent + at);
        Some(known.unwrap_or_else(|| {
            tagged.push(desc);
            tagged.len() - 1
        }) as u32)
    }

    /// Has an object with this shadow bytes that take the type of what is stored?
    fn is_free(&self, template: u32) -> bool {
        let template = self.lw.program.templates.get(template as usize);
        template.is_none_or(|template| template.iter().any(|byte| byte & RETYPE != 0))
    }

    /// Before a load: may it see what is there? The place comes back with its address computed.
    pub fn tag_load(&mut self, place: Place) -> Place {
        let Some(t) = self.tagged(&place, false) else { return place };
        let p = self.address(place, false);
        self.emit(Insn::Tag { p, t });
        place.at(p)
    }

    /// Before a store: its place, and what [`FnLower::tag_stored`] is to say after it.
    pub fn tag_store(&mut self, place: Place) -> (Place, Option<(Reg, u32)>) {
        let Some(t) = self.tagged(&place, true) else { return (place, None) };
        let p = self.address(place, false);
        (place.at(p), Some((p, t)))
    }

    /// After a store.
    pub fn tag_stored(&mut self, tag: Option<(Reg, u32)>) {
        if let Some((p, t)) = tag {
            self.emit(Insn::Tag { p, t });
        }
    }
}
