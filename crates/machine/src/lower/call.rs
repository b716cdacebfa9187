//! Calls and parameters.

use super::func::{FnLower, Loc};
use super::place::{Base, Place};
use crate::bytecode::{CallSite, Callee, Insn, Reg};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::ast::Quals;
use csyntax::tree::{ExprId, FnId, ObjId};
use csyntax::types::{FnTy, Ty, TyKind};

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

    /// Lowers a call: evaluates callee and arguments into the registers of the frame to come, checks what the callee was
    /// promised, calls. Gives the register of the result; one of an aggregate goes where `into` points.
    fn emit_call(&mut self, callee: ExprId, args: &[ExprId], into: Option<Reg>, used: bool) -> Reg {
        let direct = self.lw.unit.called(callee);
        let Some((ty, ret)) = self.called_type(callee, direct) else {
            return self.unsupported("a call through this type");
        };
        let (base, pointer) = self.arguments(callee, direct, args, into);
        let hidden = u16::from(into.is_some());
        if let Some(id) = direct {
            self.check_nonnull(id, args, base + hidden);
            if self.lw.reserved[id.index()] {
                let name = self.lw.unit.names.name(self.lw.unit[id].name);
                let text = format!("'{name}' belongs to the library; the program defines its own");
                self.undefined(Ub::ReservedIdentifier, &text);
            }
            self.lw.want(id);
        }
        match (self.fast(direct, ty, args.len()), pointer) {
            (Some(f), _) => {
                self.emit(Insn::Call { base, used, f });
            }
            (None, pointer) => {
                let types = args.iter().map(|arg| self.lw.unit[*arg].ty.ty).collect();
                let site = CallSite { callee: direct, ty, args: types, ret, hidden, used };
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

    /// The type of the function that an expression calls, and its result's; that of the definition where the expression
    /// names a function that it gives another type.
    fn called_type(&self, callee: ExprId, direct: Option<FnId>) -> Option<(Ty, Ty)> {
        let unit = self.lw.unit;
        let mut called = match unit.types.kind(unit[callee].ty.ty) {
            TyKind::Pointer(to) => to.ty,
            _ => unit[callee].ty.ty,
        };
        let TyKind::Function(_) = unit.types.kind(called) else { return None };
        if let Some(id) = direct
            && !matches!(unit.types.kind(unit[id].ty), TyKind::Function(_))
        {
            called = unit[id].ty;
        }
        let ret = match unit.types.kind(called) {
            TyKind::Function(f) => f.ret.ty,
            _ => Ty::VOID,
        };
        Some((called, ret))
    }

    /// Evaluates callee and arguments, which are unsequenced among themselves: gives the first register of the frame to
    /// come, and the one with the callee's address, if the callee is no function's name.
    fn arguments(
        &mut self,
        callee: ExprId,
        direct: Option<FnId>,
        args: &[ExprId],
        into: Option<Reg>,
    ) -> (Reg, Option<Reg>) {
        let mut operands: Vec<ExprId> = Vec::with_capacity(args.len() + 1);
        if direct.is_none() {
            operands.push(callee);
        }
        operands.extend(args);
        let mark = self.seq_mark();
        let open = self.open_many(&operands);
        let pointer = direct.is_none().then(|| {
            let p = self.value(callee, None);
            let d = self.temp();
            self.emit(Insn::Mov { d, a: p });
            self.next_pair(open);
            d
        });
        let base = self.temp();
        let hidden = u32::from(into.is_some());
        let top = u32::from(base) + (hidden + args.len() as u32).max(1);
        self.next = self.next.max(top);
        self.code.regs = self.code.regs.max(self.next);
        if let Some(into) = into {
            self.emit(Insn::Mov { d: base, a: into });
        }
        let mut order: Vec<usize> = (0..args.len()).collect();
        if self.last_first(args) {
            order.reverse();
        }
        for (step, index) in order.into_iter().enumerate() {
            let d = (u32::from(base) + hidden + index as u32) as Reg;
            self.argument(direct, args, index, d);
            if step + 1 < args.len() {
                self.next_pair(open);
            }
        }
        self.close_pair(open);
        self.seq_point(mark);
        (base, pointer)
    }

    /// Evaluates one argument into its register: a scalar's value, an aggregate's address.
    fn argument(&mut self, direct: Option<FnId>, args: &[ExprId], index: usize, d: Reg) {
        let arg = args[index];
        let ty = self.lw.unit[arg].ty;
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
            let value = self.value(arg, Some(d));
            self.alive_argument(direct, arg, value);
        } else {
            self.discard(arg);
        }
        self.release(next);
    }

    /// The attribute `nonnull` of a function of the program about its arguments, the first of which is in register
    /// `first`. The library's own functions say more about the null pointers that they are passed.
    fn check_nonnull(&mut self, id: FnId, args: &[ExprId], first: Reg) {
        let unit = self.lw.unit;
        if !matches!(self.lw.program.callees[id.index()], Callee::Code(_)) {
            return;
        }
        for (index, arg) in args.iter().enumerate().take(64) {
            if unit[id].nonnull >> index & 1 != 0 && self.scalar(unit[*arg].ty.ty) == Some(Scalar::Ptr) {
                let name = unit.names.name(unit[id].name);
                let text =
                    format!("argument {} of '{name}' is null, against its attribute nonnull", index + 1);
                self.check_promise((u32::from(first) + index as u32) as Reg, &text);
            }
        }
    }

    /// The code that a call can enter without looking at types again: of a function of the program with a prototype,
    /// called by its own type with as many arguments.
    fn fast(&self, direct: Option<FnId>, called: Ty, args: usize) -> Option<u32> {
        let id = direct?;
        let Callee::Code(code) = self.lw.program.callees[id.index()] else { return None };
        let function = &self.lw.unit[id];
        let TyKind::Function(f) = self.lw.unit.types.kind(function.ty) else { return None };
        let plain = f.prototype && !f.variadic && f.params.len() == args;
        (plain && function.ty == called && function.parent.is_none()).then_some(code)
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

    /// Undefined, and said so with `text`, where a register is zero.
    pub(super) fn check_promise(&mut self, a: Reg, text: &str) {
        let ok = self.label();
        self.emit(Insn::JNz { a, t: ok.0 });
        self.undefined(Ub::EnumAttribute, text);
        self.place_label(ok);
    }

    fn is_noreturn(&self, id: FnId) -> bool {
        self.lw.unit[id].noreturn
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
            Scalar::Bits(..) => self.emit(Insn::Conv { d, a, from: scalar.register(), to: scalar }),
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
        | Scalar::Ptr
        | Scalar::Bits(..) => scalar,
    }
}
