//! Stack objects whose address nobody else can have yet: an access through a pointer that is not made from the
//! object's own address does not hit it, or is undefined behaviour.
//!
//! Which pointers are made from an object's address, and where the address may first have been given away, are read
//! off the program's text. Passing on what a callee may not capture gives nothing away, and neither does keeping an
//! address in an object that nobody else sees: what is read there is made from it.

use super::atomics::locked;
use super::beyond::STEPS;
use super::{Ir, Res, State};
use crate::domain::{CmpOp, Domain, Ext};
use crate::llvm_ir::ast::{Arg, Call, CastOp, Flags, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::types::{Type, Types};
use rustc_hash::FxHashMap;

/// A set of stack objects, one bit each.
type Objects = u64;

/// What the text tells about the addresses of stack objects.
#[derive(Clone, Debug, Default)]
pub struct Escapes {
    /// The objects that a local's value may be an address in.
    based: Vec<Objects>,
    /// The objects whose addresses private objects may hold.
    kept: Kept,
    /// The objects whose address is still unknown elsewhere at an access, by the access's place in the text.
    hidden: FxHashMap<u32, Objects>,
}

/// The pointers that a copying or filling intrinsic uses, with whether they are written.
pub(super) fn block_pointers(inst: &Inst) -> Option<(Vec<(Operand, bool)>, Operand)> {
    let Op::Call(call) = &inst.op else { return None };
    let arg = |i: usize| call.args.get(i).map(|a| a.value);
    let Some((Intrinsic::Block(block), _)) = call.intrinsic else { return None };
    match block {
        Block::Copy | Block::Move => Some((vec![(arg(0)?, true), (arg(1)?, false)], arg(2)?)),
        Block::Fill => Some((vec![(arg(0)?, true)], arg(2)?)),
    }
}

impl Escapes {
    /// Reads a function; its objects are numbered as [`Ir::stack_objects`] lists them.
    pub fn of(ir: &Ir<'_>) -> Escapes {
        let objects = ir.stack_objects();
        let mut based: Vec<Objects> = vec![0; ir.f.locals.len()];
        if objects.is_empty() || objects.len() > 64 {
            return Escapes { based, ..Escapes::default() };
        }
        for (i, (local, ..)) in objects.iter().enumerate() {
            based[local.0 as usize] |= 1 << i;
        }
        let mut kept = Kept::of(ir, objects.len());
        loop {
            let before = based.clone();
            kept.fill(ir, &based);
            for inst in &ir.f.insts {
                let Some(result) = inst.result else { continue };
                let of = |o: &Operand| mask(&based, *o);
                let new = match &inst.op {
                    Op::Gep { base, .. } => of(base),
                    Op::Cast { op: CastOp::BitCast, value, .. } | Op::Freeze { value, .. } => of(value),
                    Op::Phi { incoming, .. } => incoming.iter().fold(0, |a, (o, _)| a | of(o)),
                    Op::Select { then, other, .. } => of(then) | of(other),
                    Op::Load { ptr, .. } => kept.at(ir, *ptr).unwrap_or(0),
                    _ => 0,
                };
                based[result.0 as usize] |= new;
            }
            if based == before {
                break;
            }
        }
        let all: Objects = if objects.len() == 64 { !0 } else { (1 << objects.len()) - 1 };
        let blocks = ir.f.blocks.len();
        let mut given: Vec<Objects> = vec![0; blocks];
        let mut hidden = FxHashMap::default();
        // The last round finds the sets that no longer change, and notes what holds at accesses.
        loop {
            let before = given.clone();
            hidden.clear();
            for b in 0..blocks {
                let mut now = given[b];
                let block = &ir.f.blocks[b];
                for i in block.first..block.end {
                    let inst = &ir.f.insts[i as usize];
                    if matches!(inst.op, Op::Load { .. } | Op::Store { .. } | Op::Call(_)) {
                        hidden.insert(inst.at, all & !now);
                    }
                    now |= captured(ir, (&based, &kept), inst);
                    for to in inst.op.successors() {
                        if let Some(g) = given.get_mut(to.0 as usize) {
                            *g |= now;
                        }
                    }
                }
            }
            if given == before {
                break;
            }
        }
        Escapes { based, kept, hidden }
    }
}

/// The objects whose addresses private objects may hold.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// By the private object's number; none for an object that is no private one, or not accessed number by number.
    by_object: Vec<Option<Objects>>,
}

