//! The oracle of volatile objects (Csmith's thesis, sections 3.2.2 and 6.1): a compiled program must access each as often,
//! and with the same values, as the abstract machine does. Checksums do not show that a compiler drops, merges, repeats
//! or invents such accesses.
//!
//! Compared are the places that [`machine::volatile`] records, one by one, so that no order between different objects is
//! demanded, which C leaves open more often than not. Where it leaves open in which order calls are made, only the
//! numbers of reads and the values written count.

use machine::volatile::{Access, Place, low_bytes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toolchain::accesses::{Done, Log, Seen};

/// How a compiled program treats a volatile object otherwise than it must.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AccessFacts {
    /// The object's name.
    pub object: String,
    /// Where in it, in bytes.
    pub offset: u64,
    /// How many bytes are accessed.
    pub size: u8,
    /// Reads that there must be.
    pub reads: usize,
    /// Writes that there must be.
    pub writes: usize,
    /// What must be written, in hexadecimal and in order; empty where the order or the values are not fixed, or where it
    /// is long.
    pub values: Vec<String>,
    /// Reads that were seen.
    pub reads_seen: usize,
    /// Writes that were seen.
    pub writes_seen: usize,
    /// How many of the instructions that were seen both read and write.
    pub merged: usize,
    /// In what the two differ.
    pub difference: Difference,
    /// The number of the first access that is another, from 1, where the order is fixed.
    pub first: Option<usize>,
}

crate::verdict::named! {
    /// In what accesses differ from those that there must be.
    Difference {
        Gone "gone" "The object is not in the program.";
        FewerReads "fewer-reads" "Reads are left out.";
        MoreReads "more-reads" "There are more reads.";
        FewerWrites "fewer-writes" "Writes are left out.";
        MoreWrites "more-writes" "There are more writes.";
        Values "values" "Other values are written.";
        Order "order" "Reads and writes come in another order.";
        Width "width" "More or fewer bytes are moved at once than the object has.";
    }
}

/// What the oracle looked at and what it could not ask, in one run of a hunt.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct VolatileCounts {
    /// Programs in a configuration of which at least one volatile place was compared.
    pub compared: u64,
    /// Places compared, in all of them.
    pub places: u64,
    /// Accesses that these places must see.
    pub accesses: u64,
    /// What could not be asked, by reason: programs in a configuration, or places of one.
    pub not_asked: BTreeMap<String, u64>,
}

/// The longest list of values that facts and reproducers hold.
const VALUES: usize = 200;

impl AccessFacts {
    /// In words: what was expected and what was seen.
    pub fn summary(&self) -> String {
        let at = if self.offset == 0 { String::new() } else { format!(" at byte {}", self.offset) };
        let first = self.first.map(|n| format!(", first otherwise at access {n}")).unwrap_or_default();
        format!(
            "volatile object {}{at}: {} reads and {} writes expected, {} and {} seen ({}{first})",
            self.object,
            self.reads,
            self.writes,
            self.reads_seen,
            self.writes_seen,
            crate::verdict::Named::name(self.difference),
        )
    }
}

/// Compares what was seen of a place with what must be done to it. `None` where that is the same, or cannot be told.
pub fn compare(place: &Place, seen: &Seen) -> Option<AccessFacts> {
    let log = match seen {
        Seen::All(log) | Seen::TooMany(log) => log,
        Seen::Unclear => return None,
    };
    let found: Vec<Access> = log.accesses.iter().map(|(done, _)| access(place, *done)).collect();
    let (reads, writes) = count(&place.accesses);
    let (reads_seen, writes_seen) = count(&found);
    let size = u64::from(place.size);
    let difference = if reads_seen != reads {
        if reads_seen < reads { Difference::FewerReads } else { Difference::MoreReads }
    } else if writes_seen != writes {
        if writes_seen < writes { Difference::FewerWrites } else { Difference::MoreWrites }
    } else if written(&found, place.ordered) != written(&place.accesses, place.ordered) {
        Difference::Values
    } else if place.ordered && found != place.accesses {
        Difference::Order
    } else if log.accesses.iter().any(|(_, bytes)| *bytes != size) {
        Difference::Width
    } else {
        return None;
    };
    let longest = found.len().max(place.accesses.len());
    let first = (0..longest).find(|&n| found.get(n) != place.accesses.get(n));
    let first = first.filter(|_| place.ordered).map(|n| n + 1);
    Some(facts(place, log, difference, first))
}

/// What there is to say of an object that is not in the program although it is used.
pub fn gone(place: &Place) -> AccessFacts {
    facts(place, &Log::default(), Difference::Gone, None)
}

