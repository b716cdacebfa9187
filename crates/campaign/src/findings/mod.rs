//! A directory for every alarm: the program, a reproducer that needs nothing of plumb, and the facts as JSON.
//!
//! A directory appears whole or not at all: it is written under another name, synced and renamed.

mod repro;

use crate::configurations::{Configuration, INPUT, unit_file};
use crate::error::Error;
use crate::store::FindingRow;
use crate::truth::Truth;
use crate::units::Units;
use crate::variants::Variant;
use crate::verdict::{Alarm, Stage};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::Finished;

/// What directories that are not yet whole begin with.
const HALF: &str = ".half-";
/// The facts.
pub const FACTS: &str = "finding.json";
/// The reproducer.
pub const REPRO: &str = "repro.sh";
/// The seed of a variant.
const SEED: &str = "seed.c";
/// The edits that made it.
const EDITS: &str = "edits.jsonl";
/// The output that the program means.
const EXPECTED: &str = "expected-stdout";

/// All that is known about an alarm.
pub struct Evidence<'a> {
    /// The key of the campaign.
    pub campaign: &'a str,
    /// The program's number.
    pub seed: u64,
    /// The program's name.
    pub program: &'a str,
    /// Its preprocessed text.
    pub text: &'a [u8],
    /// Of a variant: how it came from its seed.
    pub variant: Option<&'a Descent>,
    /// Its units, if it is split.
    pub units: Option<&'a Units>,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// The alarm.
    pub alarm: &'a Alarm,
    /// What the program means.
    pub truth: &'a Truth,
    /// What the compiled program did.
    pub run: Option<&'a Finished>,
    /// What the compiler wrote to standard error.
    pub compiler_stderr: &'a [u8],
    /// The time limit that was in force for the stage of the alarm.
    pub limit: Duration,
}

/// A variant that alarms, with the edits that the alarm needs.
#[derive(Clone, Debug)]
pub struct Descent {
    /// The seed's name.
    pub seed: String,
    /// The canonical text of the seed, to which the edits apply.
    pub seed_text: String,
    /// The variant.
    pub variant: Variant,
    /// How many edits there were before they were minimised.
    pub edits_before: usize,
}

impl Descent {
    /// The strategies of the edits that are left; `seed` where none is needed.
    fn strategies(&self) -> String {
        let names = self.variant.strategies(true);
        if names.is_empty() { "seed".to_owned() } else { names.join(",") }
    }
}

impl Evidence<'_> {
    /// The stable identity of the alarm.
    pub fn id(&self) -> String {
        let parts = [
            self.campaign.as_bytes(),
            &self.seed.to_le_bytes(),
            self.configuration.label().as_bytes(),
            self.alarm.oracle.as_bytes(),
        ]
        .join(&0u8);
        format!("{}-{:010x}", self.alarm.kind.name(), fingerprint(&parts) >> 24)
    }

    /// How the store lists it.
    pub fn row(&self) -> FindingRow {
        FindingRow {
            id: self.id(),
            seed: self.seed,
            program: self.program.to_owned(),
            configuration: self.configuration.label(),
            kind: self.alarm.kind.name().to_owned(),
            signature: self.alarm.signature.clone(),
            summary: self.alarm.summary.clone(),
            doubt: self.alarm.doubt.clone(),
            strategies: self.variant.map(Descent::strategies).unwrap_or_default(),
        }
    }

    /// The command lines, in order: one, or of a split program one a unit and the linker's.
    fn commands(&self, output: &str) -> Vec<Vec<String>> {
        match self.units {
            Some(units) => {
                let level = |unit| units.level(unit, &self.configuration.level).to_owned();
                let levels: Vec<String> = (0..units.texts.len()).map(level).collect();
                self.configuration.unit_commands(&levels, units.lto, output)
            }
            None => vec![self.configuration.command(output)],
        }
    }

    fn facts(&self) -> Value {
        let alarm = self.alarm;
        let compiler = &self.configuration.tested.compiler;
        json!({
            "id": self.id(),
            "kind": alarm.kind.name(),
            "oracle": alarm.oracle,
            "stage": match alarm.stage { Stage::Compile => "compile", Stage::Run => "run" },
            "summary": alarm.summary,
            "signature": alarm.signature,
            "doubt": alarm.doubt,
            "configuration": self.configuration.label(),
            "command": self.commands("program").pop(),
            "commands": self.commands("program"),
            "strategies": self.variant.map(Descent::strategies),
            "edits": self.variant.map(|v| &v.variant.edits),
            "edits_before": self.variant.map(|v| v.edits_before),
            "variant_of": self.variant.map(|v| &v.seed),
            "compiler": { "name": compiler.name(), "version": compiler.banner, "target": compiler.target.triple },
            "data_model": self.configuration.tested.target.name,
            "program": self.program,
            "seed": self.seed,
            "campaign": self.campaign,
            "plumb": env!("CARGO_PKG_VERSION"),
            "expected": expected(self.truth),
            "actual": self.run.map(actual),
            "compiler_stderr": clip(self.compiler_stderr),
        })
    }
}

