//! Models, and the value of a term under one: the ground truth every rewrite and solver answer is
//! checked against.

use crate::effort::{Work, count};
use crate::{ArrayVal, Bv, FuncId, Node, Pool, Sort, SymId, TermId};
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
            Value::Array(a) => Sort::Array { index: a.index_width(), elem: a.default_elem().width() },
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
                for (i, e) in a.entries() {
                    write!(f, "{:#x}: {:#x}, ", i.to_big(), e.to_big())?;
                }
                write!(f, "else: {:#x}]", a.default_elem().to_big())
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
                count(Work::Value, 1);
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

    /// The value of a term by those of its children.
    pub(crate) fn eval_node<V>(&self, pool: &Pool, t: TermId, vals: &V) -> Value
    where
        V: for<'t> std::ops::Index<&'t TermId, Output = Value>,
    {
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
