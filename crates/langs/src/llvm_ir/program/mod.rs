//! An LLVM IR function as the engine sees it: points, live variables, steps.

mod accessed;
mod again;
mod facts;
mod flow;
mod outside;
mod promising;
mod states;

use super::ast::{BlockId, Call, Inst, LocalId, Op, Operand};
use super::intrinsics::Intrinsic;
use super::print::quoted;
use super::semantics::{AccessId, Effect, Ir, Side, State, atomics, flat_widths};
use super::types::TypeId;
use crate::abi::variadic::{Incoming, Variadic};
use crate::abi::{Signature, Slot, StackArgument};
use crate::domain::{Domain, Ext, Unsupported};
use crate::error::line_column;
use crate::liveness::liveness;
use crate::memory::MEM;
use crate::memory::stack;
use crate::memory::volatile::volatile_event;
use equiv::{
    Label, Next, Place, Point, PointId, PointKind, Semantics, Shape, Successor, Val, VarDecl, VarSort,
};
pub(crate) use facts::{Here, scaled, sum};
use outside::{lower_call, lowered_label, passed, plain_label};
pub(crate) use promising::{OF_FUNCTIONS, OF_MODES, OF_USES, OF_VALUES};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the function meets the outside: as LLVM IR, or lowered by the calling convention.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    /// Whether arguments, results and calls are shown as the calling convention lays them out.
    pub lowered: Option<Signature>,
    /// Incoming stack arguments.
    pub stack: Vec<StackArgument>,
    /// Parameters passed as the bytes of an object: parameter, and where the bytes lie.
    pub by_value: Vec<(usize, Slot)>,
    /// How unnamed arguments are found, where the function asks for them.
    pub variadic: Option<Variadic>,
    /// Results of calls of `memcmp` that go by the name of `bcmp`, which says less.
    pub compared_with_zero: FxHashSet<LocalId>,
}

/// What ends the names of variables that say whether another one is poison, and whether it is undef. No name of a program
/// has a `'`, unless it is in quotes, which it then ends with.
const POISONED: &str = "'poison";
const UNDEFINED: &str = "'undef";

/// The name of the variable that says whether the one of this name is poison.
pub(crate) fn poison_flag(of: &str) -> String {
    format!("{of}{POISONED}")
}

/// The name of the variable that says whether the one of this name is undef.
pub(crate) fn undef_flag(of: &str) -> String {
    format!("{of}{UNDEFINED}")
}

/// Whether a variable may say that another one is poison, by its name.
pub(crate) fn is_poison_flag(name: &str) -> bool {
    name.ends_with(POISONED)
}

/// A variable of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Var {
    Mem,
    Perm,
    /// Where the stack ends, where the function moves that.
    Stack,
    Argument(usize, usize),
    /// Whether it is poison ([`POISON`]); behind it, where it may be.
    ArgumentPoison(usize, usize),
    Local(LocalId, usize),
    /// Whether it is poison; behind it.
    Poison(LocalId, usize),
    /// Whether it is undef; behind that, where it may be.
    Undef(LocalId, usize),
    Promoted(usize),
    PromotedPoison(usize),
    PromotedUndef(usize),
    /// A register that may hold an unnamed argument.
    Incoming(Incoming),
    /// Where an access before the point was made, and whether it was (`accessed.rs`).
    Accessed(AccessId),
}

/// Bits of the variable that says whether an argument or a result of a call is poison, which it is if all are set: so
/// that few random inputs are.
const POISON: u32 = 4;

/// Whether such a variable says that a value is poison.
fn says_poison<D: Domain>(d: &mut D, flag: &D::Bv) -> D::Bool {
    let not = d.bv_not(flag);
    d.is_zero(&not)
}

struct Stop {
    block: BlockId,
    /// Instruction to go on with.
    inst: u32,
    vars: Vec<Var>,
    /// Locals whose poison is what their definition says of its operands, operands first.
    again: Vec<LocalId>,
    /// Variables that are there only for that.
    added: Vec<LocalId>,
}

/// Conditions and where they lead.
type Ways<D> = Vec<(<D as Domain>::Bool, Next<D>)>;

