//! Expressions, constants, and operators.

use super::{Designator, ExprId, InitId, StmtId, TypeId};
use crate::intern::Symbol;
use crate::source::Span;

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name.
    Ident(Symbol),
    /// An integer constant.
    Int {
        /// The value as written.
        value: u128,
        /// `u`, `l`, `ll`, `wb`, imaginary suffixes.
        suffix: IntSuffix,
        /// The base matters for the type (6.4.4.1).
        base: IntBase,
    },
    /// A floating constant; the spelling without suffix, decimal or hexadecimal.
    Float {
        /// The digits as written.
        text: Symbol,
        /// `f`, `l`, none, and imaginary.
        suffix: FloatSuffix,
    },
    /// A character constant, its value as the type has it (multi-character constants as gcc does).
    Char {
        /// The value.
        value: i64,
        /// `L`, `u`, `U`, none.
        prefix: StrPrefix,
    },
    /// A string literal, adjacent ones joined, without the final zero.
    Str(StrLit),
    /// Unary operators.
    Unary(UnOp, ExprId),
    /// Binary operators without assignment and comma.
    Binary(BinOp, ExprId, ExprId),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinOp>, ExprId, ExprId),
    /// `c ? t : e`; GNU `c ?: e` has no middle.
    Cond(ExprId, Option<ExprId>, ExprId),
    /// `a, b`.
    Comma(ExprId, ExprId),
    /// `f(args)`.
    Call(ExprId, Vec<ExprId>),
    /// `a[i]`.
    Index(ExprId, ExprId),
    /// `a.f` or `a->f`.
    Member {
        /// What stands left.
        base: ExprId,
        /// `->`?
        arrow: bool,
        /// The member's name.
        field: Symbol,
    },
    /// `(T)e`.
    Cast(TypeId, ExprId),
    /// `(T){...}`.
    CompoundLit(TypeId, InitId),
    /// `sizeof e`.
    SizeofExpr(ExprId),
    /// `sizeof(T)`.
    SizeofType(TypeId),
    /// `__alignof__ e`.
    AlignofExpr(ExprId),
    /// `_Alignof(T)`.
    AlignofType(TypeId),
    /// `_Generic(e, T: a, default: b)`.
    Generic(ExprId, Vec<(Option<TypeId>, ExprId)>),
    /// `({ ... })`; the statement is a compound one.
    StmtExpr(StmtId),
    /// `&&label`.
    LabelAddr(Symbol),
    /// `__builtin_va_arg(ap, T)`.
    VaArg(ExprId, TypeId),
    /// `__builtin_offsetof(T, a.b[1])`; the first designator is a field.
    Offsetof(TypeId, Vec<Designator>),
    /// `__builtin_types_compatible_p(T, U)`.
    TypesCompatible(TypeId, TypeId),
    /// `__builtin_choose_expr(c, a, b)`.
    ChooseExpr(ExprId, ExprId, ExprId),
    /// `__builtin_convertvector(e, T)`.
    ConvertVector(ExprId, TypeId),
    /// What the parser could not read (only after a reported error).
    Error,
}

/// Suffix of an integer constant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct IntSuffix {
    /// `u`.
    pub unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`).
    pub long: u8,
    /// GNU `i` or `j`.
    pub imaginary: bool,
    /// C23 `wb`: the type is a `_BitInt`.
    pub bits: bool,
}

/// Base of an integer constant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum IntBase {
    /// Decimal.
    Dec,
    /// Octal (leading 0).
    Oct,
    /// Hexadecimal.
    Hex,
    /// GNU/C23 binary.
    Bin,
}

/// Suffix of a floating constant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FloatSuffix {
    /// The type named by the suffix.
    pub kind: FloatSuffixKind,
    /// GNU `i` or `j`.
    pub imaginary: bool,
}

/// Types that a floating suffix names.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatSuffixKind {
    /// None: `double`.
    Double,
    /// `f`: `float`.
    Float,
    /// `l`, `w`: `long double`.
    LongDouble,
    /// `q`, `f128`: `_Float128`.
    Float128,
    /// `f16`.
    Float16,
    /// `f32`, `f64`, `f32x`, `f64x`, `d32`..: carried by width in bits, decimal ones as 0x100 + width.
    Other(u16),
}

/// Encoding prefix of character and string literals.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum StrPrefix {
    /// None: `char`.
    None,
    /// `u8`.
    Utf8,
    /// `u`: `char16_t`.
    Char16,
    /// `U`: `char32_t`.
    Char32,
    /// `L`: `wchar_t`.
    Wide,
}

/// A string literal's contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StrLit {
    /// Encoding prefix.
    pub prefix: StrPrefix,
    /// Code units of the element type, without the final zero.
    pub units: Box<[u32]>,
}

/// Unary operators.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    BitNot,
    /// `!e`
    Not,
    /// `*e`
    Deref,
    /// `&e`
    AddrOf,
    /// `++e`
    PreInc,
    /// `--e`
    PreDec,
    /// `e++`
    PostInc,
    /// `e--`
    PostDec,
    /// `__real__ e`
    Real,
    /// `__imag__ e`
    Imag,
    /// `__extension__ e`
    Extension,
}

/// Binary operators.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogAnd,
    LogOr,
}
