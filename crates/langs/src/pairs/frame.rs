//! The stack of a pair: which frame objects of the target stand for which objects of the source, where incoming
//! arguments lie, and which objects both keep to themselves.

use super::Machine;
use crate::abi::variadic::{OVERFLOW, SAVED, Variadic};
use crate::abi::{AREA, Loc, Signature, Slot, StackArgument};
use crate::llvm_ir::ast::{Attr, Op};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::semantics::{ByValue, Ir};
use crate::memory::promoted::{Accesses, PromotedSlots};
use crate::x86_mir::ast::{FrameObject, Operand};
use crate::x86_mir::semantics::table::Sem;
use crate::x86_mir::semantics::variadic::save_area;
use rustc_hash::{FxHashMap, FxHashSet};

/// The stack objects of a pair.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// Names and sizes in bytes of the target's frame objects that stand for the source's.
    pub stack: Vec<Option<(String, u64)>>,
    /// Where incoming stack objects lie.
    pub fixed: Vec<Option<Slot>>,
    /// What those hold.
    pub arguments: Vec<StackArgument>,
    /// Parameters passed as bytes, and where those lie.
    pub by_value: Vec<(usize, Slot)>,
}

/// What the places of incoming stack arguments are called where they are promoted.
const INCOMING: &str = "incoming.";

/// Whether a function makes tail calls, which build their arguments where its own came in.
fn calls_at_its_end(x86: &Machine<'_>) -> bool {
    x86.opcodes.iter().flatten().any(|o| o.sem == Sem::TailCall)
}

impl Frame {
    /// The frame of a pair, by the places that instruction selection gives to allocas and arguments.
    pub(super) fn of(ir: &Ir<'_>, x86: &Machine<'_>, signature: &Signature) -> Frame {
        let mut frame = Frame::default();
        frame.name_allocas(ir, x86);
        let elided = frame.elided(ir, x86);
        frame.place_arguments(ir, x86, signature, &elided);
        frame
    }

    /// Static allocas get the first frame objects, in order.
    fn name_allocas(&mut self, ir: &Ir<'_>, x86: &Machine<'_>) {
        let allocas = ir.stack_objects();
        let count = x86.f.stack.iter().map(|o| o.id as usize + 1).max().unwrap_or(0);
        self.stack = vec![None; count];
        for object in &x86.f.stack {
            // Those of a size that is computed are numbered along, and lie elsewhere.
            let computed = |o: &&FrameObject| o.size.is_none() && o.id < object.id;
            let k = object.id as usize - x86.f.stack.iter().filter(computed).count();
            if let Some((_, size, align)) = allocas.get(k)
                && object.size.is_some_and(|s| s >= *size)
                && object.align >= *align
            {
                self.stack[object.id as usize] = Some((Ir::stack_name(0, k), *size));
            }
        }
    }

    /// Allocas that hold an incoming stack argument and became the argument's own place, by that.
    fn elided(&self, ir: &Ir<'_>, x86: &Machine<'_>) -> FxHashMap<u32, usize> {
        let allocas = ir.stack_objects();
        let mut elided: FxHashMap<u32, usize> = FxHashMap::default();
        for inst in &x86.f.insts {
            let fixed = x86.f.operands_of(inst).iter().find_map(|o| match o {
                Operand::Fixed(n) => Some(*n),
                _ => None,
            });
            for mem in x86.f.mem_of(inst) {
                let (Some(n), Some(name)) = (fixed, mem.base.strip_prefix("%ir.")) else { continue };
                let place = allocas.iter().position(|(local, ..)| {
                    let local = &ir.f.locals[local.0 as usize];
                    ir.m.names.text(local.name) == name
                });
                if let Some(k) = place
                    && self.stack.iter().flatten().all(|(placed, _)| *placed != Ir::stack_name(0, k))
                {
                    elided.insert(n, k);
                }
            }
        }
        elided
    }

    /// Where the incoming stack objects lie, and what they hold.
    fn place_arguments(
        &mut self,
        ir: &Ir<'_>,
        x86: &Machine<'_>,
        signature: &Signature,
        elided: &FxHashMap<u32, usize>,
    ) {
        let allocas = ir.stack_objects();
        let count = x86.f.fixed.iter().map(|o| o.id as usize + 1).max().unwrap_or(0);
        self.fixed = vec![None; count];
        let area = u64::from(signature.stack_bytes);
        let in_area = |offset: u64| Slot { object: AREA.to_owned(), size: area, offset };
        for object in &x86.f.fixed {
            let own = elided.get(&object.id).and_then(|k| Some((*k, allocas.get(*k)?.1)));
            self.fixed[object.id as usize] = match (own, u64::try_from(object.offset)) {
                (Some((k, size)), _) => Some(Slot { object: Ir::stack_name(0, k), size, offset: 0 }),
                (None, Ok(offset)) if offset < area => Some(in_area(offset)),
                (None, _) => None,
            };
        }
        for piece in &signature.args {
            let Loc::Stack(offset) = piece.loc else { continue };
            let object = x86.f.fixed.iter().find(|o| o.offset == i64::from(offset));
            let slot = object.and_then(|o| self.fixed[o.id as usize].clone());
            let slot = slot.unwrap_or_else(|| in_area(u64::from(offset)));
            match piece.by_value {
                Some(_) => self.by_value.push((piece.arg, slot)),
                None => {
                    // An argument in an object of its own fills that.
                    let least = u64::from(piece.width.div_ceil(8));
                    let size = object.and_then(|o| o.size).unwrap_or(least);
                    let size = if slot.object == AREA { size.min(area - slot.offset) } else { slot.size };
                    self.arguments.push(StackArgument { slot, size, piece: piece.clone() });
                }
            }
        }
    }

