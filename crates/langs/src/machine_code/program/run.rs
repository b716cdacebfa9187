//! Running a block: from the state of a point to those of the points that follow.

use super::super::calls::Piece;
use super::super::constants::held;
use super::super::effect::Effect;
use super::super::filled::Filled;
use super::super::spelled::Verb;
use super::super::state::Machine;
use super::{Program, Ran, TRAP, Var, Way, truth_value};
use crate::domain::{Domain, Ext, Res, Unsupported};
use crate::memory::MEM;
use crate::x86::flags::{Each, Flags};
use equiv::{Event, EventKind, Next, Place, PointId, Shape, State, Successor, Val};

impl Program {
    pub(super) fn restore<D: Domain>(&self, d: &mut D, s: &State<D>) -> Machine<D> {
        let stop = &self.stops[s.at.index()];
        let mem = match s.at {
            Shape::ENTRY => held(d, &self.f, s.vals[0].mem()),
            _ => s.vals[0].mem().clone(),
        };
        let perm = stop.vars.iter().position(|v| *v == Var::Perm).map(|n| s.vals[n].mem().clone());
        let mut m = Machine::new(d, mem, perm);
        let entry = s.at == Shape::ENTRY;
        if self.apart {
            m.fresh = self.escapes.allocations.iter().map(|a| (d.num(64, 0), self.room(d, a))).collect();
        }
        m.out = vec![None; self.frame.objects.list.len()];
        for n in self.escapes.mixed() {
            m.out[n] = Some(d.bool(false));
        }
        let mut slots = vec![None; self.frame.slots.len()];
        for (var, val) in stop.vars.iter().zip(&s.vals) {
            if let Var::Slot(n) = var {
                slots[*n] = Some(val.bv().clone());
            }
        }
        let mut unknown = |n| match entry {
            true => self.unset(d, n),
            false => d.nondet("dead", self.frame.slots.width(n)),
        };
        let slots = slots.into_iter().enumerate();
        m.slots = slots.map(|(n, known)| known.unwrap_or_else(|| unknown(n))).collect();
        if entry {
            for &n in self.f.abi.saved {
                let saved = self.saved(d, n);
                m.registers[n] = Some(self.with_above(d, n, saved));
            }
        }
        let mut flags: [Option<D::Bool>; 5] = [const { None }; 5];
        let place = self.calls.own.place.filter(|_| entry).map(|(register, _)| register);
        for (var, val) in stop.vars.iter().zip(&s.vals) {
            match var {
                Var::Mem | Var::Perm | Var::Slot(_) => {}
                Var::Register(n) => m.registers[*n] = Some(val.bv().clone()),
                Var::Argument(p) => {
                    let filled = Filled::of(&self.calls.own.filled_arguments, p.register);
                    // What lies above an argument may be anything, the same in both programs, unless the convention says it.
                    let width = self.f.abi.width(p.register);
                    let rest = width - p.bits;
                    let truth = self.calls.own.truths >> p.register & 1 == 1;
                    let value = if truth { truth_value(d, val.bv()) } else { val.bv().clone() };
                    m.registers[p.register] = Some(match (filled, rest) {
                        (Some(filled), _) => filled.whole(d, &value, width),
                        (None, 0) => value,
                        (None, _) => {
                            let above = d.symbol(&Self::above_name(self.f.abi, p.register), rest);
                            d.concat(&above, &value)
                        }
                    });
                    if place == Some(p.register) {
                        self.note_place(&mut m, val.bv());
                    }
                }
                Var::Flag(n) => flags[*n] = Some(d.is_set(val.bv())),
                Var::Fresh(n) => m.fresh[*n].0 = val.bv().clone(),
                Var::Room(n) => m.fresh[*n].1 = val.bv().clone(),
                Var::Place => self.note_place(&mut m, val.bv()),
                Var::Out(n) => m.out[*n] = Some(d.is_set(val.bv())),
                Var::Held(n, at, _) => {
                    let address = self.object_address(d, m.place.as_ref(), *n, *at);
                    m.mem = d.store(&m.mem, &address, val.bv());
                }
            }
        }
        if flags.iter().any(Option::is_some) {
            let [carry, parity, zero, sign, overflow] = flags;
            m.flags = Flags::Each(Box::new(Each { carry, parity, zero, sign, overflow }));
        }
        m
    }

    /// What a slot holds at the entry.
    fn unset<D: Domain>(&self, d: &mut D, slot: usize) -> D::Bv {
        // Byte by byte: a symbol as wide as an address is taken for one, and moved to where one may lie.
        let bytes = 0..self.frame.slots.width(slot) / 8;
        let shared = self.shared.get(&slot).and_then(|name| {
            let all: Vec<D::Bv> = bytes.map(|n| d.symbol(&format!("{name}, byte {n}"), 8)).collect();
            all.into_iter().reduce(|low, high| d.concat(&high, &low))
        });
        shared.unwrap_or_else(|| self.frame.initial(d, slot))
    }

