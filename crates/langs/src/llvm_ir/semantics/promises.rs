//! What attributes promise of parameters, arguments and results, between IR programs: an optimiser relies on it.
//!
//! Where a promise is broken, the value is poison, or behaviour undefined (`noundef`, `dereferenceable`). The source is
//! held to it always: that permits anything. The target is where inputs may be poison ([`Ir::poison_inputs`]): then
//! what it promises anew is an obligation like any other. Elsewhere it is an assumption that `pairs/opt.rs` states.

use super::floats::of_class;
use super::value::in_range;
use super::{Ir, Scalar, Side, State, Value, known_global_size};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Arg, Attr, Call, Function, Inst, LocalId, Op, Operand, Param};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::memory::access::{AccessCheck, Asked};
use crate::names::Name;
use rustc_hash::FxHashSet;

/// Variables of a program whose declared alignment is looked at: fewer promise less.
const MOST_VARIABLES: usize = 16;

/// Bytes behind a parameter that nobody reads any more which are looked at: fewer promise less.
const MOST_DEAD: u64 = 64;

/// How many of the bytes are looked at that `dereferenceable` promises. The target has to keep all of its promise; the source,
/// which mostly promises the same, is believed as far.
pub(crate) const MOST_KEPT: u64 = 1024;

impl<'m> Ir<'m> {
    fn holds_promises(&self) -> bool {
        self.checks.exact && (self.side == Side::Source || self.poison_inputs)
    }

