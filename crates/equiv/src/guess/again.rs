//! Relations read off the states in which a point is reached from itself: what a loop's branches say of the next round, and
//! variables that go in step. Where a loop is first reached neither shows: a counter is a number there, and an address the
//! first one.
//!
//! A guess like all others: what does not hold where the point is first reached is dropped.

use super::made::Makers;
use super::states::{Var, compared, comparison, var, vars};
use crate::model::{Constraint, Expr, Shape, Side, State};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Bv, Domain, Symbolic, TermId};

/// Most comparisons of a way round.
const COMPARED: usize = 6;

/// Most comparisons that both sides make.
const SHARED: usize = 4;

/// Most variables of the right that are put in step with one of the left.
const STEPS: usize = 12;

/// Most variables of the left that one is put in step with.
const PARTNERS: usize = 2;

/// The states of both sides at a point.
pub(crate) type Both<'a> = (&'a State<Symbolic>, &'a State<Symbolic>);

/// What conditions on the way round that one side alone has say of the variables there.
pub(crate) fn comparisons(
    d: &mut Symbolic,
    shapes: (&Shape, &Shape),
    (from, to): (Both<'_>, Both<'_>),
    (left, right): (&[TermId], &[TermId]),
) -> Vec<Constraint> {
    let mut named: FxHashMap<TermId, Expr> = FxHashMap::default();
    // Numbers that are other ones in each round: they are one as long as nothing but the first round is known.
    let mut counts: FxHashMap<TermId, Expr> = FxHashMap::default();
    // Of equals those of the left, and the first of them.
    for (side, shape, from, to) in
        [(Side::Right, shapes.1, from.1, to.1), (Side::Left, shapes.0, from.0, to.0)]
    {
        for (v, before) in vars(shape, to).iter().zip(vars(shape, from)).rev() {
            let known = match d.pool.as_const(v.term) {
                Some(_) if v.term == before.term => continue,
                Some(_) => &mut counts,
                None => &mut named,
            };
            known.insert(v.term, var(side, v.decl));
            if v.width > 32 {
                let low = d.trunc(&v.term, 32);
                known.insert(low, Expr::Trunc(Box::new(var(side, v.decl)), 32));
            }
        }
    }
    let own = |here: &[TermId], there: &[TermId]| -> Vec<TermId> {
        here.iter().copied().filter(|c| !there.contains(c)).collect()
    };
    let shared: Vec<TermId> = left.iter().copied().filter(|c| right.contains(c)).collect();
    let (left, right) = (own(left, right), own(right, left));
    let bounds = bounds(d, (shapes.0, to.0), &shared);
    let pool = &d.pool;
    let number = |t: TermId| pool.as_const(t).map(|k| Expr::Const(k.clone()));
    let plain = |t: TermId| number(t).or_else(|| named.get(&t).cloned());
    let counted = |t: TermId| counts.get(&t).cloned().or_else(|| plain(t));
    let mut out = compared(pool, &counted, right.iter().chain(&left));
    for c in compared(pool, &plain, right.iter().chain(&left)) {
        if !out.contains(&c) {
            out.push(c);
        }
    }
    out.retain(|c| !c.variables().is_empty());
    out.truncate(COMPARED);
    let orders: Vec<Constraint> = out.iter().flat_map(orders).filter(|c| !out.contains(c)).collect();
    out.extend(orders);
    // What both sides asked on the way is still to be said of the next round, where what it was asked of lies in memory.
    let known = |t: TermId| plain(t).or_else(|| bounds.get(&t).cloned());
    let asked = compared(pool, &known, shared.iter());
    out.extend(asked.into_iter().filter(|c| !c.variables().is_empty()).take(SHARED));
    out
}

/// What the left has in memory, of what conditions compare.
fn bounds(
    d: &mut Symbolic,
    (shape, state): (&Shape, &State<Symbolic>),
    conditions: &[TermId],
) -> FxHashMap<TermId, Expr> {
    let makers = Makers::of((Side::Left, shape, state)).with_stored(d);
    let mut out = FxHashMap::default();
    let both: Vec<_> = conditions.iter().filter_map(|c| comparison(&d.pool, *c)).collect();
    for t in both.into_iter().flat_map(|(a, b, ..)| [a, b]) {
        if d.pool.as_const(t).is_none()
            && let Some(e) = makers.express_whole(d, t)
        {
            out.insert(t, e);
        }
    }
    out
}

