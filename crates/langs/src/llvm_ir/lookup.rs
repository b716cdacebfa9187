//! What the text of a module says of its functions, values and constants.

use super::ast::{Attr, Block, BlockId, Call, ConstKind, Function, Inst, LocalId, Module, Operand};
use crate::names::Name;

impl Function {
    /// The block that an instruction stands in.
    pub(crate) fn block_of(&self, inst: usize) -> Option<BlockId> {
        let holds = |b: &Block| (b.first as usize..b.end as usize).contains(&inst);
        self.blocks.iter().position(holds).map(|b| BlockId(b as u32))
    }

    /// Whether an instruction has a value for an operand.
    pub(crate) fn uses(&self, local: LocalId) -> bool {
        let mut used = false;
        self.insts.iter().for_each(|i| i.op.for_each_operand(|o| used |= o == Operand::Local(local)));
        used
    }

    /// The instruction that a value is the result of; none for parameters.
    pub(crate) fn definition(&self, local: LocalId) -> Option<&Inst> {
        self.insts.get(self.locals.get(local.0 as usize)?.def? as usize)
    }
}

impl Module {
    /// The attributes of groups.
    pub(crate) fn grouped<'a>(&'a self, groups: &'a [u32]) -> impl Iterator<Item = &'a Attr> {
        self.attr_groups.iter().filter(|(n, _)| groups.contains(n)).flat_map(|(_, attrs)| attrs.iter())
    }

    /// The attributes of a function itself, those of its groups included.
    pub(crate) fn attributes_of<'a>(&'a self, f: &'a Function) -> impl Iterator<Item = &'a Attr> {
        f.attrs.iter().chain(self.grouped(&f.groups))
    }

    /// Whether nobody outside of the module knows a function or variable by its name, given the words ahead of its type.
    pub(crate) fn is_local(&self, words: &[Name]) -> bool {
        words.iter().any(|w| matches!(self.names.text(*w), "internal" | "private"))
    }

    /// The name of the function that a call calls.
    pub(crate) fn called(&self, call: &Call) -> Option<Name> {
        let Operand::Const(c) = call.callee else { return None };
        match self.consts.get(c.0 as usize)?.kind {
            ConstKind::Global(n) => Some(n),
            _ => None,
        }
    }

    /// A number of up to 64 bits, or null, that the text gives.
    pub(crate) fn number(&self, o: Operand) -> Option<u64> {
        let Operand::Const(c) = o else { return None };
        match self.consts.get(c.0 as usize)?.kind {
            ConstKind::Int(n) => Some(n),
            ConstKind::Zero | ConstKind::Null => Some(0),
            _ => None,
        }
    }
}
