//! Tables: which instruction does an operator on a representation.

use crate::bytecode::{Insn, Reg, SoftOp, WideOp};
use crate::class::Scalar;
use csyntax::tree::{Op, Rel};

/// The 64-bit-or-less representation an operation on `scalar` works in (after promotion only these occur).
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Arith {
    I32,
    U32,
    I64,
    U64,
    Wide(bool),
    F32,
    F64,
    Soft,
}

/// Classifies a representation.
pub(super) fn arith(scalar: Scalar) -> Arith {
    match scalar {
        Scalar::I8 | Scalar::I16 | Scalar::I32 => Arith::I32,
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::Bool => Arith::U32,
        Scalar::I64 => Arith::I64,
        Scalar::U64 | Scalar::Ptr => Arith::U64,
        Scalar::I128 => Arith::Wide(true),
        Scalar::U128 => Arith::Wide(false),
        // What does not fit is looked at behind the operation: see `bit_int`.
        Scalar::Bits(65.., signed) => Arith::Wide(signed),
        Scalar::Bits(_, true) => Arith::I64,
        Scalar::Bits(_, false) => Arith::U64,
        Scalar::F32 => Arith::F32,
        Scalar::F64 => Arith::F64,
        Scalar::F16 | Scalar::F80 | Scalar::F128 => Arith::Soft,
    }
}

/// An arithmetic instruction.
pub(super) fn binary(op: Op, scalar: Scalar, d: Reg, a: Reg, b: Reg) -> Option<Insn> {
    macro_rules! pick {
        ($($op:ident: $i32:ident $u32:ident $i64:ident $u64:ident;)*) => {
            match (op, arith(scalar)) { $(
                (Op::$op, Arith::I32) => Insn::$i32 { d, a, b },
                (Op::$op, Arith::U32) => Insn::$u32 { d, a, b },
                (Op::$op, Arith::I64) => Insn::$i64 { d, a, b },
                (Op::$op, Arith::U64) => Insn::$u64 { d, a, b },)*
                (Op::Add, Arith::F32) => Insn::AddF32 { d, a, b },
                (Op::Sub, Arith::F32) => Insn::SubF32 { d, a, b },
                (Op::Mul, Arith::F32) => Insn::MulF32 { d, a, b },
                (Op::Div, Arith::F32) => Insn::DivF32 { d, a, b },
                (Op::Add, Arith::F64) => Insn::AddF64 { d, a, b },
                (Op::Sub, Arith::F64) => Insn::SubF64 { d, a, b },
                (Op::Mul, Arith::F64) => Insn::MulF64 { d, a, b },
                (Op::Div, Arith::F64) => Insn::DivF64 { d, a, b },
                (_, Arith::F32 | Arith::F64) => return None,
                (op, Arith::Wide(signed)) => Insn::Wide { d, a, b, op: wide(op), signed },
                (op, Arith::Soft) => Insn::Soft { d, a, b, op: soft(op)?, kind: scalar },
            }
        };
    }
    Some(pick! {
        Add: AddI32 AddU32 AddI64 AddU64;
        Sub: SubI32 SubU32 SubI64 SubU64;
        Mul: MulI32 MulU32 MulI64 MulU64;
        Div: DivI32 DivU DivI64 DivU;
        Rem: RemI32 RemU RemI64 RemU;
        And: And And And And;
        Or: Or Or Or Or;
        Xor: Xor Xor Xor Xor;
        Shl: ShlI32 ShlU32 ShlI64 ShlU64;
        Shr: ShrI32 ShrU32 ShrI64 ShrU64;
    })
}

/// An arithmetic instruction with a constant right operand.
pub(super) fn binary_k(op: Op, scalar: Scalar, d: Reg, a: Reg, k: i32) -> Option<Insn> {
    let bits = match arith(scalar) {
        Arith::I32 | Arith::U32 => 32,
        Arith::I64 | Arith::U64 => 64,
        Arith::Wide(_) | Arith::F32 | Arith::F64 | Arith::Soft => return None,
    };
    let count_ok = (0..bits).contains(&k);
    // Constants arrive canonical: a 32-bit unsigned one above i32::MAX does not fit `k` and never comes here.
    Some(match (op, arith(scalar)) {
        (Op::Add, Arith::I32) => Insn::AddI32K { d, a, k },
        (Op::Add, Arith::U32) => Insn::AddU32K { d, a, k },
        (Op::Add, Arith::I64) => Insn::AddI64K { d, a, k },
        (Op::Add, Arith::U64) => Insn::AddU64K { d, a, k },
        (Op::Sub, Arith::I32) if k != i32::MIN => Insn::AddI32K { d, a, k: -k },
        (Op::Sub, Arith::U32) if k != i32::MIN => Insn::AddU32K { d, a, k: -k },
        (Op::Sub, Arith::I64) if k != i32::MIN => Insn::AddI64K { d, a, k: -k },
        (Op::Sub, Arith::U64) if k != i32::MIN => Insn::AddU64K { d, a, k: -k },
        (Op::Mul, Arith::I32) => Insn::MulI32K { d, a, k },
        (Op::Mul, Arith::U32) => Insn::MulU32K { d, a, k },
        (Op::Mul, Arith::I64) => Insn::MulI64K { d, a, k },
        (Op::Mul, Arith::U64) => Insn::MulU64K { d, a, k },
        (Op::And, _) => Insn::AndK { d, a, k },
        (Op::Or, _) => Insn::OrK { d, a, k },
        (Op::Xor, _) => Insn::XorK { d, a, k },
        (Op::Shl, Arith::I32) if count_ok => Insn::ShlI32K { d, a, k },
        (Op::Shl, Arith::U32) if count_ok => Insn::ShlU32K { d, a, k },
        (Op::Shl, Arith::I64) if count_ok => Insn::ShlI64K { d, a, k },
        (Op::Shl, Arith::U64) if count_ok => Insn::ShlU64K { d, a, k },
        (Op::Shr, Arith::I32 | Arith::I64) if count_ok => Insn::ShrSK { d, a, k },
        (Op::Shr, Arith::U32 | Arith::U64) if count_ok => Insn::ShrUK { d, a, k },
        _ => return None,
    })
}

