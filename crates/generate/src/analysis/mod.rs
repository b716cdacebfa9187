//! Generation-time analysis and validation (thesis chapter 4) over the [flow](crate::flow) of a program.
//!
//! One transfer function validates everything that makes a program undefined or ambiguous beyond arithmetic: invalid
//! pointers, reads of inactive union members, unsequenced conflicts, writes to loop counters.

mod calls;
mod control;
pub mod effects;
mod objects;
mod plain;
pub mod purity;
pub mod sets;
pub mod transfer;
pub mod unions;
