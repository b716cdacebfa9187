//! Instructions from their words, by the encoding tables of the Arm Architecture Reference Manual (section C4.1): the
//! registry of what is modelled.

use super::insn::{
    Access, Address, Extended, Field, Float, Index, Insn, Logic, MoveWide, One, Op, Operand, Other, SP,
    Shift, Sign, Two, VECTOR, Writeback, ZERO,
};

/// What makes an instruction of a word of its class; none where the class has it not, or it is not modelled.
type Make = fn(u32) -> Option<Op>;

/// The classes: fixed bits, their values, and what makes an instruction.
const CLASSES: &[(u32, u32, Make)] = &[
    (0xffff_0000, 0x0000_0000, |_| Some(Op::Trap)),
    (0xffe0_001f, 0xd420_0000, |_| Some(Op::Trap)),
    (0x1f00_0000, 0x1000_0000, address),
    (0x1f80_0000, 0x1100_0000, add_number),
    (0x1f80_0000, 0x1200_0000, logic_number),
    (0x1f80_0000, 0x1280_0000, move_wide),
    (0x1f80_0000, 0x1300_0000, field),
    (0x7fa0_0000, 0x1380_0000, extract),
    (0xff00_0010, 0x5400_0000, |w| Some(Op::JumpIf(bits(w, 0, 4)))),
    (0xffff_f01f, 0xd503_201f, hint),
    (0xffff_fc1f, 0xd61f_0000, |w| Some(Op::JumpRegister(zero(w, 5)))),
    (0xffff_fc1f, 0xd63f_0000, |w| Some(Op::CallRegister(zero(w, 5)))),
    (0xffff_ffff, 0xd65f_03c0, |_| Some(Op::Return)),
    (0x7c00_0000, 0x1400_0000, |w| Some(if bit(w, 31) { Op::Call } else { Op::Jump })),
    (0x7e00_0000, 0x3400_0000, |w| {
        Some(Op::JumpIfZero { wide: bit(w, 31), zero: !bit(w, 24), a: zero(w, 0) })
    }),
    (0x7e00_0000, 0x3600_0000, |w| {
        let bit_number = bits(w, 31, 1) << 5 | bits(w, 19, 5);
        Some(Op::JumpIfBit { set: bit(w, 24), a: zero(w, 0), bit: bit_number })
    }),
    (0x3a00_0000, 0x2800_0000, pair),
    (0x3b00_0000, 0x3900_0000, memory),
    (0x3b00_0000, 0x3800_0000, memory),
    (0x1f00_0000, 0x0a00_0000, logic_register),
    (0x1f20_0000, 0x0b00_0000, add_shifted),
    (0x1fe0_0000, 0x0b20_0000, add_extended),
    (0x1fe0_fc00, 0x1a00_0000, |w| {
        let (to, a, b) = (zero(w, 0), zero(w, 5), zero(w, 16));
        Some(Op::Carry { wide: bit(w, 31), sub: bit(w, 30), flags: bit(w, 29), to, a, b })
    }),
    (0x3fe0_0410, 0x3a40_0000, compare_if),
    (0x3fe0_0800, 0x1a80_0000, select),
    (0x7fe0_0000, 0x1ac0_0000, two),
    (0x7fff_0000, 0x5ac0_0000, one),
    (0x7f00_0000, 0x1b00_0000, product),
    (0xff20_0c00, 0x1e20_0800, float),
    (0xff20_7c00, 0x1e20_4000, float_one),
    (0xff20_fc07, 0x1e20_2000, float_compare),
    (0xff20_1fe0, 0x1e20_1000, float_number),
    (0xff20_0c00, 0x1e20_0c00, |w| {
        let (to, a, b) = (vector(w, 0), vector(w, 5), vector(w, 16));
        Some(Op::FloatSelect { bits: format(w)?, to, a, b, condition: bits(w, 12, 4) })
    }),
    (0x7f20_fc00, 0x1e20_0000, float_integer),
    (0xff00_0000, 0x1f00_0000, float_fused),
    (0x9ff8_0c00, 0x0f00_0400, vector_number),
    (0xdfbf_fc00, 0x5e21_d800, |w| {
        let (to, a, bits) = (vector(w, 0), vector(w, 5), format(w)?);
        Some(Op::FromInteger { signed: !bit(w, 29), bits, into: bits, to, a })
    }),
    (0xdfbf_fc00, 0x5ea1_b800, |w| {
        let (to, a, bits) = (vector(w, 0), vector(w, 5), if bit(w, 22) { 64 } else { 32 });
        Some(Op::ToInteger { from: bits, signed: !bit(w, 29), bits, to, a })
    }),
    // `mov` of a whole vector.
    (0xffe0_fc00, 0x4ea0_1c00, |w| {
        let same = bits(w, 5, 5) == bits(w, 16, 5);
        same.then_some(Op::FloatSign { bits: 128, sign: Sign::Same, to: vector(w, 0), a: vector(w, 5) })
    }),
];

