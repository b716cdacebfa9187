//! Questions of the source whether a value is known at compile time (`llvm.is.constant`): either answer is right, so that
//! the source is taken to have the one that its text gives. A target that still asks leaves it open.

use super::opt::find;
use crate::llvm_ir::ast::{CastOp, ConstKind, Flags, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::Types;
use std::borrow::Cow;

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

/// Answers the questions of a source whose target has none left: constants are known, other values are not. Whether there
/// were any.
pub(super) fn answer(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let (Ok(f), Ok(g)) = (find(source, name), find(right, name)) else { return false };
    if !asks(f) || asks(g) {
        return false;
    }
    let (f, m) = (f.clone(), source.to_mut());
    let answers = [0, 1].map(|n| m.new_constant(Types::I1, ConstKind::Int(n)));
    let told = f.rewritten(|_, inst| match question(inst) {
        Some(about) => {
            let value = answers[usize::from(matches!(about, Operand::Const(_)))];
            let op = Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: Types::I1, value, to: Types::I1 };
            vec![Inst { op, ..inst.clone() }]
        }
        None => vec![inst.clone()],
    });
    m.put(told).is_some()
}
