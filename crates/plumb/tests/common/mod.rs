//! What the tests of the command line share: plumb in a directory of its own, and its answers.

#![allow(dead_code, reason = "each test uses a part")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a command ended.
pub struct Done {
    /// Its exit status; 128 and the signal's number where one ended it.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

/// plumb in an empty directory.
pub struct Plumb {
    dir: tempfile::TempDir,
}

impl Plumb {
    /// A fresh directory.
    pub fn new() -> Plumb {
        Plumb { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    /// The directory it runs in.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Its default store.
    pub fn store(&self) -> PathBuf {
        self.dir.path().join("plumb-store")
    }

    /// Writes a file there.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, bytes).expect("writable");
        path
    }

    /// Writes an executable script there.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.file(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("its owner's");
        path
    }

    /// The command, not yet started.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        command.args(args).current_dir(self.dir()).stdin(Stdio::null());
        // Not the user's own.
        command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command
    }

    /// Runs plumb to its end.
    pub fn run(&self, args: &[&str]) -> Done {
        finish(&mut self.command(args))
    }
}

/// Runs any command line to its end.
pub fn shell(words: &[&str]) -> Done {
    finish(Command::new(words[0]).args(&words[1..]).stdin(Stdio::null()))
}

/// Runs a prepared command to its end.
pub fn finish(command: &mut Command) -> Done {
    use std::os::unix::process::ExitStatusExt;
    let out = command.output().expect("it starts");
    let code = out.status.code().or_else(|| out.status.signal().map(|s| 128 + s)).unwrap_or(-1);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Done { code, stdout: text(&out.stdout), stderr: text(&out.stderr) }
}

/// The value of a metric of the campaign 1.
pub fn metric(text: &str, name: &str) -> f64 {
    let begin = format!("plumb_{name}{{campaign=\"1\"}} ");
    let value = text.lines().find_map(|line| line.strip_prefix(&begin));
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no `{begin}` in\n{text}"))
}

/// JSON lines.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

/// The top of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("it is there")
}
