//! What the engine asks of a language: the cut transition system of section 7, given by a function's
//! program points and a step between them, over any [`Domain`].
//!
//! To add a language, implement [`Semantics`] for a function (or program) of it:
//! 1. [`Semantics::shape`]: list the program points (entry first; basic-block heads; the point after
//!    each call) and, for each, the variables live there. A [`State`] at a point is the vector of
//!    those variables' values, in that order; memory is a variable like the others.
//! 2. [`Semantics::step`]: run from a point to the next points, events, exit or error, with a
//!    condition for each. Conditions of one step exclude each other and cover everything.
//!    Block parameters (phi nodes) are evaluated on the edge, before the successor's point.
//! 3. [`Semantics::resume`]: continue after an event with the results the world gave.

use super::Label;
use smt::Domain;
use std::fmt;

/// A program point of one function: an index into [`Shape::points`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct PointId(pub u32);

impl PointId {
    /// The index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of place a point is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PointKind {
    /// The function's entry.
    Entry,
    /// The head of a basic block.
    Block,
    /// Right after an event (a call, a volatile access).
    AfterEvent,
}

/// The sort of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VarSort {
    /// A bit-vector of this width.
    Bv(u32),
    /// Byte memory with addresses of this width.
    Mem {
        /// Width of an address.
        address: u32,
    },
}

/// A variable live at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// Its name, unique at the point; the same variable has the same name at all its points.
    pub name: String,
    /// Its sort.
    pub sort: VarSort,
}

/// A program point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// A readable, unique name (a block label); points of both sides with one name are tried first
    /// as partners.
    pub name: String,
    /// Other names it may go by on the other side (the source block a machine block came from).
    pub aliases: Vec<String>,
    /// What it is.
    pub kind: PointKind,
    /// The variables live here; a state at the point gives each a value.
    pub vars: Vec<VarDecl>,
    /// The points a step may lead to, also those behind an event.
    pub succs: Vec<PointId>,
}

/// The static part of a function: its points. Point 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// The function's name.
    pub name: String,
    /// The points.
    pub points: Vec<Point>,
}

impl Shape {
    /// The entry point.
    pub const ENTRY: PointId = PointId(0);

    /// A point.
    pub fn point(&self, p: PointId) -> &Point {
        &self.points[p.index()]
    }

    /// The position of a variable in the states at a point.
    pub fn var(&self, p: PointId, name: &str) -> Option<usize> {
        self.point(p).vars.iter().position(|v| v.name == name)
    }

    /// The variable of one bit that says whether another counts: its name is the other's, an apostrophe and a word.
    pub(crate) fn flag_of(&self, p: PointId, name: &str) -> Option<&str> {
        let of = |v: &&VarDecl| v.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('\''));
        self.point(p).vars.iter().find(|v| v.sort == VarSort::Bv(1) && of(v)).map(|v| v.name.as_str())
    }

    /// The point of that name.
    pub fn find(&self, name: &str) -> Option<PointId> {
        self.points.iter().position(|p| p.name == name).map(|i| PointId(i as u32))
    }
}

/// A value of a state.
pub enum Val<D: Domain> {
    /// A bit-vector.
    Bv(D::Bv),
    /// A memory.
    Mem(D::Mem),
}

impl<D: Domain> Val<D> {
    /// The bit-vector.
    ///
    /// # Panics
    /// When it is a memory: a semantics reads a variable against its declaration.
    pub fn bv(&self) -> &D::Bv {
        match self {
            Val::Bv(b) => b,
            Val::Mem(_) => panic!("expected a bit-vector, found a memory"),
        }
    }

    /// The memory.
    ///
    /// # Panics
    /// When it is a bit-vector.
    pub fn mem(&self) -> &D::Mem {
        match self {
            Val::Mem(m) => m,
            Val::Bv(_) => panic!("expected a memory, found a bit-vector"),
        }
    }
}

