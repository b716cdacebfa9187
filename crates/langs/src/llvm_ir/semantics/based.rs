//! Which values are based on `noalias` parameters, by a function's text (LLVM LangRef, "Pointer Aliasing Rules" and the
//! attribute `noalias`): what is accessed through a pointer based on one is not accessed through one that is not, where
//! either writes.
//!
//! Two sets say it from both sides: the parameters that a value is based on for certain, and those that it may be based on.
//! Two accesses break the promise where one is in the first set of a parameter and the other not in the second. Where in the
//! function a parameter may have been given away is not asked: once anywhere, what is loaded or returned by a call may be
//! based on it throughout.

use super::Ir;
use super::escape::block_pointers;
use crate::llvm_ir::ast::{CastOp, ConstKind, Inst, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId};

/// A set of `noalias` parameters, one bit each. Those beyond the width promise nothing here.
type Params = u64;

/// What a pointer is based on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Base {
    /// The parameters that it is based on for certain.
    certain: Params,
    /// Those that it may be based on.
    possible: Params,
}

impl Base {
    /// Of a pointer of which nothing is known.
    pub(super) const ANY: Base = Base { certain: 0, possible: !0 };

    /// Whether accesses through two pointers share no byte, if one of them writes.
    pub(super) fn is_apart(self, other: Base) -> bool {
        (self.certain & !other.possible) | (other.certain & !self.possible) != 0
    }
}

/// What the locals of a function are based on.
#[derive(Clone, Debug, Default)]
pub struct Bases {
    locals: Vec<Base>,
    /// The parameters that may have been given away.
    captured: Params,
    /// Stack objects that are only loaded from and stored to, as one pointer each: what they hold is known.
    slots: Vec<LocalId>,
    /// What such an object may hold, and holds for certain, beside [`Bases::slots`].
    held: Vec<Base>,
}

impl Bases {
    /// Reads a function.
    pub(super) fn of(ir: &Ir<'_>) -> Bases {
        let mut locals = vec![Base::default(); ir.f.locals.len()];
        let promised = ir.f.params.iter().filter(|p| {
            matches!(ir.m.types.resolve(p.ty), Type::Ptr(_)) && ir.attr(&p.attrs, "noalias").is_some()
        });
        let bits: Vec<(usize, Params)> =
            promised.take(64).enumerate().map(|(n, p)| (p.local.0 as usize, 1 << n)).collect();
        if bits.is_empty() {
            return Bases::default();
        }
        // What is certain begins with all that instructions define, and shrinks; what is possible begins with none.
        for result in ir.f.insts.iter().filter_map(|i| i.result) {
            locals[result.0 as usize].certain = !0;
        }
        for (local, bit) in bits {
            locals[local] = Base { certain: bit, possible: bit };
        }
        let slots: Vec<LocalId> = ir.f.insts.iter().filter_map(|i| slot(ir, i)).collect();
        let held = vec![Base { certain: !0, possible: 0 }; slots.len()];
        let mut out = Bases { locals, captured: 0, slots, held };
        while out.round(ir) {}
        out
    }

    /// Whether no parameter promises anything.
    pub(super) fn is_empty(&self) -> bool {
        self.locals.is_empty()
    }

    /// What a pointer is based on.
    pub(super) fn base(&self, o: Operand) -> Base {
        match o {
            Operand::Local(l) => self.locals.get(l.0 as usize).copied().unwrap_or_default(),
            // Variables of the module are based on no parameter.
            Operand::Const(_) => Base::default(),
        }
    }

    /// Applies each instruction once; whether anything changed.
    fn round(&mut self, ir: &Ir<'_>) -> bool {
        let before = (self.captured, self.held.clone());
        let mut changed = false;
        for inst in &ir.f.insts {
            self.captured |= self.given_away(ir, inst);
            if let Op::Store { value, ptr, .. } = &inst.op
                && let Some(n) = self.slot_of(*ptr)
            {
                let value = self.base(*value);
                self.held[n].certain &= value.certain;
                self.held[n].possible |= value.possible;
            }
            let Some(result) = inst.result else { continue };
            let (new, old) = (self.made(inst), &mut self.locals[result.0 as usize]);
            let next = Base { certain: old.certain & new.certain, possible: old.possible | new.possible };
            changed |= *old != next;
            *old = next;
        }
        changed || before != (self.captured, self.held.clone())
    }