/// The instruction of a word.
#[must_use]
pub fn decode(word: u32) -> Insn {
    let class = CLASSES.iter().find(|(mask, value, _)| word & mask == *value);
    Insn { word, op: class.and_then(|(.., make)| make(word)) }
}

fn bits(word: u32, low: u32, count: u32) -> u32 {
    word >> low & (u32::MAX >> (32 - count))
}

fn bit(word: u32, n: u32) -> bool {
    word >> n & 1 == 1
}

/// A number of so many bits with a sign.
fn signed(word: u32, low: u32, count: u32) -> i64 {
    let raw = i64::from(bits(word, low, count));
    if bit(word, low + count - 1) { raw - (1 << count) } else { raw }
}

/// A register, where 31 is zero.
fn zero(word: u32, low: u32) -> u8 {
    match bits(word, low, 5) {
        31 => ZERO,
        n => n as u8,
    }
}

/// A register, where 31 is the stack pointer.
fn sp(word: u32, low: u32) -> u8 {
    match bits(word, low, 5) {
        31 => SP,
        n => n as u8,
    }
}

fn vector(word: u32, low: u32) -> u8 {
    VECTOR + bits(word, low, 5) as u8
}

fn address(w: u32) -> Option<Op> {
    Some(Op::Address { page: bit(w, 31), to: zero(w, 0) })
}

fn add_number(w: u32) -> Option<Op> {
    let flags = bit(w, 29);
    let number = u64::from(bits(w, 10, 12)) << (12 * bits(w, 22, 1));
    let to = if flags { zero(w, 0) } else { sp(w, 0) };
    let (wide, sub) = (bit(w, 31), bit(w, 30));
    Some(Op::AddSub { wide, sub, flags, to, a: sp(w, 5), b: Operand::Number(number) })
}

/// The number that `N:immr:imms` stands for (`DecodeBitMasks`).
fn mask(w: u32, wide: bool) -> Option<u64> {
    let (n, turn, ones) = (bits(w, 22, 1), bits(w, 16, 6), bits(w, 10, 6));
    let length = 31u32.checked_sub((n << 6 | !ones & 0x3f).leading_zeros())?;
    let size = 1u32 << length;
    let (turn, ones) = (turn & (size - 1), ones & (size - 1));
    if length == 0 || ones == size - 1 || size == 64 && !wide {
        return None;
    }
    let all = u64::MAX >> (64 - size);
    let run = u64::MAX >> (63 - ones);
    let mut piece = run;
    if turn > 0 {
        piece = (run >> turn | run << (size - turn)) & all;
    }
    let mut out = 0;
    for place in (0..64).step_by(size as usize) {
        out |= piece << place;
    }
    Some(if wide { out } else { out & 0xffff_ffff })
}

fn logic_number(w: u32) -> Option<Op> {
    let (wide, flags) = (bit(w, 31), bits(w, 29, 2) == 3);
    let to = if flags { zero(w, 0) } else { sp(w, 0) };
    let b = Operand::Number(mask(w, wide)?);
    Some(Op::Logic { wide, logic: logic(w), invert: false, flags, to, a: zero(w, 5), b })
}

fn logic(w: u32) -> Logic {
    match bits(w, 29, 2) {
        1 => Logic::Or,
        2 => Logic::Xor,
        _ => Logic::And,
    }
}

fn move_wide(w: u32) -> Option<Op> {
    let kind = match bits(w, 29, 2) {
        0 => MoveWide::Not,
        2 => MoveWide::Zero,
        3 => MoveWide::Keep,
        _ => return None,
    };
    let (wide, left) = (bit(w, 31), 16 * bits(w, 21, 2));
    let number = u64::from(bits(w, 5, 16));
    (wide || left < 32).then_some(Op::MoveWide { wide, kind, to: zero(w, 0), number, left })
}

fn field(w: u32) -> Option<Op> {
    let kind = match bits(w, 29, 2) {
        0 => Field::Signed,
        1 => Field::Insert,
        2 => Field::Unsigned,
        _ => return None,
    };
    let (wide, right, top) = (bit(w, 31), bits(w, 16, 6), bits(w, 10, 6));
    let fits = wide == bit(w, 22) && (wide || right < 32 && top < 32);
    fits.then_some(Op::Field { wide, kind, to: zero(w, 0), a: zero(w, 5), right, top })
}

