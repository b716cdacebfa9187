//! Variants compiled by gcc print what the machine says their seed prints.

use machine::Options;
use mutate::{STRATEGIES, Seed, Settings, variant};
use std::process::Command;

#[test]
fn gcc_agrees_on_a_sample() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("no gcc here: nothing compared");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let options = Options { max_steps: 1_000_000, ..Options::default() };
    let mut compared = 0;
    for number in 1..=8u64 {
        let text = generate::generate(number, &generate::Options::default()).text();
        let Ok(seed) = Seed::new(text.as_bytes(), "seed.c", &options, &[]) else { continue };
        let made = variant(&seed, STRATEGIES, &Settings::default(), number, 0).unwrap();
        let source = dir.path().join("variant.c");
        std::fs::write(&source, &made.text).unwrap();
        for level in ["-O0", "-O2"] {
            let binary = dir.path().join("variant");
            let built =
                Command::new("gcc").args(["-w", level]).arg(&source).arg("-o").arg(&binary).output().unwrap();
            assert!(built.status.success(), "seed {number}: {}", String::from_utf8_lossy(&built.stderr));
            let ran = Command::new(&binary).output().unwrap();
            assert_eq!(ran.stdout, seed.truth[0].1.stdout, "seed {number} at {level}");
            compared += 1;
        }
    }
    assert!(compared >= 8, "only {compared} variants were compared");
}
