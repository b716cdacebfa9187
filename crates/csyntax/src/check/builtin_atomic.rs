//! `__atomic_*` and `__sync_*`: operands keep the type of what the first one points to.

use super::convert::Purpose;
use super::{At, Checker};
use crate::ast;
use crate::tree::{AtomicOp, Builtin, ExprId, ExprKind};
use crate::types::Ty;

/// What the operands and the result of an atomic builtin are.
#[derive(Copy, Clone)]
enum Shape {
    /// `T f(T *p, ...)`: `.0` operands of type T after the pointer, then memory orders.
    Value(usize),
    /// `void f(T *p, T *q, ...)`: `.0` pointers in all, then memory orders.
    Pointers(usize),
    /// `bool f(T *p, T *expected, T desired, ...)`.
    CompareValue,
    /// `bool f(T *p, T *expected, T *desired, ...)`.
    ComparePointers,
    /// `void f(T *p, T v, ...)`.
    Store,
    /// `bool f(T *p, T old, T new)`.
    BoolCas,
    /// `void f(T *p)`.
    Release,
    /// `bool f(void *p, int)`.
    Flag,
    /// `void f(void *p, int)`.
    ClearFlag,
    /// `void f(int)`; no operands for `__sync_synchronize`.
    Fence,
    /// `bool f(size_t, void *)`.
    LockFree,
}

fn shape(name: &str) -> Option<(AtomicOp, Shape)> {
    use AtomicOp as O;
    // Sized forms (`__sync_fetch_and_add_4`) mean the same.
    let sizes = ["_16", "_8", "_4", "_2", "_1"];
    let name = sizes.iter().find_map(|s| name.strip_suffix(s)).unwrap_or(name);
    Some(match name {
        "__atomic_load_n" | "__atomic_load_" => (O::LoadN, Shape::Value(0)),
        "__atomic_load" => (O::Load, Shape::Pointers(2)),
        "__atomic_store_n" => (O::StoreN, Shape::Store),
        "__atomic_store" => (O::Store, Shape::Pointers(2)),
        "__atomic_exchange_n" => (O::ExchangeN, Shape::Value(1)),
        "__atomic_exchange" => (O::Exchange, Shape::Pointers(3)),
        "__atomic_compare_exchange_n" => (O::CompareExchangeN, Shape::CompareValue),
        "__atomic_compare_exchange" => (O::CompareExchange, Shape::ComparePointers),
        "__atomic_fetch_add" | "__sync_fetch_and_add" => (O::FetchAdd, Shape::Value(1)),
        "__atomic_fetch_sub" | "__sync_fetch_and_sub" => (O::FetchSub, Shape::Value(1)),
        "__atomic_fetch_and" | "__sync_fetch_and_and" => (O::FetchAnd, Shape::Value(1)),
        "__atomic_fetch_or" | "__sync_fetch_and_or" => (O::FetchOr, Shape::Value(1)),
        "__atomic_fetch_xor" | "__sync_fetch_and_xor" => (O::FetchXor, Shape::Value(1)),
        "__atomic_fetch_nand" | "__sync_fetch_and_nand" => (O::FetchNand, Shape::Value(1)),
        "__atomic_add_fetch" | "__sync_add_and_fetch" => (O::AddFetch, Shape::Value(1)),
        "__atomic_sub_fetch" | "__sync_sub_and_fetch" => (O::SubFetch, Shape::Value(1)),
        "__atomic_and_fetch" | "__sync_and_and_fetch" => (O::AndFetch, Shape::Value(1)),
        "__atomic_or_fetch" | "__sync_or_and_fetch" => (O::OrFetch, Shape::Value(1)),
        "__atomic_xor_fetch" | "__sync_xor_and_fetch" => (O::XorFetch, Shape::Value(1)),
        "__atomic_nand_fetch" | "__sync_nand_and_fetch" => (O::NandFetch, Shape::Value(1)),
        "__atomic_test_and_set" => (O::TestAndSet, Shape::Flag),
        "__atomic_clear" => (O::Clear, Shape::ClearFlag),
        "__atomic_thread_fence" => (O::ThreadFence, Shape::Fence),
        "__atomic_signal_fence" => (O::SignalFence, Shape::Fence),
        "__atomic_always_lock_free" => (O::AlwaysLockFree, Shape::LockFree),
        "__atomic_is_lock_free" => (O::IsLockFree, Shape::LockFree),
        "__sync_bool_compare_and_swap" => (O::SyncBoolCas, Shape::BoolCas),
        "__sync_val_compare_and_swap" => (O::SyncValCas, Shape::Value(2)),
        "__sync_lock_test_and_set" => (O::SyncLockTestAndSet, Shape::Value(1)),
        "__sync_lock_release" => (O::SyncLockRelease, Shape::Release),
        "__sync_synchronize" => (O::SyncSynchronize, Shape::Fence),
        _ => return None,
    })
}

