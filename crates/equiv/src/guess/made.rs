//! What a variable is made of, as an expression over others: a load that one side does ahead of a loop and the other in each
//! round, an address that one side keeps and the other computes again, lanes that hold the same, a register of the caller
//! that one side saves and the other leaves where it is.
//!
//! Read off the terms of the states in which a point is first reached; a guess like all others.

use crate::model::{Expr, Operation, Shape, Side, State, Val, VarSort};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Bv, Domain, Node, Sort, Symbolic, TermId};
use std::collections::hash_map::Entry;

/// How deep expressions go.
const DEEP: u32 = 5;

/// Most parts of an expression.
const PARTS: usize = 12;

/// Most ways in which an address is expressed.
const ADDRESSES: usize = 4;

/// Widths of registers' low parts that instructions compute in.
const LOW: [u32; 3] = [32, 16, 8];

/// How far an expression has come: which way to say an address, and how many parts there are.
struct Parts {
    way: usize,
    count: usize,
}

/// The variables that expressions are made of.
pub(super) struct Makers {
    named: FxHashMap<TermId, Expr>,
    /// Further variables of one term: at the head of a loop some are the same in the first round alone.
    namesakes: Vec<(TermId, Expr)>,
    /// The low bits of variables.
    lows: FxHashMap<TermId, Expr>,
    memories: Vec<(TermId, Expr)>,
}

/// Most writes to a memory that are looked at.
const STORED: usize = 16;

impl Makers {
    /// The variables of a state.
    pub fn of((side, shape, state): (Side, &Shape, &State<Symbolic>)) -> Makers {
        let mut out = Makers {
            named: FxHashMap::default(),
            namesakes: Vec::new(),
            lows: FxHashMap::default(),
            memories: Vec::new(),
        };
        for (decl, val) in shape.point(state.at).vars.iter().zip(&state.vals) {
            let var = || Expr::Var(side, decl.name.clone());
            match (decl.sort, val) {
                (VarSort::Bv(_), Val::Bv(t)) => match out.named.entry(*t) {
                    Entry::Occupied(_) => out.namesakes.push((*t, var())),
                    Entry::Vacant(free) => drop(free.insert(var())),
                },
                (VarSort::Mem { .. }, Val::Mem(t)) => out.memories.push((*t, var())),
                (VarSort::Bv(_) | VarSort::Mem { .. }, _) => {}
            }
        }
        out
    }

    /// The same, and values that memory holds where they were written last.
    pub fn with_stored(mut self, d: &mut Symbolic) -> Makers {
        for (memory, name) in &self.memories {
            let (mut below, mut left) = (*memory, STORED);
            while left > 0
                && let Node::Store(next, writes) = d.pool.node(below).clone()
            {
                below = next;
                for (index, value) in writes.iter().take(left) {
                    left -= 1;
                    let Sort::Bv(width) = d.pool.sort(*value) else { continue };
                    if self.named.contains_key(value)
                        || d.pool.as_const(*value).is_some()
                        || d.pool.load(*memory, *index, width / 8) != *value
                    {
                        continue;
                    }
                    if let Some(at) = self.express_whole(d, *index) {
                        let load = Expr::Load(Box::new(name.clone()), Box::new(at), width / 8);
                        self.named.insert(*value, load);
                    }
                }
            }
        }
        self
    }

    /// The same, and the low bits of variables: what is computed in a part of a register is made of the parts of others.
    pub fn with_lows(mut self, d: &mut Symbolic) -> Makers {
        let mut all: Vec<(TermId, &Expr)> = self.named.iter().map(|(t, e)| (*t, e)).collect();
        all.sort_by_key(|(t, _)| *t);
        for (t, e) in all {
            let Sort::Bv(width) = d.pool.sort(t) else { continue };
            for low in LOW.into_iter().filter(|low| *low < width && width <= 64) {
                let part = d.trunc(&t, low);
                if d.pool.as_const(part).is_none() && !self.named.contains_key(&part) {
                    self.lows.entry(part).or_insert_with(|| Expr::Trunc(Box::new(e.clone()), low));
                }
            }
        }
        self
    }

