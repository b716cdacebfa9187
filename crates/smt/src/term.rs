//! The term arena: sorts, nodes, hash-consing.
//!
//! A term is a [`TermId`] into a [`Pool`]; two terms with the same id are the same term, and the
//! constructors (in `build`) bring many equal terms to one id. Nodes are only ever built by those
//! constructors, so a [`Node`] read back obeys the normal form stated at each variant.

use crate::effort::{Work, count};
use crate::{Bv, Operation};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A term: an index into its [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The index in the pool; arguments have smaller indices than the term that uses them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A declared constant of the signature (a "variable" of formulas).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymId(pub(crate) u32);

/// A declared uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub(crate) u32);

/// What a term ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a width of at least 1.
    Bv(u32),
    /// Total maps from bit-vectors to bit-vectors.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        elem: u32,
    },
}

impl Sort {
    /// Byte-addressed memory with addresses of the given width.
    pub fn memory(address: u32) -> Sort {
        Sort::Array { index: address, elem: 8 }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Bv(w) => write!(f, "(_ BitVec {w})"),
            Sort::Array { index, elem } => write!(f, "(Array (_ BitVec {index}) (_ BitVec {elem}))"),
        }
    }
}

/// A declared constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its unique name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// A declared uninterpreted function; arguments and result are Booleans or bit-vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncDecl {
    /// Its unique name.
    pub name: String,
    /// Sorts of the arguments (Booleans, bit-vectors or arrays).
    pub args: Vec<Sort>,
    /// Sort of the result.
    pub ret: Sort,
    /// The operation it stands for, where that is one of a program.
    pub operation: Option<Operation>,
}

/// What a term is. Argument lists are in the normal form the constructors keep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// A bit-vector constant.
    Const(Bv),
    /// A declared constant.
    Var(SymId),
    /// Negation; never of a constant or a negation.
    Not(TermId),
    /// Conjunction of at least two, sorted, no duplicates, no nested conjunction.
    And(Box<[TermId]>),
    /// Equality of two terms of any one sort, the smaller id first.
    Eq(TermId, TermId),
    /// Unsigned less-than.
    Ult(TermId, TermId),
    /// Signed less-than.
    Slt(TermId, TermId),
    /// If-then-else of any sort; the condition is never a negation.
    Ite(TermId, TermId, TermId),
    /// Linear combination `sum of coefficient * term + constant`, modulo `2^width`; terms sorted
    /// and distinct, coefficients non-zero, never a single term with coefficient 1 and constant 0.
    Lin(Box<[(TermId, Bv)]>, Bv),
    /// Product of at least two non-constant factors, sorted (repetition allowed).
    Mul(Box<[TermId]>),
    /// Unsigned quotient (all ones for divisor zero).
    UDiv(TermId, TermId),
    /// Unsigned remainder (the dividend for divisor zero).
    URem(TermId, TermId),
    /// Signed quotient, towards zero.
    SDiv(TermId, TermId),
    /// Signed remainder, sign of the dividend.
    SRem(TermId, TermId),
    /// Bitwise complement; never of a constant, complement or linear combination.
    BvNot(TermId),
    /// Bitwise and of at least two, sorted, distinct.
    BvAnd(Box<[TermId]>),
    /// Bitwise or of at least two, sorted, distinct.
    BvOr(Box<[TermId]>),
    /// Bitwise exclusive or of at least two, sorted, distinct.
    BvXor(Box<[TermId]>),
    /// Left shift by an amount that is not a constant.
    Shl(TermId, TermId),
    /// Logical right shift by an amount that is not a constant.
    Lshr(TermId, TermId),
    /// Arithmetic right shift by an amount that is not a constant.
    Ashr(TermId, TermId),
    /// Concatenation of at least two parts, most significant first, no nested concatenation,
    /// neighbouring constants and extracts merged. Zero extension is a leading zero part.
    Concat(Box<[TermId]>),
    /// Bits `hi` to `lo` of a term.
    Extract(u32, u32, TermId),
    /// Sign extension to the sort's width.
    SExt(TermId),
    /// `Select(array, index)`: the elements from `index` on that fill the sort's width, the one at
    /// `index` least significant.
    Select(TermId, TermId),
    /// `Store(array, writes)`: pairs (index, value) that provably don't overlap, sorted; a value
    /// spans as many elements as its width says, least significant at the index.
    Store(TermId, Box<[(TermId, TermId)]>),
    /// The array that holds this element everywhere.
    ConstArray(TermId),
    /// Application of an uninterpreted function.
    Apply(FuncId, Box<[TermId]>),
}

#[derive(Clone)]
struct Entry {
    node: Node,
    sort: Sort,
    /// Bits known whatever the variables hold, if any.
    known: Option<Box<crate::build::KnownBits>>,
}

