//! Run-time side of record types: what bytes were stored as, and whether an access may see them so ([`crate::kin`]).
//!
//! Allocated memory and members of unions take the record of the last store; a declared object keeps its own. Stores
//! through anything but members of records that matter take the record away, so that every access may follow.

use super::Vm;
use crate::bytecode::{Program, TagDesc};
use crate::class::RETYPE;
use crate::kin::{Kin, record_in};
use crate::mem::{ANYWHERE, Ptr, Tag};
use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;
use csyntax::types::RecordId;
use rustc_hash::FxHashMap;

/// Whether an access through the second record may see bytes of the first, by how much further it begins.
pub type Related = FxHashMap<(RecordId, RecordId, Option<i64>), bool>;

/// The record of a tag.
fn record_of(program: &Program, tag: Tag) -> Option<RecordId> {
    program.meeting.get(usize::from(tag.record).checked_sub(1)?).copied()
}

/// How much further the record of an access begins than that of what is there.
fn distance(there: Tag, access: Tag) -> Option<i64> {
    let known = there.offset != ANYWHERE && access.offset != ANYWHERE;
    known.then(|| i64::from(there.offset) - i64::from(access.offset))
}

impl Vm<'_> {
    /// An access that matters to the record types of bytes.
    #[inline(never)]
    pub(super) fn tag(&mut self, p: Ptr, t: u32) -> Res<()> {
        let program = self.program;
        let desc = &program.tagged[t as usize];
        let n = desc.size as usize;
        // What is wrong with the pointer the access itself says.
        let Ok(index) = self.mem.access(p, n as u64, 1) else { return Ok(()) };
        let tag = Tag { record: desc.record, offset: desc.offset.unwrap_or(ANYWHERE) };
        let Some(record) = record_of(program, tag) else {
            self.mem.untag(index, n);
            return Ok(());
        };
        let free = |vm: &Self, k: usize| vm.mem.shadow(index + k, 1)[0] & RETYPE != 0;
        let declared = self.mem.shadow(index, n).iter().position(|s| s & RETYPE == 0);
        if let Some(k) = declared {
            self.declared(p, desc, record, tag.further(k), k as u64)?;
        }
        if desc.write {
            if let Some(tags) = &mut self.mem.tags {
                tags.set(index, n, tag);
            }
            return Ok(());
        }
        let tags = self.mem.tags.as_ref();
        if declared.is_none() && tags.is_none_or(|tags| tags.fit(index, n, tag)) {
            return Ok(());
        }
        let mut last = Tag::default();
        for k in 0..n {
            let there = self.mem.tags.as_ref().map_or(Tag::default(), |tags| tags.get(index + k));
            let mine = tag.further(k);
            if there == mine || there == last.further(1) || !free(self, k) {
                last = if free(self, k) { there } else { Tag::default() };
                continue;
            }
            last = there;
            if let Some(stored) = record_of(program, there)
                && !self.related(stored, record, distance(there, mine))
            {
                return self.mismatch(stored, record, desc, "were stored");
            }
        }
        Ok(())
    }

    /// An access to a declared object, `by` bytes from where it begins.
    fn declared(&mut self, p: Ptr, desc: &TagDesc, record: RecordId, mine: Tag, by: u64) -> Res<()> {
        let unit = self.unit;
        let Some(rec) = self.mem.object(p.prov) else { return Ok(()) };
        let Some(object) = rec.tag.checked_sub(1).and_then(|id| unit.objects.get(id as usize)) else {
            return Ok(());
        };
        let Some(own) = record_in(&unit.types, object.ty.ty) else { return Ok(()) };
        let size = unit.types.records[own.0 as usize].size;
        let at = p.addr.wrapping_sub(rec.base).wrapping_add(by);
        // The elements of an array; behind a single object lies what its flexible member has.
        let single = matches!(unit.types.kind(object.ty.ty), csyntax::types::TyKind::Record(_));
        let at = if single || size == 0 { at } else { at % size };
        let by = (mine.offset != ANYWHERE).then(|| at as i64 - i64::from(mine.offset));
        if self.related(own, record, by) {
            return Ok(());
        }
        self.mismatch(own, record, desc, "belong to an object declared")
    }

    fn related(&mut self, there: RecordId, access: RecordId, by: Option<i64>) -> bool {
        let kin = Kin::new(self.unit);
        *self.kin.entry((there, access, by)).or_insert_with(|| kin.related(there, access, by))
    }

    fn mismatch(&self, there: RecordId, access: RecordId, desc: &TagDesc, how: &str) -> Res<()> {
        let kin = Kin::new(self.unit);
        let (there, access) = (kin.name(there), kin.name(access));
        let done = if desc.write { "written" } else { "read" };
        let text = format!("bytes that {how} as part of {there} are {done} through a pointer to {access}");
        if desc.character {
            // Characters may be accessed as such anywhere (6.5p7), but compilers go by the record here too.
            return unsupported(format!("{text}, in a member of a character type"));
        }
        undefined(Ub::EffectiveType, text)
    }
}
