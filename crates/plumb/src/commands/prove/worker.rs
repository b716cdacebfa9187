//! What a process that proves is told and answers: it reads the files once, then proves one function after the other.

use super::answer::Answer;
use crate::commands::workers::{Allowance, Work};
use equiv::{Ending, Hints, Options, ReasonKind, Verdict};
use langs::llvm_ir::ast::Module;
use langs::native::{isel_plan, opt_plan};
use langs::pairs::{
    Ask, IselFile, answer_isel, answer_opt, is_gone_with_its_calls, isel_functions, opt_functions,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Larger files are refused before they are read.
const LARGEST: u64 = 1 << 30;

/// What is to be related.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PairKind {
    /// LLVM IR and Machine IR.
    Isel,
    /// LLVM IR and LLVM IR.
    Opt,
}

/// The files, and how hard to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What the files hold.
    pub kind: PairKind,
    /// The source; none where the target's file holds it too.
    pub left: Option<PathBuf>,
    /// The target.
    pub right: PathBuf,
    /// Time for one function.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Where there is no proof, check runs up to this many passes.
    pub bound: Option<u32>,
}

/// A function that the files hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// `file:line` where it begins.
    pub place: String,
    /// Why it cannot be tried.
    pub lacks: Option<String>,
}

/// The functions of the files, or why those cannot be read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Listing {
    /// In the order of the target's file.
    Functions(Vec<Listed>),
    /// The first thing wrong, with its place.
    Unreadable(String),
}

/// One function to answer for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its name.
    pub function: String,
    /// A certificate's text to check or to start from.
    pub certificate: Option<String>,
    /// Only check it.
    pub check: bool,
}

/// The two programs.
pub enum Pair {
    Isel { m: Box<IselFile>, file: String },
    Opt { left: Box<Module>, right: Box<Module>, file: String },
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let why = |error: std::io::Error| format!("cannot read `{}`: {error}", path.display());
    let meta = std::fs::metadata(path).map_err(why)?;
    if meta.is_dir() || meta.len() > LARGEST {
        return Err(format!("cannot read `{}`: not a file of at most 1 GiB", path.display()));
    }
    std::fs::read(path).map_err(why)
}

fn module(path: &Path) -> Result<Module, String> {
    let m = langs::llvm_ir::parse(&bytes(path)?).map_err(|e| format!("{}:{e}", path.display()))?;
    Ok(m)
}

/// The functions of a Machine IR file, and those of the embedded IR that it lacks.
fn selected(m: &IselFile, file: &str) -> Vec<Listed> {
    let line = |name: &str| m.machine.functions.iter().find(|f| f.name == name).map_or(1, |f| f.line);
    let listed = |name: String, lacks: Option<String>| {
        let place = format!("{file}:{}", line(&name));
        Listed { name, place, lacks }
    };
    let (both, lacking) = isel_functions(m);
    let mut out: Vec<Listed> = both.into_iter().map(|name| listed(name, None)).collect();
    out.extend(lacking.into_iter().map(|(name, why)| listed(name, Some(why))));
    out.sort_by_key(|l| line(&l.name));
    // What the source defines must have been selected; a file cut short lacks it.
    for f in m.ir.iter().flat_map(|ir| &ir.functions).filter(|f| f.defined) {
        let Some(ir) = &m.ir else { continue };
        let name = ir.names.text(f.name).to_owned();
        let elsewhere = f.words.iter().any(|w| ir.names.text(*w) == "available_externally");
        if !elsewhere && !out.iter().any(|l| l.name == name) {
            let why = "the file holds no machine function for it".to_owned();
            out.push(Listed { name, place: file.to_owned(), lacks: Some(why) });
        }
    }
    out
}

/// The functions of two IR files.
fn optimised((left, right): (&Module, &Module), file: &str, job: &Job) -> Vec<Listed> {
    let text = std::fs::read(&job.right).unwrap_or_default();
    let place = |at: u32| format!("{file}:{}", langs::error::line_column(&text, at as usize).0);
    let both = opt_functions(left, right);
    let mut out: Vec<Listed> = Vec::new();
    let source = job.left.as_ref().map_or_else(String::new, |path| path.display().to_string());
    for f in right.functions.iter().filter(|f| f.defined) {
        let name = right.names.text(f.name).to_owned();
        let damaged = left.damaged.iter().find(|(n, _)| left.names.text(*n) == name);
        let lacks = damaged.map(|d| format!("{source}:{}", d.1));
        let lacks = lacks.unwrap_or_else(|| "the source does not define it".to_owned());
        let lacks = (!both.contains(&name)).then_some(lacks);
        out.push(Listed { place: place(f.at), name, lacks });
    }
    for f in left.functions.iter().filter(|f| f.defined) {
        let name = left.names.text(f.name).to_owned();
        let damaged = right.damaged.iter().find(|(n, _)| right.names.text(*n) == name);
        if !both.contains(&name) && !is_gone_with_its_calls(left, right, &name) {
            let lacks = damaged.map_or("the target does not define it".to_owned(), |d| d.1.to_string());
            let at = damaged.map_or(1, |d| d.1.line);
            out.push(Listed { name, place: format!("{file}:{at}"), lacks: Some(lacks) });
        }
    }
    // What can be read on neither side.
    for (n, error) in &right.damaged {
        let name = right.names.text(*n).to_owned();
        if !out.iter().any(|l| l.name == name) {
            let place = format!("{file}:{}", error.line);
            out.push(Listed { name, place, lacks: Some(error.to_string()) });
        }
    }
    out
}

