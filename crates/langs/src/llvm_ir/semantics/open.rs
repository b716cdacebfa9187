//! What a program leaves open: undef, of which each use sees another value, and `freeze`, which settles it. Proofs take it
//! as far as each side may; a run on numbers goes through what the source may choose, and shows one choice of the target.

use super::{Ir, Res, Scalar, Side, State, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{BinOp, BlockId, CastOp, Inst, IntPred, Op, Operand};
use crate::llvm_ir::types::TypeId;

/// Most bytes of an object that a run on numbers takes for open before they are stored to.
const LARGEST_OPEN: u64 = 1 << 16;

impl Ir<'_> {
    /// What an object of the source holds that was never stored to, or not since it began to live again, may be anything,
    /// and otherwise each time it is looked at: a run on numbers shows nothing that rests on it.
    pub(super) fn was_never_stored<D: Domain>(&self, d: &mut D, object: &D::Bv, size: u64) {
        if self.side != Side::Source || !self.checks.exact || d.as_const(object).is_none() {
            return;
        }
        for offset in 0..size.min(LARGEST_OPEN) {
            let at = d.add_num(object, i128::from(offset));
            d.leave_open(&at, 0xff);
        }
    }

    /// Notes that the source stores to so many bytes from an address on: they hold something known from then on.
    pub(super) fn holds_from_now<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) {
        if self.side == Side::Source && self.checks.exact {
            d.settle(at, bytes);
        }
    }

    /// In a run on numbers, what a copy makes of bytes that may be anything: those of the source stay so. Of the target's
    /// nothing is shown but where the source's may be anything too.
    pub(super) fn copy_what_is_open<D: Domain>(
        &self,
        d: &mut D,
        to: &D::Bv,
        from: &D::Bv,
        bytes: u64,
    ) -> Res<()> {
        let mut open = Vec::new();
        if d.is_open(from, bytes) {
            for offset in 0..bytes {
                let [from, to] = [from, to].map(|at| d.add_num(at, i128::from(offset)));
                if d.is_open(&from, 1) {
                    open.push((from, to));
                }
            }
        }
        self.holds_from_now(d, to, bytes);
        for (from, to) in open {
            if self.side == Side::Source {
                d.leave_open(&to, 0xff);
            } else if !d.is_open(&to, 1) {
                self.known_in_a_run(d, &from, 1)?;
            }
        }
        self.spelled_out_in_a_run(d, from, bytes)
    }

    /// The bytes of the source with those that are undef chosen, and those that are undef still: of a value that is undef in
    /// part alone zeros are chosen, as the target has them where it widens what was stored. Where choices are followed all are.
    pub(super) fn open_bytes_chosen<D: Domain>(
        &self,
        d: &mut D,
        bits: D::Bv,
        undef: D::Bv,
    ) -> (D::Bv, D::Bv) {
        let none = d.is_zero(&undef);
        if self.side != Side::Source || !self.checks.exact || d.as_bool(&none) == Some(true) {
            return (bits, undef);
        }
        let open: Vec<D::Bv> = (0..d.width(&undef))
            .map(|n| {
                let bit = d.extract(n, n, &undef);
                d.sext(&bit, 8)
            })
            .collect();
        let open = crate::bits::join(d, &open);
        let kept = d.bv_not(&open);
        let bits = d.bv_and(&bits, &kept);
        let whole = d.is_zero(&kept);
        match if d.as_bool(&whole) == Some(true) { None } else { d.pick(d.width(&bits)) } {
            Some(chosen) => {
                let chosen = d.bv_and(&chosen, &open);
                (d.bv_or(&bits, &chosen), d.num(d.width(&undef), 0))
            }
            None => (bits, undef),
        }
    }

    /// A run on numbers must not go on with bits picked for poison or undef where they leave the reach of this
    /// semantics: what it would show of the program is only one of many behaviours.
    pub(crate) fn refuse_concrete<D: Domain>(&self, d: &mut D, s: &Scalar<D>) -> Res<()> {
        let any = s.anything(d);
        if self.side == Side::Source && d.follows_choices() && d.as_bool(&s.undef) != Some(false) {
            return self.unsupported("choices that are not followed");
        }
        if self.side == Side::Source && d.as_bool(&any) == Some(true) && self.shows_numbers(d) {
            return self.unsupported("poison that leaves its block in a concrete run");
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
        if self.side == Side::Source && self.checks.exact && self.undecided().followed {
            value = value.map(d, &mut |d, s| self.chosen(d, s));
        }
        for s in value.scalars() {
            if d.as_bool(&s.undef) == Some(true) || d.follows_choices() {
                self.refuse_concrete(d, s)?;
            }
        }
        let value = self.chosen_by_target(d, &value, format_args!("{operand:?}"));
        if self.side == Side::Source || value.scalars().iter().all(|s| d.as_bool(&s.undef) == Some(false)) {
            return Ok(value);
        }
        // What the target computes of undef may be anything: held against it as poison is.
        Ok(value.map(d, &mut |d, s| {
            let poison = s.anything(d);
            Scalar::with_poison(d, s.bits.clone(), poison)
        }))
    }

    /// A value of the source, which chooses bits for undef, in runs that go through all that it may choose.
    fn chosen<D: Domain>(&self, d: &mut D, s: &Scalar<D>) -> Scalar<D> {
        let fine = d.not(&s.poison);
        let open = d.and(&s.undef, &fine);
        if d.as_bool(&open) == Some(false) {
            return s.clone();
        }
        let Some(bits) = d.pick(d.width(&s.bits)) else { return s.clone() };
        let bits = d.ite(&open, &bits, &s.bits);
        Scalar::with_poison(d, bits, s.poison.clone())
    }

    /// A value of the target with bits for undef where one of its behaviours is shown.
    fn chosen_by_target<D: Domain>(
        &self,
        d: &mut D,
        value: &Value<D>,
        name: std::fmt::Arguments<'_>,
    ) -> Value<D> {
        if self.side != Side::Target || !self.checks.exact {
            return value.clone();
        }
        let mut lane = 0;
        value.map(d, &mut |d, s| {
            lane += 1;
            let fine = d.not(&s.poison);
            let open = d.and(&s.undef, &fine);
            if d.as_bool(&open) == Some(false) {
                return s.clone();
            }
            let width = d.width(&s.bits);
            let bits = match d.pick_of_target(&format!("{name} {lane}"), width) {
                Some(bits) => bits,
                None if d.as_bool(&open) == Some(true) && self.shows_numbers(d) => d.nondet("undef", width),
                None => return s.clone(),
            };
            let bits = d.ite(&open, &bits, &s.bits);
            Scalar::with_poison(d, bits, s.poison.clone())
        })
    }

    /// What the target returns. Where what the source returns is computed of undef it may be one of several numbers for each
    /// use: then so is undef here, in runs that show what differs.
    pub(super) fn returned<D: Domain>(&self, d: &mut D, value: Value<D>) -> Value<D> {
        match self.beside.as_ref().is_some_and(|source| source.undecided().returned) {
            true => self.chosen_by_target(d, &value, format_args!("returned")),
            false => value,
        }
    }

    /// Whether a run is one on numbers.
    pub(super) fn shows_numbers<D: Domain>(&self, d: &mut D) -> bool {
        let probe = d.nondet("probe", 1);
        d.as_const(&probe).is_some()
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
            // An address at any distance from any is any.
            Op::Gep { flags, base_ty, base, .. } if flags.0 == 0 => Some(vec![(*base_ty, *base)]),
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
            _ => self.computed_of_bits(d, st, inst)?,
        };
        // One base is every lane's.
        let lanes_there = result.scalars().len();
        if let [all] = &undef[..] {
            undef = vec![all.clone(); lanes_there];
        }
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
        let source = self.side == Side::Source && self.checks.exact;
        let concrete = source && self.shows_numbers(d);
        let mut lane = 0;
        Ok(v.map(d, &mut |d, s| {
            let bad = s.anything(d);
            lane += 1;
            if source
                && d.as_bool(&bad) != Some(false)
                && let Some(any) = d.pick(d.width(&s.bits))
            {
                // A run has to stand for all that the source may pick.
                let bits = d.ite(&bad, &any, &s.bits);
                return Scalar::plain(d, bits);
            }
            if concrete && d.as_bool(&bad) == Some(true) {
                // Undef permits more than that.
                return Scalar { bits: s.bits.clone(), poison: d.bool(false), undef: d.bool(true) };
            }
            if !own || d.as_bool(&bad) == Some(false) {
                return Scalar::plain(d, s.bits.clone());
            }
            let width = d.width(&s.bits);
            let any = match d.pick_of_target(&format!("frozen {value:?} {lane}"), width) {
                Some(any) => any,
                None => d.nondet("freeze", width),
            };
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
