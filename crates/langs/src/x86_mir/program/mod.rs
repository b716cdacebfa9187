//! A machine function as the engine sees it: points, live virtual registers, steps.

mod states;

use super::ast::{MemOperand, Operand, Reg};
use super::semantics::atomics::Atomic;
use super::semantics::table::{Opcode, Sem};
use super::semantics::{Callee, Effect, State, X86};
use crate::abi::variadic::Incoming;
use crate::abi::{Loc, Piece, Signature, StackArgument};
use crate::domain::{Domain, Unsupported};
use crate::liveness::{Flow, liveness};
use crate::memory::MEM;
use crate::memory::objects::NamedObjects;
use crate::memory::stack;
use crate::memory::volatile::volatile_event;
use crate::x86::regs::{PhysReg, Unit};
use equiv::{
    Event, EventKind, Next, Place, Point, PointId, PointKind, Semantics, Shape, Successor, Val, VarDecl,
    VarSort,
};
use rustc_hash::FxHashMap;

/// A variable of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Var {
    Mem,
    Perm,
    /// Where the stack ends, where the function moves that.
    Stack,
    /// A scalar argument: parameter and scalar.
    Argument(usize, usize),
    Vreg(u32),
    Promoted(usize),
    /// A register that may hold an unnamed argument.
    Incoming(Incoming),
    /// A status flag, by its place in [`FLAGS`].
    Flag(usize),
    /// What the `cmpxchg` before expected to find, of a width.
    Expected(u32),
    /// A piece of the result of the event before.
    Result(usize),
}

/// The names of the status flags as variables of points.
const FLAGS: [&str; 5] = ["$cf", "$pf", "$zf", "$sf", "$of"];

struct Stop {
    block: usize,
    inst: u32,
    vars: Vec<Var>,
}

/// A function ready to be proved about.
pub struct Program<'m, O> {
    /// The semantics.
    pub x86: X86<'m, O>,
    stack: Vec<StackArgument>,
    /// Entry variables: parameter, scalar, width.
    arguments: Vec<(usize, usize, u32)>,
    shape: Shape,
    stops: Vec<Stop>,
    of_block: FxHashMap<usize, PointId>,
    after: FxHashMap<u32, PointId>,
}

/// A point in the making: name, aliases, kind, block, instruction, live registers.
type Draft = (String, Vec<String>, PointKind, usize, u32, Vec<usize>);

type Res<T> = Result<T, Unsupported>;

impl<'m, O: NamedObjects> Program<'m, O> {
    /// Prepares a function; `arguments` are the entry variables it shares with its source, `aliases` gives blocks
    /// and events the names that the source's have.
    pub fn new(
        x86: X86<'m, O>,
        stack: Vec<StackArgument>,
        arguments: Vec<(usize, usize, u32)>,
        aliases: &FxHashMap<u32, String>,
    ) -> Res<Self> {
        if x86.f.blocks.is_empty() {
            return Err(Unsupported::new("function without a body"));
        }
        let mut program = Program {
            x86,
            stack,
            arguments,
            shape: Shape::default(),
            stops: Vec::new(),
            of_block: FxHashMap::default(),
            after: FxHashMap::default(),
        };
        program.build(aliases)?;
        Ok(program)
    }

    fn sem(&self, inst: u32) -> Option<Sem> {
        self.x86.opcodes.get(inst as usize).copied().flatten().map(|o: Opcode| o.sem)
    }

    fn may_be_event(&self, inst: u32) -> bool {
        if matches!(
            self.sem(inst),
            Some(Sem::Call | Sem::TailCall | Sem::Trap | Sem::Fence | Sem::StackFence | Sem::Atomic(_))
        ) {
            return true;
        }
        if self.x86.assembly_event(inst as usize) {
            return true;
        }
        let f = self.x86.f;
        f.insts.get(inst as usize).is_some_and(|i| f.mem_of(i).iter().any(MemOperand::is_seen))
    }

