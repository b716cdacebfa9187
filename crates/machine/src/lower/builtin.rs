//! Builtins with rules of their own.

use super::func::FnLower;
use crate::bytecode::{Insn, Reg, StopDesc, WideOp};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::tree::{AtomicOp, Builtin, ExprId, FloatClass, QuietRel};
use csyntax::types::TyKind;

impl FnLower<'_, '_> {
    /// Builtins with rules of their own.
    pub fn builtin(&mut self, builtin: Builtin, args: &[ExprId], want: Option<Reg>) -> Reg {
        let arg = |n: usize| args.get(n).copied();
        let Some(first) = arg(0) else { return self.builtin0(builtin, want) };
        match builtin {
            Builtin::VaStart | Builtin::VaEnd => {
                let p = self.value(first, None);
                let start = builtin == Builtin::VaStart;
                self.emit(if start { Insn::VaStart { p } } else { Insn::VaEnd { p } });
                p
            }
            Builtin::VaStartPromoted => {
                let text =
                    "the last parameter is `register`, or of a type that the promotions of arguments change";
                self.undefined(Ub::VaListState, text);
                self.value(first, None)
            }
            Builtin::VaCopy => self.va_copy(first, arg(1)),
            Builtin::AddOverflow | Builtin::AddOverflowP => self.overflow(builtin, WideOp::Add, args, want),
            Builtin::SubOverflow | Builtin::SubOverflowP => self.overflow(builtin, WideOp::Sub, args, want),
            Builtin::MulOverflow | Builtin::MulOverflowP => self.overflow(builtin, WideOp::Mul, args, want),
            Builtin::ConstantP | Builtin::Unreachable | Builtin::Trap => self.builtin0(builtin, want),
            Builtin::Alloca => {
                let n = self.value(first, None);
                let d = self.dst(want);
                let align = arg(1).and_then(|a| self.small_const(a)).map_or(16, |bits| (bits / 8).max(16));
                self.emit(Insn::Alloca { d, n, align: align as u32 });
                d
            }
            Builtin::FrameAddress | Builtin::ReturnAddress => {
                self.unsupported("the address of a frame or return point")
            }
            Builtin::Prefetch => {
                args.iter().for_each(|a| self.discard(*a));
                want.unwrap_or(0)
            }
            Builtin::Assume => {
                let ok = self.label();
                self.branch(first, ok, true);
                self.undefined(Ub::EnumAttribute, "an assumption does not hold");
                self.place_label(ok);
                want.unwrap_or(0)
            }
            Builtin::AssumeAligned => {
                let d = self.value(first, want);
                self.check_aligned(d, &args[1..]);
                d
            }
            Builtin::Shuffle | Builtin::ShuffleVector | Builtin::ConvertVector => {
                self.unsupported("a vector here")
            }
            Builtin::Atomic(op) => self.atomic(op, args, want),
            // A file without the header may call these with anything.
            Builtin::Setjmp(_) | Builtin::Longjmp
                if self.scalar(self.lw.unit[first].ty.ty) != Some(Scalar::Ptr) =>
            {
                self.unsupported("a place to jump to that is no pointer")
            }
            Builtin::Setjmp(loses) => {
                let p = self.value(first, None);
                let d = self.dst(want);
                self.emit(Insn::Setjmp { d, p, loses });
                d
            }
            Builtin::Longjmp => {
                let p = self.value(first, None);
                let v = match arg(1) {
                    Some(v) => self.value(v, None),
                    None => self.konst(None, 1, 0),
                };
                self.emit(Insn::Longjmp { p, v });
                p
            }
            Builtin::Apply => self.unsupported("__builtin_apply"),
            Builtin::FloatClass(class) => self.float_class(class, first, want),
            Builtin::QuietCompare(rel) => self.quiet_compare(rel, first, arg(1), want),
            Builtin::FpClassify => self.fp_classify(args, want),
            Builtin::ObjectSize => {
                self.discard(first);
                let kind = arg(1).and_then(|a| self.small_const(a)).unwrap_or(0);
                // How much a compiler knows is its own affair: where a program sees it, the second run shows that.
                let seen = !self.lw.limits.contains(&first);
                self.lw.program.asks_compiler |= seen;
                if seen && self.lw.moved {
                    return self.unsupported("a size of an object as the compiler knows it");
                }
                let unknown = if kind & 2 == 0 { u64::MAX } else { 0 };
                self.konst(want, unknown, 0)
            }
            Builtin::ClearPadding => self.unsupported("__builtin_clear_padding"),
        }
    }

    fn va_copy(&mut self, to: ExprId, from: Option<ExprId>) -> Reg {
        let d = self.value(to, None);
        let Some(from) = from else { return self.unsupported("va_copy of one operand") };
        let s = if self.in_memory(self.lw.unit[from].ty.ty) {
            let place = self.aggregate(from);
            self.address(place, false)
        } else {
            self.value(from, None)
        };
        self.emit(Insn::VaCopy { d, s });
        d
    }