/// The arena of terms, with the signature (symbols and functions) they use.
#[derive(Clone)]
pub struct Pool {
    id: PoolId,
    entries: Vec<Entry>,
    table: FxHashMap<(Node, Sort), TermId>,
    syms: Vec<Symbol>,
    sym_terms: Vec<TermId>,
    sym_names: FxHashMap<String, SymId>,
    funcs: Vec<FuncDecl>,
    func_names: FxHashMap<String, FuncId>,
    fresh: u64,
    pub(crate) depth: u32,
    pub(crate) extract_memo: crate::build::Extracts,
    /// How often a rewrite was left out for a limit.
    pub(crate) cut_short: u64,
    /// The work that rewrites may take.
    pub(crate) rewrites: crate::build::Rewrites,
    pub(crate) objects: FxHashMap<TermId, u64>,
    pub(crate) known_apart: Option<crate::build::Apart>,
    pub(crate) promised: Option<Box<crate::build::Promises>>,
}

/// Identity of a pool: cloning makes a new one, since the clones' terms diverge.
struct PoolId(u64);

impl PoolId {
    fn fresh() -> PoolId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        PoolId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for PoolId {
    fn clone(&self) -> Self {
        PoolId::fresh()
    }
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Pool {
        Pool {
            id: PoolId::fresh(),
            entries: Vec::new(),
            table: FxHashMap::default(),
            syms: Vec::new(),
            sym_terms: Vec::new(),
            sym_names: FxHashMap::default(),
            funcs: Vec::new(),
            func_names: FxHashMap::default(),
            fresh: 0,
            depth: 0,
            extract_memo: FxHashMap::default(),
            cut_short: 0,
            rewrites: crate::build::Rewrites::default(),
            objects: FxHashMap::default(),
            known_apart: None,
            promised: None,
        }
    }

    /// Tells pools apart; a clone is another pool.
    pub(crate) fn id(&self) -> u64 {
        self.id.0
    }

    /// Is the term the base of a declared object?
    pub fn is_object(&self, t: TermId) -> bool {
        self.objects.contains_key(&t)
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// No terms yet?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The node of a term.
    pub fn node(&self, t: TermId) -> &Node {
        count(Work::Node, 1);
        &self.entries[t.index()].node
    }

    /// The sort of a term.
    pub fn sort(&self, t: TermId) -> Sort {
        self.entries[t.index()].sort
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// When the term is no bit-vector.
    pub fn width(&self, t: TermId) -> u32 {
        match self.sort(t) {
            Sort::Bv(w) => w,
            s @ (Sort::Bool | Sort::Array { .. }) => panic!("expected a bit-vector, found sort {s}"),
        }
    }

    /// The (index, element) widths of an array term.
    ///
    /// # Panics
    /// When the term is no array.
    pub fn array_widths(&self, t: TermId) -> (u32, u32) {
        match self.sort(t) {
            Sort::Array { index, elem } => (index, elem),
            s @ (Sort::Bool | Sort::Bv(_)) => panic!("expected an array, found sort {s}"),
        }
    }

    /// The value, when the term is a bit-vector constant.
    pub fn as_const(&self, t: TermId) -> Option<&Bv> {
        match self.node(t) {
            Node::Const(v) => Some(v),
            _ => None,
        }
    }

    /// The truth value, when the term is one.
    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.node(t) {
            Node::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub(crate) fn stored_known(&self, t: TermId) -> Option<&crate::build::KnownBits> {
        self.entries[t.index()].known.as_deref()
    }

    pub(crate) fn note_known(&mut self, t: TermId, known: crate::build::KnownBits) {
        self.entries[t.index()].known = Some(Box::new(known));
    }

    /// A symbol's declaration.
    pub fn symbol(&self, s: SymId) -> &Symbol {
        &self.syms[s.0 as usize]
    }

    /// The term of a symbol.
    pub fn symbol_term(&self, s: SymId) -> TermId {
        self.sym_terms[s.0 as usize]
    }

    /// All symbols declared so far.
    pub fn symbols(&self) -> impl Iterator<Item = (SymId, &Symbol)> {
        self.syms.iter().enumerate().map(|(i, s)| (SymId(i as u32), s))
    }

    /// The symbol of that name, if declared.
    pub fn find_symbol(&self, name: &str) -> Option<SymId> {
        self.sym_names.get(name).copied()
    }

    /// A function's declaration.
    pub fn func_decl(&self, f: FuncId) -> &FuncDecl {
        &self.funcs[f.0 as usize]
    }

    /// The function of that name, if declared.
    pub fn find_func(&self, name: &str) -> Option<FuncId> {
        self.func_names.get(name).copied()
    }

    /// The variable of that name, declared on first use.
    ///
    /// # Panics
    /// When the name is declared with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(&s) = self.sym_names.get(name) {
            let have = self.syms[s.0 as usize].sort;
            assert_eq!(have, sort, "`{name}` is declared with sort {have}, used with {sort}");
            return self.sym_terms[s.0 as usize];
        }
        assert!(!matches!(sort, Sort::Bv(0)), "a bit-vector has at least one bit");
        let id = SymId(self.syms.len() as u32);
        self.syms.push(Symbol { name: name.to_owned(), sort });
        self.sym_names.insert(name.to_owned(), id);
        let t = self.intern(Node::Var(id), sort);
        self.sym_terms.push(t);
        t
    }

    /// A variable that no other name denotes; `prefix` makes it readable.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            self.fresh += 1;
            let name = format!("{prefix}!{}", self.fresh);
            if !self.sym_names.contains_key(&name) {
                return self.var(&name, sort);
            }
        }
    }

