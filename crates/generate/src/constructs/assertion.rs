//! `--paranoid`: what the analysis knows of a pointer, asserted at run time.

use super::StatementConstruct;
use crate::analysis::transfer::World;
use crate::builder::{Built, Gen, Item};
use crate::flow::Node;
use crate::model::{Loc, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprId, ExprKind, Quals, StmtKind, UnOp};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "assertion",
    doc: "`if (!(p == &x || p == 0)) abort();` with what the analysis knows `p` to point to (`--paranoid`)",
    weight: 8,
    allowed: |gen_| gen_.on(Switch::Paranoid),
    build,
};

/// Can it be named here, as one object?
fn visible(gen_: &Gen, loc: Loc) -> Option<VarId> {
    let info = gen_.model.loc(loc);
    let var = info.var;
    let whole = gen_.model.var(var).loc == loc && gen_.model.var(var).dims.is_empty();
    let seen = gen_.globals.contains(&var)
        || gen_.cx.params.contains(&var)
        || gen_.cx.scopes.iter().any(|s| s.vars.contains(&var));
    (whole && seen).then_some(var)
}

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let pointer = gen_.pick_var(|m, v| {
        let var = m.var(v);
        m.pointee(var.ty.ty).is_some()
            && var.dims.is_empty()
            && var.free
            && !var.ty.quals.has(Quals::VOLATILE)
    })?;
    let loc = gen_.model.var(pointer).loc;
    let world = World { model: &gen_.model, flow: &gen_.flow, functions: &gen_.fn_flow };
    let members = gen_.transfer.points_to(world, loc, &gen_.state);
    if members.is_empty() || members.len() > 8 || members.contains(&Loc::GARBAGE) {
        return None;
    }
    let mut any: Option<ExprId> = None;
    for member in &members {
        let held = gen_.variable(pointer);
        let target = if *member == Loc::NULL {
            gen_.number(0)
        } else {
            let target = visible(gen_, *member)?;
            let lv = gen_.variable(target);
            gen_.e(ExprKind::Unary(UnOp::AddrOf, lv.id))
        };
        let one = gen_.e(ExprKind::Binary(BinOp::Eq, held.id, target));
        any = Some(match any {
            Some(rest) => gen_.e(ExprKind::Binary(BinOp::LogOr, rest, one)),
            None => one,
        });
    }
    let wrong = gen_.e(ExprKind::Unary(UnOp::Not, any?));
    let name = gen_.name("abort");
    let callee = gen_.ident(name);
    let call = gen_.e(ExprKind::Call(callee, Vec::new()));
    let abort = gen_.s(StmtKind::Expr(call));
    let stmt = gen_.s(StmtKind::If(wrong, abort, None));
    gen_.impure.push(gen_.cx.fx);
    let set = gen_.transfer.sets.intern(members);
    let place = gen_.variable_place(pointer);
    let load = gen_.flow.node(Node::Load(place));
    let load = gen_.flow.node(Node::Full(load));
    let assert = gen_.flow.node(Node::Assert(loc, set));
    let node = gen_.flow.seq(&[load, assert]);
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
