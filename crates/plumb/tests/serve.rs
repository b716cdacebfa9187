//! `plumb serve` as programs, browsers and attackers see it, and `plumb report --html`, `--sarif`, `--junit`.

mod common;

use common::{Plumb, finish};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A store with two findings of one compiler, a configuration that is right, and one that compiles nothing.
fn hunted(plumb: &Plumb) {
    std::fs::create_dir_all(plumb.dir().join("programs")).expect("writable");
    for (name, value) in [("a", 3), ("b", 4), ("c", 5)] {
        let victim = if name == "c" { "plain" } else { "victim" };
        let text = format!("int {victim}_x = {value};\nint main(void) {{ return {victim}_x; }}\n");
        plumb.file(&format!("programs/{name}.c"), text);
    }
    // Wrong code for programs that hold the word `victim`; nothing at all from the other.
    let wrong = "#!/bin/sh\nfor word; do case $word in *program.c) file=$word ;; esac; done\n\
                 if [ -n \"$file\" ] && grep -q victim \"$file\"; then exec gcc '-Dreturn=return 96+' \"$@\"; fi\n\
                 exec gcc \"$@\"\n";
    let mute = "#!/bin/sh\nfor word; do case $word in *program.c) file=$word ;; esac; done\n\
                if [ -n \"$file\" ] && ! grep -Eq 'victim_x|plain_x' \"$file\"; then exec gcc \"$@\"; fi\n\
                [ -z \"$file\" ] && exec gcc \"$@\"\necho 'program.c:1:1: error: no' >&2; exit 1\n";
    let wrong = plumb.script("wrong-cc", wrong).display().to_string();
    let mute = plumb.script("mute-cc", mute).display().to_string();
    let words =
        ["hunt", "--from", "programs", "--cc", &wrong, "--cc", "gcc", "--cc", &mute, "--levels", "-O0"];
    let done = plumb.run(&words);
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stdout.contains("COMPILES NOTHING: 0 of 3"),
        "it is shouted at the end too:\n{}",
        done.stdout
    );
}

/// A running `plumb serve`, killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(plumb: &Plumb) -> Server {
        let mut child = plumb
            .command(&["serve", "--listen", "127.0.0.1:0", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let said: Value = serde_json::from_str(&line).expect(&line);
        assert_eq!(said["type"], "listening");
        let address = said["address"].as_str().expect("an address").to_owned();
        Server { child, address }
    }

    /// The answer to a request: status line and headers, and body.
    fn ask(&self, method: &str, path: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out");
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut text = Vec::new();
        stream.read_to_end(&mut text).expect("it answers");
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.ask("GET", path, &self.address)
    }

    fn json(&self, path: &str) -> Value {
        let (head, body) = self.get(path);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        // A body in chunks has their lengths between its parts.
        let from = body.find('{').unwrap_or_default();
        let to = body.rfind('}').map_or(body.len(), |at| at + 1);
        serde_json::from_str(&body[from..to]).unwrap_or_else(|error| panic!("{path}: {error}\n{body}"))
    }

    /// Sends SIGTERM; how it ended and how long that took.
    fn stop(mut self) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(&id).status().expect("kill").success());
        let status = self.child.wait().expect("it ends");
        (status.code(), begun.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn pages_json_and_metrics_have_the_same_figures() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let server = Server::start(&plumb);
    let campaign = server.json("/api/campaign.json");
    assert_eq!((&campaign["type"], &campaign["programs"]), (&Value::from("campaign"), &Value::from(3)));
    assert_eq!(campaign["findings"], 2, "{campaign}");
    assert_eq!(campaign["bugs"], 1, "both are wrong code of one compiler: {campaign}");
    assert_eq!(campaign["discoveries"].as_array().map(Vec::len), Some(1), "{campaign}");
    let health: Vec<&str> = campaign["configurations"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|c| c["health"].as_str())
        .collect();
    assert_eq!(health, ["sound", "sound", "compiles-nothing"]);
    let (_, page) = server.get("/");
    for text in ["COMPILES NOTHING", "<svg", "aria-label", "wrong-code", "1 bug"] {
        assert!(page.contains(text), "no `{text}` in\n{page}");
    }
    let (head, metrics) = server.get("/metrics");
    assert!(head.contains("openmetrics-text"), "{head}");
    for line in ["plumb_findings_total{campaign=\"1\"} 2", "plumb_programs_total{campaign=\"1\"} 3", "# EOF"]
    {
        assert!(metrics.contains(line), "no `{line}` in\n{metrics}");
    }
    for name in ["store_latency_seconds", "compilers_cpu_seconds", "own_cpu_seconds"] {
        assert!(common::metric(&metrics, name) > 0.0, "{name}");
    }
}

