//! Calls as statements, of functions that return nothing or whose value is not used.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::Node;
use crate::model::Model;
use csyntax::ast::{ExprKind, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "call statement",
    doc: "`f(a, b);`, `(void)f(a);`",
    weight: 5,
    allowed: |_| true,
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let ops = gen_.complexity();
    let void = gen_.choices.percent(70);
    let ty = if void {
        Model::VOID
    } else {
        let int = gen_.random_int();
        gen_.int_ty(int)
    };
    let ex = gen_.call_returning(ty, !void, ops)?;
    let id = if void {
        ex.id
    } else {
        let void = gen_.type_name(Model::VOID);
        gen_.e(ExprKind::Cast(void, ex.id))
    };
    let stmt = gen_.s(StmtKind::Expr(id));
    let node = gen_.flow.node(Node::Full(ex.node));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
