//! `plumb reduce F.ll --passes P`, or of a refuted pair: LLVM IR made small while the prover refutes what was made of it.
//!
//! A candidate is translated anew, so that what is refuted is the work of the optimiser or of instruction selection and
//! never of the reducer. Where only the pair is known, functions that the refutation does not need go from both sides, and
//! what decorates them.

use super::place::Place;
use super::{fingerprint_of, jobs, reduce};
use crate::args::Reduce;
use crate::commands::prove::refutation::{
    Pair, PairKind, Refutation, functions, optimised, refutation, selected,
};
use campaign::Error;
use campaign::toolchain::scratch::ScratchRoot;
use langs::native::{only_in_ir, only_in_mir};
use reduce::passes::{PASSES, Pass};
use reduce::{Answer, Case, Interesting, Options};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::Cancel;

/// CPU time to prove a function of the original.
const FIRST: Duration = Duration::from_secs(120);
/// The least time for candidates, and how often the original's time it is.
const LEAST: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;
/// Bytes of memory for a proof.
const MEMORY: u64 = 2048 << 20;

/// Passes that leave what functions do alone: all that is tried where a side cannot be made anew.
const HARMLESS: &[&str] =
    &["ir-functions", "ir-metadata", "ir-attributes", "ir-globals", "ir-unreachable", "comments"];

/// Is a file LLVM IR or Machine IR, by its name?
pub fn is_ir(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "ll" || ending == "mir")
}

fn is_mir(name: &str) -> bool {
    name.ends_with(".mir")
}

/// How the target is made of a candidate.
enum Made {
    /// By passes of the optimiser.
    Optimised { opt: PathBuf, passes: String },
    /// By instruction selection.
    Selected(Vec<String>),
    /// It is a file of the case.
    Given,
}

/// The test.
struct Prover {
    root: ScratchRoot,
    made: Made,
    function: String,
    time: Duration,
    /// What is to stay; a refutation that was confirmed natively must be again.
    wanted: Option<Refutation>,
}

impl Prover {
    /// Writes a case down, makes its target, and hands the pair over.
    fn with<T>(
        &self,
        case: &Case,
        ask: impl FnOnce(&Pair) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let dir = self.root.dir().map_err(|error| format!("no directory for the prover: {error}"))?;
        let mut paths = Vec::new();
        for (index, file) in case.files.iter().enumerate() {
            let ending = if is_mir(&file.name) { "mir" } else { "ll" };
            let path = dir.file(&format!("{index}.{ending}"));
            std::fs::write(&path, &file.text).map_err(|error| error.to_string())?;
            paths.push(path);
        }
        let first = paths.first().cloned().ok_or("no file")?;
        let (kind, left, right) = match &self.made {
            Made::Optimised { opt, passes } => {
                let right = dir.file("made.ll");
                // What the optimiser refuses is no candidate.
                if optimised(opt, passes, &first, &right).is_err() {
                    return Ok(None);
                }
                (PairKind::Opt, Some(first), right)
            }
            Made::Selected(llc) => {
                let right = dir.file("made.mir");
                if selected(llc, &first, &right).is_err() {
                    return Ok(None);
                }
                (PairKind::Isel, Some(first), right)
            }
            Made::Given => match (paths.get(1), case.files.get(1)) {
                (None, _) | (_, None) => (PairKind::Isel, None, first),
                (Some(right), Some(file)) if is_mir(&file.name) => {
                    (PairKind::Isel, Some(first), right.clone())
                }
                (Some(right), Some(_)) => (PairKind::Opt, Some(first), right.clone()),
            },
        };
        ask(&Pair { kind, left, right, time: self.time, memory: MEMORY }).map(Some)
    }

    fn refutes(&self, case: &Case, natively: bool) -> Result<Option<(Refutation, Duration)>, String> {
        Ok(self.with(case, |pair| refutation(pair, &self.function, natively))?.flatten())
    }
}

impl Interesting for Prover {
    fn ask(&self, _worker: usize, case: &Case, _cancel: &Cancel) -> Answer {
        let natively = self.wanted.as_ref().is_some_and(|wanted| wanted.natively);
        match self.refutes(case, natively) {
            Err(why) => Answer::Unresolved(why),
            Ok(Some((seen, _))) if Some(&seen) == self.wanted.as_ref() => Answer::Interesting,
            Ok(Some(_)) => Answer::Not("it is refuted otherwise".to_owned()),
            Ok(None) => Answer::Not("it is not refuted".to_owned()),
        }
    }
}

