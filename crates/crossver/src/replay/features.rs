//! What the code of two functions does not have in common, whatever the order of instructions and the choice of registers.

use iced_x86::{ConditionCode, Mnemonic, OpKind, Register};
use langs::machine_code::{Function, Insn, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A part of code that two functions can differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Names of functions that are called.
    Callees,
    /// Immediate operands.
    Constants,
    /// Displacements from pointers, those into the frame left out.
    Offsets,
    /// Conditions of jumps, moves and settings; opposite ones count as one.
    Conditions,
    /// Extensions of what is narrow.
    Extensions,
    /// Other mnemonics, moves left out.
    Operations,
}

impl Feature {
    /// All.
    pub const ALL: &'static [Feature] = &[
        Feature::Callees,
        Feature::Constants,
        Feature::Offsets,
        Feature::Conditions,
        Feature::Extensions,
        Feature::Operations,
    ];

    /// What an instruction has of it.
    fn of(self, insn: &Insn) -> Option<String> {
        let d = insn.x86();
        let extends =
            matches!(d.mnemonic(), Mnemonic::Movsx | Mnemonic::Movsxd | Mnemonic::Movzx | Mnemonic::Cdqe);
        match self {
            Feature::Callees => match &insn.target {
                Some(Target::Function(name)) => Some(name.clone()),
                Some(Target::Block(_)) | None => None,
            },
            Feature::Constants => {
                let stack =
                    d.op_count() > 0 && d.op0_kind() == OpKind::Register && is_frame(d.op0_register());
                let kinds = (0..d.op_count()).filter(|n| d.op_kind(*n) != OpKind::NearBranch64);
                let value = kinds.filter_map(|n| d.try_immediate(n).ok()).next();
                value.filter(|_| !stack && insn.immediate.is_none()).map(|v| format!("{v:#x}"))
            }
            Feature::Offsets => {
                let memory = (0..d.op_count()).any(|n| d.op_kind(n) == OpKind::Memory);
                let plain = memory && insn.memory.is_none() && !is_frame(d.memory_base());
                plain.then(|| format!("{:#x}", d.memory_displacement64()))
            }
            // Codes come in pairs of opposites.
            Feature::Conditions => match d.condition_code() {
                ConditionCode::None => None,
                code => Some(format!("{}", (code as u32 - 1) / 2)),
            },
            Feature::Extensions => extends.then(|| format!("{:?}", d.code())),
            Feature::Operations => {
                let moves = matches!(
                    d.mnemonic(),
                    Mnemonic::Mov
                        | Mnemonic::Push
                        | Mnemonic::Pop
                        | Mnemonic::Nop
                        | Mnemonic::Ret
                        | Mnemonic::Jmp
                );
                let plain = !moves && !extends && d.condition_code() == ConditionCode::None;
                plain.then(|| format!("{:?}", d.mnemonic()))
            }
        }
    }
}

fn is_frame(register: Register) -> bool {
    matches!(register.full_register(), Register::RSP | Register::RBP)
}

/// The features that two functions do not have in common.
#[must_use]
pub fn differing(old: &Function, new: &Function) -> Vec<Feature> {
    let counts = |f: &Function, feature: Feature| {
        let mut out: BTreeMap<String, usize> = BTreeMap::new();
        for found in f.insns.iter().filter_map(|insn| feature.of(insn)) {
            *out.entry(found).or_default() += 1;
        }
        out
    };
    Feature::ALL.iter().copied().filter(|feature| counts(old, *feature) != counts(new, *feature)).collect()
}