    /// Whether a variable is this term.
    pub fn copies(&self, t: TermId) -> bool {
        self.named.contains_key(&t)
    }

    /// The same, but for what memory holds.
    pub fn without_memory(mut self) -> Makers {
        self.memories.clear();
        self
    }

    /// The same, of some of the variables.
    pub fn only(mut self, names: &FxHashSet<&str>) -> Makers {
        let known = |e: &Expr| matches!(e, Expr::Var(_, name) if names.contains(name.as_str()));
        self.named.retain(|_, e| known(e));
        self.namesakes.retain(|(_, e)| known(e));
        for (t, e) in &self.namesakes {
            self.named.entry(*t).or_insert_with(|| e.clone());
        }
        self
    }

    /// What a term is made of, beside a variable or a number as it is; nothing where that is not said. What was loaded may
    /// have come from what is several things at first, of which one is its address in later rounds of a loop as well.
    pub fn made(&self, d: &mut Symbolic, t: TermId) -> Vec<Expr> {
        let mut out: Vec<Expr> = Vec::new();
        if d.pool.as_const(t).is_some() {
            return out;
        }
        for way in 0..ADDRESSES {
            let mut parts = Parts { way, count: 0 };
            let Some(found) = self.take_apart(d, t, DEEP, &mut parts) else {
                if way == 0 { continue } else { break }
            };
            let mut any = matches!(found, Expr::Symbol(..));
            found.each_variable(&mut |_, _| any = true);
            if any && !out.contains(&found) {
                out.push(found);
            }
        }
        out
    }

    /// What a term is made of.
    pub fn express_whole(&self, d: &mut Symbolic, t: TermId) -> Option<Expr> {
        self.express(d, t, DEEP, &mut Parts { way: 0, count: 0 })
    }

    /// One way to say an address: as what it is made of, or as a variable of that width and a distance.
    fn address(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut Parts) -> Option<Expr> {
        if parts.way == 0 {
            return self.express(d, t, deep, parts);
        }
        let mut near: Vec<(Bv, &Expr)> = Vec::new();
        for (term, e) in self.named.iter().chain(self.namesakes.iter().map(|(term, e)| (term, e))) {
            if d.pool.sort(*term) != d.pool.sort(t) || d.pool.as_const(*term).is_some() {
                continue;
            }
            let apart = d.pool.sub(t, *term);
            if let Some(k) = d.pool.as_const(apart) {
                near.push((k.clone(), e));
            }
        }
        near.sort_by_key(|(k, e)| (!k.is_zero(), e.to_string()));
        let (k, e) = near.into_iter().nth(parts.way - 1)?;
        Some(if k.is_zero() { e.clone() } else { Expr::Offset(Box::new(e.clone()), k) })
    }

    fn express(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut Parts) -> Option<Expr> {
        parts.count += 1;
        if parts.count > PARTS {
            return None;
        }
        if let Some(k) = d.pool.as_const(t) {
            return Some(Expr::Const(k.clone()));
        }
        if let Some(found) = self.named.get(&t).or_else(|| self.lows.get(&t)) {
            return Some(found.clone());
        }
        if deep == 0 { None } else { self.take_apart(d, t, deep - 1, parts) }
    }

    /// A sum, addend by addend.
    fn sum(
        &self,
        d: &mut Symbolic,
        (addends, k): (&[(TermId, Bv)], &Bv),
        deep: u32,
        parts: &mut Parts,
    ) -> Option<Expr> {
        let mut sum: Option<Expr> = None;
        for (x, factor) in addends {
            let x = self.express(d, *x, deep, parts)?;
            let x = if factor.is_one() { x } else { Expr::Scaled(Box::new(x), factor.clone()) };
            sum = Some(match sum {
                None => x,
                Some(before) => Expr::Sum(Box::new(before), Box::new(x)),
            });
        }
        let sum = sum?;
        Some(if k.is_zero() { sum } else { Expr::Offset(Box::new(sum), k.clone()) })
    }

