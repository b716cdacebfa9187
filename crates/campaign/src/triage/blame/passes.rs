//! GCC's passes: those that are on, and of these the ones that can be left out without harm.
//!
//! GCC trusts `-fdisable-KIND-PASS`: without some passes it crashes or makes nonsense. So each is left out once on a program
//! whose meaning is known, at the level in question, and only what does no harm there is used. What was learnt
//! is kept in the user's cache, by the bytes of the compiler proper and the options that it is always called with, so that
//! wrappers around one compiler learn it once.

use super::gcc::kind;
use super::versions::with_options;
use crate::configurations::{INPUT, OUTPUT, Tested};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::triage::model::PassKind;
use crate::triage::subject::Subject;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use toolchain::compiler::{Compilation, CompileOutcome};
use toolchain::process::{Limits, Outcome, run};

/// The program on which a pass must do no harm by its absence.
const CLEAN: &str = include_str!("clean.c");
/// What that program means.
const MEANS: &[u8] = b"231121851\n";
/// Processor time for compiling it, and for running it; the clock may run ten times as long, as it does on a busy machine.
const TIME: Duration = Duration::from_secs(20);
/// What was learnt by other rules than these is learnt again: counted up where they change.
const RULES: &[u8] = b"5";
/// Options that it takes to leave out passes whose options begin so. Functions that nobody else can call are given up before
/// the passes between functions begin, in the belief that these will put them into their callers, so they must be kept. Blocks
/// that are split into often and seldom run ones are put in order by `bbro` alone, and GCC crashes on them without it.
const TAKES: [(&str, &[&str]); 2] = [
    ("-fdisable-ipa-", &["-fkeep-static-functions", "-fkeep-inline-functions"]),
    ("-fdisable-rtl-bbro", &["-fno-reorder-blocks-and-partition"]),
];

/// A pass that is on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// What it works on.
    pub kind: PassKind,
    /// Its name, with the number of its instance where it has several.
    pub name: String,
}

impl Listed {
    /// The option that leaves it out.
    pub fn disable(&self) -> String {
        format!("-fdisable-{}-{}", self.kind.name(), self.name)
    }
}

/// Options that leave passes out, with those that it takes to do so.
pub fn leaving_out(disable: &[String]) -> impl Iterator<Item = String> + '_ {
    disable.iter().cloned().chain(taking(disable))
}

/// What it takes to leave these passes out, beside the options that do so.
pub fn taking(disable: &[String]) -> impl Iterator<Item = String> + '_ {
    let needed = TAKES.iter().filter(|(pass, _)| disable.iter().any(|option| option.starts_with(pass)));
    needed.flat_map(|(_, options)| options.iter().map(|option| (*option).to_owned()))
}

/// The passes that `-fdump-passes` lists as on, in the order in which they run. Those behind register allocation count as on
/// whatever it says: several ask whether it is done, and when the list is made it is not.
pub fn listed(text: &str) -> Vec<Listed> {
    let mut allocated = false;
    let mut passes = Vec::new();
    for line in text.lines() {
        let Some((pass, state)) = line.rsplit_once(':') else { continue };
        let Some((word, name)) = pass.trim().split_once('-') else { continue };
        if let Some(kind) = kind(word).filter(|_| allocated || state.trim() == "ON") {
            passes.push(Listed { kind, name: name.to_owned() });
        }
        allocated |= (word, name) == ("rtl", "reload");
    }
    passes
}

/// What is known of the passes of one compiler at one level.
pub struct Safe {
    /// Where that is kept for everything that calls the same compiler proper with the same options.
    shared: Option<PathBuf>,
    /// Where it is kept for this command alone, which translates the clean program wrongly: its answers are not to be believed
    /// by others.
    own: Option<PathBuf>,
    level: String,
    known: Learnt,
}

/// What was learnt, by the options that leave passes out.
#[derive(Default, Serialize, Deserialize)]
struct Learnt {
    /// Does leaving out this one do no harm?
    alone: BTreeMap<String, bool>,
    /// Those that can be left out all at once, of these that were tried.
    together: BTreeSet<String>,
    tried: BTreeSet<String>,
}

