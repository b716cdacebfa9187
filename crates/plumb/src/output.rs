//! Writing to stdout and stderr. A reader that went away ends the writing, not plumb.

use std::io::Write;

/// Writes a line to stdout.
pub fn line(text: &str) {
    bytes(format!("{text}\n").as_bytes());
}

/// Writes a JSON value as one line to stdout.
pub fn json(value: &serde_json::Value) {
    line(&value.to_string());
}

/// Writes bytes to stdout.
pub fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    // Nobody is left to tell when this fails.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Writes bytes to stderr.
pub fn error_bytes(bytes: &[u8]) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