fn extract(w: u32) -> Option<Op> {
    let (wide, low) = (bit(w, 31), bits(w, 10, 6));
    let fits = wide == bit(w, 22) && (wide || low < 32);
    fits.then_some(Op::Extract { wide, to: zero(w, 0), a: zero(w, 5), b: zero(w, 16), low })
}

/// `nop`, and marks of where indirect jumps may lead.
fn hint(w: u32) -> Option<Op> {
    matches!(bits(w, 5, 7), 0 | 32 | 34 | 36 | 38).then_some(Op::Nothing)
}

fn shift(n: u32) -> Shift {
    match n {
        0 => Shift::Lsl,
        1 => Shift::Lsr,
        2 => Shift::Asr,
        _ => Shift::Ror,
    }
}

fn shifted(w: u32) -> Option<Operand> {
    let amount = bits(w, 10, 6);
    (bit(w, 31) || amount < 32).then(|| Operand::Shifted(zero(w, 16), shift(bits(w, 22, 2)), amount))
}

fn logic_register(w: u32) -> Option<Op> {
    let (wide, flags, invert) = (bit(w, 31), bits(w, 29, 2) == 3, bit(w, 21));
    Some(Op::Logic { wide, logic: logic(w), invert, flags, to: zero(w, 0), a: zero(w, 5), b: shifted(w)? })
}

fn add_shifted(w: u32) -> Option<Op> {
    if bits(w, 22, 2) == 3 {
        return None;
    }
    let (wide, sub, flags) = (bit(w, 31), bit(w, 30), bit(w, 29));
    Some(Op::AddSub { wide, sub, flags, to: zero(w, 0), a: zero(w, 5), b: shifted(w)? })
}

/// The register of an extension, and what it is shifted by.
fn extended(w: u32, left: u32) -> Extended {
    let option = bits(w, 13, 3);
    Extended { register: zero(w, 16), bits: 8 << (option & 3), signed: option & 4 != 0, left }
}

fn add_extended(w: u32) -> Option<Op> {
    let (wide, sub, flags, left) = (bit(w, 31), bit(w, 30), bit(w, 29), bits(w, 10, 3));
    let to = if flags { zero(w, 0) } else { sp(w, 0) };
    let b = Operand::Extended(extended(w, left));
    (left <= 4).then_some(Op::AddSub { wide, sub, flags, to, a: sp(w, 5), b })
}

fn compare_if(w: u32) -> Option<Op> {
    let b = match bit(w, 11) {
        true => Operand::Number(u64::from(bits(w, 16, 5))),
        false => Operand::Shifted(zero(w, 16), Shift::Lsl, 0),
    };
    let (condition, flags) = (bits(w, 12, 4), bits(w, 0, 4));
    Some(Op::CompareIf { wide: bit(w, 31), sub: bit(w, 30), a: zero(w, 5), b, condition, flags })
}

fn select(w: u32) -> Option<Op> {
    let other = match (bit(w, 30), bit(w, 10)) {
        (false, false) => Other::Same,
        (false, true) => Other::Increment,
        (true, false) => Other::Invert,
        (true, true) => Other::Negate,
    };
    let (to, a, b) = (zero(w, 0), zero(w, 5), zero(w, 16));
    Some(Op::Select { wide: bit(w, 31), to, a, b, condition: bits(w, 12, 4), other })
}

fn two(w: u32) -> Option<Op> {
    let two = match bits(w, 10, 6) {
        2 => Two::Divide { signed: false },
        3 => Two::Divide { signed: true },
        n @ 8..=11 => Two::Shift(shift(n - 8)),
        _ => return None,
    };
    Some(Op::Two { wide: bit(w, 31), two, to: zero(w, 0), a: zero(w, 5), b: zero(w, 16) })
}

fn one(w: u32) -> Option<Op> {
    let wide = bit(w, 31);
    let one = match bits(w, 10, 6) {
        0 => One::ReverseBits,
        1 => One::ReverseBytes(16),
        2 => One::ReverseBytes(32),
        3 if wide => One::ReverseBytes(64),
        4 => One::LeadingZeros,
        5 => One::LeadingSigns,
        _ => return None,
    };
    Some(Op::One { wide, one, to: zero(w, 0), a: zero(w, 5) })
}