impl Pair {
    fn parse(job: &Job) -> Result<Pair, String> {
        let file = job.right.display().to_string();
        match (job.kind, &job.left) {
            (PairKind::Isel, left) => {
                let text = bytes(&job.right)?;
                let mut m = IselFile::parse(&text).map_err(|e| format!("{file}:{e}"))?;
                if let Some(left) = left {
                    m.ir = Some(module(left)?);
                    m.ir_error = None;
                }
                Ok(Pair::Isel { m: m.into(), file })
            }
            (PairKind::Opt, Some(left)) => {
                Ok(Pair::Opt { left: module(left)?.into(), right: module(&job.right)?.into(), file })
            }
            (PairKind::Opt, None) => Err(format!("`{file}` needs the file it was made from")),
        }
    }

    fn functions(&self, job: &Job) -> Vec<Listed> {
        match self {
            Pair::Isel { m, file } => selected(m, file),
            Pair::Opt { left, right, file } => optimised((&**left, &**right), file, job),
        }
    }

    fn prove(&self, job: &Job, task: &Task) -> Answer {
        let opts = Options { time: job.time, memory: job.memory / 2, bound: job.bound, ..Options::default() };
        let hints = match task.certificate.as_deref().map(Hints::from_text).transpose() {
            Ok(hints) => hints,
            Err(why) => return Answer::certificate(why),
        };
        let ask = match (&hints, task.check) {
            (Some(Hints::Certificate(certificate)), true) => Ask::Check(certificate),
            (hints, false) => Ask::Prove(hints.as_ref()),
            (kept, true) => {
                let why = kept.as_ref().map_or("no certificate", |_| "not a certificate: it is not JSON");
                return Answer::certificate(why.to_owned());
            }
        };
        let report = match self {
            Pair::Isel { m, .. } => answer_isel(m, &task.function, &opts, &ask),
            Pair::Opt { left, right, .. } => answer_opt(left, right, &task.function, &opts, &ask),
        };
        let native = match (&report.verdict, self) {
            (Verdict::Refuted(c), Pair::Isel { m, .. }) => Some(isel_plan(m, &task.function, c)),
            (Verdict::Refuted(c), Pair::Opt { left, right, .. }) => {
                Some(opt_plan(left, right, &task.function, c))
            }
            (
                Verdict::Proved(_)
                | Verdict::Conditional { .. }
                | Verdict::Bounded { .. }
                | Verdict::Unknown(_)
                | Verdict::Unsupported { .. },
                _,
            ) => None,
        };
        Answer { native, ..Answer::of(report) }
    }
}

impl Work for Pair {
    const COMMAND: &'static str = "prove-worker";
    type Job = Job;
    type Listing = Listing;
    type Task = Task;
    type Answer = Answer;

    fn allowance(job: &Job) -> Allowance {
        Allowance { time: job.time, memory: job.memory }
    }

    fn name(job: &Job) -> String {
        job.right.display().to_string()
    }

    fn read(job: &Job) -> Result<(Pair, Listing), String> {
        let pair = Pair::parse(job)?;
        let listing = Listing::Functions(pair.functions(job));
        Ok((pair, listing))
    }

    fn unreadable(why: String) -> Listing {
        Listing::Unreadable(why)
    }

    fn answer(&self, job: &Job, task: &Task) -> Answer {
        self.prove(job, task)
    }

    fn ended(ending: Ending, time: Option<Duration>) -> Answer {
        Answer::ended_as(ending, time)
    }

    fn files(job: &mut Job) -> Vec<&mut PathBuf> {
        job.left.iter_mut().chain([&mut job.right]).collect()
    }

    fn ending(answer: &Answer) -> Option<&Ending> {
        match &answer.report.verdict {
            Verdict::Unknown(why) => match &why.kind {
                ReasonKind::Ended { ending } => Some(ending),
                ReasonKind::Open { .. }
                | ReasonKind::Vacuous
                | ReasonKind::Entry { .. }
                | ReasonKind::Ran { .. }
                | ReasonKind::NotNatively { .. }
                | ReasonKind::Certificate { .. } => None,
            },
            Verdict::Proved(_)
            | Verdict::Conditional { .. }
            | Verdict::Bounded { .. }
            | Verdict::Refuted(_)
            | Verdict::Unsupported { .. } => None,
        }
    }

    fn memory(answer: &mut Answer) -> (&mut u64, &mut u64) {
        (&mut answer.peak, &mut answer.size)
    }
}
