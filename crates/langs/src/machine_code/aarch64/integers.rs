//! Instructions of AArch64 on integers.

use super::super::state::{Code, Machine};
use super::exec::{flags, width};
use super::insn::{Extended, Field, Logic, MoveWide, One, Op, Operand, Other, Shift, Two, ZERO};
use crate::bits;
use crate::domain::{BitOp, Domain, Ext, Res};
use crate::x86::flags::Flags;

/// A value shifted by a number that is less than its width.
fn shifted<D: Domain>(d: &mut D, a: &D::Bv, shift: Shift, by: &D::Bv) -> D::Bv {
    match shift {
        Shift::Lsl => d.bin(BitOp::Shl, a, by),
        Shift::Lsr => d.bin(BitOp::Lshr, a, by),
        Shift::Asr => d.bin(BitOp::Ashr, a, by),
        Shift::Ror => bits::funnel_right(d, a, a, by),
    }
}

/// Flags of `a + b`, or of `a - b`; with a carry in, which of differences is a borrow.
fn of_sum<D: Domain>(d: &mut D, sub: bool, a: D::Bv, b: D::Bv, carry: Option<D::Bv>) -> Flags<D> {
    if sub {
        return Flags::Sub(a, b, carry);
    }
    let sum = Flags::Add(a, b, carry);
    let all = [sum.carry(d), sum.zero(d), sum.sign(d), sum.overflow(d)];
    match all {
        [Some(carry), Some(zero), Some(sign), Some(overflow)] => flags(d, [carry, zero, sign, overflow]),
        _ => Flags::Unknown,
    }
}

/// Flags of a bitwise result.
fn of_logic<D: Domain>(d: &mut D, value: &D::Bv) -> Flags<D> {
    let (zero, sign) = (d.is_zero(value), d.sign(value));
    let no = d.bool(false);
    flags(d, [no.clone(), zero, sign, no])
}

