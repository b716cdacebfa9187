//! Semantic C types, interned: equal types have equal [`Ty`].
//!
//! Qualifiers stand beside the type in [`QTy`]. Records and enums are nominal (by id); arrays of unknown or
//! variable length are types of their own. Sizes and alignments come from [`Types::layout`].

use crate::ast::Quals;
use crate::intern::Symbol;
use crate::source::Span;
use crate::target::Target;
use rustc_hash::FxHashMap;

/// An interned unqualified type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(pub u32);

/// A type with its qualifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct QTy {
    /// The type.
    pub ty: Ty,
    /// Its qualifiers.
    pub quals: Quals,
}

impl From<Ty> for QTy {
    fn from(ty: Ty) -> QTy {
        QTy { ty, quals: Quals::NONE }
    }
}

/// Names a [`Record`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(pub u32);

/// Names an [`Enum`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnumId(pub u32);

/// Names a variable array length, see [`crate::tree::Unit::vlas`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VlaId(pub u32);

/// Integer kinds in rank order; the signedness of `Char` is the target's.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
    /// `_BitInt(N)` of C23. Its rank is not in this order: see [`Types::int_rank`].
    BitInt(u8),
    /// `unsigned _BitInt(N)`
    UBitInt(u8),
}

impl IntKind {
    /// The width of a bit-precise integer type.
    pub fn bit_precise(self) -> Option<u8> {
        match self {
            IntKind::BitInt(width) | IntKind::UBitInt(width) => Some(width),
            _ => None,
        }
    }
}

/// The widest `_BitInt` with a meaning here.
pub const WIDEST_BIT_INT: u8 = 128;

/// Floating kinds.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// `void`
    Void,
    /// Integers without enums.
    Int(IntKind),
    /// Real floating types.
    Float(FloatKind),
    /// Complex of an arithmetic element type.
    Complex(Ty),
    /// An enum.
    Enum(EnumId),
    /// Pointer to.
    Pointer(QTy),
    /// Array of.
    Array(QTy, ArrayLen),
    /// GNU vector of a scalar element type, by element count.
    Vector(Ty, u32),
    /// A function.
    Function(FnTy),
    /// A struct or union.
    Record(RecordId),
    /// `__builtin_va_list`: opaque, passed by reference like the array it is on x86-64.
    VaList,
}

/// Array lengths.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// A constant count of elements.
    Fixed(u64),
    /// `[]`, incomplete.
    Unknown,
    /// Variable, evaluated when the declaration is reached.
    Variable(VlaId),
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    /// Return type.
    pub ret: QTy,
    /// Parameter types after adjustment, without top-level qualifiers.
    pub params: Vec<QTy>,
    /// `...`
    pub variadic: bool,
    /// Has it a prototype? Without, `params` is empty and arguments are promoted by default.
    pub prototype: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag.
    pub tag: Option<Symbol>,
    /// `union`?
    pub is_union: bool,
    /// Members in order, or `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes, valid once complete.
    pub size: u64,
    /// Alignment in bytes, valid once complete.
    pub align: u64,
    /// Has it the GNU `may_alias`, `transparent_union`, `packed` attributes?
    pub attrs: RecordAttrs,
    /// Where it was defined.
    pub span: Span,
}

/// GNU attributes of records that matter here.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordAttrs {
    /// `packed`
    pub packed: bool,
    /// `transparent_union`
    pub transparent: bool,
    /// `may_alias`
    pub may_alias: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; `None` for anonymous records and unnamed bit-fields.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QTy,
    /// Byte offset of the member; for bit-fields, of the first byte that holds one of its bits.
    pub offset: u64,
    /// For bit-fields: where its bits are.
    pub bits: Option<BitField>,
    /// Alignment in bytes that its declaration has, `packed` and `aligned` taken in; 1 for bit-fields.
    pub align: u64,
    /// Where it was declared.
    pub span: Span,
}

/// Position of a bit-field relative to its [`Field::offset`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BitField {
    /// Bits before it in storage order: on little-endian targets from the least significant bit of the byte at
    /// `offset`, on big-endian ones from the most significant bit. Always below 8.
    pub start: u8,
    /// Width in bits; 0 only for unnamed ones.
    pub width: u8,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag.
    pub tag: Option<Symbol>,
    /// The compatible integer type; `None` while incomplete.
    pub int: Option<IntKind>,
    /// Was that type written (`enum e : short`)?
    pub fixed: bool,
    /// Were its enumerators?
    pub defined: bool,
    /// Where it was defined.
    pub span: Span,
}

/// Size and alignment in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Size.
    pub size: u64,
    /// Alignment, a power of two.
    pub align: u64,
}

