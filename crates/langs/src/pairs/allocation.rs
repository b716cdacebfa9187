//! What calls of `malloc` and the like come to, in functions that keep the memory to themselves: an object of the
//! function's own, or null.

use super::promised::has_loops;
use super::undefined::{library_function, undefined_at};
use crate::llvm_ir::ast::{
    Access, Attr, BinOp, BlockId, Call, CastOp, ConstKind, Flags, Function, Inst, IntPred, LocalId, Module,
    Op, Operand,
};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// What an allocation comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// An object.
    Gives,
    /// Null.
    Fails,
}

/// Largest object, in bytes.
const MOST: u64 = 1 << 31;
/// Largest object that is cleared, in bytes.
const MOST_CLEARED: u64 = 256;

/// A call that allocates.
#[derive(Clone, Debug)]
struct Made {
    at: usize,
    local: LocalId,
    /// How many bytes; none are more than any object has, and never given.
    bytes: Option<u64>,
    zeroed: bool,
    /// Whether it always comes to an object, as `operator new` does, which throws otherwise.
    never_null: bool,
}

/// The allocations of a function and what becomes of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Allocations {
    made: Vec<Made>,
    /// Calls that free them.
    freed: BTreeSet<usize>,
    /// Those of them that free an object again, by what allocated it.
    freed_again: BTreeMap<usize, LocalId>,
    /// Comparisons of them with null, and whether they ask for equality; and numbers made for these.
    compared: BTreeMap<usize, bool>,
    numbers: BTreeSet<usize>,
    /// Allocations that are returned.
    returned: BTreeSet<LocalId>,
    /// Instructions that are undefined behaviour.
    undefined: BTreeSet<usize>,
    /// Whether nothing is used behind a call that may have freed it, so that leaving these out leaves nothing out.
    pub(super) exact: bool,
}

/// What is done to memory that nobody else sees; none where somebody may.
struct Uses {
    derived: BTreeSet<LocalId>,
    all: BTreeSet<usize>,
}

impl Allocations {
    /// No allocations, and nothing else to settle.
    pub(super) fn nothing() -> Allocations {
        Allocations { exact: true, ..Allocations::default() }
    }

    /// The allocations of a function; none where there is one of which not all is seen, or nothing to be said.
    pub(super) fn of(m: &Module, f: &Function) -> Option<Allocations> {
        let mut out = Allocations { undefined: undefined_at(m, f), ..Allocations::nothing() };
        let undefined = Allocations { undefined: out.undefined.clone(), ..Allocations::nothing() };
        let followed = out.find(m, f).is_some() && out.follow(m, f).is_some();
        let out = if followed { out } else { undefined };
        let said = !out.made.is_empty() || !out.undefined.is_empty() || !out.freed.is_empty();
        said.then_some(out)
    }

    fn find(&mut self, m: &Module, f: &Function) -> Option<()> {
        let entry = f.blocks.first()?.end as usize;
        for (at, inst) in f.insts.iter().enumerate() {
            let Op::Call(call) = &inst.op else { continue };
            let arg = |n: usize| call.args.get(n).map(|a| a.value).and_then(|v| m.number(v)).map(u128::from);
            let function = library_function(m, call);
            let never_null = matches!(function, Some("_Znwm" | "_Znam"));
            let (bytes, zeroed) = match (function, call.args.len()) {
                (Some("malloc" | "_Znwm" | "_Znam"), 1) => (arg(0)?, false),
                (Some("calloc"), 2) => (arg(0)? * arg(1)?, true),
                (Some("realloc"), 2) if arg(0) == Some(0) => (arg(1)?, false),
                (Some("malloc" | "calloc" | "realloc" | "aligned_alloc"), _) => return None,
                (Some("free"), 1) if arg(0) == Some(0) => {
                    self.freed.insert(at);
                    continue;
                }
                _ => continue,
            };
            if bytes == 0 || promises_more(m, call) || (at >= entry && has_loops(f)) {
                return None;
            }
            let bytes = match u64::try_from(bytes) {
                Ok(n) if n <= MOST => Some(n),
                // Then it throws, which is not followed.
                _ if bytes > i64::MAX as u128 && !never_null => None,
                _ => return None,
            };
            self.made.push(Made { at, local: inst.result?, bytes, zeroed, never_null });
        }
        Some(())
    }

