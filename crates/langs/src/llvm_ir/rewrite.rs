//! Rewriting functions of a module, instruction by instruction.

use super::ast::{Const, ConstId, ConstKind, Function, Inst, Module, Operand};
use super::types::TypeId;
use rustc_hash::FxHashSet;

impl Module {
    /// A new constant.
    pub(crate) fn new_constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        let id = ConstId(self.consts.len() as u32);
        self.consts.push(Const { ty, kind });
        Operand::Const(id)
    }

    /// Whether operands of a function are the same local or the same constant; of constants made of others that is not seen.
    pub(crate) fn is_same_operand(&self, a: Operand, b: Operand) -> bool {
        let constant = |o: Operand| match o {
            Operand::Const(c) => self.consts.get(c.0 as usize),
            Operand::Local(_) => None,
        };
        a == b || constant(a).is_some_and(|c| Some(c) == constant(b))
    }
}

impl Function {
    /// The function with other instructions in place of each; of which one may define what the one before defined.
    #[must_use]
    pub(crate) fn rewritten(&self, mut with: impl FnMut(usize, &Inst) -> Vec<Inst>) -> Function {
        let (mut insts, mut blocks, mut locals) = (Vec::new(), self.blocks.clone(), self.locals.clone());
        for block in &mut blocks {
            let old = block.first as usize..block.end as usize;
            block.first = insts.len() as u32;
            for (n, inst) in self.insts.iter().enumerate().take(old.end).skip(old.start) {
                insts.extend(with(n, inst));
            }
            block.end = insts.len() as u32;
        }
        for (n, inst) in insts.iter().enumerate() {
            if let Some(local) = inst.result.and_then(|l| locals.get_mut(l.0 as usize)) {
                local.def = Some(n as u32);
            }
        }
        Function { insts, blocks, locals, ..self.clone() }.with_places_of_their_own()
    }

    /// The function with each instruction at another place of the text, as they are told apart by it: of those at one place
    /// all but the first are behind everything.
    #[must_use]
    pub(crate) fn with_places_of_their_own(mut self) -> Function {
        let mut next = self.insts.iter().map(|i| i.at).max().unwrap_or(0);
        let mut taken = FxHashSet::default();
        for inst in &mut self.insts {
            if !taken.insert(inst.at) {
                next = next.saturating_add(1);
                inst.at = next;
            }
        }
        self
    }
}
