//! Projects: sources compiled by two compilers, objects compared file by file, what was compared before remembered.

pub mod cache;
pub mod compile;
pub mod sources;
