//! A finding under reduction: what is tested, how it stands, what was done.

use super::Options;
use super::compared::Compared;
use super::counted::Counted;
use super::fresh::Fresh;
use super::keep;
use super::others::Others;
use super::reopen::Reopened;
use super::result::{Reduced, Step};
use super::subject::{Trial, Tried, ran};
use super::units::join;
use crate::accesses::TRAPS;
use crate::configurations::{Configuration, INPUT};
use crate::detours::Detour;
use crate::error::Error;
use crate::findings::Evidence;
use crate::oracles::{self, Observation, refusal};
use crate::truth::{self, Truth};
use crate::units::Units;
use crate::verdict::{Alarm, FindingKind, Stage, Verdict};
use csyntax::target::Target;
use machine::Outcome;
use mutate::Input;
use reduce::engine::{Elsewhere, Judges};
use reduce::interesting::compilers::{Finding, Subject, Symptom, Wrong, symptom_of};
use reduce::interesting::gate::{Gate, NoMeaning};
use reduce::journal::{Journal, State};
use reduce::{Answer, Case, Interesting, Report};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// Steps of the machine for the finding's program, the least limit for candidates, and how often the program's steps it is.
const FIRST_STEPS: u64 = 2_000_000_000;
const LEAST_STEPS: u64 = 100_000;
const TIMES: u64 = 10;
/// A compiler that takes longer for a candidate than this is taken to hang, where that is the finding.
const HANG: Duration = Duration::from_secs(10);
/// A program that hangs is given so much, and more by its steps, as a hunt does.
const RUN: Duration = Duration::from_secs(2);
const STEPS_PER_SECOND: u64 = 5_000_000;

/// A finding under reduction.
pub(super) struct Session {
    pub opened: Reopened,
    /// The program as it stands.
    pub text: Case,
    pub subject: Tried,
    pub references: Vec<Tried>,
    pub gate: Gate<'static>,
    pub symptom: Symptom,
    /// What the compiler said of the program.
    pub said: String,
    pub jobs: usize,
    pub steps: Vec<Step>,
    pub tests: u64,
    tests_elsewhere: u64,
    /// What a test took of late.
    pace: Duration,
    options_before: String,
    /// Detours around known bugs, with which candidates must still fail.
    avoid: Vec<Detour>,
}

/// A case of one C text.
pub(super) fn case_of(text: &[u8]) -> Case {
    Case::new([(INPUT.to_owned(), text.to_vec())])
}

impl Session {
    /// Tests that the finding shows, and finds what it must be compared with. A program of several units is taken in one
    /// piece, if that shows it.
    pub fn begin(opened: Reopened, options: &Options, stop: &dyn Fn() -> bool) -> Result<Session, Error> {
        if opened.units.is_none() {
            return Session::of(opened, options, stop);
        }
        let whole = Reopened { units: None, ..opened.clone() };
        match Session::of(whole, options, stop) {
            Err(Error::Usage(_)) => Session::of(opened, options, stop),
            session => session,
        }
    }

