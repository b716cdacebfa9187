//! Which immediates and displacements instructions can be encoded with: a later pass would cut others short, so that the
//! program that is run is another one.

use super::table::Sem;
use crate::x86_mir::ast::Operand;

/// The numbers that an instruction's immediate may be, by its name: none where the name tells no limit.
fn range(name: &str) -> Option<std::ops::Range<i64>> {
    let name = name.strip_suffix("_DB").unwrap_or(name);
    // The immediate is extended by its sign.
    if name.ends_with("i8") {
        return Some(-(1 << 7)..1 << 7);
    }
    if name.ends_with("i32") {
        return Some(-(1 << 31)..1 << 31);
    }
    // It is as wide as what it is computed with, so that either reading of its bits does.
    let stem = name.trim_end_matches(['r', 'm', 'i']);
    let bits = [8, 16, 32].into_iter().find(|bits: &u32| stem.ends_with(&bits.to_string()))?;
    Some(-(1 << (bits - 1))..1 << bits)
}

/// Whether an instruction has an immediate that it cannot be encoded with.
pub(super) fn is_beyond(name: &str, sem: Sem, ex: &[&Operand]) -> bool {
    let Some(Operand::Imm(n)) = ex.last() else { return false };
    matches!(sem, Sem::Alu(_) | Sem::Cmp | Sem::Test | Sem::Mov)
        && range(name).is_some_and(|fit| !fit.contains(n))
}

/// Whether a displacement and a scale fit a memory operand.
pub(super) fn is_address(scale: &Operand, displacement: &Operand) -> bool {
    let scaled = matches!(scale, Operand::Imm(1 | 2 | 4 | 8));
    let fits = |n: i64| i32::try_from(n).is_ok();
    scaled
        && match displacement {
            Operand::Imm(n) | Operand::Global(_, n, _) | Operand::Pool(_, n) | Operand::External(_, n) => {
                fits(*n)
            }
            Operand::Reg { .. }
            | Operand::Block(_)
            | Operand::Stack(_)
            | Operand::Fixed(_)
            | Operand::JumpTable(_)
            | Operand::Symbol(_)
            | Operand::SubReg(..)
            | Operand::Mask(_)
            | Operand::Other(_) => true,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_fits() {
        assert_eq!(range("ADD64ri32"), Some(-(1 << 31)..1 << 31));
        assert_eq!(range("CMP64mi8"), Some(-128..128));
        assert_eq!(range("ADD32ri8_DB"), Some(-128..128));
        assert_eq!(range("CMP8ri"), Some(-128..256));
        assert_eq!(range("TEST16mi"), Some(-32768..65536));
        assert_eq!(range("MOV32ri"), Some(-(1 << 31)..1 << 32));
        assert_eq!(range("MOV64ri"), None);
    }
}
