//! The typed bytecode: register instructions of 16 bytes, by function, with side tables.
//!
//! A register is 16 bytes, `lo` and `hi`. Integers up to 64 bits are kept sign- or zero-extended to 64 bits in `lo`;
//! `hi` holds provenance of pointers, the upper half of 128-bit values, sign and exponent of x87 values.
//! Names: d destination, a/b operands, p pointer, k constant, t target, o byte-offset register.
//! Targets of jump instructions are positions while a function is lowered, and in finished code the distance from
//! the instruction after the jump; targets in tables are positions always.

use crate::class::Scalar;
use csyntax::source::Span;
use csyntax::tree::{FloatClass, FnId, QuietRel};
use csyntax::types::{BitField, Ty};

/// A register number, relative to the frame.
pub type Reg = u16;

macro_rules! insns {
    (
        rrr { $($rrr:ident)* }
        rrk { $($rrk:ident)* }
        rr { $($rr:ident)* }
        jrr { $($jrr:ident)* }
        jrk { $($jrk:ident)* }
        srr { $($srr:ident)* }
        srk { $($srk:ident)* }
        mem { $($mem:ident = $plain:ident $kind:ident { $($part:ident: $part_ty:ty),* })* }
        $($name:ident { $($field:ident: $ty:ty),* })*
    ) => {
        /// One instruction.
        #[derive(Copy, Clone, Debug, PartialEq)]
        #[repr(u16)]
        #[allow(missing_docs, clippy::upper_case_acronyms)]
        pub enum Insn {
            $($rrr { d: Reg, a: Reg, b: Reg },)*
            $($rrk { d: Reg, a: Reg, k: i32 },)*
            $($rr { d: Reg, a: Reg },)*
            $($jrr { a: Reg, b: Reg, t: u32 },)*
            $($jrk { a: Reg, k: i32, t: u32 },)*
            $($srr { a: Reg, b: Reg, by: i16, t: u32 },)*
            $($srk { a: Reg, by: i16, k: i32, t: u32 },)*
            $($mem { $($part: $part_ty,)* cls: u8 },)*
            $($name { $($field: $ty),* },)*
        }

        impl Insn {
            /// The target of a jump.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    Insn::Jmp { t } | Insn::JZ { t, .. } | Insn::JNz { t, .. } => Some(t),
                    $(Insn::$jrr { t, .. } => Some(t),)*
                    $(Insn::$jrk { t, .. } => Some(t),)*
                    $(Insn::$srr { t, .. } => Some(t),)*
                    $(Insn::$srk { t, .. } => Some(t),)*
                    _ => None,
                }
            }

            /// Does it compute a register from others, and do nothing else but stop where that is undefined?
            pub fn is_arithmetic(&self) -> bool {
                match self {
                    $(Insn::$rrr { .. })|* | $(Insn::$rrk { .. })|* | $(Insn::$rr { .. })|* => true,
                    _ => false,
                }
            }

            /// Has an operand read another register; whether this is one of the forms that can.
            pub fn read_instead(&mut self, from: Reg, to: Reg) -> bool {
                let change = |reg: &mut Reg| *reg = if *reg == from { to } else { *reg };
                match self {
                    $(Insn::$rrr { a, b, .. })|* => {
                        change(a);
                        change(b);
                    }
                    $(Insn::$rrk { a, .. })|* | $(Insn::$rr { a, .. })|* => change(a),
                    Insn::StL { s, .. } | Insn::StG { s, .. } => change(s),
                    _ => return false,
                }
                true
            }

            /// The form that the interpreter runs: where there is one, an instruction for this kind of memory value alone.
            pub fn quick(self) -> Insn {
                match self {
                    $(Insn::$plain { $($part,)* kind: Mem::$kind, cls } => Insn::$mem { $($part,)* cls },)*
                    other => other,
                }
            }

            /// The general form of what [`Insn::quick`] gave.
            pub fn plain(self) -> Insn {
                match self {
                    $(Insn::$mem { $($part,)* cls } => Insn::$plain { $($part,)* kind: Mem::$kind, cls },)*
                    other => other,
                }
            }
        }

        /// The pattern of all instructions for one kind of memory value.
        macro_rules! quick {
            () => { $(Insn::$mem { .. })|* };
        }
        pub(crate) use quick;
    };
}

