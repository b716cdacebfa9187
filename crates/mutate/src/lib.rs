//! Equivalence modulo inputs (EMI): from a program and inputs, variants that must behave the same on these inputs.
//!
//! Pipeline: [`Seed::new`] runs and profiles a program on the abstract machine; a [`Strategy`] proposes [`Edit`]s;
//! [`Seed::replay`] makes the variant's text of them; [`check()`] runs it on the machine. A variant that behaves
//! otherwise, or is undefined, is a bug of its strategy and is returned as [`Wrong`] with its edits.

pub mod athena;
pub mod canonical;
pub mod check;
pub mod choices;
pub mod ctype;
pub mod edit;
pub mod markers;
pub mod minimize;
pub mod opaque;
pub mod places;
pub mod promise;
pub mod proteus;
pub mod purity;
pub mod seed;
mod settings;
pub mod strategies;
pub mod synth;
mod variants;
mod walk;

pub use check::{Wrong, check};
pub use edit::{Change, Edit, from_log, to_log};
pub use minimize::minimize;
pub use seed::{Input, Refusal, Seed};
pub use strategies::{Chosen, STRATEGIES, Settings, Strategy, UnknownStrategy, strategy};
pub use variants::{Variant, variant};