    fn save<D: Domain>(&self, d: &mut D, m: &Machine<D>, at: PointId) -> Res<State<D>> {
        let stop = &self.stops[at.index()];
        let mut vals = Vec::new();
        let mut each = None;
        for var in &stop.vars {
            vals.push(match var {
                Var::Mem => Val::Mem(self.without(d, m, |n| stop.hidden.contains(&n))),
                Var::Perm => Val::Mem(m.perm.clone().unwrap_or_else(|| m.mem.clone())),
                Var::Register(n) | Var::Argument(Piece { register: n, .. }) => match &m.registers[*n] {
                    Some(v) => Val::Bv(v.clone()),
                    None => Val::Bv(d.nondet("what nobody set", self.f.abi.width(*n))),
                },
                Var::Flag(n) => {
                    let e = each.get_or_insert_with(|| m.flags.each(d));
                    let all = [&e.carry, &e.parity, &e.zero, &e.sign, &e.overflow];
                    Val::Bv(match all[*n].clone() {
                        Some(flag) => d.bool_to_bv(&flag),
                        None => d.nondet("undefined flag", 1),
                    })
                }
                Var::Slot(n) => Val::Bv(m.slots[*n].clone()),
                Var::Fresh(n) => Val::Bv(m.fresh[*n].0.clone()),
                Var::Room(n) => Val::Bv(m.fresh[*n].1.clone()),
                Var::Place => Val::Bv(match &m.place {
                    Some(place) => place.clone(),
                    None => d.nondet("what nobody set", 64),
                }),
                Var::Out(n) => Val::Bv(match &m.out[*n] {
                    Some(out) => d.bool_to_bv(out),
                    None => d.num(1, 1),
                }),
                Var::Held(n, at, bytes) => {
                    let address = self.object_address(d, m.place.as_ref(), *n, *at);
                    Val::Bv(d.load(&m.mem, &address, *bytes as u32))
                }
            });
        }
        Ok(State { at, vals })
    }

    fn go<D: Domain>(&self, d: &mut D, m: &Machine<D>, last: usize, to: usize) -> Res<Next<D>> {
        let Some(&point) = self.of_block.get(&to) else {
            return Err(self.f.unsupported(last, "a jump to the entry"));
        };
        let mut m = m.clone();
        for n in self.facts.lost(&self.f, last, self.f.blocks[to].first) {
            if self.stops[point.index()].vars.contains(&Var::Register(n)) {
                return Err(self.f.unsupported(
                    last,
                    "a register that holds an address of frame or code on one way alone",
                ));
            }
            m.registers[n] = None;
        }
        Ok(Next::Go(self.save(d, &m, point)?))
    }

    pub(super) fn place(&self, i: usize) -> Place {
        let at = self.f.insns.get(i).map_or(0, |insn| insn.offset);
        Place(format!("{}+{at:#x}", self.f.name))
    }

    pub(super) fn run<D: Domain>(
        &self,
        d: &mut D,
        s: &State<D>,
    ) -> Result<Vec<Successor<D>>, (Unsupported, usize)> {
        let stop = &self.stops[s.at.index()];
        let m = self.restore(d, s);
        let start = d.bool(true);
        let mut ways = vec![(m, start, stop.insn)];
        let mut out = Vec::new();
        let mut last = stop.insn;
        // What an alignment decides goes on in as many ways as that may be.
        while let Some((m, start, from)) = ways.pop() {
            let way = self.run_way(d, (m, &start), (stop.block, from), &mut ways)?;
            let Some(ran) = way else { continue };
            last = ran.2;
            out.push((start, ran));
        }
        Ok(self.split(d, out, last))
    }