/// The size in [`Insn::Narrow`] of a member that reaches to the end of its object.
pub const TO_THE_END: u32 = u32::MAX;

/// Kinds of memory values with fast instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Mem {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    W64,
    Ptr,
}

insns! {
    rrr {
        AddI32 AddU32 AddI64 AddU64 SubI32 SubU32 SubI64 SubU64 MulI32 MulU32 MulI64 MulU64
        DivI32 DivU DivI64 RemI32 RemU RemI64
        And Or Xor ShlI32 ShlU32 ShlI64 ShlU64 ShrI32 ShrI64 ShrU32 ShrU64
        CEq CNe CLtS CLeS CLtU CLeU
        AddF64 SubF64 MulF64 DivF64 AddF32 SubF32 MulF32 DivF32
        EqF64 NeF64 LtF64 LeF64 EqF32 NeF32 LtF32 LeF32
        PLt PLe PEq
        AddS8 AddS16 AddU8 AddU16 SubS8 SubS16 SubU8 SubU16
    }
    rrk { AddI32K AddU32K AddI64K AddU64K MulI32K MulU32K MulI64K MulU64K AndK OrK XorK
          ShlI32K ShlU32K ShlI64K ShlU64K ShrSK ShrUK RotU32K RotU64K CEqK CNeK CLtSK CGtSK
          AddS8K AddS16K AddU8K AddU16K }
    rr { Mov NegI32 NegI64 NegU32 NegU64 Not NotU32 LogNot ToBool Sext8 Sext16 Sext32 Zext8 Zext16 Zext32
         NegF64 NegF32 SI64F64 SU64F64 SI64F32 SU64F32 F32F64 F64F32 Sext128 Zext128 PtrToInt IntToPtr CkBool }
    jrr { JEq JNe JLtS JLeS JLtU JLeU }
    jrk { JEqK JNeK JLtSK JLeSK JGtSK JGeSK }
    srr { StepI32Lt StepI32Le StepI64Lt StepI64Le StepU32Lt StepU64Lt }
    srk { StepI32Ne StepI32LtK StepI32LeK StepI32GtK StepI32GeK StepU32Ne StepU64Ne }
    mem {
        LdLI32 = LdL I32 { d: Reg, off: u32 }
        LdLU32 = LdL U32 { d: Reg, off: u32 }
        LdLW64 = LdL W64 { d: Reg, off: u32 }
        LdLPtr = LdL Ptr { d: Reg, off: u32 }
        StLI32 = StL I32 { s: Reg, off: u32 }
        StLU32 = StL U32 { s: Reg, off: u32 }
        StLW64 = StL W64 { s: Reg, off: u32 }
        StLPtr = StL Ptr { s: Reg, off: u32 }
        LdGI32 = LdG I32 { d: Reg, at: u32 }
        LdGU32 = LdG U32 { d: Reg, at: u32 }
        LdGW64 = LdG W64 { d: Reg, at: u32 }
        LdGPtr = LdG Ptr { d: Reg, at: u32 }
        StGI32 = StG I32 { s: Reg, at: u32 }
        StGU32 = StG U32 { s: Reg, at: u32 }
        StGW64 = StG W64 { s: Reg, at: u32 }
        StGPtr = StG Ptr { s: Reg, at: u32 }
        LdGXI32 = LdGX I32 { d: Reg, i: Reg, r: u32 }
        LdGXU32 = LdGX U32 { d: Reg, i: Reg, r: u32 }
        LdGXW64 = LdGX W64 { d: Reg, i: Reg, r: u32 }
        LdGXPtr = LdGX Ptr { d: Reg, i: Reg, r: u32 }
        StGXI32 = StGX I32 { s: Reg, i: Reg, r: u32 }
        StGXU32 = StGX U32 { s: Reg, i: Reg, r: u32 }
        StGXW64 = StGX W64 { s: Reg, i: Reg, r: u32 }
        StGXPtr = StGX Ptr { s: Reg, i: Reg, r: u32 }
        LdPI32 = LdP I32 { d: Reg, p: Reg, off: i32 }
        LdPU32 = LdP U32 { d: Reg, p: Reg, off: i32 }
        LdPW64 = LdP W64 { d: Reg, p: Reg, off: i32 }
        LdPPtr = LdP Ptr { d: Reg, p: Reg, off: i32 }
        StPI32 = StP I32 { s: Reg, p: Reg, off: i32 }
        StPU32 = StP U32 { s: Reg, p: Reg, off: i32 }
        StPW64 = StP W64 { s: Reg, p: Reg, off: i32 }
        StPPtr = StP Ptr { s: Reg, p: Reg, off: i32 }
        LdXI32 = LdX I32 { d: Reg, p: Reg, i: Reg, scale: u16 }
        LdXU32 = LdX U32 { d: Reg, p: Reg, i: Reg, scale: u16 }
        LdXW64 = LdX W64 { d: Reg, p: Reg, i: Reg, scale: u16 }
        LdXPtr = LdX Ptr { d: Reg, p: Reg, i: Reg, scale: u16 }
        StXI32 = StX I32 { s: Reg, p: Reg, i: Reg, scale: u16 }
        StXU32 = StX U32 { s: Reg, p: Reg, i: Reg, scale: u16 }
        StXW64 = StX W64 { s: Reg, p: Reg, i: Reg, scale: u16 }
        StXPtr = StX Ptr { s: Reg, p: Reg, i: Reg, scale: u16 }
    }

    Nop { }
    Jmp { t: u32 }
    JZ { a: Reg, t: u32 }
    JNz { a: Reg, t: u32 }
    JmpPtr { a: Reg }
    Switch { a: Reg, table: u32 }
    K { d: Reg, k: i32 }
    Const { d: Reg, c: u32 }

    LdL { d: Reg, kind: Mem, cls: u8, off: u32 }
    StL { s: Reg, kind: Mem, cls: u8, off: u32 }
    // The sum of two registers, in `sum`, and turned left, in `d`; the exclusive or, in `d`, and stored.
    AddRotU32 { d: Reg, sum: Reg, a: Reg, b: Reg, k: u8 }
    XorStLU32 { d: Reg, a: Reg, b: Reg, cls: u8, off: u32 }
    LdG { d: Reg, kind: Mem, cls: u8, at: u32 }
    StG { s: Reg, kind: Mem, cls: u8, at: u32 }
    LdLX { d: Reg, i: Reg, kind: Mem, cls: u8, r: u32 }
    StLX { s: Reg, i: Reg, kind: Mem, cls: u8, r: u32 }
    LdGX { d: Reg, i: Reg, kind: Mem, cls: u8, r: u32 }
    StGX { s: Reg, i: Reg, kind: Mem, cls: u8, r: u32 }
    LdLO { d: Reg, o: Reg, kind: Mem, cls: u8, off: u32 }
    StLO { s: Reg, o: Reg, kind: Mem, cls: u8, off: u32 }
    LdGO { d: Reg, o: Reg, kind: Mem, cls: u8, at: u32 }
    StGO { s: Reg, o: Reg, kind: Mem, cls: u8, at: u32 }
    LdP { d: Reg, p: Reg, kind: Mem, cls: u8, off: i32 }
    StP { s: Reg, p: Reg, kind: Mem, cls: u8, off: i32 }
    LdX { d: Reg, p: Reg, i: Reg, kind: Mem, cls: u8, scale: u16 }
    StX { s: Reg, p: Reg, i: Reg, kind: Mem, cls: u8, scale: u16 }
    LdS { d: Reg, p: Reg, m: u32 }
    StS { s: Reg, p: Reg, m: u32 }

    IdxOff { d: Reg, i: Reg, r: u32 }
    IdxAdd { d: Reg, a: Reg, i: Reg, r: u32 }
    LeaL { d: Reg, local: u16, off: i32 }
    PField { d: Reg, p: Reg, k: i32 }
    PAdd { d: Reg, p: Reg, i: Reg, scale: i32 }
    PAddR { d: Reg, p: Reg, i: Reg, scale: Reg, negative: bool }
    POff { d: Reg, p: Reg, o: Reg }
    PAddK { d: Reg, p: Reg, k: i32 }
    Narrow { d: Reg, p: Reg, size: u32 }
    Widen { d: Reg, p: Reg }
    PDiff { d: Reg, a: Reg, b: Reg, scale: u32 }
    PDiffR { d: Reg, a: Reg, b: Reg, scale: Reg }

    Copy { d: Reg, s: Reg, m: u32 }
    Zero { p: Reg, size: u32 }
    InitStr { p: Reg, s: u32, size: u32 }
    Enter { local: u16 }
    EnterIfDead { local: u16 }
    Leave { local: u16 }
    StackMark { d: Reg }
    StackFree { a: Reg }
    Reset { local: u16 }
    Seal { local: u16 }
    VlaCheck { a: Reg, signed: bool }
    CkIndex { i: Reg, n: Reg }
    CkExtent { p: Reg, n: u32 }
    CkOverlap { a: Reg, b: Reg, x: u32 }
    VlaAlloc { d: Reg, n: Reg, align: u32 }
    Alloca { d: Reg, n: Reg, align: u32 }

    Wide { d: Reg, a: Reg, b: Reg, op: WideOp, signed: bool }
    Soft { d: Reg, a: Reg, b: Reg, op: SoftOp, kind: Scalar }
    Conv { d: Reg, a: Reg, from: Scalar, to: Scalar }

    Call { base: Reg, used: bool, f: u32 }
    CallSite { base: Reg, site: u32 }
    CallPtr { base: Reg, p: Reg, site: u32 }
    Complex { d: Reg, a: Reg, divide: bool, kind: Scalar }
    Ret { }
    RetV { a: Reg }
    RetMissing { }
    RetDangling { }
    FClass { d: Reg, a: Reg, class: FloatClass, kind: Scalar }
    FQuiet { d: Reg, a: Reg, b: Reg, rel: QuietRel, kind: Scalar }
    VaStart { p: Reg }
    VaArg { d: Reg, p: Reg, v: u32, passed: bool }
    VaEnd { p: Reg }
    VaCopy { d: Reg, s: Reg }
    Overflow { d: Reg, a: Reg, b: Reg, op: WideOp, v: u32 }
    Setjmp { d: Reg, p: Reg, loses: bool }
    Longjmp { p: Reg, v: Reg }
    Vec { d: Reg, a: Reg, b: Reg, v: u32 }

    SeqOpen { }
    SeqMark { d: Reg }
    SeqPoint { a: Reg }
    LeaUp { d: Reg, local: u16, owner: u32 }
    FnPtr { d: Reg, f: u32 }
    JmpOuter { c: u32 }
    SeqNext { }
    SeqClose { keep: bool }
    LogR { p: Reg, n: u32 }
    LogW { p: Reg, n: u32 }
    LogRegR { v: Reg }
    LogRegW { v: Reg }
    SeqStore { p: Reg, n: u32 }
    SeqStoreReg { v: Reg }
    MarkUninit { v: Reg }
    SetInit { v: Reg }
    CkInit { v: Reg }
    CkFlag { f: Reg }
    RestrictOpen { d: Reg }
    RestrictClose { a: Reg }
    RestrictUse { d: Reg, a: Reg, scope: Reg, object: u32 }
    RestrictAssign { s: Reg, scope: Reg, object: u32 }
    RestrictLog { p: Reg, write: bool, n: u32 }
    RestrictMeet { a: Reg, b: Reg }
    Tag { p: Reg, t: u32 }
    Point { id: u32 }
    Count { id: u32 }
    OrderChosen { }
    Stop { s: u32 }
}