impl Kept {
    /// The private objects of a function, of so many, with nothing in them.
    fn of(ir: &Ir<'_>, objects: usize) -> Kept {
        let mut by_object: Vec<Option<Objects>> =
            (0..objects).map(|i| ir.is_promoted(i).then_some(0)).collect();
        for inst in &ir.f.insts {
            let lifetime =
                matches!(&inst.op, Op::Call(c) if matches!(c.intrinsic, Some((Intrinsic::Lifetime, _))));
            if lifetime || matches!(inst.op, Op::Load { .. } | Op::Store { .. } | Op::Gep { .. }) {
                continue;
            }
            inst.op.for_each_operand(|o| {
                if let Some((i, _)) = ir.stack_place(o)
                    && let Some(slot) = by_object.get_mut(i)
                {
                    *slot = None;
                }
            });
        }
        Kept { by_object }
    }

    /// Notes the addresses that are stored, given which values are made from which.
    fn fill(&mut self, ir: &Ir<'_>, based: &[Objects]) {
        for inst in &ir.f.insts {
            if let Op::Store { ptr, value, .. } = &inst.op
                && let Some((i, _)) = ir.stack_place(*ptr)
                && let Some(Some(slot)) = self.by_object.get_mut(i)
            {
                *slot |= mask(based, *value);
            }
        }
    }

    /// What the private object that a pointer leads to may hold; none if it leads to no such object.
    fn at(&self, ir: &Ir<'_>, ptr: Operand) -> Option<Objects> {
        self.by_object.get(ir.stack_place(ptr)?.0).copied().flatten()
    }
}

fn mask(based: &[Objects], o: Operand) -> Objects {
    match o {
        Operand::Local(l) => based.get(l.0 as usize).copied().unwrap_or(0),
        Operand::Const(_) => 0,
    }
}

/// The objects whose address an instruction may give away.
fn captured(ir: &Ir<'_>, (based, kept): (&[Objects], &Kept), inst: &Inst) -> Objects {
    let of = |o: Operand| mask(based, o);
    match &inst.op {
        // An address read as something else than a pointer is no longer followed.
        Op::Load { ty, ptr, .. } if !matches!(ir.m.types.resolve(*ty), Type::Ptr(_)) => {
            kept.at(ir, *ptr).unwrap_or(0)
        }
        Op::Load { .. } | Op::Gep { .. } | Op::Freeze { .. } | Op::Phi { .. } | Op::Select { .. } => 0,
        Op::Cast { op: CastOp::BitCast, .. } => 0,
        Op::Store { ptr, .. } if kept.at(ir, *ptr).is_some() => 0,
        Op::Store { value, .. } => of(*value),
        Op::Call(call) => {
            let lifetime = matches!(call.intrinsic, Some((Intrinsic::Lifetime, _)));
            let plain = lifetime || block_pointers(inst).is_some();
            if plain {
                return 0;
            }
            ir.handed_on(call).fold(of(call.callee), |m, o| m | of(o))
        }
        other => {
            let mut all = 0;
            other.for_each_operand(|o| all |= of(o));
            all
        }
    }
}

/// Longest object whose bytes are kept across calls.
const LONGEST: u64 = 64;

