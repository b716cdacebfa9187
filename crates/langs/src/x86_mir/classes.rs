//! What the widths of register classes and subregister indices are in Machine IR.

/// Bits of a subregister index: lowest bit and width.
pub fn subreg(name: &str) -> Option<(u16, u16)> {
    Some(match name {
        "sub_8bit" => (0, 8),
        "sub_8bit_hi" => (8, 8),
        "sub_16bit" => (0, 16),
        "sub_16bit_hi" => (16, 16),
        "sub_32bit" => (0, 32),
        "sub_xmm" => (0, 128),
        "sub_ymm" => (0, 256),
        "sub_zmm" => (0, 512),
        _ => return None,
    })
}

/// Bits of the virtual registers of a register class; none for classes no semantics here knows.
pub fn class_width(class: &str) -> Option<u16> {
    Some(match class {
        c if c.starts_with("gr64") || c.starts_with("low32_addr_access_with_sub_32bit") => 64,
        c if c.starts_with("gr32") || c.starts_with("low32_addr_access") => 32,
        c if c.starts_with("gr16") => 16,
        c if c.starts_with("gr8") => 8,
        "fr64" | "fr64x" => 64,
        "fr32" | "fr32x" => 32,
        "fr16" | "fr16x" => 16,
        "vr128" | "vr128x" => 128,
        "vr256" | "vr256x" => 256,
        "vr512" | "vr512_0_15" => 512,
        // A mask register has 64 bits, however many of them count.
        c if c.starts_with("vk") && !c.ends_with("pair") => 64,
        "rfp80" | "rfp64" | "rfp32" => 80,
        "ccr" => 32,
        _ => return None,
    })
}
