//! Concrete runs: both sides in lockstep on the same inputs.
//!
//! In: two programs, inputs of a model or random ones. Out: which points were visited with which values, and how the
//! sides differ ([`CoRun`]); states that break guesses ([`Witnesses`]). Nothing is proved here.

mod answers;
mod co_run;
mod inputs;
mod trace;
mod witness;

pub(crate) use answers::{Answered, Answers};
#[cfg(test)]
pub(crate) use co_run::Visit;
pub(crate) use co_run::{CoRun, GONE_PAST, Outcome, Steps, answer_name, co_run};
pub(crate) use inputs::{concretise, describe_inputs, domain_of, filled, likely_bv, random_model};
pub(crate) use witness::Witnesses;
