//! An LLVM IR function as the engine sees it: points, live variables, steps.

use super::ast::{Attr, BlockId, Call, Inst, LocalId, Op, Operand};
use super::semantics::{Callee, Effect, Ir, Scalar, State, Value};
use super::types::{Type, TypeId};
use crate::domain::{Domain, Ext, Unsupported};
use crate::error::line_column;
use crate::liveness::{Flow, liveness};
use crate::x86_mir::semantics::calls::{Piece, Signature, lower, piece_value};
use equiv::{
    Event, Next, Place, Point, PointId, PointKind, Semantics, Shape, Successor, Val, VarDecl, VarSort,
};
use rustc_hash::FxHashMap;

/// The sort of memories.
pub(crate) const MEM: VarSort = VarSort::Mem { address: 64 };

/// An incoming stack argument that both programs see in memory.
#[derive(Clone, Debug)]
pub struct StackArgument {
    /// Name of its address.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// What it holds.
    pub piece: Piece,
}

/// How the function meets the outside: as LLVM IR, or lowered by the calling convention.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    /// Whether arguments, results and calls are shown as the calling convention lays them out.
    pub lowered: Option<Signature>,
    /// Incoming stack arguments.
    pub stack: Vec<StackArgument>,
    /// Parameters passed as the bytes of an object: parameter, name of its address, size.
    pub by_value: Vec<(usize, String, u64)>,
}

/// A variable of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Var {
    Mem,
    Perm,
    Argument(usize, usize),
    Local(LocalId, usize),
    Poison(LocalId, usize),
}

