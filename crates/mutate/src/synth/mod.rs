//! Synthesis from valuations (Hermes, section 4.3): environments, expressions that are defined on every observed
//! state, predicates of a wanted truth value, and dead statements from the grammar.

pub mod arith;
pub mod dead;
pub mod env;
pub mod expression;
pub mod predicate;
pub mod range;
