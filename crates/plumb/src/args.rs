//! What can be said on the command line.

use campaign::verdict::{FindingKind, Named};
mod diff;
mod fleet;

use clap::{Args as Group, Parser, Subcommand};
pub use diff::{Diff, Inject};
pub use fleet::{Copy, Farm, Prune, Work};
use frontend::preprocess::Choice;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

const AFTER: &str = "\
Start here:
  plumb hunt --for 1m        test every C compiler on this machine for a minute
  plumb run program.c        run a C program with every check of the C standard on
  plumb findings             list what hunts have found

Exit codes, for every command:
  0  nothing wrong
  1  an alarm, a difference, a refutation
  2  bad usage or unreadable input
  3  the program is undefined
  4  not supported
  5  out of budget, or unknown

With --json, stdout holds JSON alone: one object, or one a line with a summary last.";

/// Is your C compiler true? plumb writes C programs whose meaning it knows, compiles them with real compilers, and
/// reports every crash, hang and wrong answer with a directory that reproduces it.
#[derive(Parser)]
#[command(name = "plumb", version, after_help = AFTER, subcommand_required = true, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Test C compilers with programs whose meaning is known
    Hunt(Hunt),
    /// Write random C programs
    Gen(Gen),
    /// Run a C program on the abstract machine
    Run(Run),
    /// Write variants of a C program that must behave as it does
    Emi(Emi),
    /// Make a file small that shows something, as long as a test says that it does
    Reduce(Reduce),
    /// Prove or refute that a compiler's output means what its input means, function by function
    Prove(Prove),
    /// Compare machine code of two compilers, function by function
    Diff(Diff),
    /// Put faults into machine code, and count those that the comparison misses
    Inject(Inject),
    /// What `prove` starts for itself
    #[command(hide = true)]
    ProveWorker,
    /// What `diff` starts for itself
    #[command(hide = true)]
    DiffWorker,
    /// Work on the campaigns of a store that many machines share
    Work(Work),
    /// Bring what one store holds to another
    Copy(Copy),
    /// Take old campaigns out of a store
    Prune(Prune),
    /// List what hunts have found
    Findings(Findings),
    /// Explain one finding
    Show(Show),
    /// Say which findings are the same bug, and what in the compiler is to blame
    Triage(Triage),
    /// Write a finding up as the compiler's maintainers want it
    Report(Report),
    /// Show a campaign as a live page in the browser
    Serve(Serve),
    /// Print what completes this command line in a shell
    Completions(Completions),
    /// Print the manual page of plumb or of a command
    Man(Man),
}

impl Command {
    /// Whether stdout is to hold JSON alone.
    pub fn json(&self) -> bool {
        match self {
            Command::Hunt(args) => args.json,
            Command::Gen(args) => args.json,
            Command::Run(args) => args.json,
            Command::Emi(args) => args.json,
            Command::Prove(args) => args.json,
            Command::Findings(args) => args.json,
            Command::Show(args) => args.json,
            Command::Triage(args) => args.json,
            Command::Report(args) => args.json,
            Command::Serve(args) => args.json,
            Command::Completions(_) | Command::Man(_) | Command::Work(_) => false,
            Command::Copy(_) | Command::Prune(_) => false,
            Command::Reduce(args) => args.json,
            Command::Diff(args) => args.json,
            Command::Inject(args) => args.json,
            Command::ProveWorker | Command::DiffWorker => false,
        }
    }
}

