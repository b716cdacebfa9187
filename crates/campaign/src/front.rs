//! From text to the machine's answer: parse, check, run. The only place that knows all three.

use csyntax::source::{Diagnostic, Severity, SourceMap};
use machine::{Options, Run};

/// A program that was run.
pub struct Answer {
    /// What the machine says.
    pub run: Run,
    /// Turns its spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text was not run.
pub enum Refusal {
    /// It is not a C program.
    NotC {
        /// What is wrong, in order.
        diagnostics: Vec<Diagnostic>,
        /// Turns their spans into places.
        source: SourceMap,
    },
    /// plumb itself failed: a bug to report.
    Internal(String),
}

/// Gives a preprocessed text its meaning. Never panics: a panic inside is a [`Refusal::Internal`].
pub fn meaning(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    let work = std::panic::AssertUnwindSafe(|| evaluate(text, name, options));
    std::panic::catch_unwind(work).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Refusal::Internal(said))
    })
}

fn evaluate(text: &[u8], name: &str, options: &Options) -> Result<Answer, Refusal> {
    let parsed = csyntax::parse::parse(text, name);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(Refusal::NotC { diagnostics, source: parsed.source });
    }
    let checked = csyntax::check::check(&parsed.ast, &options.target);
    diagnostics.extend(checked.diagnostics);
    match checked.unit {
        Some(unit) => {
            let run = machine::judge(&unit, options);
            Ok(Answer { run, source: parsed.source, warnings: diagnostics })
        }
        None => Err(Refusal::NotC { diagnostics, source: parsed.source }),
    }
}
