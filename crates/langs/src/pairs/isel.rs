//! LLVM IR against x86 Machine IR: what instruction selection must preserve (section 4 of the KEQ paper).
//!
//! Both programs share one flat memory. Stack objects of the source lie where the target's frame objects do: any
//! placement is allowed to the source, so this one may be chosen. Arguments, results and calls are compared as the
//! System V convention lays them out; a value the source leaves open (poison, undef) matches anything.

use super::open::name_open_values;
use super::opt::points_to_its_own;
use super::registers::Registers;
use crate::cells::{Accesses, Cells};
use crate::domain::{Domain, Ext, Unsupported};
use crate::llvm_ir;
use crate::llvm_ir::ast::{Attr, CastOp, Flags, IntPred, LocalId, Module, Op};
use crate::llvm_ir::program::{Boundary, StackArgument, flat_widths};
use crate::llvm_ir::semantics::{AccessCheck, ByValue, Checks, Ir, Side};
use crate::llvm_ir::types::TypeId;
use crate::names::Name;
use crate::operation::{Format, Operation};
use crate::x86_mir;
use crate::x86_mir::ast::{MachineFunction, MirModule, Operand};
use crate::x86_mir::semantics::calls::{AREA, Loc, Signature, Slot, lower};
use crate::x86_mir::semantics::table::{Count, Sem};
use crate::x86_mir::semantics::variadic::{OVERFLOW, SAVED, Variadic};
use crate::x86_mir::semantics::{Environment, X86};
use equiv::{Acceptability, Constraint, Event, Expr, PointId, Shape, Val};
use rustc_hash::{FxHashMap, FxHashSet};
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
    pub right: x86_mir::program::Program<'m>,
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
        event.label.starts_with("volatile ")
    }

    fn addresses_tell(&self) -> bool {
        !self.own
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        describe(vals)
    }

    fn candidates(&self, left: (&Shape, PointId), right: (&Shape, PointId)) -> Vec<Constraint> {
        self.registers.candidates(left, right)
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
pub fn isel_functions(m: &MirModule) -> (Vec<String>, Vec<(String, String)>) {
    let (mut both, mut lacking) = (Vec::new(), Vec::new());
    for f in &m.functions {
        match source_function(m, &f.name) {
            Ok(_) => both.push(f.name.clone()),
            Err(e) => lacking.push((f.name.clone(), e.what)),
        }
    }
    for (name, error) in &m.damaged {
        lacking.push((name.clone(), error.to_string()));
    }
    (both, lacking)
}

fn source_function<'m>(
    m: &'m MirModule,
    name: &str,
) -> Result<(&'m Module, &'m llvm_ir::ast::Function), Unsupported> {
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

/// Prepares the pair of a function.
pub fn isel_pair<'m>(m: &'m MirModule, name: &str, access: AccessCheck) -> Result<Pair<'m>, Unsupported> {
    let (ir_module, source) = source_function(m, name)?;
    isel_pair_of(m, ir_module, source, name, (access, false))
}

/// As [`isel_pair`], where the source is undefined if it breaks what its alias metadata promises; none where that
/// promises nothing.
pub fn isel_pair_trusting<'m>(
    m: &'m MirModule,
    name: &str,
    access: AccessCheck,
) -> Option<Result<Pair<'m>, Unsupported>> {
    let (ir_module, source) = source_function(m, name).ok()?;
    let tagged = |i: &crate::llvm_ir::ast::Inst| {
        i.attachments.iter().any(|(kind, _)| ir_module.names.text(*kind) == "tbaa")
    };
    let some = source.insts.iter().any(tagged);
    some.then(|| isel_pair_of(m, ir_module, source, name, (access, true)))
}

