//! What each instruction reads and writes, and whether control goes on behind it.

use crate::bytecode::{Insn, Mem, Program, Reg, WideOp, quick};
use crate::class::Scalar;
use crate::vm::restrict::MAIN;

/// Marks that only their own kind of instruction takes back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// The top of the stack, and of the list of dynamic allocations.
    Stack,
    /// A place in the log of unsequenced accesses.
    Sequence,
    /// The execution of a block with restrict pointers.
    Restrict,
}

/// What a reader takes a register for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// A value in the low half.
    Low,
    /// A pointer with its provenance, or a value of more than 64 bits.
    Whole,
    /// Whatever is there: the register is copied.
    Any,
    /// A byte offset from bounds checks, for an access of this size at an offset in the frame.
    FrameOffset(u32, Mem),
    /// The same, at an offset in the arena.
    ArenaOffset(u32, Mem),
    /// The address of at least this many bytes of one object.
    Object(u32),
    /// A mark.
    Mark(Mark),
}

/// What a register holds afterwards.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    /// A value in the low half; the other half is of something else.
    Low,
    /// A value in both halves.
    Whole,
    /// What another register holds.
    Copy(Reg),
    /// A small number, in both halves.
    Number(i32),
    /// A constant of the program.
    Constant(u32),
    /// The address of a local, this many bytes on.
    Local(u16, i32),
    /// The pointer in a register, this many bytes on.
    Field(Reg, i32),
    /// The pointer in a register, as many bytes on as another holds.
    Plus(Reg, Reg),
    /// The offset of an element of an array, beyond the offset in a register if there is one.
    Element(u32, Option<Reg>),
    /// A mark.
    Mark(Mark),
}

/// Operands of one instruction.
#[derive(Default)]
pub(crate) struct Operands {
    reads: [Option<(Reg, Need)>; 5],
    writes: [Option<(Reg, Gives)>; 2],
}

impl Operands {
    pub(crate) fn reads(&self) -> impl Iterator<Item = (Reg, Need)> {
        self.reads.into_iter().flatten()
    }

    pub(crate) fn writes(&self) -> impl Iterator<Item = (Reg, Gives)> {
        self.writes.into_iter().flatten()
    }

    fn read(mut self, reg: Reg, need: Need) -> Operands {
        if let Some(free) = self.reads.iter_mut().find(|r| r.is_none()) {
            *free = Some((reg, need));
        }
        self
    }

    fn low(self, reg: Reg) -> Operands {
        self.read(reg, Need::Low)
    }

    fn whole(self, reg: Reg) -> Operands {
        self.read(reg, Need::Whole)
    }

    /// A scalar of this representation.
    fn scalar(self, reg: Reg, scalar: Scalar) -> Operands {
        let both = scalar.is_wide() || matches!(scalar, Scalar::F80 | Scalar::F128 | Scalar::Ptr);
        if both { self.whole(reg) } else { self.low(reg) }
    }

    /// A value of this memory kind.
    fn stored(self, reg: Reg, kind: Mem) -> Operands {
        if kind == Mem::Ptr { self.whole(reg) } else { self.low(reg) }
    }

    fn gives(mut self, reg: Reg, gives: Gives) -> Operands {
        if let Some(free) = self.writes.iter_mut().find(|w| w.is_none()) {
            *free = Some((reg, gives));
        }
        self
    }

    /// A value read from memory of this kind.
    fn loaded(self, reg: Reg, kind: Mem) -> Operands {
        self.gives(reg, if kind == Mem::Ptr { Gives::Whole } else { Gives::Low })
    }

    /// The register that numbers a block's execution; the block of `main` has none.
    fn scope(self, reg: Reg) -> Operands {
        if reg == MAIN { self } else { self.read(reg, Need::Mark(Mark::Restrict)) }
    }
}

/// Does control never come to the next instruction?
pub(crate) fn ends(insn: &Insn) -> bool {
    matches!(
        insn,
        Insn::Jmp { .. }
            | Insn::JmpPtr { .. }
            | Insn::JmpOuter { .. }
            | Insn::Switch { .. }
            | Insn::Ret {}
            | Insn::RetV { .. }
            | Insn::RetMissing {}
            | Insn::RetDangling {}
            | Insn::Longjmp { .. }
            | Insn::Stop { .. }
    )
}

