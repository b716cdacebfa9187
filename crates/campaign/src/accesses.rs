//! Compiled programs under the tracer: what they do to volatile objects, held to what the abstract machine does. Hunts ask it
//! of programs, reductions of candidates, and triage of what variations of a compiler make.

use crate::configurations::{INPUT, Tested};
use crate::oracles::volatile::{AccessFacts, Difference, compare, gone};
use machine::volatile::Place;
use std::path::Path;
use std::time::Duration;
use toolchain::accesses::{Executable, Found};
use toolchain::compiler::{Family, Runner};
use toolchain::process::{Limits, Spec, Window};

/// Places watched in one program at most; each run of it watches four.
const PLACES: usize = 16;
/// A place that is accessed more often is not watched: each access costs some 50 µs.
const ACCESSES: usize = 2_000;
/// Time for the traps, beside what the program takes.
pub(crate) const TRAPS: Duration = Duration::from_secs(10);

/// Is it a compiler that says what it takes for an access, and makes programs that can be watched?
pub(crate) fn is_asked(tested: &Tested) -> bool {
    let says_so = match tested.compiler.family {
        Family::Gcc | Family::Clang | Family::ZigCc => true,
        Family::Tcc | Family::Pcc | Family::Unknown => false,
    };
    says_so && tested.x86 == Some(64) && tested.compiler.runner == Runner::Native
}

/// Limits of a program with time for its traps.
pub(crate) fn with_traps(mut limits: Limits) -> Limits {
    limits.wall = limits.wall.map(|time| time + TRAPS);
    limits.cpu = limits.cpu.map(|time| time + TRAPS);
    limits
}

/// What a program does to its volatile places as it is meant.
pub(crate) struct Meant {
    places: Vec<Place>,
    /// May `asm` have given its objects other names?
    renamed: bool,
    /// Places that are too many, or accessed too often.
    pub left_out: usize,
}

/// What a compiled program did to them.
#[derive(Default)]
pub(crate) struct Watched {
    /// What differs, in the order of the places. An object that is gone is alone: nothing else was looked at.
    pub wrong: Vec<AccessFacts>,
    /// The object, offset and size of each place that was compared.
    pub compared: Vec<(String, u64, u8)>,
    /// Accesses that these places must see.
    pub accesses: u64,
    /// Places without symbols, or in parts.
    pub left_out: usize,
}

impl Meant {
    /// Runs a program on the abstract machine; no places where it is not defined.
    pub fn of(text: &[u8], options: &machine::Options) -> Meant {
        let renamed = text.windows(3).any(|word| word == b"asm");
        let mut meant = Meant { places: Vec::new(), renamed, left_out: 0 };
        let Ok(checked) = frontend::check(text, INPUT, &options.target) else { return meant };
        meant.places =
            frontend::guarded(|| machine::volatile::places(&checked.unit, options)).unwrap_or_default();
        let before = meant.places.len();
        meant.places.retain(|place| place.accesses.len() <= ACCESSES);
        meant.places.truncate(PLACES);
        meant.left_out = before - meant.places.len();
        meant
    }

    /// Is there nothing to watch?
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Runs a compiled program, by the spec that starts it, and compares. `Err` says why it cannot be watched; `None` where
    /// plumb was stopped.
    pub fn watch(&self, program: &Path, spec: &Spec) -> Result<Watched, Option<String>> {
        let executable = Executable::open(program).map_err(Some)?;
        let (mut watched, mut found) = (Watched::default(), Vec::new());
        for place in &self.places {
            match executable.find(&place.object) {
                Found::Gone if !self.renamed => return Ok(Watched { wrong: vec![gone(place)], ..watched }),
                Found::At(address, size)
                    if size == place.object_size
                        && (address + place.offset).is_multiple_of(place.size.into()) =>
                {
                    found.push((place, Window { address: address + place.offset, size: place.size }));
                }
                Found::At(..) | Found::Parts | Found::Gone => watched.left_out += 1,
            }
        }
        if found.is_empty() {
            return Ok(watched);
        }
        let asked: Vec<_> = found.iter().map(|(place, window)| (*window, place.accesses.len())).collect();
        let seen = executable.watch(spec, &asked)?;
        for ((place, _), seen) in found.iter().zip(&seen) {
            watched.compared.push((place.object.clone(), place.offset, place.size));
            watched.accesses += place.accesses.len() as u64;
            watched.wrong.extend(compare(place, seen));
        }
        Ok(watched)
    }
}

impl Watched {
    /// The first place that differs in this way.
    pub fn differing(&self, difference: Difference) -> Option<&AccessFacts> {
        self.wrong.iter().find(|facts| facts.difference == difference)
    }

    /// Is all as it should be, and was the place of these facts looked at?
    pub fn clears(&self, facts: &AccessFacts) -> bool {
        let is_it = |(object, offset, size): &(String, u64, u8)| {
            (object, *offset, *size) == (&facts.object, facts.offset, facts.size)
        };
        self.wrong.is_empty() && self.compared.iter().any(is_it)
    }
}
