//! Patterns that compilers look for: rotations, byte swaps, saturation, averages, extremes, tests of bits, high
//! halves of products, ranges put together from comparisons.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::flow::{Flow, NodeId};
use crate::model::{IntTy, Range, TyDef, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, Quals, UnOp};
use csyntax::intern::Symbol;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "idiom",
    doc: "`x << 7 | x >> 25`, `x + y < x ? ~0u : x + y`, `(x & (x - 1)) == 0`, `x == 1 || x == 3`, and the like",
    weight: 5,
    allowed: |gen_| gen_.on(Switch::Idioms),
    build,
};

/// A variable that can be read any number of times, as an unsigned value of a width.
#[derive(Copy, Clone)]
struct Source {
    from: From,
    int: IntTy,
    node: NodeId,
}

/// Where it is read from.
#[derive(Copy, Clone)]
enum From {
    Var(VarId),
    /// A name that the model does not know.
    Name(Symbol, IntTy),
}

impl Source {
    fn draw(gen_: &mut Gen, int: IntTy) -> Option<Source> {
        let plain = |m: &crate::model::Model, v: VarId| {
            let var = m.var(v);
            let int = m.int(var.ty.ty).filter(|i| *i != IntTy::Bool)?;
            (var.dims.is_empty() && Quals::CONST.has(var.ty.quals)).then_some(int)
        };
        // Patterns are looked for in values that need no conversion.
        let exact = gen_.choices.percent(70);
        let same = |m: &crate::model::Model, v: VarId| plain(m, v).is_some_and(|i| i.bits() == int.bits());
        let found = exact.then(|| gen_.pick_var(same)).flatten();
        let var = match found {
            Some(var) => var,
            None => gen_.pick_var(|m, v| plain(m, v).is_some())?,
        };
        let lv = gen_.variable(var);
        let ex = gen_.read(lv)?;
        Some(Source { from: From::Var(var), int, node: ex.node })
    }

    /// One reading of it.
    fn ex(self, gen_: &mut Gen) -> Ex {
        let ex = match self.from {
            From::Var(var) => {
                let lv = gen_.variable(var);
                Ex { node: Flow::NOP, ..gen_.loaded(&lv) }
            }
            From::Name(name, int) => gen_.named_ex(name, int, int.range()),
        };
        if gen_.int_of(&ex) == self.int { ex } else { gen_.convert(ex, self.int) }
    }
}

fn constant(gen_: &mut Gen, value: i128, int: IntTy) -> Ex {
    gen_.int_const(value, int)
}

fn build(gen_: &mut Gen, _: u32) -> Option<Ex> {
    let wide = gen_.on(Switch::LongLong) && gen_.choices.percent(30);
    let int = if wide { IntTy::U64 } else { IntTy::U32 };
    let x = Source::draw(gen_, int)?;
    let y = Source::draw(gen_, int)?;
    if gen_.choices.percent(10)
        && let Some(ex) = bytes_together(gen_, int)
    {
        return Some(ex);
    }
    let kind = gen_.choices.pick(&[0u32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1, 1, 16]);
    let ex = if kind == 16 { neighbours(gen_, x)? } else { of_kind(gen_, kind, x, y) };
    let node = gen_.flow.unseq(&[x.node, y.node, ex.node]);
    Some(Ex { node, ..ex })
}

/// A pattern over names that the model does not know.
pub(super) fn of_names(gen_: &mut Gen, int: IntTy, x: (Symbol, IntTy), y: (Symbol, IntTy)) -> Ex {
    let [x, y] = [x, y].map(|(name, held)| Source { from: From::Name(name, held), int, node: Flow::NOP });
    let kind = gen_.choices.below(16);
    of_kind(gen_, kind, x, y)
}

fn of_kind(gen_: &mut Gen, kind: u32, x: Source, y: Source) -> Ex {
    match kind {
        0 => rotate(gen_, x),
        1 => swap(gen_, x),
        2 => saturate(gen_, x, y),
        3 => average(gen_, x, y),
        4 => extreme(gen_, x, y),
        5 => power_of_two(gen_, x),
        6 => high_half(gen_, x, y),
        7 => ranges(gen_, x),
        8 => field(gen_, x),
        9 => absolute(gen_, x),
        10 => division(gen_, x),
        11 => sign(gen_, x, y),
        12 => select(gen_, x, y),
        13 => quotient_and_remainder(gen_, x, y),
        14 if gen_.on(Switch::Gnu) && gen_.on(Switch::Int128) => highest_half(gen_, x, y),
        _ => clamp(gen_, x),
    }
}

