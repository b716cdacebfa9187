//! The intrinsics that clang emits for C.

use super::memory::{copy, overlap};
use super::{Effect, Ir, Res, Scalar, Side, State, Value};
use crate::assumption::Assumption;
use crate::bits;
use crate::domain::{BitOp, Domain, Ext};
use crate::llvm_ir::ast::{Attr, Call, Inst, Op, Operand};
use crate::llvm_ir::types::{Type, Types};
use crate::operation::{Arithmetic, Operation};

/// Intrinsics that become calls of the mathematical library: operations known by name alone.
pub(crate) const LIBRARY_MATH: &[&str] = &[
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "pow",
    "fma",
];

/// The size of a `va_list` of the System V convention.
const VA_LIST: u64 = 24;

/// Up to this many bytes a copy or fill is spelled out; longer ones are known by name alone.
pub(crate) const SPELLED_OUT: u64 = 256;

impl Ir<'_> {
    pub(super) fn intrinsic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        call: &Call,
        name: &str,
    ) -> Res<Effect<D>> {
        let stem = name.strip_prefix("llvm.").unwrap_or(name);
        if stem.starts_with("dbg.")
            || stem.starts_with("lifetime.")
            || stem.starts_with("experimental.noalias")
        {
            let object = call.args.last().map(|a| a.value);
            let in_cells =
                stem.starts_with("lifetime.") && object.is_some_and(|o| self.forget_cells(d, st, o));
            if stem.starts_with("lifetime.") && self.side == Side::Target && !in_cells {
                self.assume(Assumption::StackLifetimes);
            }
            return Ok(Effect::Next);
        }
        if matches!(stem, "donothing" | "prefetch.p0" | "prefetch.p0i8" | "sideeffect" | "pseudoprobe") {
            return Ok(Effect::Next);
        }
        if matches!(stem, "va_end" | "va_end.p0") {
            return Ok(Effect::Next);
        }
        let mut args = Vec::new();
        for arg in &call.args {
            if *self.m.types.get(arg.ty) == Type::Metadata {
                return self.unsupported(name);
            }
            args.push(self.settled(d, st, arg.value, arg.ty)?);
        }
        for (kind, arity) in [("memcpy.inline.", 3), ("memcpy.", 3), ("memmove.", 3), ("memset.", 3)] {
            if stem.starts_with(kind) && args.len() > arity {
                return self.block_operation(d, st, call, kind.trim_end_matches('.'), &args);
            }
        }
        match stem.split('.').next() {
            Some("va_start") => return self.va_start(d, st, call, args),
            Some("va_copy") => return self.va_copy(d, st, call, &args),
            _ => {}
        }
        let value = match self.pure_intrinsic(d, st, (inst, call), stem, &args)? {
            Some(value) => value,
            None => {
                return if stem == "trap" || stem.starts_with("ubsantrap") {
                    self.trap(d, stem, args)
                } else {
                    Ok(Effect::Next)
                };
            }
        };
        self.set_result(st, inst, value);
        Ok(Effect::Next)
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
            return Ok(Effect::Call { callee: super::Callee::Direct("llvm.va_start".into()), args });
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

    /// A trap ends the program in a way the caller can see: an event like a call.
    fn trap<D: Domain>(&self, _d: &mut D, stem: &str, args: Vec<Value<D>>) -> Res<Effect<D>> {
        Ok(Effect::Call { callee: super::Callee::Direct(format!("llvm.{stem}")), args })
    }

    /// `memcpy`, `memmove`, `memset`.
    fn block_operation<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        kind: &str,
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let mut scalars = Vec::new();
        for arg in args {
            let Value::Scalar(s) = arg else { return self.unsupported("block operation on vectors") };
            let bad = s.anything(d);
            let filler = kind == "memset" && scalars.len() == 1;
            if (scalars.len() < 3 && !filler) || self.side == Side::Target {
                self.note_ub(d, st, &bad);
            }
            scalars.push(s.clone());
        }
        let volatile = d.as_const(&scalars[3].bits).is_none_or(|v| !v.is_zero());
        if volatile {
            return self.unsupported("volatile block operation");
        }
        let (to, second) = (scalars[0].bits.clone(), scalars[1].bits.clone());
        let length = d.zfit(&scalars[2].bits, 64);
        let known = d.as_const(&length).and_then(|n| n.to_u64()).filter(|n| *n <= SPELLED_OUT);
        let kind = if kind.starts_with("memcpy") { "memcpy" } else { kind };
        if let Some(n) = known
            && let Some(effect) = self.block_in_cells(d, st, call, kind, &scalars, n)?
        {
            return Ok(effect);
        }
        if kind == "memcpy" {
            let bad = overlap(d, &to, &second, &length);
            self.note_ub(d, st, &bad);
        }
        let pointers = if kind == "memset" { 1 } else { 2 };
        for (arg, s) in call.args.iter().zip(&scalars).take(pointers) {
            self.check_promised_alignment(d, st, (&arg.attrs, arg.value), &s.bits, &length);
        }
        let Some(n) = known else {
            // Of another length it is the library's business, as a call would be.
            let args = [to, second, length].map(|bits| Value::plain(d, bits));
            return Ok(Effect::Call { callee: super::Callee::Direct(kind.to_owned()), args: args.into() });
        };
        self.check_block(d, st, (&to, call.args[0].value), n, true);
        if kind != "memset" {
            self.check_block(d, st, (&second, call.args[1].value), n, false);
        }
        let source =
            if kind == "memset" { st.mem.clone() } else { self.memory_with_constant(d, &st.mem, &second, n) };
        st.mem = block_memory(d, (&st.mem, &source), kind, &to, &second, n);
        Ok(Effect::Next)
    }

    /// A block that is not aligned as the call promises is poison's, and using that is undefined where there is any
    /// use of it. (Only a matter between IR programs, which may make loads and stores of it.)
    fn check_promised_alignment<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (attrs, operand): (&[Attr], Operand),
        at: &D::Bv,
        length: &D::Bv,
    ) {
        let Some(Attr::Int(_, align)) = self.attr(attrs, "align") else { return };
        if !self.checks.exact || *align < 2 || !align.is_power_of_two() || align.trailing_zeros() > 32 {
            return;
        }
        if self.aligned_in_object(operand, *align) {
            return;
        }
        let low = d.extract(align.trailing_zeros() - 1, 0, at);
        let (aligned, none) = (d.is_zero(&low), d.is_zero(length));
        let fine = d.or(&aligned, &none);
        let bad = d.not(&fine);
        self.note_ub(d, st, &bad);
    }

    /// What the machine's scan that an instruction becomes may leave of zero, where it can be told which that is; the
    /// source's poison may have these bits as well as any.
    fn scan_of_zero<D: Domain>(&self, d: &mut D, inst: &Inst, width: u32) -> D::Bv {
        let index = self.f.insts.iter().position(|i| i.at == inst.at);
        let block = index
            .and_then(|i| self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&i)));
        let Some((block, index)) = block.zip(index) else { return d.num(width, 0) };
        let scan = |i: &Inst| match &i.op {
            Op::Call(c) => self
                .callee_name(c)
                .is_some_and(|n| n.starts_with("llvm.ctlz.") || n.starts_with("llvm.cttz.")),
            _ => false,
        };
        let before = self.f.insts[block.first as usize..index].iter().filter(|i| scan(i)).count();
        self.assume(Assumption::BitScanOfZero);
        let left = d.symbol(&bits::scan_of_zero(self.m.names.text(block.name), before), 64);
        d.zfit(&left, width)
    }

    /// Intrinsics without effect on memory; none where there is no result.
    fn pure_intrinsic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, call): (&Inst, &Call),
        stem: &str,
        args: &[Value<D>],
    ) -> Res<Option<Value<D>>> {
        let base = stem.split('.').next().unwrap_or(stem);
        let two =
            |i: usize| args.get(i).cloned().ok_or_else(|| crate::domain::Unsupported::new("intrinsic arity"));
        if stem == "trap" || base == "ubsantrap" {
            return Ok(None);
        }
        if base == "assume" {
            let Value::Scalar(c) = two(0)? else { return self.unsupported("assume") };
            let bad = c.anything(d);
            self.note_ub(d, st, &bad);
            let holds = d.is_set(&c.bits);
            let fails = d.not(&holds);
            self.note_ub(d, st, &fails);
            return Ok(None);
        }
        if matches!(stem, "x86.sse2.pmovmskb.128" | "x86.sse.movmsk.ps" | "x86.sse2.movmsk.pd") {
            let v = two(0)?;
            let (mut signs, mut poison) = (Vec::new(), d.bool(false));
            for s in v.scalars() {
                let top = d.width(&s.bits) - 1;
                signs.push(d.extract(top, top, &s.bits));
                poison = d.or(&poison, &s.poison);
            }
            let mask = bits::join(d, &signs);
            let bits = d.zfit(&mask, 32);
            return Ok(Some(Value::Scalar(Scalar::with_poison(d, bits, poison))));
        }
        if stem.starts_with("expect.") {
            return Ok(Some(two(0)?));
        }
        if base == "is" && stem.starts_with("is.constant") {
            let no = d.num(1, 0);
            return if self.checks.exact { self.unsupported(stem) } else { Ok(Some(Value::plain(d, no))) };
        }
        if stem.starts_with("is.fpclass.") {
            let Some(ty) = call.args.first().map(|a| self.elem_type(a.ty)) else {
                return self.unsupported(stem);
            };
            let Value::Scalar(classes) = two(1)? else { return self.unsupported(stem) };
            return self.fp_class(d, ty, &two(0)?, &classes.bits).map(Some);
        }
        if base == "objectsize" {
            return self.unsupported("objectsize");
        }
        if let Some(kind) = ["sadd", "uadd", "ssub", "usub", "smul", "umul"]
            .iter()
            .find(|k| stem.starts_with(&format!("{k}.with.overflow")))
        {
            let (a, b) = (two(0)?, two(1)?);
            let op = arithmetic(&kind[1..]);
            let signed = kind.starts_with('s');
            let sum = self.lanes(d, &a, &b, &mut |d, x, y| {
                let bits = d.bin(op, &x.bits, &y.bits);
                let poison = d.or(&x.poison, &y.poison);
                Ok(Scalar::with_poison(d, bits, poison))
            })?;
            let over = self.lanes(d, &a, &b, &mut |d, x, y| {
                let over = bits::overflows(d, op, &x.bits, &y.bits, signed);
                let bits = d.bool_to_bv(&over);
                let poison = d.or(&x.poison, &y.poison);
                Ok(Scalar::with_poison(d, bits, poison))
            })?;
            return Ok(Some(Value::Aggregate([sum, over].into())));
        }
        if let Some(kind) =
            ["sadd", "uadd", "ssub", "usub"].iter().find(|k| stem.starts_with(&format!("{k}.sat")))
        {
            let (a, b) = (two(0)?, two(1)?);
            let (op, signed) = (arithmetic(&kind[1..]), kind.starts_with('s'));
            return self
                .lanes(d, &a, &b, &mut |d, x, y| {
                    let bits = saturating(d, op, signed, &x.bits, &y.bits);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some);
        }
        match base {
            "smin" | "smax" | "umin" | "umax" => {
                let (a, b) = (two(0)?, two(1)?);
                let (signed, max) = (base.starts_with('s'), base.ends_with("max"));
                self.lanes(d, &a, &b, &mut |d, x, y| {
                    let bits = bits::min_max(d, &x.bits, &y.bits, signed, max);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            "abs" | "ctlz" | "cttz" => {
                let (a, flag) = (two(0)?, two(1)?);
                let Value::Scalar(flag) = flag else { return self.unsupported(stem) };
                let strict = d.is_set(&flag.bits);
                let strict_scan = d.as_bool(&strict) == Some(true) && !self.counts_zeros;
                self.lanes(d, &a, &a, &mut |d, x, _| {
                    let width = d.width(&x.bits);
                    let (bits, special) = match base {
                        "abs" => {
                            let zero = d.num(width, 0);
                            let negated = d.sub(&zero, &x.bits);
                            let negative = d.sign(&x.bits);
                            let least = d.constant(smt::Bv::smin(width));
                            (d.ite(&negative, &negated, &x.bits), d.eq(&x.bits, &least))
                        }
                        // Poison of zero has the bits that the machine's scan of zero leaves.
                        "ctlz" if strict_scan => {
                            let (place, top) =
                                (bits::highest_set(d, &x.bits), d.num(width, u128::from(width - 1)));
                            let zero = d.is_zero(&x.bits);
                            let left = self.scan_of_zero(d, inst, width);
                            if width.is_power_of_two() {
                                // As the machine has it: the place is its own distance from the top, bit by bit.
                                let scanned = d.ite(&zero, &left, &place);
                                (d.bv_xor(&scanned, &top), zero)
                            } else {
                                let (left, count) = (d.bv_xor(&left, &top), d.sub(&top, &place));
                                (d.ite(&zero, &left, &count), zero)
                            }
                        }
                        "ctlz" => (bits::leading_zeros(d, &x.bits), d.is_zero(&x.bits)),
                        _ if strict_scan => {
                            let (place, zero) = (bits::lowest_set(d, &x.bits), d.is_zero(&x.bits));
                            let left = self.scan_of_zero(d, inst, width);
                            (d.ite(&zero, &left, &place), zero)
                        }
                        _ => (bits::trailing_zeros(d, &x.bits), d.is_zero(&x.bits)),
                    };
                    let extra = d.and(&strict, &special);
                    let poison = d.or(&x.poison, &extra);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            "ctpop" | "bswap" | "bitreverse" => {
                let a = two(0)?;
                self.lanes(d, &a, &a, &mut |d, x, _| {
                    let bits = match base {
                        "ctpop" => bits::popcount(d, &x.bits),
                        "bswap" => bits::byte_swap(d, &x.bits),
                        _ => bits::bit_reverse(d, &x.bits),
                    };
                    Ok(Scalar::with_poison(d, bits, x.poison.clone()))
                })
                .map(Some)
            }
            "fshl" | "fshr" => {
                let (a, b, n) = (two(0)?, two(1)?, two(2)?);
                let pairs = self.lanes(d, &a, &b, &mut |d, x, y| {
                    let bits = d.concat(&x.bits, &y.bits);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })?;
                self.lanes(d, &pairs, &n, &mut |d, pair, n| {
                    let width = d.width(&n.bits);
                    let (hi, lo) =
                        (d.extract(2 * width - 1, width, &pair.bits), d.extract(width - 1, 0, &pair.bits));
                    let bits = if base == "fshl" {
                        bits::funnel_left(d, &hi, &lo, &n.bits)
                    } else {
                        bits::funnel_right(d, &hi, &lo, &n.bits)
                    };
                    let poison = d.or(&pair.poison, &n.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            "ucmp" | "scmp" => {
                let (a, b) = (two(0)?, two(1)?);
                let width = self.scalar_bits(self.elem_type(call.ret))?;
                let signed = base == "scmp";
                self.lanes(d, &a, &b, &mut |d, x, y| {
                    let (less, more) =
                        (self.less(d, signed, &x.bits, &y.bits), self.less(d, signed, &y.bits, &x.bits));
                    let (one, zero, minus) = (d.num(width, 1), d.num(width, 0), d.signed(width, -1));
                    let up = d.ite(&more, &one, &zero);
                    let bits = d.ite(&less, &minus, &up);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            "vector" => self.reduction(d, stem, args).map(Some),
            "fabs" => {
                let a = two(0)?;
                self.lanes(d, &a, &a, &mut |d, x, _| {
                    let width = d.width(&x.bits);
                    let low = d.extract(width - 2, 0, &x.bits);
                    let bits = d.zfit(&low, width);
                    Ok(Scalar::with_poison(d, bits, x.poison.clone()))
                })
                .map(Some)
            }
            "fmuladd" => {
                // Fused or not as the implementation likes, but alike in both programs of a pair of IR. Before
                // selection it may take the unfused form, as code without FMA does.
                if call.flags.any_math() {
                    return self.unsupported("fmuladd");
                }
                let (a, b, c) = (two(0)?, two(1)?, two(2)?);
                let elem = self.elem_type(call.ret);
                if self.checks.exact {
                    return self.multiply_add(d, elem, &a, &b, &c).map(Some);
                }
                let product = self.lanes(d, &a, &b, &mut |d, x, y| {
                    self.float_binary(d, Arithmetic::Mul, call.flags, elem, x, y)
                })?;
                self.lanes(d, &product, &c, &mut |d, x, y| {
                    self.float_binary(d, Arithmetic::Add, call.flags, elem, x, y)
                })
                .map(Some)
            }
            "sqrt" => {
                let elem = self.elem_type(call.ret);
                let Type::Float(kind) = self.m.types.resolve(elem) else { return self.unsupported(stem) };
                if call.flags.any_math() {
                    return self.unsupported("fast-math flags");
                }
                self.assume(Assumption::FloatsByName);
                let root = Operation::SquareRoot((*kind).into());
                let a = two(0)?;
                self.lanes(d, &a, &a, &mut |d, x, _| {
                    let width = d.width(&x.bits);
                    let bits = d.operation(&root, std::slice::from_ref(&x.bits), width);
                    Ok(Scalar::with_poison(d, bits, x.poison.clone()))
                })
                .map(Some)
            }
            "copysign" => {
                let (a, b) = (two(0)?, two(1)?);
                self.lanes(d, &a, &b, &mut |d, x, y| {
                    let width = d.width(&x.bits);
                    let (low, sign) = (d.zfit(&x.bits, width - 1), d.extract(width - 1, width - 1, &y.bits));
                    let bits = d.concat(&sign, &low);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            _ if LIBRARY_MATH.contains(&base) => {
                let Type::Float(kind) = self.m.types.resolve(call.ret) else { return self.unsupported(stem) };
                if call.flags.any_math() {
                    return self.unsupported("fast-math flags");
                }
                self.assume(Assumption::FloatsByName);
                let operation = Operation::Library(base.to_owned(), (*kind).into());
                let (mut bits, mut poison) = (Vec::new(), d.bool(false));
                for s in args.iter().flat_map(|a| a.scalars()) {
                    bits.push(s.bits.clone());
                    poison = d.or(&poison, &s.poison);
                }
                let width = self.scalar_bits(call.ret)?;
                let bits = d.operation(&operation, &bits, width);
                Ok(Some(Value::Scalar(Scalar::with_poison(d, bits, poison))))
            }
            "frameaddress" => {
                // The frame pointer of this function, the same in both programs; no further up.
                let Value::Scalar(depth) = two(0)? else { return self.unsupported(base) };
                let own = d.as_const(&depth.bits).is_some_and(|n| n.is_zero());
                if !own {
                    return self.unsupported(base);
                }
                let address = d.symbol(bits::FRAME_ADDRESS, 64);
                Ok(Some(Value::plain(d, address)))
            }
            "returnaddress" | "stacksave" | "stackrestore" => self.unsupported(base),
            "load" if stem.starts_with("load.relative") => {
                let (Value::Scalar(p), Value::Scalar(o)) = (two(0)?, two(1)?) else {
                    return self.unsupported(stem);
                };
                let offset = d.sfit(&o.bits, 64);
                let at = d.add(&p.bits, &offset);
                let poison = d.or(&p.poison, &o.poison);
                self.note_ub(d, st, &poison);
                if self.checks.access != super::AccessCheck::Off {
                    let fine =
                        super::memory::accessible(d, &st.perm, &at, 4, false, true, self.checks.access);
                    let bad = d.not(&fine);
                    self.note_ub(d, st, &bad);
                }
                let rel = d.load(&st.mem, &at, 4);
                let rel = d.sfit(&rel, 64);
                let bits = d.add(&p.bits, &rel);
                Ok(Some(Value::plain(d, bits)))
            }
            "ptrmask" => {
                let (a, b) = (two(0)?, two(1)?);
                self.lanes(d, &a, &b, &mut |d, x, y| {
                    let bits = d.bin(BitOp::And, &x.bits, &y.bits);
                    let poison = d.or(&x.poison, &y.poison);
                    Ok(Scalar::with_poison(d, bits, poison))
                })
                .map(Some)
            }
            _ => {
                if call.ret == Types::VOID {
                    return self.unsupported(format!("llvm.{stem}"));
                }
                self.unsupported(format!("llvm.{stem}"))
            }
        }
    }

    fn reduction<D: Domain>(&self, d: &mut D, stem: &str, args: &[Value<D>]) -> Res<Value<D>> {
        let kind = stem.strip_prefix("vector.reduce.").and_then(|s| s.split('.').next()).unwrap_or("");
        let Some(v) = args.first() else { return self.unsupported("reduction") };
        let op = match kind {
            "add" => BitOp::Add,
            "mul" => BitOp::Mul,
            "and" => BitOp::And,
            "or" => BitOp::Or,
            "xor" => BitOp::Xor,
            "smin" | "smax" | "umin" | "umax" => {
                let (signed, max) = (kind.starts_with('s'), kind.ends_with("max"));
                return self.reduce(d, v, |d, a, b| bits::min_max(d, a, b, signed, max));
            }
            _ => return self.unsupported(format!("llvm.{stem}")),
        };
        self.reduce(d, v, |d, a, b| d.bin(op, a, b))
    }
}

fn arithmetic(kind: &str) -> BitOp {
    match kind {
        "add" => BitOp::Add,
        "sub" => BitOp::Sub,
        _ => BitOp::Mul,
    }
}

fn saturating<D: Domain>(d: &mut D, op: BitOp, signed: bool, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let over = bits::overflows(d, op, a, b, signed);
    let bits = d.bin(op, a, b);
    let limit = if signed {
        // The exact result has the sign of the first operand.
        let (least, most) = (d.constant(smt::Bv::smin(width)), d.constant(smt::Bv::smax(width)));
        let negative = d.sign(a);
        d.ite(&negative, &least, &most)
    } else if op == BitOp::Add {
        d.constant(smt::Bv::ones(width))
    } else {
        d.num(width, 0)
    };
    d.ite(&over, &limit, &bits)
}

/// A byte (the lowest of `second`) so many times.
pub(super) fn fill_bytes<D: Domain>(d: &mut D, second: &D::Bv, n: usize) -> D::Bv {
    let byte = d.zfit(second, 8);
    bits::join(d, &vec![byte; n])
}

/// The memory after `memcpy`, `memmove` or `memset` (whose `second` is the byte) of a known length; what is copied
/// is read from `source`.
pub(crate) fn block_memory<D: Domain>(
    d: &mut D,
    (mem, source): (&D::Mem, &D::Mem),
    kind: &str,
    to: &D::Bv,
    second: &D::Bv,
    length: u64,
) -> D::Mem {
    if kind != "memset" {
        return copy(d, (mem, source), to, second, length);
    }
    let byte = d.zfit(second, 8);
    let mut mem = mem.clone();
    let mut at = 0;
    while at < length {
        let size = (length - at).min(8) as usize;
        let value = bits::join(d, &vec![byte.clone(); size]);
        let address = d.add_num(to, i128::from(at));
        mem = d.store(&mem, &address, &value);
        at += size as u64;
    }
    mem
}
