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

/// Why a candidate has no meaning that is known, in words that name the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMeaning {
    /// It is no C program, or not one of a single file.
    #[error("{0}")]
    NotC(String),
    /// Its behaviour is undefined.
    #[error("{0}")]
    Undefined(String),
    /// It depends on addresses or on orders of evaluation, which C leaves open.
    #[error("it depends on what C leaves open")]
    Open,
    /// The machine does not know what it uses; a text without `main` is among these.
    #[error("{0}")]
    Unsupported(String),
    /// A budget of the machine ran out.
    #[error("the budget of {} ran out", .0.name())]
    Exhausted(Budget),
}

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
    pub fn meaning(&self, case: &Case) -> Result<(Outcome, u64), NoMeaning> {
        let [file] = &case.files[..] else {
            return Err(NoMeaning::NotC("the machine runs programs of one file".to_owned()));
        };
        let text = match self.preprocess {
            Some(preprocess) if file.text.contains(&b'#') => {
                Cow::Owned(preprocess(&file.name, &file.text).map_err(NoMeaning::NotC)?)
            }
            Some(_) | None => Cow::Borrowed(&file.text[..]),
        };
        let parsed = parse(&text, &file.name);
        refused(&parsed.diagnostics, &parsed.source)?;
        let checked = check(&parsed.ast, &self.options.target);
        refused(&checked.diagnostics, &parsed.source)?;
        let unit = checked.unit.ok_or_else(|| NoMeaning::NotC("the checker has no answer".to_owned()))?;
        let run = machine::judge(&unit, &self.options);
        let place = |span: csyntax::source::Span| parsed.source.place(span.lo);
        match run.verdict {
            Verdict::Defined(outcome) if outcome.address_dependent || outcome.order_dependent => {
                Err(NoMeaning::Open)
            }
            Verdict::Defined(outcome) => Ok((outcome, run.steps)),
            Verdict::Undefined { ub, span, detail, .. } => {
                let (place, name, clause) = (place(span), ub.name(), ub.clause());
                let text = format!("{place}: undefined behaviour: {detail} [{name}, C11 {clause}]");
                Err(NoMeaning::Undefined(text))
            }
            Verdict::Unsupported { what, span } => {
                Err(NoMeaning::Unsupported(format!("{}: not supported: {what}", place(span))))
            }
            Verdict::Exhausted(budget) => Err(NoMeaning::Exhausted(budget)),
        }
    }
}

/// The first error of a text that is refused.
fn refused(diagnostics: &[Diagnostic], source: &SourceMap) -> Result<(), NoMeaning> {
    match diagnostics.iter().find(|d| d.severity.refuses()) {
        Some(first) => {
            let place = source.place(first.span.lo);
            Err(NoMeaning::NotC(format!("{place}: error: {}", first.message)))
        }
        None => Ok(()),
    }
}

impl Interesting for Gate<'_> {
    fn ask(&self, _worker: usize, case: &Case, _cancel: &Cancel) -> Answer {
        match self.meaning(case) {
            Ok(_) => Answer::Interesting,
            Err(why) => Answer::Not(why.to_string()),
        }
    }
}
