//! The built-in generator as a source: the number is the seed. Hunts take out guards that never fire unless told
//! otherwise, so `plumb gen --safe-math elided --seed N` gives the same program.

use super::{Failure, Program, Source, SourceKind, known};
use crate::configurations::Configuration;
use crate::error::Error;
use crate::units::Units;
use csyntax::target::Target;
use toolchain::compiler::Family;

/// Steps of the machine for finding the guards that fire.
const STEPS: u64 = 30_000_000;

pub(super) const KIND: SourceKind = SourceKind {
    word: "builtin",
    help: "plumb's own generator (the default)",
    open: |word, context| {
        (word == "builtin").then(|| {
            let options =
                generate::Options::parse(context.words).map_err(|error| Error::Usage(error.to_string()))?;
            let mut options = fitted(&options, context.configurations, context.models);
            options.safe_math.get_or_insert(generate::SafeMath::Elided);
            Ok(Box::new(Builtin { options }) as Box<dyn Source>)
        })
    },
};

/// The generator's options with what these compilers know: `__int128` where all have it, shuffles of vectors only
/// where none is too old for them; programs of many sizes. What the command line says stays.
fn fitted(
    options: &generate::Options,
    configurations: &[Configuration],
    models: &[Target],
) -> generate::Options {
    use generate::Switch;
    let mut fitted = options.clone();
    if !options.said(Switch::Int128) && models.iter().all(|m| m.int128) {
        fitted.set(Switch::Int128, true);
    }
    let size = generate::Limit::Tokens;
    if !options.said(Switch::VarySize) && options.limit(size) == generate::Options::default().limit(size) {
        fitted.set(Switch::VarySize, true);
    }
    let shuffles = |c: &Configuration| match c.tested.compiler.family {
        Family::Gcc => c.tested.compiler.version.is_some_and(|v| v.0 >= 12),
        Family::Clang | Family::ZigCc => true,
        Family::Tcc | Family::Pcc | Family::Unknown => false,
    };
    if !options.said(Switch::ShuffleVector) && !configurations.iter().all(shuffles) {
        fitted.set(Switch::ShuffleVector, false);
    }
    fitted
}

struct Builtin {
    options: generate::Options,
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