    /// Runs the rest of a block, where `start` holds: the machine then, what follows, and the last instruction; none where it goes
    /// on in several ways, which are added to the others.
    fn run_way<D: Domain>(
        &self,
        d: &mut D,
        (mut m, start): (Machine<D>, &D::Bool),
        (block, from): (usize, usize),
        ways: &mut Vec<Way<D>>,
    ) -> Result<Option<Ran<D>>, (Unsupported, usize)> {
        let code = self.code();
        let block = &self.f.blocks[block];
        let mut nexts: Vec<(D::Bool, Next<D>)> = Vec::new();
        let mut here = start.clone();
        let mut i = from;
        loop {
            if self.spelling.get(&i).is_some_and(|s| s.verb == Verb::Align) {
                for (cond, way) in self.aligned(d, &m, i).map_err(|e| (e, i))? {
                    let cond = d.and(&here, &cond);
                    ways.push((way, cond, i + 1));
                }
                return Ok(None);
            }
            let last = i.saturating_sub(1);
            if i >= block.end {
                let next = match block.falls {
                    Some(to) => self.go(d, &m, last, to).map_err(|e| (e, last))?,
                    None => Next::Unsupported("the end of the code".into(), self.place(last)),
                };
                nexts.push((here, next));
                break;
            }
            m.in_place = None;
            self.begin(d, &mut m, i);
            match code.exec(d, &mut m, i).map_err(|e| (e, i))? {
                Effect::Next => self.go_out(d, &mut m, i),
                Effect::JumpIf(cond, to) => {
                    let taken = d.and(&here, &cond);
                    if d.as_bool(&taken) != Some(false) {
                        nexts.push((taken, self.go(d, &m, i, to).map_err(|e| (e, i))?));
                    }
                    let not = d.not(&cond);
                    here = d.and(&here, &not);
                }
                Effect::Jump(to) => {
                    nexts.push((here, self.go(d, &m, i, to).map_err(|e| (e, i))?));
                    break;
                }
                Effect::Among(ways) => {
                    nexts.extend(self.among(d, &m, (i, &here), ways).map_err(|e| (e, i))?);
                    break;
                }
                Effect::Return => {
                    let exit = self.exit(d, &m, i).map_err(|e| (e, i))?;
                    nexts.push((here, exit));
                    break;
                }
                Effect::Trap => {
                    let args = vec![Val::Mem(m.mem.clone())];
                    let (kind, label) = (EventKind::Other, TRAP.into());
                    let event = Event { kind, label, args, results: Vec::new() };
                    let after = self.save(d, &m, self.after[&i]).map_err(|e| (e, i))?;
                    nexts.push((here, Next::Event(event, after)));
                    break;
                }
                Effect::Event(deed, operands) => {
                    let mem = self.shown(d, &m, i);
                    self.go_out(d, &mut m, i);
                    let (kind, args) = (EventKind::Other, vec![Val::Mem(mem), Val::Bv(operands)]);
                    let event = Event { kind, label: deed.into(), args, results: vec![MEM] };
                    let after = self.save(d, &m, self.after[&i]).map_err(|e| (e, i))?;
                    nexts.push((here, Next::Event(event, after)));
                    break;
                }
                Effect::Call(_) if self.spelling.contains_key(&i) => {
                    self.spell(d, &mut m, i, self.spelling[&i]).map_err(|e| (e, i))?;
                    if self.calls.at(i).is_some_and(|c| c.tail) {
                        let exit = self.exit(d, &m, i).map_err(|e| (e, i))?;
                        nexts.push((here, exit));
                        break;
                    }
                }
                Effect::Call(target) => {
                    // No function lies at zero (C17, 6.3.2.3p3).
                    if let Some(target) = &target {
                        let nowhere = d.is_zero(target);
                        m.fault_if(d, &nowhere);
                    }
                    let event = self.call(d, &mut m, i, target).map_err(|e| (e, i))?;
                    self.go_out(d, &mut m, i);
                    let after = self.save(d, &m, self.after[&i]).map_err(|e| (e, i))?;
                    nexts.push((here, Next::Event(event, after)));
                    break;
                }
            }
            i += 1;
        }
        Ok(Some((m, nexts, i)))
    }

    fn among<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, here): (usize, &D::Bool),
        ways: Vec<(D::Bool, usize)>,
    ) -> Res<Vec<(D::Bool, Next<D>)>> {
        let (mut none, mut nexts) = (here.clone(), Vec::new());
        for (cond, to) in ways {
            let taken = d.and(here, &cond);
            let not = d.not(&cond);
            none = d.and(&none, &not);
            if d.as_bool(&taken) != Some(false) {
                nexts.push((taken, self.go(d, m, i, to)?));
            }
        }
        let place = self.place(i);
        nexts.push((
            none,
            match self.facts.table(i).is_some_and(|n| self.f.tables[n].may_go_on) {
                true => Next::Unsupported("a jump by what lies behind a table".into(), place),
                false => Next::Error("jump to nowhere".into(), place),
            },
        ));
        Ok(nexts)
    }

    /// The ways on, faults apart: a block has one jump at most, at its end, so that all accesses come before it.
    fn split<D: Domain>(&self, d: &mut D, ways: Vec<(D::Bool, Ran<D>)>, i: usize) -> Vec<Successor<D>> {
        let (mut out, mut fails) = (Vec::new(), d.bool(false));
        for (start, (m, nexts, _)) in ways {
            let fault = &m.fault;
            let failed = d.and(&start, fault);
            fails = d.or(&fails, &failed);
            let fine = d.not(fault);
            for (cond, next) in nexts {
                let cond = d.and(&fine, &cond);
                if d.as_bool(&cond) != Some(false) {
                    out.push(Successor { cond, next });
                }
            }
        }
        if d.as_bool(&fails) != Some(false) {
            let next = Next::Error("fault".into(), self.place(i));
            out.insert(0, Successor { cond: fails, next });
        }
        out
    }
}
