//! The transfer function on objects: what an lvalue may be, what objects hold, and stores to them (thesis sections
//! 4.4 to 4.6).

use super::effects::{Effect, conflict};
use super::sets::{SetId, Sets};
use super::transfer::{Invalid, Outcome, State, Transfer, Value, World};
use super::unions;
use crate::flow::{Kids, Node, Place, PlaceId, Val, ValId};
use crate::model::{Loc, NO_FACT};

impl Transfer {
    pub(super) fn note(&mut self, world: World, loc: Loc, write: bool) {
        let info = world.model.loc(loc);
        let (mut lo, mut size) = (loc.0, info.size);
        let mut union = info.union;
        while let Some((outer, _)) = union {
            lo = outer.0;
            size = world.model.loc(outer).size;
            union = world.model.loc(outer).union;
        }
        self.log.push(Effect { lo, hi: lo + size, write, called: false });
        if info.volatile {
            self.log.push(Effect { lo: Loc::VOLATILE.0, hi: 1, write: true, called: false });
        }
    }

    /// The objects that an lvalue may be, the pointers on the way validated.
    pub(super) fn targets(
        &mut self,
        world: World,
        place: PlaceId,
        state: &State,
        log: bool,
    ) -> Result<SetId, Invalid> {
        match world.flow.place_at(place) {
            Place::At(loc) => Ok(self.sets.one(loc)),
            Place::Deref(val, offset) => {
                let Value::Pointer(set) = self.value(world, val, state, log)? else {
                    return Err(Invalid::Dereference);
                };
                if !self.sets.valid(set) {
                    return Err(Invalid::Dereference);
                }
                if offset == 0 {
                    return Ok(set);
                }
                let moved = self.sets.members(set).iter().map(|l| Loc(l.0 + offset)).collect();
                Ok(self.sets.intern(moved))
            }
        }
    }

    pub(super) fn value(
        &mut self,
        world: World,
        val: ValId,
        state: &State,
        log: bool,
    ) -> Result<Value, Invalid> {
        Ok(match world.flow.val_at(val) {
            Val::Number => Value::Number,
            Val::Null => Value::Pointer(Sets::NULL),
            Val::Address(place) => Value::Pointer(self.targets(world, place, state, log)?),
            Val::Load(place) => match world.flow.place_at(place) {
                Place::At(loc) => self.held(world, loc, state, log)?,
                Place::Deref(..) => {
                    let set = self.targets(world, place, state, log)?;
                    self.loaded(world, set, state, log)?
                }
            },
            Val::Either(a, b) => {
                let a = self.value(world, a, state, log)?;
                let b = self.value(world, b, state, log)?;
                self.join_values(world, a, b)
            }
            Val::Result(node) => self.results.get(&node).cloned().unwrap_or(Value::Number),
        })
    }

    /// The value that objects hold, their union members and pointers validated.
    pub(super) fn loaded(
        &mut self,
        world: World,
        set: SetId,
        state: &State,
        log: bool,
    ) -> Result<Value, Invalid> {
        let mut value = Value::Number;
        for n in 0..self.sets.members(set).len() {
            let loc = self.sets.members(set)[n];
            let one = self.held(world, loc, state, log)?;
            value = self.join_values(world, value, one);
        }
        Ok(value)
    }

    /// Reads an object without regard to its value.
    pub(super) fn load(&mut self, world: World, place: PlaceId, state: &State) -> Outcome {
        if let Place::At(loc) = world.flow.place_at(place) {
            return self.read(world, loc, state);
        }
        let set = self.targets(world, place, state, true)?;
        (0..self.sets.members(set).len()).try_for_each(|n| {
            let loc = self.sets.members(set)[n];
            self.read(world, loc, state)
        })
    }

    fn read(&mut self, world: World, loc: Loc, state: &State) -> Outcome {
        let info = *world.model.loc(loc);
        self.members_readable(world, info.union, state)?;
        self.note(world, loc, false);
        if info.pointer {
            let set = self.get(world, state, info.fact);
            return if self.sets.garbage(set) { Err(Invalid::Indeterminate) } else { Ok(()) };
        }
        let (first, count) = info.slots;
        if count > 0 {
            let frame = self.frame();
            (first..first + count).for_each(|slot| frame.touch(slot));
        }
        Ok(())
    }

    /// Are the members of unions that an object is in the ones last stored to?
    fn members_readable(&mut self, world: World, mut union: Option<(Loc, u32)>, state: &State) -> Outcome {
        while let Some((outer, member)) = union {
            let outer = world.model.loc(outer);
            if !unions::readable(self.get(world, state, outer.fact), member) {
                return Err(Invalid::InactiveMember);
            }
            union = outer.union;
        }
        Ok(())
    }