    /// As [`Session::begin`], as the program is.
    fn of(opened: Reopened, options: &Options, stop: &dyn Fn() -> bool) -> Result<Session, Error> {
        let input = Arc::new(opened.input.clone());
        let mut subject = Tried::new(opened.configuration.clone(), &input, &opened.scratch);
        subject.units = opened.units.as_ref().map(Units::without_texts);
        let machine = machine::Options { max_steps: FIRST_STEPS, ..machine_options(&opened) };
        let mut gate = Gate::new(machine, None).joining(join);
        let text = opened.case();
        let cannot = |why: String| Error::Usage(format!("reduce --finding {}: {why}", opened.facts.id));
        let meaning = match gate.meaning(&text) {
            Ok((outcome, steps)) => {
                gate.set_steps(steps.saturating_mul(TIMES).max(LEAST_STEPS));
                // What the program does not need, its reduction does not need either: other compilers are asked about it.
                let _needs_old_c = gate.keep_modern(&text);
                gate.keep_status(&text);
                subject.run.stdout = outcome.stdout.len() + (64 << 10);
                limit_hang(&mut subject, &opened, steps);
                Some(outcome)
            }
            Err(NoMeaning::Unsupported(_) | NoMeaning::Exhausted(_))
                if opened.facts.kind == FindingKind::Crash =>
            {
                None
            }
            Err(why) => return Err(cannot(format!("its program is not defined: {why}"))),
        };
        if opened.against.is_some() {
            return Session::compare(Session::new(opened, text, subject, gate, options));
        }
        if opened.facts.kind == FindingKind::Volatile {
            return Session::count(Session::new(opened, text, subject, gate, options));
        }
        let trial = subject.try_case(&text, None).map_err(cannot)?;
        if stop() {
            return Err(Error::Resource("stopped before the finding was tested".to_owned()));
        }
        let hangs = opened.facts.kind == FindingKind::Hang;
        let compile_hangs = hangs && opened.facts.stage == Stage::Compile;
        if !hangs {
            subject.tighten(&trial);
        } else if !compile_hangs {
            subject.compile.wall = Some(RUN + trial.compiled.usage.wall * 10);
        }
        let said = String::from_utf8_lossy(&trial.compiled.stderr).into_owned();
        let symptom = symptom_of(&subject, ran(trial), meaning.as_ref()).map_err(cannot)?;
        let same = match (&symptom, opened.facts.kind) {
            (Symptom::Crash(signature), FindingKind::Crash) => *signature == opened.facts.signature,
            (Symptom::WrongCode(Wrong::Endless), FindingKind::Hang) => !compile_hangs,
            (Symptom::CompilerHangs, FindingKind::Hang) => compile_hangs,
            (Symptom::WrongCode(wrong), FindingKind::WrongCode | FindingKind::FalseReport) => {
                *wrong != Wrong::Endless
            }
            (Symptom::Refused(why), FindingKind::Refusal) => {
                refusal::signature(subject.configuration.family(), why) == opened.facts.signature
            }
            _ => false,
        };
        if !same {
            let why = "it does not show any more with this compiler";
            return Err(cannot(format!("{why}: {}", describe(&symptom))));
        }
        let mut session = Session::new(opened, text, subject, gate, options);
        (session.symptom, session.said) = (symptom, said);
        session.find_references(options, meaning.as_ref(), &input);
        if session.opened.facts.kind == FindingKind::Refusal && session.taken_elsewhere().is_none() {
            let why = "its compiler refuses the program at other levels, too";
            return Err(Error::Usage(format!("reduce --finding {}: {why}", session.opened.facts.id)));
        }
        session.avoid_known(options)?;
        Ok(session)
    }

    fn new(opened: Reopened, text: Case, subject: Tried, gate: Gate<'static>, options: &Options) -> Session {
        Session {
            text,
            subject,
            references: Vec::new(),
            gate,
            symptom: Symptom::None,
            said: String::new(),
            jobs: options.jobs.max(1),
            steps: Vec::new(),
            tests: 0,
            tests_elsewhere: 0,
            pace: Duration::ZERO,
            options_before: opened.configuration.level.clone(),
            avoid: Vec::new(),
            opened,
        }
    }

    /// From here on candidates must fail with the detours taken, if the finding's program does.
    fn avoid_known(&mut self, options: &Options) -> Result<(), Error> {
        let case = self.text.clone();
        self.avoid.clone_from(&options.avoid);
        if !self.avoid.is_empty() && self.ask(&[case])? != [true] {
            self.avoid.clear();
        }
        Ok(())
    }

    /// Tests that the difference between two configurations still shows.
    fn compare(mut session: Session) -> Result<Session, Error> {
        let case = session.text.clone();
        if session.ask(&[case])? == [true] {
            return Ok(session);
        }
        let why = "it does not show any more: the two configurations make the same of it";
        Err(Error::Usage(format!("reduce --finding {}: {why}", session.opened.facts.id)))
    }

