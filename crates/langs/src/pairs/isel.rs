//! LLVM IR against x86 Machine IR: what instruction selection must preserve (section 4 of the KEQ paper).
//!
//! Both programs share one flat memory. Stack objects of the source lie where the target's frame objects do: any
//! placement is allowed to the source, so this one may be chosen. Arguments, results and calls are compared as the
//! System V convention lays them out; a value the source leaves open (poison, undef) matches anything.

use super::Machine;
use super::accesses::unkept_promise;
use super::beyond::points_to_its_own;
use super::calls::pair_calls;
use super::file::IselFile;
use super::frame::{Frame, shared_promoted, variadic};
use super::guess::Registers;
use super::opt::is_tagged;
use crate::abi::{Signature, Slot};
use crate::choice::{Allowed, Choices, open_phi};
use crate::domain::{Domain, Ext, Res, Unsupported};
use crate::llvm_ir;
use crate::llvm_ir::ast::{Attr, Function, Module};
use crate::llvm_ir::program::Boundary;
use crate::llvm_ir::semantics::{Checks, Ir, Side, flat_widths};
use crate::llvm_ir::signature::{lower, widest_vector};
use crate::llvm_ir::types::TypeId;
use crate::memory::access::AccessCheck;
use crate::names::Name;
use crate::x86_mir;
use crate::x86_mir::semantics::table::Sem;
use crate::x86_mir::semantics::{Environment, X86};
use equiv::{Acceptability, Constraint, Event, EventKind, Expr, Shape, Val};
use std::rc::Rc;

/// The relation between an LLVM IR function and its machine function.
#[derive(Clone, Debug, Default)]
pub struct Isel {
    /// Where values are expected.
    pub registers: Registers,
    /// Some pointers of the source have objects of their own.
    pub own: bool,
}

/// A pair ready to be proved.
pub struct Pair<'m> {
    /// The source.
    pub left: llvm_ir::program::Program<'m>,
    /// The target.
    pub right: x86_mir::program::Program<'m, Ir<'m>>,
    /// How their states relate.
    pub relation: Isel,
}

/// Whether values agree where the left ones come with a flag that they may be anything.
pub(super) fn agree<D: Domain>(d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
    let mut all = d.bool(left.len() == right.len());
    let mut i = 0;
    while i < left.len().min(right.len()) {
        let step = match (&left[i], &right[i]) {
            (Val::Bv(a), Val::Bv(b)) => {
                let equal = if d.width(a) == d.width(b) { d.eq(a, b) } else { d.bool(false) };
                let free = match left.get(i + 1) {
                    Some(Val::Bv(flag)) => d.is_set(flag),
                    _ => d.bool(false),
                };
                let fine = d.or(&free, &equal);
                all = d.and(&all, &fine);
                2
            }
            (Val::Mem(a), Val::Mem(b)) => {
                let equal = d.eq_mem(a, b);
                all = d.and(&all, &equal);
                1
            }
            (Val::Bv(_), Val::Mem(_)) | (Val::Mem(_), Val::Bv(_)) => return d.bool(false),
        };
        i += step;
    }
    all
}

impl Acceptability for Isel {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        same_names(left, right)
    }

    fn exit<D: Domain>(&self, d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
        agree(d, left, right)
    }

    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        (left.label == right.label && left.results == right.results)
            .then(|| agree(d, &left.args, &right.args))
    }

    fn goes_on<D: Domain>(&self, event: &Event<D>) -> bool {
        event.kind == EventKind::Volatile
    }

    fn addresses_tell(&self) -> bool {
        !self.own
    }

    fn in_a_process(&self) -> bool {
        !self.own
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        describe(vals)
    }
}

/// At the entry, what has the same name on both sides has the same value.
pub(super) fn same_names(left: &Shape, right: &Shape) -> Vec<Constraint> {
    let mut out = Vec::new();
    for var in &left.point(Shape::ENTRY).vars {
        if right.var(Shape::ENTRY, &var.name).is_some() {
            out.push(Constraint {
                a: Expr::Var(equiv::Side::Right, var.name.clone()),
                b: Expr::Var(equiv::Side::Left, var.name.clone()),
            });
        }
    }
    out
}

