//! Loops whose end the data decide and the width of their type bounds: counts of bits, remainders, roots, powers,
//! polynomials over bits. Optimisers look for several of them.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::flow::Flow;
use crate::model::{IntTy, Qualified, Range};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, ForInit, Quals, StmtId, StmtKind, Storage, UnOp};
use csyntax::intern::Symbol;

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "bit loop",
    doc: "a call of a function that loops over the bits of an unsigned number: counts them, reverses them, divides, \
          takes a root, a power, a common divisor",
    weight: 3,
    allowed: |gen_| gen_.on(Switch::BitLoops) && !gen_.cx.pure && gen_.steps_left() > 3000,
    build,
};

/// What such a function computes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// `while (v) { n += v & 1; v >>= 1; }`
    Ones,
    /// `while (v) { v &= v - 1; n++; }`
    LowestOff,
    /// `while (v >>= 1) n++;`
    Length,
    /// `while (v && !(v & 1)) { v >>= 1; n++; }`
    Trailing,
    /// `for (...) n = n << 1 | v & 1, v >>= 1;`
    Reversed,
    /// `v = v & 1 ? v >> 1 ^ p : v >> 1;`
    Polynomial,
    /// `while (u) { t = v % u; v = u; u = t; }`
    Divisor,
    /// `while (u) { if (u & 1) n *= v; v *= v; u >>= 1; }`
    Power,
    /// `while (u) { if (u & 1) n += v; v <<= 1; u >>= 1; }`
    Product,
    /// `for (b = top; b; b >>= 2) ...`
    Root,
    /// `do n += v % 10; while (v /= 10);`
    Digits,
    /// `while (v > 1 && n < 40) { v = v & 1 ? 3 * v + 1 : v / 2; n++; }`
    Steps,
}

const SHAPES: [Shape; 12] = [
    Shape::Ones,
    Shape::LowestOff,
    Shape::Length,
    Shape::Trailing,
    Shape::Reversed,
    Shape::Polynomial,
    Shape::Divisor,
    Shape::Power,
    Shape::Product,
    Shape::Root,
    Shape::Digits,
    Shape::Steps,
];

impl Shape {
    /// Bound on its turns.
    fn turns(self, bits: u32) -> u32 {
        match self {
            Shape::Ones | Shape::LowestOff | Shape::Length | Shape::Trailing | Shape::Reversed => bits,
            Shape::Polynomial | Shape::Power | Shape::Product => bits,
            // Two steps of Euclid's halve the larger number.
            Shape::Divisor => 2 * bits,
            Shape::Root => bits / 2,
            Shape::Digits => bits / 3,
            Shape::Steps => 40,
        }
    }

    /// What it gives.
    fn range(self, int: IntTy) -> Range {
        let most = match self {
            Shape::Ones | Shape::LowestOff | Shape::Length | Shape::Trailing => int.bits().into(),
            Shape::Digits => 9 * i128::from(int.bits() / 3),
            Shape::Steps => 40,
            Shape::Reversed | Shape::Polynomial | Shape::Divisor => int.range().hi,
            Shape::Power | Shape::Product | Shape::Root => int.range().hi,
        };
        Range { lo: 0, hi: most }
    }

    /// Do the options allow its operators?
    fn allowed(self, gen_: &Gen) -> bool {
        match self {
            Shape::Ones | Shape::LowestOff | Shape::Length | Shape::Trailing | Shape::Reversed => true,
            Shape::Polynomial | Shape::Product | Shape::Root => true,
            Shape::Divisor | Shape::Digits => gen_.on(Switch::Divs),
            Shape::Power => gen_.on(Switch::Muls),
            Shape::Steps => gen_.on(Switch::Divs) && gen_.on(Switch::Muls),
        }
    }

    fn operands(self) -> usize {
        match self {
            Shape::Divisor | Shape::Power | Shape::Product => 2,
            Shape::Ones | Shape::LowestOff | Shape::Length | Shape::Trailing | Shape::Reversed => 1,
            Shape::Polynomial | Shape::Root | Shape::Digits | Shape::Steps => 1,
        }
    }
}

