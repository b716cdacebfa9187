//! Programs compiled and run by a farm that speaks the Remote Execution API, version 2: what build systems such as Bazel ask
//! for the commands of a build, asked for those of a hunt.
//!
//! [`Farm`] is an [`Executor`](campaign::executor::Executor): it knows of files, commands and answers, and nothing of
//! compilers. An action is named by the SHA-256 of all that its answer depends on ([`blobs`](self)), so that the farm's cache
//! tells what an equal one did. Everything that a farm sends is compared with its own name: what does not match is an error,
//! never an answer.

mod address;
mod bearer;
mod blobs;
mod exchange;
mod failure;
mod farm;

pub use bearer::Bearer;
pub use farm::{Counts, Farm, Settings};
