//! Shadow bytes and alias classes: one byte beside each byte of memory says whether it is initialised, part of a
//! stored pointer, const, free to change its type, and which scalar type it has (C11 6.5p6-7).

use csyntax::ast::Quals;
use csyntax::types::{ArrayLen, FloatKind, IntKind, QTy, Ty, TyKind, Types};

/// The byte has a value.
pub const INIT: u8 = 0x80;
/// The byte belongs to a pointer stored whole; its provenance is in the provenance table. Without [`INIT`]: the byte
/// has an unspecified value, since a store to a smaller member of its union left it out (6.2.6.1p7).
pub const PIECE: u8 = 0x40;
/// The byte belongs to an object defined `const`.
pub const CONST: u8 = 0x20;
/// The byte takes the type of the last store (allocated memory, unions).
pub const RETYPE: u8 = 0x10;
/// Does a shadow byte say that its byte belongs to a pointer stored whole?
#[inline(always)]
pub fn is_piece(shadow: u8) -> bool {
    shadow & (INIT | PIECE) == INIT | PIECE
}

/// Does it say that the byte's value is unspecified?
#[inline(always)]
pub fn is_unspecified(shadow: u8) -> bool {
    shadow & (INIT | PIECE) == PIECE
}

/// Mask of the class bits.
pub const CLASS: u8 = 0x0f;

/// Scalar types as aliasing sees them: signedness and qualifiers do not matter, enums are their integer type,
/// all pointers are one class.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Class {
    None = 0,
    Char = 1,
    Short = 2,
    Int = 3,
    Long = 4,
    LLong = 5,
    Int128 = 6,
    Float = 7,
    Double = 8,
    LongDouble = 9,
    Float128 = 10,
    Ptr = 11,
    Bool = 12,
    Float16 = 13,
    /// Bytes that hold bit-fields.
    Bits = 14,
    /// As the class of an access: may touch every type (`may_alias`, union members, volatile, initialisation). In
    /// shadow: the byte belongs to an object defined `volatile`, which only such accesses may touch.
    Any = 15,
}

impl Class {
    /// The name used in messages.
    pub fn name(class: u8) -> &'static str {
        [
            "no type",
            "char",
            "short",
            "int",
            "long",
            "long long",
            "__int128",
            "float",
            "double",
            "long double",
            "_Float128",
            "pointer",
            "_Bool",
            "_Float16",
            "bit-field",
            "any",
        ][(class & CLASS) as usize]
    }
}

/// Representation of a scalar in a register and in memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F16,
    F32,
    F64,
    F80,
    F128,
    Ptr,
    Bool,
    /// `_BitInt(N)`: width, and whether it is signed. In a register extended as others are, to 64 or 128 bits; in memory
    /// with padding bits that no load looks at.
    Bits(u8, bool),
}

impl Scalar {
    /// Size in bytes of the value (10 for x87, whatever its padding).
    pub fn bytes(self, pointer_bytes: u64) -> u64 {
        match self {
            Scalar::I8 | Scalar::U8 | Scalar::Bool => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
            Scalar::F80 => 10,
            Scalar::I128 | Scalar::U128 | Scalar::F128 => 16,
            Scalar::Ptr => pointer_bytes,
            Scalar::Bits(width, _) => match width {
                0..=8 => 1,
                9..=16 => 2,
                17..=32 => 4,
                33..=64 => 8,
                65.. => 16,
            },
        }
    }

    /// Width of an integer in bits.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Bits(width, _) => u32::from(width),
            other => 8 * other.bytes(8) as u32,
        }
    }

    /// The standard integer that holds a `_BitInt` in a register; others are their own.
    pub fn register(self) -> Scalar {
        match self {
            Scalar::Bits(65.., true) => Scalar::I128,
            Scalar::Bits(65.., false) => Scalar::U128,
            Scalar::Bits(_, true) => Scalar::I64,
            Scalar::Bits(_, false) => Scalar::U64,
            other => other,
        }
    }

    /// Is it a signed integer?
    pub fn signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128 | Scalar::Bits(_, true)
        )
    }

    /// Is it an integer (`_Bool` too)?
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Ptr
    }

    /// Is it floating?
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80 | Scalar::F128)
    }

    /// Does it need both halves of a register?
    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::I128 | Scalar::U128 | Scalar::Bits(65.., _))
    }

    /// Soft floats that the host has no type for.
    pub fn is_soft(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F80 | Scalar::F128)
    }
}

