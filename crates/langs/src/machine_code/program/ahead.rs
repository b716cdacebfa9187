//! The loads that come first behind a point, ahead of all stores to memory: their addresses are made of what registers and slots of the
//! frame hold at the point.

use super::super::flow::successors;
use super::super::function::Decoded;
use super::super::uses::{frame_accesses, uses};
use super::super::x86::track::gpr64;
use super::{Program, Var};
use equiv::PointId;
use iced_x86::{Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, BTreeSet};

/// Most instructions of a block that are looked at behind a point.
const LOOKED: usize = 16;

/// Most blocks behind the one of the point.
const BLOCKS: usize = 2;

/// A load of a whole register.
#[derive(PartialEq, Eq)]
pub(crate) struct LoadAhead {
    /// The register or slot of the frame that its address begins with, by the variable's name.
    pub base: String,
    /// One that is added, and how often.
    pub index: Option<(String, u32)>,
    /// What is added.
    pub offset: i64,
    /// How many bytes are loaded.
    pub bytes: u32,
}

/// What registers hold behind a point, of what variables held there.
#[derive(Clone, Default)]
struct Held {
    /// The registers that were written since, as bits.
    written: u64,
    /// Those of them that hold what a slot of the frame had at the point, with the variable's name.
    copies: BTreeMap<usize, String>,
    /// The slots that were written since.
    stored: BTreeSet<usize>,
}

impl Program {
    /// The first loads behind a point, on all ways. Of x86-64; elsewhere none.
    pub(crate) fn loads_ahead(&self, at: PointId) -> Vec<LoadAhead> {
        let mut out = Vec::new();
        if let Some(stop) = self.stops.get(at.index()) {
            self.look_ahead((stop.block, stop.insn), (Held::default(), BLOCKS), &mut out);
        }
        out
    }

    /// The loads from an instruction of a block on, and in so many blocks behind it.
    fn look_ahead(
        &self,
        (block, from): (usize, usize),
        (mut held, left): (Held, usize),
        out: &mut Vec<LoadAhead>,
    ) {
        let end = self.f.blocks[block].end;
        for i in from..end.min(from + LOOKED) {
            if self.is_event(i) {
                return;
            }
            let slots: Vec<(i64, u64)> = frame_accesses(&self.f, &self.facts, i)
                .into_iter()
                .filter_map(|(at, bytes, _, writes)| writes.then_some((at, bytes)))
                .collect();
            let uses = uses(&self.f, i);
            if uses.stores && slots.iter().all(|(at, bytes)| self.frame.touched(*at, *bytes).is_empty()) {
                return;
            }
            out.extend(self.load_at(i, &held).filter(|load| !out.contains(load)));
            let copied = self.copied_at(i, &held);
            held.written |= uses.writes;
            held.copies.retain(|n, _| uses.writes >> *n & 1 == 0);
            held.copies.extend(copied);
            held.stored.extend(slots.into_iter().flat_map(|(at, bytes)| self.frame.touched(at, bytes)));
        }
        if left > 0 && end <= from + LOOKED {
            for to in successors(&self.f, &self.facts, block) {
                self.look_ahead((to, self.f.blocks[to].first), (held.clone(), left - 1), out);
            }
        }
    }

    /// The register that an instruction loads from a slot of the frame, and the slot's variable.
    fn copied_at(&self, i: usize, held: &Held) -> Option<(usize, String)> {
        let Decoded::X86(d) = &self.f.insns[i].decoded else { return None };
        let [(at, 8, true, false)] = frame_accesses(&self.f, &self.facts, i)[..] else { return None };
        let [slot] = self.frame.touched(at, 8)[..] else { return None };
        let whole = self.frame.covers(at, 8, slot) && !held.stored.contains(&slot);
        let to = gpr64(d.op0_register()).filter(|_| d.mnemonic() == Mnemonic::Mov && whole)?;
        Some((to, self.declare(Var::Slot(slot)).name))
    }

    fn load_at(&self, i: usize, held: &Held) -> Option<LoadAhead> {
        let insn = &self.f.insns[i];
        let Decoded::X86(d) = &insn.decoded else { return None };
        let plain = insn.memory.is_none() && d.segment_prefix() == Register::None;
        let loads = d.mnemonic() == Mnemonic::Mov && d.op1_kind() == OpKind::Memory;
        if !plain || !loads || d.op0_kind() != OpKind::Register {
            return None;
        }
        let bytes = u32::try_from(d.memory_size().size()).ok().filter(|bytes| [4, 8].contains(bytes))?;
        // As the point has it.
        let held = |register: Register| {
            let n = gpr64(register).filter(|n| self.facts.frame(i, *n).is_none())?;
            let own = (held.written >> n & 1 == 0).then(|| self.f.abi.name(n));
            held.copies.get(&n).cloned().or(own)
        };
        let base = held(d.memory_base())?;
        let index = match d.memory_index() {
            Register::None => None,
            index => Some((held(index)?, d.memory_index_scale())),
        };
        Some(LoadAhead { base, index, offset: d.memory_displacement64() as i64, bytes })
    }
}
