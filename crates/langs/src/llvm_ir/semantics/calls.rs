//! Calls: events, or operations on their arguments alone.

use super::{Callee, Effect, Ir, Res, Scalar, Side, State, Value, flat_widths};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Attr, Call, ConstKind, Function, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;
use crate::operation::Operation;

impl<'m> Ir<'m> {
    pub(super) fn call<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        call: &Call,
    ) -> Res<Effect<D>> {
        let pointer = |ty| matches!(self.m.types.resolve(ty), Type::Ptr(_));
        if pointer(call.ret)
            || call.args.iter().any(|a| pointer(a.ty))
            || matches!(call.callee, Operand::Local(_))
        {
            self.needs_whole_pointers()?;
        }
        if !call.bundles.is_empty() {
            if !matches!(call.intrinsic, Some((Intrinsic::Assume, _))) {
                return self.unsupported("operand bundles");
            }
            if !self.checks.exact && self.side == Side::Source {
                return Ok(Effect::Next);
            }
            self.assumed_bundles(d, st, call)?;
        }
        if let Some(intrinsic) = call.intrinsic {
            return self.intrinsic(d, st, (inst, call), intrinsic);
        }
        match self.assembly(call) {
            Some(Some(assembly)) => {
                self.needs_plain_pointers(call)?;
                return self.inline_assembly(d, st, (inst, call), &assembly);
            }
            Some(None) => return self.unsupported("inline assembly"),
            None => {}
        }
        if let Some(bytes) = inst.result.and_then(|l| self.choices.calls.compared.get(&l.0).copied()) {
            return self.compare_blocks(d, st, inst, call, bytes);
        }
        let mut args = Vec::new();
        for arg in &call.args {
            let value = self.operand(d, st, arg.value, arg.ty)?;
            if self.attr(&arg.attrs, "noundef").is_some() {
                for s in value.scalars() {
                    let bad = s.anything(d);
                    st.ub = d.or(&st.ub, &bad);
                }
            }
            args.push(value);
        }
        self.promised_arguments(d, st, call, &mut args);
        if let Some(operation) = inst.result.and_then(|l| self.choices.calls.computed.get(&l.0)) {
            self.assume(Assumption::MathOfTheLibrary);
            return self.pure_result(d, st, inst, (operation, call.ret), &args);
        }
        if self.pure_call(call)
            && let Some(name) = self.callee_name(call)
        {
            self.pure_result(d, st, inst, (&Operation::Call(name.to_owned()), call.ret), &args)?;
            self.promised_pure(d, st, inst, (call, name), &args);
            return Ok(Effect::Next);
        }
        if let Some(effect) = self.library_call(d, st, inst, (call, &args))? {
            return Ok(effect);
        }
        let callee = match self.callee_name(call) {
            Some(name) => {
                let other = self.callee(call).is_some_and(|f| self.is_of_another_type(call, f));
                if other && self.checks.exact && self.side == Side::Source {
                    let always = d.bool(true);
                    self.note_ub(d, st, &always);
                }
                Callee::Direct(name.to_owned())
            }
            None => {
                let address = self.scalar(d, st, call.callee, Types::PTR)?;
                let mut bad = address.anything(d);
                if self.checks.exact {
                    let null = d.is_zero(&address.bits);
                    bad = d.or(&bad, &null);
                }
                self.note_ub(d, st, &bad);
                self.note_other_type(d, st, call, &address.bits);
                match self.note_other_callee(d, st, inst, &address.bits) {
                    Some(name) => Callee::Direct(name),
                    None => Callee::Indirect(address.bits),
                }
            }
        };
        Ok(Effect::Call { callee, args })
    }

    /// What the bundles of an `assume` say: undefined where it does not hold. What is not known here the source does not
    /// rely on.
    fn assumed_bundles<D: Domain>(&self, d: &mut D, st: &mut State<D>, call: &Call) -> Res<()> {
        for bundle in &call.bundles {
            let tag = self.m.names.text(bundle.tag);
            let mut scalars = Vec::new();
            for arg in &bundle.args {
                scalars.push(self.operand(d, st, arg.value, arg.ty)?.scalar().cloned());
            }
            let number = |d: &mut D, n: usize| -> Option<u64> {
                let scalar: &Scalar<D> = scalars.get(n)?.as_ref()?;
                d.as_const(&scalar.bits)?.to_u64()
            };
            let Some(Some(value)) = scalars.first().cloned() else {
                if tag == "ignore" || tag == "cold" || self.side == Side::Source {
                    continue;
                }
                return self.unsupported("operand bundles");
            };
            let (second, third) = (number(d, 1), number(d, 2).or((scalars.len() < 3).then_some(0)));
            let broken = match (tag, second, third) {
                ("ignore" | "cold", ..) => continue,
                ("noundef", ..) => d.bool(false),
                ("nonnull", ..) => d.is_zero(&value.bits),
                ("align", Some(align), Some(offset)) if align.is_power_of_two() => {
                    let from = d.add_num(&value.bits, -i128::from(offset as i64));
                    let low = d.zfit(&from, align.trailing_zeros().max(1));
                    let aligned = d.is_zero(&low);
                    if align == 1 { d.bool(false) } else { d.not(&aligned) }
                }
                _ if self.side == Side::Source => continue,
                _ => return self.unsupported("operand bundles"),
            };
            let open = value.anything(d);
            let bad = d.or(&open, &broken);
            self.note_ub(d, st, &bad);
        }
        Ok(())
    }

    /// Whether the bundles of an `assume` say what is not followed.
    pub(crate) fn assumes_more(&self, call: &Call) -> bool {
        let known = ["ignore", "cold", "noundef", "nonnull"];
        call.bundles.iter().any(|b| match self.m.names.text(b.tag) {
            "align" => !b.args.iter().skip(1).all(|a| self.small_constant(a.value).is_some_and(|n| n >= 0)),
            tag => !known.contains(&tag),
        })
    }

    /// Between IR programs, the source is undefined where it calls a function with arguments or a result of other types
    /// than the function has. Looked at are the functions whose addresses this one names.
    fn note_other_type<D: Domain>(&self, d: &mut D, st: &mut State<D>, call: &Call, at: &D::Bv) {
        if !self.checks.exact || self.side == Side::Target {
            return;
        }
        let mut named: Vec<Name> = Vec::new();
        for inst in &self.f.insts {
            inst.op.for_each_operand(|o| named.extend(self.global_of(o)));
        }
        for f in self.m.functions.iter().filter(|f| named.contains(&f.name)) {
            if !self.is_of_another_type(call, f) {
                continue;
            }
            let address = self.global_address(d, self.m.names.text(f.name));
            let here = d.eq(at, &address);
            self.note_ub(d, st, &here);
        }
    }

    /// Notes undefined behaviour where a call by address is one of none of the functions that metadata lists
    /// (`!callees`); the one function, where it lists one alone.
    fn note_other_callee<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        at: &D::Bv,
    ) -> Option<String> {
        if !self.checks.exact {
            return None;
        }
        let listed = self.m.listed_callees(inst)?;
        let mut other = d.bool(true);
        for name in &listed {
            let address = self.global_address(d, name);
            let not = d.ne(at, &address);
            other = d.and(&other, &not);
        }
        self.note_ub(d, st, &other);
        match &listed.into_iter().collect::<Vec<_>>()[..] {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// Whether a call has a result or arguments of other types than the function.
    fn is_of_another_type(&self, call: &Call, f: &Function) -> bool {
        let same = f.ret == call.ret && f.params.iter().map(|p| p.ty).eq(call.args.iter().map(|a| a.ty));
        let variadic =
            matches!(call.fn_ty.map(|t| self.m.types.get(t)), Some(Type::Func { vararg: true, .. }));
        !(same || variadic || f.vararg)
    }

    /// Whether a call only computes from its arguments, by what is declared of it: then it is no event between IR
    /// programs.
    pub fn pure_call(&self, call: &Call) -> bool {
        if !self.checks.exact || !call.bundles.is_empty() || call.flags.any_math() {
            return false;
        }
        let Some(name) = self.callee_name(call).filter(|_| call.intrinsic.is_none()) else { return false };
        if call.args.iter().any(|a| self.attr(&a.attrs, "byval").is_some()) {
            return false;
        }
        let widths = flat_widths(self, call.ret);
        self.declared_to(call, name, &[("memory", Some("none")), ("readnone", None)])
            && self.declared_to(call, name, &[("willreturn", None)])
            && self.declared_to(call, name, &[("nounwind", None)])
            && widths.is_some_and(|w| w.len() == 1)
    }

    /// Whether a call does not return, as it says or the function is declared.
    pub(crate) fn never_returns(&self, call: &Call) -> bool {
        self.says_of_call(call, "noreturn")
    }

    /// Whether a call may return a second time, as `setjmp` does, as it says or the function is declared.
    pub(crate) fn may_return_twice(&self, call: &Call) -> bool {
        self.says_of_call(call, "returns_twice")
    }

    /// Whether a call has an attribute, or the function as it is declared.
    fn says_of_call(&self, call: &Call, what: &str) -> bool {
        let says = |a: &Attr| self.m.names.text(a.name()) == what;
        call.attrs.iter().chain(self.m.grouped(&call.groups)).any(says)
            || self.callee(call).is_some_and(|f| self.attributes_of(f).any(says))
    }

    /// Whether a call says that it touches no memory, what nobody can see included.
    pub(crate) fn has_no_effect(&self, call: &Call) -> bool {
        call.attrs.iter().any(|a| match (self.m.names.text(a.name()), a) {
            ("memory", Attr::Raw(_, text)) => text.trim() == "none",
            ("readnone", _) => true,
            _ => false,
        })
    }

    /// Whether a call of a function defined elsewhere only reads memory, by what is declared of it.
    pub(crate) fn only_reads(&self, call: &Call, name: &str) -> bool {
        let words = ["none", "read", "argmem: read", "inaccessiblemem: read"];
        let all: Vec<(&str, Option<&str>)> = words.iter().map(|w| ("memory", Some(*w))).collect();
        self.declared_to(call, name, &all)
            || self.declared_to(call, name, &[("readnone", None), ("readonly", None)])
    }

    /// Whether a call of a function defined elsewhere, or whose attributes are taken to hold, has one of these, with the text
    /// in its brackets.
    fn declared_to(&self, call: &Call, name: &str, any: &[(&str, Option<&str>)]) -> bool {
        let id = self.m.names.get(name);
        let declared = self.m.functions.iter().find(|f| Some(f.name) == id);
        if declared.is_none_or(|f| f.defined && !self.m.kept.contains(&f.name)) {
            return false;
        }
        let groups: Vec<u32> = call
            .groups
            .iter()
            .copied()
            .chain(declared.iter().flat_map(|f| f.groups.iter().copied()))
            .collect();
        let attrs: Vec<&Attr> = call
            .attrs
            .iter()
            .chain(declared.iter().flat_map(|f| f.attrs.iter()))
            .chain(self.m.attr_groups.iter().filter(|(n, _)| groups.contains(n)).flat_map(|(_, a)| a.iter()))
            .collect();
        let says = |word: &str, inner: Option<&str>| {
            attrs.iter().any(|a| {
                self.m.names.text(a.name()) == word
                    && match (inner, a) {
                        (None, _) => true,
                        (Some(want), Attr::Raw(_, text)) => text.trim() == want,
                        (Some(_), _) => false,
                    }
            })
        };
        any.iter().any(|(word, inner)| says(word, *inner))
    }

    /// The result of a call that only computes: some function of its arguments, by a name.
    fn pure_result<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        (operation, ret): (&Operation, TypeId),
        args: &[Value<D>],
    ) -> Res<Effect<D>> {
        let width = self.scalar_bits(ret)?;
        let scalars: Vec<&Scalar<D>> = args.iter().flat_map(|a| a.scalars()).collect();
        let bits: Vec<D::Bv> = scalars.iter().map(|s| s.bits.clone()).collect();
        // What has no arguments is one value, which relations name.
        let result = match bits[..] {
            [] => d.symbol(&operation.to_string(), width),
            _ => d.operation(operation, &bits, width),
        };
        let mut poison = d.bool(false);
        if self.side == Side::Target {
            for s in scalars {
                let bad = s.anything(d);
                poison = d.or(&poison, &bad);
            }
        }
        self.set_result(st, inst, Value::Scalar(Scalar::with_poison(d, result, poison)));
        Ok(Effect::Next)
    }

    /// The name and the type of what a call gives that only computes, from nothing: the same each time.
    pub(crate) fn constant_call(&self, inst: &Inst) -> Option<(String, TypeId)> {
        let Op::Call(call) = &inst.op else { return None };
        let name = self.callee_name(call).filter(|_| call.args.is_empty() && self.pure_call(call))?;
        Some((Operation::Call(name.to_owned()).to_string(), call.ret))
    }

    /// The result of a call that only computes may be poison, where nothing says that it is not: a matter of its
    /// arguments too.
    fn promised_pure<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &Inst,
        (call, name): (&Call, &str),
        args: &[Value<D>],
    ) {
        let value = inst.result.and_then(|l| st.locals.get(l.0 as usize).cloned().flatten());
        let (Some(Value::Scalar(s)), true) = (value, self.poison_inputs) else { return };
        let mut poison = self.result_breaks(d, inst, call, &s.bits);
        if !self.result_is_defined(call) {
            let bits: Vec<D::Bv> = args.iter().flat_map(|a| a.scalars()).map(|s| s.bits.clone()).collect();
            let said = d.predicate(&Operation::Call(format!("poison of {name}")), &bits);
            poison = d.or(&poison, &said);
        }
        let poison = d.or(&s.poison, &poison);
        self.set_result(st, inst, Value::Scalar(Scalar { bits: s.bits, poison, undef: s.undef }));
    }

    /// What is known of the numbers that a call gives, part by part.
    pub(crate) fn known_results(&self, call: &Call) -> &'m [Option<smt::Bv>] {
        let m = self.m;
        let name = self.callee_name(call).and_then(|name| m.names.get(name));
        name.and_then(|name| m.results.get(&name)).map_or(&[], |parts| parts)
    }

    /// The name of a directly called function.
    pub fn callee_name(&self, call: &Call) -> Option<&'m str> {
        let m = self.m;
        match call.callee {
            Operand::Const(c) => match &m.consts.get(c.0 as usize)?.kind {
                ConstKind::Global(name) | ConstKind::Wrapped(_, name) => Some(m.names.text(*name)),
                _ => None,
            },
            Operand::Local(_) => None,
        }
    }
}