/// The low bits of a `_BitInt`'s value in a register: extended to 64 bits, or to both halves.
pub fn extended(raw: u128, width: u8, signed: bool) -> (u64, u64) {
    let unused = 128 - u32::from(width.max(1));
    let top = raw << unused;
    let whole = if signed { ((top as i128) >> unused) as u128 } else { top >> unused };
    (whole as u64, if width > 64 { (whole >> 64) as u64 } else { 0 })
}

/// The scalar of a type, `None` for aggregates, functions and `void`.
pub fn scalar_of(types: &Types, ty: Ty) -> Option<Scalar> {
    if let Some(kind) = types.int_kind(ty) {
        if kind == IntKind::Bool {
            return Some(Scalar::Bool);
        }
        let signed = types.int_signed(kind);
        if let Some(width) = kind.bit_precise() {
            return Some(Scalar::Bits(width, signed));
        }
        return Some(match (types.int_bytes(kind), signed) {
            (1, true) => Scalar::I8,
            (1, false) => Scalar::U8,
            (2, true) => Scalar::I16,
            (2, false) => Scalar::U16,
            (4, true) => Scalar::I32,
            (4, false) => Scalar::U32,
            (8, true) => Scalar::I64,
            (8, false) => Scalar::U64,
            (_, true) => Scalar::I128,
            (_, false) => Scalar::U128,
        });
    }
    match types.kind(ty) {
        TyKind::Float(kind) => Some(match kind {
            FloatKind::Float16 => Scalar::F16,
            FloatKind::Float => Scalar::F32,
            FloatKind::Double => Scalar::F64,
            FloatKind::LongDouble => match types.target.long_double {
                csyntax::target::LongDouble::Double => Scalar::F64,
                csyntax::target::LongDouble::X87 => Scalar::F80,
                csyntax::target::LongDouble::Quad => Scalar::F128,
            },
            FloatKind::Float128 => Scalar::F128,
        }),
        TyKind::Pointer(_) => Some(Scalar::Ptr),
        TyKind::Void
        | TyKind::Int(_)
        | TyKind::Enum(_)
        | TyKind::Complex(_)
        | TyKind::Array(..)
        | TyKind::Vector(..)
        | TyKind::Function(_)
        | TyKind::Record(_)
        | TyKind::VaList => None,
    }
}

/// The alias class of a scalar type.
pub fn class_of(types: &Types, ty: Ty) -> Class {
    if types.adjusted.get(&ty).is_some_and(|a| a.may_alias) {
        return Class::Any;
    }
    if let Some(kind) = types.int_kind(ty) {
        return match kind {
            IntKind::Bool => Class::Bool,
            IntKind::Char | IntKind::SChar | IntKind::UChar => Class::Char,
            IntKind::Short | IntKind::UShort => Class::Short,
            IntKind::Int | IntKind::UInt => Class::Int,
            IntKind::Long | IntKind::ULong => Class::Long,
            IntKind::LLong | IntKind::ULLong => Class::LLong,
            IntKind::Int128 | IntKind::UInt128 => Class::Int128,
            // One for each width would be too many: accesses by other types are not found.
            IntKind::BitInt(_) | IntKind::UBitInt(_) => Class::Any,
        };
    }
    match types.kind(ty) {
        TyKind::Float(FloatKind::Float16) => Class::Float16,
        TyKind::Float(FloatKind::Float) => Class::Float,
        TyKind::Float(FloatKind::Double) => Class::Double,
        TyKind::Float(FloatKind::LongDouble) => Class::LongDouble,
        TyKind::Float(FloatKind::Float128) => Class::Float128,
        TyKind::Pointer(_) => Class::Ptr,
        _ => Class::Any,
    }
}

/// Fills `out` with the shadow template (without [`INIT`]) of an object of type `ty`.
pub fn template(types: &Types, ty: QTy, out: &mut [u8]) {
    let constant = if ty.quals.has(Quals::CONST) { CONST } else { 0 };
    fill(types, ty.ty, constant, 0, out);
    if ty.quals.has(Quals::VOLATILE) {
        make_volatile(out);
    }
}

/// Gives bytes to a volatile object; bit-fields and freely typed bytes stay as they are.
fn make_volatile(out: &mut [u8]) {
    for byte in out {
        let class = *byte & CLASS;
        if *byte & RETYPE == 0 && class != Class::Bits as u8 && class != Class::None as u8 {
            *byte |= Class::Any as u8;
        }
    }
}

