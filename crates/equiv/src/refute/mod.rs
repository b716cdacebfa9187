//! Refutations: inputs on which both sides, run, differ.
//!
//! In: what a proof left open, with a model of it. Out: a counterexample, replayed, at addresses that a process may have
//! where there are such; or the verdict that there is none to be had.

mod chosen;
mod minimise;
mod models;
mod on_model;
mod sample;
mod settle;
