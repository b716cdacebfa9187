//! Expressions that are defined in every observed state, built bottom-up (algorithm 3 of the Hermes paper).

use super::arith::{self, OPS, Op, Unary};
use super::env::Env;
use super::range;
use crate::choices::Choices;
use csyntax::types::{IntKind, Types};

/// An expression with what it is worth in each row of its environment (speculative execution, section 4.3.2).
#[derive(Clone, Debug)]
pub struct Value {
    /// The expression; in parentheses unless primary.
    pub text: String,
    /// Its kind.
    pub kind: IntKind,
    /// Its value in each row.
    pub values: Vec<i128>,
    /// Are the rows states, rather than the bounds of a range?
    pub exact: bool,
}

impl Value {
    /// Is it true in every state, or false in every one, as wanted?
    pub fn always(&self, wanted: bool) -> bool {
        match (self.exact, self.values.as_slice()) {
            (false, [least, most]) if wanted => *least > 0 || *most < 0,
            _ => self.values.iter().all(|v| (*v != 0) == wanted),
        }
    }

    /// What it is worth when assigned to a variable of a kind.
    pub fn assigned(&self, types: &Types, kind: IntKind) -> Vec<i128> {
        match (self.exact, self.values.as_slice()) {
            (false, [least, most]) => {
                let (least, most) = range::convert(types, kind, (*least, *most));
                vec![least, most]
            }
            _ => self.values.iter().map(|v| arith::convert(types, kind, *v)).collect(),
        }
    }
}

/// Unary operators in a row before a binary one is forced.
const UNARY_RUN: usize = 2;

/// An expression over at most `leaves` operands of the environment.
pub fn synthesize(types: &Types, env: &Env, leaves: usize, draw: &mut Choices) -> Value {
    let wanted = draw.range(1, leaves.max(1));
    let mut order: Vec<usize> = (0..env.operands.len()).collect();
    draw.shuffle(&mut order);
    let mut work: Vec<Value> = order.into_iter().take(wanted).map(|index| env.value(index)).collect();
    if work.is_empty() || draw.below(3) == 0 {
        work.push(literal(types, env, draw));
    }
    let mut run = 0;
    while work.len() > 1 || run == 0 && draw.coin() {
        if work.len() == 1 || run < UNARY_RUN && draw.coin() {
            run += 1;
            let index = draw.below(work.len());
            let mut ops = [Unary::Not, Unary::BitNot, Unary::Minus];
            draw.shuffle(&mut ops);
            if let Some(value) = ops.iter().find_map(|op| unary(types, *op, &work[index])) {
                work[index] = value;
            }
        } else {
            run = 0;
            let u = work.swap_remove(draw.below(work.len()));
            let v = work.swap_remove(draw.below(work.len()));
            let mut ops = OPS;
            draw.shuffle(&mut ops);
            // Bitwise operators and comparisons are always defined: one is found.
            work.extend(ops.iter().find_map(|op| binary(types, *op, &u, &v)));
        }
    }
    work.pop().unwrap_or_else(|| literal(types, env, draw))
}

/// Kinds that values are cast to.
const CASTS: [IntKind; 9] = [
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LLong,
];
/// Leaves of a rich expression.
const RICH_LEAVES: usize = 5;

/// An expression with casts, selections, guarded divisions and more constants beside what [`synthesize`] has. It is
/// made of at least one operand, where the environment has any, and needs exact rows.
pub fn rich(types: &Types, env: &Env, draw: &mut Choices) -> Value {
    let mut work: Vec<Value> = Vec::new();
    for leaf in 0..draw.range(1, RICH_LEAVES) {
        let constant = env.operands.is_empty() || leaf > 0 && draw.below(3) == 0;
        work.push(if constant {
            literal(types, env, draw)
        } else {
            env.value(draw.below(env.operands.len()))
        });
    }
    while work.len() > 1 || draw.below(3) == 0 {
        let index = draw.below(work.len());
        match draw.below(8) {
            0 => {
                let kind = CASTS[draw.below(CASTS.len())];
                work[index] = cast(types, kind, &work[index]);
            }
            1 => {
                let ops = [Unary::Not, Unary::BitNot, Unary::Minus];
                let made = unary(types, ops[draw.below(ops.len())], &work[index]);
                work[index] = made.unwrap_or_else(|| work[index].clone());
            }
            2 if work.len() > 2 => {
                let (a, b) =
                    (work.swap_remove(draw.below(work.len())), work.swap_remove(draw.below(work.len())));
                let test = work.swap_remove(draw.below(work.len()));
                work.push(choose(types, &test, &a, &b));
            }
            _ if work.len() > 1 => {
                let u = work.swap_remove(index);
                let v = work.swap_remove(draw.below(work.len()));
                let mut ops = OPS;
                draw.shuffle(&mut ops);
                // Six of sixteen compare, and leave little of their operands.
                let first = ops.iter().filter(|op| draw.below(3) == 0 || !arith::RELATIONS.contains(op));
                let made = first.copied().find_map(|op| binary(types, op, &u, &v));
                work.push(
                    made.or_else(|| guarded(types, &u, &v)).unwrap_or_else(|| choose(types, &u, &v, &u)),
                );
            }
            _ => {}
        }
    }
    work.pop().unwrap_or_else(|| literal(types, env, draw))
}

