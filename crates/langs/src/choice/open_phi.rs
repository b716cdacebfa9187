//! Values that both programs leave open. Where a PHI of the source has undef or poison for a predecessor, selection gives
//! it a register that nothing defines. Such a register has a name for its value, of which nothing else is known; the bits
//! of undef and poison are the source's choice, and it chooses those. So values stay the same in both programs where they
//! are open, and relations between them are not lost.
//!
//! Any choice is the source's to make, also one that is made in view of the target. The target's may be another each time:
//! an obligation holds for all values of a name, and between two cuts no point is passed twice, or the verdict says so.

use super::{BlockNumber, Choice, Source, Target, ValueId};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "open-phi",
    open: "what a PHI has for a predecessor from which undef or poison comes",
    taken: "what the target's undefined register holds",
    pair: "open/values_of_phis.mir",
};

/// The names and widths in bits of the unknowns that a PHI picks its bits from, by predecessor.
pub type OpenValues = FxHashMap<(ValueId, BlockNumber), Vec<(String, u32)>>;

/// Names what the target's undefined registers hold that PHIs of both programs come to; also by the places of the
/// instructions that leave them undefined. `registers` says where values of the source are expected.
pub fn choose(
    source: &impl Source,
    target: &impl Target,
    registers: impl Iterator<Item = (ValueId, Range<u32>)>,
) -> (OpenValues, FxHashMap<u32, String>) {
    let (mut values, mut places) = (OpenValues::default(), FxHashMap::default());
    for (value, numbers) in registers {
        for edge in source.open_edges(value) {
            let found: Option<Vec<_>> =
                numbers.clone().map(|n| target.undefined_on_edge(n, &edge.from_name)).collect();
            let Some(found) = found else { continue };
            let mut parts = Vec::new();
            for (place, register, width) in found {
                let name = format!("undefined %{register}");
                places.insert(place, name.clone());
                parts.push((name, width));
            }
            values.insert((edge.value, edge.from), parts);
        }
    }
    (values, places)
}