impl Insn {
    /// In the extent of [`Insn::LogR`] and its kin: a bit-field, its first bit in bits 8-15, its width in bits 0-7.
    pub const BITS: u32 = 1 << 31;

    /// The position that a jump of finished code at `pc` leads to.
    pub fn leads_to(mut self, pc: usize) -> Option<usize> {
        self.target_mut().map(|t| (pc + 1).wrapping_add_signed(*t as i32 as isize))
    }

    /// A step of a counter and the branch on it that follows, as one instruction.
    pub fn stepped(self, branch: Insn) -> Option<Insn> {
        let (Insn::AddI32K { d, a, k: by }
        | Insn::AddU32K { d, a, k: by }
        | Insn::AddI64K { d, a, k: by }
        | Insn::AddU64K { d, a, k: by }) = self
        else {
            return None;
        };
        let by = i16::try_from(by).ok().filter(|_| a == d)?;
        Some(match (self, branch) {
            (Insn::AddI32K { .. }, Insn::JLtS { a, b, t }) if a == d && b != d => {
                Insn::StepI32Lt { a, b, by, t }
            }
            (Insn::AddI32K { .. }, Insn::JLeS { a, b, t }) if a == d && b != d => {
                Insn::StepI32Le { a, b, by, t }
            }
            (Insn::AddI64K { .. }, Insn::JLtS { a, b, t }) if a == d && b != d => {
                Insn::StepI64Lt { a, b, by, t }
            }
            (Insn::AddI64K { .. }, Insn::JLeS { a, b, t }) if a == d && b != d => {
                Insn::StepI64Le { a, b, by, t }
            }
            (Insn::AddU32K { .. }, Insn::JLtU { a, b, t }) if a == d && b != d => {
                Insn::StepU32Lt { a, b, by, t }
            }
            (Insn::AddU64K { .. }, Insn::JLtU { a, b, t }) if a == d && b != d => {
                Insn::StepU64Lt { a, b, by, t }
            }
            (Insn::AddI32K { .. }, Insn::JNz { a, t }) if a == d => Insn::StepI32Ne { a, by, k: 0, t },
            (Insn::AddI32K { .. }, Insn::JNeK { a, k, t }) if a == d => Insn::StepI32Ne { a, by, k, t },
            (Insn::AddI32K { .. }, Insn::JLtSK { a, k, t }) if a == d => Insn::StepI32LtK { a, by, k, t },
            (Insn::AddI32K { .. }, Insn::JLeSK { a, k, t }) if a == d => Insn::StepI32LeK { a, by, k, t },
            (Insn::AddI32K { .. }, Insn::JGtSK { a, k, t }) if a == d => Insn::StepI32GtK { a, by, k, t },
            (Insn::AddI32K { .. }, Insn::JGeSK { a, k, t }) if a == d => Insn::StepI32GeK { a, by, k, t },
            (Insn::AddU32K { .. }, Insn::JNz { a, t }) if a == d => Insn::StepU32Ne { a, by, k: 0, t },
            (Insn::AddU32K { .. }, Insn::JNeK { a, k, t }) if a == d => Insn::StepU32Ne { a, by, k, t },
            (Insn::AddU64K { .. }, Insn::JNz { a, t }) if a == d => Insn::StepU64Ne { a, by, k: 0, t },
            (Insn::AddU64K { .. }, Insn::JNeK { a, k, t }) if a == d => Insn::StepU64Ne { a, by, k, t },
            _ => return None,
        })
    }

