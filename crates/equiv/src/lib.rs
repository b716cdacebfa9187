//! Cut-bisimulation between programs of any two languages.
//!
//! A language is a [`Semantics`]: program points, an entry state, steps. A proof relates pairs of
//! points ([`SyncPoint`]) by constraints over the values live there, and shows that from related
//! states both programs reach related states again.

mod semantics;
mod sync;

pub use semantics::{
    Event, Next, Place, Point, PointId, PointKind, Semantics, Shape, State, Successor, Val, VarDecl, VarSort,
};
pub use sync::{Constraint, Expr, Side, SyncPoint};
