//! Pairs of symbolic states at a synchronisation point: variables as unknowns, constraints built in
//! where they define a variable and assumed where they don't.

use super::{Expr, Shape, Side, State, SyncPoint, Val, VarSort};
use rustc_hash::FxHashMap;
use smt::{Domain, Node, Sort, Symbolic, TermId};

/// The pair of states a synchronisation point stands for.
pub(crate) struct PairStates {
    pub left: State<Symbolic>,
    pub right: State<Symbolic>,
    /// What is known besides.
    pub assume: Vec<TermId>,
}

/// The value of an expression over two states; `None` when it names no variable there, or its
/// widths don't fit.
pub(crate) fn eval_expr<D: Domain>(
    d: &mut D,
    e: &Expr,
    shapes: (&Shape, &Shape),
    left: &State<D>,
    right: &State<D>,
) -> Option<Val<D>> {
    eval_with(d, e, &mut |side, name| {
        let (shape, s) = match side {
            Side::Left => (shapes.0, left),
            Side::Right => (shapes.1, right),
        };
        s.vals.get(shape.var(s.at, name)?).cloned()
    })
}

fn eval_with<D: Domain>(
    d: &mut D,
    e: &Expr,
    var: &mut dyn FnMut(Side, &str) -> Option<Val<D>>,
) -> Option<Val<D>> {
    let bv = |v: Val<D>| match v {
        Val::Bv(b) => Some(b),
        Val::Mem(_) => None,
    };
    Some(match e {
        Expr::Var(side, name) => var(*side, name)?,
        Expr::Const(v) => Val::Bv(d.constant(v.clone())),
        Expr::Symbol(n, w) => Val::Bv(d.symbol(n, *w)),
        Expr::Offset(x, k) => {
            let x = bv(eval_with(d, x, var)?)?;
            if d.width(&x) != k.width() {
                return None;
            }
            let k = d.constant(k.clone());
            Val::Bv(d.add(&x, &k))
        }
        Expr::Zext(x, w) | Expr::Sext(x, w) => {
            let x = bv(eval_with(d, x, var)?)?;
            if d.width(&x) > *w {
                return None;
            }
            Val::Bv(if matches!(e, Expr::Zext(..)) { d.zext(&x, *w) } else { d.sext(&x, *w) })
        }
        Expr::Trunc(x, w) => {
            let x = bv(eval_with(d, x, var)?)?;
            if d.width(&x) < *w || *w == 0 {
                return None;
            }
            Val::Bv(d.trunc(&x, *w))
        }
        Expr::Concat(parts) => {
            let mut acc: Option<D::Bv> = None;
            for p in parts {
                let x = bv(eval_with(d, p, var)?)?;
                acc = Some(match acc {
                    None => x,
                    Some(a) => d.concat(&a, &x),
                });
            }
            Val::Bv(acc?)
        }
        Expr::Below(x, k) => {
            let x = bv(eval_with(d, x, var)?)?;
            if d.width(&x) != k.width() {
                return None;
            }
            let k = d.constant(k.clone());
            let below = d.ult(&x, &k);
            Val::Bv(d.bool_to_bv(&below))
        }
        Expr::Choice(c, x, y) => {
            let c = bv(eval_with(d, c, var)?)?;
            let (x, y) = (bv(eval_with(d, x, var)?)?, bv(eval_with(d, y, var)?)?);
            if d.width(&c) != 1 || d.width(&x) != d.width(&y) {
                return None;
            }
            let c = d.bv_to_bool(&c);
            Val::Bv(d.ite(&c, &x, &y))
        }
        Expr::Either(x, y)
        | Expr::Sum(x, y)
        | Expr::Less(_, x, y)
        | Expr::Extreme(_, x, y)
        | Expr::Binary(_, x, y) => {
            let (x, y) = (bv(eval_with(d, x, var)?)?, bv(eval_with(d, y, var)?)?);
            if d.width(&x) != d.width(&y) {
                return None;
            }
            Val::Bv(match e {
                Expr::Less(signed, ..) => {
                    let less = if *signed { d.slt(&x, &y) } else { d.ult(&x, &y) };
                    d.bool_to_bv(&less)
                }
                Expr::Extreme(e, ..) => {
                    let less = if e.signed { d.slt(&x, &y) } else { d.ult(&x, &y) };
                    if e.max { d.ite(&less, &y, &x) } else { d.ite(&less, &x, &y) }
                }
                Expr::Sum(..) => d.add(&x, &y),
                Expr::Binary(o, ..) => d.bin(o.of_terms(), &x, &y),
                _ => d.bin(smt::BinOp::Or, &x, &y),
            })
        }
        Expr::Scaled(x, k) => {
            let x = bv(eval_with(d, x, var)?)?;
            if d.width(&x) != k.width() {
                return None;
            }
            let k = d.constant(k.clone());
            Val::Bv(d.mul(&x, &k))
        }
        Expr::Object(x) => {
            let x = bv(eval_with(d, x, var)?)?;
            let width = d.width(&x);
            Val::Bv(d.uninterpreted(&smt::Operation::object_of_an_address(), &[x], width))
        }
        Expr::Load(m, a, n) => {
            let Val::Mem(m) = eval_with(d, m, var)? else { return None };
            let a = bv(eval_with(d, a, var)?)?;
            if *n == 0 || *n > 64 || d.width(&a) != d.address_width(&m) {
                return None;
            }
            Val::Bv(d.load(&m, &a, *n))
        }
        Expr::Stored(m, a, x) => {
            let Val::Mem(m) = eval_with(d, m, var)? else { return None };
            let (a, x) = (bv(eval_with(d, a, var)?)?, bv(eval_with(d, x, var)?)?);
            if d.width(&a) != d.address_width(&m) || !d.width(&x).is_multiple_of(8) {
                return None;
            }
            Val::Mem(d.store(&m, &a, &x))
        }
    })
}