    fn follow(&mut self, m: &Module, f: &Function) -> Option<()> {
        let mut uses = Vec::new();
        for n in 0..self.made.len() {
            let of = self.uses_of(m, f, self.made[n].local)?;
            let looks = |at: &usize| matches!(f.insts[*at].op, Op::Load { .. } | Op::Call(_));
            let looked_at = of.all.difference(&self.freed).any(looks);
            let made = &mut self.made[n];
            if made.zeroed && made.bytes.is_some_and(|bytes| bytes > MOST_CLEARED) {
                // What nobody looks at need not be cleared.
                made.zeroed = false;
                if looked_at {
                    return None;
                }
            }
            uses.push(of);
        }
        self.find_freed_again(f);
        for (at, inst) in f.insts.iter().enumerate().filter(|(at, _)| self.freed.contains(at)) {
            let Op::Call(call) = &inst.op else { continue };
            for uses in &uses {
                let mine = matches!(call.args.first().map(|a| a.value), Some(Operand::Local(l)) if uses.derived.contains(&l));
                self.exact &= !mine || !reaches(f, at, &uses.all);
            }
        }
        Some(())
    }

    fn uses_of(&mut self, m: &Module, f: &Function, local: LocalId) -> Option<Uses> {
        let (mut derived, mut all, mut grown) = (BTreeSet::from([local]), BTreeSet::new(), true);
        while std::mem::take(&mut grown) {
            for inst in &f.insts {
                if let (Op::Gep { base: Operand::Local(base), .. }, Some(result)) = (&inst.op, inst.result) {
                    grown |= derived.contains(base) && derived.insert(result);
                }
            }
        }
        let mine = |o: Operand| matches!(o, Operand::Local(l) if derived.contains(&l));
        let whole = |o: Operand| itself(m, f, o) == Operand::Local(local);
        for (at, inst) in f.insts.iter().enumerate() {
            let mut used = false;
            inst.op.for_each_operand(|o| used |= mine(o));
            if !used {
                continue;
            }
            all.insert(at);
            let fine = match &inst.op {
                _ if self.undefined.contains(&at) => true,
                Op::Load { access, .. } => access.is_plain(),
                Op::Store { value, access, .. } => !mine(*value) && access.is_plain(),
                Op::Gep { indices, .. } => !indices.iter().any(|i| mine(i.1)),
                Op::Ret(Some((_, value))) => {
                    self.returned.insert(local);
                    whole(*value)
                }
                Op::ICmp { pred, lhs, rhs, .. } if whole(*lhs) => self.compared_with_null(m, at, *pred, *rhs),
                Op::Cast { op: CastOp::PtrToInt, value, from, .. } if whole(*value) => {
                    !m.types.is_vector(*from) && self.number_of(m, f, at)
                }
                Op::Call(call) if library_function(m, call) == Some("free") => {
                    self.freed.insert(at);
                    let plain = |a: &Attr| {
                        matches!(m.names.text(a.name()), "noundef" | "captures" | "nocapture" | "allocptr")
                    };
                    call.args.first().is_some_and(|a| whole(a.value) && a.attrs.iter().all(plain))
                }
                Op::Call(call) => matches!(call.intrinsic, Some((Intrinsic::Block(_), _))),
                _ => false,
            };
            if !fine {
                return None;
            }
        }
        Some(Uses { derived, all })
    }

    /// Notes what frees an object that was freed before in the same block. (Null may be freed as often as one likes.)
    fn find_freed_again(&mut self, f: &Function) {
        for block in &f.blocks {
            let mut gone = BTreeSet::new();
            for at in self.freed.range(block.first as usize..block.end as usize) {
                let Op::Call(call) = &f.insts[*at].op else { continue };
                let Some(Operand::Local(of)) = call.args.first().map(|a| root(f, a.value)) else { continue };
                if !gone.insert(of) {
                    self.freed_again.insert(*at, of);
                }
            }
        }
    }

    /// Notes a comparison with null, if it is one.
    fn compared_with_null(&mut self, m: &Module, at: usize, pred: IntPred, other: Operand) -> bool {
        let asks = matches!(pred, IntPred::Eq | IntPred::Ne) && m.number(other) == Some(0);
        if asks {
            self.compared.insert(at, pred == IntPred::Eq);
        }
        asks
    }

    /// Notes a number that is only compared with zero, if it is one.
    fn number_of(&mut self, m: &Module, f: &Function, at: usize) -> bool {
        let Some(result) = f.insts[at].result else { return false };
        let wide = f.locals.get(result.0 as usize).and_then(|l| m.types.int_width(l.ty));
        for (n, inst) in f.insts.iter().enumerate() {
            let mut used = false;
            inst.op.for_each_operand(|o| used |= o == Operand::Local(result));
            let fine = match &inst.op {
                Op::ICmp { pred, lhs, rhs, .. } if *lhs == Operand::Local(result) => {
                    self.compared_with_null(m, n, *pred, *rhs)
                }
                _ => !used,
            };
            if !fine {
                return false;
            }
        }
        self.numbers.insert(at);
        // Fewer bits than an address has may be zero.
        wide == Some(64)
    }

