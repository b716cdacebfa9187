//! Profiles: how often each statement ran, and the values its in-scope variables had when it was reached (what
//! Hermes synthesises its predicates from, section 4.1 and 4.5.1 of that paper).

use crate::class::Scalar;
use csyntax::ast;
use csyntax::source::Span;
use csyntax::tree::{FnId, ObjId};

/// Rows of values kept for a point.
pub const MAX_ROWS: usize = 64;

/// Visits to a point up to which exact ranges are kept once there are more rows than that.
pub const MAX_RANGED: u64 = 20_000;
/// Variables of static storage recorded at one point, and members and elements of aggregates: another choice at each.
pub const MAX_STATICS: usize = 24;
/// See [`MAX_STATICS`].
pub const MAX_PARTS: usize = 16;

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

/// A variable in scope at a point, or a member or element of one.
#[derive(Copy, Clone, Debug)]
pub struct Variable {
    /// The object.
    pub object: ObjId,
    /// Where in the object the scalar is, in bytes.
    pub offset: u64,
    /// Its representation (integers, `float`, `double` and pointers).
    pub scalar: Scalar,
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
    /// The variables in scope; none where the point was not drawn.
    pub variables: Vec<Variable>,
    /// Of a function that was lowered again: nothing comes here any more.
    pub(crate) stale: bool,
}

/// What a variable held.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Nothing yet, or a pointer to an object that is gone (C11 6.2.4p2).
    Indeterminate,
    /// An integer.
    Int(i128),
    /// A `float` or `double`, as the bits of the `double` of the same value.
    Float(u64),
    /// A null pointer.
    Null,
    /// A pointer into this object, at this offset.
    Object(ObjId, u64),
    /// A pointer elsewhere: allocated memory, functions, literals.
    Other,
}

/// All values that a variable had at a point, however many.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// The least and greatest integer; 0 and 0 before there was any.
    pub ints: Option<(i128, i128)>,
    /// Was it ever a null pointer?
    pub null: bool,
    /// Was it ever another pointer?
    pub pointer: bool,
    /// Was it ever anything else: without a value, a floating value?
    pub other: bool,
}

impl Range {
    /// Adds a value.
    pub fn add(&mut self, seen: Seen) {
        match seen {
            Seen::Int(value) => {
                self.ints = Some(match self.ints {
                    Some((least, most)) => (least.min(value), most.max(value)),
                    None => (value, value),
                });
            }
            Seen::Null => self.null = true,
            Seen::Object(..) | Seen::Other => self.pointer = true,
            Seen::Indeterminate | Seen::Float(_) => self.other = true,
        }
    }

    /// Adds all values of another range.
    pub fn join(&mut self, other: &Range) {
        for bound in other.ints.into_iter().flat_map(|(least, most)| [least, most]) {
            self.add(Seen::Int(bound));
        }
        self.null |= other.null;
        self.pointer |= other.pointer;
        self.other |= other.other;
    }
}

/// What is known of a point after a run.
#[derive(Clone, Debug, Default)]
pub struct PointProfile {
    /// How often the statement was reached.
    pub count: u64,
    /// Distinct rows of values, one column a variable of the description; at most [`MAX_ROWS`], first come.
    pub rows: Vec<Vec<Seen>>,
    /// With [`MAX_ROWS`] rows: the range of each variable over all visits, unless there were more than
    /// [`MAX_RANGED`].
    pub ranges: Option<Vec<Range>>,
}

/// The profile of a run.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The points.
    pub points: Vec<PointDesc>,
    /// What was seen there, in the same order.
    pub seen: Vec<PointProfile>,
}
