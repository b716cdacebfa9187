//! The typed tree: what the checker makes of an AST. Names are resolved to ids, every implicit conversion is a
//! node, initialisers are flattened to stores at offsets, sizes and enumerators are constants.
//!
//! Nodes are in arenas of one [`Unit`]. Each node has the span of the AST node it came from, and statements and
//! expressions also its id, so that profiles of the machine speak of AST nodes.

use crate::ast;
use crate::intern::{Interner, Symbol};
use crate::source::Span;
use crate::types::{FloatKind, QTy, RecordId, Ty, Types, VlaId};

crate::id::ids! {
    /// Names an [`Expr`] of [`Unit::exprs`].
    ExprId,
    /// Names a [`Stmt`] of [`Unit::stmts`].
    StmtId,
    /// Names an [`Object`] of [`Unit::objects`].
    ObjId,
    /// Names a [`Function`] of [`Unit::functions`].
    FnId,
    /// Names a string literal of [`Unit::strings`].
    StrId,
    /// Names a label of its function's [`Function::labels`].
    LabelId,
}

/// A checked translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The names (moved or cloned from the AST).
    pub names: Interner,
    /// The types.
    pub types: Types,
    /// Objects of every storage duration.
    pub objects: Vec<Object>,
    /// Functions, defined and only declared.
    pub functions: Vec<Function>,
    /// String literals; each occurrence is its own object here.
    pub strings: Vec<StringObject>,
    /// Variable array lengths.
    pub vlas: Vec<Vla>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Statements.
    pub stmts: Vec<Stmt>,
}

impl Unit {
    /// The function that a call of this calls, if it is named.
    pub fn called(&self, callee: ExprId) -> Option<FnId> {
        let ExprKind::AddrOf(function) = self[callee].kind else { return None };
        match self[function].kind {
            ExprKind::Function(id) => Some(id),
            _ => None,
        }
    }
}

macro_rules! index {
    ($($id:ident $field:ident $node:ident),* $(,)?) => { $(
        impl std::ops::Index<$id> for Unit {
            type Output = $node;
            fn index(&self, id: $id) -> &$node { &self.$field[id.index()] }
        }
    )* };
}

index!(ExprId exprs Expr, StmtId stmts Stmt, ObjId objects Object, FnId functions Function, StrId strings StringObject);

/// A string literal as a static array.
#[derive(Clone, Debug)]
pub struct StringObject {
    /// Array type, with room for the final zero.
    pub ty: Ty,
    /// Code units of the element type, without the final zero.
    pub units: Box<[u32]>,
    /// Where it stands.
    pub span: Span,
}

/// A variable array length: evaluated once, when its declaration or type name is reached.
#[derive(Clone, Debug)]
pub struct Vla {
    /// The element count, converted to `size_t`... evaluated by [`StmtKind::VlaEval`] or [`ExprKind::VlaEval`].
    /// Keeps its own integer type (a negative signed value is undefined).
    pub len: ExprId,
}

/// Linkage of objects and functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Visible to other units.
    External,
    /// `static` at file scope.
    Internal,
    /// Block scope, parameters, static locals.
    None,
}

/// Storage duration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Lives for the whole run (thread-local objects too: one thread).
    Static,
    /// Lives while its block is active (or, for a variable-length array, from its declaration on).
    Auto,
    /// The n-th parameter of its function.
    Param(u32),
}

/// A declared object, or the one behind a compound literal or a temporary.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name; `None` for compound literals and temporaries.
    pub name: Option<Symbol>,
    /// Its type, completed by its initialiser.
    pub ty: QTy,
    /// Storage duration.
    pub storage: Storage,
    /// Linkage.
    pub linkage: Linkage,
    /// Is it defined in this unit (tentatively too), or only declared `extern`?
    pub defined: bool,
    /// Its initialiser. Executed at the [`StmtKind::Decl`] (auto) or before `main` (static).
    pub init: Option<Initializer>,
    /// Alignment in bytes: of the type, or stricter by `_Alignas` or an attribute.
    pub align: u64,
    /// Bytes beyond the size of its type: elements that its initialiser gives to a flexible array member.
    pub extra: u64,
    /// Of a parameter declared as `[static n]`: bytes that its argument has to point to.
    pub least: u64,
    /// Is it a parameter declared as a `va_list`, which is a pointer to the caller's?
    pub list: bool,
    /// GNU `cleanup` attribute: the function called with its address when its scope is left.
    pub cleanup: Option<FnId>,
    /// `alias("target")` attribute.
    pub alias: Option<Symbol>,
    /// Is its address needed: `&x`, array decay, member access through it, aggregate type, nested function use, or a
    /// function that calls `setjmp`? False only for scalars that are never an operand of `&` and never captured.
    pub addressed: bool,
    /// The function whose scope it is in (static locals too).
    pub owner: Option<FnId>,
    /// Where it is declared.
    pub span: Span,
}

