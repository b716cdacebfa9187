//! Relocations by machine: which are hints, which bits they fill, what stands there before.
//!
//! The numbers are those of the processor supplements to the ELF specification.

use super::arch::Arch;
use super::image::Section;

/// Whether a relocation only tells the linker what it may do: it changes no meaning.
#[must_use]
pub fn is_hint(arch: Arch, kind: u32) -> bool {
    match arch {
        Arch::X86_64 | Arch::I386 => kind == 0,
        Arch::AArch64 => kind == 0 || kind == 256,
        // NONE, V4BX.
        Arch::Arm => kind == 0 || kind == 40,
        // NONE, ALIGN, RELAX.
        Arch::Riscv64 | Arch::Riscv32 => matches!(kind, 0 | 43 | 51),
    }
}

/// Relocations that mean the same to the program, folded into one number: linker relaxation and stubs make no difference.
#[must_use]
pub fn fold(arch: Arch, kind: u32) -> u32 {
    match (arch, kind) {
        // PLT32 to PC32.
        (Arch::X86_64 | Arch::I386, 4) => 2,
        // GOTPCRELX, REX_GOTPCRELX and CODE_4_GOTPCRELX to GOTPCREL.
        (Arch::X86_64, 41..=43) => 9,
        // GOT32X to GOT32.
        (Arch::I386, 43) => 3,
        // PLT32, PC24 and JUMP24 of A32 to CALL; PREL31 stays.
        (Arch::Arm, 1 | 27 | 29) => 28,
        (Arch::Arm, 30) => 10,
        // CALL to CALL_PLT.
        (Arch::Riscv64 | Arch::Riscv32, 18) => 19,
        _ => kind,
    }
}

/// Whether the value is relative to the end of the instruction that holds it (x86).
#[must_use]
pub fn is_relative(arch: Arch, kind: u32) -> bool {
    match arch {
        Arch::X86_64 => matches!(kind, 2 | 4 | 9 | 13 | 15 | 19 | 20 | 22 | 24 | 26 | 34 | 41..=43 | 45),
        Arch::I386 => matches!(kind, 2 | 4 | 21 | 23),
        Arch::AArch64 | Arch::Arm | Arch::Riscv64 | Arch::Riscv32 => false,
    }
}

/// Whether a place in data holds the distance from itself to its referent.
#[must_use]
pub fn is_distance(arch: Arch, kind: u32) -> bool {
    match arch {
        Arch::X86_64 => matches!(kind, 2 | 4 | 24),
        Arch::I386 => kind == 2,
        Arch::AArch64 => (260..=262).contains(&kind),
        // REL32, TARGET1's relative cousin, GOT_PREL and the thread-local ones of literal pools.
        Arch::Arm => matches!(kind, 3 | 42 | 96 | 104 | 105 | 107),
        Arch::Riscv64 | Arch::Riscv32 => kind == 57,
    }
}

/// The bits that a relocation fills, as a mask over little-endian bytes from its offset; none where unknown.
#[must_use]
pub fn field(arch: Arch, kind: u32) -> Option<(u8, u64)> {
    let word = |mask: u64| Some((4, mask));
    match arch {
        Arch::X86_64 => match kind {
            1 | 16 | 17 | 18 | 24 | 25 | 27..=31 => Some((8, u64::MAX)),
            12 | 13 => Some((2, 0xffff)),
            14 | 15 => Some((1, 0xff)),
            // The call behind a thread-local descriptor: nothing is filled in.
            35 => Some((1, 0)),
            _ => word(0xffff_ffff),
        },
        Arch::I386 => match kind {
            20 | 21 => Some((2, 0xffff)),
            22 | 23 => Some((1, 0xff)),
            40 => Some((1, 0)),
            _ => word(0xffff_ffff),
        },
        Arch::AArch64 => match kind {
            257 | 260 => Some((8, u64::MAX)),
            258 | 261 => word(0xffff_ffff),
            259 | 262 => Some((2, 0xffff)),
            263..=272 | 288..=290 => word(0x001f_ffe0),
            // ADR and ADRP.
            274..=276 | 311 | 512 | 513 | 518 | 541 | 562 => word(0x60ff_ffe0),
            279 => word(0x0007_ffe0),
            273 | 280 | 309 | 542 => word(0x00ff_ffe0),
            282 | 283 => word(0x03ff_ffff),
            569 => word(0),
            544..=548 => word(0x001f_ffe0),
            // ADD, loads and stores with twelve bits.
            _ => word(0x003f_fc00),
        },
        Arch::Arm => arm_field(kind),
        Arch::Riscv64 | Arch::Riscv32 => riscv_field(kind),
    }
}