fn isel_pair_of<'m>(
    m: &'m MirModule,
    ir_module: &'m Module,
    source: &'m llvm_ir::ast::Function,
    name: &str,
    (access, trusting): (AccessCheck, bool),
) -> Result<Pair<'m>, Unsupported> {
    let Some(target) = m.functions.iter().find(|f| f.name == name) else {
        return Err(Unsupported::new("no such machine function"));
    };
    let divides =
        target.insts.iter().any(|i| m.names.text(i.opcode).trim_start_matches('I').starts_with("DIV"));
    let ir = Ir::new(ir_module, source, Side::Source, Checks { access, divides, exact: false });
    let mut ir = if trusting { ir.with_alias_metadata() } else { ir };
    let args: Vec<(TypeId, &[Attr])> = source.params.iter().map(|p| (p.ty, &p.attrs[..])).collect();
    let words: Vec<&str> = source.words.iter().map(|w: &Name| ir_module.names.text(*w)).collect();
    let signature = lower(ir_module, &args, (source.ret, &source.ret_attrs), false, &words)?;
    let variadic = variadic(m, &ir, target, &signature);
    ir.variadic = variadic;
    ir.compared = compared(m, &ir, target);
    ir.counts_zeros = counts_zeros(m, target);
    ir.computed = computed(m, &ir, target);
    ir.signed = extended_by_sign(m, &ir, target);
    let (mut stack, mut fixed, arguments_on_stack, by_value) = frame(m, &ir, target, &signature);
    if let Some(variadic) = &variadic {
        unnamed_arguments(variadic, target, &signature, &mut stack, &mut fixed);
    }
    let own = by_value_objects(m, &ir, target, &by_value);
    let mut places: Vec<_> = own.iter().map(|o| (o.name.clone(), o.slot.offset, o.size)).collect();
    places.extend(incoming_arguments(m, &ir, target, &arguments_on_stack));
    let ir = ir.with_by_value(own);
    let environment =
        Environment { stack, fixed, access, variadic, by_value: places, ..Environment::default() };
    let mut x86 = X86::new(m, target, environment);
    let cells = Rc::new(shared_cells(&ir, &x86));
    let ir = ir.with_cells(Rc::clone(&cells));
    let mut arguments = Vec::new();
    for (p, param) in source.params.iter().enumerate() {
        if by_value.iter().any(|(n, ..): &(usize, Slot)| *n == p) {
            continue;
        }
        let Some(widths) = flat_widths(&ir, param.ty) else {
            return Err(Unsupported::new("parameter of this type"));
        };
        arguments.extend(widths.into_iter().enumerate().map(|(s, w)| (p, s, w)));
    }
    let boundary = Boundary {
        lowered: Some(signature.clone()),
        stack: arguments_on_stack.clone(),
        by_value: by_value.clone(),
        variadic,
        ..Boundary::default()
    };
    let mut left = llvm_ir::program::Program::new(ir, boundary)?;
    let (calls, aliases) = pair_calls(m, &left, target);
    let checks = Checks { access, divides, exact: false };
    x86.constants = Some(Ir::new(ir_module, source, Side::Source, checks));
    x86.env.signature = Some(signature);
    x86.env.calls = calls;
    x86.env.cells = cells;
    let mut right = x86_mir::program::Program::new(x86, arguments_on_stack, arguments, &aliases)?;
    let registers = Registers::of(&left.ir, &right.x86, |local| left.scalars(local));
    name_open_values(&mut left.ir, &mut right.x86, &registers);
    Ok(Pair { left, right, relation: Isel { registers, own: points_to_its_own(ir_module, source) } })
}

/// What the places of incoming stack arguments are called where they live in cells.
const INCOMING: &str = "incoming.";

/// Whether a function makes tail calls, which build their arguments where its own came in.
fn calls_at_its_end(m: &MirModule, target: &MachineFunction) -> bool {
    target.insts.iter().any(|i| {
        let op = x86_mir::semantics::table::opcode(m.names.text(i.opcode));
        matches!(op.map(|o| o.sem), Some(Sem::TailCall))
    })
}

/// The places of incoming stack arguments: name, offset and size. The source has no objects there and no pointer to
/// them, so that the target may load an argument again whatever was stored meanwhile.
fn incoming_arguments(
    m: &MirModule,
    ir: &Ir<'_>,
    target: &MachineFunction,
    arguments: &[StackArgument],
) -> Vec<(String, u64, u64)> {
    if ir.f.vararg || calls_at_its_end(m, target) {
        return Vec::new();
    }
    let own = arguments.iter().filter(|a| a.slot.object == AREA);
    own.map(|a| (format!("{INCOMING}{}", a.slot.offset), a.slot.offset, a.size)).collect()
}

/// Parameters passed by value, as objects that are the function's own; none where a tail call may build its own
/// arguments in their place.
fn by_value_objects(
    m: &MirModule,
    ir: &Ir<'_>,
    target: &MachineFunction,
    by_value: &[(usize, Slot)],
) -> Vec<ByValue> {
    if calls_at_its_end(m, target) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (p, slot) in by_value {
        let Some(param) = ir.f.params.get(*p) else { continue };
        let Some(Attr::Type(_, ty)) = ir.attr(&param.attrs, "byval") else { continue };
        let Some(size) = ir.m.layout.alloc_size(&ir.m.types, *ty) else { continue };
        if slot.object != AREA {
            continue;
        }
        let name = format!("argument.{p}");
        out.push(ByValue { local: param.local, name, size, align: 8, slot: slot.clone() });
    }
    out
}

