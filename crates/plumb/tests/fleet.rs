//! Many processes on one campaign: whatever their number, and whoever of them is killed, the findings are the same.

mod common;
#[path = "../../campaign/tests/postgres/mod.rs"]
mod postgres;

use common::{Plumb, lines};
use postgres::Server;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The files of all findings.
fn files(server: &Server, database: &str) -> BTreeMap<(String, String), Vec<u8>> {
    let sql = "SELECT finding, name, bytes FROM finding_file";
    let rows = server.client(database).query(sql, &[]).expect("listed");
    rows.iter().map(|row| ((row.get(0), row.get(1)), row.get(2))).collect()
}

/// The command line of the hunt: a right compiler, and one that crashes on some programs.
fn hunt(store: &str, jobs: &str) -> Vec<String> {
    let canary = common::repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let words = [
        "hunt",
        "--json",
        "--cc",
        "gcc",
        "--cc",
        &canary,
        "--levels",
        "-O0,-O2",
        "--drawn",
        "0",
        "--programs",
        "24",
        "--lease",
        "2s",
        "--jobs",
        jobs,
        "--store",
        store,
    ];
    words.map(str::to_owned).to_vec()
}

fn start(plumb: &Plumb, words: &[String]) -> Child {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    plumb.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Starts a worker as Slurm does: with the script of `deploy`, and an `srun` that only goes on with what it is given.
fn start_by_slurm_script(plumb: &Plumb, store: &str) -> Child {
    plumb.script("srun", "#!/bin/sh\nshift\nexec \"$@\"\n");
    let path = format!("{}:{}", plumb.dir().display(), std::env::var("PATH").expect("a path"));
    let script = common::repository().join("deploy/slurm/plumb-work.sbatch");
    let mut command = Command::new("sh");
    command.arg(script).current_dir(plumb.dir()).env("PATH", path).env("PLUMB", env!("CARGO_BIN_EXE_plumb"));
    command
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("PLUMB_STORE", store)
        .env("SLURM_CPUS_PER_TASK", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Waits until the campaign of a database has so many programs.
fn wait_for(server: &Server, database: &str, programs: i64) {
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        let sql = "SELECT count(*) FROM program";
        let there: i64 = server.client(database).query_one(sql, &[]).map_or(0, |row| row.get(0));
        if there >= programs {
            return;
        }
        assert!(Instant::now() < end, "only {there} programs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn three_processes_of_which_one_is_killed_find_what_one_finds() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let (alone, shared) = (server.database("alone"), server.database("shared"));
    let words = hunt(&alone, "1");
    let done = plumb.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(done.code, 1, "{}", done.stderr);
    let summary = lines(&done.stdout).pop().expect("a summary");
    assert_eq!(summary["programs"], 24);

    let mut victim = start(&plumb, &hunt(&shared, "1"));
    wait_for(&server, "shared", 2);
    let work: Vec<String> =
        ["work", "--store", &shared, "--jobs", "1", "--lease", "2s", "--drain"].map(str::to_owned).to_vec();
    let workers = [start(&plumb, &work), start_by_slurm_script(&plumb, &shared)];
    wait_for(&server, "shared", 6);
    victim.kill().expect("it runs");
    victim.wait().expect("it ended");
    for mut worker in workers {
        let mut said = String::new();
        worker.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        assert_eq!(worker.wait().expect("it ended").code(), Some(0), "{said}");
    }
    for table in ["program", "result", "finding_seen"] {
        let (one, three) = (server.rows("alone", table), server.rows("shared", table));
        assert!(!one.is_empty(), "{table}");
        assert_eq!(one, three, "{table}");
    }
    assert!(!files(&server, "alone").is_empty());
    let (one, three) = (files(&server, "alone"), files(&server, "shared"));
    assert!(one.keys().eq(three.keys()), "{:?}, {:?}", one.keys(), three.keys());
    for (name, text) in one {
        assert_eq!(text, three[&name], "{name:?}");
    }
    readers(&plumb, &shared);
}

/// What reads a directory reads a database.
fn readers(plumb: &Plumb, store: &str) {
    let listed = plumb.run(&["findings", "--json", "--store", store]);
    let found = lines(&listed.stdout);
    let id = found[0]["id"].as_str().expect("a finding").to_owned();
    let shown = plumb.run(&["show", &id, "--json", "--store", store]);
    assert_eq!(shown.code, 1, "{}", shown.stderr);
    let shown = plumb.run(&["show", &id, "--store", store]).stdout;
    let reproducer = shown.lines().find_map(|line| line.strip_prefix("reproduce: ")).expect("a line");
    assert!(std::path::Path::new(reproducer).is_file(), "{reproducer}");
    let page = plumb.run(&["report", "--html", "--campaign", "1", "--store", store]);
    assert!(page.code <= 1, "{}", page.stderr);
    metrics(plumb, store);
}

/// What Prometheus is told of a fleet, of which a worker was killed.
fn metrics(plumb: &Plumb, store: &str) {
    let words = ["serve", "--listen", "127.0.0.1:0", "--json", "--store", store];
    let mut serving = plumb.command(&words).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(serving.stdout.take().expect("piped")).read_line(&mut line).expect("text");
    let said: Value = serde_json::from_str(&line).expect(&line);
    let address = said["address"].as_str().expect("an address").to_owned();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it answers");
    serving.kill().expect("it runs");
    serving.wait().expect("it ended");
    let value = |name: &str| common::metric(&text, name);
    assert_eq!(value("programs_total"), 24.0);
    assert!(value("leases_total") >= 7.0, "six ranges, one of them twice: {text}");
    assert!(value("leases_lost_total") >= 1.0, "{text}");
    // Those that ended in good order are none any more, and the one that was killed never signed in.
    assert_eq!((value("workers"), value("items_open"), value("items_total")), (0.0, 0.0, 0.0), "{text}");
    for name in ["store_latency_seconds", "compilers_cpu_seconds", "own_cpu_seconds"] {
        assert!(value(name) > 0.0, "{name}: {text}");
    }
}

#[test]
fn a_worker_stops_at_once_and_leaves_what_is_not_for_it() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let store = server.database("stopped");
    let mut words = hunt(&store, "1");
    words.retain(|word| word != "--programs" && word != "24");
    let mut hunter = start(&plumb, &words);
    wait_for(&server, "stopped", 1);
    hunter.kill().expect("it runs");
    hunter.wait().expect("it ended");
    let mut worker = start(&plumb, &["work", "--store", &store, "--jobs", "1"].map(str::to_owned));
    let mut stderr = BufReader::new(worker.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("text");
    assert!(line.contains("works on campaign 1"), "{line}");
    wait_for(&server, "stopped", 3);
    let begun = Instant::now();
    let pid = worker.id().to_string();
    common::shell(&["kill", "-TERM", &pid]);
    assert_eq!(worker.wait().expect("it ended").code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let held =
        "SELECT count(*) FROM lease WHERE NOT done AND holder <> '' AND expires > now() + interval '3 s'";
    let held: i64 = server.client("stopped").query_one(held, &[]).expect("counted").get(0);
    assert_eq!(held, 0, "what it held is given back");
    let other = "UPDATE configuration SET hash = 'another'";
    server.client("stopped").execute(other, &[]).expect("the owner may");
    let refused = plumb.run(&["work", "--store", &store, "--drain"]);
    assert_eq!(refused.code, 5, "{}", refused.stderr);
    assert!(refused.stderr.contains("not for this machine: the executables of"), "{}", refused.stderr);
}

#[test]
fn an_address_with_a_password_is_refused() {
    let done = Plumb::new().run(&["findings", "--json", "--store", "postgres://me:hush@127.0.0.1/db"]);
    assert_eq!(done.code, 2);
    assert!(!done.stderr.contains("hush") && !done.stdout.contains("hush"));
    let said: Value = lines(&done.stdout).pop().expect("the error");
    assert!(said.to_string().contains("PGPASSFILE"), "{said}");
}

#[test]
fn a_compiler_that_changes_under_a_worker_is_noticed() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let compiler = plumb.script("cc", "#!/bin/sh\nexec gcc \"$@\"\n").display().to_string();
    let store = server.database("changed");
    let words =
        ["hunt", "--cc", &compiler, "--levels", "-O0", "--drawn", "0", "--jobs", "1", "--store", &store];
    let mut hunter = start(&plumb, &words.map(str::to_owned));
    wait_for(&server, "changed", 1);
    hunter.kill().expect("it runs");
    hunter.wait().expect("it ended");
    let mut worker = start(
        &plumb,
        &["work", "--store", &store, "--jobs", "1", "--lease", "1s", "--drain"].map(str::to_owned),
    );
    wait_for(&server, "changed", 5);
    let other = plumb.script("another", "#!/bin/sh\nexec gcc -fwrapv \"$@\"\n");
    std::fs::rename(other, &compiler).expect("its owner's");
    let mut said = String::new();
    worker.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert_eq!(worker.wait().expect("it ended").code(), Some(5), "{said}");
    assert!(said.contains("it was changed during the hunt"), "{said}");
    // What others see of it.
    let last = "SELECT words FROM worker WHERE words IS NOT NULL";
    let words_said: String = server.client("changed").query_one(last, &[]).expect("its last words").get(0);
    assert_eq!(words_said, "nothing was left that this machine can do");
    // The same command is another campaign now, and the old one is for nobody here.
    let mut again = words.map(str::to_owned).to_vec();
    again.extend(["--programs", "2"].map(str::to_owned));
    let done = plumb.run(&again.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let campaigns: i64 =
        server.client("changed").query_one("SELECT count(*) FROM campaign", &[]).expect("counted").get(0);
    assert_eq!(campaigns, 2);
    let refused = plumb.run(&["work", "--store", &store, "--drain"]);
    assert_eq!(refused.code, 5, "{}", refused.stderr);
    assert!(refused.stderr.contains("not for this machine: the executables of"), "{}", refused.stderr);
}
