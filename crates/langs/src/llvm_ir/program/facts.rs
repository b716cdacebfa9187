//! What a function's text says of its values: their definitions, over the variables of a point. Guesses are made of it
//! (`pairs/guess`).

use super::{Program, Var};
use crate::llvm_ir::ast::{BinOp, BlockId, ConstKind, Inst, LocalId, Op, Operand};
use crate::llvm_ir::dominators::Dominators;
use crate::llvm_ir::types::{Type, TypeId};
use equiv::{Expr, PointId, Side};
use smt::Bv;

/// A program at one of its points, as one side of a pair: what expressions over the point's variables are made with.
pub(crate) struct Here<'a, 'm> {
    /// The program.
    pub program: &'a Program<'m>,
    /// Which side it is.
    pub side: Side,
    /// The point.
    pub at: PointId,
}

impl Here<'_, '_> {
    /// A value that a call gave which only computes, from nothing: it is the same wherever it is asked for.
    pub(crate) fn constant_call(&self, local: LocalId) -> Option<Expr> {
        let (name, ty) = self.program.ir.constant_call(self.program.definition(local)?.1)?;
        Some(Expr::Symbol(name, self.program.bits_of(ty)?))
    }

    /// An operand over the variables of a point.
    pub(crate) fn expr(&self, operand: Operand, ty: TypeId) -> Option<Expr> {
        let width = self.program.bits_of(ty)?;
        match operand {
            Operand::Local(local) => {
                if let Some(object) = self.program.allocas.iter().position(|(l, _)| *l == local) {
                    return Some(Expr::Symbol(self.program.ir.object_name(object), width));
                }
                let name = self.program.local_name(local, 0);
                match self.program.shape.var(self.at, &name) {
                    Some(_) => Some(Expr::Var(self.side, name)),
                    None => self.constant_call(local),
                }
            }
            Operand::Const(c) => match self.program.ir.m.consts.get(c.0 as usize)?.kind {
                ConstKind::Global(name) => {
                    Some(Expr::Symbol(format!("@{}", self.program.ir.m.names.text(name)), width))
                }
                ConstKind::Int(_) if width <= 64 => Some(Expr::Const(Bv::from_i128(
                    width,
                    i128::from(self.program.ir.small_constant(operand)?),
                ))),
                ConstKind::Null => Some(Expr::Const(Bv::zero(width))),
                _ => None,
            },
        }
    }

    /// A value that is gone, over one of the point that was made of it by adding a number.
    pub(crate) fn moved(&self, operand: Operand, ty: TypeId) -> Option<Expr> {
        let (Operand::Local(_), width) = (operand, self.program.bits_of(ty)?) else { return None };
        self.program.values_at(self.at).find_map(|local| {
            let Op::Binary { op, lhs, rhs, .. } = &self.program.definition(local)?.1.op else { return None };
            let by = i128::from(self.program.ir.small_constant(*rhs).filter(|_| *lhs == operand)?);
            let back = match op {
                BinOp::Add => -by,
                BinOp::Sub => by,
                _ => return None,
            };
            Some(sum(self.value(local), Expr::Const(Bv::from_i128(width, back))))
        })
    }

    /// A variable of the point that is a value.
    pub(crate) fn value(&self, local: LocalId) -> Expr {
        Expr::Var(self.side, self.program.local_name(local, 0))
    }

    /// Where a `getelementptr` leads from an address.
    pub(crate) fn stepped(&self, base: Expr, source: TypeId, indices: &[(TypeId, Operand)]) -> Option<Expr> {
        self.steps(base, source, indices)?.pop()
    }

