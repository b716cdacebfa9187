//! `plumb inject`: faults put into machine code, and how many of them the validator misses ("Will you still compile me
//! tomorrow?", section 4.3). Where it calls both sides equivalent, runs from random states decide, and not a person.

mod json;
mod tell;

#[cfg(test)]
pub use json::Line;

use crate::args::Inject;
use crate::commands::diff::rules_of;
use crate::commands::diff::worker::{self, Job};
use campaign::Error;
use crossver::buckets::Rules;
use crossver::cause::Cause;
use crossver::equality::verdict::VerdictKind;
use crossver::inject::{FaultKind, Faulty, inject};
use crossver::objects::{Image, load};
use crossver::replay::{Observed, Replayer};
use crossver::report::{Compared, Comparison, in_parallel};
use json::{Blame, FaultLine, FaultOutcome};
use std::cell::LazyCell;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tell::Told;
use toolchain::scratch::ScratchRoot;
use toolchain::stop;

/// What all faults share.
struct Bench<'a> {
    args: &'a Inject,
    /// The object, or the member of an archive, that gets the faults: its name and contents.
    images: Vec<(String, Image)>,
    /// What the faulty sides are compared with, in the same order: contents, and a file that holds them.
    old: Vec<(Image, PathBuf)>,
    kinds: Vec<FaultKind>,
    replayer: Replayer,
    rules: Rules,
    dir: PathBuf,
}

/// Runs the command.
pub fn run(args: &Inject) -> Result<u8, Error> {
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| usize::from(jobs.get()),
    );
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let scratch = root.dir().map_err(|error| Error::file("make", root.path(), &error))?;
    let images = images(&args.object)?;
    let old = args.old.as_ref().unwrap_or(&args.object);
    let old = kept(old, self::images(old)?, &images, scratch.path())?;
    if let Some(dir) = &args.output {
        std::fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))?;
    }
    let bench = Bench {
        args,
        images,
        old,
        kinds: kinds(args)?,
        replayer: Replayer::default(),
        rules: rules_of(args.rules.as_deref())?,
        dir: scratch.path().to_owned(),
    };
    let mut told = Told::new(args);
    let numbers: Vec<u64> = (0..args.count).collect();
    // Chunks, so that lines come out while the rest is still to do.
    for chunk in numbers.chunks(jobs.max(1) * 4) {
        for line in in_parallel(jobs, chunk, |n| bench.fault(*n)) {
            told.tell(line?);
        }
        if stop::requested() {
            return Err(Error::Resource(format!("stopped after {} faults", told.faults())));
        }
    }
    Ok(told.end())
}

fn kinds(args: &Inject) -> Result<Vec<FaultKind>, Error> {
    let of = |name: &String| {
        let known = FaultKind::ALL.iter().find(|kind| kind.name() == name);
        known.copied().ok_or_else(|| {
            let names: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
            Error::Usage(format!(
                "--kinds: no kind of fault is called `{name}`; expected {}",
                names.join(", ")
            ))
        })
    };
    match args.kinds.as_slice() {
        [] => Ok(FaultKind::ALL.to_vec()),
        some => some.iter().map(of).collect(),
    }
}

/// The objects of a file, by their names in archives.
fn images(file: &Path) -> Result<Vec<(String, Image)>, Error> {
    let loaded = load(file).map_err(|error| Error::Usage(error.to_string()))?;
    for skipped in &loaded.skipped {
        eprintln!("plumb: {skipped}");
    }
    Ok(loaded.images.into_iter().map(|(name, image)| (name.unwrap_or_default(), image)).collect())
}

/// The old sides, each in a file of its own.
fn kept(
    file: &Path,
    old: Vec<(String, Image)>,
    new: &[(String, Image)],
    dir: &Path,
) -> Result<Vec<(Image, PathBuf)>, Error> {
    let mut out = Vec::new();
    let mut old: Vec<Option<(String, Image)>> = old.into_iter().map(Some).collect();
    for (n, (name, _)) in new.iter().enumerate() {
        let single = old.len() == 1 && new.len() == 1;
        let found = old.iter_mut().find(|o| single || o.as_ref().is_some_and(|(other, _)| other == name));
        let Some((_, image)) = found.and_then(Option::take) else {
            return Err(Error::Usage(format!("{} has no member `{name}`", file.display())));
        };
        let path = dir.join(format!("{n}.old.o"));
        std::fs::write(&path, image.bytes.get()).map_err(|error| Error::file("write", &path, &error))?;
        out.push((image, path));
    }
    Ok(out)
}

