//! The registries of constructs: one file and one line each.
//!
//! To add a construct: write a file with a `build` function that makes the syntax and the
//! [flow](crate::flow) of one instance, or `None` where it does not fit here, and add a line to [`STATEMENTS`] or
//! [`EXPRESSIONS`]. What `build` makes need not be valid: statements are validated before they are committed.
//! Its draws all come from `Gen::choices`, and on draws of zero it must end.

mod access_once;
mod alias_copy;
mod array_loop;
mod assertion;
mod assign;
mod assume;
mod binary;
pub(crate) mod bit_int;
mod bit_int_terms;
pub(crate) mod bit_loop;
mod branch;
mod builtins;
mod c23;
mod c23_body;
mod call;
mod call_statement;
mod cast;
mod comma;
mod computed_goto;
mod conditional;
mod dead;
mod declare;
mod dynamic_array;
mod embedded;
mod enumeration;
mod floating;
mod for_loop;
mod half;
pub(crate) mod helper;
mod idiom;
mod increment;
mod indirect_call;
mod invalid;
mod jump_ahead;
mod jump_back;
mod jump_into;
mod jumps;
pub(crate) mod kernel;
mod kernel_loops;
mod misc;
mod mixed_loops;
mod recursion;
pub(crate) mod sweep;
mod sweep_body;
mod sweep_terms;
mod switch;
mod tail_call;
mod unary;
mod variadic;
mod vector;
mod while_loop;
mod wide;

pub(crate) use access_once::read as access_once;

use crate::builder::{Built, Ex, Gen};
use crate::options::Switch;

/// A kind of statement.
pub(crate) struct StatementConstruct {
    /// Its name in statistics and the manual.
    pub name: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// How likely it is, in relation to the others.
    pub weight: u32,
    /// Can it stand here?
    pub allowed: fn(&Gen) -> bool,
    /// Makes one.
    pub build: fn(&mut Gen) -> Option<Built>,
}

/// A kind of integer expression.
pub(crate) struct ExpressionConstruct {
    /// Its name in statistics and the manual.
    pub name: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// How likely it is, in relation to the others.
    pub weight: u32,
    /// Can it stand here?
    pub allowed: fn(&Gen) -> bool,
    /// Makes one with so many operators below it.
    pub build: fn(&mut Gen, u32) -> Option<Ex>,
}

/// Statements, the simplest first.
pub(crate) const STATEMENTS: &[StatementConstruct] = &[
    assign::STATEMENT,
    declare::STATEMENT,
    branch::STATEMENT,
    for_loop::STATEMENT,
    while_loop::WHILE,
    while_loop::DO,
    array_loop::STATEMENT,
    switch::STATEMENT,
    call_statement::STATEMENT,
    floating::STATEMENT,
    enumeration::STATEMENT,
    wide::STATEMENT,
    vector::STATEMENT,
    builtins::MEMORY,
    dynamic_array::VLA,
    dynamic_array::ALLOCA,
    dynamic_array::MALLOC,
    alias_copy::STATEMENT,
    sweep::STATEMENT,
    mixed_loops::STATEMENT,
    dead::STATEMENT,
    assertion::STATEMENT,
    invalid::NULL,
    invalid::DANGLING,
    jumps::BREAK,
    jumps::CONTINUE,
    jumps::RETURN,
    jump_ahead::REGION,
    jump_ahead::JUMP,
    jump_back::STATEMENT,
    jump_into::STATEMENT,
    computed_goto::STATEMENT,
];

/// The construct of the next statement, where that is not for the weights to say.
pub(crate) fn due(gen_: &mut Gen) -> Option<usize> {
    let construct = if dead::due(gen_) { Some(&dead::STATEMENT) } else { invalid::due(gen_) };
    construct.and_then(|due| STATEMENTS.iter().position(|c| c.name == due.name))
}

/// The names of all constructs with their weights, statements first.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, u32)> {
    let statements = STATEMENTS.iter().map(|c| (c.name, c.weight));
    statements.chain(EXPRESSIONS.iter().map(|c| (c.name, c.weight)))
}

/// The switch of a construct that is off unless asked for, of those that came when programs had to stay as they are.
pub(crate) fn late(name: &str) -> Option<Switch> {
    LATE.iter().find(|(late, _)| *late == name).map(|(_, switch)| *switch)
}

/// Constructs that compilers of a few years ago refuse, with their switches, which are off unless asked for.
pub(crate) const LATE: &[(&str, Switch)] = &[
    (bit_int::EXPRESSION.name, Switch::BitInt),
    (c23::EXPRESSION.name, Switch::C23),
    (assume::EXPRESSION.name, Switch::Assume),
    (tail_call::EXPRESSION.name, Switch::Musttail),
    (half::EXPRESSION.name, Switch::Float16),
];

/// Integer expressions, the simplest first.
pub(crate) const EXPRESSIONS: &[ExpressionConstruct] = &[
    binary::EXPRESSION,
    unary::EXPRESSION,
    cast::EXPRESSION,
    conditional::EXPRESSION,
    call::EXPRESSION,
    indirect_call::EXPRESSION,
    recursion::EXPRESSION,
    bit_loop::EXPRESSION,
    variadic::EXPRESSION,
    kernel::EXPRESSION,
    comma::EXPRESSION,
    embedded::EXPRESSION,
    increment::EXPRESSION,
    floating::COMPARISON,
    floating::CONVERSION,
    enumeration::EXPRESSION,
    wide::CONVERSION,
    wide::COMPARISON,
    vector::ELEMENT,
    misc::SIZEOF,
    misc::STRING,
    misc::ELEMENT,
    misc::GENERIC,
    misc::STATEMENT_EXPRESSION,
    idiom::EXPRESSION,
    builtins::BITS,
    builtins::OVERFLOW,
    builtins::COMPARE,
    bit_int::EXPRESSION,
    c23::EXPRESSION,
    assume::EXPRESSION,
    tail_call::EXPRESSION,
    half::EXPRESSION,
];
