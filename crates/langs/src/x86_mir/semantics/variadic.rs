//! How a machine function gets at its unnamed arguments: the registers that hold them at entry, and the area they are
//! saved in.

use super::{Res, State, X86};
use crate::abi::sysv::SYSTEM_V;
use crate::abi::variadic::{Incoming, SaveArea, save_vector};
use crate::domain::{Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::names::Names;
use crate::x86_mir::ast::{MachineFunction, Operand};

/// Sizes that a save area may have, in bytes: without and with vector registers.
const SAVE_AREAS: [u64; 2] = [48, 176];

/// What the machine function tells of its save area; `own` says which frame objects stand for no `alloca`.
pub(crate) fn save_area(
    names: &Names,
    target: &MachineFunction,
    own: impl Fn(u32) -> bool,
) -> Option<SaveArea> {
    let vectors = target.insts.iter().find_map(|inst| {
        let saves = names.text(inst.opcode) == "VASTART_SAVE_XMM_REGS";
        target.operands_of(inst).iter().filter(|_| saves).find_map(|o| match o {
            Operand::Stack(n) => Some(*n),
            _ => None,
        })
    });
    let object = target
        .stack
        .iter()
        .filter(|o| own(o.id) && o.size.is_some_and(|size| SAVE_AREAS.contains(&size)))
        .find(|o| vectors.is_none_or(|n| n == o.id))?;
    Some(SaveArea { object: object.id, size: object.size?, vectors: vectors == Some(object.id) })
}

impl<O: NamedObjects> X86<'_, O> {
    /// The registers that may hold unnamed arguments get these values.
    pub(crate) fn enter_variadic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        values: &[(Incoming, D::Bv)],
    ) {
        for (incoming, value) in values {
            match incoming {
                Incoming::Gpr(n) => {
                    st.gpr[usize::from(SYSTEM_V.arguments.general[usize::from(*n)])] = Some(value.clone())
                }
                Incoming::Xmm(n) => st.xmm[usize::from(*n)] = Some(value.clone()),
                Incoming::Count => {
                    let upper = d.nondet("upper", 56);
                    st.gpr[0] = Some(d.concat(&upper, value));
                }
            }
        }
    }

    /// `VASTART_SAVE_XMM_REGS`: count, address, offset, then the registers.
    pub(super) fn save_vectors<D: Domain>(&self, d: &mut D, st: &mut State<D>, ex: &[&Operand]) -> Res<()> {
        let count = self.read(d, st, self.at(ex, 0)?, 8)?;
        let (place, registers) = (self.tail(ex, 1)?, self.tail(ex, 6)?);
        // Up to LLVM 14 the offset may be an operand of its own.
        let (extra, registers) = match registers.split_first() {
            Some((Operand::Imm(n), rest)) => (*n, rest),
            _ => (0, registers),
        };
        let base = self.address(d, st, place, 64)?;
        for (n, register) in registers.iter().enumerate() {
            let value = self.read(d, st, register, 128)?;
            let at = d.add_num(&base, i128::from(extra) + 16 * n as i128);
            if !matches!(place.first(), Some(Operand::Stack(_))) {
                return self.unsupported("vector registers saved outside the frame");
            }
            st.mem = save_vector(d, &st.mem, &at, &value, &count);
        }
        Ok(())
    }
}
