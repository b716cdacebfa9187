//! Machine code as compilers leave it in object files, machine by machine: decoded instructions with the names that the
//! linker fills in, and their semantics over any value domain.
//!
//! In: functions that a reader of object files has cut into blocks. Out: programs for the engine
//! ([`equiv::Semantics`]). Nothing here reads files.
//!
//! What does not depend on the machine:
//!
//! * `abi`: registers, and what the calling convention says of them, as data;
//! * `function`: what a reader of object files hands over;
//! * `uses`: what instructions read and write; `flow`: the same as variables, with stack slots;
//! * `facts`: where the stack pointer is at each instruction, which stack addresses escape, which jumps go by tables;
//! * `constants`: what read-only objects hold;
//! * `pages`: addresses that come about in two steps;
//! * `frame`: stack slots kept apart from memory, and stack objects whose address is taken; `access`: both kinds of memory;
//! * `contents`: what such objects hold while nobody else knows of them;
//! * `calls`: what a call shows of registers and stack; `filled`: how narrow values fill their registers; `meant`: what is set
//!   for a call alone; `escape`: which objects of the frame it can see; `reads`: which arguments matter to a function;
//! * `readers`: functions of the library that leave memory as it was; `spelled`: calls that are compared by what they copy or
//!   fill, or by the place that they tell;
//! * `kinds`: accesses that types keep apart;
//! * `state`: registers, flags, slots and memory; `effect`: where execution goes on;
//! * `program`: a function as the engine sees it; `partners`: blocks of two functions that are one block of the source.
//!
//! [`x86`], [`aarch64`] and [`riscv`] have instructions: what they are, read and write, and do to a state.

pub mod aarch64;
mod abi;
mod access;
mod calls;
mod constants;
mod contents;
mod effect;
mod escape;
mod facts;
mod filled;
mod flow;
mod frame;
mod function;
mod kinds;
mod meant;
mod pages;
mod partners;
mod pointers;
mod program;
mod readers;
mod reads;
pub mod riscv;
mod spelled;
mod state;
mod tables;
mod uses;
pub mod x86;

pub use abi::Abi;
pub use calls::{BY_ADDRESS, Convention, Piece};
pub(crate) use contents::pieces;
pub use facts::{Facts, Taken};
pub use filled::{Above, Filled};
pub use flow::successors;
pub use frame::{Frame, MOST_MOVED, MOVED, StackObject, StackObjects, before_moved};
pub use function::{Block, Constant, Decoded, Function, Held, Insn, JumpTable, Place, Reference, Target};
pub use kinds::{Part, Pointees};
pub(crate) use partners::partners;
pub(crate) use program::ahead::LoadAhead;
pub(crate) use program::place::PLACE;
pub(crate) use program::{ALONE, FIRST_ARGUMENT, FIRST_RESULT, MEANT, PUSHED, told_bits};
pub use program::{CallSite, Machines, Program, Setting};
pub use readers::{gives_first, writes_its_frame_alone};
pub use reads::arguments_read;
pub use spelled::copies_block;
pub(crate) use spelled::{Spelling, apart};
pub use state::{Machine, run_branch, run_one};
