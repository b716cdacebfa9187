//! The one bounded process runner; compilers found, named and run; emulators; crash signatures.
//!
//! * [`process`]: runs any external command within limits and leaves nothing behind.
//! * [`scratch`]: temporary directories that are removed, at the latest by the next plumb.
//! * [`sandbox`]: confinement of generated programs.
//! * [`stop`] and [`Cancel`]: ending running jobs.
//!
//! Linux only: it relies on subreapers, parent-death signals, pidless job sockets and Landlock.

mod cancel;
pub mod process;
pub mod sandbox;
pub mod scratch;
pub mod stop;

pub use cancel::Cancel;