/// A flattened initialiser.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Zero all bytes that no entry writes (aggregates and unions; static objects are always zeroed first).
    pub zero_fill: bool,
    /// The stores, in evaluation order; overridden ones are gone.
    pub entries: Vec<InitEntry>,
}

/// One store of an initialiser.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Byte offset in the object.
    pub offset: u64,
    /// For bit-fields: position from `offset`.
    pub bits: Option<crate::types::BitField>,
    /// Type of the sub-object. A scalar, vector or record; or a `char`-like array and `value` a [`ExprKind::Str`]
    /// lvalue, whose units are copied as far as they fit and the rest zeroed.
    pub ty: QTy,
    /// The value, already converted to `ty`.
    pub value: ExprId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type, a [`crate::types::TyKind::Function`].
    pub ty: Ty,
    /// Parameters, in order (definitions only).
    pub params: Vec<ObjId>,
    /// The body (definitions only).
    pub body: Option<StmtId>,
    /// Linkage.
    pub linkage: Linkage,
    /// Was it only declared implicitly by a call, or predeclared as a builtin?
    pub implicit: bool,
    /// Was it declared with another type than the library function of its name has?
    pub unlike_library: bool,
    /// `_Noreturn` or the attribute.
    pub noreturn: bool,
    /// `nonnull` attribute: parameters that may not be null, a bit each, the first lowest; all ones for every pointer.
    pub nonnull: u64,
    /// `returns_nonnull` attribute.
    pub returns_nonnull: bool,
    /// `asm("name")`.
    pub asm_label: Option<Box<[u8]>>,
    /// `alias("target")` attribute.
    pub alias: Option<Symbol>,
    /// `aligned` attribute in bytes, or 1.
    pub align: u64,
    /// `constructor` attribute: its priority, [`DEFAULT_PRIORITY`] if it names none. Low ones run first.
    pub constructor: Option<u16>,
    /// `destructor` attribute: its priority, as for `constructor`. High ones run first.
    pub destructor: Option<u16>,
    /// Its labels (ordinary ones, by [`LabelId`]).
    pub labels: Vec<Symbol>,
    /// For GNU nested functions: the enclosing function.
    pub parent: Option<FnId>,
    /// The AST definition.
    pub origin: Option<ast::FnId>,
    /// The declaration or definition.
    pub span: Span,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; for lvalues the type of the object, with its qualifiers.
    pub ty: QTy,
    /// Where it stands.
    pub span: Span,
    /// The AST expression it came from.
    pub origin: ast::ExprId,
}

/// Bits of a floating constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FloatBits {
    /// The format.
    pub kind: FloatKind,
    /// IEEE bits in the low bytes; for x87 the 80 bits.
    pub bits: u128,
}

