//! The examples of README.md do what it says: its files are written, its commands run one after the other in an empty
//! directory, and what they print is what it shows.
//!
//! A block that begins with three backquotes, `c` and a file's name is that file. In a block `console`, lines behind `$ ` are
//! commands of a shell and the others their output, in which `...` alone stands for any lines. Times, sizes and shares
//! of one run, versions, and hexadecimal names are those of another machine; the same name twice has to be the same again.

mod common;

use common::repository;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A fenced block: what stands behind the backquotes, and its lines.
struct Block {
    info: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some(Block { info: info.trim().to_owned(), lines: Vec::new() }),
            (Some(_), Some(_)) => all.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    all
}

fn readme() -> Vec<Block> {
    let found = blocks(&std::fs::read_to_string(repository().join("README.md")).expect("README.md"));
    assert!(found.len() >= 5, "only {} blocks: does this test still read them?", found.len());
    found
}

/// Words of a line with the signs between them.
fn words(line: &str) -> Vec<String> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
    let mut all: Vec<String> = Vec::new();
    let mut within = false;
    for c in line.chars().filter(|c| *c != ' ') {
        match all.last_mut() {
            Some(last) if within && inner(c) => last.push(c),
            _ => all.push(c.to_string()),
        }
        within = inner(c);
    }
    all
}

/// [`words`], a space apart from its neighbours where the line has one. Of a time of minutes and more, the seconds alone: a
/// busy machine takes longer than the page.
fn spaced(line: &str) -> Vec<String> {
    let mut all: Vec<String> = line.split(' ').filter(|part| !part.is_empty()).flat_map(words).collect();
    while let Some(at) = (1..all.len().saturating_sub(2)).find(|at| is_longer(&all, *at)) {
        all.drain(at - 1..=at);
    }
    all
}

/// Is there a number of minutes or hours, the word at `at`, before one of a smaller unit?
fn is_longer(words: &[String], at: usize) -> bool {
    let is_number = |at: usize| words[at].parse::<u32>().is_ok();
    matches!(words[at].as_str(), "min" | "h")
        && is_number(at - 1)
        && is_number(at + 1)
        && matches!(words[at + 2].as_str(), "s" | "min")
}

const UNITS: &[&str] = &["ms", "s", "MB", "%", "/"];

/// Is the word at `at` a measured number?
fn is_measured(words: &[String], at: usize) -> bool {
    words[at].parse::<f64>().is_ok() && words.get(at + 1).is_some_and(|next| UNITS.contains(&next.as_str()))
}

fn is_version(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.matches('.').count() >= 2
}

/// The hexadecimal name at the end of a word, with what stands before it.
fn hexadecimal(word: &str) -> Option<(&str, &str)> {
    let at = word.rfind('-').map_or(0, |at| at + 1);
    let (before, name) = word.split_at(at);
    let hex = name.len() >= 8 && name.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then_some((before, name))
}

/// Names of the README, as this run has them.
type Names = BTreeMap<String, String>;

/// Is this what the README shows, apart from what is of one run? Then its names are noted.
fn same(shown: &str, printed: &str, names: &mut Names) -> bool {
    let (left, right) = (spaced(shown), spaced(printed));
    let mut met = names.clone();
    let fits = left.len() == right.len()
        && (0..left.len()).all(|at| {
            let (a, b) = (&left[at], &right[at]);
            if a == b || is_version(a) && is_version(b) || is_measured(&left, at) && is_measured(&right, at) {
                return true;
            }
            let (Some((before, a)), Some((other, b))) = (hexadecimal(a), hexadecimal(b)) else {
                return false;
            };
            let known = met.entry(a.to_owned()).or_insert_with(|| b.to_owned());
            before == other && known == b
        });
    if fits {
        *names = met;
    }
    fits
}

/// Compares what was printed with what the README shows; the fault, if there is one.
fn compare(shown: &[String], printed: &str, names: &mut Names) -> Result<(), String> {
    let mut printed = printed.lines();
    let mut any = false;
    for line in shown {
        if line == "..." {
            any = true;
            continue;
        }
        loop {
            match printed.next() {
                Some(next) if same(line, next, names) => break,
                Some(_) if any => {}
                Some(next) => return Err(format!("shown:   {line}\nprinted: {next}")),
                None => return Err(format!("shown, and never printed: {line}")),
            }
        }
        any = false;
    }
    match printed.next() {
        Some(next) if !any => Err(format!("printed, and not shown: {next}")),
        _ => Ok(()),
    }
}