    fn signature(&self, inst: u32) -> Option<&Signature> {
        self.x86.env.calls.iter().find(|(i, _)| *i == inst as usize).map(|(_, s)| s)
    }

    fn build(&mut self, aliases: &FxHashMap<u32, String>) -> Res<()> {
        let flow = self.flow();
        let live = liveness(&flow);
        let f = self.x86.f;
        if flow.blocks.iter().any(|(_, successors, _)| successors.contains(&0)) {
            return Err(Unsupported::new("jump to the entry block"));
        }
        let mut points: Vec<Draft> = Vec::new();
        points.push(("entry".into(), Vec::new(), PointKind::Entry, 0, f.blocks[0].first, Vec::new()));
        let mut named: rustc_hash::FxHashSet<&str> = rustc_hash::FxHashSet::default();
        for (b, block) in f.blocks.iter().enumerate() {
            let fresh = block.ir_block.as_deref().is_some_and(|name| named.insert(name));
            if b == 0 {
                continue;
            }
            let mut vars = live.at_start[b].clone();
            for i in block.first..block.end {
                if self.sem(i) != Some(Sem::Phi) {
                    break;
                }
                vars.extend(flow.defs[i as usize].iter().copied());
            }
            vars.sort_unstable();
            vars.dedup();
            let alias = block.ir_block.clone().filter(|_| fresh);
            self.of_block.insert(b, PointId(points.len() as u32));
            let name = format!("bb.{}", block.number);
            points.push((name, alias.into_iter().collect(), PointKind::Block, b, block.first, vars));
        }
        for (b, block) in f.blocks.iter().enumerate() {
            for i in block.first..block.end {
                if !self.may_be_event(i) {
                    continue;
                }
                let alias = aliases.get(&i).cloned().into_iter().collect();
                let mut vars = live.after(&flow, i as usize);
                // The instruction is run once more when the access has given its value.
                let again = self.x86.computes_with_memory(i as usize).is_some();
                if again || self.x86.is_update(i as usize) {
                    vars.extend(flow.uses[i as usize].iter().copied());
                    vars.sort_unstable();
                    vars.dedup();
                }
                self.after.insert(i, PointId(points.len() as u32));
                let name = format!("bb.{}:inst{}", block.number, i - block.first);
                points.push((name, alias, PointKind::AfterEvent, b, i + 1, vars));
            }
        }
        for (name, aliases, kind, block, inst, live) in points {
            let vars = self.variables((kind, inst), live, flow.variables - 1);
            let mut decls = Vec::new();
            for var in &vars {
                decls.push(self.declare(*var, inst)?);
            }
            let succs = self.successors(&flow, block, inst);
            self.shape.points.push(Point { name, aliases, kind, vars: decls, succs });
            self.stops.push(Stop { block, inst, vars });
        }
        self.shape.name = f.name.clone();
        Ok(())
    }

    /// The variables of a point, from the registers and promoted slots that are live there; the last of them stands for
    /// the flags.
    fn variables(&self, (kind, inst): (PointKind, u32), live: Vec<usize>, flags: usize) -> Vec<Var> {
        let mut vars = vec![Var::Mem, Var::Perm];
        match kind {
            PointKind::Entry => {
                vars.extend(self.arguments.iter().map(|(p, s, _)| Var::Argument(*p, *s)));
                let incoming = self.x86.env.variadic.map(|v| v.incoming()).unwrap_or_default();
                vars.extend(incoming.into_iter().map(Var::Incoming));
            }
            PointKind::AfterEvent => {
                let results = self.result_widths(inst - 1).len();
                vars.extend((0..results).map(Var::Result));
                if self.sem(inst - 1) == Some(Sem::Atomic(Atomic::CompareExchange)) {
                    let width = self.x86.opcodes[inst as usize - 1].map_or(64, |o| o.width);
                    vars.push(Var::Expected(width));
                }
            }
            PointKind::Block => {}
        }
        if kind != PointKind::Entry && self.x86.moves_stack {
            vars.push(Var::Stack);
        }
        let registers = self.x86.f.vregs.len();
        for v in live {
            match v.checked_sub(registers) {
                Some(_) if v == flags => vars.extend((0..FLAGS.len()).map(Var::Flag)),
                Some(slot) => vars.push(Var::Promoted(slot)),
                None => vars.push(Var::Vreg(v as u32)),
            }
        }
        vars
    }