/// 64-bit FNV-1a: enough to name findings apart, the same everywhere.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
}

fn expected(truth: &Truth) -> Value {
    match truth {
        Truth::Known { outcome, steps } => {
            let (exit, signal) = match outcome.exit {
                machine::Exit::Code(code) => (Some(code), None),
                machine::Exit::Signal(signal) => (None, Some(signal)),
            };
            json!({ "exit": exit, "signal": signal, "stdout": clip(&outcome.stdout), "steps": steps })
        }
        Truth::Rejected(_) => Value::Null,
    }
}

fn actual(run: &Finished) -> Value {
    use toolchain::process::Outcome;
    let (exit, signal) = match run.outcome {
        Outcome::Exited(code) => (Some(code), None),
        Outcome::Signaled(signal) => (None, Some(signal)),
        Outcome::TimedOut(_)
        | Outcome::OutputLimit(_)
        | Outcome::ProcessLimit
        | Outcome::Cancelled
        | Outcome::SpawnFailed(_) => (None, None),
    };
    json!({
        "ended": format!("{:?}", run.outcome), "exit": exit, "signal": signal, "stdout": clip(&run.stdout),
        "cpu_seconds": run.usage.cpu().as_secs_f64(),
    })
}

/// Text for the facts; the whole of a long output is what the reproducer prints.
fn clip(bytes: &[u8]) -> String {
    const LONGEST: usize = 4096;
    let mut text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned();
    if bytes.len() > LONGEST {
        text.push_str(&format!("... ({} bytes in all)", bytes.len()));
    }
    text
}

/// Writes the directory of an alarm beneath `findings` and returns its path.
pub fn write(findings: &Path, evidence: &Evidence<'_>) -> Result<PathBuf, Error> {
    let id = evidence.id();
    let (half, whole) = (findings.join(format!("{HALF}{id}")), findings.join(&id));
    let attempt = || -> Result<(), Error> {
        remove(&half)?;
        fs::create_dir_all(&half).map_err(|error| Error::file("make", &half, &error))?;
        file(&half, INPUT, evidence.text, 0o644)?;
        if let Some(descent) = evidence.variant {
            file(&half, SEED, descent.seed_text.as_bytes(), 0o644)?;
            file(&half, EDITS, mutate::to_log(&descent.variant.edits).as_bytes(), 0o644)?;
        }
        for (number, text) in evidence.units.iter().flat_map(|units| &units.texts).enumerate() {
            file(&half, &unit_file(number), text.as_bytes(), 0o644)?;
        }
        if let Truth::Known { outcome, .. } = evidence.truth {
            file(&half, EXPECTED, &outcome.stdout, 0o644)?;
        }
        file(&half, REPRO, repro::script(evidence).as_bytes(), 0o755)?;
        let facts = format!("{:#}\n", evidence.facts());
        file(&half, FACTS, facts.as_bytes(), 0o644)?;
        sync_dir(&half)?;
        // One from a run that was killed before it could commit is replaced.
        remove(&whole)?;
        fs::rename(&half, &whole).map_err(|error| Error::file("write", &whole, &error))?;
        sync_dir(findings)
    };
    attempt().inspect_err(|_| {
        let _ = fs::remove_dir_all(&half);
    })?;
    Ok(whole)
}

/// Removes what a killed hunt left half written.
pub fn sweep(findings: &Path) {
    for entry in fs::read_dir(findings).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(HALF) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn remove(dir: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("replace", dir, &error))
        }
        Err(_) | Ok(()) => Ok(()),
    }
}

fn file(dir: &Path, name: &str, bytes: &[u8], mode: u32) -> Result<(), Error> {
    let path = dir.join(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&path)?;
        file.write_all(bytes)?;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()
    };
    write().map_err(|error| Error::file("write", &path, &error))
}

fn sync_dir(dir: &Path) -> Result<(), Error> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(|error| Error::file("sync", dir, &error))
}

/// The facts of a finding's directory.
pub fn read(dir: &Path) -> Result<Value, Error> {
    let path = dir.join(FACTS);
    let bytes = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::File {
        action: "read",
        path,
        why: format!("it is damaged ({error}); its program and reproducer may still be whole"),
    })
}
