//! An installed csmith as a source: the number is its `--seed`.

use super::{Context, Failure, Program, Source, SourceKind};
use crate::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::{Finished, Limits, Outcome, Spec, run};
use toolchain::scratch::ScratchRoot;

/// A csmith that has not finished by then is looping; the seed is skipped.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) const KIND: SourceKind = SourceKind {
    word: "csmith",
    help: "an installed csmith",
    open: |word, context| (word == "csmith").then(|| open(context)),
};

struct Csmith {
    version: String,
    /// Options of its own, from the command line.
    words: Vec<String>,
    include: PathBuf,
    scratch: ScratchRoot,
}

fn open(context: &Context<'_>) -> Result<Box<dyn Source>, Error> {
    let tool = |why: String| Error::Tool { tool: "csmith".to_owned(), why };
    let done = run(&Spec::new("csmith").arg("--version").limits(Limits::within(PATIENCE)));
    match &done.outcome {
        Outcome::Exited(0) => {}
        Outcome::SpawnFailed(_) => {
            return Err(tool(
                "not found on PATH; install it (Debian: apt-get install csmith libcsmith-dev)".into(),
            ));
        }
        other => return Err(tool(format!("`csmith --version` {}", other.describe()))),
    }
    let version = String::from_utf8_lossy(&done.stdout).lines().next().unwrap_or_default().trim().to_owned();
    let include = headers().ok_or_else(|| {
        tool("csmith.h not found; install it (Debian: libcsmith-dev) or set CSMITH_INCLUDE".to_owned())
    })?;
    let csmith = Csmith { version, words: context.words.to_vec(), include, scratch: context.scratch.clone() };
    if csmith.words.is_empty() {
        return Ok(Box::new(csmith));
    }
    // Options that it does not take would fail every program of the hunt.
    let dir = csmith.scratch.dir().map_err(|error| tool(format!("no scratch directory: {error}")))?;
    let done = run(&csmith.spec(1).cwd(dir.path()));
    match &done.outcome {
        Outcome::Exited(0) if done.stdout.starts_with(b"/*") => Ok(Box::new(csmith)),
        other => Err(Error::Usage(format!(
            "--from csmith: `{}` {}{}",
            csmith.command(1),
            other.describe(),
            said(&done)
        ))),
    }
}

/// The first line that a tool wrote to standard error or else to standard output.
fn said(done: &Finished) -> String {
    let (error, out) = (String::from_utf8_lossy(&done.stderr), String::from_utf8_lossy(&done.stdout));
    let line = error.lines().chain(out.lines()).map(str::trim).find(|line| !line.is_empty());
    line.map_or_else(String::new, |line| format!(": {line}"))
}

impl Csmith {
    fn spec(&self, number: u64) -> Spec {
        let spec = Spec::new("csmith").args(&self.words).arg("--seed").arg(number.to_string());
        spec.limits(Limits::within(PATIENCE))
    }

    /// The command line that writes a program.
    fn command(&self, number: u64) -> String {
        let seed = number.to_string();
        let words = ["--seed", &seed].map(str::to_owned);
        shell_words::join(["csmith"].map(str::to_owned).iter().chain(&self.words).chain(&words))
    }
}

/// Where `csmith.h` lies: `CSMITH_INCLUDE`, else the usual places.
fn headers() -> Option<PathBuf> {
    let named = std::env::var_os("CSMITH_INCLUDE").map(PathBuf::from);
    let usual = ["/usr/include/csmith", "/usr/local/include/csmith", "/usr/include/csmith-2.3.0"];
    named.into_iter().chain(usual.iter().map(PathBuf::from)).find(|dir| has_header(dir))
}

fn has_header(dir: &Path) -> bool {
    dir.join("csmith.h").is_file()
}

impl Source for Csmith {
    fn identity(&self) -> String {
        format!("{} {}", self.version, self.words.join(" ")).trim_end().to_owned()
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        // csmith leaves `platform.info` where it runs.
        let dir =
            self.scratch.dir().map_err(|error| Failure::none(format!("no scratch directory: {error}")))?;
        let done = run(&self.spec(number).cwd(dir.path()));
        match done.outcome {
            Outcome::Exited(0) => Ok(Program {
                name: format!("csmith seed {number}"),
                text: done.stdout,
                include: vec![self.include.clone()],
                file: None,
                command: Some(self.command(number)),
                units: None,
                parts: Vec::new(),
                left_out: Vec::new(),
            }),
            Outcome::Cancelled => Err(Failure::Stopped),
            other => Err(Failure::none(format!("csmith {}", other.describe()))),
        }
    }
}
