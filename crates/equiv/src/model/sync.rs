//! Synchronisation points: pairs of program points with the constraints that relate their states
//! (figure 3). Plain data: they are inferred, read from hints, and written into certificates.

use super::PointId;
use serde::{Deserialize, Serialize};
use smt::{BinOp, Bv};
use std::fmt;

/// One of the two programs.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum Side {
    /// The source (input) program.
    Left,
    /// The target (output) program.
    Right,
}

/// Which of two numbers is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Extreme {
    /// Whether they are compared with sign.
    pub signed: bool,
    /// The greater one.
    pub max: bool,
}

impl Extreme {
    /// All of them, by name.
    pub(crate) const NAMES: [(&str, Extreme); 4] = [
        ("smin", Extreme { signed: true, max: false }),
        ("smax", Extreme { signed: true, max: true }),
        ("umin", Extreme { signed: false, max: false }),
        ("umax", Extreme { signed: false, max: true }),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, e)| *e == self).map_or("", |(name, _)| name)
    }
}

/// What is computed of two numbers of one width, besides their sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Operation {
    /// The product.
    Product,
    /// The quotient without sign.
    Quotient,
    /// The remainder without sign.
    Remainder,
    /// The bits set in both.
    Both,
    /// The bits set in one of them.
    Differing,
    /// The first shifted left by the second.
    Left,
    /// The first shifted right by the second.
    Right,
    /// The first shifted right by the second, with copies of the sign.
    RightSigned,
}

impl Operation {
    /// All of them.
    const ALL: [Operation; 8] = [
        Operation::Product,
        Operation::Quotient,
        Operation::Remainder,
        Operation::Both,
        Operation::Differing,
        Operation::Left,
        Operation::Right,
        Operation::RightSigned,
    ];

    /// Its name in hints.
    fn name(self) -> &'static str {
        match self {
            Operation::Product => "mul",
            Operation::Quotient => "udiv",
            Operation::Remainder => "urem",
            Operation::Both => "and",
            Operation::Differing => "xor",
            Operation::Left => "shl",
            Operation::Right => "lshr",
            Operation::RightSigned => "ashr",
        }
    }

    /// The operation of a name.
    pub(crate) fn by_name(name: &str) -> Option<Operation> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }

    /// The operation on bit-vectors.
    pub(crate) fn of_terms(self) -> BinOp {
        match self {
            Operation::Product => BinOp::Mul,
            Operation::Quotient => BinOp::UDiv,
            Operation::Remainder => BinOp::URem,
            Operation::Both => BinOp::And,
            Operation::Differing => BinOp::Xor,
            Operation::Left => BinOp::Shl,
            Operation::Right => BinOp::Lshr,
            Operation::RightSigned => BinOp::Ashr,
        }
    }
}

/// An expression over the values of the two states at a synchronisation point.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Expr {
    /// A variable of one side, by name.
    Var(Side, String),
    /// A constant.
    Const(Bv),
    /// What a name alone determines ([`smt::Domain::symbol`]): the address of an object.
    Symbol(String, u32),
    /// An expression plus a constant.
    Offset(Box<Expr>, Bv),
    /// Zero extension to a width.
    Zext(Box<Expr>, u32),
    /// Sign extension to a width.
    Sext(Box<Expr>, u32),
    /// The low bits.
    Trunc(Box<Expr>, u32),
    /// Parts side by side, the first most significant: the lanes of a vector in one register.
    Concat(Vec<Expr>),
    /// One where an expression is below a bound, without sign; zero elsewhere.
    Below(Box<Expr>, Bv),
    /// The sum of two expressions of one width.
    Sum(Box<Expr>, Box<Expr>),
    /// An expression times a constant.
    Scaled(Box<Expr>, Bv),
    /// One where the first of two expressions is less than the second, with sign if so said; zero elsewhere.
    Less(bool, Box<Expr>, Box<Expr>),
    /// The lesser or the greater of two expressions of one width.
    Extreme(Extreme, Box<Expr>, Box<Expr>),
    /// The second of three expressions where the first is one, and the third where it is zero.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The bits set in either of two expressions of one width.
    Either(Box<Expr>, Box<Expr>),
    /// What else is computed of two expressions of one width.
    Binary(Operation, Box<Expr>, Box<Expr>),
    /// Where the object begins that an address lies in: an unknown function ([`smt::Operation::object_of_an_address`]).
    Object(Box<Expr>),
    /// So many bytes of a memory at an address, little endian.
    Load(Box<Expr>, Box<Expr>, u32),
    /// A memory in which a number has been written to an address, little endian.
    Stored(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// An equality that holds at a synchronisation point; of bit-vectors or of memories.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Constraint {
    /// One side of the equality.
    pub a: Expr,
    /// The other.
    pub b: Expr,
}

