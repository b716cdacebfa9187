//! Models, and the value of a term under one: the ground truth every rewrite and solver answer is
//! checked against.

use crate::{Bv, FuncId, Node, Pool, Sort, SymId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bv(Bv),
    /// An array.
    Array(ArrayVal),
}

/// An array: a default element and the exceptions (never equal to the default).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayVal {
    index: u32,
    default: Bv,
    entries: BTreeMap<Bv, Bv>,
}

impl ArrayVal {
    /// The array that holds `default` at every index of the given width.
    pub fn new(index: u32, default: Bv) -> ArrayVal {
        ArrayVal { index, default, entries: BTreeMap::new() }
    }

    /// The element at an index.
    pub fn get(&self, index: &Bv) -> &Bv {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at an index.
    pub fn set(&mut self, index: Bv, elem: Bv) {
        assert_eq!((index.width(), elem.width()), (self.index, self.default.width()), "array widths");
        let last = self.index <= 16 && index.is_ones();
        if elem == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, elem);
        }
        if last {
            self.rebase();
        }
    }

    /// In a small index space, where entries can cover everything, the default is the last index's
    /// element: equal arrays then look alike.
    fn rebase(&mut self) {
        let d = self.get(&Bv::ones(self.index)).clone();
        if d == self.default {
            return;
        }
        let all = (0..1u128 << self.index).map(|i| Bv::new(self.index, i));
        let entries = all.filter_map(|i| (*self.get(&i) != d).then(|| (i.clone(), self.get(&i).clone())));
        self.entries = entries.collect();
        self.default = d;
    }

    /// `n` neighbouring elements as one bit-vector, the one at `index` least significant.
    pub fn load(&self, index: &Bv, n: u32) -> Bv {
        let one = Bv::one(self.index);
        let mut at = index.clone();
        let mut acc: Option<Bv> = None;
        for _ in 0..n {
            let e = self.get(&at);
            acc = Some(match acc {
                None => e.clone(),
                Some(a) => e.concat(&a),
            });
            at = at.add(&one);
        }
        acc.expect("a load of at least one element")
    }

    /// Writes the elements of `value` from `index` on, least significant first.
    pub fn store(&mut self, index: &Bv, value: &Bv) {
        let e = self.default.width();
        let one = Bv::one(self.index);
        let mut at = index.clone();
        for i in 0..value.width() / e {
            self.set(at.clone(), value.extract((i + 1) * e - 1, i * e));
            at = at.add(&one);
        }
    }

    /// The element at all indices without an entry.
    pub fn default_elem(&self) -> &Bv {
        &self.default
    }

    /// The indices that differ from the default, with their elements.
    pub fn entries(&self) -> impl Iterator<Item = (&Bv, &Bv)> {
        self.entries.iter()
    }

    /// Width of an index.
    pub fn index_width(&self) -> u32 {
        self.index
    }
}