    /// `narrow(op)` as one instruction: an addition or subtraction in `int` whose result `a` only the narrowing
    /// `self`, a sign or zero extension, reads.
    pub fn narrowed(self, op: Insn) -> Option<Insn> {
        macro_rules! pick {
            ($d:ident, $a:ident: $add:ident $sub:ident $addk:ident) => {
                match op {
                    Insn::AddI32 { d: r, a: x, b } if r == $a => Some(Insn::$add { d: $d, a: x, b }),
                    Insn::SubI32 { d: r, a: x, b } if r == $a => Some(Insn::$sub { d: $d, a: x, b }),
                    Insn::AddI32K { d: r, a: x, k } if r == $a => Some(Insn::$addk { d: $d, a: x, k }),
                    _ => None,
                }
            };
        }
        match self {
            Insn::Sext8 { d, a } => pick!(d, a: AddS8 SubS8 AddS8K),
            Insn::Sext16 { d, a } => pick!(d, a: AddS16 SubS16 AddS16K),
            Insn::Zext8 { d, a } => pick!(d, a: AddU8 SubU8 AddU8K),
            Insn::Zext16 { d, a } => pick!(d, a: AddU16 SubU16 AddU16K),
            _ => None,
        }
    }
}

/// Operators on 128-bit values and of overflow builtins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum WideOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Neg,
    Not,
    Bool,
}

