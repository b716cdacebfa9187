//! The command line of plumb. Thin: parse arguments, call, print.

mod args;
mod commands;
mod flags;
mod output;
#[cfg(test)]
mod schema;
mod screen;

use clap::Parser;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    let words = flags::rewrite(std::env::args_os().collect());
    // clap ends bad usage with 2 and `--help` with 0, as documented.
    let parsed = args::Args::try_parse_from(&words.rest).unwrap_or_else(|error| {
        if error.use_stderr() && words.rest.iter().any(|word| word == "--json") {
            output::json_error(&error.to_string(), campaign::exit::USAGE);
        }
        error.exit()
    });
    // A file-size limit must fail the write, where it is reported, and not end plumb.
    let noticed = Arc::new(AtomicBool::new(false));
    let listening = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed)
        .and_then(|_| toolchain::stop::install());
    if let Err(error) = listening {
        eprintln!("plumb: cannot listen for signals: {error}");
        return ExitCode::from(campaign::exit::UNKNOWN);
    }
    ExitCode::from(commands::run(parsed, &words.generator))
}