impl Expr {
    /// Tells of everything that it is made of without parts of its own.
    fn each_leaf<'e>(&'e self, tell: &mut impl FnMut(&'e Expr)) {
        match self {
            Expr::Var(..) | Expr::Const(_) | Expr::Symbol(..) => tell(self),
            Expr::Offset(e, _)
            | Expr::Scaled(e, _)
            | Expr::Zext(e, _)
            | Expr::Sext(e, _)
            | Expr::Trunc(e, _)
            | Expr::Object(e)
            | Expr::Below(e, _) => e.each_leaf(tell),
            Expr::Concat(parts) => parts.iter().for_each(|e| e.each_leaf(tell)),
            Expr::Choice(a, b, c) | Expr::Stored(a, b, c) => {
                [a, b, c].into_iter().for_each(|e| e.each_leaf(tell))
            }
            Expr::Sum(a, b)
            | Expr::Less(_, a, b)
            | Expr::Extreme(_, a, b)
            | Expr::Binary(_, a, b)
            | Expr::Either(a, b)
            | Expr::Load(a, b, _) => {
                a.each_leaf(tell);
                b.each_leaf(tell);
            }
        }
    }

    /// Tells of every variable that it names.
    pub(crate) fn each_variable<'e>(&'e self, tell: &mut impl FnMut(Side, &'e str)) {
        self.each_leaf(&mut |e| {
            if let Expr::Var(s, n) = e {
                tell(*s, n);
            }
        });
    }

    /// Whether it names a variable of a side.
    pub(crate) fn names(&self, side: Side) -> bool {
        let mut found = false;
        self.each_variable(&mut |s, _| found |= s == side);
        found
    }
}

impl Constraint {
    /// The variables that it names.
    pub(crate) fn variables(&self) -> Vec<(Side, String)> {
        let mut out = Vec::new();
        for e in [&self.a, &self.b] {
            e.each_variable(&mut |s, n| out.push((s, n.to_owned())));
        }
        out
    }

    /// Whether it names an unknown other than those told of: names, and widths in bits.
    pub(crate) fn names_other_than(&self, mut known: impl FnMut(&str, u32) -> bool) -> bool {
        let mut found = false;
        for e in [&self.a, &self.b] {
            e.each_leaf(&mut |e| found |= matches!(e, Expr::Symbol(n, w) if !known(n, *w)));
        }
        found
    }

    /// Whether it relates the two sides, rather than saying something of one.
    pub(crate) fn across(&self) -> bool {
        [Side::Left, Side::Right].into_iter().all(|s| self.a.names(s) || self.b.names(s))
    }

    /// Whether it says how two values of one side compare.
    pub(crate) fn comparison(&self) -> bool {
        matches!(self.a, Expr::Less(..)) && matches!(self.b, Expr::Const(_))
    }

    /// Whether it says that two variables are equal.
    pub(crate) fn of_variables(&self) -> bool {
        matches!((&self.a, &self.b), (Expr::Var(..), Expr::Var(..)))
    }

    /// Whether it says that the sides' variables of one name are equal, where names say something.
    pub(crate) fn by_name(&self) -> bool {
        matches!((&self.a, &self.b), (Expr::Var(s, a), Expr::Var(t, b)) if s != t && a == b && !numbered(a))
    }
}

/// A pair of points and what relates the states there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SyncPoint {
    /// The point of the left program.
    pub left: PointId,
    /// The point of the right program.
    pub right: PointId,
    /// All of these hold.
    pub constraints: Vec<Constraint>,
}

/// Is a variable called by a number only? Those are given anew in every program, and say little.
pub(crate) fn numbered(name: &str) -> bool {
    name.strip_prefix('%').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Var(Side::Left, n) => write!(f, "left.{n}"),
            Expr::Var(Side::Right, n) => write!(f, "right.{n}"),
            Expr::Const(v) => write!(f, "{v}"),
            Expr::Symbol(n, _) => write!(f, "&{n}"),
            Expr::Offset(x, k) => match k.to_i128() {
                Some(k) => write!(f, "{x} + {k}"),
                None => write!(f, "{x} + {k}"),
            },
            Expr::Zext(x, w) => write!(f, "zext{w}({x})"),
            Expr::Sext(x, w) => write!(f, "sext{w}({x})"),
            Expr::Trunc(x, w) => write!(f, "trunc{w}({x})"),
            Expr::Concat(parts) => {
                f.write_str("concat(")?;
                for (i, p) in parts.iter().enumerate() {
                    write!(f, "{}{p}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Expr::Below(x, k) => write!(f, "below({x}, {k})"),
            Expr::Sum(x, y) => write!(f, "sum({x}, {y})"),
            Expr::Scaled(x, k) => write!(f, "scaled({x}, {k})"),
            Expr::Less(signed, x, y) => write!(f, "{}({x}, {y})", if *signed { "sless" } else { "less" }),
            Expr::Extreme(e, x, y) => write!(f, "{}({x}, {y})", e.name()),
            Expr::Choice(c, x, y) => write!(f, "choice({c}, {x}, {y})"),
            Expr::Either(x, y) => write!(f, "either({x}, {y})"),
            Expr::Binary(o, x, y) => write!(f, "{}({x}, {y})", o.name()),
            Expr::Object(x) => write!(f, "object({x})"),
            Expr::Load(m, a, n) => write!(f, "{m}[{a}; {n}]"),
            Expr::Stored(m, a, x) => write!(f, "stored({m}, {a}, {x})"),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.a, self.b)
    }
}
