//! Configurations: a compiler, named by its command line, at one optimisation level.

mod c23;
pub mod draw;
mod executables;
mod model;
mod objects;
mod older;
mod opened;
mod order;
pub mod profile;
mod split;

pub use executables::executables;
pub use objects::Objects;
pub use opened::Opened;
pub use order::Level;

use crate::error::Error;
use csyntax::target::Target;
use draw::Menu;
use model::{Answers, PROBE, PROBE_STATUS, read};
use mutate::Input;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use toolchain::compiler::{Compilation, CompileOutcome, Compiler, Family, Product, Runner, discover};
use toolchain::process::{Limits, Outcome, Spec, Stdin, run};
use toolchain::scratch::ScratchRoot;

/// How long a compiler may take for the probe.
const COMPILE_TIME: Duration = Duration::from_secs(60);
/// Processor time that it may take for each of many small programs that tell what C it takes. The clock may show six times
/// that: what a compiler takes must not depend on what else runs.
const DIALECT_TIME: Duration = Duration::from_secs(10);
/// How long the probe may run.
const RUN_TIME: Duration = Duration::from_secs(10);

/// The option that puts optimisation off to linking.
pub const LTO: &str = "-flto";

/// A level without these words at its end.
fn without<'l>(level: &'l str, words: &[String]) -> &'l str {
    level.strip_suffix(&words.join(" ")).map_or(level, str::trim_end)
}

/// The limits of a compilation that tells what C a compiler takes.
pub(crate) fn dialect_limits() -> Limits {
    Limits { wall: Some(DIALECT_TIME * 6), processes: Some(256), ..Limits::within(DIALECT_TIME) }
}

/// What the input is called in the directory it is compiled in.
pub const INPUT: &str = "program.c";
/// What the output is called there.
pub const OUTPUT: &str = "program";

/// What programs find in their environment that check themselves: the first report ends them, what is still allocated at
/// the end is no error, and signals do what they do elsewhere.
pub const SANITIZER_ENVIRONMENT: &[(&str, &str)] = &[
    ("ASAN_OPTIONS", "detect_leaks=0:exitcode=99:handle_segv=0:handle_sigbus=0:handle_sigfpe=0"),
    ("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99"),
];

/// A run of a program that checks itself.
pub fn checking_itself(spec: Spec) -> Spec {
    SANITIZER_ENVIRONMENT.iter().fold(spec, |spec, (name, value)| spec.env(name, value))
}

/// What a unit of a split program is called.
pub fn unit_file(number: usize) -> String {
    format!("unit-{number}.c")
}

/// A compiler that was seen to work, with what the machine must know of it.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The compiler.
    pub compiler: Compiler,
    /// The command line as the user wrote it.
    pub name: String,
    /// Its data model.
    pub target: Target,
    /// See [`Answers::x86`].
    pub x86: Option<u32>,
    /// See [`Answers::float_flags`].
    pub float_flags: Vec<String>,
    /// Options with which it takes C that it refuses by default (see `older.rs`); none if it takes that, or never does.
    pub older: Vec<String>,
    /// Options with which it takes C23; none if it takes that by default, or never does.
    pub newer: Vec<String>,
    /// Does it optimise when it links (`-flto`), with the linker that is here?
    pub lto: bool,
    /// What can be drawn for each program; empty unless asked for.
    pub menu: Menu,
}

/// One column of a campaign.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The compiler.
    pub tested: Arc<Tested>,
    /// The level, as `-O2`; may be several words or none.
    pub level: String,
    /// Which of the campaign's data models it has.
    pub model: usize,
}

impl Configuration {
    /// How it is named in the store, in reports and in messages.
    pub fn label(&self) -> String {
        match self.level.as_str() {
            "" => self.tested.name.clone(),
            level => format!("{} {level}", self.tested.name),
        }
    }

    /// The same with more options, as a draw gave them.
    pub fn with(&self, words: &[String]) -> Configuration {
        let level = self.level.split_whitespace().map(str::to_owned);
        let level: Vec<String> = level.chain(words.iter().cloned()).collect();
        Configuration { level: level.join(" "), ..self.clone() }
    }

    /// The same, asked for C23 where a text is in it and the compiler does not take it by default.
    pub fn reading(&self, text: &[u8]) -> Configuration {
        self.with(self.tested.newer_for(text))
    }

    /// The level without what asks for C23: findings of one bug are known by it whatever the program is written in.
    pub fn level_of_any_text(&self) -> &str {
        without(&self.level, &self.tested.newer)
    }

    /// Whose compiler it is.
    pub fn family(&self) -> Family {
        self.tested.compiler.family
    }

