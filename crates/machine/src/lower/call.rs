//! Calls, parameters, and builtins.

use super::func::{FnLower, Loc};
use super::place::{Base, Place};
use crate::bytecode::{CallSite, Callee, Insn, Reg, StopDesc, WideOp};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::ast::Quals;
use csyntax::tree::{AtomicOp, Builtin, ExprId, FloatClass, FnId, ObjId};
use csyntax::types::{FnTy, QTy, Ty, TyKind};

impl FnLower<'_, '_> {
    /// Receives parameters: registers stay where they arrive, the rest moves to memory.
    pub fn parameters(&mut self, params: &[ObjId], ty: &FnTy) {
        let hidden = u32::from(self.in_memory(ty.ret.ty));
        self.next = hidden + params.len() as u32;
        self.code.params = self.next;
        self.code.regs = self.next.max(1);
        for (index, &id) in params.iter().enumerate() {
            let object = &self.lw.unit[id];
            let reg = (hidden + index as u32) as Reg;
            self.span = object.span;
            let Some(scalar) = self.scalar(object.ty.ty) else {
                let Loc::Local(local) = self.allocate(id) else { continue };
                self.emit(Insn::Enter { local });
                let dst = self.object_place(id);
                let src = self.pointee(reg, object.ty);
                self.copy(dst, Place { align: 1, ..src }, true);
                continue;
            };
            if object.least > 0 {
                let n = u32::try_from(object.least).unwrap_or(u32::MAX);
                self.emit(Insn::CkExtent { p: reg, n });
            }
            if !ty.prototype {
                let passed = promoted(scalar);
                self.convert_reg(reg, passed, scalar, Some(reg));
            }
            if object.addressed || object.ty.quals.has(Quals::VOLATILE) {
                let Loc::Local(local) = self.allocate(id) else { continue };
                self.emit(Insn::Enter { local });
                let place = self.object_place(id);
                self.store(Place { ty: object.ty.ty.into(), ..place }, reg, true);
            } else {
                self.locs.insert(id, Loc::Reg(reg));
                self.track(reg);
                self.emit(Insn::SetInit { v: reg });
            }
        }
        if let Some(d) = self.restrict_scope(params) {
            self.emit(Insn::RestrictOpen { d });
        }
    }

    /// A call whose result is scalar or void.
    pub fn call(&mut self, callee: ExprId, args: &[ExprId], want: Option<Reg>, used: bool) -> Reg {
        let base = self.emit_call(callee, args, None, used);
        match want {
            Some(_) => {
                let reg = self.mov(want, base);
                self.next = self.next.max(u32::from(base) + 1);
                reg
            }
            None => base,
        }
    }

    /// A call whose result is written through pointer `into`.
    pub fn call_into(&mut self, callee: ExprId, args: &[ExprId], into: Reg) {
        self.emit_call(callee, args, Some(into), true);
    }