/// The cells of a pair: objects that the text of both sides keeps private, or that only one side has.
fn shared_cells(ir: &Ir<'_>, x86: &X86<'_>) -> Cells {
    let (mut left, mut right) = (ir.private_objects(), x86.private_objects());
    let placed: FxHashSet<&str> = x86.env.stack.iter().flatten().map(|(name, _)| name.as_str()).collect();
    let incoming = x86.env.fixed.iter().flatten().map(|slot| slot.object.as_str());
    let by_value = x86.env.by_value.iter().map(|(name, ..)| name.as_str());
    let by_value = by_value.filter(|name| !name.starts_with(INCOMING));
    let placed: FxHashSet<&str> = placed.into_iter().chain(incoming).chain(by_value).collect();
    // The save area is filled by the source as a whole.
    right.remove(SAVED);
    left.retain(|name, _| right.contains_key(name) || !placed.contains(name.as_str()));
    let shared = |name: &str| name.starts_with("stack.") || placed.contains(name);
    let right = right.into_iter().filter(|(name, _)| left.contains_key(name) || !shared(name));
    let mut all: Accesses = right.collect();
    for (name, ranges) in left {
        all.entry(name).or_default().extend(ranges);
    }
    Cells::new(all)
}

/// Whether a machine function has counts of zeros, which say what they leave of zero, and no scans, which don't: the
/// source's poison, which may have any bits, is then taken to have those of a count.
fn counts_zeros(m: &MirModule, target: &MachineFunction) -> bool {
    let mut counts = false;
    for i in &target.insts {
        match x86_mir::semantics::table::opcode(m.names.text(i.opcode)).map(|o| o.sem) {
            Some(Sem::Count(Count::Bsf | Count::Bsr)) => return false,
            Some(Sem::Count(Count::Lzcnt | Count::Tzcnt)) => counts = true,
            _ => {}
        }
    }
    counts
}

/// Zero extensions of numbers that are not negative, in blocks where the target has more sign extensions from their
/// width than the source, and no zero extensions: selection takes one for the other.
fn extended_by_sign(m: &MirModule, ir: &Ir<'_>, target: &MachineFunction) -> FxHashSet<LocalId> {
    let mut found: FxHashMap<&str, [FxHashMap<u32, u32>; 2]> = FxHashMap::default();
    for block in &target.blocks {
        let Some(name) = &block.ir_block else { continue };
        let [zero, sign] = found.entry(name).or_default();
        for i in &target.insts[block.first as usize..block.end as usize] {
            // Jumps among blocks extend what their table holds.
            if target.mem_of(i).iter().any(|m| m.base == "jump-table") {
                continue;
            }
            let (of, w) = match x86_mir::semantics::table::opcode(m.names.text(i.opcode)).map(|o| o.sem) {
                Some(Sem::Movzx(w)) => (&mut *zero, w),
                Some(Sem::Movsx(w)) => (&mut *sign, w),
                _ => continue,
            };
            *of.entry(w).or_default() += 1;
        }
    }
    let mut out = FxHashSet::default();
    for block in &ir.f.blocks {
        let Some([zero, sign]) = found.get(ir.m.names.text(block.name)) else { continue };
        let (mut own, mut promised): (FxHashMap<u32, u32>, Vec<_>) = Default::default();
        for inst in &ir.f.insts[block.first as usize..block.end as usize] {
            let Op::Cast { op, flags, from, .. } = &inst.op else { continue };
            let Ok(w) = ir.scalar_bits(*from) else { continue };
            match (op, inst.result) {
                (CastOp::SExt, _) => *own.entry(w).or_default() += 1,
                (CastOp::ZExt, Some(local)) if flags.has(Flags::NNEG) => promised.push((w, local)),
                _ => {}
            }
        }
        let more = |w: &u32| sign.get(w).copied() > own.get(w).copied().or(Some(0));
        out.extend(
            promised.iter().filter(|(w, _)| more(w) && !zero.contains_key(w)).map(|(_, local)| *local),
        );
    }
    out
}

