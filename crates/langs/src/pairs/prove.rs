//! Proofs with the relations of this module: which forms of the semantics to try, and what a verdict rests on.

use super::isel::{Isel, isel_pair};
use crate::domain::Unsupported;
use crate::llvm_ir::semantics::AccessCheck;
use crate::x86_mir::ast::MirModule;
use equiv::{Options, Programs, Report, Verdict, prove};
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

/// Proves or refutes the instruction selection of one function of a `.mir` file with embedded LLVM IR.
pub fn prove_isel(m: &MirModule, name: &str, opts: &Options) -> Report {
    let start = Instant::now();
    let pair = match isel_pair(m, name, AccessCheck::Mapped) {
        Ok(pair) => pair,
        Err(e) => return unsupported(e, start),
    };
    let programs = Programs { left: &pair.left, right: &pair.right, accept: &Isel, hints: Vec::new() };
    let mut report = prove(&programs, opts);
    report.time = start.elapsed();
    let (left, right) = (pair.left.ir.assumptions.borrow(), pair.right.x86.assumptions.borrow());
    with_assumptions(report, left.iter().chain(right.iter()).cloned().collect())
}
