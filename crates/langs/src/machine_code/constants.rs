//! What read-only objects hold: from the entry on, and behind whatever callees do to memory.
//!
//! Such an object holds the same as long as the program runs: a store to it stops the program. So memory may be taken to hold
//! it wherever nothing else is known of memory, in both programs alike.

use super::access::address;
use super::function::{Constant, Function, Held};
use crate::domain::{Domain, Ext};
use smt::Bv;

/// Memory in which the read-only objects of a function hold what they do.
pub(crate) fn held<D: Domain>(d: &mut D, f: &Function, mem: &D::Mem) -> D::Mem {
    let mut mem = mem.clone();
    for Constant { name, holds } in &f.constants {
        let base = Ext::address(d, name, None);
        for (at, what) in holds {
            let value = match what {
                Held::Bytes(bytes) => {
                    let low = bytes.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
                    d.constant(Bv::new(bytes.len() as u32 * 8, low))
                }
                Held::Address(place) => address(d, place),
            };
            let at = d.add_num(&base, i128::from(*at));
            mem = d.store(&mem, &at, &value);
        }
    }
    mem
}

/// Whether an access by an address lies in a read-only object, as the terms show.
pub(crate) fn inside<D: Domain>(d: &mut D, f: &Function, at: &D::Bv, bytes: u64) -> bool {
    f.constants.iter().any(|Constant { name, holds }| {
        let end = holds.last().map_or(0, |(at, held)| at + held.bytes());
        let base = Ext::address(d, name, None);
        let from = d.sub(at, &base);
        d.as_const(&from).and_then(|from| from.to_u64()).is_some_and(|from| from < end && end - from >= bytes)
    })
}