macro_rules! table {
    ($none:ident;
     rrr $($rrr:ident)*; ptr_rrr $($prrr:ident)*; rrk $($rrk:ident)*; rr $($rr:ident)*;
     jrr $($jrr:ident)*; jrk $($jrk:ident)*; srr $($srr:ident)*; srk $($srk:ident)*;
     $($pattern:pat => $operands:expr,)*) => {
        /// The operands of an instruction, but for the arguments of calls.
        pub(crate) fn operands(program: &Program, insn: &Insn) -> Operands {
            let $none = Operands::default();
            let access = |m: u32| program.accesses[m as usize].scalar;
            match *insn {
                quick!() => operands(program, &insn.plain()),
                $(Insn::$rrr { d, a, b } => $none.low(a).low(b).gives(d, Gives::Low),)*
                $(Insn::$prrr { d, a, b } => $none.whole(a).whole(b).gives(d, Gives::Low),)*
                $(Insn::$rrk { d, a, k: _ } => $none.low(a).gives(d, Gives::Low),)*
                $(Insn::$rr { d, a } => $none.low(a).gives(d, Gives::Low),)*
                $(Insn::$jrr { a, b, t: _ } => $none.low(a).low(b),)*
                $(Insn::$jrk { a, k: _, t: _ } => $none.low(a),)*
                $(Insn::$srr { a, b, by: _, t: _ } => $none.low(a).low(b).gives(a, Gives::Low),)*
                $(Insn::$srk { a, by: _, k: _, t: _ } => $none.low(a).gives(a, Gives::Low),)*
                Insn::Switch { a, table } => $none.scalar(a, program.switches[table as usize].scalar),
                Insn::LdS { d, p, m: _ } => $none.whole(p).gives(d, Gives::Whole),
                Insn::StS { s, p, m } => $none.scalar(s, access(m)).whole(p),
                Insn::Overflow { d, a, b, op: _, v } => {
                    let types = program.overflows[v as usize];
                    $none.scalar(a, types.0).scalar(b, types.1).gives(d, Gives::Whole).gives(d.saturating_add(1), Gives::Whole)
                }
                $($pattern => $operands,)*
            }
        }
    };
}

