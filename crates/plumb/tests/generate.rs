//! `plumb gen`: known answers, choices, translation units, listings.

mod common;

use common::{Plumb, shell};
use std::fs;

#[test]
fn a_program_that_checks_itself_passes_and_notices() {
    let plumb = Plumb::new();
    for mode in ["wrappers", "analysis", "elided"] {
        let file = plumb.dir().join("p.c");
        let path = file.to_str().expect("a path in UTF-8");
        let made = plumb.run(&["gen", "-s", "5", "--safe-math", mode, "--self-check", "-o", path, "--json"]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let row: serde_json::Value = serde_json::from_str(&made.stdout).expect("JSON");
        let share = row["executed"].as_f64().expect("a share");
        assert!(share > 0.0 && share <= 1.0, "{share}");
        let text = fs::read_to_string(&file).expect("written");
        let (first, rest) = text.split_once('\n').expect("lines");
        assert!(first.starts_with("/* plumb ") && first.contains("--seed 5 "), "{first}");
        assert!(rest.starts_with("/* expected\n * stdout: checksum = "), "{rest}");
        let binary = plumb.dir().join("p");
        let binary = binary.to_str().expect("a path in UTF-8");
        assert_eq!(shell(&["gcc", "-w", "-O2", path, "-o", binary]).code, 0);
        assert_eq!(shell(&[binary]).code, 0, "{mode}");
        assert!(text.contains("if (crc != 0x"), "{text}");
        fs::write(&file, text.replace("if (crc != 0x", "if (crc == 0x")).expect("writable");
        assert_eq!(shell(&["gcc", "-w", "-O2", path, "-o", binary]).code, 0);
        assert_eq!(shell(&[binary]).code, 1, "{mode}");
    }
}

#[test]
fn freestanding_programs_call_no_library() {
    let plumb = Plumb::new();
    let made = plumb.run(&["gen", "-s", "8", "--freestanding", "--self-check"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(made.stdout.contains("volatile unsigned int checksum;"));
    assert!(!made.stdout.contains("printf"));
}

#[test]
fn choices_make_the_program_again_and_can_be_cut() {
    let plumb = Plumb::new();
    let choices = plumb.dir().join("choices");
    let path = choices.to_str().expect("a path in UTF-8");
    let first =
        plumb.run(&["gen", "-s", "5", "--concise", "--no-unions", "--max-funcs", "4", "--choices", path]);
    let again = plumb.run(&["gen", "--replay", path]);
    assert_eq!((again.code, &again.stdout), (0, &first.stdout), "{}", again.stderr);
    let text = fs::read_to_string(&choices).expect("written");
    let half: String = text.lines().take(text.lines().count() / 2).map(|l| format!("{l}\n")).collect();
    fs::write(&choices, half).expect("writable");
    let cut = plumb.run(&["gen", "--replay", path, "--expect"]);
    assert_eq!(cut.code, 0, "{}", cut.stderr);
    fs::write(&choices, "int main(void) { return 0; }\n").expect("writable");
    let wrong = plumb.run(&["gen", "--replay", path]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("not a file of choices"), "{}", wrong.stderr);
}

#[test]
fn delta_options_record_replay_and_shorten_choices() {
    let plumb = Plumb::new();
    let [first, second] = ["first", "second"].map(|name| plumb.dir().join(name).display().to_string());
    let made = plumb.run(&[
        "gen",
        "-s",
        "5",
        "--concise",
        "--no-unions",
        "--delta-monitor",
        "simple",
        "--delta-output",
        &first,
    ]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let go = ["gen", "--go-delta", "simple", "--delta-input", &first];
    let same = plumb.run(&[&go[..], &["--no-delta-reduction"]].concat());
    assert_eq!((same.code, &same.stdout), (0, &made.stdout), "{}", same.stderr);
    let less = plumb.run(&[&go[..], &["--delta-output", &second, "-s", "3"]].concat());
    assert_eq!(less.code, 0, "{}", less.stderr);
    assert_ne!(less.stdout, made.stdout);
    let again = plumb.run(&["gen", "--replay", &second]);
    assert_eq!((again.code, &again.stdout), (0, &less.stdout), "{}", again.stderr);
    assert_eq!(plumb.run(&["gen", "--go-delta", "simple"]).code, 2);
    assert_eq!(plumb.run(&["gen", "--go-delta", "clever", "--delta-input", &first]).code, 2);
}

/// Every option of Csmith does something, or nothing for a stated reason, or is refused with the manual's reason.
#[test]
fn every_option_of_csmith_is_accepted_or_refused_with_a_reason() {
    let manual = generate::manual::reference();
    let (mut accepted, mut refused) = (0, 0);
    for line in include_str!("csmith-options.txt").lines().filter(|line| !line.starts_with('#')) {
        let plumb = Plumb::new();
        let file = plumb.dir().join("file").display().to_string();
        let choices = "plumb-choices 1\noptions\n1\n2\n3\n";
        fs::write(&file, if line.contains("delta") { choices } else { "" }).expect("writable");
        let mut words: Vec<&str> = line.split(' ').collect();
        if let Some(value) = words.get_mut(1) {
            *value = match *value {
                "FILE" | "DIR" => &file,
                other => other,
            };
        }
        // What means nothing alone.
        let company: &[&str] = match words[0] {
            "--delta-monitor" => &["--delta-output", &file],
            "--go-delta" => &["--delta-input", &file],
            "--max-split-files" => &["-o", "units"],
            _ => &[],
        };
        let done = plumb.run(&[&["gen", "--tokens", "200"], words.as_slice(), company].concat());
        if done.code == 0 {
            accepted += 1;
            continue;
        }
        let name = words[0];
        let row = manual.lines().skip_while(|row| !row.contains("**Not supported**"));
        let reason = row.filter_map(|row| row.strip_prefix(&format!("| `{name}` | "))).next();
        let reason = reason.unwrap_or_else(|| panic!("{line}: exit {}\n{}", done.code, done.stderr));
        assert_eq!(done.code, 2, "{line}: {}", done.stderr);
        assert!(done.stderr.contains(reason.trim_end_matches(" |")), "{line}: {}", done.stderr);
        refused += 1;
    }
    assert!(accepted > 140 && refused < 20, "{accepted} accepted, {refused} refused");
}

#[test]
fn units_need_a_directory_and_fill_it() {
    let plumb = Plumb::new();
    assert_eq!(plumb.run(&["gen", "--units", "3"]).code, 2);
    let dir = plumb.dir().join("u");
    let done = plumb.run(&["gen", "-s", "2", "--units", "3", "-o", dir.to_str().expect("a path in UTF-8")]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(fs::read_dir(&dir).expect("made").count(), 3);
}

#[test]
fn options_that_are_left_out_say_why_and_others_are_listed() {
    let plumb = Plumb::new();
    let left = plumb.run(&["gen", "--klee"]);
    assert_eq!(left.code, 2);
    assert!(left.stderr.contains("external tool"), "{}", left.stderr);
    let listed = plumb.run(&["gen", "--list", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert!(list["constructs"].as_array().is_some_and(|all| all.len() > 50));
    let weights = plumb.dir().join("weights");
    let path = weights.to_str().expect("a path in UTF-8");
    assert_eq!(plumb.run(&["gen", "--dump-default-probabilities", path]).code, 0);
    assert_eq!(plumb.run(&["gen", "--probability-configuration", path]).code, 0);
}
