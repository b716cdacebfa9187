//! `while` and `do` loops that count down, often with a second condition that ends them earlier.

use super::StatementConstruct;
use crate::builder::{Built, Counter, Gen, Item};
use crate::flow::{Flow, Node};
use crate::loops::Shape;
use crate::model::Range;
use csyntax::ast::{BinOp, ExprKind, StmtKind, UnOp};

pub(super) const WHILE: StatementConstruct = StatementConstruct {
    name: "while",
    doc: "`while (n-- > 0 && c) { ... }`, the count drawn at run time as often as not",
    weight: 5,
    allowed: |gen_| gen_.can_nest() && gen_.steps_left() > 400,
    build: |gen_| build(gen_, false),
};

pub(super) const DO: StatementConstruct = StatementConstruct {
    name: "do",
    doc: "`do { ... } while (--n > 0 && c);`",
    weight: 5,
    allowed: |gen_| gen_.can_nest() && gen_.steps_left() > 400,
    build: |gen_| build(gen_, true),
};

fn build(gen_: &mut Gen, do_while: bool) -> Option<Built> {
    let most = (gen_.steps_left() / 120).clamp(1, 30) as u32;
    let bits = gen_.choices.range(0, most.ilog2());
    let turns = 1u32 << bits;
    let int = gen_.counter_type();
    let ty = gen_.int_ty(int);
    // n = 1 + (e & mask), or the constant
    gen_.cx.effects.clear();
    let var = gen_.counter(ty);
    gen_.model.vars[var.0 as usize].free = false;
    let drawn = gen_.choices.percent(50);
    let (count, node) = if drawn {
        let e = gen_.int_leaf();
        let mask = gen_.number(turns - 1);
        let masked = gen_.e(ExprKind::Binary(BinOp::And, e.id, mask));
        let one = gen_.number(1);
        (gen_.e(ExprKind::Binary(BinOp::Add, masked, one)), e.node)
    } else {
        (gen_.number(turns), Flow::NOP)
    };
    let set = gen_.variable(var);
    let set = gen_.e(ExprKind::Assign(None, set.id, count));
    let set = gen_.s(StmtKind::Expr(set));
    let init = gen_.flow.node(Node::Full(node));
    gen_.advance(init).ok()?;
    gen_.cx.effects.clear();
    let held = gen_.variable(var);
    let op = if do_while { UnOp::PreDec } else { UnOp::PostDec };
    let left = gen_.e(ExprKind::Unary(op, held.id));
    let zero = gen_.number(0);
    let op = if gen_.choices.percent(50) { BinOp::Gt } else { BinOp::Ne };
    let test = gen_.e(ExprKind::Binary(op, left, zero));
    let mut cond = (test, Flow::NOP);
    if gen_.choices.percent(40) {
        let ops = gen_.complexity().max(1);
        let more = gen_.int_expr(ops);
        let node = gen_.flow.node(Node::Cond(Flow::NOP, more.node, Flow::NOP));
        cond = (gen_.e(ExprKind::Binary(BinOp::LogAnd, test, more.id)), gen_.flow.node(Node::Full(node)));
    }
    let turns = u64::from(turns);
    if !gen_.charge_header(turns) {
        return None;
    }
    let turns_range = if do_while { (1, turns) } else { (0, turns - 1) };
    let range = Range { lo: turns_range.0.into(), hi: turns_range.1.into() };
    let counter = Some(Counter { var, range });
    let shape = Shape { turns, counter, cond: cond.1, do_while, continues: true };
    let (body, node) = gen_.loop_body(&shape, Gen::random_block)?;
    let body = gen_.compound(body);
    let stmt = gen_.s(if do_while { StmtKind::DoWhile(body, cond.0) } else { StmtKind::While(cond.0, body) });
    let node = gen_.flow.seq(&[init, node]);
    Some(Built { item: Item::Pair(set, stmt), node, done: true, declares: None })
}
