//! A finding read back: its program, its configuration on the compiler that is here now, what its program is given.

use super::session::case_of;
use crate::configurations::{Configuration, INPUT, LTO, Opened, Tested, unit_file};
use crate::error::Error;
use crate::findings::{self, Against, Contrast, Facts, SEED, STDIN};
use crate::units::Units;
use crate::verdict::{FindingKind, OracleName, Relation};
use mutate::Input;
use reduce::Case;
use std::fs;
use std::path::Path;
use toolchain::scratch::ScratchRoot;

/// A finding that can be tested again.
#[derive(Clone)]
pub(super) struct Reopened {
    pub facts: Facts,
    pub configuration: Configuration,
    /// Its preprocessed text; of a program of several units, that of all of them merged.
    pub text: Vec<u8>,
    /// Its units, where it has several.
    pub units: Option<Units>,
    /// Of a variant: the canonical text of its seed.
    pub seed: Option<Vec<u8>>,
    pub input: Input,
    /// Of a finding that rests on a comparison: with what.
    pub against: Option<Against>,
    pub scratch: ScratchRoot,
}

fn cannot(id: &str, why: &str) -> Error {
    Error::Usage(format!("reduce --finding {id}: {why}"))
}

impl Reopened {
    /// Reads the finding in this directory and opens its compiler.
    pub fn open(dir: &Path, compilers: &Opened) -> Result<Reopened, Error> {
        let facts = findings::read(dir)?;
        let id = facts.id.clone();
        let why = match (facts.kind, facts.oracle, &facts.expected) {
            (FindingKind::MissedOptimisation | FindingKind::SlowCompilation | FindingKind::DebugInfo, ..)
                if facts.against.is_none() =>
            {
                Some("it does not say what it was compared with")
            }
            (FindingKind::Volatile, ..) if facts.accesses.is_none() => {
                Some("it does not say which volatile object is accessed otherwise")
            }
            (_, OracleName::Disagreement, _) => {
                Some("compilers disagree about it and its meaning is not known")
            }
            (FindingKind::WrongCode | FindingKind::FalseReport, _, None) => Some("its meaning is not known"),
            (
                FindingKind::WrongCode
                | FindingKind::FalseReport
                | FindingKind::Crash
                | FindingKind::Hang
                | FindingKind::Refusal
                | FindingKind::MissedOptimisation
                | FindingKind::DebugInfo
                | FindingKind::SlowCompilation
                | FindingKind::Volatile,
                ..,
            ) => None,
        };
        if let Some(why) = why {
            return Err(cannot(&id, why));
        }
        let scratch =
            ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
        let tested = compilers.open(&facts.compiler.name, &scratch)?;
        let foreign = || cannot(&id, "its command line is not one of the compiler it names");
        let words = facts.commands.first().map(Vec::as_slice).unwrap_or_default();
        let level = level_of(&tested, words).ok_or_else(foreign)?;
        let against = match &facts.against {
            None => None,
            Some(known) => {
                let tested = compilers.open(&known.compiler.name, &scratch)?;
                let level = level_of(&tested, &known.command).ok_or_else(foreign)?;
                let what = match (&known.marker, &known.cost) {
                    (Some(name), _) => Contrast::Marker(name.clone()),
                    (None, Some(cost)) => Contrast::Cost(cost.clone()),
                    (None, None) if known.relation == Relation::DebugInfo => Contrast::Code,
                    (None, None) => return Err(cannot(&id, "it does not say in what it was compared")),
                };
                let configuration = Configuration { tested, level, model: 0 };
                Some(Against { configuration, relation: known.relation, what })
            }
        };
        let stdin = optional(dir, STDIN)?.unwrap_or_default();
        let args = facts.arguments.iter().map(|arg| arg.clone().into_bytes()).collect();
        let units = match &facts.commands[..] {
            [steps @ .., link] if steps.len() > 1 => {
                let levels: Option<Vec<String>> =
                    steps[1..].iter().map(|words| level_of(&tested, words)).collect();
                let texts = (0..steps.len()).map(|n| needed(dir, &unit_file(n)).map(|t| lossy(&t)));
                let lto = link.iter().skip_while(|word| *word != "-w").any(|word| word == LTO);
                Some(Units {
                    texts: texts.collect::<Result<_, _>>()?,
                    levels: levels.ok_or_else(foreign)?,
                    lto,
                })
            }
            _ => None,
        };
        Ok(Reopened {
            text: needed(dir, INPUT)?,
            units,
            seed: optional(dir, SEED)?,
            configuration: Configuration { tested, level, model: 0 },
            input: Input { args, stdin },
            against,
            facts,
            scratch,
        })
    }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

impl Reopened {
    /// The program as it is compiled: its units, or its text.
    pub fn case(&self) -> Case {
        match &self.units {
            Some(units) => {
                let named = |(n, text): (usize, &String)| (unit_file(n), text.clone().into_bytes());
                Case::new(units.texts.iter().enumerate().map(named))
            }
            None => case_of(&self.text),
        }
    }
}

/// The words of a command that are the level's: behind the compiler's own and before those for every program.
fn level_of(tested: &Tested, words: &[String]) -> Option<String> {
    let rest = words.strip_prefix(&tested.compiler.command[..])?;
    let rest = rest.strip_prefix(&tested.float_flags[..])?;
    let end = rest.iter().position(|word| word == "-w")?;
    Some(rest[..end].join(" "))
}

fn needed(dir: &Path, name: &str) -> Result<Vec<u8>, Error> {
    let path = dir.join(name);
    fs::read(&path).map_err(|error| Error::file("read", &path, &error))
}

fn optional(dir: &Path, name: &str) -> Result<Option<Vec<u8>>, Error> {
    let path = dir.join(name);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", &path, &error)),
    }
}
