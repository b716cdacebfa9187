//! What a variable is made of, as an expression over others: a load that one side does ahead of a loop and the other in each
//! round, an address that one side keeps and the other computes again, lanes that hold the same, a register of the caller
//! that one side saves and the other leaves where it is.
//!
//! Read off the terms of the states in which a point is first reached; a guess like all others.

use crate::model::{Expr, Shape, Side, State, Val, VarSort};
use rustc_hash::FxHashMap;
use smt::{Node, Sort, Symbolic, TermId};

/// How deep expressions go.
const DEEP: u32 = 5;

/// Most parts of an expression.
const PARTS: usize = 12;

/// The variables that expressions are made of.
pub(super) struct Makers {
    named: FxHashMap<TermId, Expr>,
    memories: Vec<(TermId, Expr)>,
}

impl Makers {
    /// The variables of a state.
    pub fn of((side, shape, state): (Side, &Shape, &State<Symbolic>)) -> Makers {
        let mut out = Makers { named: FxHashMap::default(), memories: Vec::new() };
        for (decl, val) in shape.point(state.at).vars.iter().zip(&state.vals) {
            let var = || Expr::Var(side, decl.name.clone());
            match (decl.sort, val) {
                (VarSort::Bv(_), Val::Bv(t)) => drop(out.named.entry(*t).or_insert_with(var)),
                (VarSort::Mem { .. }, Val::Mem(t)) => out.memories.push((*t, var())),
                (VarSort::Bv(_) | VarSort::Mem { .. }, _) => {}
            }
        }
        out
    }

    /// Whether a variable is this term.
    pub fn copies(&self, t: TermId) -> bool {
        self.named.contains_key(&t)
    }

    /// What a term is made of, beside a variable or a number as it is; none where that is not said.
    pub fn made(&self, d: &mut Symbolic, t: TermId) -> Option<Expr> {
        if d.pool.as_const(t).is_some() {
            return None;
        }
        let mut parts = 0;
        let found = self.take_apart(d, t, DEEP, &mut parts)?;
        let mut any = matches!(found, Expr::Symbol(..));
        found.each_variable(&mut |_, _| any = true);
        any.then_some(found)
    }

    fn express(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut usize) -> Option<Expr> {
        *parts += 1;
        if *parts > PARTS {
            return None;
        }
        if let Some(k) = d.pool.as_const(t) {
            return Some(Expr::Const(k.clone()));
        }
        if let Some(found) = self.named.get(&t) {
            return Some(found.clone());
        }
        if deep == 0 { None } else { self.take_apart(d, t, deep - 1, parts) }
    }

    fn take_apart(&self, d: &mut Symbolic, t: TermId, deep: u32, parts: &mut usize) -> Option<Expr> {
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
                let address = self.express(d, index, deep, parts)?;
                // What else was written since may be none of this load's.
                let memory = self.memories.iter().find(|(m, _)| d.pool.load(*m, index, n) == t);
                let (_, memory) = memory?;
                Some(Expr::Load(Box::new(memory.clone()), Box::new(address), n))
            }
            Node::Lin(addends, k) => {
                let mut sum: Option<Expr> = None;
                for (x, factor) in addends {
                    let x = self.express(d, x, deep, parts)?;
                    let x = if factor.is_one() { x } else { Expr::Scaled(Box::new(x), factor) };
                    sum = Some(match sum {
                        None => x,
                        Some(before) => Expr::Sum(Box::new(before), Box::new(x)),
                    });
                }
                let sum = sum?;
                Some(if k.is_zero() { sum } else { Expr::Offset(Box::new(sum), k) })
            }
            Node::SExt(x) => Some(Expr::Sext(Box::new(self.express(d, x, deep, parts)?), width)),
            Node::Extract(hi, 0, x) => Some(Expr::Trunc(Box::new(self.express(d, x, deep, parts)?), hi + 1)),
            Node::Concat(list) => {
                let zeros = list.first().and_then(|x| d.pool.as_const(*x)).is_some_and(smt::Bv::is_zero);
                if let (true, [_, x]) = (zeros, &list[..]) {
                    return Some(Expr::Zext(Box::new(self.express(d, *x, deep, parts)?), width));
                }
                let made: Option<Vec<Expr>> = list.iter().map(|x| self.express(d, *x, deep, parts)).collect();
                Some(Expr::Concat(made?))
            }
            _ => None,
        }
    }
}
