//! A hunt whose programs a farm compiles and runs finds what one on this machine finds, whatever the farm does.

mod common;
#[path = "../../campaign/tests/postgres/mod.rs"]
mod postgres;
#[path = "../../remote/tests/server/mod.rs"]
mod server;

use common::{Done, Plumb, lines};
use serde_json::Value;
use server::{Fault, Server};
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tonic::Code;

/// A hunt in a store of its own: of a right compiler and one that is wrong for some programs, with options drawn.
fn hunt(plumb: &Plumb, store: &str, more: &[&str]) -> Done {
    let canary = common::repository().join("tests/hunt/canaries/changed-constant").display().to_string();
    let words = ["hunt", "--json", "--cc", "gcc", "--cc", &canary, "--levels", "-O0,-O2", "--programs", "6"];
    plumb.run(&[&words[..], &["--tokens", "1500", "--jobs", "4", "--store", store], more].concat())
}

/// What a hunt said of each program, in order, without what is a time.
fn said(done: &Done) -> Vec<Value> {
    let mut all = lines(&done.stdout);
    all.retain(|line| line["type"] == "program");
    for line in &mut all {
        line["compilers_cpu_seconds"] = Value::Null;
        // How long something took is part of some texts.
        for one in line["not_passed"].as_array_mut().expect("a list") {
            one["detail"] = Value::Null;
        }
        for finding in line["findings"].as_array_mut().expect("a list") {
            for key in ["at", "dir", "path"] {
                finding[key] = Value::Null;
            }
        }
    }
    all.sort_by_key(|line| line["seed"].as_u64());
    all
}

#[test]
fn a_farm_changes_nothing_that_is_found() {
    let server = Server::start();
    let plumb = Plumb::new();
    let here = hunt(&plumb, "here", &[]);
    assert_eq!(here.code, 1, "the planted bug is to show: {}", here.stderr);
    let far = ["--executor", &server.url()];
    let there = hunt(&plumb, "there", &far);
    assert_eq!(there.code, 1, "{}", there.stderr);
    assert_eq!(said(&there), said(&here));
    let executed = server.executed();
    assert!(executed >= 20, "only {executed} of 24 were sent there");
    // The same again: all that did what it should is known.
    let again = hunt(&plumb, "again", &far);
    assert_eq!(said(&again), said(&here));
    let passed = said(&here)
        .iter()
        .map(|line| 4 - line["not_passed"].as_array().expect("a list").len() as u64)
        .sum::<u64>();
    assert!(server.executed() - executed <= 24 - passed, "{} of {executed}", server.executed() - executed);
    assert!(server.properties().iter().any(|p| p.starts_with("compiler=gcc")), "{:?}", server.properties());
}

#[test]
fn split_programs_inputs_and_arguments_reach_the_farm() {
    let server = Server::start();
    let plumb = Plumb::new();
    let url = server.url();
    // What is compiled on this machine is written down.
    let log = plumb.dir().join("log");
    let cc = plumb.script("cc", "#!/bin/sh\n[ -z \"$LOG\" ] || echo \"$*\" >>\"$LOG\"\nexec gcc \"$@\"\n");
    let cc = cc.display().to_string();
    let far = ["--cc", &cc, "--levels", "-O1,-Os", "--drawn", "0", "--plain", "--executor", &url];
    let run = |words: &[&str]| {
        let done = common::finish(plumb.command(&[words, &far].concat()).env("LOG", &log));
        let here = std::fs::read_to_string(&log).expect("a log");
        assert!(here.contains("program.c") && !here.contains("-O1"), "its word was enough: {here}");
        done
    };
    let done = run(&["hunt", "--units", "3", "--programs", "4", "--store", "split"]);
    assert_eq!((done.code, server.executed()), (0, 8), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("farm: 8 actions asked, 0 of them known"), "{}", done.stdout);

    std::fs::create_dir(plumb.dir().join("programs")).expect("writable");
    let text = "#include <stdio.h>\nint main(int argc, char **argv) {\n  char line[64];\n  \
                if (!fgets(line, 64, stdin)) return 1;\n  printf(\"%d %s %s\", argc, argv[1], line);\n  return 125;\n}\n";
    plumb.file("programs/echo.c", text);
    plumb.file("in.txt", "seven\n");
    let done =
        run(&["hunt", "--from", "programs", "--stdin", "in.txt", "--argv", "it's $HOME", "--store", "echo"]);
    assert_eq!((done.code, server.executed()), (0, 10), "{}{}", done.stdout, done.stderr);
}

#[test]
fn a_farm_that_fails_ends_the_hunt_and_loses_nothing() {
    let server = Server::start();
    let plumb = Plumb::new();
    let here = hunt(&plumb, "here", &[]);
    let url = server.url();
    let far = ["--executor", url.as_str()];
    let half = hunt(&plumb, "there", &["--alarms", "1", "--executor", &url]);
    assert_eq!(half.code, 1, "{}", half.stderr);
    server.fault(Fault::Refuses(Code::PermissionDenied));
    let refused = hunt(&plumb, "there", &far);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("not today") && refused.stderr.contains(&url), "{}", refused.stderr);
    server.fault(Fault::EveryOther(Code::Unavailable));
    let rest = hunt(&plumb, "there", &far);
    assert_eq!(rest.code, 1, "{}", rest.stderr);
    let mut both = [said(&half), said(&rest)].concat();
    both.sort_by_key(|line| line["seed"].as_u64());
    assert_eq!(both, said(&here));
}

