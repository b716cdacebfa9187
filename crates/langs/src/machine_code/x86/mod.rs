//! x86-64 machine code under the System V convention.
//!
//! * `function`: what a reader of object files hands over;
//! * `facts`: where the stack pointer is at each instruction, which stack addresses escape, which jumps go by tables;
//! * `frame`: stack slots kept apart from memory, and stack objects whose address is taken;
//! * `table`: the registry of instructions, a line each;
//! * `state`, `operands`, `exec`, `integers`, `vectors`, `strings`: what instructions do to a state over any domain;
//! * `flow`: which registers and slots an instruction reads and writes;
//! * `calls`: what a call shows of registers and stack; `meant`: what is set for a call alone; `escape`: which objects of the
//!   frame it can see;
//! * `program`: a function as the engine sees it.
//!
//! What instructions compute is in [`crate::x86`], which Machine IR uses too. To add an instruction: a line of
//! [`table::TABLE`], and its case in `tests/machine_code.rs`, which asks the processor.

mod calls;
mod escape;
mod exec;
mod facts;
mod flow;
mod frame;
mod function;
mod integers;
mod meant;
mod operands;
mod program;
mod state;
mod strings;
pub mod table;
mod vectors;

pub use calls::{ARGUMENTS, Convention, Piece};
pub use facts::{Facts, Taken};
pub use frame::{Frame, StackObject, StackObjects};
pub use function::{Block, Function, Insn, JumpTable, Place, Reference, Target};
pub use program::{CallSite, Program, register_name};
pub(crate) use program::{FIRST_ARGUMENT, MEANT, PUSHED, SHOWN};
pub use state::{Machine, run_one};
