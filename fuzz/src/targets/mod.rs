//! The registry of targets. A target takes bytes and must come back: a panic, a crash, a time-out or too much memory is
//! a finding.

#[cfg(feature = "programs")]
mod c;
#[cfg(feature = "proofs")]
mod certificate;
#[cfg(feature = "programs")]
mod choices;
#[cfg(feature = "proofs")]
mod hints;
#[cfg(feature = "proofs")]
mod ll;
#[cfg(feature = "proofs")]
mod mir;
mod preprocess;
#[cfg(feature = "store")]
mod store;

/// A target.
pub type Run = fn(&[u8]);

/// All targets, by name.
pub const TARGETS: &[(&str, Run)] = &[
    #[cfg(feature = "programs")]
    ("c", c::run),
    ("preprocess", preprocess::run),
    #[cfg(feature = "programs")]
    ("choices", choices::run),
    #[cfg(feature = "proofs")]
    ("ll", ll::run),
    #[cfg(feature = "proofs")]
    ("mir", mir::run),
    #[cfg(feature = "proofs")]
    ("certificate", certificate::run),
    #[cfg(feature = "proofs")]
    ("hints", hints::run),
    #[cfg(feature = "store")]
    ("store", store::run),
];