    /// The value that one object holds, its union members and pointers validated.
    fn held(&mut self, world: World, loc: Loc, state: &State, log: bool) -> Result<Value, Invalid> {
        let info = *world.model.loc(loc);
        self.members_readable(world, info.union, state)?;
        if log {
            self.note(world, loc, false);
        }
        if info.pointer {
            let set = self.get(world, state, info.fact);
            return if self.sets.garbage(set) {
                Err(Invalid::Indeterminate)
            } else {
                Ok(Value::Pointer(set))
            };
        }
        let (first, count) = info.slots;
        if count == 0 {
            return Ok(Value::Number);
        }
        Ok(Value::Record(first, (first..first + count).map(|s| self.get(world, state, s)).collect()))
    }

    #[inline(never)]
    pub(super) fn store(
        &mut self,
        world: World,
        kids: Kids,
        place: PlaceId,
        val: ValId,
        state: &mut State,
    ) -> Outcome {
        let mark = self.log.len();
        self.unsequenced(world, kids, state)?;
        let operands = self.log.len();
        let (named, set) = match world.flow.place_at(place) {
            Place::At(loc) => (Some(loc), Sets::EMPTY),
            Place::Deref(..) => (None, self.targets(world, place, state, true)?),
        };
        if conflict(&self.log[mark..operands], &self.log[operands..]) {
            return Err(Invalid::Unsequenced);
        }
        let value = self.value(world, val, state, false)?;
        let count = if named.is_some() { 1 } else { self.sets.members(set).len() };
        let certain = count == 1;
        let before = self.log.len();
        for n in 0..count {
            let loc = named.unwrap_or_else(|| self.sets.members(set)[n]);
            let info = *world.model.loc(loc);
            if self.is_locked(info.var) {
                return Err(Invalid::Locked);
            }
            if info.union.is_some() && self.overlaps(world, kids, loc, state) {
                return Err(Invalid::Overlap);
            }
            self.note(world, loc, true);
            let certain = certain && !info.many;
            self.activate(world, loc, certain, state)?;
            match &value {
                Value::Number => {}
                Value::Pointer(new) if info.fact != NO_FACT => {
                    let old = self.get(world, state, info.fact);
                    let new = if certain { *new } else { self.sets.join(old, *new) };
                    self.put(world, state, info.fact, new);
                }
                Value::Pointer(_) => {}
                Value::Record(_, slots) => self.store_record(world, info.slots, slots, certain, state),
            }
        }
        let written = &self.log[before..];
        let strict = self.strict_volatile;
        let clash = |e: &Effect| {
            e.write && !e.called && written.iter().any(|w| (strict || w.lo > 0) && w.conflicts(*e))
        };
        if self.log[mark..before].iter().any(clash) {
            return Err(Invalid::Unsequenced);
        }
        Ok(())
    }

    /// Is the value that is stored, the last operand, read from another member of a union that `target` is a part of
    /// (C11 6.5.16.1p3)?
    fn overlaps(&mut self, world: World, kids: Kids, target: Loc, state: &State) -> bool {
        let Some(last) = world.flow.count(kids).checked_sub(1) else { return false };
        let Node::Load(place) = world.flow.at(world.flow.kid(kids, last)) else { return false };
        let Ok(sources) = self.targets(world, place, state, false) else { return false };
        let mut outer = Vec::new();
        let mut inner = world.model.loc(target).union;
        while let Some((union, member)) = inner {
            outer.push((union, member));
            inner = world.model.loc(union).union;
        }
        self.sets.members(sources).iter().filter(|source| **source != target).any(|source| {
            let mut inner = world.model.loc(*source).union;
            while let Some((union, member)) = inner {
                if outer.iter().any(|o| o.0 == union && o.1 != member) {
                    return true;
                }
                inner = world.model.loc(union).union;
            }
            false
        })
    }

    pub(super) fn store_record(
        &mut self,
        world: World,
        slots: (u32, u32),
        new: &[u32],
        certain: bool,
        state: &mut State,
    ) {
        for (slot, &new) in (slots.0..slots.0 + slots.1).zip(new) {
            let old = self.get(world, state, slot);
            let joined = if certain { new } else { self.join_slot(world, slot, old, new) };
            self.put(world, state, slot, joined);
        }
    }

    /// Makes the union member that is stored to the active one.
    pub(super) fn activate(&mut self, world: World, loc: Loc, certain: bool, state: &mut State) -> Outcome {
        let mut inner = *world.model.loc(loc);
        let mut whole = inner.whole_member;
        while let Some((outer, member)) = inner.union {
            let info = *world.model.loc(outer);
            let old = self.get(world, state, info.fact);
            let new = unions::stored(old, member, whole, certain).ok_or(Invalid::InactiveMember)?;
            self.put(world, state, info.fact, new);
            whole = false;
            inner = info;
        }
        Ok(())
    }
}