    /// The sizes of what is allocated, in order, and whether it is cleared: none for what no object has.
    pub(super) fn sizes(&self) -> Vec<(Option<u64>, bool)> {
        self.made.iter().map(|made| (made.bytes, made.zeroed)).collect()
    }

    /// Whether an object is returned that comes of the allocations where they come out so: it is alive then, unlike those of the
    /// stack that stand for it.
    pub(super) fn returns_object(&self, outcomes: &[Outcome]) -> bool {
        let given = self.made.iter().zip(outcomes).filter(|(_, o)| **o == Outcome::Gives);
        given.into_iter().any(|(made, _)| self.returned.contains(&made.local))
    }

    /// Every way in which the allocations may come out; none where there are too many of them.
    pub(super) fn outcomes(&self) -> Option<Vec<Vec<Outcome>>> {
        let mut out = vec![Vec::new()];
        for made in &self.made {
            let these: &[Outcome] = match (made.bytes, made.never_null) {
                (Some(_), false) => &[Outcome::Gives, Outcome::Fails],
                (Some(_), true) => &[Outcome::Gives],
                (None, _) => &[Outcome::Fails],
            };
            let with = |before: &Vec<Outcome>| {
                these.iter().map(|o| [&before[..], &[*o]].concat()).collect::<Vec<_>>()
            };
            out = out.iter().flat_map(with).collect();
        }
        (out.len() <= 4).then_some(out)
    }

    /// The module with the allocations of a function come out so, and undefined behaviour where it is. Objects have at least
    /// the alignment that the library gives, or are as `aligned` as anyone could need.
    pub(super) fn come_out(
        &self,
        m: &Module,
        f: &Function,
        outcomes: &[Outcome],
        aligned: bool,
    ) -> Option<Module> {
        let mut m = m.clone();
        let ways: Vec<(&Made, Outcome)> = self.made.iter().zip(outcomes.iter().copied()).collect();
        let poison = m.new_constant(Types::PTR, ConstKind::Poison);
        let truth = [0, 1].map(|n| m.new_constant(Types::I1, ConstKind::Int(n)));
        let null = m.new_constant(Types::PTR, ConstKind::Null);
        let [zero, one] = [0, 1].map(|n| m.new_constant(Types::I64, ConstKind::Int(n)));
        let asked = |at: usize| {
            let of = asked_of(f, at)?;
            ways.iter().find(|(made, _)| made.local == of).map(|(_, o)| *o == Outcome::Gives)
        };
        let given = ways.iter().filter(|w| w.1 == Outcome::Gives).map(|w| w.0);
        let (objects, cleared) = as_objects(&mut m, given, aligned)?;
        let plain = |op: BinOp, ty: TypeId, value: Operand| Op::Binary {
            op,
            flags: Flags(0),
            ty,
            lhs: value,
            rhs: value,
        };
        let g = f.rewritten(|at, inst| {
            let mut out = if at == 0 { objects.clone() } else { Vec::new() };
            let given = |l: &LocalId| ways.iter().any(|(made, o)| made.local == *l && *o == Outcome::Gives);
            let marked = self.undefined.contains(&at) || self.freed_again.get(&at).is_some_and(given);
            if marked {
                let op = Op::Store { ty: Types::I1, value: truth[1], ptr: poison, access: Access::default() };
                out.push(put(None, op));
            }
            let frees = self.freed.contains(&at)
                || (marked && matches!(&inst.op, Op::Call(_)) && inst.result.is_none());
            let made = ways.iter().find(|(made, _)| made.at == at);
            match (made, self.compared.get(&at)) {
                (Some((_, Outcome::Gives)), _) => {
                    out.extend(cleared.get(&at).map(|op| put(None, op.clone())))
                }
                (Some((_, Outcome::Fails)), _) => {
                    let flags = Flags(0);
                    let op = CastOp::BitCast;
                    let op = Op::Cast { op, flags, from: Types::PTR, value: null, to: Types::PTR };
                    out.push(put(inst.result, op));
                }
                (None, _) if frees => {}
                (None, compared) => match (asked(at), compared) {
                    (Some(given), Some(equal)) => {
                        let answer = truth[usize::from(given != *equal)];
                        out.push(put(inst.result, plain(BinOp::Or, Types::I1, answer)));
                    }
                    (Some(given), None) if self.numbers.contains(&at) => {
                        let number = if given { one } else { zero };
                        out.push(put(inst.result, plain(BinOp::Or, Types::I64, number)));
                    }
                    _ => out.push(inst.clone()),
                },
            }
            out
        });
        m.put(g)?;
        Some(m)
    }
}

