//! How a function meets the outside: results, calls, volatile accesses, incoming stack arguments.

use super::promising::of_call;
use super::{POISON, Program};
use crate::abi::{Piece, Signature, StackArgument};
use crate::domain::{Domain, Unsupported};
use crate::llvm_ir::ast::{Attr, Call, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::is_calling_convention;
use crate::llvm_ir::semantics::{Callee, Ir, Scalar, Side, State, Value, flat_widths};
use crate::llvm_ir::signature::{lower, widest_vector};
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::memory::MEM;
use crate::names::Name;
use equiv::{Event, EventKind, Label, Next, Val, VarSort};

/// A value as another IR program sees it: its bits, and whether it may be anything (the lowest bit) and is poison (the
/// second).
fn told<D: Domain>(d: &mut D, s: &Scalar<D>, out: &mut Vec<Val<D>>) {
    let any = s.anything(d);
    let (any, poison) = (d.bool_to_bv(&any), d.bool_to_bv(&s.poison));
    out.push(Val::Bv(s.bits.clone()));
    out.push(Val::Bv(d.concat(&poison, &any)));
}

impl Program<'_> {
    /// Values as the outside sees them, each followed by whether it may be anything.
    fn shown<D: Domain>(&self, d: &mut D, scalar: &Scalar<D>, piece: &Piece, out: &mut Vec<Val<D>>) {
        let any = scalar.anything(d);
        out.push(Val::Bv(piece.value(d, &scalar.bits)));
        out.push(Val::Bv(d.bool_to_bv(&any)));
    }

    pub(super) fn exit<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Result<Next<D>, Unsupported> {
        let mut vals = Vec::new();
        if let Some(value) = self.ir.promised_exit(d, st, value) {
            let scalars = value.scalars();
            if self.ir.attr(&self.ir.f.ret_attrs, "noundef").is_some() {
                for s in &scalars {
                    let bad = s.anything(d);
                    st.ub = d.or(&st.ub, &bad);
                }
            }
            match &self.boundary.lowered {
                Some(signature) => {
                    for piece in &signature.ret {
                        let Some(s) = scalars.get(piece.scalar) else {
                            return Err(Unsupported::new("result"));
                        };
                        self.shown(d, s, piece, &mut vals);
                    }
                }
                None => scalars.into_iter().for_each(|s| told(d, s, &mut vals)),
            }
        }
        if let Some(p) = self.boundary.lowered.as_ref().and_then(|s| s.sret) {
            let local = self.ir.f.params[p].local;
            if let Some(Value::Scalar(s)) = &st.locals[local.0 as usize] {
                vals.push(Val::Bv(s.bits.clone()));
                vals.push(Val::Bv(d.num(1, 0)));
            }
        }
        let mut mem = st.mem.clone();
        if self.ir.checks.exact {
            mem = self.ir.without_own_objects(d, &mem);
            mem = self.ir.without_dead_arguments(d, st, &mem);
        }
        vals.push(Val::Mem(mem));
        Ok(Next::Exit(vals))
    }

    pub(super) fn event<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: usize,
        callee: Callee<D>,
        args: &[Value<D>],
    ) -> Result<Event<D>, Unsupported> {
        let Some(signature) = self.signatures.get(&(inst as u32)) else {
            // An intrinsic that became the library's business.
            let Callee::Direct(name) = callee else { return Err(Unsupported::new("intrinsic")) };
            return self.library_event(d, st, inst, name, args);
        };
        let Op::Call(call) = &self.ir.f.insts[inst].op else { return Err(Unsupported::new("call")) };
        let address = match callee {
            Callee::Direct(_) if self.only_differs(inst) => self.ir.global_address(d, "bcmp"),
            Callee::Direct(name) => self.ir.global_address(d, &name),
            Callee::Indirect(at) => at,
        };
        let mut vals = vec![Val::Bv(address), Val::Bv(d.num(1, 0))];
        let (label, mut results) = if self.boundary.lowered.is_some() {
            let signature = signature.clone()?;
            self.lowered_arguments(d, st, (call, &signature), args, &mut vals)?;
            (lowered_label(&signature).into(), signature.ret.iter().map(|p| VarSort::Bv(p.bits)).collect())
        } else {
            let label = self.plain_arguments(d, st, call, args, &mut vals)?;
            (label, self.open_result_sorts(call)?)
        };
        vals.push(Val::Mem(st.mem.clone()));
        results.extend([MEM, MEM]);
        Ok(Event { kind: EventKind::Call, label, args: vals, results })
    }

    /// The sorts of what a call gives back.
    fn result_sorts(&self, call: &Call) -> Result<Vec<VarSort>, Unsupported> {
        if call.ret == Types::VOID {
            return Ok(Vec::new());
        }
        let Some(widths) = flat_widths(&self.ir, call.ret) else {
            return Err(Unsupported::new("result of this type"));
        };
        Ok(widths.into_iter().map(VarSort::Bv).collect())
    }

    /// The sorts of what a function gives back, behind them those of what says whether that is poison: of another width
    /// where it is promised not to be.
    fn open_result_sorts(&self, call: &Call) -> Result<Vec<VarSort>, Unsupported> {
        let mut out = self.result_sorts(call)?;
        if self.ir.poison_inputs {
            let flag = if self.ir.result_is_defined(call) { POISON - 1 } else { POISON };
            out.extend(vec![VarSort::Bv(flag); out.len()]);
        }
        Ok(out)
    }

    /// A fence, inline assembly, or a call that the compiler makes of an intrinsic.
    fn library_event<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        inst: usize,
        name: String,
        args: &[Value<D>],
    ) -> Result<Event<D>, Unsupported> {
        let mut vals = Vec::new();
        for s in args.iter().flat_map(|a| a.scalars()) {
            let any = s.anything(d);
            vals.push(Val::Bv(s.bits.clone()));
            vals.push(Val::Bv(d.bool_to_bv(&any)));
        }
        let op = &self.ir.f.insts[inst].op;
        let intrinsic = match op {
            Op::Call(call) => call.intrinsic.map(|(intrinsic, _)| intrinsic),
            _ => None,
        };
        let trap = intrinsic == Some(Intrinsic::Trap);
        let block = matches!(intrinsic, Some(Intrinsic::Block(_)));
        // Nothing goes on behind a trap, and no IR program looks at memory then.
        if !(trap && self.ir.checks.exact) {
            vals.push(Val::Mem(st.mem.clone()));
        }
        let mut results = Vec::new();
        let label = match &self.ir.f.insts[inst].op {
            Op::Call(call) if self.ir.assembly(call).is_some() => {
                results = self.result_sorts(call)?;
                name
            }
            Op::Fence(_) => name,
            _ if self.ir.is_atomic(&self.ir.f.insts[inst]) => {
                if let Some(ty) = self.ir.atomic_result(&self.ir.f.insts[inst]) {
                    results = vec![VarSort::Bv(self.ir.scalar_bits(ty)?)];
                    results.extend(self.ir.may_fail_anyway(&self.ir.f.insts[inst]).then_some(VarSort::Bv(1)));
                }
                name
            }
            _ => format!("library {name}"),
        };
        results.push(MEM);
        // Copying and filling makes no memory accessible and takes none away.
        if !(block && self.ir.checks.exact) {
            results.push(MEM);
        }
        Ok(Event { kind: EventKind::Other, label: label.into(), args: vals, results })
    }

    /// The arguments of a call as the convention lays them out.
    fn lowered_arguments<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (call, signature): (&Call, &Signature),
        args: &[Value<D>],
        vals: &mut Vec<Val<D>>,
    ) -> Result<(), Unsupported> {
        for piece in &signature.args {
            let scalars = args.get(piece.arg).map(|a| a.scalars()).unwrap_or_default();
            let Some(s) = scalars.get(piece.scalar) else { return Err(Unsupported::new("argument")) };
            let Some(size) = piece.by_value else {
                self.shown(d, s, piece, vals);
                continue;
            };
            let arg = call.args.get(piece.arg).map(|a| a.value);
            let bytes = match arg.and_then(|value| self.ir.promoted_place(value)) {
                Some((object, offset)) => {
                    self.ir.promoted.load(d, &st.promoted, &object, offset, u64::from(size))
                }
                None => self.copied(d, st, &s.bits, arg, size),
            };
            vals.extend([Val::Bv(bytes), Val::Bv(d.num(1, 0))]);
        }
        if let Some(n) = signature.vector_count {
            vals.extend([Val::Bv(d.num(8, u128::from(n))), Val::Bv(d.num(1, 0))]);
        }
        Ok(())
    }

    /// The bytes of an object that is passed by value: the copy reads all of it.
    fn copied<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        at: &D::Bv,
        operand: Option<Operand>,
        size: u32,
    ) -> D::Bv {
        if let Some(operand) = operand {
            self.ir.check_block(d, st, (at, operand), u64::from(size), false);
        }
        let mem = self.ir.memory_with_constant(d, &st.mem, at, u64::from(size));
        d.load(&mem, at, size)
    }

    /// The arguments of a call as LLVM IR has them; the call's label.
    fn plain_arguments<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        args: &[Value<D>],
        vals: &mut Vec<Val<D>>,
    ) -> Result<Label, Unsupported> {
        let (mut widths, mut copied) = (Vec::new(), String::new());
        for (n, value) in args.iter().enumerate() {
            if let Some(arg) = call.args.get(n)
                && let Some(attr) = self.ir.attr(&arg.attrs, "byval")
            {
                let (Value::Scalar(at), Some(size)) = (value, self.by_value_size(attr)) else {
                    return Err(Unsupported::new("byval argument of this size"));
                };
                let bad = at.anything(d);
                st.ub = d.or(&st.ub, &bad);
                widths.push(8 * size);
                let bytes = self.copied(d, st, &at.bits, Some(arg.value), size);
                vals.extend([Val::Bv(bytes), Val::Bv(d.num(1, 0))]);
                copied.push_str(&format!(" copied {n}"));
                continue;
            }
            for s in value.scalars() {
                widths.push(d.width(&s.bits));
                told(d, s, vals);
            }
        }
        let promises = of_call(&self.ir, call, self.ir.side == Side::Source);
        let deed = plain_label(widths.into_iter()) + &copied + &passed(&self.ir, call);
        Ok(Label { deed, promises, callee: None })
    }
}

