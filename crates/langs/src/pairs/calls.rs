//! Which calls of both programs belong together.

use super::Machine;
use crate::abi::Signature;
use crate::llvm_ir;
use crate::x86_mir::ast::Operand;
use crate::x86_mir::semantics::table::Sem;
use rustc_hash::FxHashMap;

/// Pairs the calls of both programs, block by block and in order: which signature each machine call has (checked
/// by the proof, where the source shows its own), and the names of the points behind them.
pub(super) fn pair_calls(
    left: &llvm_ir::program::Program<'_>,
    x86: &Machine<'_>,
) -> (Vec<(usize, Signature)>, FxHashMap<u32, String>) {
    let mut by_block: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for block in &x86.f.blocks {
        let Some(name) = &block.ir_block else { continue };
        let list = by_block.entry(name).or_default();
        for i in block.first..block.end {
            let call = x86.opcodes[i as usize].map(|o| o.sem);
            let first = x86.f.operands_of(&x86.f.insts[i as usize]).first();
            let library = matches!(first, Some(Operand::External(..) | Operand::Symbol(_)));
            if matches!(call, Some(Sem::Call | Sem::TailCall)) && !library {
                list.push(i);
            }
        }
    }
    let (mut calls, mut aliases) = (Vec::new(), FxHashMap::default());
    for b in 0..left.ir.f.blocks.len() {
        let block = llvm_ir::ast::BlockId(b as u32);
        let Some(machine) = by_block.get(left.block_name(block)) else { continue };
        let source = left.calls_of_block(block);
        if source.len() != machine.len() {
            continue;
        }
        for (s, t) in source.iter().zip(machine) {
            if let Some(signature) = left.call_signature(*s) {
                calls.push((*t as usize, signature.clone()));
            }
            if let Some(name) = left.event_name(*s) {
                aliases.insert(*t, name.to_owned());
            }
        }
    }
    (calls, aliases)
}