table! {
    none;
    rrr AddI32 AddU32 AddI64 AddU64 SubI32 SubU32 SubI64 SubU64 MulI32 MulU32 MulI64 MulU64
        DivI32 DivU DivI64 RemI32 RemU RemI64
        And Or Xor ShlI32 ShlU32 ShlI64 ShlU64 ShrI32 ShrI64 ShrU32 ShrU64
        CEq CNe CLtS CLeS CLtU CLeU
        AddF64 SubF64 MulF64 DivF64 AddF32 SubF32 MulF32 DivF32
        EqF64 NeF64 LtF64 LeF64 EqF32 NeF32 LtF32 LeF32
        AddS8 AddS16 AddU8 AddU16 SubS8 SubS16 SubU8 SubU16;
    ptr_rrr PLt PLe PEq;
    rrk AddI32K AddU32K AddI64K AddU64K MulI32K MulU32K MulI64K MulU64K AndK OrK XorK
        ShlI32K ShlU32K ShlI64K ShlU64K ShrSK ShrUK RotU32K RotU64K CEqK CNeK CLtSK CGtSK
        AddS8K AddS16K AddU8K AddU16K;
    rr NegI32 NegI64 NegU32 NegU64 Not NotU32 LogNot ToBool Sext8 Sext16 Sext32 Zext8 Zext16 Zext32
        NegF64 NegF32 SI64F64 SU64F64 SI64F32 SU64F32 F32F64 F64F32;
    jrr JEq JNe JLtS JLeS JLtU JLeU;
    jrk JEqK JNeK JLtSK JLeSK JGtSK JGeSK;
    srr StepI32Lt StepI32Le StepI64Lt StepI64Le StepU32Lt StepU64Lt;
    srk StepI32Ne StepI32LtK StepI32LeK StepI32GtK StepI32GeK StepU32Ne StepU64Ne;

    Insn::Mov { d, a } => none.read(a, Need::Any).gives(d, Gives::Copy(a)),
    Insn::Sext128 { d, a } | Insn::Zext128 { d, a } => none.low(a).gives(d, Gives::Whole),
    Insn::PtrToInt { d, a } => none.whole(a).gives(d, Gives::Low),
    Insn::IntToPtr { d, a } => none.low(a).gives(d, Gives::Whole),
    Insn::CkBool { d: _, a } => none.low(a),
    Insn::JZ { a, t: _ } | Insn::JNz { a, t: _ } | Insn::JmpPtr { a } => none.low(a),
    Insn::K { d, k } => none.gives(d, Gives::Number(k)),
    Insn::Const { d, c } => none.gives(d, Gives::Constant(c)),
    Insn::LdL { d, kind, .. } | Insn::LdG { d, kind, .. } => none.loaded(d, kind),
    Insn::StL { s, kind, .. } | Insn::StG { s, kind, .. } => none.stored(s, kind),
    Insn::AddRotU32 { d, sum, a, b, k: _ } => none.low(a).low(b).gives(sum, Gives::Low).gives(d, Gives::Low),
    Insn::XorStLU32 { d, a, b, .. } => none.low(a).low(b).gives(d, Gives::Low),
    Insn::LdLX { d, i, kind, .. } | Insn::LdGX { d, i, kind, .. } => none.low(i).loaded(d, kind),
    Insn::StLX { s, i, kind, .. } | Insn::StGX { s, i, kind, .. } => none.stored(s, kind).low(i),
    Insn::LdLO { d, o, kind, cls: _, off } => none.read(o, Need::FrameOffset(off, kind)).loaded(d, kind),
    Insn::StLO { s, o, kind, cls: _, off } => none.stored(s, kind).read(o, Need::FrameOffset(off, kind)),
    Insn::LdGO { d, o, kind, cls: _, at } => none.read(o, Need::ArenaOffset(at, kind)).loaded(d, kind),
    Insn::StGO { s, o, kind, cls: _, at } => none.stored(s, kind).read(o, Need::ArenaOffset(at, kind)),
    Insn::LdP { d, p, kind, .. } => none.whole(p).loaded(d, kind),
    Insn::StP { s, p, kind, .. } => none.stored(s, kind).whole(p),
    Insn::LdX { d, p, i, kind, .. } => none.whole(p).low(i).loaded(d, kind),
    Insn::StX { s, p, i, kind, .. } => none.stored(s, kind).whole(p).low(i),

    Insn::IdxOff { d, i, r } => none.low(i).gives(d, Gives::Element(r, None)),
    Insn::IdxAdd { d, a, i, r } => none.low(a).low(i).gives(d, Gives::Element(r, Some(a))),
    Insn::LeaL { d, local, off } => none.gives(d, Gives::Local(local, off)),
    Insn::PField { d, p, k } => none.whole(p).gives(d, Gives::Field(p, k)),
    Insn::PAdd { d, p, i, scale: _ } => none.whole(p).low(i).gives(d, Gives::Whole),
    Insn::PAddR { d, p, i, scale, negative: _ } => none.whole(p).low(i).low(scale).gives(d, Gives::Whole),
    Insn::POff { d, p, o } => none.whole(p).low(o).gives(d, Gives::Plus(p, o)),
    Insn::PAddK { d, p, k: _ } => none.whole(p).gives(d, Gives::Whole),
    Insn::Narrow { d, p, size: _ } | Insn::Widen { d, p } => none.whole(p).gives(d, Gives::Whole),
    Insn::PDiff { d, a, b, scale: _ } => none.whole(a).whole(b).gives(d, Gives::Low),
    Insn::PDiffR { d, a, b, scale } => none.whole(a).whole(b).low(scale).gives(d, Gives::Low),

    Insn::Copy { d, s, m: _ } => none.whole(d).whole(s),
    Insn::Zero { p, size } | Insn::InitStr { p, size, .. } => none.read(p, Need::Object(size)),
    Insn::StackMark { d } => none.gives(d, Gives::Mark(Mark::Stack)),
    Insn::StackFree { a } => none.read(a, Need::Mark(Mark::Stack)),
    Insn::VlaCheck { a, signed: _ } => none.low(a),
    Insn::CkExtent { p, n: _ } => none.whole(p),
    Insn::CkIndex { i, n } => none.low(i).low(n),
    Insn::CkOverlap { a, b, x: _ } => none.low(a).low(b),
    Insn::VlaAlloc { d, n, align: _ } => none.whole(d).low(n).gives(d, Gives::Whole),
    Insn::Alloca { d, n, align: _ } => none.low(n).gives(d, Gives::Whole),

    // Negation and complement read their operand twice, the test for zero once.
    Insn::Wide { d, a, b: _, op: WideOp::Bool, signed: _ } => none.whole(a).gives(d, Gives::Whole),
    // A shift reads the low word of its count alone.
    Insn::Wide { d, a, b, op: WideOp::Shl | WideOp::Shr, signed: _ } => none.whole(a).low(b).gives(d, Gives::Whole),
    Insn::Wide { d, a, b, op: _, signed: _ } => none.whole(a).whole(b).gives(d, Gives::Whole),
    Insn::Soft { d, a, b, op: _, kind } => none.scalar(a, kind).scalar(b, kind).gives(d, Gives::Whole),
    Insn::Conv { d, a, from, to: _ } => none.scalar(a, from).gives(d, Gives::Whole),
    Insn::Complex { d, a, divide: _, kind } => {
        let part = |n: u16| a.saturating_add(n);
        let parts = none.scalar(a, kind).scalar(part(1), kind).scalar(part(2), kind).scalar(part(3), kind);
        parts.gives(d, Gives::Whole).gives(d.saturating_add(1), Gives::Whole)
    },
    Insn::FClass { d, a, class: _, kind } => none.scalar(a, kind).gives(d, Gives::Low),
    Insn::FQuiet { d, a, b, rel: _, kind } => none.scalar(a, kind).scalar(b, kind).gives(d, Gives::Low),

    // The result of a call comes to `base`; what the callee leaves behind it is nobody's.
    Insn::Call { .. } | Insn::CallSite { .. } => none,
    Insn::CallPtr { p, .. } => none.whole(p),
    Insn::RetV { a } => none.read(a, Need::Any),
    Insn::VaStart { p } | Insn::VaEnd { p } => none.whole(p),
    Insn::VaArg { d, p, v: _, passed: _ } => none.whole(p).gives(d, Gives::Whole),
    Insn::VaCopy { d, s } => none.whole(d).whole(s),
    Insn::Setjmp { d, p, loses: _ } => none.whole(p).gives(d, Gives::Whole),
    Insn::Longjmp { p, v } => none.whole(p).low(v),
    Insn::Vec { d, a, b, v: _ } => none.whole(d).whole(a).whole(b),

    Insn::SeqMark { d } => none.gives(d, Gives::Mark(Mark::Sequence)),
    Insn::SeqPoint { a } => none.read(a, Need::Mark(Mark::Sequence)),
    Insn::LeaUp { d, .. } | Insn::FnPtr { d, .. } => none.gives(d, Gives::Whole),
    Insn::LogR { p, .. } | Insn::LogW { p, .. } | Insn::SeqStore { p, .. } => none.low(p),
    Insn::CkFlag { f } => none.low(f),
    Insn::RestrictOpen { d } => none.gives(d, Gives::Mark(Mark::Restrict)),
    Insn::RestrictClose { a } => none.read(a, Need::Mark(Mark::Restrict)),
    Insn::RestrictUse { d, a, scope, .. } => none.whole(a).scope(scope).gives(d, Gives::Whole),
    Insn::RestrictAssign { s, scope, .. } => none.whole(s).scope(scope),
    Insn::RestrictLog { p, .. } | Insn::Tag { p, .. } => none.whole(p),
    Insn::RestrictMeet { a, b } => none.whole(a).whole(b),

    // Registers that are only named: their numbers are checked, what they hold does not matter.
    Insn::LogRegR { v } | Insn::LogRegW { v } | Insn::SeqStoreReg { v }
    | Insn::MarkUninit { v } | Insn::SetInit { v } | Insn::CkInit { v } => none.read(v, Need::Any),
    Insn::Nop {} | Insn::Jmp { .. } | Insn::Enter { .. } | Insn::EnterIfDead { .. } | Insn::Leave { .. }
    | Insn::Reset { .. } | Insn::Seal { .. }
    | Insn::Ret {} | Insn::RetMissing {} | Insn::RetDangling {} | Insn::SeqOpen {} | Insn::SeqNext {} | Insn::SeqClose { .. }
    | Insn::JmpOuter { .. } | Insn::Point { .. } | Insn::Count { .. } | Insn::OrderChosen {}
    | Insn::Stop { .. } => none,
}