    fn result_widths(&self, inst: u32) -> Vec<u32> {
        if let Some(signature) = self.signature(inst) {
            return signature.ret.iter().map(|p| p.bits).collect();
        }
        let f = self.x86.f;
        let Some(i) = f.insts.get(inst as usize) else { return Vec::new() };
        if self.library_call(inst) {
            return vec![64];
        }
        if let Some((_, bits)) = self.x86.computes_with_memory(inst as usize) {
            return vec![bits];
        }
        match self.sem(inst) {
            Some(Sem::Assembly) => {
                let outputs = self.x86.assembly_outputs(i);
                outputs.into_iter().map(|o| self.x86.output_width(o).unwrap_or(1)).collect()
            }
            Some(Sem::Atomic(_)) if !self.x86.only_stores(inst as usize) => {
                vec![self.x86.opcodes[inst as usize].map_or(64, |o| o.width)]
            }
            Some(Sem::Movzx(w) | Sem::Movsx(w) | Sem::MovFit(w)) => vec![w],
            Some(Sem::Mov) if f.mem_of(i).iter().any(|m| m.load) => {
                vec![self.x86.opcodes[inst as usize].map_or(8, |o| o.width)]
            }
            _ => Vec::new(),
        }
    }

    /// Is it a call that the compiler made of a copy or a fill? Those return where they wrote to.
    fn library_call(&self, inst: u32) -> bool {
        let call = matches!(self.sem(inst), Some(Sem::Call | Sem::TailCall));
        let operands = self.x86.f.insts.get(inst as usize).map_or(&[][..], |i| self.x86.f.operands_of(i));
        call && self.signature(inst).is_none()
            && operands.iter().any(|o| matches!(o, Operand::External(..) | Operand::Symbol(_)))
    }

    fn declare(&self, var: Var, inst: u32) -> Res<VarDecl> {
        Ok(match var {
            Var::Mem => VarDecl { name: "mem".into(), sort: MEM },
            Var::Perm => VarDecl { name: "perm".into(), sort: MEM },
            Var::Stack => VarDecl { name: stack::NAME.into(), sort: VarSort::Bv(stack::BITS) },
            Var::Argument(p, s) => {
                let width = self.arguments.iter().find(|a| (a.0, a.1) == (p, s)).map_or(1, |a| a.2);
                VarDecl { name: format!("arg{p}.{s}"), sort: VarSort::Bv(width) }
            }
            Var::Incoming(i) => VarDecl { name: i.name(), sort: VarSort::Bv(i.width()) },
            Var::Flag(i) => VarDecl { name: FLAGS[i].into(), sort: VarSort::Bv(1) },
            Var::Expected(width) => VarDecl { name: "expected".into(), sort: VarSort::Bv(width) },
            Var::Promoted(c) => {
                let promoted = &self.x86.env.promoted;
                VarDecl { name: promoted.name(c), sort: VarSort::Bv(promoted.width(c)) }
            }
            Var::Vreg(n) => VarDecl { name: format!("%{n}"), sort: VarSort::Bv(self.x86.vreg_width(n)?) },
            Var::Result(i) => {
                let width = self.result_widths(inst - 1).get(i).copied().unwrap_or(1);
                VarDecl { name: format!("result{i}"), sort: VarSort::Bv(width) }
            }
        })
    }

