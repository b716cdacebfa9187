//! Other bytes for an instruction, of the same length.

use crate::code::{Insn, bytes_of};
use crate::objects::Image;
use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::Rng;

/// What is wrong with a faulty instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Another operation: `add` for `sub`, `shr` for `sar`.
    Opcode,
    /// Another register.
    Register,
    /// One of the low bits of a constant.
    Constant,
    /// Another distance from a pointer.
    Offset,
    /// Another place of what a reference names.
    Symbol,
    /// Another condition.
    Condition,
    /// Another target of a jump.
    Target,
    /// A store that is not there.
    Store,
    /// A load that is not there.
    Load,
    /// A store that overlaps with where it was.
    Overlap,
    /// Another place where a loop begins anew: what is wrong shows from the second round on.
    Loop,
    /// Another place where an exception lands.
    LandingPad,
    /// An extension of another kind or width.
    Extension,
    /// An access of another width.
    Width,
}

impl FaultKind {
    /// All.
    pub const ALL: &'static [FaultKind] = &[
        FaultKind::Opcode,
        FaultKind::Register,
        FaultKind::Constant,
        FaultKind::Offset,
        FaultKind::Symbol,
        FaultKind::Condition,
        FaultKind::Target,
        FaultKind::Store,
        FaultKind::Load,
        FaultKind::Overlap,
        FaultKind::Loop,
        FaultKind::LandingPad,
        FaultKind::Extension,
        FaultKind::Width,
    ];

    /// The kind's stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Opcode => "opcode",
            FaultKind::Register => "register",
            FaultKind::Constant => "constant",
            FaultKind::Offset => "offset",
            FaultKind::Symbol => "symbol",
            FaultKind::Condition => "condition",
            FaultKind::Target => "target",
            FaultKind::Store => "store",
            FaultKind::Load => "load",
            FaultKind::Overlap => "overlap",
            FaultKind::Loop => "loop",
            FaultKind::LandingPad => "landing-pad",
            FaultKind::Extension => "extension",
            FaultKind::Width => "width",
        }
    }
}

/// A change.
pub enum Patch {
    /// Other bytes.
    Bytes(Vec<u8>),
    /// The relocation of that number of the section refers to so many bytes further on.
    Addend(usize, i64),
}

/// Operations that one number in the opcode tells apart, those that make or read a carry left out.
const ARITHMETIC: [u8; 5] = [0, 1, 4, 5, 6];
const SHIFTS: [u8; 3] = [4, 5, 7];

/// A fault of a kind in an instruction; `bounds` are where instructions of the function begin. None where it has nothing
/// of the kind.
pub fn patch(
    image: &Image,
    (section, insn): (usize, &Insn),
    kind: FaultKind,
    bounds: &[u64],
    rng: &mut Rng,
) -> Option<Patch> {
    let bytes = bytes_of(image, section, insn).into_owned();
    let mut decoder = Decoder::with_ip(64, &bytes, insn.at, DecoderOptions::NONE);
    let decoded = decoder.decode();
    let places = decoder.get_constant_offsets(&decoded);
    let relocs = image.sections[section].relocs_in(insn.at, insn.end());
    let filled = |at: usize| {
        relocs.iter().any(|r| (r.offset - insn.at) as usize <= at && at < (r.offset - insn.at) as usize + 4)
    };
    let it = Old { bytes: &bytes, decoded: &decoded, places: &places, filled: &filled, end: insn.end() };
    if kind == FaultKind::Symbol {
        let n =
            image.sections[section].relocs.iter().position(|r| (insn.at..insn.end()).contains(&r.offset))?;
        let data = insn.access.is_some() || decoded.mnemonic() == Mnemonic::Lea;
        return data.then(|| Patch::Addend(n, if rng.below(2) == 0 { 4 } else { -4 }));
    }
    let new = it.other(kind, bounds, rng)?;
    let now = Decoder::with_ip(64, &new, insn.at, DecoderOptions::NONE).decode();
    let gone = matches!(kind, FaultKind::Store | FaultKind::Load);
    let plain = !now.is_invalid() && now.len() == bytes.len() || gone;
    (plain && new != bytes).then_some(Patch::Bytes(new))
}

