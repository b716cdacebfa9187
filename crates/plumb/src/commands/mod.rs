//! The commands, one file each: from parsed arguments to an exit code.

mod coverage;
mod diff;
mod emi;
mod findings;
mod generate;
mod hunt;
mod prove;
mod reduce;
mod run;
mod show;

pub use emi::help as emi_help;
pub use generate::help as generator_help;
#[cfg(test)]
pub use prove::Line as ProveLine;
pub use reduce::help as reduce_help;

use crate::args::{Args, Command};
use crate::output;
use campaign::Error;
use frontend::Error as Front;

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
        Command::ProveWorker => Ok(prove::work()),
        Command::Findings(args) => findings::run(&args),
        Command::Show(args) => show::run(&args),
    };
    done.unwrap_or_else(|error| {
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
