//! `switch` with fall-through, defaults anywhere, and GNU ranges.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::Node;
use crate::options::Switch;
use csyntax::ast::{BinOp, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "switch",
    doc: "`switch (e) { case 1: ... }`",
    weight: 6,
    allowed: |gen_| gen_.can_nest(),
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.cx.effects.clear();
    let ops = gen_.complexity();
    let mut value = gen_.int_expr(ops);
    if gen_.choices.percent(60) {
        let mask = gen_.choices.pick(&[7, 3, 15]);
        let mask = gen_.int_const(mask, crate::model::IntTy::I32);
        value = gen_.binary(BinOp::And, value, mask);
    }
    let int = gen_.int_of(&value).promoted();
    if gen_.atomic_reads.contains(&value.id) {
        // clang 14 has no conversion there and refuses the atomic type.
        value = gen_.convert(value, int);
    }
    let test = gen_.flow.node(Node::Full(value.node));
    let cost = 2 * std::mem::take(&mut gen_.cost) + 4;
    if !gen_.affords(cost) || gen_.advance(test).is_err() {
        return None;
    }
    gen_.charge(cost);
    let entry = gen_.state.clone();
    gen_.state.live = false;
    gen_.transfer.enter_target(false);
    gen_.cx.breakable += 1;
    let count = gen_.choices.range(1, 6);
    let with_default = gen_.choices.percent(60).then(|| gen_.choices.below(count));
    let (mut parts, mut sections) = (Vec::new(), Vec::new());
    let mut next = value.range.lo.max(-3).min(value.range.hi.max(0));
    for n in 0..count {
        gen_.merge(&entry);
        let block = gen_.random_block();
        let mut labelled = gen_.compound(block);
        if with_default == Some(n) {
            labelled = gen_.s(StmtKind::Default(labelled));
        }
        let labels = gen_.choices.pick(&[1u32, 1, 1, 2]);
        for _ in 0..labels {
            let wide =
                if gen_.on(Switch::Gnu) && gen_.choices.percent(15) { gen_.choices.below(6) } else { 0 };
            let last = next + i128::from(wide);
            if last > int.range().hi {
                break;
            }
            let low = gen_.int_const(next, int).id;
            let high = (wide > 0).then(|| gen_.int_const(last, int).id);
            labelled = gen_.s(StmtKind::Case(low, high, labelled));
            next = last + 1 + i128::from(gen_.choices.pick(&[0u32, 0, 0, 1, 9]));
        }
        parts.push(labelled);
        let mut nodes = vec![gen_.flow.node(Node::Block(block))];
        if gen_.choices.percent(70) {
            parts.push(gen_.s(StmtKind::Break));
            nodes.push(gen_.flow.node(Node::Break));
            let leave = gen_.flow.node(Node::Break);
            let _ = gen_.advance(leave);
        }
        sections.push(gen_.flow.seq(&nodes));
    }
    gen_.cx.breakable -= 1;
    let (breaks, _) = gen_.transfer.leave_target();
    if let Some(breaks) = breaks {
        gen_.merge(&breaks);
    }
    if with_default.is_none() {
        gen_.merge(&entry);
    }
    let body = gen_.s(StmtKind::Compound(parts));
    let stmt = gen_.s(StmtKind::Switch(value.id, body));
    let sections = gen_.flow.kids(&sections);
    let node = gen_.flow.node(Node::Switch { value: test, sections, total: with_default.is_some() });
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}
