//! The LLVM IR module: compact, with interned names and types and arenas of constants and instructions.

use super::intrinsics::Intrinsic;
use super::layout::DataLayout;
use super::types::{TypeId, Types};
use crate::floats::FloatPred;
use crate::names::keyword_enum;
use crate::names::{Name, Names};

/// A constant of the module's arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstId(pub(crate) u32);

/// A local value of a function: parameter or instruction result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// All names.
    pub names: Names,
    /// All types.
    pub types: Types,
    /// The data layout.
    pub layout: DataLayout,
    /// The target triple.
    pub triple: String,
    /// The `source_filename`.
    pub source_name: String,
    /// Constants.
    pub consts: Vec<Const>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Aliases and ifuncs.
    pub aliases: Vec<Alias>,
    /// Functions, defined and declared.
    pub functions: Vec<Function>,
    /// Attribute groups by number.
    pub attr_groups: Vec<(u32, Vec<Attr>)>,
    /// Numbered metadata, by its text after `=`.
    pub metadata: Vec<(u32, Box<str>)>,
    /// Functions defined here whose attributes are taken to hold for their callers.
    pub kept: Vec<Name>,
    /// The numbers that calls of a function give, where they are known, part by part.
    pub results: rustc_hash::FxHashMap<Name, Vec<Option<smt::Bv>>>,
    /// Who calls whom, once asked for.
    pub(crate) call_sites: std::sync::OnceLock<super::call_sites::CallSites>,
    /// Functions whose body could not be read, with the reason; they are kept as declarations.
    pub damaged: Vec<(Name, crate::error::ParseError)>,
}

/// A constant with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstKind,
}

/// Constants.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstKind {
    /// An integer of up to 64 bits, zero-extended.
    Int(u64),
    /// A wider integer, least word first, no excess bits.
    Wide(Box<[u64]>),
    /// A floating-point number's bits, least word first.
    Float(u128),
    /// `null`.
    Null,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// `zeroinitializer`.
    Zero,
    /// `none`.
    None,
    /// The address of a global variable, function or alias.
    Global(Name),
    /// Array, vector or struct.
    Aggregate(Box<[ConstId]>),
    /// `c"…"`.
    Bytes(Box<[u8]>),
    /// `splat (…)`.
    Splat(ConstId),
    /// A constant expression.
    Expr(Box<ConstExpr>),
    /// `blockaddress(@f, %b)`: function and block.
    BlockAddress(Name, Name),
    /// `dso_local_equivalent @f`, `no_cfi @f`: the address up to how it is made.
    Wrapped(&'static str, Name),
    /// A metadata argument, by its text.
    Metadata(Box<str>),
    /// Inline assembly: flags, template, constraints.
    Asm(Box<(String, String, String)>),
}

/// Constant expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ConstExpr {
    /// `getelementptr`.
    Gep {
        /// Flags.
        flags: Flags,
        /// The source element type.
        source: TypeId,
        /// Base and indices.
        args: Box<[ConstId]>,
    },
    /// A cast.
    Cast(CastOp, Flags, ConstId),
    /// A binary operation.
    Binary(BinOp, Flags, ConstId, ConstId),
    /// An integer comparison.
    ICmp(IntPred, ConstId, ConstId),
    /// A floating-point comparison.
    FCmp(FloatPred, ConstId, ConstId),
    /// `select`, `extractelement`, `insertelement`, `shufflevector`, `fneg`, by mnemonic.
    Other(&'static str, Box<[ConstId]>),
}

/// An attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Attr {
    /// `word`.
    Flag(Name),
    /// `word(n)` or `word n`.
    Int(Name, u64),
    /// `word(type)`.
    Type(Name, TypeId),
    /// `"key"` or `"key"="value"`.
    Text(Name, Option<Name>),
    /// `word(anything)`, the text between the brackets.
    Raw(Name, Box<str>),
}

impl Attr {
    /// The attribute's name.
    pub fn name(&self) -> Name {
        match self {
            Self::Flag(n) | Self::Int(n, _) | Self::Type(n, _) | Self::Text(n, _) | Self::Raw(n, _) => *n,
        }
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: Name,
    /// Linkage and other words before `global`, as written.
    pub words: Box<[Name]>,
    /// Address space.
    pub space: u32,
    /// `constant` rather than `global`.
    pub constant: bool,
    /// Type of the content.
    pub ty: TypeId,
    /// The content; none if external.
    pub init: Option<ConstId>,
    /// Alignment in bytes, if given.
    pub align: Option<u64>,
    /// Byte offset in the source.
    pub at: u32,
}

/// An alias or ifunc.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its name.
    pub name: Name,
    /// Linkage and other words, as written.
    pub words: Box<[Name]>,
    /// Whether it is an ifunc.
    pub ifunc: bool,
    /// Value type.
    pub ty: TypeId,
    /// What it stands for.
    pub target: ConstId,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Type.
    pub ty: TypeId,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// The local that holds it (definitions only).
    pub local: LocalId,
}

