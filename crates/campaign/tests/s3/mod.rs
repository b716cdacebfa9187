//! A server that speaks as much of S3 on loopback as one bucket with small files needs, for tests: it stores, tells, and takes
//! away, and asks that each request names the right key.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The id of the only key that is let in.
pub const KEY: &str = "AKTEST";

#[derive(Default)]
struct State {
    files: Mutex<HashMap<String, Vec<u8>>>,
    away: AtomicBool,
}

/// A running server; its threads end with the test's process.
pub struct S3 {
    state: Arc<State>,
    port: u16,
}

impl S3 {
    pub fn start() -> S3 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(&state, stream));
            }
        });
        S3 { state, port }
    }

    /// The address of a part of it, as a store has it.
    pub fn place(&self, prefix: &str) -> String {
        format!("s3://bucket/{prefix}?region=here&endpoint=http://127.0.0.1:{}", self.port)
    }

    /// Says no more to anybody, or again.
    pub fn away(&self, away: bool) {
        self.state.away.store(away, Ordering::SeqCst);
    }

    /// The files beneath a prefix.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let files = self.state.files.lock().expect("whole");
        files.keys().filter(|name| name.starts_with(&format!("/bucket/{prefix}/"))).cloned().collect()
    }

    /// Damages all files.
    pub fn damage(&self) {
        for bytes in self.state.files.lock().expect("whole").values_mut() {
            *bytes = b"else".to_vec();
        }
    }
}

/// Answers the requests of one connection.
fn serve(state: &State, stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().expect("open"));
    let mut writer = stream;
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 || state.away.load(Ordering::SeqCst) {
                return;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let header = |name: &str| {
            let mut pairs = lines.iter().filter_map(|line| line.split_once(':'));
            pairs.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
        };
        let length = header("content-length").map_or(0, |length| length.parse().expect("a number"));
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let mut words = lines[0].split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let who = header("authorization").unwrap_or_default();
        let (status, answer) = if who.starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY}/")) {
            act(state, method, path, body)
        } else {
            ("403 Forbidden", Vec::new())
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nETag: \"one\"\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        );
        if writer.write_all(&[head.into_bytes(), answer].concat()).is_err() {
            return;
        }
    }
}

fn act(state: &State, method: &str, path: &str, body: Vec<u8>) -> (&'static str, Vec<u8>) {
    let mut files = state.files.lock().expect("whole");
    match method {
        "PUT" => {
            files.insert(path.to_owned(), body);
            ("200 OK", Vec::new())
        }
        "GET" => files.get(path).map_or(("404 Not Found", Vec::new()), |bytes| ("200 OK", bytes.clone())),
        "DELETE" => {
            files.remove(path);
            ("204 No Content", Vec::new())
        }
        _ => ("501 Not Implemented", Vec::new()),
    }
}
