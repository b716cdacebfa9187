//! The loops of kernels: their forms, and the statements in them.

use crate::builder::{Ex, Gen};
use crate::model::{IntTy, Range};
use csyntax::ast::{BinOp, ExprId, ExprKind, ForInit, StmtId, StmtKind};
use csyntax::intern::Symbol;

/// How the elements are walked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `for (i = 0; i < n; i++)`
    Up,
    /// `for (i = n - 1; i >= 0; i--)`
    Down,
    /// `for (i = 1; i < n - 1; i++)`, with neighbours.
    Inner,
    /// `for (i = 0; i < n; i += s)`
    Strided(u32),
    /// `for (i = 0, j = n - 1; i < j; i++, j--)`
    Ends,
    /// `while (i < n && b[i] != c) i++;`
    Until,
    /// `for (i < n) for (j <= i)`
    Triangle,
    /// `for (i < m) for (j < m) for (k < m)`: a product of matrices.
    Product(u32),
    /// Nests of so many loops of two turns each.
    Deep(u32),
    /// No loop: the same on a few elements in a row.
    Straight(u32),
    /// Two loops, one after the other.
    Twice,
    /// `for (i = 0; i < n / 2; i++)` over `a[i * j]`, with a stride that is 1 or 2.
    Stride,
}

impl Form {
    pub(super) fn draw(gen_: &mut Gen, len: u32) -> Form {
        let side = (2..=4).rev().find(|m| m * m <= len).unwrap_or(0);
        let when = |yes: bool, weight: u32| if yes { weight } else { 0 };
        let weights = [30, 10, when(len > 2, 14), 8, 8, 8, 8, when(side > 1, 8), when(len > 3, 8), 8, 10, 8];
        match gen_.choices.weighted(&weights).unwrap_or(0) {
            1 => Form::Down,
            2 => Form::Inner,
            3 => Form::Strided(gen_.choices.range(2, 3)),
            4 => Form::Ends,
            5 => Form::Until,
            6 => Form::Triangle,
            7 => Form::Product(side),
            8 => Form::Deep(gen_.choices.range(3, 7)),
            9 => Form::Straight(len.min(gen_.choices.pick(&[4u32, 2, 8]))),
            10 => Form::Twice,
            11 => Form::Stride,
            _ => Form::Up,
        }
    }
}

/// A kernel under construction.
pub(super) struct Kernel {
    types: (IntTy, IntTy),
    ret: IntTy,
    len: u32,
    form: Form,
    a: Symbol,
    b: Symbol,
    n: Symbol,
    c: Symbol,
    s: Symbol,
    i: Symbol,
    j: Symbol,
    pub(super) writes: bool,
}

/// An index: its name, and what can be added to it.
#[derive(Copy, Clone)]
struct At {
    name: Symbol,
    range: Range,
    reach: i32,
    /// Is it multiplied by the stride?
    scaled: bool,
}

impl Kernel {
    pub(super) fn new(gen_: &mut Gen, types: (IntTy, IntTy), ret: IntTy, len: u32, form: Form) -> Kernel {
        let [a, b, n, c, s, i, j] = ["a", "b", "n", "c", "s", "i", "j"].map(|name| gen_.name(name));
        Kernel { types, ret, len, form, a, b, n, c, s, i, j, writes: false }
    }

    fn whole(&self) -> Range {
        Range { lo: 0, hi: i128::from(self.len) - 1 }
    }

    /// `a[i + 1]`
    fn element(&self, gen_: &mut Gen, array: Symbol, at: At, moved: i32) -> ExprId {
        let base = gen_.ident(array);
        let mut index = gen_.ident(at.name);
        if at.scaled {
            let by = gen_.ident(self.j);
            index = gen_.e(ExprKind::Binary(BinOp::Mul, index, by));
        }
        if moved != 0 {
            let by = gen_.number(moved.unsigned_abs());
            let op = if moved > 0 { BinOp::Add } else { BinOp::Sub };
            index = gen_.e(ExprKind::Binary(op, index, by));
        }
        gen_.e(ExprKind::Index(base, index))
    }