/// Calls of `memcmp` that selection may have made comparisons of a word: of a constant length, the result only
/// compared with zero. They are taken for comparisons when the machine function has exactly the others left.
fn compared(m: &MirModule, ir: &Ir<'_>, target: &MachineFunction) -> FxHashMap<LocalId, u64> {
    let (mut all, mut out) = (0, FxHashMap::default());
    for inst in &ir.f.insts {
        let Op::Call(call) = &inst.op else { continue };
        if !matches!(ir.callee_name(call), Some("memcmp" | "bcmp")) || call.args.len() != 3 {
            continue;
        }
        all += 1;
        let length = ir.small_constant(call.args[2].value).and_then(|n| u64::try_from(n).ok());
        if let (Some(local), Some(bytes @ (2 | 4 | 8 | 16))) = (inst.result, length)
            && only_compared_with_zero(ir, local)
        {
            out.insert(local, bytes);
        }
    }
    let left = calls_left(m, target, &["memcmp", "bcmp"]);
    if left + out.len() == all { out } else { FxHashMap::default() }
}

/// How many instructions of a machine function begin with one of these names: its calls of them.
fn calls_left(m: &MirModule, target: &MachineFunction, names: &[&str]) -> usize {
    let named = |o: &Operand| match o {
        Operand::Global(name, 0, _) | Operand::External(name, 0) | Operand::Symbol(name) => {
            names.contains(&m.names.text(*name))
        }
        _ => false,
    };
    target.insts.iter().filter(|i| target.operands_of(i).first().is_some_and(named)).count()
}

/// Calls of `sqrt` that selection may have made the instruction: those that leave `errno` alone. They are taken for it
/// when the machine function has exactly the others left.
fn computed(m: &MirModule, ir: &Ir<'_>, target: &MachineFunction) -> FxHashMap<LocalId, Operation> {
    let mut out = FxHashMap::default();
    for (name, format) in [("sqrt", Format::F64), ("sqrtf", Format::F32)] {
        let (mut all, mut found) = (0, Vec::new());
        for inst in &ir.f.insts {
            let Op::Call(call) = &inst.op else { continue };
            if ir.callee_name(call) != Some(name) {
                continue;
            }
            all += 1;
            if let (Some(local), [_], true) = (inst.result, &call.args[..], ir.only_reads(call, name)) {
                found.push(local);
            }
        }
        if calls_left(m, target, &[name]) + found.len() == all {
            out.extend(found.into_iter().map(|local| (local, Operation::SquareRoot(format))));
        }
    }
    out
}

/// Whether a result is only asked to be zero or not.
pub(super) fn only_compared_with_zero(ir: &Ir<'_>, local: LocalId) -> bool {
    ir.f.insts.iter().all(|inst| {
        let mut used = false;
        inst.op.for_each_operand(|o| used |= o == llvm_ir::ast::Operand::Local(local));
        match &inst.op {
            Op::ICmp { pred: IntPred::Eq | IntPred::Ne, lhs, rhs, .. } if used => {
                let zero = |o: &llvm_ir::ast::Operand| ir.small_constant(*o) == Some(0);
                zero(lhs) || zero(rhs)
            }
            _ => !used,
        }
    })
}

/// How a function that calls `va_start` finds its unnamed arguments.
fn variadic(m: &MirModule, ir: &Ir<'_>, target: &MachineFunction, signature: &Signature) -> Option<Variadic> {
    let asks = ir.f.insts.iter().any(|inst| match &inst.op {
        Op::Call(call) => ir.callee_name(call).is_some_and(|n| n.starts_with("llvm.va_start")),
        _ => false,
    });
    let allocas = ir.stack_objects().len();
    (ir.f.vararg && asks).then(|| Variadic::find(&m.names, target, signature, |id| id as usize >= allocas))
}

/// Gives the save area and the unnamed arguments on the stack the names that the source has for them.
fn unnamed_arguments(
    variadic: &Variadic,
    target: &MachineFunction,
    signature: &Signature,
    stack: &mut Objects,
    fixed: &mut Slots,
) {
    if let Some((id, size)) = variadic.save_area()
        && let Some(slot) = stack.get_mut(id as usize)
    {
        *slot = Some((SAVED.to_owned(), size));
    }
    let first = target.fixed.iter().find(|o| o.offset == i64::from(signature.stack_bytes));
    if let Some(slot) = first.and_then(|o| fixed.get_mut(o.id as usize)) {
        slot.get_or_insert_with(|| Slot { object: OVERFLOW.to_owned(), size: 1, offset: 0 });
    }
}

type Objects = Vec<Option<(String, u64)>>;
type Slots = Vec<Option<Slot>>;

/// Frame objects, incoming stack objects, what those hold, and parameters passed as bytes.
type Frame = (Objects, Slots, Vec<StackArgument>, Vec<(usize, Slot)>);

