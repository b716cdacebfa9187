//! Frames, calls of every kind, variable arguments.

use super::{Extra, Frame, List, Slot, Vm};
use crate::bytecode::{Callee, Insn};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, Stop, exhausted, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::Budget;
use csyntax::tree::FnId;
use csyntax::types::{FloatKind, FnTy, IntKind, QTy, Ty, TyKind};

impl Vm<'_> {
    /// Pushes a frame whose registers start at `fp`, arguments in place.
    #[inline(always)]
    pub fn push_frame(&mut self, code: u32, fp: usize, extra: (usize, usize), chain: u64) -> Res<()> {
        let body = self.code(code);
        assert!(!body.insns.is_empty(), "a function that nothing refers to is called");
        self.fuel -= 4;
        if self.frames.len() >= self.options.max_depth as usize
            || fp + body.regs as usize + 1 >= super::REGISTERS
            || self.fuel < 0
        {
            return self.no_frame();
        }
        let slots = self.frames.last().map_or(0, |frame| frame.slots + frame.locals);
        let stack = self.mem.stack_top;
        let locals = body.locals.len() as u32;
        let mut mem = stack;
        if locals != 0 {
            self.mem.ensure_slot(2 * (slots + locals) as usize + 1)?;
            mem = self.mem.stack_push(body.frame_size.into(), body.frame_align.into())?;
        }
        let serial = self.next_serial;
        self.next_serial += 1;
        self.frames.push(Frame {
            code,
            pc: 0,
            fp: fp as u32,
            slots,
            locals,
            extra: (extra.0 as u32, extra.1 as u32),
            regions: self.regions.len() as u32,
            dynamic: self.dynamic.len() as u32,
            mem,
            stack,
            serial,
            chain,
        });
        Ok(())
    }

    /// The innermost frame.
    pub fn frame(&self) -> Frame {
        self.frames.last().copied().unwrap_or_default()
    }

    #[cold]
    fn no_frame(&self) -> Res<()> {
        exhausted(if self.fuel < 0 { Budget::Steps } else { Budget::Depth })
    }

    /// Ends the innermost frame and its objects.
    #[inline]
    pub fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for k in 0..frame.locals {
            self.mem.death(2 * (frame.slots + k) as usize + 1);
        }
        if self.dynamic.len() > frame.dynamic as usize {
            self.free_dynamic(frame.dynamic as usize);
        }
        self.mem.stack_top = frame.stack;
        if frame.extra.1 > frame.extra.0 {
            self.extra.truncate(frame.extra.0 as usize);
        }
        if self.regions.len() > frame.regions as usize {
            self.regions.truncate(frame.regions as usize);
        }
    }

    /// The innermost frame's result has no meaning: its caller uses none.
    pub fn unused(&self, floor: usize, otherwise: Ub, what: &'static str) -> Res<()> {
        if self.result_used(floor) { undefined(otherwise, what) } else { Ok(()) }
    }

    /// Does the caller of the innermost frame use its result?
    fn result_used(&self, floor: usize) -> bool {
        if self.frames.len() <= floor + 1 {
            return self.frames.len() != 1;
        }
        let caller = &self.frames[self.frames.len() - 2];
        match self.code(caller.code).insns.get((caller.pc as usize).wrapping_sub(1)) {
            Some(Insn::Call { used, .. }) => *used,
            Some(Insn::CallSite { site, .. } | Insn::CallPtr { site, .. }) => {
                self.program.sites[*site as usize].used
            }
            _ => false,
        }
    }

    /// Runs bytecode to its end from outside the loop; gives register 0.
    pub fn run_code(&mut self, code: u32, chain: u64, args: &[Slot]) -> Res<Slot> {
        let fp = match self.frames.last() {
            Some(frame) => frame.fp as usize + self.code(frame.code).regs as usize + 1,
            None => 0,
        };
        if fp + args.len() + 1 >= self.regs.len() {
            return exhausted(Budget::Depth);
        }
        self.regs[fp..fp + args.len()].copy_from_slice(args);
        let floor = self.frames.len();
        self.push_frame(code, fp, (self.extra.len(), self.extra.len()), chain)?;
        self.execute(floor)?;
        self.restrict_follow();
        Ok(self.regs[fp])
    }

    /// Calls a function from a library function or at start-up.
    pub fn call_function(&mut self, target: impl Into<super::Target>, args: &[Slot]) -> Res<Slot> {
        let super::Target { id, chain } = target.into();
        match self.program.callees[id.index()] {
            Callee::Code(code) => {
                stacker::maybe_grow(256 << 10, 4 << 20, || self.run_code(code, chain, args))
            }
            Callee::Native(native) => crate::libc::call_back(self, native, self.unit[id].ty, args),
            Callee::Missing => {
                unsupported(format!("the function '{}'", self.unit.names.name(self.unit[id].name)))
            }
        }
    }

    /// A direct call that needs its types checked, or of a library function.
    pub fn call_site(&mut self, site: u32, at: usize) -> Res<()> {
        let callee = self.program.sites[site as usize].callee;
        match callee {
            Some(id) => {
                let chain = self.chain_for(id.0)?;
                self.call_id(id, site, at, chain)
            }
            None => unsupported("a call without a function"),
        }
    }

    /// A call through a pointer.
    pub fn call_pointer(&mut self, target: Ptr, site: u32, at: usize) -> Res<()> {
        if target.addr == 0 {
            return undefined(Ub::NullDereference, "a null pointer is called");
        }
        match self.function_at(target.addr) {
            Some(id) => self.call_id(id, site, at, target.prov),
            None => undefined(
                Ub::WrongFunctionType,
                format!("{:#x} is not the address of a function", target.addr),
            ),
        }
    }

    fn call_id(&mut self, id: FnId, site_index: u32, at: usize, chain: u64) -> Res<()> {
        let program = self.program;
        let site = &program.sites[site_index as usize];
        let unit = self.unit;
        let fn_ty = unit[id].ty;
        let TyKind::Function(callee) = unit.types.kind(fn_ty) else {
            return unsupported("a function without a function type");
        };
        match program.callees[id.index()] {
            Callee::Code(code) => {
                assert!(!self.code(code).insns.is_empty(), "a function that nothing refers to is called");
                if fn_ty != site.ty {
                    self.check_types(fn_ty, site.ty, site_index, callee)?;
                }
                let body = self.code(code);
                let named = body.params as usize;
                let passed = usize::from(site.hidden) + site.args.len();
                if passed < named {
                    return undefined(
                        Ub::WrongArguments,
                        format!("{} argument(s) for {} parameter(s)", site.args.len(), callee.params.len()),
                    );
                }
                if passed > named && !callee.variadic {
                    return undefined(
                        Ub::WrongArguments,
                        format!("{} argument(s) for {} parameter(s)", site.args.len(), callee.params.len()),
                    );
                }
                if !callee.prototype {
                    self.check_signs(id, site_index, at)?;
                }
                let start = self.extra.len();
                for k in named..passed {
                    let ty = site.args[k - usize::from(site.hidden)];
                    self.extra.push(Extra { ty, value: self.regs[at + k] });
                }
                self.copy_extra_aggregates(start)?;
                self.push_frame(code, at, (start, self.extra.len()), chain)
            }
            Callee::Native(native) => {
                self.restrict_follow();
                let result = crate::libc::call(self, native, site_index, at)?;
                if site.hidden == 0 {
                    self.regs[at] = result;
                }
                Ok(())
            }
            Callee::Missing => {
                unsupported(format!("the function '{}'", self.unit.names.name(self.unit[id].name)))
            }
        }
    }

    /// Aggregates passed as variable arguments are copied: the callee owns its argument.
    fn copy_extra_aggregates(&mut self, start: usize) -> Res<()> {
        for k in start..self.extra.len() {
            let extra = self.extra[k];
            if crate::class::scalar_of(&self.unit.types, extra.ty).is_some() {
                continue;
            }
            let Some(layout) = self.unit.types.layout(extra.ty) else { continue };
            let src = Ptr { addr: extra.value.lo, prov: extra.value.hi };
            let from = self.mem.access(src, layout.size, 1)?;
            let Some(copy) = self.mem.heap_alloc(layout.size, layout.align)? else {
                return exhausted(Budget::Memory);
            };
            let to = self.mem.index(copy.addr);
            let mut template = vec![0u8; layout.size as usize];
            crate::class::template(&self.unit.types, extra.ty.into(), &mut template);
            self.mem.shadow_mut(to, template.len()).copy_from_slice(&template);
            self.mem.copy(to, from, layout.size as usize, true)?;
            self.extra[k].value = Slot { lo: copy.addr, hi: copy.prov };
        }
        Ok(())
    }

    // ----- GNU nested functions

    /// The innermost frame of code `owner` on the static chain of the current frame.
    pub fn outer_frame(&self, owner: u32) -> Res<Frame> {
        let mut frame = self.frames.last();
        while let Some(f) = frame {
            if f.code == owner {
                return Ok(*f);
            }
            let found = self.frames.binary_search_by_key(&f.chain, |g| g.serial);
            frame = found.ok().map(|at| &self.frames[at]);
        }
        undefined(Ub::DanglingPointer, "the function around a nested function has ended")
    }

    /// The static chain that a reference to a function here carries: 0 for ordinary ones.
    pub fn chain_for(&self, f: u32) -> Res<u64> {
        let Some(parent) = self.unit.functions[f as usize].parent else { return Ok(0) };
        match self.program.callees[parent.index()] {
            Callee::Code(code) => Ok(self.outer_frame(code)?.serial),
            Callee::Native(_) | Callee::Missing => unsupported("a nested function without its parent"),
        }
    }

    /// Nonlocal goto out of a nested function.
    pub fn jump_outer(&mut self, c: u32, floor: usize) -> Res<()> {
        let Some(&crate::bytecode::Constant::Label(owner, t)) = self.program.constants.get(c as usize) else {
            return undefined(Ub::JumpTarget, "the goto target is no label");
        };
        let target = self.outer_frame(owner)?;
        let depth = self.frames.iter().position(|f| f.serial == target.serial).map_or(0, |n| n + 1);
        if depth <= floor {
            return Err(Box::new(Stop::Goto(c)));
        }
        while self.frames.len() > depth {
            self.pop_frame();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = t;
            let regions = frame.regions as usize;
            self.regions.truncate(regions);
        }
        Ok(())
    }

    /// Without a prototype a signed argument serves an unsigned parameter, and the other way round, only where both
    /// types have the value (C11 6.5.2.2p6).
    fn check_signs(&mut self, id: FnId, site: u32, at: usize) -> Res<()> {
        let program = self.program;
        let site = &program.sites[site as usize];
        for (k, (param, arg)) in self.unit[id].params.iter().zip(&site.args).enumerate() {
            if !self.argument_fits(*arg, self.promoted(self.unit[*param].ty.ty)) {
                return undefined(
                    Ub::WrongArguments,
                    format!("argument {} does not have the type of its parameter", k + 1),
                );
            }
        }
        let types = &self.unit.types;
        for (k, (param, arg)) in self.unit[id].params.iter().zip(&site.args).enumerate() {
            let scalar = |ty: Ty| crate::class::scalar_of(types, ty).filter(|s| s.is_int() && !s.is_wide());
            let (Some(to), Some(from)) = (scalar(self.unit[*param].ty.ty), scalar(*arg)) else { continue };
            let value = self.regs[at + usize::from(site.hidden) + k].lo;
            if to.signed() != from.signed()
                && to.bytes(self.mem.pointer_bytes) == from.bytes(self.mem.pointer_bytes)
                && value >> (8 * from.bytes(self.mem.pointer_bytes) - 1) & 1 != 0
            {
                return undefined(
                    Ub::WrongArguments,
                    format!("argument {} has a value that the type of its parameter does not have", k + 1),
                );
            }
        }
        Ok(())
    }

    /// A type after the default argument promotions.
    fn promoted(&self, ty: Ty) -> Ty {
        let types = &self.unit.types;
        match types.kind(ty) {
            TyKind::Float(FloatKind::Float) => Ty::DOUBLE,
            _ => match types.int_kind(ty) {
                Some(kind) if kind < IntKind::Int => Ty::INT,
                Some(_) | None => ty,
            },
        }
    }

    fn check_types(&mut self, callee: Ty, through: Ty, site: u32, f: &FnTy) -> Res<()> {
        let known = self.compatible.get(&(callee, through)).copied();
        let fits = match known {
            Some(fits) => fits,
            None => {
                let fits = self.compatible_types(callee.into(), through.into(), 0);
                self.compatible.insert((callee, through), fits);
                fits
            }
        };
        if !fits {
            return undefined(
                Ub::WrongFunctionType,
                "the type of the function and the type it is called through are incompatible",
            );
        }
        // Without a prototype on either side the promoted arguments themselves must fit.
        let through_proto = matches!(self.unit.types.kind(through), TyKind::Function(t) if t.prototype);
        if f.prototype && !through_proto {
            let site = &self.program.sites[site as usize];
            if f.variadic {
                return undefined(
                    Ub::WrongArguments,
                    "a function with variable arguments is called through a type without a prototype",
                );
            }
            if site.args.len() != f.params.len() {
                return undefined(
                    Ub::WrongArguments,
                    format!("{} argument(s) for {} parameter(s)", site.args.len(), f.params.len()),
                );
            }
            for (k, (arg, param)) in site.args.iter().zip(&f.params).enumerate() {
                if !self.argument_fits(*arg, param.ty) {
                    return undefined(
                        Ub::WrongArguments,
                        format!("argument {} does not have the type of its parameter", k + 1),
                    );
                }
            }
        }
        Ok(())
    }

    /// Compatible as an argument: same type, or signed and unsigned of one type, or pointers to void, to characters or
    /// to qualified versions of compatible types (6.5.2.2p6).
    pub fn argument_fits(&mut self, arg: Ty, param: Ty) -> bool {
        if arg == param || self.compatible_types(arg.into(), param.into(), 0) {
            return true;
        }
        let types = &self.unit.types;
        if let (Some(a), Some(b)) = (types.int_kind(arg), types.int_kind(param)) {
            if a.bit_precise().is_some() || b.bit_precise().is_some() {
                return a.bit_precise() == b.bit_precise();
            }
            return crate::class::class_of(types, arg) == crate::class::class_of(types, param);
        }
        // Qualifiers of what is pointed to do not matter, as C23 7.16.1.1p2 grants.
        matches!((types.kind(arg), types.kind(param)), (TyKind::Pointer(a), TyKind::Pointer(b))
            if self.is_void_or_char(a.ty) || self.is_void_or_char(b.ty)
                || self.compatible_types(a.ty.into(), b.ty.into(), 0))
    }

    fn is_void_or_char(&self, ty: Ty) -> bool {
        matches!(self.unit.types.kind(ty), TyKind::Void)
            || crate::class::class_of(&self.unit.types, ty) == Class::Char
    }

    /// C11 6.2.7 compatibility, as far as it matters between types of one unit.
    fn compatible_types(&self, a: QTy, b: QTy, depth: u32) -> bool {
        if a == b || depth > 64 {
            return true;
        }
        let types = &self.unit.types;
        match (types.kind(a.ty), types.kind(b.ty)) {
            (TyKind::Pointer(a), TyKind::Pointer(b)) => {
                a.quals == b.quals && self.compatible_types(*a, *b, depth + 1)
            }
            (TyKind::Array(a, _), TyKind::Array(b, _)) => self.compatible_types(*a, *b, depth + 1),
            (TyKind::Enum(_), TyKind::Int(_)) | (TyKind::Int(_), TyKind::Enum(_)) => {
                types.int_kind(a.ty) == types.int_kind(b.ty)
            }
            (TyKind::Function(a), TyKind::Function(b)) => {
                if !self.compatible_types(a.ret, b.ret, depth + 1) {
                    return false;
                }
                if !a.prototype || !b.prototype {
                    // Parameters must survive default promotion unchanged.
                    return true;
                }
                a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params
                        .iter()
                        .zip(&b.params)
                        .all(|(x, y)| self.compatible_types(x.ty.into(), y.ty.into(), depth + 1))
            }
            (x, y) => x == y && a.ty == b.ty,
        }
    }

    // ----- variable arguments

    fn list_index(&mut self, p: Ptr) -> Res<usize> {
        let n = self.mem.pointer_bytes;
        let index = self.mem.access(p, n, 1)?;
        let number = match self.mem.load_wide(index, n as usize, Class::Any as u8) {
            Ok(number) => number as usize,
            Err(_) => return undefined(Ub::VaListState, "the va_list was never started"),
        };
        match self.lists.get(number) {
            Some(list) if number != 0 && self.frames.iter().any(|f| f.serial == list.serial) => Ok(number),
            Some(_) | None => {
                undefined(Ub::VaListState, "the va_list was not started, or its function has returned")
            }
        }
    }

    fn put_list(&mut self, p: Ptr, list: List) -> Res<()> {
        let n = self.mem.pointer_bytes;
        let index = self.mem.access(p, n, 1)?;
        let number = self.lists.len();
        let started = (self.frame().serial, index);
        if self.open_lists.iter().any(|open| self.lists[*open].started == started) {
            return undefined(
                Ub::VaListState,
                "the va_list is started again, and va_end was not called for it",
            );
        }
        self.lists.push(List { started, ..list });
        self.open_lists.push(number);
        self.mem.store_wide(index, n as usize, Class::Any as u8, number as u128)
    }

    /// `va_start`.
    pub fn va_start(&mut self, p: Ptr) -> Res<()> {
        let frame = self.frame();
        // Lists of functions that have returned are dead; drop them when they pile up.
        if self.lists.len() > 1 << 20 {
            return exhausted(Budget::Memory);
        }
        let (next, end) = frame.extra;
        let (next, end) = (next as usize, end as usize);
        self.put_list(p, List { next, end, serial: frame.serial, started: (0, 0), used_by: None })
    }

    /// `va_arg`, of a list that is a parameter if `passed`.
    pub fn va_arg(&mut self, p: Ptr, v: u32, passed: bool) -> Res<Slot> {
        let (ty, _, _) = self.program.va_args[v as usize];
        let number = self.list_index(p)?;
        self.still_usable(number)?;
        let user = self.frame().serial;
        let list = &mut self.lists[number];
        list.used_by = (passed && list.serial != user).then_some(user).or(list.used_by);
        let extra = self.next_extra(number)?;
        if !self.argument_fits(extra.ty, ty) {
            return undefined(Ub::VaArgType, "the next argument has another type");
        }
        Ok(extra.value)
    }

    /// A list has no value once a function that it was passed to has used it and returned (C11 7.16p3).
    fn still_usable(&self, number: usize) -> Res<()> {
        let Some(user) = self.lists[number].used_by else { return Ok(()) };
        if self.frames.binary_search_by_key(&user, |frame| frame.serial).is_ok() {
            return Ok(());
        }
        undefined(Ub::VaListState, "a function that the va_list was passed to has used it")
    }

    /// The next argument of a list.
    pub fn next_extra(&mut self, number: usize) -> Res<Extra> {
        let list = &mut self.lists[number];
        if list.next >= list.end {
            return undefined(Ub::VaArgType, "there are no more arguments");
        }
        list.next += 1;
        Ok(self.extra[list.next - 1])
    }

    /// The list behind a `va_list` argument of a library function.
    pub fn list_of(&mut self, p: Ptr) -> Res<usize> {
        let number = self.list_index(p)?;
        self.still_usable(number)?;
        self.lists[number].used_by = Some(List::LIBRARY);
        Ok(number)
    }

    /// `va_end`.
    pub fn va_end(&mut self, p: Ptr) -> Res<()> {
        let number = self.list_index(p)?;
        self.open_lists.retain(|open| *open != number);
        let n = self.mem.pointer_bytes;
        let index = self.mem.access(p, n, 1)?;
        self.mem.store_wide(index, n as usize, Class::Any as u8, 0)
    }

    /// Of a function that returns: has it ended all lists that it started (C11 7.16.1p1)? Those of functions that a `longjmp`
    /// left are none of its own.
    #[cold]
    pub fn ended_lists(&mut self) -> Res<()> {
        let serial = self.frame().serial;
        if self.open_lists.iter().any(|open| self.lists[*open].started.0 == serial) {
            return undefined(
                Ub::VaListState,
                "the function returns without va_end for a va_list that it started",
            );
        }
        Ok(())
    }

    /// `va_copy`.
    pub fn va_copy(&mut self, d: Ptr, s: Ptr) -> Res<()> {
        let number = self.list_index(s)?;
        self.still_usable(number)?;
        let list = List { used_by: None, ..self.lists[number] };
        self.put_list(d, list)
    }
}
