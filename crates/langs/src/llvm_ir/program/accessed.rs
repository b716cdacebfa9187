//! Accesses on the way to a point, as far as type-based alias metadata or a `noalias` parameter tells them apart from accesses
//! ahead of it: where both are made on one way through the function and share a byte, the source is undefined. A point has
//! a variable for each such access, which holds the address where it was made; events forget all, as what is called may
//! free memory and get it again.
//!
//! What the variable holds where a proof begins is anything: the proof then covers runs in which the access was made nowhere.

use super::Program;
use crate::domain::{Domain, Ext};
use crate::liveness::{Flow, liveness};
use crate::llvm_ir::semantics::{AccessId, Accessed, State};
use std::collections::BTreeSet;

/// Bits of the variable: the address, above a bit that says whether the access was made. So it has the width of no value,
/// and none is taken for it.
pub(super) const BITS: u32 = 65;

/// Most variables of a point.
const MOST: usize = 12;

/// Most accesses of a function of which some are followed.
const ACCESSES: usize = 400;

impl Program<'_> {
    /// The accesses that the points at the start of blocks have variables for: those that one ahead is told apart from, with no
    /// event between them.
    pub(super) fn accesses_before(&mut self, flow: &Flow) -> Vec<Vec<AccessId>> {
        let f = self.ir.f;
        let mut out = vec![Vec::new(); f.blocks.len()];
        if !self.ir.follows_alias_metadata() {
            return out;
        }
        let events: Vec<bool> =
            (0..f.insts.len()).map(|i| self.may_be_event(i as u32, &f.insts[i])).collect();
        let described = |i: usize| {
            let parts = self.ir.described_accesses(&f.insts[i]);
            parts.map(move |part| AccessId { inst: i as u32, part })
        };
        let accesses: Vec<AccessId> = (0..f.insts.len()).flat_map(described).collect();
        if accesses.len() > ACCESSES {
            return out;
        }
        // An access is wanted as a variable is live: used by those it is told apart from, and anew behind each event.
        let all = 0..accesses.len();
        let apart = |i: usize, n: &usize| {
            let AccessId { inst, part } = accesses[*n];
            self.ir.are_told_apart((&f.insts[inst as usize], part), &f.insts[i])
        };
        let wanted = liveness(&Flow {
            variables: accesses.len(),
            blocks: flow
                .blocks
                .iter()
                .map(|(range, next, _)| (range.clone(), next.clone(), Vec::new()))
                .collect(),
            uses: (0..f.insts.len()).map(|i| all.clone().filter(|n| apart(i, n)).collect()).collect(),
            defs: events
                .iter()
                .map(|event| if *event { all.clone().collect() } else { Vec::new() })
                .collect(),
        });
        let quiet = |mut range: std::ops::Range<usize>| !range.any(|i| events[i]);
        for (n, access) in accesses.iter().enumerate() {
            let at = access.inst as usize;
            let Some((home, next, _)) = flow.blocks.iter().find(|b| b.0.contains(&at)) else { continue };
            let mut open = if quiet(at + 1..home.end) { next.clone() } else { Vec::new() };
            let mut reached = BTreeSet::new();
            while let Some(b) = open.pop() {
                let (range, next, _) = &flow.blocks[b];
                if wanted.at_start[b].binary_search(&n).is_ok() && reached.insert(b) && quiet(range.clone()) {
                    open.extend(next);
                }
            }
            reached.into_iter().for_each(|b| out[b].push(*access));
        }
        // The nearest ones count most.
        for accesses in &mut out {
            let more = accesses.len().saturating_sub(MOST);
            accesses.drain(..more);
        }
        out
    }

    /// What the variable of an access holds in a state.
    pub(super) fn save_accessed<D: Domain>(&self, d: &mut D, st: &State<D>, access: AccessId) -> D::Bv {
        match st.accesses.iter().rev().find(|a| a.id == access) {
            Some(a) if d.width(&a.at) + 1 == BITS => {
                let made = d.bool_to_bv(&a.made);
                d.concat(&a.at, &made)
            }
            _ => d.num(BITS, 0),
        }
    }

    /// Puts what such a variable holds into a state.
    pub(super) fn restore_accessed<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        access: AccessId,
        held: &D::Bv,
    ) {
        let at = d.extract(BITS - 1, 1, held);
        let made = d.extract(0, 0, held);
        let made = d.is_set(&made);
        if d.as_bool(&made) != Some(false)
            && let Some(access) = Accessed::behind(&self.ir, access, at, made)
        {
            st.accesses.push(access);
        }
    }
}