/// `(kind)v`
fn cast(types: &Types, kind: IntKind, v: &Value) -> Value {
    let text = format!("(({}){})", arith::keyword(kind), v.text);
    Value { text, kind, values: v.assigned(types, kind), exact: v.exact }
}

/// `test ? a : b`
fn choose(types: &Types, test: &Value, a: &Value, b: &Value) -> Value {
    let kind = arith::usual(types, a.kind, b.kind);
    let rows = test.values.iter().zip(a.values.iter().zip(&b.values));
    let values = rows.map(|(t, (a, b))| arith::convert(types, kind, if *t != 0 { *a } else { *b })).collect();
    Value { text: format!("({} ? {} : {})", test.text, a.text, b.text), kind, values, exact: a.exact }
}

/// `v ? u / v : u`, if it is defined in every row.
fn guarded(types: &Types, u: &Value, v: &Value) -> Option<Value> {
    let kind = arith::usual(types, u.kind, v.kind);
    let one = |(x, y): (&i128, &i128)| match y {
        0 => Some(arith::convert(types, kind, *x)),
        _ => arith::binary(types, Op::Div, (u.kind, *x), (v.kind, *y)),
    };
    let values = u.values.iter().zip(&v.values).map(one).collect::<Option<Vec<i128>>>()?;
    Some(Value { text: format!("({1} ? {0} / {1} : {0})", u.text, v.text), kind, values, exact: u.exact })
}

/// A constant of a random kind and magnitude.
pub fn literal(types: &Types, env: &Env, draw: &mut Choices) -> Value {
    const KINDS: [IntKind; 6] =
        [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LLong, IntKind::ULLong];
    let kind = if draw.coin() { IntKind::Int } else { draw.pick(&KINDS).copied().unwrap_or(IntKind::Int) };
    let (least, most) = arith::limits(types, kind);
    let value = match draw.below(4) {
        0 | 1 => draw.below(17) as i128 - 8,
        2 => i128::from(draw.word() >> draw.below(64)),
        _ => draw.pick(&[least, most, most - 1, least + 1]).copied().unwrap_or(least),
    };
    let value = arith::convert(types, kind, value);
    env.constant(arith::constant(types, kind, value), kind, value)
}

/// `op v`, if it is defined in every row.
pub fn unary(types: &Types, op: Unary, v: &Value) -> Option<Value> {
    let values = if let (false, [least, most]) = (v.exact, v.values.as_slice()) {
        range::unary(types, op, (v.kind, (*least, *most))).map(|(least, most)| vec![least, most])?
    } else {
        let values = v.values.iter().map(|x| arith::unary(types, op, (v.kind, *x)));
        values.collect::<Option<Vec<i128>>>()?
    };
    let kind = if op == Unary::Not { IntKind::Int } else { arith::promote(types, v.kind) };
    Some(Value { text: format!("({}{})", op.text(), v.text), kind, values, exact: v.exact })
}

/// `u op v`, if it is defined in every row.
pub fn binary(types: &Types, op: Op, u: &Value, v: &Value) -> Option<Value> {
    let values = match (u.exact, u.values.as_slice(), v.values.as_slice()) {
        (false, [a, b], [c, d]) => {
            let found = range::binary(types, op, (u.kind, (*a, *b)), (v.kind, (*c, *d)));
            found.map(|(least, most)| vec![least, most])?
        }
        _ => {
            let pairs = u.values.iter().zip(&v.values);
            let values = pairs.map(|(x, y)| arith::binary(types, op, (u.kind, *x), (v.kind, *y)));
            values.collect::<Option<Vec<i128>>>()?
        }
    };
    let kind = arith::result(types, op, u.kind, v.kind);
    Some(Value { text: format!("({} {} {})", u.text, op.text(), v.text), kind, values, exact: u.exact })
}
