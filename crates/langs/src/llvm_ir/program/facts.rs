//! What a function's text says of the values at a point, as candidates for relations: which comparisons were passed on
//! every way there, and what values are made of that are live beside what they are made of.
//!
//! In SSA form both stay true as long as the values are live together. They are guesses all the same, which a proof
//! confirms or drops: loops that count up to `n` need that the counter is below `n`, and of sums hoisted out of a loop
//! no pair of variables of both sides says what they are.

use super::{Program, Var};
use crate::llvm_ir::ast::{BinOp, BlockId, CastOp, ConstKind, Inst, IntPred, LocalId, Op, Operand};
use crate::llvm_ir::types::{FloatKind, Type, TypeId, Types};
use equiv::{Constraint, Expr, PointId, Shape, Side};
use smt::Bv;

/// Most comparisons of a point.
const COMPARISONS: usize = 12;

/// Most definitions of a point.
const DEFINITIONS: usize = 64;

/// Most values of a point that memory may still hold.
const LOADS: usize = 12;

/// The longest chain of definitions that an address is put together from.
const CHAIN: u32 = 4;

/// The blocks of a function in reverse postorder, and the immediate dominators.
struct Dominators {
    /// The place of a block in reverse postorder; none where it is unreachable.
    order: Vec<Option<usize>>,
    idom: Vec<Option<usize>>,
    preds: Vec<Vec<usize>>,
}

impl Dominators {
    /// By the iteration of Cooper, Harvey and Kennedy.
    fn of(successors: &[Vec<usize>]) -> Dominators {
        let n = successors.len();
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (b, list) in successors.iter().enumerate() {
            list.iter().for_each(|s| preds[*s].push(b));
        }
        let (mut seen, mut post) = (vec![false; n], Vec::with_capacity(n));
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if n > 0 {
            seen[0] = true;
            stack.push((0, 0));
        }
        while let Some((b, i)) = stack.pop() {
            match successors.get(b).and_then(|s| s.get(i)) {
                Some(&s) => {
                    stack.push((b, i + 1));
                    if !std::mem::replace(&mut seen[s], true) {
                        stack.push((s, 0));
                    }
                }
                None => post.push(b),
            }
        }
        let mut order = vec![None; n];
        for (place, b) in post.iter().rev().enumerate() {
            order[*b] = Some(place);
        }
        let mut idom: Vec<Option<usize>> = vec![None; n];
        if n > 0 {
            idom[0] = Some(0);
        }
        loop {
            let mut changed = false;
            for &b in post.iter().rev().filter(|b| **b != 0) {
                let mut new: Option<usize> = None;
                for &p in preds[b].iter().filter(|p| idom[**p].is_some()) {
                    new = Some(new.map_or(p, |other| meet(&idom, &order, p, other)));
                }
                changed |= new != idom[b];
                idom[b] = new;
            }
            if !changed {
                return Dominators { order, idom, preds };
            }
        }
    }
}

/// The nearest block that dominates two.
fn meet(idom: &[Option<usize>], order: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let up = if order[a] > order[b] { &mut a } else { &mut b };
        match idom[*up] {
            Some(next) if next != *up => *up = next,
            _ => return 0,
        }
    }
    a
}

