//! The built-in generator as a source: the number is the seed. Hunts take out guards that never fire unless told
//! otherwise, so `plumb gen --safe-math elided --seed N` gives the same program.

use super::{Failure, Kind, Program, Source, known};
use crate::units::Units;

/// Steps of the machine for finding the guards that fire.
const STEPS: u64 = 30_000_000;

pub(super) const KIND: Kind = Kind {
    word: "builtin",
    help: "plumb's own generator (the default)",
    open: |word, context| {
        (word == "builtin").then(|| {
            let mut options = context.generator.clone();
            options.safe_math.get_or_insert(generate::SafeMath::Elided);
            Ok(Box::new(Builtin { options }) as Box<dyn Source>)
        })
    },
};

struct Builtin {
    options: generate::Options,
}

impl Builtin {
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
            units: self.units(number, &program),
        })
    }
}
