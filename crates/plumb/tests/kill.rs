//! `kill -9` of a hunt at arbitrary moments: it resumes, counts nothing twice, loses nothing committed, and leaves no
//! process and no temporary file.
//!
//! `PLUMB_KILLS` sets how often (`benches/kill-9` uses 20).

mod common;

use common::{Plumb, lines, shell};
use rusqlite::Connection;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const PROGRAMS: &str = "40";

/// Results, programs and findings that are committed.
fn committed(store: &Path) -> (i64, i64) {
    let Ok(db) = Connection::open(store.join("plumb.sqlite")) else { return (0, 0) };
    let _ = db.busy_timeout(Duration::from_secs(10));
    let count = |table: &str| {
        db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap_or(0)
    };
    (count("program"), count("result"))
}

/// Waits until no process has the marker in its environment or command line, and no scratch directory is left.
fn nothing_left(marker: &str, scratch: &Path) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let alive = shell(&["sh", "-c", &format!("grep -lza '{marker}' /proc/[0-9]*/environ 2>/dev/null")]);
        let myself = format!("/proc/{}/", std::process::id());
        let processes: Vec<&str> = alive.stdout.lines().filter(|line| !line.starts_with(&myself)).collect();
        let files: Vec<String> = walk(scratch);
        if processes.is_empty() && files.is_empty() {
            return Ok(());
        }
        if Instant::now() > end {
            return Err(format!("left: processes {processes:?}, files {files:?}"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// All files beneath, but for the lock that guards the directory itself.
fn walk(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.file_name().is_some_and(|name| name != ".gate") {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn killed_hunts_resume() {
    let kills: u64 = std::env::var("PLUMB_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let plumb = Plumb::new();
    let scratch = plumb.dir().join("scratch");
    std::fs::create_dir(&scratch).expect("writable");
    let marker = format!("PLUMB_TEST_MARK={}-{}", std::process::id(), plumb.dir().display());
    let (name, value) = marker.split_once('=').expect("a variable");
    // A canary among the compilers, so that findings are written as well.
    let canary = common::repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let args = [
        "hunt",
        "--json",
        "--cc",
        "gcc",
        "--cc",
        &canary,
        "--levels",
        "-O0,-O2",
        "--programs",
        PROGRAMS,
        "--jobs",
        "2",
        // Each program is for both.
        "--tokens",
        "1000",
    ];
    let start = || {
        let mut command = plumb.command(&args);
        command.env(name, value).env("TMPDIR", &scratch);
        command
    };
    // Moments are spread by a fixed sequence, so that a failure comes again.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut before = (0, 0);
    for kill in 0..kills {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut child = start().stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(300 + state % 2200));
        child.kill().expect("it is ours");
        child.wait().expect("it was started");
        nothing_left(value, &scratch).unwrap_or_else(|left| panic!("kill {kill}: {left}"));
        let now = committed(&plumb.store());
        assert!(now >= before, "kill {kill} lost results: {before:?} became {now:?}");
        before = now;
    }
    let done = common::finish(&mut start());
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["programs"].to_string(), PROGRAMS, "{summary}\n{}", done.stderr);
    assert_eq!(committed(&plumb.store()), (40, 160), "{summary}");
    let results: u64 =
        summary["results"].as_object().expect("counts").values().filter_map(|n| n.as_u64()).sum();
    assert_eq!(results, 160, "{summary}");
    // Every finding has a whole directory, and every directory a finding.
    let listed = plumb.run(&["findings", "--json"]);
    let rows: Vec<_> = lines(&listed.stdout).into_iter().filter(|line| line["type"] == "finding").collect();
    assert!(!rows.is_empty(), "the canary was not caught");
    for row in &rows {
        for file in ["program.c", "repro.sh", "finding.json"] {
            let path = Path::new(row["directory"].as_str().expect("a path")).to_owned();
            assert!(plumb.dir().join(path).join(file).is_file(), "{row}: no {file}");
        }
    }
    let directories = std::fs::read_dir(plumb.store().join("findings")).expect("there").count();
    assert_eq!(directories, rows.len());
    nothing_left(value, &scratch).unwrap_or_else(|left| panic!("at the end: {left}"));
}

/// What a compiler leaves when it is killed lies where plumb clears up: each call has a directory of its own for that.
#[test]
fn compilers_put_temporary_files_where_they_are_removed() {
    let plumb = Plumb::new();
    let scratch = plumb.dir().join("scratch");
    std::fs::create_dir(&scratch).expect("writable");
    let log = plumb.dir().join("calls");
    let text = format!("#!/bin/sh\necho \"$TMPDIR: $*\" >>{}\nexec gcc \"$@\"\n", log.display());
    let cc = plumb.script("cc-that-tells", &text).display().to_string();
    let args =
        ["hunt", "--cc", &cc, "--levels", "-O1,-O2 -flto", "--drawn", "1", "--programs", "2", "--plain"];
    let mut command = plumb.command(&args);
    command.env("TMPDIR", &scratch);
    common::finish(&mut command);
    let calls = std::fs::read_to_string(&log).expect("it was called");
    assert!(calls.lines().any(|call| call.contains("--help=optimizers")), "{calls}");
    let apart = format!("{}/", scratch.display());
    // Preprocessing and telling versions write no file.
    let writes = |call: &&str| !["-E", "-v", "--version", "-dumpmachine"].iter().any(|word| has(call, word));
    for call in calls.lines().filter(writes) {
        assert!(call.starts_with(&apart), "{call}");
    }
}

fn has(call: &str, word: &str) -> bool {
    call.split(' ').any(|other| other == word)
}
