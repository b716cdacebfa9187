//! The one bounded process runner; compilers found, named and run; emulators; crash signatures.
