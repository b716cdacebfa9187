//! Questions of the source whether a value is known at compile time (`llvm.is.constant`): either answer is right, so that
//! the source is taken to have the one that its text gives. A target that still asks leaves it open.

use super::opt::find;
use crate::llvm_ir::ast::{CastOp, ConstKind, Flags, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::Types;

/// Whether a function asks.
pub(super) fn asks(f: &Function) -> bool {
    f.insts.iter().any(|i| question(i).is_some())
}

/// What an instruction asks about.
fn question(inst: &Inst) -> Option<Operand> {
    match &inst.op {
        Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::IsConstant, _))) => {
            call.args.first().map(|a| a.value)
        }
        _ => None,
    }
}

/// The source with its questions answered, where the target has none left: constants are known, other values are not.
pub(super) fn with_answers(left: &Module, right: &Module, name: &str) -> Option<Module> {
    let (f, g) = (find(left, name).ok()?, find(right, name).ok()?);
    if !asks(f) || asks(g) {
        return None;
    }
    let mut m = left.clone();
    let answers = [0, 1].map(|n| m.new_constant(Types::I1, ConstKind::Int(n)));
    let told = f.rewritten(|_, inst| match question(inst) {
        Some(about) => {
            let value = answers[usize::from(matches!(about, Operand::Const(_)))];
            let op = Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: Types::I1, value, to: Types::I1 };
            vec![Inst { op, ..inst.clone() }]
        }
        None => vec![inst.clone()],
    });
    *m.functions.iter_mut().find(|h| h.name == f.name && h.defined)? = told;
    Some(m)
}