/// What a command prints, on both streams.
fn run(command: &str, dir: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_plumb"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a directory").display());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).current_dir(dir).env("PATH", path);
    shell.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    let done = shell.output().expect("sh");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn examples_print_what_is_shown() {
    let dir = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink(repository().join("tests"), dir.path().join("tests")).expect("a link");
    let mut names = Names::new();
    let mut commands = 0;
    for block in readme() {
        if let Some(file) = block.info.strip_prefix("c ") {
            std::fs::write(dir.path().join(file), block.lines.join("\n") + "\n").expect("written");
        }
        if block.info != "console" {
            continue;
        }
        let starts: Vec<usize> =
            (0..block.lines.len()).filter(|i| block.lines[*i].starts_with("$ ")).collect();
        for (n, &start) in starts.iter().enumerate() {
            let end = starts.get(n + 1).copied().unwrap_or(block.lines.len());
            let mut shown = &block.lines[start + 1..end];
            while let [rest @ .., last] = shown
                && last.is_empty()
            {
                shown = rest;
            }
            let mut command = block.lines[start][2..].to_owned();
            names.iter().for_each(|(there, here)| command = command.replace(there.as_str(), here));
            let printed = run(&command, dir.path());
            if let Err(fault) = compare(shown, &printed, &mut names) {
                panic!("README.md: `{command}`:\n{fault}\n\nall of it:\n{printed}");
            }
            commands += 1;
        }
    }
    assert!(commands >= 5, "only {commands} commands");
}

#[test]
fn first_commands_are_understood() {
    let dir = tempfile::tempdir().expect("a directory");
    let lines: Vec<String> =
        readme().into_iter().filter(|block| block.info == "sh").flat_map(|block| block.lines).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let command = line.split('#').next().unwrap_or_default().trim();
        if let Some(words) = command.strip_prefix("cargo run --release -p plumb -- ") {
            // One program instead of minutes, one compiler instead of all.
            let printed = run(&format!("plumb {words} --programs 1 --cc gcc --levels=-O0"), dir.path());
            assert!(printed.ends_with("no alarms\n"), "{line}: {printed}");
            continue;
        }
        let mut words = command.split_whitespace();
        let script = repository().join(words.next().expect("a command"));
        let mode = std::fs::metadata(&script).unwrap_or_else(|e| panic!("{line}: {e}")).permissions().mode();
        assert!(mode & 0o111 != 0, "{line}: not executable");
        let text = std::fs::read_to_string(&script).expect("a script");
        for option in words {
            assert!(text.contains(&format!("    {option}) ")), "{line}: takes no {option}");
        }
    }
}

#[test]
fn every_command_is_listed_with_its_page() {
    let text = std::fs::read_to_string(repository().join("README.md")).expect("README.md");
    let help = run("plumb --help", Path::new("/"));
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 7, "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(text.contains(&format!("`plumb {command}`")), "README.md does not list plumb {command}");
    }
    for page in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(page.starts_with("https:") || repository().join(page).exists(), "README.md: no {page}");
    }
}

#[test]
fn comparisons_see_what_differs() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let fits = |shown: &str, printed: &str| compare(&lines(shown), printed, &mut Names::new()).is_ok();
    assert!(fits("f: proved in 190 ms: 2 points", "f: proved in 7 ms: 2 points\n"));
    assert!(!fits("f: proved in 190 ms: 2 points", "f: proved in 190 ms: 3 points\n"));
    assert!(fits("3 programs in 22 s", "3 programs in 1 min 01 s\n"));
    assert!(fits("in 1 h 2 min 3 s, in 4 s", "in 9 s, in 2 min 59 s\n"));
    assert!(!fits("3 programs in 22 s", "3 programs in 1 min\n"));
    assert!(!fits("f: proved", "f: proved\nand more\n"));
    assert!(!fits("f: proved\nand more", "f: proved\n"));
    assert!(fits("...\nlast", "one\ntwo\nlast\n"));
    assert!(fits("gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc (Debian 12.2.1-2) 12.2.1\n"));
    assert!(fits("x = C54B4B6E, x = C2E7979C, x = C54B4B6E", "x = 00000001, x = 00000002, x = 00000001\n"));
    assert!(!fits("x = C54B4B6E, x = C54B4B6E", "x = 00000001, x = 00000002\n"));
    assert!(!fits("code-f4bf71bda8", "hang-f4bf71bda9\n"));
}
