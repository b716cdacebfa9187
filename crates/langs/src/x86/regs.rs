//! Physical registers of x86-64 as pieces of wider ones.

/// A physical register: which bits of which whole register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PhysReg {
    /// The whole register.
    pub unit: Unit,
    /// Lowest bit.
    pub lo: u16,
    /// Bits.
    pub width: u16,
}

/// Whole registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unit {
    /// A general-purpose register by its hardware number (rax 0, rcx 1, rdx 2, rbx 3, rsp 4, …, r15 15).
    Gpr(u8),
    /// A vector register.
    Xmm(u8),
    /// The status flags.
    Flags,
    /// The instruction pointer.
    Rip,
    /// Anything that no semantics here reads: `mxcsr`, `ssp`, segment registers, x87 state.
    Other(u8),
}

const LEGACY: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
const OTHER: [&str; 38] = [
    "mxcsr", "ssp", "fpcw", "fpsw", "df", "fs", "gs", "cs", "ds", "es", "ss", "fs_base", "gs_base", "st0",
    "st1", "st2", "st3", "st4", "st5", "st6", "st7", "fp0", "fp1", "rflags", "fp2", "fp3", "fp4", "fp5",
    "fp6", "fp7", "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7",
];

impl PhysReg {
    /// The low bits of a general register.
    pub const fn gpr(n: u8, width: u16) -> PhysReg {
        PhysReg { unit: Unit::Gpr(n), lo: 0, width }
    }

    /// The register of a name without its `$`.
    pub fn from_name(name: &str) -> Option<PhysReg> {
        let reg = |unit, lo, width| Some(PhysReg { unit, lo, width });
        match name {
            "eflags" => return reg(Unit::Flags, 0, 32),
            "rip" => return reg(Unit::Rip, 0, 64),
            "eip" => return reg(Unit::Rip, 0, 32),
            _ => {}
        }
        if let Some(i) = OTHER.iter().position(|n| *n == name) {
            return reg(Unit::Other(i as u8), 0, 64);
        }
        for (prefix, width) in [("xmm", 128), ("ymm", 256), ("zmm", 512)] {
            if let Some(n) = name.strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok()) {
                return if n < 32 { reg(Unit::Xmm(n), 0, width) } else { None };
            }
        }
        if let Some(rest) = name.strip_prefix('r')
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            let digits = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
            let n: u8 = digits.parse().ok().filter(|n| (8..32).contains(n))?;
            let width = match &rest[digits.len()..] {
                "" => 64,
                "d" => 32,
                "w" => 16,
                "b" => 8,
                _ => return None,
            };
            return reg(Unit::Gpr(n), 0, width);
        }
        for (i, base) in LEGACY.iter().enumerate() {
            let unit = Unit::Gpr(i as u8);
            if name == *base {
                return reg(unit, 0, 16);
            }
            if name.len() == 3 && name.ends_with(base) {
                match name.as_bytes()[0] {
                    b'r' => return reg(unit, 0, 64),
                    b'e' => return reg(unit, 0, 32),
                    _ => {}
                }
            }
            let low = if i < 4 { format!("{}l", &base[..1]) } else { format!("{base}l") };
            if name == low {
                return reg(unit, 0, 8);
            }
            if i < 4 && name == format!("{}h", &base[..1]) {
                return reg(unit, 8, 8);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_general_registers() {
        let r = |n: &str| PhysReg::from_name(n).map(|r| (r.unit, r.lo, r.width));
        assert_eq!(r("eax"), Some((Unit::Gpr(0), 0, 32)));
        assert_eq!(r("ah"), Some((Unit::Gpr(0), 8, 8)));
        assert_eq!(r("dil"), Some((Unit::Gpr(7), 0, 8)));
        assert_eq!(r("di"), Some((Unit::Gpr(7), 0, 16)));
        assert_eq!(r("r8d"), Some((Unit::Gpr(8), 0, 32)));
        assert_eq!(r("r15"), Some((Unit::Gpr(15), 0, 64)));
        assert_eq!(r("xmm7"), Some((Unit::Xmm(7), 0, 128)));
        assert_eq!(r("bogus"), None);
        assert_eq!(r("spl"), Some((Unit::Gpr(4), 0, 8)));
        assert_eq!(r("bl"), Some((Unit::Gpr(3), 0, 8)));
    }
}
