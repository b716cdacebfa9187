//! Profiles: how often each statement ran, and the values its in-scope variables had when it was reached (what
//! Hermes synthesises its predicates from, section 4.1 and 4.5.1 of that paper).

use crate::class::Scalar;
use csyntax::ast;
use csyntax::source::Span;
use csyntax::tree::{FnId, ObjId};

/// Rows of values kept for a point.
pub const MAX_ROWS: usize = 64;

/// Where a profiled variable is found at run time.
#[derive(Copy, Clone, Debug)]
pub enum Home {
    /// In a register, with the register that flags it as initialised.
    Reg(u16, Option<u16>),
    /// In the frame, at this offset.
    Local(u32),
    /// In the arena, at this index.
    Static(u32),
}

/// A variable in scope at a point.
#[derive(Copy, Clone, Debug)]
pub struct Variable {
    /// The object.
    pub object: ObjId,
    /// Its representation (integers and pointers).
    pub scalar: Scalar,
    /// Its alias class.
    pub class: u8,
    /// Where its value is.
    pub home: Home,
}

/// A statement that a profiled program reports.
#[derive(Clone, Debug)]
pub struct PointDesc {
    /// The AST statement.
    pub stmt: ast::StmtId,
    /// Where it stands.
    pub span: Span,
    /// Its function.
    pub function: Option<FnId>,
    /// The variables in scope.
    pub variables: Vec<Variable>,
}

/// What a variable held.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Nothing yet.
    Indeterminate,
    /// An integer.
    Int(i128),
    /// A null pointer.
    Null,
    /// A pointer into this object, at this offset.
    Object(ObjId, u64),
    /// A pointer elsewhere: allocated memory, functions, literals.
    Other,
}

/// What is known of a point after a run.
#[derive(Clone, Debug, Default)]
pub struct PointProfile {
    /// How often the statement was reached.
    pub count: u64,
    /// Distinct rows of values, one column a variable of the description; at most [`MAX_ROWS`], first come.
    pub rows: Vec<Vec<Seen>>,
}

/// The profile of a run.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The points.
    pub points: Vec<PointDesc>,
    /// What was seen there, in the same order.
    pub seen: Vec<PointProfile>,
}
