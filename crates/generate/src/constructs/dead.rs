//! Blocks that never run, behind an object that is 0 and that no compiler of one file can know to be.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use crate::model::{IntTy, Qualified};
use crate::options::Limit;
use csyntax::ast::{BinOp, ExprKind, Quals, StmtKind, Storage};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "dead block",
    doc: "`if (dead > 3) { ... }` of a global `int dead` that stays 0: so many of 100 statements as `--dead-code` says",
    weight: 0,
    allowed: |gen_| gen_.can_nest(),
    build,
};

pub(super) fn build(gen_: &mut Gen) -> Option<Built> {
    let name = gen_.name("dead");
    if !gen_.has_dead {
        gen_.has_dead = true;
        let ty = gen_.int_ty(IntTy::I32);
        let written = gen_.written(Qualified { ty, quals: Quals::NONE });
        let decl = gen_.declaration(Storage::NONE, written, name, None);
        gen_.global_decls.push(decl);
    }
    gen_.impure.push(gen_.cx.fx);
    gen_.cx.effects.clear();
    let value = gen_.choices.below(9);
    let (held, value) = (gen_.ident(name), gen_.number(value));
    let cond = gen_.e(ExprKind::Binary(BinOp::Gt, held, value));
    let cost = 2 * std::mem::take(&mut gen_.cost) + 2;
    if !gen_.affords(cost) {
        return None;
    }
    gen_.charge(cost);
    // What never runs costs nothing. Its statements are valid all the same: mutations may bring them to life.
    let turns = std::mem::take(&mut gen_.cx.turns);
    let before = gen_.state.clone();
    let block = gen_.random_block();
    gen_.cx.turns = turns;
    gen_.merge(&before);
    let body = gen_.compound(block);
    let stmt = gen_.s(StmtKind::If(cond, body, None));
    let inner = gen_.flow.node(Node::Block(block));
    let node = gen_.flow.node(Node::If(Flow::NOP, inner, Flow::NOP));
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}

/// Is the next statement to be one?
pub(super) fn due(gen_: &mut Gen) -> bool {
    let percent = gen_.opts.small(Limit::DeadCode);
    percent > 0 && gen_.cx.turns > 0 && gen_.can_nest() && gen_.choices.percent(percent)
}
