//! Loops made by jumping back: a label, statements, and a bounded conditional `goto`.

use super::StatementConstruct;
use crate::builder::{Built, Counter, Gen, Item};
use crate::flow::{Flow, LabelId, Node};
use crate::model::{IntTy, Range};
use crate::options::{Limit, Switch};
use csyntax::ast::{BinOp, ExprKind, StmtKind, UnOp};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "goto back",
    doc: "`n = 4; l: ...; if (--n > 0 && c) goto l;`",
    weight: 3,
    allowed: |gen_| gen_.on(Switch::Jumps) && gen_.can_nest() && gen_.steps_left() > 400,
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    let most = (gen_.steps_left() / 150).clamp(1, 12) as u32;
    let turns = gen_.choices.range(1, most);
    let ty = gen_.int_ty(IntTy::I32);
    let counter = gen_.counter(ty);
    gen_.model.vars[counter.0 as usize].free = false;
    let (held, start) = (gen_.variable(counter), gen_.number(turns));
    let set = gen_.e(ExprKind::Assign(None, held.id, start));
    let set = gen_.s(StmtKind::Expr(set));
    gen_.labels += 1;
    let label = LabelId(gen_.labels);
    let name = gen_.numbered("lbl_", label.0);
    let null = gen_.s(StmtKind::Null);
    let target = gen_.s(StmtKind::Label(name, Vec::new(), null));

    let before = gen_.state.clone();
    let (around, limit) = (gen_.cx.turns, gen_.cx.step_limit);
    gen_.cx.turns = around.saturating_mul(turns.into());
    gen_.cx.step_limit = gen_.used + limit.saturating_sub(gen_.used) / 3;
    gen_.transfer.lock(counter);
    gen_.cx.counters.push(Counter { var: counter, range: Range { lo: 1, hi: turns.into() } });
    gen_.transfer.enter_label(label);
    let group = gen_.open_block(false);
    let most = gen_.opts.small(Limit::MaxBlockSize);
    let count = gen_.choices.range(1, most);
    let outer = std::mem::take(&mut gen_.cost);
    gen_.fill(group, count);
    gen_.cost = outer;
    gen_.close_block(group);
    gen_.transfer.leave_label();
    gen_.cx.counters.pop();

    gen_.cx.effects.clear();
    let held = gen_.variable(counter);
    let less = gen_.e(ExprKind::Unary(UnOp::PreDec, held.id));
    let zero = gen_.number(0);
    let mut test = gen_.e(ExprKind::Binary(BinOp::Gt, less, zero));
    let mut node = Flow::NOP;
    if gen_.choices.percent(60) {
        let more = gen_.condition();
        test = gen_.e(ExprKind::Binary(BinOp::LogAnd, test, more.id));
        let cond = gen_.flow.node(Node::Cond(Flow::NOP, more.node, Flow::NOP));
        node = gen_.flow.node(Node::Full(cond));
    }
    let cost = 2 * std::mem::take(&mut gen_.cost) + 4;
    let affordable = gen_.affords(cost);
    gen_.charge(cost);
    gen_.cx.turns = around;
    gen_.cx.step_limit = limit;
    let jump = gen_.s(StmtKind::Goto(name));
    let jump = gen_.s(StmtKind::If(test, jump, None));
    let (block, back) = (gen_.flow.node(Node::Block(group)), gen_.flow.node(Node::Goto(label)));
    let back = gen_.flow.node(Node::If(node, back, Flow::NOP));
    let body = gen_.flow.seq(&[block, back]);
    let region = gen_.flow.node(Node::Region(label, body));
    let settled = gen_.settle(region, &before);
    gen_.transfer.unlock();
    if !settled || !affordable {
        gen_.state = before;
        return None;
    }
    let item = Item::Back { first: set, target, group, jump };
    // The lock holds whenever the region runs again.
    let node = gen_.flow.node(Node::Locked(counter, region));
    Some(Built { item, node, done: true, declares: None })
}
