//! `if` with and without `else`.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use csyntax::ast::StmtKind;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "if",
    doc: "`if (c) { ... } else { ... }`",
    weight: 16,
    allowed: |gen_| gen_.can_nest(),
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let cond = gen_.condition();
    let test = gen_.flow.node(Node::Full(cond.node));
    let cost = 2 * std::mem::take(&mut gen_.cost) + 1;
    if !gen_.affords(cost) || gen_.advance(test).is_err() {
        return None;
    }
    gen_.charge(cost);
    let before = gen_.state.clone();
    let yes = gen_.random_block();
    let after_yes = std::mem::replace(&mut gen_.state, before);
    let no = gen_.choices.percent(45).then(|| gen_.random_block());
    gen_.merge(&after_yes);
    let no_stmt = no.map(|b| gen_.compound(b));
    let yes_stmt = gen_.compound(yes);
    let stmt = gen_.s(StmtKind::If(cond.id, yes_stmt, no_stmt));
    let yes_node = gen_.flow.node(Node::Block(yes));
    let no_node = no.map_or(Flow::NOP, |b| gen_.flow.node(Node::Block(b)));
    let node = gen_.flow.node(Node::If(test, yes_node, no_node));
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}
