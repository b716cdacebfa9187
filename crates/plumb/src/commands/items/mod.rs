//! Work that many machines share beside hunts: functions to prove or to compare, findings to reduce. Each is an item of a job in a
//! store; whoever shares it out works on it too, as every `plumb work` does, and what comes of it is what one machine comes to.

mod crew;
mod desk;
mod has;
mod part;
pub mod reduction;
mod share;

pub use crew::{Crew, Leave};
pub use has::has;
pub use part::Shelf;
pub use share::{Tasks, open, share};

use campaign::Error;

/// An item's answer as JSON, among the files that it comes to.
const ANSWER: &str = "answer.json";

/// A text that is not what this plumb writes.
fn damaged(error: &serde_json::Error) -> Error {
    Error::Internal(format!("an item of the store is not JSON of this plumb: {error}"))
}
