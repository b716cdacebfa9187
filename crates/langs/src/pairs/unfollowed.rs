//! What optimisers may know between IR programs that the semantics does not follow: a difference that is seen in a function
//! with such is no refutation.

use super::beyond::unfollowed_object;
use super::opt::{Form, prepare, provenance_matters};
use crate::llvm_ir::ast::{BlockId, CastOp, ConstId, ConstKind, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::semantics::Ir;
use crate::memory::atomic::is_relaxed;
use crate::names::Name;

/// What excuses a difference between two functions, in words; none where nothing does.
pub(super) fn unfollowed(left: &Module, right: &Module, name: &str) -> Option<String> {
    let (l, r, _) = prepare(left, right, name, Form::PLAIN).ok()?;
    let (l, r) = (&l.ir, &r.ir);
    if l.f.insts.iter().any(|i| i.attachments.iter().any(|(kind, _)| l.m.names.text(*kind) == "noalias")) {
        return Some("accesses are told apart by alias scopes, which are not followed".to_owned());
    }
    if leaves_order_open(l, r) {
        return Some("what may pass a fence or a relaxed access is not followed".to_owned());
    }
    if compares_merged(l) || compares_merged(r) {
        return Some("variables without an address of their own are compared".to_owned());
    }
    if calls_known_function(l) && indirect_calls(r) < indirect_calls(l) {
        return Some("the function that a pointer leads to is known, which is not followed".to_owned());
    }
    unfollowed_object(l, r).or_else(|| {
        // Nobody has a pointer to what the target alone has, which its addresses do not tell.
        let open = l.has_foreign_objects()
            || (r.has_foreign_objects()
                && (provenance_matters(l, r) || l.may_reach_beyond() || !l.objects_begin_stored()));
        // Nor can anybody have one where no pointer comes in from elsewhere, or say that addresses should differ.
        let meets = !keeps_its_pointers(l) || !keeps_its_pointers(r);
        (open && meets)
            .then(|| "an object that one side alone has is looked at in ways not followed".to_owned())
    })
}

/// Whether the source has fences or accesses that a target may leave out or join with others: fences that are no
/// sequentially consistent ones, fences with nothing between them, and relaxed loads where the target has fewer of them.
fn leaves_order_open(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    let weaker = |i: &Inst| matches!(&i.op, Op::Fence(o) if left.m.names.text(*o) != "seq_cst");
    let relaxed = |ir: &Ir<'_>| {
        let one = |i: &&Inst| matches!(&i.op, Op::Load { access, .. } if access.ordering.is_some_and(|o| is_relaxed(ir.m.names.text(o))));
        ir.f.insts.iter().filter(one).count()
    };
    left.f.insts.iter().any(weaker) || repeats_fence(left) || relaxed(right) < relaxed(left)
}

/// Whether a fence follows another in a block with no access and no call between them.
fn repeats_fence(ir: &Ir<'_>) -> bool {
    (0..ir.f.blocks.len()).any(|b| {
        let mut behind = false;
        ir.f.block_insts(BlockId(b as u32)).iter().any(|inst| match &inst.op {
            Op::Fence(_) => std::mem::replace(&mut behind, true),
            Op::Load { .. } | Op::Store { .. } | Op::Call(_) | Op::CmpXchg { .. } | Op::AtomicRmw { .. } => {
                behind = false;
                false
            }
            _ => false,
        })
    })
}

/// Whether the addresses of variables are compared of which one may be merged with another of the same contents.
fn compares_merged(ir: &Ir<'_>) -> bool {
    let merged = |o: &Operand| {
        let global = ir.global_of(*o).and_then(|name| ir.m.globals.iter().find(|g| g.name == name));
        global.is_some_and(|g| g.words.iter().any(|w| ir.m.names.text(*w) == "unnamed_addr"))
    };
    ir.f.insts.iter().any(|i| matches!(&i.op, Op::ICmp { lhs, rhs, .. } if merged(lhs) || merged(rhs)))
}

/// The calls through pointers.
fn indirect_calls(ir: &Ir<'_>) -> usize {
    let indirect = |i: &&Inst| matches!(&i.op, Op::Call(c) if matches!(c.callee, Operand::Local(_)));
    ir.f.insts.iter().filter(indirect).count()
}

/// Whether there are calls through pointers beside the address of a function that the module defines.
fn calls_known_function(ir: &Ir<'_>) -> bool {
    let defined = |name: Name| ir.m.functions.iter().any(|f| f.defined && f.name == name);
    let is_function = |c: ConstId| {
        let kind = ir.m.consts.get(c.0 as usize).map(|c| &c.kind);
        matches!(kind, Some(ConstKind::Global(name)) if defined(*name))
    };
    let named = |inst: &Inst| {
        let called = match &inst.op {
            Op::Call(call) => Some(call.callee),
            _ => None,
        };
        let mut any = false;
        inst.op.for_each_operand(|o| {
            any |= Some(o) != called && matches!(o, Operand::Const(c) if is_function(c));
        });
        any
    };
    indirect_calls(ir) > 0 && ir.f.insts.iter().any(named)
}

/// Whether a function has no pointers but to its own objects and to variables, and does no more with them than access what
/// they lead to: addresses are nowhere made of anything else, compared, stored or handed on.
fn keeps_its_pointers(ir: &Ir<'_>) -> bool {
    let (types, f) = (&ir.m.types, ir.f);
    let plain = |o: Operand| match o {
        Operand::Local(l) => f.locals.get(l.0 as usize).is_some_and(|l| !types.holds_pointers(l.ty)),
        Operand::Const(c) => ir.m.consts.get(c.0 as usize).is_some_and(|c| !types.holds_pointers(c.ty)),
    };
    f.params.iter().all(|p| !types.holds_pointers(p.ty))
        && f.insts.iter().all(|i| match &i.op {
            Op::Alloca { count, .. } => count.is_none(),
            Op::Cast { op: CastOp::BitCast, .. } => true,
            Op::Gep { indices, .. } => indices.iter().all(|i| plain(i.1)),
            Op::Load { ty, access, .. } => access.is_plain() && !types.holds_pointers(*ty),
            Op::Store { ty, access, .. } => access.is_plain() && !types.holds_pointers(*ty),
            Op::Call(call) => matches!(call.intrinsic, Some((Intrinsic::Block(_) | Intrinsic::Lifetime, _))),
            op => {
                let mut all = i.result.is_none_or(|l| plain(Operand::Local(l)));
                op.for_each_operand(|o| all &= plain(o));
                all
            }
        })
}
