//! Functions to prove and to compare, and findings to reduce, as items that many processes answer: whoever does, and whoever of
//! them is killed, what comes of it is what one machine comes to. And how a store is spoken to from afar.

mod common;
#[path = "../../campaign/tests/postgres/mod.rs"]
mod postgres;

use common::{Done, Plumb, lines, repository};
use postgres::Server;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// What a command printed, without what it cost.
fn told(done: &Done) -> Vec<Value> {
    let mut all = lines(&done.stdout);
    for line in &mut all {
        let Some(line) = line.as_object_mut() else { continue };
        line.retain(|key, _| !key.ends_with("ms") && !key.contains("memory") && !key.contains("seconds"));
        line.remove("queries");
        line.remove("workers_replaced");
        if let Some(reason) = line.get_mut("reason").and_then(Value::as_object_mut) {
            reason.remove("costliest");
        }
    }
    all
}

fn start(plumb: &Plumb, words: &[&str]) -> Child {
    plumb.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

fn count(server: &Server, database: &str, sql: &str) -> i64 {
    server.client(database).query_one(sql, &[]).map_or(0, |row| row.get(0))
}

fn wait_for(server: &Server, database: &str, sql: &str) {
    let end = Instant::now() + Duration::from_secs(120);
    while count(server, database, sql) == 0 {
        assert!(Instant::now() < end, "never: {sql}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A command alone; with a store, begun by a process that is killed, done by a worker, and asked for again; all come to the same.
fn alone_and_shared(server: &Server, database: &str, words: &[&str]) {
    let plumb = Plumb::new();
    let alone = plumb.run(words);
    assert!(alone.code <= 5, "{}", alone.stderr);
    let expected = told(&alone);
    assert!(expected.len() > 5, "too few to share: {expected:?}");
    let store = server.database(database);
    let shared = [words, &["--store", &store]].concat();
    let mut first = start(&plumb, &shared);
    // Each file is a job, begun one after the other.
    wait_for(server, database, &format!("SELECT count(*) / {} FROM job", jobs(words)));
    first.kill().expect("it runs");
    first.wait().expect("it ended");
    // What it held is free when its lease ends; nobody waits for a minute here.
    let owner = "UPDATE item SET expires = '-infinity' WHERE NOT done";
    server.client(database).execute(owner, &[]).expect("the owner may");
    let worked = plumb.run(&["work", "--drain", "--jobs", "2", "--store", &store]);
    assert_eq!(worked.code, 0, "{}", worked.stderr);
    let others = "SELECT count(*) FROM item JOIN worker ON holder = worker.id WHERE done";
    let begun = count(server, database, "SELECT count(*) FROM item");
    let again = plumb.run(&shared);
    assert_eq!(again.code, alone.code, "{}", again.stderr);
    assert_eq!(told(&again), expected, "{}", again.stderr);
    assert!(count(server, database, others) > 0, "of {begun} items the worker did none");
    assert_eq!(count(server, database, "SELECT count(*) FROM item WHERE NOT done"), 0);
}

/// How many jobs a command is.
fn jobs(words: &[&str]) -> i64 {
    match words[0] {
        "prove" => words.iter().filter(|word| word.ends_with(".mir")).count() as i64,
        _ => 1,
    }
}

#[test]
fn proofs_are_those_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let at = |name: &str| repository().join("tests/equiv").join(name).display().to_string();
    let files = [
        "equivalent/arithm_seq_sum.mir",
        "equivalent/aligned_global.mir",
        "equivalent/arguments_handed_on.mir",
        "equivalent/atomics.mir",
        "broken/arithm_seq_sum_condition.mir",
        "broken/argument_not_stored.mir",
    ]
    .map(at);
    let mut words = vec!["prove", "--json", "--jobs", "1"];
    words.extend(files.iter().map(String::as_str));
    alone_and_shared(&server, "proofs", &words);
}

#[test]
fn differences_are_those_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let body = |n: u32| {
        format!(
            "int f{n}(int *a, int n) {{ int s = {n}; for (int i = 0; i < n; i++) s += a[i] * {n}; return s; }}\n"
        )
    };
    let source = plumb.file("f.c", (2..10).map(body).collect::<String>());
    let object = |level: &str| {
        let path = plumb.dir().join(format!("f{level}.o")).display().to_string();
        let source = source.display().to_string();
        let done = common::shell(&["gcc", level, "-c", "-ffunction-sections", "-o", &path, &source]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        path
    };
    let (old, new) = (object("-O1"), object("-O2"));
    alone_and_shared(&server, "differences", &["diff", "--json", "--jobs", "1", "--no-cache", &old, &new]);
}

/// The files of reduced findings beneath a directory, by finding and name, without the figures, which have times.
fn reduced(dir: &Path, ids: &[String]) -> BTreeMap<(String, String), Vec<u8>> {
    let mut files = BTreeMap::new();
    for id in ids {
        let entries = std::fs::read_dir(dir.join(id).join("reduced")).expect("it was reduced");
        for entry in entries.map(|entry| entry.expect("readable")) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != "reduction.json" && entry.path().is_file() {
                files.insert((id.clone(), name), std::fs::read(entry.path()).expect("readable"));
            }
        }
    }
    files
}

#[test]
fn reductions_are_those_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let canary = repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let (alone, shared) = (plumb.store().display().to_string(), server.database("reductions"));
    for store in [&alone, &shared] {
        let done = plumb.run(&[
            "hunt", "--cc", &canary, "--levels", "-O2", "--drawn", "0", "--alarms", "2", "--jobs", "1",
            "--store", store,
        ]);
        assert_eq!(done.code, 1, "{}", done.stderr);
    }
    let done = plumb.run(&["reduce", "--all", "--json", "--jobs", "1", "--store", &alone]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let mut first = start(&plumb, &["reduce", "--all", "--jobs", "1", "--store", &shared]);
    wait_for(&server, "reductions", "SELECT count(*) FROM item");
    first.kill().expect("it runs");
    first.wait().expect("it ended");
    let owner = "UPDATE item SET expires = '-infinity' WHERE NOT done";
    server.client("reductions").execute(owner, &[]).expect("the owner may");
    // With more programs to test, it does first what somebody waits for.
    let mut worker = start(&plumb, &["work", "--jobs", "1", "--store", &shared]);
    wait_for(&server, "reductions", "SELECT count(*) FROM item WHERE done");
    let done = plumb.run(&["reduce", "--all", "--json", "--jobs", "1", "--store", &shared]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    common::shell(&["kill", "-TERM", &worker.id().to_string()]);
    assert_eq!(worker.wait().expect("it ended").code(), Some(0));
    let ids: Vec<String> =
        lines(&done.stdout).iter().map(|line| line["id"].as_str().expect("an identity").to_owned()).collect();
    assert!(!ids.is_empty());
    let cache = tempfile::tempdir().expect("a directory");
    for id in &ids {
        let mut show = plumb.command(&["show", id, "--store", &shared]);
        show.env("XDG_CACHE_HOME", cache.path());
        assert!(common::finish(&mut show).code <= 1);
    }
    let here = reduced(&plumb.store().join("findings"), &ids);
    assert!(here.len() > ids.len(), "{:?}", here.keys());
    assert_eq!(reduced(&cache.path().join("plumb/findings"), &ids), here);
    let again = plumb.run(&["reduce", "--all", "--json", "--store", &shared]);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""), "nothing is left");
}

/// A compiler with a bug that takes its time, as real ones do with real programs.
fn slow_compiler(plumb: &Plumb, name: &str, seconds: &str) -> String {
    let canary = repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let text =
        format!("#!/bin/sh\ncase \"$*\" in *program.c*) sleep {seconds} ;; esac\nexec {canary} \"$@\"\n");
    plumb.script(name, &text).display().to_string()
}

/// Finds one bug of a compiler, and leaves no programs to test.
fn one_finding(server: &Server, database: &str, plumb: &Plumb, compiler: &str, stores: &[&str]) {
    for store in stores {
        let done = plumb.run(&[
            "hunt", "--cc", compiler, "--levels", "-O2", "--drawn", "0", "--alarms", "1", "--jobs", "1",
            "--store", store,
        ]);
        assert_eq!(done.code, 1, "{}", done.stderr);
    }
    let over = "UPDATE lease SET done = true; UPDATE campaign SET total = next";
    server.client(database).batch_execute(over).expect("the owner may");
}

#[test]
fn a_worker_with_other_compilers_tests_no_candidates() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let compiler = slow_compiler(&plumb, "slow-compiler", "0.15");
    let store = server.database("strangers");
    one_finding(&server, "strangers", &plumb, &compiler, &[&store]);
    let mut holder = start(&plumb, &["reduce", "--all", "--jobs", "1", "--store", &store]);
    let offered = "SELECT count(*) FROM job WHERE kind = 'reduce-part' AND parts > 0";
    wait_for(&server, "strangers", offered);
    // Under the same name it is another one for whoever comes now.
    std::fs::rename(slow_compiler(&plumb, "another", "0.16"), &compiler).expect("its owner's");
    let words = ["work", "--jobs", "1", "--store", &store];
    let mut stranger = plumb.command(&words).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut said = String::new();
    let mut told = std::io::BufReader::new(stranger.stderr.take().expect("piped"));
    while !said.contains("not for this machine") {
        assert!(std::io::BufRead::read_line(&mut told, &mut said).expect("text") > 0, "it ended: {said}");
    }
    assert!(said.contains("its compilers are others here"), "{said}");
    let tested =
        "SELECT count(*) FROM item JOIN job ON job.id = item.job WHERE kind = 'reduce-part' AND done";
    for _ in 0..20 {
        assert_eq!(count(&server, "strangers", tested), 0);
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(holder.try_wait().expect("ours").is_none(), "it was over before anything could be tested");
    for process in [&mut holder, &mut stranger] {
        process.kill().expect("it runs");
        process.wait().expect("it ended");
    }
}

#[test]
fn a_finding_that_names_what_its_campaign_has_not_is_not_run() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let canary = repository().join("tests/hunt/canaries/crash-message").display().to_string();
    let store = server.database("mallory");
    one_finding(&server, "mallory", &plumb, &canary, &[&store]);
    let trace = plumb.dir().join("it-was-run");
    let evil = plumb.script("evil", &format!("#!/bin/sh\ntouch {}\nexec {canary} \"$@\"\n", trace.display()));
    let whole: Vec<u8> = server
        .client("mallory")
        .query_one("SELECT bytes FROM finding_file WHERE name = 'finding.json'", &[])
        .expect("one")
        .get(0);
    let whole = String::from_utf8(whole).expect("JSON");
    let plugin = format!("-fplugin={}", trace.display());
    for (facts, why) in [
        (whole.replace(&canary, &evil.display().to_string()), "its campaign has no compiler"),
        (whole.replace("\"-O2\"", &format!("\"-O2\", \"{plugin}\"")), "a hunt gives no compiler the option"),
    ] {
        assert_ne!(facts, whole);
        let sql = "UPDATE finding_file SET bytes = $1 WHERE name = 'finding.json'";
        server.client("mallory").execute(sql, &[&facts.as_bytes()]).expect("the owner may");
        for command in ["reduce --all", "triage"] {
            let words: Vec<&str> = command.split(' ').chain(["--store", &store]).collect();
            let done = plumb.run(&words);
            let said = format!("{}{}", done.stdout, done.stderr);
            assert!(done.code != 0 && said.contains(why), "{command}: {} {said}", done.code);
        }
        assert!(!trace.exists(), "{why}");
    }
    let sql = "UPDATE finding_file SET bytes = $1 WHERE name = 'finding.json'";
    server.client("mallory").execute(sql, &[&whole.as_bytes()]).expect("the owner may");
    let done = plumb.run(&["triage", "--no-reduce", "--store", &store]);
    assert_eq!(done.code, 1, "what is as it was is a bug: {}", done.stderr);
}