    fn load(&self, gen_: &mut Gen, from_a: bool, at: At) -> Ex {
        let moved = if at.reach > 0 { gen_.choices.below(3) as i32 - 1 } else { 0 };
        let (array, int) = if from_a { (self.a, self.types.0) } else { (self.b, self.types.1) };
        let id = self.element(gen_, array, at, moved);
        let kind = gen_.ast[id].kind.clone();
        gen_.int_ex(kind, int, int.range(), crate::flow::Flow::NOP)
    }

    /// Something to compute with.
    fn leaf(&self, gen_: &mut Gen, at: At) -> Ex {
        match gen_.choices.weighted(&[40, 20, 12, 8, 12, 8]).unwrap_or(0) {
            1 => self.load(gen_, true, at),
            2 => gen_.named_ex(self.c, self.ret, self.ret.range()),
            3 => gen_.named_ex(at.name, IntTy::I32, at.range),
            4 => {
                let value = gen_.choices.pick(&[1i128, 2, 3, 5, 7, 8, 16, 31, 255, 1000]);
                gen_.int_const(value, IntTy::I32)
            }
            5 => gen_.named_ex(self.n, IntTy::I32, Range { lo: 1, hi: self.len.into() }),
            _ => self.load(gen_, false, at),
        }
    }

    fn value(&self, gen_: &mut Gen, at: At) -> Ex {
        let mut ex = self.leaf(gen_, at);
        let terms = gen_.choices.pick(&[1u32, 0, 1, 2, 3]);
        for _ in 0..terms {
            let other = self.leaf(gen_, at);
            let all = [BinOp::Add, BinOp::Mul, BinOp::Sub, BinOp::Xor, BinOp::And, BinOp::Or, BinOp::Shr];
            let op = gen_.choices.pick(&all);
            ex = gen_.binary(op, ex, other);
        }
        ex
    }

    /// A condition: on the element, on what does not change in the loop, on where it stands.
    fn condition(&self, gen_: &mut Gen, at: At) -> Ex {
        match gen_.choices.below(4) {
            1 => {
                let (c, bit) =
                    (gen_.named_ex(self.c, self.ret, self.ret.range()), gen_.int_const(1, IntTy::I32));
                gen_.binary(BinOp::And, c, bit)
            }
            2 => {
                let i = gen_.named_ex(at.name, IntTy::I32, at.range);
                let at = gen_.choices.below(self.len);
                let edge = gen_.int_const(at.into(), IntTy::I32);
                let op = gen_.choices.pick(&[BinOp::Lt, BinOp::Eq, BinOp::Ge]);
                gen_.binary(op, i, edge)
            }
            _ => {
                let (left, right) = (self.load(gen_, false, at), self.leaf(gen_, at));
                let op = gen_.choices.pick(&[BinOp::Gt, BinOp::Lt, BinOp::Ne, BinOp::Eq]);
                gen_.binary(op, left, right)
            }
        }
    }

    /// `a[i] = e;`
    fn store(&mut self, gen_: &mut Gen, at: At) -> StmtId {
        self.writes = true;
        let value = self.value(gen_, at);
        let to = self.element(gen_, self.a, at, 0);
        gen_.assign_stmt_to(to, value.id)
    }

    /// `s = s op e;`, the extreme of both, or a count.
    fn fold(&self, gen_: &mut Gen, at: At) -> StmtId {
        let held = gen_.named_ex(self.s, self.ret, self.ret.range());
        let value = match gen_.choices.below(5) {
            0 | 1 => {
                let value = self.value(gen_, at);
                let all = [BinOp::Add, BinOp::Xor, BinOp::Or, BinOp::And, BinOp::Sub, BinOp::Mul];
                let op = gen_.choices.pick(&all);
                gen_.binary(op, held, value)
            }
            2 => {
                let (a, b) = (self.load(gen_, true, at), self.load(gen_, false, at));
                let product = gen_.binary(BinOp::Mul, a, b);
                gen_.binary(BinOp::Add, held, product)
            }
            3 => {
                let element = self.load(gen_, false, at);
                let op = gen_.choices.pick(&[BinOp::Gt, BinOp::Lt]);
                let cond = gen_.binary(op, element, held);
                let (again, held) =
                    (self.load(gen_, false, at), gen_.named_ex(self.s, self.ret, self.ret.range()));
                gen_.conditional(cond, again, held)
            }
            _ => {
                let cond = self.condition(gen_, at);
                let truth = gen_.unary(csyntax::ast::UnOp::Not, cond);
                gen_.binary(BinOp::Add, held, truth)
            }
        };
        let to = gen_.ident(self.s);
        gen_.assign_stmt_to(to, value.id)
    }

