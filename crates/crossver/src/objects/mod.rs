//! Reading ELF objects, programs, libraries and archives: functions, data and symbolic references.
//!
//! The paper's team patched its compiler to print symbols for addresses (section 4 of "Will you still compile me
//! tomorrow?"); relocations give them for nothing.

pub mod addend;
mod arch;
pub mod data;
mod elf;
mod error;
mod file;
pub mod functions;
pub mod image;
mod imports;
mod unwind;

pub use arch::Arch;
pub use error::{ObjectError, Problem};
pub use file::{Bytes, Loaded, load, map, parse};
pub use functions::{Function, cold_parent};
pub use image::{Home, Image, Kind, Mode, Referent, Reloc, Section, Symbol};
pub use imports::POINTER;