/// A function ready to be proved about.
pub struct Program<'m> {
    /// The semantics.
    pub ir: Ir<'m>,
    boundary: Boundary,
    shape: Shape,
    stops: Vec<Stop>,
    of_block: FxHashMap<u32, PointId>,
    after: FxHashMap<u32, PointId>,
    signatures: FxHashMap<u32, Result<Signature, Unsupported>>,
    widths: Vec<Option<Vec<u32>>>,
    allocas: Vec<(LocalId, u64)>,
    /// Locals and promoted slots whose poison is followed across points.
    poison: (Vec<bool>, Vec<bool>),
    source: Vec<u32>,
    /// Locals that are live around a loop, computed before it, and what those are made of.
    hoisted: Vec<bool>,
}

impl<'m> Program<'m> {
    /// Prepares a function.
    pub fn new(ir: Ir<'m>, boundary: Boundary) -> Result<Self, Unsupported> {
        if ir.f.blocks.is_empty() {
            return Err(Unsupported::new("function without a body"));
        }
        let widths: Vec<Option<Vec<u32>>> = ir.f.locals.iter().map(|l| flat_widths(&ir, l.ty)).collect();
        let allocas = ir.stack_objects().into_iter().map(|(local, size, _)| (local, size)).collect();
        let mut program = Program {
            ir,
            boundary,
            shape: Shape::default(),
            stops: Vec::new(),
            of_block: FxHashMap::default(),
            after: FxHashMap::default(),
            signatures: FxHashMap::default(),
            widths,
            allocas,
            poison: (Vec::new(), Vec::new()),
            source: Vec::new(),
            hoisted: Vec::new(),
        };
        program.poison = program.poisonable();
        program.build()?;
        Ok(program)
    }

    /// Gives lines of the source text for messages.
    pub fn with_source(mut self, text: &[u8]) -> Self {
        self.source = self.ir.f.insts.iter().map(|i| line_column(text, i.at as usize).0).collect();
        self
    }

    fn place(&self, inst: usize) -> Place {
        match self.source.get(inst) {
            Some(line) => Place(format!("line {line}")),
            None => Place(format!("instruction {inst}")),
        }
    }

    /// Names of blocks with the number of events before, to pair points of two programs.
    pub fn block_name(&self, block: BlockId) -> &str {
        self.ir.f.blocks.get(block.0 as usize).map_or("", |b| self.ir.m.names.text(b.name))
    }

    /// The calls of a block that stay calls after instruction selection, in order.
    pub fn calls_of_block(&self, block: BlockId) -> Vec<u32> {
        let Some(b) = self.ir.f.blocks.get(block.0 as usize) else { return Vec::new() };
        (b.first..b.end).filter(|i| self.signatures.contains_key(i)).collect()
    }

    /// The lowered signature of a call.
    pub fn call_signature(&self, inst: u32) -> Option<&Signature> {
        self.signatures.get(&inst)?.as_ref().ok()
    }

    /// Whether calls and results are shown as the calling convention lays them out.
    pub fn is_lowered(&self) -> bool {
        self.boundary.lowered.is_some()
    }

    /// Where the bytes of a parameter lie that is passed so.
    pub fn by_value(&self, parameter: usize) -> Option<&Slot> {
        self.boundary.by_value.iter().find(|(n, _)| *n == parameter).map(|(_, slot)| slot)
    }

    /// The calls: whom by name, how the event is labelled, and how they are made.
    pub fn calls(&self) -> Vec<(Option<String>, Label, Signature)> {
        let mut out = Vec::new();
        for (inst, signature) in &self.signatures {
            let (Op::Call(call), Ok(signature)) = (&self.ir.f.insts[*inst as usize].op, signature) else {
                continue;
            };
            let name = self.ir.callee_name(call).map(str::to_owned);
            let widths = || -> Option<Vec<u32>> {
                let lists = call.args.iter().map(|a| flat_widths(&self.ir, a.ty));
                Some(lists.collect::<Option<Vec<_>>>()?.concat())
            };
            let label = match self.is_lowered() {
                true => lowered_label(signature).into(),
                false => match widths() {
                    Some(widths) => {
                        let promises = promising::of_call(&self.ir, call, self.ir.side == Side::Source);
                        let deed = plain_label(widths.into_iter()) + &passed(&self.ir, call);
                        Label { deed, promises, callee: None }
                    }
                    None => continue,
                },
            };
            out.push((name, label, signature.clone()));
        }
        out
    }