fn mentions(e: &Expr, side: Side, name: &str) -> bool {
    let mut found = false;
    e.each_variable(&mut |s, n| found |= s == side && n == name);
    found
}

/// The sort of a variable as terms have it.
pub(crate) fn term_sort(s: VarSort) -> Sort {
    match s {
        VarSort::Bv(w) => Sort::Bv(w),
        VarSort::Mem { address } => Sort::memory(address),
    }
}

pub(crate) fn val_of(s: VarSort, t: TermId) -> Val<Symbolic> {
    match s {
        VarSort::Bv(_) => Val::Bv(t),
        VarSort::Mem { .. } => Val::Mem(t),
    }
}

/// The term of a value.
pub(crate) fn term_of(v: &Val<Symbolic>) -> TermId {
    match v {
        Val::Bv(t) | Val::Mem(t) => *t,
    }
}

struct Builder<'a> {
    shapes: (&'a Shape, &'a Shape),
    point: &'a SyncPoint,
    settled: FxHashMap<(Side, usize), TermId>,
}

impl Builder<'_> {
    fn index(&self, side: Side, name: &str) -> Option<usize> {
        match side {
            Side::Left => self.shapes.0.var(self.point.left, name),
            Side::Right => self.shapes.1.var(self.point.right, name),
        }
    }

    fn sort(&self, side: Side, i: usize) -> VarSort {
        match side {
            Side::Left => self.shapes.0.point(self.point.left).vars[i].sort,
            Side::Right => self.shapes.1.point(self.point.right).vars[i].sort,
        }
    }

    fn get(&mut self, d: &mut Symbolic, side: Side, i: usize) -> TermId {
        if let Some(&t) = self.settled.get(&(side, i)) {
            return t;
        }
        let (l, r) = (self.point.left, self.point.right);
        let name = match side {
            Side::Left => &self.shapes.0.point(l).vars[i].name,
            Side::Right => &self.shapes.1.point(r).vars[i].name,
        };
        let tag = if side == Side::Left { "L" } else { "R" };
        let sort = term_sort(self.sort(side, i));
        let t = d.pool.var(&format!("{tag}@{}.{}@{name}", l.0, r.0), sort);
        self.settled.insert((side, i), t);
        t
    }

    /// A variable that equals an extension of its own low bits, made of those.
    fn extension(&self, d: &mut Symbolic, side: Side, i: usize, name: &str, e: &Expr) -> Option<TermId> {
        let VarSort::Bv(width) = self.sort(side, i) else { return None };
        let (inner, signed) = match e {
            Expr::Zext(x, w) if *w == width => (x, false),
            Expr::Sext(x, w) if *w == width => (x, true),
            _ => return None,
        };
        let Expr::Trunc(x, low) = &**inner else { return None };
        if **x != Expr::Var(side, name.to_owned()) || *low == 0 || *low >= width {
            return None;
        }
        let tag = if side == Side::Left { "L" } else { "R" };
        let (l, r) = (self.point.left, self.point.right);
        let t = d.pool.var(&format!("{tag}@{}.{}@{name}:low{low}", l.0, r.0), Sort::Bv(*low));
        Some(if signed { d.sext(&t, width) } else { d.zext(&t, width) })
    }

    fn eval(&mut self, d: &mut Symbolic, e: &Expr) -> Option<TermId> {
        // Settle the variables first: the evaluation below then only looks them up.
        let mut vars = Vec::new();
        e.each_variable(&mut |side, name| vars.push((side, name.to_owned())));
        let mut vals: FxHashMap<(Side, String), Val<Symbolic>> = FxHashMap::default();
        for (side, name) in vars {
            let i = self.index(side, &name)?;
            let t = self.get(d, side, i);
            vals.insert((side, name), val_of(self.sort(side, i), t));
        }
        let v = eval_with(d, e, &mut |side, name| vals.get(&(side, name.to_owned())).cloned())?;
        Some(term_of(&v))
    }
}

