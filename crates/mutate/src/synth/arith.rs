//! C integer arithmetic on known values: promotion, usual conversions, and operators that say when they are
//! undefined (Hermes, section 4.5: the conversions of C, exactly).

use csyntax::types::{IntKind, Types};
use std::borrow::Cow;

/// The operators of figure 5 of the Hermes paper.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// All of them.
pub const OPS: [Op; 16] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Rem,
    Op::Shl,
    Op::Shr,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Lt,
    Op::Le,
    Op::Gt,
    Op::Ge,
    Op::Eq,
    Op::Ne,
];

/// Those that compare.
pub const RELATIONS: [Op; 6] = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne];

impl Op {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Eq => "==",
            Op::Ne => "!=",
        }
    }

    fn compares(self) -> bool {
        RELATIONS.contains(&self)
    }
}

/// A unary operator of figure 5.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    BitNot,
    Minus,
}

impl Unary {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::BitNot => "~",
            Unary::Minus => "-",
        }
    }
}

/// Width in bits.
pub fn bits(types: &Types, kind: IntKind) -> u32 {
    if kind == IntKind::Bool { 1 } else { types.int_bytes(kind) as u32 * 8 }
}

/// Least and greatest value. Kinds of 128 bits are not worked with.
pub fn limits(types: &Types, kind: IntKind) -> (i128, i128) {
    let bits = bits(types, kind).min(64);
    if types.int_signed(kind) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// A value converted to an integer kind; out of range it wraps, as every implementation that is tested defines it.
pub fn convert(types: &Types, kind: IntKind, value: i128) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let bits = bits(types, kind).min(64);
    let low = value & ((1i128 << bits) - 1);
    if types.int_signed(kind) && low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low }
}

/// The integer promotions.
pub fn promote(types: &Types, kind: IntKind) -> IntKind {
    if kind >= IntKind::Int {
        return kind;
    }
    let int = limits(types, IntKind::Int);
    let own = limits(types, kind);
    if int.0 <= own.0 && own.1 <= int.1 { IntKind::Int } else { IntKind::UInt }
}

/// The usual arithmetic conversions.
pub fn usual(types: &Types, a: IntKind, b: IntKind) -> IntKind {
    let (a, b) = (promote(types, a), promote(types, b));
    let (sa, sb) = (types.int_signed(a), types.int_signed(b));
    if a == b {
        return a;
    }
    if sa == sb {
        return a.max(b);
    }
    let (signed, unsigned) = if sa { (a, b) } else { (b, a) };
    if rank(unsigned) >= rank(signed) {
        unsigned
    } else if types.int_bytes(signed) > types.int_bytes(unsigned) {
        signed
    } else {
        unsigned_of(signed)
    }
}

fn rank(kind: IntKind) -> u8 {
    match kind {
        IntKind::Bool => 0,
        IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
        IntKind::Short | IntKind::UShort => 2,
        IntKind::Int | IntKind::UInt => 3,
        IntKind::Long | IntKind::ULong => 4,
        IntKind::LLong | IntKind::ULLong => 5,
        IntKind::Int128 | IntKind::UInt128 => 6,
        IntKind::BitInt(_) | IntKind::UBitInt(_) => 7,
    }
}

fn unsigned_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Int => IntKind::UInt,
        IntKind::Long => IntKind::ULong,
        IntKind::LLong => IntKind::ULLong,
        IntKind::Int128 => IntKind::UInt128,
        other => other,
    }
}

/// The kind of `a op b`.
pub fn result(types: &Types, op: Op, a: IntKind, b: IntKind) -> IntKind {
    match op {
        op if op.compares() => IntKind::Int,
        Op::Shl | Op::Shr => promote(types, a),
        _ => usual(types, a, b),
    }
}

/// `x op y`; `None` where it is undefined. Right shifts of negative values keep the sign, as every implementation that is
/// tested has it.
pub fn binary(types: &Types, op: Op, (ka, x): (IntKind, i128), (kb, y): (IntKind, i128)) -> Option<i128> {
    if matches!(op, Op::Shl | Op::Shr) {
        let kind = promote(types, ka);
        let x = convert(types, kind, x);
        let width = i128::from(bits(types, kind));
        if y < 0 || y >= width || x < 0 && op == Op::Shl {
            return None;
        }
        return match op {
            Op::Shr => Some(x >> y),
            _ if !types.int_signed(kind) => Some(convert(types, kind, ((x as u128) << y) as i128)),
            _ => Some(x << y).filter(|v| *v <= limits(types, kind).1),
        };
    }
    let kind = usual(types, ka, kb);
    let (x, y) = (convert(types, kind, x), convert(types, kind, y));
    let truth = |b: bool| Some(i128::from(b));
    match op {
        Op::Lt => return truth(x < y),
        Op::Le => return truth(x <= y),
        Op::Gt => return truth(x > y),
        Op::Ge => return truth(x >= y),
        Op::Eq => return truth(x == y),
        Op::Ne => return truth(x != y),
        _ => {}
    }
    let exact = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul if !types.int_signed(kind) => (x as u128).wrapping_mul(y as u128) as i128,
        Op::Mul => x * y,
        Op::Div | Op::Rem if y == 0 => return None,
        Op::Div => x / y,
        // The quotient must be representable too.
        Op::Rem if types.int_signed(kind) && y == -1 && x == limits(types, kind).0 => return None,
        Op::Rem => x % y,
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Shl | Op::Shr | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => return None,
    };
    if types.int_signed(kind) {
        let (least, most) = limits(types, kind);
        (least..=most).contains(&exact).then_some(exact)
    } else {
        Some(convert(types, kind, exact))
    }
}

/// `op x`; `None` where it is undefined.
pub fn unary(types: &Types, op: Unary, (kind, x): (IntKind, i128)) -> Option<i128> {
    let promoted = promote(types, kind);
    match op {
        Unary::Not => Some(i128::from(x == 0)),
        Unary::BitNot => Some(convert(types, promoted, !x)),
        Unary::Minus => binary(types, Op::Sub, (promoted, 0), (promoted, x)),
    }
}

/// A constant of a kind of at least `int`'s rank, as an expression.
pub fn constant(types: &Types, kind: IntKind, value: i128) -> String {
    let suffix = match kind {
        IntKind::UInt => "U",
        IntKind::Long => "L",
        IntKind::ULong => "UL",
        IntKind::LLong => "LL",
        IntKind::ULLong => "ULL",
        _ => "",
    };
    if value >= 0 {
        format!("{value}{suffix}")
    } else if value == limits(types, kind).0 {
        format!("(-{}{suffix} - 1)", -(value + 1))
    } else {
        format!("(-{}{suffix})", -value)
    }
}

/// The keywords of a kind.
pub fn keyword(kind: IntKind) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LLong => "long long",
        IntKind::ULLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
        IntKind::BitInt(width) => return Cow::Owned(format!("_BitInt({width})")),
        IntKind::UBitInt(width) => return Cow::Owned(format!("unsigned _BitInt({width})")),
    })
}
