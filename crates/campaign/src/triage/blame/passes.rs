//! GCC's passes: those that are on, and of these the ones that can be left out without harm.
//!
//! GCC trusts `-fdisable-KIND-PASS`: without some passes it crashes or makes nonsense. So each is left out once on a program
//! that the compiler translates rightly, at the level in question, and only what does no harm there is used. What was learnt
//! is kept in the user's cache, by the compiler's own bytes.

use super::gcc::kind;
use crate::configurations::{INPUT, OUTPUT, Tested};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::triage::model::PassKind;
use crate::triage::subject::Subject;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use toolchain::compiler::{Compilation, CompileOutcome};
use toolchain::process::{Limits, Outcome, Spec, run};

/// The program on which a pass must do no harm by its absence.
const CLEAN: &str = include_str!("clean.c");
/// Time for compiling it, and for running it.
const TIME: Duration = Duration::from_secs(20);

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

/// The passes that `-fdump-passes` lists as on, in the order in which they run.
pub fn listed(text: &str) -> Vec<Listed> {
    let line = |line: &str| {
        let (pass, state) = line.rsplit_once(':')?;
        let (word, name) = pass.trim().split_once('-')?;
        (state.trim() == "ON").then_some(())?;
        Some(Listed { kind: kind(word)?, name: name.to_owned() })
    };
    text.lines().filter_map(line).collect()
}

/// What is known of the passes of one compiler at one level.
pub struct Safe {
    file: Option<PathBuf>,
    level: String,
    known: BTreeMap<String, bool>,
}

impl Safe {
    /// What earlier runs learnt.
    pub fn of(subject: &Subject<'_>) -> Result<Safe, Error> {
        let compiler = &subject.configuration.tested.compiler;
        let words = subject.configuration.level.split_whitespace();
        let level = words.filter(|word| word.starts_with("-O")).next_back().unwrap_or("-O0").to_owned();
        let mut hash = Fingerprint::default();
        hash.add(CLEAN.as_bytes()).add(compiler.banner.as_bytes()).add(level.as_bytes());
        hash.add(compiler.target.triple.as_bytes());
        for path in [Some(compiler.program.clone()), proper(&compiler.command)].into_iter().flatten() {
            hash.add(&fs::read(&path).map_err(|error| Error::file("read", &path, &error))?);
        }
        let file = cache().map(|dir| dir.join(format!("gcc-passes-{:016x}.json", hash.value())));
        let kept = file.as_ref().and_then(|file| fs::read(file).ok());
        // What cannot be read is learnt again.
        let known = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Ok(Safe { file, level, known })
    }

    /// Those of the passes that can be left out; what is not known yet is tried.
    pub fn among(&mut self, passes: &[Listed], subject: &Subject<'_>) -> Result<Vec<Listed>, Error> {
        let unknown: Vec<String> =
            passes.iter().map(Listed::disable).filter(|option| !self.known.contains_key(option)).collect();
        if !unknown.is_empty() {
            self.learn(&unknown, subject)?;
        }
        let safe = |pass: &&Listed| self.known.get(&pass.disable()).copied().unwrap_or(false);
        Ok(passes.iter().filter(safe).cloned().collect())
    }

    fn learn(&mut self, options: &[String], subject: &Subject<'_>) -> Result<(), Error> {
        let tested = &subject.configuration.tested;
        let Some(wanted) = clean(tested, subject, &[self.level.clone()])? else { return Ok(()) };
        let learnt = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(option) = options.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let seen = clean(tested, subject, &[self.level.clone(), option.clone()]);
                        let mut learnt = learnt.lock().unwrap_or_else(PoisonError::into_inner);
                        learnt.push(seen.map(|seen| (option.clone(), seen.as_ref() == Some(&wanted))));
                    }
                });
            }
        });
        for one in learnt.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let (option, safe) = one?;
            self.known.insert(option, safe);
        }
        if !toolchain::stop::requested() {
            self.keep();
        }
        Ok(())
    }

    /// Keeps what was learnt; a cache that cannot be written costs time only.
    fn keep(&self) {
        let Some(file) = &self.file else { return };
        let half = file.with_extension(format!("{}.half", std::process::id()));
        let written = file.parent().map(fs::create_dir_all).and_then(Result::ok).is_some()
            && serde_json::to_vec(&self.known).is_ok_and(|bytes| fs::write(&half, bytes).is_ok());
        if written {
            let _ = fs::rename(&half, file);
        }
    }
}

/// The compiler proper behind a driver, where it tells.
fn proper(command: &[String]) -> Option<PathBuf> {
    let spec = Spec::from_argv(command).arg("-print-prog-name=cc1").limits(Limits::within(TIME));
    let done = run(&spec);
    let path = PathBuf::from(String::from_utf8_lossy(&done.stdout).trim());
    (done.outcome == Outcome::Exited(0) && path.is_absolute() && path.is_file()).then_some(path)
}

/// The user's cache.
fn cache() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(Path::new(&base).join("plumb"))
}

/// What the clean program prints, compiled so; `None` where it doesn't compile or does not end well.
fn clean(tested: &Tested, subject: &Subject<'_>, options: &[String]) -> Result<Option<Vec<u8>>, Error> {
    let (dir, cwd) = (subject.scratch()?, subject.scratch()?);
    let path = dir.file(INPUT);
    fs::write(&path, CLEAN).map_err(|error| Error::file("write", &path, &error))?;
    let job = Compilation::new(path, dir.file(OUTPUT))
        .args(&tested.float_flags)
        .args(options)
        .arg("-w")
        .library("-lm")
        .limits(Limits { processes: Some(256), ..Limits::within(TIME) });
    if tested.compiler.compile(&job).outcome != CompileOutcome::Ok {
        return Ok(None);
    }
    let limits = Limits::within(TIME);
    let done = tested.compiler.run_spec(&dir.file(OUTPUT), cwd.path(), &limits).map(|spec| run(&spec));
    Ok(done.filter(|done| done.outcome == Outcome::Exited(0)).map(|done| done.stdout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_are_on_are_read_in_order() {
        let text = "   *warn_unused_result    :  ON\n   tree-eh  :  ON\n   tree-tmlower :  OFF\n      ipa-cp :  ON\n   \
            rtl-combine     :  ON\n";
        let options: Vec<String> = listed(text).iter().map(Listed::disable).collect();
        assert_eq!(options, ["-fdisable-tree-eh", "-fdisable-ipa-cp", "-fdisable-rtl-combine"]);
    }
}
