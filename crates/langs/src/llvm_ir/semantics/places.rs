//! What the text of a function says about addresses: which object they lie in, and which stack objects' addresses
//! stay inside the function.

use super::based::is_null;
use super::memory::known_global_size;
use super::{Ir, Side, State};
use crate::abi::{AREA, Slot};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Attr, CastOp, ConstExpr, ConstKind, Inst, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::{Type, TypeId};
use crate::memory::promoted::{Accesses, PromotedSlots, Range};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Numbers of stack objects from here on belong to one function alone.
const OWN_NUMBERS: usize = 1 << 20;

/// A parameter that is an object passed by value.
#[derive(Clone, Debug)]
pub(crate) struct ByValue {
    /// Its address.
    pub local: LocalId,
    /// What the object goes by in both programs.
    pub name: String,
    /// Its size.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Where the convention puts it.
    pub slot: Slot,
}

/// The object that an address is a constant offset into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// The result of an alloca, or a parameter passed by value.
    Stack(LocalId),
    /// A global variable; whether it is constant.
    Global {
        /// Declared `constant`.
        constant: bool,
        /// Defined here, so that its size is known for certain.
        defined: bool,
    },
}

impl Ir<'_> {
    /// Notes undefined behaviour where a store hits the area of incoming stack arguments: no pointer leads there.
    pub(super) fn note_handed_on<D: Domain>(&self, d: &mut D, st: &mut State<D>, at: &D::Bv, bytes: u64) {
        let Some(size) = self.handed_on.filter(|_| self.side == Side::Source) else { return };
        let area = d.address(AREA, Some(size));
        let (up, down) = (d.sub(at, &area), d.sub(&area, at));
        let (size, bytes) = (d.num(64, u128::from(size)), d.num(64, u128::from(bytes)));
        let (inside, before) = (d.ult(&up, &size), d.ult(&down, &bytes));
        let hit = d.or(&inside, &before);
        self.note_ub(d, st, &hit);
    }

    /// The static stack objects: allocas of constant size in the entry block, in order, with size and alignment.
    pub fn stack_objects(&self) -> Vec<(LocalId, u64, u64)> {
        let mut out = Vec::new();
        for inst in self.f.block_insts(crate::llvm_ir::ast::BlockId(0)) {
            if let Op::Alloca { ty, count, align, .. } = &inst.op
                && let Some(local) = inst.result
                && let Some((size, align)) = self.alloca_size(*ty, *count, *align)
            {
                out.push((local, size, align));
            }
        }
        out
    }

    pub(super) fn alloca_size(
        &self,
        ty: TypeId,
        count: Option<(TypeId, Operand)>,
        align: Option<u64>,
    ) -> Option<(u64, u64)> {
        let types = &self.m.types;
        let count = match count {
            None => 1,
            Some((_, Operand::Const(c))) => match self.m.consts.get(c.0 as usize)?.kind {
                ConstKind::Int(n) => n,
                _ => return None,
            },
            Some((_, Operand::Local(_))) => return None,
        };
        let size = self.m.layout.alloc_size(types, ty)?.checked_mul(count)?;
        let align = align.or_else(|| self.m.layout.align(types, ty))?;
        Some((size, align))
    }

    /// Whether an access lies inside a stack object or global variable of this module, by the program's text. A
    /// write to a constant never counts: such memory need not be writable.
    pub(super) fn inside_object(&self, operand: Operand, bytes: u64, write: bool) -> bool {
        match self.object_offset(operand, 0) {
            Some((Root::Global { constant: true, .. }, ..)) if write => false,
            Some((_, size, offset)) => {
                offset >= 0 && (offset as u64).checked_add(bytes).is_some_and(|end| end <= size)
            }
            None => false,
        }
    }

    /// The stack object that a local holds an address of, at a constant offset inside it or at its end. Not against
    /// another IR program, where a step on the way may have made poison of it.
    pub(crate) fn offset_in_stack_object(&self, local: LocalId) -> Option<(LocalId, u64)> {
        if self.checks.exact {
            return None;
        }
        let def = self.f.locals.get(local.0 as usize)?.def?;
        if !matches!(self.f.insts.get(def as usize)?.op, Op::Gep { .. }) {
            return None;
        }
        match self.object_offset(Operand::Local(local), 0)? {
            (Root::Stack(root), size, offset) => {
                let offset = u64::try_from(offset).ok()?;
                (offset <= size).then_some((root, offset))
            }
            (Root::Global { .. }, ..) => None,
        }
    }

    /// Whether an address is aligned by the alignment of the stack object it lies in. Optimisers raise that: the
    /// source's object may lie as the target's does.
    pub(super) fn aligned_in_object(&self, operand: Operand, align: u64) -> bool {
        let Some((Root::Stack(local), _, offset)) = self.object_offset(operand, 0) else { return false };
        let def = self.f.locals.get(local.0 as usize).and_then(|l| l.def);
        match def.and_then(|i| self.f.insts.get(i as usize)).map(|i| &i.op) {
            Some(Op::Alloca { ty, count, align: own, .. }) => {
                let own = self.alloca_size(*ty, *count, *own).map_or(1, |(_, own)| own);
                own.is_multiple_of(align) && offset.unsigned_abs().is_multiple_of(align)
            }
            _ => false,
        }
    }

    /// Size of the object that this program makes and an address is a constant offset into, and the offset.
    pub(crate) fn place_in_object(&self, operand: Operand) -> Option<(u64, i64)> {
        let (root, size, offset) = self.object_offset(operand, 0)?;
        (!matches!(root, Root::Global { defined: false, .. })).then_some((size, offset))
    }

    /// The object an address is a constant offset into, its size, and the offset.
    pub(super) fn object_offset(&self, operand: Operand, depth: u32) -> Option<(Root, u64, i64)> {
        if depth > 8 {
            return None;
        }
        match operand {
            Operand::Local(local) if let Some(own) = self.by_value.iter().find(|b| b.local == local) => {
                Some((Root::Stack(local), own.size, 0))
            }
            Operand::Local(LocalId(i)) => {
                let def = self.f.locals.get(i as usize)?.def?;
                let inst = self.f.insts.get(def as usize)?;
                match &inst.op {
                    // Only objects of the entry block have a place of their own; others grow the stack.
                    Op::Alloca { .. }
                        if !self.checks.exact && !self.object_index.contains_key(&inst.result?) =>
                    {
                        None
                    }
                    Op::Alloca { ty, count, align, .. } => {
                        Some((Root::Stack(inst.result?), self.alloca_size(*ty, *count, *align)?.0, 0))
                    }
                    Op::Gep { source, base, indices, .. } => {
                        let (root, size, offset) = self.object_offset(*base, depth + 1)?;
                        let step = self.constant_step(*source, indices.iter().map(|(_, index)| *index))?;
                        Some((root, size, offset.checked_add(step)?))
                    }
                    Op::Cast { op: CastOp::BitCast, value, .. } => self.object_offset(*value, depth + 1),
                    _ => None,
                }
            }
            Operand::Const(c) => match &self.m.consts.get(c.0 as usize)?.kind {
                ConstKind::Global(name) => {
                    let global = self.m.globals.iter().find(|g| g.name == *name)?;
                    let root = Root::Global { constant: global.constant, defined: global.init.is_some() };
                    Some((root, known_global_size(self.m, *name)?, 0))
                }
                ConstKind::Expr(e) => match &**e {
                    ConstExpr::Gep { source, args, .. } => {
                        let (base, indices) = args.split_first()?;
                        let (root, size, offset) = self.object_offset(Operand::Const(*base), depth + 1)?;
                        let step = self.constant_step(*source, indices.iter().map(|i| Operand::Const(*i)))?;
                        Some((root, size, offset.checked_add(step)?))
                    }
                    ConstExpr::Cast(CastOp::BitCast, _, inner) => {
                        self.object_offset(Operand::Const(*inner), depth + 1)
                    }
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// Whether an address lies in a constant, by the text.
    pub(super) fn lies_in_constant(&self, operand: Operand) -> bool {
        matches!(self.object_offset(operand, 0), Some((Root::Global { constant: true, .. }, ..)))
    }

    /// Bytes from an address to the end of its object, where the program text shows which object that is.
    pub(super) fn room_behind(&self, operand: Operand) -> Option<u64> {
        let (_, size, offset) = self.object_offset(operand, 0)?;
        Some(u64::try_from(offset).map_or(0, |offset| size.saturating_sub(offset)))
    }

    /// Whether every step of a `getelementptr` by constants, and its base, lie in one global variable of this module, or one
    /// stack object of the function, or at its end, by the program's text: then `inbounds` makes no poison, whatever
    /// addresses are. A variable is defined here and not replaced by the linker, so its size is known. That the object is
    /// alive `inbounds` does not ask.
    pub(super) fn stays_in_object(&self, source: TypeId, base: Operand, indices: &[Operand]) -> bool {
        let stays = || {
            let (Root::Global { defined: true, .. } | Root::Stack(_), size, start) =
                self.object_offset(base, 0)?
            else {
                return None;
            };
            let list: Option<Vec<i64>> = indices.iter().map(|i| self.small_constant(*i)).collect();
            let list = list?;
            let mut offsets = vec![start];
            for n in 1..=list.len() {
                offsets.push(start.checked_add(self.constant_offset(source, &list[..n])?)?);
            }
            Some(offsets.into_iter().all(|o| u64::try_from(o).is_ok_and(|o| o <= size)))
        };
        stays().unwrap_or(false)
    }

    /// The size of the global variable of this module in which, or at the end of which, an address lies by the program's text,
    /// and how far from its start, in bytes; as above.
    pub(super) fn place_in_variable(&self, operand: Operand) -> Option<(u64, u64)> {
        let (root, size, offset) = self.object_offset(operand, 0)?;
        let offset = u64::try_from(offset).ok().filter(|offset| *offset <= size)?;
        matches!(root, Root::Global { defined: true, .. }).then_some((size, offset))
    }

    /// The stack object that an address lies in, by its index among the static ones, and the offset; none for the
    /// address of an object whose uses are not all plain.
    pub(crate) fn stack_place(&self, operand: Operand) -> Option<(usize, i64)> {
        let Operand::Local(_) = operand else { return None };
        match self.object_offset(operand, 0)? {
            (Root::Stack(local), _, offset) => Some((self.object_index.get(&local).copied()?, offset)),
            (Root::Global { .. }, ..) => None,
        }
    }

    /// The promoted object that an address lies in, and the offset.
    pub(crate) fn promoted_place(&self, operand: Operand) -> Option<(String, u64)> {
        if self.promoted.is_empty() {
            return None;
        }
        let (index, offset) = self.stack_place(operand)?;
        let name = self.object_name(index);
        self.promoted.has(&name).then_some((name, u64::try_from(offset).ok()?))
    }

    /// The number that a static stack object goes by.
    pub(super) fn object_number(&self, index: usize) -> usize {
        self.object_numbers.get(index).copied().unwrap_or(index)
    }

    /// The name of a static stack object's address; behind them, of an object passed by value.
    pub(crate) fn object_name(&self, index: usize) -> String {
        if let Some(own) = index.checked_sub(self.object_sizes.len()).and_then(|k| self.by_value.get(k)) {
            return own.name.clone();
        }
        Self::stack_name(0, self.object_number(index))
    }

    /// The function with parameters that are objects passed by value. Only pairs whose other side has the convention's
    /// places for them may ask for this.
    #[must_use]
    pub(crate) fn with_by_value(mut self, objects: Vec<ByValue>) -> Self {
        for (k, own) in objects.iter().enumerate() {
            self.object_index.insert(own.local, self.object_sizes.len() + k);
        }
        self.by_value = objects;
        self
    }

    /// The objects passed by value that are promoted, to be filled at the entry.
    pub(crate) fn fill_by_value<D: crate::domain::Domain>(
        &self,
        d: &mut D,
        st: &mut super::State<D>,
        mem: &D::Mem,
    ) {
        for own in &self.by_value {
            if self.promoted.has(&own.name) {
                let at = own.slot.address(d);
                self.promoted.fill(d, &mut st.promoted, &own.name, mem, &at);
            }
        }
    }

    /// Whether a static stack object is promoted.
    pub(crate) fn is_promoted(&self, index: usize) -> bool {
        self.promoted.has(&self.object_name(index))
    }

    /// The function with all its private objects in promoted slots.
    pub(crate) fn with_private_promoted(mut self) -> Self {
        self.promoted = Rc::new(PromotedSlots::new(self.private_objects()));
        self
    }

    /// The same, of objects too that blocks of memory are copied into: what takes those apart loads part by part what it
    /// needs of the block.
    #[must_use]
    pub(crate) fn with_copied_promoted(mut self) -> Self {
        self.promotes_copied = true;
        self.with_private_promoted()
    }

    /// The same, of objects too that blocks of memory are copied from, or that structures are loaded from or stored to: what takes
    /// those apart goes part by part.
    #[must_use]
    pub(crate) fn with_read_promoted(mut self) -> Self {
        self.promotes_read = true;
        self.with_copied_promoted()
    }

    /// The objects of a list (by number) as the other function of a pair knows them.
    pub(crate) fn objects_named(&self, which: &[usize]) -> Vec<(String, u64)> {
        which.iter().map(|i| (self.object_name(*i), self.object_sizes[*i])).collect()
    }

    /// The function beside one that has objects in memory which this has not.
    #[must_use]
    pub(crate) fn with_foreign_objects(mut self, objects: Vec<(String, u64)>) -> Self {
        self.foreign_objects = objects;
        self
    }

    /// Whether the other function of a pair has objects in memory which this has not.
    pub(crate) fn has_foreign_objects(&self) -> bool {
        !self.foreign_objects.is_empty()
    }

    /// Whether nothing sees the function's memory before it returns: no calls, volatile or atomic accesses, or blocks of
    /// lengths that are not known.
    pub(crate) fn is_unseen(&self) -> bool {
        self.f.insts.iter().all(|inst| match &inst.op {
            Op::Call(call) => match call.intrinsic {
                Some((Intrinsic::Block(_), _)) => {
                    let length = call.args.get(2).and_then(|a| self.small_constant(a.value));
                    length.is_some_and(|n| (0..=crate::memory::blocks::SPELLED_OUT as i64).contains(&n))
                }
                Some((what, _)) => !matches!(
                    what,
                    Intrinsic::Trap
                        | Intrinsic::VaStart
                        | Intrinsic::VaCopy
                        | Intrinsic::KeepGuard
                        | Intrinsic::Locked(_)
                        | Intrinsic::SideEffect
                ),
                None => self.is_spelled_out(inst),
            },
            Op::Load { access, .. } | Op::Store { access, .. } => access.is_plain(),
            Op::Fence(_) | Op::CmpXchg { .. } | Op::AtomicRmw { .. } | Op::VaArg { .. } => false,
            Op::CallBranch { .. } | Op::Exception(_) => false,
            _ => true,
        })
    }

    /// Whether an access, through a pointer of which the text does not tell the object, has more bytes than one of the
    /// objects in memory: it may reach beyond that, which addresses do not tell.
    pub(crate) fn may_reach_beyond(&self) -> bool {
        let sizes = self.stack_objects().into_iter().enumerate().filter(|(i, _)| !self.is_promoted(*i));
        let Some(least) = sizes.map(|(_, (_, size, _))| size).min() else { return false };
        self.f.insts.iter().any(|inst| match &inst.op {
            Op::Load { ty, ptr, .. } | Op::Store { ty, ptr, .. } => {
                let bytes = self.m.layout.store_size(&self.m.types, *ty);
                self.made_from(*ptr) == super::MadeFrom::Unknown && bytes.is_none_or(|n| n > least)
            }
            _ => false,
        })
    }

    /// Whether an access is known to reach beyond the stack object that it is made from.
    pub(super) fn beyond_own_object(&self, operand: Operand, bytes: u64) -> bool {
        match self.object_offset(operand, 0) {
            Some((Root::Stack(_), size, offset)) => {
                let end = u64::try_from(offset).ok().and_then(|lo| lo.checked_add(bytes));
                end.is_none_or(|end| end > size)
            }
            Some((Root::Global { .. }, ..)) | None => false,
        }
    }

    /// Whether all objects in memory are stored to as a whole, in the entry block, before anything else is done with
    /// them.
    pub(crate) fn objects_begin_stored(&self) -> bool {
        self.stack_objects().into_iter().enumerate().filter(|(i, _)| !self.is_promoted(*i)).all(
            |(_, (local, size, _))| {
                let me = Operand::Local(local);
                let first = self.f.block_insts(crate::llvm_ir::ast::BlockId(0)).iter().find(|inst| {
                    let mut uses = false;
                    inst.op.for_each_operand(|o| uses |= o == me);
                    uses
                });
                matches!(first.map(|i| &i.op), Some(Op::Store { ty, ptr, value, .. })
                    if *ptr == me && *value != me
                        && self.m.layout.store_size(&self.m.types, *ty) == Some(size))
            },
        )
    }

    /// The function with objects that go by the numbers of another function's (pairs of own and other number); all
    /// others get numbers that no other function's have.
    pub(crate) fn with_shared_objects(mut self, pairs: &[(usize, usize)]) -> Self {
        let private: Vec<bool> = (0..self.object_index.len()).map(|i| self.is_promoted(i)).collect();
        self.object_numbers = (0..self.object_index.len()).map(|i| OWN_NUMBERS + i).collect();
        for &(own, other) in pairs {
            if let Some(slot) = self.object_numbers.get_mut(own) {
                *slot = other;
            }
        }
        let mut accesses = self.private_objects();
        for (i, private) in private.into_iter().enumerate() {
            if !private {
                accesses.remove(&self.object_name(i));
            }
        }
        self.promoted = Rc::new(PromotedSlots::new(accesses));
        self
    }

    /// The promoted slots that an instruction reads and writes: those written as a whole, and others read.
    pub(crate) fn promoted_of(&self, inst: &Inst) -> (Vec<usize>, Vec<usize>) {
        let (mut uses, mut defs) = (Vec::new(), Vec::new());
        if self.promoted.is_empty() {
            return (uses, defs);
        }
        let mut accesses: Vec<(Operand, u64, u64, bool)> = Vec::new();
        if let Some((ptr, bytes, _)) = self.plain_access(inst) {
            accesses.push((ptr, 0, bytes, matches!(inst.op, Op::Store { .. })));
        }
        if let Some((ptr, _, parts)) = self.structure_accessed(inst) {
            let write = matches!(inst.op, Op::Store { .. });
            accesses.extend(parts.into_iter().map(|part| (ptr, part.lo, part.hi - part.lo, write)));
        }
        accesses.extend(self.block_accesses(inst).into_iter().map(|(ptr, n, write)| (ptr, 0, n, write)));
        for (ptr, from, bytes, write) in accesses {
            let Some((object, offset)) = self.promoted_place(ptr) else { continue };
            for t in self.promoted.touched(&object, offset + from, bytes) {
                let whole = t.bits == self.promoted.width(t.slot);
                if whole && write {
                    defs.push(t.slot);
                } else {
                    uses.push(t.slot);
                }
            }
        }
        (uses, defs)
    }

    /// The areas that a copy or fill of constant length accesses, and those that a call copies for its callee, with
    /// whether they are written: where the other program has the convention's form of them.
    pub(crate) fn block_accesses(&self, inst: &Inst) -> Vec<(Operand, u64, bool)> {
        let Op::Call(call) = &inst.op else { return Vec::new() };
        if self.checks.exact && !self.promotes_copied {
            return Vec::new();
        }
        if let Some((pointers, len)) = super::escape::block_pointers(inst) {
            // Between IR programs at first only what is written: memory has no undef, so that bytes that an object never
            // got leave there what it held, which need not be what the other side leaves.
            let reads = self.promotes_read || !self.checks.exact;
            let pointers = pointers.into_iter().filter(|(_, write)| *write || reads);
            let plain = call.args.get(3).is_some_and(|v| self.small_constant(v.value) == Some(0));
            let len = self.small_constant(len).and_then(|n| u64::try_from(n).ok());
            return match len {
                Some(n @ 1..=crate::memory::blocks::SPELLED_OUT) if plain => {
                    pointers.map(|(p, write)| (p, n, write)).collect()
                }
                _ => Vec::new(),
            };
        }
        if self.checks.exact {
            return Vec::new();
        }
        let copied = |a: &crate::llvm_ir::ast::Arg| match self.attr(&a.attrs, "byval")? {
            Attr::Type(_, ty) => {
                let size = self.m.layout.alloc_size(&self.m.types, *ty)?;
                (size > 0).then_some((a.value, size, false))
            }
            _ => None,
        };
        call.args.iter().filter_map(copied).collect()
    }

    /// The stack objects whose address is only loaded from and stored to, in place and in bounds, with the ranges
    /// accessed: those that [`crate::memory::promoted`] may take out of memory.
    pub fn private_objects(&self) -> Accesses {
        let mut objects = self.stack_objects();
        objects.extend(self.by_value.iter().map(|own| (own.local, own.size, own.align)));
        let mut ranges: Vec<Vec<Range>> = vec![Vec::new(); objects.len()];
        let mut written: Vec<Vec<Range>> = vec![Vec::new(); objects.len()];
        let mut escaped: FxHashSet<usize> = FxHashSet::default();
        for inst in &self.f.insts {
            let plain = self.plain_access(inst);
            let blocks = self.block_accesses(inst);
            let structure = self.structure_accessed(inst);
            inst.op.for_each_operand(|operand| {
                let Some((index, offset)) = self.stack_place(operand) else { return };
                let fine = match &inst.op {
                    // The result is followed in turn, unless it can't be.
                    Op::Gep { .. } | Op::Cast { op: CastOp::BitCast, .. } => {
                        inst.result.is_some_and(|l| self.stack_place(Operand::Local(l)).is_some())
                    }
                    Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::Lifetime, _))) => true,
                    // An object lies somewhere else than null wherever it lies. (Where an instruction is chosen for it, its
                    // address is taken all the same.)
                    Op::ICmp { lhs, rhs, .. } => {
                        let other = if *lhs == operand { rhs } else { lhs };
                        self.checks.exact && *other != operand && is_null(self, *other)
                    }
                    Op::Call(call) => {
                        // Every use of it here is such an access.
                        let uses = call.args.iter().filter(|a| a.value == operand).count();
                        let here: Vec<u64> = blocks.iter().filter(|b| b.0 == operand).map(|b| b.1).collect();
                        let (_, size, _) = objects[index];
                        let lo = u64::try_from(offset).ok();
                        let inside = |n: &u64| {
                            let hi = lo.and_then(|lo| lo.checked_add(*n)).filter(|hi| *hi <= size)?;
                            Some(Range { lo: lo?, hi })
                        };
                        let all: Option<Vec<Range>> = here.iter().map(inside).collect();
                        match all {
                            Some(all) if uses == here.len() && uses > 0 && call.callee != operand => {
                                let list = if self.checks.exact { &mut written } else { &mut ranges };
                                list[index].extend(all);
                                true
                            }
                            _ => false,
                        }
                    }
                    Op::Load { .. } | Op::Store { .. } => {
                        let parts = match (&plain, &structure) {
                            (Some((ptr, bytes, align)), _) if *ptr == operand => {
                                Some((*align, vec![Range { lo: 0, hi: *bytes }]))
                            }
                            (_, Some((ptr, align, parts))) if *ptr == operand => {
                                Some((*align, parts.clone()))
                            }
                            _ => None,
                        };
                        let (_, size, object_align) = objects[index];
                        match (parts, u64::try_from(offset)) {
                            (Some((align, parts)), Ok(lo)) => {
                                let moved = |r: &Range| {
                                    let hi = lo.checked_add(r.hi).filter(|hi| *hi <= size)?;
                                    Some(Range { lo: lo + r.lo, hi })
                                };
                                let parts: Option<Vec<Range>> = parts.iter().map(moved).collect();
                                let aligned = lo % align == 0 && object_align >= align;
                                let fine = parts.filter(|_| aligned);
                                let is_fine = fine.is_some();
                                ranges[index].extend(fine.into_iter().flatten());
                                is_fine
                            }
                            _ => false,
                        }
                    }
                    _ => false,
                };
                if !fine {
                    escaped.insert(index);
                }
            });
        }
        let mut out = Accesses::default();
        for (index, mut list) in ranges.into_iter().enumerate() {
            if !escaped.contains(&index) {
                // A block is in parts what is accessed of it, each of which the other program may have by itself.
                let rest = beside(&list, &written[index]);
                list.extend(rest);
                out.insert(self.object_name(index), list);
            }
        }
        out
    }

    /// Address, bytes and alignment of a load or store of a scalar or vector that is neither volatile nor atomic; of
    /// a store, only where the value stored is no address in the object that is stored to. (Between IR programs: the object
    /// that it is an address in is not private. What machine code stores is compared with what lies in the frame.)
    fn plain_access(&self, inst: &Inst) -> Option<(Operand, u64, u64)> {
        let (ty, ptr, access) = match &inst.op {
            Op::Load { ty, ptr, access } => (*ty, *ptr, access),
            Op::Store { ty, value, ptr, access } => {
                let own = |(object, _)| self.stack_place(*ptr).is_none_or(|(to, _)| to == object);
                if self.stack_place(*value).is_some_and(|place| !self.checks.exact || own(place)) {
                    return None;
                }
                (*ty, *ptr, access)
            }
            _ => return None,
        };
        if !access.is_plain() {
            return None;
        }
        if let Type::Struct { .. } | Type::Array { .. } = self.m.types.resolve(ty) {
            return None;
        }
        let types = &self.m.types;
        let (size, natural) = (self.m.layout.store_size(types, ty)?, self.m.layout.align(types, ty)?);
        let align = access.align.unwrap_or(natural).max(1);
        (size > 0).then_some((ptr, size, align))
    }

    /// Address, alignment and parts of a load or store of a structure or an array, beside a program that takes it apart.
    /// Stores are those of the source: the target's would have to leave undef between the parts, whatever was there.
    fn structure_accessed(&self, inst: &Inst) -> Option<(Operand, u64, Vec<Range>)> {
        if !self.promotes_read || !self.checks.exact {
            return None;
        }
        let (ty, ptr, access) = match &inst.op {
            Op::Store { ty, ptr, access, value }
                if self.side == Side::Source && self.stack_place(*value).is_none() =>
            {
                (*ty, *ptr, access)
            }
            // What metadata says of a structure as a whole is not followed.
            Op::Load { ty, ptr, access }
                if inst.attachments.iter().all(|(kind, _)| self.m.names.text(*kind).starts_with("tbaa")) =>
            {
                (*ty, *ptr, access)
            }
            _ => return None,
        };
        if !access.is_plain() {
            return None;
        }
        let (Type::Struct { .. } | Type::Array { .. }) = self.m.types.resolve(ty) else { return None };
        let natural = self.m.layout.align(&self.m.types, ty)?;
        let parts = self.parts_of(ty)?.into_iter().map(|(lo, part)| {
            let bytes = self.m.layout.store_size(&self.m.types, part)?;
            (bytes > 0).then_some(Range { lo, hi: lo + bytes })
        });
        let parts: Option<Vec<Range>> = parts.collect();
        Some((ptr, access.align.unwrap_or(natural).max(1), parts.filter(|p| !p.is_empty())?))
    }

    pub(crate) fn small_constant(&self, operand: Operand) -> Option<i64> {
        let Operand::Const(c) = operand else { return None };
        let c = self.m.consts.get(c.0 as usize)?;
        let crate::llvm_ir::ast::ConstKind::Int(v) = c.kind else { return None };
        let width = self.m.types.int_width(c.ty)?;
        Some(if width >= 64 { v as i64 } else { ((v << (64 - width)) as i64) >> (64 - width) })
    }

    /// How far a `getelementptr` with these indices leads, in bytes, where all of them are numbers.
    pub(super) fn constant_step(
        &self,
        source: TypeId,
        indices: impl Iterator<Item = Operand>,
    ) -> Option<i64> {
        let list: Option<Vec<i64>> = indices.map(|index| self.small_constant(index)).collect();
        self.constant_offset(source, &list?)
    }

    fn constant_offset(&self, source: TypeId, indices: &[i64]) -> Option<i64> {
        let types = &self.m.types;
        let (first, rest) = indices.split_first()?;
        let mut offset = first.checked_mul(i64::try_from(self.m.layout.alloc_size(types, source)?).ok()?)?;
        let mut ty = source;
        for index in rest {
            let (step, inner) = match types.resolve(ty) {
                Type::Struct { fields, packed } => {
                    let (offsets, ..) = self.m.layout.fields(types, fields, *packed)?;
                    let i = usize::try_from(*index).ok()?;
                    (i64::try_from(*offsets.get(i)?).ok()?, *fields.get(i)?)
                }
                Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                    let size = i64::try_from(self.stride(ty, *elem)?).ok()?;
                    (index.checked_mul(size)?, *elem)
                }
                _ => return None,
            };
            offset = offset.checked_add(step)?;
            ty = inner;
        }
        Some(offset)
    }
}

