//! Syntactic types and their qualifiers.

use super::{Attribute, EnumId, ExprId, RecordId, Storage, TypeId};
use crate::intern::Symbol;
use crate::source::Span;

/// Type qualifiers as a bit set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`
    pub const ATOMIC: Quals = Quals(8);

    /// Has it all of `other`?
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Union.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    /// Difference.
    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

/// A node of a syntactic type.
#[derive(Clone, Debug)]
pub struct TypeNode {
    /// What it is.
    pub kind: TypeKind,
    /// Qualifiers of this level.
    pub quals: Quals,
    /// GNU attributes at this level (pointers, parenthesised declarators; those of specifiers are the declaration's).
    pub attrs: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of syntactic types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Named by keywords.
    Basic(Basic),
    /// A typedef name.
    Typedef(Symbol),
    /// `struct`/`union`, defined here or only named.
    Record(RecordId),
    /// `enum`, defined here or only named.
    Enum(EnumId),
    /// Pointer to.
    Pointer(TypeId),
    /// Array of.
    Array {
        /// Element type.
        elem: TypeId,
        /// The bound.
        size: ArraySize,
        /// Qualifiers inside `[]` (parameters only).
        quals: Quals,
        /// `static` inside `[]` (parameters only).
        is_static: bool,
    },
    /// Function returning.
    Function {
        /// Return type.
        ret: TypeId,
        /// The parameter list.
        params: Params,
    },
    /// `typeof(e)`
    TypeofExpr(ExprId),
    /// `typeof(T)`
    TypeofType(TypeId),
    /// `_Atomic(T)`
    Atomic(TypeId),
    /// `typeof_unqual(...)`; the type inside is the `typeof` of the same operand.
    Unqual(TypeId),
    /// `_BitInt(N)`, or `unsigned _BitInt(N)` where the flag is set.
    BitInt(ExprId, bool),
    /// `__auto_type`
    Auto,
    /// No type specifier at all (implicit `int`).
    Implicit,
}

/// Parameter lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Params {
    /// `()`: unspecified.
    Unspecified,
    /// `(a, b)`: names only, an old-style definition.
    Identifiers(Vec<Symbol>),
    /// A prototype; `(void)` is an empty one.
    Prototype {
        /// The parameters.
        params: Vec<Param>,
        /// `...`
        variadic: bool,
    },
}

/// One parameter of a prototype.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// `register` or nothing.
    pub storage: Storage,
    /// Specifier type, where the declarator chain ends.
    pub base: TypeId,
    /// Full type as declared (before adjustment).
    pub ty: TypeId,
    /// Its name.
    pub name: Option<Symbol>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// Array bounds.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[e]`
    Expr(ExprId),
}

/// Types named by keywords alone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Basic {
    Void,
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
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    /// `_Complex _Float128` and the like, by width in bits as [`Basic::FloatN`] has them (16 and 128 too).
    ComplexFloatN(u16),
    /// GNU complex integers, by their element kind.
    ComplexInt(ComplexInt),
    /// `__builtin_va_list`
    VaList,
    /// `_Float32`, `_Float64`, `_Float32x`, `_Float64x` by width in bits (`x` kinds as width + 1).
    FloatN(u16),
    /// `_Decimal32/64/128`
    Decimal(u16),
}

/// Element kinds of GNU complex integers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ComplexInt {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
}