/// `plumb hunt`
#[derive(Group)]
#[command(
    after_help = "Generator options (see `plumb gen --help`) shape the programs of the built-in generator.\n\
    The same command goes on where it stopped; with other compilers, limits or seeds it begins another campaign in \
    the same store."
)]
pub struct Hunt {
    /// Where programs come from: builtin, csmith, or a directory of C files
    #[arg(long, value_name = "SOURCE", default_value = "builtin")]
    pub from: String,
    /// A compiler's command line, as 'clang-19 -m32'; may be repeated [default: all that are found]
    #[arg(long, value_name = "COMMAND")]
    pub cc: Vec<String>,
    /// Optimisation levels
    #[arg(
        long,
        value_name = "LEVELS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "-O0,-O1,-Os,-O2,-O3"
    )]
    pub levels: Vec<String>,
    /// Percentage of compilations with options drawn from what the compiler offers; 0 for the levels alone
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub drawn: u8,
    /// Favour the options and strategies that findings in the store of an earlier hunt needed; may be repeated
    #[arg(long, value_name = "STORE")]
    pub learn_from: Vec<PathBuf>,
    /// Stop after this time: 90s, 10m, 2h, 1d [default: until stopped by Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Stop when the campaign has this many programs
    #[arg(long, value_name = "N")]
    pub programs: Option<u64>,
    /// Stop when the campaign has this many alarms
    #[arg(long, value_name = "N")]
    pub alarms: Option<u64>,
    /// The first seed; each program takes the next one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Programs worked on at once [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where results and findings are kept: a directory, or postgres://USER@HOST/DATABASE for many machines
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// In a store of many machines: silence after which others take over what this process holds
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub lease: Duration,
    /// In a store of many machines: megabytes of memory that another must have for each program that it works on at once
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1 << 30))]
    pub worker_memory: u64,
    /// CPU time allowed for one compilation
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub compile_time: Duration,
    /// Megabytes of memory allowed for one compilation
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    pub compile_memory: u64,
    /// CPU time allowed for one compiled program, beside what its length calls for
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub run_time: Duration,
    /// Steps of the abstract machine spent on one program before it is given up
    #[arg(long, value_name = "N", default_value_t = 30_000_000)]
    pub machine_steps: u64,
    /// Test variants of each program too, by these strategies of `plumb emi`: orion,athena,hermes,proteus,... or all
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub strategy: Vec<String>,
    /// The mean number of variants of a program
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub variants: u64,
    /// Make variants of variants, up to so many rounds: the edits of one round are there for the next [1: of seeds alone]
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub chain: u8,
    /// Sets a parameter of a strategy, as sigma=10; see `plumb emi --help`
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Where statements that Athena inserts come from, beside the program itself: C files, directories, or generated
    /// programs (builtin:N) [default: builtin:20]
    #[arg(long, value_name = "PATH")]
    pub corpus: Vec<PathBuf>,
    /// Where the abstract machine has no answer, compare the compilers with each other
    #[arg(long)]
    pub differential: bool,
    /// Look for these too: missed-optimisation (dead blocks that one configuration removes and one that should do no less
    /// leaves in), slow-compilation (CPU time or memory out of line with another configuration's), debug-info (`-g` changes the code),
    /// volatile (accesses to volatile objects of compiled programs that the abstract machine does not make, or the reverse)
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = also)]
    pub also: Vec<FindingKind>,
    /// Look for headers here too
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<OsString>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<OsString>,
    /// What every program reads: a file, or - for standard input [default: nothing]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Arguments of every program, separated by blanks
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub argv: Option<String>,
    /// Who preprocesses programs with directives: builtin, or cc for `cc -E`
    #[arg(long, value_name = "WHO", default_value = "builtin")]
    pub preprocessor: Choice,
    #[command(flatten)]
    pub farm: Farm,
    /// Lines in place of the status screen that a terminal gets
    #[arg(long)]
    pub plain: bool,
    /// One JSON line a program, and a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb gen`
