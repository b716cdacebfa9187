//! A farm is asked, cached answers are taken, and whatever a farm does wrong is an error or another attempt, never an answer.

mod server;

use campaign::Error;
use campaign::executor::{Action, Executor, Ran};
use remote::{Bearer, Counts, Farm, Settings};
use server::{Fault, Server};
use std::collections::BTreeMap;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};
use tonic::Code;

/// Seconds instead of minutes.
fn settings() -> Settings {
    Settings {
        patience: Duration::from_secs(2),
        answer: Duration::from_millis(500),
        wait: Duration::from_millis(500),
        ..Settings::default()
    }
}

fn shell(script: &str) -> Action {
    Action {
        properties: [("compiler".to_owned(), "cc 1.0".to_owned())].into(),
        files: [("script".to_owned(), script.as_bytes().to_vec())].into(),
        argv: vec!["sh".to_owned(), "script".to_owned()],
        outputs: vec!["out/b".to_owned(), "out/a".to_owned()],
        time: Duration::from_secs(1),
    }
}

fn hello() -> Action {
    shell("mkdir -p out; echo one >out/a; echo two >out/b; exit 3\n")
}

fn ended(code: i32, files: &[(&str, &str)]) -> Ran {
    let outputs: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    Ran::Ended { code, outputs }
}

fn open(server: &Server) -> Farm {
    Farm::open(&server.url(), settings()).expect("it listens")
}

/// The message of an error; `true` where it is one that passes.
fn refused(ran: Result<Ran, Error>) -> (String, bool) {
    let error = ran.expect_err("no answer");
    (error.to_string(), matches!(error, Error::Resource(_)))
}

#[test]
fn an_action_is_done_once_and_known_thereafter() {
    let server = Server::start();
    let farm = open(&server);
    let action =
        Action { argv: ["sh", "script"].map(str::to_owned).to_vec(), ..shell("echo one >out/a; : >out/b\n") };
    let expected = ended(0, &[("out/a", "one\n"), ("out/b", "")]);
    assert_eq!(farm.run(&action).expect("an answer"), expected);
    assert_eq!(farm.run(&action).expect("an answer"), expected);
    assert_eq!(server.executed(), 1);
    let Counts { actions, cached, again, unknown, sent, cancelled } = farm.counts();
    assert_eq!((actions, cached, again, unknown, cancelled), (2, 1, 0, 0, 0));
    assert!(sent > 100, "{sent}");
    assert!(server.properties().contains(&"compiler=cc 1.0".to_owned()), "{:?}", server.properties());
    // A file that was not written is not there, and failures are not kept.
    let failing = shell("echo two >out/b; exit 3\n");
    for _ in 0..2 {
        assert_eq!(farm.run(&failing).expect("an answer"), ended(3, &[("out/b", "two\n")]));
    }
    assert_eq!(server.executed(), 3);
}

#[test]
fn properties_are_added_and_taken_away() {
    let server = Server::start();
    let properties = [("compiler", ""), ("pool", "fast")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    let farm = Farm::open(&server.url(), Settings { properties, ..settings() }).expect("it listens");
    farm.run(&hello()).expect("an answer");
    assert_eq!(server.properties(), ["pool=fast"]);
}

#[test]
fn many_threads_ask_at_once() {
    let server = Server::start();
    let farm = open(&server);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let farm = &farm;
            scope.spawn(move || {
                let text = format!("{number}\n");
                let ran = farm.run(&shell(&format!("echo {number} >out/a\n"))).expect("an answer");
                assert_eq!(ran, ended(0, &[("out/a", &text)]));
            });
        }
    });
    assert_eq!(server.executed(), 16);
}

#[test]
fn an_action_out_of_time_is_unknown() {
    let server = Server::start();
    let farm = open(&server);
    assert!(matches!(farm.run(&shell("sleep 5\n")).expect("an answer"), Ran::Unknown(_)));
    server.fault(Fault::OutOfTime);
    assert!(matches!(farm.run(&hello()).expect("an answer"), Ran::Unknown(_)));
    assert_eq!(farm.counts().unknown, 2);
}

#[test]
fn files_too_big_for_a_message_are_not_sent() {
    let server = Server::start();
    let farm = open(&server);
    let big = Action { files: [("big".to_owned(), vec![b' '; 1 << 20])].into(), ..hello() };
    assert!(matches!(farm.run(&big).expect("no error"), Ran::Unknown(_)));
    assert_eq!((server.executed(), farm.counts().sent), (0, 0));
    // Several that fit one by one go in several messages, and what comes back too big is not asked for.
    let part = |byte: u8| vec![byte; 600 << 10];
    let files = [
        ("a".to_owned(), part(b'a')),
        ("b".to_owned(), part(b'b')),
        ("script".to_owned(), b"cat a b >out/b; cat a >out/a".to_vec()),
    ];
    let ran = farm.run(&Action { files: files.into(), ..hello() }).expect("no error");
    assert!(matches!(ran, Ran::Unknown(_)), "{ran:?}");
    assert_eq!(server.executed(), 1);
}