struct Stop {
    block: BlockId,
    /// Instruction to go on with.
    inst: u32,
    vars: Vec<Var>,
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
    source: Vec<u32>,
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
            source: Vec::new(),
        };
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
        let f = self.ir.f;
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
                let vars = live.after(&flow, i as usize);
                self.after.insert(i, PointId(points.len() as u32));
                points.push((name, PointKind::AfterEvent, block, i + 1, vars));
            }
        }
        for (name, kind, block, inst, live) in points {
            let mut vars = vec![Var::Mem, Var::Perm];
            if kind == PointKind::Entry {
                for (p, param) in f.params.iter().enumerate() {
                    if self.boundary.by_value.iter().any(|(n, ..)| *n == p) {
                        continue;
                    }
                    let Some(widths) = flat_widths(&self.ir, param.ty) else {
                        return Err(Unsupported::new("parameter of this type"));
                    };
                    vars.extend((0..widths.len()).map(|s| Var::Argument(p, s)));
                }
            }
            for local in live {
                let local = LocalId(local as u32);
                let Some(widths) = &self.widths[local.0 as usize] else {
                    return Err(Unsupported::new("value of a type without a width"));
                };
                if self.is_alloca(local) {
                    continue;
                }
                for s in 0..widths.len() {
                    vars.push(Var::Local(local, s));
                    if self.ir.checks.exact {
                        vars.push(Var::Poison(local, s));
                    }
                }
            }
            let decls = vars.iter().map(|v| self.declare(*v)).collect();
            let succs = self.successors(block, inst);
            self.shape.points.push(Point { name, aliases: Vec::new(), kind, vars: decls, succs });
            self.stops.push(Stop { block, inst, vars });
        }
        self.shape.name = self.ir.m.names.text(f.name).to_owned();
        Ok(())
    }

    fn declare(&self, var: Var) -> VarDecl {
        let local_name = |l: LocalId, s: usize| {
            let name = self.ir.m.names.text(self.ir.f.locals[l.0 as usize].name);
            if s == 0 { format!("%{name}") } else { format!("%{name}.{s}") }
        };
        match var {
            Var::Mem => VarDecl { name: "mem".into(), sort: MEM },
            Var::Perm => VarDecl { name: "perm".into(), sort: MEM },
            Var::Argument(p, s) => {
                let widths = flat_widths(&self.ir, self.ir.f.params[p].ty).unwrap_or_default();
                VarDecl {
                    name: format!("arg{p}.{s}"),
                    sort: VarSort::Bv(widths.get(s).copied().unwrap_or(1)),
                }
            }
            Var::Local(l, s) => {
                let width = self.widths[l.0 as usize].as_ref().and_then(|w| w.get(s)).copied().unwrap_or(1);
                VarDecl { name: local_name(l, s), sort: VarSort::Bv(width) }
            }
            Var::Poison(l, s) => {
                VarDecl { name: format!("{}.poison", local_name(l, s)), sort: VarSort::Bv(1) }
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
                let name = self.ir.callee_name(call);
                let Some(name) = name else {
                    self.note_call(index, call);
                    return true;
                };
                if !name.starts_with("llvm.") {
                    self.note_call(index, call);
                    return true;
                }
                ["llvm.memcpy", "llvm.memmove", "llvm.memset", "llvm.trap", "llvm.ubsantrap"]
                    .iter()
                    .any(|p| name.starts_with(p))
            }
            Op::Load { access, .. } | Op::Store { access, .. } => {
                access.volatile || access.ordering.is_some()
            }
            _ => false,
        }
    }

    fn note_call(&mut self, index: u32, call: &Call) {
        let signature = lower_call(&self.ir, call);
        self.signatures.insert(index, signature);
    }

    fn flow(&self) -> Flow {
        let f = self.ir.f;
        let mut flow =
            Flow { variables: f.locals.len(), blocks: Vec::new(), uses: Vec::new(), defs: Vec::new() };
        for inst in &f.insts {
            let mut uses = Vec::new();
            if !matches!(inst.op, Op::Phi { .. }) {
                inst.op.for_each_operand(|o| {
                    if let Operand::Local(l) = o {
                        uses.push(l.0 as usize);
                    }
                });
            }
            flow.uses.push(uses);
            flow.defs.push(inst.result.map(|l| l.0 as usize).into_iter().collect());
        }
        for (b, block) in f.blocks.iter().enumerate() {
            let successors: Vec<usize> = f
                .block_insts(BlockId(b as u32))
                .last()
                .map(|i| i.op.successors().iter().map(|s| s.0 as usize).collect())
                .unwrap_or_default();
            let mut edge_uses = Vec::new();
            for &s in &successors {
                for inst in f.block_insts(BlockId(s as u32)) {
                    let Op::Phi { incoming, .. } = &inst.op else { break };
                    for (value, from) in incoming {
                        if from.0 as usize == b
                            && let Operand::Local(l) = value
                        {
                            edge_uses.push(l.0 as usize);
                        }
                    }
                }
            }
            flow.blocks.push((block.first as usize..block.end as usize, successors, edge_uses));
        }
        flow
    }

    fn restore<D: Domain>(&self, d: &mut D, s: &equiv::State<D>) -> Result<State<D>, Unsupported> {
        let stop = &self.stops[s.at.index()];
        let mut parts: FxHashMap<LocalId, Vec<(usize, Scalar<D>)>> = FxHashMap::default();
        let mut arguments: FxHashMap<usize, Vec<D::Bv>> = FxHashMap::default();
        let (mut mem, mut perm) = (None, None);
        for (var, val) in stop.vars.iter().zip(&s.vals) {
            match var {
                Var::Mem => mem = Some(val.mem().clone()),
                Var::Perm => perm = Some(val.mem().clone()),
                Var::Argument(p, _) => arguments.entry(*p).or_default().push(val.bv().clone()),
                Var::Local(l, i) => {
                    let scalar = Scalar::plain(d, val.bv().clone());
                    parts.entry(*l).or_default().push((*i, scalar));
                }
                Var::Poison(l, _) => {
                    if let Some((_, scalar)) = parts.get_mut(l).and_then(|p| p.last_mut()) {
                        scalar.poison = d.is_set(val.bv());
                    }
                }
            }
        }
        let (Some(mut mem), Some(perm)) = (mem, perm) else {
            return Err(Unsupported::new("state without memory"));
        };
        let mut args = Vec::new();
        if self.shape.point(s.at).kind == PointKind::Entry {
            for (p, param) in self.ir.f.params.iter().enumerate() {
                if let Some((_, name, size)) = self.boundary.by_value.iter().find(|(n, ..)| *n == p) {
                    let address = d.address(name, Some(*size));
                    args.push(Value::plain(d, address));
                    continue;
                }
                let scalars = arguments.remove(&p).unwrap_or_default();
                let scalars: Vec<Scalar<D>> = scalars.into_iter().map(|b| Scalar::plain(d, b)).collect();
                args.push(self.rebuild(d, param.ty, scalars)?);
            }
            mem = store_stack_arguments(d, &self.boundary.stack, mem, &args);
        }
        let mut st = self.ir.entry(d, mem, perm, 0, args);
        for (local, mut scalars) in parts {
            scalars.sort_by_key(|(i, _)| *i);
            let ty = self.ir.f.locals[local.0 as usize].ty;
            let value = self.rebuild(d, ty, scalars.into_iter().map(|(_, s)| s).collect())?;
            st.locals[local.0 as usize] = Some(value);
        }
        for (i, (local, size)) in self.allocas.iter().enumerate() {
            let address = d.address(&Ir::stack_name(0, i), Some(*size));
            st.locals[local.0 as usize] = Some(Value::plain(d, address));
        }
        Ok(st)
    }

    fn rebuild<D: Domain>(
        &self,
        d: &mut D,
        ty: TypeId,
        scalars: Vec<Scalar<D>>,
    ) -> Result<Value<D>, Unsupported> {
        let mut list = scalars.into_iter();
        self.ir.build(d, ty, &mut |d, _, bits| match list.next() {
            Some(s) => s,
            None => {
                let zero = d.num(bits, 0);
                Scalar::plain(d, zero)
            }
        })
    }

    fn save<D: Domain>(&self, d: &mut D, at: PointId, st: &State<D>) -> Result<equiv::State<D>, Unsupported> {
        let mut vals = Vec::new();
        for var in &self.stops[at.index()].vars {
            vals.push(match var {
                Var::Mem => Val::Mem(st.mem.clone()),
                Var::Perm => Val::Mem(st.perm.clone()),
                Var::Argument(..) => return Err(Unsupported::new("jump to the entry")),
                Var::Local(l, i) | Var::Poison(l, i) => {
                    let value = st.locals[l.0 as usize].as_ref();
                    let scalar = value.map(|v| v.scalars()).and_then(|s| s.get(*i).map(|s| (*s).clone()));
                    if let Some(s) = &scalar
                        && !self.ir.checks.exact
                    {
                        self.ir.refuse_concrete(d, s)?;
                    }
                    match scalar {
                        Some(s) if matches!(var, Var::Local(..)) => Val::Bv(s.bits),
                        Some(s) => {
                            let poison = s.anything(d);
                            Val::Bv(d.bool_to_bv(&poison))
                        }
                        // The result of the event, which `resume` puts in.
                        None => {
                            let width = match var {
                                Var::Poison(..) => 1,
                                _ => self.widths[l.0 as usize]
                                    .as_ref()
                                    .and_then(|w| w.get(*i))
                                    .copied()
                                    .unwrap_or(1),
                            };
                            Val::Bv(d.num(width, 0))
                        }
                    }
                }
            });
        }
        Ok(equiv::State { at, vals })
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
                    vec![(d.bool(true), Next::Event(event, after))]
                }
                Effect::Volatile { at, bytes, value } => {
                    let event = volatile_event(d, at, bytes, value, self.boundary.lowered.is_some());
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

    /// Whether a point lies behind a trap, which nothing passes; C front ends let code follow it all the same.
    fn after_trap(&self, at: PointId) -> bool {
        let stop = &self.stops[at.index()];
        let before = (stop.inst as usize).checked_sub(1).and_then(|i| self.ir.f.insts.get(i));
        let call = match before.map(|i| &i.op) {
            Some(Op::Call(call)) if self.shape.point(at).kind == PointKind::AfterEvent => call,
            _ => return false,
        };
        self.ir
            .callee_name(call)
            .is_some_and(|name| name == "llvm.trap" || name.starts_with("llvm.ubsantrap"))
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

    /// Values as the outside sees them, each followed by whether it may be anything.
    fn shown<D: Domain>(&self, d: &mut D, scalar: &Scalar<D>, piece: &Piece, out: &mut Vec<Val<D>>) {
        let any = scalar.anything(d);
        out.push(Val::Bv(piece_value(d, piece, &scalar.bits)));
        out.push(Val::Bv(d.bool_to_bv(&any)));
    }

    fn exit<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        value: Option<Value<D>>,
    ) -> Result<Next<D>, Unsupported> {
        let mut vals = Vec::new();
        if let Some(value) = value {
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
                None => {
                    for s in scalars {
                        let any = s.anything(d);
                        vals.push(Val::Bv(s.bits.clone()));
                        vals.push(Val::Bv(d.bool_to_bv(&any)));
                    }
                }
            }
        }
        if let Some(p) = self.boundary.lowered.as_ref().and_then(|s| s.sret) {
            let local = self.ir.f.params[p].local;
            if let Some(Value::Scalar(s)) = &st.locals[local.0 as usize] {
                vals.push(Val::Bv(s.bits.clone()));
                vals.push(Val::Bv(d.num(1, 0)));
            }
        }
        vals.push(Val::Mem(st.mem.clone()));
        Ok(Next::Exit(vals))
    }

    fn event<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: usize,
        callee: Callee<D>,
        args: &[Value<D>],
    ) -> Result<Event<D>, Unsupported> {
        let no = d.num(1, 0);
        let Some(signature) = self.signatures.get(&(inst as u32)) else {
            // An intrinsic that became the library's business.
            let Callee::Direct(name) = callee else { return Err(Unsupported::new("intrinsic")) };
            let mut vals = Vec::new();
            for s in args.iter().flat_map(|a| a.scalars()) {
                vals.push(Val::Bv(s.bits.clone()));
                vals.push(Val::Bv(no.clone()));
            }
            vals.push(Val::Mem(st.mem.clone()));
            return Ok(Event { label: format!("library {name}"), args: vals, results: vec![MEM, MEM] });
        };
        let mut vals = Vec::new();
        let address = match callee {
            Callee::Direct(name) => self.ir.global_address(d, &name),
            Callee::Indirect(at) => at,
        };
        vals.push(Val::Bv(address));
        vals.push(Val::Bv(no.clone()));
        let (label, results) = if self.boundary.lowered.is_some() {
            let signature = signature.clone()?;
            for piece in &signature.args {
                let scalars = args.get(piece.arg).map(|a| a.scalars()).unwrap_or_default();
                let Some(s) = scalars.get(piece.scalar) else { return Err(Unsupported::new("argument")) };
                match piece.by_value {
                    Some(size) => {
                        let bytes = d.load(&st.mem, &s.bits, size);
                        vals.push(Val::Bv(bytes));
                        vals.push(Val::Bv(no.clone()));
                    }
                    None => self.shown(d, s, piece, &mut vals),
                }
            }
            if let Some(n) = signature.vector_count {
                vals.push(Val::Bv(d.num(8, u128::from(n))));
                vals.push(Val::Bv(no));
            }
            (format!("call {}", signature.key()), signature.ret.iter().map(|p| VarSort::Bv(p.bits)).collect())
        } else {
            let Op::Call(call) = &self.ir.f.insts[inst].op else { return Err(Unsupported::new("call")) };
            if call.args.iter().any(|a| self.ir.attr(&a.attrs, "byval").is_some()) {
                return Err(Unsupported::new("byval argument"));
            }
            let mut widths = String::new();
            for s in args.iter().flat_map(|a| a.scalars()) {
                let any = s.anything(d);
                widths.push_str(&format!(" {}", d.width(&s.bits)));
                vals.push(Val::Bv(s.bits.clone()));
                vals.push(Val::Bv(d.bool_to_bv(&any)));
            }
            let ret = if call.ret == super::types::Types::VOID {
                Some(Vec::new())
            } else {
                flat_widths(&self.ir, call.ret)
            };
            let Some(ret) = ret else { return Err(Unsupported::new("result of this type")) };
            (format!("call{widths}"), ret.into_iter().map(VarSort::Bv).collect::<Vec<_>>())
        };
        vals.push(Val::Mem(st.mem.clone()));
        let mut results = results;
        results.extend([MEM, MEM]);
        Ok(Event { label, args: vals, results })
    }
}

