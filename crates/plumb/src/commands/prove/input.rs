//! What to prove: the files as given, or made by a compiler from C.

use super::worker::{Job, PairKind};
use crate::args::{Prove, Stage};
use campaign::Error;
use campaign::toolchain::compiler::{Compilation, CompileOutcome, Compiler, Family, Product};
use campaign::toolchain::process::{Limits, Outcome, Spec, run};
use campaign::toolchain::scratch::{Scratch, ScratchRoot};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the compiler may take for a file.
const COMPILING: Duration = Duration::from_secs(1800);

/// Files to be related.
pub struct Unit {
    /// How it is named in reports: the file as the user knows it.
    pub label: String,
    /// What its certificates are called.
    pub stem: String,
    /// The work.
    pub job: Job,
    /// Its files are removed afterwards.
    pub temporary: bool,
}

/// The units, and the temporary directory that holds what was made for them.
pub fn units(args: &Prove) -> Result<(Vec<Unit>, Option<Scratch>), Error> {
    match &args.cc {
        Some(cc) => compiled(args, cc),
        None => Ok((given(args)?, None)),
    }
}

impl Unit {
    /// A place as the user can find it: what lies in a temporary directory is named by its source.
    pub fn place(&self, place: &str) -> String {
        match place.strip_prefix(&self.job.right.display().to_string()) {
            Some(_) if self.temporary => self.label.clone(),
            Some(_) | None => place.to_owned(),
        }
    }
}

fn unit(args: &Prove, label: &Path, kind: PairKind, left: Option<PathBuf>, right: PathBuf) -> Unit {
    let stem = label.file_stem().map_or_else(|| "file".to_owned(), |s| s.to_string_lossy().into_owned());
    let memory = args.memory << 20;
    let job = Job { kind, left, right, time: args.timeout, memory, bound: args.bound };
    let temporary = args.cc.is_some() && args.keep.is_none();
    Unit { label: label.display().to_string(), stem, job, temporary }
}

/// Whether a file is Machine IR: by its name, or else by how it begins.
fn is_mir(path: &Path) -> Result<bool, Error> {
    if let Err(error) = std::fs::File::open(path) {
        return Err(Error::file("read", path, &error));
    }
    let named = |ending: &str| path.extension().is_some_and(|e| e == ending);
    if named("mir") || named("ll") {
        return Ok(named("mir"));
    }
    if named("c") {
        let why = format!("`{}` is C: name the compiler with --cc clang-19", path.display());
        return Err(Error::Usage(why));
    }
    let mut head = vec![0; 1 << 12];
    let file = std::fs::File::open(path);
    let n = file.and_then(|mut f| std::io::Read::read(&mut f, &mut head)).unwrap_or(0);
    Ok(String::from_utf8_lossy(&head[..n]).lines().any(|line| line.starts_with("--- |") || line == "---"))
}

fn given(args: &Prove) -> Result<Vec<Unit>, Error> {
    if args.level.is_some() || args.passes.is_some() || args.stage.is_some() || args.keep.is_some() {
        return Err(Error::Usage("-O, --stage, --passes and --keep need --cc".to_owned()));
    }
    let mir: Vec<bool> = args.files.iter().map(|f| is_mir(f)).collect::<Result<_, _>>()?;
    let one = |f: &PathBuf| unit(args, f, PairKind::Isel, None, f.clone());
    match (&args.files[..], &mir[..]) {
        ([left, right], [false, true]) => {
            Ok(vec![unit(args, right, PairKind::Isel, Some(left.clone()), right.clone())])
        }
        ([left, right], [false, false]) => {
            Ok(vec![unit(args, right, PairKind::Opt, Some(left.clone()), right.clone())])
        }
        (files, kinds) if kinds.iter().all(|mir| *mir) => Ok(files.iter().map(one).collect()),
        _ => Err(Error::Usage(
            "expected F.mir, or A.ll B.mir, or A.ll B.ll (the source first), or --cc COMMAND F.c".to_owned(),
        )),
    }
}

fn compiled(args: &Prove, cc: &str) -> Result<(Vec<Unit>, Option<Scratch>), Error> {
    let tool = |why: String| Error::Tool { tool: format!("--cc '{}'", cc.trim()), why };
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let dir = root.dir().map_err(|error| Error::file("make", root.path(), &error))?;
    let compiler = Compiler::identify(cc, &root).map_err(|error| tool(error.problem.to_string()))?;
    if compiler.family != Family::Clang {
        return Err(tool(
            "only clang prints what its instruction selection made; name one, as clang-19".into(),
        ));
    }
    let stage = match (args.stage, &args.passes) {
        (Some(Stage::Isel), Some(_)) => {
            return Err(Error::Usage("--passes is for --stage opt".to_owned()));
        }
        (Some(stage), _) => stage,
        (None, Some(_)) => Stage::Opt,
        (None, None) => Stage::Isel,
    };
    let mut units = Vec::new();
    for (n, file) in args.files.iter().enumerate() {
        let name = file.file_stem().map_or_else(|| "file".into(), |s| s.to_string_lossy().into_owned());
        let at = match &args.keep {
            Some(dir) => dir.clone(),
            None => dir.path().join(n.to_string()),
        };
        std::fs::create_dir_all(&at).map_err(|error| Error::file("make", &at, &error))?;
        let file_of = |ending: &str| at.join(format!("{name}.{ending}"));
        let made = match stage {
            Stage::Isel => {
                let right = file_of("mir");
                let words = ["-mllvm", "-stop-after=finalize-isel"];
                compile(args, &compiler, file, &right, &words)?;
                unit(args, file, PairKind::Isel, None, right)
            }
            Stage::Opt => {
                let (plain, left, right) = (file_of("plain.ll"), file_of("source.ll"), file_of("target.ll"));
                let words = ["-emit-llvm", "-fno-inline", "-Xclang", "-disable-llvm-passes"];
                compile(args, &compiler, file, &plain, &words)?;
                let own = compiler.command.iter().skip(1).rev().find(|word| is_level(word));
                let own = own.map(|word| word.trim_start_matches("-O")).filter(|l| !l.is_empty());
                let level = args.level.as_deref().or(own.filter(|l| l.len() == 1)).unwrap_or("1");
                let passes = args.passes.clone().unwrap_or_else(|| format!("default<O{level}>"));
                let verifies = compiler.version.is_some_and(|v| v.0 >= VERIFIES_FIXPOINT);
                let passes = if verifies { once(&passes) } else { passes };
                let opt = optimiser(&compiler)?;
                stand_alone(&plain)?;
                optimise(&opt, "mem2reg", &plain, &left)?;
                optimise(&opt, &passes, &left, &right)?;
                unit(args, file, PairKind::Opt, Some(left), right)
            }
        };
        units.push(made);
    }
    Ok((units, Some(dir)))
}

