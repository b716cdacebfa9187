//! Preprocesses files as `gcc -E` does: `cpp [--cc CC] [-I DIR] [-D X] [-U X] [-include F] [-OPTION] [--time N] FILE ...`.
//! Options unknown here go to the compiler when it is asked for its macros. With `--time`, files are preprocessed N
//! times and the mean time is printed instead of the text; `--ask` prints what the compiler said, which `--facts F`
//! takes instead of asking.

use preprocess::{Compiler, Host, MacroOption, Options, Source};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// Files of this machine; kept in memory with `keep`.
#[derive(Default)]
struct Disk {
    keep: bool,
    files: HashMap<Vec<u8>, Option<Arc<Source>>>,
}

impl Host for Disk {
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<Arc<Source>>, String> {
        if let Some(known) = self.files.get(path) {
            return Ok(known.clone());
        }
        let read = match std::fs::read(OsStr::from_bytes(path)) {
            Ok(bytes) => Some(Arc::new(Source::new(bytes, trigraphs))),
            Err(_) => None,
        };
        if self.keep {
            self.files.insert(path.to_vec(), read.clone());
        }
        Ok(read)
    }
}

fn ask(cc: &str, options: &[String]) -> Result<Compiler, String> {
    let mut command = Command::new(cc);
    command.args(options).args(["-E", "-dD", "-v", "-x", "c", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("{cc}: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("no pipe")?;
    let writer = std::thread::spawn(move || stdin.write_all(Compiler::question().as_bytes()));
    let done = child.wait_with_output().map_err(|e| e.to_string())?;
    writer.join().map_err(|_| "writer")?.map_err(|e| e.to_string())?;
    Compiler::parse(&done.stdout, &done.stderr)
}

fn main() -> ExitCode {
    let mut options = Options::default();
    let (mut cc, mut passed, mut files, mut rounds) = ("gcc".to_owned(), Vec::new(), Vec::new(), 0u32);
    let (mut only_ask, mut keep, mut facts) = (false, false, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = |flag: &str| match &arg[flag.len()..] {
            "" => args.next().unwrap_or_default(),
            joined => joined.to_owned(),
        };
        match arg.as_str() {
            "--cc" => cc = value("--cc"),
            "--time" => rounds = value("--time").parse().unwrap_or(1),
            "--keep" => keep = true,
            "--ask" => only_ask = true,
            "--facts" => facts = Some(value("--facts")),
            "-include" => options.forced.push(value("-include")),
            flag if flag.starts_with("-I") => options.include.push(value("-I")),
            flag if flag.starts_with("-D") => options.macros.push(MacroOption::Define(value("-D"))),
            flag if flag.starts_with("-U") => options.macros.push(MacroOption::Undefine(value("-U"))),
            flag if flag.starts_with('-') => passed.push(arg),
            _ => files.push(arg),
        }
    }
    let known = facts.map(|file| {
        let text = std::fs::read(&file).map_err(|e| format!("{file}: {e}"))?;
        Compiler::from_text(&text)
    });
    let compiler = match known.unwrap_or_else(|| ask(&cc, &passed)) {
        Ok(compiler) => compiler,
        Err(why) => {
            eprintln!("{cc}: {why}");
            return ExitCode::FAILURE;
        }
    };
    if only_ask {
        let _ = std::io::stdout().write_all(&compiler.to_text());
        return ExitCode::SUCCESS;
    }
    let mut host = Disk { keep, files: HashMap::new() };
    let mut code = ExitCode::SUCCESS;
    for file in files {
        options.name = file.clone();
        let run = |host: &mut Disk| {
            let text = std::fs::read(&file).map_err(|e| format!("{file}: {e}"))?;
            preprocess::preprocess(compiler.source(text), &options, &compiler, host)
                .map_err(|e| e.to_string())
        };
        let begin = Instant::now();
        let mut done = run(&mut host);
        for _ in 1..rounds {
            done = run(&mut host);
        }
        match done {
            Ok(_) if rounds > 0 => {
                println!("{file}: {:.1} us", begin.elapsed().as_secs_f64() * 1e6 / f64::from(rounds));
            }
            Ok(output) => {
                let _ = std::io::stdout().write_all(&output.text);
            }
            Err(why) => {
                eprintln!("{why}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