/// Passes that are on and can be left out.
pub struct Usable {
    /// Each alone, in the order in which they run.
    pub alone: Vec<Listed>,
    /// Those of them that can be left out all at once.
    pub together: Vec<Listed>,
}

impl Safe {
    /// What earlier runs learnt.
    pub fn of(subject: &Subject<'_>) -> Result<Safe, Error> {
        let compiler = &subject.configuration.tested.compiler;
        let mut words = subject.configuration.level.split_whitespace();
        let level = words.rfind(|word| word.starts_with("-O")).unwrap_or("-O0").to_owned();
        let proper = compiler.proper(subject.scratch()?.path());
        let bytes = |path: &Path| fs::read(path).map_err(|error| Error::file("read", path, &error));
        let (_, always) = with_options(&compiler.command);
        let mut hash = Fingerprint::default();
        hash.add(RULES).add(CLEAN.as_bytes()).add(compiler.banner.as_bytes()).add(level.as_bytes());
        hash.add(compiler.target.triple.as_bytes()).add(always.join(" ").as_bytes());
        hash.add(&bytes(proper.as_ref().unwrap_or(&compiler.program))?);
        let file = |hash: &Fingerprint| {
            cache().map(|dir| dir.join(format!("gcc-passes-{:016x}.json", hash.value())))
        };
        let shared = proper.is_some().then(|| file(&hash)).flatten();
        hash.add(compiler.name().as_bytes()).add(&bytes(&compiler.program)?);
        let own = file(&hash);
        // What cannot be read is learnt again.
        let read = |file: &PathBuf| serde_json::from_slice(&fs::read(file).ok()?).ok();
        let known = shared.iter().chain(&own).find_map(read).unwrap_or_default();
        Ok(Safe { shared, own, level, known })
    }

    /// Those of the passes that can be left out; what is not known yet is tried.
    pub fn among(&mut self, passes: &[Listed], subject: &Subject<'_>) -> Result<Usable, Error> {
        let options: Vec<String> = passes.iter().map(Listed::disable).collect();
        let unknown: Vec<String> =
            options.iter().filter(|option| !self.known.alone.contains_key(*option)).cloned().collect();
        let untried = |safe: &Safe| -> Vec<String> {
            let alone = |option: &&String| safe.known.alone.get(*option).copied().unwrap_or(false);
            options.iter().rev().filter(alone).filter(|o| !safe.known.tried.contains(*o)).cloned().collect()
        };
        if !unknown.is_empty() || !untried(self).is_empty() {
            let trial = Trial::of(subject, &self.level)?;
            self.learn_alone(&unknown, &trial)?;
            let untried = untried(self);
            self.learn_together(&untried, &trial)?;
            if !toolchain::stop::requested() {
                self.known.tried.extend(untried);
                self.keep(trial.usual.as_deref() == Some(MEANS));
            }
        }
        let alone = |pass: &&Listed| self.known.alone.get(&pass.disable()).copied().unwrap_or(false);
        let alone: Vec<Listed> = passes.iter().filter(alone).cloned().collect();
        let together = |pass: &&Listed| self.known.together.contains(&pass.disable());
        Ok(Usable { together: alone.iter().filter(together).cloned().collect(), alone })
    }

    fn learn_alone(&mut self, options: &[String], trial: &Trial<'_, '_>) -> Result<(), Error> {
        let learnt = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(option) = options.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let seen = trial.is_right(std::slice::from_ref(option));
                        let mut learnt = learnt.lock().unwrap_or_else(PoisonError::into_inner);
                        learnt.push(seen.map(|right| (option.clone(), right)));
                    }
                });
            }
        });
        for one in learnt.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let (option, right) = one?;
            self.known.alone.insert(option, right);
        }
        Ok(())
    }

    /// Adds those that can be left out beside what can be already: all at once, or else each half by itself.
    fn learn_together(&mut self, options: &[String], trial: &Trial<'_, '_>) -> Result<(), Error> {
        if options.is_empty() || toolchain::stop::requested() {
            return Ok(());
        }
        let all: Vec<String> = self.known.together.iter().chain(options).cloned().collect();
        if trial.is_right(&all)? {
            self.known.together.extend(options.iter().cloned());
        } else if options.len() > 1 {
            let (first, second) = options.split_at(options.len() / 2);
            self.learn_together(first, trial)?;
            self.learn_together(second, trial)?;
        }
        Ok(())
    }

    /// Keeps what was learnt, for all if it is to be believed; a cache that cannot be written costs time only.
    fn keep(&self, believed: bool) {
        let Some(file) = self.shared.as_ref().filter(|_| believed).or(self.own.as_ref()) else { return };
        let half = file.with_extension(format!("{}.half", std::process::id()));
        let written = file.parent().map(fs::create_dir_all).and_then(Result::ok).is_some()
            && serde_json::to_vec(&self.known).is_ok_and(|bytes| fs::write(&half, bytes).is_ok());
        if written {
            let _ = fs::rename(&half, file);
        }
    }
}

