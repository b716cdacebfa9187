//! The upper bits of a number extended with zeros that was promised not to be negative.
//!
//! `zext nneg` is poison where the number's sign is set; poison may have any bits, so also those of a sign extension.
//! Where the sign is clear both extensions are the same. So the source may be taken to extend by sign throughout, as
//! poison where the sign is set, and selection, which takes one for the other as it likes, is met.
//!
//! Which it took is guessed by counting, block by block and width by width: where the target extends by sign more often
//! than the source asks for, and never by zeros.

use super::{Choice, Source, Target, ValueId};
use rustc_hash::FxHashSet;

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "nonnegative",
    open: "the upper bits of a negative number extended by `zext nneg`",
    taken: "copies of its sign",
    pair: "equivalent/stored_with_its_sign.mir",
};

/// The extensions that selection made sign extensions of.
pub fn choose(source: &impl Source, target: &impl Target) -> FxHashSet<ValueId> {
    let found = target.extensions();
    let mut out = FxHashSet::default();
    for block in source.extensions() {
        let Some(there) = found.get(block.block.as_str()) else { continue };
        let more = |w: &u32| there.sign.get(w).copied() > block.sign.get(w).copied().or(Some(0));
        let taken = block.nonnegative.iter().filter(|(w, _)| more(w) && !there.zero.contains_key(w));
        out.extend(taken.map(|(_, value)| *value));
    }
    out
}
