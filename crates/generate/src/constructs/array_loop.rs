//! Array statements (thesis section 3.4) and the loops optimisers look for: fills, reductions, stencils, copies,
//! strided and reversed walks, searches with an early exit, nests over every dimension.

use super::{StatementConstruct, assign};
use crate::builder::{Built, Counter, Ex, Gen, Item};
use crate::flow::{BlockId, Flow, Node};
use crate::loops::{Course, Header, Shape};
use crate::lvalue::{Lv, Use};
use crate::model::{IntTy, VarId};
use csyntax::ast::{BinOp, ExprKind, Quals, StmtKind};

pub(super) const STATEMENT: StatementConstruct = StatementConstruct {
    name: "array loop",
    doc: "a nest of loops over the dimensions of an array that fills, folds, shifts, copies or searches it",
    weight: 14,
    allowed: |gen_| gen_.on(crate::options::Switch::Arrays) && gen_.can_nest() && gen_.steps_left() > 1500,
    build,
};

/// What the innermost loop does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Work {
    Fill,
    Fold,
    Guarded,
    Search,
    Extreme,
}

fn is_int_array(gen_: &Gen, var: VarId) -> bool {
    let v = gen_.model.var(var);
    gen_.model.int(v.ty.ty).is_some() && !v.dims.is_empty() && v.free
}

fn build(gen_: &mut Gen) -> Option<Built> {
    let var = gen_.pick_var(|m, v| {
        let var = m.var(v);
        m.int(var.ty.ty).is_some() && !var.dims.is_empty() && var.free
    })?;
    if !is_int_array(gen_, var) {
        return None;
    }
    let dims = gen_.model.var(var).dims;
    let total: u64 = dims.iter().map(|d| u64::from(*d)).product();
    if total.saturating_mul(60) > gen_.steps_left() {
        return None;
    }
    let work = match gen_.choices.weighted(&[40, 25, 15, 8, 12]).unwrap_or(0) {
        1 => Work::Fold,
        2 => Work::Guarded,
        3 => Work::Search,
        4 => Work::Extreme,
        _ => Work::Fill,
    };
    let pure = std::mem::replace(&mut gen_.cx.pure, true);
    let mut order: Vec<(usize, u32)> = dims.iter().copied().enumerate().collect();
    if order.len() > 1 && gen_.choices.percent(30) {
        let (first, other) = (gen_.choices.below(order.len() as u32), gen_.choices.below(order.len() as u32));
        let last = order.len() - 1;
        order.swap(0, first as usize);
        order.swap(other as usize, last);
    }
    let built = nest(gen_, var, &order, work, &mut Vec::new());
    gen_.cx.pure = pure;
    built
}

/// Counters of the loops around with the dimensions that they walk.
type At = Vec<(usize, Counter)>;

/// The loop over the first of `dims`, and what is inside.
fn nest(gen_: &mut Gen, var: VarId, dims: &[(usize, u32)], work: Work, at: &mut At) -> Option<Built> {
    let (&(dim, len), inner) = dims.split_first()?;
    let (skip, short) = (gen_.choices.pick(&[0u32, 0, 0, 1]), gen_.choices.pick(&[0u32, 0, 0, 1]));
    let (first, end) = if len > skip + short { (skip, len - short) } else { (0, len) };
    let step = gen_.choices.pick(&[1u32, 1, 1, 1, 1, 1, 2, 3]);
    let mut course = Course::up(first.into(), end.into(), step.into());
    let int = gen_.choices.pick(&[IntTy::I32, IntTy::I32, IntTy::I32, IntTy::U32]);
    if int.signed() && gen_.choices.percent(12) {
        course = course.reversed();
    }
    let choice = gen_.choices.pick(&[0, 0, 0, 1, 2]);
    let Header { var: counter, init, cond, step } = gen_.header(course.tested(choice), int);
    if !gen_.charge_header(course.turns) {
        return None;
    }
    let counter = Counter { var: counter, range: course.range };
    let shape = Shape {
        turns: course.turns,
        counter: Some(counter),
        cond: Flow::NOP,
        do_while: false,
        continues: true,
    };
    let (body, node) = gen_.loop_body(&shape, |gen_| {
        at.push((dim, counter));
        let block = gen_.open_block(true);
        let outer = std::mem::take(&mut gen_.cost);
        if inner.is_empty() || !gen_.can_nest() {
            let count = gen_.choices.pick(&[1u32, 1, 1, 2, 3]);
            for _ in 0..count {
                innermost(gen_, block, var, work, at);
            }
        } else if let Some(built) = nest(gen_, var, inner, work, at) {
            gen_.commit(block, built);
        }
        gen_.cost = outer;
        gen_.close_block(block);
        at.pop();
        block
    })?;
    let body = gen_.compound(body);
    let stmt = gen_.s(StmtKind::For { init, cond: Some(cond), step: Some(step), body });
    Some(Built { item: Item::One(stmt), node, done: true, declares: None })
}

