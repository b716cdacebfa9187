//! Hunts: program sources, oracles, store, findings.
//!
//! [`hunt::run`] takes programs from a [`sources::Source`], finds each one's meaning ([`truth`]), compiles and runs
//! it in every [`configurations::Configuration`], asks the [`oracles`], and keeps results and findings in a
//! [`store::Store`]. Randomness comes from seeds alone, and no verdict is a boolean.

mod accesses;
pub mod configurations;
pub mod detours;
pub mod error;
pub mod executor;
pub mod findings;
pub mod fingerprint;
pub mod hunt;
pub mod oracles;
pub mod reduction;
pub mod report;
pub mod sources;
pub mod store;
pub mod triage;
pub mod truth;
pub mod units;
pub mod variants;
pub mod verdict;
pub mod view;
pub mod yields;

pub use error::{Error, exit};

// What the proving commands need of the crate below.
pub use toolchain;
