//! What Athena needs beside edits (OOPSLA 2015): a database of statements with the context each needs, the distance
//! between programs over their control-flow graphs, and the chain that walks towards distant programs.

mod bind;
mod chain;
mod cut;
mod database;
mod distance;
mod flow;
mod names;
mod types;

pub use chain::walk;
pub use database::Database;
pub use distance::Graphs;
pub use names::Names;
pub use types::TypeTable;