    fn emit_call(&mut self, callee: ExprId, args: &[ExprId], into: Option<Reg>, used: bool) -> Reg {
        let unit = self.lw.unit;
        let direct = super::neutral::direct(unit, callee);
        let mut fn_ty = match unit.types.kind(unit[callee].ty.ty) {
            TyKind::Pointer(to) => to.ty,
            _ => unit[callee].ty.ty,
        };
        if !matches!(unit.types.kind(fn_ty), TyKind::Function(_)) {
            return self.unsupported("a call through this type");
        }
        if let Some(id) = direct
            && !matches!(unit.types.kind(unit[id].ty), TyKind::Function(_))
        {
            fn_ty = unit[id].ty;
        }
        let ret = match unit.types.kind(fn_ty) {
            TyKind::Function(f) => f.ret.ty,
            _ => Ty::VOID,
        };
        // Arguments, and the callee, are unsequenced among themselves.
        let mut operands: Vec<ExprId> = Vec::with_capacity(args.len() + 1);
        if direct.is_none() {
            operands.push(callee);
        }
        operands.extend(args);
        let mark = self.seq_mark();
        let open = self.open_many(&operands);
        let pointer = match direct {
            Some(_) => None,
            None => {
                let p = self.value(callee, None);
                let d = self.temp();
                self.emit(Insn::Mov { d, a: p });
                self.next_pair(open);
                Some(d)
            }
        };
        let base = self.temp();
        let hidden = u32::from(into.is_some());
        let top = u32::from(base) + (hidden + args.len() as u32).max(1);
        self.next = self.next.max(top);
        self.code.regs = self.code.regs.max(self.next);
        if let Some(into) = into {
            self.emit(Insn::Mov { d: base, a: into });
        }
        let types: Vec<Ty> = args.iter().map(|arg| unit[*arg].ty.ty).collect();
        let mut order: Vec<usize> = (0..args.len()).collect();
        if self.last_first(args) {
            order.reverse();
        }
        for (step, index) in order.into_iter().enumerate() {
            let arg = args[index];
            let d = (u32::from(base) + hidden + index as u32) as Reg;
            let ty = unit[arg].ty;
            let next = self.next;
            if self.in_memory(ty.ty) {
                let mut src = self.aggregate(arg);
                let later = args.iter().any(|a| *a != arg && (self.calls(*a) || self.writes(*a)));
                if later {
                    let local = self.temp_local(ty);
                    let copy = self.local_place(local, ty);
                    self.copy(copy, src, true);
                    src = copy;
                }
                let p = self.address(src, false);
                self.emit(Insn::Mov { d, a: p });
            } else if self.scalar(ty.ty).is_some() {
                self.value(arg, Some(d));
            } else {
                self.discard(arg);
            }
            self.release(next);
            if step + 1 < args.len() {
                self.next_pair(open);
            }
        }
        self.close_pair(open);
        self.seq_point(mark);
        // The library's own functions say more about the null pointers that they are passed.
        if let Some(id) = direct.filter(|id| matches!(self.lw.program.callees[id.index()], Callee::Code(_))) {
            let nonnull = unit[id].nonnull;
            for (index, arg) in args.iter().enumerate().take(64) {
                if nonnull >> index & 1 != 0 && self.scalar(unit[*arg].ty.ty) == Some(Scalar::Ptr) {
                    let a = (u32::from(base) + hidden + index as u32) as Reg;
                    let name = unit.names.name(unit[id].name);
                    let text =
                        format!("argument {} of '{name}' is null, against its attribute nonnull", index + 1);
                    self.check_promise(a, &text);
                }
            }
        }
        if let Some(id) = direct.filter(|id| self.lw.reserved[id.index()]) {
            let name = self.lw.unit.names.name(self.lw.unit[id].name);
            let text = format!("'{name}' belongs to the library; the program defines its own");
            self.undefined(Ub::ReservedIdentifier, &text);
        }
        if let Some(id) = direct {
            self.lw.want(id);
        }
        let code = direct.and_then(|id| match self.lw.program.callees[id.index()] {
            Callee::Code(code) => Some((id, code)),
            Callee::Native(_) | Callee::Missing => None,
        });
        let fast = code.filter(|(id, _)| {
            matches!(unit.types.kind(unit[*id].ty),
                TyKind::Function(f) if f.prototype && !f.variadic && unit[*id].ty == fn_ty && f.params.len() == args.len())
                && unit[*id].parent.is_none()
        });
        match (fast, pointer) {
            (Some((_, f)), _) => {
                self.emit(Insn::Call { base, used, f });
            }
            (None, pointer) => {
                let site =
                    CallSite { callee: direct, ty: fn_ty, args: types, ret, hidden: hidden as u16, used };
                let site = self.lw.site(site);
                match pointer {
                    Some(p) => self.emit(Insn::CallPtr { base, p, site }),
                    None => self.emit(Insn::CallSite { base, site }),
                };
            }
        }
        if direct.is_some_and(|id| self.is_noreturn(id)) {
            self.undefined(Ub::NoreturnReturned, "a function declared not to return has returned");
        }
        self.release(u32::from(base) + 1);
        base
    }

    /// Calls the cleanup function of an object with its address.
    pub fn clean_up(&mut self, id: ObjId) {
        let unit = self.lw.unit;
        let Some(function) = unit[id].cleanup else { return };
        let next = self.next;
        // Jumps between scopes are lowered after the body, when registers of variables seem free.
        self.next = next.max(self.code.regs);
        let place = self.object_place(id);
        let p = self.address(place, false);
        let base = self.temp();
        self.emit(Insn::Mov { d: base, a: p });
        let ty = unit[function].ty;
        let TyKind::Function(shape) = unit.types.kind(ty) else { return };
        let args = shape.params.first().map_or(Ty::INT, |p| p.ty);
        let ret = shape.ret.ty;
        let site = CallSite { callee: Some(function), ty, args: vec![args], ret, hidden: 0, used: false };
        let site = self.lw.site(site);
        self.emit(Insn::CallSite { base, site });
        self.release(next);
    }

