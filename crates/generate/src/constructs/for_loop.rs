//! Counted `for` loops.

use super::StatementConstruct;
use crate::builder::{Built, Counter, Gen, Item};
use crate::flow::Flow;
use crate::loops::Shape;
use csyntax::ast::StmtKind;

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "for",
    doc: "`for (i = a; i < b; i += s) { ... }`",
    weight: 12,
    allowed: |gen_| gen_.can_nest() && gen_.steps_left() > 400,
    build,
};

fn build(gen_: &mut Gen) -> Option<Built> {
    let most = (gen_.steps_left() / 100).clamp(1, 40) as u32;
    let int = gen_.counter_type();
    let course = gen_.course(most, int.signed());
    let header = gen_.header(course, int);
    if !gen_.charge_header(course.turns) {
        return None;
    }
    let shape = Shape {
        turns: course.turns,
        counter: Some(Counter { var: header.var, range: course.range }),
        cond: Flow::NOP,
        do_while: false,
        continues: true,
    };
    let (body, node) = gen_.loop_body(&shape, Gen::random_block)?;
    let body = gen_.compound(body);
    let stmt =
        gen_.s(StmtKind::For { init: header.init, cond: Some(header.cond), step: Some(header.step), body });
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}