fn product(w: u32) -> Option<Op> {
    let (wide, sub) = (bit(w, 31), bit(w, 15));
    let (to, a, b, sum) = (zero(w, 0), zero(w, 5), zero(w, 16), zero(w, 10));
    match (bits(w, 21, 3), wide, sub) {
        (0, ..) => Some(Op::MulAdd { wide, narrow: None, sub, to, a, b, sum }),
        (1, true, _) => Some(Op::MulAdd { wide, narrow: Some(true), sub, to, a, b, sum }),
        (5, true, _) => Some(Op::MulAdd { wide, narrow: Some(false), sub, to, a, b, sum }),
        (2, true, false) => Some(Op::MulHigh { signed: true, to, a, b }),
        (6, true, false) => Some(Op::MulHigh { signed: false, to, a, b }),
        _ => None,
    }
}

/// What an access does, its bytes, and its register, of the class with one register.
fn access(w: u32) -> Option<(Access, u32, u8)> {
    let (size, how) = (bits(w, 30, 2), bits(w, 22, 2));
    let bytes = 1 << size;
    if bit(w, 26) {
        let (access, register) = (if how & 1 == 1 { Access::Load } else { Access::Store }, vector(w, 0));
        return match (how, size) {
            (0 | 1, _) => Some((access, bytes, register)),
            (_, 0) => Some((access, 16, register)),
            _ => None,
        };
    }
    let register = zero(w, 0);
    match (how, size) {
        (0, _) => Some((Access::Store, bytes, register)),
        (1, _) => Some((Access::Load, bytes, register)),
        (2, 0..=2) => Some((Access::LoadSigned(64), bytes, register)),
        (3, 0..=1) => Some((Access::LoadSigned(32), bytes, register)),
        _ => None,
    }
}

fn memory(w: u32) -> Option<Op> {
    let general = !bit(w, 26);
    // `prfm`, `prfum`.
    if general && bits(w, 30, 2) == 3 && bits(w, 22, 2) == 2 {
        return Some(Op::Nothing);
    }
    let (access, bytes, register) = access(w)?;
    let near = Index::Number(signed(w, 12, 9));
    let (index, writeback) = match (bit(w, 24), bit(w, 21), bits(w, 10, 2)) {
        (true, ..) => (Index::Number(i64::from(bits(w, 10, 12)) * i64::from(bytes)), Writeback::None),
        (false, false, 0) => (near, Writeback::None),
        (false, false, 1) => (near, Writeback::After),
        (false, false, 3) => (near, Writeback::Before),
        (false, true, 2) if bit(w, 14) => {
            let left = if bit(w, 12) { bytes.trailing_zeros() } else { 0 };
            (Index::Register(extended(w, left)), Writeback::None)
        }
        _ => return None,
    };
    let base = sp(w, 5);
    // What becomes of a base that is loaded, too, is not defined.
    if writeback != Writeback::None && register == base {
        return None;
    }
    Some(Op::Memory { access, bytes, register, address: Address { base, index, writeback } })
}

fn pair(w: u32) -> Option<Op> {
    let (size, load) = (bits(w, 30, 2), bit(w, 22));
    let plain = if load { Access::Load } else { Access::Store };
    let (access, bytes, registers) = match (bit(w, 26), size) {
        (true, 0..=2) => (plain, 4 << size, (vector(w, 0), vector(w, 10))),
        (false, 0) => (plain, 4, (zero(w, 0), zero(w, 10))),
        (false, 1) if load && bits(w, 23, 2) != 0 => (Access::LoadSigned(64), 4, (zero(w, 0), zero(w, 10))),
        (false, 2) => (plain, 8, (zero(w, 0), zero(w, 10))),
        _ => return None,
    };
    let writeback = match bits(w, 23, 2) {
        0 | 2 => Writeback::None,
        1 => Writeback::After,
        _ => Writeback::Before,
    };
    let base = sp(w, 5);
    let twice = load && registers.0 == registers.1 && registers.0 != ZERO;
    if twice || writeback != Writeback::None && [registers.0, registers.1].contains(&base) {
        return None;
    }
    let index = Index::Number(signed(w, 15, 7) * i64::from(bytes));
    Some(Op::Pair { access, bytes, registers, address: Address { base, index, writeback } })
}

/// The width of the format.
fn format(w: u32) -> Option<u32> {
    match bits(w, 22, 2) {
        0 => Some(32),
        1 => Some(64),
        _ => None,
    }
}

fn float(w: u32) -> Option<Op> {
    let float = match bits(w, 12, 4) {
        0 => Float::Mul,
        1 => Float::Div,
        2 => Float::Add,
        3 => Float::Sub,
        8 => Float::NegMul,
        _ => return None,
    };
    Some(Op::Float { bits: format(w)?, float, to: vector(w, 0), a: vector(w, 5), b: vector(w, 16) })
}

