//! Effects (section 4.5): what an evaluation reads and writes, and whether two unsequenced ones conflict.

use crate::model::Loc;

/// A read or write of a range of locations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// First location.
    pub lo: u32,
    /// One past the last.
    pub hi: u32,
    /// Is it a write?
    pub write: bool,
    /// Did it happen within a call, and so before anything that uses the call's result?
    pub called: bool,
}

impl Effect {
    /// Do two unsequenced effects conflict?
    pub fn conflicts(self, other: Effect) -> bool {
        (self.write || other.write) && self.lo < other.hi && other.lo < self.hi
    }
}

/// Does any effect of one list conflict with one of the other?
pub fn conflict(a: &[Effect], b: &[Effect]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.conflicts(*y)))
}

/// Sets of locations read and written, for whole functions.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

fn insert(set: &mut Vec<u64>, lo: u32, hi: u32) {
    let words = hi as usize / 64 + 1;
    if set.len() < words {
        set.resize(words, 0);
    }
    for loc in lo..hi {
        set[loc as usize / 64] |= 1 << (loc % 64);
    }
}

fn ranges(set: &[u64], write: bool, keep: &dyn Fn(Loc) -> bool, out: &mut Vec<Effect>) {
    let first = out.len();
    for (index, &word) in set.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            let loc = index as u32 * 64 + word.trailing_zeros();
            word &= word - 1;
            if !keep(Loc(loc)) {
                continue;
            }
            match out[first..].last_mut() {
                Some(last) if last.hi == loc => last.hi += 1,
                _ => out.push(Effect { lo: loc, hi: loc + 1, write, called: true }),
            }
        }
    }
}

impl Footprint {
    /// Adds one effect.
    pub fn add(&mut self, effect: Effect) {
        insert(if effect.write { &mut self.writes } else { &mut self.reads }, effect.lo, effect.hi);
    }

    /// Is a location written?
    pub fn writes(&self, loc: Loc) -> bool {
        self.writes.get(loc.0 as usize / 64).is_some_and(|word| word >> (loc.0 % 64) & 1 == 1)
    }

    /// The effects on locations that `keep` keeps, as few ranges.
    pub fn effects(&self, keep: &dyn Fn(Loc) -> bool) -> Vec<Effect> {
        let mut out = Vec::new();
        ranges(&self.reads, false, keep, &mut out);
        ranges(&self.writes, true, keep, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_conflicts_and_only_where_they_overlap() {
        let read = |lo, hi| Effect { lo, hi, write: false, called: true };
        let write = |lo, hi| Effect { lo, hi, write: true, called: true };
        assert!(!read(3, 5).conflicts(read(3, 5)));
        assert!(read(3, 5).conflicts(write(4, 6)));
        assert!(!write(3, 5).conflicts(write(5, 6)));
        assert!(write(3, 9).conflicts(write(5, 6)));
    }

    #[test]
    fn a_footprint_gives_its_ranges_back() {
        let mut footprint = Footprint::default();
        footprint.add(Effect { lo: 60, hi: 70, write: true, called: true });
        footprint.add(Effect { lo: 5, hi: 6, write: false, called: true });
        let all = footprint.effects(&|_| true);
        assert_eq!(
            all,
            [
                Effect { lo: 5, hi: 6, write: false, called: true },
                Effect { lo: 60, hi: 70, write: true, called: true }
            ]
        );
    }
}
