//! Record layout as gcc does it for the System V ABIs: bit-fields share units of their declared type, `packed`
//! and `#pragma pack` lower alignments, unnamed bit-fields do not raise the record's.

use crate::types::{BitField, Layout};

/// A member to place.
#[derive(Copy, Clone, Debug)]
pub(super) struct Member {
    /// Size and alignment of its type; size 0 for a flexible array.
    pub(super) layout: Layout,
    /// Bit-field width.
    pub(super) width: Option<u64>,
    /// Has it a name?
    pub(super) named: bool,
    /// `packed`, its own or its record's.
    pub(super) packed: bool,
    /// Alignment in bytes asked for by an attribute or `_Alignas`.
    pub(super) aligned: Option<u64>,
}

/// Where a member went.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) offset: u64,
    pub(super) bits: Option<BitField>,
}

/// How the record wants its members placed.
#[derive(Copy, Clone, Debug)]
pub(super) struct Rules {
    pub(super) is_union: bool,
    /// `#pragma pack`, in bytes.
    pub(super) pack: Option<u64>,
    /// `aligned` on the record, in bytes.
    pub(super) aligned: Option<u64>,
}

/// Places the members; `None` if the record is too large to address.
pub(super) fn place(members: &[Member], rules: Rules) -> Option<(Vec<Placed>, Layout)> {
    let mut at = 0u64;
    let mut end = 0u64;
    let mut align = rules.aligned.unwrap_or(1).max(1);
    let mut placed = Vec::with_capacity(members.len());
    for member in members {
        if rules.is_union {
            at = 0;
        }
        let (place, bits) = match member.width {
            Some(width) => place_bits(member, width, rules, &mut at, &mut align)?,
            None => place_plain(member, rules, &mut at, &mut align)?,
        };
        placed.push(place);
        at = at.checked_add(bits)?;
        end = end.max(at);
    }
    let size = end.div_ceil(8).checked_next_multiple_of(align)?;
    if size > i64::MAX as u64 / 16 {
        return None;
    }
    Some((placed, Layout { size, align }))
}

fn place_plain(member: &Member, rules: Rules, at: &mut u64, align: &mut u64) -> Option<(Placed, u64)> {
    let own = if member.packed { 1 } else { member.layout.align };
    let mut wanted = own.max(member.aligned.unwrap_or(1));
    if let Some(pack) = rules.pack {
        wanted = wanted.min(pack);
    }
    *at = at.checked_next_multiple_of(wanted.checked_mul(8)?)?;
    *align = (*align).max(wanted);
    Some((Placed { offset: *at / 8, bits: None }, member.layout.size.checked_mul(8)?))
}

fn place_bits(
    member: &Member,
    width: u64,
    rules: Rules,
    at: &mut u64,
    align: &mut u64,
) -> Option<(Placed, u64)> {
    let unit = member.layout;
    if width == 0 {
        let wanted = unit.align.max(member.aligned.unwrap_or(1));
        *at = at.checked_next_multiple_of(wanted * 8)?;
        return Some((Placed { offset: *at / 8, bits: Some(BitField { start: 0, width: 0 }) }, 0));
    }
    let mut wanted = member.aligned.unwrap_or(0);
    if let Some(pack) = rules.pack {
        wanted = wanted.min(pack);
    }
    if wanted > 0 {
        *at = at.checked_next_multiple_of(wanted * 8)?;
    }
    if !member.packed && rules.pack.is_none() && spans(*at, width, unit) {
        *at = at.checked_next_multiple_of(unit.align * 8)?;
    }
    if member.named {
        let by_type = match rules.pack {
            Some(pack) => unit.align.min(pack),
            None if member.packed => 1,
            None => unit.align,
        };
        *align = (*align).max(wanted).max(by_type);
    }
    let bits = BitField { start: (*at % 8) as u8, width: width as u8 };
    Some((Placed { offset: *at / 8, bits: Some(bits) }, width))
}

/// Would the bits touch more units of the type's alignment than the type itself has?
fn spans(at: u64, width: u64, unit: Layout) -> bool {
    let align = unit.align * 8;
    let offset = at % align;
    (offset + width).div_ceil(align) > (unit.size * 8) / align
}
