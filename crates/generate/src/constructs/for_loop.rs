//! Counted `for` loops; the counter is the loop's own and nothing in the loop may write it.

use super::StatementConstruct;
use crate::builder::{Built, Counter, Gen, Item};
use crate::flow::{Flow, Node};
use crate::model::{IntTy, Range};
use csyntax::ast::{BinOp, ExprKind, ForInit, StmtKind, UnOp};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "for",
    doc: "`for (i = a; i < b; i += s) { ... }`",
    weight: 16,
    allowed: |gen_| gen_.can_nest() && gen_.steps_left() > 400,
    build,
};

/// How a counter goes.
struct Course {
    first: i128,
    bound: i128,
    step: i128,
    test: BinOp,
    turns: u64,
    range: Range,
}

fn course(gen_: &mut Gen) -> Course {
    let most = (gen_.steps_left() / 100).clamp(1, 40) as u32;
    let len = i128::from(gen_.choices.range(1, most));
    let step = i128::from(gen_.choices.pick(&[1u32, 1, 1, 1, 1, 2, 3, 4, 7]));
    let first = i128::from(gen_.choices.pick(&[0u32, 0, 0, 0, 1, 2, 5]));
    let down = gen_.choices.percent(20);
    let turns = (len + step - 1) / step;
    let last = first + (turns - 1) * step;
    if down {
        // from last down to first, tested against a bound below first
        let test = gen_.choices.pick(&[BinOp::Ge, BinOp::Gt]);
        let bound = if test == BinOp::Ge { first } else { first - 1 };
        let range = Range { lo: first, hi: last };
        return Course { first: last, bound, step: -step, test, turns: turns as u64, range };
    }
    let test = gen_.choices.pick(&[BinOp::Lt, BinOp::Lt, BinOp::Le, BinOp::Ne]);
    let bound = match test {
        BinOp::Le => last,
        BinOp::Ne => last + step,
        _ => first + len,
    };
    Course { first, bound, step, test, turns: turns as u64, range: Range { lo: first, hi: last } }
}

fn build(gen_: &mut Gen) -> Option<Built> {
    let course = course(gen_);
    let int = gen_.choices.pick(&[IntTy::I32, IntTy::I32, IntTy::I32, IntTy::I16, IntTy::I64, IntTy::I8]);
    let ty = gen_.int_ty(int);
    let scope = gen_.cx.scopes.len() - 1;
    let own = gen_.choices.percent(50);
    let first = gen_.int_const(course.first, int);
    let (var, init) = if own {
        let init = gen_.init_expr(first.id);
        let (var, decl) = gen_.declare_local(ty, scope, Some(init));
        (var, ForInit::Decl(decl))
    } else {
        let var = gen_.counter(ty);
        let lv = gen_.variable(var);
        (var, ForInit::Expr(gen_.e(ExprKind::Assign(None, lv.id, first.id))))
    };
    gen_.model.vars[var.0 as usize].free = false;
    let lv = gen_.variable(var);
    let bound = gen_.int_const(course.bound, int);
    let cond = gen_.e(ExprKind::Binary(course.test, lv.id, bound.id));
    let step = step(gen_, var, course.step, int);
    let cost = std::mem::take(&mut gen_.cost) * (course.turns + 1);
    if !gen_.affords(cost) {
        return None;
    }
    gen_.charge(cost);
    let counter = Counter { var, range: course.range };
    let (body, node) = gen_.loop_body(course.turns, Some(counter), Flow::NOP, Flow::NOP, Flow::NOP, false)?;
    let body = gen_.compound(body);
    let stmt = gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body });
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}

/// `i++`, `++i`, `i += s`, `i = i + s`
fn step(gen_: &mut Gen, var: crate::model::VarId, by: i128, int: IntTy) -> csyntax::ast::ExprId {
    let lv = gen_.variable(var);
    if by.abs() == 1 && gen_.choices.percent(80) {
        let up = by > 0;
        let post = gen_.choices.percent(50);
        let op = match (up, post) {
            (true, true) => UnOp::PostInc,
            (true, false) => UnOp::PreInc,
            (false, true) => UnOp::PostDec,
            (false, false) => UnOp::PreDec,
        };
        return gen_.e(ExprKind::Unary(op, lv.id));
    }
    let amount = gen_.int_const(by.abs(), int);
    let op = if by > 0 { BinOp::Add } else { BinOp::Sub };
    if gen_.choices.percent(70) {
        return gen_.e(ExprKind::Assign(Some(op), lv.id, amount.id));
    }
    let held = gen_.variable(var);
    let sum = gen_.e(ExprKind::Binary(op, held.id, amount.id));
    gen_.e(ExprKind::Assign(None, lv.id, sum))
}

impl Gen<'_> {
    /// The body of a loop of at most `turns` turns, and the flow of the whole loop, validated to a fixed point.
    pub(crate) fn loop_body(
        &mut self,
        turns: u64,
        counter: Option<Counter>,
        init: crate::flow::NodeId,
        cond: crate::flow::NodeId,
        step: crate::flow::NodeId,
        do_while: bool,
    ) -> Option<(crate::flow::BlockId, crate::flow::NodeId)> {
        let before = self.state.clone();
        if self.advance(init).is_err() || (!do_while && self.advance(cond).is_err()) {
            self.state = before;
            return None;
        }
        let around = self.cx.turns;
        self.cx.turns = around.saturating_mul(turns);
        self.cx.loops += 1;
        self.cx.breakable += 1;
        if let Some(counter) = counter {
            self.cx.counters.push(counter);
            self.transfer.lock(counter.var);
        }
        self.transfer.enter_target(true);
        let body = self.random_block();
        self.transfer.leave_target();
        if counter.is_some() {
            self.cx.counters.pop();
            self.transfer.unlock();
        }
        self.cx.loops -= 1;
        self.cx.breakable -= 1;
        self.cx.turns = around;
        let block = self.flow.node(Node::Block(body));
        let locked = counter.map(|c| c.var);
        let node = self.flow.node(Node::Loop { init, cond, body: block, step, do_while, locked });
        self.settle(node, &before).then_some((body, node))
    }
}
