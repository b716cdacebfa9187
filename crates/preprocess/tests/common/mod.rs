//! Shared by the tests: files in memory or on disk, and tokens with the lines they stand on.
#![allow(dead_code)]

use preprocess::{Compiler, Error, Host, Limits, Options, Source};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Files in memory.
#[derive(Default)]
pub struct Memory(pub HashMap<Vec<u8>, Vec<u8>>);

impl Memory {
    /// Of names and texts.
    pub fn of(files: &[(&str, &str)]) -> Memory {
        Memory(
            files.iter().map(|(name, text)| (name.as_bytes().to_vec(), text.as_bytes().to_vec())).collect(),
        )
    }
}

impl Host for Memory {
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<Arc<Source>>, String> {
        Ok(self.0.get(path).map(|text| Arc::new(Source::new(text.clone(), trigraphs))))
    }
}

/// Files of this machine.
pub struct Disk;

impl Host for Disk {
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<Arc<Source>>, String> {
        Ok(std::fs::read(OsStr::from_bytes(path)).ok().map(|bytes| Arc::new(Source::new(bytes, trigraphs))))
    }
}

/// A compiler with few macros: `__STDC__`, GNU C 11 or as said.
pub fn compiler(macros: &str) -> Compiler {
    let text = format!(
        "bracket system /inc\nmacros\n#define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n{macros}"
    );
    Compiler::from_text(text.as_bytes()).expect("a compiler")
}

/// Preprocesses a text with files in memory.
pub fn preprocess(text: &str, files: &[(&str, &str)]) -> Result<String, Error> {
    let compiler = compiler("");
    let options = Options { name: "t.c".to_owned(), ..Options::default() };
    let source = compiler.source(text.as_bytes().to_vec());
    let done = preprocess::preprocess(source, &options, &compiler, &mut Memory::of(files))?;
    Ok(String::from_utf8(done.text).expect("UTF-8"))
}

/// The tokens of a text with a blank between any two.
pub fn tokens(text: &str, files: &[(&str, &str)]) -> String {
    let text = preprocess(text, files).unwrap_or_else(|error| panic!("{error}"));
    split(text.as_bytes()).into_iter().map(|token| token.2).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a text.
pub fn error(text: &str) -> Error {
    match preprocess(text, &[]) {
        Ok(text) => panic!("accepted: {text}"),
        Err(error) => error,
    }
}

/// Small limits, so that tests of endless input end soon.
pub fn small() -> Limits {
    Limits { depth: 20, includes: 200, bytes: 1 << 20, tokens: 200_000, held: 1 << 16, output: 1 << 20 }
}

/// File, line and spelling of each token behind the line markers.
pub fn split(text: &[u8]) -> Vec<(String, u32, String)> {
    let mut all = Vec::new();
    let (mut file, mut number) = (String::new(), 0u32);
    for line in text.split(|b| *b == b'\n') {
        if let Some((marked, name)) = marker(line) {
            (number, file) = (marked, name);
            continue;
        }
        let mut at = 0;
        while at < line.len() {
            let end = token_end(line, at);
            if end > at {
                all.push((file.clone(), number, String::from_utf8_lossy(&line[at..end]).into_owned()));
            }
            at = end.max(at + 1);
        }
        number += 1;
    }
    all
}

fn marker(line: &[u8]) -> Option<(u32, String)> {
    let text = std::str::from_utf8(line.strip_prefix(b"# ")?).ok()?;
    let (number, rest) = text.split_once(' ')?;
    let rest = rest.strip_prefix('"')?;
    Some((number.parse().ok()?, rest[..rest.rfind('"')?].to_owned()))
}

/// The end of the token at `at`; `at` itself for white space.
fn token_end(line: &[u8], at: usize) -> usize {
    const LONG: &[&[u8]] = &[
        b"%:%:", b"<<=", b">>=", b"...", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"++",
        b"--", b"->", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"##", b"<:", b":>", b"<%",
        b"%>", b"%:",
    ];
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80;
    let rest = &line[at..];
    let quoted = |open: usize| {
        let quote = rest[open];
        let mut end = open + 1;
        while end < rest.len() && rest[end] != quote {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        at + (end + 1).min(rest.len())
    };
    match rest[0] {
        b if b.is_ascii_whitespace() => at,
        b'"' | b'\'' => quoted(0),
        b if b.is_ascii_digit() || b == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit) => {
            let mut end = 1;
            while end < rest.len() {
                let sign =
                    matches!(rest[end], b'+' | b'-') && matches!(rest[end - 1], b'e' | b'E' | b'p' | b'P');
                if !(word(rest[end]) || rest[end] == b'.' || sign) {
                    break;
                }
                end += 1;
            }
            at + end
        }
        b if word(b) => {
            let end = rest.iter().position(|b| !word(*b)).unwrap_or(rest.len());
            let prefix = matches!(&rest[..end], b"L" | b"u" | b"U" | b"u8");
            if prefix && matches!(rest.get(end), Some(b'"' | b'\'')) { quoted(end) } else { at + end }
        }
        _ => at + LONG.iter().find(|long| rest.starts_with(long)).map_or(1, |long| long.len()),
    }
}

/// Runs gcc; panics if there is none.
pub fn gcc(args: &[&str], input: &[u8]) -> std::process::Output {
    let mut command = Command::new("gcc");
    command.args(args).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("these tests compare with gcc: install it");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // gcc may not read it all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let done = child.wait_with_output().expect("gcc ends");
    writer.join().expect("the writer ends");
    done
}

/// What another compiler says, if it is here.
pub fn ask(name: &str, options: &[&str]) -> Option<Compiler> {
    let mut child = Command::new(name)
        .args(options)
        .args(["-E", "-dD", "-v", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(Compiler::question().as_bytes()).ok()?;
    let said = child.wait_with_output().ok()?;
    Some(Compiler::parse(&said.stdout, &said.stderr).unwrap_or_else(|why| panic!("{why}")))
}

/// What gcc says of itself, with options.
pub fn ask_gcc(options: &[&str]) -> Compiler {
    let mut args = options.to_vec();
    args.extend(["-E", "-dD", "-v", "-x", "c", "-"]);
    let said = gcc(&args, Compiler::question().as_bytes());
    Compiler::parse(&said.stdout, &said.stderr).unwrap_or_else(|why| panic!("{why}"))
}