impl Checker<'_> {
    /// A call of an atomic builtin; `None` if there is none of that name.
    pub(super) fn atomic_call(&mut self, name: &str, args: &[ast::ExprId], at: At) -> Option<ExprId> {
        let (op, shape) = shape(name)?;
        let values: Vec<ExprId> = args.iter().map(|&a| self.rvalue(a)).collect();
        if values.iter().any(|&v| self.is_poison(v)) {
            return Some(self.poison(at));
        }
        let pointed = values.first().and_then(|&v| self.pointee(self.ty(v))).map(|to| self.plain(to.ty));
        // (operands of the pointee's type, pointers, result)
        let (typed, pointers, least, result) = match shape {
            Shape::Value(n) => (1..1 + n, 0..1, 1 + n, pointed),
            Shape::Pointers(n) => (0..0, 0..n, n, Some(Ty::VOID)),
            Shape::CompareValue => (2..3, 0..2, 3, Some(Ty::BOOL)),
            Shape::ComparePointers => (0..0, 0..3, 3, Some(Ty::BOOL)),
            Shape::Store => (1..2, 0..1, 2, Some(Ty::VOID)),
            Shape::BoolCas => (1..3, 0..1, 3, Some(Ty::BOOL)),
            Shape::Release => (0..0, 0..1, 1, Some(Ty::VOID)),
            Shape::Flag => (0..0, 0..1, 1, Some(Ty::BOOL)),
            Shape::ClearFlag => (0..0, 0..1, 1, Some(Ty::VOID)),
            Shape::Fence => (0..0, 0..0, 0, Some(Ty::VOID)),
            Shape::LockFree => (0..0, 0..0, 1, Some(Ty::BOOL)),
        };
        let wrong =
            values.len() < least || !values[pointers.clone()].iter().all(|&v| self.is_pointer(self.ty(v)));
        let Some(result) = result.filter(|_| !wrong) else {
            return Some(self.error_expr(at, format!("wrong operands for '{name}'")));
        };
        let mut made = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            made.push(match pointed {
                Some(ty) if typed.contains(&index) => {
                    let arg_at = self.at(args[index]);
                    self.sync_operand(value, ty, arg_at)
                }
                _ => value,
            });
        }
        let id = self.push(ExprKind::Builtin(Builtin::Atomic(op), made), result, at);
        if op == AtomicOp::AlwaysLockFree
            && let ExprKind::Builtin(_, args) = self.kind(id)
            && let Some(size) = args.first().and_then(|&a| self.int_of(a))
        {
            let free = size <= u128::from(self.types().target.pointer_bytes);
            self.set_const(id, super::fold::Const::Int(free.into()));
        }
        Some(id)
    }

    /// Operands may be integers where the object is a pointer, and the other way round.
    fn sync_operand(&mut self, value: ExprId, ty: Ty, at: At) -> ExprId {
        let from = self.ty(value);
        if self.is_scalar(from) && self.is_scalar(ty) && self.is_pointer(from) != self.is_pointer(ty) {
            return self.coerce(value, ty);
        }
        self.assign_convert(value, ty.into(), Purpose::Argument, at)
    }
}
