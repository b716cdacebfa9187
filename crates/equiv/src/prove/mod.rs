//! Proofs: regions between cuts run symbolically, and the obligations at their ends.
//!
//! In: synchronisation points with candidate relations, and a plan of what may be spent. Out: the relations that are
//! inductive (Houdini), or what stays open and a model of it ([`Problem`]); a certificate where everything closes. A model
//! is no refutation: that takes a run, in `refute`.

mod check;
mod closed;
mod errors;
mod explore;
mod houdini;
mod plan;
mod problem;
mod proof_search;
mod region;
mod run_on;
mod simulated;

pub(crate) use houdini::Closed;
pub(crate) use plan::{Attempt, Budget, Plan, Shortage, by_names, first_round, is_local};
pub(crate) use problem::Problem;
pub(crate) use proof_search::ProofSearch;
pub(crate) use region::{RegionLimits, Stop, StopKind, ranks, run as run_region};
pub(crate) use simulated::came;