#[test]
fn what_passes_is_tried_again() {
    let server = Server::start();
    let farm = open(&server);
    for code in [Code::Unavailable, Code::ResourceExhausted, Code::Internal] {
        server.fault(Fault::EveryOther(code));
        let action = shell(&format!("echo {code:?} >out/a\n"));
        assert_eq!(farm.run(&action).expect("an answer"), ended(0, &[("out/a", &format!("{code:?}\n"))]));
    }
    assert!(farm.counts().again >= 1, "{:?}", farm.counts());
    // It forgot what it was sent, and is sent it again.
    server.fault(Fault::Forgets);
    assert_eq!(farm.run(&hello()).expect("an answer"), ended(3, &[("out/a", "one\n"), ("out/b", "two\n")]));
}

#[test]
fn a_known_result_whose_files_are_lost_is_made_again() {
    let server = Server::start();
    let farm = open(&server);
    let action = shell("echo one >out/a; echo two >out/b\n");
    let expected = ended(0, &[("out/a", "one\n"), ("out/b", "two\n")]);
    assert_eq!(farm.run(&action).expect("an answer"), expected);
    server.fault(Fault::LosesFiles);
    server.forget_files();
    assert_eq!(farm.run(&action).expect("an answer"), expected);
    assert_eq!(server.executed(), 2);
}

#[test]
fn a_farm_that_stays_away_is_given_up_and_one_that_returns_is_not() {
    let server = Server::start();
    let (farm, address) = (open(&server), server.address());
    drop(server);
    let begun = Instant::now();
    let (why, passes) = refused(farm.run(&hello()));
    assert!(passes && why.contains("nothing committed is lost"), "{why}");
    assert!(begun.elapsed() >= settings().patience, "{:?}", begun.elapsed());
    let back = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        Server::at(address)
    });
    assert_eq!(farm.run(&hello()).expect("an answer"), ended(3, &[("out/a", "one\n"), ("out/b", "two\n")]));
    drop(back.join().expect("it started"));
}

#[test]
fn what_a_farm_does_wrong_is_an_error_that_says_so() {
    let server = Server::start();
    let farm = open(&server);
    let cases: &[(Fault, &[&str], bool)] = &[
        (Fault::Refuses(Code::PermissionDenied), &["not today", "PermissionDenied"], false),
        (Fault::Refuses(Code::Unauthenticated), &["not today"], false),
        (Fault::Refuses(Code::FailedPrecondition), &["not today"], false),
        (Fault::Refuses(Code::Unavailable), &["not today"], true),
        (Fault::NeverEnds, &["not done within", "properties"], true),
        (Fault::Silent, &["GetActionResult was not answered within"], true),
        (Fault::Corrupts, &["is not what it says", "SHA-256"], false),
        (Fault::Garbage, &["not an answer"], false),
    ];
    for (number, (fault, words, passing)) in cases.iter().enumerate() {
        server.fault(*fault);
        let action = shell(&format!("echo {number} >out/a; echo x >out/b\n"));
        let (why, passes) = refused(farm.run(&action));
        assert_eq!(passes, *passing, "{fault:?}: {why}");
        for word in *words {
            assert!(why.contains(word), "{fault:?}: no `{word}` in: {why}");
        }
        assert!(why.contains(&server.url()), "{why}");
    }
    // Nothing of that is kept.
    server.fault(Fault::None);
    assert_eq!(farm.run(&hello()).expect("an answer"), ended(3, &[("out/a", "one\n"), ("out/b", "two\n")]));
}

