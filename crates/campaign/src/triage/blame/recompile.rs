//! The part of a compiler built on LLVM in which a bug arises, found by compiling its own IR again: the front end's, and what
//! the passes over IR left of it, each by several code generators.

use super::Error;
use crate::triage::model::{CompilerStage, Seen};
use crate::triage::subject::{Subject, Variation};

/// Code generators that share no more than they must, none with passes over IR: FastISel, SelectionDAG, GlobalISel (which falls
/// back to SelectionDAG for what it lacks), and SelectionDAG with the passes of an optimised compilation.
const GENERATORS: [&str; 4] = [
    "-O0",
    "-O0 -mllvm -fast-isel=0",
    "-O0 -mllvm -global-isel=1 -mllvm -global-isel-abort=2",
    "-O2 -Xclang -disable-llvm-passes",
];

/// What the code generators make of a file.
struct Compiled {
    right: usize,
    shows: usize,
}

/// The stage that goes wrong; `None` where that cannot be told. What the front end says of the language but not of the
/// program, such as a wrong promise, may do no harm in some generators: then a later stage is named.
pub fn stage(subject: &Subject<'_>) -> Result<Option<CompilerStage>, Error> {
    let optimised = ir(subject, &[])?;
    if optimised.is_empty() {
        return Ok(None);
    }
    let of_optimised = all(subject, &optimised)?;
    if of_optimised.right > 0 {
        // What the passes left is right; is it this compiler's own way of making code that is not?
        let words = format!("{} -Xclang -disable-llvm-passes", subject.configuration.level);
        let own = subject.ask_ir(&optimised, &Variation::at(&words))?.seen;
        return Ok((own == Seen::Shows).then_some(CompilerStage::Back));
    }
    let of_plain = all(subject, &ir(subject, &["-Xclang", "-disable-llvm-passes"])?)?;
    Ok(match (of_optimised.shows, of_plain.right, of_plain.shows) {
        (1.., 1.., _) => Some(CompilerStage::Middle),
        (1.., 0, 2..) => Some(CompilerStage::Front),
        _ => None,
    })
}

/// The compiler's IR of the program.
fn ir(subject: &Subject<'_>, options: &[&str]) -> Result<Vec<u8>, Error> {
    let options = options.iter().chain(&["-emit-llvm"]).map(|option| (*option).to_owned());
    subject.assembly(&Variation::with(options)).map(|(_, text)| text)
}

fn all(subject: &Subject<'_>, ir: &[u8]) -> Result<Compiled, Error> {
    let mut compiled = Compiled { right: 0, shows: 0 };
    for words in GENERATORS {
        match subject.ask_ir(ir, &Variation::at(words))?.seen {
            Seen::Right => compiled.right += 1,
            Seen::Shows => compiled.shows += 1,
            Seen::Unknown { .. } => {}
        }
    }
    Ok(compiled)
}