    /// Gives the save area and the unnamed arguments on the stack the names that the source has for them.
    pub(super) fn name_unnamed(&mut self, variadic: &Variadic, x86: &Machine<'_>, signature: &Signature) {
        if let Some(area) = variadic.save_area()
            && let Some(slot) = self.stack.get_mut(area.object as usize)
        {
            *slot = Some((SAVED.to_owned(), area.size));
        }
        let first = x86.f.fixed.iter().find(|o| o.offset == i64::from(signature.stack_bytes));
        if let Some(slot) = first.and_then(|o| self.fixed.get_mut(o.id as usize)) {
            slot.get_or_insert_with(|| Slot { object: OVERFLOW.to_owned(), size: 1, offset: 0 });
        }
    }

    /// The places of incoming stack arguments: name, offset and size. The source has no objects there and no pointer to
    /// them, so that the target may load an argument again whatever was stored meanwhile.
    pub(super) fn incoming_arguments(&self, ir: &Ir<'_>, x86: &Machine<'_>) -> Vec<(String, u64, u64)> {
        if ir.f.vararg || calls_at_its_end(x86) {
            return Vec::new();
        }
        let own = self.arguments.iter().filter(|a| a.slot.object == AREA);
        own.map(|a| (format!("{INCOMING}{}", a.slot.offset), a.slot.offset, a.size)).collect()
    }

    /// Parameters passed by value, as objects that are the function's own; none where a tail call may build its own
    /// arguments in their place.
    pub(super) fn by_value_objects(&self, ir: &Ir<'_>, x86: &Machine<'_>) -> Vec<ByValue> {
        if calls_at_its_end(x86) {
            return Vec::new();
        }
        let mut out = Vec::new();
        for (p, slot) in &self.by_value {
            let Some(param) = ir.f.params.get(*p) else { continue };
            let Some(Attr::Type(_, ty)) = ir.attr(&param.attrs, "byval") else { continue };
            let Some(size) = ir.m.layout.alloc_size(&ir.m.types, *ty) else { continue };
            if slot.object != AREA {
                continue;
            }
            let name = format!("argument.{p}");
            out.push(ByValue { local: param.local, name, size, align: 8, slot: slot.clone() });
        }
        out
    }
}

/// The promoted slots of a pair: objects that the text of both sides keeps private, or that only one side has.
pub(super) fn shared_promoted(ir: &Ir<'_>, x86: &Machine<'_>) -> PromotedSlots {
    let (mut left, mut right) = (ir.private_objects(), x86.private_objects());
    let placed: FxHashSet<&str> = x86.env.stack.iter().flatten().map(|(name, _)| name.as_str()).collect();
    let incoming = x86.env.fixed.iter().flatten().map(|slot| slot.object.as_str());
    let by_value = x86.env.by_value.iter().map(|(name, ..)| name.as_str());
    let by_value = by_value.filter(|name| !name.starts_with(INCOMING));
    let placed: FxHashSet<&str> = placed.into_iter().chain(incoming).chain(by_value).collect();
    // The save area is filled by the source as a whole.
    right.remove(SAVED);
    left.retain(|name, _| right.contains_key(name) || !placed.contains(name.as_str()));
    let shared = |name: &str| name.starts_with("stack.") || placed.contains(name);
    let right = right.into_iter().filter(|(name, _)| left.contains_key(name) || !shared(name));
    let mut all: Accesses = right.collect();
    for (name, ranges) in left {
        all.entry(name).or_default().extend(ranges);
    }
    PromotedSlots::new(all)
}

/// How a function that calls `va_start` finds its unnamed arguments.
pub(super) fn variadic(ir: &Ir<'_>, x86: &Machine<'_>, signature: &Signature) -> Option<Variadic> {
    let asks = ir.f.insts.iter().any(|inst| match &inst.op {
        Op::Call(call) => matches!(call.intrinsic, Some((Intrinsic::VaStart, _))),
        _ => false,
    });
    let allocas = ir.stack_objects().len();
    (ir.f.vararg && asks).then(|| {
        let own = |id| id as usize >= allocas;
        Variadic::new(signature, save_area(&x86.m.names, x86.f, own))
    })
}
