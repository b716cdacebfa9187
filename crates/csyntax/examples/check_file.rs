//! Parses and checks preprocessed files; prints errors (with `-w` warnings, with `--dump` the tree, with
//! `--verify` what the tree breaks of its rules) and times.
//!
//! `check_file [-m32] [-w] [--dump] [--verify] a.i b.i ...`

use csyntax::target::Target;
use std::time::Instant;

fn main() -> std::process::ExitCode {
    let (mut failed, mut warnings, mut dump, mut verify, mut target) = (0, false, false, false, Target::LP64);
    for name in std::env::args().skip(1) {
        match name.as_str() {
            "-m32" => target = Target::ILP32,
            "-w" => warnings = true,
            "--dump" => dump = true,
            "--verify" => verify = true,
            _ => {
                if !one(&name, &target, warnings, dump, verify) {
                    failed += 1;
                }
            }
        }
    }
    std::process::ExitCode::from(u8::from(failed > 0))
}

fn one(name: &str, target: &Target, warnings: bool, dump: bool, verify: bool) -> bool {
    let text = match std::fs::read(name) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{name}: {error}");
            return false;
        }
    };
    let start = Instant::now();
    let parsed = csyntax::parse::parse(&text, name);
    let parse_time = start.elapsed();
    let start = Instant::now();
    let checked = csyntax::check::check(&parsed.ast, target);
    let check_time = start.elapsed();
    for diagnostic in parsed.diagnostics.iter().chain(&checked.diagnostics) {
        if warnings || diagnostic.severity.refuses() {
            println!("{}", parsed.render(diagnostic));
        }
    }
    if let (true, Some(unit)) = (verify, &checked.unit) {
        let violations = csyntax::check::verify::violations(unit);
        for violation in &violations {
            println!("{name}: violated: {violation}");
        }
        if !violations.is_empty() {
            return false;
        }
    }
    if let (true, Some(unit)) = (dump, &checked.unit) {
        println!("{}", csyntax::check::dump::unit_text(unit));
    }
    println!(
        "{name}: {} bytes, {} expressions, parse {:.1} ms, check {:.1} ms",
        text.len(),
        checked.unit.as_ref().map_or(0, |u| u.exprs.len()),
        parse_time.as_secs_f64() * 1e3,
        check_time.as_secs_f64() * 1e3
    );
    checked.unit.is_some() && !parsed.has_errors()
}