/// The farm's environment is not this one's: what a compiler does there is not what it does here.
#[test]
fn a_bug_that_shows_at_the_farm_alone_is_no_alarm() {
    let server = Server::start();
    let plumb = Plumb::new();
    let cc = plumb.script(
        "cc",
        "#!/bin/sh\nfor word; do [ \"$word\" = -o ] && [ -z \"$MINE\" ] && exec gcc -Dprintf=wprintf \"$@\"; done\nexec gcc \"$@\"\n",
    );
    let words = [
        "hunt",
        "--json",
        "--cc",
        &cc.display().to_string(),
        "--levels",
        "-O0",
        "--drawn",
        "0",
        "--programs",
        "4",
    ];
    let mut command = plumb.command(&[&words[..], &["--executor", &server.url()]].concat());
    let done = common::finish(command.env("MINE", "1"));
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    assert_eq!(server.executed(), 4);
}

#[test]
fn another_compiler_at_the_farm_is_refused() {
    let server = Server::start();
    let plumb = Plumb::new();
    let cc = plumb.script(
        "cc",
        "#!/bin/sh\n[ \"$*\" = --version ] && [ -z \"$MINE\" ] && { echo gcc 1.0; exit; }\nexec gcc \"$@\"\n",
    );
    let words = ["hunt", "--cc", &cc.display().to_string(), "--levels", "-O0", "--programs", "4", "--plain"];
    let mut command = plumb.command(&[&words[..], &["--executor", &server.url()]].concat());
    let done = common::finish(command.env("MINE", "1"));
    assert_eq!(done.code, 2, "{}{}", done.stdout, done.stderr);
    for word in ["gcc 1.0", "route by the property `compiler`"] {
        assert!(done.stderr.contains(word), "no `{word}` in: {}", done.stderr);
    }
}

fn wait(what: &str, mut there: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !there() {
        assert!(Instant::now() < end, "not within two minutes: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A worker of a campaign that was begun without a farm asks one; told to stop, it leaves nothing running there; and the campaign
/// comes to what one machine comes to.
#[test]
fn a_worker_asks_a_farm_and_takes_back_what_it_asked_when_it_is_stopped() {
    let Some(database) = postgres::Server::start() else { return };
    let farm = Server::start();
    let plumb = Plumb::new();
    let canary = common::repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let (alone, shared) = (database.database("alone"), database.database("shared"));
    let words = ["hunt", "--cc", "gcc", "--cc", &canary, "--levels", "-O0,-O2", "--drawn", "0"];
    let words = [&words[..], &["--programs", "6", "--jobs", "1", "--lease", "1s", "--store"]].concat();
    let done = plumb.run(&[&words[..], &[&alone]].concat());
    assert_eq!(done.code, 1, "{}", done.stderr);
    let mut beginning = plumb.command(&[&words[..], &[&shared]].concat());
    let mut beginning = beginning.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let programs = || {
        let sql = "SELECT count(*) FROM program";
        database.client("shared").query_one(sql, &[]).map_or(0, |row| row.get::<_, i64>(0))
    };
    wait("the first program", || programs() > 0);
    beginning.kill().expect("it runs");
    beginning.wait().expect("it ended");

    farm.guard("Bearer hush");
    farm.fault(Fault::NeverEnds);
    let token = plumb.file("token", "hush\n");
    std::fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("its owner's");
    let (url, token) = (farm.url(), token.display().to_string());
    let work = ["work", "--store", &shared, "--jobs", "2", "--lease", "1s", "--executor", &url];
    let work = [&work[..], &["--executor-token", &token]].concat();
    let mut stopped = plumb.command(&work).stderr(Stdio::piped()).spawn().expect("it starts");
    wait("two actions", || farm.running() == 2);
    let begun = Instant::now();
    common::shell(&["kill", "-TERM", &stopped.id().to_string()]);
    let mut said = String::new();
    stopped.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert_eq!(stopped.wait().expect("it ended").code(), Some(0), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!((farm.cancelled(), farm.running(), farm.executed()), (2, 0, 0), "{said}");

    farm.fault(Fault::None);
    let done = plumb.run(&[&work[..], &["--drain"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(farm.executed() > 4, "only {} were sent there", farm.executed());
    assert!(!format!("{said}{}{}", done.stdout, done.stderr).contains("hush"));
    for table in ["program", "result", "finding_seen"] {
        let (one, both) = (database.rows("alone", table), database.rows("shared", table));
        assert!(!one.is_empty(), "{table}");
        assert_eq!(one, both, "{table}: {}", done.stderr);
    }
}

#[test]
fn addresses_that_are_none_are_refused_before_anything_is_done() {
    let plumb = Plumb::new();
    for (words, word) in [
        (&["--executor", "http://x:1"][..], "grpc://HOST:PORT"),
        (&["--executor", "grpc://127.0.0.1:1"], "refused"),
        (&["--executor-property", "a=b"], "--executor"),
        (&["--executor", "grpc://127.0.0.1:1", "--executor-property", "a"], "NAME=VALUE"),
    ] {
        let done = hunt(&plumb, "none", words);
        assert_eq!(done.code, 2, "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains(word), "{words:?}: {}", done.stderr);
        assert!(!plumb.dir().join("none").exists(), "{words:?}");
    }
}
