//! `plumb reduce --finding`: what a hunt found becomes a few lines that show the same, and stays defined.

mod common;

use common::{Plumb, lines, repository, shell};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn canary(name: &str) -> String {
    repository().join("tests/hunt/canaries").join(name).display().to_string()
}

/// Hunts until there is an alarm, and gives its id.
fn hunt(plumb: &Plumb, compiler: &str, levels: &str, more: &[&str]) -> String {
    let words = ["hunt", "--json", "--cc", compiler, "--levels", levels, "--alarms", "1", "--jobs", "1"];
    let done = plumb.run(&[&words[..], &["--programs", "600", "--tokens", "500"], more].concat());
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    let rows = plumb.run(&["findings", "--json"]).stdout;
    lines(&rows)[0]["id"].as_str().expect("an id").to_owned()
}

fn reduce(plumb: &Plumb, id: &str) -> Value {
    let done = plumb.run(&["reduce", "--finding", id, "--json"]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    lines(&done.stdout).pop().expect("a last line")
}

fn dir(reduced: &Value) -> PathBuf {
    PathBuf::from(reduced["directory"].as_str().expect("a directory"))
}

/// The result shows the alarm without any help of plumb, and means something.
fn shows_and_is_defined(plumb: &Plumb, dir: &Path) {
    let repro = dir.join("repro.sh").display().to_string();
    let shown = shell(&["sh", &repro]);
    assert_eq!(shown.code, 1, "{}{}", shown.stdout, shown.stderr);
    let program = dir.join("program.c").display().to_string();
    let run = plumb.run(&["run", "--json", &program]);
    assert_eq!(lines(&run.stdout)[0]["verdict"], "defined", "{}", run.stdout);
}

#[test]
fn wrong_code_becomes_a_few_lines_with_few_options() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("signed-comparison"), "-O1 -fno-tree-ter -fno-gcse", &[]);
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    shows_and_is_defined(&plumb, &dir);
    let tokens = reduced["tokens"].as_u64().expect("a number");
    assert!(
        tokens < 60,
        "{tokens} tokens: {}",
        std::fs::read_to_string(dir.join("program.c")).expect("read")
    );
    let configuration = reduced["configuration"].as_str().expect("a label");
    assert!(!configuration.contains("-fno-gcse"), "{configuration}");
    assert!(reduced["options_removed"].as_array().is_some_and(|gone| gone.iter().any(|o| o == "-fno-gcse")));
    assert!(reduced["references"].as_array().is_some_and(|all| !all.is_empty()), "{reduced}");
    let steps = reduced["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["what"] == "choices"), "{reduced}");
    // A finding that is reduced is not reduced again.
    let tests = |value: &Value| value["tests"].as_u64();
    let again = reduce(&plumb, &id);
    assert_eq!((tests(&again), &again["seconds"]), (tests(&reduced), &reduced["seconds"]));
    assert!(!dir.parent().expect("the finding").join("reduction.journal").exists());
}

#[test]
fn a_crash_keeps_its_signature() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("crash-message"), "-O2", &[]);
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    let facts = |dir: &Path| -> Value {
        let text = std::fs::read_to_string(dir.join("finding.json")).expect("readable");
        serde_json::from_str(&text).expect("JSON")
    };
    let (small, whole) = (facts(&dir), facts(dir.parent().expect("the finding")));
    assert_eq!((&small["signature"], &small["id"]), (&whole["signature"], &whole["id"]));
    assert!(reduced["tokens"].as_u64().is_some_and(|tokens| tokens < 40), "{reduced}");
    let repro = dir.join("repro.sh").display().to_string();
    assert_eq!(shell(&["sh", &repro]).code, 1);
}

#[test]
fn a_variant_is_reduced_by_its_edits_first() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("swapped-operand"), "-O0", &["--strategy", "orion,hermes", "--drawn", "0"]);
    let reduced = reduce(&plumb, &id);
    shows_and_is_defined(&plumb, &plumb.dir().join(dir(&reduced)));
}

#[test]
fn what_cannot_be_reduced_is_said() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("crash-message"), "-O2", &[]);
    let done = plumb.run(&["reduce", "--finding", "no-such"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("plumb findings"), "{}", done.stderr);
    // The compiler is another one now.
    let facts = plumb.store().join("findings").join(&id).join("finding.json");
    let text = std::fs::read_to_string(&facts).expect("readable");
    std::fs::write(&facts, text.replace(&canary("crash-message"), "gcc")).expect("writable");
    let done = plumb.run(&["reduce", "--finding", &id]);
    assert_eq!(done.code, 2, "{}", done.stdout);
    assert!(done.stderr.contains("does not show"), "{}", done.stderr);
    let done = plumb.run(&["reduce", "--finding", &id, "a.c"]);
    assert_eq!(done.code, 2);
    assert_eq!(plumb.run(&["reduce", "a.c"]).code, 2);
}