/// `x << k | x >> (w - k)`, or with a count that is not constant.
fn rotate(gen_: &mut Gen, x: Source) -> Ex {
    let bits = x.int.bits();
    let (a, b) = (x.ex(gen_), x.ex(gen_));
    let by = gen_.choices.range(1, bits - 1);
    let (left, right) =
        (constant(gen_, by.into(), IntTy::I32), constant(gen_, (bits - by).into(), IntTy::I32));
    let (high, low) = (gen_.binary(BinOp::Shl, a, left), gen_.binary(BinOp::Shr, b, right));
    let op = gen_.choices.pick(&[BinOp::Or, BinOp::Add, BinOp::Xor]);
    gen_.binary(op, high, low)
}

/// The bytes in the opposite order.
fn swap(gen_: &mut Gen, x: Source) -> Ex {
    let bytes = x.int.bits() / 8;
    let mut all: Option<Ex> = None;
    for byte in 0..bytes {
        let value = x.ex(gen_);
        let by = constant(gen_, (8 * byte).into(), IntTy::I32);
        let mask = constant(gen_, 255, x.int);
        let low = gen_.binary(BinOp::Shr, value, by);
        let low = gen_.binary(BinOp::And, low, mask);
        let by = constant(gen_, (8 * (bytes - 1 - byte)).into(), IntTy::I32);
        let placed = gen_.binary(BinOp::Shl, low, by);
        all = Some(match all {
            Some(rest) => gen_.binary(BinOp::Or, rest, placed),
            None => placed,
        });
    }
    all.unwrap_or_else(|| x.ex(gen_))
}

/// `x + y < x ? ~0 : x + y`, `x > y ? x - y : 0`
fn saturate(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let up = gen_.choices.percent(50);
    let sum = |gen_: &mut Gen| {
        let (a, b) = (x.ex(gen_), y.ex(gen_));
        gen_.binary(if up { BinOp::Add } else { BinOp::Sub }, a, b)
    };
    if up {
        let (left, right) = (sum(gen_), x.ex(gen_));
        let over = gen_.binary(BinOp::Lt, left, right);
        let (most, value) = (constant(gen_, x.int.range().hi, x.int), sum(gen_));
        return gen_.conditional(over, most, value);
    }
    let (left, right) = (x.ex(gen_), y.ex(gen_));
    let above = gen_.binary(BinOp::Gt, left, right);
    let (value, zero) = (sum(gen_), constant(gen_, 0, x.int));
    gen_.conditional(above, value, zero)
}

/// `(x & y) + ((x ^ y) >> 1)`
fn average(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let (a, b) = (x.ex(gen_), y.ex(gen_));
    let both = gen_.binary(BinOp::And, a, b);
    let (a, b) = (x.ex(gen_), y.ex(gen_));
    let one = gen_.binary(BinOp::Xor, a, b);
    let by = constant(gen_, 1, IntTy::I32);
    let half = gen_.binary(BinOp::Shr, one, by);
    gen_.binary(BinOp::Add, both, half)
}

fn signed(gen_: &mut Gen, ex: Ex) -> Ex {
    gen_.convert(ex, IntTy::I32)
}

/// `x < y ? x : y`, with or without sign
fn extreme(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let with_sign = gen_.choices.percent(50);
    let value = |gen_: &mut Gen, source: Source| {
        let ex = source.ex(gen_);
        if with_sign { signed(gen_, ex) } else { ex }
    };
    let (a, b) = (value(gen_, x), value(gen_, y));
    let op = gen_.choices.pick(&[BinOp::Lt, BinOp::Gt, BinOp::Le, BinOp::Ge]);
    let cond = gen_.binary(op, a, b);
    let (yes, no) = (value(gen_, x), value(gen_, y));
    gen_.conditional(cond, yes, no)
}

/// `(x & (x - 1)) == 0`, `x & -x`
fn power_of_two(gen_: &mut Gen, x: Source) -> Ex {
    let (a, b) = (x.ex(gen_), x.ex(gen_));
    if gen_.choices.percent(40) {
        let negated = gen_.unary(UnOp::Minus, b);
        return gen_.binary(BinOp::And, a, negated);
    }
    let one = constant(gen_, 1, x.int);
    let less = gen_.binary(BinOp::Sub, b, one);
    let rest = gen_.binary(BinOp::And, a, less);
    let zero = constant(gen_, 0, x.int);
    gen_.binary(BinOp::Eq, rest, zero)
}

/// `(unsigned)((unsigned long long)x * y >> 32)`
fn high_half(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let (a, b) = (x.ex(gen_), y.ex(gen_));
    let (a, b) = (gen_.convert(a, IntTy::U32), gen_.convert(b, IntTy::U32));
    let wide = gen_.convert(a, IntTy::U64);
    let product = gen_.binary(BinOp::Mul, wide, b);
    let by = constant(gen_, 32, IntTy::I32);
    let high = gen_.binary(BinOp::Shr, product, by);
    gen_.convert(high, IntTy::U32)
}

