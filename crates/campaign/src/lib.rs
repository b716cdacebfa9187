//! Hunts: program sources, oracles, store, findings.
//!
//! [`hunt::run`] takes programs from a [`sources::Source`], finds each one's meaning ([`truth`]), compiles and runs
//! it in every [`configuration::Configuration`], asks the [`oracles`], and keeps results and findings in a
//! [`store::Store`]. Randomness comes from seeds alone, and no verdict is a boolean.

pub mod configuration;
pub mod diagnostics;
pub mod emi;
pub mod error;
pub mod file;
pub mod findings;
pub mod front;
pub mod hunt;
pub mod known;
pub mod model;
pub mod oracles;
pub mod preprocess;
pub mod sources;
pub mod store;
pub mod truth;
pub mod verdict;

pub use error::{Error, exit};

// What the command line needs of the crates below.
pub use csyntax::source::Span;
pub use {generate, machine, toolchain};

/// The data models that `-m64` and `-m32` mean.
pub mod data_model {
    use csyntax::target::Target;

    /// `-m64`
    pub const LP64: Target = Target::LP64;
    /// `-m32`
    pub const ILP32: Target = Target::ILP32;
}
