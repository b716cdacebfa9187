//! The true meaning of a program, or the reason why it is not used.

use crate::verdict::Rejection;
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
    /// What it means the machine cannot tell, but unoptimised programs that compilers made of it agree on what they
    /// do, every time, and sanitizers object to nothing: the compilers' answer, not C's.
    Opaque {
        /// What it does.
        outcome: Outcome,
        /// Why the machine cannot tell.
        why: Rejection,
    },
    /// No single meaning is known.
    Rejected(Rejection),
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
    Truth::Rejected(Rejection::Internal(said))
}

fn unsupported(source: &SourceMap, what: String, span: Span) -> Truth {
    let at = at(source, span, &what);
    Truth::Rejected(Rejection::Unsupported { what, at })
}

fn refused(refusal: Refusal) -> Truth {
    match refusal {
        Refusal::Internal(said) => failed(said),
        Refusal::NotC(refused) => Truth::Rejected(Rejection::NotC(refused.first())),
        Refusal::Unsupported { what, span, source } => unsupported(&source, what, span),
    }
}

fn of_run(run: Run, source: &SourceMap) -> Truth {
    match run.verdict {
        Verdict::Defined(outcome) if outcome.address_dependent => {
            Truth::Rejected(Rejection::AddressDependent)
        }
        Verdict::Defined(outcome) if outcome.order_dependent => Truth::Rejected(Rejection::OrderDependent),
        Verdict::Defined(outcome) => Truth::Known { outcome, steps: run.steps },
        Verdict::Undefined { ub, span, detail, .. } => {
            Truth::Rejected(Rejection::Undefined { ub, at: at(source, span, &detail) })
        }
        Verdict::Unsupported { what, span } => unsupported(source, what, span),
        Verdict::Exhausted(budget) => Truth::Rejected(Rejection::Exhausted(budget)),
    }
}

fn at(source: &SourceMap, span: Span, text: &str) -> String {
    format!("{}: {text}", source.place(span.lo))
}
