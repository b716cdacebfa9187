//! What all loops share: courses of counters, headers, and bodies validated to a fixed point (section 4.3.7).
//!
//! Every loop is bounded by construction: it counts with a variable of its own that nothing in it may write.

use crate::builder::{Counter, Gen};
use crate::flow::{BlockId, Flow, Node, NodeId};
use crate::model::{IntTy, Range, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, ForInit, UnOp};

/// How a counter goes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Course {
    /// The first value.
    pub first: i128,
    /// What it is compared with.
    pub bound: i128,
    /// What is added each turn.
    pub step: i128,
    /// How it is compared.
    pub test: BinOp,
    /// How many turns that makes.
    pub turns: u64,
    /// The values in the body.
    pub range: Range,
}

impl Course {
    /// From `first` up to the last value below `end`.
    pub(crate) fn up(first: i128, end: i128, step: i128) -> Course {
        let turns = ((end - first + step - 1) / step).max(0);
        let last = first + (turns.max(1) - 1) * step;
        let range = Range { lo: first, hi: last };
        Course { first, bound: end, step, test: BinOp::Lt, turns: turns as u64, range }
    }

    /// The same values in the opposite order.
    pub(crate) fn reversed(self) -> Course {
        let (lo, hi) = (self.range.lo, self.range.hi);
        Course { first: hi, bound: lo, step: -self.step, test: BinOp::Ge, ..self }
    }

    /// The same values with another test.
    pub(crate) fn tested(self, choice: u32) -> Course {
        let last = if self.step > 0 { self.range.hi } else { self.range.lo };
        match (choice, self.step > 0) {
            (1, true) => Course { test: BinOp::Le, bound: last, ..self },
            (1, false) => Course { test: BinOp::Gt, bound: last - 1, ..self },
            (2, _) => Course { test: BinOp::Ne, bound: last + self.step, ..self },
            _ => self,
        }
    }
}

/// The header of a `for`.
pub(crate) struct Header {
    /// The counter.
    pub var: VarId,
    /// First clause.
    pub init: ForInit,
    /// Second clause.
    pub cond: ExprId,
    /// Third clause.
    pub step: ExprId,
}

/// What the flow of a loop is made of, besides its body.
pub(crate) struct Shape {
    /// Most turns.
    pub turns: u64,
    /// The counter, where the body may read it.
    pub counter: Option<Counter>,
    /// Evaluated before each turn, or after each where `do_while`.
    pub cond: NodeId,
    /// Is the condition tested after the body?
    pub do_while: bool,
    /// Can the body `continue`?
    pub continues: bool,
}