/// Kinds of typed expressions. "lv" marks lvalue operands, "rv" values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    // ----- values without operands
    /// An integer constant of an integer, enum or pointer type (null or cast address), truncated to its width.
    Int(u128),
    /// A floating constant.
    Float(FloatBits),
    /// The current length of a variable array, `size_t`.
    VlaLen(VlaId),
    /// `&&label`, a `void *`.
    LabelAddr(LabelId),
    /// `&&label` of a local label of an enclosing function, in a GNU nested function.
    LabelAddrOuter(FnId, LabelId),

    // ----- lvalues and designators
    /// lv: an object.
    Object(ObjId),
    /// lv: a string literal (array).
    Str(StrId),
    /// lv: `*ptr`; a function designator if `ptr` points to a function.
    Deref(ExprId),
    /// lv: member by index of `Record::fields`, of an lvalue record.
    Member {
        /// The record, lv.
        base: ExprId,
        /// The record type.
        record: RecordId,
        /// Index into its fields.
        field: u32,
    },
    /// lv: a compound literal; its initialiser ([`Object::init`]) runs each time it is evaluated.
    CompoundLit(ObjId),
    /// lv: an unnamed temporary object that holds the rvalue record (`f().a`), living to the end of the full
    /// expression.
    Materialize(ExprId, ObjId),
    /// lv: element of a vector lvalue, at an integer index.
    VectorElem(ExprId, ExprId),
    /// lv: real or imaginary part of a complex lvalue.
    ComplexPart {
        /// The complex object, lv.
        base: ExprId,
        /// Imaginary part?
        imag: bool,
    },
    /// A function designator.
    Function(FnId),

    // ----- conversions
    /// lv to rv: the value of an object; scalars, records, vectors, complex. Reads volatile objects.
    Load(ExprId),
    /// Array lvalue to pointer to its first element.
    Decay(ExprId),
    /// `&lv`; also a function designator to pointer.
    AddrOf(ExprId),
    /// A value converted to `ty`; which conversion follows from both types.
    Convert {
        /// How.
        kind: Conversion,
        /// What.
        value: ExprId,
        /// Written as a cast?
        explicit: bool,
    },

    // ----- operators; operands are rv and of the type the operator works in
    /// `-a` (promoted; real, complex, vector).
    Neg(ExprId),
    /// `~a` (promoted integer, vector; complex conjugate).
    BitNot(ExprId),
    /// `!a`: `int`, scalar operand. (vector: element mask)
    Not(ExprId),
    /// Arithmetic and bitwise operators on two operands of the result's type; shifts may differ on the right.
    Binary(Op, ExprId, ExprId),
    /// Comparison of two operands of one type: arithmetic, pointer or vector; result `int` or mask vector.
    Compare(Rel, ExprId, ExprId),
    /// `ptr + index` (`negative`: `ptr - index`). `index` has its own integer type.
    PtrAdd {
        /// The pointer.
        ptr: ExprId,
        /// The integer.
        index: ExprId,
        /// Subtract?
        negative: bool,
        /// Element size in bytes: `None` for the pointee's constant size (1 for `void` and functions), else
        /// an expression of type `size_t`.
        scale: Option<ExprId>,
    },
    /// `p - q` of pointers to the same type, `ptrdiff_t`; `scale` as for [`ExprKind::PtrAdd`].
    PtrDiff(ExprId, ExprId, Option<ExprId>),
    /// `a && b`: `int`.
    LogAnd(ExprId, ExprId),
    /// `a || b`: `int`.
    LogOr(ExprId, ExprId),
    /// `c ? t : e`, both converted to `ty` (or `void`).
    Cond(ExprId, ExprId, ExprId),
    /// GNU `c ?: e`: `c` evaluated once; `value` converts it from its own type to `ty` through
    /// [`ExprKind::Same`].
    CondElvis {
        /// The scalar tested, rv.
        cond: ExprId,
        /// Conversion chain around [`ExprKind::Same`] that gives the value of the first branch.
        value: ExprId,
        /// The other branch.
        other: ExprId,
    },
    /// The value of the innermost enclosing [`ExprKind::CondElvis`]'s `cond`, or, in a
    /// [`ExprKind::CompoundAssign`], the loaded left operand, or the computed result (see there).
    Same,
    /// `a, b`; `a` any expression, its value unused.
    Comma(ExprId, ExprId),
    /// `lv = rv`: converted already; value has the unqualified type of the left operand. Scalars and aggregates.
    Assign(ExprId, ExprId),
    /// `lv op= rv`. The machine evaluates `lv` (as place) and the right operand inside `compute`, loads the old
    /// value, evaluates `compute` with [`ExprKind::Same`] standing for the loaded left value, and stores.
    /// `compute` has the left operand's type (conversions back included) and covers pointer arithmetic too.
    CompoundAssign {
        /// The place.
        place: ExprId,
        /// New value in terms of [`ExprKind::Same`].
        compute: ExprId,
    },
    /// `++`/`--`: as compound assignment by 1; `post` yields the old value.
    IncDec {
        /// The place.
        place: ExprId,
        /// New value in terms of [`ExprKind::Same`].
        compute: ExprId,
        /// Old value is the result?
        post: bool,
    },
    /// A call. `callee` is a pointer to function (`AddrOf(Function)` for direct calls); arguments are converted to
    /// the parameters' types, those beyond or without prototype promoted by default.
    Call(ExprId, Vec<ExprId>),
    /// Builtins with rules of their own; plain `__builtin_f` that are functions are [`ExprKind::Call`]s of a
    /// declared-only function of that name.
    Builtin(Builtin, Vec<ExprId>),
    /// Statement expression: the block, and the value of its last expression statement (which is not in `block`).
    StmtExpr {
        /// All statements but the last value.
        block: StmtId,
        /// The value, unless `void`.
        value: Option<ExprId>,
    },
    /// `va_arg(ap, ty)`; operand as for [`Builtin::VaStart`].
    VaArg(ExprId),
    /// A complex value from its parts (both of the element type).
    Complex(ExprId, ExprId),
    /// Real or imaginary part of a complex rv.
    PartOf(ExprId, bool),
    /// Evaluates variable lengths of a type name (in order), then the operand: `sizeof(int[n])`, casts to VLA types.
    VlaEval(Vec<VlaId>, ExprId),
}

