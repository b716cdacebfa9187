//! Which accesses are permitted: both programs of a pair share one map of permissions, a byte for each byte of memory.

use crate::domain::{Domain, Ext};

/// Where addresses that may be used begin.
pub(crate) const FIRST_PAGE: u64 = 4096;

/// How memory accesses are permitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AccessCheck {
    /// All are: for runs that have no map of permissions.
    #[default]
    Off,
    /// By unknowns named after the address: cheap.
    Named,
    /// By a map of permissions: knows that equal addresses have equal permissions.
    Mapped,
    /// As [`AccessCheck::Mapped`], of the first page too: the program may have objects there.
    MappedFromZero,
}

/// Of which bytes of an access it is asked whether they may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Of the first and the last: none between them lies in a page of its own.
    Ends,
    /// Of those at word boundaries, and of the parts at the end; of short accesses, of every one.
    Words,
    /// Of every one: the other program may access any part of a block by itself.
    Every,
}

impl AccessCheck {
    /// The condition that memory may be accessed, as far as it is asked.
    ///
    /// Where an address is a number, or in the mapped form, a permission byte decides: zero allows nothing, one allows
    /// reading, any other both. Elsewhere the permission is an unknown of its own, named after permissions and address, so that the same access
    /// has the same one in both programs. That forgets that equal addresses written differently have equal permissions,
    /// which can only lose proofs, and spares solvers an array of which nothing else is ever asked.
    pub(crate) fn permits<D: Domain>(
        self,
        d: &mut D,
        perm: &D::Mem,
        at: &D::Bv,
        (bytes, write): (u64, bool),
        asked: Asked,
    ) -> D::Bool {
        let bit = u32::from(write);
        let may = |d: &mut D, i: u64| {
            let address = d.add_num(at, i128::from(i));
            // Null is no object's address, and offsets from it are none either: programs of this target's operating
            // systems have nothing in the first page.
            let mapped = matches!(self, AccessCheck::Mapped | AccessCheck::MappedFromZero);
            let first_page = |a: smt::Bv| a.to_u64().is_some_and(|a| a < FIRST_PAGE);
            if self != AccessCheck::MappedFromZero && d.as_const(&address).is_some_and(first_page) {
                return d.bool(false);
            }
            let grant = if mapped || d.as_const(&address).is_some() {
                let byte = d.load(perm, &address, 1);
                d.extract(7, bit, &byte)
            } else {
                let what = if write { "write" } else { "read" };
                d.symbol(&format!("may {what} {perm:?} {address:?}"), 1)
            };
            d.bv_to_bool(&grant)
        };
        if bytes == 0 {
            return d.bool(true);
        }
        let mut fine = may(d, 0);
        if asked != Asked::Ends {
            let number = d.as_const(at).is_some();
            for i in 1..bytes {
                // A copy in parts may end with one that overlaps the part before.
                let last_part = matches!(bytes - i, 1 | 2 | 4 | 8 | 16 | 32 | 64);
                if last_part || bytes <= 16 || asked == Asked::Every || number || matches!(i % 4, 0 | 3) {
                    let this = may(d, i);
                    fine = d.and(&fine, &this);
                }
            }
        } else if bytes > 1 {
            let mut last = may(d, bytes - 1);
            if bytes.is_power_of_two() {
                // An aligned access does not cross a page.
                let low = d.zfit(at, bytes.trailing_zeros());
                let aligned = d.is_zero(&low);
                last = d.or(&last, &aligned);
            }
            fine = d.and(&fine, &last);
        }
        fine
    }
}
