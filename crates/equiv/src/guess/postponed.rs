//! Stores that one side makes in every round of a loop and the other once, behind it: until then its memory is as the other's
//! but for the values that it carries in variables. Seen where the loop's head is reached from itself.

use super::again::Both;
use super::made::Makers;
use super::states::vars;
use crate::model::{Constraint, Expr, Shape, Side, State, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Domain, Symbolic, TermId};

/// Most values that are carried so.
const STORES: usize = 4;

/// The left's memories as those that the right names alike and what variables of the right are still to be stored there.
pub(crate) fn stores(
    d: &mut Symbolic,
    (left, right): (&Shape, &Shape),
    (from, to): (Both<'_>, Both<'_>),
) -> Vec<Constraint> {
    let mut out = Vec::new();
    for (j, decl) in right.point(to.1.at).vars.iter().enumerate() {
        let (Val::Mem(own), Val::Mem(mine)) = (&from.1.vals[j], &to.1.vals[j]) else { continue };
        let Some(i) = left.var(to.0.at, &decl.name) else { continue };
        let (Val::Mem(before), Val::Mem(other)) = (&from.0.vals[i], &to.0.vals[i]) else { continue };
        let memory = Expr::Var(Side::Right, decl.name.clone());
        if mine != other
            && let Some(b) = with_stores(d, right, (from.1, to.1), memory, ((*own, *mine), (*before, *other)))
        {
            out.push(Constraint { a: Expr::Var(Side::Left, decl.name.clone()), b });
        }
    }
    out
}

/// A memory with what another holds besides, where variables hold just that.
fn with_stores(
    d: &mut Symbolic,
    shape: &Shape,
    (from, to): (&State<Symbolic>, &State<Symbolic>),
    memory: Expr,
    ((own, mine), (before, other)): ((TermId, TermId), (TermId, TermId)),
) -> Option<Expr> {
    let (old, new) = (vars(shape, from), vars(shape, to));
    let round = || old.iter().zip(&new);
    let stays: FxHashSet<&str> =
        round().filter(|(x, y)| x.term == y.term).map(|(_, y)| y.decl.name.as_str()).collect();
    let places = Makers::of((Side::Right, shape, to)).without_memory().only(&stays);
    // As if both had begun the round with one memory.
    let as_one: FxHashMap<TermId, TermId> = [(own, before)].into_iter().collect();
    let mut have = *d.pool.substitute_all(&[mine], &as_one).first()?;
    let (mut out, mut count) = (memory, 0);
    for (at, value) in d.pool.writes(other) {
        let n = d.width(&value) / 8;
        if d.load(&have, &at, n) == value {
            continue;
        }
        count += 1;
        let place = places.express_whole(d, at).filter(|_| count <= STORES)?;
        // What is in memory already is in the variable before it becomes more.
        let held = d.load(&before, &at, n);
        let (_, carried) = round().find(|(x, y)| {
            let mut known = as_one.clone();
            if d.pool.as_const(x.term).is_none() {
                known.insert(x.term, held);
            }
            y.width == 8 * n && d.pool.substitute_all(&[y.term], &known).first() == Some(&value)
        })?;
        have = d.store(&have, &at, &value);
        let carried = Expr::Var(Side::Right, carried.decl.name.clone());
        out = Expr::Stored(Box::new(out), Box::new(place), Box::new(carried));
    }
    // Nothing else may differ.
    let alike = d.eq_mem(&have, &other);
    (count > 0 && d.as_bool(&alike) == Some(true)).then_some(out)
}
