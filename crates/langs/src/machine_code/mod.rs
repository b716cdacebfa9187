//! Machine code as compilers leave it in object files, machine by machine: decoded instructions with the names that the
//! linker fills in, and their semantics over any value domain.
//!
//! In: functions that a reader of object files has cut into blocks. Out: programs for the engine
//! ([`equiv::Semantics`]). Nothing here reads files.

pub mod x86;
