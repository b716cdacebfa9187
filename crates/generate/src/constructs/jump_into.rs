//! Irreducible flow: a `goto` into the middle of a loop made of jumps, so that it has two entries and no header.
//!
//! What the first part does is skipped by the jump in the first turn alone, so the flow says that each turn may skip it: the
//! facts hold for more runs than there are.

use super::StatementConstruct;
use crate::builder::{Built, Counter, Gen, Item};
use crate::flow::{BlockId, Flow, LabelId, Node};
use crate::model::{IntTy, Range};
use crate::options::{Limit, Switch};
use csyntax::ast::{BinOp, ExprId, ExprKind, StmtKind, UnOp};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "goto into loop",
    doc: "`n = 4; if (c) goto in; again: ...; in: ...; if (--n > 0 && c) goto again;`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Jumps) && gen_.can_nest() && gen_.steps_left() > 600,
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    let most = (gen_.steps_left() / 250).clamp(1, 9) as u32;
    let turns = gen_.choices.range(1, most);
    let ty = gen_.int_ty(IntTy::I32);
    let counter = gen_.counter(ty);
    gen_.model.vars[counter.0 as usize].free = false;
    // Which entry is taken.
    gen_.cx.effects.clear();
    let (entry, entered) = condition(gen_);
    let cost = std::mem::take(&mut gen_.cost) + 4;
    if !gen_.affords(cost) || gen_.advance(entered).is_err() {
        return None;
    }
    gen_.charge(cost);
    let (held, start) = (gen_.variable(counter), gen_.number(turns));
    let set = gen_.e(ExprKind::Assign(None, held.id, start));
    let set = gen_.s(StmtKind::Expr(set));
    gen_.labels += 2;
    let label = LabelId(gen_.labels);
    let (again, inside) = (gen_.numbered("lbl_", label.0), gen_.numbered("lbl_", label.0 - 1));
    let null = gen_.s(StmtKind::Null);
    let target = gen_.s(StmtKind::Label(again, Vec::new(), null));
    let middle = gen_.s(StmtKind::Label(inside, Vec::new(), null));
    let jump = gen_.s(StmtKind::Goto(inside));
    let enter = gen_.s(StmtKind::If(entry, jump, None));

    let before = gen_.state.clone();
    let (around, limit) = (gen_.cx.turns, gen_.cx.step_limit);
    gen_.cx.turns = around.saturating_mul(turns.into());
    gen_.cx.step_limit = gen_.used + limit.saturating_sub(gen_.used) / 3;
    gen_.transfer.lock(counter);
    gen_.cx.counters.push(Counter { var: counter, range: Range { lo: 1, hi: turns.into() } });
    gen_.transfer.enter_label(label);
    let outer = std::mem::take(&mut gen_.cost);
    let skipped = part(gen_);
    gen_.merge(&before);
    let group = part(gen_);
    gen_.cost = outer;
    gen_.transfer.leave_label();
    gen_.cx.counters.pop();

    gen_.cx.effects.clear();
    let held = gen_.variable(counter);
    let less = gen_.e(ExprKind::Unary(UnOp::PreDec, held.id));
    let zero = gen_.number(0);
    let mut test = gen_.e(ExprKind::Binary(BinOp::Gt, less, zero));
    let mut node = Flow::NOP;
    if gen_.choices.percent(60) {
        let (more, tested) = condition(gen_);
        test = gen_.e(ExprKind::Binary(BinOp::LogAnd, test, more));
        node = tested;
    }
    let cost = 2 * std::mem::take(&mut gen_.cost) + 4;
    let affordable = gen_.affords(cost);
    gen_.charge(cost);
    gen_.cx.turns = around;
    gen_.cx.step_limit = limit;
    let jump = gen_.s(StmtKind::Goto(again));
    let jump = gen_.s(StmtKind::If(test, jump, None));
    let skipping = gen_.flow.node(Node::Block(skipped));
    let skipping = gen_.flow.node(Node::If(Flow::NOP, skipping, Flow::NOP));
    let (block, back) = (gen_.flow.node(Node::Block(group)), gen_.flow.node(Node::Goto(label)));
    let back = gen_.flow.node(Node::If(node, back, Flow::NOP));
    let body = gen_.flow.seq(&[skipping, block, back]);
    let region = gen_.flow.node(Node::Region(label, body));
    let settled = gen_.settle(region, &before);
    gen_.transfer.unlock();
    if !settled || !affordable {
        gen_.state = before;
        return None;
    }
    let item = Item::Into { first: [set, enter, target], skipped, middle, group, jump };
    // The lock holds whenever the region runs again.
    let region = gen_.flow.node(Node::Locked(counter, region));
    let node = gen_.flow.seq(&[entered, region]);
    Some(Built { item, node, done: true, declares: None })
}

/// A condition and what its evaluation does.
fn condition(gen_: &mut Gen) -> (ExprId, crate::flow::NodeId) {
    let made = gen_.condition();
    let cond = gen_.flow.node(Node::Cond(Flow::NOP, made.node, Flow::NOP));
    (made.id, gen_.flow.node(Node::Full(cond)))
}

/// Statements without braces: what they declare stands in the block around.
fn part(gen_: &mut Gen) -> BlockId {
    let group = gen_.open_block(false);
    let most = gen_.opts.small(Limit::MaxBlockSize).min(3);
    let count = gen_.choices.range(1, most);
    gen_.fill(group, count);
    gen_.close_block(group);
    group
}