/// A function that was made.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Known {
    name: Symbol,
    shape: Shape,
    int: IntTy,
    /// Evaluations of one call.
    cost: u64,
}

/// The function under construction: all its variables are of one unsigned type.
struct Maker<'g, 'o> {
    gen_: &'g mut Gen<'o>,
    int: IntTy,
    v: Symbol,
    u: Symbol,
    n: Symbol,
    t: Symbol,
}

impl Maker<'_, '_> {
    fn name(&mut self, name: Symbol) -> ExprId {
        self.gen_.ident(name)
    }

    fn number(&mut self, value: i128) -> ExprId {
        self.gen_.literal(value, self.int)
    }

    fn op(&mut self, op: BinOp, left: ExprId, right: ExprId) -> ExprId {
        self.gen_.e(ExprKind::Binary(op, left, right))
    }

    /// `name op value`
    fn with(&mut self, name: Symbol, op: BinOp, value: i128) -> ExprId {
        let (left, right) = (self.name(name), self.number(value));
        self.op(op, left, right)
    }

    /// `name = value;`
    fn set(&mut self, name: Symbol, value: ExprId) -> StmtId {
        let to = self.name(name);
        let assign = self.gen_.e(ExprKind::Assign(None, to, value));
        self.gen_.s(StmtKind::Expr(assign))
    }

    /// `name op= value;`, or written out.
    fn update(&mut self, name: Symbol, op: BinOp, value: ExprId) -> StmtId {
        if self.gen_.on(Switch::CompoundAssignment) && self.gen_.choices.percent(60) {
            let to = self.name(name);
            let assign = self.gen_.e(ExprKind::Assign(Some(op), to, value));
            return self.gen_.s(StmtKind::Expr(assign));
        }
        let held = self.name(name);
        let value = self.op(op, held, value);
        self.set(name, value)
    }

    fn update_by(&mut self, name: Symbol, op: BinOp, value: i128) -> StmtId {
        let value = self.number(value);
        self.update(name, op, value)
    }

    /// `n++;`
    fn count(&mut self) -> StmtId {
        if self.gen_.on(Switch::PostIncr) && self.gen_.choices.percent(60) {
            let held = self.name(self.n);
            let step = self.gen_.e(ExprKind::Unary(UnOp::PostInc, held));
            return self.gen_.s(StmtKind::Expr(step));
        }
        self.update_by(self.n, BinOp::Add, 1)
    }

    /// `name != 0`, or the bare name
    fn nonzero(&mut self, name: Symbol) -> ExprId {
        if self.gen_.choices.percent(50) { self.name(name) } else { self.with(name, BinOp::Ne, 0) }
    }

    fn block(&mut self, all: Vec<StmtId>) -> StmtId {
        self.gen_.s(StmtKind::Compound(all))
    }

    /// `while (cond) { body }`, or as a `for`.
    fn repeat(&mut self, cond: ExprId, body: Vec<StmtId>) -> StmtId {
        let body = self.block(body);
        if self.gen_.choices.percent(50) {
            return self.gen_.s(StmtKind::While(cond, body));
        }
        self.gen_.s(StmtKind::For { init: ForInit::None, cond: Some(cond), step: None, body })
    }

    /// `if (name & 1) then`
    fn if_odd(&mut self, name: Symbol, then: StmtId) -> StmtId {
        let odd = self.with(name, BinOp::And, 1);
        let then = self.block(vec![then]);
        self.gen_.s(StmtKind::If(odd, then, None))
    }