    /// The promise `returns_nonnull` of this function about a result.
    pub fn check_result(&mut self, reg: Reg) {
        let promised = self.function.is_some_and(|f| self.lw.unit[f].returns_nonnull);
        if promised && self.scalar(self.ret.ty) == Some(Scalar::Ptr) {
            self.check_promise(reg, "a function declared returns_nonnull returns a null pointer");
        }
    }

    fn check_promise(&mut self, a: Reg, text: &str) {
        let ok = self.label();
        self.emit(Insn::JNz { a, t: ok.0 });
        self.undefined(Ub::EnumAttribute, text);
        self.place_label(ok);
    }

    fn is_noreturn(&self, id: FnId) -> bool {
        self.lw.unit[id].noreturn
    }

    /// Builtins with rules of their own.
    pub fn builtin(&mut self, builtin: Builtin, args: &[ExprId], ty: QTy, want: Option<Reg>) -> Reg {
        let arg = |n: usize| args.get(n).copied();
        let Some(first) = arg(0) else { return self.builtin0(builtin, want) };
        match builtin {
            Builtin::VaStart => {
                let p = self.value(first, None);
                self.emit(Insn::VaStart { p });
                p
            }
            Builtin::VaEnd => {
                let p = self.value(first, None);
                self.emit(Insn::VaEnd { p });
                p
            }
            Builtin::VaCopy => {
                let d = self.value(first, None);
                let Some(second) = arg(1) else { return self.unsupported("va_copy of one operand") };
                let s = if self.in_memory(self.lw.unit[second].ty.ty) {
                    let place = self.aggregate(second);
                    self.address(place, false)
                } else {
                    self.value(second, None)
                };
                self.emit(Insn::VaCopy { d, s });
                d
            }
            Builtin::AddOverflow | Builtin::AddOverflowP => self.overflow(builtin, WideOp::Add, args, want),
            Builtin::SubOverflow | Builtin::SubOverflowP => self.overflow(builtin, WideOp::Sub, args, want),
            Builtin::MulOverflow | Builtin::MulOverflowP => self.overflow(builtin, WideOp::Mul, args, want),
            Builtin::Unreachable | Builtin::Trap => self.builtin0(builtin, want),
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
            Builtin::Atomic(op) => self.atomic(op, args, ty, want),
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
            Builtin::FloatClass(class) => {
                let Some(kind) = self.scalar(self.lw.unit[first].ty.ty) else {
                    return self.unsupported("classification of this type");
                };
                let a = self.value(first, None);
                let d = self.dst(want);
                self.emit(Insn::FClass { d, a, class, kind });
                d
            }
            Builtin::QuietCompare(rel) => {
                let Some(second) = arg(1) else { return self.unsupported("a comparison of one operand") };
                let Some(kind) = self.scalar(self.lw.unit[first].ty.ty) else {
                    return self.unsupported("comparison of this type");
                };
                let a = self.value(first, None);
                let b = self.value(second, None);
                let d = self.dst(want);
                self.emit(Insn::FQuiet { d, a, b, rel, kind });
                d
            }
            Builtin::FpClassify => self.fp_classify(args, want),
            Builtin::ObjectSize => {
                self.discard(first);
                let kind = arg(1).and_then(|a| self.small_const(a)).unwrap_or(0);
                let unknown = if kind & 2 == 0 { u64::MAX } else { 0 };
                self.konst(want, unknown, 0)
            }
            Builtin::ClearPadding => self.unsupported("__builtin_clear_padding"),
        }
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

    /// Atomic builtins, as plain memory accesses of one thread.
    fn atomic(&mut self, op: AtomicOp, args: &[ExprId], ty: QTy, want: Option<Reg>) -> Reg {
        use csyntax::tree::Op;
        let unit = self.lw.unit;
        let plain = |fl: &mut Self, e: ExprId| {
            let to = match unit.types.kind(unit[e].ty.ty) {
                TyKind::Pointer(to) => *to,
                _ => Ty::INT.into(),
            };
            let p = fl.value(e, None);
            let d = fl.temp();
            fl.emit(Insn::Mov { d, a: p });
            let place = fl.pointee(d, to);
            Place { ty: to, ..place }
        };
        let fetch = |op: AtomicOp| match op {
            AtomicOp::FetchAdd | AtomicOp::AddFetch => Some(Op::Add),
            AtomicOp::FetchSub | AtomicOp::SubFetch => Some(Op::Sub),
            AtomicOp::FetchAnd | AtomicOp::AndFetch | AtomicOp::FetchNand | AtomicOp::NandFetch => {
                Some(Op::And)
            }
            AtomicOp::FetchOr | AtomicOp::OrFetch => Some(Op::Or),
            AtomicOp::FetchXor | AtomicOp::XorFetch => Some(Op::Xor),
            _ => None,
        };
        let Some(&first) = args.first() else {
            return self.unsupported("an atomic builtin without operands");
        };
        match op {
            AtomicOp::AlwaysLockFree | AtomicOp::IsLockFree => return self.konst(want, 1, 0),
            AtomicOp::ThreadFence | AtomicOp::SignalFence | AtomicOp::SyncSynchronize => {
                args.iter().for_each(|a| self.discard(*a));
                return want.unwrap_or(0);
            }
            _ => {}
        }
        let place = plain(self, first);
        if self.scalar(place.ty.ty).is_none() {
            return self.unsupported("an atomic builtin on this type");
        }
        let operand = |fl: &mut Self, n: usize| match args.get(n) {
            Some(&e) => {
                let reg = fl.value(e, None);
                let (from, to) = (fl.scalar(unit[e].ty.ty), fl.scalar(place.ty.ty));
                let d = fl.temp();
                match (from, to) {
                    (Some(from), Some(to)) => fl.convert_reg(reg, from, to, Some(d)),
                    _ => reg,
                }
            }
            None => fl.unsupported("an atomic builtin with too few operands"),
        };
        if let Some(operator) = fetch(op) {
            let value = operand(self, 1);
            let old = self.load(place, None);
            let scalar = self.scalar(place.ty.ty).unwrap_or(Scalar::I32);
            let new = self.temp();
            // Atomic arithmetic wraps around (C11 7.17.7.5p3): done unsigned, then narrowed.
            let wrap = match scalar.bytes(8) {
                16 => Scalar::U128,
                8 => Scalar::U64,
                _ => Scalar::U32,
            };
            let raw = if scalar == Scalar::Ptr { Scalar::U64 } else { wrap };
            if let Some(insn) = super::ops::binary(operator, raw, new, old, value) {
                self.emit(insn);
            }
            if matches!(op, AtomicOp::FetchNand | AtomicOp::NandFetch) {
                self.emit(Insn::Not { d: new, a: new });
            }
            if scalar == Scalar::Ptr {
                // The provenance of the old pointer stays.
                let by = self.temp();
                self.emit(Insn::SubU64 { d: by, a: new, b: old });
                self.emit(Insn::POff { d: new, p: old, o: by });
            } else {
                self.narrow(new, scalar);
            }
            let old_copy = self.temp();
            self.emit(Insn::Mov { d: old_copy, a: old });
            self.store(place, new, false);
            let before = matches!(
                op,
                AtomicOp::FetchAdd
                    | AtomicOp::FetchSub
                    | AtomicOp::FetchAnd
                    | AtomicOp::FetchOr
                    | AtomicOp::FetchXor
                    | AtomicOp::FetchNand
            );
            let result = if before { old_copy } else { new };
            return self.mov(want, result);
        }
        match op {
            AtomicOp::LoadN => self.load(place, want),
            AtomicOp::Load => {
                let value = self.load(place, None);
                let Some(&out) = args.get(1) else { return self.unsupported("__atomic_load of one operand") };
                let out = plain(self, out);
                self.store(out, value, false);
                value
            }
            AtomicOp::StoreN => {
                let value = operand(self, 1);
                self.store(place, value, false);
                value
            }
            AtomicOp::Store => {
                let Some(&from) = args.get(1) else {
                    return self.unsupported("__atomic_store of one operand");
                };
                let from = plain(self, from);
                let value = self.load(from, None);
                self.store(place, value, false);
                value
            }
            AtomicOp::ExchangeN | AtomicOp::SyncLockTestAndSet => {
                let value = operand(self, 1);
                let old = self.load(place, None);
                self.store(place, value, false);
                self.mov(want, old)
            }
            AtomicOp::Exchange => {
                let (Some(&from), Some(&to)) = (args.get(1), args.get(2)) else {
                    return self.unsupported("__atomic_exchange with too few operands");
                };
                let (from, to) = (plain(self, from), plain(self, to));
                let new = self.load(from, None);
                let old = self.load(place, None);
                self.store(place, new, false);
                self.store(to, old, false);
                old
            }
            AtomicOp::CompareExchangeN | AtomicOp::CompareExchange => {
                let Some(&expected) = args.get(1) else { return self.unsupported("this compare-exchange") };
                let expected = plain(self, expected);
                let new = if op == AtomicOp::CompareExchangeN {
                    operand(self, 2)
                } else {
                    let Some(&from) = args.get(2) else { return self.unsupported("this compare-exchange") };
                    let from = plain(self, from);
                    self.load(from, None)
                };
                let (old, want_value) = (self.load(place, None), self.load(expected, None));
                let d = self.dst(want);
                let (differ, end) = (self.label(), self.label());
                self.emit(Insn::JNe { a: old, b: want_value, t: differ.0 });
                self.store(place, new, false);
                self.emit(Insn::K { d, k: 1 });
                self.jump(end);
                self.place_label(differ);
                self.store(expected, old, false);
                self.emit(Insn::K { d, k: 0 });
                self.place_label(end);
                d
            }
            AtomicOp::SyncBoolCas | AtomicOp::SyncValCas => {
                let (expected, new) = (operand(self, 1), operand(self, 2));
                let old = self.load(place, None);
                let differ = self.label();
                self.emit(Insn::JNe { a: old, b: expected, t: differ.0 });
                self.store(place, new, false);
                self.place_label(differ);
                if op == AtomicOp::SyncValCas {
                    return self.mov(want, old);
                }
                let d = self.dst(want);
                self.emit(Insn::CEq { d, a: old, b: expected });
                d
            }
            AtomicOp::TestAndSet => {
                let old = self.load(place, None);
                let one = self.konst(None, 1, 0);
                self.store(place, one, false);
                let d = self.dst(want);
                self.emit(Insn::ToBool { d, a: old });
                d
            }
            AtomicOp::Clear | AtomicOp::SyncLockRelease => {
                let zero = self.konst(None, 0, 0);
                self.store(place, zero, false);
                zero
            }
            AtomicOp::FetchAdd
            | AtomicOp::FetchSub
            | AtomicOp::FetchAnd
            | AtomicOp::FetchOr
            | AtomicOp::FetchXor
            | AtomicOp::FetchNand
            | AtomicOp::AddFetch
            | AtomicOp::SubFetch
            | AtomicOp::AndFetch
            | AtomicOp::OrFetch
            | AtomicOp::XorFetch
            | AtomicOp::NandFetch
            | AtomicOp::ThreadFence
            | AtomicOp::SignalFence
            | AtomicOp::AlwaysLockFree
            | AtomicOp::IsLockFree
            | AtomicOp::SyncSynchronize => {
                let _ = ty;
                want.unwrap_or(0)
            }
        }
    }

    /// Brings a register that holds wrapped bits into the canonical form of a representation.
    pub fn narrow(&mut self, reg: Reg, scalar: Scalar) {
        let (d, a) = (reg, reg);
        match scalar {
            Scalar::I8 => self.emit(Insn::Sext8 { d, a }),
            Scalar::I16 => self.emit(Insn::Sext16 { d, a }),
            Scalar::I32 => self.emit(Insn::Sext32 { d, a }),
            Scalar::U8 | Scalar::Bool => self.emit(Insn::Zext8 { d, a }),
            Scalar::U16 => self.emit(Insn::Zext16 { d, a }),
            Scalar::U32 => self.emit(Insn::Zext32 { d, a }),
            Scalar::I64
            | Scalar::U64
            | Scalar::I128
            | Scalar::U128
            | Scalar::F16
            | Scalar::F32
            | Scalar::F64
            | Scalar::F80
            | Scalar::F128
            | Scalar::Ptr => 0,
        };
    }

    /// The place of the hidden result pointer of this function.
    pub fn result_place(&mut self) -> Place {
        let ret = self.ret;
        let place = self.pointee(0, ret);
        Place { base: Base::Ptr(0), align: 1, ..place }
    }
}

/// The representation after default argument promotion.
pub(super) fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::Bool => Scalar::I32,
        Scalar::F32 => Scalar::F64,
        // `_Float16` is passed as it is.
        Scalar::F16 => Scalar::F16,
        Scalar::I32
        | Scalar::U32
        | Scalar::I64
        | Scalar::U64
        | Scalar::I128
        | Scalar::U128
        | Scalar::F64
        | Scalar::F80
        | Scalar::F128
        | Scalar::Ptr => scalar,
    }
}
