//! Address spaces that are segments of x86 (LLVM's "X86 address spaces"): 256 is counted from `gs`, 257 from `fs`, 258 from
//! `ss`. For the operating systems whose convention is modelled `fs` leads to what the thread has of its own, so that an access in 257
//! is one of ordinary memory at the thread pointer and the number, and meets whatever other pointers lead there. Where the
//! other two begin is not known.
//!
//! That is what clang's stack protectors rest on: the guard is a volatile load at 40 in 257, made anew where the function
//! returns. Volatile loads are events, so that both programs are given the same guard at corresponding loads and nothing else
//! is known of it: a target that leaves one out, or compares another word, is another program.

use super::{Effect, Ir, Res, State, Value};
use crate::domain::Domain;
use crate::llvm_ir::ast::{Call, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::objects::THREAD_POINTER;

/// What the addresses of an address space are counted from.
enum CountedFrom {
    /// Nothing: they are addresses of memory.
    Zero,
    /// The thread pointer.
    Thread,
    /// A segment register that nothing is known of.
    Unknown(&'static str),
}

impl Ir<'_> {
    /// The address space that a pointer leads into.
    pub(super) fn space_of(&self, pointer: Operand) -> u32 {
        let ty = match pointer {
            Operand::Local(local) => self.f.locals.get(local.0 as usize).map(|l| l.ty),
            Operand::Const(c) => self.m.consts.get(c.0 as usize).map(|c| c.ty),
        };
        ty.map_or(0, |ty| self.space(ty))
    }

    fn space(&self, ty: TypeId) -> u32 {
        match self.m.types.resolve(ty) {
            Type::Ptr(space) => *space,
            _ => 0,
        }
    }

    fn counted_from(&self, space: u32) -> CountedFrom {
        let x86 = !self.checks.exact || self.m.triple.starts_with("x86_64");
        match space {
            256 if x86 => CountedFrom::Unknown("access in address space 256 (the segment register gs)"),
            257 if x86 => CountedFrom::Thread,
            258 if x86 => CountedFrom::Unknown("access in address space 258 (the segment register ss)"),
            _ => CountedFrom::Zero,
        }
    }

    /// An address of memory, from a pointer's number.
    pub(super) fn in_memory<D: Domain>(&self, d: &mut D, pointer: Operand, at: D::Bv) -> Res<D::Bv> {
        match self.counted_from(self.space_of(pointer)) {
            CountedFrom::Zero => Ok(at),
            CountedFrom::Unknown(what) => self.unsupported(what),
            // What is known of objects is known of their places in memory.
            CountedFrom::Thread
                if self.place_in_object(pointer).is_some() || self.global_of(pointer).is_some() =>
            {
                self.unsupported("object in a segment")
            }
            CountedFrom::Thread => {
                let start = d.symbol(THREAD_POINTER, 64);
                Ok(d.add(&at, &start))
            }
        }
    }

    /// Whether a load is of the word at the thread pointer, which by the convention is the thread pointer.
    pub(super) fn is_thread_word<D: Domain>(
        &self,
        d: &mut D,
        pointer: Operand,
        at: &D::Bv,
        bytes: u64,
    ) -> bool {
        let start = d.symbol(THREAD_POINTER, 64);
        bytes == 8 && matches!(self.counted_from(self.space_of(pointer)), CountedFrom::Thread) && *at == start
    }

    /// Refuses a call whose arguments are pointers into segments: what intrinsics and assembly do with them is not followed.
    pub(super) fn needs_plain_pointers(&self, call: &Call) -> Res<()> {
        let plain = |ty| matches!(self.counted_from(self.space(ty)), CountedFrom::Zero);
        match call.args.iter().all(|a| plain(a.ty)) {
            true => Ok(()),
            false => self.unsupported("pointer into a segment handed to an intrinsic or to assembly"),
        }
    }

    /// `stackprotector`: the guard goes into its slot. (Of selectors one makes the store volatile and another does not:
    /// that is not the source's.)
    pub(super) fn keep_guard<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let [Value::Scalar(guard), Value::Scalar(slot)] = args else {
            return self.unsupported("stackprotector");
        };
        let bytes = u64::from(d.width(&guard.bits) / 8);
        self.check_access(d, st, (slot, call.args[1].value), (bytes, bytes), true);
        self.refuse_concrete(d, guard)?;
        st.mem = d.store(&st.mem, &slot.bits, &guard.bits);
        Ok(Effect::Next)
    }
}