/// The states of a synchronisation point. Any pair of states that satisfies the constraints is an
/// instance of the result, and the other way round.
pub(crate) fn pair_states(
    d: &mut Symbolic,
    point: &SyncPoint,
    left: &Shape,
    right: &Shape,
) -> Result<PairStates, String> {
    let mut b = Builder { shapes: (left, right), point, settled: FxHashMap::default() };
    let mut assume = Vec::new();
    for c in &point.constraints {
        let bad = || format!("constraint `{c}` does not fit the points it is stated at");
        let mut defined = false;
        for (x, e) in [(&c.a, &c.b), (&c.b, &c.a)] {
            let Expr::Var(side, name) = x else { continue };
            let i = b.index(*side, name).ok_or_else(bad)?;
            if b.settled.contains_key(&(*side, i)) {
                continue;
            }
            if mentions(e, *side, name) {
                // The extension of its own low bits: only those are unknown.
                let Some(t) = b.extension(d, *side, i, name, e) else { continue };
                b.settled.insert((*side, i), t);
                defined = true;
                break;
            }
            let t = b.eval(d, e).ok_or_else(bad)?;
            if d.pool.sort(t) != term_sort(b.sort(*side, i)) {
                return Err(bad());
            }
            // Evaluation may itself have settled nothing of `x`: it is not mentioned.
            b.settled.insert((*side, i), t);
            defined = true;
            break;
        }
        if !defined {
            let (x, y) = (b.eval(d, &c.a).ok_or_else(bad)?, b.eval(d, &c.b).ok_or_else(bad)?);
            if d.pool.sort(x) != d.pool.sort(y) {
                return Err(bad());
            }
            assume.push(d.pool.eq(x, y));
        }
    }
    let mut state = |side: Side| {
        let (shape, at) = match side {
            Side::Left => (left, point.left),
            Side::Right => (right, point.right),
        };
        let n = shape.point(at).vars.len();
        let vals = (0..n)
            .map(|i| {
                let t = b.get(d, side, i);
                val_of(b.sort(side, i), t)
            })
            .collect();
        State { at, vals }
    };
    let (left, right) = (state(Side::Left), state(Side::Right));
    let mut states = PairStates { left, right, assume };
    build_in(d, point, &mut states);
    Ok(states)
}

/// Builds in what the assumptions say of single unknowns of the point: what two variables have in common is then one
/// term in both, and what follows from it is seen where relations are read off states.
fn build_in(d: &mut Symbolic, point: &SyncPoint, states: &mut PairStates) {
    let own = ["L", "R"].map(|tag| format!("{tag}@{}.{}@", point.left.0, point.right.0));
    for _ in 0..states.assume.len() {
        let unknown = |d: &Symbolic, t: TermId| match d.pool.node(t) {
            Node::Var(s) => own.iter().any(|o| d.pool.symbol(*s).name.starts_with(o)),
            _ => false,
        };
        let says = states.assume.iter().enumerate().find_map(|(n, f)| {
            let Node::Eq(a, b) = *d.pool.node(*f) else { return None };
            let way = |x: TermId, y: TermId| unknown(d, x) && !d.pool.postorder(&[y]).contains(&x);
            // The later unknown goes, so that the same is left whatever the order of the assumptions.
            let (early, late) = (a.min(b), a.max(b));
            if way(late, early) {
                Some((n, late, early))
            } else {
                way(early, late).then_some((n, early, late))
            }
        });
        let Some((n, x, y)) = says else { return };
        states.assume.remove(n);
        let map: FxHashMap<TermId, TermId> = [(x, y)].into_iter().collect();
        states.assume = d.pool.substitute_all(&states.assume, &map);
        for state in [&mut states.left, &mut states.right] {
            let terms: Vec<TermId> = state.vals.iter().map(term_of).collect();
            for (val, t) in state.vals.iter_mut().zip(d.pool.substitute_all(&terms, &map)) {
                *val = match val {
                    Val::Bv(_) => Val::Bv(t),
                    Val::Mem(_) => Val::Mem(t),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{ArrayVal, Bv, Concrete};

    /// A name may be a number of another width in the other program: that is no address there.
    #[test]
    fn loads_at_what_is_no_address_have_no_value() {
        let memory = Val::Mem(ArrayVal::new(64, Bv::zero(8)));
        let value_at = |width: u32| {
            let e = Expr::Load(
                Box::new(Expr::Var(Side::Left, "mem".into())),
                Box::new(Expr::Var(Side::Right, "%5".into())),
                4,
            );
            let state = |side: Side, _: &str| match side {
                Side::Left => Some(memory.clone()),
                Side::Right => Some(Val::Bv(Bv::zero(width))),
            };
            eval_with(&mut Concrete::default(), &e, &mut { state })
        };
        assert!(value_at(32).is_none());
        assert!(value_at(64).is_some());
    }
}