fn facts(place: &Place, log: &Log, difference: Difference, first: Option<usize>) -> AccessFacts {
    let (reads, writes) = count(&place.accesses);
    let is_write = |(done, _): &&(Done, u64)| matches!(done, Done::Write(_));
    let writes_seen = log.accesses.iter().filter(is_write).count();
    let known = place.ordered && !place.pointer && writes <= VALUES;
    let values = if known { written(&place.accesses, true) } else { Vec::new() };
    AccessFacts {
        object: place.object.clone(),
        offset: place.offset,
        size: place.size,
        reads,
        writes,
        values: values.iter().map(|value| format!("{value:x}")).collect(),
        reads_seen: log.accesses.len() - writes_seen,
        writes_seen,
        merged: log.accesses.len() - log.instructions,
        difference,
        first,
    }
}

/// An access as the machine has it.
fn access(place: &Place, done: Done) -> Access {
    match done {
        Done::Read => Access::Read,
        Done::Write(value) if place.pointer => Access::Write(u64::from(value != 0)),
        Done::Write(value) => Access::Write(low_bytes(value, place.size)),
    }
}

/// Reads and writes.
fn count(all: &[Access]) -> (usize, usize) {
    let reads = all.iter().filter(|access| **access == Access::Read).count();
    (reads, all.len() - reads)
}

/// The values written, in order if that is fixed.
fn written(all: &[Access], ordered: bool) -> Vec<u64> {
    let value = |access: &Access| match access {
        Access::Read => None,
        Access::Write(value) => Some(*value),
    };
    let mut values: Vec<u64> = all.iter().filter_map(value).collect();
    if !ordered {
        values.sort_unstable();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use Access::{Read, Write};

    fn place(accesses: &[Access], ordered: bool) -> Place {
        Place {
            object: "g".to_owned(),
            object_size: 4,
            offset: 0,
            size: 4,
            pointer: false,
            accesses: accesses.to_vec(),
            ordered,
        }
    }

    fn seen(accesses: &[Access]) -> Seen {
        let done = |access: &Access| match access {
            Read => (Done::Read, 4),
            Write(value) => (Done::Write(*value), 4),
        };
        Seen::All(Log { accesses: accesses.iter().map(done).collect(), instructions: accesses.len() })
    }

    fn difference(expected: &[Access], found: &[Access], ordered: bool) -> Option<Difference> {
        compare(&place(expected, ordered), &seen(found)).map(|facts| facts.difference)
    }

    #[test]
    fn what_is_the_same_is_no_alarm_and_what_is_not_is_named() {
        let all = [Read, Write(1), Read, Write(2)];
        assert_eq!(difference(&all, &all, true), None);
        assert_eq!(difference(&all, &[Read, Write(1), Write(2)], true), Some(Difference::FewerReads));
        assert_eq!(difference(&all, &[Read, Read, Write(2)], true), Some(Difference::FewerWrites));
        assert_eq!(difference(&all[..1], &all[..2], true), Some(Difference::MoreWrites));
        assert_eq!(difference(&all[..2], &all[..3], true), Some(Difference::MoreReads));
        assert_eq!(difference(&all, &[Read, Write(1), Read, Write(3)], true), Some(Difference::Values));
        assert_eq!(difference(&all, &[Read, Read, Write(1), Write(2)], true), Some(Difference::Order));
    }

    #[test]
    fn an_order_that_is_open_is_not_demanded() {
        let (one, other) = ([Write(1), Read, Write(2)], [Write(2), Write(1), Read]);
        assert_eq!(difference(&one, &other, false), None);
        assert_eq!(difference(&one, &other, true), Some(Difference::Values));
        assert_eq!(difference(&one, &[Write(1), Read, Write(1)], false), Some(Difference::Values));
    }

    #[test]
    fn the_first_access_that_differs_is_counted_from_one() {
        let facts = compare(&place(&[Read, Write(1), Read], true), &seen(&[Read, Read])).expect("it differs");
        assert_eq!(facts.first, Some(2));
        let said = facts.summary();
        assert_eq!(
            said,
            "volatile object g: 2 reads and 1 writes expected, 2 and 0 seen (fewer-writes, first otherwise at access 2)"
        );
    }

    #[test]
    fn pointers_are_compared_as_null_or_not() {
        let mut place = place(&[Write(1), Write(0)], true);
        place.pointer = true;
        assert_eq!(compare(&place, &seen(&[Write(0x5555_0010), Write(0)])), None);
        assert!(compare(&place, &seen(&[Write(0), Write(0)])).is_some());
    }
}