/// What shows only in units that are compiled apart keeps as many of them as it needs, in the report too.
#[test]
fn a_program_of_several_units_stays_one() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("split-only"), "-O0", &["--units", "3", "--drawn", "0"]);
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    shows_and_is_defined(&plumb, &dir);
    let units = |dir: &Path| (0..4).filter(|n| dir.join(format!("unit-{n}.c")).exists()).count();
    assert_eq!((units(dir.parent().expect("the finding")), units(&dir)), (3, 2));
    let tokens = reduced["tokens"].as_u64().expect("a number");
    assert!(tokens < 60, "{tokens} tokens");
    assert!(reduced["steps"].as_array().is_some_and(|all| all.iter().any(|step| step["what"] == "units")));
    let triage = plumb.run(&["triage", "--json", "--no-reduce"]);
    assert_eq!(triage.code, 1, "{}{}", triage.stdout, triage.stderr);
    let report = plumb.run(&["report", &id, "-o", "report"]);
    assert_eq!(report.code, 1, "{}{}", report.stdout, report.stderr);
    let at = plumb.dir().join("report");
    assert_eq!(units(&at), 2);
    let text = std::fs::read_to_string(at.join("report.txt")).expect("a report in GCC's form");
    assert!(text.contains("$ cat unit-0.c") && text.contains("$ cat unit-1.c"), "{text}");
    let checked =
        text.lines().any(|line| line.contains("-fsanitize=address") && line.contains("silent, with the"));
    assert!(checked && text.contains("-fwrapv"), "{text}");
    assert!(text.contains("dg-additional-sources") && !text.contains("program.c"), "{text}");
    assert_eq!(shell(&["sh", &at.join("repro.sh").display().to_string()]).code, 1);
}

/// The link fails only of several units and with link-time optimisation.
#[test]
fn a_crash_of_the_linker_keeps_its_units() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("link-time-crash"), "-O1", &["--units", "3", "--drawn", "0"]);
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    let repro = dir.join("repro.sh").display().to_string();
    assert_eq!(shell(&["sh", &repro]).code, 1);
    assert!(reduced["tokens"].as_u64().is_some_and(|tokens| tokens < 40), "{reduced}");
}

/// What is left is still refused for the same reason, and still taken at another level.
#[test]
fn a_refusal_stays_one_of_a_level() {
    let plumb = Plumb::new();
    let id = hunt(&plumb, &canary("refused-at-level"), "-O0,-O2", &["--drawn", "0"]);
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    shows_and_is_defined(&plumb, &dir);
    let text = std::fs::read_to_string(dir.join("program.c")).expect("read");
    let tokens = reduced["tokens"].as_u64().expect("a number");
    assert!(tokens < 40 && text.contains('['), "{tokens} tokens: {text}");
    assert!(reduced["configuration"].as_str().is_some_and(|label| label.contains("-O2")), "{reduced}");
    assert!(reduced["references"].as_array().is_some_and(|all| !all.is_empty()), "{reduced}");
    let triage = plumb.run(&["triage", "--json", "--no-reduce"]);
    assert_eq!(triage.code, 1, "{}{}", triage.stdout, triage.stderr);
    let signature = &lines(&triage.stdout)[0]["signature"];
    assert!(signature.as_str().is_some_and(|text| text.contains("unrecognizable constraint")), "{signature}");
}

/// The call stays in by the one and is removed by the other, all the way.
#[test]
fn a_missed_optimisation_stays_one() {
    let plumb = Plumb::new();
    let more = ["--also", "missed-optimisation", "--drawn", "0"];
    let id = hunt(&plumb, &canary("missed-optimisation"), "-O1,-O2", &more);
    assert!(id.starts_with("missed-optimisation-"), "{id}");
    let reduced = reduce(&plumb, &id);
    let dir = plumb.dir().join(dir(&reduced));
    shows_and_is_defined(&plumb, &dir);
    let text = std::fs::read_to_string(dir.join("program.c")).expect("read");
    let tokens = reduced["tokens"].as_u64().expect("a number");
    assert!(tokens < 60, "{tokens} tokens: {text}");
    assert_eq!(reduced["configuration"].as_str().and_then(|label| label.split(' ').next_back()), Some("-O2"));
    let shown = plumb.run(&["show", &id]);
    assert!(shown.stdout.contains("better:") && shown.stdout.contains("-O1"), "{}", shown.stdout);
    // With a compiler that optimises at both levels nothing is missed.
    let repro = std::fs::read_to_string(dir.join("repro.sh")).expect("read");
    plumb.file("cured.sh", repro.replace(&canary("missed-optimisation"), "gcc"));
    std::fs::copy(dir.join("program.c"), plumb.dir().join("program.c")).expect("copied");
    let cured = shell(&["sh", &plumb.dir().join("cured.sh").display().to_string()]);
    assert_eq!(cured.code, 0, "{}{}", cured.stdout, cured.stderr);
}