impl Program<'_> {
    /// Whether an instruction is a call of `memcmp` that could as well be one of `bcmp`.
    fn only_differs(&self, inst: usize) -> bool {
        let result = self.ir.f.insts.get(inst).and_then(|i| i.result);
        result.is_some_and(|local| self.boundary.compared_with_zero.contains(&local))
    }

    /// How many bytes an argument has that is passed as a copy of what it points to.
    fn by_value_size(&self, attr: &Attr) -> Option<u32> {
        let Attr::Type(_, ty) = attr else { return None };
        let size = self.ir.m.layout.alloc_size(&self.ir.m.types, *ty)?;
        u32::try_from(size).ok().filter(|size| (1..=LARGEST_COPY).contains(size))
    }
}

/// The most bytes of an argument that is passed as a copy.
const LARGEST_COPY: u32 = 512;

/// The label of a call as the convention has it.
pub(super) fn lowered_label(signature: &Signature) -> String {
    format!("call {}", signature.key())
}

/// The label of a call with arguments of these widths.
pub(super) fn plain_label(widths: impl Iterator<Item = u32>) -> String {
    widths.fold("call".to_owned(), |label, w| format!("{label} {w}"))
}

/// How a call is made apart from the widths: its convention, where the function called is not beside it with the same
/// one, and what attributes say of the way arguments and the result go. A caller that has it otherwise calls something
/// else, though the values be the same.
pub(super) fn passed(ir: &Ir<'_>, call: &Call) -> String {
    const ABI: [&str; 11] = [
        "zeroext",
        "signext",
        "inreg",
        "sret",
        "nest",
        "byref",
        "inalloca",
        "preallocated",
        "swiftself",
        "swiftasync",
        "swifterror",
    ];
    let name = ir.callee_name(call).and_then(|n| ir.m.names.get(n));
    let callee = ir.m.functions.iter().find(|f| Some(f.name) == name);
    let convention = |words: &[Name]| -> String {
        let words = words.iter().map(|w| ir.m.names.text(*w));
        words.filter(|w| *w != "ccc" && is_calling_convention(w.as_bytes())).collect()
    };
    let mut out = convention(&call.words);
    if callee.is_some_and(|f| f.defined && convention(&f.words) == out) {
        out.clear();
    }
    for (n, arg) in call.args.iter().enumerate() {
        if let Type::Float(_) = ir.m.types.resolve(ir.elem_type(arg.ty)) {
            out.push_str(&format!(" {n} float"));
        }
    }
    if matches!(ir.m.types.resolve(ir.elem_type(call.ret)), Type::Float(_)) {
        out.push_str(" float");
    }
    if matches!(call.fn_ty.map(|t| ir.m.types.get(t)), Some(Type::Func { vararg: true, .. })) {
        out.push_str(" ...");
    }
    let mut note = |what: String, attrs: &[Attr], declared: Option<&[Attr]>| {
        let all = attrs.iter().chain(declared.into_iter().flatten());
        let mut found: Vec<&str> =
            all.map(|a| ir.m.names.text(a.name())).filter(|n| ABI.contains(n)).collect();
        found.sort_unstable();
        found.dedup();
        for word in found {
            out.push_str(&format!(" {what}{word}"));
        }
    };
    for (n, arg) in call.args.iter().enumerate() {
        note(format!("{n} "), &arg.attrs, callee.and_then(|f| f.params.get(n)).map(|p| &p.attrs[..]));
    }
    note(String::new(), &call.ret_attrs, callee.map(|f| &f.ret_attrs[..]));
    if out.is_empty() { out } else { format!(" by {}", out.trim_start()) }
}

