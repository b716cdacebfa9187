//! `plumb copy`

use crate::args::Copy as Arguments;
use crate::output;
use campaign::hunt::progress::counted;
use campaign::store::{self, Store};
use campaign::{Error, exit};

/// Runs the command.
pub fn run(args: &Arguments) -> Result<u8, Error> {
    let from = Store::read(&args.from)?;
    let to = Store::open(&args.to)?;
    let copied = store::copy(&from, &to)?;
    output::line(&format!(
        "copied {} and {} of {}",
        counted(copied.programs, "program"),
        counted(copied.findings, "finding"),
        counted(copied.campaigns, "campaign")
    ));
    if campaign::toolchain::stop::requested() {
        eprintln!("plumb: stopped; the same command goes on");
        return Ok(exit::UNKNOWN);
    }
    Ok(exit::OK)
}
