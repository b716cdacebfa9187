//! The status flags, computed only when read.

use crate::domain::{BitOp, CmpOp, Domain, Ext};

/// How the flags came about.
pub enum Flags<D: Domain> {
    /// Nothing is known: any use is unsupported.
    Unknown,
    /// Of a sum `a + b + carry`.
    Add(D::Bv, D::Bv, Option<D::Bv>),
    /// Of a difference `a - b - borrow`.
    Sub(D::Bv, D::Bv, Option<D::Bv>),
    /// Of a bitwise result: no carry, no overflow.
    Logic(D::Bv),
    /// One by one; none where the processor leaves them undefined.
    Each(Box<Each<D>>),
}

/// The flags one by one.
pub struct Each<D: Domain> {
    /// Carry.
    pub carry: Option<D::Bool>,
    /// Parity of the lowest byte.
    pub parity: Option<D::Bool>,
    /// Zero.
    pub zero: Option<D::Bool>,
    /// Sign.
    pub sign: Option<D::Bool>,
    /// Overflow.
    pub overflow: Option<D::Bool>,
}

impl<D: Domain> Each<D> {
    /// None is defined.
    pub fn undefined() -> Each<D> {
        Each { carry: None, parity: None, zero: None, sign: None, overflow: None }
    }
}

impl<D: Domain> Clone for Each<D> {
    fn clone(&self) -> Self {
        Self {
            carry: self.carry.clone(),
            parity: self.parity.clone(),
            zero: self.zero.clone(),
            sign: self.sign.clone(),
            overflow: self.overflow.clone(),
        }
    }
}

impl<D: Domain> Clone for Flags<D> {
    fn clone(&self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Add(a, b, c) => Self::Add(a.clone(), b.clone(), c.clone()),
            Self::Sub(a, b, c) => Self::Sub(a.clone(), b.clone(), c.clone()),
            Self::Logic(r) => Self::Logic(r.clone()),
            Self::Each(e) => Self::Each(e.clone()),
        }
    }
}

/// Even parity of the lowest byte.
pub fn parity<D: Domain>(d: &mut D, r: &D::Bv) -> D::Bool {
    let mut odd = d.zfit(r, 1);
    for i in 1..8 {
        let bit = d.extract(i, i, r);
        odd = d.bin(BitOp::Xor, &odd, &bit);
    }
    d.is_zero(&odd)
}

impl<D: Domain> Flags<D> {
    /// Of a product: carry and overflow say whether it is too large for its place, the others are undefined.
    pub fn of_overflow(over: D::Bool) -> Flags<D> {
        Flags::Each(Box::new(Each { carry: Some(over.clone()), overflow: Some(over), ..Each::undefined() }))
    }

    fn result(&self, d: &mut D) -> Option<D::Bv> {
        match self {
            Self::Unknown | Self::Each(_) => None,
            Self::Add(a, b, c) => {
                let sum = d.add(a, b);
                Some(with_carry(d, BitOp::Add, sum, c))
            }
            Self::Sub(a, b, c) => {
                let difference = d.sub(a, b);
                Some(with_carry(d, BitOp::Sub, difference, c))
            }
            Self::Logic(r) => Some(r.clone()),
        }
    }

    /// The carry flag.
    pub fn carry(&self, d: &mut D) -> Option<D::Bool> {
        match self {
            Self::Unknown => None,
            Self::Logic(_) => Some(d.bool(false)),
            Self::Each(e) => e.carry.clone(),
            Self::Add(a, b, None) => {
                let sum = d.add(a, b);
                Some(d.cmp(CmpOp::Ult, &sum, a))
            }
            Self::Sub(a, b, None) => Some(d.cmp(CmpOp::Ult, a, b)),
            Self::Add(a, b, c) | Self::Sub(a, b, c) => {
                let op = if matches!(self, Self::Add(..)) { BitOp::Add } else { BitOp::Sub };
                let width = d.width(a);
                let (x, y) = (d.zfit(a, width + 1), d.zfit(b, width + 1));
                let wide = d.bin(op, &x, &y);
                let wide = with_carry(d, op, wide, c);
                Some(d.sign(&wide))
            }
        }
    }

