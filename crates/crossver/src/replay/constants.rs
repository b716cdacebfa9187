//! Read-only data of both sides: each has its own, laid out otherwise, so that other addresses may lead to the same.

use super::link::READ_ONLY;
use super::plan::{Bytes, Plan};

/// Most words of a table that are compared, and how deep addresses are followed.
const WORDS: u64 = 64;
const DEPTH: u32 = 4;

/// Whether two addresses of read-only data may lead to the same: texts, or tables of addresses of what is the same. Of data
/// that is neither, nothing is known, nor of the end of an object, where another one may begin.
pub(super) fn alike(plan: &Plan, old: u64, new: u64) -> bool {
    READ_ONLY.contains(&old) && READ_ONLY.contains(&new) && lead_alike(plan, old, new, 0)
}

fn lead_alike(plan: &Plan, old: u64, new: u64, depth: u32) -> bool {
    let ends = |at: &u64| plan.marks.ends.contains(at) && !plan.marks.starts.contains(at);
    if depth > DEPTH || ends(&old) || ends(&new) {
        return true;
    }
    for at in (0..WORDS).map(|n| 8 * n) {
        let (a, b) = (old.wrapping_add(at), new.wrapping_add(at));
        match [a, b].map(|at| plan.marks.addresses.contains(&at)) {
            [true, true] => {}
            [false, false] if at == 0 => return same_text(plan, a, b),
            // A table of addresses, up to its end.
            _ => return true,
        }
        match (word(plan, a), word(plan, b)) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) if READ_ONLY.contains(&x) && READ_ONLY.contains(&y) => {
                if !lead_alike(plan, x, y, depth + 1) {
                    return false;
                }
            }
            // Functions and objects whose partners are not known.
            _ => return true,
        }
    }
    true
}

/// What lies at an address, up to the end of its section.
fn rest(plan: &Plan, at: u64) -> Option<&[u8]> {
    let holds = |(start, bytes): &&Bytes| (*start..*start + bytes.len() as u64).contains(&at);
    let (start, bytes) = plan.constants.iter().find(holds)?;
    bytes.get((at - start) as usize..)
}

fn word(plan: &Plan, at: u64) -> Option<u64> {
    let bytes = rest(plan, at)?.get(..8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Whether both are the same text, as far as the objects reach that they lie in.
fn same_text(plan: &Plan, old: u64, new: u64) -> bool {
    let text = |at: u64| {
        let rest = rest(plan, at)?;
        let next = plan.marks.ends.range(at + 1..).next().map(|end| (end - at) as usize);
        let rest = &rest[..next.unwrap_or(usize::MAX).min(rest.len())];
        Some(match rest.iter().position(|b| *b == 0) {
            Some(end) => (&rest[..end], true),
            None => (rest, false),
        })
    };
    match (text(old), text(new)) {
        (Some((a, true)), Some((b, true))) => a == b,
        // Either is no text: where it ends, something else begins.
        (Some((a, _)), Some((b, _))) => a.iter().zip(b).all(|(x, y)| x == y),
        (None, _) | (_, None) => true,
    }
}
