//! Passes over the syntax of C. What C-Reduce's clang_delta transformations do for C is here, one idea a struct.
//!
//! A pass is a function from a [`view::View`] of one file to hints. Files that the parser cannot take are left to the
//! passes over tokens.

mod calls;
mod names;
mod outline;
mod precedence;
mod scratch;
mod types;
mod view;

/// Makes a unit struct a pass whose hints come file by file; with a stage if that is not the middle one.
macro_rules! c_pass {
    ($pass:ident, $name:literal, $about:literal, $propose:expr) => {
        c_pass!($pass, $name, $about, $propose, Middle);
    };
    ($pass:ident, $name:literal, $about:literal, $propose:expr, $stage:ident) => {
        file_pass!($pass, $name, $about, $stage, |case| crate::passes::c::view::each(case, $propose));
    };
}

pub mod blocks;
pub mod conditions;
pub mod declarations;
pub mod fields;
pub mod functions;
pub mod initializers;
pub mod inline;
pub mod inner_levels;
pub mod items;
pub mod levels;
pub mod literals;
pub mod naming;
pub mod operands;
pub mod parameters;
pub mod printing;
pub mod propagate;
pub mod records;
pub mod scalars;
pub mod statements;
pub mod typedefs;
pub mod unused;
pub mod words;
