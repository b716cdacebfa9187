//! What the checker's tests share: checking snippets, asking gcc, a small generator of random numbers.
#![allow(dead_code)]

use csyntax::check::{Checked, check};

use csyntax::target::Target;
use csyntax::tree::Unit;
use std::io::Write;
use std::process::{Command, Stdio};

/// Parses and checks; parse errors fail the test.
pub fn checked(text: &str, target: &Target) -> (Checked, csyntax::parse::Parsed) {
    let parsed = csyntax::parse::parse(text.as_bytes(), "test.c");
    let errors: Vec<_> =
        parsed.diagnostics.iter().filter(|d| d.severity.refuses()).map(|d| parsed.render(d)).collect();
    assert!(errors.is_empty(), "the snippet does not parse: {errors:?}\n{text}");
    (check(&parsed.ast, target), parsed)
}

/// The unit of a text that must check without errors.
pub fn unit(text: &str, target: &Target) -> Unit {
    let (checked, parsed) = checked(text, target);
    match checked.unit {
        Some(unit) => unit,
        None => {
            let all: Vec<_> = checked.diagnostics.iter().map(|d| parsed.render(d)).collect();
            panic!("unexpected errors: {}\n{text}", all.join("\n"));
        }
    }
}

/// The errors (not warnings) of a text, rendered.
pub fn errors(text: &str) -> Vec<String> {
    let (checked, parsed) = checked(text, &Target::LP64);
    let errors = checked.diagnostics.iter().filter(|d| d.severity.refuses());
    errors.map(|d| parsed.render(d)).collect()
}

/// Does this machine have the compiler? Says so when a test has to be left out.
pub fn have(compiler: &str) -> bool {
    let found =
        Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("{compiler} is not installed: this comparison is left out");
    }
    found
}

/// Runs a compiler on a text from standard input; standard output, or the messages if it fails.
pub fn compile(compiler: &str, args: &[&str], text: &str) -> Result<String, String> {
    let mut child = Command::new(compiler)
        .args(args)
        .args(["-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut input = child.stdin.take().expect("standard input is piped");
    let owned = text.to_string();
    let writer = std::thread::spawn(move || input.write_all(owned.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    writer.join().expect("the writer does not panic").map_err(|e| e.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// A fixed sequence of numbers from a seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}
