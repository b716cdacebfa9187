//! Relations read off the symbolic states in which a synchronisation point is first reached: values that are the
//! same term, up to width, a constant, or how lanes are put together. Runs need not have come there, and nothing
//! has to be asked of a solver. Guesses like all others: what is not preserved is dropped.

use super::halves::{HALF, fits_half};
use super::made::Makers;
use crate::model::{Constraint, Expr, Operation, Shape, Side, State, Val, VarDecl, VarSort};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Bv, Domain, Node, Pool, Sort, Symbolic, TermId};

/// Most partners of one variable.
const PARTNERS: usize = 6;
/// Most variables on a side whose sums are compared.
const MANY: usize = 120;
/// How far two counters are apart where they begin as numbers.
const STEPS: u64 = 2;
/// Widest register that lanes are put together in.
const WIDEST: u32 = 512;

/// What variables may be made of, of which no other is a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// That is not asked.
    Unasked,
    /// Of other variables.
    Values,
    /// Of what memory holds as well.
    Loads,
}

/// A bit-vector variable in a state.
pub(super) struct Var<'a> {
    pub decl: &'a VarDecl,
    pub term: TermId,
    pub width: u32,
}

/// The bit-vector variables of a state.
pub(super) fn vars<'a>(shape: &'a Shape, s: &State<Symbolic>) -> Vec<Var<'a>> {
    let decls = &shape.point(s.at).vars;
    let pick = |(decl, val): (&'a VarDecl, &Val<Symbolic>)| match (decl.sort, val) {
        (VarSort::Bv(width), Val::Bv(t)) => Some(Var { decl, term: *t, width }),
        (VarSort::Bv(_) | VarSort::Mem { .. }, _) => None,
    };
    decls.iter().zip(&s.vals).filter_map(pick).collect()
}

/// A variable as an expression.
pub(super) fn var(side: Side, v: &VarDecl) -> Expr {
    Expr::Var(side, v.name.clone())
}

/// The relations between two states at a pair of points, those that define a variable of the right first. With
/// `bounds` also bounds of the left's variables, and as far as `ways` says so, what variables are made of. For variables
/// that are `settled` by what is `sure` no partner is looked for; what runs have `shown` tells whose flags go together.
pub(crate) fn relations(
    d: &mut Symbolic,
    shapes: (&Shape, &Shape),
    left: &State<Symbolic>,
    right: &State<Symbolic>,
    (bounds, ways): (bool, Made),
    (sure, settled, shown): (&[Constraint], &FxHashSet<(Side, String)>, &[Constraint]),
) -> Vec<Constraint> {
    let fixed =
        |side: Side, v: &Var<'_>| !settled.is_empty() && settled.contains(&(side, v.decl.name.clone()));
    let mut out = memories(shapes, left, right);
    let (ls, rs) = (vars(shapes.0, left), vars(shapes.1, right));
    let derived = derive(d, Side::Left, &ls, &rs);
    let back = derive(d, Side::Right, &rs, &ls);
    let mut weak = Vec::new();
    let mut met: FxHashSet<&str> = FxHashSet::default();
    for r in rs.iter().filter(|r| !fixed(Side::Right, r)) {
        for (e, kind) in partners_of(r, &derived) {
            let c = Constraint { a: var(Side::Right, r.decl), b: e };
            if kind == Similarity::Whole {
                out.push(c)
            } else {
                weak.push(c)
            }
            met.insert(&r.decl.name);
        }
    }
    let mut pairs: Vec<(String, String)> =
        sure.iter().chain(&out).chain(&weak).chain(shown).filter_map(own_variables).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for l in ls.iter().filter(|l| !fixed(Side::Left, l)) {
        let partners = back.get(&(l.term, l.width)).map(Vec::as_slice).unwrap_or_default();
        let mut parts: Vec<_> = partners.iter().filter(|(_, kind)| *kind != Similarity::Whole).collect();
        parts.sort_by_key(|(_, kind)| *kind == Similarity::Flag);
        for (e, _) in parts.into_iter().take(PARTNERS) {
            weak.push(Constraint { a: var(Side::Left, l.decl), b: e.clone() });
        }
    }
    if ls.len() <= MANY && rs.len() <= MANY {
        for r in rs.iter().filter(|r| !fixed(Side::Right, r)) {
            offsets(d, r, &ls, &mut weak);
            if !met.contains(r.decl.name.as_str()) {
                weak.extend(asked(&d.pool, r, &ls));
            }
        }
    }
    if ways != Made::Unasked {
        made(d, (shapes, left, right), &|side, v| fixed(side, v), ways, &mut weak);
    }
    // What defines a variable by itself comes first: the others are then built over that.
    let mut first = Vec::new();
    for v in &ls {
        constants(d, Side::Left, v, &mut first);
        ranges(d, v, bounds, &mut first);
    }
    for v in rs.iter().filter(|v| !fixed(Side::Right, v)) {
        constants(d, Side::Right, v, &mut first);
    }
    first.extend(out);
    first.extend(weak);
    companions(d, (&ls, &rs), &pairs, &mut first);
    unset(d, (&ls, &rs), &mut first);
    if bounds {
        limits(d, &ls, &mut first);
    }
    first
}