    /// The loop.
    fn turns(&mut self, shape: Shape) -> StmtId {
        let (v, u, n, t) = (self.v, self.u, self.n, self.t);
        match shape {
            Shape::Ones => {
                let cond = self.nonzero(v);
                let low = self.with(v, BinOp::And, 1);
                let body = vec![self.update(n, BinOp::Add, low), self.update_by(v, BinOp::Shr, 1)];
                self.repeat(cond, body)
            }
            Shape::LowestOff => {
                let cond = self.nonzero(v);
                let less = self.with(v, BinOp::Sub, 1);
                let body = vec![self.update(v, BinOp::And, less), self.count()];
                self.repeat(cond, body)
            }
            Shape::Length => {
                let cond = self.nonzero(v);
                let body = vec![self.update_by(v, BinOp::Shr, 1), self.count()];
                self.repeat(cond, body)
            }
            Shape::Trailing => {
                let (some, low, zero) = (self.nonzero(v), self.with(v, BinOp::And, 1), self.number(0));
                let even = self.op(BinOp::Eq, low, zero);
                let cond = self.op(BinOp::LogAnd, some, even);
                let body = vec![self.update_by(v, BinOp::Shr, 1), self.count()];
                self.repeat(cond, body)
            }
            Shape::Reversed => {
                let bits = self.int.bits();
                let cond = self.with(t, BinOp::Lt, bits.into());
                let (high, low) = (self.with(n, BinOp::Shl, 1), self.with(v, BinOp::And, 1));
                let both = self.op(BinOp::Or, high, low);
                let body = vec![
                    self.set(n, both),
                    self.update_by(v, BinOp::Shr, 1),
                    self.update_by(t, BinOp::Add, 1),
                ];
                self.repeat(cond, body)
            }
            Shape::Polynomial => {
                let times = self.gen_.choices.pick(&[8, self.int.bits()]);
                let cond = self.with(t, BinOp::Lt, times.into());
                let (half, poly) = (self.with(v, BinOp::Shr, 1), self.number(0xedb8_8320));
                let odd = self.op(BinOp::Xor, half, poly);
                let (low, even) = (self.with(v, BinOp::And, 1), self.with(v, BinOp::Shr, 1));
                let next = self.gen_.e(ExprKind::Cond(low, Some(odd), even));
                let body = vec![self.set(v, next), self.update_by(t, BinOp::Add, 1)];
                self.repeat(cond, body)
            }
            Shape::Divisor => {
                let cond = self.nonzero(u);
                let (a, b) = (self.name(v), self.name(u));
                let rest = self.op(BinOp::Rem, a, b);
                let first = self.set(t, rest);
                let (b, rest) = (self.name(u), self.name(t));
                let body = vec![first, self.set(v, b), self.set(u, rest)];
                self.repeat(cond, body)
            }
            Shape::Power | Shape::Product => {
                let power = shape == Shape::Power;
                let cond = self.nonzero(u);
                let factor = self.name(v);
                let then = self.update(n, if power { BinOp::Mul } else { BinOp::Add }, factor);
                let odd = self.if_odd(u, then);
                let next = if power {
                    let again = self.name(v);
                    self.update(v, BinOp::Mul, again)
                } else {
                    self.update_by(v, BinOp::Shl, 1)
                };
                let body = vec![odd, next, self.update_by(u, BinOp::Shr, 1)];
                self.repeat(cond, body)
            }
            Shape::Root => {
                let cond = self.nonzero(t);
                let (root, bit, held) = (self.name(n), self.name(t), self.name(v));
                let sum = self.op(BinOp::Add, root, bit);
                let fits = self.op(BinOp::Ge, held, sum);
                let (root, bit) = (self.name(n), self.name(t));
                let sum = self.op(BinOp::Add, root, bit);
                let less = self.update(v, BinOp::Sub, sum);
                let (half, bit) = (self.with(n, BinOp::Shr, 1), self.name(t));
                let more = self.op(BinOp::Add, half, bit);
                let then = vec![less, self.set(n, more)];
                let (then, otherwise) = (self.block(then), vec![self.update_by(n, BinOp::Shr, 1)]);
                let otherwise = self.block(otherwise);
                let test = self.gen_.s(StmtKind::If(fits, then, Some(otherwise)));
                let body = vec![test, self.update_by(t, BinOp::Shr, 2)];
                self.repeat(cond, body)
            }
            Shape::Digits => {
                let digit = self.with(v, BinOp::Rem, 10);
                let body = vec![self.update(n, BinOp::Add, digit), self.update_by(v, BinOp::Div, 10)];
                let body = self.block(body);
                let cond = self.nonzero(v);
                self.gen_.s(StmtKind::DoWhile(body, cond))
            }
            Shape::Steps => {
                let (large, few) = (self.with(v, BinOp::Gt, 1), self.with(n, BinOp::Lt, 40));
                let cond = self.op(BinOp::LogAnd, large, few);
                let three = self.with(v, BinOp::Mul, 3);
                let one = self.number(1);
                let up = self.op(BinOp::Add, three, one);
                let (low, down) = (self.with(v, BinOp::And, 1), self.with(v, BinOp::Div, 2));
                let next = self.gen_.e(ExprKind::Cond(low, Some(up), down));
                let body = vec![self.set(v, next), self.count()];
                self.repeat(cond, body)
            }
        }
    }

