//! Terms, rewriting, models and solver backends.
//!
//! - [`Bv`]: bit-vector values of any width.
//! - [`Pool`]: hash-consed terms ([`TermId`]) over Booleans, bit-vectors, arrays and uninterpreted
//!   functions, normalised as they are built. Equal ids mean equal terms; many valid equalities
//!   already hold as equal ids.
//!
//! - [`Solver`]: [`Embedded`] (always there), [`External`] programs over SMT-LIB 2, a [`Portfolio`] of
//!   them, [`Cached`] in front of any.
//! - [`tactic`]: how a proof asks: rewriting with the facts, kept cores, case splitting, SAT sweeping.
//! - [`Domain`]: what semantics compute with, [`Concrete`] or [`Symbolic`].
//! - [`effort`], [`budget`]: work that is counted, and how much of it each kind of query may do.
//!
//! # The same answers everywhere
//!
//! What a sequence of queries is answered is a function of the queries. Limits are counted in work ([`effort`]) and in
//! bytes of clauses, never in time or resident memory; hash tables have no random seeds, and nothing iterates over
//! addresses; a model depends on what the solver learnt from earlier queries of the same proof, and on nothing of any
//! other proof, since a proof makes its pool and its solver anew.
//!
//! Two things could break that, and are kept out. A [`effort::Ceiling`] on time ends all work: whoever sets one says
//! "out of time" once it was reached, whatever the work came to. And external solvers end by the clock, answer
//! differently by version, and give models of their own. Raced against the embedded solver, whoever is first would
//! decide which relations a proof drops. So they are not raced: a [`Portfolio`] gives the embedded solver its whole
//! budget first and asks the others in a fixed order for what it leaves open, and nobody uses one unless asked to.
//!
//! Building terms:
//!
//! ```
//! use smt::{Pool, Sort};
//! let mut p = Pool::new();
//! let x = p.var("x", Sort::Bv(32));
//! let y = p.var("y", Sort::Bv(32));
//! let s = p.add(x, y);
//! let d = p.sub(s, y);
//! assert_eq!(d, x);
//! let mem = p.var("mem", Sort::Array { index: 64, elem: 8 });
//! let base = p.var("base", Sort::Bv(64));
//! let four = p.num(64, 4);
//! let next = p.add(base, four);
//! let m1 = p.store(mem, base, x); // four bytes, little endian
//! let m2 = p.store(m1, next, y);
//! assert_eq!(p.load(m2, base, 4), x);
//! ```

mod array_val;
pub mod budget;
mod build;
mod bv;
mod choices;
pub mod clock;
mod domain;
pub mod effort;
mod embedded;
mod eval;
mod objects;
mod operation;
mod print;
mod rng;
mod solver;
mod subst;
pub mod tactic;
mod tape;
mod task;
mod term;

pub use array_val::ArrayVal;
pub use build::{Apart, Promises};
pub use bv::Bv;
pub use choices::{Choices, Stored};
pub use domain::{BIN_OPS, BinOp, CmpOp, Concrete, Domain, Symbolic};
pub use embedded::Embedded;
pub use eval::{FuncVal, Model, Value};
pub use operation::{Operation, OperationClass};
pub use print::Script;
pub use rng::Rng;
pub use solver::{Answer, Cached, External, Limits, PROGRAMS, Portfolio, Solver, SolverProgram, Why, found};
pub use tape::{Replaced, Tape};
pub use term::{FuncDecl, FuncId, Node, Pool, Sort, SymId, Symbol, TermId};
