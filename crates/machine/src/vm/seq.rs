//! Run-time side of unsequenced-access detection: logs of accesses by operand, compared when a region closes.

use super::Vm;
use crate::bytecode::Insn;
use crate::stop::{Res, undefined};
use crate::ub::Ub;

/// The bits that an extent covers, see [`Insn::BITS`]: first and count.
pub fn bits(addr: u64, extent: u32) -> (u64, u64) {
    // Register variables have addresses of their own, far above.
    let at = (addr & (u64::MAX >> 4)) << 3;
    if extent & Insn::BITS != 0 {
        return (at + u64::from(extent >> 8 & 0xff), u64::from(extent & 0xff));
    }
    (at, u64::from(extent) * 8)
}

/// An access in bits: where, how long, write?
#[derive(Copy, Clone, Debug)]
pub struct Touch {
    at: u64,
    n: u64,
    write: bool,
    /// Completed before the value of the operand it stands in is known: a sequence point lies between.
    settled: bool,
}

/// An operator whose operands are unsequenced.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Accesses of earlier operands.
    before: Vec<Touch>,
    /// Accesses of the current operand.
    now: Vec<Touch>,
}

fn meet(a: &Touch, b: &Touch) -> bool {
    (a.write || b.write) && a.at < b.at + b.n && b.at < a.at + a.n
}

fn conflict<T>(touch: &Touch) -> Res<T> {
    let what = if touch.at >> 63 == 1 {
        "a variable".to_string()
    } else {
        format!("the object at {:#x}", touch.at >> 3)
    };
    undefined(
        Ub::UnsequencedAccess,
        format!("{what} is written and accessed again without a sequence point between"),
    )
}

impl Vm<'_> {
    /// A pseudo address for a register of the current frame.
    pub fn register_address(&self, fp: usize, v: u16) -> u64 {
        1 << 63 | ((fp as u64 + u64::from(v)) << 4)
    }

    /// Opens a region.
    pub fn seq_open(&mut self) {
        self.regions.push(Region::default());
    }

    /// Logs an access of the current operand.
    pub fn seq_log(&mut self, at: u64, n: u64, write: bool) {
        if let Some(region) = self.regions.last_mut() {
            region.now.push(Touch { at, n, write, settled: false });
        }
    }

    /// Where the log of the current operand stands.
    pub fn seq_mark(&self) -> u64 {
        self.regions.last().map_or(0, |r| r.now.len() as u64)
    }

    /// A sequence point: what was logged since the mark is complete before anything that uses the value.
    pub fn seq_point(&mut self, mark: u64) {
        if let Some(region) = self.regions.last_mut() {
            region.now.iter_mut().skip(mark as usize).for_each(|t| t.settled = true);
        }
    }

    /// Logs an access of memory, see [`bits`].
    pub fn seq_log_extent(&mut self, addr: u64, extent: u32, write: bool) {
        let (at, n) = bits(addr, extent);
        self.seq_log(at, n, write);
    }

    /// The next operand begins: the finished one is compared with those before it.
    pub fn seq_next(&mut self) -> Res<()> {
        let Some(region) = self.regions.last_mut() else { return Ok(()) };
        for touch in &region.now {
            if region.before.iter().any(|b| meet(touch, b)) {
                return conflict(touch);
            }
        }
        let now = std::mem::take(&mut region.now);
        region.before.extend(now);
        Ok(())
    }

    /// The store of an assignment meets the side effects of its operands.
    pub fn seq_store(&mut self, at: u64, n: u64) -> Res<()> {
        let store = Touch { at, n, write: true, settled: false };
        let Some(region) = self.regions.last() else { return Ok(()) };
        match region.before.iter().chain(&region.now).find(|t| t.write && !t.settled && meet(t, &store)) {
            Some(touch) => conflict(touch),
            None => Ok(()),
        }
    }

    /// Closes a region; with `keep`, its log goes to the operand around it.
    pub fn seq_close(&mut self, keep: bool) -> Res<()> {
        self.seq_next()?;
        if let Some(region) = self.regions.pop()
            && keep
            && let Some(outer) = self.regions.last_mut()
        {
            outer.now.extend(region.before);
        }
        Ok(())
    }
}
