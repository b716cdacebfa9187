//! Synchronisation points: pairs of program points with the constraints that relate their states
//! (figure 3). Plain data: they are inferred, read from hints, and written into certificates.

use crate::PointId;
use smt::Bv;

/// One of the two programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The source (input) program.
    Left,
    /// The target (output) program.
    Right,
}

/// An expression over the values of the two states at a synchronisation point.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expr {
    /// A variable of one side, by name.
    Var(Side, String),
    /// A constant.
    Const(Bv),
    /// An expression plus a constant.
    Offset(Box<Expr>, Bv),
    /// Zero extension to a width.
    Zext(Box<Expr>, u32),
    /// Sign extension to a width.
    Sext(Box<Expr>, u32),
    /// The low bits.
    Trunc(Box<Expr>, u32),
    /// So many bytes of a memory at an address, little endian.
    Load(Box<Expr>, Box<Expr>, u32),
}

/// An equality that holds at a synchronisation point; of bit-vectors or of memories.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constraint {
    /// One side of the equality.
    pub a: Expr,
    /// The other.
    pub b: Expr,
}

/// A pair of points and what relates the states there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncPoint {
    /// The point of the left program.
    pub left: PointId,
    /// The point of the right program.
    pub right: PointId,
    /// All of these hold.
    pub constraints: Vec<Constraint>,
}