    /// The name of the point behind an event.
    pub fn event_name(&self, inst: u32) -> Option<&str> {
        self.after.get(&inst).map(|p| self.shape.point(*p).name.as_str())
    }

    fn is_alloca(&self, local: LocalId) -> bool {
        self.allocas.iter().any(|(l, _)| *l == local)
    }

    fn build(&mut self) -> Result<(), Unsupported> {
        let flow = self.flow();
        let live = liveness(&flow);
        let accessed = self.accesses_before(&flow);
        let f = self.ir.f;
        let around = self.loop_headers().into_iter().flat_map(|b| live.at_start[b].clone());
        self.hoisted = self.with_operands(around.filter(|v| *v < f.locals.len()));
        let mut points: Vec<(String, PointKind, BlockId, u32, Vec<usize>)> = Vec::new();
        points.push(("entry".into(), PointKind::Entry, BlockId(0), 0, Vec::new()));
        for b in 1..f.blocks.len() {
            let block = BlockId(b as u32);
            let first = f.blocks[b].first;
            let phis = f.block_insts(block).iter().take_while(|i| matches!(i.op, Op::Phi { .. }));
            let mut vars = live.at_start[b].clone();
            vars.extend(phis.filter_map(|i| i.result).map(|l| l.0 as usize));
            vars.sort_unstable();
            vars.dedup();
            self.of_block.insert(b as u32, PointId(points.len() as u32));
            points.push((self.block_name(block).to_owned(), PointKind::Block, block, first, vars));
        }
        for b in 0..f.blocks.len() {
            let block = BlockId(b as u32);
            let mut ordinal = 0;
            for i in f.blocks[b].first..f.blocks[b].end {
                if !self.may_be_event(i, &f.insts[i as usize]) {
                    continue;
                }
                let name = format!("{}:event{ordinal}", self.block_name(block));
                ordinal += 1;
                let mut vars = live.after(&flow, i as usize);
                let compared = match self.ir.compared_operand(&f.insts[i as usize]) {
                    Some((_, Operand::Local(local))) => Some(local),
                    Some((_, Operand::Const(_))) | None => None,
                };
                let also = [self.ir.looked_at_result(&f.insts[i as usize]), compared];
                vars.extend(also.into_iter().flatten().map(|local| local.0 as usize));
                vars.sort_unstable();
                vars.dedup();
                self.after.insert(i, PointId(points.len() as u32));
                points.push((name, PointKind::AfterEvent, block, i + 1, vars));
            }
        }
        for (name, kind, block, inst, mut live) in points {
            let (again, added) = match kind {
                PointKind::Entry => Default::default(),
                _ => self.computed_again(&mut live),
            };
            let mut vars = self.variables(kind, live)?;
            if kind == PointKind::Block {
                vars.extend(accessed[block.0 as usize].iter().map(|access| Var::Accessed(*access)));
            }
            let decls = vars.iter().map(|v| self.declare(*v)).collect();
            let succs = self.successors(block, inst);
            self.shape.points.push(Point { name, aliases: Vec::new(), kind, vars: decls, succs });
            self.stops.push(Stop { block, inst, vars, again, added });
        }
        self.shape.name = self.ir.m.names.text(f.name).to_owned();
        Ok(())
    }