impl Program<'_> {
    fn dominators(&self) -> Dominators {
        let f = self.ir.f;
        let successors = |b: usize| -> Vec<usize> {
            let last = f.block_insts(BlockId(b as u32)).last();
            last.map(|i| i.op.successors().iter().map(|s| s.0 as usize).collect()).unwrap_or_default()
        };
        Dominators::of(&(0..f.blocks.len()).map(successors).collect::<Vec<_>>())
    }

    /// The blocks that a way leads back to.
    pub(super) fn loop_headers(&self) -> Vec<usize> {
        let d = self.dominators();
        let back = |s: usize| d.preds[s].iter().any(|b| d.order[*b].is_some() && d.order[s] <= d.order[*b]);
        (0..d.order.len()).filter(|s| d.order[*s].is_some() && back(*s)).collect()
    }

    fn definition(&self, local: LocalId) -> Option<(u32, &Inst)> {
        let def = self.ir.f.locals.get(local.0 as usize)?.def?;
        Some((def, self.ir.f.insts.get(def as usize)?))
    }

    /// The bits of an integer or pointer type.
    fn bits_of(&self, ty: TypeId) -> Option<u32> {
        match self.ir.m.types.resolve(ty) {
            Type::Int(w) => Some(*w),
            Type::Ptr(_) => Some(64),
            _ => None,
        }
    }

    /// An operand over the variables of a point.
    fn expr(&self, side: Side, at: PointId, operand: Operand, ty: TypeId) -> Option<Expr> {
        let width = self.bits_of(ty)?;
        match operand {
            Operand::Local(local) => {
                let name = self.local_name(local, 0);
                self.shape.var(at, &name).map(|_| Expr::Var(side, name))
            }
            Operand::Const(c) => match self.ir.m.consts.get(c.0 as usize)?.kind {
                ConstKind::Int(_) if width <= 64 => {
                    Some(Expr::Const(Bv::from_i128(width, i128::from(self.ir.small_constant(operand)?))))
                }
                ConstKind::Null => Some(Expr::Const(Bv::zero(width))),
                _ => None,
            },
        }
    }

    /// Whether a value is an integer that differs from way to way into a block.
    fn is_counter(&self, local: LocalId) -> bool {
        let ty = self.ir.f.locals.get(local.0 as usize).map(|l| self.ir.m.types.resolve(l.ty));
        matches!(ty, Some(Type::Int(8..=64)))
            && self.definition(local).is_some_and(|(_, inst)| matches!(inst.op, Op::Phi { .. }))
    }

    /// Counters are not negative unless they are poison: optimisers know it from where they start, and promise it.
    pub(crate) fn counters(&self, side: Side, at: PointId) -> Vec<Constraint> {
        let mut out = Vec::new();
        for var in &self.stops[at.index()].vars {
            let Var::Local(local, 0) = *var else { continue };
            let (name, flag) = (self.local_name(local, 0), format!("{}.poison", self.local_name(local, 0)));
            let width = self.bits_of(self.ir.f.locals[local.0 as usize].ty);
            if self.is_counter(local)
                && self.shape.var(at, &flag).is_some()
                && let Some(w) = width
            {
                let below = Expr::Below(Box::new(Expr::Var(side, name)), Bv::smin(w));
                let a = Expr::Either(Box::new(Expr::Var(side, flag)), Box::new(below));
                out.push(Constraint { a, b: Expr::Const(Bv::one(1)) });
            }
        }
        out
    }

    /// Comparisons that every way to a point has passed, nearest first.
    pub(crate) fn comparisons(&self, side: Side, at: PointId) -> Vec<Constraint> {
        let d = self.dominators();
        let mut block = self.stops[at.index()].block.0 as usize;
        let mut out = Vec::new();
        while out.len() < COMPARISONS {
            if let [before] = d.preds[block][..] {
                out.extend(self.passed(side, at, before, block));
            }
            match d.idom[block] {
                Some(up) if up != block => block = up,
                _ => break,
            }
        }
        out
    }

    /// What a conditional branch from one block says in the other.
    fn passed(&self, side: Side, at: PointId, from: usize, to: usize) -> Option<Constraint> {
        let last = self.ir.f.block_insts(BlockId(from as u32)).last()?;
        let Op::CondBr { cond: Operand::Local(cond), then, other } = &last.op else { return None };
        if then == other {
            return None;
        }
        let holds = then.0 as usize == to;
        let Op::ICmp { pred, ty, lhs, rhs, .. } = &self.definition(*cond)?.1.op else { return None };
        let (x, y) = (self.expr(side, at, *lhs, *ty)?, self.expr(side, at, *rhs, *ty)?);
        let constant = |e: &Expr| matches!(e, Expr::Const(_));
        if constant(&x) && constant(&y) {
            return None;
        }
        let zero = |e: &Expr| matches!(e, Expr::Const(k) if k.is_zero());
        let less = |signed, x: Expr, y: Expr, yes: bool| {
            let k = if yes { Bv::one(1) } else { Bv::zero(1) };
            Some(Constraint { a: Expr::Less(signed, Box::new(x), Box::new(y)), b: Expr::Const(k) })
        };
        match pred {
            IntPred::Ult => less(false, x, y, holds),
            IntPred::Ugt => less(false, y, x, holds),
            IntPred::Uge => less(false, x, y, !holds),
            IntPred::Ule => less(false, y, x, !holds),
            IntPred::Slt => less(true, x, y, holds),
            IntPred::Sgt => less(true, y, x, holds),
            IntPred::Sge => less(true, x, y, !holds),
            IntPred::Sle => less(true, y, x, !holds),
            IntPred::Eq | IntPred::Ne if (*pred == IntPred::Eq) == holds => Some(Constraint { a: x, b: y }),
            IntPred::Eq | IntPred::Ne if zero(&y) => less(false, y, x, true),
            IntPred::Eq | IntPred::Ne => None,
        }
    }

    /// What values at a point are made of, operands first.
    pub(crate) fn definitions(&self, side: Side, at: PointId) -> Vec<Constraint> {
        let locals = self.stops[at.index()].vars.iter().filter_map(|v| match v {
            Var::Local(l, 0) => Some(*l),
            _ => None,
        });
        let mut defined: Vec<(u32, LocalId)> =
            locals.filter_map(|l| self.definition(l).map(|(def, _)| (def, l))).collect();
        defined.sort_unstable();
        let one = |(_, l): (u32, LocalId)| {
            let b = self.made_of(side, at, &self.definition(l)?.1.op)?;
            Some(Constraint { a: Expr::Var(side, self.local_name(l, 0)), b })
        };
        defined.into_iter().filter_map(one).take(DEFINITIONS).collect()
    }

    /// Values that were loaded before a point and may lie in memory still: loads moved out of loops. Their addresses may
    /// be dead; the other program, which loads in the loop, has what they are made of under the same names.
    pub(crate) fn loads(&self, side: Side, at: PointId, other: (&Shape, PointId)) -> Vec<Constraint> {
        let locals = self.stops[at.index()].vars.iter().filter_map(|v| match v {
            Var::Local(l, 0) => Some(*l),
            _ => None,
        });
        let one = |l: LocalId| {
            let Op::Load { ty, ptr, access } = &self.definition(l)?.1.op else { return None };
            let bits = match self.ir.m.types.resolve(*ty) {
                Type::Float(FloatKind::Float) => 32,
                Type::Float(FloatKind::Double) => 64,
                _ => self.bits_of(*ty)?,
            };
            if access.volatile || access.ordering.is_some() || bits % 8 != 0 || bits > 64 {
                return None;
            }
            let address = self.address(side, at, other, *ptr, CHAIN)?;
            let memory = Expr::Var(side, "mem".into());
            let b = Expr::Load(Box::new(memory), Box::new(address), bits / 8);
            Some(Constraint { a: Expr::Var(side, self.local_name(l, 0)), b })
        };
        locals.filter_map(one).take(LOADS).collect()
    }

    /// A pointer over what is live at a point on either side.
    fn address(
        &self,
        side: Side,
        at: PointId,
        other: (&Shape, PointId),
        operand: Operand,
        depth: u32,
    ) -> Option<Expr> {
        let local = match operand {
            Operand::Local(local) => local,
            Operand::Const(c) => {
                let ConstKind::Global(name) = self.ir.m.consts.get(c.0 as usize)?.kind else { return None };
                return Some(Expr::Symbol(format!("@{}", self.ir.m.names.text(name)), 64));
            }
        };
        if let Some(e) = self.expr(side, at, operand, Types::PTR) {
            return Some(e);
        }
        let name = self.local_name(local, 0);
        if other.0.var(other.1, &name).is_some() {
            let across = if side == Side::Left { Side::Right } else { Side::Left };
            return Some(Expr::Var(across, name));
        }
        match &self.definition(local)?.1.op {
            Op::Gep { source, base, indices, .. } if depth > 0 => {
                let base = self.address(side, at, other, *base, depth - 1)?;
                self.stepped(side, at, base, *source, indices)
            }
            _ => None,
        }
    }

    /// The expression that an operation computes.
    fn made_of(&self, side: Side, at: PointId, op: &Op) -> Option<Expr> {
        match op {
            Op::Cast { op, from, value, to, .. } => {
                let (from_bits, bits) = (self.bits_of(*from)?, self.bits_of(*to)?);
                let x = Box::new(self.expr(side, at, *value, *from)?);
                match op {
                    CastOp::ZExt => Some(Expr::Zext(x, bits)),
                    CastOp::SExt => Some(Expr::Sext(x, bits)),
                    CastOp::Trunc if bits < from_bits => Some(Expr::Trunc(x, bits)),
                    _ => None,
                }
            }
            Op::Binary { op, ty, lhs, rhs, .. } => {
                let width = self.bits_of(*ty)?;
                let (x, y) = (self.expr(side, at, *lhs, *ty)?, self.expr(side, at, *rhs, *ty)?);
                match (op, x, y) {
                    (BinOp::Add, x, y) => Some(sum(x, y)),
                    (BinOp::Sub, x, y) => Some(sum(x, scaled(y, Bv::ones(width)))),
                    (BinOp::Mul, x, Expr::Const(k)) => Some(scaled(x, k)),
                    (BinOp::Shl, x, Expr::Const(k)) => {
                        let k = k.to_u64().filter(|k| *k < u64::from(width.min(127)))?;
                        Some(scaled(x, Bv::new(width, 1 << k)))
                    }
                    _ => None,
                }
            }
            Op::Gep { source, base_ty, base, indices, .. } => {
                let base = self.expr(side, at, *base, *base_ty)?;
                self.stepped(side, at, base, *source, indices)
            }
            _ => None,
        }
    }

    /// An address and the steps of a `getelementptr` from it.
    fn stepped(
        &self,
        side: Side,
        at: PointId,
        base: Expr,
        source: TypeId,
        indices: &[(TypeId, Operand)],
    ) -> Option<Expr> {
        let (mut out, mut ty) = (base, source);
        for (i, (index_ty, index)) in indices.iter().enumerate() {
            let (size, inner) = if i == 0 {
                (self.ir.m.layout.alloc_size(&self.ir.m.types, ty)?, ty)
            } else {
                match self.ir.m.types.resolve(ty) {
                    Type::Struct { fields, packed } => {
                        let field = usize::try_from(self.ir.small_constant(*index)?).ok()?;
                        let (offsets, ..) = self.ir.m.layout.fields(&self.ir.m.types, fields, *packed)?;
                        let offset = Bv::new(64, u128::from(*offsets.get(field)?));
                        out = sum(out, Expr::Const(offset));
                        ty = *fields.get(field)?;
                        continue;
                    }
                    Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                        (self.ir.m.layout.alloc_size(&self.ir.m.types, *elem)?, *elem)
                    }
                    _ => return None,
                }
            };
            let x = match (self.expr(side, at, *index, *index_ty)?, self.bits_of(*index_ty)?) {
                (Expr::Const(k), 1..=64) => Expr::Const(k.sext(64)),
                (x, 64) => x,
                (x, 1..=63) => Expr::Sext(Box::new(x), 64),
                _ => return None,
            };
            out = sum(out, scaled(x, Bv::new(64, u128::from(size))));
            ty = inner;
        }
        Some(out)
    }
}

fn sum(x: Expr, y: Expr) -> Expr {
    match (x, y) {
        (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.add(&b)),
        (x, Expr::Const(k)) | (Expr::Const(k), x) if k.is_zero() => x,
        (x, Expr::Const(k)) | (Expr::Const(k), x) => Expr::Offset(Box::new(x), k),
        (x, y) => Expr::Sum(Box::new(x), Box::new(y)),
    }
}

fn scaled(x: Expr, k: Bv) -> Expr {
    match x {
        Expr::Const(a) => Expr::Const(a.mul(&k)),
        x if k.is_one() => x,
        x => Expr::Scaled(Box::new(x), k),
    }
}
