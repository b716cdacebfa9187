//! Calls of the C library that are the operation itself.
//!
//! A call of `memcmp` whose result is only asked to be zero or not, or one of `sqrt` that leaves `errno` alone, has no
//! effect that the program can see but its result, if the function called is the C library's, which verdicts state. The
//! source may then be taken to call it, or to compute the result in place: as many calls as the target has no longer are
//! taken for operations, where it is clear which those are.

use super::{Choice, LibraryCall, Source, Target, ValueId};
use crate::operation::{Format, Operation};
use rustc_hash::FxHashMap;

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "library-call",
    open: "whether a function of the C library is called or its result computed in place",
    taken: "as the target has it",
    pair: "equivalent/square_root.mir",
};

/// Calls that are operations, by their results.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// Comparisons of two blocks of so many bytes.
    pub compared: FxHashMap<ValueId, u64>,
    /// Operations by their names.
    pub computed: FxHashMap<ValueId, Operation>,
}

impl Operations {
    /// Whether a call is an operation, by its result.
    pub fn has(&self, result: ValueId) -> bool {
        self.compared.contains_key(&result) || self.computed.contains_key(&result)
    }
}

/// Functions that compare blocks.
const COMPARE: [&str; 2] = ["memcmp", "bcmp"];

/// Functions that are instructions, and which.
const COMPUTE: [(&str, Operation); 2] =
    [("sqrt", Operation::SquareRoot(Format::F64)), ("sqrtf", Operation::SquareRoot(Format::F32))];

/// The calls that the target has no longer: all of a kind that could be, if their number is right.
pub fn choose(source: &impl Source, target: &impl Target) -> Operations {
    let mut out = Operations::default();
    let all: Vec<LibraryCall> = source.calls_of(&COMPARE).into_iter().filter(|c| c.arguments == 3).collect();
    let words = |c: &LibraryCall| match (c.result, c.length) {
        (Some(value), Some(bytes @ (2 | 4 | 8 | 16))) if c.compared_with_zero => Some((value, bytes)),
        _ => None,
    };
    let compared: FxHashMap<ValueId, u64> = all.iter().filter_map(words).collect();
    if target.calls_of(&COMPARE) + compared.len() == all.len() {
        out.compared = compared;
    }
    for (name, operation) in COMPUTE {
        let all = source.calls_of(&[name]);
        let plain = all.iter().filter(|c| c.arguments == 1 && c.only_reads);
        let found: Vec<ValueId> = plain.filter_map(|c| c.result).collect();
        if target.calls_of(&[name]) + found.len() == all.len() {
            out.computed.extend(found.into_iter().map(|value| (value, operation.clone())));
        }
    }
    out
}