    /// The variables of a point, from the locals and promoted slots that are live there.
    fn variables(&self, kind: PointKind, live: Vec<usize>) -> Result<Vec<Var>, Unsupported> {
        let f = self.ir.f;
        let mut vars = vec![Var::Mem, Var::Perm];
        if kind == PointKind::Entry {
            for (p, param) in f.params.iter().enumerate() {
                if self.boundary.by_value.iter().any(|(n, ..)| *n == p) {
                    continue;
                }
                let Some(widths) = flat_widths(&self.ir, param.ty) else {
                    return Err(Unsupported::new("parameter of this type"));
                };
                for s in 0..widths.len() {
                    vars.push(Var::Argument(p, s));
                    if self.ir.poison_inputs {
                        vars.push(Var::ArgumentPoison(p, s));
                    }
                }
            }
            let incoming = self.boundary.variadic.map(|v| v.incoming()).unwrap_or_default();
            vars.extend(incoming.into_iter().map(Var::Incoming));
        }
        if kind != PointKind::Entry && self.ir.moves_stack() && !self.ir.checks.exact {
            vars.push(Var::Stack);
        }
        for local in live {
            if let Some(slot) = local.checked_sub(f.locals.len()) {
                vars.push(Var::Promoted(slot));
                if self.ir.checks.exact || self.poison.1[slot] {
                    vars.push(Var::PromotedPoison(slot));
                }
                if self.ir.checks.exact {
                    vars.push(Var::PromotedUndef(slot));
                }
                continue;
            }
            let local = LocalId(local as u32);
            let Some(widths) = &self.widths[local.0 as usize] else {
                return Err(Unsupported::new("value of a type without a width"));
            };
            if self.is_alloca(local) {
                continue;
            }
            for s in 0..widths.len() {
                vars.push(Var::Local(local, s));
                if self.ir.checks.exact || self.poison.0[local.0 as usize] {
                    vars.push(Var::Poison(local, s));
                }
                if self.ir.checks.exact && self.may_be_undef(local) {
                    vars.push(Var::Undef(local, s));
                }
            }
        }
        Ok(vars)
    }

    /// Whether a value can be undef itself, rather than made of undef parts: only against another IR program, and
    /// in the target only where it names undef itself or has stack slots that hold it before the first store.
    pub(super) fn may_be_undef(&self, local: LocalId) -> bool {
        let f = self.ir.f;
        let def = f.locals.get(local.0 as usize).and_then(|l| l.def).and_then(|i| f.insts.get(i as usize));
        (self.ir.side == Side::Source || self.ir.names_undef() || !self.ir.promoted.is_empty())
            && def.is_some_and(|inst| {
                self.ir.spreads_undef(&inst.op).is_some()
                    || matches!(
                        inst.op,
                        Op::Phi { .. }
                            | Op::Freeze { .. }
                            | Op::Select { .. }
                            | Op::Load { .. }
                            | Op::ExtractValue { .. }
                            | Op::InsertValue { .. }
                            | Op::ExtractElement { .. }
                            | Op::InsertElement { .. }
                            | Op::Shuffle { .. }
                            | Op::Call(_)
                    )
            })
    }

    /// The variable that a scalar of a local is at points.
    pub(crate) fn local_name(&self, l: LocalId, s: usize) -> String {
        let name = quoted(self.ir.m.names.text(self.ir.f.locals[l.0 as usize].name));
        if s == 0 { format!("%{name}") } else { format!("%{name}'{s}") }
    }

    /// The variables that a local's scalars are at points, with their widths.
    pub fn scalars(&self, local: LocalId) -> Vec<(String, u32)> {
        let widths = self.widths.get(local.0 as usize).and_then(Option::as_ref);
        let named = |(s, w): (usize, &u32)| (self.local_name(local, s), *w);
        widths.into_iter().flatten().enumerate().map(named).collect()
    }

    fn declare(&self, var: Var) -> VarDecl {
        let local_name = |l: LocalId, s: usize| self.local_name(l, s);
        match var {
            Var::Mem => VarDecl { name: "mem".into(), sort: MEM },
            Var::Perm => VarDecl { name: "perm".into(), sort: MEM },
            Var::Stack => VarDecl { name: stack::NAME.into(), sort: VarSort::Bv(stack::BITS) },
            Var::Argument(p, s) => {
                let widths = flat_widths(&self.ir, self.ir.f.params[p].ty).unwrap_or_default();
                VarDecl {
                    name: format!("arg{p}.{s}"),
                    sort: VarSort::Bv(widths.get(s).copied().unwrap_or(1)),
                }
            }
            Var::ArgumentPoison(p, s) => {
                VarDecl { name: poison_flag(&format!("arg{p}.{s}")), sort: VarSort::Bv(POISON) }
            }
            Var::Local(l, s) => {
                let width = self.widths[l.0 as usize].as_ref().and_then(|w| w.get(s)).copied().unwrap_or(1);
                VarDecl { name: local_name(l, s), sort: VarSort::Bv(width) }
            }
            Var::Poison(l, s) => VarDecl { name: poison_flag(&local_name(l, s)), sort: VarSort::Bv(1) },
            Var::Undef(l, s) => VarDecl { name: undef_flag(&local_name(l, s)), sort: VarSort::Bv(1) },
            Var::Incoming(i) => VarDecl { name: i.name(), sort: VarSort::Bv(i.width()) },
            Var::Accessed(i) => VarDecl { name: i.name(), sort: VarSort::Bv(accessed::BITS) },
            Var::Promoted(c) => {
                VarDecl { name: self.ir.promoted.name(c), sort: VarSort::Bv(self.ir.promoted.width(c)) }
            }
            Var::PromotedPoison(c) => {
                let bytes = self.ir.promoted.width(c) / 8;
                VarDecl { name: poison_flag(&self.ir.promoted.name(c)), sort: VarSort::Bv(bytes) }
            }
            Var::PromotedUndef(c) => {
                let bytes = self.ir.promoted.width(c) / 8;
                VarDecl { name: undef_flag(&self.ir.promoted.name(c)), sort: VarSort::Bv(bytes) }
            }
        }
    }