    /// The zero flag.
    pub fn zero(&self, d: &mut D) -> Option<D::Bool> {
        match self {
            Self::Each(e) => e.zero.clone(),
            Self::Sub(a, b, None) => Some(d.eq(a, b)),
            _ => {
                let r = self.result(d)?;
                Some(d.is_zero(&r))
            }
        }
    }

    /// The sign flag.
    pub fn sign(&self, d: &mut D) -> Option<D::Bool> {
        if let Self::Each(e) = self {
            return e.sign.clone();
        }
        let r = self.result(d)?;
        Some(d.sign(&r))
    }

    /// The parity flag.
    pub fn parity(&self, d: &mut D) -> Option<D::Bool> {
        if let Self::Each(e) = self {
            return e.parity.clone();
        }
        let r = self.result(d)?;
        Some(parity(d, &r))
    }

    /// The overflow flag.
    pub fn overflow(&self, d: &mut D) -> Option<D::Bool> {
        match self {
            Self::Unknown => None,
            Self::Logic(_) => Some(d.bool(false)),
            Self::Each(e) => e.overflow.clone(),
            Self::Add(a, b, c) | Self::Sub(a, b, c) => {
                let op = if matches!(self, Self::Add(..)) { BitOp::Add } else { BitOp::Sub };
                let width = d.width(a);
                let (x, y) = (d.sfit(a, width + 2), d.sfit(b, width + 2));
                let wide = d.bin(op, &x, &y);
                let wide = with_carry(d, op, wide, c);
                let narrow = d.zfit(&wide, width);
                let back = d.sfit(&narrow, width + 2);
                Some(d.ne(&wide, &back))
            }
        }
    }

    /// The condition with an x86 condition code.
    pub fn condition(&self, d: &mut D, code: u32) -> Option<D::Bool> {
        let positive = match code >> 1 {
            0 => self.overflow(d)?,
            1 => self.carry(d)?,
            2 => self.zero(d)?,
            3 => {
                if let Self::Sub(a, b, None) = self {
                    d.cmp(CmpOp::Ule, a, b)
                } else {
                    let (c, z) = (self.carry(d)?, self.zero(d)?);
                    d.or(&c, &z)
                }
            }
            4 => self.sign(d)?,
            5 => self.parity(d)?,
            6 => self.less(d)?,
            7 => {
                if let Self::Sub(a, b, None) = self {
                    d.cmp(CmpOp::Sle, a, b)
                } else {
                    let (l, z) = (self.less(d)?, self.zero(d)?);
                    d.or(&l, &z)
                }
            }
            _ => return None,
        };
        Some(if code & 1 == 1 { d.not(&positive) } else { positive })
    }

    fn less(&self, d: &mut D) -> Option<D::Bool> {
        match self {
            Self::Sub(a, b, None) => Some(d.cmp(CmpOp::Slt, a, b)),
            Self::Logic(r) => Some(d.sign(r)),
            _ => {
                let (s, o) = (self.sign(d)?, self.overflow(d)?);
                Some(d.xor(&s, &o))
            }
        }
    }

    /// Every flag that is defined.
    pub fn each(&self, d: &mut D) -> Each<D> {
        Each {
            carry: self.carry(d),
            parity: self.parity(d),
            zero: self.zero(d),
            sign: self.sign(d),
            overflow: self.overflow(d),
        }
    }
}

fn with_carry<D: Domain>(d: &mut D, op: BitOp, value: D::Bv, carry: &Option<D::Bv>) -> D::Bv {
    match carry {
        None => value,
        Some(c) => {
            let width = d.width(&value);
            let c = d.zfit(c, width);
            d.bin(op, &value, &c)
        }
    }
}