impl Value {
    /// Zero, false, or the array of zeros.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(w) => Value::Bv(Bv::zero(w)),
            Sort::Array { index, elem } => Value::Array(ArrayVal::new(index, Bv::zero(elem))),
        }
    }

    /// The sort it belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(v) => Sort::Bv(v.width()),
            Value::Array(a) => Sort::Array { index: a.index, elem: a.default.width() },
        }
    }

    /// The truth value.
    ///
    /// # Panics
    /// When it is none.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Bv(_) | Value::Array(_) => panic!("expected a Boolean value"),
        }
    }

    /// The bit-vector.
    ///
    /// # Panics
    /// When it is none.
    pub fn as_bv(&self) -> &Bv {
        match self {
            Value::Bv(v) => v,
            Value::Bool(_) | Value::Array(_) => panic!("expected a bit-vector value"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// When it is none.
    pub fn as_array(&self) -> &ArrayVal {
        match self {
            Value::Array(a) => a,
            Value::Bool(_) | Value::Bv(_) => panic!("expected an array value"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv(v) => write!(f, "{:#x}", v.to_big()),
            Value::Array(a) => {
                write!(f, "[")?;
                for (i, e) in &a.entries {
                    write!(f, "{:#x}: {:#x}, ", i.to_big(), e.to_big())?;
                }
                write!(f, "else: {:#x}]", a.default.to_big())
            }
        }
    }
}

/// An uninterpreted function's graph: listed points and a default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FuncVal {
    /// Results at the listed arguments.
    pub points: BTreeMap<Vec<Value>, Value>,
    /// The result elsewhere (the sort's zero when absent).
    pub default: Option<Value>,
}

/// Values for symbols and functions; what is not listed is zero, false, or all zeros.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Values of symbols.
    pub symbols: BTreeMap<SymId, Value>,
    /// Graphs of functions.
    pub funcs: BTreeMap<FuncId, FuncVal>,
}

impl Model {
    /// The model in which everything is zero.
    pub fn new() -> Model {
        Model::default()
    }

    /// The value of a symbol.
    pub fn symbol(&self, pool: &Pool, s: SymId) -> Value {
        self.symbols.get(&s).cloned().unwrap_or_else(|| Value::default_of(pool.symbol(s).sort))
    }

    /// Gives a variable term its value.
    ///
    /// # Panics
    /// When the term is no variable, or the sorts differ.
    pub fn set(&mut self, pool: &Pool, var: TermId, value: Value) {
        let Node::Var(s) = pool.node(var) else { panic!("a model gives values to variables only") };
        assert_eq!(pool.sort(var), value.sort(), "a value of another sort");
        self.symbols.insert(*s, value);
    }

    /// The result of a function.
    pub fn call(&self, pool: &Pool, f: FuncId, args: &[Value]) -> Value {
        self.funcs
            .get(&f)
            .and_then(|v| v.points.get(args).or(v.default.as_ref()))
            .cloned()
            .unwrap_or_else(|| Value::default_of(pool.func_decl(f).ret))
    }

    /// The value of a term.
    pub fn eval(&self, pool: &Pool, t: TermId) -> Value {
        self.eval_all(pool, &[t]).pop().expect("one term, one value")
    }

    /// The values of several terms, shared parts worked out once.
    pub fn eval_all(&self, pool: &Pool, ts: &[TermId]) -> Vec<Value> {
        self.eval_cached(pool, ts, &mut FxHashMap::default())
    }

    /// [`Model::eval_all`] with the values of parts kept between calls. The cache is good for this
    /// model and pool only.
    pub fn eval_cached(
        &self,
        pool: &Pool,
        ts: &[TermId],
        cache: &mut FxHashMap<TermId, Value>,
    ) -> Vec<Value> {
        let mut stack: Vec<(TermId, bool)> = ts.iter().map(|t| (*t, false)).collect();
        while let Some((t, ready)) = stack.pop() {
            if cache.contains_key(&t) {
                continue;
            }
            if ready {
                let v = self.eval_node(pool, t, cache);
                cache.insert(t, v);
            } else {
                stack.push((t, true));
                pool.for_children(t, |c| stack.push((c, false)));
            }
        }
        ts.iter().map(|t| cache[t].clone()).collect()
    }

    /// Is a Boolean term true here?
    pub fn holds(&self, pool: &Pool, t: TermId) -> bool {
        self.eval(pool, t).as_bool()
    }

    fn eval_node(&self, pool: &Pool, t: TermId, vals: &FxHashMap<TermId, Value>) -> Value {
        let bv = |x: &TermId| vals[x].as_bv();
        let all = |xs: &[TermId], f: fn(&Bv, &Bv) -> Bv| {
            let mut acc = bv(&xs[0]).clone();
            for x in &xs[1..] {
                acc = f(&acc, bv(x));
            }
            Value::Bv(acc)
        };
        match pool.node(t) {
            Node::Bool(b) => Value::Bool(*b),
            Node::Const(v) => Value::Bv(v.clone()),
            Node::Var(s) => self.symbol(pool, *s),
            Node::Not(a) => Value::Bool(!vals[a].as_bool()),
            Node::And(xs) => Value::Bool(xs.iter().all(|x| vals[x].as_bool())),
            Node::Eq(a, b) => Value::Bool(vals[a] == vals[b]),
            Node::Ult(a, b) => Value::Bool(bv(a).ucmp(bv(b)).is_lt()),
            Node::Slt(a, b) => Value::Bool(bv(a).scmp(bv(b)).is_lt()),
            Node::Ite(c, a, b) => vals[if vals[c].as_bool() { a } else { b }].clone(),
            Node::Lin(xs, k) => {
                let mut acc = k.clone();
                for (x, c) in xs.iter() {
                    acc = acc.add(&bv(x).mul(c));
                }
                Value::Bv(acc)
            }
            Node::Mul(xs) => all(xs, Bv::mul),
            Node::UDiv(a, b) => Value::Bv(bv(a).udiv(bv(b))),
            Node::URem(a, b) => Value::Bv(bv(a).urem(bv(b))),
            Node::SDiv(a, b) => Value::Bv(bv(a).sdiv(bv(b))),
            Node::SRem(a, b) => Value::Bv(bv(a).srem(bv(b))),
            Node::BvNot(a) => Value::Bv(bv(a).not()),
            Node::BvAnd(xs) => all(xs, Bv::and),
            Node::BvOr(xs) => all(xs, Bv::or),
            Node::BvXor(xs) => all(xs, Bv::xor),
            Node::Shl(a, b) => Value::Bv(bv(a).shl(bv(b))),
            Node::Lshr(a, b) => Value::Bv(bv(a).lshr(bv(b))),
            Node::Ashr(a, b) => Value::Bv(bv(a).ashr(bv(b))),
            Node::Concat(xs) => all(xs, Bv::concat),
            Node::Extract(hi, lo, a) => Value::Bv(bv(a).extract(*hi, *lo)),
            Node::SExt(a) => Value::Bv(bv(a).sext(pool.width(t))),
            Node::Select(m, i) => {
                let n = pool.width(t) / pool.array_widths(*m).1;
                Value::Bv(vals[m].as_array().load(bv(i), n))
            }
            Node::Store(m, ws) => {
                let mut a = vals[m].as_array().clone();
                for (i, v) in ws.iter() {
                    a.store(bv(i), bv(v));
                }
                Value::Array(a)
            }
            Node::ConstArray(e) => Value::Array(ArrayVal::new(pool.array_widths(t).0, bv(e).clone())),
            Node::Apply(f, xs) => {
                let args: Vec<Value> = xs.iter().map(|x| vals[x].clone()).collect();
                self.call(pool, *f, &args)
            }
        }
    }
}
