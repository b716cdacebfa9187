//! The smallest part of a variant's edits (or of any list) that still does what the whole did (Hermes, section 5.4), by delta
//! debugging over the list; any subset is a variant.

/// Cuts `edits` down to a list from which no single edit can go while `interesting` holds. Asks about a list at most
/// `tries` times; the list itself is taken to be interesting.
pub fn minimize<T: Clone>(edits: &[T], tries: usize, mut interesting: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = edits.to_vec();
    let mut tries = tries;
    let mut size = kept.len().div_ceil(2);
    while size > 0 && !kept.is_empty() && tries > 0 {
        let mut removed = false;
        let mut at = 0;
        while at < kept.len() && tries > 0 {
            let end = (at + size).min(kept.len());
            let rest: Vec<T> = kept[..at].iter().chain(&kept[end..]).cloned().collect();
            tries -= 1;
            if interesting(&rest) {
                kept = rest;
                removed = true;
            } else {
                at = end;
            }
        }
        if size == 1 && !removed {
            break;
        }
        size = if size == 1 { 1 } else { size.div_ceil(2) };
    }
    kept
}
