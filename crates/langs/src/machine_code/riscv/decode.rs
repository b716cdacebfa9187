//! Instructions from their bytes, by the opcode map of the RISC-V Instruction Set Manual (volume I, chapter "RV32/64G
//! Instruction Set Listings"): the registry of what is modelled.

use super::compressed::expand;
use super::insn::{Address, Binary, Compare, Condition, FLOAT, Float, Insn, LINK, Op, Operand, ZERO};

/// What makes an instruction of a word of its opcode; none where the machine has it not, or it is not modelled.
type Make = fn(Word) -> Option<Op>;

/// Opcodes, and what makes an instruction.
const OPCODES: &[(u32, Make)] = &[
    (0x03, load),
    (0x07, load_float),
    (0x13, |w| number(w, false)),
    (0x17, |w| Some(upper(w, true))),
    (0x1b, |w| number(w, true)),
    (0x23, |w| (w.f3() < 4).then(|| store(w, general(w.bits(20, 5))))),
    (0x27, |w| matches!(w.f3(), 2 | 3).then(|| store(w, float(w.bits(20, 5))))),
    (0x33, |w| registers(w, false)),
    (0x37, |w| Some(upper(w, false))),
    (0x3b, |w| registers(w, true)),
    (0x43, |w| fused(w, false, false)),
    (0x47, |w| fused(w, false, true)),
    (0x4b, |w| fused(w, true, false)),
    (0x4f, |w| fused(w, true, true)),
    (0x53, floating),
    (0x63, branch),
    (0x67, jump_register),
    (0x6f, jump),
    // `ebreak`, and a write of a register that cannot be written (`unimp`).
    (0x73, |w| matches!(w.0, 0x0010_0073 | 0xc000_1073).then_some(Op::Trap)),
];

/// The rounding mode of the environment, and towards zero, as instructions name them.
const BY_ENVIRONMENT: u32 = 7;
const TO_ZERO: u32 = 1;

/// An instruction of four bytes.
#[derive(Clone, Copy)]
struct Word(u32);

impl Word {
    fn bits(self, low: u32, count: u32) -> u32 {
        self.0 >> low & ((1 << count) - 1)
    }

    /// The three bits that tell instructions of an opcode apart, or the rounding mode.
    fn f3(self) -> u32 {
        self.bits(12, 3)
    }

    /// The number of twelve bits.
    fn twelve(self) -> i64 {
        i64::from(self.0 as i32 >> 20)
    }

    fn to(self) -> u8 {
        general(self.bits(7, 5))
    }

    fn a(self) -> u8 {
        general(self.bits(15, 5))
    }

    fn b(self) -> u8 {
        general(self.bits(20, 5))
    }
}

fn general(n: u32) -> u8 {
    if n == 0 { ZERO } else { n as u8 }
}

fn float(n: u32) -> u8 {
    FLOAT + n as u8
}

/// The instruction of two or four bytes, or of the eight of a jump or call that makes its address first.
#[must_use]
pub fn decode(bytes: &[u8]) -> Insn {
    let word = bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let op = match bytes.len() {
        // Bytes that nobody wrote.
        2 if word == 0 => Some(Op::Trap),
        2 => expand(word as u16).and_then(of_word),
        4 => of_word(word as u32),
        8 => far(Word(word as u32), Word((word >> 32) as u32)),
        _ => None,
    };
    Insn { word, op }
}

fn of_word(word: u32) -> Option<Op> {
    let (_, make) = OPCODES.iter().find(|(opcode, _)| word & 0x7f == *opcode)?;
    make(Word(word))
}

/// `auipc` and the `jalr` behind it.
fn far(first: Word, second: Word) -> Option<Op> {
    let (made, link) = (first.to(), second.to());
    let follows = first.bits(0, 7) == 0x17 && second.bits(0, 7) == 0x67 && second.f3() == 0;
    if !follows || made == ZERO || second.a() != made {
        return None;
    }
    match link {
        ZERO => Some(Op::Jump { scratch: made }),
        LINK if made == LINK => Some(Op::Call),
        _ => None,
    }
}

fn upper(w: Word, counter: bool) -> Op {
    Op::Upper { counter, to: w.to(), number: i64::from((w.0 & 0xffff_f000) as i32) }
}

fn load(w: Word) -> Option<Op> {
    let address = Address { base: w.a(), offset: w.twelve() };
    let signed = w.f3() < 4;
    (w.f3() < 7).then(|| Op::Load { to: w.to(), address, bytes: 1 << w.bits(12, 2), signed })
}

fn load_float(w: Word) -> Option<Op> {
    let address = Address { base: w.a(), offset: w.twelve() };
    let bytes = 1 << w.bits(12, 2);
    matches!(w.f3(), 2 | 3).then(|| Op::Load { to: float(w.bits(7, 5)), address, bytes, signed: false })
}

fn store(w: Word, from: u8) -> Op {
    let offset = i64::from((w.0 & 0xfe00_0000) as i32 >> 20) | i64::from(w.bits(7, 5));
    Op::Store { from, address: Address { base: w.a(), offset }, bytes: 1 << w.bits(12, 2) }
}

/// An operation on a register and a number.
fn number(w: Word, half: bool) -> Option<Op> {
    let (count, kind) = if half { (5, w.bits(25, 7)) } else { (6, w.bits(26, 6) << 1) };
    let by = i64::from(w.bits(20, count));
    let (binary, n) = match (w.f3(), kind) {
        (0, _) => (Binary::Add, w.twelve()),
        (1, 0) => (Binary::Left, by),
        (5, 0) => (Binary::Right, by),
        (5, 0x20) => (Binary::RightSigned, by),
        (2, _) if !half => (Binary::Less { signed: true }, w.twelve()),
        (3, _) if !half => (Binary::Less { signed: false }, w.twelve()),
        (4, _) if !half => (Binary::Xor, w.twelve()),
        (6, _) if !half => (Binary::Or, w.twelve()),
        (7, _) if !half => (Binary::And, w.twelve()),
        _ => return None,
    };
    Some(Op::Binary { binary, half, to: w.to(), a: w.a(), b: Operand::Number(n) })
}

