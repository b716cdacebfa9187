//! The built-in generator as a source: the number is the seed. Hunts take out guards that never fire unless told
//! otherwise, so `plumb gen --safe-math elided --seed N` gives the same program.

use super::{Failure, Kind, Program, Source};
use crate::known;

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

impl Source for Builtin {
    fn identity(&self) -> String {
        format!("builtin {} {:?}", env!("CARGO_PKG_VERSION"), self.options)
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let machine = machine::Options { max_steps: STEPS, ..machine::Options::default() };
        let text = known::of_seed(number, &self.options, &machine).text();
        Ok(Program {
            name: format!("seed {number}"),
            text: text.into_bytes(),
            include: Vec::new(),
            file: None,
        })
    }
}