fn limits() -> Limits {
    Limits { wall: Some(TIME * 10), ..Limits::within(TIME) }
}

/// The user's cache.
fn cache() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(Path::new(&base).join("plumb"))
}

/// The clean program, compiled by a compiler at a level.
struct Trial<'s, 'r> {
    subject: &'s Subject<'r>,
    level: String,
    /// What it prints with all passes.
    usual: Option<Vec<u8>>,
}

impl<'s, 'r> Trial<'s, 'r> {
    fn of(subject: &'s Subject<'r>, level: &str) -> Result<Trial<'s, 'r>, Error> {
        let mut trial = Trial { subject, level: level.to_owned(), usual: None };
        trial.usual = trial.prints(&[])?;
        Ok(trial)
    }

    /// Does it do no harm to leave this out? Of a compiler that translates the clean program wrongly anyhow, what it prints
    /// says nothing: a crash alone tells then.
    fn is_right(&self, options: &[String]) -> Result<bool, Error> {
        let seen = self.prints(options)?;
        let usual = self.usual.as_deref();
        Ok(seen.is_some_and(|seen| seen == MEANS || usual.is_some_and(|usual| usual != MEANS)))
    }

    /// What it prints, compiled with these options; `None` where it does not compile or does not end well.
    fn prints(&self, options: &[String]) -> Result<Option<Vec<u8>>, Error> {
        let tested: &Tested = &self.subject.configuration.tested;
        let (dir, cwd) = (self.subject.scratch()?, self.subject.scratch()?);
        let path = dir.file(INPUT);
        fs::write(&path, CLEAN).map_err(|error| Error::file("write", &path, &error))?;
        let job = Compilation::new(path, dir.file(OUTPUT))
            .args(&tested.float_flags)
            .arg(&self.level)
            .args(leaving_out(options))
            .arg("-w")
            .library("-lm")
            .limits(Limits { processes: Some(256), ..limits() });
        if tested.compiler.compile(&job).outcome != CompileOutcome::Ok {
            return Ok(None);
        }
        let done = tested.compiler.run_spec(&dir.file(OUTPUT), cwd.path(), &limits()).map(|spec| run(&spec));
        Ok(done.filter(|done| done.outcome == Outcome::Exited(0)).map(|done| done.stdout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_are_on_are_read_in_order() {
        let text = "   *warn_unused_result    :  ON\n   tree-eh  :  ON\n   tree-tmlower :  OFF\n      ipa-cp :  ON\n   \
            rtl-combine     :  ON\n   rtl-reload :  ON\n   *all-postreload :  OFF\n      rtl-postreload :  OFF\n";
        let options: Vec<String> = listed(text).iter().map(Listed::disable).collect();
        let passes = ["tree-eh", "ipa-cp", "rtl-combine", "rtl-reload", "rtl-postreload"];
        assert_eq!(options, passes.map(|pass| format!("-fdisable-{pass}")));
    }

    #[test]
    fn some_passes_take_more_to_leave_them_out() {
        let takes = |pass: &str| taking(&[format!("-fdisable-{pass}")]).collect::<Vec<_>>();
        assert_eq!(takes("rtl-bbro"), ["-fno-reorder-blocks-and-partition"]);
        assert_eq!(takes("ipa-cp"), ["-fkeep-static-functions", "-fkeep-inline-functions"]);
        assert!(takes("rtl-combine").is_empty());
    }
}
