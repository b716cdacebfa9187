//! Proofs with the relations of this module: which forms of the semantics to try, and what a verdict rests on.

use super::isel::{Isel, isel_pair};
use crate::domain::Unsupported;
use crate::llvm_ir::semantics::AccessCheck;
use crate::x86_mir::ast::MirModule;
use equiv::{
    Acceptability, Certificate, Options, Programs, Report, Semantics, Verdict, compare, prove, recheck,
};
use std::collections::BTreeSet;
use std::time::Instant;

/// A report that the semantics, rather than the engine, gave.
pub(super) fn unsupported(e: Unsupported, start: Instant) -> Report {
    Report {
        verdict: Verdict::Unsupported { what: e.what, place: String::new() },
        stats: equiv::Stats::default(),
        time: start.elapsed(),
    }
}

/// A proof that rests on assumptions is a conditional one.
pub(super) fn with_assumptions(mut report: Report, more: BTreeSet<String>) -> Report {
    if more.is_empty() {
        return report;
    }
    report.verdict = match report.verdict {
        Verdict::Proved(certificate) => {
            Verdict::Conditional { assumptions: more.into_iter().collect(), certificate }
        }
        Verdict::Conditional { assumptions, certificate } => {
            let all: BTreeSet<String> = assumptions.into_iter().chain(more).collect();
            Verdict::Conditional { assumptions: all.into_iter().collect(), certificate }
        }
        other => other,
    };
    report
}

/// What to ask about a pair.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'c> {
    /// Prove or refute it, starting from the points of a certificate if there is one.
    Prove(Option<&'c Certificate>),
    /// Check a certificate again, without search.
    Check(&'c Certificate),
    /// Only run both sides on so many random inputs.
    Run(u32),
}

/// Asks the engine about two programs.
pub(super) fn ask<L: Semantics, R: Semantics, A: Acceptability>(
    left: &L,
    right: &R,
    accept: &A,
    opts: &Options,
    what: &Ask<'_>,
) -> Report {
    let hints = match what {
        Ask::Prove(Some(c)) => c.hints(left.shape(), right.shape()),
        Ask::Prove(None) | Ask::Check(_) | Ask::Run(_) => Vec::new(),
    };
    let programs = Programs { left, right, accept, hints };
    match what {
        Ask::Prove(_) => prove(&programs, opts),
        Ask::Check(c) => recheck(&programs, c, opts),
        Ask::Run(n) => compare(&programs, *n, opts),
    }
}

/// Proves or refutes the instruction selection of one function of a `.mir` file with embedded LLVM IR.
pub fn prove_isel(m: &MirModule, name: &str, opts: &Options) -> Report {
    answer_isel(m, name, opts, &Ask::Prove(None))
}

/// As [`prove_isel`], with hints, or only checking a certificate again.
pub fn answer_isel(m: &MirModule, name: &str, opts: &Options, what: &Ask<'_>) -> Report {
    let start = Instant::now();
    let pair = match isel_pair(m, name, AccessCheck::Mapped) {
        Ok(pair) => pair,
        Err(e) => return unsupported(e, start),
    };
    let mut report = ask(&pair.left, &pair.right, &Isel, opts, what);
    report.time = start.elapsed();
    let (left, right) = (pair.left.ir.assumptions.borrow(), pair.right.x86.assumptions.borrow());
    with_assumptions(report, left.iter().chain(right.iter()).cloned().collect())
}
