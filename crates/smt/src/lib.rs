//! Terms, rewriting, models and solver backends.
