//! `goto` to a label further on, out of however many blocks.

use super::StatementConstruct;
use crate::builder::{Built, Gen, Item};
use crate::flow::{LabelId, Node};
use crate::options::{Limit, Switch};
use csyntax::ast::StmtKind;

/// A stretch of statements with a label behind it, at least one jump to it among them.
pub(super) const REGION: StatementConstruct = StatementConstruct {
    name: "goto",
    doc: "`if (c) goto l; ... l: ;`",
    weight: 4,
    allowed: |gen_| gen_.on(Switch::Jumps) && gen_.can_nest(),
    build,
};

/// A jump to a label that comes after an enclosing stretch.
pub(super) const JUMP: StatementConstruct = StatementConstruct {
    name: "goto out",
    doc: "`if (c) goto l;` where `l` comes after a block around",
    weight: 6,
    allowed: |gen_| !gen_.cx.labels.is_empty(),
    build: |gen_| {
        let all = gen_.cx.labels.clone();
        let (label, name) = gen_.choices.pick(&all);
        let stmt = gen_.s(StmtKind::Goto(name));
        let node = gen_.flow.node(Node::Goto(label));
        super::jumps::guarded(gen_, stmt, node)
    },
};

fn build(gen_: &mut Gen) -> Option<Built> {
    gen_.labels += 1;
    let label = LabelId(gen_.labels);
    let name = gen_.numbered("lbl_", label.0);
    // Declarations that a jump would skip stand in the block around, at its top.
    gen_.transfer.enter_label(label);
    gen_.cx.labels.push((label, name));
    let group = gen_.open_block(false);
    let jump = gen_.s(StmtKind::Goto(name));
    let node = gen_.flow.node(Node::Goto(label));
    if let Some(jump) = super::jumps::guarded(gen_, jump, node) {
        gen_.commit(group, jump);
    }
    let most = gen_.opts.small(Limit::MaxBlockSize);
    let count = gen_.choices.range(1, most);
    gen_.fill(group, count);
    gen_.close_block(group);
    gen_.cx.labels.pop();
    let null = gen_.s(StmtKind::Null);
    let target = gen_.s(StmtKind::Label(name, Vec::new(), null));
    if let Some(jumped) = gen_.transfer.leave_label() {
        gen_.merge(&jumped);
    }
    let block = gen_.flow.node(Node::Block(group));
    let node = gen_.flow.node(Node::Labelled(label, block));
    Some(Built { item: Item::Group(group, target), node, done: true, declares: None })
}