    /// A sum as another variable that is one, and what they differ by, which has fewer addends.
    fn difference(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut Parts) -> Option<Expr> {
        let addends = |d: &Symbolic, t: TermId| match d.pool.node(t) {
            Node::Lin(addends, _) => addends.len(),
            Node::Const(_) => 0,
            _ => 1,
        };
        let count = addends(d, t);
        let mut others: Vec<(String, TermId, &Expr)> = Vec::new();
        for (term, e) in &self.named {
            if *term != t && d.pool.sort(*term) == d.pool.sort(t) && addends(d, *term) > 1 {
                others.push((e.to_string(), *term, e));
            }
        }
        others.sort_by(|x, y| x.0.cmp(&y.0));
        for (_, term, e) in others {
            for minus in [false, true] {
                let rest = if minus { d.pool.add(t, term) } else { d.pool.sub(t, term) };
                if addends(d, rest) + 2 > count {
                    continue;
                }
                let Sort::Bv(width) = d.pool.sort(t) else { return None };
                let other =
                    if minus { Expr::Scaled(Box::new(e.clone()), Bv::ones(width)) } else { e.clone() };
                if let Some(rest) = self.express(d, rest, deep, parts) {
                    return Some(Expr::Sum(Box::new(other), Box::new(rest)));
                }
            }
        }
        None
    }

    /// An operation on several terms, or on two in their order.
    fn several(
        &self,
        d: &mut Symbolic,
        list: &[TermId],
        operation: Operation,
        (deep, parts): (u32, &mut Parts),
    ) -> Option<Expr> {
        let made: Option<Vec<Expr>> = list.iter().map(|x| self.express(d, *x, deep, parts)).collect();
        made?.into_iter().reduce(|x, y| Expr::Binary(operation, Box::new(x), Box::new(y)))
    }

    fn take_apart(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut Parts) -> Option<Expr> {
        let Sort::Bv(width) = d.pool.sort(t) else { return None };
        match d.pool.node(t).clone() {
            Node::Var(s) => {
                // What a name stands for is the same wherever it is asked for.
                let name = &d.pool.symbol(s).name;
                let name = name.strip_suffix(&format!(":{width}"))?;
                let unknown = ["L@", "R@"].iter().any(|own| name.starts_with(own));
                (!unknown).then(|| Expr::Symbol(name.to_owned(), width))
            }
            Node::Select(_, index) if width % 8 == 0 && width <= 128 => {
                let n = width / 8;
                let address = self.address(d, index, deep, parts)?;
                // What else was written since may be none of this load's.
                let memory = self.memories.iter().find(|(m, _)| d.pool.load(*m, index, n) == t);
                let (_, memory) = memory?;
                Some(Expr::Load(Box::new(memory.clone()), Box::new(address), n))
            }
            Node::Lin(addends, k) => {
                self.sum(d, (&addends, &k), deep, parts).or_else(|| self.difference(d, t, deep, parts))
            }
            Node::SExt(x) => Some(Expr::Sext(Box::new(self.express(d, x, deep, parts)?), width)),
            Node::Extract(hi, 0, x) => Some(Expr::Trunc(Box::new(self.express(d, x, deep, parts)?), hi + 1)),
            Node::Extract(hi, lo, x) => {
                let Sort::Bv(whole) = d.pool.sort(x) else { return None };
                let x = Box::new(self.express(d, x, deep, parts)?);
                let by = Box::new(Expr::Const(Bv::new(whole, u128::from(lo))));
                Some(Expr::Trunc(Box::new(Expr::Binary(Operation::Right, x, by)), hi - lo + 1))
            }
            Node::BvNot(x) => {
                let ones = Box::new(Expr::Const(Bv::ones(width)));
                Some(Expr::Binary(Operation::Differing, Box::new(self.express(d, x, deep, parts)?), ones))
            }
            Node::Mul(list) => self.several(d, &list, Operation::Product, (deep, parts)),
            Node::BvAnd(list) => self.several(d, &list, Operation::Both, (deep, parts)),
            Node::BvXor(list) => self.several(d, &list, Operation::Differing, (deep, parts)),
            Node::BvOr(list) => {
                let list: Option<Vec<Expr>> = list.iter().map(|x| self.express(d, *x, deep, parts)).collect();
                list?.into_iter().reduce(|x, y| Expr::Either(Box::new(x), Box::new(y)))
            }
            Node::UDiv(x, y) => self.several(d, &[x, y], Operation::Quotient, (deep, parts)),
            Node::URem(x, y) => self.several(d, &[x, y], Operation::Remainder, (deep, parts)),
            Node::Shl(x, y) => self.several(d, &[x, y], Operation::Left, (deep, parts)),
            Node::Lshr(x, y) => self.several(d, &[x, y], Operation::Right, (deep, parts)),
            Node::Ashr(x, y) => self.several(d, &[x, y], Operation::RightSigned, (deep, parts)),
            Node::Concat(list) => {
                let zeros = list.first().and_then(|x| d.pool.as_const(*x)).is_some_and(smt::Bv::is_zero);
                if let (true, [_, x]) = (zeros, &list[..]) {
                    return Some(Expr::Zext(Box::new(self.express(d, *x, deep, parts)?), width));
                }
                let made: Option<Vec<Expr>> = list.iter().map(|x| self.express(d, *x, deep, parts)).collect();
                Some(Expr::Concat(made?))
            }
            Node::Ite(c, x, y) => {
                let c = Box::new(self.condition(d, c, (deep, parts))?);
                let (one, other) = (d.pool.as_const(x).cloned(), d.pool.as_const(y).cloned());
                if let (Some(one), Some(other)) = (one, other) {
                    // Of two numbers: the second, and what the first is more where the condition holds.
                    let c = if width == 1 { c } else { Box::new(Expr::Zext(c, width)) };
                    let more = one.sub(&other);
                    let c = if more.is_one() { *c } else { Expr::Scaled(c, more) };
                    return Some(if other.is_zero() { c } else { Expr::Offset(Box::new(c), other) });
                }
                let (x, y) = (self.express(d, x, deep, parts)?, self.express(d, y, deep, parts)?);
                Some(Expr::Choice(c, Box::new(x), Box::new(y)))
            }
            _ => None,
        }
    }