#[derive(Group)]
#[command(version, disable_version_flag = true, after_help = crate::commands::generator_help())]
pub struct Gen {
    /// The seed: the same seed and options give the same program
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file to write [default: standard output]; with --count or --units, the directory
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write this many programs, of this and the following seeds, into the directory
    #[arg(long, value_name = "N", requires = "output")]
    pub count: Option<u64>,
    /// Run the program on the abstract machine and write what it must print above it
    #[arg(long)]
    pub expect: bool,
    /// The same, and `main` returns 1 where the checksum is another one: one compiler is enough to test
    #[arg(long)]
    pub self_check: bool,
    /// Make the program of the choices in a file instead of a seed's
    #[arg(long, value_name = "FILE", conflicts_with = "count")]
    pub replay: Option<PathBuf>,
    /// Write the program's choices to a file, to replay, cut or change
    #[arg(long, value_name = "FILE", conflicts_with = "count")]
    pub choices: Option<PathBuf>,
    /// Steps of the abstract machine before a program is given up
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub machine_steps: u64,
    /// Print the version, under Csmith's short name too
    #[arg(short = 'v', long, action = clap::ArgAction::Version)]
    pub version: Option<bool>,
    /// List every construct, switch and limit with its weight or default, and write no program
    #[arg(long)]
    pub list: bool,
    /// One JSON object a program, and with --count a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb run`
#[derive(Group)]
#[command(
    after_help = "Exit codes: 0 defined (whatever the program returned), 3 undefined, 4 unsupported, 5 out of budget,\n\
    2 not a readable C program."
)]
pub struct Run {
    /// The C file, or - for standard input; the files of a program of several
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub cc: Preprocess,
    /// Steps before the machine gives up
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Run accesses at misaligned addresses as x86 does instead of calling them undefined
    #[arg(long)]
    pub allow_misaligned: bool,
    /// Run accesses that break the aliasing rules as `-fno-strict-aliasing` does instead of calling them undefined
    #[arg(long)]
    pub allow_aliasing: bool,
    /// Exit as the program does, where it is defined
    #[arg(long)]
    pub propagate_exit: bool,
    /// What the program reads: a file, or - for standard input [default: nothing]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Print how often each statement ran and what its variables held to stderr
    #[arg(long)]
    pub profile: bool,
    /// Print how often each line ran to stderr
    #[arg(long)]
    pub coverage: bool,
    /// One JSON object: verdict, exit, signal, stdout, steps, ub
    #[arg(long)]
    pub json: bool,
    /// Arguments of the program
    #[arg(last = true)]
    pub args: Vec<OsString>,
}

/// `plumb emi`
#[derive(Group)]
#[command(after_help = crate::commands::emi_help())]
pub struct Emi {
    /// The C file, or - for standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub cc: Preprocess,
    /// How many variants
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    pub number: u64,
    /// Where they are written: NAME-K.c with its edits, NAME-K.edits.jsonl
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// The strategies, mixed in every variant [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub strategy: Vec<String>,
    /// The seed: the same seed and options give the same variants
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Variants made at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZero<u16>>,
    /// How likely a point of live code is mutated
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    pub probability: f64,
    /// Sets a parameter, as sigma=10; see below
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Where statements that Athena inserts come from, beside the program itself: C files, directories, or generated
    /// programs (builtin:N) [default: builtin:20]
    #[arg(long, value_name = "PATH")]
    pub corpus: Vec<PathBuf>,
    /// Split each variant into at most this many units, NAME-K.0.c, NAME-K.1.c, ...
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=64))]
    pub split: Option<u16>,
    /// Steps of the abstract machine before the program is given up
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// What the program reads: a file; several are several inputs [default: nothing]
    #[arg(long, value_name = "FILE")]
    pub stdin: Vec<PathBuf>,
    /// Arguments of one input, separated by blanks; several are several inputs, each with everything that --stdin names
    #[arg(long, value_name = "WORDS", conflicts_with = "args", allow_hyphen_values = true)]
    pub argv: Vec<String>,
    /// Make the one variant that this log of edits says, instead of new ones
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// Keep only the edits needed for this test, run on each variant's file, to exit with 0
    #[arg(long, value_name = "TEST")]
    pub minimize: Option<PathBuf>,
    /// One JSON line a variant, and a summary
    #[arg(long)]
    pub json: bool,
    /// Arguments of the program
    #[arg(last = true)]
    pub args: Vec<OsString>,
}

