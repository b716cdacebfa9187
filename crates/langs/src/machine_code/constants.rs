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
    for constant in &f.constants {
        let Constant { name, holds, alone } = constant;
        let base = Ext::address(d, name, alone.then(|| constant.bytes()));
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
    f.constants.iter().any(|constant| {
        let end = constant.bytes();
        let base = Ext::address(d, &constant.name, None);
        let from = d.sub(at, &base);
        d.as_const(&from).and_then(|from| from.to_u64()).is_some_and(|from| from < end && end - from >= bytes)
    })
}

/// What is read at a known place of a long read-only object: memory itself holds short ones alone, since every load would
/// have to see past the bytes of a long one. Runs on numbers know all places.
pub(crate) fn read<D: Domain>(d: &mut D, f: &Function, at: &D::Bv, bytes: u64) -> Option<D::Bv> {
    f.long_constants.iter().find_map(|Constant { name, holds, .. }| {
        let base = Ext::address(d, name, None);
        let from = d.sub(at, &base);
        let from = d.as_const(&from)?.to_u64()?;
        let end = from.checked_add(bytes)?;
        let first = holds.partition_point(|(start, held)| start + held.bytes() <= from);
        let (mut value, mut next) = (None, from);
        for (start, held) in &holds[first..] {
            if next == end {
                break;
            }
            let piece = match held {
                Held::Bytes(held) => {
                    let from = usize::try_from(next - start).ok()?;
                    let held = held.get(from..held.len().min((end - start) as usize))?;
                    next += held.len() as u64;
                    let low = held.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
                    d.constant(Bv::new(held.len() as u32 * 8, low))
                }
                Held::Address(place) if next == *start && end - next >= held.bytes() => {
                    next += held.bytes();
                    address(d, place)
                }
                Held::Address(_) => return None,
            };
            value = Some(match value {
                Some(low) => d.concat(&piece, &low),
                None => piece,
            });
        }
        value.filter(|_| next == end)
    })
}
