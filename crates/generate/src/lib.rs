//! Random C programs of known meaning (Csmith).
