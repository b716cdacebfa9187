//! Run-time side of `restrict`: executions of blocks follow the frames, tags are given out and collected.

use super::{Slot, Vm};
use crate::bytecode::{Program, Reg};
use crate::restrict::{Restrict, tag};
use crate::stop::Res;
use csyntax::tree::Unit;

/// Register number that stands for the block of `main`, where file-scope pointers belong.
pub const MAIN: Reg = Reg::MAX;

/// The state for a program, if it declares restrict pointers that can be followed.
pub fn state(unit: &Unit, program: &Program) -> Option<Box<Restrict>> {
    if program.restricts.is_empty() {
        return None;
    }
    let name = |id: &csyntax::tree::ObjId| {
        let name = unit[*id].name.map_or("", |n| unit.names.name(n));
        name.to_string()
    };
    let file_scope = program.restricts.iter().any(|id| unit[*id].storage == csyntax::tree::Storage::Static);
    Some(Box::new(Restrict::new(program.restricts.iter().map(name).collect(), file_scope)))
}

impl Vm<'_> {
    /// Ends the executions whose frames are gone.
    #[inline]
    pub fn restrict_follow(&mut self) {
        let Some(state) = &mut self.mem.restrict else { return };
        while let Some(last) = state.last() {
            let alive = last.depth == 0
                || self.frames.get(last.depth - 1).is_some_and(|frame| frame.serial == last.serial);
            if alive {
                return;
            }
            state.drop_last();
        }
    }

    /// A block with restrict pointers begins.
    pub fn restrict_open(&mut self) -> u64 {
        self.restrict_follow();
        let (depth, serial) = (self.frames.len(), self.frame().serial);
        self.mem.restrict.as_mut().map_or(0, |state| state.open(depth, serial))
    }

    /// It ends.
    pub fn restrict_close(&mut self, start: u64) {
        if let Some(state) = &mut self.mem.restrict {
            state.close(start);
        }
    }

    fn execution(&self, scope: Reg) -> u64 {
        let fp = self.frames.last().map_or(0, |frame| frame.fp as usize);
        if scope == MAIN { 1 } else { self.regs[fp + usize::from(scope)].lo }
    }

    /// The value of a restrict pointer object is used.
    pub fn restrict_use(&mut self, value: Slot, scope: Reg, object: u32) -> Slot {
        self.restrict_follow();
        let start = self.execution(scope);
        let (object, konst) = (object >> 1, object & 1 != 0);
        for last_try in [false, true] {
            let Some(state) = &mut self.mem.restrict else { return value };
            if let Some(hi) = state.use_of(value.hi, start, object, konst) {
                return Slot { lo: value.lo, hi };
            }
            if last_try || !self.collect_tags() {
                break;
            }
        }
        if let Some(state) = &mut self.mem.restrict {
            state.give_up(start);
        }
        value
    }

    /// A restrict pointer object is assigned.
    pub fn restrict_assign(&mut self, value: Slot, scope: Reg, object: u32) -> Res<()> {
        self.restrict_follow();
        let start = self.execution(scope);
        match &self.mem.restrict {
            Some(state) => state.assign(value.hi, start, object >> 1),
            None => Ok(()),
        }
    }

    /// An access through a pointer.
    pub fn restrict_access(&mut self, p: Slot, n: u32, write: bool) -> Res<()> {
        self.restrict_follow();
        self.mem.touch(crate::mem::Ptr { addr: p.lo, prov: p.hi }, n.into(), write)
    }

    /// Two pointers are compared: equal ones from different chains tell something of each other.
    pub fn restrict_meet(&mut self, a: Slot, b: Slot) {
        if a.lo == b.lo
            && let Some(state) = &mut self.mem.restrict
        {
            state.meet(a.hi, b.hi);
        }
    }

    /// Finds tags that no pointer carries any more. The work it may do grows with the steps of the run; false when
    /// that is used up.
    fn collect_tags(&mut self) -> bool {
        let steps = self.options.max_steps.saturating_sub(self.fuel.max(0) as u64);
        let top = self.frames.last().map_or(0, |f| f.fp as usize + self.code(f.code).regs as usize + 1);
        let work = top as u64 + self.mem.used_words();
        if self.restrict_work.saturating_add(work) > steps.saturating_mul(4).saturating_add(1 << 22) {
            return false;
        }
        self.restrict_work += work;
        let mut seen = [false; 256];
        let top = top.min(self.regs.len());
        let registers = self.regs[..top].iter().chain(self.extra.iter().map(|e| &e.value));
        for slot in registers {
            if self.mem.rec(slot.hi).is_some() {
                seen[usize::from(tag(slot.hi))] = true;
            }
        }
        seen[usize::from(tag(self.library.strtok.prov))] = true;
        self.mem.stored_pointers(|prov| seen[usize::from(tag(prov))] = true);
        if let Some(state) = &mut self.mem.restrict {
            state.collect(seen);
        }
        true
    }
}