/// Operators on soft floats.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum SoftOp {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Eq,
    Ne,
    Lt,
    Le,
}

/// Everything about a memory access that has no fast instruction.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Access {
    /// Representation.
    pub scalar: Scalar,
    /// Alias class.
    pub class: u8,
    /// Required alignment in bytes.
    pub align: u64,
    /// Is it volatile (part of the observable behaviour)?
    pub volatile: bool,
    /// Bit-field position from the pointer.
    pub bits: Option<BitField>,
    /// A store that initialises, so that const does not matter.
    pub initial: bool,
    /// For stores to union members that are smaller than their union: what becomes unspecified.
    pub union: Option<Forget>,
}

/// The bytes of a union that a store to one member makes unspecified (C11 6.2.6.1p7): all but the member's own.
/// Offsets count from the stored-to address and may be negative.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Forget {
    /// Start of the union.
    pub start: i32,
    /// Its size.
    pub size: u32,
    /// Start of the member.
    pub keep: i32,
    /// Its size.
    pub kept: u32,
}

/// A part of an access that matters to the record types of bytes, see [`crate::kin`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TagDesc {
    /// The record through a pointer to which it is, by its place in [`Program::meeting`], plus 1; 0 where no record
    /// that matters: the bytes lose the type they had.
    pub record: u16,
    /// Where in that record the bytes begin.
    pub offset: Option<u16>,
    /// How many.
    pub size: u32,
    /// Is it a store, which has just been made? Loads are still to come.
    pub write: bool,
    /// Is the member of a character type?
    pub character: bool,
}