    fn float_class(&mut self, class: FloatClass, of: ExprId, want: Option<Reg>) -> Reg {
        let Some(kind) = self.scalar(self.lw.unit[of].ty.ty) else {
            return self.unsupported("classification of this type");
        };
        let a = self.value(of, None);
        let d = self.dst(want);
        self.emit(Insn::FClass { d, a, class, kind });
        d
    }

    fn quiet_compare(&mut self, rel: QuietRel, a: ExprId, b: Option<ExprId>, want: Option<Reg>) -> Reg {
        let Some(b) = b else { return self.unsupported("a comparison of one operand") };
        let Some(kind) = self.scalar(self.lw.unit[a].ty.ty) else {
            return self.unsupported("comparison of this type");
        };
        let a = self.value(a, None);
        let b = self.value(b, None);
        let d = self.dst(want);
        self.emit(Insn::FQuiet { d, a, b, rel, kind });
        d
    }

    /// `__builtin_assume_aligned(p, alignment, offset)`.
    fn check_aligned(&mut self, p: Reg, args: &[ExprId]) {
        let power = |k: &i32| *k > 1 && k.count_ones() == 1;
        let constant = args.first().and_then(|a| self.small_const(*a)).filter(power);
        let (Some(align), true) = (constant, args.len() <= 2) else {
            args.iter().for_each(|a| self.discard(*a));
            return;
        };
        // The address as bits: nothing is learnt from it that the program could see.
        let (a, d) = (self.temp(), self.temp());
        match args.get(1) {
            Some(offset) => {
                let b = self.value(*offset, None);
                self.emit(Insn::SubU64 { d: a, a: p, b });
            }
            None => {
                self.emit(Insn::Mov { d: a, a: p });
            }
        }
        self.emit(Insn::AndK { d, a, k: align - 1 });
        self.emit(Insn::LogNot { d, a: d });
        self.check_promise(d, &format!("a pointer is not aligned to {align} bytes, as assumed"));
    }

    fn builtin0(&mut self, builtin: Builtin, want: Option<Reg>) -> Reg {
        match builtin {
            Builtin::ConstantP => {
                self.lw.program.asks_compiler = true;
                return self.konst(want, u64::from(self.lw.moved), 0);
            }
            Builtin::Unreachable => self.undefined(Ub::Unreachable, "__builtin_unreachable is reached"),
            Builtin::Trap => self.stop(StopDesc::Trap),
            Builtin::Atomic(AtomicOp::ThreadFence | AtomicOp::SignalFence | AtomicOp::SyncSynchronize) => {}
            _ => {
                self.unsupported(format!("the builtin {builtin:?}"));
            }
        }
        want.unwrap_or(0)
    }

    fn overflow(&mut self, builtin: Builtin, op: WideOp, args: &[ExprId], want: Option<Reg>) -> Reg {
        let &[a, b, c] = args else { return self.unsupported("an overflow builtin of this shape") };
        let unit = self.lw.unit;
        let predicate =
            matches!(builtin, Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP);
        let target = match unit.types.kind(unit[c].ty.ty) {
            TyKind::Pointer(to) if !predicate => *to,
            _ => unit[c].ty,
        };
        let scalars = (self.scalar(unit[a].ty.ty), self.scalar(unit[b].ty.ty), self.scalar(target.ty));
        let (Some(sa), Some(sb), Some(st)) = scalars else {
            return self.unsupported("an overflow builtin on these types");
        };
        let ra = self.value(a, None);
        let rb = self.value(b, None);
        let rc = if predicate {
            self.discard(c);
            None
        } else {
            Some(self.value(c, None))
        };
        // For predicates on a bit-field type the width matters.
        self.lw.program.overflows.push((sa, sb, st, None));
        let v = self.lw.program.overflows.len() as u32 - 1;
        let d = self.temp();
        let result = self.temp();
        debug_assert_eq!(result, d + 1);
        self.emit(Insn::Overflow { d, a: ra, b: rb, op, v });
        if let Some(p) = rc {
            let place = self.pointee(p, target);
            self.store(place, result, false);
        }
        self.mov(want, d)
    }

    fn fp_classify(&mut self, args: &[ExprId], want: Option<Reg>) -> Reg {
        let &[nan, inf, normal, sub, zero, x] = args else { return self.unsupported("this fpclassify") };
        let Some(kind) = self.scalar(self.lw.unit[x].ty.ty) else {
            return self.unsupported("this fpclassify");
        };
        let a = self.value(x, None);
        let d = self.dst(want);
        let end = self.label();
        let t = self.temp();
        for (class, value) in
            [(FloatClass::IsNan, nan), (FloatClass::IsInf, inf), (FloatClass::IsNormal, normal)]
        {
            let next = self.label();
            self.emit(Insn::FClass { d: t, a, class, kind });
            self.emit(Insn::JZ { a: t, t: next.0 });
            self.value(value, Some(d));
            self.jump(end);
            self.place_label(next);
        }
        let is_zero = self.label();
        self.emit(Insn::Conv { d: t, a, from: kind, to: Scalar::Bool });
        self.emit(Insn::JZ { a: t, t: is_zero.0 });
        self.value(sub, Some(d));
        self.jump(end);
        self.place_label(is_zero);
        self.value(zero, Some(d));
        self.place_label(end);
        d
    }
}