/// A volatile access as an event; values are followed by a flag where the other side compares them loosely.
pub(crate) fn volatile_event<D: Domain>(
    d: &mut D,
    at: D::Bv,
    bytes: u32,
    value: Option<D::Bv>,
    _lowered: bool,
) -> Event<D> {
    let no = d.num(1, 0);
    let mut args = vec![Val::Bv(at), Val::Bv(no.clone())];
    let (what, results) = match value {
        Some(v) => {
            args.push(Val::Bv(v));
            args.push(Val::Bv(no));
            ("store", Vec::new())
        }
        None => ("load", vec![VarSort::Bv(bytes * 8)]),
    };
    Event { label: format!("volatile {what} {bytes}"), args, results }
}

/// The memory in which incoming stack arguments lie where the convention puts them.
pub(crate) fn store_stack_arguments<D: Domain>(
    d: &mut D,
    stack: &[StackArgument],
    mem: D::Mem,
    args: &[Value<D>],
) -> D::Mem {
    let mut out = mem;
    for (n, argument) in stack.iter().enumerate() {
        let scalars = args.get(argument.piece.arg).map(|a| a.scalars()).unwrap_or_default();
        let Some(scalar) = scalars.get(argument.piece.scalar) else { continue };
        let value = piece_value(d, &argument.piece, &scalar.bits);
        out = store_stack_argument(d, n, argument, out, &value);
    }
    out
}