    /// The points that running on from an instruction may reach next.
    fn successors(&self, block: BlockId, inst: u32) -> Vec<PointId> {
        let end = self.ir.f.blocks[block.0 as usize].end;
        for i in inst..end {
            if let Some(point) = self.after.get(&i) {
                // What may be an event need not be one: go on collecting.
                let mut out = vec![*point];
                out.extend(self.successors(block, i + 1));
                out.sort_unstable();
                out.dedup();
                return out;
            }
        }
        let Some(last) = self.ir.f.block_insts(block).last() else { return Vec::new() };
        let mut out: Vec<PointId> =
            last.op.successors().iter().filter_map(|b| self.of_block.get(&b.0)).copied().collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn may_be_event(&mut self, index: u32, inst: &Inst) -> bool {
        match &inst.op {
            Op::Call(call) => {
                if let Some(assembly) = self.ir.assembly(call) {
                    return assembly.is_some_and(|a| a.is_event());
                }
                let is_operation = |l: LocalId| self.ir.choices.calls.has(l.0);
                if inst.result.is_some_and(is_operation) {
                    return false;
                }
                if self.ir.pure_call(call) {
                    return false;
                }
                let Some((intrinsic, _)) = call.intrinsic else {
                    self.note_call(index, call);
                    return true;
                };
                let always = matches!(
                    intrinsic,
                    Intrinsic::Block(_) | Intrinsic::Trap | Intrinsic::VaStart | Intrinsic::Locked(_)
                );
                always || (intrinsic == Intrinsic::SideEffect && self.ir.checks.exact)
            }
            Op::Fence(ordering) => self.ir.is_seen(*ordering),
            Op::Load { access, .. } | Op::Store { access, .. } => !access.is_plain(),
            Op::CmpXchg { .. } | Op::AtomicRmw { .. } => true,
            _ => false,
        }
    }

    /// The value of an operand of an atomic event in the state behind it (what `cmpxchg` expected); none where that does not
    /// have it.
    fn operand_behind<D: Domain>(
        &self,
        d: &mut D,
        after: &equiv::State<D>,
        (ty, operand): (TypeId, Operand),
    ) -> Option<D::Bv> {
        match operand {
            Operand::Local(local) => {
                let stop = &self.stops[after.at.index()];
                let place = stop.vars.iter().position(|v| *v == Var::Local(local, 0))?;
                Some(after.vals.get(place)?.bv().clone())
            }
            Operand::Const(c) => Some(self.ir.constant(d, c, ty).ok()?.scalar()?.bits.clone()),
        }
    }

    fn note_call(&mut self, index: u32, call: &Call) {
        let signature = lower_call(&self.ir, call);
        self.signatures.insert(index, signature);
    }

    fn run<D: Domain>(
        &self,
        d: &mut D,
        s: &equiv::State<D>,
    ) -> Result<Vec<Successor<D>>, (Unsupported, usize)> {
        let stop = &self.stops[s.at.index()];
        let start = stop.inst as usize;
        if self.after_trap(s.at) {
            let next = Next::Error("undefined behaviour".into(), self.place(start - 1));
            return Ok(vec![Successor { cond: d.bool(true), next }]);
        }
        let mut st = self.restore(d, s).map_err(|e| (e, start))?;
        if let Some(before) =
            start.checked_sub(1).filter(|_| self.shape.point(s.at).kind == PointKind::AfterEvent)
        {
            self.ir.note_result(d, &mut st, &self.ir.f.insts[before]);
        }
        let block = &self.ir.f.blocks[stop.block.0 as usize];
        for i in start..block.end as usize {
            let inst = &self.ir.f.insts[i];
            let effect = self.ir.exec(d, &mut st, inst).map_err(|e| (e, i))?;
            let nexts = match effect {
                Effect::Next => continue,
                Effect::Jump(ways) => self.jump(d, &st, stop.block, ways).map_err(|e| (e, i))?,
                Effect::Return(value) => {
                    let next = self.exit(d, &mut st, value).map_err(|e| (e, i))?;
                    vec![(d.bool(true), next)]
                }
                Effect::Call { callee, args } => {
                    let event = self.event(d, &mut st, i, callee, &args).map_err(|e| (e, i))?;
                    let after = self.after[&(i as u32)];
                    let after = self.save(d, after, &st).map_err(|e| (e, i))?;
                    if let Some(operand) = self.ir.compared_operand(inst)
                        && self.operand_behind(d, &after, operand).is_none()
                    {
                        return Err((Unsupported::new("atomic operation with this value"), i));
                    }
                    vec![(d.bool(true), Next::Event(event, after))]
                }
                Effect::Volatile { at, bytes, value } => {
                    let (event, mem) = volatile_event(d, &st.mem, &at, bytes, value);
                    st.mem = mem;
                    let after = self.save(d, self.after[&(i as u32)], &st).map_err(|e| (e, i))?;
                    vec![(d.bool(true), Next::Event(event, after))]
                }
                Effect::Unreachable => {
                    let place = self.place(i);
                    return Ok(vec![Successor {
                        cond: d.bool(true),
                        next: Next::Error("undefined behaviour".into(), place),
                    }]);
                }
            };
            return Ok(self.split(d, &st, nexts, i));
        }
        Err((Unsupported::new("block without a terminator"), start))
    }

    /// Whether a point lies behind a trap, which nothing passes (C front ends let code follow it all the same), or, between
    /// IR programs, behind a call that says that it does not return.
    fn after_trap(&self, at: PointId) -> bool {
        let stop = &self.stops[at.index()];
        let before = (stop.inst as usize).checked_sub(1).and_then(|i| self.ir.f.insts.get(i));
        let call = match before.map(|i| &i.op) {
            Some(Op::Call(call)) if self.shape.point(at).kind == PointKind::AfterEvent => call,
            _ => return false,
        };
        matches!(call.intrinsic, Some((Intrinsic::Trap, _)))
            || (self.ir.checks.exact && call.intrinsic.is_none() && self.ir.never_returns(call))
    }

    /// The ways on, undefined behaviour apart.
    fn split<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        nexts: Vec<(D::Bool, Next<D>)>,
        inst: usize,
    ) -> Vec<Successor<D>> {
        let mut out = Vec::new();
        let fine = d.not(&st.ub);
        if d.as_bool(&st.ub) != Some(false) {
            let place = self.place(inst);
            out.push(Successor {
                cond: st.ub.clone(),
                next: Next::Error("undefined behaviour".into(), place),
            });
        }
        for (cond, next) in nexts {
            let cond = d.and(&fine, &cond);
            if d.as_bool(&cond) != Some(false) {
                out.push(Successor { cond, next });
            }
        }
        out
    }

