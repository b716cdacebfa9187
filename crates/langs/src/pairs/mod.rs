//! Pairs of languages: how arguments, memory, results and calls of two programs relate.

mod accesses;
mod across;
mod allocation;
mod asked;
mod beyond;
mod calls;
mod file;
mod fitted;
mod fortified;
mod frame;
mod guess;
mod inlined;
mod isel;
mod lanes;
mod machine;
mod narrowed;
mod objects;
mod opt;
mod passed;
mod promised;
mod prove;
mod ranges;
mod refitted;
mod repeated;
mod results;
mod returned;
mod settled;
mod simpler;
mod sites;
mod undefined;
mod unfollowed;
mod unguessed;
mod variables;

pub use across::{AcrossMachines, passes_alike, shared_convention};
pub use file::IselFile;
pub use guess::Registers;
pub use isel::{Isel, Pair, PairOptions, isel_functions, isel_pair, isel_pair_trusting, isel_pair_with};
pub use machine::{MachinePair, MachineSide, SameMachine, Types};
pub(crate) use opt::opt_left;
pub use opt::{answer_opt, opt_functions, prove_opt, run_opt_trusting};
pub use passed::is_gone_with_its_calls;
pub use prove::{
    Ask, Report, answer_isel, prove_isel, prove_machine_function_with_itself, run_isel_trusting,
};

/// A machine function whose source tells of the objects it names.
pub(crate) type Machine<'m> = crate::x86_mir::semantics::X86<'m, crate::llvm_ir::semantics::Ir<'m>>;