/// A record copy.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct CopyDesc {
    /// Bytes.
    pub size: u64,
    /// Alignment of the type.
    pub align: u64,
    /// Initialises its destination?
    pub initial: bool,
}

/// A store of a value read from an object that may overlap the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// How far the target reaches from its address: bytes, or [`Insn::BITS`] with first bit and width.
    pub target: u32,
    /// How far the source reaches.
    pub source: u32,
    /// Have both the same representation?
    pub same: bool,
}

impl Overlap {
    /// What is said of it.
    pub const TEXT: &str = "the value is read from an object that overlaps the target, but not exactly";

    /// Do a target and a source at these addresses overlap in a way that is undefined?
    pub fn wrong(&self, target: u64, source: u64) -> bool {
        let (to, width) = crate::vm::seq::bits(target, self.target);
        let (from, count) = crate::vm::seq::bits(source, self.source);
        let exact = to == from && width == count && self.same;
        to < from + count && from < to + width && !exact
    }
}

/// A bounds-checked array step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ArrayRef {
    /// Frame offset or arena index of the first element (0 where unused).
    pub base: u64,
    /// Elements; indices below are allowed.
    pub count: u64,
    /// Element size in bytes.
    pub scale: u64,
}

/// Targets of a `switch`, sorted ranges of canonical 64-bit values.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// `lo..=hi` and target, sorted by `lo`; compared signed or unsigned.
    pub ranges: Vec<(i128, i128, u32)>,
    /// Dense form: target of `first + n`, when the ranges are compact.
    pub dense: Option<(i64, Vec<u32>)>,
    /// Where no range matches.
    pub default: u32,
    /// Representation of the scrutinee.
    pub scalar: Scalar,
}

/// A memory-resident automatic object of a function.
#[derive(Clone, Debug)]
pub struct Local {
    /// Offset in the frame's memory.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Index into [`Program::templates`] for its shadow.
    pub template: u32,
    /// Slot of its allocation record in the frame.
    pub slot: u32,
    /// Object id + 1, for messages.
    pub tag: u32,
}

/// Argument and result types of a call that cannot be checked before the run.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The function called (direct calls).
    pub callee: Option<FnId>,
    /// The function type called through.
    pub ty: Ty,
    /// Types of the arguments as passed.
    pub args: Vec<Ty>,
    /// Result type.
    pub ret: Ty,
    /// Registers before the first argument (1 when a result is returned in memory).
    pub hidden: u16,
    /// Is the result used?
    pub used: bool,
}

/// A lowered function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Instructions.
    pub insns: Vec<Insn>,
    /// Place of each instruction.
    pub spans: Vec<Span>,
    /// Registers used, parameters first.
    pub regs: u32,
    /// Bytes of memory-resident locals.
    pub frame_size: u32,
    /// Largest alignment among them.
    pub frame_align: u32,
    /// Memory-resident locals.
    pub locals: Vec<Local>,
    /// Parameters in registers: hidden result pointer included.
    pub params: u32,
    /// Takes variable arguments?
    pub variadic: bool,
}

/// What a [`Insn::Stop`] does.
#[derive(Clone, Debug)]
pub enum StopDesc {
    /// Undefined.
    Undefined(crate::ub::Ub, String),
    /// Unsupported.
    Unsupported(String),
    /// `__builtin_trap`.
    Trap,
    /// A statement that was not expected to run, see [`crate::Options::cold`].
    Cold,
}

