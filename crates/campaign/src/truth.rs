//! The true meaning of a program, or the reason why it is not used.

use crate::verdict::{Limit, Rejection};
use csyntax::source::{SourceMap, Span};
use frontend::Refusal;
use machine::{Options, Outcome, Run, Verdict, judge, run};

/// What a program means in one data model.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It means this.
    Known {
        /// What it does.
        outcome: Outcome,
        /// Steps of the abstract machine until it ended.
        steps: u64,
    },
    /// No single meaning is known.
    Rejected(Rejection),
}

impl Truth {
    /// A program not used for this reason.
    pub fn rejected(reason: impl Into<String>, detail: impl Into<String>, limit: Limit) -> Truth {
        Truth::Rejected(Rejection { reason: reason.into(), detail: detail.into(), limit })
    }
}

/// Finds the meaning of a preprocessed text.
pub fn of(text: &[u8], name: &str, options: &Options) -> Truth {
    let checked = match frontend::check(text, name, &options.target) {
        Ok(checked) => checked,
        Err(refusal) => return refused(refusal),
    };
    match frontend::guarded(|| {
        if options.judge { judge(&checked.unit, options) } else { run(&checked.unit, options) }
    }) {
        Ok(run) => of_run(run, &checked.source),
        Err(said) => failed(said),
    }
}

fn failed(said: String) -> Truth {
    Truth::rejected("plumb failed (please report it)", said, Limit::Program)
}

fn unsupported(source: &SourceMap, what: &str, span: Span) -> Truth {
    Truth::rejected(format!("unsupported: {what}"), at(source, span, what), Limit::Unsupported)
}

fn refused(refusal: Refusal) -> Truth {
    match refusal {
        Refusal::Internal(said) => failed(said),
        Refusal::NotC(refused) => Truth::rejected("not a C program", refused.first(), Limit::Program),
        Refusal::Unsupported { what, span, source } => unsupported(&source, &what, span),
    }
}

fn of_run(run: Run, source: &SourceMap) -> Truth {
    match run.verdict {
        Verdict::Defined(outcome) if outcome.address_dependent => {
            Truth::rejected("address-dependent", "its behaviour depends on where objects lie", Limit::Program)
        }
        Verdict::Defined(outcome) if outcome.order_dependent => Truth::rejected(
            "order-dependent",
            "its behaviour depends on an order of evaluation that C leaves open",
            Limit::Program,
        ),
        Verdict::Defined(outcome) => Truth::Known { outcome, steps: run.steps },
        Verdict::Undefined { ub, span, detail, .. } => {
            let reason = format!("undefined: {}", ub.name());
            Truth::rejected(reason, at(source, span, &detail), Limit::Program)
        }
        Verdict::Unsupported { what, span } => unsupported(source, &what, span),
        Verdict::Exhausted(budget) => {
            Truth::rejected(format!("exhausted: {}", budget.name()), "", Limit::Budget)
        }
    }
}

fn at(source: &SourceMap, span: Span, text: &str) -> String {
    format!("{}: {text}", source.place(span.lo))
}
