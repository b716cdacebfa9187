//! Observation: fills the profile when a point is reached. Programs lowered without profiling have no points.

use super::{Frame, Slot, Vm};
use crate::class::{INIT, Scalar};
use crate::mem::Ptr;
use crate::profile::{Home, MAX_RANGED, MAX_ROWS, Range, Seen, Variable};
use csyntax::tree::ObjId;

impl Vm<'_> {
    /// A point is reached.
    pub fn observe(&mut self, id: u32, frame: &Frame) {
        let program = self.program;
        let point = &program.points[id as usize];
        let seen = &mut self.seen[id as usize];
        seen.count += 1;
        if seen.rows.len() >= MAX_ROWS {
            if seen.count > MAX_RANGED {
                seen.ranges = None;
            } else if let Some(mut ranges) = seen.ranges.take() {
                for (range, variable) in ranges.iter_mut().zip(&point.variables) {
                    range.add(self.value_of(variable, frame));
                }
                self.seen[id as usize].ranges = Some(ranges);
            }
            return;
        }
        if point.variables.is_empty() {
            return;
        }
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(point.variables.iter().map(|v| self.value_of(v, frame)));
        let seen = &mut self.seen[id as usize];
        // Most often what was seen is what was seen the last time.
        if seen.rows.last() != Some(&row) && !seen.rows.contains(&row) {
            seen.rows.push(row.clone());
            if seen.rows.len() == MAX_ROWS {
                let mut ranges = vec![Range::default(); row.len()];
                for row in &seen.rows {
                    ranges.iter_mut().zip(row).for_each(|(range, seen)| range.add(*seen));
                }
                seen.ranges = Some(ranges);
            }
        }
        self.row = row;
    }

    fn value_of(&self, variable: &Variable, frame: &Frame) -> Seen {
        let index = match variable.home {
            Home::Reg(reg, flag) => {
                let known = flag.is_none_or(|f| self.regs[frame.fp as usize + usize::from(f)].lo != 0);
                let slot = self.regs[frame.fp as usize + usize::from(reg)];
                return if known { self.seen_of(variable.scalar, slot) } else { Seen::Indeterminate };
            }
            Home::Local(offset) => frame.mem + offset as usize,
            Home::Static(at) => at as usize,
        };
        let n = variable.scalar.bytes(self.mem.pointer_bytes) as usize;
        if self.mem.shadow(index, n).iter().any(|s| s & INIT == 0) {
            return Seen::Indeterminate;
        }
        if variable.scalar == Scalar::Ptr {
            return match self.mem.peek_ptr(index) {
                (addr, Some(prov)) => self.seen_of(Scalar::Ptr, Slot { lo: addr, hi: prov }),
                // Its bytes were written one by one.
                (0, None) => Seen::Null,
                (_, None) => Seen::Other,
            };
        }
        let mut bytes = [0u8; 16];
        bytes[..n].copy_from_slice(self.mem.data(index, n));
        if self.mem.big_endian {
            bytes[..n].reverse();
        }
        let (lo, hi) = super::access::canonical(variable.scalar, u128::from_le_bytes(bytes));
        self.seen_of(variable.scalar, Slot { lo, hi })
    }

    fn seen_of(&self, scalar: Scalar, slot: Slot) -> Seen {
        match scalar {
            Scalar::Ptr if slot.lo == 0 => Seen::Null,
            Scalar::Ptr => {
                let p = Ptr { addr: slot.lo, prov: slot.hi };
                if self.is_gone(p) {
                    return Seen::Indeterminate;
                }
                match self.mem.object(p.prov) {
                    Some(rec) if rec.tag != 0 => {
                        Seen::Object(ObjId(rec.tag - 1), p.addr.wrapping_sub(rec.base))
                    }
                    Some(_) | None => Seen::Other,
                }
            }
            wide if wide.is_wide() => Seen::Int((u128::from(slot.lo) | u128::from(slot.hi) << 64) as i128),
            Scalar::F32 => Seen::Float(f64::from(f32::from_bits(slot.lo as u32)).to_bits()),
            Scalar::F64 => Seen::Float(slot.lo),
            Scalar::F16 | Scalar::F80 | Scalar::F128 => Seen::Other,
            s if s.signed() => Seen::Int(i128::from(slot.lo as i64)),
            _ => Seen::Int(i128::from(slot.lo)),
        }
    }
}