    /// Whether its programs run on an x86.
    pub fn is_x86(&self) -> bool {
        self.tested.x86.is_some()
    }

    /// The options it adds to the compiler's own command line.
    fn options(&self) -> impl Iterator<Item = String> {
        options(&self.tested.float_flags, &self.level)
    }

    /// The compilation of [`INPUT`] in `dir` to [`OUTPUT`].
    pub fn compilation(&self, dir: &Path, limits: &Limits) -> Compilation {
        Compilation::new(dir.join(INPUT), dir.join(OUTPUT))
            .args(self.options())
            .library("-lm")
            .limits(limits.clone())
    }

    /// The compilation of [`INPUT`] in `dir` to assembly, at [`OUTPUT`].
    pub fn assembly(&self, dir: &Path, limits: &Limits) -> Compilation {
        Compilation::new(dir.join(INPUT), dir.join(OUTPUT))
            .args(self.options())
            .product(Product::Assembly)
            .limits(limits.clone())
    }

    /// The command line of [`Configuration::assembly`] with plain file names.
    pub fn assembly_command(&self, output: &str) -> Vec<String> {
        let mut words = absolute(&self.tested.compiler.command);
        words.extend(self.options());
        words.extend(["-S", INPUT, "-o", output].map(str::to_owned));
        words
    }

    /// The compilation of one unit of a split program to an object file, at a level of its own.
    pub fn unit(&self, source: &Path, object: &Path, level: &str, lto: bool, limits: &Limits) -> Compilation {
        Compilation::new(source, object)
            .args(self.unit_options(level))
            .args(self.lto(lto))
            .product(Product::Object)
            .limits(limits.clone())
    }

    /// The linking of object files to [`OUTPUT`] in `dir`.
    pub fn link(&self, objects: &[PathBuf], dir: &Path, lto: bool, limits: &Limits) -> Compilation {
        let (first, rest) = objects.split_first().map_or((dir.join(INPUT), &[][..]), |(f, r)| (f.clone(), r));
        let mut job = Compilation::new(first, dir.join(OUTPUT)).args(self.options()).args(self.lto(lto));
        for object in rest {
            job = job.library(object);
        }
        job.library("-lm").limits(limits.clone())
    }

    /// What a unit of this level is compiled with, but for link-time optimisation.
    fn unit_options(&self, level: &str) -> impl Iterator<Item = String> {
        options(&self.tested.float_flags, &for_one_machine(level, &self.level))
            .collect::<Vec<_>>()
            .into_iter()
            .chain(self.older(level))
    }

    /// The options for older C or for C23, where the configuration has them and a unit's own level does not.
    fn older(&self, level: &str) -> impl Iterator<Item = String> {
        let has = |level: &str, word: &String| level.split_whitespace().any(|w| w == word);
        let older = self.tested.older.iter().chain(&self.tested.newer);
        older
            .filter(|word| has(&self.level, word) && !has(level, word))
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Clang, for one, needs a linker with a plugin for its bitcode.
    fn lto(&self, wanted: bool) -> Option<&'static str> {
        (wanted && self.tested.lto).then_some(LTO)
    }

    /// The command lines of a split program: each unit's, and the linker's. `texts` are levels, the first unit's too.
    pub fn unit_commands(&self, levels: &[String], lto: bool, output: &str) -> Vec<Vec<String>> {
        let start = || absolute(&self.tested.compiler.command);
        let mut all = Vec::new();
        let mut link = start();
        link.extend(self.options().chain(self.lto(lto).map(str::to_owned)));
        for (number, level) in levels.iter().enumerate() {
            let mut words = start();
            words.extend(self.unit_options(level).chain(self.lto(lto).map(str::to_owned)));
            let object = format!("{output}-{number}.o");
            words.extend(["-c".to_owned(), unit_file(number), "-o".to_owned(), object.clone()]);
            all.push(words);
            link.push(object);
        }
        link.extend(["-o".to_owned(), output.to_owned(), "-lm".to_owned()]);
        all.push(link);
        all
    }

    /// The command line with plain file names, for people and reproducers.
    pub fn command(&self, output: &str) -> Vec<String> {
        let mut words = absolute(&self.tested.compiler.command);
        words.extend(self.options());
        words.extend([INPUT, "-o", output, "-lm"].map(str::to_owned));
        words
    }

    /// The words before a program that run it: an emulator's, or none.
    pub fn runner(&self) -> Vec<String> {
        match &self.tested.compiler.runner {
            Runner::Native | Runner::Unavailable(_) => Vec::new(),
            Runner::Emulator(words) => words.iter().map(|w| w.to_string_lossy().into_owned()).collect(),
        }
    }

