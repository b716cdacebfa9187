//! What is accepted and what is rejected, snippet by snippet, and that gcc thinks the same.
//!
//! `check/accepted.c` and `check/rejected.c` hold snippets after lines `//// title` and `//// title: fragment of
//! the message`.

mod check_support;

use check_support::{checked, compile, errors, have};
use csyntax::check::verify;

use csyntax::target::Target;

/// Title, expected fragment, text.
fn snippets(file: &str) -> Vec<(String, String, String)> {
    let path = format!("{}/tests/check/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the snippets are there");
    let parts = text.split("//// ").skip(1);
    parts
        .map(|part| {
            let (head, body) = part.split_once('\n').expect("a title line");
            let (title, fragment) = head.split_once(": ").unwrap_or((head, ""));
            (title.to_string(), fragment.to_string(), body.to_string())
        })
        .collect()
}

fn gcc_accepts(text: &str) -> bool {
    compile("gcc", &["-std=gnu17", "-w", "-fsyntax-only"], text).is_ok()
}

#[test]
fn accepted_snippets() {
    let mut wrong = Vec::new();
    for (title, _, text) in snippets("accepted.c") {
        let found = errors(&text);
        if !found.is_empty() {
            wrong.push(format!("{title}: {}", found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn trees_of_accepted_snippets_keep_the_rules() {
    for (title, _, text) in snippets("accepted.c") {
        for target in [Target::LP64, Target::LP64_BE] {
            if let Some(unit) = checked(&text, &target).0.unit {
                let violations = verify::violations(&unit);
                assert!(violations.is_empty(), "{title}: {}", violations.join("\n"));
            }
        }
    }
}

#[test]
fn rejected_snippets() {
    let mut wrong = Vec::new();
    for (title, fragment, text) in snippets("rejected.c") {
        let (done, parsed) = checked(&text, &Target::LP64);
        let errors: Vec<_> = done.diagnostics.iter().filter(|d| d.severity.refuses()).collect();
        if errors.is_empty() || done.unit.is_some() {
            wrong.push(format!("{title}: accepted"));
        } else if fragment.is_empty() || !errors.iter().any(|d| d.message.contains(&fragment)) {
            let texts: Vec<_> = errors.iter().map(|d| parsed.render(d)).collect();
            wrong.push(format!("{title}: expected '{fragment}', found {}", texts.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn gcc_has_the_same_verdicts() {
    if !have("gcc") {
        return;
    }
    let mut wrong = Vec::new();
    for (file, accepted) in [("accepted.c", true), ("rejected.c", false)] {
        for (title, _, text) in snippets(file) {
            if gcc_accepts(&text) != accepted {
                wrong.push(format!("{file}: {title}"));
            }
        }
    }
    assert!(wrong.is_empty(), "gcc disagrees on\n{}", wrong.join("\n"));
}
