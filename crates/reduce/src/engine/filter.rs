//! Early filters: candidates that plumb itself has something against are not tried, once there is evidence that no such
//! candidate is interesting. What an interesting one shows may be an error message, or depend on undefined behaviour:
//! then the filter stays off.

use crate::Case;
use crate::case::Key;
use machine::{Options, Verdict};
use serde::{Deserialize, Serialize};

/// So many rejected candidates must have been tested, all in vain, before others are skipped. Of those that run for long
/// there are few, since each costs the test its time limit: one where undefined candidates were in vain as well, so that the
/// test seems to look at what programs do.
const SAMPLES: u64 = 20;
const SAMPLES_LONG: u64 = 1;
const SAMPLES_LONG_ALONE: u64 = 3;

/// One rejected candidate in so many is tested all the same, to notice if the evidence was misleading.
const PROBE: u8 = 64;

/// The machine's steps for a candidate, as a multiple of those of the original, and the least of them. What takes more
/// runs for long.
const STEPS: u64 = 10;
const LEAST_STEPS: u64 = 100_000;

/// Steps of the machine for an original that it is asked about at all.
const MOST_STEPS: u64 = 50_000_000;

/// How many filters there are.
pub const FILTERS: usize = 3;

/// Their names, in the order in which they are asked.
pub const NAMES: [&str; FILTERS] = ["checker", "machine", "steps"];

const CHECKER: usize = 0;
const MACHINE: usize = 1;
const RUNS_LONG: usize = 2;

/// What was seen of candidates that a filter rejects.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Tested, not interesting.
    pub uninteresting: u64,
    /// Tested, interesting.
    pub interesting: u64,
    /// Not tested.
    pub skipped: u64,
}

impl Evidence {
    /// Might they ever be?
    pub fn is_open(&self) -> bool {
        self.interesting == 0
    }
}

/// Are candidates skipped that this filter rejects?
pub fn is_enough(seen: &[Evidence; FILTERS], filter: usize) -> bool {
    let undefined = &seen[MACHINE];
    let samples = match filter {
        RUNS_LONG if undefined.interesting == 0 && undefined.uninteresting > 0 => SAMPLES_LONG,
        RUNS_LONG => SAMPLES_LONG_ALONE,
        _ => SAMPLES,
    };
    seen[filter].interesting == 0 && seen[filter].uninteresting >= samples
}

/// What plumb can have against a candidate that it has not against the original.
pub struct Filters {
    /// The files that the checker takes.
    checked: Vec<usize>,
    /// How the machine runs the program, if it calls it defined.
    options: Option<Options>,
}

impl Filters {
    /// Those that accept this case.
    pub fn new(case: &Case) -> Filters {
        let taken = case.files.iter().enumerate().filter(|(_, file)| file.checked().is_some());
        let options = Options { max_steps: MOST_STEPS, ..Options::default() };
        let steps = match &case.files[..] {
            [file] => file.checked().map(|unit| machine::judge(unit, &options)).and_then(|run| {
                is_defined(&run.verdict).then_some(run.steps.saturating_mul(STEPS).max(LEAST_STEPS))
            }),
            _ => None,
        };
        Filters {
            checked: taken.map(|(index, _)| index).collect(),
            options: steps.map(|max_steps| Options { max_steps, ..options }),
        }
    }

    /// Those that accept everything.
    pub fn none() -> Filters {
        Filters { checked: Vec::new(), options: None }
    }

    /// The first filter of those that are open which rejects a case.
    pub fn rejects(&self, case: &Case, open: [bool; FILTERS]) -> Option<usize> {
        if open[CHECKER] && self.checked.iter().any(|index| case.files[*index].checked().is_none()) {
            return Some(CHECKER);
        }
        let options = self.options.as_ref().filter(|_| open[MACHINE] || open[RUNS_LONG])?;
        let unit = case.files[0].checked()?;
        let rejecting = match machine::judge(unit, options).verdict {
            Verdict::Exhausted(_) => Some(RUNS_LONG),
            verdict => (!is_defined(&verdict)).then_some(MACHINE),
        };
        rejecting.filter(|filter| open[*filter])
    }

    /// Is this one of the few rejected candidates that are tested in any case?
    pub fn is_probe(key: &Key) -> bool {
        key[0].is_multiple_of(PROBE)
    }
}

fn is_defined(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Defined(outcome) => !outcome.address_dependent && !outcome.order_dependent,
        Verdict::Undefined { .. } | Verdict::Unsupported { .. } | Verdict::Exhausted(_) => false,
    }
}
