//! The C abstract syntax tree that parser, printer, generator, mutators and reducer share.
//!
//! Nodes live in arenas of one [`Ast`] and are named by dense `u32` ids, so side tables are plain vectors.
//! The tree is syntactic: names are unresolved symbols, parentheses are not kept (the printer puts back what
//! precedence needs), declarators are turned inside out into [`TypeNode`] chains that end in the shared
//! specifier type (`base`) of their declaration.

use crate::intern::{Interner, Symbol};
use crate::source::Span;

crate::id::ids! {
    /// Names an [`Expr`].
    ExprId,
    /// Names a [`Stmt`].
    StmtId,
    /// Names a [`TypeNode`].
    TypeId,
    /// Names an [`Init`].
    InitId,
    /// Names a [`Declaration`].
    DeclId,
    /// Names a [`Function`].
    FnId,
    /// Names a [`RecordSpec`].
    RecordId,
    /// Names an [`EnumSpec`].
    EnumId,
}

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The names used in it.
    pub names: Interner,
    /// Expressions, by [`ExprId`].
    pub exprs: Vec<Expr>,
    /// Statements, by [`StmtId`].
    pub stmts: Vec<Stmt>,
    /// Type nodes, by [`TypeId`].
    pub types: Vec<TypeNode>,
    /// Initialisers, by [`InitId`].
    pub inits: Vec<Init>,
    /// Declarations, by [`DeclId`].
    pub decls: Vec<Declaration>,
    /// Function definitions, by [`FnId`].
    pub functions: Vec<Function>,
    /// Struct and union specifiers, by [`RecordId`].
    pub records: Vec<RecordSpec>,
    /// Enum specifiers, by [`EnumId`].
    pub enums: Vec<EnumSpec>,
    /// External declarations in order.
    pub items: Vec<Item>,
}

macro_rules! arena {
    ($($push:ident $field:ident $id:ident $node:ident),* $(,)?) => {
        impl Ast { $(
            /// Adds a node to its arena.
            pub fn $push(&mut self, node: $node) -> $id {
                self.$field.push(node);
                $id(self.$field.len() as u32 - 1)
            }
        )* }
        $(
            impl std::ops::Index<$id> for Ast {
                type Output = $node;
                fn index(&self, id: $id) -> &$node { &self.$field[id.index()] }
            }
            impl std::ops::IndexMut<$id> for Ast {
                fn index_mut(&mut self, id: $id) -> &mut $node { &mut self.$field[id.index()] }
            }
        )*
    };
}

arena! {
    push_expr exprs ExprId Expr,
    push_stmt stmts StmtId Stmt,
    push_type types TypeId TypeNode,
    push_init inits InitId Init,
    push_decl decls DeclId Declaration,
    push_function functions FnId Function,
    push_record records RecordId RecordSpec,
    push_enum enums EnumId EnumSpec,
}

impl Ast {
    /// An expression without a source place.
    pub fn expr(&mut self, kind: ExprKind) -> ExprId {
        self.push_expr(Expr { kind, span: Span::NONE })
    }

    /// A statement without a source place.
    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.push_stmt(Stmt { kind, span: Span::NONE })
    }

    /// An unqualified type node without attributes or source place.
    pub fn ty(&mut self, kind: TypeKind) -> TypeId {
        self.push_type(TypeNode { kind, quals: Quals::NONE, attrs: Vec::new(), span: Span::NONE })
    }
}

/// A top-level declaration.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A function definition.
    Function(FnId),
    /// Any other declaration.
    Decl(DeclId),
    /// `_Static_assert(e, "message");`
    StaticAssert(ExprId, Option<Box<[u8]>>, Span),
    /// `asm("...");`
    Asm(Box<[u8]>, Span),
    /// A pragma that stands between declarations, without `#pragma`. `pack` pragmas also act on records.
    Pragma(Box<str>, Span),
}

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
        /// `u`, `l`, `ll`, imaginary suffixes.
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

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of statements; declarations in blocks are statements too.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `{ ... }`
    Compound(Vec<StmtId>),
    /// `e;`
    Expr(ExprId),
    /// `;`
    Null,
    /// A declaration in a block.
    Decl(DeclId),
    /// GNU nested function.
    NestedFn(FnId),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// `_Static_assert`.
    StaticAssert(ExprId, Option<Box<[u8]>>),
    /// `if (c) t else e`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while (c) s`
    While(ExprId, StmtId),
    /// `do s while (c);`
    DoWhile(StmtId, ExprId),
    /// `for (init; cond; step) body`
    For {
        /// First clause.
        init: ForInit,
        /// Second clause.
        cond: Option<ExprId>,
        /// Third clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch (e) s`
    Switch(ExprId, StmtId),
    /// `case lo ... hi: s`
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default: s`
    Default(StmtId),
    /// `name: s`
    Label(Symbol, Vec<Attribute>, StmtId),
    /// `goto name;`
    Goto(Symbol),
    /// `goto *e;`
    GotoPtr(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// Inline assembly.
    Asm(Box<AsmStmt>),
    /// `__attribute__((fallthrough));` and the like.
    Attr(Vec<Attribute>),
    /// A pragma inside a function, without `#pragma`.
    Pragma(Box<str>),
    /// What the parser could not read (only after a reported error).
    Error,
}

/// First clause of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForInit {
    /// Empty.
    None,
    /// An expression.
    Expr(ExprId),
    /// A declaration.
    Decl(DeclId),
}

/// Inline assembly, carried as written.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmStmt {
    /// `volatile`?
    pub volatile: bool,
    /// `goto`?
    pub goto: bool,
    /// `inline`?
    pub inline: bool,
    /// The template.
    pub template: Box<[u8]>,
    /// Outputs.
    pub outputs: Vec<AsmOperand>,
    /// Inputs.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<Box<[u8]>>,
    /// Labels of `asm goto`.
    pub labels: Vec<Symbol>,
    /// Had it operands at all (`asm("x" : )` is extended, `asm("x")` basic)?
    pub extended: bool,
}

/// `[name] "constraint" (expr)`.
#[derive(Clone, Debug, PartialEq)]
pub struct AsmOperand {
    /// The symbolic name.
    pub name: Option<Symbol>,
    /// The constraint string.
    pub constraint: Box<[u8]>,
    /// The operand.
    pub expr: ExprId,
}

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

    /// Has it all of `other`?
    pub fn has(self, other: Storage) -> bool {
        self.0 & other.0 == other.0
    }

    /// Union.
    pub fn with(self, other: Storage) -> Storage {
        Storage(self.0 | other.0)
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