    fn flow(&self) -> Flow {
        let f = self.x86.f;
        // Promoted slots are variables behind the registers, and the flags together are the last.
        let registers = f.vregs.len();
        let flags = registers + self.x86.env.promoted.len();
        let variables = flags + 1;
        let mut flow = Flow { variables, blocks: Vec::new(), uses: Vec::new(), defs: Vec::new() };
        for i in 0..f.insts.len() {
            let (mut uses, mut defs) = (Vec::new(), Vec::new());
            let phi = self.sem(i as u32) == Some(Sem::Phi);
            for operand in f.operands_of(&f.insts[i]) {
                if let Operand::Reg { reg: Reg::Virtual(n), flags, .. } = operand {
                    if flags.def {
                        defs.push(*n as usize);
                    } else if !phi && !flags.undef {
                        uses.push(*n as usize);
                    }
                }
                if let Operand::Reg { reg: Reg::Physical(p), flags: how, .. } = operand
                    && p.unit == Unit::Flags
                {
                    if how.def {
                        defs.push(flags);
                    } else if !how.undef {
                        uses.push(flags);
                    }
                }
            }
            let (read, written) = self.x86.promoted_of(i);
            uses.extend(read.into_iter().map(|c| registers + c));
            defs.extend(written.into_iter().map(|c| registers + c));
            flow.uses.push(uses);
            flow.defs.push(defs);
        }
        for (b, block) in f.blocks.iter().enumerate() {
            let mut successors: Vec<usize> =
                block.successors.iter().filter_map(|n| f.block_index(*n)).collect();
            // A block without listed successors may still fall through where it does not end in a terminator.
            if self.falls_through(b) && b + 1 < f.blocks.len() && !successors.contains(&(b + 1)) {
                successors.push(b + 1);
            }
            let edge_uses = self.edge_uses(block.number, &successors);
            flow.blocks.push((block.first as usize..block.end as usize, successors, edge_uses));
        }
        flow
    }

    /// The registers that PHIs of a block's successors read where they are entered from it.
    fn edge_uses(&self, number: u32, successors: &[usize]) -> Vec<usize> {
        let f = self.x86.f;
        let mut edge_uses = Vec::new();
        for &s in successors {
            for i in f.blocks[s].first..f.blocks[s].end {
                if self.sem(i) != Some(Sem::Phi) {
                    break;
                }
                for pair in f.operands_of(&f.insts[i as usize])[1..].chunks(2) {
                    if let [Operand::Reg { reg: Reg::Virtual(n), flags, .. }, Operand::Block(from)] = pair
                        && *from == number
                        && !flags.undef
                    {
                        edge_uses.push(*n as usize);
                    }
                }
            }
        }
        edge_uses
    }

    fn falls_through(&self, b: usize) -> bool {
        let block = &self.x86.f.blocks[b];
        match (block.first..block.end).next_back().and_then(|i| self.sem(i)) {
            Some(Sem::Jump | Sem::JumpIndirect | Sem::Return | Sem::TailCall | Sem::Trap) => false,
            // A block that ends without successors ends in a call that does not return.
            _ => !block.successors.is_empty(),
        }
    }

    fn successors(&self, flow: &Flow, block: usize, inst: u32) -> Vec<PointId> {
        let end = self.x86.f.blocks[block].end;
        let mut out: Vec<PointId> = (inst..end).filter_map(|i| self.after.get(&i)).copied().collect();
        out.extend(flow.blocks[block].1.iter().filter_map(|s| self.of_block.get(s)));
        out.sort_unstable();
        out.dedup();
        out
    }

    fn place(&self, inst: u32) -> Place {
        match self.x86.f.insts.get(inst as usize) {
            Some(i) => Place(format!("line {}", i.line)),
            None => Place(format!("end of {}", self.x86.f.name)),
        }
    }

    fn go<D: Domain>(&self, d: &mut D, st: &State<D>, from: usize, to: u32) -> Res<Next<D>> {
        let Some(index) = self.x86.f.block_index(to) else {
            return Err(Unsupported::new("jump to no block"));
        };
        let Some(&point) = self.of_block.get(&index) else {
            return Err(Unsupported::new("jump to the entry"));
        };
        let mut after = st.clone();
        self.x86.enter(d, &mut after, self.x86.f.blocks[from].number, index)?;
        Ok(Next::Go(self.save(d, point, &after)?))
    }

