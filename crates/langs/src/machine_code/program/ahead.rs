//! The loads that come first behind a point, ahead of all stores: their addresses are made of what registers hold at the point.

use super::super::function::Decoded;
use super::super::uses::uses;
use super::super::x86::track::gpr64;
use super::Program;
use equiv::PointId;
use iced_x86::{Mnemonic, OpKind, Register};

/// Most instructions that are looked at behind a point.
const LOOKED: usize = 8;

/// A load of a whole register.
pub(crate) struct LoadAhead {
    /// The register that its address begins with, by name.
    pub base: String,
    /// A register that is added, and how often.
    pub index: Option<(String, u32)>,
    /// What is added.
    pub offset: i64,
    /// How many bytes are loaded.
    pub bytes: u32,
}

impl Program {
    /// The first loads behind a point. Of x86-64; elsewhere none.
    pub(crate) fn loads_ahead(&self, at: PointId) -> Vec<LoadAhead> {
        let Some(stop) = self.stops.get(at.index()) else { return Vec::new() };
        let end = self.f.blocks[stop.block].end.min(stop.insn + LOOKED);
        let (mut written, mut out) = (0u64, Vec::new());
        for i in stop.insn..end {
            let uses = uses(&self.f, i);
            if self.is_event(i) || uses.stores {
                break;
            }
            out.extend(self.load_at(i, written));
            written |= uses.writes;
        }
        out
    }

    fn load_at(&self, i: usize, written: u64) -> Option<LoadAhead> {
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
            let n = gpr64(register).filter(|n| written >> n & 1 == 0 && self.facts.frame(i, *n).is_none())?;
            Some(self.f.abi.name(n))
        };
        let base = held(d.memory_base())?;
        let index = match d.memory_index() {
            Register::None => None,
            index => Some((held(index)?, d.memory_index_scale())),
        };
        Some(LoadAhead { base, index, offset: d.memory_displacement64() as i64, bytes })
    }
}
