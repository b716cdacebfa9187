//! Functions of the library that check how much they write (`__memcpy_chk`): where the check can't fail optimisers call, or
//! do, what is without it. So does the source where the target is without such calls.

use super::opt::find;
use crate::llvm_ir::ast::{
    Arg, Call, CastOp, ConstKind, Flags, Function, Inst, LocalId, Module, Op, Operand,
};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::types::{Type, Types};
use std::borrow::Cow;

/// What stands for a function without its check.
#[derive(Clone, Copy, Debug)]
enum Plain {
    /// An operation on blocks, which gives the block that it writes back.
    Block(Block),
    /// The same, which gives the end of that block.
    ToEnd(Block),
    /// Another function, without the last argument.
    Function(&'static str),
}

/// A function that checks: its name, what stands for it, which argument is the size of the object written to, and which the
/// number of bytes that are written at most.
type Checked = (&'static str, Plain, usize, Option<usize>);

const CHECKED: [Checked; 12] = [
    ("__memcpy_chk", Plain::Block(Block::Copy), 3, Some(2)),
    ("__memmove_chk", Plain::Block(Block::Move), 3, Some(2)),
    ("__memset_chk", Plain::Block(Block::Fill), 3, Some(2)),
    ("__mempcpy_chk", Plain::ToEnd(Block::Copy), 3, Some(2)),
    ("__strcpy_chk", Plain::Function("strcpy"), 2, None),
    ("__stpcpy_chk", Plain::Function("stpcpy"), 2, None),
    ("__strcat_chk", Plain::Function("strcat"), 2, None),
    ("__strncpy_chk", Plain::Function("strncpy"), 3, Some(2)),
    ("__stpncpy_chk", Plain::Function("stpncpy"), 3, Some(2)),
    ("__strncat_chk", Plain::Function("strncat"), 3, None),
    ("__strlcpy_chk", Plain::Function("strlcpy"), 3, Some(2)),
    ("__strlcat_chk", Plain::Function("strlcat"), 3, None),
];

/// A call of a function that checks what it can't find otherwise than right, and that function.
fn surely_passed<'i>(m: &Module, inst: &'i Inst) -> Option<(&'i Call, &'static Checked)> {
    let Op::Call(call) = &inst.op else { return None };
    let name = m.names.text(m.called(call).filter(|_| call.intrinsic.is_none() && call.bundles.is_empty())?);
    let checked = CHECKED.iter().find(|c| c.0 == name)?;
    if m.functions.iter().any(|f| f.defined && m.names.text(f.name) == name)
        || call.args.len() != checked.2 + 1
    {
        return None;
    }
    let number = |n: usize| {
        let arg = call.args.get(n).filter(|a| m.types.int_width(a.ty) == Some(64))?;
        m.number(arg.value)
    };
    let room = number(checked.2)?;
    let fits = |n: usize| number(n).is_some_and(|bytes| bytes <= room);
    (room == u64::MAX || checked.3.is_some_and(fits)).then_some((&**call, checked))
}

/// Puts what is without a check in the place of calls of a source whose checks can't fail, of functions that the target has no
/// such calls of. Whether there were any.
pub(super) fn without_checks(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let (Ok(f), Ok(g)) = (find(source, name), find(right, name)) else { return false };
    let left_over: Vec<&str> = g.insts.iter().filter_map(|i| Some(surely_passed(right, i)?.1.0)).collect();
    let passed = |m: &Module, i: &Inst| {
        let (call, checked) = surely_passed(m, i).filter(|(_, checked)| !left_over.contains(&checked.0))?;
        Some((call.clone(), *checked))
    };
    if !f.insts.iter().any(|i| passed(source, i).is_some()) {
        return false;
    }
    let (mut f, m) = (f.clone(), source.to_mut());
    let plain = f.clone().rewritten(|_, inst| match passed(m, inst) {
        Some((call, (_, plain, ..))) => unchecked(m, &mut f, inst, call, plain),
        None => vec![inst.clone()],
    });
    m.put(Function { locals: f.locals, ..plain }.renumbered()).is_some()
}

/// What a call does without its check.
fn unchecked(m: &mut Module, f: &mut Function, inst: &Inst, mut call: Call, plain: Plain) -> Vec<Inst> {
    let size = call.args.len() - 1;
    let mut block = |m: &mut Module, block: Block| {
        let mut args = call.args[..size].to_vec();
        let volatile = m.new_constant(Types::I1, ConstKind::Int(0));
        args.push(Arg { ty: Types::I1, attrs: Vec::new(), value: volatile });
        if matches!(block, Block::Fill) {
            let byte = m.types.intern(Type::Int(8));
            let (ty, value) = (args[1].ty, args[1].value);
            let local = m.new_local(f, "byte", byte);
            args[1] = Arg { ty: byte, attrs: Vec::new(), value: Operand::Local(local) };
            let op = Op::Cast { op: CastOp::Trunc, flags: Flags(0), from: ty, value, to: byte };
            return (args, Some((local, op)));
        }
        (args, None)
    };
    let with =
        |op: Op, result: Option<LocalId>| Inst { op, result, attachments: Box::new([]), ..inst.clone() };
    let name = |block: Block| match block {
        Block::Fill => "llvm.memset.p0.i64",
        Block::Copy => "llvm.memcpy.p0.p0.i64",
        Block::Move => "llvm.memmove.p0.p0.i64",
    };
    match plain {
        Plain::Block(what) | Plain::ToEnd(what) => {
            let (args, narrowed) = block(m, what);
            let mut out = Vec::new();
            if let Some((local, op)) = narrowed {
                out.push(with(op, Some(local)));
            }
            let op = m.intrinsic_call(name(what), (Intrinsic::Block(what), 4), args, Box::new([]));
            out.push(with(op, None));
            let to = call.args[0].value;
            if let Some(result) = inst.result {
                let op = match plain {
                    Plain::ToEnd(_) => Op::Gep {
                        flags: Flags(0),
                        source: m.types.intern(Type::Int(8)),
                        base_ty: Types::PTR,
                        base: to,
                        indices: Box::new([(Types::I64, call.args[2].value)]),
                    },
                    Plain::Block(_) | Plain::Function(_) => Op::Cast {
                        op: CastOp::BitCast,
                        flags: Flags(0),
                        from: Types::PTR,
                        value: to,
                        to: Types::PTR,
                    },
                };
                out.push(with(op, Some(result)));
            }
            out
        }
        Plain::Function(other) => {
            let id = m.names.intern(other);
            if !m.functions.iter().any(|f| f.name == id) {
                let checks = m.called(&call);
                let Some(like) = m.functions.iter().find(|f| Some(f.name) == checks) else {
                    return vec![inst.clone()];
                };
                let mut declared = Function { name: id, ..like.clone() };
                declared.params.truncate(size);
                m.functions.push(declared);
            }
            call.callee = m.new_constant(Types::PTR, ConstKind::Global(id));
            call.args = call.args[..size].to_vec().into();
            vec![Inst { op: Op::Call(Box::new(call)), ..inst.clone() }]
        }
    }
}
