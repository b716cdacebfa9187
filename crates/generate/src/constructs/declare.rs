//! Declarations in the middle of a block, with an initialiser that computes.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node};
use csyntax::ast::StmtKind;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "declaration",
    doc: "`T x = e;` in a block",
    weight: 9,
    allowed: |gen_| gen_.cx.scopes.last().is_some_and(|s| s.real),
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let int = gen_.random_int();
    let ops = gen_.complexity();
    let value = gen_.int_expr(ops);
    let ty = gen_.int_ty(int);
    let init = gen_.init_expr(value.id);
    let scope = gen_.cx.scopes.len() - 1;
    let (var, decl) = gen_.declare_local(ty, scope, Some(init));
    let place = gen_.variable_place(var);
    let kids = gen_.flow.kids(&[value.node]);
    let node = gen_.flow.node(Node::Store { kids, place, val: Flow::NUMBER });
    let node = gen_.flow.node(Node::Full(node));
    let stmt = gen_.s(StmtKind::Decl(decl));
    Some(Built { item: Item::One(stmt), node, done: false, declares: Some(var) })
}