/// The result of the allocation that a comparison or a number made for one asks for.
fn asked_of(f: &Function, at: usize) -> Option<LocalId> {
    let given = |at: usize| match &f.insts[at].op {
        Op::ICmp { lhs, .. } => Some(*lhs),
        Op::Cast { value, .. } => Some(*value),
        _ => None,
    };
    let asked = root(f, given(at)?);
    let number = defined_by(f, asked).filter(|n| matches!(f.insts[*n].op, Op::Cast { .. }));
    match number.map_or(Some(asked), |n| Some(root(f, given(n)?)))? {
        Operand::Local(l) => Some(l),
        Operand::Const(_) => None,
    }
}

/// The instruction that an operand is the result of.
pub(super) fn defined_by(f: &Function, o: Operand) -> Option<usize> {
    let Operand::Local(l) = o else { return None };
    f.locals.get(l.0 as usize)?.def.map(|def| def as usize)
}

/// The pointer that an operand is, with no distance from it.
pub(super) fn itself(m: &Module, f: &Function, o: Operand) -> Operand {
    stepped_from(f, o, |indices| indices.iter().all(|i| m.number(i.1) == Some(0)))
}

/// The pointer that an operand is made from by steps.
pub(super) fn root(f: &Function, o: Operand) -> Operand {
    stepped_from(f, o, |_| true)
}

/// The pointer that an operand is made from by some steps.
fn stepped_from(f: &Function, mut o: Operand, follow: impl Fn(&[(TypeId, Operand)]) -> bool) -> Operand {
    // Code that is never reached may go round.
    for _ in 0..f.insts.len() {
        match defined_by(f, o).map(|n| &f.insts[n].op) {
            Some(Op::Gep { base, indices, .. }) if follow(indices) => o = *base,
            _ => break,
        }
    }
    o
}

/// Allocations as objects of the stack, and where what they are cleared with is stored.
fn as_objects<'a>(
    m: &mut Module,
    given: impl Iterator<Item = &'a Made>,
    aligned: bool,
) -> Option<(Vec<Inst>, BTreeMap<usize, Op>)> {
    let byte = m.types.intern(Type::Int(8));
    let (mut objects, mut cleared) = (Vec::new(), BTreeMap::new());
    for made in given {
        let bytes = made.bytes?;
        let ty = m.types.intern(Type::Array { len: bytes, elem: byte });
        let align = if aligned { 16 } else { 1 << bytes.ilog2().min(4) };
        let op = Op::Alloca { flags: Flags(0), ty, count: None, align: Some(align) };
        objects.push(put(Some(made.local), op));
        if made.zeroed {
            let value = m.new_constant(ty, ConstKind::Zero);
            let to = Operand::Local(made.local);
            cleared.insert(made.at, Op::Store { ty, value, ptr: to, access: Access::default() });
        }
    }
    Some((objects, cleared))
}

fn put(result: Option<LocalId>, op: Op) -> Inst {
    Inst { result, op, attachments: Box::new([]), at: 0 }
}

/// Whether a call says more of what it returns than that it is an object's own pointer.
fn promises_more(m: &Module, call: &Call) -> bool {
    let name = m.called(call);
    let declared =
        m.functions.iter().find(|f| Some(f.name) == name).map(|f| &f.ret_attrs[..]).unwrap_or_default();
    let fine = |a: &Attr| matches!(m.names.text(a.name()), "noalias" | "noundef");
    !call.ret_attrs.iter().chain(declared).all(fine) || call.ret != Types::PTR
}

/// Whether one of some instructions may run behind another.
fn reaches(f: &Function, from: usize, all: &BTreeSet<usize>) -> bool {
    let range = |b: usize| f.blocks[b].first as usize..f.blocks[b].end as usize;
    let Some(start) = (0..f.blocks.len()).find(|b| range(*b).contains(&from)) else { return true };
    if all.range(from + 1..range(start).end).next().is_some() {
        return true;
    }
    let next = |b: usize| -> Vec<usize> {
        let last = f.block_insts(BlockId(b as u32)).last();
        last.map(|i| i.op.successors().iter().map(|s| s.0 as usize).collect()).unwrap_or_default()
    };
    let (mut seen, mut todo) = (BTreeSet::new(), next(start));
    while let Some(b) = todo.pop() {
        if b < f.blocks.len() && seen.insert(b) {
            if all.range(range(b)).next().is_some() {
                return true;
            }
            todo.extend(next(b));
        }
    }
    false
}
