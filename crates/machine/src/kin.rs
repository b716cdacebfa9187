//! Which records may share bytes: an access to a member through a pointer to a record is one to an object of that
//! record (C11 6.5.2.3p4, 6.5p7; DR 236), so that bytes stored as a member of one record must not be read as a member
//! of another unless one of the two contains the other there.
//!
//! That is what compilers rely on: GCC compares the alias sets of the types at the bottom of both access paths, LLVM
//! the base types of struct-path TBAA tags. A union contains all its members, so that what is accessed through the
//! union meets what is accessed through any of them.

use crate::class::{class_of, scalar_of};
use csyntax::types::{ArrayLen, Field, Record, RecordId, Ty, TyKind, Types};

/// Deepest comparison of members.
const DEEPEST: u32 = 16;

/// The record that a type is made of, arrays of it included.
pub fn record_in(types: &Types, mut ty: Ty) -> Option<RecordId> {
    loop {
        match types.kind(ty) {
            TyKind::Array(elem, _) => ty = elem.ty,
            TyKind::Record(id) => return Some(*id),
            TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::Enum(_)
            | TyKind::Pointer(_)
            | TyKind::Vector(..)
            | TyKind::Function(_)
            | TyKind::VaList => return None,
        }
    }
}

/// A unit's records with the names of their tags.
#[derive(Copy, Clone)]
pub struct Kin<'u> {
    types: &'u Types,
    names: &'u csyntax::intern::Interner,
}

impl<'u> Kin<'u> {
    /// Those of a unit.
    pub fn new(unit: &'u csyntax::tree::Unit) -> Kin<'u> {
        Kin { types: &unit.types, names: &unit.names }
    }

    fn record(&self, id: RecordId) -> &'u Record {
        &self.types.records[id.0 as usize]
    }

    /// What a record is called.
    pub fn name(&self, id: RecordId) -> String {
        let record = self.record(id);
        let what = if record.is_union { "union" } else { "struct" };
        format!("{what} {}", record.tag.map_or("without a tag", |tag| self.names.name(tag)))
    }

    /// The name of a tag without the number that it has where programs of several files were made one.
    fn stem(&self, record: &Record) -> &'u str {
        let name = record.tag.map_or("", |tag| self.names.name(tag)).trim_end_matches('_');
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        match stem.strip_suffix('_') {
            Some(stem) if name != stem => stem,
            Some(_) | None => name,
        }
    }

    /// Are both the same, or compatible as those of two translation units are (6.2.7p1)?
    pub fn same(&self, a: RecordId, b: RecordId) -> bool {
        self.same_to(a, b, DEEPEST)
    }

    fn same_to(&self, a: RecordId, b: RecordId, depth: u32) -> bool {
        if a == b || depth == 0 {
            return true;
        }
        let (x, y) = (self.record(a), self.record(b));
        let (Some(mine), Some(others)) = (&x.fields, &y.fields) else { return self.stem(x) == self.stem(y) };
        (x.is_union, x.size, mine.len()) == (y.is_union, y.size, others.len())
            && self.stem(x) == self.stem(y)
            && mine.iter().zip(others).all(|(m, o)| self.same_field(m, o, depth - 1))
    }

    fn same_field(&self, a: &Field, b: &Field, depth: u32) -> bool {
        let types = self.types;
        let size = |ty: Ty| types.layout(ty).map(|layout| layout.size);
        let alike = match (record_in(types, a.ty.ty), record_in(types, b.ty.ty)) {
            (Some(x), Some(y)) => self.same_to(x, y, depth),
            (None, None) => {
                scalar_of(types, a.ty.ty) == scalar_of(types, b.ty.ty)
                    && class_of(types, a.ty.ty) == class_of(types, b.ty.ty)
            }
            (Some(_), None) | (None, Some(_)) => false,
        };
        (a.name, a.offset, a.bits) == (b.name, b.offset, b.bits) && size(a.ty.ty) == size(b.ty.ty) && alike
    }

    /// May a byte belong to both, `part` beginning `at` bytes from where `whole` does (anywhere, if not given)?
    pub fn related(&self, whole: RecordId, part: RecordId, at: Option<i64>) -> bool {
        (self.same(whole, part) && at.is_none_or(|at| at == 0))
            || self.contains(whole, part, at)
            || self.contains(part, whole, at.map(|at| -at))
    }

    /// Does a record have another as a member, or an element or member of one, at this place?
    fn contains(&self, whole: RecordId, part: RecordId, at: Option<i64>) -> bool {
        let fields = self.record(whole).fields.as_deref().unwrap_or_default();
        fields.iter().enumerate().any(|(n, field)| {
            let Some(inner) = record_in(self.types, field.ty.ty) else { return false };
            let last = n + 1 == fields.len();
            let at = match at {
                None => None,
                Some(at) => match self.inside(field, inner, at, last) {
                    Some(at) => Some(at),
                    None => return false,
                },
            };
            (self.same(inner, part) && at.is_none_or(|at| at == 0)) || self.contains(inner, part, at)
        })
    }

    /// Where in `inner`, the type of a member or of its elements, a byte of the record around lies. Arrays that come
    /// last may have more elements than they declare.
    fn inside(&self, field: &Field, inner: RecordId, at: i64, last: bool) -> Option<i64> {
        let at = at.checked_sub(i64::try_from(field.offset).ok()?).filter(|at| *at >= 0)?;
        let element = i64::try_from(self.record(inner).size).ok()?;
        let open = last && matches!(self.types.kind(field.ty.ty), TyKind::Array(..));
        let size = match self.types.kind(field.ty.ty) {
            TyKind::Array(_, ArrayLen::Unknown) => i64::MAX,
            _ => i64::try_from(self.types.layout(field.ty.ty)?.size).ok()?,
        };
        // An empty record lies at its own beginning.
        if at < size || open || at == 0 { Some(if element == 0 { 0 } else { at % element }) } else { None }
    }
}
