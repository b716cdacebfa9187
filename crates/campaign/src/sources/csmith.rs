//! An installed csmith as a source: the number is its `--seed`.

use super::{Context, Failure, Kind, Program, Source};
use crate::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::{Limits, Outcome, Spec, run};
use toolchain::scratch::ScratchRoot;

/// A csmith that has not finished by then is looping; the seed is skipped.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) const KIND: Kind = Kind {
    word: "csmith",
    help: "an installed csmith",
    open: |word, context| (word == "csmith").then(|| open(context)),
};

struct Csmith {
    version: String,
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
        other => return Err(tool(format!("`csmith --version` ended with {other:?}"))),
    }
    let version = String::from_utf8_lossy(&done.stdout).lines().next().unwrap_or_default().trim().to_owned();
    let include = headers().ok_or_else(|| {
        tool("csmith.h not found; install it (Debian: libcsmith-dev) or set CSMITH_INCLUDE".to_owned())
    })?;
    Ok(Box::new(Csmith { version, include, scratch: context.scratch.clone() }))
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
        self.version.clone()
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        // csmith leaves `platform.info` where it runs.
        let dir =
            self.scratch.dir().map_err(|error| Failure::None(format!("no scratch directory: {error}")))?;
        let spec = Spec::new("csmith").arg("--seed").arg(number.to_string());
        let done = run(&spec.cwd(dir.path()).limits(Limits::within(PATIENCE)));
        match done.outcome {
            Outcome::Exited(0) => Ok(Program {
                name: format!("csmith seed {number}"),
                text: done.stdout,
                include: vec![self.include.clone()],
                file: None,
                units: None,
            }),
            Outcome::Cancelled => Err(Failure::Stopped),
            other => Err(Failure::None(format!("csmith failed: {other:?}"))),
        }
    }
}
