//! The target data model as a value: widths, alignments, byte order, signedness of `char`.

/// Byte order of multi-byte values in memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// Representation of `long double`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum LongDouble {
    /// Same as `double`.
    Double,
    /// x87 80-bit extended.
    X87,
    /// IEEE binary128.
    Quad,
}

/// A data model: everything implementation-defined that layout and conversion depend on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Short name, as `lp64`, `ilp32`.
    pub name: &'static str,
    /// Pointer size in bytes.
    pub pointer_bytes: u8,
    /// `long` size in bytes.
    pub long_bytes: u8,
    /// Byte order.
    pub endian: Endian,
    /// Is plain `char` signed?
    pub char_signed: bool,
    /// Is `wchar_t` (always 4 bytes here) signed?
    pub wchar_signed: bool,
    /// `long double`.
    pub long_double: LongDouble,
    /// Size of `long double` in bytes, with padding.
    pub long_double_bytes: u8,
    /// Alignment of `long double`.
    pub long_double_align: u8,
    /// Alignment of `long long` and `double` inside records (4 on i386 SysV).
    pub align8: u8,
    /// Has `__int128`?
    pub int128: bool,
    /// Largest alignment a bare `__attribute__((aligned))` means.
    pub max_align: u8,
}

impl Target {
    /// x86-64 SysV, the default.
    pub const LP64: Target = Target {
        name: "lp64",
        pointer_bytes: 8,
        long_bytes: 8,
        endian: Endian::Little,
        char_signed: true,
        wchar_signed: true,
        long_double: LongDouble::X87,
        long_double_bytes: 16,
        long_double_align: 16,
        align8: 8,
        int128: true,
        max_align: 16,
    };

    /// i386 SysV (`-m32`).
    pub const ILP32: Target = Target {
        name: "ilp32",
        pointer_bytes: 4,
        long_bytes: 4,
        long_double_bytes: 12,
        long_double_align: 4,
        align8: 4,
        int128: false,
        ..Target::LP64
    };

    /// 64-bit big-endian with unsigned `char` (as s390x), for endianness checks.
    pub const LP64_BE: Target = Target {
        name: "lp64be",
        endian: Endian::Big,
        char_signed: false,
        long_double: LongDouble::Quad,
        ..Target::LP64
    };

    /// 32-bit big-endian with 8-byte aligned `long long` (as powerpc).
    pub const ILP32_BE: Target = Target {
        name: "ilp32be",
        endian: Endian::Big,
        char_signed: false,
        long_double: LongDouble::Double,
        long_double_bytes: 8,
        long_double_align: 8,
        align8: 8,
        ..Target::ILP32
    };
}