    /// An address, and where each index of a `getelementptr` leads from it.
    pub(crate) fn steps(
        &self,
        base: Expr,
        source: TypeId,
        indices: &[(TypeId, Operand)],
    ) -> Option<Vec<Expr>> {
        let (mut out, mut ty) = (base.clone(), source);
        let mut all = vec![base];
        for (i, (index_ty, index)) in indices.iter().enumerate() {
            if i > 0 {
                all.push(out.clone());
            }
            let (size, inner) = if i == 0 {
                (self.program.ir.m.layout.alloc_size(&self.program.ir.m.types, ty)?, ty)
            } else {
                match self.program.ir.m.types.resolve(ty) {
                    Type::Struct { fields, packed } => {
                        let field = usize::try_from(self.program.ir.small_constant(*index)?).ok()?;
                        let (offsets, ..) =
                            self.program.ir.m.layout.fields(&self.program.ir.m.types, fields, *packed)?;
                        let offset = Bv::new(64, u128::from(*offsets.get(field)?));
                        out = sum(out, Expr::Const(offset));
                        ty = *fields.get(field)?;
                        continue;
                    }
                    Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                        (self.program.ir.m.layout.alloc_size(&self.program.ir.m.types, *elem)?, *elem)
                    }
                    _ => return None,
                }
            };
            let x = match (self.expr(*index, *index_ty)?, self.program.bits_of(*index_ty)?) {
                (Expr::Const(k), 1..=64) => Expr::Const(k.sext(64)),
                (x, 64) => x,
                (x, 1..=63) => Expr::Sext(Box::new(x), 64),
                _ => return None,
            };
            out = sum(out, scaled(x, Bv::new(64, u128::from(size))));
            ty = inner;
        }
        all.push(out);
        Some(all)
    }
}

impl Program<'_> {
    /// The dominators of its blocks.
    pub(crate) fn dominators(&self) -> Dominators {
        Dominators::of_function(self.ir.f)
    }

    /// The headers of loops.
    pub(super) fn loop_headers(&self) -> Vec<usize> {
        let d = self.dominators();
        let back = |s: usize| d.preds[s].iter().any(|b| d.order[*b].is_some() && d.order[s] <= d.order[*b]);
        (0..d.order.len()).filter(|s| d.order[*s].is_some() && back(*s)).collect()
    }

    /// The block at whose start, or inside of which, a point lies.
    pub(crate) fn block_at(&self, at: PointId) -> BlockId {
        self.stops[at.index()].block
    }

    /// The values that are variables of a point as a whole.
    pub(crate) fn values_at(&self, at: PointId) -> impl Iterator<Item = LocalId> {
        self.stops[at.index()].vars.iter().filter_map(|v| match v {
            Var::Local(l, 0) => Some(*l),
            _ => None,
        })
    }

    /// Where a value is defined, and by what.
    pub(crate) fn definition(&self, local: LocalId) -> Option<(u32, &Inst)> {
        let def = self.ir.f.locals.get(local.0 as usize)?.def?;
        Some((def, self.ir.f.insts.get(def as usize)?))
    }

    /// The bits of an integer or pointer type.
    pub(crate) fn bits_of(&self, ty: TypeId) -> Option<u32> {
        match self.ir.m.types.resolve(ty) {
            Type::Int(w) => Some(*w),
            Type::Ptr(_) => Some(64),
            _ => None,
        }
    }
}

/// The sum of two expressions, as simple as it can be said.
pub(crate) fn sum(x: Expr, y: Expr) -> Expr {
    match (x, y) {
        (Expr::Const(a), Expr::Const(b)) => Expr::Const(a.add(&b)),
        (x, Expr::Const(k)) | (Expr::Const(k), x) if k.is_zero() => x,
        (x, Expr::Const(k)) | (Expr::Const(k), x) => Expr::Offset(Box::new(x), k),
        (x, y) => Expr::Sum(Box::new(x), Box::new(y)),
    }
}

/// An expression times a number, as simple as it can be said.
pub(crate) fn scaled(x: Expr, k: Bv) -> Expr {
    match x {
        Expr::Const(a) => Expr::Const(a.mul(&k)),
        x if k.is_one() => x,
        x => Expr::Scaled(Box::new(x), k),
    }
}
