//! GNU vector operations, element by element, with the checks of the scalar operations.

use super::access::canonical;
use super::{Slot, Vm};
use crate::bytecode::{SoftOp, WideOp};
use crate::class::Scalar;
use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use csyntax::tree::{Op, Rel};

/// A vector instruction: element-wise over `count` results of `elem`, operands of `from`.
#[derive(Copy, Clone, Debug)]
pub struct VecDesc {
    /// The operation.
    pub op: VecOp,
    /// Result elements.
    pub elem: Scalar,
    /// Their alias class.
    pub class: u8,
    /// How many.
    pub count: u32,
    /// Operand elements.
    pub from: Scalar,
    /// Their alias class.
    pub from_class: u8,
    /// How many.
    pub from_count: u32,
}

/// Vector operations.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum VecOp {
    /// Arithmetic.
    Binary(Op),
    /// Comparison to a mask of 0 and -1.
    Compare(Rel),
    /// Mask of the zero elements.
    IsZero,
    /// Negation.
    Neg,
    /// Complement.
    Not,
    /// Element conversion.
    Convert,
    /// Permutation of the elements at `a` (this many) by the indices at `b`.
    Shuffle(u32),
}

impl Vm<'_> {
    fn element(&mut self, p: Ptr, k: u32, scalar: Scalar, class: u8) -> Res<Slot> {
        let n = scalar.bytes(self.mem.pointer_bytes);
        let index = self.mem.access(p.offset(u64::from(k) * n), n, 1)?;
        let raw = self.mem.load_wide(index, n as usize, class)?;
        let (lo, hi) = canonical(scalar, raw);
        Ok(Slot { lo, hi })
    }

    fn put_element(&mut self, p: Ptr, k: u32, scalar: Scalar, class: u8, value: Slot) -> Res<()> {
        let n = scalar.bytes(self.mem.pointer_bytes);
        let index = self.mem.access(p.offset(u64::from(k) * n), n, 1)?;
        let raw = u128::from(value.lo) | u128::from(value.hi) << 64;
        self.mem.store_wide(index, n as usize, class, raw)
    }

    /// Arithmetic on pairs of doubles at once, if nothing is wrong with them and the results are numbers. False where
    /// it did nothing.
    #[inline]
    fn two_doubles(&mut self, op: Op, [d, a, b]: [Ptr; 3], class: u8) -> bool {
        let (Some(x), Some(y)) = (self.mem.two_doubles(a, class), self.mem.two_doubles(b, class)) else {
            return false;
        };
        let both = |f: fn(f64, f64) -> f64| [f(x[0], y[0]), f(x[1], y[1])];
        let value = match op {
            Op::Add => both(|x, y| x + y),
            Op::Sub => both(|x, y| x - y),
            Op::Mul => both(|x, y| x * y),
            Op::Div => both(|x, y| x / y),
            Op::Rem | Op::Shl | Op::Shr | Op::And | Op::Xor | Op::Or => return false,
        };
        !value[0].is_nan() && !value[1].is_nan() && self.mem.put_two_doubles(d, class, value)
    }

    /// Runs a vector instruction.
    pub fn vector(&mut self, d: Ptr, a: Ptr, b: Ptr, v: u32) -> Res<()> {
        let desc = self.program.vectors[v as usize];
        if let (VecOp::Binary(op), Scalar::F64, 2) = (desc.op, desc.elem, desc.count)
            && self.two_doubles(op, [d, a, b], desc.class)
        {
            return Ok(());
        }
        let mut few = [Slot::default(); 8];
        let mut many = Vec::new();
        let out = match few.get_mut(..desc.count as usize) {
            Some(few) => few,
            None => {
                many.resize(desc.count as usize, Slot::default());
                many.as_mut_slice()
            }
        };
        for (k, value) in (0..desc.count).zip(out.iter_mut()) {
            *value = match desc.op {
                VecOp::Binary(op) => {
                    let x = self.element(a, k, desc.elem, desc.class)?;
                    let y = self.element(b, k, desc.elem, desc.class)?;
                    binary(op, desc.elem, x, y)?
                }
                VecOp::Compare(rel) => {
                    let x = self.element(a, k, desc.from, desc.from_class)?;
                    let y = self.element(b, k, desc.from, desc.from_class)?;
                    mask(compare(rel, desc.from, x, y))
                }
                VecOp::IsZero => {
                    let x = self.element(a, k, desc.from, desc.from_class)?;
                    mask(!truth(desc.from, x))
                }
                VecOp::Neg => {
                    let x = self.element(a, k, desc.elem, desc.class)?;
                    if desc.elem.is_float() {
                        super::float::soft(SoftOp::Neg, desc.elem, x, x)
                    } else {
                        binary(Op::Sub, desc.elem, Slot::default(), x)?
                    }
                }
                VecOp::Not => {
                    let x = self.element(a, k, desc.elem, desc.class)?;
                    Slot { lo: !x.lo, hi: !x.hi }
                }
                VecOp::Convert => {
                    let x = self.element(a, k, desc.from, desc.from_class)?;
                    super::float::convert(desc.from, desc.elem, x)?
                }
                VecOp::Shuffle(total) => {
                    let i = self.element(b, k, desc.from, desc.from_class)?.lo;
                    self.element(a, (i % u64::from(total.max(1))) as u32, desc.elem, desc.class)?
                }
            };
        }
        for (k, value) in (0..desc.count).zip(out.iter()) {
            self.put_element(d, k, desc.elem, desc.class, *value)?;
        }
        Ok(())
    }
}