/// `plumb reduce`
#[derive(Group)]
#[command(after_help = crate::commands::reduce_help())]
pub struct Reduce {
    /// The file, or several that are one case
    #[arg(value_name = "FILE", required_unless_present_any = ["finding", "all"])]
    pub files: Vec<PathBuf>,
    /// A program that exits with 0 if the files in its working directory, named as given, are still interesting
    #[arg(long, value_name = "SCRIPT")]
    pub test: Option<PathBuf>,
    /// Reduce a finding of a hunt, with its options of the compiler; the result is kept beside it
    #[arg(long, value_name = "ID", conflicts_with_all = ["files", "test", "timeout", "gate", "no_filter", "output"])]
    pub finding: Option<String>,
    /// Reduce all findings of the store that have files and are not reduced yet; of a database, with all that work on it
    #[arg(long, conflicts_with_all = ["finding", "time", "files", "test", "timeout", "gate", "no_filter", "output", "opt", "llc", "function"])]
    pub all: bool,
    /// The store that has the finding
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// Reduce anew what was reduced before
    #[arg(long)]
    pub again: bool,
    /// With --finding: stop after this time, with what is reached
    #[arg(long = "for", value_name = "TIME", value_parser = time, requires = "finding")]
    pub time: Option<Duration>,
    /// Write the result here; with several files, a directory [default: in place, with the original as FILE.orig]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Time for one run of the test [default: 2 s and ten times what the original takes]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Tests run at once [default: one a processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only these passes; of F.ll without --test, the passes of the optimiser that are refuted
    #[arg(long, value_name = "NAMES")]
    pub passes: Option<String>,
    /// Of F.ll: the optimiser of --passes [default: `opt` of the newest LLVM that is found]
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["test", "finding"])]
    pub opt: Option<String>,
    /// Of F.ll: instruction selection by this command, as 'llc-19 -O2', is what is refuted
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["test", "finding", "opt", "passes"])]
    pub llc: Option<String>,
    /// Of LLVM IR: the function that is refuted [default: the first that is]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["test", "finding"])]
    pub function: Option<String>,
    /// Ask the test only about programs that the abstract machine calls defined
    #[arg(long)]
    pub gate: bool,
    /// Steps of the abstract machine for --gate [default: ten times what the original takes]
    #[arg(long, value_name = "N", requires = "gate")]
    pub max_steps: Option<u64>,
    /// Test also what plumb's own checker rejects as C, and what its machine calls undefined
    #[arg(long)]
    pub no_filter: bool,
    /// One JSON line an improvement, and a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb prove`
#[derive(Group)]
#[command(
    after_help = "F.mir holds both sides: `clang -S -mllvm -stop-after=finalize-isel F.c` writes it.\n\
    A.ll B.mir: did instruction selection make B.mir of A.ll? A.ll B.ll: is B.ll an optimised A.ll?\n\n\
    Verdicts: proved, conditional (on what it names), bounded, refuted (with inputs on which both sides were run and \n\
    differ), unknown, unsupported. Exit codes: 0 all proved, 1 something refuted, 5 something unknown, 4 something\n\
    unsupported, 2 not readable."
)]
pub struct Prove {
    /// F.mir..., or A.ll B.mir, or A.ll B.ll, or with --cc C files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Compile C files with this clang and prove what it did
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Optimisation level for --cc [default: 0; with --stage opt 1]
    #[arg(short = 'O', value_name = "LEVEL")]
    pub level: Option<String>,
    /// What to prove with --cc: isel (LLVM IR to Machine IR) or opt (LLVM IR to LLVM IR) [default: isel]
    #[arg(long, value_name = "STAGE", hide_possible_values = true)]
    pub stage: Option<Stage>,
    /// Passes of the optimiser to prove, as `opt -passes=` takes them [default: default<O1>]
    #[arg(long, value_name = "PASSES")]
    pub passes: Option<String>,
    /// Keep the files that --cc makes here
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub cc_words: Preprocess,
    /// Only this function; may be repeated
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// Only so many functions, chosen by --seed
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// The seed of --sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Functions worked on at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZero<u16>>,
    /// CPU time for one function
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub timeout: Duration,
    /// Megabytes of memory for one function
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(512..=1 << 20))]
    pub memory: u64,
    /// Where there is no proof, check all runs that pass no point more often than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub bound: Option<u32>,
    /// Keep a certificate of each proof here
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,
    /// Only check the certificates in --certificate DIR again, without search
    #[arg(long, requires = "certificate")]
    pub check: bool,
    /// Start from the points of a certificate, of those in a directory, or written by hand (docs/prove.md)
    #[arg(long, value_name = "PATH", conflicts_with = "check")]
    pub hints: Option<PathBuf>,
    /// Have the workers of this store prove functions, too: postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    pub store: Option<PathBuf>,
    /// List what is unsupported, the most frequent first
    #[arg(long)]
    pub unsupported: bool,
    /// Show what each verdict rests on: points and relations, or what stayed open
    #[arg(short, long)]
    pub verbose: bool,
    /// One JSON line a function, and a summary
    #[arg(long)]
    pub json: bool,
}