/// Stores one incoming stack argument.
pub(crate) fn store_stack_argument<D: Domain>(
    d: &mut D,
    n: usize,
    argument: &StackArgument,
    mem: D::Mem,
    value: &D::Bv,
) -> D::Mem {
    let (have, want) = (d.width(value), argument.size as u32 * 8);
    let value = if have >= want {
        d.zfit(value, want)
    } else {
        let upper = d.symbol(&format!("stack argument padding {n}"), want - have);
        d.concat(&upper, value)
    };
    let address = d.address(&argument.name, Some(argument.size));
    d.store(&mem, &address, &value)
}

/// Widths of the scalars of a type.
pub(crate) fn flat_widths(ir: &Ir<'_>, ty: TypeId) -> Option<Vec<u32>> {
    fn walk(ir: &Ir<'_>, ty: TypeId, out: &mut Vec<u32>, depth: u32) -> Option<()> {
        if depth > 16 || out.len() > 4096 {
            return None;
        }
        match ir.m.types.resolve(ty) {
            Type::Array { len, elem } | Type::Vector { len, elem, scalable: false } => {
                if *len > 4096 {
                    return None;
                }
                for _ in 0..*len {
                    walk(ir, *elem, out, depth + 1)?;
                }
            }
            Type::Struct { fields, .. } => {
                for field in fields.iter() {
                    walk(ir, *field, out, depth + 1)?;
                }
            }
            _ => out.push(ir.scalar_bits(ty).ok()?),
        }
        Some(())
    }
    let mut out = Vec::new();
    walk(ir, ty, &mut out, 0)?;
    Some(out)
}