fn arm_field(kind: u32) -> Option<(u8, u64)> {
    let word = |mask: u64| Some((4, mask));
    match kind {
        // PC24, CALL, JUMP24, PLT32.
        1 | 27 | 28 | 29 => word(0x00ff_ffff),
        // THM_CALL, THM_JUMP24; halfwords in order.
        10 | 30 => word(0x2fff_07ff),
        51 => word(0x2fff_043f),
        // MOVW, MOVT of A32, then of Thumb.
        43..=46 => word(0x000f_0fff),
        47..=50 => word(0x70ff_040f),
        102 => Some((2, 0x07ff)),
        103 => Some((2, 0x00ff)),
        52 => Some((2, 0x02f8)),
        _ => word(0xffff_ffff),
    }
}

fn riscv_field(kind: u32) -> Option<(u8, u64)> {
    let word = |mask: u64| Some((4, mask));
    match kind {
        2 | 5 | 36 | 40 => Some((8, u64::MAX)),
        16 => word(0xfe00_0f80),
        17 => word(0xffff_f000),
        // AUIPC and the JALR behind it.
        18 | 19 => Some((8, 0xfff0_0000_ffff_f000)),
        20..=23 | 26 | 29 => word(0xffff_f000),
        24 | 27 | 30 => word(0xfff0_0000),
        25 | 28 | 31 => word(0xfe00_0f80),
        32 => word(0),
        33 | 37 | 54 => Some((1, 0xff)),
        52 | 53 => Some((1, 0x3f)),
        34 | 38 | 55 => Some((2, 0xffff)),
        44 => Some((2, 0x1c7c)),
        45 => Some((2, 0x1ffc)),
        _ => word(0xffff_ffff),
    }
}

/// What stands in a place whose relocation has its addend there.
#[must_use]
pub fn implicit(arch: Arch, kind: u32, section: &Section, offset: u64) -> i64 {
    let Some((size, _)) = field(arch, kind) else { return 0 };
    let Some(bytes) = section.read(offset, u64::from(size)) else { return 0 };
    let mut whole = [0u8; 8];
    for (to, from) in whole.iter_mut().zip(bytes.iter()) {
        *to = *from;
    }
    let value = u64::from_le_bytes(whole);
    match (arch, kind) {
        (Arch::Arm, 1 | 27 | 28 | 29) => signed((value & 0x00ff_ffff) << 2, 26),
        (Arch::Arm, 10 | 30) => thumb_branch(value),
        (Arch::Arm, 43..=46) => signed((value >> 4 & 0xf000) | (value & 0x0fff), 16),
        (Arch::Arm, 47..=50) => {
            let (first, second) = (value & 0xffff, value >> 16 & 0xffff);
            let high = (first & 0xf) << 12 | (first & 0x400) << 1;
            signed(high | (second & 0x7000) >> 4 | (second & 0xff), 16)
        }
        (Arch::Arm, 102) => signed((value & 0x7ff) << 1, 12),
        (Arch::Arm, 103) => signed((value & 0xff) << 1, 9),
        _ => match size {
            1 => i64::from(value as u8 as i8),
            2 => i64::from(value as u16 as i16),
            4 => i64::from(value as u32 as i32),
            _ => value as i64,
        },
    }
}

/// The distance in a 32-bit branch of Thumb.
fn thumb_branch(value: u64) -> i64 {
    let (first, second) = (value & 0xffff, value >> 16 & 0xffff);
    let sign = first >> 10 & 1;
    let bit = |n: u32| !(second >> n & 1 ^ sign) & 1;
    let distance = sign << 24 | bit(13) << 23 | bit(11) << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    signed(distance, 25)
}

fn signed(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    (value << shift) as i64 >> shift
}
