//! What constant global variables hold: a load from one is its initialiser, in both programs of a pair.

use super::memory::known_global_size;
use super::{Ir, Res, Scalar, State, Value};
use crate::domain::Domain;
use crate::llvm_ir::ast::{ConstExpr, ConstId, ConstKind, Function, IntPred, Module, Op, Operand};
use crate::llvm_ir::types::TypeId;
use crate::names::Name;
use rustc_hash::FxHashSet;

/// Largest constant whose content is spelled out, in bytes.
const MAX_BYTES: u64 = 2048;
/// Longest chain of choices that an address is followed through.
const CHOICES: u32 = 6;
/// Most constants of a function.
const MAX_CONSTANTS: usize = 512;

/// A constant global variable whose content is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstantGlobal {
    name: Name,
    size: u64,
    ty: TypeId,
    init: ConstId,
}

/// Constants whose contents are not spelled out, with their sizes.
pub(super) type Unspelled = Vec<(Name, u64)>;

/// The constants that a function names.
pub(super) fn named_constants(m: &Module, f: &Function) -> (Vec<ConstantGlobal>, Unspelled) {
    let mut todo: Vec<ConstId> = Vec::new();
    for inst in &f.insts {
        inst.op.for_each_operand(|o| {
            if let Operand::Const(c) = o {
                todo.push(c);
            }
        });
    }
    let (mut seen, mut out, mut unspelled) = (FxHashSet::default(), Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = todo.get(at).copied() {
        at += 1;
        if !seen.insert(c.0) {
            continue;
        }
        match m.consts.get(c.0 as usize).map(|c| &c.kind) {
            Some(ConstKind::Global(name)) => {
                let Some(constant) = known(m, *name) else { continue };
                if constant.size > MAX_BYTES || out.len() >= MAX_CONSTANTS {
                    unspelled.push((*name, constant.size));
                    continue;
                }
                // What it points to may be read through it.
                todo.push(constant.init);
                out.push(constant);
            }
            Some(ConstKind::Aggregate(items)) => todo.extend(items.iter().copied()),
            Some(ConstKind::Expr(e)) => match &**e {
                ConstExpr::Gep { args, .. } => todo.extend(args.iter().copied()),
                ConstExpr::Cast(_, _, inner) => todo.push(*inner),
                _ => {}
            },
            _ => {}
        }
    }
    (out, unspelled)
}

fn known(m: &Module, name: Name) -> Option<ConstantGlobal> {
    let g = m.globals.iter().find(|g| g.name == name && g.constant)?;
    let size = known_global_size(m, name).filter(|size| *size > 0)?;
    let movable =
        g.words.iter().any(|w| matches!(m.names.text(*w), "externally_initialized" | "thread_local"));
    let init = g.init.filter(|_| !movable)?;
    Some(ConstantGlobal { name, size, ty: g.ty, init })
}

impl<'m> Ir<'m> {
    /// The function beside another of a pair, whose constants memory holds too: one that is folded away on one side
    /// is still there.
    #[must_use]
    pub(crate) fn with_constants_of(mut self, m: &'m Module, f: &'m Function) -> Self {
        self.beside = Some(Box::new(Ir::new(m, f, self.side, self.checks)));
        self
    }

    /// The memory to read so many bytes at an address from: where that lies in a constant, one that holds it.
    pub(crate) fn memory_with_constant<D: Domain>(
        &self,
        d: &mut D,
        mem: &D::Mem,
        at: &D::Bv,
        bytes: u64,
    ) -> D::Mem {
        let mut out = mem.clone();
        for known in &self.constants {
            let base = self.global_address(d, self.m.names.text(known.name));
            let offset = d.sub(at, &base);
            if d.as_const(&offset).is_none()
                && bytes <= known.size
                && self.is_compared(known.name)
                && let Ok(holding) = self.with_constant(d, mem, *known)
            {
                let behind = d.num(d.width(&offset), u128::from(known.size - bytes + 1));
                let inside = d.ult(&offset, &behind);
                out = d.ite_mem(&inside, &holding, &out);
            }
            let inside = d
                .as_const(&offset)
                .and_then(|o| o.to_u64())
                .and_then(|o| o.checked_add(bytes))
                .is_some_and(|end| end <= known.size);
            if inside {
                return self.with_constant(d, mem, *known).unwrap_or_else(|_| mem.clone());
            }
        }
        out
    }

    /// Refuses, in a run on numbers, to read what is not known there: padding, what was never stored, and constants whose contents
    /// are not spelled out.
    pub(super) fn known_in_a_run<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) -> Res<()> {
        if d.is_open(at, bytes) {
            return self.unsupported("bytes that may be anything, read in a run on numbers");
        }
        self.spelled_out_in_a_run(d, at, bytes)
    }

    /// Refuses, in a run on numbers, to read constants whose contents are not spelled out.
    pub(super) fn spelled_out_in_a_run<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) -> Res<()> {
        let Some(at) = d.as_const(at).and_then(|at| at.to_u64()).filter(|_| self.checks.exact) else {
            return Ok(());
        };
        for (name, size) in &self.unspelled {
            let base = self.global_address(d, self.m.names.text(*name));
            let base = d.as_const(&base).and_then(|base| base.to_u64());
            if base.is_some_and(|base| at.wrapping_sub(base) < *size || base.wrapping_sub(at) < bytes) {
                return self.unsupported("a long constant that is read in a run on numbers");
            }
        }
        Ok(())
    }

    /// Whether some pointer may turn out to be this constant's address: one of the functions of a pair of IR compares them.
    fn is_compared(&self, name: Name) -> bool {
        let compares = |ir: &Ir<'_>, name: &str| {
            ir.f.insts.iter().any(|inst| match &inst.op {
                Op::ICmp { pred: IntPred::Eq | IntPred::Ne, lhs, rhs, .. } => [lhs, rhs]
                    .into_iter()
                    .any(|o| ir.global_of(*o).is_some_and(|n| ir.m.names.text(n) == name)),
                _ => false,
            })
        };
        let name = self.m.names.text(name);
        self.checks.exact
            && (compares(self, name) || self.beside.as_ref().is_some_and(|other| compares(other, name)))
    }

    /// In a run on numbers, the memory in which all named constants hold their content.
    pub(crate) fn concrete_constants<D: Domain>(&self, d: &mut D, mem: &D::Mem) -> D::Mem {
        let probe = d.nondet("probe", 1);
        if d.as_const(&probe).is_none() {
            return mem.clone();
        }
        let mut out = match &self.beside {
            Some(other) => other.concrete_constants(d, mem),
            None => mem.clone(),
        };
        for known in &self.constants {
            out = self.with_constant(d, &out, *known).unwrap_or(out);
        }
        out
    }

    /// Addresses and sizes of the constants that the function names.
    pub(super) fn constant_places<D: Domain>(&self, d: &mut D) -> Vec<(D::Bv, u64)> {
        let place = |k: &ConstantGlobal| (self.global_address(d, self.m.names.text(k.name)), k.size);
        self.constants.iter().map(place).collect()
    }

    /// The constants that the function names: where they lie, their initialisers and types.
    pub(super) fn constant_contents<D: Domain>(&self, d: &mut D) -> Vec<(D::Bv, ConstId, TypeId)> {
        let place = |k: &ConstantGlobal| (self.global_address(d, self.m.names.text(k.name)), k.init, k.ty);
        self.constants.iter().map(place).collect()
    }

    /// What memory holds at an address, so many bytes of it. Between IR programs, of an address that is made from
    /// a constant, or chosen from some that are, what the constant does.
    pub(super) fn read<D: Domain>(
        &self,
        d: &mut D,
        mem: &D::Mem,
        (at, operand): (&D::Bv, Operand),
        bytes: u32,
    ) -> D::Bv {
        let asked = self.checks.exact && !self.constants.is_empty();
        let names = if asked { self.globals_of(operand) } else { Vec::new() };
        let constants: Vec<_> = self.constants.iter().filter(|c| names.contains(&c.name)).copied().collect();
        self.read_chosen(d, mem, &constants, at, (bytes, CHOICES))
    }

    fn read_chosen<D: Domain>(
        &self,
        d: &mut D,
        mem: &D::Mem,
        constants: &[ConstantGlobal],
        at: &D::Bv,
        (bytes, deep): (u32, u32),
    ) -> D::Bv {
        if deep > 0
            && !constants.is_empty()
            && let Some((which, a, b)) = d.as_either(at)
        {
            let [a, b] = [a, b].map(|at| self.read_chosen(d, mem, constants, &at, (bytes, deep - 1)));
            return d.ite(&which, &a, &b);
        }
        let known = constants.iter().find(|known| {
            let base = self.global_address(d, self.m.names.text(known.name));
            d.is_made_from(at, &base)
        });
        let mem = match known {
            Some(known) => self.with_constant(d, mem, *known).unwrap_or_else(|_| mem.clone()),
            None => self.memory_with_constant(d, mem, at, u64::from(bytes)),
        };
        d.load(&mem, at, bytes)
    }

    pub(super) fn with_constant<D: Domain>(
        &self,
        d: &mut D,
        mem: &D::Mem,
        known: ConstantGlobal,
    ) -> Res<D::Mem> {
        let value = self.constant(d, known.init, known.ty)?;
        // Undefined parts hold anything: what memory has there.
        let base = self.global_address(d, self.m.names.text(known.name));
        if value
            .scalars()
            .iter()
            .any(|s: &&Scalar<D>| d.as_bool(&s.undef) != Some(false) || d.as_bool(&s.poison) != Some(false))
        {
            return self.unsupported("constant with undefined parts");
        }
        let (no, stack) = (d.bool(false), crate::memory::stack::at_entry(d));
        let mut st: State<D> = State {
            locals: Vec::new(),
            mem: mem.clone(),
            ub: no,
            perm: mem.clone(),
            frame: 0,
            promoted: Vec::new(),
            promoted_flags: Vec::new(),
            stack,
            accesses: Vec::new(),
        };
        self.store_value(d, &mut st, known.ty, &value as &Value<D>, &base)?;
        Ok(st.mem)
    }
}