/// The type table of one unit.
#[derive(Clone, Debug)]
pub struct Types {
    /// The data model.
    pub target: Target,
    kinds: Vec<TyKind>,
    map: FxHashMap<TyKind, Ty>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Enums.
    pub enums: Vec<Enum>,
    /// GNU typedef-level attributes by type: types made distinct only by `may_alias` or a changed alignment.
    pub adjusted: FxHashMap<Ty, Adjusted>,
}

/// A type made from another by a GNU attribute on a typedef: same representation, other alignment or aliasing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Adjusted {
    /// Alignment, where changed.
    pub align: Option<u64>,
    /// `may_alias`
    pub may_alias: bool,
}

macro_rules! known_types {
    ($($name:ident = $index:expr => $kind:expr),* $(,)?) => {
        impl Ty { $(
            /// A type that every table holds at a fixed place.
            pub const $name: Ty = Ty($index);
        )* }
        fn known() -> Vec<TyKind> { vec![$($kind),*] }
    };
}

known_types! {
    VOID = 0 => TyKind::Void,
    BOOL = 1 => TyKind::Int(IntKind::Bool),
    CHAR = 2 => TyKind::Int(IntKind::Char),
    SCHAR = 3 => TyKind::Int(IntKind::SChar),
    UCHAR = 4 => TyKind::Int(IntKind::UChar),
    SHORT = 5 => TyKind::Int(IntKind::Short),
    USHORT = 6 => TyKind::Int(IntKind::UShort),
    INT = 7 => TyKind::Int(IntKind::Int),
    UINT = 8 => TyKind::Int(IntKind::UInt),
    LONG = 9 => TyKind::Int(IntKind::Long),
    ULONG = 10 => TyKind::Int(IntKind::ULong),
    LLONG = 11 => TyKind::Int(IntKind::LLong),
    ULLONG = 12 => TyKind::Int(IntKind::ULLong),
    INT128 = 13 => TyKind::Int(IntKind::Int128),
    UINT128 = 14 => TyKind::Int(IntKind::UInt128),
    FLOAT16 = 15 => TyKind::Float(FloatKind::Float16),
    FLOAT = 16 => TyKind::Float(FloatKind::Float),
    DOUBLE = 17 => TyKind::Float(FloatKind::Double),
    LONG_DOUBLE = 18 => TyKind::Float(FloatKind::LongDouble),
    FLOAT128 = 19 => TyKind::Float(FloatKind::Float128),
    VA_LIST = 20 => TyKind::VaList,
}

impl Types {
    /// A table with the basic types in it.
    pub fn new(target: Target) -> Types {
        let kinds = known();
        let map = kinds.iter().cloned().enumerate().map(|(i, k)| (k, Ty(i as u32))).collect();
        Types { target, kinds, map, records: Vec::new(), enums: Vec::new(), adjusted: FxHashMap::default() }
    }

    /// Interns a type.
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(&known) = self.map.get(&kind) {
            return known;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.map.insert(kind, ty);
        ty
    }

    /// A type of the same kind as `ty` but distinct from it, with a changed alignment or aliasing.
    pub fn adjust(&mut self, ty: Ty, adjusted: Adjusted) -> Ty {
        let copy = Ty(self.kinds.len() as u32);
        self.kinds.push(self.kinds[ty.0 as usize].clone());
        self.adjusted.insert(copy, adjusted);
        copy
    }