/// A local value.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, or its number's decimal text.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// The instruction that defines it; none for parameters.
    pub def: Option<u32>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Linkage, calling convention and other words before the result type, as written.
    pub words: Box<[Name]>,
    /// Attributes of the result.
    pub ret_attrs: Vec<Attr>,
    /// The result type.
    pub ret: TypeId,
    /// The parameters.
    pub params: Vec<Param>,
    /// `...`.
    pub vararg: bool,
    /// Attributes after the parameters.
    pub attrs: Vec<Attr>,
    /// Attribute group numbers.
    pub groups: Vec<u32>,
    /// Whether there is a body.
    pub defined: bool,
    /// Local values.
    pub locals: Vec<Local>,
    /// Blocks, entry first.
    pub blocks: Vec<Block>,
    /// Instructions of all blocks, in order.
    pub insts: Vec<Inst>,
    /// Byte offset in the source.
    pub at: u32,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name, or its number's decimal text.
    pub name: Name,
    /// First instruction.
    pub first: u32,
    /// One past the last instruction.
    pub end: u32,
}

impl Function {
    /// The instructions of a block.
    pub fn block_insts(&self, block: BlockId) -> &[Inst] {
        match self.blocks.get(block.0 as usize) {
            Some(b) => self.insts.get(b.first as usize..b.end as usize).unwrap_or(&[]),
            None => &[],
        }
    }
}

impl Module {
    /// The functions of the module that `!callees` says a call is one of; none where it says nothing, or what is not read.
    pub fn listed_callees(&self, inst: &Inst) -> Option<std::collections::BTreeSet<String>> {
        let (_, node) = inst.attachments.iter().find(|(kind, _)| self.names.text(*kind) == "callees")?;
        let (_, text) = self.metadata.iter().find(|(n, _)| Some(*n) == *node)?;
        let names = text.trim().strip_prefix("!{")?.strip_suffix('}')?;
        let name = |item: &str| {
            let name = item.trim().strip_prefix("ptr @")?;
            let id = self.names.get(name)?;
            self.functions.iter().any(|f| f.name == id).then(|| name.to_owned())
        };
        names.split(',').map(name).collect()
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A local.
    Local(LocalId),
    /// A constant.
    Const(ConstId),
}

/// Flags of an instruction, a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(pub u32);

macro_rules! flags {
    ($($name:ident = $bit:literal $word:literal),* $(,)?) => {
        impl Flags {
            $(#[doc = concat!("`", $word, "`.")] pub const $name: Flags = Flags(1 << $bit);)*
            /// Every flag with its keyword.
            pub const ALL: &'static [(Flags, &'static str)] = &[$((Flags::$name, $word)),*];
        }
    };
}

flags! {
    NUW = 0 "nuw", NSW = 1 "nsw", EXACT = 2 "exact", DISJOINT = 3 "disjoint", NNEG = 4 "nneg",
    SAMESIGN = 5 "samesign", INBOUNDS = 6 "inbounds", NUSW = 7 "nusw",
    NNAN = 8 "nnan", NINF = 9 "ninf", NSZ = 10 "nsz", ARCP = 11 "arcp", CONTRACT = 12 "contract",
    AFN = 13 "afn", REASSOC = 14 "reassoc", FAST = 15 "fast",
    VOLATILE = 16 "volatile", WEAK = 17 "weak", INALLOCA = 18 "inalloca",
}

impl Flags {
    /// Whether every flag of `other` is set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether any fast-math flag is set.
    pub fn any_math(self) -> bool {
        self.0 & 0xff00 != 0
    }
}

