//! From a C file to a checked program: read, preprocessed, parsed, checked. Every command that reads C comes this way.
//!
//! [`read`] gives a file's preprocessed text, [`check()`] the typed tree of a text; [`Options`] are those of `cc`
//! (`-I -D -U -include -std -m32`). What goes wrong is an [`Error`] or a [`Refusal`], which can show the place with a
//! caret under it. Nothing is run here: that is the abstract machine's part.

mod check;
pub mod diagnostics;
mod error;
mod files;
mod merge;
mod needed;
mod options;
pub mod preprocess;
mod text;

pub use check::{Checked, Refusal, check, guarded};
pub use error::{Error, Refused, Unusable, plain};
pub use files::c_files;
pub use merge::{Unmergeable, merge};
pub use needed::without_unneeded;
pub use options::Options;
pub use text::{Text, read};
