//! The command line of plumb. Thin: parse arguments, call, print.

mod args;
mod commands;
mod flags;
mod output;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = flags::rewrite(std::env::args_os().collect());
    // clap ends bad usage with 2 and `--help` with 0, as documented.
    let parsed = args::Args::parse_from(words.rest);
    if let Err(error) = campaign::toolchain::stop::install() {
        eprintln!("plumb: cannot listen for signals: {error}");
        return ExitCode::from(campaign::exit::UNKNOWN);
    }
    ExitCode::from(commands::run(parsed, &words.generator))
}
