//! Addresses of places that the linker fills in and that come about in two steps: their page or upper part, and what an
//! addition or an access adds to it. Where facts know the page that a base holds, and both name one place, the sum is the
//! address of the place.

use super::access::{Location, address};
use super::facts::Known;
use super::function::{Place, Reference};
use super::state::Code;
use crate::domain::{Domain, Res};

/// Whether two places are the same one.
pub(super) fn same(a: &Reference, b: &Reference) -> bool {
    let equal = |a: &Place, b: &Place| a.name == b.name && a.offset == b.offset;
    match (a, b) {
        (Reference::Place(a), Reference::Place(b)) | (Reference::Indirect(a), Reference::Indirect(b)) => {
            equal(a, b)
        }
        (Reference::Table(a), Reference::Table(b)) => a == b,
        _ => false,
    }
}

impl Code<'_> {
    /// Whether a general register holds the page of what the linker fills in.
    pub(super) fn holds_page(&self, i: usize, register: usize, reference: &Reference) -> bool {
        if register >= self.f.abi.general {
            return false;
        }
        let Known::Page(maker) = self.facts.known(i, register) else { return false };
        self.f.insns[maker].immediate.as_ref().is_some_and(|page| same(page, reference))
    }

    /// The address that an addition to a register completes.
    pub(super) fn low_part<D: Domain>(&self, d: &mut D, i: usize, base: usize) -> Res<D::Bv> {
        match &self.f.insns[i].immediate {
            Some(reference @ Reference::Place(place)) if self.holds_page(i, base, reference) => {
                Ok(address(d, place))
            }
            _ => Err(self.f.unsupported(i, "a part of an address without its page")),
        }
    }

    /// Where an access of so many bytes lies that completes an address.
    pub(super) fn location_of<D: Domain>(
        &self,
        d: &mut D,
        i: usize,
        (base, reference): (usize, &Reference),
        bytes: u64,
    ) -> Res<Location<D>> {
        if !self.holds_page(i, base, reference) {
            return Err(self.f.unsupported(i, "a part of an address without its page"));
        }
        Ok(match reference {
            Reference::Indirect(place) => Location::Word(address(d, place)),
            Reference::Place(Place { holds: Some(holds), .. }) if holds.len() as u64 >= bytes => {
                Location::Holds(holds[..bytes as usize].to_vec())
            }
            Reference::Place(place) => {
                let size = place.size.unwrap_or(0);
                let inside = place.offset >= 0 && place.offset as u64 + bytes <= size;
                Location::At(address(d, place), inside)
            }
            _ => return Err(self.f.unsupported(i, "a reference that is not modelled")),
        })
    }
}