    fn slot_of(&self, ptr: Operand) -> Option<usize> {
        self.slots.iter().position(|slot| Operand::Local(*slot) == ptr)
    }

    /// What the result of an instruction is based on.
    fn made(&self, inst: &Inst) -> Base {
        let either =
            |a: Base, b: Base| Base { certain: a.certain & b.certain, possible: a.possible | b.possible };
        match &inst.op {
            Op::Gep { base, .. } => self.base(*base),
            Op::Cast { op: CastOp::BitCast, value, .. } | Op::Freeze { value, .. } => self.base(*value),
            Op::Select { then, other, .. } => either(self.base(*then), self.base(*other)),
            Op::Phi { incoming, .. } => {
                let all = incoming.iter().map(|(value, _)| self.base(*value));
                all.reduce(either).unwrap_or_default()
            }
            Op::Load { ptr, .. } => match self.slot_of(*ptr) {
                Some(n) => self.held[n],
                None => Base { certain: 0, possible: self.captured },
            },
            Op::Alloca { .. } | Op::ICmp { .. } | Op::FCmp { .. } => Base::default(),
            // The number may have come from anywhere.
            Op::Cast { op: CastOp::IntToPtr, .. } => Base::ANY,
            op => {
                let mut possible = self.captured;
                op.for_each_operand(|o| possible |= self.base(o).possible);
                Base { certain: 0, possible }
            }
        }
    }

    /// The parameters that an instruction may make known to whoever loads or returns a pointer later.
    fn given_away(&self, ir: &Ir<'_>, inst: &Inst) -> Params {
        let of = |o: Operand| self.base(o).possible;
        match &inst.op {
            Op::Load { .. } | Op::Gep { .. } | Op::Freeze { .. } | Op::Phi { .. } | Op::Select { .. } => 0,
            Op::Cast { op: CastOp::BitCast, .. } | Op::Ret(_) => 0,
            Op::Store { ptr, .. } if self.slot_of(*ptr).is_some() => 0,
            Op::Store { value, .. } => of(*value),
            Op::ICmp { lhs, rhs, .. } => {
                // How far two pointers into one object are apart, or that one is null, tells no address.
                let (a, b) = (self.base(*lhs), self.base(*rhs));
                let all = a.possible | b.possible;
                let same = all & !(a.certain & b.certain) == 0;
                if same || is_null(ir, *lhs) || is_null(ir, *rhs) { 0 } else { all }
            }
            Op::Call(call) => {
                let lifetime = matches!(call.intrinsic, Some((Intrinsic::Lifetime, _)));
                if lifetime || block_pointers(inst).is_some() {
                    return 0;
                }
                ir.handed_on(call).fold(of(call.callee), |all, o| all | of(o))
            }
            other => {
                let mut all = 0;
                other.for_each_operand(|o| all |= of(o));
                all
            }
        }
    }
}

/// Whether an operand is the null pointer, spelled out.
pub(super) fn is_null(ir: &Ir<'_>, o: Operand) -> bool {
    let Operand::Const(c) = o else { return false };
    ir.m.consts.get(c.0 as usize).is_some_and(|c| matches!(c.kind, ConstKind::Null))
}

/// The stack object that an instruction makes, where it is only loaded from and stored to, as a whole and as a pointer.
fn slot(ir: &Ir<'_>, inst: &Inst) -> Option<LocalId> {
    let Op::Alloca { count: None, .. } = inst.op else { return None };
    let local = inst.result?;
    let me = Operand::Local(local);
    let is_pointer = |ty: TypeId| matches!(ir.m.types.resolve(ty), Type::Ptr(_));
    let fine = ir.f.insts.iter().all(|user| {
        let mut uses = false;
        user.op.for_each_operand(|o| uses |= o == me);
        !uses
            || match &user.op {
                Op::Load { ty, access, .. } => is_pointer(*ty) && access.is_plain(),
                Op::Store { ty, value, access, .. } => *value != me && is_pointer(*ty) && access.is_plain(),
                Op::Call(call) => matches!(call.intrinsic, Some((Intrinsic::Lifetime, _))),
                _ => false,
            }
    });
    fine.then_some(local)
}