/// Values with their flags in words: none where the flag says that it may be anything.
pub(super) fn describe(vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
    let mut out = Vec::new();
    let mut rest = vals.iter();
    while let Some(v) = rest.next() {
        if let Val::Bv(v) = v {
            let free = matches!(rest.next(), Some(Val::Bv(flag)) if flag.bit(0));
            out.push((!free).then(|| format!("{:#x}", v.to_big())));
        }
    }
    out
}

/// The functions of a `.mir` file that have both sides, by name; and those that lack one, with the reason.
pub fn isel_functions(m: &IselFile) -> (Vec<String>, Vec<(String, String)>) {
    let (mut both, mut lacking) = (Vec::new(), Vec::new());
    for f in &m.machine.functions {
        match source_function(m, &f.name) {
            Ok(_) => both.push(f.name.clone()),
            Err(e) => lacking.push((f.name.clone(), e.what)),
        }
    }
    for (name, error) in &m.machine.damaged {
        lacking.push((name.clone(), error.to_string()));
    }
    (both, lacking)
}

fn source_function<'m>(m: &'m IselFile, name: &str) -> Res<(&'m Module, &'m Function)> {
    let Some(ir) = &m.ir else {
        let why = m.ir_error.as_ref().map_or("no embedded LLVM IR".to_owned(), ToString::to_string);
        return Err(Unsupported::new(why));
    };
    let id = ir.names.get(name);
    if let Some((_, error)) = ir.damaged.iter().find(|(n, _)| Some(*n) == id) {
        return Err(Unsupported::new(error.to_string()));
    }
    match ir.functions.iter().find(|f| Some(f.name) == id && f.defined) {
        Some(f) => Ok((ir, f)),
        None => Err(Unsupported::new("no such function in the LLVM IR")),
    }
}

/// Which form of a pair is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairOptions {
    /// How accesses are permitted.
    pub access: AccessCheck,
    /// Whether the source is undefined if it breaks what its alias metadata promises.
    pub trusting: bool,
    /// Which freedoms of the source may be settled in view of the target.
    pub allowed: Allowed,
    /// Whether the source stores, where it stores poison, what the target has there.
    pub open_stores: bool,
}

impl PairOptions {
    /// A source whose alias metadata promises nothing and that settles what it may at once.
    pub const PLAIN: PairOptions = PairOptions {
        access: AccessCheck::Mapped,
        trusting: false,
        allowed: Allowed::ALL,
        open_stores: false,
    };
}

/// Prepares the pair of a function.
pub fn isel_pair<'m>(m: &'m IselFile, name: &str, access: AccessCheck) -> Res<Pair<'m>> {
    isel_pair_with(m, name, PairOptions { access, ..PairOptions::PLAIN })
}

/// As [`isel_pair_with`], where the source is undefined if it breaks what its alias metadata promises; none where that
/// promises nothing.
pub fn isel_pair_trusting<'m>(m: &'m IselFile, name: &str, options: PairOptions) -> Option<Res<Pair<'m>>> {
    let (ir, source) = source_function(m, name).ok()?;
    is_tagged(ir, source).then(|| isel_pair_with(m, name, PairOptions { trusting: true, ..options }))
}

/// How a function is called.
fn signature_of(m: &Module, f: &Function) -> Res<Signature> {
    let args: Vec<(TypeId, &[Attr])> = f.params.iter().map(|p| (p.ty, &p.attrs[..])).collect();
    let words: Vec<&str> = f.words.iter().map(|w: &Name| m.names.text(*w)).collect();
    lower(m, &args, (f.ret, &f.ret_attrs), false, &words, widest_vector(m, f))
}

