//! `setjmp` and `longjmp` (C11 7.13): jump buffers, and the objects that lose their values.

use super::{Jump, Slot, Vm};
use crate::class::Class;
use crate::mem::{Kind, Ptr};
use crate::stop::{Res, Stop, exhausted};
use crate::verdict::Budget;
use csyntax::ast::Quals;
use csyntax::types::{QTy, TyKind, Types};

/// Bytes of frames kept for jump buffers altogether; beyond, changes of objects are not seen.
const MOST_BYTES: usize = 32 << 20;

impl Vm<'_> {
    /// `setjmp`: remembers this point under a number kept in the buffer, and what its function's objects hold.
    pub fn setjmp(&mut self, p: Ptr, pc: u32, d: u16, loses: bool) -> Res<()> {
        let index = self.mem.access(p, 8, 1)?;
        if self.jumps.len() >= 1 << 20 {
            return exhausted(Budget::Memory);
        }
        // The buffer first: it is not changed after this `setjmp` if it is an object of the frame itself.
        self.mem.store_wide(index, 8, Class::Any as u8, self.jumps.len() as u128 + 1)?;
        let frame = self.frame();
        let size = self.code(frame.code).frame_size as usize;
        if self.jump_bytes + size > MOST_BYTES {
            self.forget_frames();
        }
        let kept = loses && frame.locals > 0 && self.jump_bytes + size <= MOST_BYTES;
        let before: Box<[u8]> = if kept { self.mem.data(frame.mem, size).into() } else { Box::default() };
        self.jump_bytes += before.len();
        self.jumps.push(Jump { depth: self.frames.len(), serial: frame.serial, pc, d, before });
        Ok(())
    }

    /// Drops what is kept of frames that have ended.
    fn forget_frames(&mut self) {
        let frames = &self.frames;
        for jump in &mut self.jumps {
            let alive = frames.get(jump.depth - 1).is_some_and(|f| f.serial == jump.serial);
            if !alive {
                self.jump_bytes -= jump.before.len();
                jump.before = Box::default();
            }
        }
    }

    /// `longjmp`.
    pub fn longjmp(&mut self, p: Ptr, value: i32) -> Res<()> {
        let index = self.mem.access(p, 8, 1)?;
        let number = self.mem.load_wide(index, 8, Class::Any as u8)? as u64;
        Err(Box::new(Stop::Longjmp(number, if value == 0 { 1 } else { value })))
    }

    /// Continues at a jump buffer if its frame is alive and above `floor`.
    pub fn resume(&mut self, number: u64, value: i32, floor: usize) -> bool {
        let Some(jump) = (number as usize).checked_sub(1).and_then(|n| self.jumps.get(n)).cloned() else {
            return false;
        };
        if jump.depth <= floor || jump.depth > self.frames.len() {
            return false;
        }
        if self.frames[jump.depth - 1].serial != jump.serial {
            return false;
        }
        if let Some(state) = &mut self.mem.restrict {
            state.mute_all();
        }
        while self.frames.len() > jump.depth {
            self.pop_frame();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = jump.pc;
            let at = frame.fp as usize + usize::from(jump.d);
            let regions = frame.regions as usize;
            self.regs[at] = Slot { lo: value as i64 as u64, hi: 0 };
            self.regions.truncate(regions);
        }
        self.lose_changed(&jump.before);
        true
    }

    /// Objects of the innermost frame that are not volatile and changed since `before` have no value any more
    /// (C11 7.13.2.1p3).
    fn lose_changed(&mut self, before: &[u8]) {
        let frame = self.frame();
        for local in &self.code(frame.code).locals {
            let slot = 2 * (frame.slots + local.slot) as usize + 1;
            let object = local.tag.checked_sub(1).and_then(|id| self.unit.objects.get(id as usize));
            let Some(object) = object else { continue };
            let kind = self.mem.slot(slot).kind;
            let range = local.offset as usize..(local.offset + local.size) as usize;
            let Some(old) = before.get(range) else { continue };
            if kind == Kind::Auto && !partly_volatile(&self.unit.types, object.ty) {
                self.mem.lose(frame.mem + local.offset as usize, old);
            }
        }
    }
}

/// Is any part of an object of this type volatile?
fn partly_volatile(types: &Types, ty: QTy) -> bool {
    if ty.quals.has(Quals::VOLATILE) {
        return true;
    }
    match types.kind(ty.ty) {
        TyKind::Array(elem, _) => partly_volatile(types, *elem),
        TyKind::Record(id) => {
            let fields = types.records[id.0 as usize].fields.iter().flatten();
            fields.into_iter().any(|f| partly_volatile(types, f.ty))
        }
        TyKind::Void
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Complex(_)
        | TyKind::Enum(_)
        | TyKind::Pointer(_)
        | TyKind::Vector(..)
        | TyKind::Function(_)
        | TyKind::VaList => false,
    }
}