    /// What a type is.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty.0 as usize]
    }

    /// All types that the program has.
    pub fn kinds(&self) -> impl Iterator<Item = &TyKind> {
        self.kinds.iter()
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Never true: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Pointer to `to`.
    pub fn pointer(&mut self, to: impl Into<QTy>) -> Ty {
        self.intern(TyKind::Pointer(to.into()))
    }

    /// `size_t`.
    pub fn size_t(&self) -> Ty {
        if self.target.pointer_bytes == self.target.long_bytes && self.target.pointer_bytes == 8 {
            Ty::ULONG
        } else {
            Ty::UINT
        }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_t(&self) -> Ty {
        if self.target.pointer_bytes == 8 { Ty::LONG } else { Ty::INT }
    }

    /// The integer kind of integers and complete enums.
    pub fn int_kind(&self, ty: Ty) -> Option<IntKind> {
        match self.kind(ty) {
            TyKind::Int(kind) => Some(*kind),
            TyKind::Enum(id) => self.enums[id.0 as usize].int,
            _ => None,
        }
    }

    /// Size of an integer kind in bytes.
    pub fn int_bytes(&self, kind: IntKind) -> u64 {
        match kind {
            IntKind::Bool | IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong => u64::from(self.target.long_bytes),
            IntKind::LLong | IntKind::ULLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
            // As the x86-64 psABI has it: like the next integer type, beyond 64 bits in words of 64.
            IntKind::BitInt(width) | IntKind::UBitInt(width) => match width {
                0..=8 => 1,
                9..=16 => 2,
                17..=32 => 4,
                33..=64 => 8,
                65.. => 16,
            },
        }
    }

    /// Width of an integer kind in bits, the sign's among them.
    pub fn int_width(&self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Bool => 1,
            IntKind::BitInt(width) | IntKind::UBitInt(width) => u32::from(width),
            _ => self.int_bytes(kind) as u32 * 8,
        }
    }

    /// The conversion rank (C23 6.3.1.1): of two bit-precise types the wider has the greater one, of a bit-precise and
    /// another type of the same width the other. Signed and unsigned types of a kind have one rank.
    pub fn int_rank(&self, kind: IntKind) -> (u32, u8) {
        let order = match kind {
            IntKind::BitInt(_) | IntKind::UBitInt(_) => 0,
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 2,
            IntKind::Short | IntKind::UShort => 3,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong => 5,
            IntKind::LLong | IntKind::ULLong => 6,
            IntKind::Int128 | IntKind::UInt128 => 7,
        };
        (self.int_width(kind), order)
    }

    /// Is an integer kind signed?
    pub fn int_signed(&self, kind: IntKind) -> bool {
        match kind {
            IntKind::Char => self.target.char_signed,
            IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LLong
            | IntKind::Int128
            | IntKind::BitInt(_) => true,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULLong
            | IntKind::UInt128
            | IntKind::UBitInt(_) => false,
        }
    }

    /// Size and alignment; `None` for incomplete, variable-length and function types.
    pub fn layout(&self, ty: Ty) -> Option<Layout> {
        let layout = self.natural_layout(ty)?;
        match self.adjusted.get(&ty).and_then(|a| a.align) {
            Some(align) => Some(Layout { align, ..layout }),
            None => Some(layout),
        }
    }

    fn natural_layout(&self, ty: Ty) -> Option<Layout> {
        let same = |size: u64| Layout { size, align: size };
        let target = &self.target;
        Some(match self.kind(ty) {
            TyKind::Void | TyKind::Function(_) => return None,
            TyKind::Int(kind) => self.int_layout(*kind),
            TyKind::Enum(id) => self.int_layout(self.enums[id.0 as usize].int?),
            TyKind::Float(FloatKind::Float16) => same(2),
            TyKind::Float(FloatKind::Float) => same(4),
            TyKind::Float(FloatKind::Double) => Layout { size: 8, align: u64::from(target.align8) },
            TyKind::Float(FloatKind::LongDouble) => {
                Layout { size: target.long_double_bytes.into(), align: target.long_double_align.into() }
            }
            TyKind::Float(FloatKind::Float128) => same(16),
            TyKind::Complex(elem) => {
                let elem = self.layout(*elem)?;
                Layout { size: elem.size.checked_mul(2)?, align: elem.align }
            }
            TyKind::Pointer(_) => same(target.pointer_bytes.into()),
            TyKind::Array(elem, ArrayLen::Fixed(n)) => self.array_layout(*elem, *n)?,
            TyKind::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_)) => return None,
            TyKind::Vector(elem, n) => {
                let size = self.layout(*elem)?.size.checked_mul(u64::from(*n))?;
                Layout { size, align: size.next_power_of_two() }
            }
            TyKind::Record(id) => {
                let record = &self.records[id.0 as usize];
                record.fields.as_ref()?;
                Layout { size: record.size, align: record.align }
            }
            TyKind::VaList => {
                let word = u64::from(target.pointer_bytes);
                Layout { size: if word == 8 { 24 } else { 4 }, align: word }
            }
        })
    }

    /// Arrays of arrays, without recursion: the outermost changed alignment counts.
    fn array_layout(&self, mut elem: QTy, mut count: u64) -> Option<Layout> {
        let mut align = None;
        while let TyKind::Array(inner, ArrayLen::Fixed(n)) = self.kind(elem.ty) {
            align = align.or_else(|| self.adjusted.get(&elem.ty).and_then(|a| a.align));
            count = count.checked_mul(*n)?;
            elem = *inner;
        }
        let layout = self.layout(elem.ty)?;
        Some(Layout { size: layout.size.checked_mul(count)?, align: align.unwrap_or(layout.align) })
    }

    fn int_layout(&self, kind: IntKind) -> Layout {
        let size = self.int_bytes(kind);
        let words = size == 16 && kind.bit_precise().is_some();
        let align = if size == 8 || words { u64::from(self.target.align8) } else { size };
        Layout { size, align }
    }
}
