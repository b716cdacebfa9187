//! Lists the C compilers of this machine as plumb sees them, and those that do not work.
//!
//! `cargo run -p plumb-toolchain --example compilers [COMMAND LINE]...`

use toolchain::compiler::{Compiler, Discovery, discover};
use toolchain::scratch::ScratchRoot;

fn main() -> std::io::Result<()> {
    let scratch = ScratchRoot::new()?;
    let named: Vec<String> = std::env::args().skip(1).collect();
    let start = std::time::Instant::now();
    let found = if named.is_empty() {
        discover(&scratch)
    } else {
        let mut found = Discovery::default();
        for command in &named {
            match Compiler::identify(command, &scratch) {
                Ok(compiler) => found.compilers.push(compiler),
                Err(error) => found.broken.push(error),
            }
        }
        found
    };
    for compiler in &found.compilers {
        println!(
            "{}: {:?} {:?}, {:?}",
            compiler.id(),
            compiler.family,
            compiler.runner,
            compiler.target.data
        );
    }
    for error in &found.broken {
        println!("{error}");
    }
    println!("{} in {:.0?}", found.compilers.len(), start.elapsed());
    Ok(())
}
