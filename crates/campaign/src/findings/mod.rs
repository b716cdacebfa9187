//! A directory for every alarm: the program, a reproducer that needs nothing of plumb, and the facts as JSON.
//!
//! A directory appears whole or not at all: it is written under another name, synced and renamed.

mod against;
mod belief;
mod facts;
mod repro;
mod repro_volatile;

pub use against::{Against, AgainstFacts, Contrast, CostFacts};
pub use facts::{Actual, CompilerFacts, Ended, Expected, Facts, clip};

use crate::configurations::{Configuration, INPUT, unit_file};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::oracles::volatile::AccessFacts;
use crate::store::FindingRow;
use crate::truth::Truth;
use crate::units::Units;
use crate::variants::Variant;
use crate::verdict::{Alarm, Named};
use mutate::Input;
use std::collections::BTreeSet;
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
pub(crate) const SEED: &str = "seed.c";
/// The edits that made it.
const EDITS: &str = "edits.jsonl";
/// The output that the program means.
pub const EXPECTED: &str = "expected-stdout";

/// What the program reads.
pub(crate) const STDIN: &str = "stdin";

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
    /// The command of plumb that writes it, or its seed if it is a variant.
    pub source_command: Option<&'a str>,
    /// Of a variant: how it came from its seed.
    pub variant: Option<&'a Descent>,
    /// Its units, if it is split.
    pub units: Option<&'a Units>,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// The alarm.
    pub alarm: &'a Alarm,
    /// Of an alarm that rests on a comparison: with what.
    pub against: Option<&'a Against>,
    /// Of an alarm about a volatile object: what is done to it.
    pub accesses: Option<&'a AccessFacts>,
    /// What the program means.
    pub truth: &'a Truth,
    /// What the compiled program did.
    pub run: Option<&'a Finished>,
    /// What the compiler wrote to standard error.
    pub compiler_stderr: &'a [u8],
    /// What the program is given.
    pub input: &'a Input,
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
        let mut parts = [
            self.campaign.as_bytes(),
            &self.seed.to_le_bytes(),
            self.configuration.label().as_bytes(),
            self.alarm.oracle.name().as_bytes(),
        ]
        .join(&0u8);
        if let Some(against) = self.against {
            parts.extend_from_slice(against.identity().as_bytes());
        }
        format!("{}-{:010x}", self.alarm.kind.name(), Fingerprint::default().add(&parts).value() >> 24)
    }

    /// How the store lists it.
    pub fn row(&self) -> FindingRow {
        FindingRow {
            id: self.id(),
            seed: self.seed,
            program: self.program.to_owned(),
            configuration: self.configuration.label(),
            kind: self.alarm.kind,
            signature: self.alarm.signature.clone(),
            summary: self.alarm.summary.clone(),
            doubt: self.alarm.doubt.clone(),
            strategies: self.variant.map(Descent::strategies).unwrap_or_default(),
            evidence_of: String::new(),
        }
    }

    /// The command lines, in order: one, or of a split program one a unit and the linker's.
    fn commands(&self, output: &str) -> Vec<Vec<String>> {
        match self.units {
            _ if self.against.is_some() => vec![self.configuration.assembly_command(output)],
            Some(units) => {
                let level = |unit| units.level(unit, &self.configuration.level).to_owned();
                let levels: Vec<String> = (0..units.texts.len()).map(level).collect();
                self.configuration.unit_commands(&levels, units.lto, output)
            }
            None => vec![self.configuration.command(output)],
        }
    }
}

/// A finding's directory that is written and not yet one of the findings; dropped, it is removed.
pub struct Draft {
    half: PathBuf,
    whole: PathBuf,
    commands: usize,
    kept: bool,
}

impl Draft {
    /// Writes the directory of an alarm beneath `findings`.
    pub fn write(findings: &Path, evidence: &Evidence<'_>) -> Result<Draft, Error> {
        let id = evidence.id();
        let (half, whole) = (findings.join(format!("{HALF}{id}")), findings.join(&id));
        remove(&half)?;
        fs::create_dir_all(&half).map_err(|error| Error::file("make", &half, &error))?;
        let commands = evidence.commands("program").len();
        let draft = Draft { half, whole, commands, kept: false };
        fill(&draft.half, evidence, &Facts::of(evidence))?;
        Ok(draft)
    }

