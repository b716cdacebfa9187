//! The commands, one file each: from parsed arguments to an exit code.

mod copy;
mod coverage;
mod diff;
pub mod emi;
pub mod findings;
pub mod generate;
pub mod hunt;
mod inject;
mod items;
mod manual;
mod prove;
mod prune;
pub mod reduce;
pub mod report;
mod report_campaign;
pub mod run;
pub mod serve;
pub mod show;
mod tools;
pub mod triage;
mod work;
mod workers;

#[cfg(test)]
pub use diff::Line as DiffLine;
pub use emi::help as emi_help;
pub use generate::help as generator_help;
#[cfg(test)]
pub use inject::Line as InjectLine;
#[cfg(test)]
pub use prove::Line as ProveLine;
pub use reduce::help as reduce_help;

use crate::args::{Args, Command};
use crate::output;
use campaign::Error;
use frontend::Error as Front;
use std::io::Read;
use std::path::Path;

/// Runs a command. An error is one message on stderr, and its exit code.
pub fn run(args: Args, generator: &[String]) -> u8 {
    let json = args.command.json();
    let done = match args.command {
        Command::Hunt(args) => hunt::run(args, generator),
        Command::Gen(args) => generate::run(&args, generator),
        Command::Run(args) => run::run(&args),
        Command::Emi(args) => emi::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Inject(args) => inject::run(&args),
        Command::ProveWorker => Ok(prove::work()),
        Command::DiffWorker => Ok(diff::work()),
        Command::Work(args) => work::run(&args),
        Command::Copy(args) => copy::run(&args),
        Command::Prune(args) => prune::run(&args),
        Command::Findings(args) => findings::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Triage(args) => triage::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    let written = |code| output::check().map(|()| code);
    done.and_then(written).unwrap_or_else(|error| {
        match &error {
            // Already placed and rendered as compilers do it.
            Error::NotC(text) | Error::Front(Front::Directive(text)) => eprintln!("{text}"),
            Error::Front(_)
            | Error::File { .. }
            | Error::Usage(_)
            | Error::Tool { .. }
            | Error::Store { .. }
            | Error::Resource(_)
            | Error::Internal(_) => eprintln!("plumb: {error}"),
        }
        if json {
            output::json_error(&error.to_string(), error.exit_code());
        }
        error.exit_code()
    })
}

/// What a program is to read: a file's content, or standard input for `-`.
fn input(path: &Path) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        return read.map(|_| bytes).map_err(|error| Error::file("read", path, &error));
    }
    std::fs::read(path).map_err(|error| Error::file("read", path, &error))
}