    fn simple(&mut self, gen_: &mut Gen, at: At) -> StmtId {
        if gen_.choices.percent(55) { self.store(gen_, at) } else { self.fold(gen_, at) }
    }

    /// The statements of the innermost loop.
    fn work(&mut self, gen_: &mut Gen, at: At) -> Vec<StmtId> {
        let count = gen_.choices.pick(&[1u32, 1, 2, 2, 3]);
        (0..count)
            .map(|_| match gen_.choices.weighted(&[60, 22, 6, 6]).unwrap_or(0) {
                1 => {
                    let cond = self.condition(gen_, at);
                    let then = self.simple(gen_, at);
                    let other = gen_.choices.percent(35).then(|| self.simple(gen_, at));
                    gen_.s(StmtKind::If(cond.id, then, other))
                }
                2 => {
                    let cond = self.condition(gen_, at);
                    let leave = if gen_.choices.percent(70) { StmtKind::Continue } else { StmtKind::Break };
                    // There is no loop to leave in straight code.
                    let leave = match self.form {
                        Form::Straight(_) => StmtKind::Null,
                        Form::Up
                        | Form::Down
                        | Form::Inner
                        | Form::Strided(_)
                        | Form::Ends
                        | Form::Triangle
                        | Form::Product(_)
                        | Form::Deep(_)
                        | Form::Stride
                        | Form::Twice => leave,
                        Form::Until => StmtKind::Break,
                    };
                    let leave = gen_.s(leave);
                    gen_.s(StmtKind::If(cond.id, leave, None))
                }
                3 => self.scatter(gen_, at),
                _ => self.simple(gen_, at),
            })
            .collect()
    }

    /// `a[b[i] & 7] += e;`, a store to where the data say.
    fn scatter(&mut self, gen_: &mut Gen, at: At) -> StmtId {
        self.writes = true;
        let to = self.load(gen_, false, at);
        let mask = gen_.number((1 << self.len.ilog2()) - 1);
        let index = gen_.e(ExprKind::Binary(BinOp::And, to.id, mask));
        let base = gen_.ident(self.a);
        let target = gen_.e(ExprKind::Index(base, index));
        let value = self.value(gen_, at);
        let op = gen_.choices.pick(&[None, Some(BinOp::Xor), Some(BinOp::Or)]);
        let assign = gen_.e(ExprKind::Assign(op, target, value.id));
        gen_.s(StmtKind::Expr(assign))
    }

    /// The whole body: `T s = c; ... return s;`
    pub(super) fn body(&mut self, gen_: &mut Gen) -> StmtId {
        let start = if gen_.choices.percent(50) {
            gen_.ident(self.c)
        } else {
            let value = gen_.choices.below(4);
            gen_.number(value)
        };
        let mut all = vec![gen_.named_decl(self.s, self.ret, start)];
        let before = gen_.cost;
        self.loops(gen_, &mut all);
        let turns = match self.form {
            Form::Up
            | Form::Down
            | Form::Inner
            | Form::Strided(_)
            | Form::Ends
            | Form::Until
            | Form::Stride
            | Form::Twice => u64::from(self.len),
            Form::Triangle => u64::from(self.len) * u64::from(self.len),
            Form::Product(side) => u64::from(side).pow(3),
            Form::Deep(depth) => 1 << depth,
            Form::Straight(_) => 1,
        };
        gen_.cost = before + (gen_.cost - before + 6) * turns;
        let result = gen_.ident(self.s);
        all.push(gen_.s(StmtKind::Return(Some(result))));
        gen_.s(StmtKind::Compound(all))
    }

