//! How values that are narrower than the registers which pass them fill these, on machines whose convention says so: a callee
//! relies on it, and so does a caller of what it is given.

use super::calls::Piece;
use crate::domain::{Domain, Ext};

/// What lies above a value in its register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Above {
    /// Zeros.
    Zeros,
    /// Copies of its sign.
    Sign,
    /// Ones: the value is a floating-point number.
    Ones,
}

/// A register that holds a value of so many bits, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filled {
    /// The register.
    pub register: usize,
    /// Bits of the value: 8, 16 or 32.
    pub bits: u32,
    /// What lies above.
    pub above: Above,
}

/// Where a number that tells of an argument register has the kind of filling, and the width.
const KIND: u32 = 10;
const WIDTH: u32 = 12;

impl Filled {
    /// The one of a register.
    #[must_use]
    pub fn of(list: &[Filled], register: usize) -> Option<Filled> {
        list.iter().copied().find(|filled| filled.register == register)
    }

    /// The register with a value, of which the low bits count, in so many bits.
    pub fn whole<D: Domain>(self, d: &mut D, value: &D::Bv, width: u32) -> D::Bv {
        let low = d.zfit(value, self.bits.min(width));
        match self.above {
            Above::Zeros => d.zfit(&low, width),
            Above::Sign => d.sfit(&low, width),
            Above::Ones if width > self.bits => {
                let ones = d.signed(width - self.bits, -1);
                d.concat(&ones, &low)
            }
            Above::Ones => low,
        }
    }

    /// Whether a register is filled so.
    pub fn holds<D: Domain>(self, d: &mut D, register: &D::Bv) -> D::Bool {
        let whole = self.whole(d, register, d.width(register));
        d.eq(register, &whole)
    }

    /// As a part of the number that tells of an argument register.
    pub(crate) fn told(self) -> u32 {
        let kind = match self.above {
            Above::Zeros => 1,
            Above::Sign => 2,
            Above::Ones => 3,
        };
        kind << KIND | (self.bits.trailing_zeros() - 2) << WIDTH
    }

    /// From such a number.
    pub(crate) fn from_told(told: u32, register: usize) -> Option<Filled> {
        let above = match told >> KIND & 3 {
            1 => Above::Zeros,
            2 => Above::Sign,
            3 => Above::Ones,
            _ => return None,
        };
        Some(Filled { register, bits: 4 << (told >> WIDTH & 7), above })
    }

    /// The whole register that a value of a type is passed in, and how it fills that: an integer of up to 32 bits with or
    /// without a sign, or a floating-point number.
    #[must_use]
    pub fn piece(register: usize, bits: u32, above: Above) -> (Piece, Option<Filled>) {
        let above = if (bits, above) == (32, Above::Zeros) { Above::Sign } else { above };
        (Piece { register, bits: 64 }, (bits < 64).then_some(Filled { register, bits, above }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Bv, Concrete};

    #[test]
    fn registers_are_filled_as_they_are_told() {
        let mut d = Concrete::new(1);
        let value = Bv::new(64, 0x1234_5678_9abc_def0);
        for (bits, above, expected) in [
            (8, Above::Zeros, 0xf0),
            (8, Above::Sign, 0xffff_ffff_ffff_fff0),
            (16, Above::Sign, 0xffff_ffff_ffff_def0),
            (32, Above::Zeros, 0xffff_ffff_9abc_def0),
            (32, Above::Ones, 0xffff_ffff_9abc_def0),
        ] {
            let (piece, filled) = Filled::piece(10, bits, above);
            let filled = filled.expect("narrow");
            assert_eq!(Filled::from_told(filled.told() | 64, 10), Some(filled));
            let whole = filled.whole(&mut d, &value, piece.bits);
            assert_eq!(whole, Bv::new(64, expected));
            assert!(filled.holds(&mut d, &whole) && !filled.holds(&mut d, &value));
        }
        assert_eq!(Filled::piece(10, 64, Above::Sign).1, None);
    }
}
