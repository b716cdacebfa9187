//! LLVM IR: textual modules of LLVM 14 to 22 and what they mean.

mod alone;
pub mod ast;
mod call_sites;
mod choices;
pub(crate) mod dominators;
mod fold;
mod inline;
pub mod intrinsics;
pub mod layout;
pub mod lexer;
mod lookup;
mod parse;
mod print;
pub mod program;
mod rewrite;
pub mod semantics;
pub(crate) mod signature;
pub mod types;
mod unwritten;
mod visit;

pub use alone::alone;
pub(crate) use parse::is_calling_convention;
pub use parse::parse;
pub use print::print;
