//! What a program leaves open: undef, of which each use sees another value, and `freeze`, which settles it. Proofs take it
//! as far as each side may; a run on numbers goes through what the source may choose, and shows one choice of the target.

use super::{Ir, Res, Scalar, Side, State, Value};
use crate::domain::Domain;
use crate::llvm_ir::ast::{BinOp, BlockId, CastOp, Inst, IntPred, Op, Operand};
use crate::llvm_ir::types::TypeId;

impl Ir<'_> {
    /// A run on numbers must not go on with bits picked for poison or undef where they leave the reach of this
    /// semantics: what it would show of the program is only one of many behaviours.
    pub(crate) fn refuse_concrete<D: Domain>(&self, d: &mut D, s: &Scalar<D>) -> Res<()> {
        let any = s.anything(d);
        if self.side == Side::Source && d.as_bool(&any) == Some(true) {
            let probe = d.nondet("probe", 1);
            if d.as_const(&probe).is_some() {
                return self.unsupported("poison that leaves its block in a concrete run");
            }
        }
        Ok(())
    }

    /// The value of an operand that an operation computes with. For undef it takes bits of the semantics' choice,
    /// which a run on numbers must not build on.
    pub(super) fn settled<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        operand: Operand,
        ty: TypeId,
    ) -> Res<Value<D>> {
        let mut value = self.operand(d, st, operand, ty)?;
        if self.side == Side::Source && self.checks.exact && self.only_computes() {
            value = value.map(d, &mut |d, s| {
                let (undef, poison) = (d.as_bool(&s.undef), d.as_bool(&s.poison));
                let width = d.width(&s.bits);
                let open = undef == Some(true) && poison == Some(false);
                match open.then(|| d.pick(width)).flatten() {
                    Some(bits) => Scalar::plain(d, bits),
                    None => s.clone(),
                }
            });
        }
        for s in value.scalars() {
            if d.as_bool(&s.undef) == Some(true) {
                self.refuse_concrete(d, s)?;
            }
        }
        let probe = d.nondet("probe", 1);
        if self.side == Side::Target && self.checks.exact && d.as_const(&probe).is_some() {
            // A run on numbers shows one of the target's behaviours.
            return Ok(value.map(d, &mut |d, s| {
                if d.as_bool(&s.undef) != Some(true) || d.as_bool(&s.poison) != Some(false) {
                    return s.clone();
                }
                let bits = d.nondet("undef", d.width(&s.bits));
                Scalar::plain(d, bits)
            }));
        }
        if self.side == Side::Source || value.scalars().iter().all(|s| d.as_bool(&s.undef) == Some(false)) {
            return Ok(value);
        }
        // What the target computes of undef may be anything: held against it as poison is.
        Ok(value.map(d, &mut |d, s| {
            let poison = s.anything(d);
            Scalar::with_poison(d, s.bits.clone(), poison)
        }))
    }

    /// Whether nothing the function does is undefined where an operand is undef in part: such a value, of which each use
    /// sees another, takes no way and divides nothing.
    fn only_computes(&self) -> bool {
        self.f.insts.iter().all(|inst| match &inst.op {
            Op::CondBr { .. } | Op::Switch { .. } | Op::IndirectBr { .. } => false,
            Op::Binary { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
            _ => true,
        })
    }

    /// The operands of an operation of which the source's result is undef as a whole where one of them is: it may be any
    /// value, for each use anew.
    pub(crate) fn spreads_undef(&self, op: &Op) -> Option<Vec<(TypeId, Operand)>> {
        if self.side == Side::Target || !self.checks.exact || !self.has_undef {
            return None;
        }
        match op {
            Op::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Xor, flags, ty, lhs, rhs } if flags.0 == 0 => {
                Some(vec![(*ty, *lhs), (*ty, *rhs)])
            }
            Op::ICmp { flags, pred: IntPred::Eq | IntPred::Ne, ty, lhs, rhs } if flags.0 == 0 => {
                Some(vec![(*ty, *lhs), (*ty, *rhs)])
            }
            Op::Cast { op: CastOp::Trunc, flags, from, value, .. } if flags.0 == 0 => {
                Some(vec![(*from, *value)])
            }
            _ => None,
        }
    }

    pub(super) fn spread<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        operands: &[(TypeId, Operand)],
    ) -> Res<Value<D>> {
        let mut undef: Vec<D::Bool> = Vec::new();
        for (ty, operand) in operands {
            let value = self.operand(d, st, *operand, *ty)?;
            for (n, s) in value.scalars().into_iter().enumerate() {
                match undef.get_mut(n) {
                    Some(before) => *before = d.or(before, &s.undef),
                    None => undef.push(s.undef.clone()),
                }
            }
        }
        if undef.iter().all(|u| d.as_bool(u) == Some(false)) {
            return self.computed_of_bits(d, st, inst);
        }
        // Lane by lane: those that are undef take none of the bits.
        let result = match &inst.op {
            Op::Binary { op, flags, ty, lhs, rhs } => {
                let (a, b) = (self.operand(d, st, *lhs, *ty)?, self.operand(d, st, *rhs, *ty)?);
                self.binary(d, st, (*op, *flags), self.elem_type(*ty), (&a, &b))?
            }
            Op::ICmp { flags, pred, ty, lhs, rhs } => {
                let (a, b) = (self.operand(d, st, *lhs, *ty)?, self.operand(d, st, *rhs, *ty)?);
                self.icmp(d, *flags, *pred, &a, &b)?
            }
            Op::Cast { op, flags, from, value, to } => {
                let v = self.operand(d, st, *value, *from)?;
                self.cast(d, (*op, *flags, false), &v, *from, *to)?
            }
            _ => return self.computed_of_bits(d, st, inst),
        };
        let mut lanes = undef.into_iter();
        Ok(result.map(d, &mut |d, s| {
            let undef = lanes.next().unwrap_or_else(|| d.bool(false));
            Scalar { bits: s.bits.clone(), poison: s.poison.clone(), undef }
        }))
    }

    /// On the source side the frozen value may be any; on the target side it
    /// is arbitrary. The bits of a poison argument, or result of a call, are arbitrary themselves: where the target
    /// freezes one such value once, they are what it gets, and what the source picks.
    pub(super) fn freeze<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        ty: TypeId,
        value: Operand,
    ) -> Res<Value<D>> {
        let v = self.operand(d, st, value, ty)?;
        let own = self.side == Side::Target && !self.freezes_one_input(value);
        let probe = d.nondet("probe", 1);
        let concrete = self.side == Side::Source && self.checks.exact && d.as_const(&probe).is_some();
        Ok(v.map(d, &mut |d, s| {
            let bad = s.anything(d);
            if concrete && d.as_bool(&bad) == Some(true) {
                // A run on numbers has to stand for all that the source may pick: undef permits more than that.
                let width = d.width(&s.bits);
                if let Some(bits) = d.pick(width) {
                    return Scalar::plain(d, bits);
                }
                return Scalar { bits: s.bits.clone(), poison: d.bool(false), undef: d.bool(true) };
            }
            if !own || d.as_bool(&bad) == Some(false) {
                return Scalar::plain(d, s.bits.clone());
            }
            let width = d.width(&s.bits);
            let any = d.nondet("freeze", width);
            let bits = d.ite(&bad, &any, &s.bits);
            Scalar::plain(d, bits)
        }))
    }

    /// Whether the one `freeze` of the function is of a parameter or of what a call returned, and runs once.
    fn freezes_one_input(&self, value: Operand) -> bool {
        let Operand::Local(local) = value else { return false };
        let frozen = |i: &&Inst| matches!(i.op, Op::Freeze { .. });
        let once = self.f.insts.iter().filter(frozen).count() == 1
            && self.f.block_insts(BlockId(0)).iter().filter(frozen).count() == 1;
        let input = match self.f.locals.get(local.0 as usize).map(|l| l.def) {
            Some(Some(at)) => match self.f.insts.get(at as usize).map(|i| &i.op) {
                Some(Op::Call(call)) => call.intrinsic.is_none() && !self.pure_call(call),
                _ => false,
            },
            Some(None) => true,
            None => false,
        };
        self.poison_inputs && once && input
    }
}
