//! What a profiled run records: how often each statement ran, and the values integer expressions took.

use csyntax::ast;
use csyntax::source::Span;

/// A point of the program that the bytecode reports.
#[derive(Copy, Clone, Debug)]
pub struct PointDesc {
    /// The AST statement.
    pub stmt: ast::StmtId,
    /// Where it stands.
    pub span: Span,
}

/// Counts by point, see [`crate::bytecode::Program::points`].
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Executions of each point.
    pub counts: Vec<u64>,
    /// The points.
    pub points: Vec<PointDesc>,
}
