//! The constructors of terms: every rewrite that brings equal terms to one id happens here.
//!
//! Each rule is an equality valid for all values (SMT-LIB meaning), so it is usable anywhere.
//! Rules that recurse into arguments stop at a depth limit and then build the plain node:
//! a weaker normal form, never a wrong one.

mod apart;
mod arith;
mod array;
mod bits;
mod bools;
mod cmp;
mod divconst;
mod extract;
mod halves;
mod known_bits;
mod objects;
mod promises;
mod remainder;

pub use apart::Apart;
pub(crate) use known_bits::KnownBits;
pub use promises::Promises;

use crate::effort::Deadline;
use crate::{Bv, FuncId, Node, Pool, Sort, TermId};
use rustc_hash::FxHashMap;

/// How deep rewrites follow a term before they leave it as it is.
const DEPTH: u32 = 40;
/// Rewrites between two looks at the deadline.
const ASKED_EACH: u32 = 1 << 10;

/// Extractions done before: bits, and what they are of; and the depth from which on that is what a call would find.
pub(crate) type Extracts = FxHashMap<(u32, u32, TermId), (TermId, u32)>;

/// How much work rewrites may take, and whether it was taken.
#[derive(Clone, Debug)]
pub(crate) struct Rewrites {
    end: Deadline,
    asked: u32,
    over: bool,
}

impl Default for Rewrites {
    fn default() -> Self {
        Rewrites { end: Deadline::NEVER, asked: 0, over: false }
    }
}

impl Pool {
    /// A truth value.
    pub fn bool(&mut self, b: bool) -> TermId {
        self.intern(Node::Bool(b), Sort::Bool)
    }

    /// A bit-vector constant.
    pub fn constant(&mut self, v: Bv) -> TermId {
        let w = v.width();
        self.intern(Node::Const(v), Sort::Bv(w))
    }

    /// The constant `v mod 2^width`.
    pub fn num(&mut self, width: u32, v: u128) -> TermId {
        self.constant(Bv::new(width, v))
    }

    /// The constant `v` in two's complement.
    pub fn signed(&mut self, width: u32, v: i128) -> TermId {
        self.constant(Bv::from_i128(width, v))
    }

    /// An application of an uninterpreted function.
    ///
    /// # Panics
    /// When the arguments don't fit the declaration.
    pub fn apply(&mut self, f: FuncId, args: &[TermId]) -> TermId {
        let decl = self.func_decl(f);
        let fits =
            decl.args.len() == args.len() && decl.args.iter().zip(args).all(|(s, a)| *s == self.sort(*a));
        assert!(fits, "arguments of `{}` don't fit its declaration", self.func_decl(f).name);
        let ret = self.func_decl(f).ret;
        self.intern(Node::Apply(f, args.into()), ret)
    }

    /// `a` and `b` when the condition of an if-then-else over two constants.
    pub(crate) fn const_ite(&self, t: TermId) -> Option<(TermId, Bv, Bv)> {
        match self.node(t) {
            Node::Ite(c, a, b) => Some((*c, self.as_const(*a)?.clone(), self.as_const(*b)?.clone())),
            _ => None,
        }
    }

    /// Applies a constant function under an if-then-else over constants.
    pub(crate) fn map_const_ite(&mut self, t: TermId, f: impl Fn(&Bv) -> Bv) -> Option<TermId> {
        let (c, a, b) = self.const_ite(t)?;
        let (a, b) = (self.constant(f(&a)), self.constant(f(&b)));
        Some(self.ite(c, a, b))
    }

    /// Runs `f` one level deeper, or not at all beyond the limit.
    pub(crate) fn deeper<T>(&mut self, f: impl FnOnce(&mut Pool) -> T) -> Option<T> {
        if self.depth >= DEPTH || self.hurried() {
            self.cut_short += 1;
            return None;
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        Some(r)
    }

    /// Sets how much work rewrites may take from here on; returns what was set before. Past it terms are built as they
    /// are, so that whoever builds them soon comes to look at the deadline himself.
    pub fn rewrite_until(&mut self, end: Deadline) -> Deadline {
        std::mem::replace(&mut self.rewrites, Rewrites { end, asked: 0, over: false }).end
    }

    /// Is there no work left for rewrites?
    fn hurried(&mut self) -> bool {
        let r = &mut self.rewrites;
        if !r.over {
            r.asked = r.asked.wrapping_add(1);
            r.over = r.asked.is_multiple_of(ASKED_EACH) && r.end.passed().is_some();
        }
        r.over
    }

    /// Builds again a node over new arguments, normalising.
    pub fn rebuild(&mut self, t: TermId, args: &[TermId]) -> TermId {
        let sort = self.sort(t);
        match self.node(t).clone() {
            Node::Bool(_) | Node::Const(_) | Node::Var(_) => t,
            Node::Not(_) => self.not(args[0]),
            Node::And(_) => self.and_all(args),
            Node::Eq(..) => self.eq(args[0], args[1]),
            Node::Ult(..) => self.ult(args[0], args[1]),
            Node::Slt(..) => self.slt(args[0], args[1]),
            Node::Ite(..) => self.ite(args[0], args[1], args[2]),
            Node::Lin(xs, k) => {
                let parts: Vec<_> = xs.iter().zip(args).map(|((_, c), a)| (*a, c.clone())).collect();
                self.linear(&parts, k)
            }
            Node::Mul(_) => self.fold(args, Pool::mul),
            Node::UDiv(..) => self.udiv(args[0], args[1]),
            Node::URem(..) => self.urem(args[0], args[1]),
            Node::SDiv(..) => self.sdiv(args[0], args[1]),
            Node::SRem(..) => self.srem(args[0], args[1]),
            Node::BvNot(_) => self.bv_not(args[0]),
            Node::BvAnd(_) => self.bv_and_all(args),
            Node::BvOr(_) => self.bv_or_all(args),
            Node::BvXor(_) => self.bv_xor_all(args),
            Node::Shl(..) => self.shl(args[0], args[1]),
            Node::Lshr(..) => self.lshr(args[0], args[1]),
            Node::Ashr(..) => self.ashr(args[0], args[1]),
            Node::Concat(_) => self.concat_all(args),
            Node::Extract(hi, lo, _) => self.extract(hi, lo, args[0]),
            Node::SExt(_) => self.sext(args[0], self.width(t)),
            Node::Select(..) => {
                let n = self.width(t) / self.array_widths(args[0]).1;
                self.load(args[0], args[1], n)
            }
            Node::Store(..) => {
                let mut m = args[0];
                for w in args[1..].chunks_exact(2) {
                    m = self.store(m, w[0], w[1]);
                }
                m
            }
            Node::ConstArray(_) => {
                let Sort::Array { index, .. } = sort else { unreachable!("an array's sort") };
                self.const_array(index, args[0])
            }
            Node::Apply(f, _) => self.apply(f, args),
        }
    }

    fn fold(&mut self, xs: &[TermId], f: impl Fn(&mut Pool, TermId, TermId) -> TermId) -> TermId {
        let mut acc = xs[0];
        for &x in &xs[1..] {
            acc = f(self, acc, x);
        }
        acc
    }
}