/// The variables of the entry that both programs share: parameter, scalar, width in bits.
fn entry_arguments(ir: &Ir<'_>, by_value: &[(usize, Slot)]) -> Res<Vec<(usize, usize, u32)>> {
    let mut out = Vec::new();
    for (p, param) in ir.f.params.iter().enumerate() {
        if by_value.iter().any(|(n, _)| *n == p) {
            continue;
        }
        let Some(widths) = flat_widths(ir, param.ty) else {
            return Err(Unsupported::new("parameter of this type"));
        };
        out.extend(widths.into_iter().enumerate().map(|(s, w)| (p, s, w)));
    }
    Ok(out)
}

/// Prepares the pair of a function in a form.
pub fn isel_pair_with<'m>(m: &'m IselFile, name: &str, options: PairOptions) -> Res<Pair<'m>> {
    let (module, source) = source_function(m, name)?;
    let PairOptions { access, trusting, allowed, open_stores } = options;
    let Some(target) = m.machine.functions.iter().find(|f| f.name == name) else {
        return Err(Unsupported::new("no such machine function"));
    };
    let checks = Checks { access, exact: false };
    let objects = Ir::new(module, source, Side::Source, checks);
    let mut x86: Machine<'m> = X86::new(&m.machine, target, Environment::default(), objects);
    let ir = Ir::new(module, source, Side::Source, checks);
    if let Some(why) = unkept_promise(&ir, &x86) {
        return Err(Unsupported::new(why));
    }
    let mut ir = if trusting { ir.with_alias_metadata() } else { ir };
    let signature = signature_of(module, source)?;
    ir.open_stores = open_stores;
    ir.variadic = variadic(&ir, &x86, &signature);
    ir.choices = Choices::of(&ir, &x86, allowed);
    let tail = x86.opcodes.iter().flatten().any(|o| o.sem == Sem::TailCall);
    ir.ends_in_calls = tail;
    ir.handed_on = Some(u64::from(signature.stack_bytes)).filter(|bytes| tail && *bytes > 0);
    let mut frame = Frame::of(&ir, &x86, &signature);
    if let Some(variadic) = &ir.variadic {
        frame.name_unnamed(variadic, &x86, &signature);
    }
    let own = frame.by_value_objects(&ir, &x86);
    let mut places: Vec<_> = own.iter().map(|o| (o.name.clone(), o.slot.offset, o.size)).collect();
    places.extend(frame.incoming_arguments(&ir, &x86));
    let ir = ir.with_by_value(own);
    let variadic = ir.variadic;
    let (stack, fixed) = (frame.stack, frame.fixed);
    x86.env = Environment { stack, fixed, access, variadic, by_value: places, ..Environment::default() };
    let promoted = Rc::new(shared_promoted(&ir, &x86));
    let ir = ir.with_promoted(Rc::clone(&promoted));
    let arguments = entry_arguments(&ir, &frame.by_value)?;
    let boundary = Boundary {
        lowered: Some(signature.clone()),
        stack: frame.arguments.clone(),
        by_value: frame.by_value,
        variadic,
        ..Boundary::default()
    };
    let mut left = llvm_ir::program::Program::new(ir, boundary)?;
    let (calls, aliases) = pair_calls(&left, &x86);
    x86.env.signature = Some(signature);
    x86.env.calls = calls;
    x86.env.promoted = promoted;
    let mut right = x86_mir::program::Program::new(x86, frame.arguments, arguments, &aliases)?;
    let registers = Registers::of(&left.ir, &right.x86, |local| left.scalars(local));
    if allowed.allows(&open_phi::CHOICE) {
        let numbers = registers.numbers().map(|(local, numbers)| (local.0, numbers));
        (left.ir.choices.open, right.x86.open) = open_phi::choose(&left.ir, &right.x86, numbers);
    }
    // Where objects of computed sizes lie is the source's choice: addresses that differ are no proof of a difference.
    let own = points_to_its_own(module, source) || left.ir.moves_stack();
    Ok(Pair { left, right, relation: Isel { registers, own } })
}
