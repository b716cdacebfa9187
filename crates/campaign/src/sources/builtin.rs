//! The built-in generator as a source: the number is the seed. Hunts take out guards that never fire unless told
//! otherwise, so `plumb gen --safe-math elided --seed N` gives the same program.

use super::{Context, Failure, Program, Source, SourceKind, dialect, known};
use crate::configurations::Tested;
use crate::error::Error;
use crate::units::Units;
use generate::{Limit, SWITCHES, Switch};
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
            options.safe_math.get_or_insert(generate::SafeMath::Elided);
            Ok(Box::new(Builtin { options, notes }) as Box<dyn Source>)
        })
    },
};

/// The generator's options with what these compilers take: `__int128` where all have it, nothing that one of them refuses,
/// which the notes say; programs of many sizes. What the command line says stays.
fn fitted(options: &generate::Options, context: &Context<'_>) -> (generate::Options, Vec<String>) {
    let (mut fitted, mut notes) = (options.clone(), Vec::new());
    if !options.said(Switch::Int128) && context.models.iter().all(|m| m.int128) {
        fitted.set(Switch::Int128, true);
    }
    let mut asked: Vec<&Arc<Tested>> = Vec::new();
    for tested in context.configurations.iter().map(|configuration| &configuration.tested) {
        if asked.iter().any(|known| Arc::ptr_eq(known, tested)) {
            continue;
        }
        asked.push(tested);
        let refused = dialect::refused(&fitted, tested, context.scratch);
        if !refused.is_empty() {
            let flags: Vec<&str> = refused.iter().map(|switch| SWITCHES[*switch as usize].flag).collect();
            notes.push(format!("constructs that {} refuses: {}", tested.name, flags.join(", ")));
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
    notes: Vec<String>,
}

impl Builtin {
    /// The command that writes the program of a number, but for its choice of units.
    fn command(&self, number: u64) -> String {
        let seed = number.to_string();
        let words = ["plumb", "gen", "--seed", &seed].map(str::to_owned).into_iter();
        shell_words::join(words.chain(self.options.command_line()))
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
        format!("builtin {} {:?}", env!("CARGO_PKG_VERSION"), self.options)
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
        let program = known::of_seed(number, &self.options, &machine);
        Ok(Program {
            name: format!("seed {number}"),
            text: program.text().into_bytes(),
            include: Vec::new(),
            file: None,
            command: Some(self.command(number)),
            units: self.units(number, &program),
            parts: Vec::new(),
        })
    }
}