fn float_one(w: u32) -> Option<Op> {
    let (bits_of, to, a) = (format(w)?, vector(w, 0), vector(w, 5));
    let sign = |sign| Some(Op::FloatSign { bits: bits_of, sign, to, a });
    match bits(w, 15, 6) {
        0 => sign(Sign::Same),
        1 => sign(Sign::Absolute),
        2 => sign(Sign::Negate),
        3 => Some(Op::FloatRoot { bits: bits_of, to, a }),
        4 if bits_of == 64 => Some(Op::FloatFormat { from: 64, into: 32, to, a }),
        5 if bits_of == 32 => Some(Op::FloatFormat { from: 32, into: 64, to, a }),
        _ => None,
    }
}

fn float_compare(w: u32) -> Option<Op> {
    let b = (!bit(w, 3)).then(|| vector(w, 16));
    Some(Op::FloatCompare { bits: format(w)?, a: vector(w, 5), b })
}

/// The floating-point number of a width that eight bits stand for (`VFPExpandImm`).
fn expanded(byte: u64, width: u32) -> u64 {
    let (sign, flipped, rest) = (byte >> 7, byte >> 6 & 1, byte & 0x3f);
    match width {
        32 => sign << 31 | (flipped ^ 1) << 30 | (if flipped == 1 { 0x1f } else { 0 }) << 25 | rest << 19,
        _ => sign << 63 | (flipped ^ 1) << 62 | (if flipped == 1 { 0xff } else { 0 }) << 54 | rest << 48,
    }
}

fn float_number(w: u32) -> Option<Op> {
    let number = expanded(u64::from(bits(w, 13, 8)), format(w)?);
    Some(Op::FloatNumber { to: vector(w, 0), number })
}

fn float_integer(w: u32) -> Option<Op> {
    let (wide, of) = (bit(w, 31), format(w)?);
    let integer = if wide { 64 } else { 32 };
    let (general, number) = ((zero(w, 0), vector(w, 5)), (vector(w, 0), zero(w, 5)));
    match (bits(w, 19, 2), bits(w, 16, 3)) {
        (0, how @ (2 | 3)) => {
            Some(Op::FromInteger { signed: how == 2, bits: integer, into: of, to: number.0, a: number.1 })
        }
        (3, how @ (0 | 1)) => {
            Some(Op::ToInteger { from: of, signed: how == 0, bits: integer, to: general.0, a: general.1 })
        }
        (0, 6) if integer == of => Some(Op::MoveBits { bits: of, to: general.0, a: general.1 }),
        (0, 7) if integer == of => Some(Op::MoveBits { bits: of, to: number.0, a: number.1 }),
        _ => None,
    }
}

fn float_fused(w: u32) -> Option<Op> {
    let (to, a, b, sum) = (vector(w, 0), vector(w, 5), vector(w, 16), vector(w, 10));
    let sign = |negated: bool| if negated { Sign::Negate } else { Sign::Same };
    // `fmsub` negates the product, `fnmadd` both, `fnmsub` what is added.
    let (whole, other) = (bit(w, 21), bit(w, 15));
    let (product, added) = (sign(whole != other), sign(whole));
    Some(Op::FloatFused { bits: format(w)?, to, a, b, sum, product, added })
}

/// A number that eight bits stand for, in both halves of a vector or in the lower one (`AdvSIMDExpandImm`).
fn vector_number(w: u32) -> Option<Op> {
    let byte = u64::from(bits(w, 16, 3) << 5 | bits(w, 5, 5));
    let (other, form) = (bit(w, 29), bits(w, 12, 4));
    let words = |n: u64| n << 32 | n;
    let halves = |n: u64| words(n << 16 | n);
    let half = match form {
        // The odd forms, `orr` and `bic`, change what the vector holds: they are not modelled.
        0..=7 if form & 1 == 0 => words(byte << (8 * (form >> 1))),
        8 | 10 => halves(byte << (8 * (form >> 1 & 1))),
        12 => words(byte << 8 | 0xff),
        13 => words(byte << 16 | 0xffff),
        14 if !other => halves(byte << 8 | byte),
        14 => (0..8).filter(|n| byte >> n & 1 == 1).fold(0, |all, n| all | 0xff << (8 * n)),
        15 if !other => words(expanded(byte, 32)),
        15 if bit(w, 30) => expanded(byte, 64),
        _ => return None,
    };
    let half = if other && form < 14 { !half } else { half };
    let to = vector(w, 0);
    Some(if bit(w, 30) { Op::VectorNumber { to, half } } else { Op::FloatNumber { to, number: half } })
}
