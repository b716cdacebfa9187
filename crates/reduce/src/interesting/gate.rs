//! The undefined-behaviour gate: before any compiler is asked, the abstract machine must call a candidate defined, so that
//! no step of a reduction can drift into a program that may do anything (thesis 5.2.4).

use super::{Answer, Interesting};
use crate::Case;
use csyntax::check::check;
use csyntax::parse::parse;
use csyntax::source::{Diagnostic, SourceMap};
use machine::{Budget, Options, Outcome, Verdict};
use std::borrow::Cow;
use toolchain::Cancel;

/// Turns a text with directives into one without, as a compiler would; or says why it cannot.
pub type Preprocess<'p> = &'p (dyn Fn(&str, &[u8]) -> Result<Vec<u8>, String> + Sync);

/// The gate, for cases of one file.
pub struct Gate<'p> {
    options: Options,
    preprocess: Option<Preprocess<'p>>,
}

impl<'p> Gate<'p> {
    /// A gate with these options of the machine, whose budgets bound what a candidate may cost.
    pub fn new(options: Options, preprocess: Option<Preprocess<'p>>) -> Gate<'p> {
        Gate { options, preprocess }
    }

    /// Sets the steps a candidate may take.
    pub fn set_steps(&mut self, steps: u64) {
        self.options.max_steps = steps;
    }

    /// What the program means, and the steps that took; else why it means nothing or nobody knows.
    pub fn meaning(&self, case: &Case) -> Result<(Outcome, u64), String> {
        let [file] = &case.files[..] else {
            return Err("the machine runs programs of one file".to_owned());
        };
        let text = match self.preprocess {
            Some(preprocess) if file.text.contains(&b'#') => Cow::Owned(preprocess(&file.name, &file.text)?),
            Some(_) | None => Cow::Borrowed(&file.text[..]),
        };
        let parsed = parse(&text, &file.name);
        refused(&parsed.diagnostics, &parsed.source)?;
        let checked = check(&parsed.ast, &self.options.target);
        refused(&checked.diagnostics, &parsed.source)?;
        let unit = checked.unit.ok_or("the checker has no answer")?;
        let run = machine::judge(&unit, &self.options);
        let place = |span: csyntax::source::Span| parsed.source.place(span.lo);
        match run.verdict {
            Verdict::Defined(outcome) if outcome.address_dependent || outcome.order_dependent => {
                Err("it depends on what C leaves open".to_owned())
            }
            Verdict::Defined(outcome) => Ok((outcome, run.steps)),
            Verdict::Undefined { ub, span, detail, .. } => Err(format!(
                "{}: undefined behaviour: {detail} [{}, C11 {}]",
                place(span),
                ub.name(),
                ub.clause()
            )),
            Verdict::Unsupported { what, span } => Err(format!("{}: not supported: {what}", place(span))),
            Verdict::Exhausted(budget) => Err(format!("the budget of {} ran out", budget_name(budget))),
        }
    }
}

/// The first error of a text that is refused.
fn refused(diagnostics: &[Diagnostic], source: &SourceMap) -> Result<(), String> {
    match diagnostics.iter().find(|d| d.severity.refuses()) {
        Some(first) => Err(format!("{}: error: {}", source.place(first.span.lo), first.message)),
        None => Ok(()),
    }
}

fn budget_name(budget: Budget) -> &'static str {
    match budget {
        Budget::Steps => "steps",
        Budget::Memory => "memory",
        Budget::Output => "output",
        Budget::Depth => "nested calls",
    }
}

impl Interesting for Gate<'_> {
    fn ask(&self, _worker: usize, case: &Case, _cancel: &Cancel) -> Answer {
        match self.meaning(case) {
            Ok(_) => Answer::Interesting,
            Err(why) => Answer::Not(why),
        }
    }
}
