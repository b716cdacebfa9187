//! What every call of a local function passes to it, by the text of its module: one constant, numbers of a range, pointers
//! that are not null. Optimisers fit such a function to it.

use super::ranges::{Interval, Ranges};
use crate::llvm_ir::ast::{
    BlockId, CastOp, ConstId, ConstKind, Flags, Function, IntPred, LocalId, Module, Op, Operand,
};
use crate::llvm_ir::dominators::Dominators;
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

/// Whether all calls of a function are here: it is local, and nothing is done with its name but to call it.
pub(super) fn is_called_here_alone(m: &Module, f: &Function) -> bool {
    f.words.iter().any(|w| matches!(m.names.text(*w), "internal" | "private"))
        && !m.call_sites().named_otherwise.contains(&f.name)
}

/// Whether the target is without a local function of the source: each of its calls was inlined or is never reached, which
/// is for the proofs of its callers to show.
pub fn is_gone_with_its_calls(left: &Module, right: &Module, name: &str) -> bool {
    let of = |m: &Module| m.names.get(name);
    let local = left.functions.iter().find(|f| Some(f.name) == of(left) && f.defined);
    let words = local.map_or(&[][..], |f| &f.words);
    let gone = of(right).is_none_or(|n| {
        let damaged = right.damaged.iter().any(|(d, _)| *d == n);
        !damaged && !right.functions.iter().any(|f| f.name == n)
    });
    gone && words.iter().any(|w| matches!(left.names.text(*w), "internal" | "private"))
}

/// What each parameter of a function is known to be, all of whose calls are here.
pub(super) fn passed(m: &Module, f: &Function) -> Vec<Option<Passed>> {
    if !is_called_here_alone(m, f) {
        return vec![None; f.params.len()];
    }
    let sites = Sites::of(m);
    let ranges = Ranges::of(m, &sites);
    let range = |n: usize| ranges.passed(f, n).map(Passed::Range);
    (0..f.params.len())
        .map(|n| sites.constant(f, n).or_else(|| sites.not_null(f, n)).or_else(|| range(n)))
        .collect()
}

/// The calls of a module, as the source has them.
pub(super) struct Sites<'m> {
    m: &'m Module,
}

impl<'m> Sites<'m> {
    fn of(m: &'m Module) -> Self {
        Sites { m }
    }

    /// The arguments that stand for a parameter, each with the place of its call; none where a call has no such argument.
    pub(super) fn arguments(&self, f: &Function, param: usize) -> Option<Vec<(Operand, usize, usize)>> {
        let sites = self.m.call_sites().of.get(&f.name).map_or(&[][..], |s| s);
        let argument = |(n, at): &(usize, usize)| {
            let Op::Call(call) = &self.m.functions[*n].insts[*at].op else { return None };
            let arg = call.args.get(param).filter(|a| a.ty == f.params[param].ty)?;
            Some((arg.value, *n, *at))
        };
        sites.iter().map(argument).collect()
    }

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

    /// Whether no call passes null: taken of every parameter that this hangs on, until one fails.
    fn not_null(&self, f: &Function, param: usize) -> Option<Passed> {
        if !matches!(self.m.types.resolve(f.params[param].ty), Type::Ptr(0)) {
            return None;
        }
        // Greatest fixed point: what a parameter hangs on, all of which has to hold.
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
                match self.is_not_null(&self.m.functions[caller], value, at) {
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
    fn is_not_null(&self, f: &Function, value: Operand, at: usize) -> Option<Option<usize>> {
        let mut o = value;
        for _ in 0..64 {
            if self.is_told_apart_from_null(f, o, at) {
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
            match &definition(f, local)?.op {
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

    /// Whether the way to an instruction passes a branch that says of a value that it is not null.
    fn is_told_apart_from_null(&self, f: &Function, value: Operand, at: usize) -> bool {
        let tested = f.insts.iter().any(|i| self.tests(f, &i.op, value).is_some());
        if !tested {
            return false;
        }
        let over = Dominators::of_function(f);
        let Some(block) = f.blocks.iter().position(|b| (b.first as usize..b.end as usize).contains(&at))
        else {
            return false;
        };
        (0..f.blocks.len()).any(|b| {
            let last = f.block_insts(BlockId(b as u32)).last();
            let Some(way) = last.and_then(|i| self.tests(f, &i.op, value)) else { return false };
            over.preds[way] == [b] && over.dominates(way, block)
        })
    }

    /// The way that a branch goes where a value is not null, if it asks for that.
    fn tests(&self, f: &Function, op: &Op, value: Operand) -> Option<usize> {
        let Op::CondBr { cond: Operand::Local(cond), then, other } = op else { return None };
        let Op::ICmp { pred, lhs, rhs, .. } = &definition(f, *cond)?.op else { return None };
        let null = |o: Operand| match o {
            Operand::Const(c) => self.m.consts[c.0 as usize].kind == ConstKind::Null,
            Operand::Local(_) => false,
        };
        let asked = (*lhs == value && null(*rhs)) || (*rhs == value && null(*lhs));
        match pred {
            _ if then == other || !asked => None,
            IntPred::Eq => Some(other.0 as usize),
            IntPred::Ne => Some(then.0 as usize),
            _ => None,
        }
    }
}

fn definition(f: &Function, local: LocalId) -> Option<&crate::llvm_ir::ast::Inst> {
    f.insts.get(f.locals.get(local.0 as usize)?.def? as usize)
}
