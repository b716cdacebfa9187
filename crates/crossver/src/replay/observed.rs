//! What two runs differ in, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first thing that two runs differ in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Observed {
    /// Which function is called, or that none is.
    Callee {
        /// Which call, from 1 on.
        call: usize,
        /// What the old function calls, or does instead.
        old: String,
        /// What the new one calls, or does instead.
        new: String,
    },
    /// What a call is passed.
    Argument {
        /// Which call, from 1 on.
        call: usize,
        /// The callee.
        callee: String,
        /// The register, or the place on the stack.
        place: String,
        /// What the old function passes.
        old: u64,
        /// What the new one passes.
        new: u64,
    },
    /// How the function ends.
    End {
        /// The old one.
        old: String,
        /// The new one.
        new: String,
    },
    /// What the function gives.
    Result {
        /// The register.
        place: String,
        /// What the old one gives.
        old: u64,
        /// What the new one gives.
        new: u64,
    },
    /// A register that a function has to hand back as it found it.
    Kept {
        /// The register.
        place: String,
        /// What the old one hands back.
        old: u64,
        /// What the new one hands back.
        new: u64,
    },
    /// A byte of memory; none where it is as it was before.
    Memory {
        /// Its address.
        at: u64,
        /// What the old one leaves there.
        old: Option<u64>,
        /// What the new one leaves there.
        new: Option<u64>,
    },
    /// A byte of an object of the frame when a function is called that may look at it.
    Frame {
        /// The object.
        object: String,
        /// Bytes from its start.
        at: u64,
        /// What the old one has there.
        old: u64,
        /// What the new one has there.
        new: u64,
    },
}

impl Observed {
    /// The names of all kinds.
    pub const NAMES: [&'static str; 7] = ["callee", "argument", "end", "result", "kept", "memory", "frame"];

    /// Both values, where it is values that differ.
    #[must_use]
    pub fn values(&self) -> Option<(u64, u64)> {
        match self {
            Observed::Argument { old, new, .. }
            | Observed::Result { old, new, .. }
            | Observed::Kept { old, new, .. }
            | Observed::Frame { old, new, .. } => Some((*old, *new)),
            Observed::Memory { old, new, .. } => Some(((*old)?, (*new)?)),
            Observed::Callee { .. } | Observed::End { .. } => None,
        }
    }

    /// The kind's stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Observed::Callee { .. } => "callee",
            Observed::Argument { .. } => "argument",
            Observed::End { .. } => "end",
            Observed::Result { .. } => "result",
            Observed::Kept { .. } => "kept",
            Observed::Memory { .. } => "memory",
            Observed::Frame { .. } => "frame",
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Observed::Callee { call, old, new } => write!(f, "call {call}: {old} | {new}"),
            Observed::Argument { call, callee, place, old, new } => {
                write!(f, "call {call} of {callee} with {place} {old:#x} | {new:#x}")
            }
            Observed::End { old, new } => write!(f, "{old} | {new}"),
            Observed::Result { place, old, new } => write!(f, "returned {place} {old:#x} | {new:#x}"),
            Observed::Kept { place, old, new } => write!(f, "left {place} {old:#x} | {new:#x}"),
            Observed::Memory { at, old, new } => {
                let show = |v: &Option<u64>| v.map_or("as before".to_owned(), |v| format!("{v:#x}"));
                write!(f, "byte {at:#x}: {} | {}", show(old), show(new))
            }
            Observed::Frame { object, at, old, new } => {
                write!(f, "{object} at the call, byte {at}: {old:#x} | {new:#x}")
            }
        }
    }
}