/// The memory in which incoming stack arguments lie where the convention puts them.
pub(super) fn store_stack_arguments<D: Domain>(
    d: &mut D,
    stack: &[StackArgument],
    mem: D::Mem,
    args: &[Value<D>],
) -> D::Mem {
    let mut out = mem;
    for (n, argument) in stack.iter().enumerate() {
        let scalars = args.get(argument.piece.arg).map(|a| a.scalars()).unwrap_or_default();
        let Some(scalar) = scalars.get(argument.piece.scalar) else { continue };
        let value = argument.piece.value(d, &scalar.bits);
        out = argument.store(d, n, out, &value);
    }
    out
}

/// The lowered signature of a call, with the attributes of call and callee together.
pub(super) fn lower_call(ir: &Ir<'_>, call: &Call) -> Result<Signature, Unsupported> {
    let m = ir.m;
    let declared = ir.callee_name(call).and_then(|name| {
        let id = m.names.get(name)?;
        m.functions.iter().find(|f| f.name == id)
    });
    let mut attrs: Vec<Vec<Attr>> = Vec::new();
    for (i, arg) in call.args.iter().enumerate() {
        let mut list = arg.attrs.clone();
        if let Some(param) = declared.and_then(|f| f.params.get(i)) {
            list.extend(param.attrs.iter().cloned());
        }
        attrs.push(list);
    }
    let mut ret_attrs = call.ret_attrs.clone();
    if let Some(f) = declared {
        ret_attrs.extend(f.ret_attrs.iter().cloned());
    }
    let args: Vec<(TypeId, &[Attr])> = call.args.iter().zip(&attrs).map(|(a, l)| (a.ty, &l[..])).collect();
    let variadic = match call.fn_ty.map(|t| m.types.get(t)) {
        Some(Type::Func { vararg, .. }) => *vararg,
        _ => false,
    };
    let words: Vec<&str> = call.words.iter().map(|w| m.names.text(*w)).collect();
    lower(m, &args, (call.ret, &ret_attrs), variadic, &words, widest_vector(m, ir.f))
}
