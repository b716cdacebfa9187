//! Interval arithmetic in C's integer types, for points with more states than can be told apart: an operator is
//! defined on two ranges only if it is on every pair of values, and its result is a range that holds all results.

use super::arith::{self, Op, Unary, limits, promote, usual};
use csyntax::types::{IntKind, Types};

/// Least and greatest value.
pub type Bounds = (i128, i128);

/// A range converted to a kind: itself where it fits, else all that the kind has.
pub fn convert(types: &Types, kind: IntKind, (least, most): Bounds) -> Bounds {
    if kind == IntKind::Bool {
        return (i128::from(least > 0 || most < 0), i128::from(least != 0 || most != 0));
    }
    let (lo, hi) = limits(types, kind);
    if lo <= least && most <= hi { (least, most) } else { (lo, hi) }
}

/// `x op y`; `None` where some pair of values is undefined.
pub fn binary(
    types: &Types,
    op: Op,
    (ka, x): (IntKind, Bounds),
    (kb, y): (IntKind, Bounds),
) -> Option<Bounds> {
    if matches!(op, Op::Shl | Op::Shr) {
        let kind = promote(types, ka);
        let x = convert(types, kind, x);
        if x.0 < 0 || y.0 < 0 || y.1 >= i128::from(arith::bits(types, kind)) {
            return None;
        }
        if op == Op::Shr {
            return Some((x.0 >> y.1, x.1 >> y.0));
        }
        let most = x.1.checked_mul(1 << y.1)?;
        let limit = limits(types, kind);
        return match (most <= limit.1, types.int_signed(kind)) {
            (true, _) => Some((x.0 << y.0, most)),
            (false, true) => None,
            (false, false) => Some(limit),
        };
    }
    let kind = usual(types, ka, kb);
    let (x, y) = (convert(types, kind, x), convert(types, kind, y));
    let limit = limits(types, kind);
    let signed = types.int_signed(kind);
    let truth = |no: bool, yes: bool| Some((i128::from(yes), i128::from(!no)));
    let known = |bounds: Bounds| {
        let fits = limit.0 <= bounds.0 && bounds.1 <= limit.1;
        match (fits, signed) {
            (true, _) => Some(bounds),
            (false, true) => None,
            (false, false) => Some(limit),
        }
    };
    let corners = |f: &dyn Fn(i128, i128) -> Option<i128>| {
        let all = [f(x.0, y.0)?, f(x.0, y.1)?, f(x.1, y.0)?, f(x.1, y.1)?];
        Some((all.iter().copied().min()?, all.iter().copied().max()?))
    };
    match op {
        Op::Lt => truth(x.0 >= y.1, x.1 < y.0),
        Op::Le => truth(x.0 > y.1, x.1 <= y.0),
        Op::Gt => truth(x.1 <= y.0, x.0 > y.1),
        Op::Ge => truth(x.1 < y.0, x.0 >= y.1),
        Op::Eq => truth(x.1 < y.0 || y.1 < x.0, x.0 == x.1 && x == y),
        Op::Ne => truth(x.0 == x.1 && x == y, x.1 < y.0 || y.1 < x.0),
        Op::Add => known((x.0 + y.0, x.1 + y.1)),
        Op::Sub => known((x.0 - y.1, x.1 - y.0)),
        Op::Mul => known(corners(&|a, b| a.checked_mul(b))?),
        Op::Div if y.0 > 0 || y.1 < 0 => known(corners(&|a, b| a.checked_div(b))?),
        Op::Rem if y.0 > 0 || y.1 < 0 => {
            if signed && y.0 <= -1 && -1 <= y.1 && x.0 == limit.0 {
                return None;
            }
            let most = y.0.abs().max(y.1.abs()) - 1;
            Some((if x.0 < 0 { -most } else { 0 }, if x.1 > 0 { most } else { 0 }))
        }
        Op::Div | Op::Rem => None,
        Op::And if x.0 >= 0 && y.0 >= 0 => Some((0, x.1.min(y.1))),
        Op::Or | Op::Xor if x.0 >= 0 && y.0 >= 0 => {
            let most = x.1.max(y.1);
            let ones = i128::try_from((most as u128 + 1).next_power_of_two() - 1).unwrap_or(limit.1);
            Some((0, ones.min(limit.1)))
        }
        Op::And | Op::Or | Op::Xor => Some(limit),
        Op::Shl | Op::Shr => None,
    }
}

/// `op x`; `None` where some value is undefined.
pub fn unary(types: &Types, op: Unary, (kind, x): (IntKind, Bounds)) -> Option<Bounds> {
    let promoted = promote(types, kind);
    match op {
        Unary::Not => Some((i128::from(x == (0, 0)), i128::from(x.0 <= 0 && 0 <= x.1))),
        Unary::BitNot if types.int_signed(promoted) => Some((!x.1, !x.0)),
        Unary::BitNot => {
            let most = limits(types, promoted).1;
            Some((most - x.1, most - x.0))
        }
        Unary::Minus => binary(types, Op::Sub, (promoted, (0, 0)), (promoted, x)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::arith::OPS;
    use super::*;
    use crate::choices::Choices;

    const KINDS: [IntKind; 7] = [
        IntKind::SChar,
        IntKind::UChar,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
    ];

    /// Every result of values is in the range of results, and where a range has one, all values have one.
    #[test]
    fn ranges_hold_what_values_give() {
        let types = Types::new(csyntax::target::Target::LP64);
        let mut draw = Choices::new(7);
        let mut defined = 0;
        for _ in 0..60_000 {
            let side = |draw: &mut Choices| {
                let kind = KINDS[draw.below(KINDS.len())];
                let (lo, hi) = limits(&types, kind);
                let near = [lo, hi, 0, 1, 17, -1][draw.below(6)].clamp(lo, hi);
                let least = (near - draw.below(5) as i128).clamp(lo, hi);
                let most = (least + draw.below(9) as i128).clamp(lo, hi);
                (kind, (least, most))
            };
            let (a, b) = (side(&mut draw), side(&mut draw));
            let within =
                |draw: &mut Choices, (lo, hi): Bounds| lo + draw.below((hi - lo + 1) as usize) as i128;
            let op = OPS[draw.below(OPS.len())];
            if let Some((least, most)) = binary(&types, op, a, b) {
                defined += 1;
                for _ in 0..6 {
                    let (x, y) = (within(&mut draw, a.1), within(&mut draw, b.1));
                    let value = arith::binary(&types, op, (a.0, x), (b.0, y));
                    let inside = value.is_some_and(|v| least <= v && v <= most);
                    assert!(inside, "{a:?} {op:?} {b:?}: {x}, {y} gives {value:?}, not in {least}..={most}");
                }
            }
            for op in [Unary::Not, Unary::BitNot, Unary::Minus] {
                if let Some((least, most)) = unary(&types, op, a) {
                    let x = within(&mut draw, a.1);
                    let value = arith::unary(&types, op, (a.0, x));
                    assert!(
                        value.is_some_and(|v| least <= v && v <= most),
                        "{op:?} {a:?}: {x} gives {value:?}"
                    );
                }
            }
        }
        assert!(defined > 30_000, "only {defined} are defined");
    }
}