/// Where two values of which neither is a number differ, the one may be below the other as long as the loop goes on: a side
/// that counts up to a bound may ask for either.
fn orders(c: &Constraint) -> Vec<Constraint> {
    let Expr::Less(false, zero, apart) = &c.a else { return Vec::new() };
    let (Expr::Const(zero), Expr::Sum(x, minus)) = (&**zero, &**apart) else { return Vec::new() };
    let Expr::Scaled(y, factor) = &**minus else { return Vec::new() };
    let plain = |e: &Expr| !matches!(e, Expr::Const(_));
    if !zero.is_zero() || *factor != Bv::ones(factor.width()) || !plain(x) || !plain(y) {
        return Vec::new();
    }
    let less = |signed: bool, a: &Expr, b: &Expr| Constraint {
        a: Expr::Less(signed, Box::new(a.clone()), Box::new(b.clone())),
        b: Expr::Const(Bv::one(1)),
    };
    [false, true].iter().flat_map(|signed| [less(*signed, x, y), less(*signed, y, x)]).collect()
}

/// A variable over one round: what it was where the point was first reached, and how much more it is each time.
struct Stepped<'a> {
    var: Var<'a>,
    first: TermId,
    step: Bv,
    /// Whether the round began at a number: then it does not show in which width the step is made.
    at_number: bool,
}

/// The variables of a side, at a width of 64 bits or of 32, that are more by the same number after each round.
fn stepped<'a>(
    d: &mut Symbolic,
    shape: &'a Shape,
    (first, from, to): (&State<Symbolic>, &State<Symbolic>, &State<Symbolic>),
    width: u32,
) -> Vec<Stepped<'a>> {
    let (begun, before) = (vars(shape, first), vars(shape, from));
    let mut out = Vec::new();
    for ((var, begun), before) in vars(shape, to).into_iter().zip(begun).zip(before) {
        if var.width < width {
            continue;
        }
        let [x, y, z] = [var.term, before.term, begun.term].map(|t| d.trunc(&t, width));
        let step = d.pool.sub(x, y);
        if let Some(step) = d.pool.as_const(step).cloned() {
            let at_number = d.pool.as_const(before.term).is_some();
            out.push(Stepped { var, first: z, step, at_number });
        }
    }
    out
}

/// Variables of the right, of those that nothing relates to the left, that go in step with one of the left: their distance,
/// or that to a multiple, is what it was where the point was first reached.
pub(crate) fn inductions(
    d: &mut Symbolic,
    shapes: (&Shape, &Shape),
    (first, from, to): (Both<'_>, Both<'_>, Both<'_>),
    related: &FxHashSet<&str>,
) -> Vec<Constraint> {
    let mut out = Vec::new();
    let mut done: FxHashSet<String> = FxHashSet::default();
    for width in [64, 32] {
        let left = stepped(d, shapes.0, (first.0, from.0, to.0), width);
        let right = stepped(d, shapes.1, (first.1, from.1, to.1), width);
        // What stays as it is may stand in the distance.
        let stays: FxHashSet<&str> =
            left.iter().filter(|v| v.step.is_zero()).map(|v| v.var.decl.name.as_str()).collect();
        let makers = Makers::of((Side::Left, shapes.0, first.0)).only(&stays);
        let open = |v: &&Stepped<'_>| {
            let name = v.var.decl.name.as_str();
            !v.step.is_zero() && !related.contains(name) && !done.contains(name)
        };
        let mut found: Vec<String> = Vec::new();
        for r in right.iter().filter(open).take(STEPS) {
            let mut partners = 0;
            for l in left.iter().filter(|l| !l.step.is_zero()) {
                let Some(c) = in_step(d, &makers, (l, r), width) else { continue };
                out.push(c);
                if !(l.at_number || r.at_number) {
                    found.push(r.var.decl.name.clone());
                }
                partners += 1;
                if partners == PARTNERS {
                    break;
                }
            }
        }
        done.extend(found);
    }
    out
}

/// A variable of the right as a multiple of one of the left and what was between them at first.
fn in_step(
    d: &mut Symbolic,
    makers: &Makers,
    (l, r): (&Stepped<'_>, &Stepped<'_>),
    width: u32,
) -> Option<Constraint> {
    let times = ratio(&r.step, &l.step)?;
    let factor = d.constant(times.clone());
    let multiple = d.mul(&l.first, &factor);
    let rest = d.pool.sub(r.first, multiple);
    let own = |side: Side, v: &Var<'_>| match v.width == width {
        true => var(side, v.decl),
        false => Expr::Trunc(Box::new(var(side, v.decl)), width),
    };
    let mut b = own(Side::Left, &l.var);
    if !times.is_one() {
        b = Expr::Scaled(Box::new(b), times);
    }
    b = match d.pool.as_const(rest).cloned() {
        Some(k) if k.is_zero() => b,
        Some(k) => Expr::Offset(Box::new(b), k),
        None => Expr::Sum(Box::new(b), Box::new(makers.express_whole(d, rest)?)),
    };
    Some(Constraint { a: own(Side::Right, &r.var), b })
}

/// How often one step goes into another, if it does.
fn ratio(step: &Bv, of: &Bv) -> Option<Bv> {
    let (a, b) = (step.to_i128()?, of.to_i128()?);
    (b != 0 && a % b == 0).then(|| Bv::from_i128(step.width(), a / b))
}