impl Bench<'_> {
    /// Puts the fault of a number in; none where none was found.
    fn fault(&self, number: u64) -> Result<Option<FaultLine>, Error> {
        if stop::requested() {
            return Ok(None);
        }
        let seed = self.args.seed.wrapping_mul(1 << 20).wrapping_add(number);
        let n = (seed % self.images.len().max(1) as u64) as usize;
        let Some((name, image)) = self.images.get(n) else { return Ok(None) };
        let Some(faulty) = inject(image, seed, &self.kinds) else { return Ok(None) };
        let mut line = FaultLine {
            number,
            fault: faulty.fault.clone(),
            file: None,
            outcome: None,
            verdict: None,
            why: None,
            bucket: None,
            cause: None,
            blame: None,
            text: None,
            assumptions: Vec::new(),
            states: None,
            ms: None,
        };
        let stem = if name.is_empty() { "fault".to_owned() } else { name.replace('/', "-") };
        let path = match &self.args.output {
            Some(dir) => dir.join(format!("{stem}.{number}.o")),
            None => self.dir.join(format!("{number}.new.o")),
        };
        if self.args.output.is_some() || self.args.diff {
            let written = std::fs::write(&path, faulty.image.bytes.get());
            written.map_err(|error| Error::file("write", &path, &error))?;
        }
        if self.args.diff {
            self.validate(&mut line, &faulty, n, &path)?;
        }
        match &self.args.output {
            Some(_) => line.file = Some(path.display().to_string()),
            None => drop(std::fs::remove_file(&path)),
        }
        Ok(Some(line))
    }

    /// Compares both sides as `plumb diff` does it, and runs what is called equivalent.
    fn validate(&self, line: &mut FaultLine, faulty: &Faulty, n: usize, path: &Path) -> Result<(), Error> {
        let (old, file) = &self.old[n];
        let comparison =
            Comparison::new(old, &faulty.image, 1).map_err(|error| Error::Usage(error.to_string()))?;
        let Some(pair) = comparison.of_new(faulty.function) else { return Ok(()) };
        let job = Job {
            old: file.clone(),
            new: path.to_owned(),
            member: None,
            time: self.args.timeout,
            memory: self.args.memory << 20,
        };
        let cheap = comparison.cheap(pair);
        let Some(cheap) = cheap else { return Ok(()) };
        let mut found = if cheap.open { worker::ask(&Mutex::default(), &job, pair, &cheap) } else { cheap };
        found.replay(&self.replayer, &self.rules);
        line.outcome = Some(self.outcome(line, &found, (&comparison, pair), (n, faulty.function)));
        let f = found.function;
        (line.verdict, line.why, line.bucket) = (Some(f.verdict), f.why, f.bucket);
        if f.verdict == VerdictKind::Different {
            line.blame = blame(faulty, f.cause.as_ref());
        }
        line.cause = f.cause;
        (line.assumptions, line.ms) = (f.assumptions, f.ms);
        line.text = line.text.take().or(f.text);
        Ok(())
    }

    /// What became of a fault in a function of an image. What is called equivalent is run from random states. A difference that
    /// the new side shows without the fault, too, is not the fault's: the state has an index outside a table, say.
    fn outcome(
        &self,
        line: &mut FaultLine,
        found: &Compared,
        pair: (&Comparison<'_>, usize),
        (image, function): (usize, usize),
    ) -> FaultOutcome {
        let untouched = LazyCell::new(|| Comparison::new(&self.old[image].0, &self.images[image].1, 1).ok());
        let differs_untouched = |state: u64, how: &Observed| {
            let Some((untouched, pair)) = untouched.as_ref().and_then(|u| Some((u, u.of_new(function)?)))
            else {
                return false;
            };
            let run = untouched.random(pair, state..state + 1, &self.replayer, &|_, _| false);
            matches!(run, Ok(Some(same)) if same == *how)
        };
        match found.function.verdict {
            VerdictKind::Different => FaultOutcome::Different,
            VerdictKind::Unknown | VerdictKind::Unsupported => FaultOutcome::Open,
            VerdictKind::Proved | VerdictKind::Conditional => {
                line.states = Some(self.args.states);
                match pair.0.random(pair.1, 0..self.args.states, &self.replayer, &differs_untouched) {
                    Ok(None) => FaultOutcome::Equivalent,
                    Ok(Some(how)) => {
                        line.text = Some(how.to_string());
                        FaultOutcome::Missed
                    }
                    Err(why) => {
                        line.text = Some(why);
                        FaultOutcome::NotRun
                    }
                }
            }
        }
    }
}

/// Whether the instruction that is blamed on the new side is the faulty one. None of a fault in a table.
fn blame(faulty: &Faulty, cause: Option<&Cause>) -> Option<Blame> {
    let (section, at) = faulty.place?;
    let name = &faulty.image.sections[section].name;
    Some(match cause.map(|cause| &cause.new) {
        Some(Some(new)) if new.section == *name && new.at == at => Blame::Right,
        Some(_) => Blame::Wrong,
        None => Blame::None,
    })
}