impl Ir<'_> {
    /// The arguments of a call whose addresses it may make known: those that nothing promises it not to capture. What an update
    /// of memory is given counts as with one of the IR's own, whatever is said of it.
    pub(super) fn handed_on(&self, call: &Call) -> impl Iterator<Item = Operand> {
        let (declared, locked) = (self.callee(call), locked(call).is_some());
        let kept = move |(n, a): (usize, &Arg)| {
            let param = declared.and_then(|f| f.params.get(n));
            self.says_not_captured(&a.attrs) || param.is_some_and(|p| self.says_not_captured(&p.attrs))
        };
        call.args.iter().enumerate().filter(move |arg| locked || !kept(*arg)).map(|(_, a)| a.value)
    }

    /// Memory behind a call: what the call left, and in the objects that it cannot know of what they held before; what it
    /// was, where the function is said to read alone.
    pub(crate) fn keep_hidden<D: Domain>(
        &self,
        d: &mut D,
        call: &Inst,
        before: &D::Mem,
        left: &D::Mem,
    ) -> D::Mem {
        let mut out = left.clone();
        let Op::Call(callee) = &call.op else { return out };
        // Machine code has its own way to hide objects from calls.
        if !self.checks.exact {
            return out;
        }
        if self.callee_name(callee).is_some_and(|name| self.only_reads(callee, name)) {
            return before.clone();
        }
        // What is behind the second return of a function like `setjmp` is not what was there at the first.
        if self.object_sizes.is_empty() || self.may_return_twice(callee) {
            return out;
        }
        let escapes = self.escapes.get_or_init(|| Escapes::of(self));
        let passed = match block_pointers(call) {
            // What is read is as it was.
            Some((pointers, _)) => {
                let written = pointers.iter().filter(|(_, write)| *write);
                written.fold(0, |all, (pointer, _)| all | mask(&escapes.based, *pointer))
            }
            None => callee.args.iter().fold(0, |all, a| all | mask(&escapes.based, a.value)),
        };
        let hidden = escapes.hidden.get(&call.at).copied().unwrap_or(0)
            & !passed
            & !captured(self, (&escapes.based, &escapes.kept), call);
        for (i, size) in self.object_sizes.iter().enumerate() {
            let is_hidden = hidden >> i & 1 == 1 && *size <= LONGEST;
            if *size == 0 || self.is_promoted(i) {
                continue;
            }
            let object = d.address(&Self::stack_name(0, self.object_number(i)), Some(*size));
            if !is_hidden {
                // The callee may have stored to all of it.
                self.holds_from_now(d, &object, *size);
                continue;
            }
            let held = d.load(before, &object, *size as u32);
            out = d.store(&out, &object, &held);
        }
        out
    }

    /// How many bytes the object has at least that an access hits: the steps `inbounds` of a known length that lead to
    /// the address start in it, and end there.
    fn extent_of(&self, ptr: Operand, bytes: u64) -> u64 {
        let (mut at, mut place) = (ptr, 0i64);
        let (mut low, mut high) = (0, i64::try_from(bytes).unwrap_or(i64::MAX));
        for _ in 0..STEPS {
            let Operand::Local(local) = at else { break };
            let Some(Op::Gep { flags, source, base, indices, .. }) = self.defined_by(local) else { break };
            let step = self.constant_step(*source, indices.iter().map(|(_, index)| *index));
            let before = step.and_then(|step| place.checked_sub(step));
            let (true, Some(before)) = (flags.has(Flags::INBOUNDS), before) else { break };
            (at, place) = (*base, before);
            (low, high) = (low.min(place), high.max(place));
        }
        high.abs_diff(low)
    }

    /// Notes undefined behaviour where an access hits a stack object through a pointer that cannot be its address: nobody
    /// has that yet, or the object is too small for the steps that lead there.
    pub(super) fn note_hidden<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &Inst) -> Res<()> {
        let objects = &self.object_sizes;
        if objects.is_empty() || objects.len() > 64 || self.side != super::Side::Source {
            return Ok(());
        }
        let escapes = self.escapes.get_or_init(|| Escapes::of(self));
        let hidden = escapes.hidden.get(&inst.at).copied().unwrap_or(0);
        if hidden == 0 && !self.checks.exact {
            return Ok(());
        }
        let places: Vec<(Operand, u64, bool)> = match &inst.op {
            Op::Load { ty, ptr, .. } | Op::Store { ty, ptr, .. } => {
                let size = self.m.layout.store_size(&self.m.types, *ty).unwrap_or(0);
                vec![(*ptr, size, matches!(inst.op, Op::Store { .. }))]
            }
            _ => {
                let Some((pointers, len)) = block_pointers(inst) else { return Ok(()) };
                let len = self.scalar(d, st, len, Types::I64)?;
                let Some(len) = d.as_const(&len.bits).and_then(|v| v.to_u64()) else { return Ok(()) };
                pointers.into_iter().map(|(p, write)| (p, len, write)).collect()
            }
        };
        for (ptr, bytes, write) in places {
            if bytes == 0 || self.promoted_place(ptr).is_some() || self.inside_object(ptr, bytes, write) {
                continue;
            }
            let own = mask(&escapes.based, ptr);
            let extent = if self.checks.exact { self.extent_of(ptr, bytes) } else { 0 };
            let at = self.place(d, st, ptr)?.bits;
            for (i, size) in objects.iter().enumerate() {
                let other = hidden >> i & 1 == 1 || extent > *size;
                if !other || own >> i & 1 == 1 || *size == 0 || self.is_promoted(i) {
                    continue;
                }
                let object = d.address(&Self::stack_name(st.frame, self.object_number(i)), Some(*size));
                let (up, down) = (d.sub(&at, &object), d.sub(&object, &at));
                let width = d.width(&at);
                let (n, m) = (d.num(width, u128::from(*size)), d.num(width, u128::from(bytes)));
                let (x, y) = (d.cmp(CmpOp::Ult, &up, &n), d.cmp(CmpOp::Ult, &down, &m));
                let hit = d.or(&x, &y);
                self.note_ub(d, st, &hit);
            }
        }
        Ok(())
    }
}