/// An instruction as it is.
struct Old<'o> {
    bytes: &'o [u8],
    decoded: &'o Instruction,
    places: &'o ConstantOffsets,
    /// Whether the linker fills a byte in.
    filled: &'o dyn Fn(usize) -> bool,
    end: u64,
}

impl Old<'_> {
    fn other(&self, kind: FaultKind, bounds: &[u64], rng: &mut Rng) -> Option<Vec<u8>> {
        let mut new = self.bytes.to_vec();
        let at = opcode(self.bytes)?;
        let byte = *self.bytes.get(at)?;
        match kind {
            FaultKind::Opcode => operation(&mut new, (at, byte), rng)?,
            FaultKind::Register => {
                let modrm = self.modrm(at)?;
                let flip = 1 << rng.below(3);
                let direct = new[modrm] >> 6 == 3 && rng.below(2) == 0;
                new[modrm] ^= if direct { flip } else { flip << 3 };
            }
            FaultKind::Constant => {
                let at = self.places.has_immediate().then(|| self.places.immediate_offset())?;
                let branch = self.decoded.op0_kind() == OpKind::NearBranch64;
                let free = !branch && !(self.filled)(at);
                new[at] ^= free.then(|| 1 << rng.below(3))?;
            }
            FaultKind::Offset => {
                let at = self.places.has_displacement().then(|| self.places.displacement_offset())?;
                let free = !self.decoded.is_ip_rel_memory_operand() && !(self.filled)(at);
                new[at] ^= free.then(|| 1 << rng.below(5))?;
            }
            FaultKind::Condition => {
                let place = match (byte, self.bytes.get(at + 1)) {
                    (0x70..=0x7f, _) => at,
                    (0x0f, Some(0x40..=0x4f | 0x80..=0x9f)) => at + 1,
                    _ => return None,
                };
                new[place] ^= [1, 2, 4, 6, 8][rng.below(5) as usize];
            }
            FaultKind::Target => {
                let to = *bounds.get(rng.below(bounds.len().max(1) as u64) as usize)?;
                self.jump(&mut new, at, to)?;
            }
            FaultKind::Loop => {
                let to = self.decoded.near_branch64();
                let back = self.decoded.op0_kind() == OpKind::NearBranch64 && to < self.end;
                let n = bounds.iter().position(|bound| back && *bound == to)?;
                let beside = if rng.below(2) == 0 { n + 1 } else { n.checked_sub(1)? };
                self.jump(&mut new, at, *bounds.get(beside)?)?;
            }
            FaultKind::Load => {
                let d = self.decoded;
                let loads = d.op_count() == 2 && d.op1_kind() == OpKind::Memory;
                (loads && is_move(d.mnemonic())).then(|| new.fill(0x90))?;
            }
            FaultKind::Overlap => self.overlap(&mut new, rng)?,
            FaultKind::Store => {
                let stores =
                    self.decoded.op0_kind() == OpKind::Memory && self.decoded.mnemonic() == Mnemonic::Mov;
                stores.then(|| new.fill(0x90))?;
            }
            FaultKind::Extension => {
                let place = matches!((byte, self.bytes.get(at + 1)), (0x0f, Some(0xb6 | 0xb7 | 0xbe | 0xbf)));
                *new.get_mut(place.then_some(at + 1)?)? ^= if rng.below(2) == 0 { 1 } else { 8 };
            }
            FaultKind::Width => {
                let memory = (0..self.decoded.op_count()).any(|n| self.decoded.op_kind(n) == OpKind::Memory);
                let moves =
                    memory && matches!(byte, 0x88..=0x8b) && at > 0 && self.bytes[at - 1] & 0xf8 == 0x48;
                // The bit of the prefix that makes 64 bits of 32.
                new[moves.then(|| at - 1)?] ^= 8;
            }
            FaultKind::Symbol | FaultKind::LandingPad => return None,
        }
        Some(new)
    }

    /// Has a direct jump lead elsewhere, where its distance is none that the linker fills in and is long enough.
    fn jump(&self, new: &mut [u8], at: usize, to: u64) -> Option<()> {
        let distance = to.wrapping_sub(self.end) as i64;
        let (place, long) = match (*self.bytes.get(at)?, self.bytes.get(at + 1)) {
            (0x70..=0x7f | 0xeb, _) => (at + 1, false),
            (0xe9, _) => (at + 1, true),
            (0x0f, Some(0x80..=0x8f)) => (at + 2, true),
            _ => return None,
        };
        if (self.filled)(place) {
            return None;
        }
        if long {
            let distance = i32::try_from(distance).ok()?.to_le_bytes();
            new.get_mut(place..place + 4)?.copy_from_slice(&distance);
        } else {
            *new.get_mut(place)? = i8::try_from(distance).ok()? as u8;
        }
        Some(())
    }

    /// Moves a store by less than its width.
    fn overlap(&self, new: &mut [u8], rng: &mut Rng) -> Option<()> {
        let d = self.decoded;
        let stores =
            d.op0_kind() == OpKind::Memory && is_move(d.mnemonic()) && self.places.has_displacement();
        let at = stores.then(|| self.places.displacement_offset())?;
        let width = d.memory_size().size() as u64;
        if width < 2 || d.is_ip_rel_memory_operand() || (self.filled)(at) {
            return None;
        }
        let by = (1 + rng.below(width - 1)) as i32;
        let by = if rng.below(2) == 0 { by } else { -by };
        match self.places.displacement_size() {
            1 => new[at] = (new[at] as i8).checked_add(i8::try_from(by).ok()?)? as u8,
            4 => {
                let field = new.get_mut(at..at + 4)?;
                let now = i32::from_le_bytes(field.try_into().ok()?);
                field.copy_from_slice(&now.checked_add(by)?.to_le_bytes());
            }
            _ => return None,
        }
        Some(())
    }

    /// Where registers are encoded, for instructions that have such a byte.
    fn modrm(&self, at: usize) -> Option<usize> {
        let byte = self.bytes[at];
        let plain = matches!(byte, 0x00..=0x03 | 0x08..=0x0b | 0x20..=0x23 | 0x28..=0x2b | 0x30..=0x33 | 0x38..=0x3b | 0x84..=0x8b | 0x8d | 0x63);
        match (plain, byte, self.bytes.get(at + 1)) {
            (true, ..) => Some(at + 1),
            (
                false,
                0x0f,
                Some(0x10..=0x17 | 0x28..=0x2f | 0x40..=0x6f | 0xaf | 0xb6 | 0xb7 | 0xbe | 0xbf),
            ) => Some(at + 2),
            _ => None,
        }
        .filter(|modrm| *modrm < self.bytes.len())
    }
}

