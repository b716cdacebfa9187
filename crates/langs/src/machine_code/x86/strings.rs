//! The string instructions, of a length that is known; the direction flag is clear, as the convention says.

use super::super::state::{Code, Machine};
use super::table::Op;
use crate::domain::{Domain, Ext, Res};
use iced_x86::Register;

/// Longest block that an instruction may move, in bytes.
const LONGEST: u64 = 2048;

impl Code<'_> {
    pub(super) fn string<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let ins = self.f.insns[i].x86();
        let (unit, copies) = match op {
            Op::Stos(n) => (u64::from(n), false),
            Op::Movs(n) => (u64::from(n), true),
            _ => return Err(self.f.unsupported(i, "this string instruction")),
        };
        let repeated = ins.has_rep_prefix();
        if ins.has_repne_prefix() || ins.segment_prefix() == Register::FS {
            return Err(self.f.unsupported(i, "this form of a string instruction"));
        }
        let times = match repeated {
            true => {
                let count = self.read(d, m, i, Register::RCX)?;
                d.as_const(&count).and_then(|n| n.to_u64()).filter(|n| n.saturating_mul(unit) <= LONGEST)
            }
            false => Some(1),
        };
        let Some(times) = times else {
            return Err(self.f.unsupported(i, "a string instruction of unknown length"));
        };
        let to = self.read(d, m, i, Register::RDI)?;
        let from = if copies { Some(self.read(d, m, i, Register::RSI)?) } else { None };
        let fill = if copies { None } else { Some(self.read(d, m, i, Register::RAX)?) };
        for n in 0..times {
            let value = match (&from, &fill) {
                (Some(from), _) => {
                    let at = d.add_num(from, i128::from(n * unit));
                    self.load_at(d, m, &at, unit, false)
                }
                (None, Some(fill)) => d.zfit(fill, unit as u32 * 8),
                (None, None) => continue,
            };
            let at = d.add_num(&to, i128::from(n * unit));
            self.store_at(d, m, &at, &value, false);
        }
        let end = d.add_num(&to, i128::from(times * unit));
        self.write(d, m, (i, Register::RDI), &end)?;
        if let Some(from) = &from {
            let end = d.add_num(from, i128::from(times * unit));
            self.write(d, m, (i, Register::RSI), &end)?;
        }
        if repeated {
            let zero = d.num(64, 0);
            self.write(d, m, (i, Register::RCX), &zero)?;
        }
        Ok(())
    }
}
