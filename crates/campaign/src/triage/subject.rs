//! A finding that can be asked again: compiled by this or another compiler, at this or another level, with further options.

use super::blame::with_options;
use super::model::Seen;
use crate::accesses::{self, Meant, with_traps};
use crate::configurations::profile::{is_trained, training};
use crate::configurations::{Configuration, INPUT, OUTPUT, Opened, Tested, checking_itself};
use crate::error::Error;
use crate::findings::{self, FACTS, Facts};
use crate::hunt::Options;
use crate::oracles::debug_info::{OPTION, difference};
use crate::oracles::missed_optimisation::survivors;
use crate::oracles::{Compared, compare, refusal};
use crate::reduction::REDUCED;
use crate::store::FindingRow;
use crate::truth::{self, Truth};
use crate::verdict::{FindingKind, Stage};
use csyntax::target::Target;
use mutate::markers::PREFIX;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use toolchain::compiler::{Compilation, CompileOutcome, Compiled, Product};
use toolchain::crash::normalise;
use toolchain::process::{Finished, Limits, Outcome, Spec, Stdin, run};
use toolchain::scratch::{Scratch, ScratchRoot};

/// What a program is given.
const STDIN: &str = "stdin";

/// The name of a program that is given as LLVM's IR.
const IR: &str = "program.ll";

/// What all findings are asked with: compilers, opened once each, limits and temporary directories.
pub struct Workshop<'r> {
    scratch: &'r ScratchRoot,
    limits: Limits,
    /// The compilers that were opened.
    pub opened: Arc<Opened>,
}

/// What compilers may write to standard error: those that list their passes write much.
const MESSAGES: usize = 64 << 20;

impl<'r> Workshop<'r> {
    /// With the limits of one compilation.
    pub fn new(scratch: &'r ScratchRoot, limits: &Limits) -> Workshop<'r> {
        Workshop { scratch, limits: Limits { stderr: MESSAGES, ..limits.clone() }, opened: Arc::default() }
    }

    /// The compiler that a command line names.
    pub fn compiler(&self, command: &str) -> Result<Arc<Tested>, Error> {
        self.opened.open(command, self.scratch)
    }

    /// A temporary directory.
    pub fn scratch(&self) -> Result<Scratch, Error> {
        self.scratch.dir().map_err(|error| Error::file("make a directory in", self.scratch.path(), &error))
    }
}

/// One finding with its program, its compiler and what the program means.
#[derive(Clone)]
pub struct Subject<'r> {
    /// What the finding's directory says.
    pub facts: Facts,
    /// That directory: the one of the reduced finding where there is one.
    pub dir: PathBuf,
    /// The configuration in which the alarm was raised.
    pub configuration: Configuration,
    /// The text that is compiled.
    pub text: Vec<u8>,
    /// Is it the reduced finding?
    pub reduced: bool,
    steps: Vec<Step>,
    focus: Focus,
    stdin: Vec<u8>,
    truths: Arc<Mutex<BTreeMap<String, Arc<Truth>>>>,
    meant: Arc<Mutex<BTreeMap<String, Arc<Meant>>>>,
    workshop: &'r Workshop<'r>,
}

/// One command of those that make the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Step {
    /// Options before the source.
    options: Vec<String>,
    source: String,
    output: String,
    object: bool,
    /// Words behind the source.
    behind: Vec<String>,
}

/// The steps that variations change.
#[derive(Clone, Copy, Debug)]
enum Focus {
    All,
    Only(usize),
    AllBut(usize),
}

impl Focus {
    fn is_on(self, step: usize) -> bool {
        match self {
            Focus::All => true,
            Focus::Only(one) => step == one,
            Focus::AllBut(one) => step != one,
        }
    }

    /// The step of which assembly is made.
    fn looked_at(self) -> usize {
        if let Focus::Only(one) = self { one } else { 0 }
    }
}

/// How to compile, where it is not as the finding says.
#[derive(Clone, Debug, Default)]
pub struct Variation {
    /// Another compiler.
    pub compiler: Option<Arc<Tested>>,
    /// Another level.
    pub level: Option<String>,
    /// Further options.
    pub options: Vec<String>,
}