/// `x == 1 || x == 3 || x > 7 && x < 20`
fn ranges(gen_: &mut Gen, x: Source) -> Ex {
    let count = gen_.choices.range(2, 5);
    let mut value = gen_.choices.below(8);
    let mut all: Option<Ex> = None;
    for _ in 0..count {
        let (left, edge) = (x.ex(gen_), constant(gen_, value.into(), x.int));
        value += gen_.choices.range(1, 4);
        let op = gen_.choices.pick(&[BinOp::Eq, BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Ge]);
        let test = gen_.binary(op, left, edge);
        all = Some(match all {
            Some(rest) => {
                let op = gen_.choices.pick(&[BinOp::LogOr, BinOp::LogOr, BinOp::LogAnd]);
                gen_.binary(op, rest, test)
            }
            None => test,
        });
    }
    all.unwrap_or_else(|| x.ex(gen_))
}

/// `x >> 3 & 15`, or the bits replaced
fn field(gen_: &mut Gen, x: Source) -> Ex {
    let (value, at) = (x.ex(gen_), gen_.choices.below(x.int.bits()));
    let by = constant(gen_, at.into(), IntTy::I32);
    let mask = gen_.choices.pick(&[1i128, 3, 7, 15, 255, 0x7fff]);
    let mask = constant(gen_, mask, x.int);
    let moved = gen_.binary(BinOp::Shr, value, by);
    gen_.binary(BinOp::And, moved, mask)
}

/// `x < 0 ? -x : x` of a value that has room for it
fn absolute(gen_: &mut Gen, x: Source) -> Ex {
    let value = |gen_: &mut Gen| {
        let ex = x.ex(gen_);
        let half = gen_.convert(ex, IntTy::I16);
        Ex { range: IntTy::I16.range(), ..half }
    };
    let (a, zero) = (value(gen_), constant(gen_, 0, IntTy::I32));
    let cond = gen_.binary(BinOp::Lt, a, zero);
    let (down, up) = (value(gen_), value(gen_));
    let negated = gen_.unary(UnOp::Minus, down);
    gen_.conditional(cond, negated, up)
}

/// `x / 10`, `x % 7`, by constants that compilers multiply for
fn division(gen_: &mut Gen, x: Source) -> Ex {
    let op = gen_.choices.pick(&[BinOp::Div, BinOp::Rem]);
    let with_sign = gen_.choices.percent(50);
    let by = gen_.choices.pick(&[10i128, 3, 7, 641, 1000, 16, 65535, 5]);
    let value = x.ex(gen_);
    let value = if with_sign { signed(gen_, value) } else { value };
    let int = gen_.int_of(&value);
    let by = constant(gen_, by, int);
    gen_.binary(op, value, by)
}

/// `b[2] | b[3] << 8 | b[4] << 16 | b[5] << 24` of an array of bytes, in either order
fn bytes_together(gen_: &mut Gen, int: IntTy) -> Option<Ex> {
    let count = int.bits() / 8;
    let var = gen_.pick_var(|m, v| {
        let var = m.var(v);
        let plain = Quals::CONST.has(var.ty.quals) && m.int(var.ty.ty) == Some(IntTy::U8);
        plain && var.free && var.dims.len() == 1 && var.dims[0] >= count
    })?;
    let first = gen_.choices.below(gen_.model.var(var).dims[0] - count + 1);
    let up = gen_.choices.percent(50);
    let mut all: Option<Ex> = None;
    for n in 0..count {
        let (lv, at) = (gen_.variable(var), gen_.number(first + n));
        let byte = gen_.int_ex(ExprKind::Index(lv.id, at), IntTy::U8, IntTy::U8.range(), Flow::NOP);
        let wide = gen_.convert(byte, int);
        let by = constant(gen_, (8 * if up { n } else { count - 1 - n }).into(), IntTy::I32);
        let placed = gen_.binary(BinOp::Shl, wide, by);
        all = Some(match all {
            Some(rest) => gen_.binary(BinOp::Or, rest, placed),
            None => placed,
        });
    }
    let place = gen_.variable_place(var);
    let node = gen_.flow.node(crate::flow::Node::Load(place));
    all.map(|ex| Ex { node, ..ex })
}

