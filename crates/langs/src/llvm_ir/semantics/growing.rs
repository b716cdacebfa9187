//! Stack objects that are made as the function runs: `alloca` of a size that is computed, or outside of the entry block, and
//! `stacksave` and `stackrestore`.
//!
//! Where such an object lies the source may choose, as long as it is apart from all others that live. It takes the place
//! that every selector for x86 takes: below the stack pointer, of which both programs have one, by the size rounded to 16 bytes. What lies
//! there is memory like any other, so that what is proved holds wherever the stack pointer is, and whatever lies beside it.

use super::{Effect, Ir, Res, State, Value};
use crate::domain::{BitOp, Domain, Ext};
use crate::llvm_ir::ast::{Inst, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::TypeId;
use crate::memory::stack::{self, ALIGN};

impl Ir<'_> {
    /// Whether the function makes such objects, or takes them away.
    pub(crate) fn moves_stack(&self) -> bool {
        self.f.insts.iter().any(|inst| match &inst.op {
            Op::Alloca { .. } => !inst.result.is_some_and(|l| self.object_index.contains_key(&l)),
            Op::Call(call) => {
                matches!(call.intrinsic, Some((Intrinsic::StackSave | Intrinsic::StackRestore, _)))
            }
            _ => false,
        })
    }

    /// Whether a local holds the address of such an object.
    pub(crate) fn grows_stack(&self, local: LocalId) -> bool {
        let def = self.f.locals.get(local.0 as usize).and_then(|l| l.def);
        let alloca =
            def.and_then(|i| self.f.insts.get(i as usize)).is_some_and(|i| matches!(i.op, Op::Alloca { .. }));
        alloca && !self.checks.exact && !self.object_index.contains_key(&local)
    }

    /// The address of an object made here.
    pub(super) fn grow_stack<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (ty, count, align): (TypeId, Option<(TypeId, Operand)>, Option<u64>),
    ) -> Res<Value<D>> {
        let types = &self.m.types;
        let (Some(each), Some(natural)) =
            (self.m.layout.alloc_size(types, ty), self.m.layout.align(types, ty))
        else {
            return self.unsupported("alloca of an unsized type");
        };
        self.needs_whole_pointers()?;
        let each = d.num(64, u128::from(each));
        let bytes = match count {
            Some((ty, count)) => {
                let Value::Scalar(count) = self.settled(d, st, count, ty)? else {
                    return self.unsupported("alloca of a vector of sizes");
                };
                let count = d.zfit(&count.bits, 64);
                d.bin(BitOp::Mul, &count, &each)
            }
            None => each,
        };
        let below = d.add_num(&bytes, i128::from(ALIGN) - 1);
        let mask = d.signed(64, -i128::from(ALIGN));
        let below = d.bin(BitOp::And, &below, &mask);
        let top = stack::pointer(d, &st.stack);
        let mut at = d.sub(&top, &below);
        let align = align.unwrap_or(natural);
        if align > ALIGN {
            let mask = d.signed(64, -i128::from(align));
            at = d.bin(BitOp::And, &at, &mask);
        }
        st.stack = stack::sixteens(d, &at);
        Ok(Value::plain(d, at))
    }

    /// `stacksave`: where the stack ends.
    pub(super) fn save_stack<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<Effect<D>> {
        if self.checks.exact {
            return self.unsupported("stacksave");
        }
        let top = stack::pointer(d, &st.stack);
        self.set_result(st, inst, Value::plain(d, top));
        Ok(Effect::Next)
    }

    /// `stackrestore`: undefined for what no `stacksave` gave, so that the stack ends at a multiple of 16 behind it.
    pub(super) fn restore_stack<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let (false, [Value::Scalar(top)]) = (self.checks.exact, args) else {
            return self.unsupported("stackrestore");
        };
        let bad = top.anything(d);
        self.note_ub(d, st, &bad);
        let odd = stack::is_odd(d, &top.bits);
        self.note_ub(d, st, &odd);
        st.stack = stack::sixteens(d, &top.bits);
        Ok(Effect::Next)
    }
}
