//! Pairs of IR functions with what allocation functions of the library do settled: proved where, however the target's
//! allocations come out, the source's may come out so; refuted where for one way of the target's no way of the source's will do.
//!
//! An allocation whose memory a function keeps to itself comes to an object of its own or to null, which is decided where
//! the program runs. A target that calls no allocation function any more has taken all of the source's for given; one that
//! calls as many has those given that the source has. No source is taken to fail where the target does not: what it does
//! then may be undefined by that alone.

use super::allocation::{Allocations, Outcome};
use super::lanes::with_lanes_alike;
use super::opt::{find, target_errs};
use super::prove::{Report, plainly};
use super::repeated::without_repeated;
use super::returned::{loses_promises, promises_more, with_arguments};
use super::unguessed::without_guesses;
use crate::assumption::Assumption;
use crate::llvm_ir::ast::{CastOp, Function, Module, Op};
use equiv::{Certificate, Stated, Verdict, state};
use std::collections::BTreeSet;

/// A side with its allocations.
struct Half<'m> {
    module: &'m Module,
    f: &'m Function,
    allocations: Allocations,
}

impl<'m> Half<'m> {
    fn of(module: &'m Module, name: &str) -> Option<(Half<'m>, bool)> {
        let f = find(module, name).ok()?;
        let found = Allocations::of(module, f);
        let any = found.is_some();
        Some((Half { module, f, allocations: found.unwrap_or_else(Allocations::nothing) }, any))
    }

    fn so(&self, outcomes: &[Outcome], aligned: bool) -> Option<Module> {
        self.allocations.come_out(self.module, self.f, outcomes, aligned)
    }
}

/// What is known of a pair once allocations are settled; none where that settles nothing.
pub(super) fn settled(
    left: &Module,
    right: &Module,
    name: &str,
    judge: impl Fn(&Module, &Module) -> Report,
) -> Option<Verdict<Assumption>> {
    if let Some(verdict) = find(left, name)
        .ok()
        .zip(find(right, name).ok())
        .and_then(|(f, g)| without_repeated(left, f, right, g))
        .and_then(|shorter| accepted(judge(&shorter, right).verdict))
    {
        return Some(verdict.resting_on(|a| a, plainly(&BTreeSet::from([Assumption::PureCallsByName]))));
    }
    if let Some((f, g)) = find(left, name).ok().zip(find(right, name).ok())
        && let Some([l, r]) = with_arguments(left, f, right, g)
    {
        return match judge(&l, &r).verdict {
            Verdict::Unknown(_) | Verdict::Unsupported { .. } | Verdict::Bounded { .. } => None,
            Verdict::Refuted(_) if loses_promises(left, f) => None,
            Verdict::Proved(_) | Verdict::Conditional { .. } if promises_more(left, f, right, g) => None,
            verdict @ (Verdict::Proved(_) | Verdict::Conditional { .. } | Verdict::Refuted(_)) => {
                Some(verdict)
            }
        };
    }
    if let Some(verdict) = find(left, name)
        .ok()
        .and_then(|f| without_guesses(left, f))
        .and_then(|told| accepted(judge(&told, right).verdict))
    {
        return Some(verdict);
    }
    if let Some(verdict) = with_lanes_alike(left).and_then(|told| accepted(judge(&told, right).verdict)) {
        return Some(verdict);
    }
    let ((l, some), (r, more)) = (Half::of(left, name)?, Half::of(right, name)?);
    if !some && !more {
        return None;
    }
    proved(&l, &r, &judge).or_else(|| refuted(&l, &r, name, &judge))
}

/// A verdict that is a proof.
fn accepted(verdict: Verdict<Assumption>) -> Option<Verdict<Assumption>> {
    match verdict {
        Verdict::Proved(_) | Verdict::Conditional { .. } => Some(verdict),
        Verdict::Bounded { .. } | Verdict::Refuted(_) | Verdict::Unknown(_) | Verdict::Unsupported { .. } => {
            None
        }
    }
}

fn proved(
    l: &Half<'_>,
    r: &Half<'_>,
    judge: &impl Fn(&Module, &Module) -> Report,
) -> Option<Verdict<Assumption>> {
    // Every way of the target has to be there.
    if !r.allocations.exact {
        return None;
    }
    let ways = l.allocations.outcomes()?;
    let mut all: Stated<Assumption> = Stated::new();
    let mut kept: Option<Certificate> = None;
    for way in r.allocations.outcomes()? {
        let same = if r.allocations.sizes().is_empty() {
            // Given wherever they can be.
            ways.first()?
        } else if r.allocations.sizes() == l.allocations.sizes() {
            ways.iter().find(|w| **w == way)?
        } else {
            return None;
        };
        if l.allocations.returns_object(same) || r.allocations.returns_object(&way) {
            return None;
        }
        let (a, b) = (l.so(same, true)?, r.so(&way, false)?);
        match judge(&a, &b).verdict {
            Verdict::Proved(certificate) => {
                kept.get_or_insert(certificate);
            }
            Verdict::Conditional { assumptions, certificate } => {
                state(&mut all, assumptions);
                kept.get_or_insert(certificate);
            }
            Verdict::Bounded { .. }
            | Verdict::Refuted(_)
            | Verdict::Unknown(_)
            | Verdict::Unsupported { .. } => return None,
        }
    }
    state(&mut all, plainly(&BTreeSet::from([Assumption::FunctionsOfTheLibrary])));
    Some(Verdict::Conditional { assumptions: all, certificate: kept? })
}

fn refuted(
    l: &Half<'_>,
    r: &Half<'_>,
    name: &str,
    judge: &impl Fn(&Module, &Module) -> Report,
) -> Option<Verdict<Assumption>> {
    // The source may do any of its outcomes: only an input on which the target differs from each of them refutes, so that
    // none of them may be missing.
    if !l.allocations.exact {
        return None;
    }
    let ways = l.allocations.outcomes()?;
    'next: for way in r.allocations.outcomes()? {
        // The target's objects may be as aligned as it takes them to be.
        let b = r.so(&way, true)?;
        let mut found = None;
        for same in &ways {
            let a = l.so(same, false)?;
            if ways.len() > 1 && !(has_no_input(&a, name) && has_no_input(&b, name)) {
                return None;
            }
            let objects = l.allocations.returns_object(same) || r.allocations.returns_object(&way);
            match judge(&a, &b).verdict {
                // Which object is returned does not show.
                Verdict::Refuted(c) if objects && !target_errs(&c) => continue 'next,
                Verdict::Refuted(c) => found = Some(Verdict::Refuted(c)),
                Verdict::Proved(_)
                | Verdict::Conditional { .. }
                | Verdict::Bounded { .. }
                | Verdict::Unknown(_)
                | Verdict::Unsupported { .. } => continue 'next,
            }
        }
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a function is the same however it is called: without parameters, variables, calls and addresses made of numbers.
fn has_no_input(m: &Module, name: &str) -> bool {
    let Ok(f) = find(m, name) else { return false };
    f.params.is_empty()
        && m.globals.is_empty()
        && f.insts.iter().all(|i| match &i.op {
            Op::Call(call) => call.intrinsic.is_some(),
            Op::Load { access, .. } | Op::Store { access, .. } => !access.volatile,
            Op::Cast { op: CastOp::IntToPtr, .. } | Op::CallBranch { .. } | Op::VaArg { .. } => false,
            _ => true,
        })
}
