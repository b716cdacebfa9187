//! The early filter: candidates that plumb's own checker rejects as C are not tried, once there is evidence that no such
//! candidate is interesting. What an interesting one shows may be an error message: then the filter stays off.

use crate::Case;
use crate::case::Key;
use serde::{Deserialize, Serialize};

/// So many rejected candidates must have been tested, all in vain, before others are skipped.
const SAMPLES: u64 = 20;

/// One rejected candidate in so many is tested all the same, to notice if the evidence was misleading.
const PROBE: u8 = 64;

/// What was seen of rejected candidates.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Rejected by the checker, tested, not interesting.
    pub uninteresting: u64,
    /// Rejected by the checker, tested, interesting.
    pub interesting: u64,
    /// Rejected by the checker and not tested.
    pub skipped: u64,
}

impl Evidence {
    /// Are rejected candidates skipped?
    pub fn is_enough(&self) -> bool {
        self.interesting == 0 && self.uninteresting >= SAMPLES
    }

    /// Might they ever be?
    pub fn is_open(&self) -> bool {
        self.interesting == 0
    }
}

/// Which files the checker is asked about.
pub struct Filter {
    files: Vec<usize>,
}

impl Filter {
    /// Asks about those files that it takes now.
    pub fn new(case: &Case) -> Filter {
        let taken = case.files.iter().enumerate().filter(|(_, file)| file.checked().is_some());
        Filter { files: taken.map(|(index, _)| index).collect() }
    }

    /// Does the checker reject a file that it took at first?
    pub fn rejects(&self, case: &Case) -> bool {
        self.files.iter().any(|index| case.files[*index].checked().is_none())
    }

    /// Is this one of the few rejected candidates that are tested in any case?
    pub fn is_probe(key: &Key) -> bool {
        key[0].is_multiple_of(PROBE)
    }
}