/// The names of frame objects, and what the incoming stack arguments hold.
fn frame(m: &MirModule, ir: &Ir<'_>, target: &MachineFunction, signature: &Signature) -> Frame {
    let allocas = ir.stack_objects();
    let count = target.stack.iter().map(|o| o.id as usize + 1).max().unwrap_or(0);
    let mut stack: Objects = vec![None; count];
    for object in &target.stack {
        // Static allocas get the first frame objects, in order.
        if let Some((_, size, align)) = allocas.get(object.id as usize)
            && object.size.is_some_and(|s| s >= *size)
            && object.align >= *align
        {
            stack[object.id as usize] = Some((Ir::stack_name(0, object.id as usize), *size));
        }
    }
    // An alloca that holds an incoming stack argument may have become the argument's own place.
    let mut elided: FxHashMap<u32, usize> = FxHashMap::default();
    for inst in &target.insts {
        let fixed = target.operands_of(inst).iter().find_map(|o| match o {
            Operand::Fixed(n) => Some(*n),
            _ => None,
        });
        for mem in target.mem_of(inst) {
            let (Some(n), Some(name)) = (fixed, mem.base.strip_prefix("%ir.")) else { continue };
            let place = allocas.iter().position(|(local, ..)| {
                let local = &ir.f.locals[local.0 as usize];
                ir.m.names.text(local.name) == name
            });
            if let Some(k) = place
                && stack.get(k).is_none_or(Option::is_none)
            {
                elided.insert(n, k);
            }
        }
    }
    let count = target.fixed.iter().map(|o| o.id as usize + 1).max().unwrap_or(0);
    let mut fixed: Slots = vec![None; count];
    let area = u64::from(signature.stack_bytes);
    let in_area = |offset: u64| Slot { object: AREA.to_owned(), size: area, offset };
    for object in &target.fixed {
        let own = elided.get(&object.id).and_then(|k| Some((*k, allocas.get(*k)?.1)));
        fixed[object.id as usize] = match (own, u64::try_from(object.offset)) {
            (Some((k, size)), _) => Some(Slot { object: Ir::stack_name(0, k), size, offset: 0 }),
            (None, Ok(offset)) if offset < area => Some(in_area(offset)),
            (None, _) => None,
        };
    }
    let (mut arguments, mut by_value) = (Vec::new(), Vec::new());
    for piece in &signature.args {
        let Loc::Stack(offset) = piece.loc else { continue };
        let object = target.fixed.iter().find(|o| o.offset == i64::from(offset));
        let slot = object.and_then(|o| fixed[o.id as usize].clone());
        let slot = slot.unwrap_or_else(|| in_area(u64::from(offset)));
        match piece.by_value {
            Some(_) => by_value.push((piece.arg, slot)),
            None => {
                // An argument in an object of its own fills that.
                let least = u64::from(piece.width.div_ceil(8));
                let size = object.and_then(|o| o.size).unwrap_or(least);
                let size = if slot.object == AREA { size.min(area - slot.offset) } else { slot.size };
                arguments.push(StackArgument { slot, size, piece: piece.clone() });
            }
        }
    }
    let _ = m;
    (stack, fixed, arguments, by_value)
}

/// Pairs the calls of both programs, block by block and in order: which signature each machine call has (checked
/// by the proof, where the source shows its own), and the names of the points behind them.
fn pair_calls(
    m: &MirModule,
    left: &llvm_ir::program::Program<'_>,
    target: &MachineFunction,
) -> (Vec<(usize, Signature)>, FxHashMap<u32, String>) {
    let mut by_block: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for block in &target.blocks {
        let Some(name) = &block.ir_block else { continue };
        let list = by_block.entry(name).or_default();
        for i in block.first..block.end {
            let inst = &target.insts[i as usize];
            let op = x86_mir::semantics::table::opcode(m.names.text(inst.opcode));
            let call = matches!(op.map(|o| o.sem), Some(Sem::Call | Sem::TailCall));
            let library =
                matches!(target.operands_of(inst).first(), Some(Operand::External(..) | Operand::Symbol(_)));
            if call && !library {
                list.push(i);
            }
        }
    }
    let (mut calls, mut aliases) = (Vec::new(), FxHashMap::default());
    for b in 0..left.ir.f.blocks.len() {
        let block = llvm_ir::ast::BlockId(b as u32);
        let Some(machine) = by_block.get(left.block_name(block)) else { continue };
        let source = left.calls_of_block(block);
        if source.len() != machine.len() {
            continue;
        }
        for (s, t) in source.iter().zip(machine) {
            if let Some(signature) = left.call_signature(*s) {
                calls.push((*t as usize, signature.clone()));
            }
            if let Some(name) = left.event_name(*s) {
                aliases.insert(*t, name.to_owned());
            }
        }
    }
    (calls, aliases)
}