    /// The job that runs what was compiled in `dir` on an input, confined to `run`, a directory of its own.
    pub fn execute(&self, dir: &Path, run: &Path, limits: &Limits, input: &Input) -> Option<Spec> {
        let checks = self.is_sanitized();
        // Sanitizers reserve terabytes of addresses.
        let limits = Limits { address_space: limits.address_space.filter(|_| !checks), ..limits.clone() };
        let spec = self.tested.compiler.run_spec(&dir.join(OUTPUT), run, &limits)?;
        let spec = if checks { checking_itself(spec) } else { spec };
        let stdin = match input.stdin.as_slice() {
            [] => Stdin::Null,
            bytes => Stdin::Bytes(Arc::from(bytes)),
        };
        Some(spec.args(input.args.iter().map(|arg| OsStr::from_bytes(arg))).stdin(stdin))
    }

    /// Do its programs check themselves?
    pub fn is_sanitized(&self) -> bool {
        let own = self.tested.compiler.command.iter().map(String::as_str);
        own.chain(self.level.split_whitespace()).any(|word| word.starts_with("-fsanitize="))
    }
}

fn options(float_flags: &[String], level: &str) -> impl Iterator<Item = String> {
    let words = float_flags.iter().cloned();
    words.chain(level.split_whitespace().map(str::to_owned)).chain(["-w".to_owned()])
}

/// A program named by a relative path would not be found from a findings directory.
fn absolute(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(program) = words.first_mut().filter(|word| word.contains('/'))
        && let Ok(path) = std::path::absolute(&*program)
    {
        *program = path.display().to_string();
    }
    words
}

impl Tested {
    /// The options with which the compiler takes the C23 of a text: none where there is none, or where it needs none.
    pub fn newer_for(&self, text: &[u8]) -> &[String] {
        if !self.newer.is_empty() && c23::is_in(text) { &self.newer } else { &[] }
    }

    /// Reads what can be drawn from this compiler, and favours what configurations have with which something was found.
    pub fn read_menu(&mut self, proved: &BTreeSet<Vec<String>>, scratch: &ScratchRoot) {
        self.menu = Menu::read(&self.compiler, &self.target, scratch);
        self.menu.learn(proved.iter());
    }
}

/// Opens the compiler that a command line names, and tries it.
pub fn open(command: &str, scratch: &ScratchRoot) -> Result<Tested, Error> {
    let tool = |why: String| Error::Tool { tool: format!("--cc '{}'", command.trim()), why };
    let mut compiler =
        Compiler::identify(command, scratch).map_err(|error| tool(error.problem.to_string()))?;
    compiler.command = absolute(&compiler.command);
    probe(compiler, command.trim().to_owned(), scratch).map_err(tool)
}

/// The compilers found on `PATH` whose programs can be run, and one line for each that was left out.
pub fn found(scratch: &ScratchRoot) -> Result<(Vec<Tested>, Vec<String>), Error> {
    let discovery = discover(scratch);
    let mut tested = Vec::new();
    let mut left_out: Vec<String> = discovery.broken.iter().map(ToString::to_string).collect();
    for compiler in discovery.compilers {
        let name = compiler.name();
        match probe(compiler, name.clone(), scratch) {
            Ok(ready) => tested.push(ready),
            Err(why) => left_out.push(format!("compiler `{name}`: {why}")),
        }
    }
    if tested.is_empty() && !toolchain::stop::requested() {
        let why =
            "no C compiler found on PATH; install one (Debian: apt-get install gcc) or name one with --cc";
        return Err(Error::Tool { tool: "hunt".to_owned(), why: why.to_owned() });
    }
    Ok((tested, left_out))
}

/// Asks a compiler for its data model, and once more with the floating-point flags that it turns out to need.
fn probe(compiler: Compiler, name: String, scratch: &ScratchRoot) -> Result<Tested, String> {
    if let Runner::Unavailable(why) = &compiler.runner {
        return Err(format!("its programs cannot be run here: {why}"));
    }
    let answers = ask(&compiler, &[], scratch)?;
    if !answers.float_flags.is_empty() {
        ask(&compiler, &answers.float_flags, scratch)?;
    }
    let Answers { target, x86, float_flags } = answers;
    let older = older::options(&compiler, scratch);
    let newer = older::newer(&compiler, scratch);
    let lto = compiler.family.optimises() && links_late(&compiler, scratch);
    Ok(Tested { compiler, name, target, x86, float_flags, older, newer, lto, menu: Menu::default() })
}