#[test]
fn findings_can_be_chosen_and_looked_at() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let server = Server::start(&plumb);
    let all = server.json("/api/findings.json");
    assert_eq!((&all["all"], &all["matching"]), (&Value::from(2), &Value::from(2)));
    assert_eq!(server.json("/api/findings.json?kind=crash")["matching"], 0);
    assert_eq!(server.json("/api/findings.json?level=-O0&q=wrong-cc")["matching"], 2);
    // One that was only counted has no directory.
    let whole = all["findings"].as_array().expect("a list").iter().find(|line| line["evidence_of"] == "");
    let id = whole.expect("the first of its kind")["id"].as_str().expect("an id").to_owned();
    let (head, page) = server.get(&format!("/finding/{id}"));
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    for text in ["int main(void)", "Expected: exit status", "repro.sh", "Report"] {
        assert!(page.contains(text), "no `{text}` in\n{page}");
    }
    assert_eq!(server.json(&format!("/api/finding.json?id={id}"))["facts"]["id"], id.as_str());
    for (path, status) in [
        ("/finding/none", "404"),
        ("/finding/..%2f..%2fetc", "404"),
        ("/nothing", "404"),
        ("/findings?kind=bug", "400"),
        ("/api/campaign.json?id=x", "400"),
        ("/api/campaign.json?id=77", "404"),
        ("/api/finding.json", "400"),
    ] {
        let (head, _) = server.get(path);
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {head}");
    }
}

#[test]
fn others_read_nothing_and_change_nothing() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let server = Server::start(&plumb);
    for host in ["evil.example", "evil.example:8321", "127.0.0.1.evil.example"] {
        let (head, body) = server.ask("GET", "/api/campaign.json", host);
        assert!(head.starts_with("HTTP/1.1 421"), "{host}: {head}");
        assert!(!body.contains("programs"), "{host}: {body}");
    }
    let (head, _) = server.ask("POST", "/findings", &server.address);
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
    let (head, page) = server.get("/");
    let policy = head.lines().find(|line| line.starts_with("content-security-policy")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(!page.contains("style=\"") && !page.contains("http://") && !page.contains("https://"), "{page}");
}

#[test]
fn it_ends_when_told_to_and_says_when_the_port_is_taken() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let server = Server::start(&plumb);
    let second = plumb.run(&["serve", "--listen", &server.address]);
    assert_eq!(second.code, 2, "{}{}", second.stdout, second.stderr);
    assert_eq!(second.stderr.lines().count(), 1, "{}", second.stderr);
    assert!(second.stderr.contains("is in use"), "{}", second.stderr);
    // A listener for events must not hold it up.
    let mut events = TcpStream::connect(&server.address).expect("it listens");
    let request = format!("GET /events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    events.write_all(request.as_bytes()).expect("it reads");
    events.read_exact(&mut [0; 15]).expect("it answers");
    let (code, time) = server.stop();
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(3), "{time:?}");
    let none = Plumb::new().run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(none.code, 2, "{}", none.stderr);
    assert!(none.stderr.contains("there is no store here"), "{}", none.stderr);
}

#[test]
fn a_campaign_is_one_page_and_what_ci_reads() {
    let plumb = Plumb::new();
    hunted(&plumb);
    let report = |form: &str| {
        let done = plumb.run(&["report", form]);
        assert_eq!(done.code, 1, "{form}: {}", done.stderr);
        done.stdout
    };
    let page = report("--html");
    for text in ["<style>", "COMPILES NOTHING", "int main(void)", "<svg"] {
        assert!(page.contains(text), "no `{text}` in\n{page}");
    }
    for text in ["<script", "href=\"/", "src=", "http://"] {
        assert!(!page.contains(text), "`{text}` leads out of\n{page}");
    }
    let log: Value = serde_json::from_str(&report("--sarif")).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1), "one bug: {log}");
    assert_eq!(
        (&run["results"][0]["ruleId"], &run["results"][0]["occurrenceCount"]),
        (&"wrong-code".into(), &2.into())
    );
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
    let xml = report("--junit");
    assert_eq!((xml.matches("<failure").count(), xml.matches("<error").count()), (1, 1), "{xml}");
    let done = plumb.run(&["report", "--html", "--campaign", "9"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
}

/// A headless browser, if there is one.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let named = |name: &str| dirs.iter().map(|dir| dir.join(name)).find(|path| path.is_file());
    ["chromium-headless-shell", "chromium", "google-chrome"].iter().find_map(|name| named(name))
}

/// The page as a browser has it after its scripts ran.
fn rendered(browser: &PathBuf, plumb: &Plumb, url: &str, options: &[&str]) -> String {
    let profile = plumb.dir().join("profile");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
    command.arg(format!("--user-data-dir={}", profile.display())).args(options);
    command.args(["--enable-logging=stderr", "--dump-dom", url]);
    let done = finish(&mut command);
    assert_eq!(done.code, 0, "{url}: {}", done.stderr);
    for sign in ["Content Security Policy", "Uncaught", "net::ERR"] {
        assert!(!done.stderr.contains(sign), "{url}: {}", done.stderr);
    }
    done.stdout
}

#[test]
fn a_browser_shows_the_pages() {
    let Some(browser) = browser() else {
        eprintln!("NOT TESTED: no headless browser on PATH (apt install chromium-headless-shell)");
        return;
    };
    let plumb = Plumb::new();
    hunted(&plumb);
    let server = Server::start(&plumb);
    let url = |path: &str| format!("http://{}{path}", server.address);
    let page = rendered(&browser, &plumb, &url("/"), &["--timeout=4000"]);
    assert!(!page.contains("not live without JavaScript"), "the script runs:\n{page}");
    assert!(page.contains("COMPILES NOTHING"), "{page}");
    let (_, plain) = server.ask("GET", "/", &server.address);
    assert!(plain.contains("not live without JavaScript"), "{plain}");
    for path in ["/findings?kind=wrong-code", "/campaigns", "/nothing"] {
        let page = rendered(&browser, &plumb, &url(path), &["--timeout=4000"]);
        assert!(page.contains("<h1>"), "{path}: {page}");
    }
}