fn fill(types: &Types, ty: Ty, constant: u8, retype: u8, out: &mut [u8]) {
    if scalar_of(types, ty).is_some() {
        let class = match class_of(types, ty) {
            Class::Any => retype | RETYPE,
            class => class as u8 | retype,
        };
        out.fill(class | constant);
        return;
    }
    match types.kind(ty) {
        TyKind::Complex(elem) => fill(types, *elem, constant, retype, out),
        TyKind::Vector(elem, _) => {
            // GNU vectors alias their element type and each other by bit casts.
            fill(types, *elem, constant, retype, out)
        }
        TyKind::Array(elem, ArrayLen::Fixed(n)) => {
            let size = types.layout(elem.ty).map_or(0, |l| l.size as usize);
            if size == 0 || *n == 0 {
                return;
            }
            let constant = constant | if elem.quals.has(Quals::CONST) { CONST } else { 0 };
            let size = size.min(out.len());
            let volatile = elem.quals.has(Quals::VOLATILE);
            let (first, rest) = out.split_at_mut(size);
            fill(types, elem.ty, constant, retype, first);
            if volatile {
                make_volatile(first);
            }
            if first.iter().all(|b| *b == first[0]) {
                rest.fill(first[0]);
            } else {
                for chunk in rest.chunks_mut(size) {
                    chunk.copy_from_slice(&first[..chunk.len()]);
                }
            }
        }
        TyKind::Record(id) => {
            let record = &types.records[id.0 as usize];
            let retype = if record.is_union || record.attrs.may_alias { RETYPE } else { retype };
            out.fill(constant | retype);
            for field in record.fields.iter().flatten() {
                // Members of a union overlap: a const one does not bind the others.
                let own = field.ty.quals.has(Quals::CONST) && !record.is_union;
                let constant = constant | if own { CONST } else { 0 };
                let lo = (field.offset as usize).min(out.len());
                if let Some(bits) = field.bits {
                    let bytes = (bits.start as usize + bits.width as usize).div_ceil(8);
                    let hi = (lo + bytes).min(out.len());
                    // A byte shared with a const bit-field is const; see `const_bits` for its other bits.
                    for byte in &mut out[lo..hi] {
                        *byte = Class::Bits as u8 | constant | retype | (*byte & CONST);
                    }
                } else if !record.is_union {
                    let size = match types.kind(field.ty.ty) {
                        TyKind::Array(_, ArrayLen::Unknown) => out.len() - lo,
                        _ => types.layout(field.ty.ty).map_or(0, |l| l.size as usize),
                    };
                    let hi = (lo + size).min(out.len());
                    fill_member(types, field.ty.ty, constant, retype, &mut out[lo..hi]);
                    if field.ty.quals.has(Quals::VOLATILE) {
                        make_volatile(&mut out[lo..hi]);
                    }
                }
            }
        }
        TyKind::Void
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Enum(_)
        | TyKind::Pointer(_)
        | TyKind::Function(_)
        | TyKind::Array(..)
        | TyKind::VaList => out.fill(RETYPE | constant),
    }
}

/// Do `width` bits at bit `at` of an object of type `ty` overlap something defined const?
pub fn const_bits(types: &Types, ty: QTy, at: u64, width: u64) -> bool {
    if ty.quals.has(Quals::CONST) {
        return true;
    }
    match types.kind(ty.ty) {
        TyKind::Array(elem, _) => {
            let size = types.layout(elem.ty).map_or(0, |l| 8 * l.size);
            const_bits(types, *elem, if size == 0 { at } else { at % size }, width)
        }
        TyKind::Record(id) => {
            let record = &types.records[id.0 as usize];
            record.fields.iter().flatten().filter(|_| !record.is_union).any(|field| match field.bits {
                Some(bits) => {
                    let start = 8 * field.offset + u64::from(bits.start);
                    let meets = start < at + width && at < start + u64::from(bits.width);
                    meets && field.ty.quals.has(Quals::CONST)
                }
                None => {
                    let start = 8 * field.offset;
                    let size = types.layout(field.ty.ty).map_or(0, |l| 8 * l.size);
                    start < at + width
                        && at < start + size
                        && const_bits(types, field.ty, at.saturating_sub(start), width)
                }
            })
        }
        TyKind::Void
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Complex(_)
        | TyKind::Enum(_)
        | TyKind::Pointer(_)
        | TyKind::Vector(..)
        | TyKind::Function(_)
        | TyKind::VaList => false,
    }
}

/// Flexible array members repeat their element to the end of the object.
fn fill_member(types: &Types, ty: Ty, constant: u8, retype: u8, out: &mut [u8]) {
    if let TyKind::Array(elem, ArrayLen::Unknown) = types.kind(ty) {
        let size = types.layout(elem.ty).map_or(0, |l| l.size as usize);
        if size > 0 {
            for chunk in out.chunks_exact_mut(size) {
                fill(types, elem.ty, constant, retype, chunk);
            }
        }
        return;
    }
    fill(types, ty, constant, retype, out);
}
