//! What the machine answers, and the budgets within which it does.

use crate::ub::Ub;
use csyntax::source::Span;
use csyntax::target::Target;
use std::sync::Arc;

/// Everything a run depends on besides the program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Data model.
    pub target: Target,
    /// Bytecode steps before the run is [`Verdict::Exhausted`].
    pub max_steps: u64,
    /// Bytes of objects alive at one time.
    pub max_memory: u64,
    /// Bytes written to stdout and stderr together.
    pub max_output: u64,
    /// Nested calls.
    pub max_depth: u32,
    /// `argv[1..]`.
    pub args: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Record coverage and values (see [`Run::profile`]).
    pub profile: bool,
    /// With [`Options::profile`]: at how many points values are recorded, out of 65536; the others are only counted.
    /// Which points depends on nothing but [`Options::seed`] (sparse profiling: Hermes, section 4.5.1).
    pub profile_rate: u32,
    /// With [`Options::profile`]: of each function of the unit, whether its points are recorded; all, if not given.
    pub observed: Option<Arc<[bool]>>,
    /// Parts of the text, in order, where statements begin that are not expected to run. They are not lowered at first;
    /// if one is reached after all, everything is lowered and run again, so that this is a matter of time alone.
    pub cold: Option<Arc<[(u32, u32)]>>,
    /// Seed of what the profile samples.
    pub seed: u64,
    /// Added to the addresses of all objects, those of static storage being in the other order if it is not 0: a second
    /// run with another shift shows whether behaviour depends on where objects lie. A multiple of 4096. Unspecified values
    /// of bytes are others too if it is not 0.
    pub layout_shift: u64,
    /// Allow accesses at addresses misaligned for their type, as x86 does. Undefined all the same (6.3.2.3p7):
    /// compilers may, and do, rely on alignment.
    pub allow_misaligned: bool,
    /// Allow accesses through lvalues of any type, as compilers do with `-fno-strict-aliasing`. Undefined all the same
    /// (6.5p7).
    pub allow_aliasing: bool,
    /// Let front ends ask [`crate::judge`] rather than [`crate::run`]: run again where something unspecified could
    /// have mattered.
    pub judge: bool,
    /// Record accesses to volatile objects (see [`Run::volatile`]).
    pub volatile: bool,
    /// Evaluate operands right to left where C leaves the order open.
    pub reverse: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            target: Target::LP64,
            max_steps: 20_000_000_000,
            max_memory: 1 << 28,
            max_output: 16 << 20,
            max_depth: 20_000,
            args: Vec::new(),
            stdin: Vec::new(),
            profile: false,
            profile_rate: 65536,
            observed: None,
            cold: None,
            seed: 0,
            layout_shift: 0,
            allow_misaligned: false,
            allow_aliasing: false,
            judge: true,
            volatile: false,
            reverse: false,
        }
    }
}

/// How a defined program ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Returned from `main` or called `exit`: the status as the host sees it.
    Code(u8),
    /// Ended by a signal it raised itself: `abort` (6), `__builtin_trap` (4 on x86).
    Signal(i32),
}

/// A budget that ran out.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Budget {
    /// [`Options::max_steps`]
    Steps,
    /// [`Options::max_memory`]
    Memory,
    /// [`Options::max_output`]
    Output,
    /// [`Options::max_depth`]
    Depth,
}

impl Budget {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Budget::Steps => "steps",
            Budget::Memory => "memory",
            Budget::Output => "output",
            Budget::Depth => "depth",
        }
    }
}

/// The machine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The program has this meaning.
    Defined(Outcome),
    /// It has none: what happened, where, in words.
    Undefined {
        /// Which rule.
        ub: Ub,
        /// Where in the text.
        span: Span,
        /// What happened, with the values that made it happen.
        detail: String,
        /// Calls around it, innermost first: function name and call place.
        stack: Vec<(String, Span)>,
    },
    /// The machine does not know this part of C, GNU C or libc.
    Unsupported {
        /// What.
        what: String,
        /// Where in the text.
        span: Span,
    },
    /// A budget ran out before an answer.
    Exhausted(Budget),
}

/// Observable behaviour of a defined program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to stdout.
    pub stdout: Vec<u8>,
    /// What it wrote to stderr.
    pub stderr: Vec<u8>,
    /// Volatile accesses, in order: count and running hash of (object, offset, size, write?, value).
    pub volatile_trace: (u64, u64),
    /// Does behaviour depend on where objects lie, or on bytes of a union that a store to a smaller member left
    /// unspecified? Then another implementation may differ without being wrong. From [`crate::run`] it says that
    /// addresses or such bytes were seen, from [`crate::judge`] that it was tried.
    pub address_dependent: bool,
    /// Does behaviour depend on an order of evaluation that C leaves open (tried by [`crate::judge`])?
    pub order_dependent: bool,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The answer.
    pub verdict: Verdict,
    /// Bytecode steps used.
    pub steps: u64,
    /// Output written until the end, also of runs that are not defined.
    pub stdout: Vec<u8>,
    /// See `stdout`.
    pub stderr: Vec<u8>,
    /// Coverage and values (empty unless [`Options::profile`]).
    pub profile: crate::profile::Profile,
    /// Volatile places with what was done to them (empty unless [`Options::volatile`]).
    pub volatile: Vec<crate::volatile::Place>,
    /// Codes of functions in which an order of evaluation was chosen that a call could tell apart.
    pub(crate) reordered: Vec<u32>,
    /// Did it reach a statement that was left out?
    pub(crate) cold: bool,
}