impl ExprKind {
    /// Does a node of this kind denote an object, whatever its operands are? One that evaluates lengths does if what it
    /// holds does.
    pub fn is_place(&self) -> bool {
        matches!(
            self,
            ExprKind::Object(_)
                | ExprKind::Str(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::CompoundLit(_)
                | ExprKind::Materialize(..)
                | ExprKind::VectorElem(..)
                | ExprKind::ComplexPart { .. }
        )
    }
}

/// Conversions; source and target types are those of operand and node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Conversion {
    /// Integer or enum to integer or enum (not `_Bool`).
    IntToInt,
    IntToFloat,
    FloatToInt,
    FloatToFloat,
    /// Scalar to `_Bool`.
    ToBool,
    IntToPtr,
    PtrToInt,
    /// Pointers, object and function, all kinds.
    PtrToPtr,
    /// Anything to `void`.
    ToVoid,
    /// Real to complex.
    RealToComplex,
    /// Complex to complex of another element type.
    ComplexToComplex,
    /// Complex to real: the imaginary part is dropped.
    ComplexToReal,
    /// Same-size reinterpretation between vectors, and vectors and scalars.
    Bitcast,
    /// A scalar copied to every element.
    Splat,
    /// Value to union that has a member of its type (GNU cast), or to a transparent union; field by index.
    ToUnion(u32),
    /// Same representation: records to their qualified versions and the like.
    NoOp,
}

/// Arithmetic and bitwise operators.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    And,
    Xor,
    Or,
}

/// Priority of a constructor or destructor whose attribute names none: constructors run after, destructors before all
/// others.
pub const DEFAULT_PRIORITY: u16 = u16::MAX;

/// Comparisons.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Rel {
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

/// Builtins whose typing or evaluation is not that of a function call.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `va_start(ap, last)`: one operand, the place of the list (an expression of type
    /// pointer to `__builtin_va_list`).
    VaStart,
    /// `va_start(ap, last)` where `last` is a `register` parameter or has a type that the default argument promotions
    /// change: undefined (7.16.1.4p4).
    VaStartPromoted,
    /// `va_end(ap)`.
    VaEnd,
    /// `va_copy(dst, src)`.
    VaCopy,
    /// `__builtin_add_overflow(a, b, ptr)`: result `_Bool`; operands keep their own types.
    AddOverflow,
    /// See [`Builtin::AddOverflow`].
    SubOverflow,
    /// See [`Builtin::AddOverflow`].
    MulOverflow,
    /// `__builtin_add_overflow_p(a, b, (T)0)`.
    AddOverflowP,
    /// See [`Builtin::AddOverflowP`].
    SubOverflowP,
    /// See [`Builtin::AddOverflowP`].
    MulOverflowP,
    /// `__builtin_unreachable()`: undefined when reached.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_alloca(n)` and `_with_align`.
    Alloca,
    /// `__builtin_frame_address(n)`.
    FrameAddress,
    /// `__builtin_return_address(n)`.
    ReturnAddress,
    /// `__builtin_prefetch(p, ...)`: operands evaluated, nothing else.
    Prefetch,
    /// `__builtin_assume(e)` (clang): operand not evaluated for effects.
    Assume,
    /// `__builtin_assume_aligned(p, n[, off])`: value of `p`.
    AssumeAligned,
    /// `__builtin_shuffle(a[, b], mask)`.
    Shuffle,
    /// `__builtin_shufflevector(a, b, i...)`, indices constants.
    ShuffleVector,
    /// `__builtin_convertvector(v, T)`: `ty` is T.
    ConvertVector,
    /// `__atomic_load_n`, `__atomic_store_n`, ... and `__sync_*`: operands as written; sizes from the pointee.
    Atomic(AtomicOp),
    /// `__builtin_setjmp`, `setjmp`, `_setjmp`, `sigsetjmp`.
    /// With `true` the library's: changed objects that are not volatile lose their values at the `longjmp`; they keep
    /// them with the GNU builtin.
    Setjmp(bool),
    /// `__builtin_longjmp`, `longjmp`.
    Longjmp,
    /// `__builtin_apply_args`, `__builtin_apply`, `__builtin_return`.
    Apply,
    /// Floating classification on the operand's own type: `isnan`, `isinf`, `isfinite`, `isnormal`, `signbit`.
    FloatClass(FloatClass),
    /// Quiet comparisons: `__builtin_isless` and so on, both operands of one floating type.
    QuietCompare(QuietRel),
    /// `__builtin_fpclassify(nan, inf, norm, sub, zero, x)`.
    FpClassify,
    /// `__builtin_constant_p` of what is no constant to the language (its operand, which is not evaluated, is left out): 0,
    /// or 1 where a compiler finds out more.
    ConstantP,
    /// `__builtin_object_size(p, k)`: evaluates to "unknown" unless the machine knows.
    ObjectSize,
    /// `__builtin_complex` is [`ExprKind::Complex`]; this is `__builtin_clear_padding(p)`.
    ClearPadding,
}

