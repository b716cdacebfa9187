//! What the source's calls of `memcmp`, `bcmp` and `strlen` come to, spelled out, where the target makes no such call:
//! optimisers turn those of short known lengths, and lengths that are only compared with zero, into loads.
//!
//! The sign of `memcmp`'s result is decided, which number of that sign is not. The source may return any, so that a proof
//! may take the one that suits the target; a run on numbers has to stand for all of them.

use super::{Effect, Ir, Res, Scalar, Side, State, Value};
use crate::assumption::Assumption;
use crate::bits;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{BinOp, Call, ConstKind, Inst, IntPred, LocalId, Op, Operand};
use crate::llvm_ir::types::Types;
use std::collections::BTreeSet;

/// The longest blocks whose comparison is spelled out, in bytes.
const LONGEST: u64 = 16;

/// Functions that compare blocks of memory.
pub(super) const COMPARING: &[&str] = &["memcmp", "bcmp"];

/// A call that is spelled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spelled {
    /// `memcmp` (`bcmp`, where the order is not told) of so many bytes.
    Blocks { bytes: u32, ordered: bool },
    /// `strlen` that is only compared with zero.
    IsEmpty,
}

impl Ir<'_> {
    /// The functions of the library that the function calls, all calls of which have a meaning here: a difference in what
    /// they lead to is one of the programs.
    pub(crate) fn functions_spelled_out(&self) -> BTreeSet<String> {
        let (mut all, mut others) = (BTreeSet::new(), BTreeSet::new());
        for inst in &self.f.insts {
            let Op::Call(call) = &inst.op else { continue };
            let Some(name) = self.callee_name(call).filter(|_| call.intrinsic.is_none()) else { continue };
            let declared = self.callee(call).is_some_and(|f| !f.defined);
            let computed = matches!(name, "ffs" | "ffsl" | "ffsll" | "fabs" | "fabsf")
                && inst.result.is_some()
                && !call.flags.any_math();
            let known = name == "strlen" && call.args.first().is_some_and(|a| self.is_constant_text(a.value));
            if declared && (computed || known || self.spelled(inst, call).is_some()) {
                all.insert(name.to_owned());
            } else {
                others.insert(name.to_owned());
            }
        }
        all.retain(|name| !others.contains(name));
        all
    }

    /// Whether a call leaves memory alone and is no event, as its meaning is spelled out.
    pub(crate) fn is_spelled_out(&self, inst: &Inst) -> bool {
        matches!(&inst.op, Op::Call(call) if self.spelled(inst, call).is_some())
    }

    fn spelled(&self, inst: &Inst, call: &Call) -> Option<Spelled> {
        if self.side == Side::Target || !self.checks.exact || call.intrinsic.is_some() {
            return None;
        }
        let (name, result) = (self.callee_name(call)?, inst.result?);
        let beside = self.beside.as_ref()?;
        let defined = |ir: &Ir<'_>| {
            let id = ir.m.names.get(name);
            ir.m.functions.iter().any(|f| Some(f.name) == id && f.defined)
        };
        if defined(self) || defined(beside) {
            return None;
        }
        let alike: &[&str] = if name == "strlen" { &["strlen", "strnlen"] } else { COMPARING };
        if !self.target_is_without(alike) || self.scalar_bits(call.ret).is_err() {
            return None;
        }
        match (name, &call.args[..]) {
            ("memcmp" | "bcmp", [_, _, length]) => {
                let bytes = u64::try_from(self.small_constant(length.value)?).ok()?;
                let bytes = u32::try_from(bytes).ok().filter(|n| (1..=LONGEST).contains(&u64::from(*n)))?;
                Some(Spelled::Blocks { bytes, ordered: name == "memcmp" })
            }
            ("strlen", [_]) if self.only_compared_with_zero(result) => Some(Spelled::IsEmpty),
            _ => None,
        }
    }

    /// Whether the function beside this one calls none of these.
    pub(super) fn target_is_without(&self, names: &[&str]) -> bool {
        let Some(beside) = &self.beside else { return false };
        let calls = |i: &Inst| match &i.op {
            Op::Call(c) => beside.callee_name(c).is_some_and(|n| names.contains(&n)),
            _ => false,
        };
        !beside.f.insts.iter().any(calls)
    }

    /// Whether an operand is the address of text in a constant whose length is known.
    fn is_constant_text(&self, operand: Operand) -> bool {
        let Operand::Const(c) = operand else { return false };
        let d = &mut smt::Concrete::new(0);
        match self.constant(d, c, Types::PTR) {
            Ok(Value::Scalar(text)) => self.length_of_constant(d, &text).is_some(),
            Ok(Value::Aggregate(_)) | Err(_) => false,
        }
    }

    /// Runs a call that is spelled out; none of others.
    pub(super) fn spelled_call<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
    ) -> Res<Option<Effect<D>>> {
        let Some(spelled) = self.spelled(inst, call) else { return Ok(None) };
        let width = self.scalar_bits(call.ret)?;
        let result = match spelled {
            Spelled::Blocks { bytes, ordered } => {
                self.assume(Assumption::MemcmpOfTheLibrary);
                let a = self.block_compared(d, st, call, 0, bytes)?;
                let b = self.block_compared(d, st, call, 1, bytes)?;
                self.compared(d, inst, (&a, &b), ordered, width)
            }
            Spelled::IsEmpty => {
                self.note_library(d);
                let first = self.block_compared(d, st, call, 0, 1)?;
                let empty = d.is_zero(&first);
                let some = d.not(&empty);
                let bit = d.bool_to_bv(&some);
                let bits = d.zfit(&bit, width);
                Scalar::plain(d, bits)
            }
        };
        self.set_result(st, inst, Value::Scalar(result));
        Ok(Some(Effect::Next))
    }

    /// The bytes behind a pointer argument, which the call reads.
    fn block_compared<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        n: usize,
        bytes: u32,
    ) -> Res<D::Bv> {
        let arg = &call.args[n];
        let s = self.scalar(d, st, arg.value, arg.ty)?;
        let bad = s.anything(d);
        self.note_ub(d, st, &bad);
        self.check_block(d, st, (&s.bits, arg.value), u64::from(bytes), false);
        self.known_in_a_run(d, &s.bits, u64::from(bytes))?;
        let mem = self.memory_with_constant(d, &st.mem, &s.bits, u64::from(bytes));
        Ok(d.load(&mem, &s.bits, bytes))
    }

    /// What a comparison returns: zero, or a number of the sign that the first byte decides that differs.
    fn compared<D: Domain>(
        &self,
        d: &mut D,
        inst: &Inst,
        (a, b): (&D::Bv, &D::Bv),
        ordered: bool,
        width: u32,
    ) -> Scalar<D> {
        let (same, zero) = (d.eq(a, b), d.num(width, 0));
        let (below, above) = self.unequal(width);
        let (below, above) = (d.signed(width, below), d.signed(width, above));
        let (p, q) = (bits::byte_swap(d, a), bits::byte_swap(d, b));
        let less = d.ult(&p, &q);
        let byte = d.width(a) == 8 && width > 8 && self.target_subtracts();
        let unequal = match (ordered, byte) {
            (true, true) => {
                let (x, y) = (d.zfit(a, width), d.zfit(b, width));
                d.sub(&x, &y)
            }
            (true, false) => d.ite(&less, &below, &above),
            (false, _) => above,
        };
        let bits = d.ite(&same, &zero, &unequal);
        let probe = d.nondet("probe", 1);
        let run = d.as_const(&probe).is_some();
        let told = inst.result.is_none_or(|l| {
            self.only_signs_matter(l, ordered)
                || (ordered && !byte && self.only_returned(l) && self.target_returns(width))
        });
        if run && !told && d.as_bool(&same) == Some(false) {
            return Scalar { bits, poison: d.bool(false), undef: d.bool(true) };
        }
        Scalar::plain(d, bits)
    }

    /// Numbers below and above zero that the source may return: those that the target has, where it has some.
    fn unequal(&self, width: u32) -> (i128, i128) {
        let (mut below, mut above) = (None, None);
        let Some(beside) = &self.beside else { return (-1, 1) };
        for inst in &beside.f.insts {
            if !matches!(inst.op, Op::Ret(_) | Op::Select { .. } | Op::Phi { .. }) {
                continue;
            }
            inst.op.for_each_operand(|o| {
                let Operand::Const(c) = o else { return };
                let Some(c) = beside.m.consts.get(c.0 as usize) else { return };
                let int =
                    matches!(c.kind, ConstKind::Int(_)) && beside.m.types.int_width(c.ty) == Some(width);
                match beside.small_constant(o).filter(|_| int) {
                    Some(n) if n < 0 => below = below.or(Some(i128::from(n))),
                    Some(n) if n > 0 => above = above.or(Some(i128::from(n))),
                    Some(_) | None => {}
                }
            });
        }
        (below.unwrap_or(-1), above.unwrap_or(1))
    }

    /// Whether the target has a difference: of single bytes it is what they compare to.
    fn target_subtracts(&self) -> bool {
        let subtracts = |i: &Inst| matches!(i.op, Op::Binary { op: BinOp::Sub, .. });
        self.beside.as_ref().is_some_and(|other| other.f.insts.iter().any(subtracts))
    }

    /// Whether a value is returned and nothing else.
    fn only_returned(&self, local: LocalId) -> bool {
        self.f.insts.iter().all(|inst| {
            let mut used = false;
            inst.op.for_each_operand(|o| used |= o == Operand::Local(local));
            !used || matches!(inst.op, Op::Ret(_))
        })
    }

    /// Whether the target returns only zero and the numbers that the source returns for what is less and for what is not:
    /// then another result of the target has another sign.
    fn target_returns(&self, width: u32) -> bool {
        let Some(beside) = &self.beside else { return false };
        let (mut todo, mut seen, mut numbers) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        todo.extend(beside.f.insts.iter().filter_map(|i| match &i.op {
            Op::Ret(value) => value.map(|(_, v)| v),
            _ => None,
        }));
        while let Some(operand) = todo.pop() {
            match operand {
                Operand::Local(local) if !seen.insert(local) => {}
                Operand::Local(local) => {
                    let def = beside.f.locals.get(local.0 as usize).and_then(|l| l.def);
                    match def.and_then(|n| beside.f.insts.get(n as usize)).map(|i| &i.op) {
                        Some(Op::Select { then, other, .. }) => todo.extend([*then, *other]),
                        Some(Op::Phi { incoming, .. }) => todo.extend(incoming.iter().map(|i| i.0)),
                        _ => return false,
                    }
                }
                Operand::Const(c) => {
                    let c = beside.m.consts.get(c.0 as usize);
                    let int = c.is_some_and(|c| {
                        matches!(c.kind, ConstKind::Int(_)) && beside.m.types.int_width(c.ty) == Some(width)
                    });
                    match beside.small_constant(operand).filter(|_| int) {
                        Some(n) => numbers.insert(n),
                        None => return false,
                    };
                }
            }
        }
        let (below, above) = self.unequal(width);
        numbers.into_iter().map(i128::from).all(|n| n == 0 || n == below || n == above)
    }

    /// Whether a result is only asked for its sign, or only whether it is zero where the sign is not decided.
    fn only_signs_matter(&self, local: LocalId, ordered: bool) -> bool {
        self.f.insts.iter().all(|inst| {
            let mut used = false;
            inst.op.for_each_operand(|o| used |= o == Operand::Local(local));
            match &inst.op {
                Op::ICmp { pred, lhs, rhs, .. } if used => {
                    let equality = matches!(pred, IntPred::Eq | IntPred::Ne);
                    let signed = matches!(pred, IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge);
                    let zero = self.small_constant(*rhs) == Some(0) && *lhs == Operand::Local(local);
                    zero && (equality || (signed && ordered))
                }
                _ => !used,
            }
        })
    }
}
