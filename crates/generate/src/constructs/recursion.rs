//! Bounded recursion: small functions of numbers alone that count down to nothing.

use super::ExpressionConstruct;
use crate::builder::{Counter, Ex, Gen};
use crate::model::{Home, IntTy, Loc, Qualified, Range, Var, VarId};
use crate::options::Switch;
use csyntax::ast::{BinOp, ExprKind, Quals, StmtKind, Storage};

pub(super) const EXPRESSION: ExpressionConstruct = ExpressionConstruct {
    name: "recursion",
    doc: "a call of a function that calls itself a bounded number of times",
    weight: 2,
    allowed: |gen_| gen_.on(Switch::Recursion) && !gen_.cx.pure && gen_.steps_left() > 3000,
    build,
};

fn parameter(gen_: &mut Gen, int: IntTy, range: Option<Range>) -> VarId {
    let name = gen_.fresh("p_");
    let ty = gen_.int_ty(int);
    let var = Var {
        name,
        ty: Qualified { ty, quals: Quals::NONE },
        dims: crate::model::Dims::default(),
        home: Home::Static,
        loc: Loc::GARBAGE,
        range,
        free: false,
        global: false,
        owner: Some(gen_.cx.fx),
    };
    gen_.model.add_var(var, 0)
}

/// An expression of the two parameters and constants.
fn of(gen_: &mut Gen, n: Counter, acc: VarId, ops: u32) -> Ex {
    if ops == 0 {
        return match gen_.choices.below(3) {
            0 => {
                let int = gen_.random_int();
                let value = gen_.interesting(int);
                gen_.int_const(value, int)
            }
            1 => {
                let mut lv = gen_.variable(n.var);
                lv.range = Some(n.range);
                gen_.loaded(&lv)
            }
            _ => {
                let lv = gen_.variable(acc);
                gen_.loaded(&lv)
            }
        };
    }
    let op = super::binary::operator(gen_);
    let (left, right) = gen_.split(ops - 1);
    let a = of(gen_, n, acc, left);
    let b = of(gen_, n, acc, right);
    gen_.binary(op, a, b)
}

/// `static T rec(int n, T acc) { return n > 0 ? rec(n - 1, e) op e : e; }`
fn build(gen_: &mut Gen, ops: u32) -> Option<Ex> {
    let depth = gen_.choices.range(1, 12);
    let int = gen_.random_int();
    let ret = gen_.int_ty(int);
    let outer = std::mem::take(&mut gen_.cost);
    let n = parameter(gen_, IntTy::I32, None);
    let acc = parameter(gen_, int, None);
    let name = gen_.fresh("rec_");
    let positive = Counter { var: n, range: Range { lo: 1, hi: i128::from(depth) } };
    let next = of(gen_, positive, acc, ops.min(3));
    let (held, one) = (gen_.variable(n), gen_.number(1));
    let less = gen_.e(ExprKind::Binary(BinOp::Sub, held.id, one));
    let callee = gen_.ident(name);
    let call = ExprKind::Call(callee, vec![less, next.id]);
    let mut again = gen_.int_ex(call, int, int.range(), crate::flow::Flow::NOP);
    // With nothing left to do after the call it is a tail call.
    if gen_.choices.percent(50) {
        let other = of(gen_, positive, acc, 1);
        let op = super::binary::operator(gen_);
        again = gen_.binary(op, again, other);
    }
    let last = of(gen_, Counter { var: n, range: Range { lo: -1, hi: 0 } }, acc, 1);
    let (held, zero) = (gen_.variable(n), gen_.number(0));
    let test = gen_.e(ExprKind::Binary(BinOp::Gt, held.id, zero));
    let value = gen_.e(ExprKind::Cond(test, Some(again.id), last.id));
    let value = gen_.s(StmtKind::Return(Some(value)));
    let body = gen_.s(StmtKind::Compound(vec![value]));
    let params = [n, acc].map(|p| {
        let var = gen_.model.var(p);
        (var.ty, var.name)
    });
    let params = params.into_iter().map(|(ty, name)| gen_.param(ty, Some(name))).collect();
    let ty = gen_.function_type(ret, params, false);
    let def = gen_.function(Storage::STATIC, ty, name, body);
    gen_.helper_defs.push(def);
    let each = std::mem::replace(&mut gen_.cost, outer);
    gen_.cost += (each + 10) * u64::from(depth + 1);
    let start = gen_.int_expr(ops / 2);
    // rec((e & 7) % ..., start): the count is masked below a power of two that is at most the depth
    let count = if gen_.choices.percent(50) {
        gen_.number(depth)
    } else {
        let mask = gen_.number((1 << depth.ilog2()) - 1);
        let leaf = gen_.int_leaf();
        let masked = gen_.e(ExprKind::Binary(BinOp::And, leaf.id, mask));
        let node = gen_.flow.unseq(&[leaf.node, start.node]);
        let callee = gen_.ident(name);
        return Some(gen_.int_ex(ExprKind::Call(callee, vec![masked, start.id]), int, int.range(), node));
    };
    let callee = gen_.ident(name);
    Some(gen_.int_ex(ExprKind::Call(callee, vec![count, start.id]), int, int.range(), start.node))
}
