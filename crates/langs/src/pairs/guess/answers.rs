//! Answers that one side keeps from where it asked, where the other keeps the number and asks later: optimisers compare
//! ahead of where paths join, and what comes out of the join is the answer.

use super::comparisons::compared;
use crate::llvm_ir::ast::{LocalId, Op};
use crate::llvm_ir::program::Here;
use crate::llvm_ir::types::Types;
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};

/// Most answers of a point on a side that come out of joins.
const ANSWERS: usize = 4;

/// Most comparisons of the values of a point.
const QUESTIONS: usize = 8;

/// Those of the target, then those of the source.
pub(super) struct Answers;

impl Guess<Opt<'_, '_>> for Answers {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let left = Here { program: known.left, side: at.left.side, at: at.left.at };
        let right = Here { program: known.right, side: at.right.side, at: at.right.at };
        let mut out = Vec::new();
        for (keeps, asks) in [(&right, &left), (&left, &right)] {
            let answers = joined(keeps);
            if answers.is_empty() {
                continue;
            }
            let questions = questions(asks);
            let all = answers.iter().flat_map(|a| questions.iter().map(move |b| (a.clone(), b.clone())));
            out.extend(all.map(|(a, b)| Constraint { a, b }));
        }
        out
    }
}

/// The truth values of a point that come out of joins.
fn joined(here: &Here<'_, '_>) -> Vec<Expr> {
    let is_answer = |l: &LocalId| {
        let phi = here.program.definition(*l).map(|(_, inst)| &inst.op);
        matches!(phi, Some(Op::Phi { ty, .. }) if *ty == Types::I1)
    };
    let answers = here.program.values_at(here.at).filter(is_answer).map(|l| here.value(l));
    answers.take(ANSWERS).collect()
}

/// The comparisons, anywhere in the program, of the values of a point with each other and with numbers.
fn questions(here: &Here<'_, '_>) -> Vec<Expr> {
    let mut out: Vec<Expr> = Vec::new();
    for inst in &here.program.ir.f.insts {
        let Op::ICmp { pred, ty, lhs, rhs, .. } = &inst.op else { continue };
        let (Some(x), Some(y), Some(width)) =
            (here.expr(*lhs, *ty), here.expr(*rhs, *ty), here.program.bits_of(*ty))
        else {
            continue;
        };
        let question = compared(*pred, x, y, width).filter(|q| !out.contains(q));
        out.extend(question);
        if out.len() == QUESTIONS {
            break;
        }
    }
    out
}
