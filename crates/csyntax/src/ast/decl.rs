//! Declarations: storage classes, declarators, initialisers, functions, records, enums, attributes.

use super::{DeclId, ExprId, InitId, StmtId, TypeId};
use crate::intern::Symbol;
use crate::source::Span;

/// Storage-class and function specifiers as a bit set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Storage(pub u16);

impl Storage {
    /// Nothing.
    pub const NONE: Storage = Storage(0);
    /// `typedef`
    pub const TYPEDEF: Storage = Storage(1);
    /// `extern`
    pub const EXTERN: Storage = Storage(2);
    /// `static`
    pub const STATIC: Storage = Storage(4);
    /// `auto`
    pub const AUTO: Storage = Storage(8);
    /// `register`
    pub const REGISTER: Storage = Storage(16);
    /// `_Thread_local`, `__thread`
    pub const THREAD: Storage = Storage(32);
    /// `inline`
    pub const INLINE: Storage = Storage(64);
    /// `_Noreturn`
    pub const NORETURN: Storage = Storage(128);
    /// `constexpr`
    pub const CONSTEXPR: Storage = Storage(256);

    /// Has it all of `other`?
    pub fn has(self, other: Storage) -> bool {
        self.0 & other.0 == other.0
    }

    /// Union.
    pub fn with(self, other: Storage) -> Storage {
        Storage(self.0 | other.0)
    }

    /// Difference.
    pub fn without(self, other: Storage) -> Storage {
        Storage(self.0 & !other.0)
    }
}

/// A declaration: specifiers and declarators.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Storage and function specifiers.
    pub storage: Storage,
    /// `_Alignas` specifiers.
    pub alignas: Vec<Alignas>,
    /// The specifier type; every declarator's type chain ends in it.
    pub base: TypeId,
    /// Attributes among the specifiers.
    pub attrs: Vec<Attribute>,
    /// The declarators.
    pub declarators: Vec<Declarator>,
    /// Where it stands.
    pub span: Span,
}

/// `_Alignas(T)` or `_Alignas(e)`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Alignas {
    /// As a type.
    Type(TypeId),
    /// In bytes.
    Expr(ExprId),
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Symbol,
    /// Its full type.
    pub ty: TypeId,
    /// `asm("name")`
    pub asm_label: Option<Box<[u8]>>,
    /// Attributes after the declarator.
    pub attrs: Vec<Attribute>,
    /// The initialiser.
    pub init: Option<InitId>,
    /// Where the declarator stands.
    pub span: Span,
}

/// An initialiser and its place.
#[derive(Clone, Debug)]
pub struct Init {
    /// What it is.
    pub kind: InitKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of initialisers.
#[derive(Clone, Debug, PartialEq)]
pub enum InitKind {
    /// `= e`
    Expr(ExprId),
    /// `= { ... }`
    List(Vec<InitItem>),
}

/// `.a[1] = init` in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct InitItem {
    /// The designators, empty for "next".
    pub designators: Vec<Designator>,
    /// The value.
    pub init: InitId,
}

/// One designator.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Designator {
    /// `.field`
    Field(Symbol),
    /// `[e]`
    Index(ExprId),
    /// GNU `[lo ... hi]`
    Range(ExprId, ExprId),
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct Function {
    /// Storage and function specifiers.
    pub storage: Storage,
    /// Specifier type.
    pub base: TypeId,
    /// Full type; its outermost node is a function type.
    pub ty: TypeId,
    /// The name.
    pub name: Symbol,
    /// Attributes among the specifiers or after the declarator.
    pub attrs: Vec<Attribute>,
    /// `asm("name")`, from GNU extensions.
    pub asm_label: Option<Box<[u8]>>,
    /// Declarations of an old-style definition.
    pub kr_decls: Vec<DeclId>,
    /// The body, a compound statement.
    pub body: StmtId,
    /// The whole definition.
    pub span: Span,
}

/// `struct` or `union` specifier.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// `union`?
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Symbol>,
    /// The members, if defined here.
    pub fields: Option<Vec<FieldDecl>>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// `#pragma pack` in force, in bytes.
    pub pack: Option<u8>,
    /// Where it stands.
    pub span: Span,
}

/// One member declaration.
#[derive(Clone, Debug)]
pub enum FieldDecl {
    /// Members of one specifier type; no declarators for anonymous records.
    Fields {
        /// Specifier type.
        base: TypeId,
        /// `_Alignas` specifiers.
        alignas: Vec<Alignas>,
        /// Attributes among the specifiers.
        attrs: Vec<Attribute>,
        /// The members.
        declarators: Vec<FieldDeclarator>,
        /// Where it stands.
        span: Span,
    },
    /// `_Static_assert` among members.
    StaticAssert(ExprId, Option<Box<[u8]>>),
}

/// One member.
#[derive(Clone, Debug)]
pub struct FieldDeclarator {
    /// Its name; unnamed bit-fields have none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: TypeId,
    /// Bit-field width.
    pub width: Option<ExprId>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// `enum` specifier.
#[derive(Clone, Debug)]
pub struct EnumSpec {
    /// The tag.
    pub tag: Option<Symbol>,
    /// The underlying type that it has as written (`enum e : short`).
    pub underlying: Option<TypeId>,
    /// The enumerators, if defined here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// One enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// `= e`
    pub value: Option<ExprId>,
    /// Attributes.
    pub attrs: Vec<Attribute>,
    /// Where it stands.
    pub span: Span,
}

/// A GNU attribute, its name without surrounding underscores.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name.
    pub name: Symbol,
    /// The arguments; `None` where there are no parentheses.
    pub args: Option<Vec<AttrArg>>,
}

/// Arguments of attributes.
#[derive(Clone, Debug, PartialEq)]
pub enum AttrArg {
    /// A constant expression (identifiers included).
    Expr(ExprId),
    /// A type (`vector_size` never, `may_alias` never, but `aligned(sizeof(T))` is an expression).
    Type(TypeId),
}