    /// Tests that a volatile object is still accessed otherwise than it must be; not so at `-O0`, if that can be had.
    fn count(mut session: Session) -> Result<Session, Error> {
        let cannot = |id: &str, why: &str| {
            Err(Error::Usage(format!("reduce --finding {id}: it does not show any more: {why}")))
        };
        let id = session.opened.facts.id.clone();
        let case = session.text.clone();
        let Ok(trial) = session.subject.try_case(&case, None) else {
            return cannot(&id, "its program cannot be run");
        };
        session.subject.tighten(&trial);
        if session.ask(std::slice::from_ref(&case))? != [true] {
            return cannot(&id, "the program does to volatile objects what it must, or does something else");
        }
        let own = &session.opened.configuration;
        if own.family().optimises() && own.level != "-O0" {
            let plain = Configuration { level: "-O0".to_owned(), ..own.clone() };
            let mut tried = Tried::new(plain, &session.subject.input, &session.opened.scratch);
            tried.run.stdout = session.subject.run.stdout;
            if let Ok(trial) = tried.try_case(&case, None) {
                tried.tighten(&trial);
                session.references.push(tried);
                if session.ask(&[case])? != [true] {
                    session.references.clear();
                }
            }
        }
        Ok(session)
    }

    /// Keeps of the configurations that may serve as references those that are right.
    fn find_references(&mut self, options: &Options, meaning: Option<&Outcome>, input: &Arc<Input>) {
        let own = &self.opened.configuration;
        let mut wanted: Vec<Configuration> = Vec::new();
        if own.family().optimises() && own.level != "-O0" {
            wanted.push(Configuration { level: "-O0".to_owned(), ..own.clone() });
        }
        if self.opened.facts.kind == FindingKind::Refusal {
            let others = ["-O1", "-O2"].iter().filter(|level| own.level != **level);
            wanted.extend(others.map(|level| Configuration { level: (*level).to_owned(), ..own.clone() }));
        }
        for command in &options.references {
            let Ok(tested) = options.compilers.open(command, &self.opened.scratch) else { continue };
            let level = if tested.compiler.family.optimises() { "-O0" } else { "" };
            let other = Configuration { tested, level: level.to_owned(), model: 0 };
            let known = |c: &Configuration| c.tested.compiler.id() == other.tested.compiler.id();
            // A compiler without `__int128` is as good as one with it.
            let (theirs, ours) = (&other.tested.target, &own.tested.target);
            let alike = Target { int128: ours.int128, max_align: ours.max_align, ..theirs.clone() };
            if alike == *ours && !known(own) && !wanted.iter().any(known) {
                wanted.push(other);
            }
        }
        for configuration in wanted {
            let mut tried = Tried::new(configuration, input, &self.opened.scratch);
            tried.run.stdout = self.subject.run.stdout;
            tried.units.clone_from(&self.subject.units);
            let Ok(trial) = tried.try_case(&self.text, None) else { continue };
            tried.tighten(&trial);
            if symptom_of(&tried, ran(trial), meaning) == Ok(Symptom::None) {
                self.references.push(tried);
            }
        }
    }

    /// What of the finding's own compiler takes the program at another level.
    fn taken_elsewhere(&self) -> Option<&Tried> {
        let own = &self.opened.configuration.tested;
        self.references.iter().find(|tried| Arc::ptr_eq(&tried.configuration.tested, own))
    }