    fn declare(&mut self, name: Symbol, value: i128) -> StmtId {
        let ty = self.gen_.int_ty(self.int);
        let value = self.number(value);
        let init = self.gen_.init_expr(value);
        let written = self.gen_.written(Qualified { ty, quals: Quals::NONE });
        let decl = self.gen_.declaration(Storage::NONE, written, name, Some(init));
        self.gen_.s(StmtKind::Decl(decl))
    }

    /// The whole body.
    fn body(&mut self, shape: Shape) -> StmtId {
        let start = i128::from(shape == Shape::Power);
        let top = if shape == Shape::Root { 1 << (self.int.bits() - 2) } else { 0 };
        let (by_value, two) = match shape {
            Shape::Polynomial => (self.v, true),
            Shape::Divisor => (self.v, true),
            Shape::Reversed | Shape::Root => (self.n, true),
            Shape::Ones | Shape::LowestOff | Shape::Length | Shape::Trailing => (self.n, false),
            Shape::Power | Shape::Product | Shape::Digits | Shape::Steps => (self.n, false),
        };
        let mut all = Vec::new();
        if by_value == self.n {
            all.push(self.declare(self.n, start));
        }
        if two {
            all.push(self.declare(self.t, top));
        }
        all.push(self.turns(shape));
        let value = self.name(by_value);
        all.push(self.gen_.s(StmtKind::Return(Some(value))));
        self.block(all)
    }
}

/// `static T bits_7(T v) { ... }`
fn define(gen_: &mut Gen, shape: Shape, int: IntTy) -> Known {
    let name = gen_.fresh("bits_");
    let outer = std::mem::take(&mut gen_.cost);
    let [v, u, n, t] = ["v", "u", "n", "t"].map(|name| gen_.name(name));
    let body = Maker { gen_, int, v, u, n, t }.body(shape);
    let ty = gen_.int_ty(int);
    let plain = Qualified { ty, quals: Quals::NONE };
    let params = [v, u][..shape.operands()].iter().map(|p| gen_.param(plain, Some(*p))).collect();
    let fn_ty = gen_.function_type(ty, params, false);
    let def = gen_.function(Storage::STATIC, fn_ty, name, body);
    gen_.helper_defs.push(def);
    let each = std::mem::replace(&mut gen_.cost, outer);
    Known { name, shape, int, cost: (each + 4) * u64::from(shape.turns(int.bits()) + 2) }
}

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let known = match gen_.bit_loops.len() as u32 {
        0 => None,
        count => gen_.choices.percent(50).then(|| gen_.choices.below(count) as usize),
    };
    let known = match known {
        Some(at) => gen_.bit_loops[at],
        None => {
            let wide = gen_.on(Switch::LongLong) && gen_.choices.percent(40);
            let shape = gen_.choices.pick(&SHAPES);
            if !shape.allowed(gen_) {
                return None;
            }
            let made = define(gen_, shape, if wide { IntTy::U64 } else { IntTy::U32 });
            gen_.bit_loops.push(made);
            made
        }
    };
    gen_.cost = gen_.cost.saturating_add(known.cost);
    let (mut args, mut nodes) = (Vec::new(), [Flow::NOP; 2]);
    for node in &mut nodes[..known.shape.operands()] {
        let ex = gen_.int_expr((ops / 2).min(3));
        let ex = if gen_.int_of(&ex) == known.int { ex } else { gen_.convert(ex, known.int) };
        *node = ex.node;
        args.push(ex.id);
    }
    let node = gen_.flow.unseq(&nodes);
    let callee = gen_.ident(known.name);
    let range = known.shape.range(known.int);
    Some(gen_.int_ex(ExprKind::Call(callee, args), known.int, range, node))
}
