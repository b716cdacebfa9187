//! States of the engine and states of the semantics: a point's variables taken apart into what instructions read, and put
//! together again at the next point.

use super::outside::store_stack_arguments;
use super::{Program, Var, says_poison};
use crate::abi::variadic::Incoming;
use crate::domain::{Domain, Ext, Unsupported};
use crate::llvm_ir::ast::LocalId;
use crate::llvm_ir::semantics::{AccessId, Scalar, State, Value};
use crate::llvm_ir::types::TypeId;
use crate::memory::stack;
use equiv::{PointId, PointKind, Val};
use rustc_hash::FxHashMap;

impl Program<'_> {
    pub(super) fn restore<D: Domain>(&self, d: &mut D, s: &equiv::State<D>) -> Result<State<D>, Unsupported> {
        let stop = &self.stops[s.at.index()];
        let mut parts: FxHashMap<LocalId, Vec<(usize, Scalar<D>)>> = FxHashMap::default();
        let mut arguments: FxHashMap<usize, Vec<Scalar<D>>> = FxHashMap::default();
        let (mut mem, mut perm, mut end) = (None, None, None);
        let mut incoming: Vec<(Incoming, D::Bv)> = Vec::new();
        let mut accessed: Vec<(AccessId, D::Bv)> = Vec::new();
        for (var, val) in stop.vars.iter().zip(&s.vals) {
            match var {
                Var::Mem => mem = Some(val.mem().clone()),
                Var::Perm => perm = Some(val.mem().clone()),
                Var::Argument(p, _) => {
                    let scalar = Scalar::plain(d, val.bv().clone());
                    arguments.entry(*p).or_default().push(scalar);
                }
                Var::ArgumentPoison(p, _) => {
                    if let Some(scalar) = arguments.get_mut(p).and_then(|all| all.last_mut()) {
                        scalar.poison = says_poison(d, val.bv());
                    }
                }
                Var::Local(l, i) => {
                    let bits = match self.ir.grows_stack(*l) {
                        true => stack::even(d, val.bv()),
                        false => val.bv().clone(),
                    };
                    let scalar = Scalar::plain(d, bits);
                    parts.entry(*l).or_default().push((*i, scalar));
                }
                Var::Poison(l, _) => {
                    if let Some((_, scalar)) = parts.get_mut(l).and_then(|p| p.last_mut()) {
                        scalar.poison = d.is_set(val.bv());
                    }
                }
                Var::Undef(l, _) => {
                    if let Some((_, scalar)) = parts.get_mut(l).and_then(|p| p.last_mut()) {
                        scalar.undef = d.is_set(val.bv());
                    }
                }
                Var::Incoming(i) => incoming.push((*i, val.bv().clone())),
                Var::Stack => end = Some(val.bv().clone()),
                Var::Accessed(i) => accessed.push((*i, val.bv().clone())),
                Var::Promoted(_) | Var::PromotedPoison(_) | Var::PromotedUndef(_) => {}
            }
        }
        let (Some(mut mem), Some(perm)) = (mem, perm) else {
            return Err(Unsupported::new("state without memory"));
        };
        let (mut args, mut given) = (Vec::new(), None);
        if self.shape.point(s.at).kind == PointKind::Entry {
            args = self.arguments(d, arguments)?;
            mem = self.ir.concrete_constants(d, &mem);
            given = Some(mem.clone());
            mem = store_stack_arguments(d, &self.boundary.stack, mem, &args);
            if let Some(variadic) = &self.boundary.variadic {
                mem = variadic.save(d, mem, &incoming);
            }
        }
        let mut st = self.ir.entry(d, mem, perm, 0, args);
        if let Some(end) = end {
            st.stack = end;
        }
        if let Some(given) = given {
            self.ir.fill_by_value(d, &mut st, &given);
            self.ir.note_parameters(d, &mut st);
        }
        for (access, held) in &accessed {
            self.restore_accessed(d, &mut st, *access, held);
        }
        restore_promoted(&mut st, &stop.vars, &s.vals);
        for (local, mut scalars) in parts {
            scalars.sort_by_key(|(i, _)| *i);
            let ty = self.ir.f.locals[local.0 as usize].ty;
            let value = self.rebuild(d, ty, scalars.into_iter().map(|(_, s)| s).collect())?;
            st.locals[local.0 as usize] = Some(value);
        }
        self.name_stack_addresses(d, &mut st, &stop.vars);
        self.compute_again(d, &mut st, &stop.again);
        Ok(st)
    }

    /// The values of the parameters at the entry.
    pub(super) fn arguments<D: Domain>(
        &self,
        d: &mut D,
        mut given: FxHashMap<usize, Vec<Scalar<D>>>,
    ) -> Result<Vec<Value<D>>, Unsupported> {
        let mut args = Vec::new();
        for (p, param) in self.ir.f.params.iter().enumerate() {
            if let Some((_, slot)) = self.boundary.by_value.iter().find(|(n, ..)| *n == p) {
                let address = slot.address(d);
                args.push(Value::plain(d, address));
                continue;
            }
            let scalars = given.remove(&p).unwrap_or_default();
            args.push(self.rebuild(d, param.ty, scalars)?);
        }
        Ok(args)
    }

    /// Addresses of stack objects, and in them at constant offsets, are that whatever the state calls them.
    pub(super) fn name_stack_addresses<D: Domain>(&self, d: &mut D, st: &mut State<D>, vars: &[Var]) {
        for (i, (local, size)) in self.allocas.iter().enumerate() {
            let address = d.address(&self.ir.object_name(i), Some(*size));
            st.locals[local.0 as usize] = Some(Value::plain(d, address));
        }
        for var in vars {
            let Var::Local(local, 0) = var else { continue };
            let Some((root, offset)) = self.ir.offset_in_stack_object(*local) else { continue };
            let base = st.locals.get(root.0 as usize).and_then(Option::as_ref).and_then(Value::scalar);
            if let Some(base) = base.map(|s| s.bits.clone()) {
                let address = d.add_num(&base, i128::from(offset));
                st.locals[local.0 as usize] = Some(Value::plain(d, address));
            }
        }
    }

    pub(super) fn rebuild<D: Domain>(
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

    pub(super) fn save<D: Domain>(
        &self,
        d: &mut D,
        at: PointId,
        st: &State<D>,
    ) -> Result<equiv::State<D>, Unsupported> {
        let mut vals = Vec::new();
        for var in &self.stops[at.index()].vars {
            vals.push(match var {
                Var::Mem => Val::Mem(st.mem.clone()),
                Var::Perm => Val::Mem(st.perm.clone()),
                Var::Stack => Val::Bv(st.stack.clone()),
                Var::Argument(..) | Var::ArgumentPoison(..) | Var::Incoming(_) => {
                    return Err(Unsupported::new("jump to the entry"));
                }
                Var::Local(l, i) | Var::Poison(l, i) | Var::Undef(l, i) => {
                    if st.locals[l.0 as usize].is_none() && self.stops[at.index()].added.contains(l) {
                        return Err(Unsupported::new("operand that is no longer there"));
                    }
                    self.save_local(d, (at, st), *var, *l, *i)?
                }
                Var::Promoted(c) => {
                    let lost = !self.ir.checks.exact && !self.poison.1[*c];
                    if lost && d.as_const(&st.promoted_flags[*c].0).is_some_and(|p| !p.is_zero()) {
                        let (poison, undef) = (d.bool(true), d.bool(false));
                        let scalar = Scalar { bits: st.promoted[*c].clone(), poison, undef };
                        self.ir.refuse_concrete(d, &scalar)?;
                    }
                    Val::Bv(st.promoted[*c].clone())
                }
                Var::PromotedPoison(c) => Val::Bv(st.promoted_flags[*c].0.clone()),
                Var::PromotedUndef(c) => Val::Bv(st.promoted_flags[*c].1.clone()),
                Var::Accessed(i) => Val::Bv(self.save_accessed(d, st, *i)),
            });
        }
        Ok(equiv::State { at, vals })
    }

    /// Whether a point lies behind the event that gives a value.
    pub(super) fn is_event_result(&self, at: PointId, local: LocalId) -> bool {
        let before = (self.stops[at.index()].inst as usize).checked_sub(1);
        let inst = before.and_then(|i| self.ir.f.insts.get(i));
        self.shape.point(at).kind == PointKind::AfterEvent && inst.is_some_and(|i| i.result == Some(local))
    }

    pub(super) fn save_local<D: Domain>(
        &self,
        d: &mut D,
        (at, st): (PointId, &State<D>),
        var: Var,
        l: LocalId,
        i: usize,
    ) -> Result<Val<D>, Unsupported> {
        let value = st.locals[l.0 as usize].as_ref();
        let Some(s) = value.map(|v| v.scalars()).and_then(|s| s.get(i).map(|s| (*s).clone())) else {
            // The result of the event, which `resume` puts in; other values are there, or the text is no SSA form.
            if !self.is_event_result(at, l) {
                return Err(Unsupported::new("value that is not there on every way"));
            }
            let widths = self.widths[l.0 as usize].as_ref();
            let width = match var {
                Var::Local(..) => widths.and_then(|w| w.get(i)).copied().unwrap_or(1),
                _ => 1,
            };
            return Ok(Val::Bv(d.num(width, 0)));
        };
        if self.ir.checks.exact && d.as_bool(&s.undef) == Some(true) && !self.may_be_undef(l) {
            self.ir.refuse_concrete(d, &s)?;
        }
        let followed = self.poison.0[l.0 as usize] && d.as_bool(&s.undef) != Some(true);
        if !self.ir.checks.exact && !followed {
            self.ir.refuse_concrete(d, &s)?;
        }
        Ok(Val::Bv(match var {
            Var::Poison(..) => d.bool_to_bv(&s.poison),
            Var::Undef(..) => d.bool_to_bv(&s.undef),
            _ => s.bits,
        }))
    }
}

fn restore_promoted<D: Domain>(st: &mut State<D>, vars: &[Var], vals: &[Val<D>]) {
    for (var, val) in vars.iter().zip(vals) {
        match var {
            Var::Promoted(c) => st.promoted[*c] = val.bv().clone(),
            Var::PromotedPoison(c) => st.promoted_flags[*c].0 = val.bv().clone(),
            Var::PromotedUndef(c) => st.promoted_flags[*c].1 = val.bv().clone(),
            Var::Mem
            | Var::Perm
            | Var::Stack
            | Var::Argument(..)
            | Var::ArgumentPoison(..)
            | Var::Local(..)
            | Var::Poison(..)
            | Var::Incoming(_)
            | Var::Accessed(_)
            | Var::Undef(..) => {}
        }
    }
}
