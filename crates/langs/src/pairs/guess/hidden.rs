//! Objects of the frame, and the place for the result, that one side knows to be its own where the other does not: there they are variables, and here a part of
//! memory. Memories are the same but for these, and what the variables hold lies in the other side's memory.

use crate::machine_code::{PLACE, Program};
use equiv::{Constraint, Expr, Guess, Observed, Side};
use smt::Bv;

/// The name of memory as a variable.
const MEMORY: &str = "mem";

/// Knows both programs.
pub(crate) struct Hidden<'a> {
    /// The old one.
    pub left: &'a Program,
    /// The new one.
    pub right: &'a Program,
}

/// An object and the pieces that it is followed in.
type Object<'a> = (&'a str, &'a [(i64, u64)]);

impl Guess for Hidden<'_> {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let of_left: Vec<Object<'_>> = self.left.apart_from_memory(at.left.at).collect();
        let of_right: Vec<Object<'_>> = self.right.apart_from_memory(at.right.at).collect();
        let alone = |list: &[Object<'_>], others: &[Object<'_>]| -> Vec<(String, Vec<(i64, u64)>)> {
            let alone = list.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
            alone.map(|(name, pieces)| ((*name).to_owned(), pieces.to_vec())).collect()
        };
        let (left, right) = (alone(&of_left, &of_right), alone(&of_right, &of_left));
        if left.is_empty() && right.is_empty() {
            return Vec::new();
        }
        let mut out = held(Side::Left, &left);
        out.extend(held(Side::Right, &right));
        // What the left holds apart is not in its memory: nor in the right's, once that is cleared of it.
        let (a, b) = (without(Side::Left, &right), without(Side::Right, &left));
        out.push(if right.is_empty() { Constraint { a, b } } else { Constraint { a: b, b: a } });
        out
    }
}

fn memory(side: Side) -> Expr {
    Expr::Var(side, MEMORY.to_owned())
}

fn address(side: Side, object: &str, at: i64) -> Expr {
    let base = match object {
        PLACE => Expr::Var(side, PLACE.to_owned()),
        _ => Expr::Symbol(object.to_owned(), 64),
    };
    if at == 0 { base } else { Expr::Offset(Box::new(base), Bv::from_i128(64, i128::from(at))) }
}

/// The pieces that a side holds are in the other one's memory.
fn held(side: Side, objects: &[(String, Vec<(i64, u64)>)]) -> Vec<Constraint> {
    let other = if side == Side::Left { Side::Right } else { Side::Left };
    let mut out = Vec::new();
    for (object, pieces) in objects {
        for (at, bytes) in pieces {
            let a = Expr::Var(side, Program::piece_name(object, (*at, *bytes)));
            let at = Box::new(address(other, object, *at));
            out.push(Constraint { a, b: Expr::Load(Box::new(memory(other)), at, *bytes as u32) });
        }
    }
    out
}

/// A side's memory without some objects.
fn without(side: Side, objects: &[(String, Vec<(i64, u64)>)]) -> Expr {
    let mut out = memory(side);
    for (object, pieces) in objects {
        let size = pieces.iter().map(|(at, bytes)| *at as u64 + bytes).max().unwrap_or(0);
        for (at, bytes) in Program::cleared_at_once(size) {
            let nothing = Expr::Const(Bv::zero(8 * bytes as u32));
            out = Expr::Stored(Box::new(out), Box::new(address(side, object, at as i64)), Box::new(nothing));
        }
    }
    out
}
