//! What an object of the frame holds while nobody else knows of it, in pieces: variables of their own between the points of a
//! proof, and no part of memory. A compiler that sees that an address has not gone out yet keeps the object in a register, in
//! another place, or not at all.
//!
//! Pieces are what instructions access, as far as that is no more than a word, and words in between; the same in both programs.

use super::frame::StackObjects;
use std::collections::{BTreeMap, BTreeSet};

/// Longest object that is followed in pieces, in bytes.
const LONGEST: u64 = 64;
/// Most bytes of all objects that are.
const MOST: u64 = 256;
/// Longest piece, in bytes.
const WORD: i64 = 8;
/// Most pieces of an object; of one with more only words are pieces.
const MANY: usize = 16;

/// Pieces of an object: bytes from its start, and how many bytes.
pub(crate) type Pieces = Vec<(i64, u64)>;

/// The objects of a frame, and the direct accesses of the function: offset and bytes.
pub(crate) type Accessed<'a> = (&'a StackObjects, &'a [(i64, u64)]);

/// The pieces of those objects that are followed, by name, for two programs that are compared.
pub(crate) fn pieces(both: [Accessed<'_>; 2]) -> BTreeMap<String, Pieces> {
    let mut sizes: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for object in both.iter().flat_map(|(objects, _)| &objects.list).filter(|o| o.own && o.size > 0) {
        sizes.entry(&object.name).or_default().insert(object.size);
    }
    // Of one name and two sizes nothing is known.
    sizes.retain(|_, sizes| sizes.len() == 1);
    let size = |name: &str| sizes.get(name).and_then(|s| s.first().copied());
    let all = |longest: u64| -> u64 { sizes.keys().filter_map(|n| size(n)).filter(|s| *s <= longest).sum() };
    let mut longest = LONGEST;
    while all(longest) > MOST {
        longest /= 2;
    }
    let followed = sizes.keys().filter_map(|name| Some((*name, size(name).filter(|s| *s <= longest)?)));
    followed.map(|(name, size)| (name.to_owned(), cut(size, &inside(name, both)))).collect()
}

/// The accesses of an object in both programs, from its start.
fn inside(name: &str, both: [Accessed<'_>; 2]) -> BTreeSet<(i64, i64)> {
    let of = |(objects, accesses): Accessed<'_>| -> Vec<(i64, i64)> {
        let Some(object) = objects.list.iter().find(|o| o.name == name) else { return Vec::new() };
        let held = accesses.iter().filter(|(at, bytes)| object.holds(*at, *bytes));
        held.map(|(at, bytes)| (at - object.offset, at - object.offset + *bytes as i64)).collect()
    };
    both.into_iter().flat_map(of).collect()
}

/// Words from one byte up to another: where each begins, and its bytes.
pub(crate) fn words(from: i64, to: i64) -> impl Iterator<Item = (i64, i64)> {
    let starts = (from..to).filter(move |at| *at == from || at % WORD == 0);
    starts.map(move |at| (at, ((at / WORD + 1) * WORD).min(to) - at))
}

/// Cuts an object: what short accesses overlap in stays whole as far as it is no longer than a word.
fn cut(size: u64, accesses: &BTreeSet<(i64, i64)>) -> Pieces {
    let end = size as i64;
    let mut whole: Vec<(i64, i64)> = Vec::new();
    for (from, to) in accesses.iter().copied().filter(|(from, to)| to - from <= WORD) {
        let last = whole.last().copied().filter(|last| from < last.1);
        match (last, whole.last_mut()) {
            (Some((start, end)), Some(last)) if to - start <= WORD => last.1 = end.max(to),
            (Some((_, end)), _) => whole.extend((to > end).then_some((end, to))),
            (None, _) => whole.push((from, to)),
        }
    }
    let mut out: Vec<(i64, i64)> = Vec::new();
    let mut at = 0;
    for (from, to) in whole {
        out.extend(words(at, from));
        out.push((from, to - from));
        at = to;
    }
    out.extend(words(at, end));
    if out.len() > MANY {
        out = words(0, end).collect();
    }
    out.into_iter().map(|(at, bytes)| (at, bytes as u64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_cut_where_accesses_are() {
        let cut = |size: u64, list: &[(i64, i64)]| cut(size, &list.iter().copied().collect());
        assert_eq!(cut(4, &[]), [(0, 4)]);
        assert_eq!(cut(20, &[]), [(0, 8), (8, 8), (16, 4)]);
        // Parts of a word that one access has whole, and what only a vector has.
        assert_eq!(cut(24, &[(0, 4), (0, 8), (0, 16), (12, 16)]), [(0, 8), (8, 4), (12, 4), (16, 8)]);
        // Accesses that overlap in more than a word.
        assert_eq!(cut(16, &[(0, 8), (4, 12)]), [(0, 8), (8, 4), (12, 4)]);
        let bytes: Vec<(i64, i64)> = (0..24).map(|n| (n, n + 1)).collect();
        assert_eq!(cut(24, &bytes), [(0, 8), (8, 8), (16, 8)]);
    }
}
