//! LLVM values over a domain: bits with poison and undef, and aggregates of them.

use super::Ir;
use crate::domain::{CmpOp, Domain, Ext};
use crate::llvm_ir::types::{Type, TypeId};
use std::rc::Rc;

/// A scalar.
pub struct Scalar<D: Domain> {
    /// Its bits; what they are when it is poison or undef is the semantics' choice.
    pub bits: D::Bv,
    /// Whether it is poison.
    pub poison: D::Bool,
    /// Whether it is `undef` as a whole: each use may see any value.
    pub undef: D::Bool,
}

impl<D: Domain> Clone for Scalar<D> {
    fn clone(&self) -> Self {
        Self { bits: self.bits.clone(), poison: self.poison.clone(), undef: self.undef.clone() }
    }
}

impl<D: Domain> Scalar<D> {
    /// Well-defined bits.
    pub fn plain(d: &mut D, bits: D::Bv) -> Self {
        let no = d.bool(false);
        Self { bits, poison: no.clone(), undef: no }
    }

    /// Bits with a poison condition.
    pub fn with_poison(d: &mut D, bits: D::Bv, poison: D::Bool) -> Self {
        let undef = d.bool(false);
        Self { bits, poison, undef }
    }

    /// Whether anything may stand in for it: poison or undef.
    pub fn anything(&self, d: &mut D) -> D::Bool {
        d.or(&self.poison, &self.undef)
    }

    /// `c ? a : b`.
    pub fn choose(d: &mut D, c: &D::Bool, a: &Self, b: &Self) -> Self {
        Self {
            bits: d.ite(c, &a.bits, &b.bits),
            poison: d.ite_bool(c, &a.poison, &b.poison),
            undef: d.ite_bool(c, &a.undef, &b.undef),
        }
    }
}

/// A value.
pub enum Value<D: Domain> {
    /// Integer, pointer or floating-point number.
    Scalar(Scalar<D>),
    /// Vector, array or struct.
    Aggregate(Rc<[Value<D>]>),
}

impl<D: Domain> Clone for Value<D> {
    fn clone(&self) -> Self {
        match self {
            Self::Scalar(s) => Self::Scalar(s.clone()),
            Self::Aggregate(a) => Self::Aggregate(Rc::clone(a)),
        }
    }
}

impl<D: Domain> Value<D> {
    /// Well-defined bits.
    pub fn plain(d: &mut D, bits: D::Bv) -> Self {
        Self::Scalar(Scalar::plain(d, bits))
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<&Scalar<D>> {
        match self {
            Self::Scalar(s) => Some(s),
            Self::Aggregate(_) => None,
        }
    }

    /// Every scalar in it, in order.
    pub fn scalars(&self) -> Vec<&Scalar<D>> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }

    fn collect<'a>(&'a self, out: &mut Vec<&'a Scalar<D>>) {
        match self {
            Self::Scalar(s) => out.push(s),
            Self::Aggregate(items) => items.iter().for_each(|i| i.collect(out)),
        }
    }

    /// `c ? a : b`, for values of one type.
    pub fn choose(d: &mut D, c: &D::Bool, a: &Self, b: &Self) -> Self {
        match (a, b) {
            (Self::Scalar(x), Self::Scalar(y)) => Self::Scalar(Scalar::choose(d, c, x, y)),
            (Self::Aggregate(x), Self::Aggregate(y)) => {
                Self::Aggregate(x.iter().zip(y.iter()).map(|(x, y)| Self::choose(d, c, x, y)).collect())
            }
            // Types were checked when read; mixed shapes cannot meet.
            (Self::Scalar(_), Self::Aggregate(_)) | (Self::Aggregate(_), Self::Scalar(_)) => a.clone(),
        }
    }

    /// The value with bits picked for what is undef or poison: those of named unknowns, piece by piece where there are as
    /// many, the lowest first where not.
    pub fn opened(&self, d: &mut D, parts: &[(String, u32)]) -> Self {
        let parts: Vec<D::Bv> = parts.iter().map(|(name, width)| d.symbol(name, *width)).collect();
        let each = self.scalars().len() == parts.len();
        let whole = crate::bits::join(d, &parts);
        let (mut n, mut at) = (0, 0);
        self.map(d, &mut |d, s| {
            let width = d.width(&s.bits);
            let (from, lo) = if each { (&parts[n], 0) } else { (&whole, at) };
            (n, at) = (n + 1, at + width);
            let any = s.anything(d);
            if d.as_bool(&any) != Some(true) || lo + width > d.width(from) {
                return s.clone();
            }
            Scalar {
                bits: d.extract(lo + width - 1, lo, from),
                poison: s.poison.clone(),
                undef: s.undef.clone(),
            }
        })
    }

    /// The value with every scalar changed.
    pub fn map(&self, d: &mut D, f: &mut impl FnMut(&mut D, &Scalar<D>) -> Scalar<D>) -> Self {
        match self {
            Self::Scalar(s) => Self::Scalar(f(d, s)),
            Self::Aggregate(items) => Self::Aggregate(items.iter().map(|i| i.map(d, f)).collect()),
        }
    }
}

/// Whether the bits lie in `[lo, hi)`, wrapping as LLVM ranges do.
pub fn in_range<D: Domain>(d: &mut D, bits: &D::Bv, lo: &D::Bv, hi: &D::Bv) -> D::Bool {
    let offset = d.sub(bits, lo);
    let size = d.sub(hi, lo);
    d.cmp(CmpOp::Ult, &offset, &size)
}

/// Widths of the scalars of a type, in bits.
pub(crate) fn flat_widths(ir: &Ir<'_>, ty: TypeId) -> Option<Vec<u32>> {
    let mut out = Vec::new();
    add_widths(ir, ty, &mut out, 0)?;
    Some(out)
}

fn add_widths(ir: &Ir<'_>, ty: TypeId, out: &mut Vec<u32>, depth: u32) -> Option<()> {
    if depth > 16 || out.len() > 4096 {
        return None;
    }
    match ir.m.types.resolve(ty) {
        Type::Array { len, elem } | Type::Vector { len, elem, scalable: false } => {
            if *len > 4096 {
                return None;
            }
            for _ in 0..*len {
                add_widths(ir, *elem, out, depth + 1)?;
            }
        }
        Type::Struct { fields, .. } => {
            for field in fields.iter() {
                add_widths(ir, *field, out, depth + 1)?;
            }
        }
        _ => out.push(ir.scalar_bits(ty).ok()?),
    }
    Some(())
}