    /// A condition as one bit.
    fn condition(&self, d: &mut Symbolic, c: TermId, (deep, parts): (u32, &mut Parts)) -> Option<Expr> {
        parts.count += 1;
        if parts.count > PARTS {
            return None;
        }
        let (one, deep) = (Bv::one(1), deep.checked_sub(1)?);
        match d.pool.node(c).clone() {
            Node::Not(x) => Some(Expr::Offset(Box::new(self.condition(d, x, (deep, parts))?), one)),
            Node::And(list) => {
                let made: Option<Vec<Expr>> =
                    list.iter().map(|x| self.condition(d, *x, (deep, parts))).collect();
                made?.into_iter().reduce(|x, y| Expr::Binary(Operation::Both, Box::new(x), Box::new(y)))
            }
            Node::Eq(x, y) if matches!(d.pool.sort(x), Sort::Bv(_)) => {
                let width = d.pool.width(x);
                let (k, t) = if d.pool.as_const(x).is_some() { (x, y) } else { (y, x) };
                match d.pool.as_const(k).cloned() {
                    Some(k) if width == 1 => {
                        let bit = self.express(d, t, deep, parts)?;
                        Some(if k.is_one() { bit } else { Expr::Offset(Box::new(bit), one) })
                    }
                    Some(k) if k.is_zero() => {
                        Some(Expr::Below(Box::new(self.express(d, t, deep, parts)?), Bv::one(width)))
                    }
                    _ => {
                        let differ = self.several(d, &[x, y], Operation::Differing, (deep, parts))?;
                        Some(Expr::Below(Box::new(differ), Bv::one(width)))
                    }
                }
            }
            Node::Ult(x, y) | Node::Slt(x, y) => {
                let signed = matches!(d.pool.node(c), Node::Slt(..));
                let (x, y) = (self.express(d, x, deep, parts)?, self.express(d, y, deep, parts)?);
                Some(Expr::Less(signed, Box::new(x), Box::new(y)))
            }
            _ => None,
        }
    }
}
