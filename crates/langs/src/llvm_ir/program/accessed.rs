//! Accesses on the way to a point, as far as type-based alias metadata or a `noalias` parameter tells them apart from accesses
//! ahead of it: where both are made on one way through the function and share a byte, the source is undefined. A point has
//! a variable for each such access, which holds the address where it was made; events forget all, as what is called may
//! free memory and get it again.
//!
//! What the variable holds where a proof begins is anything: the proof then covers runs in which the access was made nowhere.

use super::Program;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::semantics::{Accessed, State};
use std::collections::BTreeSet;

/// Bits of the variable: the address, above a bit that says whether the access was made. So it has the width of no value,
/// and none is taken for it.
pub(super) const BITS: u32 = 65;

/// Most variables of a point.
const MOST: usize = 12;

/// Most accesses of a function of which some are followed.
const ACCESSES: usize = 400;

impl Program<'_> {
    /// The accesses that the points at the start of blocks have variables for.
    pub(super) fn accesses_before(&mut self) -> Vec<Vec<u32>> {
        let f = self.ir.f;
        let mut out = vec![Vec::new(); f.blocks.len()];
        if !self.ir.follows_alias_metadata() {
            return out;
        }
        let events: Vec<bool> =
            (0..f.insts.len()).map(|i| self.may_be_event(i as u32, &f.insts[i])).collect();
        let described = |i: &u32| self.ir.is_described(&f.insts[*i as usize]);
        let accesses: Vec<u32> = (0..f.insts.len() as u32).filter(described).collect();
        if accesses.len() > ACCESSES {
            return out;
        }
        let next = |b: usize| {
            let last = f.blocks[b].end.checked_sub(1).map(|i| &f.insts[i as usize].op);
            last.map(|op| op.successors().iter().map(|s| s.0 as usize).collect()).unwrap_or_default()
        };
        let successors: Vec<Vec<usize>> = (0..f.blocks.len()).map(next).collect();
        for &access in &accesses {
            let apart = |i: &u32| self.ir.are_told_apart(&f.insts[access as usize], &f.insts[*i as usize]);
            let others: BTreeSet<u32> = accesses.iter().copied().filter(apart).collect();
            if others.is_empty() {
                continue;
            }
            // Where such an access is ahead, no event before it.
            let mut wanted = vec![false; f.blocks.len()];
            loop {
                let mut changed = false;
                for b in 0..f.blocks.len() {
                    let range = f.blocks[b].first..f.blocks[b].end;
                    let first = range.clone().find(|i| events[*i as usize] || others.contains(i));
                    let here = match first {
                        Some(i) => others.contains(&i),
                        None => successors[b].iter().any(|s| wanted[*s]),
                    };
                    changed |= here != wanted[b];
                    wanted[b] = here;
                }
                if !changed {
                    break;
                }
            }
            // Where the access is behind, no event after it.
            let Some(home) = f.blocks.iter().position(|b| (b.first..b.end).contains(&access)) else {
                continue;
            };
            let quiet = |range: std::ops::Range<u32>| !range.into_iter().any(|i| events[i as usize]);
            let mut open = Vec::new();
            if quiet(access + 1..f.blocks[home].end) {
                open.extend(successors[home].iter().copied());
            }
            let mut reached = BTreeSet::new();
            while let Some(b) = open.pop() {
                if !wanted[b] || !reached.insert(b) {
                    continue;
                }
                if quiet(f.blocks[b].first..f.blocks[b].end) {
                    open.extend(successors[b].iter().copied());
                }
            }
            for b in reached.into_iter().filter(|b| *b != 0) {
                out[b].push(access);
            }
        }
        // The nearest ones count most.
        for accesses in &mut out {
            let more = accesses.len().saturating_sub(MOST);
            accesses.drain(..more);
        }
        out
    }

    /// What the variable of an access holds in a state.
    pub(super) fn save_accessed<D: Domain>(&self, d: &mut D, st: &State<D>, access: u32) -> D::Bv {
        match st.accesses.iter().rev().find(|a| a.inst == access) {
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
        access: u32,
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
