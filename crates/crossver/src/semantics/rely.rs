//! Which registers a function of x86-64 expects calls to leave as they were beside those that the convention keeps.

use super::reads::{CLOBBERED, RESULTS, used};
use iced_x86::FlowControl;
use langs::machine_code::{Function, Target};
use std::collections::BTreeMap;

/// By call those registers, as bits, that the callee keeps as [`Insn::keeps`] says, that the convention does not, and that
/// are read behind the call before anything is written to them. What callees may be passed there is not seen.
///
/// [`Insn::keeps`]: langs::machine_code::Insn::keeps
pub(super) fn on(f: &Function) -> BTreeMap<usize, u32> {
    let mut live = vec![0u32; f.blocks.len()];
    let mut found = BTreeMap::new();
    loop {
        let before = live.clone();
        for b in (0..f.blocks.len()).rev() {
            let block = &f.blocks[b];
            let mut now = block.falls.and_then(|to| before.get(to)).copied().unwrap_or(0);
            for i in (block.first..block.end).rev() {
                let insn = &f.insns[i];
                let decoded = insn.x86();
                if let Some(Target::Block(to)) = &insn.target {
                    now |= before.get(*to).copied().unwrap_or(0);
                }
                if decoded.flow_control() == FlowControl::IndirectBranch {
                    let entries = f.tables.iter().flat_map(|table| &table.entries);
                    now |= entries.fold(0, |set, to| set | before.get(*to).copied().unwrap_or(0));
                }
                if matches!(decoded.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
                    let keeps = insn.keeps as u32;
                    found.insert(i, now & CLOBBERED & keeps & !RESULTS);
                    now &= !(CLOBBERED & !keeps);
                }
                let (read, written) = used(decoded);
                now = now & !written | read;
            }
            live[b] |= now;
        }
        if live == before {
            return found;
        }
    }
}
