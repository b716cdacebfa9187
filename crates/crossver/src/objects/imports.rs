//! Linked files: what the dynamic linker binds, and the stubs that jump there.

use super::arch::Arch;
use super::image::{Home, Image, Kind, Referent, Reloc, Symbol};
use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind, Register};
use object::read::elf::{ElfFile, FileHeader};
use object::read::{Object, ObjectSymbol, RelocationTarget};
use object::{Endianness, RelocationFlags};
use std::collections::HashMap;

/// Notes slots and stubs by the symbol that they stand for, and pointers in data as relocations.
pub(super) fn bind<Elf: FileHeader<Endian = Endianness>>(image: &mut Image, file: &ElfFile<'_, Elf>) {
    let mut known: HashMap<String, usize> = HashMap::new();
    for (n, symbol) in image.symbols.iter().enumerate().filter(|(_, s)| !s.local && !s.name.is_empty()) {
        known.entry(symbol.name.clone()).or_insert(n);
    }
    for (address, reloc) in file.dynamic_relocations().into_iter().flatten() {
        let RelocationFlags::Elf { r_type } = reloc.flags() else { continue };
        let name = match reloc.target() {
            RelocationTarget::Symbol(index) => {
                let symbol = file.dynamic_symbol_table().and_then(|t| {
                    use object::read::ObjectSymbolTable;
                    t.symbol_by_index(index).ok()
                });
                symbol.and_then(|s| s.name().ok().map(str::to_owned))
            }
            _ => None,
        };
        let name = name.filter(|name| !name.is_empty());
        if let (Some(name), true) = (&name, is_slot(image.arch, r_type.0)) {
            image.imports.insert(address, name.clone());
            continue;
        }
        let Some((section, offset)) = image.locate(address) else { continue };
        let referent = match name {
            Some(name) => Referent::Symbol(*known.entry(name.clone()).or_insert_with(|| {
                image.symbols.push(undefined(name));
                image.symbols.len() - 1
            })),
            None => Referent::Address,
        };
        let kind = POINTER;
        let addend = match reloc.has_implicit_addend() {
            true => super::addend::implicit(image.arch, r_type.0, &image.sections[section], offset),
            false => reloc.addend(),
        };
        image.sections[section].relocs.push(Reloc { offset, kind, referent, addend });
    }
    for section in &mut image.sections {
        section.relocs.sort_by_key(|r| r.offset);
    }
    stubs(image);
}

/// The kind given to pointers in data that the dynamic linker fills in: no machine has this number.
pub const POINTER: u32 = u32::MAX;

fn undefined(name: String) -> Symbol {
    let (home, kind) = (Home::Undefined, Kind::Label);
    Symbol { name, home, value: 0, size: 0, kind, local: false, weak: false, thumb: false, unit: None }
}

/// GLOB_DAT and JUMP_SLOT.
fn is_slot(arch: Arch, kind: u32) -> bool {
    match arch {
        Arch::X86_64 | Arch::I386 => matches!(kind, 6 | 7),
        Arch::AArch64 => matches!(kind, 1025 | 1026),
        Arch::Arm => matches!(kind, 21 | 22),
        Arch::Riscv64 | Arch::Riscv32 => kind == 5,
    }
}

fn stubs(image: &mut Image) {
    let mut found = Vec::new();
    let base = image.sections.iter().find(|s| s.name == ".got.plt").or_else(|| {
        let got = |s: &&super::image::Section| s.name == ".got";
        image.sections.iter().find(got)
    });
    let base = base.map_or(0, |s| s.address);
    for section in image.sections.iter().filter(|s| s.exec && s.name.starts_with(".plt")) {
        let Some(code) = section.read(0, section.size) else { continue };
        match image.arch {
            Arch::X86_64 | Arch::I386 => {
                for (at, slot) in x86_slots(image.arch, &code, section.address, base) {
                    // Stubs are cut at 16 bytes, or 8 where they only jump.
                    let step = if section.name == ".plt.got" && code.len() % 16 != 0 { 8 } else { 16 };
                    let start = section.address + (at - section.address) / step * step;
                    found.extend(image.imports.get(&slot).map(|name| (start, name.clone())));
                }
            }
            Arch::AArch64 => {
                for (start, slot) in aarch64_slots(&code, section.address) {
                    found.extend(image.imports.get(&slot).map(|name| (start, name.clone())));
                }
            }
            // Their stubs are not resolved: calls through them have no name.
            Arch::Arm | Arch::Riscv64 | Arch::Riscv32 => {}
        }
    }
    image.imports.extend(found);
}

/// Jumps through memory at a known address, with where they are.
fn x86_slots(arch: Arch, code: &[u8], address: u64, got: u64) -> Vec<(u64, u64)> {
    let bits = if arch == Arch::X86_64 { 64 } else { 32 };
    let jumps = Decoder::with_ip(bits, code, address, DecoderOptions::NONE)
        .into_iter()
        .filter(|insn| insn.mnemonic() == Mnemonic::Jmp && insn.op0_kind() == OpKind::Memory);
    let slot = |insn: &iced_x86::Instruction| match insn.memory_base() {
        Register::EBX => got.wrapping_add(insn.memory_displacement64()) & 0xffff_ffff,
        _ => insn.memory_displacement64(),
    };
    jumps.map(|insn| (insn.ip(), slot(&insn))).collect()
}

/// `adrp x16, page; ldr x17, [x16, #offset]` with where each begins.
fn aarch64_slots(code: &[u8], address: u64) -> Vec<(u64, u64)> {
    let word = |n: usize| {
        let bytes = code.get(n * 4..n * 4 + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let mut slots = Vec::new();
    for n in 0..code.len() / 4 {
        let (Some(page), Some(load)) = (word(n), word(n + 1)) else { continue };
        if page & 0x9f00_001f != 0x9000_0010 || load & 0xffc0_03ff != 0xf940_0211 {
            continue;
        }
        let at = address + n as u64 * 4;
        let pages = u64::from(page >> 5 & 0x7_ffff) << 2 | u64::from(page >> 29 & 3);
        let distance = ((pages << 43) as i64 >> 43) << 12;
        let slot = (at & !0xfff).wrapping_add_signed(distance) + u64::from(load >> 10 & 0xfff) * 8;
        slots.push((at, slot));
    }
    slots
}