keyword_enum! {
    /// Binary operations.
    BinOp {
        Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem",
        Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
        FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv", FRem = "frem",
    }
}
keyword_enum! {
    /// Casts.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FpTrunc = "fptrunc", FpExt = "fpext",
        FpToUi = "fptoui", FpToSi = "fptosi", UiToFp = "uitofp", SiToFp = "sitofp",
        PtrToInt = "ptrtoint", PtrToAddr = "ptrtoaddr", IntToPtr = "inttoptr", BitCast = "bitcast",
        AddrSpaceCast = "addrspacecast",
    }
}
keyword_enum! {
    /// Integer comparisons.
    IntPred {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule",
        Sgt = "sgt", Sge = "sge", Slt = "slt", Sle = "sle",
    }
}
/// A metadata attachment: kind and node number (or none for an inline node).
pub type Attachment = (Name, Option<u32>);

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The local it defines.
    pub result: Option<LocalId>,
    /// What it does.
    pub op: Op,
    /// Metadata attached to it.
    pub attachments: Box<[Attachment]>,
    /// Byte offset in the source.
    pub at: u32,
}

/// Memory-access extras.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Alignment in bytes, if given.
    pub align: Option<u64>,
    /// `volatile`.
    pub volatile: bool,
    /// Atomic ordering, if atomic.
    pub ordering: Option<Name>,
}

impl Access {
    /// Whether it is neither volatile nor atomic: nobody else sees it, or is waited for.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.volatile && self.ordering.is_none()
    }
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// `tail`, `musttail`, `notail`.
    pub tail: Option<Name>,
    /// Fast-math flags.
    pub flags: Flags,
    /// Calling convention and like words, as written.
    pub words: Box<[Name]>,
    /// Attributes of the result.
    pub ret_attrs: Vec<Attr>,
    /// Result type.
    pub ret: TypeId,
    /// The function type if it was spelled out (varargs).
    pub fn_ty: Option<TypeId>,
    /// What is called.
    pub callee: Operand,
    /// The intrinsic that it is, if any, and its least number of arguments.
    pub intrinsic: Option<(Intrinsic, usize)>,
    /// Arguments.
    pub args: Box<[Arg]>,
    /// Attributes after the arguments.
    pub attrs: Vec<Attr>,
    /// Attribute groups.
    pub groups: Vec<u32>,
    /// Operand bundles.
    pub bundles: Box<[Bundle]>,
}

/// An operand bundle of a call.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// What it says.
    pub tag: Name,
    /// Of what.
    pub args: Box<[Arg]>,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Type.
    pub ty: TypeId,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// Value.
    pub value: Operand,
}

