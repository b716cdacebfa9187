//! Faults in the tables that say where exceptions land (the call-site table of the Itanium C++ ABI): no instruction names
//! these places, so a validator of instructions alone misses them, as the paper's did.

use crate::objects::Image;
use smt::Rng;

/// An encoding that says that there is nothing.
const OMITTED: u8 = 0xff;
/// Numbers of variable length, in groups of seven bits.
const ULEB128: u8 = 1;

/// Another byte for a place where an exception lands.
pub struct OtherPad {
    /// The table's section.
    pub section: usize,
    /// Bytes from the section's start.
    pub at: u64,
    /// The byte as it was.
    pub before: u8,
    /// The byte as it is.
    pub after: u8,
}

/// Changes a landing pad of a function, where it has any.
pub fn other(image: &Image, function: usize, rng: &mut Rng) -> Option<OtherPad> {
    let f = &image.functions[function];
    let &(section, start) = image.landing.get(&(f.section, f.start))?;
    let bytes = image.sections[section].bytes.as_ref()?.get();
    let pads = pads(bytes, usize::try_from(start).ok()?)?;
    let at = *pads.get(rng.below(pads.len().max(1) as u64) as usize)?;
    let before = bytes[at];
    let after = before ^ (1 << rng.below(3));
    // No place at all is written as zero.
    (after & 0x7f != 0).then_some(OtherPad { section, at: at as u64, before, after })
}

/// Where the first bytes of the landing pads of a table lie.
fn pads(bytes: &[u8], start: usize) -> Option<Vec<usize>> {
    let mut at = start;
    let byte = |at: &mut usize| {
        let found = *bytes.get(*at)?;
        *at += 1;
        Some(found)
    };
    let number = |at: &mut usize| {
        let mut value = 0u64;
        for shift in (0..63).step_by(7) {
            let next = byte(at)?;
            value |= u64::from(next & 0x7f) << shift;
            if next & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    };
    let header = |at: usize| bytes.get(at).copied();
    if header(at)? != OMITTED {
        return None;
    }
    let types = header(at + 1)?;
    at += 2;
    if types != OMITTED {
        number(&mut at)?;
    }
    if header(at)? != ULEB128 {
        return None;
    }
    at += 1;
    let length = usize::try_from(number(&mut at)?).ok()?;
    let end = at.checked_add(length)?;
    let mut found = Vec::new();
    while at < end {
        // Start and length of the calls, the landing pad, what is done there.
        number(&mut at)?;
        number(&mut at)?;
        let place = at;
        if number(&mut at)? != 0 {
            found.push(place);
        }
        number(&mut at)?;
    }
    Some(found)
}
