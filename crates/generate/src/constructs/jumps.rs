//! `break`, `continue` and early `return`, each under a condition.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{Flow, Node, NodeId};
use csyntax::ast::{StmtId, StmtKind};

pub(super) const BREAK: StatementConstruct = StatementConstruct {
    name: "break",
    doc: "`if (c) break;`",
    weight: 4,
    allowed: |gen_| gen_.cx.breakable > 0,
    build: |gen_| {
        let stmt = gen_.s(StmtKind::Break);
        let node = gen_.flow.node(Node::Break);
        guarded(gen_, stmt, node)
    },
};

pub(super) const CONTINUE: StatementConstruct = StatementConstruct {
    name: "continue",
    doc: "`if (c) continue;`",
    weight: 4,
    allowed: |gen_| gen_.cx.loops > 0,
    build: |gen_| {
        let stmt = gen_.s(StmtKind::Continue);
        let node = gen_.flow.node(Node::Continue);
        guarded(gen_, stmt, node)
    },
};

pub(super) const RETURN: StatementConstruct = StatementConstruct {
    name: "return",
    doc: "`if (c) return e;` before the end of a function",
    weight: 3,
    allowed: |gen_| gen_.cx.scopes.len() > 1,
    build: |gen_| {
        gen_.cx.effects.clear();
        let (stmt, node) = gen_.return_statement()?;
        guarded(gen_, stmt, node)
    },
};

/// `if (c) jump`
pub(super) fn guarded(gen_: &mut Gen, jump: StmtId, node: NodeId) -> Option<Built> {
    gen_.cx.effects.clear();
    let cond = gen_.condition();
    let test = gen_.flow.node(Node::Full(cond.node));
    let stmt = gen_.s(StmtKind::If(cond.id, jump, None));
    let node = gen_.flow.node(Node::If(test, node, Flow::NOP));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