#[test]
fn one_reduction_on_many_machines_is_that_of_one_thread() {
    let Some(server) = Server::start() else { return };
    let plumb = Plumb::new();
    let compiler = slow_compiler(&plumb, "slow-compiler", "0.15");
    let (alone, shared) = (plumb.store().display().to_string(), server.database("one"));
    one_finding(&server, "one", &plumb, &compiler, &[&alone, &shared]);
    let done = plumb.run(&["reduce", "--all", "--json", "--jobs", "1", "--store", &alone]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let mut first = start(&plumb, &["reduce", "--all", "--jobs", "1", "--store", &shared]);
    wait_for(&server, "one", "SELECT count(*) FROM item");
    first.kill().expect("it runs");
    first.wait().expect("it ended");
    let free = || {
        let owner = "UPDATE item SET expires = '-infinity' FROM job WHERE job.id = item.job AND kind = 'reduce' AND NOT done";
        server.client("one").execute(owner, &[]).expect("the owner may")
    };
    free();
    let work = || start(&plumb, &["work", "--jobs", "1", "--store", &shared]);
    // One has the reduction, others test candidates of it.
    let mut holder = work();
    let held =
        "SELECT count(*) FROM item JOIN job ON job.id = item.job WHERE kind = 'reduce' AND expires > now()";
    wait_for(&server, "one", held);
    let mut tester = work();
    let mut others = vec![work()];
    wait_for(&server, "one", "SELECT count(*) FROM job WHERE kind = 'reduce-part' AND parts > 20");
    tester.kill().expect("it runs");
    tester.wait().expect("it ended");
    wait_for(&server, "one", "SELECT count(*) FROM job_file WHERE name = 'state/0'");
    assert_eq!(
        count(
            &server,
            "one",
            "SELECT count(*) FROM item JOIN job ON job.id = item.job WHERE kind = 'reduce' AND done"
        ),
        0,
        "it was over before the last kill"
    );
    holder.kill().expect("it runs");
    holder.wait().expect("it ended");
    assert_eq!(free(), 1);
    others.push(work());
    let done = plumb.run(&["reduce", "--all", "--json", "--jobs", "1", "--store", &shared]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for mut worker in others {
        common::shell(&["kill", "-TERM", &worker.id().to_string()]);
        assert_eq!(worker.wait().expect("it ended").code(), Some(0));
    }
    let line = &lines(&done.stdout)[0];
    let (tests, elsewhere) = (line["tests"].as_u64(), line["tests_elsewhere"].as_u64());
    assert!(elsewhere > Some(0) && elsewhere <= tests, "others ran {elsewhere:?} of {tests:?} tests");
    let ids = [line["id"].as_str().expect("an identity").to_owned()];
    let cache = tempfile::tempdir().expect("a directory");
    let mut show = plumb.command(&["show", &ids[0], "--store", &shared]);
    show.env("XDG_CACHE_HOME", cache.path());
    assert!(common::finish(&mut show).code <= 1);
    let here = reduced(&plumb.store().join("findings"), &ids);
    assert!(here.len() > 1, "{:?}", here.keys());
    assert_eq!(reduced(&cache.path().join("plumb/findings"), &ids), here);
    let left = "SELECT count(*) FROM job WHERE of_job IS NOT NULL OR kind = 'reduce-part'";
    assert_eq!(count(&server, "one", left), 0, "candidates of what is done are gone");
}

/// The certificate that `docs/fleet.md` makes, where `openssl` is installed.
fn as_docs_fleet_says(plumb: &Plumb, server: &mut Server) {
    let page = std::fs::read_to_string(repository().join("docs/fleet.md")).expect("it is there");
    let options = "-addext subjectAltName=DNS:db \\\n     -addext basicConstraints=critical,CA:FALSE";
    assert!(page.contains(options), "the page makes another certificate");
    let path = |name: &str| plumb.dir().join(name).display().to_string();
    let (certificate, key) = (path("plumb.crt"), path("plumb.key"));
    let mut openssl = std::process::Command::new("openssl");
    openssl.args(["req", "-new", "-x509", "-days", "3650", "-nodes", "-subj", "/CN=db"]);
    openssl.args(["-addext", "subjectAltName=DNS:db", "-addext", "basicConstraints=critical,CA:FALSE"]);
    let Ok(made) = openssl.args(["-out", &certificate, "-keyout", &key]).output() else {
        eprintln!(
            "\n*** openssl is not installed: the certificate of docs/fleet.md is NOT TESTED here ***\n"
        );
        return;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let read = |path: &str| std::fs::read_to_string(path).expect("it was made");
    let port = server.listen(Some((&read(&certificate), &read(&key))));
    let store = format!("postgres://plumb@db:{port}/afar?hostaddr=127.0.0.1");
    let mut command = plumb.command(&["findings", "--store", &store]);
    let done = common::finish(command.env("PGSSLROOTCERT", &certificate));
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn from_afar_a_store_is_spoken_to_in_tls_alone_and_by_its_name() {
    let Some(mut server) = Server::start() else { return };
    let plumb = Plumb::new();
    let certificate =
        |name: &str| rcgen::generate_simple_self_signed([name.to_owned()]).expect("a certificate");
    let (known, stranger) = (certificate("db.plumb.test"), certificate("db.plumb.test"));
    let port = server.listen(Some((&known.cert.pem(), &known.signing_key.serialize_pem())));
    let store = server.database("afar");
    let file = repository().join("tests/equiv/equivalent/arithm_seq_sum.mir").display().to_string();
    assert_eq!(plumb.run(&["prove", &file, "--store", &store]).code, 0, "it makes the tables");
    let asked = |host: &str, roots: &str, more: &str| {
        let roots = plumb.file("roots.pem", roots);
        let store = format!("postgres://plumb@{host}:{port}/afar?hostaddr=127.0.0.1{more}");
        let mut command = plumb.command(&["findings", "--store", &store]);
        common::finish(command.env("PGSSLROOTCERT", roots))
    };
    let done = asked("db.plumb.test", &known.cert.pem(), "");
    assert_eq!(done.code, 0, "{}", done.stderr);
    for (host, roots) in [("db.plumb.test", stranger.cert.pem()), ("other.plumb.test", known.cert.pem())] {
        let done = asked(host, &roots, "");
        assert_eq!(done.code, 2, "{host}: {}", done.stderr);
        assert!(done.stderr.contains("certificate"), "{host}: {}", done.stderr);
    }
    // The server itself takes nothing else there.
    let done = asked("db.plumb.test", &known.cert.pem(), "&sslmode=disable");
    assert!(done.code == 2 && done.stderr.contains("no encryption"), "{}", done.stderr);
    as_docs_fleet_says(&plumb, &mut server);
}
