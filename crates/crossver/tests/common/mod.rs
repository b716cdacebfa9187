//! Objects made for tests by the compiler of the machine.

#![allow(dead_code, reason = "each test uses a part")]

use crossver::equality::verdict::VerdictKind;
use crossver::objects::{Bytes, Image, map, parse};
use crossver::project::compile::Command;
use crossver::project::sources::Source;
use crossver::report::{FileReport, compare_images};
use std::path::PathBuf;

/// Compiles a text and reads the object. The command is a compiler with options.
pub fn object(dir: &tempfile::TempDir, name: &str, command: &str, text: &str) -> Bytes {
    let file: PathBuf = dir.path().join(format!("{name}.c"));
    std::fs::write(&file, text).expect("writable");
    let output = dir.path().join(format!("{name}.o"));
    let source = Source { file, directory: None, options: Vec::new() };
    let command = Command::parse(command).expect("a command");
    command.compile(&source, &[], &output).unwrap_or_else(|why| panic!("{name}: {why}"));
    map(&output).expect("an object")
}

/// The single image of an object.
pub fn image(name: &str, bytes: &Bytes) -> Image {
    let mut loaded = parse(name, bytes).unwrap_or_else(|error| panic!("{error}"));
    loaded.images.pop().expect("an image").1
}

/// Compiles two texts and compares them.
pub fn report(old: (&str, &str), new: (&str, &str)) -> FileReport {
    let dir = tempfile::tempdir().expect("a directory");
    let a = image("old", &object(&dir, "old", old.0, old.1));
    let b = image("new", &object(&dir, "new", new.0, new.1));
    compare_images(&a, &b, 1, std::time::Duration::from_secs(10)).unwrap_or_else(|error| panic!("{error}"))
}

/// The verdict on a function.
pub fn verdict(report: &FileReport, function: &str) -> VerdictKind {
    let found = report.functions.iter().find(|f| f.function == function);
    let f = found.unwrap_or_else(|| panic!("no pair `{function}` in {report:?}"));
    f.verdict
}
