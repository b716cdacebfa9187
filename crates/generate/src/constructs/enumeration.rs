//! Objects of enum types: what they are assigned, and what integers they are.

use super::{ExpressionConstruct, StatementConstruct};
use crate::builder::{Built, Item};
use crate::flow::{Flow, Node};
use crate::lvalue::{Use, Want};
use crate::model::IntTy;
use csyntax::ast::{ExprKind, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "enum assignment",
    doc: "`e = E0_2;` of enum objects",
    weight: 3,
    allowed: |gen_| !gen_.model.enums.is_empty(),
    build: |gen_| {
        gen_.cx.effects.clear();
        let target = gen_.find(Want::Enum, Use::Write)?;
        gen_.cx.effects.clear();
        let value = gen_.enum_expr(target.ty.ty);
        let kids = gen_.flow.kids(&[target.node, value.node]);
        let node = gen_.flow.node(Node::Store { kids, place: target.place, val: Flow::NUMBER });
        let id = gen_.e(ExprKind::Assign(None, target.id, value.id));
        let stmt = gen_.s(StmtKind::Expr(id));
        let node = gen_.flow.node(Node::Full(node));
        Some(Built { item: Item::One(stmt), node, done: false, declares: None })
    },
};

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "enum value",
    doc: "`(int)e` of an enum object, whose own type compilers may choose",
    weight: 3,
    allowed: |gen_| !gen_.model.enums.is_empty(),
    build: |gen_, _| {
        let lv = gen_.find(Want::Enum, Use::Read)?;
        let ex = gen_.loaded(&lv);
        let int = gen_.int_ty(IntTy::I32);
        let name = gen_.type_name(int);
        Some(gen_.int_ex(ExprKind::Cast(name, ex.id), IntTy::I32, ex.range, ex.node))
    },
};