/// Instructions that move a value, widened or not.
fn is_move(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Mov
            | Mnemonic::Movzx
            | Mnemonic::Movsx
            | Mnemonic::Movsxd
            | Mnemonic::Movss
            | Mnemonic::Movsd
            | Mnemonic::Movq
            | Mnemonic::Movd
            | Mnemonic::Movups
            | Mnemonic::Movaps
            | Mnemonic::Movdqu
            | Mnemonic::Movdqa
    )
}

/// Where the opcode begins, behind prefixes.
fn opcode(bytes: &[u8]) -> Option<usize> {
    let prefix =
        |b: &u8| matches!(b, 0x66 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 | 0x67 | 0xf0);
    let at = bytes.iter().position(|b| !prefix(b))?;
    let rex = bytes.get(at)? & 0xf0 == 0x40;
    Some(at + usize::from(rex))
}

/// Another arithmetic operation.
fn operation(new: &mut [u8], (at, byte): (usize, u8), rng: &mut Rng) -> Option<()> {
    let group = |list: &[u8], now: u8, rng: &mut Rng| {
        let others: Vec<u8> = list.iter().copied().filter(|op| *op != now).collect();
        list.contains(&now).then(|| others[rng.below(others.len() as u64) as usize])
    };
    match byte {
        0x00..=0x3f if byte & 7 < 6 => {
            let other = group(&ARITHMETIC, byte >> 3, rng)?;
            new[at] = other << 3 | byte & 7;
        }
        0x80 | 0x81 | 0x83 | 0xc0 | 0xc1 | 0xd0..=0xd3 => {
            let modrm = *new.get(at + 1)?;
            let list: &[u8] = if byte < 0xc0 { &ARITHMETIC } else { &SHIFTS };
            let other = group(list, modrm >> 3 & 7, rng)?;
            new[at + 1] = modrm & 0xc7 | other << 3;
        }
        _ => return None,
    }
    Some(())
}
