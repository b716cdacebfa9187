//! The string instructions: copies and fills of a length that is known.

use super::{Res, State, X86};
use crate::domain::{BitOp, Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::regs::PhysReg;

impl<O: NamedObjects> X86<'_, O> {
    /// `rep movs`: so many bytes an element, the count in `rcx`.
    pub(super) fn repeat_copy<D: Domain>(&self, d: &mut D, st: &mut State<D>, unit: u64) -> Res<()> {
        let (count, to, from) = (self.gpr(d, st, 1)?, self.gpr(d, st, 7)?, self.gpr(d, st, 6)?);
        let Some(bytes) = known_length(d, &count, unit) else {
            return self.unsupported("rep movs of this length");
        };
        self.check_range(d, st, &from, bytes, false);
        let source = self.objects.memory_with_constant(d, &st.mem, &from, bytes);
        let outgoing = self.outgoing_offset(d, &to);
        if outgoing.is_none() {
            self.check_range(d, st, &to, bytes, true);
        }
        for at in (0..bytes).step_by(8) {
            let size = (bytes - at).min(8) as u32;
            let address = d.add_num(&from, i128::from(at));
            let value = d.load(&source, &address, size);
            match outgoing {
                Some(offset) => st.outgoing.push((offset + at as i64, value)),
                None => {
                    let address = d.add_num(&to, i128::from(at));
                    st.mem = d.store(&st.mem, &address, &value);
                }
            }
        }
        if outgoing.is_none() {
            // Copied upwards, element by element: the same as reading everything first unless they overlap.
            let overlap = d.sub(&to, &from);
            let limit = d.num(64, u128::from(bytes));
            let near = d.ult(&overlap, &limit);
            let same = d.is_zero(&overlap);
            let differ = d.not(&same);
            let bad = d.and(&near, &differ);
            self.note_fault(d, st, &bad);
        }
        self.advance(d, st, &[(7, &to), (6, &from)], bytes);
        Ok(())
    }

    /// `rep stos`: so many bytes an element, the count in `rcx`.
    pub(super) fn repeat_fill<D: Domain>(&self, d: &mut D, st: &mut State<D>, unit: u64) -> Res<()> {
        let (count, to, value) = (self.gpr(d, st, 1)?, self.gpr(d, st, 7)?, self.gpr(d, st, 0)?);
        let Some(bytes) = known_length(d, &count, unit) else {
            return self.unsupported("rep stos of this length");
        };
        self.check_range(d, st, &to, bytes, true);
        let element = d.zfit(&value, unit as u32 * 8);
        for at in (0..bytes).step_by(unit as usize) {
            let address = d.add_num(&to, i128::from(at));
            st.mem = d.store(&st.mem, &address, &element);
        }
        self.advance(d, st, &[(7, &to)], bytes);
        Ok(())
    }

    fn gpr<D: Domain>(&self, d: &mut D, st: &State<D>, n: u8) -> Res<D::Bv> {
        self.read_phys(d, st, PhysReg::gpr(n, 64))
    }

    fn advance<D: Domain>(&self, d: &mut D, st: &mut State<D>, pointers: &[(usize, &D::Bv)], bytes: u64) {
        for (n, pointer) in pointers {
            let length = d.num(64, u128::from(bytes));
            st.gpr[*n] = Some(d.bin(BitOp::Add, pointer, &length));
        }
        st.gpr[1] = Some(d.num(64, 0));
    }
}

/// Longest block that an instruction may move, in bytes.
const LONGEST: u64 = 2048;

fn known_length<D: Domain>(d: &D, count: &D::Bv, unit: u64) -> Option<u64> {
    let count = d.as_const(count)?.to_u64()?;
    count.checked_mul(unit).filter(|n| *n <= LONGEST)
}