    /// Where it lies for now.
    pub fn path(&self) -> &Path {
        &self.half
    }

    /// How many commands its reproducer runs to make the program.
    pub fn commands(&self) -> usize {
        self.commands
    }

    /// Makes it a finding.
    pub fn keep(mut self) -> Result<(), Error> {
        sync_dir(&self.half)?;
        // One from a run that was killed before it could commit is replaced.
        remove(&self.whole)?;
        fs::rename(&self.half, &self.whole).map_err(|error| Error::file("write", &self.whole, &error))?;
        self.kept = true;
        sync_dir(self.whole.parent().unwrap_or(&self.whole))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // What is left is swept by the next hunt.
            let _ = fs::remove_dir_all(&self.half);
        }
    }
}

/// Writes the files of a finding.
fn fill(dir: &Path, evidence: &Evidence<'_>, facts: &Facts) -> Result<(), Error> {
    file(dir, INPUT, evidence.text, 0o644)?;
    if let Some(descent) = evidence.variant {
        file(dir, SEED, descent.seed_text.as_bytes(), 0o644)?;
        file(dir, EDITS, mutate::to_log(&descent.variant.edits).as_bytes(), 0o644)?;
    }
    for (number, text) in evidence.units.iter().flat_map(|units| &units.texts).enumerate() {
        file(dir, &unit_file(number), text.as_bytes(), 0o644)?;
    }
    if !evidence.input.stdin.is_empty() {
        file(dir, STDIN, &evidence.input.stdin, 0o644)?;
    }
    if let Truth::Known { outcome, .. } | Truth::Opaque { outcome, .. } = evidence.truth {
        file(dir, EXPECTED, &outcome.stdout, 0o644)?;
    }
    file(dir, REPRO, repro::script(evidence).as_bytes(), 0o755)?;
    let mut facts = serde_json::to_vec_pretty(facts)
        .map_err(|error| Error::Internal(format!("the facts of a finding are not JSON: {error}")))?;
    facts.push(b'\n');
    file(dir, FACTS, &facts, 0o644)
}

/// Writes a smaller form of the finding in `dir` into a directory of that name beneath it, which then has all files of a
/// finding, the finding's identity, and these files beside. One that was there is replaced.
pub(crate) fn write_beneath(
    dir: &Path,
    name: &str,
    evidence: &Evidence<'_>,
    id: &str,
    files: &[(&str, &[u8])],
) -> Result<(), Error> {
    let (half, whole) = (dir.join(format!("{HALF}{name}")), dir.join(name));
    remove(&half)?;
    fs::create_dir_all(&half).map_err(|error| Error::file("make", &half, &error))?;
    fill(&half, evidence, &Facts { id: id.to_owned(), ..Facts::of(evidence) })?;
    for (name, bytes) in files {
        file(&half, name, bytes, 0o644)?;
    }
    sync_dir(&half)?;
    remove(&whole)?;
    fs::rename(&half, &whole).map_err(|error| Error::file("write", &whole, &error))?;
    sync_dir(dir)
}

/// Removes what a killed hunt left half written, and what it wrote whole but had not committed: no finding of the store
/// has that name, and when its program is tested again another may stand for the bug.
pub fn sweep(findings: &Path, known: &BTreeSet<String>) {
    for entry in fs::read_dir(findings).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let whole = entry.path().join(FACTS).is_file();
        if name.starts_with(HALF) || whole && !known.contains(&name) {
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

/// The facts of a finding's directory. An error where they name what its campaign has not: nothing of it is run.
pub fn read(dir: &Path) -> Result<Facts, Error> {
    let path = dir.join(FACTS);
    let bytes = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
    let facts: Facts = serde_json::from_slice(&bytes).map_err(|error| Error::File {
        action: "read",
        path,
        why: format!("it is damaged ({error}); its program and reproducer may still be whole"),
    })?;
    belief::check(dir, &facts)?;
    Ok(facts)
}
