//! The generator's choices: whatever they are, the program is one that the machine gives a meaning.

use csyntax::target::Target;
use machine::{Options, Verdict};

pub fn run(data: &[u8]) {
    let choices: Vec<u32> =
        data.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
    let program = generate::replay(&choices, &generate::Options::default());
    let text = program.text();
    let parsed = csyntax::parse::parse(text.as_bytes(), "t.c");
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let checked = csyntax::check::check(&parsed.ast, &Target::LP64);
    let Some(unit) = checked.unit else { panic!("{:?}\n{text}", checked.diagnostics) };
    let run = machine::run(&unit, &Options { max_steps: 20_000_000, ..Options::default() });
    match run.verdict {
        Verdict::Defined(_) | Verdict::Exhausted(_) => {}
        Verdict::Undefined { .. } | Verdict::Unsupported { .. } => panic!("{:?}\n{text}", run.verdict),
    }
}