impl<D: Domain> Clone for Val<D> {
    fn clone(&self) -> Self {
        match self {
            Val::Bv(b) => Val::Bv(b.clone()),
            Val::Mem(m) => Val::Mem(m.clone()),
        }
    }
}

impl<D: Domain> fmt::Debug for Val<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Bv(b) => b.fmt(f),
            Val::Mem(m) => m.fmt(f),
        }
    }
}

/// A state: a point and the values of the variables live there, in the order of [`Point::vars`].
pub struct State<D: Domain> {
    /// Where.
    pub at: PointId,
    /// The values.
    pub vals: Vec<Val<D>>,
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        State { at: self.at, vals: self.vals.clone() }
    }
}

impl<D: Domain> fmt::Debug for State<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.at, self.vals)
    }
}

/// Where in a program's text something is, for messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place(pub String);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What kind of thing an event is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// Code outside takes over, and may never come back.
    Call,
    /// A volatile access: execution goes on behind it, whatever it gives.
    Volatile,
    /// Anything else, of which no more is known: a fence, inline assembly, a trap.
    Other,
}

/// Something the world sees: a call, a volatile access. Two sides' events match when the labels
/// are equal and the arguments related (by default: equal, memories too).
pub struct Event<D: Domain> {
    /// What kind of thing it is.
    pub kind: EventKind,
    /// What is done.
    pub label: Label,
    /// What is handed over, memory included where the world may look at it.
    pub args: Vec<Val<D>>,
    /// Sorts of what comes back, memory included where the world may change it.
    pub results: Vec<VarSort>,
}

impl<D: Domain> Clone for Event<D> {
    fn clone(&self) -> Self {
        let (label, args, results) = (self.label.clone(), self.args.clone(), self.results.clone());
        Event { kind: self.kind, label, args, results }
    }
}

impl<D: Domain> fmt::Debug for Event<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", self.label, self.args)
    }
}

/// Where a step leads.
pub enum Next<D: Domain> {
    /// To a state at another point.
    Go(State<D>),
    /// To the end, with these results (return value, final memory).
    Exit(Vec<Val<D>>),
    /// To an event, and with its results, by [`Semantics::resume`], from this state on. The state's
    /// point is of kind `AfterEvent`; values that the results will replace may be anything.
    Event(Event<D>, State<D>),
    /// To undefined behaviour or a trap, named.
    Error(String, Place),
    /// To something the semantics does not model.
    Unsupported(String, Place),
}

impl<D: Domain> Clone for Next<D> {
    fn clone(&self) -> Self {
        match self {
            Next::Go(s) => Next::Go(s.clone()),
            Next::Exit(v) => Next::Exit(v.clone()),
            Next::Event(e, s) => Next::Event(e.clone(), s.clone()),
            Next::Error(k, p) => Next::Error(k.clone(), p.clone()),
            Next::Unsupported(k, p) => Next::Unsupported(k.clone(), p.clone()),
        }
    }
}

/// One way a step can go.
pub struct Successor<D: Domain> {
    /// When it goes this way.
    pub cond: D::Bool,
    /// Where it leads.
    pub next: Next<D>,
}

/// The operational semantics of one function (or program) of some language.
///
/// Methods are generic over the domain, so one definition runs concretely and symbolically.
pub trait Semantics {
    /// The points, with their variables. Must not change between calls.
    fn shape(&self) -> &Shape;

    /// The ways on from a state: conditions exclude each other and cover everything.
    fn step<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Successor<D>>;

    /// The state after an event, given its results (as many, and of the sorts, that the event
    /// declared).
    fn resume<D: Domain>(&self, d: &mut D, after: State<D>, results: &[Val<D>]) -> State<D>;

    /// Whether values that the program leaves open go by a name. Where one point may be passed twice between two cuts a
    /// proof rests on them being the same both times ([`crate::Premise::OneValueAName`]). Where every cycle is cut a name stands for one value, of
    /// which nothing is known, and no relation names it. By default no value has a name.
    fn rests_on_names(&self) -> bool {
        false
    }
}