fn wide(op: Op) -> WideOp {
    match op {
        Op::Mul => WideOp::Mul,
        Op::Div => WideOp::Div,
        Op::Rem => WideOp::Rem,
        Op::Add => WideOp::Add,
        Op::Sub => WideOp::Sub,
        Op::Shl => WideOp::Shl,
        Op::Shr => WideOp::Shr,
        Op::And => WideOp::And,
        Op::Xor => WideOp::Xor,
        Op::Or => WideOp::Or,
    }
}

fn soft(op: Op) -> Option<SoftOp> {
    match op {
        Op::Mul => Some(SoftOp::Mul),
        Op::Div => Some(SoftOp::Div),
        Op::Add => Some(SoftOp::Add),
        Op::Sub => Some(SoftOp::Sub),
        Op::Rem | Op::Shl | Op::Shr | Op::And | Op::Xor | Op::Or => None,
    }
}

/// Swaps operands so that only `<`, `<=`, `==`, `!=` remain: relation and "swapped".
pub(super) fn normal(rel: Rel) -> (Rel, bool) {
    match rel {
        Rel::Gt => (Rel::Lt, true),
        Rel::Ge => (Rel::Le, true),
        Rel::Lt | Rel::Le | Rel::Eq | Rel::Ne => (rel, false),
    }
}

/// A comparison into a register; `rel` normalised.
pub(super) fn compare(rel: Rel, scalar: Scalar, d: Reg, a: Reg, b: Reg) -> Insn {
    let signed = scalar.signed();
    match (rel, arith(scalar)) {
        (Rel::Lt, Arith::F32) => Insn::LtF32 { d, a, b },
        (Rel::Le, Arith::F32) => Insn::LeF32 { d, a, b },
        (Rel::Eq, Arith::F32) => Insn::EqF32 { d, a, b },
        (_, Arith::F32) => Insn::NeF32 { d, a, b },
        (Rel::Lt, Arith::F64) => Insn::LtF64 { d, a, b },
        (Rel::Le, Arith::F64) => Insn::LeF64 { d, a, b },
        (Rel::Eq, Arith::F64) => Insn::EqF64 { d, a, b },
        (_, Arith::F64) => Insn::NeF64 { d, a, b },
        (rel, Arith::Wide(signed)) => {
            let op = match rel {
                Rel::Lt | Rel::Gt => WideOp::Lt,
                Rel::Le | Rel::Ge => WideOp::Le,
                Rel::Eq => WideOp::Eq,
                Rel::Ne => WideOp::Ne,
            };
            Insn::Wide { d, a, b, op, signed }
        }
        (rel, Arith::Soft) => {
            let op = match rel {
                Rel::Lt | Rel::Gt => SoftOp::Lt,
                Rel::Le | Rel::Ge => SoftOp::Le,
                Rel::Eq => SoftOp::Eq,
                Rel::Ne => SoftOp::Ne,
            };
            Insn::Soft { d, a, b, op, kind: scalar }
        }
        (Rel::Eq, _) => Insn::CEq { d, a, b },
        (Rel::Ne, _) => Insn::CNe { d, a, b },
        (Rel::Lt | Rel::Gt, _) if scalar == Scalar::Ptr => Insn::PLt { d, a, b },
        (Rel::Le | Rel::Ge, _) if scalar == Scalar::Ptr => Insn::PLe { d, a, b },
        (Rel::Lt | Rel::Gt, _) if signed => Insn::CLtS { d, a, b },
        (Rel::Lt | Rel::Gt, _) => Insn::CLtU { d, a, b },
        (Rel::Le | Rel::Ge, _) if signed => Insn::CLeS { d, a, b },
        (Rel::Le | Rel::Ge, _) => Insn::CLeU { d, a, b },
    }
}
