//! Instructions of RISC-V on integers.

use super::super::facts::Known;
use super::super::state::Machine;
use super::exec::Here;
use super::insn::{Binary, Op, Operand, ZERO};
use crate::domain::{BitOp, Domain, Ext, Res};

impl Here<'_> {
    pub(super) fn integers<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<()> {
        let Op::Binary { binary, half, to, a, b } = *op else { return Ok(()) };
        if self.code.f.insns[self.i].immediate.is_some() {
            return self.complete(d, m, op);
        }
        if self.by_table(d, m, op)? {
            return Ok(());
        }
        let second = match b {
            Operand::Number(n) => Known::Number(n),
            Operand::Register(b) => self.known(b),
        };
        // The number belongs to an address in the frame, so that the object is found that is meant.
        let place = match (binary, half, self.known(a), second) {
            (Binary::Add, false, Known::Frame(at), Known::Number(n))
            | (Binary::Add, false, Known::Number(n), Known::Frame(at)) => Some(at.wrapping_add(n)),
            (Binary::Sub, false, Known::Frame(at), Known::Number(n)) => Some(at.wrapping_sub(n)),
            _ => None,
        };
        if let Some(at) = place {
            let value = self.code.frame_address(d, self.i, at)?;
            return self.give(d, m, to, &value);
        }
        let x = self.general(d, m, a)?;
        let y = match b {
            Operand::Number(n) => d.signed(64, i128::from(n)),
            Operand::Register(b) => self.general(d, m, b)?,
        };
        let (x, y) = if half { (d.trunc(&x, 32), d.trunc(&y, 32)) } else { (x, y) };
        let value = value(d, binary, &x, &y);
        let value = d.sfit(&value, 64);
        self.give(d, m, to, &value)
    }

    /// Copies and sums of what comes from jump tables; whether it was one.
    fn by_table<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<bool> {
        let Op::Binary { binary: Binary::Add, half: false, to, a, b } = *op else { return Ok(false) };
        let (b, second) = match b {
            Operand::Number(n) => (None, Known::Number(n)),
            Operand::Register(b) => (Some(b), self.known(b)),
        };
        let value = match (self.known(a), second, b) {
            // The table's address alone is no data.
            (Known::Table(_), Known::Number(0), _) | (Known::Number(0), Known::Table(_), _) => None,
            (known, Known::Number(0), _) if known.is_code() => Some(self.raw(d, m, a)?),
            (Known::Number(0), known, Some(b)) if known.is_code() => Some(self.raw(d, m, b)?),
            // How far an entry is from the start of its table.
            (Known::Table(_), Known::Top, Some(b)) => Some(self.raw(d, m, b)?),
            (Known::Top, Known::Table(_), _) => Some(self.raw(d, m, a)?),
            // The sum of a jump table's address and an entry: the label already.
            (Known::Entry(t), Known::Table(u), _) if t == u => Some(self.raw(d, m, a)?),
            (Known::Table(t), Known::Entry(u), Some(b)) if t == u => Some(self.raw(d, m, b)?),
            _ => return Ok(false),
        };
        match value {
            Some(value) => self.give(d, m, to, &value)?,
            None if to == ZERO => {}
            None => m.registers[usize::from(to)] = None,
        }
        Ok(true)
    }
}

/// The result of an operation on two values of one width.
fn value<D: Domain>(d: &mut D, binary: Binary, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    match binary {
        Binary::Add => d.add(a, b),
        Binary::Sub => d.sub(a, b),
        Binary::Xor => d.bv_xor(a, b),
        Binary::Or => d.bv_or(a, b),
        Binary::And => d.bv_and(a, b),
        Binary::Mul => d.mul(a, b),
        Binary::Left => shifted(d, BitOp::Shl, a, b),
        Binary::Right => shifted(d, BitOp::Lshr, a, b),
        Binary::RightSigned => shifted(d, BitOp::Ashr, a, b),
        Binary::Less { signed } => {
            let less = if signed { d.slt(a, b) } else { d.ult(a, b) };
            let bit = d.bool_to_bv(&less);
            d.zfit(&bit, width)
        }
        Binary::MulHigh(first, second) => {
            let a = if first { d.sfit(a, 2 * width) } else { d.zfit(a, 2 * width) };
            let b = if second { d.sfit(b, 2 * width) } else { d.zfit(b, 2 * width) };
            let product = d.mul(&a, &b);
            d.extract(2 * width - 1, width, &product)
        }
        Binary::Quotient { signed } => {
            let (by_zero, ones) = (d.is_zero(b), d.signed(width, -1));
            let quotient = d.bin(if signed { BitOp::SDiv } else { BitOp::UDiv }, a, b);
            d.ite(&by_zero, &ones, &quotient)
        }
        Binary::Remainder { signed } => {
            let by_zero = d.is_zero(b);
            let remainder = d.bin(if signed { BitOp::SRem } else { BitOp::URem }, a, b);
            d.ite(&by_zero, a, &remainder)
        }
    }
}

/// A shift by a number modulo the width.
fn shifted<D: Domain>(d: &mut D, how: BitOp, a: &D::Bv, by: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let most = d.num(width, u128::from(width - 1));
    let by = d.bv_and(by, &most);
    d.bin(how, a, &by)
}
