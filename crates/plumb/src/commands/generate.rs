//! `plumb gen`

use crate::args::Gen;
use crate::output;
use campaign::generate::options::{LIMITS, SWITCHES};
use campaign::generate::{Options, generate};
use campaign::{Error, exit};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The generator's own options, for the help text.
pub fn help() -> String {
    let mut text = "Generator options, named as Csmith's:\n".to_owned();
    for info in SWITCHES {
        let now = if info.default { "on" } else { "off" };
        let flag = format!("--[no-]{}", info.flag);
        let _ = writeln!(text, "  {flag:<32} {} [{now}]", info.doc);
    }
    for info in LIMITS {
        let flag = format!("--{} N", info.flag);
        let _ = writeln!(text, "  {flag:<32} {} [{}]", info.doc, info.default);
    }
    let _ = write!(text, "  {:<32} draw the switches anew for each program [off]", "--swarm");
    text
}

/// Runs the command.
pub fn run(args: &Gen, generator: &[String]) -> Result<u8, Error> {
    let options = Options::parse(generator).map_err(|error| Error::Usage(error.to_string()))?;
    match (args.count, &args.output) {
        (Some(count), Some(dir)) => many(args, &options, count, dir),
        (Some(_), None) => Err(Error::Usage("--count needs -o DIR".to_owned())),
        (None, output) => one(args, &options, output.as_deref()),
    }
}

fn one(args: &Gen, options: &Options, output: Option<&Path>) -> Result<u8, Error> {
    let text = generate(args.seed, options).text();
    match output {
        Some(path) => {
            write(path, &text)?;
            if args.json {
                output::json(&json!({ "seed": args.seed, "file": path, "bytes": text.len() }));
            }
        }
        None if args.json => {
            output::json(&json!({ "seed": args.seed, "text": text, "bytes": text.len() }));
        }
        None => output::bytes(text.as_bytes()),
    }
    Ok(exit::OK)
}

fn many(args: &Gen, options: &Options, count: u64, dir: &Path) -> Result<u8, Error> {
    fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))?;
    let mut bytes = 0;
    for number in 0..count {
        if campaign::toolchain::stop::requested() {
            return Err(Error::Resource(format!("stopped after {number} of {count} programs")));
        }
        let seed = args.seed.wrapping_add(number);
        let path: PathBuf = dir.join(format!("{seed}.c"));
        let text = generate(seed, options).text();
        write(&path, &text)?;
        bytes += text.len();
        if args.json {
            output::json(&json!({ "type": "program", "seed": seed, "file": path, "bytes": text.len() }));
        }
    }
    if args.json {
        output::json(&json!({ "type": "summary", "programs": count, "bytes": bytes }));
    }
    Ok(exit::OK)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