/// Operations.
#[derive(Clone, Debug)]
pub enum Op {
    /// `ret`.
    Ret(Option<(TypeId, Operand)>),
    /// `br label`.
    Br(BlockId),
    /// `br i1`.
    CondBr {
        /// Condition.
        cond: Operand,
        /// Taken when true.
        then: BlockId,
        /// Taken when false.
        other: BlockId,
    },
    /// `switch`.
    Switch {
        /// Type of the value.
        ty: TypeId,
        /// Value.
        value: Operand,
        /// Default.
        default: BlockId,
        /// Cases.
        cases: Box<[(ConstId, BlockId)]>,
    },
    /// `indirectbr`.
    IndirectBr {
        /// Address.
        address: Operand,
        /// Possible targets.
        targets: Box<[BlockId]>,
    },
    /// `unreachable`.
    Unreachable,
    /// A binary operation.
    Binary {
        /// Which.
        op: BinOp,
        /// Flags.
        flags: Flags,
        /// Operand and result type.
        ty: TypeId,
        /// Left.
        lhs: Operand,
        /// Right.
        rhs: Operand,
    },
    /// `fneg`.
    FNeg {
        /// Fast-math flags.
        flags: Flags,
        /// Type.
        ty: TypeId,
        /// Operand.
        value: Operand,
    },
    /// `icmp`.
    ICmp {
        /// Flags (`samesign`).
        flags: Flags,
        /// Predicate.
        pred: IntPred,
        /// Operand type.
        ty: TypeId,
        /// Left.
        lhs: Operand,
        /// Right.
        rhs: Operand,
    },
    /// `fcmp`.
    FCmp {
        /// Fast-math flags.
        flags: Flags,
        /// Predicate.
        pred: FloatPred,
        /// Operand type.
        ty: TypeId,
        /// Left.
        lhs: Operand,
        /// Right.
        rhs: Operand,
    },
    /// A cast.
    Cast {
        /// Which.
        op: CastOp,
        /// Flags.
        flags: Flags,
        /// From.
        from: TypeId,
        /// Operand.
        value: Operand,
        /// To.
        to: TypeId,
    },
    /// `select`.
    Select {
        /// Fast-math flags.
        flags: Flags,
        /// Type of the condition.
        cond_ty: TypeId,
        /// Condition.
        cond: Operand,
        /// Type of the choices.
        ty: TypeId,
        /// If true.
        then: Operand,
        /// If false.
        other: Operand,
    },
    /// `freeze`.
    Freeze {
        /// Type.
        ty: TypeId,
        /// Operand.
        value: Operand,
    },
    /// `phi`.
    Phi {
        /// Fast-math flags.
        flags: Flags,
        /// Type.
        ty: TypeId,
        /// Values by predecessor.
        incoming: Box<[(Operand, BlockId)]>,
    },
    /// `alloca`.
    Alloca {
        /// Flags (`inalloca`).
        flags: Flags,
        /// Type allocated.
        ty: TypeId,
        /// Number of elements and its type, if given.
        count: Option<(TypeId, Operand)>,
        /// Alignment in bytes, if given.
        align: Option<u64>,
    },
    /// `load`.
    Load {
        /// Type loaded.
        ty: TypeId,
        /// Address.
        ptr: Operand,
        /// Alignment and the like.
        access: Access,
    },
    /// `store`.
    Store {
        /// Type stored.
        ty: TypeId,
        /// Value.
        value: Operand,
        /// Address.
        ptr: Operand,
        /// Alignment and the like.
        access: Access,
    },
    /// `fence`.
    Fence(Name),
    /// `cmpxchg`.
    CmpXchg {
        /// Flags (`weak`, `volatile`).
        flags: Flags,
        /// Address.
        ptr: Operand,
        /// Type of the values.
        ty: TypeId,
        /// Expected.
        expected: Operand,
        /// New.
        new: Operand,
        /// Orderings.
        orderings: (Name, Name),
        /// Alignment, if given.
        align: Option<u64>,
    },
    /// `atomicrmw`.
    AtomicRmw {
        /// Flags (`volatile`).
        flags: Flags,
        /// Operation.
        op: Name,
        /// Address.
        ptr: Operand,
        /// Type of the value.
        ty: TypeId,
        /// Value.
        value: Operand,
        /// Ordering.
        ordering: Name,
        /// Alignment, if given.
        align: Option<u64>,
    },
    /// `getelementptr`.
    Gep {
        /// Flags.
        flags: Flags,
        /// Source element type.
        source: TypeId,
        /// Type of the base.
        base_ty: TypeId,
        /// Base.
        base: Operand,
        /// Indices with their types.
        indices: Box<[(TypeId, Operand)]>,
    },
    /// `extractvalue`.
    ExtractValue {
        /// Aggregate type.
        ty: TypeId,
        /// Aggregate.
        value: Operand,
        /// Path.
        path: Box<[u32]>,
    },
    /// `insertvalue`.
    InsertValue {
        /// Aggregate type.
        ty: TypeId,
        /// Aggregate.
        value: Operand,
        /// Element type.
        elem_ty: TypeId,
        /// Element.
        elem: Operand,
        /// Path.
        path: Box<[u32]>,
    },
    /// `extractelement`.
    ExtractElement {
        /// Vector type.
        ty: TypeId,
        /// Vector.
        value: Operand,
        /// Index type.
        index_ty: TypeId,
        /// Index.
        index: Operand,
    },
    /// `insertelement`.
    InsertElement {
        /// Vector type.
        ty: TypeId,
        /// Vector.
        value: Operand,
        /// Element.
        elem: Operand,
        /// Index type.
        index_ty: TypeId,
        /// Index.
        index: Operand,
    },
    /// `shufflevector`.
    Shuffle {
        /// Type of the inputs.
        ty: TypeId,
        /// First.
        a: Operand,
        /// Second.
        b: Operand,
        /// Mask.
        mask: ConstId,
    },
    /// `va_arg`.
    VaArg {
        /// The list.
        list: Operand,
        /// Type fetched.
        ty: TypeId,
    },
    /// `call`.
    Call(Box<Call>),
    /// `invoke` or `callbr`: a call that branches.
    CallBranch {
        /// The mnemonic.
        mnemonic: Name,
        /// The call.
        call: Box<Call>,
        /// Successors.
        targets: Box<[BlockId]>,
    },
    /// Exception handling that C never produces, by mnemonic; its operands are not kept.
    Exception(Name),
}

impl Op {
    /// Whether the instruction ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Ret(_)
                | Self::Br(_)
                | Self::CondBr { .. }
                | Self::Switch { .. }
                | Self::IndirectBr { .. }
                | Self::Unreachable
                | Self::CallBranch { .. }
        )
    }
}