    /// The function that a call names, as this module declares it.
    pub(crate) fn callee(&self, call: &Call) -> Option<&'m Function> {
        let name = self.callee_name(call).and_then(|n| self.m.names.get(n))?;
        self.m.functions.iter().find(|f| f.name == name)
    }

    /// Notes at the entry that promises about the parameters do not hold. Without `noundef`, such an argument is
    /// poison; where verdicts assume that none is, it is none that callers pass.
    pub(crate) fn note_parameters<D: Domain>(&self, d: &mut D, st: &mut State<D>) {
        if !self.holds_promises() {
            return;
        }
        self.note_misplaced(d, st);
        for param in &self.f.params {
            let Some(Some(value)) = st.locals.get(param.local.0 as usize).cloned() else { continue };
            let kept = if self.poison_inputs {
                self.promised(d, st, &param.attrs, param.ty, &value)
            } else {
                let Value::Scalar(s) = &value else { continue };
                let broken = self.value_breaks(d, &param.attrs, param.ty, &s.bits);
                self.note_ub(d, st, &broken);
                self.note_unreadable(d, st, &param.attrs, s);
                value
            };
            st.locals[param.local.0 as usize] = Some(kept);
        }
    }

    /// The source is not about variables of either program that lie otherwise than aligned as declared.
    fn note_misplaced<D: Domain>(&self, d: &mut D, st: &mut State<D>) {
        if self.side != Side::Source {
            return;
        }
        for ir in std::iter::once(self).chain(self.beside.as_deref()) {
            let mut named: FxHashSet<Name> = FxHashSet::default();
            for inst in &ir.f.insts {
                inst.op.for_each_operand(|o| named.extend(ir.global_of(o)));
            }
            for g in ir.m.globals.iter().filter(|g| named.contains(&g.name)).take(MOST_VARIABLES) {
                let align = g.align.filter(|a| a.is_power_of_two() && (2..=4096).contains(a));
                let (Some(align), Some(_)) = (align, known_global_size(ir.m, g.name)) else { continue };
                let at = ir.global_address(d, ir.m.names.text(g.name));
                let low = d.zfit(&at, align.trailing_zeros());
                let aligned = d.is_zero(&low);
                let off = d.not(&aligned);
                self.note_ub(d, st, &off);
            }
        }
    }

    /// A value of which attributes promise something: poison where that does not hold, and undefined behaviour where
    /// they say that it is not poison.
    pub(crate) fn promised<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        attrs: &[Attr],
        ty: TypeId,
        value: &Value<D>,
    ) -> Value<D> {
        if attrs.is_empty() || !self.holds_promises() {
            return value.clone();
        }
        self.kept_promise(d, st, attrs, ty, value)
    }

    /// A value of which attributes promise something.
    fn kept_promise<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        attrs: &[Attr],
        ty: TypeId,
        value: &Value<D>,
    ) -> Value<D> {
        let noundef = self.attr(attrs, "noundef").is_some();
        let elem = self.elem_type(ty);
        let mut undefined = d.bool(false);
        let kept = value.map(d, &mut |d, s| {
            let broken = self.value_breaks(d, attrs, elem, &s.bits);
            let poison = d.or(&s.poison, &broken);
            let kept = Scalar { bits: s.bits.clone(), poison, undef: s.undef.clone() };
            let bad = kept.anything(d);
            undefined = d.or(&undefined, &bad);
            kept
        });
        if noundef {
            self.note_ub(d, st, &undefined);
        }
        if let Value::Scalar(s) = &kept {
            self.note_unreadable(d, st, attrs, s);
        }
        kept
    }

    /// Notes undefined behaviour where memory that an attribute says is there cannot be read (or, of an object passed by
    /// value, written).
    fn note_unreadable<D: Domain>(&self, d: &mut D, st: &mut State<D>, attrs: &[Attr], s: &Scalar<D>) {
        let written = self.side == Side::Source && self.attr(attrs, "writable").is_some();
        for attr in attrs {
            let (bytes, or_null, write) = match (self.m.names.text(attr.name()), attr) {
                ("dereferenceable", Attr::Int(_, n)) => (*n, false, written),
                ("dereferenceable_or_null", Attr::Int(_, n)) => (*n, true, written),
                ("byval" | "sret", Attr::Type(_, ty)) if self.side == Side::Source => {
                    (self.m.layout.alloc_size(&self.m.types, *ty).unwrap_or(0), false, true)
                }
                _ => continue,
            };
            let mut fine = d.bool(true);
            for i in 0..bytes.min(MOST_KEPT) {
                let at = d.add_num(&s.bits, i128::from(i));
                let this = self.checks.access.permits(d, &st.perm, &at, (1, write), Asked::Words);
                fine = d.and(&fine, &this);
            }
            let null = d.is_zero(&s.bits);
            let some = d.not(&null);
            let kept = match or_null {
                true => d.or(&null, &fine),
                false if self.checks.access == AccessCheck::MappedFromZero => fine,
                false => d.and(&some, &fine),
            };
            let broken = d.not(&kept);
            self.note_ub(d, st, &broken);
            if self.poison_inputs {
                let bad = s.anything(d);
                self.note_ub(d, st, &bad);
            }
        }
    }

    /// Whether an attribute promises bytes behind an address that lies in a stack object or a variable which has as many: no
    /// call before can have taken those away.
    fn is_there(&self, attr: &Attr, value: Operand) -> bool {
        let said = matches!(self.m.names.text(attr.name()), "dereferenceable" | "dereferenceable_or_null");
        matches!(attr, Attr::Int(_, n) if said && self.inside_object(value, *n, false))
    }

    /// An argument of an intrinsic with what is promised of it there, but for what follows from the work that is done on it: a
    /// block has all the bytes that are copied or filled.
    pub(super) fn promised_to_intrinsic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (call, intrinsic): (&Call, Intrinsic),
        arg: &Arg,
        value: Value<D>,
    ) -> Value<D> {
        let worked_on = match intrinsic {
            Intrinsic::Block(_) => call.args.get(2).and_then(|a| self.small_constant(a.value)).unwrap_or(0),
            _ => 0,
        };
        let worked_on = u64::try_from(worked_on).unwrap_or(0);
        let open = |a: &&Attr| match (self.m.names.text(a.name()), a) {
            ("dereferenceable" | "dereferenceable_or_null", Attr::Int(_, n)) => *n > worked_on,
            ("nonnull", _) => worked_on == 0 || self.checks.access == AccessCheck::MappedFromZero,
            ("range" | "nofpclass", _) => true,
            _ => false,
        };
        let unsure = |a: &&Attr| open(a) && !self.is_there(a, arg.value);
        let attrs: Vec<Attr> = arg.attrs.iter().filter(unsure).cloned().collect();
        if !self.checks.exact || attrs.is_empty() {
            return value;
        }
        if self.side == Side::Target && attrs.iter().any(|a| matches!(a, Attr::Int(_, n) if *n > MOST_KEPT)) {
            self.assume(Assumption::PromisesAtCalls);
        }
        self.kept_promise(d, st, &attrs, arg.ty, &value)
    }

    /// The arguments of a call with what is promised of them there, and where the function is declared.
    pub(super) fn promised_arguments<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        args: &mut [Value<D>],
    ) {
        let declared = self.callee(call);
        for (n, (arg, value)) in call.args.iter().zip(args).enumerate() {
            let mut attrs = arg.attrs.clone();
            let param = declared.and_then(|f| f.params.get(n)).filter(|p| p.ty == arg.ty);
            attrs.extend(param.into_iter().flat_map(|p| p.attrs.iter().cloned()));
            attrs.retain(|a| !self.is_there(a, arg.value));
            *value = self.promised(d, st, &attrs, arg.ty, value);
        }
    }

    /// What is promised of the result of a call, there and where the function is declared.
    fn result_attrs(&self, call: &Call) -> Vec<Attr> {
        let mut attrs = call.ret_attrs.clone();
        let declared = self.callee(call).filter(|f| f.ret == call.ret);
        let told = |f: &&Function| !self.is_told_of_library(f);
        let of_declaration = declared.into_iter().flat_map(|f| {
            f.ret_attrs.iter().filter(move |a| self.m.names.text(a.name()) != "noundef" || told(&f)).cloned()
        });
        attrs.extend(of_declaration);
        self.without_certain(call, attrs)
    }

    /// Whether a function is the library's, of which an optimiser knows that its result is never undefined: that the target's
    /// declaration says so is no promise of the program, and is stated.
    pub(crate) fn is_told_of_library(&self, f: &Function) -> bool {
        self.checks.exact
            && self.side == Side::Target
            && !f.defined
            && super::library::is_known(self.m.names.text(f.name))
    }

    /// What is promised without that a count of set bits is no more than its bits, which it never is: a solver should
    /// not be asked.
    fn without_certain(&self, call: &Call, mut attrs: Vec<Attr>) -> Vec<Attr> {
        if let (Some((Intrinsic::Popcount, _)), Ok(bits)) = (call.intrinsic, self.scalar_bits(call.ret)) {
            let all = format!("i{bits} 0, {}", bits + 1);
            attrs.retain(|a| !matches!(a, Attr::Raw(name, text) if self.m.names.text(*name) == "range" && text.trim() == all));
        }
        attrs
    }

    /// Whether the result of a call is promised not to be poison.
    pub(crate) fn result_is_defined(&self, call: &Call) -> bool {
        const ALLOCATION: [&str; 5] = ["malloc", "calloc", "realloc", "_Znwm", "_Znam"];
        let of_library = || self.callee(call).is_some_and(|f| !f.defined);
        self.attr(&self.result_attrs(call), "noundef").is_some()
            || (self.callee_name(call).is_some_and(|n| ALLOCATION.contains(&n)) && of_library())
    }

    /// The result of a call of which something is promised that makes behaviour undefined where it does not hold: it is
    /// looked at behind the call, used or not.
    pub(crate) fn looked_at_result(&self, inst: &Inst) -> Option<LocalId> {
        let Op::Call(call) = &inst.op else { return None };
        let looked_at = |a: &Attr| {
            matches!(self.m.names.text(a.name()), "noundef" | "dereferenceable" | "dereferenceable_or_null")
        };
        let attrs = self.result_attrs(call);
        let told = self.holds_promises() && call.intrinsic.is_none() && attrs.iter().any(looked_at);
        inst.result.filter(|_| told || self.given_back(call).is_some())
    }

    /// The argument that a call gives back, where it is of a library function that does so and the target may leave its own result
    /// to such a function at its end, as code generators do.
    fn given_back(&self, call: &Call) -> Option<Operand> {
        const FUNCTIONS: [&str; 4] = ["strcpy", "strncpy", "strcat", "strncat"];
        let first = call.args.first().filter(|a| a.ty == call.ret)?;
        let known = self.callee_name(call).is_some_and(|name| FUNCTIONS.contains(&name));
        let declared = self.callee(call).is_some_and(|f| !f.defined && f.ret == call.ret);
        let builtin = self.attr(&call.attrs, "nobuiltin").is_none();
        (self.ends_in_calls && known && declared && builtin).then_some(first.value)
    }

    /// Notes undefined behaviour behind a call that returned what it promised not to return.
    pub(crate) fn note_result<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) {
        let (Op::Call(call), Some(result)) = (&inst.op, self.looked_at_result(inst)) else { return };
        let Some(Some(value)) = st.locals.get(result.0 as usize).cloned() else { return };
        if let Some(Operand::Local(LocalId(first))) = self.given_back(call)
            && let (Value::Scalar(value), Some(Some(Value::Scalar(first)))) =
                (&value, st.locals.get(first as usize).cloned())
        {
            let other = d.ne(&value.bits, &first.bits);
            self.note_ub(d, st, &other);
            // A run on numbers proves nothing.
            let probe = d.nondet("probe", 1);
            if d.as_const(&probe).is_none() {
                self.assume(Assumption::FunctionsOfTheLibrary);
            }
        }
        if self.holds_promises() {
            self.promised(d, st, &self.result_attrs(call), call.ret, &value);
        }
    }

    /// Whether what a call returned breaks what is promised of it: then it is poison.
    pub(crate) fn result_breaks<D: Domain>(
        &self,
        d: &mut D,
        inst: &Inst,
        call: &Call,
        bits: &D::Bv,
    ) -> D::Bool {
        if !self.holds_promises() {
            return d.bool(false);
        }
        let mut broken = self.value_breaks(d, &self.result_attrs(call), self.elem_type(call.ret), bits);
        for (kind, node) in &inst.attachments {
            let inside = match (self.m.names.text(*kind), node) {
                ("range", Some(node)) => self.in_ranges(d, *node, bits),
                _ => None,
            };
            if let Some(inside) = inside {
                let out = d.not(&inside);
                broken = d.or(&broken, &out);
            }
        }
        broken
    }

    /// The value of an intrinsic with what the call promises of it.
    pub(super) fn promised_result<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        call: &Call,
        value: Value<D>,
    ) -> Value<D> {
        let attrs = self.without_certain(call, call.ret_attrs.clone());
        if !self.checks.exact || attrs.is_empty() {
            return value;
        }
        let (elem, mut undefined) = (self.elem_type(call.ret), d.bool(false));
        let kept = value.map(d, &mut |d, s| {
            let broken = self.value_breaks(d, &attrs, elem, &s.bits);
            let poison = d.or(&s.poison, &broken);
            undefined = d.or(&undefined, &poison);
            Scalar { bits: s.bits.clone(), poison, undef: s.undef.clone() }
        });
        if self.attr(&attrs, "noundef").is_some() {
            self.note_ub(d, st, &undefined);
        }
        kept
    }

    /// The value that the function returns, with what it promises of it; to return at all where it promises not to is
    /// undefined.
    pub(crate) fn promised_exit<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Option<Value<D>> {
        if !self.holds_promises() {
            return value;
        }
        if self.function_says("noreturn") {
            let always = d.bool(true);
            self.note_ub(d, st, &always);
        }
        let value = self.promised(d, st, &self.f.ret_attrs, self.f.ret, &value?);
        let returned = self.f.params.iter().find(|p| self.attr(&p.attrs, "returned").is_some());
        let given = returned.and_then(|p| st.locals.get(p.local.0 as usize)?.clone());
        let (Some(Value::Scalar(given)), Value::Scalar(s)) = (given, &value) else { return Some(value) };
        if d.width(&given.bits) != d.width(&s.bits) {
            return Some(value);
        }
        let other = d.ne(&given.bits, &s.bits);
        let poison = d.or(&s.poison, &other);
        Some(Value::Scalar(Scalar { bits: s.bits.clone(), poison, undef: s.undef.clone() }))
    }

    /// Notes at an exit that the function returns the address of an object of its own or of a variable which has fewer
    /// bytes behind it than it promises.
    pub(super) fn note_short_result<D: Domain>(&self, d: &mut D, st: &mut State<D>, value: Operand) {
        let promised = self.f.ret_attrs.iter().find_map(|a| match (self.m.names.text(a.name()), a) {
            ("dereferenceable" | "dereferenceable_or_null", Attr::Int(_, n)) => Some(*n),
            _ => None,
        });
        let (Some(bytes), true) = (promised, self.holds_promises()) else { return };
        if self.room_behind(value).is_some_and(|room| room < bytes) {
            let always = d.bool(true);
            self.note_ub(d, st, &always);
        }
    }

    /// Parameters of which something is promised that holds behind the function.
    pub(crate) fn looked_at_behind(&self) -> impl Iterator<Item = usize> {
        let looked_at =
            |p: &Param| self.attr(&p.attrs, "returned").is_some() || self.dead_behind(&p.attrs).is_some();
        let params = self.f.params.iter().enumerate();
        params.filter(move |(_, p)| self.checks.exact && looked_at(p)).map(|(n, _)| n)
    }

    /// How many bytes behind a parameter nobody reads once the function has returned (`dead_on_return(N)`).
    fn dead_behind(&self, attrs: &[Attr]) -> Option<u64> {
        attrs.iter().find_map(|a| match (self.m.names.text(a.name()), a) {
            ("dead_on_return", Attr::Int(_, n)) => Some(*n).filter(|n| *n <= MOST_DEAD),
            _ => None,
        })
    }

    /// Memory behind the function, what its parameters say nobody reads any more made the same everywhere.
    pub(crate) fn without_dead_arguments<D: Domain>(&self, d: &mut D, st: &State<D>, mem: &D::Mem) -> D::Mem {
        let mut out = mem.clone();
        for p in &self.f.params {
            let Some(bytes) = self.dead_behind(&p.attrs) else { continue };
            let Some(Some(Value::Scalar(at))) = st.locals.get(p.local.0 as usize) else { continue };
            let zero = d.num(8, 0);
            for i in 0..bytes {
                let at = d.add_num(&at.bits, i128::from(i));
                out = d.store(&out, &at, &zero);
            }
        }
        out
    }

    /// Attributes of a function, those of its groups with them.
    pub(crate) fn attributes_of(&self, f: &'m Function) -> impl Iterator<Item = &'m Attr> {
        self.m.attributes_of(f)
    }

    /// Whether the function itself has an attribute.
    pub(crate) fn function_says(&self, word: &str) -> bool {
        self.attributes_of(self.f).any(|a| self.m.names.text(a.name()) == word)
    }

    /// Whether a value is null, misaligned or out of the range that its attributes promise.
    fn value_breaks<D: Domain>(&self, d: &mut D, attrs: &[Attr], ty: TypeId, bits: &D::Bv) -> D::Bool {
        let mut broken = d.bool(false);
        let pointer = matches!(self.m.types.resolve(ty), Type::Ptr(_));
        for attr in attrs {
            let this = match (self.m.names.text(attr.name()), attr) {
                ("nonnull", _) if pointer => d.is_zero(bits),
                ("align", Attr::Int(_, n)) if pointer && n.is_power_of_two() && *n > 1 => {
                    let low = d.zfit(bits, n.trailing_zeros());
                    let aligned = d.is_zero(&low);
                    d.not(&aligned)
                }
                ("range", Attr::Raw(_, text)) => match self.bounds(d, text, ty) {
                    Some((lo, hi)) => {
                        let inside = in_range(d, bits, &lo, &hi);
                        d.not(&inside)
                    }
                    None => continue,
                },
                ("nofpclass", Attr::Raw(_, text)) => {
                    let mantissa = self.float_format(ty).ok().and_then(|f| f.mantissa());
                    let Some(mantissa) = mantissa else { continue };
                    of_class(d, bits, mantissa, classes(text))
                }
                _ => continue,
            };
            broken = d.or(&broken, &this);
        }
        broken
    }

    /// The bounds of `range(iN LO, HI)` for a value of that type.
    fn bounds<D: Domain>(&self, d: &mut D, text: &str, ty: TypeId) -> Option<(D::Bv, D::Bv)> {
        let (of, numbers) = text.trim().split_once(' ')?;
        let (lo, hi) = numbers.split_once(',')?;
        let width = of.strip_prefix('i')?.parse::<u32>().ok()?;
        let (lo, hi) = (lo.trim().parse::<i128>().ok()?, hi.trim().parse::<i128>().ok()?);
        let int = ty != Types::VOID && self.scalar_bits(ty).ok()? == width;
        (lo != hi && int).then(|| (d.signed(width, lo), d.signed(width, hi)))
    }
}

/// The classes that `nofpclass` names, as `llvm.is.fpclass` counts them.
fn classes(text: &str) -> u64 {
    let of = |word: &str| match word {
        "all" => 0x3ff,
        "nan" => 0x3,
        "snan" => 0x1,
        "qnan" => 0x2,
        "inf" => 0x204,
        "ninf" => 0x4,
        "pinf" => 0x200,
        "norm" => 0x108,
        "nnorm" => 0x8,
        "pnorm" => 0x100,
        "sub" => 0x90,
        "nsub" => 0x10,
        "psub" => 0x80,
        "zero" => 0x60,
        "nzero" => 0x20,
        "pzero" => 0x40,
        _ => 0,
    };
    text.split_whitespace().map(of).fold(0, |all, one| all | one)
}
