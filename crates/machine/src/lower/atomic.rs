//! Atomic builtins, as plain memory accesses of one thread.

use super::func::FnLower;
use super::ops;
use super::place::Place;
use crate::bytecode::{Insn, Reg};
use crate::class::Scalar;
use csyntax::tree::{AtomicOp, ExprId, Op};
use csyntax::types::{Ty, TyKind};

/// A register; `Err` has the one that stands behind something unsupported, where control never comes.
type Lowered = Result<Reg, Reg>;

/// What an operation that reads, computes and writes does.
struct Fetch {
    operator: Op,
    /// The result is complemented before it is stored.
    negated: bool,
    /// Gives what was there before, instead of what is there now.
    before: bool,
}

impl FnLower<'_, '_> {
    /// An atomic builtin; the result is a register, which means nothing where the builtin gives none.
    pub(super) fn atomic(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Reg {
        let fetch = |operator, before| Fetch { operator, negated: false, before };
        let nand = |before| Fetch { operator: Op::And, negated: true, before };
        let lowered = match op {
            AtomicOp::AlwaysLockFree | AtomicOp::IsLockFree => Ok(self.konst(want, 1, 0)),
            AtomicOp::ThreadFence | AtomicOp::SignalFence | AtomicOp::SyncSynchronize => {
                args.iter().for_each(|a| self.discard(*a));
                Ok(want.unwrap_or(0))
            }
            AtomicOp::FetchAdd => self.fetch(fetch(Op::Add, true), args, want),
            AtomicOp::AddFetch => self.fetch(fetch(Op::Add, false), args, want),
            AtomicOp::FetchSub => self.fetch(fetch(Op::Sub, true), args, want),
            AtomicOp::SubFetch => self.fetch(fetch(Op::Sub, false), args, want),
            AtomicOp::FetchAnd => self.fetch(fetch(Op::And, true), args, want),
            AtomicOp::AndFetch => self.fetch(fetch(Op::And, false), args, want),
            AtomicOp::FetchOr => self.fetch(fetch(Op::Or, true), args, want),
            AtomicOp::OrFetch => self.fetch(fetch(Op::Or, false), args, want),
            AtomicOp::FetchXor => self.fetch(fetch(Op::Xor, true), args, want),
            AtomicOp::XorFetch => self.fetch(fetch(Op::Xor, false), args, want),
            AtomicOp::FetchNand => self.fetch(nand(true), args, want),
            AtomicOp::NandFetch => self.fetch(nand(false), args, want),
            AtomicOp::LoadN | AtomicOp::Load => self.atomic_load(op, args, want),
            AtomicOp::StoreN | AtomicOp::Store => self.atomic_store(op, args),
            AtomicOp::ExchangeN | AtomicOp::SyncLockTestAndSet | AtomicOp::Exchange => {
                self.exchange(op, args, want)
            }
            AtomicOp::CompareExchangeN | AtomicOp::CompareExchange => self.compare_exchange(op, args, want),
            AtomicOp::SyncBoolCas | AtomicOp::SyncValCas => self.compare_and_swap(op, args, want),
            AtomicOp::TestAndSet | AtomicOp::Clear | AtomicOp::SyncLockRelease => {
                self.atomic_flag(op, args, want)
            }
        };
        lowered.unwrap_or_else(|reg| reg)
    }

    /// What operand `n`, a pointer, points to.
    fn target(&mut self, args: &[ExprId], n: usize) -> Result<Place, Reg> {
        let Some(&e) = args.get(n) else {
            return Err(self.unsupported("an atomic builtin with too few operands"));
        };
        let to = match self.lw.unit.types.kind(self.lw.unit[e].ty.ty) {
            TyKind::Pointer(to) => *to,
            _ => Ty::INT.into(),
        };
        let p = self.value(e, None);
        let d = self.temp();
        self.emit(Insn::Mov { d, a: p });
        let place = self.pointee(d, to);
        Ok(Place { ty: to, ..place })
    }

    /// What the builtin works on: what its first operand points to.
    fn object(&mut self, args: &[ExprId]) -> Result<Place, Reg> {
        let place = self.target(args, 0)?;
        if self.scalar(place.ty.ty).is_none() {
            return Err(self.unsupported("an atomic builtin on this type"));
        }
        Ok(place)
    }

    /// The value of operand `n`, as the place holds it.
    fn operand(&mut self, args: &[ExprId], n: usize, place: &Place) -> Lowered {
        let Some(&e) = args.get(n) else {
            return Err(self.unsupported("an atomic builtin with too few operands"));
        };
        let reg = self.value(e, None);
        let (from, to) = (self.scalar(self.lw.unit[e].ty.ty), self.scalar(place.ty.ty));
        let d = self.temp();
        Ok(match (from, to) {
            (Some(from), Some(to)) => self.convert_reg(reg, from, to, Some(d)),
            _ => reg,
        })
    }

    fn fetch(&mut self, fetch: Fetch, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        let value = self.operand(args, 1, &place)?;
        let old = self.load(place, None);
        let scalar = self.scalar(place.ty.ty).unwrap_or(Scalar::I32);
        let new = self.temp();
        // Atomic arithmetic wraps around (C11 7.17.7.5p3): done unsigned, then narrowed.
        let wrap = match scalar.bytes(8) {
            16 => Scalar::U128,
            8 => Scalar::U64,
            _ => Scalar::U32,
        };
        let raw = if scalar == Scalar::Ptr { Scalar::U64 } else { wrap };
        if let Some(insn) = ops::binary(fetch.operator, raw, new, old, value) {
            self.emit(insn);
        }
        if fetch.negated {
            self.emit(Insn::Not { d: new, a: new });
        }
        if scalar == Scalar::Ptr {
            // The provenance of the old pointer stays.
            let by = self.temp();
            self.emit(Insn::SubU64 { d: by, a: new, b: old });
            self.emit(Insn::POff { d: new, p: old, o: by });
        } else {
            self.narrow(new, scalar);
        }
        let old_copy = self.temp();
        self.emit(Insn::Mov { d: old_copy, a: old });
        self.store(place, new, false);
        Ok(self.mov(want, if fetch.before { old_copy } else { new }))
    }

    fn atomic_load(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        if op == AtomicOp::LoadN {
            return Ok(self.load(place, want));
        }
        let value = self.load(place, None);
        let out = self.target(args, 1)?;
        self.store(out, value, false);
        Ok(value)
    }

    fn atomic_store(&mut self, op: AtomicOp, args: &[ExprId]) -> Lowered {
        let place = self.object(args)?;
        let value = if op == AtomicOp::StoreN {
            self.operand(args, 1, &place)?
        } else {
            let from = self.target(args, 1)?;
            self.load(from, None)
        };
        self.store(place, value, false);
        Ok(value)
    }

    fn exchange(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        if op == AtomicOp::Exchange {
            let (from, to) = (self.target(args, 1)?, self.target(args, 2)?);
            let new = self.load(from, None);
            let old = self.load(place, None);
            self.store(place, new, false);
            self.store(to, old, false);
            return Ok(old);
        }
        let value = self.operand(args, 1, &place)?;
        let old = self.load(place, None);
        self.store(place, value, false);
        Ok(self.mov(want, old))
    }

    /// `__atomic_compare_exchange(_n)`: 1 and the new value stored, or 0 and what is there noted as expected.
    fn compare_exchange(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        let expected = self.target(args, 1)?;
        let new = if op == AtomicOp::CompareExchangeN {
            self.operand(args, 2, &place)?
        } else {
            let from = self.target(args, 2)?;
            self.load(from, None)
        };
        let (old, wanted) = (self.load(place, None), self.load(expected, None));
        let d = self.dst(want);
        let (differ, end) = (self.label(), self.label());
        self.emit(Insn::JNe { a: old, b: wanted, t: differ.0 });
        self.store(place, new, false);
        self.emit(Insn::K { d, k: 1 });
        self.jump(end);
        self.place_label(differ);
        self.store(expected, old, false);
        self.emit(Insn::K { d, k: 0 });
        self.place_label(end);
        Ok(d)
    }

    /// `__sync_bool_compare_and_swap`, `__sync_val_compare_and_swap`.
    fn compare_and_swap(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        let (expected, new) = (self.operand(args, 1, &place)?, self.operand(args, 2, &place)?);
        let old = self.load(place, None);
        let differ = self.label();
        self.emit(Insn::JNe { a: old, b: expected, t: differ.0 });
        self.store(place, new, false);
        self.place_label(differ);
        if op == AtomicOp::SyncValCas {
            return Ok(self.mov(want, old));
        }
        let d = self.dst(want);
        self.emit(Insn::CEq { d, a: old, b: expected });
        Ok(d)
    }

    /// Sets a flag and gives what it was, or clears it.
    fn atomic_flag(&mut self, op: AtomicOp, args: &[ExprId], want: Option<Reg>) -> Lowered {
        let place = self.object(args)?;
        if op != AtomicOp::TestAndSet {
            let zero = self.konst(None, 0, 0);
            self.store(place, zero, false);
            return Ok(zero);
        }
        let old = self.load(place, None);
        let one = self.konst(None, 1, 0);
        self.store(place, one, false);
        let d = self.dst(want);
        self.emit(Insn::ToBool { d, a: old });
        Ok(d)
    }
}
