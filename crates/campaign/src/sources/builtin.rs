//! The built-in generator as a source: the number is the seed, so `plumb gen --seed N` gives the same program.

use super::{Failure, Kind, Program, Source};

pub(super) const KIND: Kind = Kind {
    word: "builtin",
    help: "plumb's own generator (the default)",
    open: |word, context| {
        (word == "builtin")
            .then(|| Ok(Box::new(Builtin { options: context.generator.clone() }) as Box<dyn Source>))
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
        let text = generate::generate(number, &self.options).text();
        Ok(Program {
            name: format!("seed {number}"),
            text: text.into_bytes(),
            include: Vec::new(),
            file: None,
        })
    }
}
