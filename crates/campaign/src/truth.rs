//! The true meaning of a program, or the reason why it is not used.

use crate::front::{Refusal, meaning};
use crate::verdict::{Limit, Rejection};
use csyntax::source::{SourceMap, Span};
use machine::{Budget, Options, Outcome, Verdict};

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
    let answer = match meaning(text, name, options) {
        Ok(answer) => answer,
        Err(Refusal::Internal(said)) => {
            return Truth::rejected("plumb failed (please report it)", said, Limit::Program);
        }
        Err(Refusal::NotC { diagnostics, source }) => {
            let error = diagnostics.iter().find(|d| d.severity.refuses());
            let detail = error.map(|d| at(&source, d.span, &d.message)).unwrap_or_default();
            return Truth::rejected("not a C program", detail, Limit::Program);
        }
    };
    match answer.run.verdict {
        Verdict::Defined(outcome) if outcome.address_dependent => {
            Truth::rejected("address-dependent", "its behaviour depends on where objects lie", Limit::Program)
        }
        Verdict::Defined(outcome) if outcome.order_dependent => Truth::rejected(
            "order-dependent",
            "its behaviour depends on an order of evaluation that C leaves open",
            Limit::Program,
        ),
        Verdict::Defined(outcome) => Truth::Known { outcome, steps: answer.run.steps },
        Verdict::Undefined { ub, span, detail, .. } => {
            let reason = format!("undefined: {}", ub.name());
            Truth::rejected(reason, at(&answer.source, span, &detail), Limit::Program)
        }
        Verdict::Unsupported { what, span } => Truth::rejected(
            format!("unsupported: {what}"),
            at(&answer.source, span, &what),
            Limit::Unsupported,
        ),
        Verdict::Exhausted(budget) => {
            Truth::rejected(format!("exhausted: {}", budget_name(budget)), "", Limit::Budget)
        }
    }
}

/// The stable name of a budget.
pub fn budget_name(budget: Budget) -> &'static str {
    match budget {
        Budget::Steps => "steps",
        Budget::Memory => "memory",
        Budget::Output => "output",
        Budget::Depth => "depth",
    }
}

fn at(source: &SourceMap, span: Span, text: &str) -> String {
    format!("{}: {text}", source.place(span.lo))
}
