//! What the intrinsics do: effects here, values in `pure`.

use super::effects::MadeFrom;
use super::places::Root;
use super::{Callee, Effect, Ir, Res, Scalar, Side, State, Value};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Access, Arg, Attr, Call, Inst, Operand};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::types::Type;
use crate::memory::access::{AccessCheck, Asked};
use crate::memory::blocks::{SPELLED_OUT, block_memory, copy, overlap};

/// The size of a `va_list` of the System V convention, in bytes.
const VA_LIST: u64 = 24;

impl Ir<'_> {
    pub(super) fn intrinsic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        (intrinsic, least): (Intrinsic, usize),
    ) -> Res<Effect<D>> {
        let name = self.callee_name(call).unwrap_or_default();
        if !matches!(intrinsic, Intrinsic::Nothing | Intrinsic::Lifetime) {
            self.needs_plain_pointers(call)?;
        }
        match intrinsic {
            Intrinsic::Nothing => return Ok(Effect::Next),
            Intrinsic::SideEffect if self.checks.exact && !self.has_no_effect(call) => {
                return Ok(Effect::Call { callee: Callee::Direct(name.to_owned()), args: Vec::new() });
            }
            Intrinsic::SideEffect => return Ok(Effect::Next),
            Intrinsic::Lifetime => return Ok(self.lifetime(d, st, call)),
            Intrinsic::Constrained(op) if call.args.len() >= least => {
                return self.constrained(d, st, (inst, call), op);
            }
            _ => {}
        }
        let mut args = Vec::new();
        for arg in &call.args {
            if *self.m.types.get(arg.ty) == Type::Metadata {
                return self.unsupported(name);
            }
            if self.checks.exact && self.attr(&arg.attrs, "noundef").is_some() {
                for s in self.operand(d, st, arg.value, arg.ty)?.scalars() {
                    let bad = s.anything(d);
                    self.note_ub(d, st, &bad);
                }
            }
            let value = self.settled(d, st, arg.value, arg.ty)?;
            args.push(self.promised_to_intrinsic(d, st, (call, intrinsic), arg, value));
        }
        if args.len() < least {
            return self.unsupported("intrinsic arity");
        }
        let value = match intrinsic {
            Intrinsic::Locked(update) => return self.locked_update(d, st, (inst, call), update),
            Intrinsic::Block(block) => return self.block_operation(d, st, call, block, &args),
            Intrinsic::VaStart => return self.va_start(d, st, call, args),
            Intrinsic::VaCopy => return self.va_copy(d, st, call, &args),
            // Ends the program in a way the caller can see: an event like a call.
            Intrinsic::Trap => return Ok(Effect::Call { callee: Callee::Direct(name.to_owned()), args }),
            Intrinsic::StackSave => return self.save_stack(d, st, inst),
            Intrinsic::StackRestore => return self.restore_stack(d, st, &args),
            Intrinsic::MaskedLoad(signs) => return self.masked_load(d, st, (inst, call), (signs, &args)),
            Intrinsic::MaskedStore(signs) => return self.masked_store(d, st, call, (signs, &args)),
            Intrinsic::LoadVector => {
                let access = Access { align: Some(1), ..Access::default() };
                return self.load(d, st, inst, (call.ret, call.args[0].value), &access);
            }
            Intrinsic::KeepGuard => return self.keep_guard(d, st, call, &args),
            Intrinsic::Assume => return self.assumption(d, st, &args[0]),
            Intrinsic::LoadRelative => self.load_relative(d, st, &args)?,
            Intrinsic::Refused(what) => return self.unsupported(what),
            Intrinsic::Unknown => return self.unsupported(name),
            pure => {
                self.math_of_source(d, call.flags)?;
                let value = self.pure_intrinsic(d, (inst, call), pure, &args)?;
                self.math_call(d, call, &args, value)?
            }
        };
        let value = self.promised_result(d, st, call, value);
        self.set_result(st, inst, value);
        Ok(Effect::Next)
    }

    fn lifetime<D: Domain>(&self, d: &mut D, st: &mut State<D>, call: &Call) -> Effect<D> {
        let object = call.args.last().map(|a| a.value);
        let is_promoted = object.is_some_and(|o| self.forget_promoted(d, st, o));
        if self.side == Side::Target && !is_promoted {
            self.assume(Assumption::StackLifetimes);
        }
        if let (false, Some(operand)) = (is_promoted, object)
            && let Some((Root::Stack(_), size, 0)) = self.object_offset(operand, 0)
            && let Ok(place) = self.place(d, st, operand)
        {
            self.was_never_stored(d, &place.bits, size);
        }
        Effect::Next
    }

    fn assumption<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: &Value<D>) -> Res<Effect<D>> {
        let Value::Scalar(c) = c else { return self.unsupported("assume") };
        let bad = c.anything(d);
        self.note_ub(d, st, &bad);
        let holds = d.is_set(&c.bits);
        let fails = d.not(&holds);
        self.note_ub(d, st, &fails);
        Ok(Effect::Next)
    }

    fn load_relative<D: Domain>(&self, d: &mut D, st: &mut State<D>, args: &[Value<D>]) -> Res<Value<D>> {
        let [Value::Scalar(p), Value::Scalar(o), ..] = args else { return self.unsupported("load.relative") };
        let offset = d.sfit(&o.bits, 64);
        let at = d.add(&p.bits, &offset);
        let poison = d.or(&p.poison, &o.poison);
        self.note_ub(d, st, &poison);
        if self.checks.access != AccessCheck::Off {
            let fine = self.checks.access.permits(d, &st.perm, &at, (4, false), Asked::Words);
            let bad = d.not(&fine);
            self.note_ub(d, st, &bad);
        }
        let rel = d.load(&st.mem, &at, 4);
        let rel = self.in_memory_order(d, &rel);
        let rel = d.sfit(&rel, 64);
        let bits = d.add(&p.bits, &rel);
        Ok(Value::plain(d, bits))
    }

    /// `va_start`: what the convention says; against another IR program a call like others, which fills the list.
    fn va_start<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        args: Vec<Value<D>>,
    ) -> Res<Effect<D>> {
        let Some(Value::Scalar(list)) = args.first().cloned() else { return self.unsupported("va_start") };
        let bad = list.anything(d);
        self.note_ub(d, st, &bad);
        let Some(variadic) = self.variadic else {
            return Ok(Effect::Call { callee: Callee::Direct("llvm.va_start".into()), args });
        };
        self.check_block(d, st, (&list.bits, call.args[0].value), VA_LIST, true);
        for (offset, value) in variadic.list(d)? {
            let at = d.add_num(&list.bits, i128::from(offset));
            st.mem = d.store(&st.mem, &at, &value);
        }
        Ok(Effect::Next)
    }

    /// `va_copy`: the bytes of the list.
    fn va_copy<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let [Value::Scalar(to), Value::Scalar(from)] = args else { return self.unsupported("va_copy") };
        for (list, write) in [(to, true), (from, false)] {
            let bad = list.anything(d);
            self.note_ub(d, st, &bad);
            self.check_block(d, st, (&list.bits, call.args[usize::from(!write)].value), VA_LIST, write);
        }
        // Lists are objects of their own: two of them are one, or apart.
        let length = d.num(64, u128::from(VA_LIST));
        let bad = overlap(d, &to.bits, &from.bits, &length);
        self.note_ub(d, st, &bad);
        st.mem = copy(d, (&st.mem, &st.mem), &to.bits, &from.bits, VA_LIST);
        Ok(Effect::Next)
    }

    /// `memcmp` of a length that is known, whose result is only compared with zero.
    pub(super) fn compare_blocks<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        call: &Call,
        bytes: u64,
    ) -> Res<Effect<D>> {
        self.assume(Assumption::MemcmpOfTheLibrary);
        let mut sides = Vec::new();
        for arg in call.args.iter().take(2) {
            let Value::Scalar(s) = self.settled(d, st, arg.value, arg.ty)? else {
                return self.unsupported("memcmp of vectors");
            };
            let bad = s.anything(d);
            self.note_ub(d, st, &bad);
            self.check_block(d, st, (&s.bits, arg.value), bytes, false);
            let mem = self.memory_with_constant(d, &st.mem, &s.bits, bytes);
            sides.push(d.load(&mem, &s.bits, bytes as u32));
        }
        let [a, b] = &sides[..] else { return self.unsupported("memcmp with too few arguments") };
        let differ = d.ne(a, b);
        let bit = d.bool_to_bv(&differ);
        let width = self.scalar_bits(call.ret)?;
        let bits = d.zfit(&bit, width);
        self.set_result(st, inst, Value::plain(d, bits));
        Ok(Effect::Next)
    }

    /// `memcpy`, `memmove`, `memset`.
    fn block_operation<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        block: Block,
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let scalars = self.block_arguments(d, st, block, args)?;
        let (to, second) = (scalars[0].bits.clone(), scalars[1].bits.clone());
        let length = d.zfit(&scalars[2].bits, 64);
        let width = d.width(&scalars[2].bits);
        if width > 64 {
            // No object is as long as that.
            let above = d.extract(width - 1, 64, &scalars[2].bits);
            let none = d.is_zero(&above);
            let far = d.not(&none);
            self.note_ub(d, st, &far);
        }
        let pointers = if block == Block::Fill { 1 } else { 2 };
        let own = |a: &Arg| self.made_from(a.value) == MadeFrom::Stack;
        if self.checks.exact
            && call.tail.is_some_and(|t| self.m.names.text(t) != "notail")
            && call.args.iter().take(pointers).any(own)
        {
            // A tail call reads and writes none of the caller's objects.
            let broken = d.bool(true);
            self.note_ub(d, st, &broken);
        }
        let known = d.as_const(&length).and_then(|n| n.to_u64()).filter(|n| *n <= SPELLED_OUT);
        if let Some(n) = known
            && let Some(effect) = self.block_in_promoted(d, st, call, block, (&scalars, n))?
        {
            return Ok(effect);
        }
        // What is written to is no constant, which the text shows the other block to be.
        if block == Block::Copy && !call.args.get(1).is_some_and(|a| self.lies_in_constant(a.value)) {
            let bad = overlap(d, &to, &second, &length);
            self.note_ub(d, st, &bad);
        }
        for (arg, s) in call.args.iter().zip(&scalars).take(pointers) {
            self.check_promised_alignment(d, st, (&arg.attrs, arg.value), &s.bits, &length);
        }
        let Some(n) = known else {
            for (at, write) in [(&to, true), (&second, false)].into_iter().take(pointers) {
                self.check_first_byte(d, st, at, &length, write);
            }
            // Of another length it is the library's business, as a call would be.
            let args = [to, second, length].map(|bits| Value::plain(d, bits));
            return Ok(Effect::Call { callee: Callee::Direct(block.name().to_owned()), args: args.into() });
        };
        self.check_block(d, st, (&to, call.args[0].value), n, true);
        if block != Block::Fill {
            self.check_block(d, st, (&second, call.args[1].value), n, false);
        }
        match block {
            Block::Fill => self.holds_from_now(d, &to, n),
            Block::Copy | Block::Move => self.copy_what_is_open(d, &to, &second, n)?,
        }
        let source = match block {
            Block::Fill => st.mem.clone(),
            Block::Copy | Block::Move => self.memory_with_constant(d, &st.mem, &second, n),
        };
        st.mem = block_memory(d, (&st.mem, &source), block.name(), &to, &second, n);
        Ok(Effect::Next)
    }

    /// Where a block of a length that is not known begins there is something, not at null, unless there is nothing to do: what a
    /// target promises of a pointer that the source hands to a block operation follows from that.
    fn check_first_byte<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        at: &D::Bv,
        length: &D::Bv,
        write: bool,
    ) {
        if self.side == Side::Target || !self.checks.exact {
            return;
        }
        if self.null_is_no_object() {
            let null = d.is_zero(at);
            self.note_unless_empty(d, st, &null, length);
        }
        if self.checks.access != AccessCheck::Off {
            let fine = self.checks.access.permits(d, &st.perm, at, (1, write), Asked::Every);
            let fault = d.not(&fine);
            self.note_unless_empty(d, st, &fault, length);
        }
    }

    /// Notes undefined behaviour where something is wrong with a block that has any bytes.
    fn note_unless_empty<D: Domain>(&self, d: &mut D, st: &mut State<D>, wrong: &D::Bool, length: &D::Bv) {
        let none = d.is_zero(length);
        let some = d.not(&none);
        let bad = d.and(wrong, &some);
        self.note_ub(d, st, &bad);
    }

    /// The arguments of a block operation: where to, what, how long, whether it is volatile.
    fn block_arguments<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        block: Block,
        args: &[Value<D>],
    ) -> Res<Vec<Scalar<D>>> {
        let mut scalars = Vec::new();
        for arg in args {
            let Value::Scalar(s) = arg else { return self.unsupported("block operation on vectors") };
            let bad = s.anything(d);
            let filler = block == Block::Fill && scalars.len() == 1;
            if (scalars.len() < 3 && !filler) || self.side == Side::Target {
                self.note_ub(d, st, &bad);
            }
            scalars.push(s.clone());
        }
        match scalars.get(3).is_some_and(|v| d.as_const(&v.bits).is_some_and(|v| v.is_zero())) {
            true => Ok(scalars),
            false => self.unsupported("volatile block operation"),
        }
    }

    /// A block that is not aligned as the call promises is poison's, and using that is undefined where there is any
    /// use of it. Between IR programs any promise counts; against machine code, which copies by
    /// aligned vector moves, those of 16 bytes and more do.
    pub(super) fn check_promised_alignment<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (attrs, operand): (&[Attr], Operand),
        at: &D::Bv,
        length: &D::Bv,
    ) {
        let Some(Attr::Int(_, align)) = self.attr(attrs, "align") else { return };
        if !(self.checks.exact || *align >= 16) || align.trailing_zeros() > 32 {
            return;
        }
        let Some(off) = self.misaligned(d, st.frame, (at, operand), *align) else { return };
        self.note_unless_empty(d, st, &off, length);
    }
}