fn mask(set: bool) -> Slot {
    if set { Slot { lo: u64::MAX, hi: u64::MAX } } else { Slot::default() }
}

fn truth(scalar: Scalar, x: Slot) -> bool {
    if scalar.is_float() {
        super::float::convert(scalar, Scalar::Bool, x).is_ok_and(|s| s.lo != 0)
    } else {
        x.lo != 0 || (scalar.is_wide() && x.hi != 0)
    }
}

fn compare(rel: Rel, scalar: Scalar, x: Slot, y: Slot) -> bool {
    let (x, y, rel) = match rel {
        Rel::Gt => (y, x, Rel::Lt),
        Rel::Ge => (y, x, Rel::Le),
        other => (x, y, other),
    };
    if scalar.is_float() {
        let op = match rel {
            Rel::Lt | Rel::Gt => SoftOp::Lt,
            Rel::Le | Rel::Ge => SoftOp::Le,
            Rel::Eq => SoftOp::Eq,
            Rel::Ne => SoftOp::Ne,
        };
        return super::float::soft(op, scalar, x, y).lo != 0;
    }
    let key = |s: Slot| match scalar {
        Scalar::I128 => u128::from(s.lo) as i128 | (i128::from(s.hi as i64) << 64),
        s2 if s2.signed() => i128::from(s.lo as i64),
        _ => i128::from(s.lo),
    };
    match rel {
        Rel::Lt | Rel::Gt => key(x) < key(y),
        Rel::Le | Rel::Ge => key(x) <= key(y),
        Rel::Eq => key(x) == key(y),
        Rel::Ne => key(x) != key(y),
    }
}

/// Element arithmetic. Signed elements wrap in addition, subtraction and multiplication, as GNU C documents for
/// vectors; division and shifts keep the scalar rules.
fn binary(op: Op, scalar: Scalar, x: Slot, y: Slot) -> Res<Slot> {
    if scalar.is_float() {
        let op = match op {
            Op::Add => SoftOp::Add,
            Op::Sub => SoftOp::Sub,
            Op::Mul => SoftOp::Mul,
            Op::Div => SoftOp::Div,
            Op::Rem | Op::Shl | Op::Shr | Op::And | Op::Xor | Op::Or => {
                return crate::stop::unsupported("this operator on floating vectors");
            }
        };
        return Ok(super::float::soft(op, scalar, x, y));
    }
    let bits = 8 * scalar.bytes(8);
    let signed = scalar.signed();
    let wide = match op {
        Op::Add => WideOp::Add,
        Op::Sub => WideOp::Sub,
        Op::Mul => WideOp::Mul,
        Op::Div => WideOp::Div,
        Op::Rem => WideOp::Rem,
        Op::And => WideOp::And,
        Op::Or => WideOp::Or,
        Op::Xor => WideOp::Xor,
        Op::Shl => WideOp::Shl,
        Op::Shr => WideOp::Shr,
    };
    if matches!(op, Op::Shl | Op::Shr) && y.lo >= bits {
        return undefined(Ub::ShiftCount, format!("a {bits}-bit element is shifted by {}", y.lo as i64));
    }
    let extend = |s: Slot| {
        if scalar.is_wide() {
            s
        } else if signed {
            Slot { lo: s.lo, hi: (s.lo as i64 >> 63) as u64 }
        } else {
            Slot { lo: s.lo, hi: 0 }
        }
    };
    let wraps = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Shl);
    let value = super::float::wide(wide, signed && !wraps, extend(x), extend(y))?;
    let raw = u128::from(value.lo) | u128::from(value.hi) << 64;
    let raw = if bits == 128 { raw } else { raw & ((1 << bits) - 1) };
    let (lo, hi) = canonical(scalar, raw);
    Ok(Slot { lo, hi })
}
