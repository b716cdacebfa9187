//! Coverage-guided fuzzing of everything that reads what others wrote: one program with a registry of targets, of
//! which the environment variable `PLUMB_FUZZ` names one. `scripts/fuzz` builds and runs it.
//!
//! To add a target: a file in `targets`, one line in [`targets::TARGETS`], and what it starts from in `scripts/fuzz`.

#![no_main]

mod targets;

use std::sync::OnceLock;

/// The target to run.
fn chosen() -> targets::Run {
    static CHOSEN: OnceLock<targets::Run> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var("PLUMB_FUZZ").unwrap_or_default();
        match targets::TARGETS.iter().find(|target| target.0 == name) {
            Some(target) => target.1,
            None => {
                let names: Vec<&str> = targets::TARGETS.iter().map(|target| target.0).collect();
                eprintln!("PLUMB_FUZZ names no target; there are: {}", names.join(" "));
                std::process::exit(2);
            }
        }
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| chosen()(data));
