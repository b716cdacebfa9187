//! What programs choose, as unknowns.

use crate::{Domain, Sort, Symbolic, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The choices made in a run that follows them.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    /// Of the source: one for each choice made.
    pub of_source: Vec<TermId>,
    /// Of the target, by name.
    pub of_target: BTreeMap<String, TermId>,
}

/// What a store of the source left open. Where it may write anything it writes what the target has there in the end, which
/// is as good a choice as any: so a proof may take the symbol to be that, once for each way of the target.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// What was written.
    pub symbol: TermId,
    /// Where.
    pub at: TermId,
    /// How many bytes.
    pub bytes: u32,
}

impl Symbolic {
    /// What a store writes that may be anything where `open` holds.
    pub(crate) fn leave_stored(&mut self, at: TermId, bits: TermId, open: TermId) -> TermId {
        let width = self.pool.width(bits);
        if self.pool.as_bool(open) == Some(false) || !width.is_multiple_of(8) {
            return bits;
        }
        let symbol = self.unknown("stored", Sort::Bv(width));
        self.stored.push(Stored { symbol, at, bytes: width / 8 });
        self.pool.ite(open, symbol, bits)
    }

    /// What was chosen, against a target that ends with other memories, for all stores but the first ones: that the
    /// symbols in a memory are what the target has there. `memories` are of the source and of the target.
    pub fn chosen_for(&mut self, first: usize, memories: &[(TermId, TermId)]) -> Vec<TermId> {
        let mut out = Vec::new();
        let mut done: FxHashSet<TermId> = FxHashSet::default();
        for (of_source, of_target) in memories {
            let inside: FxHashSet<TermId> = self.pool.postorder(&[*of_source]).into_iter().collect();
            for n in first..self.stored.len() {
                let Stored { symbol, at, bytes } = self.stored[n];
                if inside.contains(&symbol) && done.insert(symbol) {
                    let there = self.load(of_target, &at, bytes);
                    out.push(self.pool.eq(symbol, there));
                }
            }
        }
        out
    }
}