    /// The test of candidates of a finding that rests on a comparison.
    fn compared(&self) -> Option<Compared<'_>> {
        let against = self.opened.against.as_ref()?;
        let machine = machine_options(&self.opened);
        Some(Compared { gate: &self.gate, worse: &self.subject, against, machine })
    }

    /// The test of candidates of a finding about a volatile object.
    fn counted<'s>(&'s self, subject: &'s Tried) -> Option<Counted<'s>> {
        let facts = self.opened.facts.accesses.as_ref()?;
        Some(Counted {
            gate: &self.gate,
            subject,
            references: &self.references,
            machine: machine_options(&self.opened),
            difference: facts.difference,
        })
    }

    /// The test of candidates; one that ends in a file of options is tested with these.
    pub fn test(&self) -> Box<dyn Interesting + '_> {
        Box::new(Optioned { session: self, test: self.test_of(&self.subject) })
    }

    fn test_of<'s>(&'s self, subject: &'s Tried) -> Box<dyn Interesting + 's> {
        if let Some(counted) = self.counted(subject) {
            return Box::new(counted);
        }
        if let Some(compared) = self.compared() {
            return Box::new(compared);
        }
        let test = Box::new(Finding {
            gate: &self.gate,
            subject,
            references: self.references.iter().map(|tried| tried as &dyn Subject).collect(),
            symptom: self.symptom.clone(),
        });
        let target = &self.opened.configuration.tested.target;
        if self.avoid.is_empty() { test } else { Box::new(Fresh { test, avoid: &self.avoid, target }) }
    }

    /// Which of these are interesting. As many are asked at once as there are jobs.
    pub fn ask(&mut self, cases: &[Case]) -> Result<Vec<bool>, Error> {
        let mut held = Vec::with_capacity(cases.len());
        self.ask_while(None, cases, |holds| {
            held.push(holds);
            true
        });
        Ok(held)
    }

    /// Which of these are interesting, told in order until `more` wants no more of them. Others test, too, if there are some. A case
    /// that ends in a file of options is tested with these.
    pub fn ask_while(
        &mut self,
        others: Option<&Others<'_>>,
        cases: &[Case],
        mut more: impl FnMut(bool) -> bool,
    ) {
        let others = others.map(|others| others as &dyn Elsewhere);
        let mut judges = Judges { jobs: self.jobs, others, pace: self.pace, elsewhere: 0 };
        let mut told = 0;
        judges.ask(&*self.test(), cases, |holds| {
            told += 1;
            more(holds)
        });
        self.tests += told;
        (self.pace, self.tests_elsewhere) = (judges.pace, self.tests_elsewhere + judges.elsewhere);
    }

    /// Notes that a part of the work is done, that began at this time with so many tests.
    pub fn note(&mut self, what: &str, begun: Instant, tests_before: u64) {
        let size = self.text.size();
        self.steps.push(Step {
            what: what.to_owned(),
            tokens: size.tokens,
            bytes: size.bytes,
            tests: self.tests - tests_before,
            seconds: begun.elapsed().as_secs_f64(),
        });
    }

    /// Notes what the engine did.
    pub fn engine_done(&mut self, report: &Report) {
        self.text = report.case.clone();
        self.tests += report.figures.tests;
        self.tests_elsewhere += report.figures.elsewhere;
        let size = self.text.size();
        self.steps.push(Step {
            what: "syntax and text".to_owned(),
            tokens: size.tokens,
            bytes: size.bytes,
            tests: report.figures.tests,
            seconds: report.figures.elapsed.as_secs_f64(),
        });
    }

    /// What a journal must agree with to be taken up; the options that were left come last.
    pub fn fingerprint(&self) -> Vec<u8> {
        let mut print = self.fingerprint_head();
        print.extend_from_slice(self.subject.configuration.level.as_bytes());
        if let Some(units) = &self.subject.units {
            print.extend(units.to_words().iter().flat_map(|word| [b"\0", word.as_bytes()].concat()));
        }
        print
    }

    /// All that decides a test, but for the options that are left.
    pub fn test_fingerprint(&self) -> String {
        let head = self.fingerprint_head();
        format!("{}{:?}", String::from_utf8_lossy(&head), self.symptom)
    }

    fn fingerprint_head(&self) -> Vec<u8> {
        let labels: Vec<String> = self.references.iter().map(|r| r.configuration.label()).collect();
        let (version, id) = (env!("CARGO_PKG_VERSION"), &self.opened.facts.id);
        let banner = &self.opened.configuration.tested.compiler.banner;
        let avoid: Vec<&str> = self.avoid.iter().map(Detour::name).collect();
        format!("{version}\n{id}\n{banner}\n{}\n{}\n", labels.join(","), avoid.join(",")).into_bytes()
    }

    /// A reduction of this finding that was under way, with the options that it had left.
    pub fn resume(&mut self, path: &Path) -> Result<Option<State>, Error> {
        let state = Journal::read(path).map_err(|error| Error::file("read", path, &error))?;
        let Some(state) = state else { return Ok(None) };
        let head = self.fingerprint_head();
        let Some(level) = state.fingerprint.strip_prefix(&head[..]) else { return Ok(None) };
        let Ok(words) = String::from_utf8(level.to_vec()) else { return Ok(None) };
        let mut words = words.split('\0').map(str::to_owned);
        let level = words.next().unwrap_or_default();
        if !self.may_have(&level) {
            return Ok(None);
        }
        self.subject.configuration.level = level;
        self.set_units(Units::of_words(words));
        self.text = state.case();
        Ok(Some(state))
    }

    /// Sees that the result shows what the finding showed, and keeps it.
    pub fn finish(mut self, dir: &Path, stopped: bool, took: Duration) -> Result<Reduced, Error> {
        let text = self.whole()?;
        let units = self.units_left();
        let truth = truth::of(&text, INPUT, &machine_options(&self.opened));
        let configuration = self.subject.configuration.clone();
        if self.opened.against.is_some() || self.opened.facts.accesses.is_some() {
            return self.finish_beside(dir, (&text, &truth), stopped, took);
        }
        let limit = self.subject.limit(self.opened.facts.stage);
        let mut tried = vec![&self.subject];
        if self.opened.facts.kind == FindingKind::Refusal {
            tried.extend(self.taken_elsewhere());
        }
        let mut seen = Vec::new();
        for (configuration, tried) in tried.iter().enumerate() {
            let Trial { compiled, ran } = tried.try_case(&self.text, None).map_err(Error::Resource)?;
            let drawn = Vec::new();
            seen.push(Observation { configuration, drawn, compile: compiled, run: ran, alone: true });
        }
        let configurations: Vec<Configuration> = tried.iter().map(|t| t.configuration.clone()).collect();
        let truths = [truth.clone()];
        let case = oracles::Case {
            configurations: &configurations,
            truths: &truths,
            observations: &seen,
            differential: false,
        };
        let Verdict::Alarm(mut alarm) = oracles::judge(&case, &seen[0]) else {
            let id = &self.opened.facts.id;
            let why = "the smaller program shows it only now and then; reduce it again on an idle machine";
            return Err(Error::Resource(format!("reduce --finding {id}: {why}")));
        };
        alarm.doubt = self.opened.facts.doubt.take();
        let facts = &self.opened.facts;
        let evidence = Evidence {
            campaign: &facts.campaign,
            seed: facts.seed,
            program: &facts.program,
            text: &text,
            source_command: None,
            variant: None,
            units: units.as_ref(),
            configuration: &configuration,
            alarm: &alarm,
            against: None,
            accesses: None,
            truth: &truth,
            run: seen[0].run.as_ref(),
            compiler_stderr: &seen[0].compile.stderr,
            input: &self.opened.input,
            limit,
        };
        let reduced = self.reduced(dir, &configuration, stopped, took);
        keep::keep(dir, &evidence, &reduced)?;
        Ok(reduced)
    }

    /// As [`Session::finish`], for a finding that is no wrong result: it rests on a comparison, or on accesses.
    fn finish_beside(
        mut self,
        dir: &Path,
        (text, truth): (&[u8], &Truth),
        stopped: bool,
        took: Duration,
    ) -> Result<Reduced, Error> {
        let case = self.text.clone();
        let cancel = Cancel::new().map_err(|error| Error::Resource(error.to_string()))?;
        let accesses = self.counted(&self.subject).and_then(|counted| counted.facts(&case, &cancel).ok());
        let shows = if self.counted(&self.subject).is_some() {
            accesses.is_some()
        } else {
            self.ask(&[case])? == [true]
        };
        if !shows {
            let id = &self.opened.facts.id;
            let why = "the smaller program shows it only now and then; reduce it again on an idle machine";
            return Err(Error::Resource(format!("reduce --finding {id}: {why}")));
        }
        let summary = match &accesses {
            Some(accesses) => Some(accesses.summary()),
            None => self.compared().and_then(|compared| compared.summary(text)),
        };
        let facts = &self.opened.facts;
        let alarm = Alarm {
            kind: facts.kind,
            oracle: facts.oracle,
            stage: facts.stage,
            signature: facts.signature.clone(),
            summary: summary.unwrap_or_else(|| facts.summary.clone()),
            doubt: facts.doubt.clone(),
        };
        let configuration = &self.subject.configuration;
        let traps = if accesses.is_some() { TRAPS } else { Duration::ZERO };
        let evidence = Evidence {
            campaign: &facts.campaign,
            seed: facts.seed,
            program: &facts.program,
            text,
            source_command: None,
            variant: None,
            units: None,
            configuration,
            alarm: &alarm,
            against: self.opened.against.as_ref(),
            accesses: accesses.as_ref(),
            truth,
            run: None,
            compiler_stderr: &[],
            input: &self.opened.input,
            limit: self.subject.limit(facts.stage) + traps,
        };
        let reduced = self.reduced(dir, configuration, stopped, took);
        keep::keep(dir, &evidence, &reduced)?;
        Ok(reduced)
    }

    fn reduced(&self, dir: &Path, configuration: &Configuration, stopped: bool, took: Duration) -> Reduced {
        let (before, now) = (self.opened.case().size(), self.text.size());
        let left: Vec<&str> = configuration.level.split_whitespace().collect();
        let removed = self.options_before.split_whitespace().filter(|word| !left.contains(word));
        Reduced {
            id: self.opened.facts.id.clone(),
            directory: dir.join(keep::REDUCED),
            tokens_before: before.tokens,
            bytes_before: before.bytes,
            tokens: now.tokens,
            bytes: now.bytes,
            lines: self.text.files.iter().map(|file| lines(&file.text)).sum(),
            configuration: configuration.label(),
            options_removed: removed.map(str::to_owned).collect(),
            references: self.references.iter().map(|r| r.configuration.label()).collect(),
            steps: self.steps.clone(),
            tests: self.tests,
            tests_elsewhere: self.tests_elsewhere,
            seconds: took.as_secs_f64(),
            stopped,
            plumb: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Lines of a text that are not empty.
fn lines(text: &[u8]) -> usize {
    text.split(|b| *b == b'\n').filter(|line| !line.is_empty()).count()
}

/// The name of the file of a case that says with which options it is tested.
pub(super) const OPTIONS: &str = "options";

/// The test, and for cases that say with which options, the one with those.
struct Optioned<'s> {
    session: &'s Session,
    test: Box<dyn Interesting + 's>,
}

impl Interesting for Optioned<'_> {
    fn ask(&self, worker: usize, case: &Case, cancel: &Cancel) -> Answer {
        let (program, options) = match &case.files[..] {
            [program @ .., options] if options.name == OPTIONS => (program, options),
            _ => return self.test.ask(worker, case, cancel),
        };
        let mut subject = self.session.subject.clone();
        subject.configuration.level = String::from_utf8_lossy(&options.text).into_owned();
        let case = Case { files: program.to_vec() };
        self.session.test_of(&subject).ask(worker, &case, cancel)
    }
}

