//! Which arguments matter to a function whose types are not known: the registers that its code reads before it sets them,
//! and those that what it calls is passed.

use super::calls::{Calls, Convention, Piece};
use super::facts::Facts;
use super::flow::flow;
use super::frame::{Frame, StackObjects};
use super::function::Function;
use crate::domain::Res;
use crate::liveness::liveness;

/// The registers of arguments, by their place among those of the convention, that matter to a function which gives
/// `results`; `types` knows how others are called. None where it may have arguments on the stack.
///
/// # Errors
/// Where the function does what is not modelled.
pub fn arguments_read(
    f: &Function,
    results: &[Piece],
    types: &dyn Fn(&str) -> Option<Convention>,
) -> Res<Option<Vec<usize>>> {
    let facts = Facts::of(f)?;
    let own = Convention { results: results.to_vec(), ..Convention::default() };
    let calls = Calls::of(f, &facts, own, types)?;
    let accesses = Frame::accesses(f, &facts);
    if Frame::reaches_arguments(f, &facts, &accesses) {
        return Ok(None);
    }
    let frame = Frame::new(f.abi.incoming, &accesses, &[], StackObjects::default());
    let live = liveness(&flow(f, &facts, &frame, &calls));
    let seen = live.at_start.first().cloned().unwrap_or_default();
    let count = f.abi.general_arguments + f.abi.vector_arguments;
    Ok(Some((0..count).filter(|n| seen.contains(&f.abi.arguments[*n])).collect()))
}
