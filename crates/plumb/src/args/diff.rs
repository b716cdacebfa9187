//! What compares machine code takes on the command line.

use super::{Group, Preprocess, time};
use std::path::PathBuf;
use std::time::Duration;

/// `plumb diff`
#[derive(Group)]
#[command(
    after_help = "plumb diff old.o new.o                            two objects, archives, libraries or programs\n\
    plumb diff --cc 'gcc-12 -O2' --cc 'gcc-13 -O2' f.c    what two compilers make of a file\n\
    plumb diff --cc gcc-12 --cc gcc-13 --project DIR      or of a project: its compile_commands.json, or all C files"
)]
pub struct Diff {
    /// OLD and NEW; with --cc, C files or a compile_commands.json
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The old compiler's command line, then the new one's, with options
    #[arg(long, value_name = "COMMAND")]
    pub cc: Vec<String>,
    /// Compile the sources of this directory
    #[arg(long, value_name = "DIR", requires = "cc")]
    pub project: Option<PathBuf>,
    #[command(flatten)]
    pub cc_words: Preprocess,
    /// Keep the objects that --cc makes here
    #[arg(long, value_name = "DIR", requires = "cc")]
    pub keep: Option<PathBuf>,
    /// Files, or functions of one file, worked on at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZero<u16>>,
    /// CPU time for the proof of one function
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub timeout: Duration,
    /// Megabytes of memory for the proof of one function
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(512..=1 << 20))]
    pub memory: u64,
    /// Of the functions that only a proof can decide, try one in N, chosen by name
    #[arg(long, value_name = "N")]
    pub sample: Option<std::num::NonZero<u32>>,
    /// Compare only the function of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// Compare again what was compared before
    #[arg(long)]
    pub no_cache: bool,
    /// Have the workers of this store prove functions, too: postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    pub store: Option<PathBuf>,
    /// Write what is not proved into this file as SARIF, which code hosts and editors read
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a summary into this file as code hosts show it beside a change
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write one page into this file that needs nothing beside itself, with inputs and traces
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// What is known already: the lines of an earlier --json; exit code 0 if nothing is new
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Rules for buckets, looked at before those that come with plumb
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Count the instructions of functions that stay open
    #[arg(long)]
    pub opcodes: bool,
    /// Show functions that are proved, too
    #[arg(short, long)]
    pub verbose: bool,
    /// One JSON line a function, and a summary
    #[arg(long)]
    pub json: bool,
}

/// `plumb inject`
#[derive(Group)]
#[command(
    after_help = "plumb inject new.o --count 500 --diff              how many of 500 faults does `plumb diff` miss?\n\
    plumb inject new.o --old old.o --count 500 --diff  and where two compilers made the sides?\n\
    plumb inject new.o --count 20 -o DIR               faulty objects, for another validator\n\n\
    Kinds: opcode, register, constant, offset, symbol, condition, target, store, load, overlap, loop, landing-pad, \
    extension, width."
)]
pub struct Inject {
    /// The object, or the archive, that gets the faults
    #[arg(value_name = "OBJECT")]
    pub object: PathBuf,
    /// Compare with this one instead, which another compiler made of the same sources
    #[arg(long, value_name = "OBJECT", requires = "diff")]
    pub old: Option<PathBuf>,
    /// Faults, each in an object of its own
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    pub count: u64,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Kinds of faults [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kinds: Vec<String>,
    /// Compare each faulty object with the sound one, and run what is called equivalent
    #[arg(long)]
    pub diff: bool,
    /// Keep the faulty objects here
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Random states to run functions from that are called equivalent
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub states: u64,
    /// Faults worked on at once [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZero<u16>>,
    /// CPU time for the proof of one function
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub timeout: Duration,
    /// Megabytes of memory for the proof of one function
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(512..=1 << 20))]
    pub memory: u64,
    /// Rules for buckets, looked at before those that come with plumb
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Show all faults
    #[arg(short, long)]
    pub verbose: bool,
    /// One JSON line a fault, and a summary
    #[arg(long)]
    pub json: bool,
}