    /// The uninterpreted function of that name, declared on first use.
    ///
    /// # Panics
    /// When the name is declared with another signature.
    pub fn func(&mut self, name: &str, args: &[Sort], ret: Sort) -> FuncId {
        if let Some(&f) = self.func_names.get(name) {
            let d = &self.funcs[f.0 as usize];
            assert!(d.args == args && d.ret == ret, "`{name}` is declared with another signature");
            return f;
        }
        let id = FuncId(self.funcs.len() as u32);
        self.funcs.push(FuncDecl { name: name.to_owned(), args: args.to_vec(), ret, operation: None });
        self.func_names.insert(name.to_owned(), id);
        id
    }

    /// The function that stands for an operation not modelled, at these sorts: declared on first use.
    pub fn operation(&mut self, operation: &Operation, args: &[Sort], width: u32) -> FuncId {
        let widths: Vec<u32> = args.iter().map(|s| if let Sort::Bv(w) = s { *w } else { 0 }).collect();
        let f = self.func(&operation.symbol(width, &widths), args, Sort::Bv(width));
        self.funcs[f.0 as usize].operation.get_or_insert_with(|| operation.clone());
        f
    }

    /// Whether a function stands for an operation whose first two arguments may change places.
    pub(crate) fn commutes(&self, f: FuncId) -> bool {
        let decl = self.func_decl(f);
        decl.operation.as_ref().is_some_and(|o| o.commutes)
            && decl.args.len() > 1
            && decl.args[0] == decl.args[1]
    }

    /// The constants that comparisons built so far compare with.
    pub fn compared(&self) -> Vec<crate::Bv> {
        let mut seen = rustc_hash::FxHashSet::default();
        for e in &self.entries {
            let (Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b)) = e.node else { continue };
            for t in [a, b] {
                if matches!(self.node(t), Node::Const(_)) {
                    seen.insert(t);
                }
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all.iter().filter_map(|t| self.as_const(*t).cloned()).collect()
    }

    /// The arguments of a term, in order.
    pub fn children(&self, t: TermId) -> Vec<TermId> {
        let mut out = Vec::new();
        self.for_children(t, |c| out.push(c));
        out
    }

    /// Calls `f` with each argument of a term, in order.
    pub fn for_children(&self, t: TermId, mut f: impl FnMut(TermId)) {
        match self.node(t) {
            Node::Bool(_) | Node::Const(_) | Node::Var(_) => {}
            Node::Not(a) | Node::BvNot(a) | Node::Extract(_, _, a) | Node::SExt(a) | Node::ConstArray(a) => {
                f(*a)
            }
            Node::Eq(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::UDiv(a, b)
            | Node::URem(a, b)
            | Node::SDiv(a, b)
            | Node::SRem(a, b)
            | Node::Shl(a, b)
            | Node::Lshr(a, b)
            | Node::Ashr(a, b)
            | Node::Select(a, b) => {
                f(*a);
                f(*b);
            }
            Node::Ite(a, b, c) => {
                f(*a);
                f(*b);
                f(*c);
            }
            Node::And(xs)
            | Node::Mul(xs)
            | Node::BvAnd(xs)
            | Node::BvOr(xs)
            | Node::BvXor(xs)
            | Node::Concat(xs)
            | Node::Apply(_, xs) => xs.iter().for_each(|x| f(*x)),
            Node::Lin(xs, _) => xs.iter().for_each(|(x, _)| f(*x)),
            Node::Store(a, ws) => {
                f(*a);
                for (i, v) in ws.iter() {
                    f(*i);
                    f(*v);
                }
            }
        }
    }

    /// All terms reachable from the roots, arguments before their users.
    pub fn postorder(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                self.for_children(t, |c| stack.push(c));
            }
        }
        let mut out: Vec<TermId> = seen.into_iter().collect();
        out.sort_unstable();
        out
    }

    /// The id of the node, which the caller has brought to normal form.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> TermId {
        count(Work::Term, 1);
        let key = (node, sort);
        if let Some(&t) = self.table.get(&key) {
            return t;
        }
        let id = TermId(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms"));
        let known = match sort {
            Sort::Bv(w) => self.infer_known(&key.0, w),
            Sort::Bool | Sort::Array { .. } => None,
        };
        self.entries.push(Entry { node: key.0.clone(), sort, known });
        self.table.insert(key, id);
        id
    }
}