    /// `for (int i = first; cond; step) body`
    fn turns(
        &self,
        gen_: &mut Gen,
        i: Symbol,
        first: ExprId,
        cond: ExprId,
        step: ExprId,
        body: StmtId,
    ) -> StmtId {
        let decl = gen_.named_decl(i, IntTy::I32, first);
        let init = match gen_.ast[decl].kind {
            StmtKind::Decl(decl) => ForInit::Decl(decl),
            _ => ForInit::None,
        };
        gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body })
    }

    fn compare(gen_: &mut Gen, left: Symbol, op: BinOp, right: ExprId) -> ExprId {
        let left = gen_.ident(left);
        gen_.e(ExprKind::Binary(op, left, right))
    }

    /// `for (int i = 0; i < bound; i++) body`
    fn upward(&self, gen_: &mut Gen, i: Symbol, bound: ExprId, body: StmtId) -> StmtId {
        let (first, cond) = (gen_.number(0), Kernel::compare(gen_, i, BinOp::Lt, bound));
        let step = gen_.named_step(i, true);
        self.turns(gen_, i, first, cond, step, body)
    }

    fn block(&mut self, gen_: &mut Gen, at: At) -> StmtId {
        let all = self.work(gen_, at);
        gen_.s(StmtKind::Compound(all))
    }

    fn loops(&mut self, gen_: &mut Gen, all: &mut Vec<StmtId>) {
        let (i, n) = (self.i, self.n);
        let at = At { name: i, range: self.whole(), reach: 0, scaled: false };
        let made = match self.form {
            Form::Up => {
                let body = self.block(gen_, at);
                let bound = gen_.ident(n);
                self.upward(gen_, i, bound, body)
            }
            Form::Twice => {
                let body = self.block(gen_, at);
                let bound = gen_.ident(n);
                let first = self.upward(gen_, i, bound, body);
                all.push(first);
                let body = self.block(gen_, at);
                let bound = gen_.ident(n);
                self.upward(gen_, i, bound, body)
            }
            Form::Down => {
                let body = self.block(gen_, at);
                let (n, one, zero) = (gen_.ident(n), gen_.number(1), gen_.number(0));
                let last = gen_.e(ExprKind::Binary(BinOp::Sub, n, one));
                let (cond, step) = (Kernel::compare(gen_, i, BinOp::Ge, zero), gen_.named_step(i, false));
                self.turns(gen_, i, last, cond, step, body)
            }
            Form::Inner => {
                let range = Range { lo: 1, hi: i128::from(self.len) - 2 };
                let body = self.block(gen_, At { name: i, range, reach: 1, scaled: false });
                let (n, one, first) = (gen_.ident(n), gen_.number(1), gen_.number(1));
                let last = gen_.e(ExprKind::Binary(BinOp::Sub, n, one));
                let (cond, step) = (Kernel::compare(gen_, i, BinOp::Lt, last), gen_.named_step(i, true));
                self.turns(gen_, i, first, cond, step, body)
            }
            Form::Strided(by) => {
                let body = self.block(gen_, at);
                let (n, first) = (gen_.ident(n), gen_.number(0));
                let cond = Kernel::compare(gen_, i, BinOp::Lt, n);
                let (held, by) = (gen_.ident(i), gen_.number(by));
                let step = gen_.e(ExprKind::Assign(Some(BinOp::Add), held, by));
                self.turns(gen_, i, first, cond, step, body)
            }
            Form::Stride => self.strided(gen_, all),
            Form::Ends => self.ends(gen_, all),
            Form::Until => self.until(gen_, all),
            Form::Triangle => {
                let range = self.whole();
                let body = self.block(gen_, At { name: self.j, range, reach: 0, scaled: false });
                let op = gen_.choices.pick(&[BinOp::Le, BinOp::Lt]);
                let (bound, first) = (gen_.ident(i), gen_.number(0));
                let cond = Kernel::compare(gen_, self.j, op, bound);
                let step = gen_.named_step(self.j, true);
                let inner = self.turns(gen_, self.j, first, cond, step, body);
                let bound = gen_.ident(n);
                self.upward(gen_, i, bound, inner)
            }
            Form::Product(side) => self.product(gen_, side),
            Form::Deep(depth) => self.deep(gen_, depth),
            Form::Straight(count) => {
                for index in 1..count {
                    let stmt = self.straight(gen_, index - 1);
                    all.push(stmt);
                }
                self.straight(gen_, count - 1)
            }
        };
        all.push(made);
    }

    /// `a[3] = b[3] + c;`, a step of straight code.
    fn straight(&mut self, gen_: &mut Gen, index: u32) -> StmtId {
        self.writes = true;
        let element = |gen_: &mut Gen, array| {
            let (base, at) = (gen_.ident(array), gen_.number(index));
            gen_.e(ExprKind::Index(base, at))
        };
        let (to, from) = (element(gen_, self.a), element(gen_, self.b));
        let kind = gen_.ast[from].kind.clone();
        let b = gen_.int_ex(kind, self.types.1, self.types.1.range(), crate::flow::Flow::NOP);
        let c = gen_.named_ex(self.c, self.ret, self.ret.range());
        // Every step the same, as vectorisers of straight code want it.
        let value = gen_.binary(BinOp::Xor, b, c);
        gen_.assign_stmt_to(to, value.id)
    }

    /// `for (int i = 0, ...; i < j; i++, j--)` with both indices in use.
    fn ends(&mut self, gen_: &mut Gen, all: &mut Vec<StmtId>) -> StmtId {
        let (n, one) = (gen_.ident(self.n), gen_.number(1));
        let last = gen_.e(ExprKind::Binary(BinOp::Sub, n, one));
        all.push(gen_.named_decl(self.j, IntTy::I32, last));
        let range = self.whole();
        let (i, j) = (
            At { name: self.i, range, reach: 0, scaled: false },
            At { name: self.j, range, reach: 0, scaled: false },
        );
        let body = if gen_.choices.percent(50) {
            // A swap through a variable.
            self.writes = true;
            let t = gen_.name("t");
            let first = self.element(gen_, self.a, i, 0);
            let (left, right) = (self.element(gen_, self.a, i, 0), self.element(gen_, self.a, j, 0));
            let again = self.element(gen_, self.a, j, 0);
            let kept = gen_.ident(t);
            vec![
                gen_.named_decl(t, self.types.0, first),
                gen_.assign_stmt_to(left, right),
                gen_.assign_stmt_to(again, kept),
            ]
        } else {
            vec![self.simple(gen_, i), self.simple(gen_, j)]
        };
        let body = gen_.s(StmtKind::Compound(body));
        let bound = gen_.ident(self.j);
        let (first, cond) = (gen_.number(0), Kernel::compare(gen_, self.i, BinOp::Lt, bound));
        let (up, down) = (gen_.named_step(self.i, true), gen_.named_step(self.j, false));
        let step = gen_.e(ExprKind::Comma(up, down));
        self.turns(gen_, self.i, first, cond, step, body)
    }

    /// `int j = (c & 1) + 1; for (i = 0; i < n / 2; i++)`
    fn strided(&mut self, gen_: &mut Gen, all: &mut Vec<StmtId>) -> StmtId {
        let (c, one, again) = (gen_.ident(self.c), gen_.number(1), gen_.number(1));
        let low = gen_.e(ExprKind::Binary(BinOp::And, c, one));
        let stride = gen_.e(ExprKind::Binary(BinOp::Add, low, again));
        all.push(gen_.named_decl(self.j, IntTy::I32, stride));
        let range = Range { lo: 0, hi: i128::from(self.len / 2) };
        let body = self.block(gen_, At { name: self.i, range, reach: 0, scaled: true });
        let (n, two) = (gen_.ident(self.n), gen_.number(2));
        let bound = gen_.e(ExprKind::Binary(BinOp::Div, n, two));
        self.upward(gen_, self.i, bound, body)
    }

    /// A search that data end, then the count of it.
    fn until(&mut self, gen_: &mut Gen, all: &mut Vec<StmtId>) -> StmtId {
        let zero = gen_.number(0);
        all.push(gen_.named_decl(self.i, IntTy::I32, zero));
        let at = At { name: self.i, range: self.whole(), reach: 0, scaled: false };
        let n = gen_.ident(self.n);
        let inside = Kernel::compare(gen_, self.i, BinOp::Lt, n);
        let more = self.condition(gen_, at);
        let cond = gen_.e(ExprKind::Binary(BinOp::LogAnd, inside, more.id));
        let mut body = if gen_.choices.percent(60) { self.work(gen_, at) } else { Vec::new() };
        let step = gen_.named_step(self.i, true);
        body.push(gen_.s(StmtKind::Expr(step)));
        let body = gen_.s(StmtKind::Compound(body));
        all.push(gen_.s(StmtKind::While(cond, body)));
        let held = gen_.named_ex(self.s, self.ret, self.ret.range());
        let range = Range { lo: 0, hi: self.len.into() };
        let i = gen_.named_ex(self.i, IntTy::I32, range);
        let sum = gen_.binary(BinOp::Xor, held, i);
        let to = gen_.ident(self.s);
        gen_.assign_stmt_to(to, sum.id)
    }

    /// `a[i * 3 + j] += b[i * 3 + k] * b[k * 3 + j];`
    fn product(&mut self, gen_: &mut Gen, side: u32) -> StmtId {
        self.writes = true;
        let k = gen_.name("k");
        let element = |gen_: &mut Gen, array: Symbol, row: Symbol, column: Symbol| {
            let (row, side) = (gen_.ident(row), gen_.number(side));
            let line = gen_.e(ExprKind::Binary(BinOp::Mul, row, side));
            let column = gen_.ident(column);
            let index = gen_.e(ExprKind::Binary(BinOp::Add, line, column));
            let base = gen_.ident(array);
            ExprKind::Index(base, index)
        };
        let flow = crate::flow::Flow::NOP;
        let (i, j) = (self.i, self.j);
        let (left, right) = (element(gen_, self.b, i, k), element(gen_, self.b, k, j));
        let range = self.types.1.range();
        let left = gen_.int_ex(left, self.types.1, range, flow);
        let right = gen_.int_ex(right, self.types.1, range, flow);
        let product = gen_.binary(BinOp::Mul, left, right);
        let (to, held) = (element(gen_, self.a, i, j), element(gen_, self.a, i, j));
        let to = gen_.e(to);
        let held = gen_.int_ex(held, self.types.0, self.types.0.range(), flow);
        let sum = gen_.binary(BinOp::Add, held, product);
        let mut body = gen_.assign_stmt_to(to, sum.id);
        let order = gen_.choices.pick(&[[i, j, k], [i, k, j], [k, j, i], [j, i, k]]);
        for counter in order.into_iter().rev() {
            let bound = gen_.number(side);
            body = self.upward(gen_, counter, bound, body);
        }
        body
    }

    /// Loops in loops, of two turns each; the element is where their counters' sum says.
    fn deep(&mut self, gen_: &mut Gen, depth: u32) -> StmtId {
        let counters: Vec<Symbol> = (0..depth).map(|d| gen_.numbered("i", d)).collect();
        let mut sum = gen_.ident(counters[0]);
        for counter in &counters[1..] {
            let next = gen_.ident(*counter);
            sum = gen_.e(ExprKind::Binary(BinOp::Add, sum, next));
        }
        // The sum is at most the depth, and the index below a power of two in the array.
        let mask = gen_.number((1 << self.len.ilog2()) - 1);
        let index = gen_.e(ExprKind::Binary(BinOp::And, sum, mask));
        let decl = gen_.named_decl(self.i, IntTy::I32, index);
        let at = At { name: self.i, range: self.whole(), reach: 0, scaled: false };
        let mut all = vec![decl];
        all.extend(self.work(gen_, at));
        let mut body = gen_.s(StmtKind::Compound(all));
        for counter in counters.into_iter().rev() {
            let bound = gen_.number(2);
            body = self.upward(gen_, counter, bound, body);
        }
        body
    }
}