    fn jump<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        from: BlockId,
        ways: Vec<(D::Bool, BlockId)>,
    ) -> Result<Ways<D>, Unsupported> {
        let mut out = Vec::new();
        for (cond, to) in ways {
            let Some(&point) = self.of_block.get(&to.0) else {
                return Err(Unsupported::new("jump to the entry"));
            };
            let mut after = st.clone();
            self.ir.enter(d, &mut after, from, to)?;
            out.push((cond, Next::Go(self.save(d, point, &after)?)));
        }
        Ok(out)
    }
}

impl Semantics for Program<'_> {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step<D: Domain>(&self, d: &mut D, s: &equiv::State<D>) -> Vec<Successor<D>> {
        match self.run(d, s) {
            Ok(successors) => successors,
            Err((unsupported, inst)) => {
                let next = Next::Unsupported(unsupported.what, self.place(inst));
                vec![Successor { cond: d.bool(true), next }]
            }
        }
    }

    fn resume<D: Domain>(
        &self,
        d: &mut D,
        mut after: equiv::State<D>,
        results: &[Val<D>],
    ) -> equiv::State<D> {
        let stop = &self.stops[after.at.index()];
        let index = stop.inst as usize - 1;
        let inst = &self.ir.f.insts[index];
        let mut mems = results.iter().filter_map(|v| match v {
            Val::Mem(m) => Some(m.clone()),
            Val::Bv(_) => None,
        });
        let (mem, perm) = (mems.next(), mems.next());
        let bits: Vec<D::Bv> = results
            .iter()
            .filter_map(|v| match v {
                Val::Bv(b) => Some(b.clone()),
                Val::Mem(_) => None,
            })
            .collect();
        let mut scalars = match (&inst.op, self.signatures.get(&(index as u32))) {
            (Op::Load { ty, .. }, _) => match bits.first().map(|b| self.ir.value_of_bits(d, *ty, Some(b))) {
                Some(Ok(value)) => value.scalars().into_iter().map(|s| s.bits.clone()).collect(),
                _ => Vec::new(),
            },
            (Op::CmpXchg { ty, expected, .. }, _) => {
                let expected = self.operand_behind(d, &after, (*ty, *expected));
                let both = expected.zip(bits.first());
                let equal = both.map(|(expected, found)| {
                    let mut equal = d.eq(&expected, found);
                    if let Some(failed) = bits.get(1) {
                        let succeeds = d.is_zero(failed);
                        equal = d.and(&equal, &succeeds);
                    }
                    d.bool_to_bv(&equal)
                });
                bits.iter().take(1).cloned().chain(equal).collect()
            }
            (Op::Call(call), _) if atomics::locked(call).is_some() => {
                let value = self.ir.compared_operand(inst).and_then(|o| self.operand_behind(d, &after, o));
                let both = bits.first().zip(value);
                both.and_then(|(found, value)| self.ir.locked_result(d, call, (found, &value)))
                    .into_iter()
                    .collect()
            }
            (Op::Call(_), Some(Ok(signature))) if self.boundary.lowered.is_some() => {
                signature.join_results(d, &bits)
            }
            _ => bits,
        };
        if let Op::Call(call) = &inst.op {
            for (scalar, known) in scalars.iter_mut().zip(self.ir.known_results(call)) {
                if let Some(known) = known {
                    *scalar = d.constant(known.clone());
                }
            }
        }
        for (var, val) in stop.vars.iter().zip(&mut after.vals) {
            match var {
                Var::Mem => {
                    if let Some(m) = &mem {
                        *val = Val::Mem(self.ir.keep_hidden(d, inst, val.mem(), m));
                    }
                }
                Var::Perm => {
                    if let Some(m) = &perm {
                        *val = Val::Mem(m.clone());
                    }
                }
                Var::Local(l, i) if inst.result == Some(*l) => {
                    if let Some(b) = scalars.get(*i) {
                        *val = Val::Bv(b.clone());
                    }
                }
                Var::Poison(l, i) if inst.result == Some(*l) => {
                    if let (Op::Call(call), Some(b)) = (&inst.op, scalars.get(*i)) {
                        let mut broken = self.ir.result_breaks(d, inst, call, b);
                        let count = self.widths[l.0 as usize].as_ref().map_or(0, Vec::len);
                        // Where the source says that it is not poison, no unknown says that it is.
                        let said = self.ir.side == Side::Source && self.ir.result_is_defined(call);
                        let flag = scalars.get(count + *i).filter(|_| self.ir.poison_inputs && !said);
                        if let Some(flag) = flag {
                            let poison = says_poison(d, flag);
                            broken = d.or(&broken, &poison);
                        }
                        *val = Val::Bv(d.bool_to_bv(&broken));
                    }
                }
                Var::Argument(..)
                | Var::Stack
                | Var::ArgumentPoison(..)
                | Var::Local(..)
                | Var::Incoming(_)
                | Var::Accessed(_)
                | Var::Poison(..)
                | Var::Undef(..)
                | Var::Promoted(_)
                | Var::PromotedPoison(_)
                | Var::PromotedUndef(_) => {}
            }
        }
        after
    }
}
