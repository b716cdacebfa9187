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
    /// In bytes; 1 for bit-fields.
    pub(super) align: u64,
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

/// Places the members; `None` if the record would have more than `limit` bytes.
pub(super) fn place(members: &[Member], rules: Rules, limit: u64) -> Option<(Vec<Placed>, Layout)> {
    // In bits; the largest member has less than 2^63 bytes and there are less than 2^32 members.
    let mut at = 0u128;
    let mut end = 0u128;
    let mut align = rules.aligned.unwrap_or(1).max(1);
    let mut placed = Vec::with_capacity(members.len());
    for member in members {
        if rules.is_union {
            at = 0;
        }
        let place = match member.width {
            Some(width) => place_bits(member, width, rules, &mut at, &mut align),
            None => place_plain(member, rules, &mut at, &mut align),
        };
        placed.push(place);
        end = end.max(at);
    }
    let size = end.div_ceil(8).next_multiple_of(align.into());
    let size = u64::try_from(size).ok().filter(|&size| size <= limit)?;
    Some((placed, Layout { size, align }))
}

fn place_plain(member: &Member, rules: Rules, at: &mut u128, align: &mut u64) -> Placed {
    let own = if member.packed { 1 } else { member.layout.align };
    let mut wanted = own.max(member.aligned.unwrap_or(1));
    if let Some(pack) = rules.pack {
        wanted = wanted.min(pack);
    }
    *at = at.next_multiple_of(u128::from(wanted) * 8);
    *align = (*align).max(wanted);
    let offset = (*at / 8) as u64;
    *at += u128::from(member.layout.size) * 8;
    Placed { offset, align: wanted, bits: None }
}

fn place_bits(member: &Member, width: u64, rules: Rules, at: &mut u128, align: &mut u64) -> Placed {
    let unit = member.layout;
    if width == 0 {
        let wanted = unit.align.max(member.aligned.unwrap_or(1));
        *at = at.next_multiple_of(u128::from(wanted) * 8);
        return Placed { offset: (*at / 8) as u64, align: 1, bits: Some(BitField { start: 0, width: 0 }) };
    }
    let mut wanted = member.aligned.unwrap_or(0);
    if let Some(pack) = rules.pack {
        wanted = wanted.min(pack);
    }
    if wanted > 0 {
        *at = at.next_multiple_of(u128::from(wanted) * 8);
    }
    if !member.packed && rules.pack.is_none() && spans(*at, width, unit) {
        *at = at.next_multiple_of(u128::from(unit.align) * 8);
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
    let offset = (*at / 8) as u64;
    *at += u128::from(width);
    Placed { offset, align: 1, bits: Some(bits) }
}

/// Would the bits touch more units of the type's alignment than the type itself has?
fn spans(at: u128, width: u64, unit: Layout) -> bool {
    let align = u128::from(unit.align) * 8;
    let offset = at % align;
    (offset + u128::from(width)).div_ceil(align) > u128::from(unit.size) * 8 / align
}