impl Gen<'_> {
    /// A type for counters of small numbers.
    pub(crate) fn counter_type(&mut self) -> IntTy {
        let on = |yes: bool, weight: u32| if yes { weight } else { 0 };
        let weights = [
            60,
            12,
            6,
            on(self.on(Switch::LongLong), 10),
            on(self.on(Switch::Int8), 3),
            on(self.on(Switch::Uint8), 3),
        ];
        let types = [IntTy::I32, IntTy::U32, IntTy::I16, IntTy::I64, IntTy::I8, IntTy::U8];
        types[self.choices.weighted(&weights).unwrap_or(0)]
    }

    /// A random course of at most `most` turns.
    pub(crate) fn course(&mut self, most: u32, signed: bool) -> Course {
        let small = self.choices.range(1, most);
        let len = if self.cx.loops > 0 { small.min(self.choices.range(1, most)) } else { small };
        let step = i128::from(self.choices.pick(&[1u32, 1, 1, 1, 1, 2, 3, 4, 7]));
        let first = i128::from(self.choices.pick(&[0u32, 0, 0, 0, 1, 2, 5]));
        let course = Course::up(first, first + i128::from(len), step);
        let down = signed && self.choices.percent(20);
        let choice = self.choices.pick(&[0, 0, 1, 2]);
        if down { course.reversed().tested(choice) } else { course.tested(choice) }
    }

    /// The header of a `for` over a course, its counter declared in it or in the block around.
    pub(crate) fn header(&mut self, course: Course, int: IntTy) -> Header {
        let ty = self.int_ty(int);
        let scope = self.cx.scopes.len() - 1;
        let own = self.choices.percent(60);
        let first = self.int_const(course.first, int);
        let (var, init) = if own {
            let init = self.init_expr(first.id);
            let (var, decl) = self.declare_local(ty, scope, Some(init));
            (var, ForInit::Decl(decl))
        } else {
            let var = self.counter(ty);
            let lv = self.variable(var);
            (var, ForInit::Expr(self.e(ExprKind::Assign(None, lv.id, first.id))))
        };
        self.model.vars[var.0 as usize].free = false;
        let lv = self.variable(var);
        let bound = self.int_const(course.bound, int);
        let cond = self.e(ExprKind::Binary(course.test, lv.id, bound.id));
        let step = self.step(var, course.step, int);
        Header { var, init, cond, step }
    }

    /// `i++`, `++i`, `i += s`, `i = i + s`
    pub(crate) fn step(&mut self, var: VarId, by: i128, int: IntTy) -> ExprId {
        let lv = self.variable(var);
        if by.abs() == 1 && self.choices.percent(80) {
            let post = self.choices.percent(50);
            let op = match (by > 0, post) {
                (true, true) => UnOp::PostInc,
                (true, false) => UnOp::PreInc,
                (false, true) => UnOp::PostDec,
                (false, false) => UnOp::PreDec,
            };
            return self.e(ExprKind::Unary(op, lv.id));
        }
        let amount = self.int_const(by.abs(), int);
        let op = if by > 0 { BinOp::Add } else { BinOp::Sub };
        if self.choices.percent(70) {
            return self.e(ExprKind::Assign(Some(op), lv.id, amount.id));
        }
        let held = self.variable(var);
        let sum = self.e(ExprKind::Binary(op, held.id, amount.id));
        self.e(ExprKind::Assign(None, lv.id, sum))
    }

    /// Charges the header of a loop, which was built since the statement began; false where that is too much.
    pub(crate) fn charge_header(&mut self, turns: u64) -> bool {
        let cost = (2 * std::mem::take(&mut self.cost)).saturating_mul(turns + 1);
        if !self.affords(cost) {
            return false;
        }
        self.charge(cost);
        true
    }

    /// The body of a loop, and the flow of the whole loop, validated to a fixed point.
    pub(crate) fn loop_body(
        &mut self,
        shape: &Shape,
        fill: impl FnOnce(&mut Self) -> BlockId,
    ) -> Option<(BlockId, NodeId)> {
        let before = self.state.clone();
        if !shape.do_while && self.advance(shape.cond).is_err() {
            return None;
        }
        let (around, limit, loops) = (self.cx.turns, self.cx.step_limit, self.cx.loops);
        self.cx.turns = around.saturating_mul(shape.turns.max(1));
        self.cx.step_limit = self.used + limit.saturating_sub(self.used) / 3;
        self.cx.loops = if shape.continues { loops + 1 } else { 0 };
        self.cx.breakable += 1;
        if let Some(counter) = shape.counter {
            self.cx.counters.push(counter);
            self.transfer.lock(counter.var);
        }
        self.transfer.enter_target(true);
        let body = fill(self);
        self.transfer.leave_target();
        if shape.counter.is_some() {
            self.cx.counters.pop();
            self.transfer.unlock();
        }
        self.cx.loops = loops;
        self.cx.breakable -= 1;
        self.cx.turns = around;
        self.cx.step_limit = limit;
        let block = self.flow.node(Node::Block(body));
        let node = self.flow.node(Node::Loop {
            init: Flow::NOP,
            cond: shape.cond,
            body: block,
            step: Flow::NOP,
            do_while: shape.do_while,
            locked: shape.counter.map(|c| c.var),
        });
        self.settle(node, &before).then_some((body, node))
    }
}