/// Does a program link whose object file is for optimisation at link time? Two steps, as split programs are made. A
/// compiler that crashes at the second has a linker for it, and is worth testing.
fn links_late(compiler: &Compiler, scratch: &ScratchRoot) -> bool {
    let Ok(dir) = scratch.dir() else { return false };
    if fs::write(dir.file(INPUT), "int main(void) { return 0; }\n").is_err() {
        return false;
    }
    let limits = Limits { processes: Some(256), ..Limits::within(COMPILE_TIME) };
    let job = |from, to| Compilation::new(dir.file(from), dir.file(to)).args([LTO]).limits(limits.clone());
    let outcome = |job: &Compilation| compiler.compile(job).outcome;
    outcome(&job(INPUT, "late.o").product(Product::Object)) == CompileOutcome::Ok
        && matches!(outcome(&job("late.o", OUTPUT)), CompileOutcome::Ok | CompileOutcome::Crashed(_))
}

/// Compiles and runs the probe.
fn ask(compiler: &Compiler, flags: &[String], scratch: &ScratchRoot) -> Result<Answers, String> {
    let no_dir = |error: std::io::Error| format!("no scratch directory: {error}");
    let (dir, cwd) = (scratch.dir().map_err(no_dir)?, scratch.dir().map_err(no_dir)?);
    fs::write(dir.file(INPUT), PROBE).map_err(|error| format!("cannot write the probe: {error}"))?;
    let limits = Limits { processes: Some(256), ..Limits::within(COMPILE_TIME) };
    let job = Compilation::new(dir.file(INPUT), dir.file(OUTPUT))
        .args(options(flags, ""))
        .library("-lm")
        .limits(limits);
    let compiled = compiler.compile(&job);
    if compiled.outcome != CompileOutcome::Ok {
        return Err(format!("it does not compile a small C program: {}", compiled.outcome.describe()));
    }
    let Some(spec) = compiler.run_spec(&dir.file(OUTPUT), cwd.path(), &Limits::within(RUN_TIME)) else {
        return Err("its programs cannot be run here".to_owned());
    };
    let done = run(&spec);
    match done.outcome {
        Outcome::Exited(PROBE_STATUS) => read(compiler.family, &String::from_utf8_lossy(&done.stdout)),
        Outcome::SpawnFailed(error) => {
            Err(format!("what it made of a small C program does not run: {error}"))
        }
        other => Err(format!(
            "what it made of a small C program does not run: expected exit status {PROBE_STATUS}, but it {}",
            other.describe()
        )),
    }
}

/// Every compiler at every level, and the distinct data models among them. A compiler that does not optimise gets
/// the first level only.
pub fn cross(compilers: Vec<Tested>, levels: &[String]) -> (Vec<Configuration>, Vec<Target>) {
    let mut models: Vec<Target> = Vec::new();
    let mut configurations: Vec<Configuration> = Vec::new();
    for tested in compilers {
        let model = models.iter().position(|target| *target == tested.target).unwrap_or_else(|| {
            models.push(tested.target.clone());
            models.len() - 1
        });
        let tested = Arc::new(tested);
        let useful = if tested.compiler.family.optimises() { levels.len() } else { 1 };
        for level in levels.iter().take(useful) {
            let level = level.trim().to_owned();
            let next = Configuration { tested: Arc::clone(&tested), level, model };
            if !configurations.iter().any(|known| known.label() == next.label()) {
                configurations.push(next);
            }
        }
    }
    (configurations, models)
}

/// A unit's level with the configuration's options about the machine in the place of its own: which registers there are
/// decides how vectors are passed, so that units that differ in it do not fit together.
fn for_one_machine(level: &str, configuration: &str) -> String {
    let machine = |word: &&str| word.starts_with("-m") && *word != "-mllvm";
    if level == configuration {
        return level.to_owned();
    }
    let own = level.split_whitespace().filter(|word| !machine(word));
    own.chain(configuration.split_whitespace().filter(machine)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_compiled_for_one_machine() {
        assert_eq!(for_one_machine("-O0", "-Os -march=haswell"), "-O0 -march=haswell");
        assert_eq!(for_one_machine("-O3 -mavx", "-O1"), "-O3");
        let own = for_one_machine("-O2 -mllvm -opt", "-O1 -mllvm -other -mtune=atom");
        assert_eq!(own, "-O2 -mllvm -opt -mtune=atom");
        assert_eq!(for_one_machine("-mavx -O2", "-mavx -O2"), "-mavx -O2");
    }

    #[test]
    fn a_level_is_the_same_whatever_a_program_is_written_in() {
        let words = ["-std=gnu2x".to_owned()];
        for level in ["-O2 -fwrapv -std=gnu2x", "-O2 -fwrapv"] {
            assert_eq!(without(level, &words), "-O2 -fwrapv");
        }
        assert_eq!(without("-O2", &[]), "-O2");
    }
}
