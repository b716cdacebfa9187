//! The calls of a module's functions, and what branches say of a value ahead of an instruction.

use crate::llvm_ir::ast::{BlockId, ConstId, Function, IntPred, Module, Op, Operand};
use crate::llvm_ir::dominators::Dominators;
use crate::llvm_ir::types::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Whether all calls of a function are in its module: it is local, and nothing is done with its name but to call it.
pub(super) fn is_called_here_alone(m: &Module, f: &Function) -> bool {
    m.is_local(&f.words) && !m.call_sites().named_otherwise.contains(&f.name)
}

/// An argument of a call: its value, the number of the calling function, and the call's place in it.
pub(super) type Argument = (Operand, usize, usize);

/// The calls of a module and its branches.
pub(super) struct Sites<'m> {
    pub(super) m: &'m Module,
    /// Those of functions that were asked for, by number.
    dominators: RefCell<BTreeMap<usize, Rc<Dominators>>>,
}

impl<'m> Sites<'m> {
    pub(super) fn of(m: &'m Module) -> Self {
        Sites { m, dominators: RefCell::default() }
    }

    /// The arguments that all calls pass for a parameter; none where a call has no such argument.
    pub(super) fn arguments(&self, f: &Function, param: usize) -> Option<Vec<Argument>> {
        let sites = self.m.call_sites().of.get(&f.name).map_or(&[][..], |s| s);
        let argument = |(n, at): &(usize, usize)| {
            let Op::Call(call) = &self.m.functions[*n].insts[*at].op else { return None };
            let arg = call.args.get(param).filter(|a| a.ty == f.params[param].ty)?;
            Some((arg.value, *n, *at))
        };
        sites.iter().map(argument).collect()
    }

    /// How a value of a function compares with constants wherever an instruction is reached: what the branches say that
    /// every way to it takes.
    pub(super) fn compared_ahead(
        &self,
        n: usize,
        value: Operand,
        at: usize,
    ) -> Vec<(IntPred, TypeId, ConstId)> {
        let f = &self.m.functions[n];
        let tests: Vec<_> = (0..f.blocks.len()).filter_map(|b| Some((b, test(f, b, value)?))).collect();
        let (false, Some(block)) = (tests.is_empty(), f.block_of(at)) else { return Vec::new() };
        let over = self.dominators_of(n);
        let passes = |b: usize, way: BlockId| {
            over.preds[way.0 as usize] == [b] && over.dominates(way.0 as usize, block.0 as usize)
        };
        let held = |(b, t): (usize, Test)| {
            if passes(b, t.then) {
                Some((t.pred, t.ty, t.with))
            } else if passes(b, t.other) {
                Some((inverse(t.pred), t.ty, t.with))
            } else {
                None
            }
        };
        tests.into_iter().filter_map(held).collect()
    }

    fn dominators_of(&self, n: usize) -> Rc<Dominators> {
        let make = || Rc::new(Dominators::of_function(&self.m.functions[n]));
        self.dominators.borrow_mut().entry(n).or_insert_with(make).clone()
    }
}

/// A branch on how a value compares with a constant.
struct Test {
    pred: IntPred,
    ty: TypeId,
    with: ConstId,
    then: BlockId,
    other: BlockId,
}

/// The test of a value that a block ends with.
fn test(f: &Function, block: usize, value: Operand) -> Option<Test> {
    let Op::CondBr { cond: Operand::Local(cond), then, other } =
        f.block_insts(BlockId(block as u32)).last()?.op
    else {
        return None;
    };
    let Op::ICmp { pred, ty, lhs, rhs, .. } = f.definition(cond)?.op else { return None };
    let (pred, with) = match (lhs, rhs) {
        (l, Operand::Const(c)) if l == value => (pred, c),
        (Operand::Const(c), r) if r == value => (swapped(pred), c),
        _ => return None,
    };
    (then != other).then_some(Test { pred, ty, with, then, other })
}

/// The comparison that says the same with its operands exchanged.
fn swapped(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq | IntPred::Ne => pred,
        IntPred::Ugt => IntPred::Ult,
        IntPred::Uge => IntPred::Ule,
        IntPred::Ult => IntPred::Ugt,
        IntPred::Ule => IntPred::Uge,
        IntPred::Sgt => IntPred::Slt,
        IntPred::Sge => IntPred::Sle,
        IntPred::Slt => IntPred::Sgt,
        IntPred::Sle => IntPred::Sge,
    }
}

/// The comparison that holds where one does not.
fn inverse(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq => IntPred::Ne,
        IntPred::Ne => IntPred::Eq,
        IntPred::Ugt => IntPred::Ule,
        IntPred::Uge => IntPred::Ult,
        IntPred::Ult => IntPred::Uge,
        IntPred::Ule => IntPred::Ugt,
        IntPred::Sgt => IntPred::Sle,
        IntPred::Sge => IntPred::Slt,
        IntPred::Slt => IntPred::Sge,
        IntPred::Sle => IntPred::Sgt,
    }
}
