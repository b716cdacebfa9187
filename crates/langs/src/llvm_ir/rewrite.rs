//! Rewriting functions of a module, instruction by instruction.

use super::ast::{Const, ConstId, ConstKind, Function, Inst, Local, LocalId, Module, Operand};
use super::types::TypeId;
use crate::names::Name;
use rustc_hash::FxHashSet;

impl Module {
    /// A new constant.
    pub(crate) fn new_constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        let id = ConstId(self.consts.len() as u32);
        self.consts.push(Const { ty, kind });
        Operand::Const(id)
    }

    /// A new value of a function, which is to be put there, named after what it is for.
    pub(crate) fn new_local(&mut self, f: &mut Function, what: &str, ty: TypeId) -> LocalId {
        let local = LocalId(f.locals.len() as u32);
        let name = self.names.intern(&format!("{what}.{}", local.0));
        f.locals.push(Local { name, ty, def: None });
        local
    }

    /// Puts another definition in the place of a function's; none where the module defines no function of its name.
    pub(crate) fn put(&mut self, f: Function) -> Option<()> {
        let place = self.definition_mut(f.name)?;
        *place = f;
        Some(())
    }

    /// The definition of a function.
    pub(crate) fn definition_mut(&mut self, name: Name) -> Option<&mut Function> {
        self.functions.iter_mut().find(|f| f.name == name && f.defined)
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
        let (mut insts, mut blocks) = (Vec::new(), self.blocks.clone());
        for block in &mut blocks {
            let old = block.first as usize..block.end as usize;
            block.first = insts.len() as u32;
            for (n, inst) in self.insts.iter().enumerate().take(old.end).skip(old.start) {
                insts.extend(with(n, inst));
            }
            block.end = insts.len() as u32;
        }
        Function { insts, blocks, ..self.clone() }.renumbered()
    }

    /// The function after its instructions were changed: each value knows the instruction that defines it now, and no two
    /// instructions say that they stand at the same place of the text. Analyses tell instructions apart by that place; one
    /// that shares it with an earlier one gets a place behind the text.
    #[must_use]
    pub(crate) fn renumbered(mut self) -> Function {
        self.locals.iter_mut().for_each(|l| l.def = None);
        for (n, inst) in self.insts.iter().enumerate() {
            if let Some(local) = inst.result.and_then(|l| self.locals.get_mut(l.0 as usize)) {
                local.def = Some(n as u32);
            }
        }
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
