//! Floating objects and what integers they become: assignments, conversions, comparisons, loops over arrays.

use super::{ExpressionConstruct, StatementConstruct};
use crate::builder::{Built, Item};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::Range;
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "floating assignment",
    doc: "`d = e;` of `float` and `double`, exact in every evaluation method",
    weight: 6,
    allowed: |gen_| gen_.on(Switch::Float),
    build: |gen_| {
        gen_.cx.effects.clear();
        let ops = gen_.complexity();
        let value = gen_.float_expr(ops);
        let value = gen_.float_held(value);
        let saved = std::mem::take(&mut gen_.cx.effects);
        let target = gen_.find(Want::Float, Use::Write);
        gen_.cx.effects.extend(saved);
        let target = target?;
        let kids = gen_.flow.kids(&[target.node, value.node]);
        let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
        let id = gen_.e(ExprKind::Assign(None, target.id, value.id));
        let stmt = gen_.s(StmtKind::Expr(id));
        let node = gen_.flow.node(Node::Full(node));
        Some(Built { item: Item::One(stmt), node, done: false, declares: None })
    },
};

pub(super) const COMPARISON: ExpressionConstruct = ExpressionConstruct {
    name: "floating comparison",
    doc: "`d < e` of floating values",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Float),
    build: |gen_, ops| {
        let (left, right) = gen_.split(ops);
        let (a, b) = (gen_.float_expr(left), gen_.float_expr(right));
        let operators = [BinOp::Lt, BinOp::Gt, BinOp::Le, BinOp::Ge, BinOp::Eq, BinOp::Ne];
        let op = gen_.choices.pick(&operators);
        let node = gen_.flow.unseq(&[a.node, b.node]);
        let kind = ExprKind::Binary(op, a.id, b.id);
        Some(gen_.int_ex(kind, crate::model::IntTy::I32, Range { lo: 0, hi: 1 }, node))
    },
};

pub(super) const CONVERSION: ExpressionConstruct = ExpressionConstruct {
    name: "floating conversion",
    doc: "`(int)d`, of a value in range",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Float),
    build: |gen_, ops| {
        let ex = gen_.float_expr(ops);
        Some(gen_.int_from(ex))
    },
};
