//! Two toy languages for the engine: a small imperative one and a stack machine.
#![allow(dead_code, missing_docs)]

pub mod stack;
pub mod whilelang;

use equiv::*;
use smt::{BinOp, CmpOp, Domain};

const W: u32 = 32;

/// What both toys mean by an operator; `bad` collects when it is undefined.
pub fn operate<D: Domain>(d: &mut D, op: &str, a: &D::Bv, b: &D::Bv, bad: &mut D::Bool) -> D::Bv {
    let bin = match op {
        "+" => BinOp::Add,
        "-" => BinOp::Sub,
        "*" => BinOp::Mul,
        "/" => BinOp::UDiv,
        "%" => BinOp::URem,
        "&" => BinOp::And,
        "|" => BinOp::Or,
        "^" => BinOp::Xor,
        "<<" => BinOp::Shl,
        ">>" => BinOp::Lshr,
        _ => {
            let c = match op {
                "<" => d.cmp(CmpOp::Ult, a, b),
                "<s" => d.cmp(CmpOp::Slt, a, b),
                "==" => d.cmp(CmpOp::Eq, a, b),
                "!=" => d.ne(a, b),
                _ => panic!("no operator `{op}`"),
            };
            let bit = d.bool_to_bv(&c);
            return d.zext(&bit, W);
        }
    };
    if matches!(op, "/" | "%") {
        let zero = d.num(W, 0);
        let z = d.eq(b, &zero);
        *bad = d.or(bad, &z);
    }
    d.bin(bin, a, b)
}

/// The ways on, with an error where the step is undefined.
pub fn guarded<D: Domain>(
    d: &mut D,
    bad: D::Bool,
    nexts: Vec<(D::Bool, Next<D>)>,
    place: &str,
) -> Vec<Successor<D>> {
    let good = d.not(&bad);
    let mut out: Vec<Successor<D>> =
        nexts.into_iter().map(|(c, next)| Successor { cond: d.and(&good, &c), next }).collect();
    if d.as_bool(&bad) != Some(false) {
        out.push(Successor { cond: bad, next: Next::Error("division by zero".into(), Place(place.into())) });
    }
    out
}
