//! Questions of the source what is known at compile time: whether a value is (`llvm.is.constant`), and how large the object
//! behind an address (`llvm.objectsize`). Not to know is always a right answer, so that the source is taken to have the one
//! that its text gives. A target that still asks leaves it open.

use super::opt::find;
use crate::llvm_ir::ast::{Call, CastOp, ConstKind, Flags, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::semantics::{Checks, Ir, Side};
use crate::memory::access::AccessCheck;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Whether a function asks.
pub(super) fn asks(f: &Function) -> bool {
    f.insts.iter().any(|i| question(i).is_some())
}

/// The call that asks.
fn question(inst: &Inst) -> Option<&Call> {
    match &inst.op {
        Op::Call(call)
            if matches!(call.intrinsic, Some((Intrinsic::IsConstant | Intrinsic::ObjectSize, _))) =>
        {
            Some(call)
        }
        _ => None,
    }
}

/// Answers the questions of a source whose target has none left: constants are known, and objects that the text shows; other
/// values are not. Whether there were any.
pub(super) fn answer(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let (Ok(f), Ok(g)) = (find(source, name), find(right, name)) else { return false };
    if !asks(f) || asks(g) {
        return false;
    }
    let ir = Ir::new(source, f, Side::Source, Checks { access: AccessCheck::Mapped, exact: true });
    let mut answers: BTreeMap<usize, u64> = BTreeMap::new();
    for (at, inst) in f.insts.iter().enumerate() {
        let Some(call) = question(inst) else { continue };
        let Some(about) = call.args.first().map(|a| a.value) else { return false };
        let known = match call.intrinsic {
            Some((Intrinsic::ObjectSize, _)) => size(&ir, call, about),
            _ => Some(u64::from(matches!(about, Operand::Const(_)))),
        };
        let Some(known) = known else { return false };
        answers.insert(at, known);
    }
    let (f, m) = (f.clone(), source.to_mut());
    let told = f.rewritten(|at, inst| match (answers.get(&at), question(inst)) {
        (Some(answer), Some(call)) => {
            let value = m.new_constant(call.ret, ConstKind::Int(*answer));
            let op = Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: call.ret, value, to: call.ret };
            vec![Inst { op, ..inst.clone() }]
        }
        _ => vec![inst.clone()],
    });
    m.put(told).is_some()
}

/// The bytes behind an address up to the end of the object that the text shows; otherwise the answer for not to know. None for
/// a question that is not spelled out.
fn size(ir: &Ir<'_>, call: &Call, about: Operand) -> Option<u64> {
    let [least, null_is_unknown] = [1, 2].map(|n| call.args.get(n).and_then(|a| ir.m.number(a.value)));
    let (least, null_is_unknown) = (least? != 0, null_is_unknown? != 0);
    let wide = ir.m.types.int_width(call.ret).filter(|w| (1..=64).contains(w))?;
    let null = matches!(about, Operand::Const(_)) && ir.m.number(about) == Some(0);
    let known = match ir.place_in_object(about) {
        Some((size, offset)) => Some(u64::try_from(offset).map_or(0, |offset| size.saturating_sub(offset))),
        None if null && !null_is_unknown => Some(0),
        None => None,
    };
    let unknown = if least { 0 } else { u64::MAX >> (64 - wide) };
    Some(known.unwrap_or(unknown))
}