/// How the machine runs the program of a finding.
pub(super) fn machine_options(opened: &Reopened) -> machine::Options {
    machine::Options {
        target: opened.configuration.tested.target.clone(),
        args: opened.input.args.clone(),
        stdin: opened.input.stdin.clone(),
        ..machine::Options::default()
    }
}

/// Sets the time after which a finding of that kind is taken to hang.
fn limit_hang(subject: &mut Tried, opened: &Reopened, steps: u64) {
    match (opened.facts.kind, opened.facts.stage) {
        (FindingKind::Hang, Stage::Compile) => subject.compile.wall = Some(HANG),
        (FindingKind::Hang, Stage::Run) => {
            subject.run.wall = Some(RUN + Duration::from_secs(steps / STEPS_PER_SECOND));
        }
        (
            FindingKind::Crash | FindingKind::Refusal | FindingKind::WrongCode | FindingKind::FalseReport,
            _,
        )
        | (FindingKind::MissedOptimisation | FindingKind::SlowCompilation, _)
        | (FindingKind::DebugInfo | FindingKind::Volatile, _) => {}
    }
}

fn describe(symptom: &Symptom) -> String {
    match symptom {
        Symptom::Crash(signature) => format!("the compiler crashes: {signature}"),
        Symptom::CompilerHangs => "the compiler does not end".to_owned(),
        Symptom::WrongCode(Wrong::Endless) => "the program does not end".to_owned(),
        Symptom::WrongCode(Wrong::NoProgram) => "the compiler writes no program".to_owned(),
        Symptom::WrongCode(Wrong::Output) => "the program prints something else".to_owned(),
        Symptom::WrongCode(Wrong::Code | Wrong::Signal(_)) => "the program ends otherwise".to_owned(),
        Symptom::Refused(why) => format!("the compiler refuses it: {why}"),
        Symptom::None => "all is as it should be".to_owned(),
    }
}