/// What a compiler does that can be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Stage {
    /// LLVM IR to Machine IR
    Isel,
    /// LLVM IR to LLVM IR
    Opt,
}

/// Options that mean what they mean to `cc`.
#[derive(Group)]
pub struct Preprocess {
    /// Look for headers here too
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<OsString>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<OsString>,
    /// The C standard, as -std=c11
    #[arg(long = "std", value_name = "STANDARD")]
    standard: Option<String>,
    /// 32-bit pointers and longs; written -m32
    #[arg(long, conflicts_with = "m64")]
    m32: bool,
    /// 64-bit pointers and longs (the default); written -m64
    #[arg(long)]
    m64: bool,
    /// Include this file first; written -include FILE
    #[arg(long = "include", value_name = "FILE")]
    forced: Vec<OsString>,
    /// Who preprocesses: builtin, or cc for `cc -E`
    #[arg(long, value_name = "WHO", default_value = "builtin")]
    preprocessor: Choice,
}

impl Preprocess {
    /// The same for the front end.
    pub fn options(&self) -> frontend::Options {
        frontend::Options {
            include: self.include.clone(),
            define: self.define.clone(),
            undefine: self.undefine.clone(),
            standard: self.standard.clone(),
            forced: self.forced.clone(),
            m32: self.m32,
            preprocessor: self.preprocessor,
        }
    }

    /// The same as words for `cc`.
    pub fn words(&self) -> Vec<OsString> {
        self.options().words()
    }
}

/// `plumb findings`
#[derive(Group)]
pub struct Findings {
    /// The store to look into
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// Only this kind: crash, hang, wrong-code
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// One JSON line a finding, and a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb show`
#[derive(Group)]
pub struct Show {
    /// The finding, or the beginning of its name
    pub id: String,
    /// The store to look into
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// `plumb serve`
#[derive(Group)]
#[command(
    after_help = "The page only reads the store; a hunt may go on beside it. The same figures: /api/campaigns.json, /api/campaign.json,\n\
    /api/findings.json, /api/finding.json?id=ID, and /metrics for Prometheus."
)]
pub struct Serve {
    /// The store to show
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8321")]
    pub listen: SocketAddr,
    /// A name of this machine by which browsers may ask for the page, beside its addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// One JSON object when the page can be opened
    #[arg(long)]
    pub json: bool,
}

/// `plumb completions`
#[derive(Group)]
#[command(after_help = "bash: plumb completions bash >~/.local/share/bash-completion/completions/plumb\n\
    zsh:  plumb completions zsh >DIR/_plumb, where DIR is one of $fpath\n\
    fish: plumb completions fish >~/.config/fish/completions/plumb.fish")]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `plumb man`