/// The variables of both sides of more than a byte that are no numbers.
type Several<'a> = (Vec<Var<'a>>, Vec<Var<'a>>);

/// Terms of a side: its variables, and the low halves of those of 64 bits.
fn halves(d: &mut Symbolic, side: Side, vars: &[Var<'_>], out: &mut Vec<(u32, Expr, TermId)>) {
    for v in vars {
        out.push((v.width, var(side, v.decl), v.term));
        if v.width == 64 {
            let low = d.trunc(&v.term, 32);
            out.push((32, Expr::Trunc(Box::new(var(side, v.decl)), 32), low));
        }
    }
}

/// Variables of the right that nothing relates to the left, and the variables of the left, with their terms: what may be equal
/// without being one term. The terms are told apart by who can evaluate them ([`alike`]).
pub(crate) fn unrelated(
    d: &mut Symbolic,
    shapes: (&Shape, &Shape),
    (left, right): (&State<Symbolic>, &State<Symbolic>),
    known: &[Constraint],
) -> [Vec<(u32, Expr, TermId)>; 2] {
    let mut related: FxHashSet<(Side, String)> = FxHashSet::default();
    for c in known.iter().filter(|c| c.across()) {
        related.extend(c.variables());
    }
    let (ls, mut rs): Several<'_> = (vars(shapes.0, left), vars(shapes.1, right));
    rs.retain(|v| v.width >= 8 && !related.contains(&(Side::Right, v.decl.name.clone())));
    rs.retain(|v| d.pool.as_const(v.term).is_none());
    let mut out = [Vec::new(), Vec::new()];
    if !rs.is_empty() && ls.len() <= MANY && rs.len() <= MANY {
        halves(d, Side::Left, &ls, &mut out[0]);
        halves(d, Side::Right, &rs, &mut out[1]);
    }
    out
}

/// What is equal in all of some states, of what [`unrelated`] has: its values there are given in order.
pub(crate) fn alike(
    [left, right]: &[Vec<(u32, Expr, TermId)>; 2],
    [of_left, of_right]: &[Vec<Vec<Bv>>; 2],
) -> Vec<Constraint> {
    let mut out = Vec::new();
    for ((width, e, _), values) in right.iter().zip(of_right) {
        let same = |((w, _, _), other): &(&(u32, Expr, TermId), &Vec<Bv>)| w == width && *other == values;
        let partners = left.iter().zip(of_left).filter(same).take(PARTNERS / 2);
        out.extend(partners.map(|((_, partner, _), _)| Constraint { a: e.clone(), b: partner.clone() }));
    }
    out
}

/// Variables that are no other's copy, as what they are made of.
fn made(
    d: &mut Symbolic,
    (shapes, left, right): ((&Shape, &Shape), &State<Symbolic>, &State<Symbolic>),
    fixed: &dyn Fn(Side, &Var<'_>) -> bool,
    ways: Made,
    out: &mut Vec<Constraint>,
) {
    let sides = [(Side::Left, shapes.0, left), (Side::Right, shapes.1, right)];
    for (n, (side, shape, state)) in sides.into_iter().enumerate() {
        let (mut own, mut others) =
            (Makers::of(sides[n]).with_lows(d), Makers::of(sides[1 - n]).with_lows(d));
        if ways == Made::Values {
            own = own.without_memory();
            // What the left has loaded and the right has not may be what the right is about to load.
            if side == Side::Right {
                others = others.without_memory();
            }
        }
        for v in vars(shape, state) {
            // What has a partner of its own needs no more.
            let met = others.copies(v.term);
            // Of flags those of the right alone: what it did ahead may be poison where the left's is.
            let too_narrow = v.width < 8 && (v.width != 1 || side == Side::Left);
            if too_narrow || met || fixed(side, &v) || d.pool.as_const(v.term).is_some() {
                continue;
            }
            let mut ways = others.made(d, v.term);
            // What it is made of on the other side may change where it does not.
            ways.extend(own.made(d, v.term).into_iter().take(1));
            out.extend(ways.into_iter().map(|e| Constraint { a: var(side, v.decl), b: e }));
        }
    }
}

/// The likeliest partners of a variable of the right: the same name first, then whole values.
fn partners_of(r: &Var<'_>, derived: &Derived) -> Vec<(Expr, Similarity)> {
    let mut order: Vec<&(Expr, Similarity)> = derived.get(&(r.term, r.width)).into_iter().flatten().collect();
    let named = |e: &Expr| matches!(e, Expr::Var(_, n) if *n == r.decl.name);
    order.sort_by_key(|(e, kind)| (!named(e), *kind));
    order.into_iter().take(PARTNERS).cloned().collect()
}

/// A variable whose value is known.
fn constants(d: &Symbolic, side: Side, v: &Var<'_>, out: &mut Vec<Constraint>) {
    if let Some(k) = d.pool.as_const(v.term) {
        out.push(Constraint { a: var(side, v.decl), b: Expr::Const(k.clone()) });
    }
}

/// The variables of both sides that a constraint says are the same up to width: the left's, the right's.
fn own_variables(c: &Constraint) -> Option<(String, String)> {
    let Expr::Var(Side::Right, r) = &c.a else { return None };
    match &c.b {
        Expr::Var(Side::Left, l) => Some((l.clone(), r.clone())),
        Expr::Zext(x, _) | Expr::Sext(x, _) | Expr::Trunc(x, _) => match &**x {
            Expr::Var(Side::Left, l) => Some((l.clone(), r.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// What goes with variables that correspond, named after them with a dot and the same word, corresponds too: of
/// many flags that happen to be equal these are the likely pairs. Flags that depend on anything may be equal even where they
/// are not one term: optimisers add promises that say again what others said.
fn companions(
    d: &Symbolic,
    (ls, rs): (&[Var<'_>], &[Var<'_>]),
    pairs: &[(String, String)],
    out: &mut Vec<Constraint>,
) {
    let open = |v: &Var<'_>| v.width == 1 && d.pool.as_const(v.term).is_none();
    let known: FxHashSet<Constraint> = out.iter().cloned().collect();
    let lefts: FxHashMap<&str, &Var<'_>> = ls.iter().map(|l| (l.decl.name.as_str(), l)).collect();
    for r in rs {
        let Some((base, word)) = r.decl.name.rsplit_once('.') else { continue };
        for (left, _) in pairs.iter().filter(|(_, right)| right == base) {
            let Some(l) = lefts.get(format!("{left}.{word}").as_str()) else { continue };
            let c = Constraint { a: var(Side::Right, r.decl), b: var(Side::Left, l.decl) };
            let likely = l.term == r.term || open(l) && open(r);
            if likely && l.width == r.width && !known.contains(&c) {
                out.push(c);
            }
            if open(l) && open(r) {
                out.push(implied(var(Side::Right, r.decl), var(Side::Left, l.decl)));
            }
        }
    }
}

/// That a flag is set only where another is. Where one side sees sooner that it is not, the two are not equal, and this
/// is what matters of them.
fn implied(flag: Expr, by: Expr) -> Constraint {
    let unset = Expr::Offset(Box::new(flag), Bv::one(1));
    Constraint { a: Expr::Either(Box::new(unset), Box::new(by)), b: Expr::Const(Bv::one(1)) }
}

/// Flags that depend on something, and would have ended the run had they been set.
fn unset(d: &Symbolic, (ls, rs): (&[Var<'_>], &[Var<'_>]), out: &mut Vec<Constraint>) {
    for (side, vars) in [(Side::Left, ls), (Side::Right, rs)] {
        let flags = vars.iter().filter(|v| v.width == 1 && v.decl.name.contains('.'));
        for flag in flags.filter(|v| d.pool.as_const(v.term).is_none()) {
            out.push(Constraint { a: var(side, flag.decl), b: Expr::Const(Bv::zero(1)) });
        }
    }
}

/// Most bounds tried of one variable.
const BOUNDS: usize = 6;

/// Bounds that hold here, out of the numbers that anything was compared with so far.
fn limits(d: &mut Symbolic, ls: &[Var<'_>], out: &mut Vec<Constraint>) {
    let mut numbers: FxHashMap<u32, Vec<Bv>> = FxHashMap::default();
    for k in d.pool.compared() {
        let w = k.width();
        let list = numbers.entry(w).or_default();
        list.push(k.add(&Bv::one(w)));
        list.push(k);
    }
    for (w, list) in &mut numbers {
        list.push(Bv::smin(*w));
        list.sort_by(Bv::ucmp);
        list.dedup();
    }
    for v in ls.iter().filter(|v| (8..=64).contains(&v.width)) {
        let Some(list) = numbers.get(&v.width) else { continue };
        let mut found = 0;
        for k in list.iter().filter(|k| !k.is_zero() && !k.is_one()) {
            let bound = d.pool.constant(k.clone());
            let below = d.pool.ult(v.term, bound);
            if d.pool.as_bool(below) != Some(true) {
                continue;
            }
            let b = Expr::Below(Box::new(var(Side::Left, v.decl)), k.clone());
            out.push(Constraint { a: b, b: Expr::Const(Bv::one(1)) });
            found += 1;
            if found == BOUNDS {
                break;
            }
        }
        // Without a sign is the bound most often needed.
        let sign = d.pool.constant(Bv::smin(v.width));
        let below = d.pool.ult(v.term, sign);
        if found == BOUNDS && d.pool.as_bool(below) == Some(true) {
            let b = Expr::Below(Box::new(var(Side::Left, v.decl)), Bv::smin(v.width));
            out.push(Constraint { a: b, b: Expr::Const(Bv::one(1)) });
        }
    }
}

/// A variable that is the extension of its own low bits.
fn ranges(d: &mut Symbolic, v: &Var<'_>, bounds: bool, out: &mut Vec<Constraint>) {
    for low in [1, 8, 16, 32] {
        if low >= v.width {
            return;
        }
        let t = d.trunc(&v.term, low);
        let own = || Box::new(var(Side::Left, v.decl));
        let trunc = || Box::new(Expr::Trunc(own(), low));
        let b = if d.zext(&t, v.width) == v.term {
            Expr::Zext(trunc(), v.width)
        } else if low > 1 && d.pool.leading_signs(v.term) > v.width - low {
            // The sign may be known to be clear here.
            if bounds && d.pool.as_const(v.term).is_none() {
                let below = Expr::Below(own(), Bv::smin(v.width));
                out.push(Constraint { a: below, b: Expr::Const(Bv::one(1)) });
            }
            Expr::Sext(trunc(), v.width)
        } else {
            continue;
        };
        out.push(Constraint { a: *own(), b });
        // A counter that begins as a small number grows: of the half of a register that it is computed in more stays true.
        let half = d.trunc(&v.term, HALF.min(v.width));
        if low < HALF && v.width == 2 * HALF && d.zext(&half, v.width) == v.term {
            out.push(fits_half(&own(), v.width));
        }
        return;
    }
    // Upper bits that are zero, where they begin elsewhere: selection knows of them beyond the block too, and leaves
    // out what would clear them.
    let zeros = d.pool.leading_zeros(v.term);
    if d.pool.as_const(v.term).is_none() && zeros > 0 && zeros < v.width {
        let low = v.width - zeros;
        let trunc = Box::new(Expr::Trunc(Box::new(var(Side::Left, v.decl)), low));
        out.push(Constraint { a: var(Side::Left, v.decl), b: Expr::Zext(trunc, v.width) });
    }
}

/// Memories of one name; of others those that are the same.
fn memories(shapes: (&Shape, &Shape), left: &State<Symbolic>, right: &State<Symbolic>) -> Vec<Constraint> {
    let mut out = Vec::new();
    let (lp, rp) = (shapes.0.point(left.at), shapes.1.point(right.at));
    // Names that both sides have.
    let named = |n: &str| [lp, rp].iter().all(|p| p.vars.iter().any(|v| v.name == n));
    for (r, rv) in rp.vars.iter().zip(&right.vals) {
        for (l, lv) in lp.vars.iter().zip(&left.vals) {
            if let (Val::Mem(x), Val::Mem(y)) = (lv, rv)
                && l.sort == r.sort
                && (l.name == r.name || x == y && !named(&l.name) && !named(&r.name))
            {
                out.push(Constraint { a: var(Side::Right, r), b: var(Side::Left, l) });
            }
        }
    }
    out
}

/// What the variables of one side make at the widths of the other: by term and width, and how far it is from the
/// variable as it is.
type Derived = FxHashMap<(TermId, u32), Vec<(Expr, Similarity)>>;

/// How an expression is made of variables, the likelier ways first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Similarity {
    Whole,
    Lanes,
    Extension,
    Part,
    /// One bit, extended: where nothing is known yet, every flag is the zero that counters start at.
    Flag,
}

fn derive(d: &mut Symbolic, side: Side, from: &[Var<'_>], to: &[Var<'_>]) -> Derived {
    let mut out = Derived::default();
    let wanted: FxHashSet<(TermId, u32)> = to.iter().map(|v| (v.term, v.width)).collect();
    let mut widths: Vec<u32> = to.iter().map(|v| v.width).collect();
    // Nothing is extended to the width of what is no value.
    widths.retain(|w| *w <= 8 || w % 8 == 0);
    widths.sort_unstable();
    widths.dedup();
    let mut add = |t: TermId, w: u32, e: &dyn Fn() -> Expr, kind: Similarity| {
        if wanted.contains(&(t, w)) {
            out.entry((t, w)).or_default().push((e(), kind));
        }
    };
    for v in from {
        let own = || var(side, v.decl);
        add(v.term, v.width, &own, Similarity::Whole);
        for &w in &widths {
            if w > v.width {
                let z = d.zext(&v.term, w);
                let kind = if v.width == 1 { Similarity::Flag } else { Similarity::Extension };
                add(z, w, &|| Expr::Zext(Box::new(own()), w), kind);
                let s = d.sext(&v.term, w);
                if v.width > 1 && s != z {
                    add(s, w, &|| Expr::Sext(Box::new(own()), w), Similarity::Extension);
                }
            } else if w < v.width && (w > 1 || v.width <= 8) {
                let t = d.trunc(&v.term, w);
                add(t, w, &|| Expr::Trunc(Box::new(own()), w), Similarity::Part);
            }
        }
    }
    for run in lanes(from, &widths) {
        let mut t = from[run[0]].term;
        for &i in &run[1..] {
            t = d.concat(&from[i].term, &t);
        }
        let w = d.width(&t);
        let parts = || Expr::Concat(run.iter().rev().map(|&i| var(side, from[i].decl)).collect());
        add(t, w, &parts, Similarity::Lanes);
    }
    out
}

/// Neighbouring variables of one width that fill one of the widths, lowest first. Flags between them are skipped.
fn lanes(from: &[Var<'_>], widths: &[u32]) -> Vec<Vec<usize>> {
    let mut by_width: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (i, v) in from.iter().enumerate() {
        by_width.entry(v.width).or_default().push(i);
    }
    let mut own: Vec<u32> = by_width.keys().copied().filter(|w| *w >= 8).collect();
    own.sort_unstable();
    let mut out = Vec::new();
    for lane in own {
        let list = &by_width[&lane];
        for &w in widths.iter().filter(|w| **w <= WIDEST && **w > lane && w.is_multiple_of(lane)) {
            out.extend(list.windows((w / lane) as usize).map(<[usize]>::to_vec));
        }
    }
    out
}

/// Whether two numbers are a step or two apart.
fn near(apart: &Bv) -> bool {
    let small = |k: &Bv| k.to_u64().is_some_and(|k| k <= STEPS);
    small(apart) || small(&apart.neg())
}

/// A variable as another one plus a constant.
fn offsets(d: &mut Symbolic, r: &Var<'_>, ls: &[Var<'_>], out: &mut Vec<Constraint>) {
    if r.width < 8 {
        return;
    }
    let number = d.pool.as_const(r.term).is_some();
    let mut found = 0;
    for l in ls.iter().filter(|l| l.width == r.width && l.term != r.term) {
        let k = d.pool.sub(r.term, l.term);
        // Counters begin as numbers, a step or two apart.
        if number && !d.pool.as_const(k).is_some_and(near) {
            continue;
        }
        let apart = d.pool.as_const(k).map(|k| Expr::Offset(Box::new(var(Side::Left, l.decl)), k.clone()));
        // A floating-point number with the other sign is no distance away.
        let turned = d.bin(smt::BinOp::Xor, &r.term, &l.term);
        let turned = d.pool.as_const(turned).cloned().map(|k| {
            Expr::Binary(Operation::Differing, Box::new(var(Side::Left, l.decl)), Box::new(Expr::Const(k)))
        });
        if let Some(b) = apart.or(turned) {
            out.push(Constraint { a: var(Side::Right, r.decl), b });
            found += 1;
            if found == 3 {
                return;
            }
        }
    }
}

/// A flag of the right as what it says of variables of the left: optimisers keep the answer where the number is not needed.
fn asked(pool: &Pool, r: &Var<'_>, ls: &[Var<'_>]) -> Option<Constraint> {
    let (Node::Ite(condition, yes, no), 1) = (pool.node(r.term), r.width) else { return None };
    let set = pool.as_const(*yes)?.is_one();
    if set == pool.as_const(*no)?.is_one() {
        return None;
    }
    let expr = |t: TermId| match pool.as_const(t) {
        Some(k) => Some(Expr::Const(k.clone())),
        None => ls.iter().find(|l| l.term == t).map(|l| var(Side::Left, l.decl)),
    };
    let one = Bv::one(1);
    let (flag, holds) = match compared(pool, &expr, [condition]).pop()? {
        Constraint { a: a @ Expr::Less(..), b: Expr::Const(k) } => (a, k.is_one()),
        Constraint { a, b } => {
            let Sort::Bv(width) = pool.sort(ls.iter().find(|l| var(Side::Left, l.decl) == a)?.term) else {
                return None;
            };
            let apart = Expr::Sum(Box::new(a), Box::new(Expr::Scaled(Box::new(b), Bv::ones(width))));
            (Expr::Less(false, Box::new(Expr::Const(Bv::zero(width))), Box::new(apart)), false)
        }
    };
    let b = if holds == set { flag } else { Expr::Offset(Box::new(flag), one) };
    Some(Constraint { a: var(Side::Right, r.decl), b })
}

/// What conditions that hold say of the variables of the left, as far as they compare variables and numbers.
pub(crate) fn comparisons(
    pool: &Pool,
    shape: &Shape,
    left: &State<Symbolic>,
    conditions: &[TermId],
) -> Vec<Constraint> {
    let mut named: FxHashMap<TermId, Expr> = FxHashMap::default();
    for v in vars(shape, left).iter().rev() {
        named.insert(v.term, var(Side::Left, v.decl));
    }
    let expr = |t: TermId| match pool.as_const(t) {
        Some(k) => Some(Expr::Const(k.clone())),
        None => named.get(&t).cloned(),
    };
    compared(pool, &expr, conditions)
}

/// What a condition compares: both values, whether they are ordered, and then whether with signs; and whether that holds.
pub(super) fn comparison(pool: &Pool, c: TermId) -> Option<(TermId, TermId, Option<bool>, bool)> {
    let (holds, t) = match *pool.node(c) {
        Node::Not(t) => (false, t),
        _ => (true, c),
    };
    match *pool.node(t) {
        Node::Eq(a, b) => Some((a, b, None, holds)),
        Node::Ult(a, b) => Some((a, b, Some(false), holds)),
        Node::Slt(a, b) => Some((a, b, Some(true), holds)),
        _ => None,
    }
}

/// What conditions that hold say of what has a name, as far as they compare that.
pub(super) fn compared<'c>(
    pool: &Pool,
    expr: &dyn Fn(TermId) -> Option<Expr>,
    conditions: impl IntoIterator<Item = &'c TermId>,
) -> Vec<Constraint> {
    let mut out = Vec::new();
    for (a, b, signed, holds) in conditions.into_iter().filter_map(|c| comparison(pool, *c)) {
        let smt::Sort::Bv(width) = pool.sort(a) else { continue };
        let (Some(x), Some(y)) = (expr(a), expr(b)) else { continue };
        let one = |yes: bool| Expr::Const(if yes { Bv::one(1) } else { Bv::zero(1) });
        out.push(match (signed, holds) {
            (Some(signed), _) => {
                Constraint { a: Expr::Less(signed, Box::new(x), Box::new(y)), b: one(holds) }
            }
            (None, true) => Constraint { a: x, b: y },
            (None, false) => {
                // What differs is a distance apart that is above zero.
                let minus = Expr::Scaled(Box::new(y), Bv::ones(width));
                let apart = Expr::Sum(Box::new(x), Box::new(minus));
                let zero = Expr::Const(Bv::zero(width));
                Constraint { a: Expr::Less(false, Box::new(zero), Box::new(apart)), b: one(true) }
            }
        });
    }
    out
}
