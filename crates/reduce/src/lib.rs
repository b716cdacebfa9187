//! Reduction of a failing input to the least that still fails (thesis 5.2.4, 7.2.1).
//!
//! A [`passes::Pass`] looks at a [`Case`] and proposes [`Hint`]s: patches of text, each set of which makes sense by itself
//! and most of which make sense together. The [`engine`] decides which hints to try together and in what order, and asks
//! the test ([`interesting`]). A pass never runs anything.

pub mod case;
pub mod engine;
pub mod hint;
pub mod interesting;
pub mod journal;
pub mod passes;
pub mod patches;
pub mod size;
pub mod tokens;

pub use case::{Case, File};
pub use engine::{Engine, Event, Observer, Options, Report};
pub use hint::{Hint, Patch};
pub use interesting::{Answer, Interesting};
pub use size::Size;