/// Runs the command.
pub fn run(args: &Reduce) -> Result<u8, Error> {
    let place = Place::new(&args.files, args.output.as_deref())?;
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let made = made(args)?;
    let passes: Vec<&'static dyn Pass> = match &made {
        Made::Optimised { .. } | Made::Selected(_) => PASSES.to_vec(),
        Made::Given => PASSES.iter().filter(|pass| HARMLESS.contains(&pass.name())).copied().collect(),
    };
    let words = [args.passes.as_deref(), args.opt.as_deref(), args.llc.as_deref(), args.function.as_deref()];
    let fingerprint = fingerprint_of(&format!("{words:?}"), Vec::new(), &passes);
    let resumed = place.resumable(&fingerprint)?;
    let original = match &resumed {
        Some(state) => state.original(),
        None => place.read()?,
    };
    let function = args.function.clone().unwrap_or_default();
    let mut prover = Prover { root, made, function, time: FIRST, wanted: None };
    accept(&mut prover, &original, args.function.is_none())?;
    let start = match &resumed {
        Some(_) => original.clone(),
        None => alone(&prover, &original),
    };
    let journal = match &resumed {
        Some(state) => place.resume(state)?,
        None => place.begin(&original, fingerprint)?,
    };
    let options = Options { jobs: jobs(args), passes, filter: false };
    if resumed.is_none() && start.is_below(&original) {
        place.write(&start)?;
    }
    reduce(args.json, options, &prover, &place, (&start, resumed), &journal)
}

/// How the target of what was given comes about.
fn made(args: &Reduce) -> Result<Made, Error> {
    let [file] = &args.files[..] else {
        return match (&args.files[..], &args.passes, &args.llc) {
            ([left, _], None, None) if !is_mir(&left.display().to_string()) => Ok(Made::Given),
            _ => Err(Error::Usage(
                "expected F.ll with --passes or --llc, or a refuted pair: A.ll B.ll, A.ll B.mir, F.mir"
                    .to_owned(),
            )),
        };
    };
    if is_mir(&file.display().to_string()) {
        return Ok(Made::Given);
    }
    match (&args.passes, &args.llc) {
        (_, Some(llc)) => {
            let words = shell_words::split(llc).map_err(|error| Error::Usage(format!("--llc: {error}")))?;
            Ok(Made::Selected(words))
        }
        (Some(passes), None) => {
            let opt = match &args.opt {
                Some(opt) => PathBuf::from(opt),
                None => newest_opt().ok_or_else(|| {
                    let why = "no `opt` on PATH; install the LLVM tools, or name one with --opt";
                    Error::Tool { tool: "reduce --passes".to_owned(), why: why.to_owned() }
                })?,
            };
            Ok(Made::Optimised { opt, passes: passes.clone() })
        }
        (None, None) => {
            let why = "say what is to stay: --test SCRIPT; or, for the prover to be the test, --passes of the optimiser \
                       or --llc COMMAND";
            Err(Error::Usage(why.to_owned()))
        }
    }
}

/// The optimiser of the newest LLVM on `PATH`.
fn newest_opt() -> Option<PathBuf> {
    let dirs: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = (14..=30).rev().map(|version| format!("opt-{version}")).chain(["opt".to_owned()]);
    names.flat_map(|name| dirs.iter().map(move |dir| dir.join(&name))).find(|path| path.is_file())
}

/// Is the original refuted? Finds the function if none was named, and sets what is to stay and the time for candidates.
fn accept(prover: &mut Prover, original: &Case, search: bool) -> Result<(), Error> {
    let usage = Error::Usage;
    let names = match search {
        false => vec![prover.function.clone()],
        true => prover.with(original, functions).map_err(usage)?.ok_or_else(|| {
            usage("the target cannot be made of it: see what `opt` or `llc` says".to_owned())
        })?,
    };
    for name in names {
        prover.function = name;
        if let Some((found, time)) = prover.refutes(original, true).map_err(usage)? {
            prover.wanted = Some(found);
            prover.time = LEAST + time * TIMES;
            return Ok(());
        }
    }
    let what = if search { "no function of it is refuted" } else { "the function is not refuted" };
    Err(usage(format!("{what}; `plumb prove` says what is proved and what stays unknown")))
}

/// The case with the refuted function alone, if that is enough.
fn alone(prover: &Prover, original: &Case) -> Case {
    let only = |name: &str, text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let make = if is_mir(name) { only_in_mir } else { only_in_ir };
        make(&text, &prover.function).into_bytes()
    };
    let files = original.files.iter().map(|file| (file.name.clone(), only(&file.name, &file.text)));
    let fewer = Case::new(files);
    let Ok(cancel) = Cancel::new() else { return original.clone() };
    let better = fewer.is_below(original) && prover.ask(0, &fewer, &cancel) == Answer::Interesting;
    if better { fewer } else { original.clone() }
}
