//! Accesses of memory and of the frame, and whether they may fail.

use super::frame::Where;
use super::function::Place;
use super::kinds::Holder;
use super::state::{Code, Machine};
use crate::bits::join;
use crate::domain::{Domain, Ext, Res};
use crate::memory::access::{AccessCheck, Asked, FIRST_PAGE};

/// Where a memory operand lies.
pub(crate) enum Location<D: Domain> {
    /// In stack slots, at this offset.
    Frame(i64),
    /// In memory; whether the access is known to be allowed.
    At(D::Bv, bool),
    /// A constant.
    Holds(Vec<u8>),
    /// A word that the linker fills.
    Word(D::Bv),
}

/// The name that a place goes by among the domain's symbols.
pub(crate) fn address<D: Domain>(d: &mut D, place: &Place) -> D::Bv {
    if place.never_null && place.size.is_none() {
        d.declare_place(&place.name, 64, false);
    }
    let base = Ext::address(d, &place.name, place.size);
    d.add_num(&base, i128::from(place.offset))
}

impl Code<'_> {
    /// An access by a pointer that is not made from the address of an object of the frame, before that went out, fails
    /// where it touches the object; of so many bytes, by an address made from these registers.
    pub(crate) fn keep_apart<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, &D::Bv),
        (bytes, used): (u64, u64),
    ) {
        let Some(escapes) = self.apart else { return };
        if super::abi::members(used).any(|n| self.facts.frame(i, n).is_some()) {
            return;
        }
        for (n, object) in self.frame.objects.list.iter().enumerate().filter(|(_, o)| o.own) {
            if escapes.hidden(i, n, used) {
                // It begins less than its length before the object, or inside.
                let first = self.frame.address(d, n, 1 - bytes as i64);
                let from = d.sub(at, &first);
                let room = d.num(64, u128::from(object.size + bytes - 1));
                let touches = d.ult(&from, &room);
                m.fault_if(d, &touches);
            }
        }
    }

    /// An access by a pointer to a type fails where it touches what was accessed by a pointer to another one.
    pub(crate) fn keep_kinds<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, &D::Bv),
        bytes: u64,
    ) {
        let Some(others) = self.kinds.and_then(|kinds| kinds.get(&i)) else { return };
        for other in others {
            // What nothing reads any more may be gone.
            let held = other.by.iter().find_map(|way| {
                let held = match way.from {
                    Holder::Register(n) => m.registers[n].clone(),
                    Holder::Slot(n) => m.slots.get(n).cloned().filter(|value| d.width(value) == 64),
                    Holder::Accessed(by) => {
                        m.accessed.iter().rev().find(|(insn, _)| *insn == by).map(|(_, at)| at.clone())
                    }
                };
                Some((held?, way))
            });
            let Some((mut held, way)) = held else { continue };
            for by in &way.through {
                let there = d.add_num(&held, i128::from(*by));
                held = d.load(&m.mem, &there, 8);
            }
            // It begins less than its length before those bytes, or inside.
            let first = d.add_num(&held, i128::from(way.last) + 1 - i128::from(bytes));
            let from = d.sub(at, &first);
            let room = d.num(64, u128::from(other.bytes + bytes - 1));
            let mut touches = d.ult(&from, &room);
            if other.or_same {
                let middle = d.num(64, u128::from(bytes - 1));
                let same = d.eq(&from, &middle);
                let apart = d.not(&same);
                touches = d.and(&touches, &apart);
            }
            m.fault_if(d, &touches);
        }
        m.accessed.push((i, at.clone()));
    }

    /// An access by a pointer that is not made from the address of memory that a call gave fails where it touches that: what was
    /// there before the call is something else.
    pub(crate) fn keep_from_fresh<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, &D::Bv),
        (bytes, used): (u64, u64),
    ) {
        m.in_place = self.in_place(d, m, (i, at), (bytes, used));
        let Some(escapes) = self.apart else { return };
        for (n, (address, size)) in m.fresh.clone().iter().enumerate() {
            if !escapes.older(i, n, used) || d.as_const(address).is_some_and(|a| a.is_zero()) {
                continue;
            }
            // It begins less than its length before that memory, or inside.
            let first = d.add_num(address, 1 - i128::from(bytes));
            let from = d.sub(at, &first);
            let room = d.add_num(size, i128::from(bytes) - 1);
            let zero = d.num(64, 0);
            let none = d.eq(address, &zero);
            let empty = d.eq(size, &zero);
            let nothing = d.or(&none, &empty);
            let something = d.not(&nothing);
            let near = d.ult(&from, &room);
            let touches = d.and(&something, &near);
            m.fault_if(d, &touches);
        }
    }

    /// Whether an access by an address that may be made from that of the place for the result lies in it: none where it is none, or
    /// the place is not followed.
    fn in_place<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, at): (usize, &D::Bv),
        (bytes, used): (u64, u64),
    ) -> Option<D::Bool> {
        let (escapes, size) = self.place?;
        let room = size.checked_sub(bytes).filter(|_| escapes.in_place(i, used))?;
        let from = d.sub(at, m.place.as_ref()?);
        let end = d.num(64, u128::from(room) + 1);
        Some(d.ult(&from, &end))
    }

    /// A store by a pointer fails where it touches read-only memory.
    fn keep_constants<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, at: &D::Bv, bytes: u64) {
        if self.apart.is_none() {
            return;
        }
        for (name, size) in &self.f.read_only {
            // It begins less than its length before the object, or inside.
            let base = Ext::address(d, name, None);
            let first = d.add_num(&base, 1 - i128::from(bytes));
            let from = d.sub(at, &first);
            let room = d.num(64, u128::from(size + bytes - 1));
            let touches = d.ult(&from, &room);
            m.fault_if(d, &touches);
        }
    }

    /// An access fails in the first page: said of the program that the other one is held to, this tells that what was accessed
    /// is not at null, whatever the map of permissions holds there.
    fn keep_from_first_page<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, at: &D::Bv) {
        if self.apart.is_some() {
            let page = d.extract(63, FIRST_PAGE.trailing_zeros(), at);
            let first = d.is_zero(&page);
            m.fault_if(d, &first);
        }
    }

    /// Notes that an access of memory may fail: where the word that its first byte or its last one lies in may not be
    /// accessed. The processor decides by the page, so that bytes of a word, which no page parts, have one answer, however
    /// they are accessed; and no access is as long as a page.
    pub(crate) fn check<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        at: &D::Bv,
        bytes: u64,
        write: bool,
    ) {
        self.keep_from_first_page(d, m, at);
        if self.access == AccessCheck::Off {
            return;
        }
        let Some(perm) = m.perm.clone() else { return };
        // What the caller has for the result is there for that, all along.
        let here = m.in_place.take();
        if here.as_ref().is_some_and(|here| d.as_bool(here) == Some(true)) {
            return;
        }
        if !write && super::constants::inside(d, self.f, at, bytes) {
            return;
        }
        // Pages are whole: the words between two that may be accessed may be, too. The program that the other one is held to
        // is said to fail where any may not be, so that the other may access each of them alone.
        let step = if self.apart.is_some() { 8 } else { bytes.max(1) as usize };
        let mut ends: Vec<u64> = (0..bytes.max(1)).step_by(step).collect();
        ends.extend((bytes > 1).then(|| bytes - 1));
        for end in ends {
            let byte = d.add_num(at, i128::from(end));
            let number = d.extract(63, 3, &byte);
            let low = d.num(3, 0);
            let word = d.concat(&number, &low);
            let fine = self.access.permits(d, &perm, &word, (1, write), Asked::Ends);
            let fine = here.as_ref().map_or(fine.clone(), |here| d.or(&fine, here));
            let fails = d.not(&fine);
            m.fault_if(d, &fails);
        }
    }

    /// Loads from an address.
    pub(crate) fn load_at<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        at: &D::Bv,
        bytes: u64,
        known: bool,
    ) -> D::Bv {
        if let Some(value) = super::constants::read(d, self.f, at, bytes) {
            return value;
        }
        if !known {
            self.check(d, m, at, bytes, false);
        }
        d.load(&m.mem, at, bytes as u32)
    }

    /// Stores to an address.
    pub(crate) fn store_at<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        at: &D::Bv,
        value: &D::Bv,
        known: bool,
    ) {
        if !known {
            let bytes = u64::from(d.width(value) / 8);
            self.keep_constants(d, m, at, bytes);
            self.check(d, m, at, bytes, true);
        }
        m.mem = d.store(&m.mem, at, value);
    }

    /// Loads from the frame.
    pub(crate) fn load_frame<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, i64),
        bytes: u64,
    ) -> Res<D::Bv> {
        match self.frame.place(at, bytes) {
            Where::Slots(object, lo) => Ok(self.frame.slots.load(d, &m.slots, object, lo, bytes)),
            Where::Object(n, delta) => {
                let address = self.frame.address(d, n, delta);
                self.keep_from_fresh(d, m, (i, &address), (bytes, 0));
                Ok(self.load_at(d, m, &address, bytes, true))
            }
            Where::Nowhere(why) => Err(self.f.unsupported(i, why)),
        }
    }

    /// Stores to the frame.
    pub(crate) fn store_frame<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, at): (usize, i64),
        value: &D::Bv,
    ) -> Res<()> {
        let bytes = u64::from(d.width(value) / 8);
        match self.frame.place(at, bytes) {
            Where::Slots(object, lo) => self.frame.slots.store(d, &mut m.slots, object, lo, value),
            Where::Object(n, delta) => {
                let address = self.frame.address(d, n, delta);
                self.keep_from_fresh(d, m, (i, &address), (bytes, 0));
                self.store_at(d, m, &address, value, true);
            }
            Where::Nowhere(why) => return Err(self.f.unsupported(i, why)),
        }
        Ok(())
    }

    /// Loads from where a memory operand lies.
    pub(crate) fn load_location<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, location): (usize, Location<D>),
        bits: u32,
    ) -> Res<D::Bv> {
        let bytes = u64::from(bits / 8);
        match location {
            Location::Frame(at) => self.load_frame(d, m, (i, at), bytes),
            Location::At(at, known) => Ok(self.load_at(d, m, &at, bytes, known)),
            Location::Word(value) if bits == 64 => Ok(value),
            Location::Word(_) => Err(self.f.unsupported(i, "a part of a word of the global offset table")),
            Location::Holds(holds) => {
                let bytes: Vec<D::Bv> = holds.iter().map(|byte| d.num(8, u128::from(*byte))).collect();
                let whole = join(d, &bytes);
                Ok(d.zfit(&whole, bits))
            }
        }
    }

    /// Stores to where a memory operand lies.
    pub(crate) fn store_location<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, location): (usize, Location<D>),
        value: &D::Bv,
    ) -> Res<()> {
        match location {
            Location::Frame(at) => self.store_frame(d, m, (i, at), value),
            Location::At(at, known) => {
                self.store_at(d, m, &at, value, known);
                Ok(())
            }
            Location::Word(_) | Location::Holds(_) => {
                Err(self.f.unsupported(i, "a store to constant memory"))
            }
        }
    }
}
