//! C text: parsed, printed and parsed again, checked, lowered (which verifies the bytecode), run within a small budget.

use csyntax::target::Target;
use machine::Options;

pub fn run(data: &[u8]) {
    let parsed = csyntax::parse::parse(data, "t.c");
    if !parsed.diagnostics.is_empty() {
        return;
    }
    // A text that begins with many control characters is taken for binary data. Pragmas alone are printed with those that
    // they hold, and what is printed can hold more of them to a page than what was read.
    let printed = csyntax::print::print(&parsed.ast);
    if printed.bytes().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count() <= 4 {
        round_trip(&printed);
    }
    for target in [Target::LP64, Target::ILP32_BE] {
        let Some(unit) = csyntax::check::check(&parsed.ast, &target).unit else { continue };
        let options = Options {
            target,
            max_steps: 200_000,
            max_memory: 16 << 20,
            max_output: 1 << 16,
            max_depth: 500,
            ..Options::default()
        };
        let _ = machine::judge(&unit, &options);
    }
}

/// What was printed is read again, and printed the same.
fn round_trip(text: &str) {
    let again = csyntax::parse::parse(text.as_bytes(), "t.c");
    assert!(again.diagnostics.is_empty(), "what was printed is not read: {:?}\n{text}", again.diagnostics);
    assert_eq!(csyntax::print::print(&again.ast), text, "printed twice, two texts");
}
