//! GNU computed `goto` over a table of labels.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::Node;
use crate::model::Model;
use crate::options::Switch;
use csyntax::ast::{ArraySize, ExprKind, Quals, StmtKind, Storage, TypeKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "computed goto",
    doc: "`goto *t[i]; a: ... b: ...` over `static void *const t[] = {&&a, &&b};`",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Gnu) && gen_.on(Switch::ComputedGoto) && gen_.can_nest(),
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let count = gen_.choices.range(2, 4);
    let (index, node) = gen_.index(count);
    let test = gen_.flow.node(Node::Full(node));
    let cost = std::mem::take(&mut gen_.cost) + 8;
    if !gen_.affords(cost) || gen_.advance(test).is_err() {
        return None;
    }
    gen_.charge(cost);
    let first = gen_.labels;
    gen_.labels += count + 1;
    let names: Vec<_> = (0..=count).map(|n| gen_.numbered("lbl_", first + 1 + n)).collect();

    let void = gen_.written(crate::model::Qualified { ty: Model::VOID, quals: Quals::NONE }).0;
    let pointer = gen_.type_node(TypeKind::Pointer(void), Quals::CONST);
    let size = ArraySize::Expr(gen_.number(count));
    let array = TypeKind::Array { elem: pointer, size, quals: Quals::NONE, is_static: false };
    let array = gen_.type_node(array, Quals::NONE);
    let items = names[..count as usize]
        .iter()
        .map(|name| {
            let label = gen_.e(ExprKind::LabelAddr(*name));
            gen_.init_expr(label)
        })
        .collect();
    let init = gen_.init_list(items);
    let table = gen_.fresh("t_");
    let decl = gen_.declaration(Storage::STATIC, (void, array), table, Some(init));
    let mut parts = vec![gen_.s(StmtKind::Decl(decl))];
    let table = gen_.ident(table);
    let target = gen_.e(ExprKind::Index(table, index));
    parts.push(gen_.s(StmtKind::GotoPtr(target)));

    let entry = gen_.state.clone();
    gen_.state.live = false;
    gen_.transfer.enter_target(false);
    // `break` and `continue` would mean the statement around; leaving a section is a `goto`.
    let (loops, breakable) = (std::mem::take(&mut gen_.cx.loops), std::mem::take(&mut gen_.cx.breakable));
    let mut sections = Vec::new();
    for n in 0..count as usize {
        gen_.merge(&entry);
        let block = gen_.random_block();
        let body = gen_.compound(block);
        parts.push(gen_.s(StmtKind::Label(names[n], Vec::new(), body)));
        let mut nodes = vec![gen_.flow.node(Node::Block(block))];
        if gen_.choices.percent(70) {
            parts.push(gen_.s(StmtKind::Goto(names[count as usize])));
            let leave = gen_.flow.node(Node::Break);
            nodes.push(leave);
            // Cannot fail: it moves facts to the end.
            let _ = gen_.advance(leave);
        }
        sections.push(gen_.flow.seq(&nodes));
    }
    (gen_.cx.loops, gen_.cx.breakable) = (loops, breakable);
    let (breaks, _) = gen_.transfer.leave_target();
    if let Some(breaks) = breaks {
        gen_.merge(&breaks);
    }
    let null = gen_.s(StmtKind::Null);
    parts.push(gen_.s(StmtKind::Label(names[count as usize], Vec::new(), null)));
    let stmt = gen_.s(StmtKind::Compound(parts));
    let sections = gen_.flow.kids(&sections);
    let node = gen_.flow.node(Node::Switch { value: test, sections, total: true });
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}