/// How a function id runs.
#[derive(Clone, Debug)]
pub enum Callee {
    /// Bytecode.
    Code(u32),
    /// A library function, index into [`crate::libc::NATIVES`].
    Native(u32),
    /// Declared, called, and nowhere to be found.
    Missing,
}

/// A register's worth of constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// Plain bits.
    Bits(u64, u64),
    /// Address of a static object (index into statics) plus an offset.
    Static(u32, i64),
    /// Address of a function.
    Function(u32),
    /// Address of a label: (code, instruction).
    Label(u32, u32),
}

/// A static object or string literal in the arena.
#[derive(Clone, Debug)]
pub struct Static {
    /// Arena offset from the start of the arena.
    pub at: u64,
    /// Size in bytes.
    pub size: u64,
    /// Template of its shadow.
    pub template: u32,
    /// A string literal?
    pub literal: Option<u32>,
    /// Object id + 1, for messages.
    pub tag: u32,
}

/// A lowered program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions with bytecode.
    pub codes: Vec<Code>,
    /// How each tree function runs.
    pub callees: Vec<Callee>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Memory accesses.
    pub accesses: Vec<Access>,
    /// Record copies.
    pub copies: Vec<CopyDesc>,
    /// Stores whose source may overlap their target.
    pub overlaps: Vec<Overlap>,
    /// Accesses that matter to the record types of bytes.
    pub tagged: Vec<TagDesc>,
    /// Records whose members may lie in the same bytes as those of another, for [`TagDesc::record`].
    pub meeting: Vec<csyntax::types::RecordId>,
    /// Is there something whose value is the compiler's affair?
    pub asks_compiler: bool,
    /// Array steps.
    pub arrays: Vec<ArrayRef>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// Calls.
    pub sites: Vec<CallSite>,
    /// Stops.
    pub stops: Vec<StopDesc>,
    /// Overflow builtins: representation of both operands and result.
    pub overflows: Vec<(Scalar, Scalar, Scalar, Option<u32>)>,
    /// `va_arg` types with representation (`None`: in memory, size).
    pub va_args: Vec<(Ty, Option<Scalar>, u64)>,
    /// Vector operations.
    pub vectors: Vec<crate::vm::vector::VecDesc>,
    /// Shadow templates.
    pub templates: Vec<Box<[u8]>>,
    /// Restrict pointers that are followed, by the numbers instructions have for them (shifted left; the lowest bit
    /// says that they point to const).
    pub restricts: Vec<csyntax::tree::ObjId>,
    /// Statics in arena order.
    pub statics: Vec<Static>,
    /// Statics that stand for `stdin`, `stdout`, `stderr`.
    pub streams: [Option<u32>; 3],
    /// Bytes of statics.
    pub static_bytes: u64,
    /// The most that can be had: statics beyond have no template, and such a program does not run.
    pub static_most: u64,
    /// The function that initialises statics, then constructors in order, `main`, destructors.
    pub init: u32,
    /// Constructors, in order.
    pub constructors: Vec<FnId>,
    /// Destructors.
    pub destructors: Vec<FnId>,
    /// `main`.
    pub main: Option<FnId>,
    /// Statement and value points, when lowered for profiling.
    pub points: Vec<crate::profile::PointDesc>,
}

impl SwitchTable {
    /// The target for a value.
    #[inline]
    pub fn find(&self, value: crate::vm::Slot) -> u32 {
        if let Some((first, targets)) = &self.dense {
            let offset = (value.lo as i64).wrapping_sub(*first) as u64;
            if !self.scalar.is_wide() {
                return targets.get(offset as usize).copied().unwrap_or(self.default);
            }
        }
        let key = match self.scalar {
            wide if wide.is_wide() => (u128::from(value.lo) | u128::from(value.hi) << 64) as i128,
            s if s.signed() => i128::from(value.lo as i64),
            _ => i128::from(value.lo),
        };
        let at = self.ranges.partition_point(|r| r.0 <= key);
        match at.checked_sub(1).map(|n| self.ranges[n]) {
            Some((_, hi, target)) if key <= hi => target,
            Some(_) | None => self.default,
        }
    }
}