fn compile(args: &Prove, cc: &Compiler, file: &Path, output: &Path, words: &[&str]) -> Result<(), Error> {
    if let Err(error) = std::fs::File::open(file) {
        return Err(Error::file("read", file, &error));
    }
    // Below -O1 clang marks every function `optnone`.
    let usual = if words.contains(&"-emit-llvm") { "1" } else { "0" };
    // A level in the command itself counts where no other is asked for.
    let own = cc.command.iter().skip(1).any(|word| is_level(word));
    let level = args.level.as_deref().or((!own).then_some(usual));
    let limits = Limits { file_size: Some(2 << 30), ..Limits::within(COMPILING) };
    let job = Compilation::new(file, output)
        .args(level.map(|level| format!("-O{level}")))
        .arg("-w")
        .args(args.cc_words.words())
        .args(words.iter().map(OsString::from))
        .product(Product::Assembly)
        .limits(limits);
    let done = cc.compile(&job);
    match done.outcome {
        CompileOutcome::Ok => Ok(()),
        CompileOutcome::Rejected { .. } => {
            Err(Error::NotC(String::from_utf8_lossy(&done.stderr).trim_end().to_owned()))
        }
        other => {
            Err(Error::Tool { tool: format!("{} {}", cc.name(), file.display()), why: other.describe() })
        }
    }
}

/// Whether a word of a command is an optimisation level.
fn is_level(word: &str) -> bool {
    word.strip_prefix("-O")
        .is_some_and(|level| matches!(level, "" | "0" | "1" | "2" | "3" | "4" | "s" | "z" | "g" | "fast"))
}

/// The `opt` that belongs to a clang: beside the executable that its name stands for.
fn optimiser(cc: &Compiler) -> Result<PathBuf, Error> {
    let real = std::fs::canonicalize(&cc.program).unwrap_or_else(|_| cc.program.clone());
    let opt = real.with_file_name("opt");
    if opt.is_file() {
        return Ok(opt);
    }
    let why = format!("no `opt` beside `{}`: install the LLVM tools of its version", real.display());
    Err(Error::Tool { tool: cc.name(), why })
}

/// Lets nothing be known of one function when another is optimised: each is proved by itself.
fn stand_alone(file: &Path) -> Result<(), Error> {
    let text = std::fs::read(file).map_err(|error| Error::file("read", file, &error))?;
    let text = langs::llvm_ir::alone(&String::from_utf8_lossy(&text));
    std::fs::write(file, text).map_err(|error| Error::file("write", file, &error))
}

/// The first version of LLVM whose `instcombine`, named on the command line, ends in an error where another round would
/// do more, unless told not to look.
const VERIFIES_FIXPOINT: u32 = 18;

/// Passes in which `instcombine` runs once, as in a pipeline.
fn once(passes: &str) -> String {
    const NAME: &str = "instcombine";
    let mut out = String::new();
    let mut rest = passes;
    while let Some(at) = rest.find(NAME) {
        let (before, after) = (&rest[..at], &rest[at + NAME.len()..]);
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '<');
        out.push_str(before);
        out.push_str(NAME);
        if !before.ends_with(inside) && !after.starts_with(inside) {
            out.push_str("<no-verify-fixpoint>");
        }
        rest = after;
    }
    out + rest
}

pub(super) fn optimise(opt: &Path, passes: &str, input: &Path, output: &Path) -> Result<(), Error> {
    let limits = Limits { file_size: Some(2 << 30), ..Limits::within(COMPILING) };
    let spec = Spec::new(opt)
        .arg("-S")
        .arg(format!("-passes={passes}"))
        .args([input.as_os_str(), "-o".as_ref(), output.as_os_str()])
        .limits(limits);
    let done = run(&spec);
    if done.outcome == Outcome::Exited(0) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let why = said.lines().next().map_or_else(|| format!("{:?}", done.outcome), str::to_owned);
    Err(Error::Tool { tool: format!("{} -passes={passes}", opt.display()), why })
}

#[cfg(test)]
mod tests {
    use super::once;

    #[test]
    fn instcombine_runs_once() {
        for (passes, expected) in [
            ("instcombine", "instcombine<no-verify-fixpoint>"),
            ("function(gvn,instcombine),licm", "function(gvn,instcombine<no-verify-fixpoint>),licm"),
            ("instcombine<no-verify-fixpoint>", "instcombine<no-verify-fixpoint>"),
            ("aggressive-instcombine,gvn", "aggressive-instcombine,gvn"),
        ] {
            assert_eq!(once(passes), expected);
        }
    }
}
