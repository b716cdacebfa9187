//! `__int128` objects: assignments, and what integers they become.

use super::{ExpressionConstruct, StatementConstruct};
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::{IntTy, Range, TyDef};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, StmtKind};

fn allowed(gen_: &Gen) -> bool {
    gen_.on(Switch::Gnu) && gen_.on(Switch::Int128)
}

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "wide assignment",
    doc: "`w = e;`, `w ^= e;` of `__int128`",
    weight: 6,
    allowed,
    build: |gen_| {
        gen_.cx.effects.clear();
        let ops = gen_.complexity();
        let value = gen_.wide_expr(ops);
        let saved = std::mem::take(&mut gen_.cx.effects);
        let target = gen_.find(Want::Wide, Use::Write);
        gen_.cx.effects.extend(saved);
        let target = target?;
        let unsigned = gen_.model.def(target.ty.ty) == TyDef::Wide(false);
        let bitwise = [BinOp::Xor, BinOp::And, BinOp::Or, BinOp::Add, BinOp::Sub, BinOp::Mul];
        let op = if gen_.choices.percent(30) && gen_.on(Switch::CompoundAssignment) {
            Some(gen_.choices.pick(&bitwise[..if unsigned { 6 } else { 3 }]))
        } else {
            None
        };
        let held = if op.is_some() { gen_.flow.node(Node::Load(target.place)) } else { Flow::NOP };
        let kids = gen_.flow.kids(&[target.node, held, value.node]);
        let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
        let id = gen_.e(ExprKind::Assign(op, target.id, value.id));
        let stmt = gen_.s(StmtKind::Expr(id));
        let node = gen_.flow.node(Node::Full(node));
        Some(Built { item: Item::One(stmt), node, done: false, declares: None })
    },
};

pub(super) const CONVERSION: ExpressionConstruct = ExpressionConstruct {
    name: "wide conversion",
    doc: "`(unsigned long long)w`, `(long long)(w >> 64)`",
    weight: 3,
    allowed,
    build: |gen_, ops| {
        let mut ex = gen_.wide_expr(ops);
        if gen_.choices.percent(40) {
            ex = gen_.wide_as(ex, false);
            let by = gen_.choices.pick(&[64u32, 32, 96, 100]);
            let by = gen_.number(by);
            ex.id = gen_.e(ExprKind::Binary(BinOp::Shr, ex.id, by));
        }
        let int = gen_.choices.pick(&[IntTy::U64, IntTy::I64, IntTy::U32, IntTy::I32]);
        let int = if int.bits() == 64 && !gen_.on(Switch::LongLong) { IntTy::I32 } else { int };
        let ty = gen_.int_ty(int);
        let name = gen_.type_name(ty);
        Some(gen_.int_ex(ExprKind::Cast(name, ex.id), int, int.range(), ex.node))
    },
};

pub(super) const COMPARISON: ExpressionConstruct = ExpressionConstruct {
    name: "wide comparison",
    doc: "`w < v` of `__int128`",
    weight: 2,
    allowed,
    build: |gen_, ops| {
        let (left, right) = gen_.split(ops);
        let (a, b) = (gen_.wide_expr(left), gen_.wide_expr(right));
        let op = gen_.choices.pick(&[BinOp::Lt, BinOp::Gt, BinOp::Le, BinOp::Ge, BinOp::Eq, BinOp::Ne]);
        let node = gen_.flow.unseq(&[a.node, b.node]);
        Some(gen_.int_ex(ExprKind::Binary(op, a.id, b.id), IntTy::I32, Range { lo: 0, hi: 1 }, node))
    },
};
