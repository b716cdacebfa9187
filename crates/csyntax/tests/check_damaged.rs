//! Damaged programs: whatever the text, checking ends, without a panic, with errors or a tree that keeps the rules.

mod check_support;

use check_support::Random;
use csyntax::check::{check, verify};
use csyntax::target::Target;

/// Splits into words, numbers and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

#[test]
fn damaged_programs_are_checked() {
    let mut random = Random(3);
    let path = |file: &str| format!("{}/tests/check/{file}", env!("CARGO_MANIFEST_DIR"));
    let text =
        ["accepted.c", "rejected.c"].map(|f| std::fs::read_to_string(path(f)).expect("snippets")).concat();
    let snippets: Vec<Vec<&str>> =
        text.split("//// ").skip(1).map(|s| tokens(s.split_once('\n').expect("a title").1)).collect();
    let mut units = 0;
    for _ in 0..6000 {
        let mut program = random.pick(&snippets).clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(program.len() as u64) as usize;
            let donor = random.pick(&snippets);
            let other = donor[random.below(donor.len() as u64) as usize];
            match random.below(4) {
                0 => program[at] = other,
                1 => program.insert(at, other),
                2 if program.len() > 1 => drop(program.remove(at)),
                _ => {
                    let to = random.below(program.len() as u64) as usize;
                    program.swap(at, to);
                }
            }
        }
        let text = program.concat();
        let parsed = csyntax::parse::parse(text.as_bytes(), "damaged.c");
        let target = if random.one_in(2) { Target::LP64 } else { Target::ILP32 };
        if let Some(unit) = check(&parsed.ast, &target).unit
            && !parsed.has_errors()
        {
            let violations = verify::violations(&unit);
            assert!(violations.is_empty(), "{}\n{text}", violations.join("\n"));
            units += 1;
        }
    }
    assert!(units > 200, "only {units} damaged programs were still programs");
}
