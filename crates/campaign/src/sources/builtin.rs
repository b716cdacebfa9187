//! The built-in generator as a source: the number is the seed. Hunts take out guards that never fire unless told
//! otherwise, so `plumb gen --safe-math elided --seed N` gives the same program.

use super::dialect::{self, Asked};
use super::{Context, Failure, Program, Source, SourceKind, known};
use crate::configurations::Tested;
use crate::error::Error;
use crate::units::Units;
use generate::{Limit, SWITCHES, Switch};
use mutate::choices::Choices;
use std::sync::Arc;

/// Steps of the machine for finding the guards that fire.
const STEPS: u64 = 30_000_000;

pub(super) const KIND: SourceKind = SourceKind {
    word: "builtin",
    help: "plumb's own generator (the default)",
    open: |word, context| {
        (word == "builtin").then(|| {
            let options =
                generate::Options::parse(context.words).map_err(|error| Error::Usage(error.to_string()))?;
            let (mut options, notes) = fitted(&options, context);
            let late = Late::of(&options, context);
            options.safe_math.get_or_insert(generate::SafeMath::Elided);
            let notes = notes.into_iter().chain(late.notes.clone()).collect();
            Ok(Box::new(Builtin { options, late, notes }) as Box<dyn Source>)
        })
    },
};

/// The compilers of a hunt, each once.
fn compilers<'a>(context: &Context<'a>) -> Vec<&'a Arc<Tested>> {
    let mut all: Vec<&Arc<Tested>> = Vec::new();
    for tested in context.configurations.iter().map(|configuration| &configuration.tested) {
        if !all.iter().any(|known| Arc::ptr_eq(known, tested)) {
            all.push(tested);
        }
    }
    all
}

fn flags(switches: &[Switch]) -> String {
    switches.iter().map(|switch| SWITCHES[*switch as usize].flag).collect::<Vec<_>>().join(", ")
}

/// Constructs that came with newer compilers, which a hunt turns on program by program. There may be none that all its
/// compilers take; a program is then for those alone that take what it has.
#[derive(Default)]
struct Late {
    /// By configuration, what its compiler takes of what the command line leaves open.
    takes: Vec<Vec<Switch>>,
    /// The different ones of these, and what all take: a program has constructs of one of these.
    sets: Vec<Vec<Switch>>,
    notes: Vec<String>,
}

impl Late {
    /// Asks each compiler, where programs differ in what they have anyway.
    fn of(options: &generate::Options, context: &Context<'_>) -> Late {
        let all: Vec<Switch> = dialect::late_switches(options).collect();
        if all.is_empty() || !(options.swarm || options.on(Switch::VarySize)) {
            return Late::default();
        }
        let (mut notes, mut known) = (Vec::new(), Vec::new());
        for tested in compilers(context) {
            let answer = dialect::late(options, &Asked::new(tested, context));
            let why = if answer.is_some() { "does not take" } else { "gave no answer about" };
            let taken = answer.unwrap_or_default();
            let lacks: Vec<Switch> = all.iter().copied().filter(|switch| !taken.contains(switch)).collect();
            if !lacks.is_empty() {
                notes.push(format!("programs that {} {why}, with: {}", tested.name, flags(&lacks)));
            }
            known.push((tested, taken));
        }
        let taken = |tested: &Arc<Tested>| known.iter().find(|(other, _)| Arc::ptr_eq(other, tested));
        let takes: Vec<Vec<Switch>> = (context.configurations.iter())
            .map(|configuration| {
                taken(&configuration.tested).map_or_else(Vec::new, |(_, taken)| taken.clone())
            })
            .collect();
        let mut sets = vec![all];
        sets[0].retain(|switch| takes.iter().all(|taken| taken.contains(switch)));
        for taken in &takes {
            if !sets.contains(taken) {
                sets.push(taken.clone());
            }
        }
        if sets.iter().all(Vec::is_empty) {
            return Late { notes, ..Late::default() };
        }
        Late { takes, sets, notes }
    }

    /// The options of one program: of the switches that are on here each is drawn once more with the program's own.
    fn options(&self, number: u64, options: &generate::Options) -> generate::Options {
        let mut options = options.clone();
        if !self.sets.is_empty() {
            let set = Choices::nth(number, 0x1a7e).below(self.sets.len());
            self.sets[set].iter().for_each(|switch| options.set(*switch, true));
        }
        options
    }

    /// The configurations that do not take what a program has.
    fn left_out(&self, program: &generate::Program) -> Vec<usize> {
        let has = |switch: &&Switch| self.sets.iter().any(|set| set.contains(switch));
        let has: Vec<Switch> = program.late.iter().filter(has).copied().collect();
        let lacks = |taken: &[Switch]| has.iter().any(|switch| !taken.contains(switch));
        (0..self.takes.len()).filter(|number| lacks(&self.takes[*number])).collect()
    }
}

/// The generator's options with what these compilers take: `__int128` where all have it, nothing that one of them refuses,
/// which the notes say; programs of many sizes. What the command line says stays.
fn fitted(options: &generate::Options, context: &Context<'_>) -> (generate::Options, Vec<String>) {
    let (mut fitted, mut notes) = (options.clone(), Vec::new());
    if !options.said(Switch::Int128) && context.models.iter().all(|m| m.int128) {
        fitted.set(Switch::Int128, true);
    }
    for tested in compilers(context) {
        let refused = dialect::refused(&fitted, &Asked::new(tested, context));
        if !refused.is_empty() {
            notes.push(format!("constructs that {} refuses: {}", tested.name, flags(&refused)));
        }
        refused.into_iter().for_each(|switch| fitted.set(switch, false));
    }
    let size = Limit::Tokens;
    if !options.said(Switch::VarySize) && options.limit(size) == generate::Options::default().limit(size) {
        fitted.set(Switch::VarySize, true);
    }
    (fitted, notes)
}

struct Builtin {
    options: generate::Options,
    late: Late,
    notes: Vec<String>,
}

impl Builtin {
    /// The command that writes the program of a number, but for its choice of units.
    fn command(number: u64, options: &generate::Options) -> String {
        let seed = number.to_string();
        let words = ["plumb", "gen", "--seed", &seed].map(str::to_owned).into_iter();
        shell_words::join(words.chain(options.command_line()))
    }

    /// The program's units where `--units` asks for some, every other time to be compiled with link-time optimisation.
    fn units(&self, number: u64, program: &generate::Program) -> Option<Units> {
        let count = self.options.limit(generate::Limit::Units) as usize;
        let lto = || mutate::choices::Choices::nth(number, 0x0117).coin();
        (count > 1).then(|| Units { texts: program.units(count), levels: Vec::new(), lto: lto() })
    }
}

impl Source for Builtin {
    fn identity(&self) -> String {
        let late = if self.late.sets.is_empty() { String::new() } else { format!(" {:?}", self.late.takes) };
        format!("builtin {} {:?}{late}", env!("CARGO_PKG_VERSION"), self.options)
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn generator(&self) -> Option<&generate::Options> {
        Some(&self.options)
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let machine = machine::Options { max_steps: STEPS, ..machine::Options::default() };
        let options = self.late.options(number, &self.options);
        let program = known::of_seed(number, &options, &machine);
        Ok(Program {
            name: format!("seed {number}"),
            text: program.text().into_bytes(),
            include: Vec::new(),
            file: None,
            command: Some(Self::command(number, &options)),
            units: self.units(number, &program),
            parts: Vec::new(),
            left_out: self.late.left_out(&program),
        })
    }
}
