//! The one bounded process runner; compilers found, named and run; emulators; crash signatures.
//!
//! * [`process`]: runs any external command within limits and leaves nothing behind.
//! * [`compiler`]: compilers found, named and run; emulators; preprocessing.
//! * [`accesses`]: what a program does to given places of its memory.
//! * [`crash`]: recognises that a compiler failed itself, and names the failure.
//! * [`scratch`]: temporary directories that are removed, at the latest by the next plumb.
//! * [`sandbox`]: confinement of generated programs.
//! * [`stop`] and [`Cancel`]: ending running jobs.
//!
//! Linux only: it relies on subreapers, parent-death signals, sequenced-packet sockets and Landlock.

pub mod accesses;
mod cancel;
pub mod compiler;
pub mod crash;
pub mod process;
pub mod sandbox;
pub mod scratch;
pub mod stop;

pub use cancel::Cancel;