/// The lowered signature of a call, with the attributes of call and callee together.
fn lower_call(ir: &Ir<'_>, call: &Call) -> Result<Signature, Unsupported> {
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
    lower(m, &args, (call.ret, &ret_attrs), variadic, &words)
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
        let scalars = match (&inst.op, self.signatures.get(&(index as u32))) {
            (Op::Load { ty, .. }, _) => match bits.first().map(|b| self.ir.value_of_bits(d, *ty, Some(b))) {
                Some(Ok(value)) => value.scalars().into_iter().map(|s| s.bits.clone()).collect(),
                _ => Vec::new(),
            },
            (Op::Call(_), Some(Ok(signature))) if self.boundary.lowered.is_some() => {
                join_pieces(d, signature, &bits)
            }
            _ => bits,
        };
        for (var, val) in stop.vars.iter().zip(&mut after.vals) {
            match var {
                Var::Mem => {
                    if let Some(m) = &mem {
                        *val = Val::Mem(m.clone());
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
                Var::Argument(..) | Var::Local(..) | Var::Poison(..) => {}
            }
        }
        after
    }
}

/// The scalars that a result's pieces make up.
fn join_pieces<D: Domain>(d: &mut D, signature: &Signature, bits: &[D::Bv]) -> Vec<D::Bv> {
    let mut out: Vec<D::Bv> = Vec::new();
    for (piece, value) in signature.ret.iter().zip(bits) {
        if piece.scalar < out.len() {
            let low = out[piece.scalar].clone();
            out[piece.scalar] = d.concat(value, &low);
        } else {
            out.push(value.clone());
        }
    }
    out
}