impl Code<'_> {
    /// An extended register.
    pub(super) fn extended<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, extended): (usize, Extended),
        width: u32,
    ) -> Res<D::Bv> {
        let whole = self.general(d, m, (i, extended.register), true)?;
        let part = d.zfit(&whole, extended.bits.min(64));
        let value = if extended.signed { d.sfit(&part, width) } else { d.zfit(&part, width) };
        let left = d.num(width, u128::from(extended.left));
        Ok(d.bin(BitOp::Shl, &value, &left))
    }

    fn last<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, operand): (usize, Operand),
        wide: bool,
    ) -> Res<D::Bv> {
        let w = width(wide);
        match operand {
            Operand::Number(n) => Ok(d.num(w, u128::from(n))),
            Operand::Shifted(register, shift, by) => {
                let value = self.general(d, m, (i, register), wide)?;
                let by = d.num(w, u128::from(by));
                Ok(shifted(d, &value, shift, &by))
            }
            Operand::Extended(extended) => self.extended(d, m, (i, extended), w),
        }
    }

    pub(super) fn integers<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, op): (usize, &Op),
    ) -> Res<()> {
        match *op {
            Op::AddSub { .. } => self.add(d, m, (i, op)),
            Op::Carry { .. } | Op::CompareIf { .. } => self.by_flags(d, m, (i, op)),
            Op::Logic { .. } | Op::One { .. } => self.bitwise(d, m, (i, op)),
            Op::MoveWide { wide, kind, to, number, left } => {
                let number = u128::from(number) << left;
                let all = if wide { u128::from(u64::MAX) } else { u128::from(u32::MAX) };
                let value = match kind {
                    MoveWide::Zero => d.num(width(wide), number),
                    MoveWide::Not => d.num(width(wide), !number & all),
                    MoveWide::Keep => {
                        let old = self.general(d, m, (i, to), wide)?;
                        let new = d.num(16, number >> left);
                        bits::replace_bits(d, &old, &new, left)
                    }
                };
                self.give(d, m, (i, to), &value)
            }
            Op::Field { .. } => self.field(d, m, (i, op)),
            Op::Extract { wide, to, a, b, low } => {
                let (a, b) = (self.general(d, m, (i, a), wide)?, self.general(d, m, (i, b), wide)?);
                let by = d.num(width(wide), u128::from(low));
                let value = bits::funnel_right(d, &a, &b, &by);
                self.give(d, m, (i, to), &value)
            }
            Op::Select { wide, to, a, b, condition, other } => {
                let holds = self.holds(d, m, (i, condition))?;
                let (a, b) = (self.general(d, m, (i, a), wide)?, self.general(d, m, (i, b), wide)?);
                let b = match other {
                    Other::Same => b,
                    Other::Increment => d.add_num(&b, 1),
                    Other::Invert => d.bv_not(&b),
                    Other::Negate => d.neg(&b),
                };
                let value = d.ite(&holds, &a, &b);
                self.give(d, m, (i, to), &value)
            }
            Op::Two { wide, two, to, a, b } => {
                let (a, b) = (self.general(d, m, (i, a), wide)?, self.general(d, m, (i, b), wide)?);
                let value = match two {
                    Two::Shift(shift) => {
                        let most = d.num(width(wide), u128::from(width(wide) - 1));
                        let by = d.bv_and(&b, &most);
                        shifted(d, &a, shift, &by)
                    }
                    Two::Divide { signed } => {
                        let nothing = d.num(width(wide), 0);
                        let by_zero = d.is_zero(&b);
                        let quotient = d.bin(if signed { BitOp::SDiv } else { BitOp::UDiv }, &a, &b);
                        d.ite(&by_zero, &nothing, &quotient)
                    }
                };
                self.give(d, m, (i, to), &value)
            }
            Op::MulAdd { .. } | Op::MulHigh { .. } => self.product_of(d, m, (i, op)),
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    /// Operations that read flags, and make flags or sums of them.
    fn by_flags<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        match *op {
            Op::Carry { wide, sub, flags, to, a, b } => {
                let (a, b) = (self.general(d, m, (i, a), wide)?, self.general(d, m, (i, b), wide)?);
                let Some(borrow) = m.flags.carry(d) else {
                    return Err(self.f.unsupported(i, "a flag of which nothing is known"));
                };
                let carry = if sub { borrow } else { d.not(&borrow) };
                let carry = d.bool_to_bv(&carry);
                let more = d.zfit(&carry, width(wide));
                let how = if sub { BitOp::Sub } else { BitOp::Add };
                let value = d.bin(how, &a, &b);
                let value = d.bin(how, &value, &more);
                if flags {
                    m.flags = of_sum(d, sub, a, b, Some(carry));
                }
                self.give(d, m, (i, to), &value)
            }
            Op::CompareIf { wide, sub, a, b, condition, flags: others } => {
                let holds = self.holds(d, m, (i, condition))?;
                let (a, b) = (self.general(d, m, (i, a), wide)?, self.last(d, m, (i, b), wide)?);
                let compared = of_sum(d, sub, a, b, None).each(d);
                let all = [compared.carry, compared.zero, compared.sign, compared.overflow];
                let [Some(borrow), Some(zero), Some(sign), Some(overflow)] = all else {
                    return Err(self.f.unsupported(i, "a flag of which nothing is known"));
                };
                let carry = d.not(&borrow);
                let mut mixed = Vec::new();
                for (bit, value) in [(1, carry), (2, zero), (3, sign), (0, overflow)] {
                    let other = d.bool(others >> bit & 1 == 1);
                    mixed.push(d.ite_bool(&holds, &value, &other));
                }
                if let Ok(mixed) = <[D::Bool; 4]>::try_from(mixed) {
                    m.flags = flags(d, mixed);
                }
                Ok(())
            }
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    /// Operations bit by bit, or on the places of bits.
    fn bitwise<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        match *op {
            Op::Logic { wide, logic, invert, flags, to, a, b } => {
                let (a, mut b) = (self.general(d, m, (i, a), wide)?, self.last(d, m, (i, b), wide)?);
                if invert {
                    b = d.bv_not(&b);
                }
                let value = match logic {
                    Logic::And => d.bv_and(&a, &b),
                    Logic::Or => d.bv_or(&a, &b),
                    Logic::Xor => d.bv_xor(&a, &b),
                };
                if flags {
                    m.flags = of_logic(d, &value);
                }
                self.give(d, m, (i, to), &value)
            }
            Op::One { wide, one, to, a } => {
                let a = self.general(d, m, (i, a), wide)?;
                let value = match one {
                    One::ReverseBits => bits::bit_reverse(d, &a),
                    One::ReverseBytes(piece) => {
                        let pieces: Vec<D::Bv> = bits::lanes(d, &a, piece);
                        let turned: Vec<D::Bv> = pieces.iter().map(|p| bits::byte_swap(d, p)).collect();
                        bits::join(d, &turned)
                    }
                    One::LeadingZeros => bits::leading_zeros(d, &a),
                    One::LeadingSigns => {
                        // Bits that differ from the one above them; the highest has none above.
                        let one = d.num(width(wide), 1);
                        let above = d.bin(BitOp::Ashr, &a, &one);
                        let differ = d.bv_xor(&a, &above);
                        let zeros = bits::leading_zeros(d, &differ);
                        d.add_num(&zeros, -1)
                    }
                };
                self.give(d, m, (i, to), &value)
            }
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    fn add<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        let Op::AddSub { wide, sub, flags, to, a, b } = *op else { return Ok(()) };
        if self.f.insns[i].immediate.is_some() {
            let value = self.low_part(d, i, usize::from(a))?;
            return self.give(d, m, (i, to), &value);
        }
        // The number belongs to an address in the frame, so that the object is found that is meant.
        let at = if a == ZERO { None } else { self.facts.frame(i, usize::from(a)).filter(|_| a < 32) };
        if let (Some(at), Operand::Number(n), true, false) = (at, b, wide, flags) {
            let n = n as i64;
            let value = self.frame_address(d, i, at.wrapping_add(if sub { -n } else { n }))?;
            return self.give(d, m, (i, to), &value);
        }
        let (a, b) = (self.general(d, m, (i, a), wide)?, self.last(d, m, (i, b), wide)?);
        let value = if sub { d.sub(&a, &b) } else { d.add(&a, &b) };
        if flags {
            m.flags = of_sum(d, sub, a, b, None);
        }
        self.give(d, m, (i, to), &value)
    }

    fn field<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        let Op::Field { wide, kind, to, a, right, top } = *op else { return Ok(()) };
        let w = width(wide);
        let a = self.general(d, m, (i, a), wide)?;
        // A field from `right` to `top` goes to the bottom; one from the bottom to `top` goes up.
        let (part, low) = match top >= right {
            true => (d.extract(top, right, &a), 0),
            false => (d.extract(top, 0, &a), w - right),
        };
        let value = match kind {
            Field::Insert => {
                let old = self.general(d, m, (i, to), wide)?;
                bits::replace_bits(d, &old, &part, low)
            }
            Field::Signed | Field::Unsigned => {
                let whole = if kind == Field::Signed { d.sfit(&part, w) } else { d.zfit(&part, w) };
                let low = d.num(w, u128::from(low));
                d.bin(BitOp::Shl, &whole, &low)
            }
        };
        self.give(d, m, (i, to), &value)
    }

    fn product_of<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, (i, op): (usize, &Op)) -> Res<()> {
        match *op {
            Op::MulAdd { wide, narrow, sub, to, a, b, sum } => {
                let mut factors = Vec::new();
                for register in [a, b] {
                    let value = self.general(d, m, (i, register), wide && narrow.is_none())?;
                    factors.push(match narrow {
                        Some(true) => d.sfit(&value, 64),
                        Some(false) => d.zfit(&value, 64),
                        None => value,
                    });
                }
                let product = d.mul(&factors[0], &factors[1]);
                let value = match (sum, sub) {
                    (ZERO, false) => product,
                    _ => {
                        let sum = self.general(d, m, (i, sum), wide)?;
                        if sub { d.sub(&sum, &product) } else { d.add(&sum, &product) }
                    }
                };
                self.give(d, m, (i, to), &value)
            }
            Op::MulHigh { signed, to, a, b } => {
                let (a, b) = (self.general(d, m, (i, a), true)?, self.general(d, m, (i, b), true)?);
                let product = crate::x86::alu::multiply(d, &a, &b, signed);
                self.give(d, m, (i, to), &product.high)
            }
            _ => Ok(()),
        }
    }
}
