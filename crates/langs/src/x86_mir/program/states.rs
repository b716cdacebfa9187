//! States of the engine and states of the semantics: a point's variables put where instructions read them, and taken from
//! there at the next point; what an event gives in between.

use super::{Program, Res, Var};
use crate::abi::Loc;
use crate::abi::variadic::Incoming;
use crate::domain::{Domain, Ext, Unsupported};
use crate::memory::objects::NamedObjects;
use crate::memory::stack;
use crate::x86::flags::{Each, Flags};
use crate::x86::regs::PhysReg;
use crate::x86_mir::semantics::State;
use crate::x86_mir::semantics::table::Sem;
use equiv::{PointId, PointKind, Val};

impl<O: NamedObjects> Program<'_, O> {
    pub(super) fn restore<D: Domain>(&self, d: &mut D, s: &equiv::State<D>) -> Res<State<D>> {
        let stop = &self.stops[s.at.index()];
        let (mut mem, mut perm, mut end) = (None, None, None);
        let mut arguments: Vec<((usize, usize), D::Bv)> = Vec::new();
        let mut vregs: Vec<(u32, D::Bv)> = Vec::new();
        let mut promoted: Vec<(usize, D::Bv)> = Vec::new();
        let mut results: Vec<D::Bv> = Vec::new();
        let mut incoming: Vec<(Incoming, D::Bv)> = Vec::new();
        let mut flags: Vec<D::Bool> = Vec::new();
        let mut expected = None;
        for (var, val) in stop.vars.iter().zip(&s.vals) {
            match var {
                Var::Mem => mem = Some(val.mem().clone()),
                Var::Perm => perm = Some(val.mem().clone()),
                Var::Stack => end = Some(val.bv().clone()),
                Var::Argument(p, i) => arguments.push(((*p, *i), val.bv().clone())),
                Var::Vreg(n) => vregs.push((*n, val.bv().clone())),
                Var::Promoted(c) => promoted.push((*c, val.bv().clone())),
                Var::Incoming(i) => incoming.push((*i, val.bv().clone())),
                Var::Flag(_) => flags.push(d.is_set(val.bv())),
                Var::Expected(_) => expected = Some(val.bv().clone()),
                Var::Result(_) => results.push(val.bv().clone()),
            }
        }
        let (Some(mem), Some(perm)) = (mem, perm) else {
            return Err(Unsupported::new("state without memory"));
        };
        let mut st = self.x86.blank(d, mem, perm);
        st.expected = expected;
        if let Some(end) = end {
            st.stack = end;
        }
        for (n, value) in vregs {
            // An address in a frame object is that whatever the state calls it.
            let address = self.x86.frame_address(d, n);
            let value = if self.x86.is_stack_end(n) { stack::even(d, &value) } else { value };
            st.vregs[n as usize] = Some(address.unwrap_or(value));
        }
        for (c, value) in promoted {
            st.promoted[c] = value;
        }
        if let [carry, parity, zero, sign, overflow] = &flags[..] {
            let [carry, parity, zero, sign, overflow] =
                [carry, parity, zero, sign, overflow].map(|f| Some(f.clone()));
            st.flags = Flags::Each(Box::new(Each { carry, parity, zero, sign, overflow }));
        }
        match self.shape.point(s.at).kind {
            PointKind::Entry => {
                self.x86.enter_variadic(d, &mut st, &incoming);
                self.enter_function(d, &mut st, &arguments)?;
            }
            PointKind::AfterEvent => self.take_results(d, &mut st, stop.inst - 1, &results)?,
            PointKind::Block => {}
        }
        Ok(st)
    }

    /// Puts the results of an event where the instruction has them.
    fn take_results<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: u32, results: &[D::Bv]) -> Res<()> {
        if let Some(signature) = self.signature(inst) {
            for (piece, value) in signature.ret.iter().zip(results) {
                let value =
                    if piece.signed { d.sfit(value, piece.width) } else { d.zfit(value, piece.width) };
                if self.x86.is_written(inst as usize, piece) {
                    self.x86.write_piece(d, st, piece, &value)?;
                }
            }
        } else if self.sem(inst) == Some(Sem::Assembly) {
            let outputs = self.x86.assembly_outputs(&self.x86.f.insts[inst as usize]);
            for (output, value) in outputs.iter().zip(results) {
                self.x86.write_output(d, st, output, value)?;
            }
        } else if let Some(value) = results.first() {
            match self.library_call(inst) {
                true => st.gpr[0] = Some(value.clone()),
                false => self.x86.finish_volatile(d, st, inst as usize, value)?,
            }
        }
        Ok(())
    }

    fn enter_function<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        arguments: &[((usize, usize), D::Bv)],
    ) -> Res<()> {
        st.mem = self.x86.objects.concrete_constants(d, &st.mem);
        let Some(signature) = &self.x86.env.signature else { return Ok(()) };
        for piece in &signature.args {
            if piece.by_value.is_some() {
                continue;
            }
            let value =
                arguments.iter().find(|(at, _)| *at == (piece.arg, piece.scalar)).map(|(_, v)| v.clone());
            let Some(value) = value else { return Err(Unsupported::new("argument")) };
            let value = piece.value(d, &value);
            if let Loc::Stack(_) = piece.loc {
                let n = self.stack.iter().position(|a| a.piece == *piece);
                if let Some(n) = n {
                    st.mem = self.stack[n].store(d, n, st.mem.clone(), &value);
                }
                continue;
            }
            self.x86.write_piece(d, st, piece, &value)?;
        }
        self.x86.fill_by_value(d, st);
        Ok(())
    }

    pub(super) fn save<D: Domain>(&self, d: &mut D, at: PointId, st: &State<D>) -> Res<equiv::State<D>> {
        let mut vals = Vec::new();
        let stop = &self.stops[at.index()];
        for var in &stop.vars {
            vals.push(match var {
                Var::Mem => Val::Mem(st.mem.clone()),
                Var::Perm => Val::Mem(st.perm.clone()),
                Var::Stack => Val::Bv(st.stack.clone()),
                Var::Argument(..) | Var::Incoming(_) => {
                    return Err(Unsupported::new("jump to the entry"));
                }
                Var::Vreg(n) => match &st.vregs[*n as usize] {
                    Some(v) => Val::Bv(v.clone()),
                    // The result of a volatile load comes with the event.
                    None if self.shape.point(at).kind == PointKind::AfterEvent => {
                        let width = self.x86.vreg_width(*n)?;
                        Val::Bv(d.num(width, 0))
                    }
                    None => return Err(Unsupported::new(format!("use of %{n} before its definition"))),
                },
                Var::Promoted(c) => Val::Bv(st.promoted[*c].clone()),
                Var::Flag(i) => {
                    let each = st.flags.each(d);
                    let all = [each.carry, each.parity, each.zero, each.sign, each.overflow];
                    Val::Bv(match &all[*i] {
                        Some(flag) => d.bool_to_bv(flag),
                        None => d.nondet("undefined flag", 1),
                    })
                }
                Var::Expected(width) => Val::Bv(self.x86.read_phys(d, st, PhysReg::gpr(0, *width as u16))?),
                Var::Result(_) if self.library_call(stop.inst - 1) => {
                    let rax = PhysReg::gpr(0, 64);
                    Val::Bv(self.x86.read_phys(d, st, rax)?)
                }
                Var::Result(i) => {
                    let width = self.result_widths(stop.inst - 1).get(*i).copied().unwrap_or(1);
                    Val::Bv(d.num(width, 0))
                }
            });
        }
        Ok(equiv::State { at, vals })
    }
}
