//! The machines whose code is read.

use object::elf;

/// A machine, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arch {
    /// x86 of 64 bits.
    X86_64,
    /// x86 of 32 bits.
    I386,
    /// ARM of 64 bits.
    AArch64,
    /// ARM of 32 bits: A32 and Thumb.
    Arm,
    /// RISC-V of 64 bits.
    Riscv64,
    /// RISC-V of 32 bits.
    Riscv32,
}

impl Arch {
    /// All of them.
    pub const ALL: &'static [Arch] =
        &[Arch::X86_64, Arch::I386, Arch::AArch64, Arch::Arm, Arch::Riscv64, Arch::Riscv32];

    /// The stable name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86-64",
            Arch::I386 => "i386",
            Arch::AArch64 => "aarch64",
            Arch::Arm => "arm",
            Arch::Riscv64 => "riscv64",
            Arch::Riscv32 => "riscv32",
        }
    }

    /// The machine that an ELF header names by `e_machine` and its class.
    #[must_use]
    pub fn of_elf(machine: elf::Machine, is_64: bool) -> Option<Arch> {
        match (machine, is_64) {
            (elf::EM_X86_64, true) => Some(Arch::X86_64),
            (elf::EM_386, false) => Some(Arch::I386),
            (elf::EM_AARCH64, true) => Some(Arch::AArch64),
            (elf::EM_ARM, false) => Some(Arch::Arm),
            (elf::EM_RISCV, true) => Some(Arch::Riscv64),
            (elf::EM_RISCV, false) => Some(Arch::Riscv32),
            _ => None,
        }
    }

    /// Whether it is one of the two x86 machines, whose instructions have any length from 1 to 15 bytes.
    #[must_use]
    pub fn is_x86(self) -> bool {
        matches!(self, Arch::X86_64 | Arch::I386)
    }

    /// Whether it is a RISC-V.
    #[must_use]
    pub fn is_riscv(self) -> bool {
        matches!(self, Arch::Riscv64 | Arch::Riscv32)
    }

    /// Bytes of a pointer.
    #[must_use]
    pub fn pointer_size(self) -> u64 {
        match self {
            Arch::X86_64 | Arch::AArch64 | Arch::Riscv64 => 8,
            Arch::I386 | Arch::Arm | Arch::Riscv32 => 4,
        }
    }
}
