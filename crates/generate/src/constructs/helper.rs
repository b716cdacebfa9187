//! Functions of numbers alone that an expression brings along and calls: what is inside is nobody else's, so that
//! constructs can write there what the analysis has no types for.

use crate::builder::{Ex, Gen};
use crate::flow::Flow;
use crate::model::{IntTy, Qualified};
use crate::options::Switch;
use csyntax::ast::{ExprId, ExprKind, Param, Quals, StmtId, StmtKind};
use csyntax::intern::Symbol;

/// A function that was made.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    /// The construct that made it.
    pub construct: &'static str,
    /// Its name.
    pub name: Symbol,
    /// Its parameters.
    pub params: Vec<IntTy>,
    /// What it returns.
    pub ret: IntTy,
    /// Bound on the evaluations of one call.
    pub cost: u64,
}

/// May such a function be called here?
pub(super) fn possible(gen_: &Gen) -> bool {
    !gen_.cx.pure && gen_.steps_left() > 4000
}

/// A call of a function of the construct, one that there is or a new one.
pub(super) fn call(
    gen_: &mut Gen,
    ops: u32,
    construct: &'static str,
    define: fn(&mut Gen) -> Helper,
) -> Option<Ex> {
    let budget = gen_.steps_left() / 4;
    let fits = |helper: &Helper| helper.construct == construct && helper.cost < budget;
    let known: Vec<usize> = (0..gen_.helpers.len()).filter(|n| fits(&gen_.helpers[*n])).collect();
    let helper = if !known.is_empty() && gen_.choices.percent(40) {
        let at = gen_.choices.pick(&known);
        gen_.helpers[at].clone()
    } else {
        let (outer, pure) = (std::mem::take(&mut gen_.cost), std::mem::replace(&mut gen_.cx.pure, true));
        let helper = define(gen_);
        (gen_.cost, gen_.cx.pure) = (outer, pure);
        gen_.helpers.push(helper.clone());
        helper
    };
    if helper.cost > budget {
        return None;
    }
    gen_.cost = gen_.cost.saturating_add(helper.cost);
    let each = ops / helper.params.len().max(1) as u32;
    let (mut args, mut nodes) = (Vec::new(), Vec::new());
    for int in &helper.params {
        let ex = gen_.int_expr(each.min(3));
        let ex = if gen_.int_of(&ex) == *int { ex } else { gen_.convert(ex, *int) };
        nodes.push(ex.node);
        args.push(ex.id);
    }
    let node = if nodes.is_empty() { Flow::NOP } else { gen_.flow.unseq(&nodes) };
    let callee = gen_.ident(helper.name);
    Some(gen_.int_ex(ExprKind::Call(callee, args), helper.ret, helper.ret.range(), node))
}

/// A wide unsigned type, if the options have one.
pub(super) fn word(gen_: &Gen) -> IntTy {
    if gen_.on(Switch::LongLong) { IntTy::U64 } else { IntTy::U32 }
}

/// A parameter of an integer type.
pub(super) fn parameter(gen_: &mut Gen, int: IntTy, name: Symbol) -> Param {
    let ty = gen_.int_ty(int);
    gen_.param(Qualified { ty, quals: Quals::NONE }, Some(name))
}

/// `return e;`
pub(super) fn give_back(gen_: &mut Gen, value: ExprId) -> StmtId {
    gen_.s(StmtKind::Return(Some(value)))
}