/// Atomic and sync builtins (single-threaded meaning).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AtomicOp {
    LoadN,
    Load,
    StoreN,
    Store,
    ExchangeN,
    Exchange,
    CompareExchangeN,
    CompareExchange,
    FetchAdd,
    FetchSub,
    FetchAnd,
    FetchOr,
    FetchXor,
    FetchNand,
    AddFetch,
    SubFetch,
    AndFetch,
    OrFetch,
    XorFetch,
    NandFetch,
    TestAndSet,
    Clear,
    ThreadFence,
    SignalFence,
    AlwaysLockFree,
    IsLockFree,
    /// `__sync_bool_compare_and_swap(p, old, new)`
    SyncBoolCas,
    /// `__sync_val_compare_and_swap(p, old, new)`
    SyncValCas,
    /// `__sync_lock_test_and_set(p, v)`
    SyncLockTestAndSet,
    /// `__sync_lock_release(p)`
    SyncLockRelease,
    /// `__sync_synchronize()`
    SyncSynchronize,
}

/// Floating classification.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatClass {
    IsNan,
    IsInf,
    IsInfSign,
    IsFinite,
    IsNormal,
    SignBit,
}

/// Quiet comparisons.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum QuietRel {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LessGreater,
    Unordered,
}

/// A typed statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
    /// The AST statement it came from.
    pub origin: ast::StmtId,
}

/// Kinds of typed statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`, pragmas, attributes, local label declarations.
    Nop,
    /// An expression evaluated for its effects (any type).
    Expr(ExprId),
    /// A block; `locals` are the auto objects whose lifetime it is (compound literals and temporaries too).
    Block {
        /// Objects that live while the block is active.
        locals: Vec<ObjId>,
        /// The statements.
        body: Vec<StmtId>,
    },
    /// The declaration of an auto object is reached: it becomes indeterminate again (or, variable-length, is
    /// allocated) and is initialised if it has an initialiser.
    Decl(ObjId),
    /// Evaluates a variable length.
    VlaEval(VlaId),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do while`
    DoWhile(StmtId, ExprId),
    /// `for`; declarations of its first clause are the statements of `init`, their objects `locals` of the block
    /// around it.
    For {
        /// First clause.
        init: Vec<StmtId>,
        /// Condition.
        cond: Option<ExprId>,
        /// Third clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`; case values are in the promoted type of the scrutinee.
    Switch {
        /// The scrutinee, promoted.
        value: ExprId,
        /// Ranges `lo..=hi` in that type (as its signed or unsigned value), by case index.
        cases: Vec<(i128, i128)>,
        /// Is there a `default`?
        has_default: bool,
        /// The body, with [`StmtKind::Case`] and [`StmtKind::Default`] in it.
        body: StmtId,
    },
    /// Position of a case of the innermost switch.
    Case(u32, StmtId),
    /// Position of the default of the innermost switch.
    Default(StmtId),
    /// A label and its statement.
    Label(LabelId, StmtId),
    /// `goto`; in a nested function the label may be the parent's.
    Goto(LabelId),
    /// Nonlocal goto from a GNU nested function to a label of an enclosing one.
    GotoOuter(FnId, LabelId),
    /// `goto *e`
    GotoPtr(ExprId),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`, converted to the return type.
    Return(Option<ExprId>),
    /// Inline assembly: outputs lv, inputs rv or (memory constraints) lv.
    Asm(Box<Asm>),
}

/// Inline assembly with checked operands.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: Box<[u8]>,
    /// `volatile`, or no outputs?
    pub volatile: bool,
    /// Constraint and lvalue.
    pub outputs: Vec<(Box<[u8]>, ExprId)>,
    /// Constraint and value.
    pub inputs: Vec<(Box<[u8]>, ExprId)>,
    /// Has it labels (`asm goto`)?
    pub goto: bool,
}