/// The element of the array at the counters, each moved where there is room.
fn element(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Option<Lv> {
    let mut lv = gen_.variable(var);
    let mut nodes = Vec::new();
    for (n, len) in std::mem::take(&mut lv.dims).iter().copied().enumerate() {
        let counter = at.iter().find(|(dim, _)| *dim == n).map(|(_, counter)| *counter);
        let straight = counter.and_then(|c| gen_.counter_index(c, len));
        let (index, node) = match straight {
            Some(index) => index,
            None => gen_.index(len),
        };
        lv.id = gen_.e(ExprKind::Index(lv.id, index));
        nodes.push(node);
    }
    lv.node = gen_.flow.unseq(&nodes);
    lv.range = None;
    lv.element = true;
    Some(lv)
}

/// The array's own element, another's, or any expression.
fn operand(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Ex {
    let own = gen_.choices.weighted(&[40, 60]).unwrap_or(0) == 1;
    if own
        && let Some(lv) = element(gen_, var, at)
        && let Some(ex) = gen_.read(lv)
    {
        return ex;
    }
    let ops = gen_.choices.pick(&[0u32, 1, 1, 2]);
    gen_.int_expr(ops)
}

fn value(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Ex {
    let mut ex = operand(gen_, var, at);
    let terms = gen_.choices.pick(&[1u32, 0, 1, 2, 2, 3]);
    for _ in 0..terms {
        let other = operand(gen_, var, at);
        let op = gen_.choices.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Xor, BinOp::And, BinOp::Or]);
        ex = gen_.binary(op, ex, other);
    }
    ex
}

fn innermost(gen_: &mut Gen, block: BlockId, var: VarId, work: Work, at: &[(usize, Counter)]) {
    gen_.cx.effects.clear();
    let built = match work {
        Work::Fill => store(gen_, var, at),
        Work::Fold => fold(gen_, var, at),
        Work::Guarded => {
            let cond = value(gen_, var, at);
            guarded(gen_, var, at, cond)
        }
        Work::Search => {
            let (stmt, node) = (gen_.s(StmtKind::Break), gen_.flow.node(Node::Break));
            let left = value(gen_, var, at);
            let right = gen_.int_leaf();
            let cond = gen_.binary(BinOp::Eq, left, right);
            let test = gen_.flow.node(Node::Full(cond.node));
            let stmt = gen_.s(StmtKind::If(cond.id, stmt, None));
            let node = gen_.flow.node(Node::If(test, node, Flow::NOP));
            Some(Built { item: Item::One(stmt), node, done: false, declares: None })
        }
        Work::Extreme => extreme(gen_, var, at),
    };
    if let Some(built) = built {
        gen_.commit(block, built);
    }
}

fn statement(gen_: &mut Gen, ex: Ex) -> Built {
    let stmt = gen_.s(StmtKind::Expr(ex.id));
    let node = gen_.flow.node(Node::Full(ex.node));
    Built { item: Item::One(stmt), node, done: false, declares: None }
}

fn store(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Option<Built> {
    let value = value(gen_, var, at);
    let target = if gen_.model.var(var).ty.quals.has(Quals::CONST) {
        gen_.find(crate::lvalue::Want::Int, Use::Write)?
    } else {
        element(gen_, var, at)?
    };
    if !gen_.assignable(&target) {
        return None;
    }
    let ex = assign::assign(gen_, &target, value);
    Some(statement(gen_, ex))
}

/// `s op= a[i]`
fn fold(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Option<Built> {
    let value = value(gen_, var, at);
    let target = accumulator(gen_, var)?;
    let op = gen_.choices.pick(&[BinOp::Add, BinOp::Xor, BinOp::Or, BinOp::And, BinOp::Sub, BinOp::Mul]);
    let held = gen_.loaded(&target);
    let sum = gen_.binary(op, held, value);
    let ex = assign::plain(gen_, &target, sum);
    Some(statement(gen_, ex))
}

/// A scalar variable to fold into.
fn accumulator(gen_: &mut Gen, not: VarId) -> Option<Lv> {
    let var = gen_.pick_var(|m, v| {
        let var = m.var(v);
        m.int(var.ty.ty).is_some() && var.dims.is_empty() && var.free && v != not
    })?;
    let lv = gen_.variable(var);
    gen_.assignable(&lv).then_some(lv)
}

/// `if (a[i] > m) m = a[i];`
fn extreme(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)]) -> Option<Built> {
    let target = accumulator(gen_, var)?;
    let op = gen_.choices.pick(&[BinOp::Gt, BinOp::Lt]);
    let held = gen_.loaded(&target);
    let one = element(gen_, var, at)?;
    let one = gen_.loaded(&one);
    let cond = gen_.binary(op, one, held);
    if gen_.choices.percent(50) {
        let again = gen_.loaded(&target);
        let value = gen_.conditional(cond, one, again);
        let ex = assign::plain(gen_, &target, value);
        return Some(statement(gen_, ex));
    }
    let test = gen_.flow.node(Node::Full(cond.node));
    let ex = assign::plain(gen_, &target, one);
    let then = statement(gen_, ex);
    let Item::One(then_stmt) = then.item else { return None };
    let stmt = gen_.s(StmtKind::If(cond.id, then_stmt, None));
    let node = gen_.flow.node(Node::If(test, then.node, Flow::NOP));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}

fn guarded(gen_: &mut Gen, var: VarId, at: &[(usize, Counter)], cond: Ex) -> Option<Built> {
    let test = gen_.flow.node(Node::Full(cond.node));
    gen_.cx.effects.clear();
    let inner = if gen_.choices.percent(50) { store(gen_, var, at) } else { fold(gen_, var, at) }?;
    let Item::One(inner_stmt) = inner.item else { return None };
    let stmt = gen_.s(StmtKind::If(cond.id, inner_stmt, None));
    let node = gen_.flow.node(Node::If(test, inner.node, Flow::NOP));
    Some(Built { item: Item::One(stmt), node, done: false, declares: None })
}
