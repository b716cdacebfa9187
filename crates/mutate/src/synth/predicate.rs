//! Predicates of a wanted truth value in every observed state (algorithm 2 of the Hermes paper).

use super::arith::{self, RELATIONS};
use super::env::{Env, Float};
use super::expression::{Value, binary};
use crate::choices::Choices;
use csyntax::types::{FloatKind, Types};

/// Draws of an atom before the certain one is taken.
const ATTEMPTS: usize = 12;

/// A predicate of depth at most `depth`; a full expression without outer parentheses.
pub fn synthesize(types: &Types, env: &Env, wanted: bool, depth: usize, draw: &mut Choices) -> String {
    let depth = draw.below(depth + 1);
    strip(&build(types, env, wanted, depth, draw))
}

fn build(types: &Types, env: &Env, wanted: bool, depth: usize, draw: &mut Choices) -> String {
    if depth == 0 {
        return atom(types, env, wanted, draw);
    }
    match draw.below(4) {
        0 => format!("(!{})", build(types, env, !wanted, depth - 1, draw)),
        1 => {
            let (left, right) = match (wanted, draw.coin()) {
                (true, _) => (true, true),
                (false, true) => (true, false),
                (false, false) => (false, draw.coin()),
            };
            let left = build(types, env, left, depth - 1, draw);
            format!("({left} && {})", build(types, env, right, depth - 1, draw))
        }
        2 => {
            let (left, right) = match (wanted, draw.coin()) {
                (false, _) => (false, false),
                (true, true) => (false, true),
                (true, false) => (true, draw.coin()),
            };
            let left = build(types, env, left, depth - 1, draw);
            format!("({left} || {})", build(types, env, right, depth - 1, draw))
        }
        _ => atom(types, env, wanted, draw),
    }
}

/// A relation between a variable and a constant, between two variables, or of a pointer to null.
fn atom(types: &Types, env: &Env, wanted: bool, draw: &mut Choices) -> String {
    if !env.pointers.is_empty() && (env.operands.is_empty() || draw.below(6) == 0) {
        let pointer = &env.pointers[draw.below(env.pointers.len())];
        return format!("({} {} 0)", pointer.text, if pointer.null == wanted { "==" } else { "!=" });
    }
    if !env.floats.is_empty()
        && (env.operands.is_empty() || draw.below(6) == 0)
        && let Some(found) = float_atom(&env.floats[draw.below(env.floats.len())], wanted, draw)
    {
        return found;
    }
    if env.operands.is_empty() {
        return if wanted { "1".to_string() } else { "0".to_string() };
    }
    for _ in 0..ATTEMPTS {
        let left = env.value(draw.below(env.operands.len()));
        let right = if draw.coin() && env.operands.len() > 1 {
            env.value(draw.below(env.operands.len()))
        } else {
            constant_near(types, env, &left, draw)
        };
        let op = RELATIONS[draw.below(RELATIONS.len())];
        if let Some(found) =
            binary(types, op, &left, &right).filter(|v| left.text != right.text && v.always(wanted))
        {
            return found.text;
        }
    }
    let left = env.value(draw.below(env.operands.len()));
    let kind = arith::promote(types, left.kind);
    let least = left.values.iter().min().copied().unwrap_or(0);
    let op = if wanted { ">=" } else { "<" };
    format!("({} {op} {})", left.text, arith::constant(types, kind, least))
}

/// A relation of a floating variable to a constant that is exact in its type and away from all its values, so that
/// no rounding decides it.
fn float_atom(float: &Float, wanted: bool, draw: &mut Choices) -> Option<String> {
    const LARGEST: f64 = 1e6;
    if float.values.iter().any(|v| v.is_nan() || v.abs() > LARGEST) {
        return None;
    }
    let most = float.values.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
    let least = float.values.iter().copied().fold(f64::INFINITY, f64::min).floor();
    let away = (1 + draw.below(16)) as f64;
    let above = draw.coin();
    let bound = if above { most + away } else { least - away };
    let op = match (above == wanted, draw.below(3)) {
        (true, 0) => "<",
        (true, 1) => "<=",
        (false, 0) => ">",
        (false, 1) => ">=",
        (_, _) if wanted => "!=",
        (_, _) => "==",
    };
    let suffix = if float.kind == FloatKind::Float { "f" } else { "" };
    let sign = if bound < 0.0 { "-" } else { "" };
    Some(format!("({} {op} {sign}{:.1}{suffix})", float.text, bound.abs()))
}

/// A constant of the promoted kind of a value, among or next to its values, or anywhere.
fn constant_near(types: &Types, env: &Env, value: &Value, draw: &mut Choices) -> Value {
    let kind = arith::promote(types, value.kind);
    let seen = draw.pick(&value.values).copied().unwrap_or(0);
    let drawn = match draw.below(4) {
        0 => seen,
        1 => seen + 1 + draw.below(8) as i128,
        2 => seen - 1 - draw.below(8) as i128,
        _ => i128::from(draw.word() >> draw.below(64)),
    };
    let drawn = arith::convert(types, kind, drawn);
    env.constant(arith::constant(types, kind, drawn), kind, drawn)
}

/// Takes one outer pair of parentheses off, if it is a pair.
pub fn strip(text: &str) -> String {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text.to_string();
    };
    let mut open = 0i32;
    for byte in inner.bytes() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open < 0 {
            return text.to_string();
        }
    }
    inner.to_string()
}