impl Variation {
    /// The finding's compiler and level, with further options.
    pub fn with(options: impl IntoIterator<Item = String>) -> Variation {
        Variation { options: options.into_iter().collect(), ..Variation::default() }
    }

    /// Another level.
    pub fn at(level: &str) -> Variation {
        Variation { level: Some(level.to_owned()), ..Variation::default() }
    }
}

/// A variation tried: what was seen, and what the compiler said meanwhile.
pub struct Tried {
    /// What became of the program.
    pub seen: Seen,
    /// What the compiler wrote to standard error.
    pub messages: String,
    /// What the program did otherwise than it should, and the first line that it wrote to standard error.
    pub wrong: Option<String>,
}

impl<'r> Subject<'r> {
    /// Reads a finding and opens its compiler.
    pub fn open(findings: &Path, row: &FindingRow, workshop: &'r Workshop<'r>) -> Result<Subject<'r>, Error> {
        let whole = findings.join(&row.id);
        let small = whole.join(REDUCED);
        let reduced = small.join(FACTS).is_file();
        let dir = if reduced { small } else { whole };
        let facts = findings::read(&dir)?;
        let tested = workshop.compiler(&facts.compiler.name)?;
        let level = level(&facts);
        let configuration = Configuration { tested, level, model: 0 };
        let path = dir.join(INPUT);
        let text = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
        let stdin = fs::read(dir.join(STDIN)).unwrap_or_default();
        let words = configuration.tested.compiler.command.len();
        let steps = facts.commands.iter().map(|command| Step::of(command.get(words..).unwrap_or_default()));
        Ok(Subject {
            steps: steps.collect(),
            facts,
            dir,
            configuration,
            text,
            reduced,
            focus: Focus::All,
            stdin,
            truths: Arc::default(),
            meant: Arc::default(),
            workshop,
        })
    }

    /// The level with the options that the compiler is always called with: what a test has to be compiled with.
    pub fn options(&self) -> String {
        let (_, always) = with_options(&self.configuration.tested.compiler.command);
        [self.configuration.level.as_str(), &always.join(" ")].join(" ").trim().to_owned()
    }

    /// Is the program one translation unit?
    pub fn is_single(&self) -> bool {
        self.steps.len() == 1
    }

    /// The units of a program of several: their steps, and the names of their files.
    pub fn units(&self) -> impl Iterator<Item = (usize, &str)> {
        self.steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.object)
            .map(|(n, step)| (n, step.source.as_str()))
    }

    /// The same finding, of which variations change one unit alone.
    pub fn focused(&self, unit: usize) -> Subject<'r> {
        Subject { focus: Focus::Only(unit), ..self.clone() }
    }

    /// The same finding, of which variations change all but one unit.
    pub fn sparing(&self, unit: usize) -> Subject<'r> {
        Subject { focus: Focus::AllBut(unit), ..self.clone() }
    }

    /// The finding focused on each of its units: itself where it is one.
    pub fn each_unit(&self) -> Vec<Subject<'r>> {
        if self.is_single() {
            return vec![self.clone()];
        }
        self.units().map(|(number, _)| self.focused(number)).collect()
    }

    /// Is the program compiled as a whole when it is linked?
    pub fn is_linked_as_whole(&self) -> bool {
        !self.is_single() && self.steps.iter().any(|step| step.options.iter().any(|o| o.starts_with("-flto")))
    }

    /// The step of which assembly is made.
    fn looked_at(&self) -> Step {
        self.steps.get(self.focus.looked_at()).cloned().unwrap_or_default()
    }

    /// A temporary directory.
    pub fn scratch(&self) -> Result<Scratch, Error> {
        self.workshop.scratch()
    }

    /// The limits of a compilation.
    pub fn limits(&self) -> &Limits {
        &self.workshop.limits
    }

    /// What another program means that is given what this one is.
    pub fn meaning(&self, text: &[u8], target: &Target) -> Truth {
        truth::of(text, INPUT, &self.machine(target))
    }

    /// How the machine runs it in a data model.
    fn machine(&self, target: &Target) -> machine::Options {
        let steps = self.facts.expected.as_ref().map_or(0, |expected| expected.steps);
        machine::Options {
            target: target.clone(),
            max_steps: Options::default().max_steps.max(steps.saturating_mul(4)),
            args: self.facts.arguments.iter().map(|arg| arg.clone().into_bytes()).collect(),
            stdin: self.stdin.clone(),
            ..machine::Options::default()
        }
    }

    /// What the program means in a data model.
    pub fn truth(&self, target: &Target) -> Arc<Truth> {
        let key = format!("{target:?}");
        let kept = |map: &BTreeMap<String, Arc<Truth>>| map.get(&key).cloned();
        if let Some(truth) = kept(&self.truths.lock().unwrap_or_else(PoisonError::into_inner)) {
            return truth;
        }
        let truth = Arc::new(self.meaning(&self.text, target));
        self.truths.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&truth));
        truth
    }

    /// Compiles and runs, and says what was seen.
    pub fn ask(&self, variation: &Variation) -> Result<Tried, Error> {
        self.ask_of(&self.text, variation)
    }

    /// As [`Subject::ask`], of another program of one unit that means the same.
    pub fn ask_of(&self, text: &[u8], variation: &Variation) -> Result<Tried, Error> {
        let dir = self.scratch()?;
        self.write(text, &dir)?;
        self.train(variation, &dir);
        self.compile(&self.steps, variation, &dir)
    }

    /// As [`Subject::ask`], of LLVM's IR that was made of the program.
    pub fn ask_ir(&self, ir: &[u8], variation: &Variation) -> Result<Tried, Error> {
        let dir = self.scratch()?;
        let path = dir.file(IR);
        fs::write(&path, ir).map_err(|error| Error::file("write", &path, &error))?;
        self.write(&self.text, &dir)?;
        let mut steps = self.steps.clone();
        if let Some(step) = steps.get_mut(self.focus.looked_at()) {
            step.source = IR.to_owned();
        }
        self.compile(&steps, variation, &dir)
    }

    /// Compiles what is in a directory, runs it, and says what was seen.
    fn compile(&self, steps: &[Step], variation: &Variation, dir: &Scratch) -> Result<Tried, Error> {
        let mut messages = String::new();
        let mut last = None;
        let unchanged = Variation { compiler: variation.compiler.clone(), ..Variation::default() };
        for (number, step) in steps.iter().enumerate() {
            let meant = self.focus.is_on(number);
            let job = self.job(step, if meant { variation } else { &unchanged }, dir);
            let compiled = self.tested(variation).compiler.compile(&job);
            if meant {
                messages.push_str(&String::from_utf8_lossy(&compiled.stderr));
            }
            let ok = compiled.outcome == CompileOutcome::Ok;
            last = Some(compiled);
            if !ok {
                break;
            }
        }
        let mut wrong = None;
        let seen = match last {
            Some(compiled) => self.judge(variation, &compiled, dir, &mut wrong)?,
            None => Seen::Unknown { why: "the finding names no command".to_owned() },
        };
        Ok(Tried { seen, messages, wrong })
    }

    /// Where steps use a profile, makes it: the program that is compiled to write one is run. Without it the compiler has
    /// nothing to go by, and what is asked then shows that.
    fn train(&self, variation: &Variation, dir: &Scratch) {
        let settled: Vec<_> = self.steps.iter().map(|step| self.settled(step, variation)).collect();
        let words =
            settled.iter().flat_map(|(step, variation)| step.options.iter().chain(&variation.options));
        if !is_trained(words.map(String::as_str)) {
            return;
        }
        for (mut step, mut variation) in settled {
            for word in step.options.iter_mut().chain(&mut variation.options) {
                *word = training(word).to_owned();
            }
            let compiled = self.tested(&variation).compiler.compile(&self.job(&step, &variation, dir));
            if compiled.outcome != CompileOutcome::Ok {
                return;
            }
        }
        let steps = self.facts.expected.as_ref().map_or(0, |expected| expected.steps);
        let limits = Options::default().run_limits(steps, 1 << 20);
        let compiler = &self.tested(variation).compiler;
        if let Some(spec) = compiler.run_spec(&dir.file(OUTPUT), dir.path(), &limits) {
            let stdin = Stdin::Bytes(self.stdin.clone().into());
            let _profiled = run(&spec.args(&self.facts.arguments).stdin(stdin));
        }
    }

    /// A step with the level of a variation in its place, and the rest of the variation.
    fn settled(&self, step: &Step, variation: &Variation) -> (Step, Variation) {
        let (mut step, mut variation) = (step.clone(), variation.clone());
        if let Some(level) = variation.level.take() {
            step.options = replaced(&step.options, &self.level_of(&step), &level);
        }
        (step, variation)
    }

    /// The words of a step that say its level: the configuration's, or those of a unit with a level of its own.
    fn level_of(&self, step: &Step) -> String {
        let level = &self.configuration.level;
        let own = step.options.iter().rfind(|word| word.starts_with("-O"));
        match own {
            Some(own) if !level.split_whitespace().any(|word| word == own) => own.clone(),
            _ => level.clone(),
        }
    }

    /// Compiles the program, as far as `-S` does, for what the compiler says and writes. The text is the assembly.
    pub fn assembly(&self, variation: &Variation) -> Result<(Compiled, Vec<u8>), Error> {
        self.assembled(self.looked_at(), variation)
    }

    fn assembled(&self, mut step: Step, variation: &Variation) -> Result<(Compiled, Vec<u8>), Error> {
        let dir = self.scratch()?;
        self.write(&self.text, &dir)?;
        step.output = "assembly.s".to_owned();
        step.behind.clear();
        let job = self.job(&step, variation, &dir).product(Product::Assembly);
        let compiled = self.tested(variation).compiler.compile(&job);
        let text = fs::read(dir.file(&step.output)).unwrap_or_default();
        Ok((compiled, text))
    }

    /// As [`Subject::assembly`], with warnings.
    pub fn warned(&self, variation: &Variation) -> Result<(Compiled, Vec<u8>), Error> {
        let mut loud = self.looked_at();
        loud.options.retain(|option| option != "-w");
        self.assembled(loud, variation)
    }

    /// What the compiler says on both of its outputs when it is called as for assembly, such as lists that it is asked for.
    pub fn answer(&self, variation: &Variation) -> Result<String, Error> {
        let dir = self.scratch()?;
        self.write(&self.text, &dir)?;
        let mut step = self.looked_at();
        step.output = "assembly.s".to_owned();
        step.behind.clear();
        let job = self.job(&step, variation, &dir).product(Product::Assembly);
        let argv = self.tested(variation).compiler.command_line(&job);
        let done = run(&Spec::from_argv(argv).working_in(dir.path()).limits(self.limits().clone()));
        let text = [done.stdout, done.stderr].concat();
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn write(&self, text: &[u8], dir: &Scratch) -> Result<(), Error> {
        let put = |name: &str, bytes: &[u8]| {
            let path = dir.file(name);
            fs::write(&path, bytes).map_err(|error| Error::file("write", &path, &error))
        };
        if self.is_single() {
            return put(INPUT, text);
        }
        self.files()?.iter().try_for_each(|(name, bytes)| put(name, bytes))
    }

    /// The files that are compiled, with their names: the program, or its units.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, Error> {
        if self.is_single() {
            return Ok(vec![(INPUT.to_owned(), self.text.clone())]);
        }
        let read = |step: &Step| {
            let path = self.dir.join(&step.source);
            let bytes = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
            Ok((step.source.clone(), bytes))
        };
        self.steps.iter().filter(|step| step.object).map(read).collect()
    }

    fn tested<'v>(&'v self, variation: &'v Variation) -> &'v Tested {
        variation.compiler.as_deref().unwrap_or(&self.configuration.tested)
    }

    fn job(&self, step: &Step, variation: &Variation, dir: &Scratch) -> Compilation {
        let options = match &variation.level {
            Some(level) => replaced(&step.options, &self.level_of(step), level),
            None => step.options.clone(),
        };
        let mut floats: Vec<String> = Vec::new();
        if let Some(other) = &variation.compiler {
            floats.extend(other.float_flags.iter().filter(|flag| !options.contains(flag)).cloned());
        }
        let path = |name: &String| if name.ends_with(".o") { dir.file(name).into() } else { name.into() };
        let mut job = Compilation::new(dir.file(&step.source), dir.file(&step.output))
            .args(floats)
            .args(options)
            .args(&variation.options)
            .limits(self.limits().clone());
        if step.object {
            job = job.product(Product::Object);
        }
        for word in &step.behind {
            let word: std::ffi::OsString = path(word);
            job = job.library(word);
        }
        job
    }

    fn judge(
        &self,
        variation: &Variation,
        compiled: &Compiled,
        dir: &Scratch,
        wrong: &mut Option<String>,
    ) -> Result<Seen, Error> {
        let unknown = |why: String| Ok(Seen::Unknown { why });
        let (kind, stage) = (self.facts.kind, self.facts.stage);
        let compiles = stage == Stage::Compile;
        match (&compiled.outcome, kind) {
            (CompileOutcome::Crashed(crash), FindingKind::Crash)
                if crash.signature == self.facts.signature =>
            {
                return Ok(Seen::Shows);
            }
            (CompileOutcome::Rejected { line }, FindingKind::Refusal)
                if refusal::signature(self.configuration.family(), &normalise(line))
                    == self.facts.signature =>
            {
                return Ok(Seen::Shows);
            }
            (CompileOutcome::Ok, FindingKind::Refusal) => return Ok(Seen::Right),
            (CompileOutcome::TimedOut(_), FindingKind::Hang) if compiles => return Ok(Seen::Shows),
            (CompileOutcome::NoOutput, FindingKind::WrongCode) if compiles => return Ok(Seen::Shows),
            (CompileOutcome::Ok, FindingKind::MissedOptimisation) => return self.leaves_marker(dir),
            (CompileOutcome::Ok, FindingKind::DebugInfo) => return self.debug_info_changes(variation, dir),
            (CompileOutcome::Ok, FindingKind::Volatile) => return self.accesses_volatile(variation, dir),
            (CompileOutcome::Ok, FindingKind::SlowCompilation) => {
                return unknown("it was compiled, at a cost that is not measured again".to_owned());
            }
            (CompileOutcome::Ok, _) if compiles || kind == FindingKind::Crash => return Ok(Seen::Right),
            (CompileOutcome::Ok, FindingKind::Hang | FindingKind::WrongCode | FindingKind::FalseReport) => {}
            (CompileOutcome::Ok, FindingKind::Crash) => {
                return unknown("a crash: what the program does says nothing".to_owned());
            }
            (other, _) => return unknown(format!("the compiler: {}", other.describe())),
        }
        let tested = self.tested(variation);
        let truth = self.truth(&tested.target);
        let done = match self.execute(variation, &truth, dir)? {
            Some(done) => done,
            None => return unknown("its programs cannot be run here".to_owned()),
        };
        Ok(self.compare(&truth, &done, tested.x86.is_some(), wrong))
    }

    /// Does the program do to a volatile object what the finding says, or another that is wrong in the same way?
    fn accesses_volatile(&self, variation: &Variation, dir: &Scratch) -> Result<Seen, Error> {
        let unknown = |why: String| Ok(Seen::Unknown { why });
        let tested = self.tested(variation);
        let Some(facts) = &self.facts.accesses else {
            return unknown("the finding names no volatile object".to_owned());
        };
        let checked = variation.options.iter().any(|option| option.starts_with("-fsanitize"));
        if checked || !accesses::is_asked(tested) {
            return unknown("accesses of its programs cannot be counted".to_owned());
        }
        let truth = self.truth(&tested.target);
        let cwd = self.scratch()?;
        let Some(spec) = self.spec(variation, with_traps(self.run_limits(&truth)), dir, &cwd) else {
            return unknown("its programs cannot be run here".to_owned());
        };
        let watched = match self.meant(&tested.target).watch(&dir.file(OUTPUT), &spec) {
            Ok(watched) => watched,
            Err(why) => return unknown(why.unwrap_or_else(|| "stopped".to_owned())),
        };
        Ok(match watched.wrong.first() {
            Some(_) if watched.differing(facts.difference).is_some() => Seen::Shows,
            Some(other) => Seen::Unknown { why: other.summary() },
            None if watched.clears(facts) => Seen::Right,
            None => Seen::Unknown { why: format!("{} cannot be watched", facts.object) },
        })
    }

    /// What is to be done to volatile objects in a data model.
    fn meant(&self, target: &Target) -> Arc<Meant> {
        let mut known = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Meant::of(&self.text, &self.machine(target)));
        Arc::clone(known.entry(format!("{target:?}")).or_insert_with(new))
    }

    /// Is the marker of a missed optimisation called in the assembly that was written?
    fn leaves_marker(&self, dir: &Scratch) -> Result<Seen, Error> {
        let marker = self.facts.against.as_ref().and_then(|against| against.marker.as_deref());
        let number = marker.and_then(|name| name.strip_prefix(PREFIX)?.parse().ok());
        let output = self.steps.last().map(|step| dir.file(&step.output));
        let (Some(number), Some(path)) = (number, output) else {
            return Ok(Seen::Unknown { why: "the finding names no marker".to_owned() });
        };
        let text = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
        let left = survivors(&String::from_utf8_lossy(&text)).contains(&number);
        Ok(if left { Seen::Shows } else { Seen::Right })
    }

    /// Has the assembly that was written other instructions than one without debug information? What was written may lack
    /// it, where a variation has options of its own, so that both are made here.
    fn debug_info_changes(&self, variation: &Variation, dir: &Scratch) -> Result<Seen, Error> {
        let last = self.steps.last().cloned().unwrap_or_default();
        let (mut step, mut plain) = self.settled(&last, variation);
        for words in [&mut step.options, &mut plain.options] {
            words.retain(|word| word != OPTION);
        }
        let mut debug = plain.clone();
        debug.options.push(OPTION.to_owned());
        let mut texts = Vec::new();
        for variation in [&debug, &plain] {
            let compiled = self.tested(variation).compiler.compile(&self.job(&step, variation, dir));
            if compiled.outcome != CompileOutcome::Ok {
                return Ok(Seen::Unknown { why: format!("the compiler: {}", compiled.outcome.describe()) });
            }
            let path = dir.file(&step.output);
            let text = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
            texts.push(String::from_utf8_lossy(&text).into_owned());
        }
        Ok(if difference(&texts[0], &texts[1]).is_some() { Seen::Shows } else { Seen::Right })
    }

    fn execute(
        &self,
        variation: &Variation,
        truth: &Truth,
        dir: &Scratch,
    ) -> Result<Option<Finished>, Error> {
        let cwd = self.scratch()?;
        Ok(self.spec(variation, self.run_limits(truth), dir, &cwd).map(|spec| run(&spec)))
    }

    /// The limits of its program.
    fn run_limits(&self, truth: &Truth) -> Limits {
        let (steps, output) = match truth {
            Truth::Known { outcome, steps } => (*steps, outcome.stdout.len()),
            Truth::Opaque { .. } | Truth::Rejected(_) => (Options::default().max_steps, 1 << 20),
        };
        Options::default().run_limits(steps, output)
    }

    /// How what was compiled is run; `None` where that is not possible here.
    fn spec(&self, variation: &Variation, mut limits: Limits, dir: &Scratch, cwd: &Scratch) -> Option<Spec> {
        // Sanitizers keep a shadow of the whole address space.
        let checked = variation.options.iter().any(|option| option.starts_with("-fsanitize"));
        if checked || self.configuration.is_sanitized() {
            limits.address_space = None;
        }
        let spec = self.tested(variation).compiler.run_spec(&dir.file(OUTPUT), cwd.path(), &limits)?;
        let spec = spec.args(&self.facts.arguments).stdin(Stdin::Bytes(self.stdin.clone().into()));
        Some(if self.configuration.is_sanitized() { checking_itself(spec) } else { spec })
    }

    /// What was seen of a run, and in `wrong` what it did otherwise than it should.
    fn compare(&self, truth: &Truth, done: &Finished, x86: bool, wrong: &mut Option<String>) -> Seen {
        let Truth::Known { outcome, .. } = truth else {
            return self.as_before(done);
        };
        let compared = compare(outcome, done, x86);
        if let Compared::Differs(why) = &compared {
            let said = String::from_utf8_lossy(&done.stderr);
            // `==4711==ERROR: AddressSanitizer`: without the number of the process.
            let plain =
                |line: &str| line.trim_start_matches(|c: char| c == '=' || c.is_ascii_digit()).to_owned();
            let said = said.lines().map(plain).find(|line| line.chars().any(char::is_alphanumeric));
            *wrong = Some(said.map_or_else(|| why.clone(), |line| format!("{why}; it says: {line}")));
        }
        match (compared, self.facts.kind) {
            (Compared::Same, _) => Seen::Right,
            (Compared::Unknown(_), FindingKind::Hang) if matches!(done.outcome, Outcome::TimedOut(_)) => {
                Seen::Shows
            }
            (Compared::Differs(_), FindingKind::WrongCode | FindingKind::FalseReport) => Seen::Shows,
            (Compared::Differs(why), _) => Seen::Unknown { why },
            (Compared::Unknown(_), _) => Seen::Unknown { why: format!("it {}", done.outcome.describe()) },
        }
    }

    /// Where the machine knows no meaning, the bug is what was seen when the alarm was raised.
    fn as_before(&self, done: &Finished) -> Seen {
        let Some(actual) = &self.facts.actual else {
            return Seen::Unknown { why: "what the program means is not known".to_owned() };
        };
        let (exit, signal) = match done.outcome {
            Outcome::Exited(code) => (Some(code), None),
            Outcome::Signaled(signal) => (None, Some(signal)),
            _ => return Seen::Unknown { why: format!("it {}", done.outcome.describe()) },
        };
        let same = (exit, signal) == (actual.exit, actual.signal);
        if same && findings::clip(&done.stdout) == actual.stdout { Seen::Shows } else { Seen::Right }
    }
}

