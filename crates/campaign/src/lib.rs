//! Hunts: program sources, oracles, store, findings.
//!
//! [`hunt::run`] takes programs from a [`sources::Source`], finds each one's meaning ([`truth`]), compiles and runs
//! it in every [`configuration::Configuration`], asks the [`oracles`], and keeps results and findings in a
//! [`store::Store`]. Randomness comes from seeds alone, and no verdict is a boolean.

pub mod configuration;
pub mod error;
pub mod findings;
pub mod front;
pub mod hunt;
pub mod model;
pub mod oracles;
pub mod preprocess;
pub mod sources;
pub mod store;
pub mod truth;
pub mod verdict;

pub use error::{Error, exit};