/// `x & 1 ? s.f1 : s.f2`, two members one behind the other
fn neighbours(gen_: &mut Gen, x: Source) -> Option<Ex> {
    let pair = |m: &crate::model::Model, v: VarId| {
        let var = m.var(v);
        let record = m.record(var.ty.ty).filter(|r| !r.is_union && var.dims.is_empty())?;
        let plain = |f: &crate::model::Field| {
            f.bits.is_none() && f.dims.is_empty() && Quals::CONST.has(f.ty.quals) && m.int(f.ty.ty).is_some()
        };
        let two = |w: &[crate::model::Field]| plain(&w[0]) && plain(&w[1]) && w[0].ty.ty == w[1].ty.ty;
        record.fields.windows(2).position(two).filter(|_| Quals::CONST.has(var.ty.quals))
    };
    let var = gen_.pick_var(|m, v| pair(m, v).is_some())?;
    let at = pair(&gen_.model, var)?;
    let (value, one) = (x.ex(gen_), constant(gen_, 1, x.int));
    let odd = gen_.binary(BinOp::And, value, one);
    let member = |gen_: &mut Gen, at: usize| {
        let lv = gen_.variable(var);
        let lv = gen_.member(lv, at)?;
        gen_.read(lv)
    };
    let (first, second) = (member(gen_, at)?, member(gen_, at + 1)?);
    let node = gen_.flow.unseq(&[first.node, second.node]);
    let ex = gen_.conditional(odd, first, second);
    Some(Ex { node, ..ex })
}

/// `x / (y | 1) ^ x % (y | 1)`
fn quotient_and_remainder(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let part = |gen_: &mut Gen, op| {
        let (a, b, one) = (x.ex(gen_), y.ex(gen_), constant(gen_, 1, x.int));
        let by = gen_.binary(BinOp::Or, b, one);
        // Odd, and so not 0.
        let by = Ex { range: Range { lo: 1, hi: x.int.range().hi }, ..by };
        gen_.binary(op, a, by)
    };
    let (quotient, rest) = (part(gen_, BinOp::Div), part(gen_, BinOp::Rem));
    gen_.binary(BinOp::Xor, quotient, rest)
}

/// `(unsigned long long)((unsigned __int128)x * y >> 64)`
fn highest_half(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let (a, b) = (x.ex(gen_), y.ex(gen_));
    let (a, b) = (gen_.convert(a, IntTy::U64), gen_.convert(b, IntTy::U64));
    let ty = gen_.model.intern(TyDef::Wide(false));
    let wide = gen_.cast(ty, a.id);
    let product = gen_.e(ExprKind::Binary(BinOp::Mul, wide, b.id));
    let by = gen_.number(64);
    let high = gen_.e(ExprKind::Binary(BinOp::Shr, product, by));
    let long = gen_.int_ty(IntTy::U64);
    let name = gen_.type_name(long);
    gen_.int_ex(ExprKind::Cast(name, high), IntTy::U64, IntTy::U64.range(), Flow::NOP)
}

/// `(int)(x ^ y) < 0`
fn sign(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let (a, b) = (x.ex(gen_), y.ex(gen_));
    let differ = gen_.binary(BinOp::Xor, a, b);
    let differ = signed(gen_, differ);
    let zero = constant(gen_, 0, IntTy::I32);
    gen_.binary(BinOp::Lt, differ, zero)
}

/// `(x & m) | (y & ~m)`, or `y ^ ((x ^ y) & m)`
fn select(gen_: &mut Gen, x: Source, y: Source) -> Ex {
    let mask = gen_.interesting(x.int);
    let other = gen_.wrap(-1 - mask, x.int);
    let (a, m) = (x.ex(gen_), constant(gen_, mask, x.int));
    let left = gen_.binary(BinOp::And, a, m);
    let (b, rest) = (y.ex(gen_), constant(gen_, other, x.int));
    let right = gen_.binary(BinOp::And, b, rest);
    gen_.binary(BinOp::Or, left, right)
}

/// `x < lo ? lo : x > hi ? hi : x`
fn clamp(gen_: &mut Gen, x: Source) -> Ex {
    let value = |gen_: &mut Gen| {
        let ex = x.ex(gen_);
        signed(gen_, ex)
    };
    let low = -i128::from(gen_.choices.below(200));
    let high = i128::from(gen_.choices.below(70000));
    let (v, l, v2, h) =
        (value(gen_), constant(gen_, low, IntTy::I32), value(gen_), constant(gen_, high, IntTy::I32));
    let (below, above) = (gen_.binary(BinOp::Lt, v, l), gen_.binary(BinOp::Gt, v2, h));
    let (lo, hi, v) = (constant(gen_, low, IntTy::I32), constant(gen_, high, IntTy::I32), value(gen_));
    let v = Ex { range: Range { lo: IntTy::I32.range().lo, hi: IntTy::I32.range().hi }, ..v };
    let inner = gen_.conditional(above, hi, v);
    let ex = gen_.conditional(below, lo, inner);
    Ex { range: Range { lo: low, hi: high.max(low) }, ..ex }
}