/// What nobody waits for any more is ended on the farm's machine, where the farm can.
#[test]
fn an_action_that_is_given_up_is_cancelled() {
    let server = Server::start();
    let farm = open(&server);
    let mark = tempfile::tempdir().expect("a temporary directory");
    let begun = mark.path().join("begun");
    let lasting = |number: u8| Action {
        time: Duration::from_secs(1),
        ..shell(&format!("echo $$ >'{}'; echo {number}; exec sleep 77\n", begun.display()))
    };
    server.fault(Fault::Patient);
    let (why, passes) = refused(farm.run(&lasting(0)));
    assert!(passes && why.contains("not done within"), "{why}");
    assert_eq!((server.cancelled(), farm.counts().cancelled), (1, 1));
    let pid = std::fs::read_to_string(&begun).expect("it was begun");
    let process = std::path::Path::new("/proc").join(pid.trim());
    let end = Instant::now() + Duration::from_secs(10);
    while process.exists() {
        assert!(Instant::now() < end, "the action's process goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    // A farm that cannot cancel is no trouble.
    server.fault(Fault::KeepsOn);
    let (why, _) = refused(farm.run(&lasting(1)));
    assert!(why.contains("not done within"), "{why}");
    assert_eq!((server.cancelled(), farm.counts().cancelled), (1, 1));
}

fn unusable(url: &str) -> String {
    Farm::open(url, settings()).expect_err("no farm").to_string()
}

#[test]
fn what_is_no_farm_is_refused_at_once() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let why = unusable(&format!("grpc://{free}"));
    assert!(why.contains("cannot connect") && why.contains("refused"), "{why}");
    // A server of something else, and one that says nothing.
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = other.local_addr().expect("bound");
    let web = std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = other.accept().expect("a connection");
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    });
    let why = unusable(&format!("grpc://{address}"));
    assert!(why.contains(&address.to_string()), "{why}");
    web.join().expect("it answered");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let begun = Instant::now();
    let why = unusable(&format!("grpc://{}", silent.local_addr().expect("bound")));
    assert!(why.contains("not answered") && begun.elapsed() < Duration::from_secs(5), "{why}");
    assert!(unusable(&Server::unfit(false, true).url()).contains("runs nothing"));
    assert!(unusable(&Server::unfit(true, false).url()).contains("SHA-256"));
    for (url, word) in
        [("http://x:1", "grpc://HOST:PORT"), ("grpc://x", "no port"), ("nonsense", "not an address")]
    {
        assert!(unusable(url).contains(word), "{url}: {}", unusable(url));
    }
}

/// The certificates that a process believes are read once from its environment, so that each case is a process of its own.
#[test]
fn a_farm_with_a_certificate_is_believed_by_those_who_know_it() {
    if let Ok(url) = std::env::var("FARM_OF_ANOTHER_PROCESS") {
        match Farm::open(&url, settings()) {
            Ok(farm) => assert_eq!(
                farm.run(&hello()).expect("an answer"),
                ended(3, &[("out/a", "one\n"), ("out/b", "two\n")])
            ),
            Err(error) => panic!("{error}"),
        }
        return;
    }
    let made = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        rcgen::generate_simple_self_signed(names).expect("a certificate")
    };
    let (known, stranger) = (made(&["localhost"]), made(&["localhost"]));
    let server = Server::secure(&known.cert.pem(), &known.signing_key.serialize_pem());
    let port = server.address().port();
    let dir = tempfile::tempdir().expect("a directory");
    let case = |certificate: &str, url: &str| {
        let file = dir.path().join("roots.pem");
        std::fs::write(&file, certificate).expect("writable");
        let mut again = Command::new(std::env::current_exe().expect("this test"));
        again.args(["a_farm_with_a_certificate", "--nocapture"]);
        again.env("SSL_CERT_FILE", file).env("FARM_OF_ANOTHER_PROCESS", url);
        let done = again.output().expect("it starts");
        (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let secure = format!("grpcs://localhost:{port}");
    let (well, said) = case(&known.cert.pem(), &secure);
    assert!(well, "{said}");
    for (certificate, url, word) in [
        (stranger.cert.pem(), secure, "certificate"),
        (known.cert.pem(), format!("grpcs://127.0.0.1:{port}"), "certificate"),
        (known.cert.pem(), format!("grpc://localhost:{port}"), "farm"),
    ] {
        let (well, said) = case(&certificate, &url);
        assert!(!well && said.contains(word), "{url}: {said}");
    }
}

#[test]
fn a_token_of_a_file_authorises_every_call() {
    let server = Server::start();
    server.guard("Bearer hush");
    let refused = Farm::open(&server.url(), settings()).expect_err("not authorised").to_string();
    assert!(refused.contains("who are you?"), "{refused}");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("token");
    std::fs::write(&file, "hush\n").expect("writable");
    let mode =
        |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("its owner's");
    mode(0o640);
    let open_to_others = Bearer::read(&file).expect_err("others read it").to_string();
    assert!(open_to_others.contains("0600") && !open_to_others.contains("hush"), "{open_to_others}");
    mode(0o600);
    let with_token = Settings { bearer: Bearer::read(&file).expect("a token"), ..settings() };
    assert!(!format!("{with_token:?}").contains("hush"), "{with_token:?}");
    let farm = Farm::open(&server.url(), with_token.clone()).expect("authorised");
    assert_eq!(farm.run(&hello()).expect("an answer"), ended(3, &[("out/a", "one\n"), ("out/b", "two\n")]));
    // Never where others could read it on the way.
    let said = Farm::open("grpc://farm.example:1", with_token).expect_err("plain text").to_string();
    assert!(said.contains("grpcs://") && !said.contains("hush"), "{said}");
}
