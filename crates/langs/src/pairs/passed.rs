//! What every call of a local function passes to it, by the text of its module: one constant, numbers of a range, pointers
//! that are not null. Optimisers fit such a function to it.

use super::ranges::{Interval, Ranges};
use super::sites::{Sites, is_called_here_alone};
use crate::llvm_ir::ast::{CastOp, ConstId, ConstKind, Flags, Function, IntPred, Module, Op, Operand};
use crate::llvm_ir::types::Type;
use rustc_hash::FxHashSet;

/// What is known of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passed {
    /// It is this constant.
    Constant(ConstId),
    /// It is one of these numbers.
    Range(Interval),
    /// It is no null pointer.
    NotNull,
}

/// Whether the target is without a local function of the source: each of its calls was inlined or is never reached, which
/// is for the proofs of its callers to show.
pub fn is_gone_with_its_calls(left: &Module, right: &Module, name: &str) -> bool {
    let of = |m: &Module| m.names.get(name);
    let is_local =
        left.functions.iter().any(|f| Some(f.name) == of(left) && f.defined && left.is_local(&f.words));
    let gone = of(right).is_none_or(|n| {
        let damaged = right.damaged.iter().any(|(d, _)| *d == n);
        !damaged && !right.functions.iter().any(|f| f.name == n)
    });
    gone && is_local
}

/// What is known of each parameter of a function; nothing unless all of its calls are in the module.
pub(super) fn passed(m: &Module, f: &Function) -> Vec<Option<Passed>> {
    if !is_called_here_alone(m, f) {
        return vec![None; f.params.len()];
    }
    let sites = Sites::of(m);
    let ranges = Ranges::of(&sites);
    let range = |n: usize| ranges.passed(f, n).map(Passed::Range);
    (0..f.params.len())
        .map(|n| sites.constant(f, n).or_else(|| sites.not_null(f, n)).or_else(|| range(n)))
        .collect()
}

impl Sites<'_> {
    /// The constant that all calls pass for a parameter.
    fn constant(&self, f: &Function, param: usize) -> Option<Passed> {
        let own = Operand::Local(f.params[param].local);
        let mut first: Option<ConstId> = None;
        for (value, n, _) in self.arguments(f, param)? {
            // A function that hands on to itself what it was passed.
            if value == own && self.m.functions[n].name == f.name {
                continue;
            }
            let Operand::Const(c) = value else { return None };
            let kind = |c: ConstId| &self.m.consts[c.0 as usize].kind;
            let plain = matches!(
                kind(c),
                ConstKind::Int(_) | ConstKind::Null | ConstKind::Global(_) | ConstKind::Float(_)
            );
            if !plain || kind(*first.get_or_insert(c)) != kind(c) {
                return None;
            }
        }
        first.map(Passed::Constant)
    }

    /// Whether no call passes null for a parameter: the greatest fixed point of what says so.
    fn not_null(&self, f: &Function, param: usize) -> Option<Passed> {
        if !matches!(self.m.types.resolve(f.params[param].ty), Type::Ptr(0)) {
            return None;
        }
        // What a caller was passed itself is not null if that parameter is not: both are taken not to be, until a call of
        // either is found that may pass null.
        let place = self.m.functions.iter().position(|g| g.name == f.name && g.defined)?;
        let mut todo = vec![(place, param)];
        let mut seen: FxHashSet<(usize, usize)> = todo.iter().copied().collect();
        while let Some((n, param)) = todo.pop() {
            let f = &self.m.functions[n];
            let arguments = self.arguments(f, param)?;
            if arguments.is_empty() {
                return None;
            }
            for (value, caller, at) in arguments {
                match self.is_not_null(caller, value, at) {
                    Some(None) => {}
                    Some(Some(other)) => {
                        let g = &self.m.functions[caller];
                        if !is_called_here_alone(self.m, g) || seen.len() > 64 {
                            return None;
                        }
                        if seen.insert((caller, other)) {
                            todo.push((caller, other));
                        }
                    }
                    None => return None,
                }
            }
        }
        Some(Passed::NotNull)
    }

    /// Whether a pointer is not null where an instruction stands; or which parameter must not be for that.
    fn is_not_null(&self, n: usize, value: Operand, at: usize) -> Option<Option<usize>> {
        let f = &self.m.functions[n];
        let is_null = |c: ConstId| self.m.consts[c.0 as usize].kind == ConstKind::Null;
        let mut o = value;
        for _ in 0..64 {
            let tests = self.compared_ahead(n, o, at);
            if tests.iter().any(|(pred, _, c)| *pred == IntPred::Ne && is_null(*c)) {
                return Some(None);
            }
            let local = match o {
                Operand::Const(c) => return self.is_an_address(c).then_some(None),
                Operand::Local(local) => local,
            };
            if let Some(param) = f.params.iter().position(|p| p.local == local) {
                let says =
                    |word: &str| f.params[param].attrs.iter().any(|a| self.m.names.text(a.name()) == word);
                return Some((!says("nonnull")).then_some(param));
            }
            match &f.definition(local)?.op {
                Op::Alloca { .. } => return Some(None),
                Op::Gep { flags, base, .. } if flags.has(Flags::INBOUNDS) => o = *base,
                Op::Cast { op: CastOp::BitCast, value, .. } => o = *value,
                _ => return None,
            }
        }
        None
    }

    fn is_an_address(&self, c: ConstId) -> bool {
        let ConstKind::Global(name) = self.m.consts[c.0 as usize].kind else { return false };
        self.m.globals.iter().any(|g| g.name == name && g.init.is_some())
            || self.m.functions.iter().any(|f| f.name == name && f.defined)
    }
}