    fn run<D: Domain>(
        &self,
        d: &mut D,
        s: &equiv::State<D>,
    ) -> Result<Vec<Successor<D>>, (Unsupported, u32)> {
        let stop = &self.stops[s.at.index()];
        let mut st = self.restore(d, s).map_err(|e| (e, stop.inst))?;
        let f = self.x86.f;
        let mut nexts: Vec<(D::Bool, Next<D>)> = Vec::new();
        let mut here = d.bool(true);
        let end = f.blocks[stop.block].end;
        let mut i = stop.inst;
        loop {
            if i >= end {
                nexts.push((here, self.behind(d, &st, (stop.block, i)).map_err(|e| (e, i))?));
                break;
            }
            let effect = self.x86.exec(d, &mut st, i as usize).map_err(|e| (e, i))?;
            match effect {
                Effect::Next => {}
                Effect::JumpIf(cond, to) => {
                    let taken = d.and(&here, &cond);
                    if d.as_bool(&taken) != Some(false) {
                        nexts.push((taken, self.go(d, &st, stop.block, to).map_err(|e| (e, i))?));
                    }
                    let not = d.not(&cond);
                    here = d.and(&here, &not);
                }
                Effect::Jump(to) => {
                    nexts.push((here, self.go(d, &st, stop.block, to).map_err(|e| (e, i))?));
                    break;
                }
                Effect::JumpAmong(ways) => {
                    let ways = self.jump_among(d, &st, (stop.block, i), &here, ways).map_err(|e| (e, i))?;
                    nexts.extend(ways);
                    break;
                }
                Effect::Return => {
                    let next = self.exit(d, &st, Some(i)).map_err(|e| (e, i))?;
                    nexts.push((here, next));
                    break;
                }
                Effect::Trap | Effect::Call { .. } | Effect::Assembly { .. } | Effect::Volatile { .. } => {
                    let event = self.event_of(d, &mut st, i, effect).map_err(|e| (e, i))?;
                    let after = self.save(d, self.after[&i], &st).map_err(|e| (e, i))?;
                    nexts.push((here, Next::Event(event, after)));
                    break;
                }
            }
            i += 1;
        }
        Ok(self.split(d, &st, nexts, i))
    }

    /// Where control goes at the end of a block: to the next in layout, if it falls through; it does not come here behind
    /// a call that does not return.
    fn behind<D: Domain>(&self, d: &mut D, st: &State<D>, (block, i): (usize, u32)) -> Res<Next<D>> {
        match self.x86.f.blocks.get(block + 1) {
            Some(to) if self.falls_through(block) => self.go(d, st, block, to.number),
            _ => Ok(Next::Error("end of the code".into(), self.place(i))),
        }
    }

