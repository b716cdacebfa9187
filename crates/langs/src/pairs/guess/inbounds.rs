//! When an address is poison because it leaves the object that it is made from (`inbounds`): said over the addresses that it
//! is made of. Optimisers take such arithmetic out of a loop, and take it apart in another way; inside the loop nothing else
//! says what a flag that was computed in front of it depends on.

use crate::llvm_ir::ast::{Flags, LocalId, Op, Operand};
use crate::llvm_ir::program::{Here, poison_flag};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide, Operation};
use smt::Bv;

/// Most addresses of a point on a side.
const ADDRESSES: usize = 24;

/// Of both sides.
pub(super) struct Inbounds;

impl Guess<Opt<'_, '_>> for Inbounds {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for (program, seen) in [(known.left, &at.left), (known.right, &at.right)] {
            let here = Here { program, side: seen.side, at: seen.at };
            out.extend(program.values_at(seen.at).filter_map(|l| outside(&here, seen, l)).take(ADDRESSES));
        }
        out
    }
}

/// When an address that is live at a point is poison, if all it is made of is live, too.
fn outside(here: &Here<'_, '_>, seen: &ObservedSide<'_>, local: LocalId) -> Option<Constraint> {
    let op = &here.program.definition(local)?.1.op;
    let Op::Gep { source, base_ty, base, indices, .. } = op else { return advanced(here, seen, local) };
    if !stays_inside(op) {
        return None;
    }
    let flag = |l: LocalId| {
        let name = poison_flag(&here.program.local_name(l, 0));
        seen.has(&name, 1).then_some(Expr::Var(here.side, name))
    };
    let own = flag(local)?;
    let steps = here.steps(here.expr(*base, *base_ty)?, *source, indices)?;
    let (from, steps) = steps.split_first()?;
    let operands = std::iter::once(base).chain(indices.iter().map(|(_, index)| index));
    let of_operands = operands.filter_map(|o| match o {
        Operand::Local(l) => flag(*l),
        Operand::Const(_) => None,
    });
    let apart = steps.iter().filter(|step| *step != from).map(|step| apart(from, step));
    let b = of_operands.chain(apart).reduce(|x, y| Expr::Either(Box::new(x), Box::new(y)))?;
    Some(Constraint { a: own, b })
}

/// When an address is poison that came, whichever way, to where it is by the same step inside an object.
fn advanced(here: &Here<'_, '_>, seen: &ObservedSide<'_>, local: LocalId) -> Option<Constraint> {
    let Op::Phi { incoming, .. } = &here.program.definition(local)?.1.op else { return None };
    let name = here.program.local_name(local, 0);
    let own = poison_flag(&name);
    if !seen.has(&name, ADDRESS) || !seen.has(&own, 1) {
        return None;
    }
    let to = Expr::Var(here.side, name);
    let step = |from: &Operand| {
        let Operand::Local(from) = from else { return None };
        let op = &here.program.definition(*from)?.1.op;
        let Op::Gep { source, indices, .. } = op else { return None };
        // Where it begins does not matter to how far it leads.
        let steps = here.steps(to.clone(), *source, indices).filter(|_| stays_inside(op))?;
        let mut far = steps.iter().filter(|step| **step != to);
        match (far.next(), far.next()) {
            (Some(Expr::Offset(from, by)), None) if **from == to => Some(by.clone()),
            _ => None,
        }
    };
    let mut steps = incoming.iter().map(|(from, _)| step(from));
    let by = steps.next()??;
    if !steps.all(|other| other.as_ref() == Some(&by)) {
        return None;
    }
    let from = Expr::Offset(Box::new(to.clone()), by.neg());
    Some(Constraint { a: Expr::Var(here.side, own), b: apart(&from, &to) })
}

/// Whether an operation's result is poison where it leaves the object, and nowhere else.
fn stays_inside(op: &Op) -> bool {
    matches!(op, Op::Gep { flags, .. }
        if flags.has(Flags::INBOUNDS) && flags.0 & (Flags::NUSW.0 | Flags::NUW.0) == 0)
}

/// One where two addresses lie in different objects, or one of them is null.
fn apart(x: &Expr, y: &Expr) -> Expr {
    let differing = |x: Expr, y: Expr| Expr::Binary(Operation::Differing, Box::new(x), Box::new(y));
    let zero = || Box::new(Expr::Const(Bv::zero(ADDRESS)));
    let some = |e: &Expr| Expr::Less(false, zero(), Box::new(e.clone()));
    let object = |e: &Expr| Expr::Object(Box::new(e.clone()));
    let other = Expr::Less(false, zero(), Box::new(differing(object(x), object(y))));
    Expr::Either(Box::new(other), Box::new(differing(some(x), some(y))))
}

/// Bits of an address.
const ADDRESS: u32 = 64;
