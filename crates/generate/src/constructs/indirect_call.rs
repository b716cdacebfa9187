//! Calls through function pointers: a table of functions of one type, or one of two chosen on the spot.

use super::ExpressionConstruct;
use crate::builder::{Ex, Gen};
use crate::flow::{Flow, FnIx, Node, NodeId};
use crate::model::{Qualified, TyId};
use crate::options::Switch;
use csyntax::ast::{ExprId, ExprKind, Quals, Storage, TypeKind};

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "indirect call",
    doc: "`t[i](a)` of a table of functions, `(c ? f : g)(a)`",
    weight: 5,
    allowed: |gen_| gen_.on(Switch::FunctionPointers) && !gen_.cx.pure && !gen_.functions.is_empty(),
    build,
};

/// The types of a function's parameters.
fn signature(gen_: &Gen, fx: u32) -> (TyId, Vec<TyId>) {
    let f = &gen_.functions[fx as usize];
    (f.ret, f.params.iter().map(|p| gen_.model.var(*p).ty.ty).collect())
}

fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let frequency = gen_.frequency();
    let left = gen_.cx.step_limit.saturating_sub(gen_.used) / 4;
    let usable = |f: u32| {
        let info = &gen_.functions[f as usize];
        info.done && gen_.model.int(info.ret).is_some() && info.cost.saturating_mul(frequency) < left
    };
    let all: Vec<u32> = (0..gen_.functions.len() as u32).filter(|f| usable(*f)).collect();
    if all.is_empty() {
        return None;
    }
    let first = gen_.choices.pick(&all);
    let (ret, params) = signature(gen_, first);
    let same: Vec<u32> = all.into_iter().filter(|f| signature(gen_, *f) == (ret, params.clone())).collect();
    let args = gen_.arguments(&params, ops)?;
    let wide = gen_.choices.percent(60);
    let count = if wide { gen_.choices.range(1, 4) } else { 2 };
    let chosen: Vec<FnIx> = (0..count).map(|_| FnIx(gen_.choices.pick(&same))).collect();
    let (callee, index) = if wide {
        table(gen_, &chosen, ret, &params)
    } else {
        let cond = gen_.int_expr(1);
        let [f, g] = [chosen[0], chosen[1]].map(|f| gen_.functions[f.0 as usize].name);
        let (f, g) = (gen_.ident(f), gen_.ident(g));
        (gen_.e(ExprKind::Cond(cond.id, Some(f), g)), cond.node)
    };
    // Any of them may be called: as the branches of a condition.
    let mut nodes: Vec<NodeId> = args.iter().map(|a| a.node).collect();
    nodes.push(index);
    let vals: Vec<_> = args.iter().map(|a| a.val).collect();
    let (mut calls, mut most) = (Flow::NOP, 0);
    for fx in &chosen {
        let (kids, vals) = (gen_.flow.kids(&[]), gen_.flow.val_list(&vals));
        let call = gen_.flow.node(Node::Call { callee: *fx, kids, vals });
        calls = if calls == Flow::NOP { call } else { gen_.flow.node(Node::Cond(Flow::NOP, call, calls)) };
        most = most.max(gen_.functions[fx.0 as usize].cost);
        let known = gen_.transfer.known_effects(*fx).to_vec();
        gen_.cx.effects.extend(known);
    }
    gen_.cost = gen_.cost.saturating_add(most).saturating_add(10 + 2 * args.len() as u64);
    let before = gen_.flow.unseq(&nodes);
    let node = gen_.flow.seq(&[before, calls]);
    let int = gen_.model.int(ret)?;
    let kind = ExprKind::Call(callee, args.iter().map(|a| a.id).collect());
    Some(gen_.int_ex(kind, int, int.range(), node))
}

/// `static int (*const t[3])(int) = {f, g, f};` and `t[i]`.
fn table(gen_: &mut Gen, chosen: &[FnIx], ret: TyId, params: &[TyId]) -> (ExprId, NodeId) {
    let name = gen_.fresh("t_");
    let list = params.iter().map(|ty| gen_.param(Qualified { ty: *ty, quals: Quals::NONE }, None)).collect();
    let (base, function) = gen_.function_type(ret, list, false);
    let pointer = gen_.type_node(TypeKind::Pointer(function), Quals::CONST);
    let size = gen_.number(chosen.len() as u32);
    let array = TypeKind::Array {
        elem: pointer,
        size: csyntax::ast::ArraySize::Expr(size),
        quals: Quals::NONE,
        is_static: false,
    };
    let array = gen_.type_node(array, Quals::NONE);
    let items = chosen
        .iter()
        .map(|f| {
            let name = gen_.functions[f.0 as usize].name;
            let f = gen_.ident(name);
            gen_.init_expr(f)
        })
        .collect();
    let init = gen_.init_list(items);
    let decl = gen_.declaration(Storage::STATIC, (base, array), name, Some(init));
    gen_.table_decls.push(decl);
    let (index, node) = gen_.index(chosen.len() as u32);
    let table = gen_.ident(name);
    (gen_.e(ExprKind::Index(table, index)), node)
}