#[derive(Group)]
#[command(after_help = "plumb man hunt | man -l -     reads the page of `plumb hunt`")]
pub struct Man {
    /// The command [default: plumb itself]
    #[arg(conflicts_with = "output")]
    pub command: Option<String>,
    /// Write all pages into this directory, as plumb.1, plumb-hunt.1, ...
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// `plumb triage`
#[derive(Group)]
#[command(
    after_help = "Known bugs: a line `NAME: SIGNATURE` each, with signatures as this command prints them; without --known \
    the file `known-bugs` of the store.\nExit codes: 0 no findings, 1 some."
)]
pub struct Triage {
    /// Only these findings, or those whose names begin so [default: all]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// The store to look into
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// These two findings are the same bug, whatever triage says; may be repeated
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    pub merge: Vec<String>,
    /// This finding is a bug of its own, whatever triage says; may be repeated
    #[arg(long, value_name = "ID")]
    pub split: Vec<String>,
    /// Signatures of known bugs, which are listed last
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// Only group: reduce nothing, and look at no other levels and compilers
    #[arg(long)]
    pub quick: bool,
    /// Reduce nothing
    #[arg(long)]
    pub no_reduce: bool,
    /// Analyse again what was analysed before
    #[arg(long)]
    pub again: bool,
    /// Stop after this time; the same command goes on
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// CPU time for one compilation
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub compile_time: Duration,
    /// CPU time for proving a blamed pass of LLVM
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub prove_time: Duration,
    /// Findings worked on at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZero<u16>>,
    /// One JSON line a finding, and a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb report`
#[derive(Group)]
#[command(
    group(clap::ArgGroup::new("what").required(true)),
    after_help = "Of one finding: plumb report ID. Of a whole campaign: plumb report --html -o campaign.html"
)]
pub struct Report {
    /// The finding, or the beginning of its name
    #[arg(group = "what")]
    pub id: Option<String>,
    /// A whole campaign as one page that needs nothing beside itself
    #[arg(long, group = "what")]
    pub html: bool,
    /// A whole campaign as SARIF 2.1.0, for code hosts and editors
    #[arg(long, group = "what")]
    pub sarif: bool,
    /// A whole campaign as JUnit XML, for CI
    #[arg(long, group = "what")]
    pub junit: bool,
    /// The number of the campaign, where a whole one is reported [default: the newest]
    #[arg(long, value_name = "N", conflicts_with_all = ["id", "form", "json"])]
    pub campaign: Option<i64>,
    /// The store to look into
    #[arg(long, value_name = "DIR", default_value = "plumb-store")]
    pub store: PathBuf,
    /// For whom: gcc, llvm, or markdown for anybody [default: by the compiler]
    #[arg(long, value_name = "FORM", value_parser = form, requires = "id")]
    pub form: Option<campaign::report::Form>,
    /// Write the report and its files into this directory, or a campaign's into this file [default: to standard output]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// CPU time for one compilation
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    pub compile_time: Duration,
    /// One JSON object
    #[arg(long, requires = "id")]
    pub json: bool,
}

/// Reads the name of a form.
fn form(text: &str) -> Result<campaign::report::Form, String> {
    use campaign::verdict::Named;
    campaign::report::Form::of_name(text).ok_or_else(|| {
        format!("`{text}` is no form; expected one of {}", campaign::report::names().join(", "))
    })
}

/// Reads `90`, `90s`, `10m`, `2h`, `1d`; parts add up, as in `1h30m`.
/// A kind of bug that is looked for only where it is asked for.
fn also(text: &str) -> Result<FindingKind, String> {
    use FindingKind::{DebugInfo, MissedOptimisation, SlowCompilation, Volatile};
    let optional = [MissedOptimisation, SlowCompilation, DebugInfo, Volatile];
    optional.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
        let known: Vec<&str> = optional.iter().map(|kind| kind.name()).collect();
        format!("expected one of {}", known.join(", "))
    })
}

fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write it as 90s, 10m, 2h or 1d");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        let (unit, size) = match rest[digits..].chars().next() {
            None | Some('s') => (1.0, 1),
            Some('m') => (60.0, 1),
            Some('h') => (3600.0, 1),
            Some('d') => (86400.0, 1),
            Some(_) => return Err(wrong()),
        };
        seconds += number * unit;
        rest = rest[digits..].get(size..).unwrap_or_default();
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() && seconds < 1e9 => Ok(time),
        Ok(_) | Err(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_are_read() {
        for (text, seconds) in [("90", 90), ("10m", 600), ("2h", 7200), ("1d", 86400), ("1h30m", 5400)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "m", "10x", "-5", "0", "1e99", "ä"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