/// An operation on two registers.
fn registers(w: Word, half: bool) -> Option<Op> {
    let binary = match (w.bits(25, 7), w.f3()) {
        (0, 0) => Binary::Add,
        (0x20, 0) => Binary::Sub,
        (0, 1) => Binary::Left,
        (0, 5) => Binary::Right,
        (0x20, 5) => Binary::RightSigned,
        (0, 2) if !half => Binary::Less { signed: true },
        (0, 3) if !half => Binary::Less { signed: false },
        (0, 4) if !half => Binary::Xor,
        (0, 6) if !half => Binary::Or,
        (0, 7) if !half => Binary::And,
        (1, 0) => Binary::Mul,
        (1, 1) if !half => Binary::MulHigh(true, true),
        (1, 2) if !half => Binary::MulHigh(true, false),
        (1, 3) if !half => Binary::MulHigh(false, false),
        (1, 4) => Binary::Quotient { signed: true },
        (1, 5) => Binary::Quotient { signed: false },
        (1, 6) => Binary::Remainder { signed: true },
        (1, 7) => Binary::Remainder { signed: false },
        _ => return None,
    };
    Some(Op::Binary { binary, half, to: w.to(), a: w.a(), b: Operand::Register(w.b()) })
}

fn branch(w: Word) -> Option<Op> {
    let condition = match w.f3() {
        0 | 1 => Condition::Equal,
        4 | 5 => Condition::Less { signed: true },
        6 | 7 => Condition::Less { signed: false },
        _ => return None,
    };
    Some(Op::JumpIf { condition, holds: w.f3() & 1 == 0, a: w.a(), b: w.b() })
}

fn jump(w: Word) -> Option<Op> {
    match w.to() {
        ZERO => Some(Op::Jump { scratch: ZERO }),
        LINK => Some(Op::Call),
        _ => None,
    }
}

fn jump_register(w: Word) -> Option<Op> {
    if w.f3() != 0 || w.twelve() != 0 || w.a() == ZERO {
        return None;
    }
    match (w.to(), w.a()) {
        (ZERO, LINK) => Some(Op::Return),
        (ZERO, a) => Some(Op::JumpRegister(a)),
        (LINK, a) => Some(Op::CallRegister(a)),
        _ => None,
    }
}

/// The width of a format.
fn format(w: Word) -> Option<u32> {
    match w.bits(25, 2) {
        0 => Some(32),
        1 => Some(64),
        _ => None,
    }
}

fn fused(w: Word, negated: bool, minus: bool) -> Option<Op> {
    let bits = format(w).filter(|_| w.f3() == BY_ENVIRONMENT)?;
    let [to, a, b, sum] = [7, 15, 20, 27].map(|low| float(w.bits(low, 5)));
    // `fnmsub` negates the product alone, `fnmadd` both.
    Some(Op::Fused { bits, to, a, b, sum, negated, minus })
}

fn floating(w: Word) -> Option<Op> {
    let (bits, f3) = (format(w)?, w.f3());
    let [to, a, b] = [7, 15, 20].map(|low| float(w.bits(low, 5)));
    let kind = w.bits(20, 5);
    let (rounds, two) = (f3 == BY_ENVIRONMENT, |float| Some(Op::Float { bits, float, to, a, b }));
    match (w.bits(27, 5), f3) {
        (0, _) if rounds => two(Float::Add),
        (1, _) if rounds => two(Float::Sub),
        (2, _) if rounds => two(Float::Mul),
        (3, _) if rounds => two(Float::Div),
        (4, 0) => two(Float::SignOf),
        (4, 1) => two(Float::SignNot),
        (4, 2) => two(Float::SignXor),
        (5, 0) => two(Float::Min),
        (5, 1) => two(Float::Max),
        // What a conversion to a wider format is rounded by makes no difference.
        (8, _) => match (kind, bits) {
            (1, 32) if rounds => Some(Op::Format { from: 64, into: 32, to, a }),
            (0, 64) if f3 < 5 || rounds => Some(Op::Format { from: 32, into: 64, to, a }),
            _ => None,
        },
        (11, _) if rounds && kind == 0 => Some(Op::Root { bits, to, a }),
        (20, 0..=2) => {
            let compare = [Compare::LessEqual, Compare::Less, Compare::Equal][f3 as usize];
            Some(Op::FloatCompare { bits, compare, to: w.to(), a, b })
        }
        (24, TO_ZERO) if kind < 4 => {
            let (signed, width) = (kind & 1 == 0, 32 << (kind >> 1));
            Some(Op::ToInteger { from: bits, signed, bits: width, to: w.to(), a })
        }
        (26, _) if kind < 4 => {
            let (signed, width) = (kind & 1 == 0, 32 << (kind >> 1));
            let exact = bits == 64 && width == 32 && f3 < 5;
            (rounds || exact).then(|| Op::FromInteger { signed, bits: width, into: bits, to, a: w.a() })
        }
        (28, 0) if kind == 0 => Some(Op::MoveBits { bits, to: w.to(), a }),
        (28, 1) if kind == 0 => Some(Op::Class { bits, to: w.to(), a }),
        (30, 0) if kind == 0 => Some(Op::MoveBits { bits, to, a: w.a() }),
        _ => None,
    }
}