/// The level of a finding: what its configuration's label has beyond the compiler's command line.
fn level(facts: &Facts) -> String {
    let name = facts.configuration.trim();
    let words = shell_words::split(name).unwrap_or_default();
    let compiler = shell_words::split(&facts.compiler.name).unwrap_or_default();
    words.get(compiler.len()..).unwrap_or_default().join(" ")
}

/// Options with the words of one level replaced by those of another; put first where the level has no words.
fn replaced(options: &[String], old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_whitespace().collect(), new.split_whitespace().collect());
    let at = if old.is_empty() {
        None
    } else {
        options.windows(old.len()).position(|window| window.iter().eq(old.iter()))
    };
    let (from, to) = at.map_or((0, 0), |at| (at, at + old.len()));
    let mut words = options[..from].to_vec();
    words.extend(new.into_iter().map(str::to_owned));
    words.extend_from_slice(&options[to..]);
    words
}

impl Step {
    /// From the words of a command behind the compiler's own.
    fn of(words: &[String]) -> Step {
        let mut step = Step::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-o" => step.output = words.next().cloned().unwrap_or_default(),
                "-c" => step.object = true,
                text if !text.starts_with('-') && (text.ends_with(".c") || text.ends_with(".o")) => {
                    if step.source.is_empty() {
                        step.source = word.clone();
                    } else {
                        step.behind.push(word.clone());
                    }
                }
                text if text.starts_with("-l") => step.behind.push(word.clone()),
                _ => step.options.push(word.clone()),
            }
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn commands_are_taken_apart() {
        let step = Step::of(&words("-O2 -fwrapv -w program.c -o program -lm"));
        assert_eq!((step.source.as_str(), step.output.as_str()), ("program.c", "program"));
        assert_eq!((step.options, step.behind), (words("-O2 -fwrapv -w"), words("-lm")));
        let link = Step::of(&words("-O2 program-0.o program-1.o -o program -lm"));
        assert_eq!((link.source.as_str(), link.behind), ("program-0.o", words("program-1.o -lm")));
    }

    #[test]
    fn a_level_is_replaced_where_it_stands() {
        assert_eq!(replaced(&words("-a -O2 -x -w"), "-O2 -x", "-O0"), words("-a -O0 -w"));
        assert_eq!(replaced(&words("-a -w"), "", "-O1"), words("-O1 -a -w"));
    }
}
