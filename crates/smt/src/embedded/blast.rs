//! Terms to bits. Arrays go first: a read over writes becomes a choice, reads of an array variable
//! become fresh words that agree where their indices do, an equality of arrays gets a witness for
//! its falsity and is instantiated at every index in play for its truth. Functions likewise.
//!
//! Everything added is a definition or holds in every model, so an unsatisfiable answer is right;
//! instantiation may be incomplete, so a satisfiable one is checked by evaluation (in the parent).

use super::gates::{Gates, Word};
use super::lemmas::Lazy;
use super::sat::{Found, Lit, Stop};
use crate::effort::{Deadline, Work, count};
use crate::{ArrayVal, Bv, FuncId, Limits, Model, Node, Pool, Sort, SymId, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bits of a term.
#[derive(Clone)]
pub(super) enum Bits {
    Bool(Lit),
    Word(Word),
    /// An array: handled where it is read.
    Array,
}

struct Read {
    index: TermId,
    index_bits: Word,
    elem: Word,
}

/// An application met.
pub(super) struct Call {
    pub(super) args: Vec<TermId>,
    pub(super) result: Bits,
    /// The application, where its congruence is left to lemmas.
    pub(super) of: Option<TermId>,
}

struct ArrayEq {
    a: TermId,
    b: TermId,
    lit: Lit,
    done: FxHashSet<TermId>,
}

pub(crate) struct Blaster {
    pub(super) g: Gates,
    pub(super) bits: FxHashMap<TermId, Bits>,
    elems: FxHashMap<(TermId, TermId), Word>,
    reads: FxHashMap<TermId, Vec<Read>>,
    pub(super) calls: FxHashMap<FuncId, Vec<Call>>,
    eqs: Vec<ArrayEq>,
    /// Indices at which arrays of a sort are looked at.
    indices: FxHashMap<Sort, Vec<TermId>>,
    index_set: FxHashSet<(Sort, TermId)>,
    vars: Vec<SymId>,
    pool_id: u64,
    /// Where reads, products, quotients and applications start as unknowns, what is known of them.
    pub(super) lazy: Option<Lazy>,
}

impl Blaster {
    /// A blaster that starts with unknowns for what is costly and adds what they must fulfil on demand.
    pub fn lazy(patience: u64) -> Blaster {
        Blaster { lazy: Some(Lazy::default()), ..Blaster::new(patience) }
    }

    pub fn new(patience: u64) -> Blaster {
        Blaster {
            g: Gates::new(patience),
            bits: FxHashMap::default(),
            elems: FxHashMap::default(),
            reads: FxHashMap::default(),
            calls: FxHashMap::default(),
            eqs: Vec::new(),
            indices: FxHashMap::default(),
            index_set: FxHashSet::default(),
            vars: Vec::new(),
            pool_id: 0,
            lazy: None,
        }
    }

    /// Were the terms seen so far of another pool?
    pub fn belongs_to_other(&mut self, pool: &Pool) -> bool {
        let other = self.pool_id != 0 && self.pool_id != pool.id();
        self.pool_id = pool.id();
        other
    }

    pub fn vars(&self) -> u32 {
        self.g.sat.vars()
    }

    pub fn limit(&mut self, max_vars: u32, deadline: Deadline) {
        self.g.max_vars = max_vars;
        self.g.deadline = deadline;
    }

    pub fn overflown(&self) -> Option<Stop> {
        self.g.overflown()
    }

    pub fn solve(&mut self, lits: &[Lit], deadline: Deadline, limits: &Limits) -> Found {
        self.g.sat.solve(lits, deadline, limits.memory)
    }

    /// Did the last refutation take an assumption? None where that is not known.
    pub fn in_core(&self, l: Lit) -> Option<bool> {
        self.g.sat.in_core(l)
    }

    /// The literal of a Boolean term.
    pub fn bool(&mut self, pool: &mut Pool, t: TermId) -> Lit {
        self.blast(pool, t);
        self.bool_of(t)
    }

    pub(super) fn word_at(&mut self, pool: &mut Pool, t: TermId) -> Word {
        self.blast(pool, t);
        self.word_of(t)
    }

    fn bool_of(&self, t: TermId) -> Lit {
        match self.bits.get(&t) {
            Some(Bits::Bool(l)) => *l,
            // Only after a limit was hit, when results don't matter any more.
            Some(Bits::Word(_) | Bits::Array) | None => Lit::FALSE,
        }
    }

    pub(super) fn word_of(&self, t: TermId) -> Word {
        match self.bits.get(&t) {
            Some(Bits::Word(w)) => w.clone(),
            Some(Bits::Bool(_) | Bits::Array) | None => Vec::new(),
        }
    }

    /// Makes the bits of a term and all its parts.
    fn blast(&mut self, pool: &mut Pool, root: TermId) {
        let mut stack = vec![(root, false)];
        let mut steps = 0u32;
        while let Some((t, ready)) = stack.pop() {
            if self.bits.contains_key(&t) {
                continue;
            }
            steps += 1;
            count(Work::Node, 1);
            if steps & 0xff == 0 && self.g.check_limits() {
                return;
            }
            if self.g.overflown().is_some() {
                return;
            }
            if ready {
                let b = self.node(pool, t);
                self.bits.insert(t, b);
            } else {
                stack.push((t, true));
                match pool.node(t) {
                    // What an array holds is looked at when it matters.
                    Node::Select(_, i) if self.lazy.is_some() => stack.push((*i, false)),
                    Node::Eq(a, _) if self.lazy.is_some() && matches!(pool.sort(*a), Sort::Array { .. }) => {}
                    _ => pool.for_children(t, |c| stack.push((c, false))),
                }
            }
        }
    }

    fn node(&mut self, pool: &mut Pool, t: TermId) -> Bits {
        let node = pool.node(t).clone();
        let word = |s: &Self, x: TermId| s.word_of(x);
        if let Some(bits) = self.postpone(pool, t, &node) {
            return bits;
        }
        match node {
            Node::Bool(b) => Bits::Bool(if b { Lit::TRUE } else { Lit::FALSE }),
            Node::Const(v) => Bits::Word(self.g.word(&v)),
            Node::Var(s) => {
                self.vars.push(s);
                match pool.sort(t) {
                    Sort::Bool => Bits::Bool(self.g.fresh()),
                    Sort::Bv(w) => Bits::Word(self.g.fresh_word(w)),
                    Sort::Array { .. } => Bits::Array,
                }
            }
            Node::Not(a) => Bits::Bool(!self.bool_of(a)),
            Node::And(xs) => {
                let ls: Vec<Lit> = xs.iter().map(|x| self.bool_of(*x)).collect();
                Bits::Bool(self.g.and_all(&ls))
            }
            Node::Eq(a, b) => Bits::Bool(match pool.sort(a) {
                Sort::Bool => {
                    let (x, y) = (self.bool_of(a), self.bool_of(b));
                    !self.g.xor(x, y)
                }
                Sort::Bv(_) => {
                    let (x, y) = (word(self, a), word(self, b));
                    self.g.eq(&x, &y)
                }
                Sort::Array { .. } => self.array_eq(pool, a, b),
            }),
            Node::Ult(a, b) => self.compared(a, b, Gates::ult),
            Node::Slt(a, b) => self.compared(a, b, Gates::slt),
            Node::Ite(c, a, b) => {
                let c = self.bool_of(c);
                match pool.sort(t) {
                    Sort::Bool => {
                        let (x, y) = (self.bool_of(a), self.bool_of(b));
                        Bits::Bool(self.g.mux(c, x, y))
                    }
                    Sort::Bv(_) => {
                        let (x, y) = (word(self, a), word(self, b));
                        Bits::Word(self.g.mux_word(c, &x, &y))
                    }
                    Sort::Array { .. } => Bits::Array,
                }
            }
            Node::Lin(xs, k) => self.linear(&xs, &k),
            Node::Mul(xs) => self.fold(&xs, Gates::mul),
            Node::UDiv(a, b) => self.computed(a, b, |g, x, y| g.udivrem(x, y).0),
            Node::URem(a, b) => self.computed(a, b, |g, x, y| g.udivrem(x, y).1),
            Node::SDiv(a, b) => self.computed(a, b, Gates::sdiv),
            Node::SRem(a, b) => self.computed(a, b, Gates::srem),
            Node::BvNot(a) => {
                let x = word(self, a);
                Bits::Word(self.g.not_word(&x))
            }
            Node::BvAnd(xs) => self.fold(&xs, |g, a, b| g.zip(a, b, Gates::and)),
            Node::BvOr(xs) => self.fold(&xs, |g, a, b| g.zip(a, b, Gates::or)),
            Node::BvXor(xs) => self.fold(&xs, |g, a, b| g.zip(a, b, Gates::xor)),
            Node::Shl(a, b) => self.computed(a, b, |g, x, y| g.shift(x, y, true, Lit::FALSE)),
            Node::Lshr(a, b) => self.computed(a, b, |g, x, y| g.shift(x, y, false, Lit::FALSE)),
            Node::Ashr(a, b) => self.computed(a, b, |g, x, y| g.shift(x, y, false, x[x.len() - 1])),
            Node::Concat(xs) => {
                let mut out = Vec::new();
                for x in xs.iter().rev() {
                    out.extend(word(self, *x));
                }
                Bits::Word(out)
            }
            Node::Extract(hi, lo, a) => Bits::Word(word(self, a)[lo as usize..=hi as usize].to_vec()),
            Node::SExt(a) => {
                let mut x = word(self, a);
                let sign = x[x.len() - 1];
                x.resize(pool.width(t) as usize, sign);
                Bits::Word(x)
            }
            Node::Select(m, i) => {
                let (_, elem) = pool.array_widths(m);
                let n = pool.width(t) / elem;
                let mut out = Vec::new();
                for k in 0..n {
                    let at = pool.add_num(i, i128::from(k));
                    out.extend(self.elem(pool, m, at));
                }
                Bits::Word(out)
            }
            Node::Store(..) | Node::ConstArray(_) => Bits::Array,
            Node::Apply(f, args) => self.call(pool, f, &args),
        }
    }

    /// A comparison of two words.
    fn compared(&mut self, a: TermId, b: TermId, f: impl Fn(&mut Gates, &[Lit], &[Lit]) -> Lit) -> Bits {
        let (x, y) = (self.word_of(a), self.word_of(b));
        Bits::Bool(f(&mut self.g, &x, &y))
    }

    /// An operation on two words.
    fn computed(&mut self, a: TermId, b: TermId, f: impl Fn(&mut Gates, &[Lit], &[Lit]) -> Word) -> Bits {
        let (x, y) = (self.word_of(a), self.word_of(b));
        Bits::Word(f(&mut self.g, &x, &y))
    }

    /// A sum of multiples and a constant.
    fn linear(&mut self, xs: &[(TermId, Bv)], k: &Bv) -> Bits {
        let mut acc = self.g.word(k);
        for (x, c) in xs {
            let x = self.word_of(*x);
            acc = if c.is_ones() {
                self.g.sub(&acc, &x)
            } else if c.sign() {
                let p = self.g.mul_const(&x, &c.neg());
                self.g.sub(&acc, &p)
            } else {
                let p = self.g.mul_const(&x, c);
                self.g.add(&acc, &p, Lit::FALSE)
            };
        }
        Bits::Word(acc)
    }

    fn fold(&mut self, xs: &[TermId], f: impl Fn(&mut Gates, &[Lit], &[Lit]) -> Word) -> Bits {
        let mut acc = self.word_of(xs[0]);
        for x in &xs[1..] {
            let y = self.word_of(*x);
            acc = f(&mut self.g, &acc, &y);
        }
        Bits::Word(acc)
    }

    /// The bits of the element of an array at an index term.
    fn elem(&mut self, pool: &mut Pool, array: TermId, index: TermId) -> Word {
        let width = pool.array_widths(array).1 as usize;
        let sort = pool.sort(array);
        if self.index_set.insert((sort, index)) {
            self.indices.entry(sort).or_default().push(index);
        }
        let mut stack = vec![(array, false)];
        while let Some((a, ready)) = stack.pop() {
            if self.elems.contains_key(&(a, index)) {
                continue;
            }
            if self.g.overflown().is_some() {
                return vec![Lit::FALSE; width];
            }
            let w = match pool.node(a).clone() {
                Node::ConstArray(e) => self.word_at(pool, e),
                Node::Ite(c, x, y) => {
                    if !ready {
                        stack.extend([(a, true), (x, false), (y, false)]);
                        continue;
                    }
                    let c = self.bool(pool, c);
                    let (x, y) = (self.elems[&(x, index)].clone(), self.elems[&(y, index)].clone());
                    self.g.mux_word(c, &x, &y)
                }
                Node::Store(below, writes) => {
                    if !ready {
                        stack.extend([(a, true), (below, false)]);
                        continue;
                    }
                    let mut acc = self.elems[&(below, index)].clone();
                    for &(at, v) in writes.iter() {
                        acc = self.over_write(pool, index, at, v, acc);
                    }
                    acc
                }
                _ => self.read(pool, a, index),
            };
            self.elems.insert((a, index), w);
        }
        self.elems[&(array, index)].clone()
    }

    /// The element at `index` after the write of `v` at `at`, `below` being the one before.
    fn over_write(&mut self, pool: &mut Pool, index: TermId, at: TermId, v: TermId, below: Word) -> Word {
        let elem = below.len();
        let value = self.word_at(pool, v);
        let n = value.len() / elem;
        let d = pool.sub(index, at);
        let mut acc = below;
        for k in 0..n {
            let w = pool.width(d);
            let k_term = pool.num(w, k as u128);
            let hit = pool.eq(d, k_term);
            let hit = self.bool(pool, hit);
            acc = self.g.mux_word(hit, &value[k * elem..(k + 1) * elem], &acc);
            if self.g.overflown().is_some() {
                break;
            }
        }
        acc
    }

    /// A read of an array that is no write, choice or constant.
    fn read(&mut self, pool: &mut Pool, array: TermId, index: TermId) -> Word {
        let (_, elem) = pool.array_widths(array);
        let index_bits = self.word_at(pool, index);
        let word = self.g.fresh_word(elem);
        let mut reads = self.reads.remove(&array).unwrap_or_default();
        for r in &reads {
            let same = pool.eq(r.index, index);
            if pool.as_bool(same) == Some(false) {
                continue;
            }
            let same = self.bool(pool, same);
            for (x, y) in r.elem.iter().zip(&word) {
                self.g.sat.clause(&[!same, !*x, *y]);
                self.g.sat.clause(&[!same, *x, !*y]);
            }
            if self.g.check_limits() {
                break;
            }
        }
        reads.push(Read { index, index_bits, elem: word.clone() });
        // Reads met while the conditions were blasted come after the ones before them.
        let late = self.reads.remove(&array).unwrap_or_default();
        for l in &late {
            let same = self.g.eq(&l.index_bits, &reads[reads.len() - 1].index_bits);
            for (x, y) in l.elem.iter().zip(&word) {
                self.g.sat.clause(&[!same, !*x, *y]);
                self.g.sat.clause(&[!same, *x, !*y]);
            }
        }
        for l in &late {
            for r in &reads[..reads.len() - 1] {
                let same = self.g.eq(&l.index_bits, &r.index_bits);
                for (x, y) in l.elem.iter().zip(&r.elem) {
                    self.g.sat.clause(&[!same, !*x, *y]);
                    self.g.sat.clause(&[!same, *x, !*y]);
                }
            }
        }
        reads.extend(late);
        self.reads.insert(array, reads);
        word
    }

    fn call(&mut self, pool: &mut Pool, f: FuncId, args: &[TermId]) -> Bits {
        let result = match pool.func_decl(f).ret {
            Sort::Bool => Bits::Bool(self.g.fresh()),
            Sort::Bv(w) => Bits::Word(self.g.fresh_word(w)),
            Sort::Array { .. } => return Bits::Array,
        };
        let n = self.calls.get(&f).map_or(0, Vec::len);
        for i in 0..n {
            let (other, before) = {
                let c = &self.calls[&f][i];
                (c.args.clone(), c.result.clone())
            };
            let ways: Vec<TermId> =
                orders(other, pool.commutes(f)).iter().map(|order| same_terms(pool, order, args)).collect();
            let same = pool.or_all(&ways);
            if pool.as_bool(same) == Some(false) {
                continue;
            }
            let same = self.bool(pool, same);
            match (&before, &result) {
                (Bits::Bool(x), Bits::Bool(y)) => {
                    self.g.sat.clause(&[!same, !*x, *y]);
                    self.g.sat.clause(&[!same, *x, !*y]);
                }
                (Bits::Word(xs), Bits::Word(ys)) => {
                    for (x, y) in xs.iter().zip(ys) {
                        self.g.sat.clause(&[!same, !*x, *y]);
                        self.g.sat.clause(&[!same, *x, !*y]);
                    }
                }
                (Bits::Array | Bits::Bool(_) | Bits::Word(_), _) => {}
            }
            if self.g.check_limits() {
                break;
            }
        }
        self.calls.entry(f).or_default().push(Call { args: args.to_vec(), result: result.clone(), of: None });
        result
    }

    /// A literal that is false only where the arrays differ at a witness; [`Blaster::finish`] makes
    /// it true only where they agree at every index in play.
    fn array_eq(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> Lit {
        let lit = self.g.fresh();
        let (iw, _) = pool.array_widths(a);
        let k = pool.fresh("differ", Sort::Bv(iw));
        let (x, y) = (self.elem(pool, a, k), self.elem(pool, b, k));
        let same = self.g.eq(&x, &y);
        self.g.sat.clause(&[lit, !same]);
        self.eqs.push(ArrayEq { a, b, lit, done: FxHashSet::default() });
        // The places written take part.
        let sort = pool.sort(a);
        let arrays: Vec<TermId> =
            pool.postorder(&[a, b]).into_iter().filter(|t| pool.sort(*t) == sort).collect();
        for t in arrays {
            let Node::Store(_, ws) = pool.node(t).clone() else { continue };
            for &(at, v) in ws.iter() {
                for e in 0..pool.width(v) / pool.array_widths(a).1 {
                    let i = pool.add_num(at, i128::from(e));
                    if self.index_set.insert((sort, i)) {
                        self.indices.entry(sort).or_default().push(i);
                    }
                }
            }
        }
        lit
    }

    /// Instantiates the equalities of arrays at all indices in play.
    pub fn finish(&mut self, pool: &mut Pool) {
        let mut changed = true;
        while changed && self.g.overflown().is_none() {
            changed = false;
            for e in 0..self.eqs.len() {
                let (a, b, lit) = (self.eqs[e].a, self.eqs[e].b, self.eqs[e].lit);
                let sort = pool.sort(a);
                let all = self.indices.get(&sort).cloned().unwrap_or_default();
                for i in all {
                    if !self.eqs[e].done.insert(i) {
                        continue;
                    }
                    changed = true;
                    let (x, y) = (self.elem(pool, a, i), self.elem(pool, b, i));
                    let same = self.g.eq(&x, &y);
                    self.g.sat.clause(&[!lit, same]);
                    if self.g.check_limits() {
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn value(&mut self, w: &[Lit]) -> Bv {
        let mut v = Bv::zero(w.len() as u32);
        for (i, l) in w.iter().enumerate() {
            if self.g.sat.value(*l) {
                v = v.or(&Bv::bit_at(w.len() as u32, i as u32));
            }
        }
        v
    }

    /// The model of the last satisfiable search.
    pub fn model(&mut self, pool: &Pool) -> Model {
        let mut m = Model::new();
        for s in self.vars.clone() {
            // What the query is not about may have any value.
            if self.lazy.as_ref().is_some_and(|l| !l.near(pool.symbol_term(s))) {
                continue;
            }
            let Some(bits) = self.bits.get(&pool.symbol_term(s)).cloned() else { continue };
            let v = match bits {
                Bits::Bool(l) => Value::Bool(self.g.sat.value(l)),
                Bits::Word(w) => Value::Bv(self.value(&w)),
                Bits::Array => self.array_value(pool, pool.symbol_term(s)),
            };
            m.symbols.insert(s, v);
        }
        let funcs: Vec<FuncId> = self.calls.keys().copied().collect();
        // Arguments are evaluated bottom up: an application inside another's arguments is older.
        let mut calls: Vec<(TermId, FuncId, Vec<TermId>, Bits)> = Vec::new();
        for f in funcs {
            for c in &self.calls[&f] {
                if c.of.is_some_and(|t| self.lazy.as_ref().is_some_and(|l| !l.near(t))) {
                    continue;
                }
                let newest = c.args.iter().copied().max().unwrap_or(TermId(0));
                calls.push((newest, f, c.args.clone(), c.result.clone()));
            }
        }
        calls.sort_by_key(|c| c.0);
        for (_, f, args, result) in calls {
            let args = m.eval_all(pool, &args);
            let v = match result {
                Bits::Bool(l) => Value::Bool(self.g.sat.value(l)),
                Bits::Word(w) => Value::Bv(self.value(&w)),
                Bits::Array => continue,
            };
            m.funcs.entry(f).or_default().points.insert(args, v);
        }
        m
    }

    fn array_value(&mut self, pool: &Pool, array: TermId) -> Value {
        let (index, elem) = pool.array_widths(array);
        let mut a = ArrayVal::new(index, Bv::zero(elem));
        let reads: Vec<(Word, Word)> = self
            .reads
            .get(&array)
            .map(|rs| rs.iter().map(|r| (r.index_bits.clone(), r.elem.clone())).collect())
            .unwrap_or_default();
        for (i, e) in reads {
            let (i, e) = (self.value(&i), self.value(&e));
            a.set(i, e);
        }
        Value::Array(a)
    }
}

/// The orders in which an application's arguments mean the same: the given one and, where the function commutes, that
/// with the first two exchanged.
pub(super) fn orders(args: Vec<TermId>, commutes: bool) -> Vec<Vec<TermId>> {
    if !commutes {
        return vec![args];
    }
    let mut swapped = args.clone();
    swapped.swap(0, 1);
    vec![args, swapped]
}

/// Whether terms are equal one by one, as a formula.
fn same_terms(pool: &mut Pool, xs: &[TermId], ys: &[TermId]) -> TermId {
    let same: Vec<TermId> = xs.iter().zip(ys).map(|(x, y)| pool.eq(*x, *y)).collect();
    pool.and_all(&same)
}