    /// The ways of a jump through a table.
    fn jump_among<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        (block, inst): (usize, u32),
        here: &D::Bool,
        ways: Vec<(D::Bool, u32)>,
    ) -> Res<Vec<(D::Bool, Next<D>)>> {
        let (mut none, mut nexts) = (here.clone(), Vec::new());
        for (cond, to) in ways {
            // The tables of other jumps lead elsewhere: going there counts as an error, to be shown impossible.
            if !self.x86.f.blocks[block].successors.contains(&to) {
                continue;
            }
            let taken = d.and(here, &cond);
            let not = d.not(&cond);
            none = d.and(&none, &not);
            nexts.push((taken, self.go(d, st, block, to)?));
        }
        nexts.push((none, Next::Error("jump to nowhere".into(), self.place(inst))));
        Ok(nexts)
    }

    /// What the world sees of an instruction; the state is then as it leaves it, but for results.
    fn event_of<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: u32,
        effect: Effect<D>,
    ) -> Res<Event<D>> {
        match effect {
            Effect::Trap => Ok(Event {
                kind: EventKind::Other,
                label: "library llvm.trap".into(),
                args: vec![Val::Mem(st.mem.clone())],
                results: vec![MEM, MEM],
            }),
            Effect::Call { callee, tail } => {
                let event = self.event(d, st, inst, (callee, tail))?;
                self.x86.clobber(st);
                st.outgoing.clear();
                if let (true, Some(Val::Bv(to))) = (self.library_call(inst), event.args.first()) {
                    st.gpr[0] = Some(to.clone());
                }
                Ok(event)
            }
            Effect::Assembly { label, args } => {
                let no = d.num(1, 0);
                let pairs = args.into_iter().flat_map(|a| [Val::Bv(a), Val::Bv(no.clone())]);
                let args = pairs.chain([Val::Mem(st.mem.clone())]).collect();
                let widths = self.result_widths(inst).into_iter().map(VarSort::Bv);
                let results = widths.chain([MEM, MEM]).collect();
                Ok(Event { kind: EventKind::Other, label: label.into(), args, results })
            }
            Effect::Volatile { at, bytes, value } => {
                let (event, mem) = volatile_event(d, &st.mem, &at, bytes, value);
                st.mem = mem;
                Ok(event)
            }
            Effect::Next | Effect::JumpIf(..) | Effect::Jump(_) | Effect::JumpAmong(_) | Effect::Return => {
                Err(Unsupported::new("event"))
            }
        }
    }

    /// The ways on, faults apart. Faults happen before the first branch in practice; counting a later one against
    /// every way errs on the safe side.
    fn split<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        nexts: Vec<(D::Bool, Next<D>)>,
        inst: u32,
    ) -> Vec<Successor<D>> {
        let mut out = Vec::new();
        let fine = d.not(&st.fault);
        if d.as_bool(&st.fault) != Some(false) {
            out.push(Successor {
                cond: st.fault.clone(),
                next: Next::Error("fault".into(), self.place(inst)),
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

    /// Results as the convention shows them, in the same form as the source's: value and flag.
    fn exit<D: Domain>(&self, d: &mut D, st: &State<D>, inst: Option<u32>) -> Res<Next<D>> {
        let mut vals = Vec::new();
        let no = d.num(1, 0);
        let Some(signature) = &self.x86.env.signature else {
            return Err(Unsupported::new("return without a signature"));
        };
        if let Some(inst) = inst.filter(|i| self.sem(*i) == Some(Sem::Return)) {
            let address = signature.sret.map(|_| (Loc::Gpr(0), 64));
            self.x86.check_read(inst as usize, places(&signature.ret).chain(address))?;
        }
        for piece in &signature.ret {
            vals.push(Val::Bv(self.x86.read_piece(d, st, piece)?));
            vals.push(Val::Bv(no.clone()));
        }
        if signature.sret.is_some() {
            let rax = PhysReg::gpr(0, 64);
            vals.push(Val::Bv(self.x86.read_phys(d, st, rax)?));
            vals.push(Val::Bv(no));
        }
        vals.push(Val::Mem(st.mem.clone()));
        Ok(Next::Exit(vals))
    }

    fn event<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        inst: u32,
        (callee, tail): (Callee<D>, bool),
    ) -> Res<Event<D>> {
        let no = d.num(1, 0);
        let mut args = Vec::new();
        if let Callee::Library(name) = &callee {
            self.x86.check_block_read(inst as usize, name)?;
            let widths: &[(u8, u32)] = match name.as_str() {
                "memcpy" | "memmove" => &[(7, 64), (6, 64), (2, 64)],
                "memset" => &[(7, 64), (6, 8), (2, 64)],
                _ => return Err(Unsupported::new(format!("library call {name}"))),
            };
            for (n, width) in widths {
                let reg = PhysReg::gpr(*n, *width as u16);
                args.push(Val::Bv(self.x86.read_phys(d, st, reg)?));
                args.push(Val::Bv(no.clone()));
            }
            args.push(Val::Mem(st.mem.clone()));
            let label = format!("library {name}").into();
            return Ok(Event { kind: EventKind::Other, label, args, results: vec![MEM, MEM] });
        }
        let Some(signature) = self.signature(inst) else {
            return Err(Unsupported::new("call whose counterpart in the source is not known"));
        };
        let address = match callee {
            Callee::Direct(name) | Callee::Library(name) => self.x86.objects.address(d, &name),
            Callee::Indirect(at) => at,
        };
        args.push(Val::Bv(address));
        args.push(Val::Bv(no.clone()));
        let count = signature.vector_count.map(|_| (Loc::Gpr(0), 8));
        self.x86.check_read(inst as usize, places(&signature.args).chain(count))?;
        if !tail {
            self.x86.check_room(inst as usize, signature.stack_bytes)?;
        }
        for piece in &signature.args {
            let value = match tail {
                true => self.x86.read_tail_piece(d, st, piece)?,
                false => self.x86.read_piece(d, st, piece)?,
            };
            args.push(Val::Bv(value));
            args.push(Val::Bv(no.clone()));
        }
        if signature.vector_count.is_some() {
            let al = PhysReg::gpr(0, 8);
            args.push(Val::Bv(self.x86.read_phys(d, st, al)?));
            args.push(Val::Bv(no));
        }
        args.push(Val::Mem(st.mem.clone()));
        let mut results: Vec<VarSort> = signature.ret.iter().map(|p| VarSort::Bv(p.bits)).collect();
        results.extend([MEM, MEM]);
        Ok(Event { kind: EventKind::Call, label: format!("call {}", signature.key()).into(), args, results })
    }
}

/// Where pieces lie, and how many bits of each register they fill.
fn places(pieces: &[Piece]) -> impl Iterator<Item = (Loc, u32)> + '_ {
    pieces.iter().map(|p| (p.loc, p.shift + p.width))
}

impl<O: NamedObjects> Semantics for Program<'_, O> {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn rests_on_names(&self) -> bool {
        !self.x86.open.is_empty()
    }

    fn step<D: Domain>(&self, d: &mut D, s: &equiv::State<D>) -> Vec<Successor<D>> {
        // Behind a tail call only the return is left.
        let stop = &self.stops[s.at.index()];
        let tail = self.shape.point(s.at).kind == PointKind::AfterEvent
            && self.sem(stop.inst - 1) == Some(Sem::TailCall);
        let ways = if tail {
            self.restore(d, s)
                .and_then(|st| self.exit(d, &st, None))
                .map(|next| vec![Successor { cond: d.bool(true), next }])
                .map_err(|e| (e, stop.inst))
        } else {
            self.run(d, s)
        };
        match ways {
            Ok(successors) => successors,
            Err((unsupported, inst)) => {
                let next = Next::Unsupported(unsupported.what, self.place(inst));
                vec![Successor { cond: d.bool(true), next }]
            }
        }
    }

    fn resume<D: Domain>(
        &self,
        _d: &mut D,
        mut after: equiv::State<D>,
        results: &[Val<D>],
    ) -> equiv::State<D> {
        let stop = &self.stops[after.at.index()];
        let (mut mems, mut bits) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Val::Mem(m) => mems.push(m.clone()),
                Val::Bv(b) => bits.push(b.clone()),
            }
        }
        for (var, val) in stop.vars.iter().zip(&mut after.vals) {
            match var {
                Var::Mem => {
                    if let Some(m) = mems.first() {
                        *val = Val::Mem(m.clone());
                    }
                }
                Var::Perm => {
                    if let Some(m) = mems.get(1) {
                        *val = Val::Mem(m.clone());
                    }
                }
                Var::Result(i) => {
                    if let Some(b) = bits.get(*i) {
                        *val = Val::Bv(b.clone());
                    }
                }
                Var::Argument(..)
                | Var::Stack
                | Var::Vreg(_)
                | Var::Promoted(_)
                | Var::Incoming(_)
                | Var::Flag(_)
                | Var::Expected(_) => {}
            }
        }
        after
    }
}