/// What of some ranges lies in none of others, cut where any of them begins or ends.
fn beside(others: &[Range], ranges: &[Range]) -> Vec<Range> {
    let mut borders: Vec<u64> = others.iter().chain(ranges).flat_map(|r| [r.lo, r.hi]).collect();
    borders.sort_unstable();
    borders.dedup();
    let covers = |list: &[Range], lo: u64| list.iter().any(|r| (r.lo..r.hi).contains(&lo));
    let parts = borders.windows(2).map(|w| Range { lo: w[0], hi: w[1] });
    parts.filter(|part| covers(ranges, part.lo) && !covers(others, part.lo)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Range, beside};

    #[test]
    fn a_block_is_cut_around_what_is_accessed_of_it() {
        let range = |(lo, hi)| Range { lo, hi };
        let of = |others: &[(u64, u64)], ranges: &[(u64, u64)]| -> Vec<(u64, u64)> {
            let [others, ranges] = [others, ranges].map(|l| l.iter().copied().map(range).collect::<Vec<_>>());
            beside(&others, &ranges).into_iter().map(|r| (r.lo, r.hi)).collect()
        };
        assert_eq!(of(&[(0, 4), (8, 16)], &[(0, 24)]), [(4, 8), (16, 24)]);
        assert_eq!(of(&[(4, 12)], &[(0, 8), (8, 16)]), [(0, 4), (12, 16)]);
        assert_eq!(of(&[], &[(0, 8)]), [(0, 8)]);
        assert_eq!(of(&[(0, 8)], &[]), []);
    }
}
