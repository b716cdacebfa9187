//! Prints the program of a seed: `cargo run -p plumb-generate --example program -- SEED [OPTION]...`

#![allow(clippy::disallowed_methods)]

use generate::Options;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(seed) = args.first().and_then(|s| s.parse().ok()) else {
        eprintln!("usage: program SEED [OPTION]...");
        std::process::exit(2);
    };
    match Options::parse(&args[1..]) {
        Ok(options) => {
            let program = generate::generate(seed, &options);
            print!("{}", program.text());
            eprintln!("{:?}", program.stats);
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}
